"""Interval streams, drawn as timelines, and held to plain sets of ticks."""

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.windows import Unbounded
from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.events import Events
from lars2asp.externals.history import History
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

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


def history() -> History:
    return History(None, keeps_earlier=True)


#   tick   0   1   2   3   4   5
#   told   a   a       a
#          |---|       |
def test_facts_at_adjacent_ticks_are_one_interval() -> None:
    stream = history()
    for tick in (0, 1, 3):
        stream.add_input(A, tick, tick, False)
    assert stream.intervals(A) == (Interval(0, 1), Interval(3, 3))
    assert stream.since(3) == [A]
    assert stream.since(4) == []
    assert stream.throughout(0, 3) == []
    assert stream.between(1, 1) == [A]
    assert stream.between(2, 2) == []


#   tick   2   3   4   5   6   7
#   told   begin           end
#          |-----------|
def test_an_open_interval_holds_until_its_end_is_told() -> None:
    stream = history()
    stream.add_input(A, 2, None, True)
    assert stream.intervals(A) == (Interval(2, OPEN_END),)
    assert stream.throughout(2, 5) == [A]
    stream.add_input(A, 6, None, False)
    assert stream.intervals(A) == (Interval(2, 5),)


#   tick   2   3   4   5   6   7
#   told   a, until 6
#              begin
#                  end
#          |---------------|          what facts tell of themselves, an end does not take back
def test_an_end_ends_the_open_interval_only() -> None:
    stream = history()
    stream.add_input(A, 2, 6, False)
    stream.add_input(A, 3, None, True)
    stream.add_input(A, 4, None, False)
    assert stream.intervals(A) == (Interval(2, 6),)


def test_what_holds_now_goes_with_the_tick() -> None:
    stream = history()
    stream.add_input(A, 2, 3, False)
    assert stream.now(with_background=False) == [A]
    stream.advance(3)
    assert stream.now(with_background=False) == [A]
    stream.advance(4)
    assert stream.now(with_background=False) == []


def test_memory_follows_what_is_live() -> None:
    """A hundred fresh atoms a tick, windows of ten ticks: old ones go."""
    stream = History(10, keeps_earlier=True)
    for tick in range(500):
        for number in range(100):
            stream.add_input((tick, number), tick, tick, False)
        stream.advance(tick)
    assert len(stream) < 3000
    assert len(stream.since(489)) >= 1100


def test_a_tick_that_is_looked_at_for_ever_is_remembered_alone() -> None:
    stream = History(0, keeps_earlier=True, pinned=frozenset([7]))
    for tick in range(2000):
        stream.add_input((tick,), tick, tick, False)
        stream.advance(tick)
    assert len(stream) < 600
    assert stream.between(7, 7) == [(7,)]


actions = st.lists(
    st.tuples(
        st.integers(1, 3), st.sampled_from(["fact", "until", "begin", "end", "begin end", "end begin"])
    ),
    max_size=10,
)


