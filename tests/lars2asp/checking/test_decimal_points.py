"""Explanations with decimals: each number has those of its place, or the checker says so."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.runtime.command_line.check_why_command import arrivals
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.syntax.source import Source
from tests.support.records import events

DECLARED = "#decimals e(_,1), p(1), w(3).\n"
STREAM = {
    0: ["r"],
    1: ["e(12,12)", "e(-1,20)", "e(7,-15)", "p(20)", "q(12)", "q(x)"],
    2: ["q(3)", "e(3,12)", "w(1500)"],
}
NUMBER = re.compile(r"(?<![A-Za-z0-9_'.])[0-9]+(?:\.[0-9]+)?")
UNCHECKED = (
    "record",
    "source",
    "because",
    "label",
    "hints",
    "input",
    "program",
    "semantics",
    "statement",
    "call",
)


def other_points(node: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The places of the texts of an explanation, each with what it is with another point in one number."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("atoms", "fleeting"):
                yield from (((*place, key, old), new) for old in value for new in _with_other_points(old))
            elif key not in UNCHECKED:
                yield from other_points(value, (*place, key))
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from other_points(value, (*place, number))
    elif isinstance(node, str):
        yield from ((place, new) for new in _with_other_points(node))


def _with_other_points(text: str) -> Iterator[str]:
    for found in NUMBER.finditer(text):
        digits = found[0].replace(".", "")
        others = {digits, f"{digits[:-1] or 0}.{digits[-1]}", f"0.{digits:0>3}"} - {found[0]}
        yield from (text[: found.start()] + other + text[found.end() :] for other in sorted(others))


def changed(explanation: Any, place: tuple[Any, ...], text: str) -> Any:
    """The explanation with another text at a place."""
    found = node = deepcopy(explanation)
    *path, last = place
    for key in path:
        node = node[key]
    if path and path[-1] in ("atoms", "fleeting"):
        node[text] = node.pop(last)
    else:
        node[last] = text
    return found


@pytest.mark.parametrize(
    ("rules", "atoms"),
    [
        ("a(X) :- e(K,X).", ["a(1.2)", "a(-1.5)", "a(1.5)", "a(Q)"]),
        ("a(X) :- e(K,X) in [2 #].", ["a(1.2)", "a(1.5)", "a(-1.5)"]),
        ("a(X) :- e(K,X) in [3 # by K,X], X < 2.0.", ["a(1.2)", "a(2.0)"]),
        ("a(X,T) :- e(K,X) at T in [1 # by K].", ["a(1.2,1)", "a(1.2,2)", "a(1.2,0)"]),
        ("a(X) :- e(K,X) at least 1 in [2], e(K,X) always in [0].", ["a(1.2)", "a(2.0)"]),
        ("a(X,N) :- e(K,X) count N in [2].", ["a(1.2,1)", "a(1.2,12)"]),
        ("a(X) :- p(X), not e(_,X+0.5) in [3].", ["a(2.0)", "a(12.0)"]),
        ("a :- p(X), e(_,X+0.5) in [3].", ["a"]),
        ("a :- e(12,2*_-1.5). b :- e(12,1.5..1.8).", ["a", "b"]),
        ("a :- p(X), e(f(X),X+0.5). b(f(X)) :- p(X) in [2]. c :- b(f(X)), q(X).", ["a", "b(f(20))", "c"]),
        ("a :- e(K,_), not e(K,f(K)+0.5).", ["a"]),
        ("a(X) :- e(K,X), X > 9.0.", ["a(1.2)"]),
        ("a(X*1.5) :- e(K,X). b :- a(X), X = 1.80.", ["b", "a(1.80)", "a(1.81)"]),
        (
            "a(S) :- S = #sum { X,K : e(K,X) }. b :- #max { X,f(X) : e(_,X) } > 1.1.",
            ["a(3.2)", "a(1.2)", "b"],
        ),
        (
            "a(N) :- N = #count { X,K : e(K,X) }, N > 1. b :- 1 { p(X) : e(_,X), X < 1.5; e(K,2.0) } 2.",
            ["a(2)", "b", "a(12)"],
        ),
        ("a :- e(K,X) : p(X). b :- X > 1.2 : e(K,X). c :- X > 1.1 : e(K,X).", ["a", "b", "c"]),
        ("{ a(X) } :- e(K,X). #minimize { X@2 : a(X) }. :- not a(_).", ["a(1.2)", "a(2.0)"]),
        (
            "{ a(X) : e(K,X); b(X) : q(X) } :- r in [2]. :- not b(12). :- not a(1.2).",
            ["a(1.2)", "b(12)", "b(3)"],
        ),
        ("b(X) : q(X); a(X) : e(12,X) :- p(_) in [2]. :- b(_).", ["a(1.2)", "b(12)", "b(0)"]),
        ("a(X) at T+1 :- e(K,X) at T in [2]. b(X) :- a(X) in [1].", ["a(1.2)", "b(1.2)", "a(0.3)"]),
        ("a(Y) :- q(X), Y = X*0.5. b(X) :- w(X), X > 1.25*1.2.", ["a(6.0)", "b(1.500)", "b(1.501)"]),
        ("a(X) :- e(K,X). -a(X) :- e(12,X). b(X) :- p(X).", ["a(1.2)", "b(2.0)"]),
        (
            "a(-X) :- e(K,X), not p(-X), |X| > 1.4. b(X) :- X = 1.5..1.6, e(_,-X) in [2].",
            ["a(1.5)", "b(1.5)", "b(1.6)"],
        ),
    ],
)
def test_points(rules: str, atoms: list[str]) -> None:
    """What is explained is right, and wrong with another point in any of its numbers."""
    checked = checked_program(Source("p.lars", DECLARED + rules))
    told = [Record(at, events(facts), Origin("s", at)) for at, facts in STREAM.items()]
    reasoner = Reasoner(compile_plan(checked, explained=True), explain_last=100_000)
    list(reasoner.run(told, until=2, emit="every"))
    stream, missed = arrivals(told), []
    for atom in atoms:
        for tick in (1, 2):
            explanation = json.loads(json.dumps(reasoner.why(atom, tick).to_dict()))
            assert check_explanation(checked.written, stream, explanation) == []
            for place, text in other_points(explanation):
                if not check_explanation(checked.written, stream, changed(explanation, place, text)):
                    missed.append((place, text))
    assert missed == []
