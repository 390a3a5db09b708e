"""The planner's choice follows the novelty of the stream, and the answers stay the same."""

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from tests.support.novelty import JOIN, changing_novelty


def first_evaluator(reasoner: Reasoner) -> EvaluatorName:
    """The evaluator of the first component."""
    return reasoner.statistics.components[0].evaluator


@pytest.mark.parametrize("semantics", ["recorded", "strict"])
def test_the_planner_changes_its_mind(semantics: str) -> None:
    auto = Reasoner.from_text(JOIN, semantics=semantics)
    one = Reasoner.from_text(JOIN, semantics=semantics, evaluator="oneshot")
    used: list[EvaluatorName] = []
    for tick, facts in enumerate(changing_novelty()):
        got, expected = auto.step(tick, facts), one.step(tick, facts)
        assert got.symbols == expected.symbols
        assert (got.added, got.removed) == (expected.added, expected.removed)
        if not used or used[-1] is not first_evaluator(auto):
            used.append(first_evaluator(auto))
    assert used == [EvaluatorName.DELTA, EvaluatorName.ONESHOT, EvaluatorName.DELTA, EvaluatorName.ONESHOT]


def test_what_is_asked_for_stays() -> None:
    reasoner = Reasoner.from_text(JOIN.split(" d(X)", maxsplit=1)[0], evaluator="delta")
    for tick, facts in enumerate(changing_novelty()):
        reasoner.step(tick, facts)
        assert first_evaluator(reasoner) is EvaluatorName.DELTA