@given(actions, st.integers(0, 4))
def test_a_database_says_what_sets_of_ticks_say(steps: list[tuple[int, str]], idle: int) -> None:
    """Random events of one atom against a set of ticks kept by hand."""
    signature = Signature("a", 0)
    told = AtomRows(signature, [A])
    lookup = Lookup(LookupKind.AT, signature, Unbounded())  # looks at everything, so that nothing is dropped
    database = IntervalDatabase(0, [lookup], {signature: None})
    expected: set[int] = set()
    is_open, now = False, 0
    for gap, action in steps:
        if is_open:
            expected |= set(range(now, now + gap))
        now += gap
        for word in action.split():
            if word == "begin":
                is_open = True
                database.gather(now, Events(begin=(told,)))
            elif word == "end" and is_open:
                is_open = False
                database.gather(now, Events(end=(told,)))
            elif word in ("fact", "until"):
                until = now + idle if word == "until" else now
                expected |= set(range(now, until + 1))
                database.gather(now, Events((told,), until=until))
        database.commit(now)
    if is_open:
        expected |= set(range(now, now + idle + 1))
    last = max(now + idle, *expected) if expected else now + idle
    kept = database.intervals(signature, A)
    assert ticks([Interval(begin, min(end, last)) for begin, end in kept]) - expected <= set(
        range(now + idle + 1, last + 1) if is_open else ()
    )
    assert expected <= ticks([Interval(begin, min(end, last)) for begin, end in kept])
    assert kept == canonical(kept)


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.integers(0, 20), max_size=3)), max_size=8))
def test_past_ticks_join_the_runs_that_there_are(steps: list[tuple[int, list[int]]]) -> None:
    """Ticks told as they come and ticks placed behind, against a set of ticks."""
    stream, expected, now = history(), set[int](), 0
    for gap, placed in steps:
        now += gap
        if gap > 1:
            stream.advance(now - 1)
            assert stream.now(with_background=True) == []
        stream.add_input(A, now, now, False)
        expected.add(now)
        stream.advance(now)
        for tick in placed:
            if tick < now:
                stream.place(A, tick)
                expected.add(tick)
        assert stream.now(with_background=True) == [A]
        assert ticks(stream.intervals(A)) == expected
        assert sum(stream.counts(3, 9).values()) == len(expected & set(range(3, 10)))
        for first in range(8):
            holds = expected >= set(range(first, first + 3))
            assert (stream.throughout(first, first + 2) == [A]) is holds
    assert stream.intervals(A) == canonical(stream.intervals(A))


def test_what_is_placed_in_the_past_does_not_hold_now() -> None:
    stream = history()
    stream.add_input(A, 2, 2, False)
    stream.advance(2)
    stream.advance(4)
    for tick in (2, 1, 3):
        stream.place(A, tick)
        assert stream.now(with_background=True) == []
    assert stream.intervals(A) == (Interval(1, 3),)


@pytest.mark.parametrize("reach", [None, 0, 3])
@pytest.mark.parametrize("seed", range(20))
def test_many_atoms_at_once_are_as_one_after_the_other(seed: int, reach: int | None) -> None:
    choose = random.Random(seed)
    rows: list[Row] = [(number,) for number in range(6)]
    many = History(reach, keeps_earlier=seed % 2 == 0)
    single = History(reach, keeps_earlier=seed % 2 == 0)
    for one in (many, single):
        one.remember(3)
    derived = set[Row]()
    tick = 0
    for _ in range(60):
        tick += choose.choice([1, 1, 1, 2, 4])
        told = choose.sample(rows, choose.randint(0, 4))
        until, is_open = choose.choice([None, None, tick + 2]), choose.random() < 0.2
        for history in (many, single):
            history.add_input(rows[0], tick, until, is_open)
        known = [row for row in told if many.intervals(row)]
        many.hold([*known, *known[:1]], tick)
        for row in told:
            if row not in known:
                many.interval_at(row, tick).extend(tick)
            single.interval_at(row, tick).extend(tick)
        for history in (many, single):
            history.advance(tick)
        now = set(choose.sample(rows, choose.randint(0, 4)))
        many.derive(sorted(now - derived), tick)
        many.underive(sorted(derived - now), tick)
        for row in now - derived:
            run = single.interval_at(row, tick)
            run.is_derived = True
            run.settle(tick)
        for row in derived - now:
            run = single.interval_at(row, tick)
            run.is_derived = False
            run.settle(tick - 1)
        derived = now
        assert shown(many, rows, tick) == shown(single, rows, tick)


def shown(history: History, rows: Sequence[Row], tick: int) -> list[object]:
    """What a history says at a tick."""
    return [
        [history.intervals(row) for row in rows],
        sorted(history.now(with_background=True)),
        [sorted(run.row for run in history.begun(tick - back)) for back in range(3)],
        [sorted(run.row for run in history.ended(tick - back)) for back in range(1, 4)],
    ]
