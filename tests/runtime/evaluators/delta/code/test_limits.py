"""Variables are enumerated by the tightest bounds that comparisons set: few numbers, and the same answers."""

import time

import pytest
from clingo import Control
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lars2asp import Reasoner
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from tests.support.examples import number_of_examples

FAR = 5_000_000_000


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("a(X) :- q(Y), X = 0..Y, X < 3.", ["a(0)", "a(1)", "a(2)"]),
        ("a(X) :- q(Y), X = 0..Y, not X >= 2.", ["a(0)", "a(1)"]),
        ("a(X) :- q(Y), X = 0..Y, Y-1 <= X.", [f"a({FAR - 1})", f"a({FAR})"]),
        ("a(X,Z) :- q(Y), X = 0..Y, Z = 0..Y, X+Z < 2.", ["a(0,0)", "a(0,1)", "a(1,0)"]),
        ("a(X) :- q(Y), X = -Y..Y, 0 < 2*X, 2*X < 5.", ["a(1)", "a(2)"]),
        ("a(X,Z) :- q(Y), X = 0..Y, Z = X+1, Z <= 2.", ["a(0,1)", "a(1,2)"]),
        ("a(Z) :- q(Y), X = 0..Y, Z = 86400*X, Z <= 90000.", ["a(0)", "a(86400)"]),
        ("a :- q(Y), #count { X : X = 0..Y, X < 3 } = 3.", ["a"]),
        ("a(S) :- q(B), S <= B, 0 <= X <= 2, S = 86400*X.", ["a(0)", "a(86400)", "a(172800)"]),
    ],
)
def test_few_numbers_are_looked_at(rule: str, expected: list[str]) -> None:
    answer = Reasoner.from_text(rule).step(0, [f"q({FAR})"])
    assert (answer.failure, [*answer.holds.texts]) == ("", expected)


def test_a_variable_with_few_values_is_enumerated_first() -> None:
    """In place of 172,800,001 numbers for S; also at a tick whose facts are small."""
    reasoner = Reasoner.from_text("p(S) :- q(B), S <= B, 0 <= X <= 2000, S = 86400*X.")
    begin = time.process_time()
    assert [*reasoner.step(0, ["q(5)", "q(250000)"]).holds.texts] == ["p(0)", "p(86400)", "p(172800)"]
    assert time.process_time() - begin < 5


_VARIABLES = ["X", "Z", "Y", "V"]
_FACTORS = st.tuples(st.sampled_from(["", "2*", "3*"]), st.sampled_from(["", "", "2*"]))


@st.composite
def _sums(draw: DrawFn) -> str:
    """A linear expression."""
    names = draw(st.lists(st.sampled_from(_VARIABLES), min_size=1, max_size=2, unique=True))
    first, *rest = [f"{factor}{name}" for name, factor in zip(names, draw(_FACTORS), strict=False)]
    signs = draw(st.sampled_from(["+", "-"]))
    return signs.join([first, *rest]) + draw(st.sampled_from(["", "+1", "-2", "+3"]))


@st.composite
def _bodies(draw: DrawFn) -> str:
    """A body with intervals for X and Z, and linear comparisons."""
    low = st.sampled_from(["0", "1", "-2", "Y", "-Y", "V-1"])
    high = st.sampled_from(["1", "4", "Y", "V", "Y+2"])
    interval = st.tuples(low, high).map("..".join)
    parts = ["q(Y,V)", f"X = {draw(interval)}"]
    parts.append(draw(st.sampled_from([f"Z = {draw(interval)}", "Z = 2*X-1", "Z = X+Y", "-3 <= Z <= 3"])))
    for _ in range(draw(st.integers(1, 3))):
        sign = draw(st.sampled_from(["<", "<=", ">", ">=", "=", "!="]))
        comparison = f"{draw(_sums())} {sign} {draw(_sums())}"
        parts.append(f"{draw(st.sampled_from(['', '', 'not ']))}{comparison}")
    return ", ".join(draw(st.permutations(parts)))


@settings(max_examples=number_of_examples(15), deadline=None)
@given(
    _bodies(),
    st.lists(
        st.tuples(st.integers(-4, 5).map(str) | st.just("c"), st.integers(-4, 5).map(str) | st.just('"d"')),
        max_size=3,
        unique=True,
    ),
)
def test_answers_are_those_of_clingo(body: str, rows: list[tuple[str, str]]) -> None:
    facts = [f"q({one},{other})" for one, other in rows]
    program = f"#types q(any,any). a(X,Z) :- {body}. n(N) :- N = #count {{ X,Z : {body} }}."
    control = Control(["0"], logger=lambda code, message: None)
    control.add("base", [], program.partition(". ")[2] + " ".join(f"{one}." for one in facts))
    control.ground([("base", [])])
    expected: list[set[str]] = []
    control.solve(on_model=lambda model: expected.append(set(map(str, model.symbols(atoms=True)))))
    for evaluator in (EvaluatorName.DELTA, EvaluatorName.ONESHOT):
        holds = Reasoner.from_text(program, evaluator=evaluator).step(0, facts).holds
        assert set(holds.texts) == {one for one in expected[0] if one[0] in "an"}
