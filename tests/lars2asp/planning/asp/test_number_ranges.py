"""Up to which numbers from outside nothing that rules compute leaves 32 bits."""

import pytest

from lars2asp import compile_program
from lars2asp.planning.asp.number_ranges import NumberRanges
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.source import Source


def ranges(program: str) -> NumberRanges:
    """The ranges of a program."""
    return compile_program(Source("x.lars", program)).whole.program.ranges


@pytest.mark.parametrize(
    ("program", "most"),
    [
        ("a(X) :- p(X), X > 3.", LARGEST_INTEGER),
        ("a(X+1) :- p(X).", LARGEST_INTEGER - 1),
        ("a(X*Y) :- p(X), p(Y).", 46340),
        ("a(X*Y) :- p(X), p(Y), X < 10, X > -10.", (2**31 - 1) // 9),
        ("a(X*10) :- p(X).", (2**31 - 1) // 10),
        ("a(X**2) :- p(X).", 46340),
        ("a(X) :- p(X+5).", LARGEST_INTEGER - 5),
        ("a(Y) :- p(X), Y = X*X.", 46340),
        ("b(X) :- p(X). c(X+1) :- b(X). a(X+1) :- c(X).", LARGEST_INTEGER - 2),
        ("a(4294967296) :- p(X).", -1),
        ("k(4294967296). a(X) :- k(X), p(X).", -1),
        ("#const n = 2**40. a(n) :- p(X).", -1),
        ("a(X+n) :- p(X). #const n = 2**30.", LARGEST_INTEGER - 2**30),
        ("a(S) :- S = #sum { X : p(X) }.", (2**31 - 1) // 15),
        ("{ a(X) : p(X) }. :~ a(X). [X*2]", LARGEST_INTEGER // 2),
        ("a(X*2) :- p(X), -100 < X*2, X*2 < 100.", LARGEST_INTEGER // 2),
        ("a(X*2) :- p(X), q(Y). b(Y) :- q(Y), Y < 3.", LARGEST_INTEGER // 2),
    ],
)
def test_the_largest_number(program: str, most: int) -> None:
    found = ranges(program)
    assert found.fits(most, 15, 100) or most < 0
    assert not found.fits(most + 1, 15, 100)


@pytest.mark.parametrize(
    "atom",
    ["h(-1)", "not h(-1)", "h(-n)", "h(n-3)", "h(f(-1))", "h(-f(X))", "h((-1,X))", "h(-(1,2))", "h(~1)"],
)
def test_a_negative_constant_in_a_body_computes_nothing(atom: str) -> None:
    """Any narrow number of its predicate may be there: what is computed elsewhere decides."""
    found = ranges(f"#const n = 1. a(X+1) :- p(X). b :- q(X), {atom}.")
    assert found.fits(LARGEST_INTEGER - 1, 15, 100)
    assert not found.fits(LARGEST_INTEGER, 15, 100)


def test_recursion_that_comparisons_bound() -> None:
    found = ranges("a(X+1) :- a(X), X < 100. a(0) :- p(_).")
    assert found.fits(LARGEST_INTEGER, 100, 100)
    assert not found.grown


def test_recursion_that_grows_is_watched() -> None:
    """The largest number that is watched for is such that a step more does not leave 32 bits."""
    program = compile_program(Source("x.lars", "d(Y,D+W) :- d(X,D), e(X,Y,W). d(0,0) :- e(_,_,_)."))
    found = program.whole.program
    assert [(str(signature), place) for signature, place, _ in found.ranges.grown] == [("d/2", 1)]
    assert [line.text for line in found.checks] == [
        "lars_left :- d(LARS_1,LARS_2), 16777216 <= LARS_2 <= 2147483647.",
        "lars_left :- d(LARS_1,LARS_2), -2147483648 <= LARS_2 <= -16777216.",
    ]
    assert found.ranges.fits(10**6, 100, 100)


def test_arguments_with_which_nothing_is_computed_do_not_matter() -> None:
    found = ranges("a(X,Y*2) :- p(X,Y), q(X).")
    assert sorted((str(lookup.signature), place) for lookup, place in found.relevant) == [
        ("a/2", 1),
        ("p/2", 1),
    ]


def test_ticks_are_known() -> None:
    found = ranges("a(T+5) :- p at T in [10]. b(@now*2) :- p.")
    assert found.fits(0, 100, 10**9)
    assert not found.fits(0, 100, 2**30)
