"""Explanations of random programs, held to the checker, which shares no code with what makes them."""

import json
import os
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from lars2asp.analysis.naive_stream import Arrival
from lars2asp.compiler import Overrides, checked_program, compile_plan
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.explanations.tree import Place
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Program, Semantics
from lars2asp.syntax.source import Source
from lars2asp.why_checker import check_explanation
from tests.strategies import (
    ALL_PROGRAMS,
    COUNTING,
    TUPLES,
    VALUES,
    WINDOWS,
    Case,
    aggregating_programs,
    cases,
    choosing_programs,
    conditional_programs,
    cyclic_programs,
    functional_programs,
    placing_programs,
    programs,
    recursive_programs,
    with_contraries,
)
from tests.support.definition import record
from tests.support.records import events

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "20"))
"""The number of pairs of program and stream that each group tries; each has a dozen explanations."""

GROUPS = {
    "core": cases(programs()),
    "counting": cases(COUNTING),
    "windows": cases(WINDOWS),
    "tuple windows": cases(TUPLES, complete=3),
    "heads at ticks": cases(placing_programs()),
    "several answer streams": cases(choosing_programs()),
    "conditional literals": cases(conditional_programs()),
    "aggregates": cases(aggregating_programs()),
    "functions": cases(functional_programs(), values=VALUES),
    "classical negation": with_contraries(cases(ALL_PROGRAMS)),
    "recursion at one tick": cases(cyclic_programs()),
    "recursion through windows": cases(recursive_programs()),
}

Json = dict[str, Any]


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
        overrides = Overrides(semantics=Semantics(case.semantics))
        try:
            checked = checked_program(Source("random.lars", case.program), overrides=overrides)
        except ProgramError:
            assume(False)
        plan = compile_plan(checked, explained=True)
        reasoner = Reasoner(plan, start=case.start, complete_windows=case.complete_windows, explain_from=1000)
        told = [record(one)._replace(origin=Origin("stream", n)) for n, one in enumerate(case.records)]
        held = {answer.tick: answer.atoms for answer in reasoner.run(told, until=case.last)}
        known = sorted({atom for atoms in held.values() for atom in atoms})
        stream = arrivals(sorted(told, key=lambda one: one.tick))
        for tick in random.sample(sorted(held), min(3, len(held))):
            for atom in random.sample(known, min(4, len(known))):
                explanation = json.loads(json.dumps(reasoner.why(atom, tick).to_dict()))
                assert check_explanation(checked.written, stream, explanation) == [], (atom, tick)
                for change in changes(explanation, checked.written, random):
                    assert check_explanation(checked.written, stream, change), (atom, tick, change)
                several = json.loads(json.dumps(reasoner.why(atom, tick, explanations=4).to_dict()))
                assert several["explains"][0] == explanation["explains"][0]
                assert check_explanation(checked.written, stream, several) == [], (atom, tick)
                assert len({*map(derivations, several["explains"])}) == len(several["explains"])

    explaining()


def changes(explanation: Json, program: Program, random: Random) -> Iterator[Json]:
    """Explanations that are none: another tick, another witness, a literal left out, another rule."""
    claims = [*nodes_with("because", explanation["explains"])]

    def changed(node: Json, **values: Any) -> Json:
        place = [*nodes_in(explanation)].index(node)
        other = deepcopy(explanation)
        [*nodes_in(other)][place].update(values)
        return other

    (root,) = explanation["explains"]
    yield changed(root, tick=root["tick"] + 1)
    yield changed(root, holds=not root["holds"])
    windows = [*nodes_with("holds_at", explanation["explains"])]
    if windows:
        window = random.choice(windows)
        last = max((run[1] for run in window["ticks"]), default=0)
        more = window["holds_at"][1:] if window["holds_at"] else [[last, last]]
        yield changed(window, holds_at=more)
    derived = [claim for claim in claims if claim["because"] in ("rule", "choice")]
    bodies = [claim for claim in derived if claim["body"]]
    if bodies:
        claim = random.choice(bodies)
        place = random.randrange(len(claim["body"]))
        yield changed(claim, body=[*claim["body"][:place], *claim["body"][place + 1 :]])
    if derived:
        claim = random.choice(derived)
        texts = {Place(n, one.location).text: n for n, one in enumerate(program.statements)}
        others = sorted(texts.keys() - {claim["statement"]["text"]})
        if others:
            text = random.choice(others)
            line = program.statements[texts[text]].location.line
            statement = claim["statement"] | {"number": texts[text], "text": text, "line": line}
            yield changed(claim, statement=statement)


def derivations(root: Json) -> frozenset[str]:
    """What each atom of an explanation rests on."""
    found = set()
    for claim in nodes_with("because", root):
        if claim["holds"] and claim["because"] in ("input", "background", "rule", "choice"):
            own = {key: one for key, one in claim.items() if key not in ("id", "body")}
            found.add(json.dumps(own, sort_keys=True))
    return frozenset(found)


def nodes_in(node: Any) -> Iterator[Json]:
    """The objects of an explanation."""
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            yield from nodes_in(child)


def nodes_with(key: str, node: Any) -> Iterator[Json]:
    """Those that have a key."""
    return (one for one in nodes_in(node) if key in one)


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
