"""Explanations of random programs, held to the checker, which shares no code with what makes them."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.definition.stream import Arrival
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.sources.records import Origin, Record
from tests.runtime.explanations.changes import changed, nodes_with
from tests.strategies import EXPLAINED, Case
from tests.support.checked_explanations import ALL, Checked
from tests.support.examples import IS_NIGHTLY, number_of_examples
from tests.support.records import events

EXAMPLES = number_of_examples(2)
"""The number of pairs of program and stream that each group tries; each has a dozen explanations."""

Json = dict[str, Any]


CHANGES = 4
"""So many wrong explanations are made of each."""


@pytest.mark.parametrize("group", EXPLAINED)
def test_explanations_of_random_programs(group: str) -> None:
    """Of atoms that hold and of others, at random ticks: accepted; and refused when they are changed."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=not IS_NIGHTLY,  # shrinking takes minutes
    )
    @given(EXPLAINED[group], st.randoms(use_true_random=False))
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
