"""Local variables of heads and bodies are renamed apart: text in, text out."""

import pytest
from clingo import Control
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lars2asp.analysis.passes.rewriting.local_variables import write_local_variables
from lars2asp.compiler import check
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.support.examples import number_of_examples
from tests.support.programs import analysed


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        (
            "{ p(Y): d(Y) } :- #count { Y: e(Y) } >= 1.",
            "{ p(Y'): d(Y') } :- #count { Y: e(Y) } >= 1.",
        ),
        ("{ p(X,Y): d(Y) } :- c(X), 1 { e(Y): d(X) }.", "{ p(X,Y'): d(Y') } :- c(X), 1 <= { e(Y): d(X) }."),
        ("{ p(Y): d(Y) } :- c(Y'), a(Y): e(Y).", "{ p(Y''): d(Y'') } :- c(Y'), a(Y): e(Y)."),
        # global variables, and variables of the head alone, stay
        ("{ p(Y): d(Y) } :- e(Y), #count { Y: e(Y) } >= 1.", None),
        ("{ p(Y): d(Y) } :- Y = #count { X: e(X) }.", None),
        ("{ p(Y): d(Y) } :- #count { X: e(X) } >= 1.", None),
        ("p(Y) :- d(Y), #count { Y: e(Y) } >= 1.", None),
    ],
)
def test_variables_of_elements_are_renamed_apart(rule: str, written: str | None) -> None:
    analysis = analysed(rule)
    program = write_local_variables(analysis, Diagnostics()) or analysis.program
    (statement,) = program.statements
    (read,) = analysis.program.statements
    assert to_text(statement) == (to_text(read) if written is None else written)


def test_a_variable_that_only_the_condition_of_the_choice_binds_is_unsafe_in_the_body() -> None:
    (found,) = check(Source("p.lars", "d(1..2). { p(Y) : d(Y) } :- #count { Y : Y < 3 } >= 1."))
    assert found.message == "unsafe variable Y: nothing gives it a value"


_HEADS = [
    "{{ p({0}) : d({0}) }}",
    "#count {{ {0} : p({0}) : d({0}) }}",
    "p({0}) : d({0})",
    "1 {{ p({0}) : d({0}) }}",
]
_PARTS = [
    "{}#count {{ Y : e(Y) }} {}",
    "{}#sum {{ Y : e(Y), not g(Y) }} {}",
    "{}{{ e(Y) }} {}",
    "{}{{ g(Y) : e(Y) }} {}",
]


@st.composite
def _bodies(draw: DrawFn) -> str:
    """A body with aggregates and conditional literals over a local variable Y."""
    parts = []
    for _ in range(draw(st.integers(1, 2))):
        if draw(st.integers(0, 3)) == 0:
            parts.append(draw(st.sampled_from(["g(Y) : e(Y)", "not g(Y) : d(Y)"])))
        else:
            sign = draw(st.sampled_from(["", "", "not ", "not not "]))
            bound = draw(st.sampled_from([">= 1", "< 2", "= 1", "!= 2", ">= 3"]))
            parts.append(draw(st.sampled_from(_PARTS)).format(sign, bound))
    return "; ".join(parts)


@settings(max_examples=number_of_examples(12), deadline=None)
@given(st.sampled_from(_HEADS), _bodies(), st.sampled_from(["d(2). e(3).", "d(1..2). e(2..3). g(2)."]))
def test_answers_are_those_of_clingo_for_distinct_variables(head: str, body: str, facts: str) -> None:
    """clingo, given variables that are renamed by hand, has the answers of every evaluator."""
    shown = "#show p/1."
    control = Control(["--models=0"], logger=lambda code, message: None)
    control.add("base", [], f"{facts} {head.format('Z')} :- {body}. {shown}")
    control.ground([("base", [])])
    expected: set[frozenset[str]] = set()
    control.solve(on_model=lambda model: expected.add(frozenset(map(str, model.symbols(shown=True)))))
    program = f"{facts} {head.format('Y')} :- {body}. {shown}"
    for evaluator in (EvaluatorName.ONESHOT, EvaluatorName.EXTERNAL, EvaluatorName.STAMPED):
        answer = Reasoner.from_text(program, models=0, evaluator=evaluator).step(0)
        assert {frozenset(model.texts) for model in answer.models} == expected
