"""The planner's choice follows the pace of the stream, and no answer tells."""

import random
from collections.abc import Iterator

import pytest

from lars2asp import Reasoner
from lars2asp.runtime.evaluators.delta.evaluator import DeltaEvaluator
from lars2asp.runtime.evaluators.oneshot import OneShotEvaluator

JOIN = "a(X,Y+1) :- b(X,Z) in [1], c(Z,Y) in [1]. d(X) :- a(X,_), not a(X,_) in {1}."


def changing_pace() -> Iterator[list[str]]:
    """Facts that are new at every tick, then the same ones for long, then new ones again."""
    choose = random.Random(2)
    for tick in range(160):
        if 60 <= tick < 110:
            yield [f"b({number},{number % 9})" for number in range(50)] + [f"c({z},{z})" for z in range(9)]
        else:
            first = tick * 100
            yield [f"b({first + number},{choose.randrange(9)})" for number in range(50)] + [
                f"c({choose.randrange(9)},{first + number})" for number in range(50)
            ]


def first_evaluator(reasoner: Reasoner) -> type[object]:
    """What evaluates the first component."""
    return type(reasoner.session.execution.pipeline.evaluators[0])


@pytest.mark.parametrize("semantics", ["recorded", "strict"])
def test_the_planner_changes_its_mind(semantics: str) -> None:
    auto = Reasoner.from_text(JOIN, semantics=semantics)
    one = Reasoner.from_text(JOIN, semantics=semantics, evaluator="oneshot")
    used: list[type[object]] = []
    for tick, facts in enumerate(changing_pace()):
        got, expected = auto.step(tick, facts), one.step(tick, facts)
        assert got.symbols == expected.symbols
        assert (got.added, got.removed) == (expected.added, expected.removed)
        if not used or used[-1] is not first_evaluator(auto):
            used.append(first_evaluator(auto))
    assert used == [DeltaEvaluator, OneShotEvaluator, DeltaEvaluator, OneShotEvaluator]


def test_what_is_asked_for_stays() -> None:
    reasoner = Reasoner.from_text(JOIN.split(" d(X)", maxsplit=1)[0], evaluator="delta")
    for tick, facts in enumerate(changing_pace()):
        reasoner.step(tick, facts)
        assert first_evaluator(reasoner) is DeltaEvaluator
