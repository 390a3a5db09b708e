"""What `check --input` proposes for files as people publish them reads every row that a person would."""

import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.command_line.input_check import proposal
from lars2asp.runtime.sources.records import Rejected
from lars2asp.syntax.nodes import Input
from tests.support.published_kinds import KINDS, Kind

_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|[^,]+')


def test_there_are_forty_kinds() -> None:
    assert len(KINDS) >= 40


@pytest.mark.parametrize("file", KINDS)
def test_what_is_proposed_reads_what_a_person_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    kind = KINDS[file]
    path = tmp_path / kind.file
    path.write_bytes(kind.content)
    said = proposal(str(path))
    told = re.sub(r"(?m)^#held.*\n", "", said)  # at the ticks of readings alone
    inputs = Reasoner.from_text(told).plan.inputs
    shown = {f"#show {one.predicate}/{len(one.columns)}.\n" for one in inputs}
    reasoner = Reasoner.from_text(told + "".join(shown))
    rejected: list[Rejected] = []
    answers = reasoner.run(path, emit="every", on_reject=rejected.append)
    read = {(answer.tick, *_values(atom)) for answer in answers for atom in answer.holds.texts}
    assert not rejected, said
    names = {str(one.name) for each in reasoner.plan.inputs for one in each.columns if not one.is_of_record}
    assert {*kind.columns} == names, said
    assert read == {fact for one in reasoner.plan.inputs for fact in _facts(kind, one, reasoner)}, said


def _facts(kind: Kind, declared: Input, reasoner: Reasoner) -> set[tuple[int, str, tuple[object, ...]]]:
    """What rows tell by a declaration, where they have all of its columns, at ticks."""
    length = reasoner.plan.tick_length
    columns = [one for one in declared.columns if not one.is_of_record]
    assert len(columns) == len(declared.columns)  # as no rows are equal
    places = [kind.columns.index(str(one.name)) for one in columns]
    found = set[tuple[int, str, tuple[object, ...]]]()
    for at, values in kind.rows:
        told = tuple(
            "" if values[place] is None and one.otherwise is not None else values[place]
            for one, place in zip(columns, places, strict=True)
        )
        if isinstance(at, datetime):
            assert length is not None
            tick = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=length)
        else:
            tick = at
        is_taken = all(
            str(values[kind.columns.index(str(one.column.name))]) == one.value for one in declared.conditions
        )
        if None not in told and is_taken:
            found.add((tick, declared.predicate, told))
    return found


def _values(atom: str) -> tuple[str, tuple[object, ...]]:
    """The predicate of an atom, and its arguments: texts, and numbers."""
    inner = atom[atom.index("(") + 1 : -1]
    cells = [match[0] for match in _VALUE.finditer(inner)]
    values = tuple(json.loads(cell) if cell.startswith('"') else Decimal(cell) for cell in cells)
    return atom[: atom.index("(")], values
