"""The checker of explanations: what is right is accepted, and what is wrong in it is named."""

import os
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings

from lars2asp.analysis.naive_stream import Arrival
from lars2asp.compiler import Overrides, checked_program
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Program, Semantics
from lars2asp.syntax.source import Source
from lars2asp.why_checker import check_explanation
from tests.lars2asp.test_naive_stream import followed_of
from tests.oracle import TooManyError, UnstratifiedError, arrivals, atom_text
from tests.strategies import ALL_PROGRAMS, Case, aggregating_programs, cases, placing_programs
from tests.support.explaining import Explaining

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "45"))

Json = dict[str, Any]


@pytest.mark.parametrize("programs", [ALL_PROGRAMS, placing_programs(), aggregating_programs()])
def test_explanations_of_random_programs(programs: Any) -> None:
    """An explanation from the naive stream is one, of what holds and of what does not."""

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(cases(programs))
    def explaining(case: Case) -> None:
        note(case.program)
        overrides = Overrides(semantics=Semantics(case.semantics))
        try:
            written = checked_program(Source("random.lars", case.program), overrides=overrides).written
            header, placed = followed_of(case)
        except (ProgramError, TooManyError, UnstratifiedError):
            return
        if placed:
            return
        stream = [
            Arrival(one.tick, one.last, atom_text(one.atom), "x") for one in arrivals(case.records, case.last)
        ]
        header |= {"kept_from": 0, "tick": case.last}
        made = Explaining(written, stream, header)
        for signature in made.stream.derived:
            name = f"{'' if signature.is_positive else '-'}{signature.name}"
            given = [
                f"{name}({','.join(terms[: signature.arity])})" if signature.arity else name
                for terms in ("01", "xx", "XY")
            ]
            holding = made.stream.holds_now(signature, case.last)
            for text in [*sorted(holding)[:2], *(given[:2] if holding else given)]:
                explained = made.explanation(text, case.last)
                assert check_explanation(written, stream, explained) == [], (text, explained)

    explaining()


ROOMS = """\
hot(R) :- reading(R,C), C > 25.
alarm(R) :- hot(R) at least 2 in [2], not off(R) in [1].
dull :- not alarm(_).
last(R,C) :- reading(R,C) in [1 # by R].
total(S) :- S = #sum { C,R : reading(R,C) in [1] }.
fine :- hot(R) : room(R).
room(hall). room(attic).
#temp short :- hot(_).
late(R) at @now-1 :- hot(R).
on :- off(hall).
on :- up.
up :- on.
calm(K) :- off(hall) at most K in [2], K = 0..1.
"""
STREAM = [
    Arrival(0, 0, "reading(hall,30)", "r.csv:1"),
    Arrival(1, 1, "reading(hall,29)", "r.csv:2"),
    Arrival(1, 1, "reading(attic,20)", "r.csv:3"),
    Arrival(2, None, "off(hall)", "r.csv:4"),
]
HEADER = {"start": 0, "semantics": "recorded", "complete_windows": False, "kept_from": 0, "tick": 2}


def written(text: str) -> Program:
    """The explained program of a text."""
    return checked_program(Source("rooms.lars", text)).written


def explained(atom: str, tick: int) -> Json:
    """An explanation of an atom of ROOMS."""
    return Explaining(written(ROOMS), STREAM, HEADER).explanation(atom, tick)


def problems(explanation: Json) -> list[str]:
    """What is wrong with one."""
    return check_explanation(written(ROOMS), STREAM, explanation)


def test_what_is_right() -> None:
    """Explanations of each kind of literal are accepted; those of others, handed on as these, are not."""
    asked = [("alarm(hall)", 1), ("alarm(hall)", 2), ("alarm(R)", 0), ("dull", 2), ("dull", 1)]
    asked += [("last(hall,29)", 2), ("last(hall,30)", 2), ("total(79)", 1), ("total(1)", 1), ("fine", 1)]
    asked += [("short", 1), ("short", 2), ("late(hall)", 1), ("on", 2), ("up", 2), ("on", 1), ("up", 1)]
    asked += [("calm(0)", 1), ("calm(0)", 2), ("calm(1)", 2), ("room(hall)", 0), ("room(cellar)", 0)]
    for atom, tick in asked:
        explanation = explained(atom, tick)
        assert problems(explanation) == [], (atom, tick)
        other = deepcopy(explanation)
        other["explains"]["holds"] = not other["explains"]["holds"]
        assert problems(other), (atom, tick)


