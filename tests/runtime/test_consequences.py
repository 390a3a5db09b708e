"""Consequences, a capability of several modules: what holds in some, or in every, answer stream of a tick."""

from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner

EVALUATORS = (EvaluatorName.ONESHOT, EvaluatorName.EXTERNAL, EvaluatorName.STAMPED, EvaluatorName.AUTO)


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_project_changes_no_consequences(evaluator: EvaluatorName) -> None:
    program = "{ a ; b } = 1. c :- a. c :- b. #project a."
    for kind, expected in (("cautious", {"c"}), ("brave", {"a", "b", "c"})):
        reasoner = Reasoner.from_text(program, consequences=kind, evaluator=evaluator)
        assert set(reasoner.step(0).holds.texts) == expected


@st.composite
def _programs(draw: DrawFn) -> str:
    """A program with several answer streams, which may speak of projection, of the output and of costs."""
    lines = ["{ a(X) : p(X) }.", "b(X) :- p(X), not a(X).", "c(X) :- a(X).", "c(X) :- b(X)."]
    lines += draw(
        st.lists(
            st.sampled_from(
                [
                    ":- a(X), a(X+1).",
                    "d ; e :- a(1).",
                    ":- not a(2), p(2) in [1].",
                    "f :- not c(2).",
                    ":~ a(X), X < 2. [1,X]",
                    "#show c/1.",
                    "#show.",
                    "#show f(X) : a(X), b(X+1).",
                ]
            ),
            max_size=3,
            unique=True,
        )
    )
    projected = ["#project a/1.", "#project b(X) : p(X).", "#project a(1).", "#project d/0."]
    return " ".join([*lines, *draw(st.lists(st.sampled_from(projected), max_size=2, unique=True))])


@settings(max_examples=15, deadline=None)
@given(
    _programs(),
    st.lists(st.lists(st.integers(1, 3), max_size=3, unique=True), min_size=3, max_size=3),
    st.sampled_from(EVALUATORS),
)
def test_consequences_are_those_of_all_answer_streams(
    program: str, ticks: list[list[int]], evaluator: EvaluatorName
) -> None:
    combinations = (("brave", frozenset[str].union), ("cautious", frozenset[str].intersection))
    for kind, combined in combinations:
        reasoner = Reasoner.from_text(program, consequences=kind, evaluator=evaluator)
        every = Reasoner.from_text(program, models=0, evaluator=EvaluatorName.ONESHOT)
        for tick, numbers in enumerate(ticks):
            facts = [f"p({number})" for number in numbers]
            answer, streams = reasoner.step(tick, facts), every.step(tick, facts)
            if streams.satisfiable:
                sets = [frozenset(model.texts) for model in streams.models]
                assert frozenset(answer.holds.texts) == reduce(combined, sets)
