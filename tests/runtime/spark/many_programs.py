"""Many random programs as one: Spark is slow to start, so one query runs them all."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from hypothesis import HealthCheck, Phase, given, settings

from lars2asp.compiler import Overrides, compile_program
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.oracle import Item, atom_text
from tests.strategies import ALL_PROGRAMS, Case, cases, splittable_programs
from tests.support.definition import record

MOVING = 3
"""The programs taken have more changes than these."""

_PREDICATE = re.compile(r"\b([abcdefgkmnprw])\b")
"""The predicates of random programs, and a constant."""

Row = tuple[int, str, str, int]
"""Time, atom, change, until; nothing is "" or -1."""

COLUMNS = "time long, atom string, change string, until long"


@dataclass(frozen=True)
class Many:
    """Programs with predicates of their own, as one program on one stream.

    Attributes:
        program: its text.
        rows: the stream, in time order.
        last: the last tick.
    """

    program: str
    rows: tuple[Row, ...]
    last: int

    def batches(self, random: Random, count: int) -> list[list[Row]]:
        """The rows in `count` batches, cut anywhere, also within a tick."""
        cuts = sorted(random.randrange(len(self.rows) + 1) for _ in range(count - 1))
        found = [
            list(self.rows[begin:end]) for begin, end in zip([0, *cuts], [*cuts, len(self.rows)], strict=True)
        ]
        for batch in found:
            random.shuffle(batch)
        return found


def many(count: int) -> Many:
    """`count` random programs that have one answer stream each, as one."""
    found: list[Case] = []

    class FoundError(Exception):
        """There are as many."""

    @settings(
        max_examples=20 * count,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(splittable_programs()) | cases(ALL_PROGRAMS))
    def collect(case: Case) -> None:
        is_new = all(case.program != other.program for other in found)
        if len(found) < count and is_new and _serves(case):
            found.append(case)
        if len(found) == count:
            raise FoundError

    with suppress(FoundError):
        collect()
    program = "\n".join(_renamed(_shows_all(case.program), number) for number, case in enumerate(found))
    rows = sorted(row for number, case in enumerate(found) for row in _rows(case.records, number))
    return Many(program, tuple(rows), max(case.last for case in found))


def _serves(case: Case) -> bool:
    is_alone = "#]" in case.program or "#complete_windows" in case.program
    if case.semantics != Semantics.RECORDED or is_alone or len(case.records) < 3:
        return False
    try:
        overrides = Overrides(semantics=Semantics.RECORDED)
        plan = compile_program(Source("random.lars", case.program), overrides=overrides)
    except ProgramError:
        return False
    if not (plan.components and all(component.is_certain for component in plan.components)):
        return False
    if not _are_taken(case.records, plan):
        return False
    answers = Reasoner(plan).run(map(record, case.records), until=case.last, emit=None)
    return sum(len(answer.began) for answer in answers) > MOVING


def _are_taken(records: Iterable[Item], plan: Plan) -> bool:
    """Whether the values of all facts are of the types that the program demands."""
    texts = [atom_text(atom) for item in records for atom in (*item.facts, *item.begin, *item.end)]
    try:
        FactReader(plan.decimals, plan.required).parse_atoms(texts)
    except InputError:
        return False
    return True


def _shows_all(text: str) -> str:
    """The program without `#show`, which would hide what others derive."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#show"))


def _renamed(text: str, number: int) -> str:
    return _PREDICATE.sub(rf"\1_{number}", text)


def _rows(records: Iterable[Item], number: int) -> set[Row]:
    """Rows of which none is rejected, whatever their order within a tick."""
    rows: set[Row] = set()
    is_open: set[str] = set()
    for item in records:
        for atoms, change in ((item.end, "ended"), (item.begin, "began"), (item.facts, "")):
            for atom in atoms:
                text = _renamed(atom_text(atom), number)
                if change == "ended" and (text not in is_open or (item.tick, text, "began", -1) in rows):
                    continue
                if change == "began" and (item.tick, text, "ended", -1) in rows:
                    continue
                is_open = is_open | {text} if change == "began" else is_open
                is_open = is_open - {text} if change == "ended" else is_open
                until = item.until if item.until is not None and not change else -1
                rows.add((item.tick, text, change, until))
        rows.add((item.tick, "", "", -1))
    return rows
