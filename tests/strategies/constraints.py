"""Cases of other strategies with constraints: some ticks have no answer stream."""

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.strategies.streams import Case

_CONSTRAINTS = [
    ":- p(X), e(X,X).",
    ":- p(X), not e(X,_), r.",
    ":- a(X), p(X).",
    ":- c, r.",
    ":- r.",
    ":- not b(1), r in [1].",
    ":- d(X,Y), p(Y), X != Y.",
    ":- #count { X : p(X) } > 1.",
    ":- #count { X : a(X) } > 1, not r.",
    ":- p(X) in {1,2}, e(X,_).",
    ":- b(X), X = 1.",
    ":- a(X) : p(X); e(_,_).",
    ":- p(1), @now > 3.",
    ":- a(X) in [2], e(X,_).",
    "-a(X) :- e(X,_), r.",
    "-p(X) :- e(X,X), not r.",
]


def with_constraints(cases: SearchStrategy[Case]) -> SearchStrategy[Case]:
    """Cases with one or two constraints."""
    return _with_some(cases, _CONSTRAINTS, 2)


_CHOICES = [
    "{ g(X) } :- p(X).",
    "1 { g(X) : e(X,_) } 1 :- r.",
    "{ g(X) : a(X) } :- e(_,_).",
    "h(X) ; g(X) :- b(X).",
    "g(X) :- p(X) in [2], not h(X). h(X) :- p(X) in [2], not g(X).",
    "{ g(X) } :- d(X,Y), p(Y).",
    ":- g(X), a(X).",
    ":- g(X), e(X,_) in [2].",
    ":- not g(0), r.",
    "f(N) :- N = #count { X : g(X) }.",
    ":- r, p(1).",
]


def with_choices(cases: SearchStrategy[Case]) -> SearchStrategy[Case]:
    """Cases with choices about other predicates, and constraints."""
    return _with_some(cases, _CHOICES, 3)


@st.composite
def _with_some(draw: DrawFn, cases: SearchStrategy[Case], rules: list[str], most: int) -> Case:
    case = draw(cases)
    more = draw(st.lists(st.sampled_from(rules), min_size=1, max_size=most, unique=True))
    return replace(case, program="\n".join((case.program, *more)))
