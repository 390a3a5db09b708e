"""Whole intervals, drawn as timelines, and held to plain sets of ticks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.database.agenda import Agenda
from lars2asp.externals.database.forms.history import Pinned
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.terms import Row

A: Row = ()
spans = st.builds(Interval, st.integers(0, 12), st.integers(0, 12))


def ticks(intervals: tuple[Interval, ...] | list[Interval]) -> set[int]:
    return {tick for begin, end in intervals for tick in range(begin, end + 1)}


@given(st.lists(spans, max_size=6))
def test_the_canonical_form_has_the_same_ticks_in_separate_intervals(intervals: list[Interval]) -> None:
    """Eiter, Ogris, Schekotihin 2019, definition 3."""
    merged = canonical(intervals)
    assert ticks(merged) == ticks(intervals)
    assert all(one.end + 1 < other.begin for one, other in pairwise(merged))


class Followed:
    """A history of a stream that may be asked at every tick."""

    def __init__(self, reach: int | None = None, pinned: frozenset[int] = frozenset()) -> None:
        self.stream = Stream(Agenda(0), 0, takes_more=True)
        self.history = Pinned(self.stream, reach, pinned=pinned)
        self.stream.add_form(self.history)

    @property
    def intervals(self) -> list[Interval]:
        """Those of the one row."""
        return [interval for _, interval in sorted(self.history.spans(0, OPEN_END))]


#   tick   0   1   2   3   4   5
#   told   a   a       a
#          |---|       |
def test_facts_at_adjacent_ticks_are_one_interval() -> None:
    followed = Followed()
    for tick in (0, 1, 3):
        followed.stream.add_points([A], tick)
    followed.stream.settle(3)
    history = followed.history
    assert followed.intervals == [Interval(0, 1), Interval(3, 3)]
    assert history.throughout(3, 3) == [A]
    assert history.throughout(4, 4) == []
    assert history.throughout(0, 3) == []
    assert list(history.spans(1, 1)) == [(A, Interval(1, 1))]
    assert list(history.spans(2, 2)) == []


#   tick   2   3   4   5   6   7
#   told   begin           end
#          |-----------|
def test_an_open_interval_holds_until_its_end_is_told() -> None:
    followed = Followed()
    followed.stream.tell(A, 2, None, True)
    followed.stream.settle(2)
    assert followed.intervals == [Interval(2, OPEN_END)]
    assert followed.history.throughout(2, 5) == [A]
    followed.stream.tell(A, 6, None, False)
    followed.stream.settle(6)
    assert followed.intervals == [Interval(2, 5)]


#   tick   2   3   4   5   6   7
#   told   a, until 6
#              begin
#                  end
#          |---------------|          what facts tell of themselves, an end does not take back
def test_an_end_ends_the_open_interval_only() -> None:
    followed = Followed()
    followed.stream.tell(A, 2, 6, False)
    followed.stream.tell(A, 3, None, True)
    followed.stream.tell(A, 4, None, False)
    followed.stream.settle(9)
    assert followed.intervals == [Interval(2, 6)]


def test_memory_follows_what_is_live() -> None:
    """A hundred fresh rows a tick, windows of ten ticks: old ones go."""
    followed = Followed(10)
    for tick in range(500):
        followed.stream.add_points([(tick, number) for number in range(100)], tick)
    followed.stream.settle(499)
    assert len(followed.history) < 1400
    assert len(list(followed.history.spans(489, 499))) == 1100


def test_a_tick_that_is_looked_at_for_ever_is_remembered_alone() -> None:
    followed = Followed(0, pinned=frozenset([7]))
    for tick in range(2000):
        followed.stream.add_points([(tick,)], tick)
    followed.stream.settle(1999)
    assert len(followed.history) < 10
    assert list(followed.history.spans(7, 7)) == [((7,), Interval(7, 7))]


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.integers(0, 20), max_size=3)), max_size=8))
def test_past_ticks_join_the_runs_that_there_are(steps: list[tuple[int, list[int]]]) -> None:
    """Ticks told as they come and ticks placed behind, against a set of ticks."""
    followed, expected, now = Followed(), set[int](), 0
    history = followed.history
    for gap, placed in steps:
        now += gap
        followed.stream.add_points([A], now)
        expected.add(now)
        followed.stream.settle(now)
        for tick in placed:
            if tick < now:
                assert history.place(A, tick) is (tick not in expected)
                expected.add(tick)
        history.check()
        assert ticks(followed.intervals) == expected
        assert {tick for _, run in history.spans(3, 9) for tick in ticks([run])} == expected & set(
            range(3, 10)
        )
        for first in range(8):
            holds = expected >= set(range(first, first + 3))
            assert (history.throughout(first, first + 2) == [A]) is holds
    assert followed.intervals == list(canonical(followed.intervals))


@pytest.mark.parametrize("tick", [2, 1, 3])
def test_what_is_placed_in_the_past_does_not_hold_now(tick: int) -> None:
    followed = Followed()
    followed.stream.add_points([A], 2)
    followed.stream.settle(4)
    followed.history.place(A, tick)
    assert followed.history.throughout(4, 4) == []
    assert ticks(followed.intervals) == {2, tick}
