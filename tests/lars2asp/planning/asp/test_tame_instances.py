"""Statements that are divided, so that clingo computes with small numbers by itself."""

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import Reasoner, compile_program
from lars2asp.syntax.source import Source
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(25)
"""The number of random programs: 2,000 by `make nightly`."""
WIDE = 500_000_000_000
SMALL = {size: f"(-{size},) <= ({{0}},) <= ({size},)".format for size in (2**10, 2**28, 2**30)}


def lines_of(statement: str) -> list[str]:
    wide = compile_program(Source("x.lars", statement)).whole.program.wide()
    lines = zip(wide.text.splitlines(), wide.origins, strict=True)
    return [one for one, origin in lines if not (origin.begin or one.startswith("#show") or "_told(" in one)]


def test_instances_with_small_numbers_are_computed_by_clingo() -> None:
    x, y = SMALL[2**28]("X"), SMALL[2**28]("Y")
    assert lines_of("a(X+Y) :- p(X), q(Y), X != 2.") == [
        f"a(X+Y) :- p(X), q(Y), X != 2, {x}, {y}.",
        f"a(@lars_computed(0,X,Y)) :- p(X), q(Y), X != 2, not {x}.",
        f"a(@lars_computed(1,X,Y)) :- p(X), q(Y), X != 2, {x}, not {y}.",
    ]
    assert lines_of("a(N) :- N = #count { X : p(X,Y), Y > 2 }.")[0].startswith(
        f"a(N) :- LARS_1 = #count {{ X: p(X,Y), Y > 2, {SMALL[2**30]('Y')}; X: p(X,Y), @lars_holds"
    )
    assert SMALL[2**10]("X") in lines_of("a(X*X*X) :- p(X).")[0]


@pytest.mark.parametrize(
    "statement",
    [
        "a(X/Y) :- p(X), q(Y).",  # has no value for 0: clingo says so, also of what guards leave out
        "a(X) :- p(2*X).",
        "a(X..X+1) :- p(X).",
        "a(X*3000000000) :- p(X).",
        "{ a(X+1) : p(X) }.",
        "a(X) :- p(X), X != 1.",
        "a(A+B+C+D+E) :- p(A), p(B), p(C), p(D), p(E).",
    ],
)
def test_others_are_left_alone(statement: str) -> None:
    assert len(lines_of(statement)) == 1


def test_no_number_is_stepped_through_for_the_guards() -> None:
    """clingo takes guards without tuples for bounds: `X = Y, X < Y` had it go through all of them."""
    reasoner = Reasoner.from_text("a(X+1) :- e(X,Y), W = X, W > X.", evaluator="oneshot")
    assert not reasoner.step(0, [f"e({WIDE},1)", "e(1,1)"]).holds


def test_nothing_is_said_to_be_undefined_that_is_not(caplog: pytest.LogCaptureFixture) -> None:
    program = "t(X,Y,Z) :- s(X), s(Y), X < Y+50, Y < X+50, Z = X + Y. n(S) :- S = #sum { X : s(X) }."
    with caplog.at_level(logging.INFO, "lars2asp"):
        reasoner = Reasoner.from_text(program, evaluator="oneshot")
        found = reasoner.step(0, [f"s({one})" for one in (1, 2, -3, WIDE, -WIDE)]).holds
    assert f"n({0})" in found.texts
    assert f"t({WIDE},{WIDE},{2 * WIDE})" in found.texts
    assert len(found) == 12
    assert not caplog.messages


EDGES = [
    0,
    2,
    -3,
    7,
    *(s * 2**b + d for b in (10, 15, 20, 24, 28, 30, 31, 40) for s in (1, -1) for d in (-1, 0, 1)),
]
VALUES = st.sampled_from([*map(str, EDGES), "a", "f(5000000000)", "(1,2)"]) | st.integers(-5, 9).map(str)
TERMS = st.sampled_from(
    ["X", "Y", "X+Y", "X-3*Y", "X*Y", "X*X-Y", "|X|-1", "X/7", "X\\Y", "-X", "1000", "X+1073741824"]
)
TESTS = st.builds("{} {} {}".format, TERMS, st.sampled_from(["<", "<=", "=", "!=", ">="]), TERMS)
ATOMS = st.sampled_from(["s(X+1)", "not s(Y-2)", "e(X,Y)", "not e(Y,X+1)", "W = X*2-Y, W < 9", "s(X)"])


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    TERMS,
    st.lists(TESTS | ATOMS, max_size=2),
    st.sampled_from(["#sum", "#sum+", "#count", "#min", "#max"]),
    TESTS,
    st.lists(st.lists(VALUES, min_size=1, max_size=5), min_size=2, max_size=2),
)
def test_answers_are_those_of_rows(
    term: str, body: list[str], function: str, test: str, ticks: list[list[str]]
) -> None:
    """`delta` computes with Python's integers."""
    rule = f"r({term},X) :- {', '.join(['s(X)', 's(Y)', *body])}."
    aggregate = f"g(Y,N) :- s(Y), N = {function} {{ X,Z : s(X), e(X,Z), {test} }}."
    program = f"#types s(any). #types e(any,any). {rule} {aggregate}"
    one, other = (Reasoner.from_text(program, evaluator=name) for name in ("delta", "oneshot"))
    for tick, values in enumerate(ticks):
        facts = [*(f"s({value})" for value in values), f"e({values[0]},{values[-1]})", "e(1,2)"]
        found, expected = other.step(tick, facts), one.step(tick, facts)
        assert found.failure == expected.failure == ""
        assert sorted(found.holds.texts) == sorted(expected.holds.texts)
