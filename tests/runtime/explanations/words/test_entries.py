"""Lanes of windows."""

import pytest

from lars2asp.runtime.explanations.past.holding import Run
from lars2asp.runtime.explanations.words.claims import Witness
from lars2asp.runtime.explanations.words.entries import MOST_CELLS, lane_of, merged, ticks_outside
from lars2asp.runtime.explanations.words.text import lane_text


def drawn(window: list[Run], holds_at: list[Run], *, tuples: bool = False) -> str:
    lane = lane_of(Witness(tuple(window), tuple(holds_at), tuples), str)
    return "" if lane is None else lane_text(lane)


@pytest.mark.parametrize(
    ("window", "holds_at", "text"),
    [
        ([(5, 7)], [(5, 7)], "5 ███ 7"),
        ([(5, 7)], [(7, 7), (5, 5)], "5 █·█ 7"),
        ([(5, 7)], [], "5 ··· 7"),
        ([(5, 7)], [(0, 5), (7, 99)], "5 █·█ 7"),
        ([(7, 7)], [(7, 7)], "7 █"),
        ([], [(7, 7)], ""),
        ([(0, 47)], [(0, 0), (2, 5), (47, 47)], "0 ▒██····················▒ 47"),
        ([(0, 24)], [(24, 24)], "0 ·······················▒ 24"),
        ([(1, 2), (5, 6)], [(2, 5)], "1 ·██· 6"),
    ],
)
def test_a_cell_is_full_if_the_atom_holds_at_all_of_its_ticks(
    window: list[Run], holds_at: list[Run], text: str
) -> None:
    assert drawn(window, holds_at) == text


def test_a_tuple_window_has_the_ticks_of_arrivals_only() -> None:
    assert (
        drawn([(1, 1), (30, 30), (900, 901)], [(30, 30), (901, 901)], tuples=True) == "1 ·█·█ 901 by arrival"
    )


def test_the_cells_agree_with_the_ticks() -> None:
    """Against a count of the ticks one by one."""
    for size in range(1, 80):
        holding = [tick for tick in range(size) if tick * tick % 7 < 3]
        lane = lane_of(Witness(((0, size - 1),), tuple((tick, tick) for tick in holding)), str)
        assert lane is not None
        number = min(size, MOST_CELLS)
        assert (lane.ticks, lane.holding, len(lane.cells)) == (size, len(holding), number)
        for cell, found in enumerate(lane.cells):
            ticks = range(cell * size // number, (cell + 1) * size // number)
            held = sum(tick in holding for tick in ticks)
            assert found == (2 if held == len(ticks) else 1 if held else 0)


def test_a_window_of_a_thousand_million_ticks_costs_no_more() -> None:
    assert drawn([(0, 10**9)], [(0, 10**9 - 1)]) == f"0 {'█' * 23}▒ 1000000000"


def test_runs_that_touch_are_one() -> None:
    assert merged([(5, 6), (1, 2), (3, 3), (6, 9)]) == [(1, 3), (5, 9)]
    assert ticks_outside([(1, 3), (5, 6)], [(1, 2), (3, 9)]) == 0
    assert ticks_outside([(1, 3)], [(2, 9)]) == 1
    assert ticks_outside([(1, 3), (8, 12)], [(1, 9)]) == 3
