"""Explanations of heads with terms that are worked out: accepted by the checker, and refused when changed."""

import json
from collections.abc import Callable
from copy import deepcopy
from textwrap import dedent
from typing import Any

import pytest

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import checked_program, compile_plan
from lars2asp.definition.stream import Arrival
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.source import Source

PROGRAM = """\
b at @now-T :- ago(T) in [3].
d(X*X,Y) :- p(X), q(Y), not r.
f(1..X) :- p(X).
g(X/(X-4)) :- p(X).
k at @now-X-Y :- p(X), p(Y).
v(X*X) :- p(_), X = 1..5.
u(S*S) :- #sum{X : p(X)} = S.
c(@up(X)) at @now-1 :- p(X).
m(@both(X),s(@up(X)+1)) :- p(X).
{ h(X*X,Y) : q(Y) } :- p(X).
#show f(X) : r(X).
#script (python)
from clingo import Number
def up(number):
    return Number(number.number + 1)
def both(number):
    return [number, Number(-number.number)]
#end.
w(Y*Y) :- p(X), Y = X+1.
"""
STREAM = [(0, ["p(1)", "p(2)"]), (2, ["ago(1)"]), (4, ["p(4)", "p(6)", "q(7)"])]
FUNCTIONS = {"up": lambda x: [str(int(x) + 1)], "both": lambda x: [x, str(-int(x))]}
CHECKED = checked_program(Source("p.lars", PROGRAM))


@pytest.fixture(scope="module")
def reasoner() -> Reasoner:
    reasoner = Reasoner(compile_plan(CHECKED, explained=True), explain_last=10)
    for tick, facts in STREAM:
        reasoner.step(tick, facts)
    return reasoner


def problems(told: dict[str, Any]) -> list[str]:
    stream = [Arrival(tick, tick, fact, f"step({tick})") for tick, facts in STREAM for fact in facts]
    return check_explanation(CHECKED.written, stream, json.loads(json.dumps(told)), FUNCTIONS)


@pytest.mark.parametrize(
    ("atom", "tick", "lines"),
    [
        ("b", 4, ["ago(1) in [3]   1 ·█·· 4  step(2); its head is b at 3"]),
        ("d(9,Y)", 4, ["p(4)   step(4); its head is d(16,Y)", "p(6)   step(4); its head is d(36,Y)"]),
        (
            "f(7)",
            4,
            [
                "p(6)   step(4); the nearest of its 6 heads is f(6)",
                "p(4)   step(4); the nearest of its 4 heads is f(4)",
            ],
        ),
        (
            "g(7)",
            4,
            [
                "p(6)   step(4); its head is g(3)",
                "p(4)   step(4); its head is without a value: g(4/(4-4))",
            ],
        ),
        (
            "v(7)",
            4,
            [
                "3 = 1..5   its head is v(9)",
                "2 = 1..5   its head is v(4)",
                "1 = 1..5   its head is v(1)",
                "...",
            ],
        ),
        (
            "u(7)",
            4,
            [
                "#sum { X: p(X) } = 10   value 10; its head is u(100)",
                "6: p(6)   step(4)",
                "4: p(4)   step(4)",
            ],
        ),
        (
            "c(3)",
            4,
            ["p.lars:8  c(@up(X)) at @now-1 :- p(X).   places atoms at 4 only when it is evaluated at 5"],
        ),
        ("m(-4,s(6))", 4, ["p(4)   step(4)", "-4 = @both(4), 5 = @up(4)"]),
        ("w(7)", 4, ["5 = 4+1   its head is w(25)", "7 = 6+1   its head is w(49)"]),
        ("h(9,7)", 4, ["p(4)   step(4); its head is h(16,7)", "p(6)   step(4); its head is h(36,7)"]),
    ],
)
def test_what_is_said(reasoner: Reasoner, atom: str, tick: int, lines: list[str]) -> None:
    found = reasoner.why(atom, tick)
    assert problems(found.to_dict()) == []
    drawn = [line.lstrip("│├└─ ") for line in str(found).splitlines() if not line.startswith("hint: ")]
    assert drawn[-len(lines) :] == lines


def test_an_instance_of_several_literals(reasoner: Reasoner) -> None:
    found = reasoner.why("k", 0)
    assert problems(found.to_dict()) == []
    assert str(found) == dedent("""\
        k does not hold at 0
        └─ p.lars:5  k at @now-X-Y :- p(X), p(Y).
           ├─ its head is k at -2
           │  ├─ p(1)   step(0)
           │  └─ p(1)   as above
           ├─ its head is k at -3
           │  ├─ p(2)   step(0)
           │  └─ p(1)   as above
           ├─ its head is k at -3
           │  ├─ p(1)   as above
           │  └─ p(2)   as above
           └─ ...""")


@pytest.mark.parametrize(
    ("atom", "change", "problem"),
    [
        ("f(7)", lambda rule: rule["others"][0].update(atom="f(7)"), "has not the head `f(7)`"),
        ("f(7)", lambda rule: rule["others"][0].update(atom="f(8)"), "has not the head `f(8)`"),
        ("f(7)", lambda rule: rule["others"][0].update(count=5), "has not the head `f(6)`"),
        ("f(7)", lambda rule: rule["others"][0].update(tick=3), "has not the head `f(6)`"),
        ("f(7)", lambda rule: rule["others"][0]["bindings"].update(X="5"), "with another head is none"),
        ("f(7)", lambda rule: rule["others"][0]["bindings"].clear(), "with another head is none"),
        ("f(7)", lambda rule: rule["others"][0]["body"][0].update(holds=False), "`p(6)` holds"),
        ("f(7)", lambda rule: rule.update(more=True), "no more instances"),
        ("d(9,7)", lambda rule: rule["others"][0]["body"][0].update(position=2), "was not looked at"),
        ("g(7)", lambda rule: rule["others"][1].update(atom="g(4/0)"), "has not the head `g(4/0)`"),
        ("g(7)", lambda rule: rule["others"][0].update(count=0), "has not the head `g(3)`"),
    ],
)
def test_other_heads_are_checked(
    reasoner: Reasoner, atom: str, change: Callable[[dict[str, Any]], object], problem: str
) -> None:
    told = deepcopy(reasoner.why(atom, 4).to_dict())
    change(told["explains"][0]["rules"][0])
    assert problem in "; ".join(problems(told))


def test_calls_and_later_evaluations_are_checked(reasoner: Reasoner) -> None:
    told = reasoner.why("m(-4,s(6))", 4).to_dict()
    told["explains"][0]["calls"][0]["value"] = "5"
    assert "claim 1: `@both(4)` does not give 5" in problems(told)
    told = reasoner.why("m(-4,s(6))", 4).to_dict()
    told["explains"][0]["calls"][0]["call"] = "@up(5)"
    assert "claim 1: `@up(5)` is not called in the head" in problems(told)
    for at in (None, 6):
        told = reasoner.why("c(3)", 4).to_dict()
        [late] = told["explains"][0]["later"]
        told["explains"][0]["later"] = [] if at is None else [late | {"at": at}]
        assert problems(told) == ["claim 1: the rules that are evaluated later are p.lars:8"]


def test_a_predicate_that_is_shown_as_a_term_too(reasoner: Reasoner) -> None:
    assert reasoner.why("f(9)", 4).hints == (
        "#show (p.lars:11) adds the term f(X) to the output, no atom: ask about the atoms after its colon",
    )
    assert reasoner.why("f(2)", 4).hints == ()