def changed(explanation: Json, change: Callable[[Json], None]) -> list[str]:
    """What is wrong with an explanation after a change of its root."""
    explanation = deepcopy(explanation)
    change(explanation["explains"])
    return problems(explanation)


def test_what_is_wrong() -> None:
    """Whatever is changed is found, and named with the claim."""
    alarm = explained("alarm(hall)", 1)
    assert changed(alarm, lambda root: root["body"].pop()) == ["claim 1: the body has other literals"]
    assert changed(alarm, lambda root: root.update(bindings={})) == [
        "claim 1: the variables R have no values"
    ]
    assert changed(alarm, lambda root: root.update(bindings={"R": "attic"})) == [
        "claim 1: the instance has another head"
    ]
    assert changed(alarm, lambda root: root["body"][0]["window"].update(ticks=[[0, 2]])) == [
        "claim 1: the window has the ticks [[0, 1]]"
    ]
    assert changed(alarm, lambda root: root["body"][0].pop("claims")) == [
        "claim 1: no claim supports `hot(hall) at least 2 in [2]`"
    ]
    assert changed(alarm, lambda root: root.update(remark="trust me")) == ["claim 1: a claim has no `remark`"]
    assert changed(alarm, lambda root: root.update(at="1")) == ["claim 1: `at` of a claim is no int"]
    assert changed(alarm, lambda root: root.update(atom="p. q")) == ["claim 1: `p. q` is no atom"]
    total = explained("total(79)", 1)
    (fault,) = changed(total, lambda root: root["body"][0]["elements"].pop())
    assert fault.startswith("claim 1: the elements are [")
    assert changed(explained("alarm(hall)", 2), lambda root: root["rules"].pop()) == [
        "claim 1: the statements are [1]"
    ]


def test_what_rests_on_itself() -> None:
    """A circle of positive literals supports nothing, though all that is said in it is true."""
    explanation = explained("on", 2)
    root = explanation["explains"]
    statements = {s.location.line - 1: i for i, s in enumerate(written(ROOMS).statements)}
    lines = ROOMS.splitlines()

    def derived(number: int, atom: str, line: int, below: Json, literal: str) -> Json:
        place = {"number": statements[line], "source": "rooms.lars", "line": line + 1, "text": lines[line]}
        body = [{"position": 0, "literal": literal, "holds": True, "claims": [below]}]
        claim = {"id": number, "atom": atom, "tick": 2, "seen_at": 2, "holds": True, "because": "rule"}
        return claim | {"statement": place, "bindings": {}, "at": 2, "body": body}

    seen = {"id": 13, "atom": "on", "tick": 2, "seen_at": 2, "holds": True, "because": "seen", "see": 11}
    up = derived(12, "up", lines.index("up :- on."), seen, "on")
    explanation["explains"] = derived(11, "on", lines.index("on :- up."), up, "up")
    assert problems(explanation) == ["claim 11: it rests on itself"]
    up = derived(12, "up", lines.index("up :- on."), root, "on")
    explanation["explains"] = derived(11, "on", lines.index("on :- up."), up, "up")
    assert problems(explanation) == []


def test_a_choice() -> None:
    """What was followed is held to the rules, and a choice that was not made is no fault of its body."""
    program = written("1 { a; b } 1 :- p. c :- a. :- r.")
    stream = [Arrival(0, 1, "p", "x:1")]
    header = HEADER | {"tick": 1, "followed": {"atoms": {"a": [[0, 1]], "c": [[0, 1]]}, "without_answer": []}}
    for atom in ("a", "b", "c"):
        explanation = Explaining(program, stream, header).explanation(atom, 1)
        assert check_explanation(program, stream, explanation) == []
        for atoms in ({"a": [[0, 1]], "b": [[1, 1]], "c": [[0, 1]]}, {"c": [[0, 1]]}, {"a": [[2, 3]]}):
            explanation["followed"] = {"atoms": atoms, "without_answer": []}
            assert check_explanation(program, stream, explanation)
