"""Explanations of rules with variables that comparisons alone bind, to the integers between their bounds."""

import pytest

from tests.support.explaining import explained

STREAM = {0: ["p(1)", "p(c)", "q(2)"], 1: ["p(2)"]}


@pytest.mark.parametrize(
    ("rule", "atom", "holds"),
    [
        ("a(f(X,X)) :- p((c;X)), X = -X.", "a(f(0,0))", True),
        ("a(X) :- X = -X.", "a(1)", False),
        ("a(X) :- X = 2*X-3.", "a(3)", True),
        ("a(X) :- X = 2*X-3.", "a(_)", True),
        ("a(f(X)) :- X = -X, p(_).", "a(f(_))", True),
        ("a(X) :- 1 <= X, X <= 3.", "a(2)", True),
        ("a(X) :- 1 <= X, X <= 3.", "a(4)", False),
        ("a(X) :- 1 <= X, X <= 3.", "a(x)", False),
        ("a(X) :- n <= X < 2*n.", "a(Q)", True),
        ("a(X) :- 3 <= X, X <= 1.", "a(Q)", False),
        ("a(X,Y) :- X+Y = 3, X >= 0, Y >= 0.", "a(1,2)", True),
        ("a(X,Y) :- X+Y = 3, X >= 0, Y >= 0.", "a(Q,2)", True),
        ("a(X,Y) :- X+Y = 3, X >= 0, Y >= 0.", "a(Q,5)", False),
        ("a(X) :- not X < 1, not X > 2.", "a(2)", True),
        ("a(X) :- not X != X+X.", "a(0)", True),
        ("a(X) :- X*X = 4, X >= -3, X <= 3.", "a(-2)", True),
        ("a(X) :- X*X = 5, X >= -3, X <= 3.", "a(Q)", False),
        ("a(X) :- X = 1..Y, Y = 2*Y-2.", "a(2)", True),
        ("a(X*X) :- 1 <= X, X <= 3, X != 2.", "a(9)", True),
        ("a(Y) :- 1 <= X, X <= 3, Y = X*X, not p(X).", "a(9)", True),
        ("a :- 1 <= X, X <= 3, not p(X).", "a", True),
        ("a :- not p(X), 1 <= X, X <= 1.", "a", False),
        ("a :- 1 <= X, X <= 1, not p(X) in [1].", "a", False),
        ("a :- X+Y = 3, X >= 0, Y >= 1, p(X), not q(Y).", "a", False),
        ("a :- X+Y = 3, X >= 0, Y >= 0, not p(X), not q(Y).", "a", True),
        ("a :- 1 <= _ <= 3.", "a", True),
        ("a :- 3 <= _ <= 1.", "a", False),
        ("a(T) :- p(1) at 2*T-T, T >= 0, T <= 1.", "a(0)", True),
        ("a(K) :- p(1) at least K in [1], K >= 0, K < 3.", "a(1)", True),
        ("a(K) :- p(1) at most K in [1], K >= 0, K < 3.", "a(1)", True),
        ("a(K) :- K { p(1); q(2) }, K >= 1, K <= 9.", "a(2)", True),
        ("a at T :- T >= 0, T <= 0.", "a", True),
        ("a(N) :- N = #count { X : 1 <= X, X <= 3, not p(X) }.", "a(2)", True),
        ("a(N) :- N = #sum { X : 0 <= X, X <= 3, X <= Y }, q(Y).", "a(3)", True),
        ("a :- 1 { X = -X : q(2) }.", "a", True),
        ("a :- p(X) : 1 <= X, X <= 2.", "a", False),
        ("a :- not p(X) : 5 <= X, X <= 6.", "a", True),
        ("a :- X = -X : q(2).", "a", True),
        ("{ a(X) : 1 <= X, X <= 2 } :- q(2).", "a(Q)", False),
        ("a(X) : 1 <= X, X <= 2.", "a(_)", True),
        ("a(X) :- p(Y), X > Y, X < 4, Y > 0.", "a(3)", True),
        ("a(X) :- 1 <= X, X <= 3, p(Y), Y > X, Y < 4.", "a(Q)", False),
        ("b(X) :- 1 <= X, X <= 2. a(X) :- b(X), not b(X+1).", "a(2)", True),
        ("#const m = 1. a :- 1 <= X, X <= m, not p(X).", "a", False),
    ],
)
def test_variables_between_bounds(rule: str, atom: str, holds: bool) -> None:
    """They take each integer between their bounds, where no atom binds them."""
    text, found = explained(f"#const n = 2. {rule}", STREAM, atom, 0)
    assert found["explains"][0]["holds"] is holds
    assert "no longer kept" not in text


