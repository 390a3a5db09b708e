"""Random programs over constants that recur: `auto` answers as `oneshot` does, with no far larger Control."""

from itertools import islice

import pytest

from experiments.ratios.random_program import RandomCase, random_case
from lars2asp.runtime.reasoner import Reasoner

TICKS = 25


def answers_and_rules(case: RandomCase, evaluator: str) -> tuple[list[object], int]:
    """What is the same whatever answer stream is followed, and the number of rules of the largest Control."""
    reasoner = Reasoner.from_text(case.program, evaluator=evaluator, stats=True)
    answers = list[object]()
    for tick, facts in enumerate(islice(case.stream(), TICKS)):
        answer = reasoner.step(tick, facts)
        shown = sorted(map(str, answer.holds.texts)) if case.is_certain else None
        answers.append((answer.satisfiable, answer.cost, shown))
    searches = [one.searches for one in reasoner.statistics.components]
    return answers, max((one.rules for one in searches if one is not None), default=0)


@pytest.mark.parametrize("number", range(0, 300, 20))
def test_auto_has_the_answers_of_oneshot(number: int) -> None:
    case = random_case(number)
    expected, rules = answers_and_rules(case, "oneshot")
    got, most = answers_and_rules(case, "auto")
    assert got == expected
    assert most <= 4 * rules + 4000


def test_a_case_is_always_the_same() -> None:
    assert random_case(5) == random_case(5)
    assert [*islice(random_case(5).stream(), 9)] == [*islice(random_case(5).stream(), 9)]
    assert len({random_case(number).program for number in range(50)}) > 40
