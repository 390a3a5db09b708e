"""Chained boards: what is given can be completed, and answers complete it, in one process and in several."""

from itertools import islice
from random import Random

import pytest

from experiments.benchmark import EngineName, Setting
from experiments.benchmarks.queens import QUEENS, boards, faults, given_queens, is_attacked, program
from experiments.engine import AnswerChanges
from experiments.engines.registry import making

SIZE, STAGES, HANDED = 8, 3, 2


def test_boards_are_complete() -> None:
    for board in islice(boards(SIZE, Random(1)), 20):
        assert sorted(board) == list(range(1, SIZE + 1))
        assert not any(is_attacked(board[:row], column) for row, column in enumerate(board))


def test_streams_are_the_same_each_time() -> None:
    first = list(islice(given_queens(SIZE, HANDED), 30))
    assert first == list(islice(given_queens(SIZE, HANDED), 30))
    assert all(len(facts) == HANDED for facts in first)
    assert len({tuple(facts) for facts in first}) > 20


def test_faults_are_found() -> None:
    """Queens at (1,2), (2,4), (3,1), (4,3): a board of four rows."""
    one = ["queen1(1,2)", "queen1(2,4)", "queen1(3,1)", "queen1(4,3)"]
    two = ["queen2(1,3)", "queen2(2,1)", "queen2(3,4)", "queen2(4,2)"]

    def found(*answer: str, given: int = 2) -> list[str]:
        return faults(answer, [("given", 1, given)], stages=2, size=4, handed=1)

    assert not found(*one, *two)
    assert found(*one, *two, given=3) == ["stage 1 leaves out queens that it was given"]
    assert found(*one, *(atom.replace("1(", "2(", 1) for atom in one)) == [
        "stage 2 leaves out queens that it was given"
    ]
    assert found(*one, *two[1:])[0] == "stage 2 has not a queen in each row"
    assert found(*one, *two[:3], "queen2(4,3)") == ["queens of stage 2 attack each other"]


@pytest.mark.parametrize("engine", QUEENS.engines)
def test_answers_complete_what_is_given(engine: EngineName) -> None:
    given = list(islice(given_queens(SIZE, HANDED), 6))
    text = program(STAGES, SIZE, HANDED)
    setting = Setting("small", 0, text, lambda: iter(given), 0, 4, 0, semantics="recorded", is_certain=False)
    holds: set[str] = set()
    with making(setting, engine) as made:
        assert made.lag == (STAGES - 1 if engine is EngineName.PIPELINED else 0)
        for tick, facts in enumerate(given):
            changes: AnswerChanges = made.step(tick, made.facts(facts))
            holds -= set(made.texts(changes.ended))
            holds |= set(made.texts(changes.began))
            if tick >= made.lag:
                own = given[tick - made.lag]
                assert not faults(holds, own, stages=STAGES, size=SIZE, handed=HANDED)
