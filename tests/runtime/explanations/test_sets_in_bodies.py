"""Sets and aggregates in bodies: which of their elements count, whatever binds their variables."""

import pytest

from tests.support.explaining import explained

STREAM = {
    0: ["p(1)", "p(2)", "r(2)", "q(0)", "q(1)", "e(1,2)", "e(2,1)"],
    1: ["p(3)", "p(2)", "e(1,2)", "e(1,3)"],
    2: ["p(1)", "r(1)"],
}


@pytest.mark.parametrize(
    "elements",
    [
        "p(A) : A > 1",
        "p(A) : A != 1",
        "p(A) : A < 2",
        "p(A) : |A| > 1",
        "p(A) : not r(A)",
        "p(A) : not p(A+1)",
        "p(A) : not r(A), A > 0, A < 3",
        "p(A) : q(B), A > B",
        "p(A) : A = B+1, B > 0",
        "p(A) : A = 1..2",
        "p(A-1) : A > 1",
        "e(A,B) : A < B",
        "e(A,B) : A > 0, p(B)",
        "p(A) : A != 1; p(A) : A != 2",
        "p(A) in [2] : A > 1",
        "p(A) in [2] : not r(A) in [2]",
        "p(A) in [2] : A > 1, not r(A) in [2]; p(B) : B < 3",
        "p(A) always in [1] : A > 0",
        "p(A) at least 1 in [1] : A > 0",
        "p(A) at T in [2] : T < 1",
        "p(A) at @now-1 : A > 0",
        "p(A) at 1..2 : A > 0",
        "p(A) count K in [2] : K > 0",
        "p(A) [2 #] : A > 0",
        "p(A) : not p(A) at @now-1",
        # each value of `_` and of an interval is a literal of its own, as in clingo
        "p(_) : r(A)",
        "p(_) in [2] : r(A)",
        "p(_) always in {0} : #true",
        "e(A,_) : A > 0",
        "p(A) at _ : A > 0",
        "p(_) at _ in [3]",
        "p(A..3) : r(A)",
        "not p(A..3) : r(A)",
        "not p(_) : r(A)",
        # and those the conditions of which bind all
        "p(A) : p(A)",
        "not not p(A) : p(A)",
        "A < 2 : p(A)",
    ],
)
def test_elements_of_sets(elements: str) -> None:
    """A literal binds the variables of its condition too."""
    for tick in STREAM:
        for atom in ("x(N)", "x(0)", "x(7)"):
            explained(f"x(N) :- N = {{ {elements} }}.", STREAM, atom, tick)


@pytest.mark.parametrize("sign", ["", "not ", "not not "])
@pytest.mark.parametrize("bounds", [("1 ", " 2"), ("", " != 2"), ("2 < ", ""), ("", " 0")])
def test_bounds_of_sets(sign: str, bounds: tuple[str, str]) -> None:
    """They are those of all elements that count."""
    left, right = bounds
    for tick in STREAM:
        explained(f"x :- {sign}{left}{{ p(A) : A > 1 }}{right}.", STREAM, "x", tick)


def test_what_counts_is_told() -> None:
    """Each element with its record."""
    text, found = explained("x :- 1 { p(A) : A > 1 } 2.", STREAM, "x", 1)
    (literal,) = found["explains"][0]["body"]
    assert (literal["value"], [one["text"] for one in literal["elements"]]) == ("2", ["p(2)", "p(3)"])
    assert "p(3)   s:1 at 1" in text


@pytest.mark.parametrize(
    "body",
    [
        "N = #count { A : A > 1, p(A) }",
        "N = #sum { A : not r(A), p(A) }",
        "N = #min { A : A != 1, p(A) }",
        "N = #max { A,B : A < B, p(A), p(B) }",
        "N = #count { A : B = A+1, p(A), not p(B) }",
        "N = #count { B : B = A..3, p(A), not p(B) }",
        "N = #min { A : p(A); () : r(2); x : q(0); f(A) : r(A) }",
        "N = #max { (A,) : p(A); () : r(1) }",
    ],
)
def test_elements_of_aggregates(body: str) -> None:
    """Conditions are taken in the order in which they bind; `()` is less than all constants."""
    for tick in STREAM:
        for atom in ("x(N)", "x(7)"):
            explained(f"x(N) :- {body}.", STREAM, atom, tick)
