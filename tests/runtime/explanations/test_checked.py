"""Explanations of random programs, held to the checker, which shares no code with what makes them."""

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.analysis.naive_stream import Arrival
from lars2asp.compiler import CheckedProgram, Overrides, checked_program, compile_plan
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from lars2asp.why_checker import check_explanation
from tests.runtime.explanations.changes import changed, nodes_with
from tests.strategies import GROUPS, Case
from tests.support.definition import record
from tests.support.records import events

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "20"))
"""The number of pairs of program and stream that each group tries; each has a dozen explanations."""

Json = dict[str, Any]


ALL = 1000
"""In ticks, the longest history: longer than all streams."""

CHANGES = 4
"""So many wrong explanations are made of each."""


@pytest.mark.parametrize("group", GROUPS)
def test_explanations_of_random_programs(group: str) -> None:
    """Of atoms that hold and of others, at random ticks: accepted; and refused when they are changed."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize="LARS2ASP_EXAMPLES" not in os.environ,  # shrinking takes minutes
    )
    @given(GROUPS[group], st.randoms(use_true_random=False))
    def explaining(case: Case, random: Random) -> None:
        note(case.program)
        assume(Checked.is_program(case))
        kept = random.choice([1, ALL])
        checked = Checked(case, kept)
        for atom, tick in checked.questions(random):
            explanation = checked.explanation(atom, tick)
            if explanation is None:
                continue
            assert checked.faults(explanation) == [], (atom, tick)
            changes = changed(explanation, checked.program, random, CHANGES)
            for kind, change in changes if kept == ALL else ():
                assert checked.faults(change), (atom, tick, kind, change)
            several = checked.explanation(atom, tick, explanations=4)
            assert several is not None
            assert several["explains"][0] == explanation["explains"][0]
            assert checked.faults(several) == [], (atom, tick)
            assert len({*map(derivations, several["explains"])}) == len(several["explains"])

    explaining()


class Checked:
    """A random program on its stream, the explanations of which are checked."""

    def __init__(self, case: Case, kept: int = ALL) -> None:
        checked = _compiled(case)
        plan = compile_plan(checked, explained=True)
        self.program = checked.written
        self._is_strict = case.semantics == "strict"
        self._reasoner = Reasoner(
            plan,
            start=case.start,
            complete_windows=case.complete_windows,
            explain_from=kept,
            tuning=Tuning(explained_spare=0),
        )
        told = [record(one)._replace(origin=Origin("stream", n)) for n, one in enumerate(case.records)]
        self._held = {one.tick: one.atoms for one in self._reasoner.run(told, until=case.last)}
        self._stream = arrivals(sorted(told, key=lambda one: one.tick))

    @staticmethod
    def is_program(case: Case) -> bool:
        """Whether it has no error."""
        try:
            _compiled(case)
        except ProgramError:
            return False
        return True

    def questions(self, random: Random) -> Iterator[tuple[str, int]]:
        """Atoms that hold at some tick, or at others only, and one with a variable, at random ticks."""
        known = sorted({atom for atoms in self._held.values() for atom in atoms})
        history = self._reasoner.session.history
        assert history is not None
        kept = [tick for tick in sorted(self._held) if tick >= history.kept_from]
        for tick in random.sample(kept, min(3, len(kept))):
            holding = sorted(self._held[tick])
            others = sorted(set(known).difference(holding))
            asked = random.sample(holding, min(2, len(holding))) + random.sample(others, min(2, len(others)))
            yield from ((atom, tick) for atom in asked)
        if known:
            name, bracket, arguments = random.choice(known).partition("(")
            rest = ",Q" * arguments.count(",") if "(" not in arguments and '"' not in arguments else ""
            yield f"{name}(Q{rest})" if bracket else name, random.choice(kept)

    def explanation(self, atom: str, tick: int, explanations: int = 1) -> Json | None:
        """Why an atom holds, or why not; None if it rests on a choice that strict semantics has forgotten."""
        try:
            explanation = self._reasoner.why(atom, tick, explanations=explanations)
        except InputError as error:
            assert self._is_strict, error
            return None
        found: Json = json.loads(json.dumps(explanation.to_dict()))
        return found

    def faults(self, explanation: Json) -> list[str]:
        """What is wrong with an explanation."""
        return check_explanation(self.program, self._stream, explanation)


def _compiled(case: Case) -> CheckedProgram:
    overrides = Overrides(semantics=Semantics(case.semantics))
    return checked_program(Source("random.lars", case.program), overrides=overrides)


def derivations(root: Json) -> frozenset[str]:
    """What each atom of an explanation rests on."""
    found = set()
    for claim in nodes_with("because", root):
        if claim["holds"] and claim["because"] in ("input", "background", "rule", "choice"):
            own = {key: one for key, one in claim.items() if key not in ("id", "body")}
            found.add(json.dumps(own, sort_keys=True))
    return frozenset(found)


def test_what_the_input_tells() -> None:
    """What ends at the tick at which it began tells nothing; an interval that goes on has no end."""
    told = [
        Record(0, events(["p(1)", "q"], begin=["on"]), Origin("s", 1)),
        Record(1, events([], begin=["off", "on"]), Origin("s", 2)),
        Record(1, events(["p(2)"], end=["off"], until=3), Origin("s", 3)),
        Record(4, events([], end=["on"]), Origin("s", 4)),
    ]
    assert arrivals(told) == [
        Arrival(0, 3, "on", "s:1"),
        Arrival(0, 0, "p(1)", "s:1"),
        Arrival(0, 0, "q", "s:1"),
        Arrival(1, 3, "p(2)", "s:3"),
    ]
