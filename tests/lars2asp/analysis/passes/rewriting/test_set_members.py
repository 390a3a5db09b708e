"""Constants in sets that become variables: text in, text out."""

import pytest

from lars2asp.analysis.passes.rewriting.set_members import write_set_members
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.printer import to_text
from tests.support.programs import analysed


@pytest.mark.parametrize(
    ("rule", "written"),
    [
        (
            "a :- { r at least K in [2]: k(K); r at least 1 in [2]: p } 1.",
            "a :- { r at least K in [2]: k(K); r at least N1 in [2]: p, N1 = 1 } <= 1.",
        ),
        (
            "a(N1) :- 1 { r at T: k(T); r at @now-1: p; r at 3: q }, b(N1).",
            "a(N1) :- 1 <= { r at T: k(T); r at N2: p, N2 = @now-1; r at N3: q, N3 = 3 }, b(N1).",
        ),
        # these are other literals, or none has a variable
        (
            "a :- { r at least K in [2]: k(K); r at least 1 in [3]: p; not r at least 1 in [2] } 1.",
            None,
        ),
        ("a :- { r at least 1 in [2]: p; r at least 2 in [2] } 1.", None),
        ("a :- r at least 2 in [5].", None),
    ],
)
def test_constants_become_variables_beside_variables(rule: str, written: str | None) -> None:
    analysis = analysed(rule)
    program = write_set_members(analysis, Diagnostics()) or analysis.program
    (statement,) = program.statements
    (read,) = analysis.program.statements
    assert to_text(statement) == (to_text(read) if written is None else written)


@pytest.mark.parametrize("evaluator", [EvaluatorName.DELTA, EvaluatorName.ONESHOT])
@pytest.mark.parametrize(
    "literals", ["r at least K in [2] : k(K) ; r at least 1 in [2] : p", "r at T : t(T) ; r at 0 : p"]
)
def test_one_instance_counts_once(evaluator: EvaluatorName, literals: str) -> None:
    program = f"a :- {{ {literals} }} 1, p. k(1..3). t(0)."
    reasoner = Reasoner.from_text(program, evaluator=evaluator)
    assert "a" in reasoner.step(0, ["r", "p"]).holds.texts