@pytest.mark.parametrize("atom", ["a(1,0)", "a(0,1)", "a(2,2)", "a(Q,1)", "a(_,_)"])
@pytest.mark.parametrize(
    "rule",
    [
        "a(X,Y) :- X+Y = n, -Y = -X >= 1.",
        "a(X,Y) :- X+Y = n, X = 2*X-2, Y >= X.",
        "a(X,Y) :- not p(Y), X+Y = n, not n != Y+2.",
        "a(X,Y) :- |X| = X-Y, X+Y = 1, X < 2, -1 <= X.",
        "a(X,Y) :- X+Y = n, not not X+Y > X*X, n > 2.",
        "a(X,Y) :- p(X*X), Y = -Y, p(X) at most Y+1 in [1], X+Y = 1.",
    ],
)
def test_what_is_taken_first(rule: str, atom: str) -> None:
    """Explanation and checker take the same literals before the one that fails, whatever the head binds."""
    for tick in (0, 1):
        text, _ = explained(f"#const n = 2. {rule}", STREAM, atom, tick)
        assert "no longer kept" not in text


@pytest.mark.parametrize("atom", ["a(f(_,1),f(_,1))", "a(1,f(_,1))", "a(f(_,1),f(_,_))", "a(2,f(1,1))"])
def test_arguments_that_bind_each_other(atom: str) -> None:
    """A variable of the head is at once all that the arguments say."""
    explained("a(Y,f(X,Y)) :- q(X), 1 <= Y, Y <= 2.", STREAM, atom, 0)


def test_the_value_is_shown_in_what_fails() -> None:
    """Comparisons give values before others are looked at."""
    text, _ = explained("a :- not p(X), 1 <= X, X <= 1.", STREAM, "a", 0)
    assert "fails: not p(1)" in text


@pytest.mark.parametrize("atom", ["a(1)", "a(2)", "a(Q)"])
@pytest.mark.parametrize(
    "chain",
    [
        "X-2 = 0..2 = X",
        "0 < 1..2 = X",
        "X >= 0..2 != X+1",
        "X = 0..2 > 1..2",
        "0 = X..X+1 = X-1",
        "|X| >= _-2 = X*X",
        "X = _ = 2*_-1",
        "X = _ < 3",
        "X = 2*_-1",
        "not X != _+1",
    ],
)
def test_chains_are_of_one_value(chain: str, atom: str) -> None:
    """An interval, or `_`, in the middle of a chain stands for one value in both of its comparisons."""
    for tick in (0, 1):
        explained(f"a(X) :- {chain}, p(X), 0 <= X, X <= 2.", STREAM, atom, tick)
        explained(f"a(X) :- p(X), 1 {{ {chain} : q(2) }}, 0 <= X, X <= 2.", STREAM, atom, tick)


@pytest.mark.parametrize("atom", ["a(f(1))", "a(f(2))", "a(Q)"])
def test_a_negated_inequality_is_an_equation(atom: str) -> None:
    """It binds what is not a number as well."""
    explained("a(X) :- not X != f(Y), p(Y).", STREAM, atom, 0)


@pytest.mark.parametrize("atom", ["a(0.5)", "a(0.6)", "a(0.8)", "a(Q)", "b(0.2)", "b(Q)"])
def test_decimals_of_bounded_variables(atom: str) -> None:
    """A bounded variable is an integer; what is worked out of it may have decimals."""
    program = """
        #decimals d(1).
        a(X*0.1) :- 5 <= X, X <= 7, not d(X*0.1).
        b(Y-X*0.1) :- d(Y), X+Z = 6, 4 <= Z, 0 <= X, Y > X*0.1.
    """
    explained(program, {0: ["d(5)"]}, atom, 0)  # 0.5, as the reasoner has it
