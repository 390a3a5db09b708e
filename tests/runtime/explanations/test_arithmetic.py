"""Explanations of literals with `_` in arithmetic, which stands for the integers that solve it."""

import pytest

from tests.support.explaining import explained


@pytest.mark.parametrize(
    "literal",
    [
        "e(0,2*_-1)",
        "e(_,2*_-1)",
        "e(1-_,2*_-1)",
        "e(1-X,2*_-1), p(X)",
        "e(0,-(2*_-1))",
        "e(0,c*_-1)",
        "e(0,2*_-1) in [1]",
        "e(0,2*_-1) in {3,2,0}",
        "e(0,2*_-1) always in [0]",
        "e(0,2*_-1) at 2..3 in [1]",
        "e(0,2*_-1) at 2..3",
        "e(0,2*_-1) at T in [1]",
        "e(0,2*_-1) at least 1 in [1]",
        "e(0,2*_-1) count N in [1]",
        "e(0,2*_-1) in [2 # e/2]",
        "e(X,2*_-1) in [1 # by X]",
        "e(X,Y), Y = 2*_-1",
        "e(X,Y), 2*_-1 = Y",
        "e(X,Y), f(Y,0) = f(2*_-1,_)",
        "p(0) : e(1,2*_), p(0)",
        "#count { X : e(X,2*_-1) } = 1",
        "#sum { 1 : e(_,2*_-1) in [0] } = 1",
        "1 { e(_,2*_-1) }",
        "e(0,2*_-1) : p(1)",
    ],
)
@pytest.mark.parametrize(
    ("told", "holds"),
    [("e(0,3)", True), ("e(0,-3)", True), ("e(0,2)", False), ("e(0,x)", False), ("e(0,(1,))", False)],
)
def test_an_equation_for_any_value(literal: str, told: str, holds: bool) -> None:
    """An even number, and what is not a number, has no solution of `2*_-1`."""
    holds = holds or "p(0) :" in literal
    stream = {1: ["q"], 2: ["p(1)", told], 3: ["q"]}
    text, found = explained(f"#const c = 2. a(1) :- {literal}.", stream, "a(1)", 2)
    assert found["explains"][0]["holds"] is holds
    assert "no longer kept" not in text


@pytest.mark.parametrize("literal", ["e(f(2*_))", "e((2*_,1))", "e(f(2*_)) in [1]"])
@pytest.mark.parametrize("told", ["e(f(4))", "e(f(3))", "e((4,1))", "e((3,1))", "e(f(x))"])
def test_equations_within_terms(literal: str, told: str) -> None:
    """The same for arguments of functions and tuples."""
    text, _ = explained(f"a :- {literal}.", {0: [told]}, "a", 0)
    assert "no longer kept" not in text


@pytest.mark.parametrize("value", ["x", "-x", "(0,0)", "-(0,0)", "f(x)", "-f(x)", "-3"])
@pytest.mark.parametrize(
    "literal", ["b(-X)", "b(-X) in [1]", "not d(-X), b(X)", "b(f(-X))", "1 { b(-X) }, b(_)"]
)
def test_negative_values_under_a_minus(literal: str, value: str) -> None:
    """They are written as they are, whatever stands in front of them."""
    for atom in (f"a({value})", f"a(-{value})", "a(Q)"):
        explained(f"a(X) :- {literal}, v(X).", {0: [f"b({value})", f"v(-{value})", f"v({value})"]}, atom, 0)


@pytest.mark.parametrize("tick", [1, 2, 3, 4])
@pytest.mark.parametrize("ticks", ["1..2", "2..9", "@now-1..@now", "X..X+1", "3..2"])
@pytest.mark.parametrize("window", ["", " in [1]", " in {0}", " in {0,2}", " in [2 #]", " in [1 # r/0]"])
def test_intervals_as_ticks(window: str, ticks: str, tick: int) -> None:
    """A streaming atom at any tick of an interval, behind one with an equation for any value."""
    stream = {1: ["r", "p(1)", "e(2)"], 2: ["e(1)"], 4: ["r", "e(1)", "p(3)"]}
    program = f"a :- e(2*_-1) in [2], p(X) in [3], not p(7), r at {ticks}{window}."
    text, _ = explained(program, stream, "a", tick)
    assert "no longer kept" not in text
