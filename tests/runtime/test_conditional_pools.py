"""Pools before the colon of a conditional literal, in all evaluators, and in explanations."""

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.errors import EvaluatorError
from tests.support.explaining import explained

FACTS = ["door(a)", "door(b)", "seen(1,a)", "seen(2,b)", "e(1)", "e(2)"]

PROGRAMS = [
    ("ok :- seen(1,A;2,A) : door(A).", ["ok"]),
    ("ok :- seen(1,A;3,A) : door(A).", []),
    ("ok :- not seen(1,A;2,A) : door(A).", ["ok"]),
    ("ok :- not seen(1,A;2,A) : door(A), seen(1,A;2,A), seen(1,A).", ["ok"]),
    ("ok :- seen(1,A;2,A) in [3] : door(A).", ["ok"]),
    ("ok :- seen(1,A;e,A;2,A) in [(1;3)] : door(A).", ["ok"]),
    ("ok :- door(A;1,A) in [2] : door(A).", ["ok"]),
    ("ok :- not door(A;1,A) in [2] : door(A).", ["ok"]),
    ("ok :- seen(1,A;2,A) at least 1 in [2] : door(A).", ["ok"]),
    ("ok :- seen(1,A;2,A) at most 0 in [2] : door(A).", ["ok"]),
    ("ok :- seen(1,A;2,A) at most N in [2] : door(A), N = (0;-1).", []),
    ("ok :- E = (1;2) : e(E).", ["ok"]),
    ("ok :- E = (1;3) : e(E).", []),
    ("ok :- E < (2;3) : e(E).", ["ok"]),
    ("ok :- seen(1..2,A) : door(A).", ["ok"]),
    ("ok(X) :- e(X), seen(X,A;3-X,A) : door(A).", ["ok(1)", "ok(2)"]),
    ("ok :- seen(E,A;E,b) : e(E), A = a.", ["ok"]),
    ("ok :- seen(E,B;4,E) : e(E).", ["ok"]),
]


@pytest.mark.parametrize("evaluator", ["oneshot", "stamped", "external", "delta"])
@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_each_instance_is_one_of_the_alternatives(program: str, expected: list[str], evaluator: str) -> None:
    try:
        reasoner = Reasoner.from_text(program, evaluator=evaluator)
    except EvaluatorError:
        assert evaluator != "oneshot"
        return
    for tick in range(2):
        assert list(reasoner.step(tick, FACTS).holds.texts) == expected


def test_delta_serves_them() -> None:
    Reasoner.from_text("ok :- seen(1,A;2,A) : door(A). both :- E = (1;2) : e(E).", evaluator="delta")


@pytest.mark.parametrize(
    ("program", "evaluator"),
    [
        *(("p(1,A;2,A) : d(A).", evaluator) for evaluator in ("oneshot", "stamped", "external")),
        *(("p(1,A;2,A) at @now : d(A).", evaluator) for evaluator in ("oneshot", "stamped")),
    ],
)
def test_a_disjunction_has_all_alternatives_of_an_instance(program: str, evaluator: str) -> None:
    reasoner = Reasoner.from_text(program, evaluator=evaluator, models=0)
    answer = reasoner.step(0, ["d(a)", "d(b)"])
    found = {frozenset(model.texts) for model in answer.models}
    assert found == {frozenset({"p(1,a)", "p(2,a)"}), frozenset({"p(1,b)", "p(2,b)"})}


def test_atoms_of_several_arities_in_a_head_are_refused() -> None:
    with pytest.raises(Exception, match="different numbers of arguments"):
        Reasoner.from_text("p(A;1,A) : d(A).")


def test_why_names_the_alternative_that_holds() -> None:
    reasoner = Reasoner.from_text("ok :- seen(1,A;2,A) : door(A).", explain_last=5)
    reasoner.step(0, FACTS)
    text = str(reasoner.why("ok"))
    assert "seen(1,a)" in text
    assert "seen(2,b)" in text
    reasoner.step(1, ["door(a)", "seen(3,a)"])
    denied = str(reasoner.why_not("ok"))
    assert "seen(1,a)" in denied
    assert "seen(2,a)" in denied


@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_explanations_are_accepted(program: str, expected: list[str]) -> None:
    for atom in {"ok(1)", *expected} if "ok(X)" in program else {"ok"}:
        explained(program, {0: FACTS, 2: ["door(a)", "e(2)", "e(3)"]}, atom, 0)
        explained(program, {0: FACTS, 2: ["door(a)", "e(2)", "e(3)"]}, atom, 2)
