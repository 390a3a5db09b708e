"""Answers over many ticks, held tick by tick to the ticks of the windows."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.windows import Hopping, Lagged, LastArrivals, Offsets, Sliding, Tumbling, Unbounded
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.runtime.evaluators.blocks.held_rows import (
    HeldRows,
    Index,
    RowsOnce,
    Runs,
    gaps,
    merged,
    pairs,
    sections,
)
from lars2asp.runtime.evaluators.blocks.points import Points, RowTicks, runs_of
from lars2asp.runtime.evaluators.blocks.swept_groups import NO_SEGMENTS, among, swept, values
from lars2asp.runtime.evaluators.blocks.windowed_rows import (
    answers,
    answers_of_points,
    answers_once,
    last_arrivals,
    refused,
    span_of_each,
    sums_over_ticks,
)
from lars2asp.syntax.nodes import Signature

P = Signature("p", 1)
START, LAST = 3, 40
WINDOWS = (
    Sliding(0),
    Sliding(4),
    Lagged(2, 5),
    Lagged(1, 1),
    Hopping(6, 3),
    Hopping(5, 4, 2, 1),
    Hopping(2, 5, 0, 2),
    Hopping(1, 4, 1),
    Tumbling(4),
    Tumbling(3, 2),
    Unbounded(),
    Offsets((0, 2, 3)),
)
KINDS = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT, LookupKind.LEAST)


def ticks_of(held: HeldRows) -> set[tuple[Row, int]]:
    """When rows hold, tick by tick, up to the last one."""
    return {
        (row, tick)
        for row, runs in held.items()
        for begin, end in pairs(runs)
        for tick in range(begin, min(end, LAST + 1))
    }


@pytest.mark.parametrize("window", WINDOWS)
@settings(max_examples=30, deadline=None)
@given(
    ticks=st.sets(st.integers(START, LAST - 10)),
    kind=st.sampled_from(KINDS),
    least=st.integers(1, 3),
    complete=st.booleans(),
)
def test_windows(ticks: set[int], window: Sliding, kind: LookupKind, least: int, complete: bool) -> None:
    """Each kind of lookup about each window, from the start of the timeline on."""
    lookup = Lookup(kind, P, window, least if kind is LookupKind.LEAST else None)
    if refused(lookup) is not None:
        assert isinstance(window, Offsets)
        return
    held: HeldRows = {(1,): merged([end for tick in ticks for end in (tick, tick + 1)])} if ticks else {}
    whole = answers(lookup, held, START, complete=complete)
    assert all(begin < end for runs in whole.values() for begin, end in pairs(runs))
    found = ticks_of(whole)
    at_points: RowTicks = {(1,): sorted(ticks)} if ticks else {}
    assert answers_of_points(lookup, at_points, START, complete=complete) == whole
    expected: set[tuple[Row, int]] = set()
    for now in range(START, LAST + 1):
        inside = [tick for first, last in window.runs(now, START) for tick in range(first, last + 1)]
        here = [tick for tick in inside if tick in ticks]
        match kind:
            case LookupKind.IN:
                rows: Sequence[Row] = [(1,)] if here else []
            case LookupKind.ALWAYS:
                is_whole = not complete or window.is_whole(now, START)
                rows = [(1,)] if inside and here == inside and is_whole else []
            case LookupKind.AT:
                rows = [(1, tick) for tick in here]
            case LookupKind.COUNT:
                rows = [(1, len(here))] if here else []
            case _:
                rows = [(1,)] if len(here) >= least else []
        expected.update((row, now) for row in rows)
    assert found == expected


@pytest.mark.parametrize("window", [None, *WINDOWS])
@settings(max_examples=30, deadline=None)
@given(kind=st.sampled_from(KINDS), ticks=st.lists(st.integers(START, LAST - 10)))
def test_rows_that_hold_once(window: Sliding | None, kind: LookupKind, ticks: list[int]) -> None:
    """They need no lists of ticks where a window moves with each of them."""
    points = Points([(number,) for number in range(len(ticks))], sorted(ticks))
    lookup = Lookup(
        kind if window else LookupKind.NOW, P, window, 1 if window and kind is LookupKind.LEAST else None
    )
    span = span_of_each(lookup, START)
    assert (span is not None) == (
        window is None or (kind is LookupKind.IN and isinstance(window, Sliding | Lagged))
    )
    if span is not None:
        found = answers_once(points, span)
        assert len(found) == len(ticks)
        assert found.by_row() == answers_of_points(lookup, points.by_row(), START, complete=False)


INTERVALS = st.lists(st.integers(START, 1000), min_size=2, max_size=6, unique=True).map(sorted)


@given(
    st.dictionaries(
        st.tuples(*[st.integers(0, 2)] * 3), INTERVALS.filter(lambda runs: len(runs) % 2 == 0), max_size=9
    ),
    st.sampled_from([(), (0,), (2,), (0, 1), (2, 0)]),
    st.tuples(st.integers(0, 3), st.integers(0, 2)),
    INTERVALS,
)
def test_index(held: HeldRows, places: tuple[int, ...], key: tuple[int, int], interval: list[int]) -> None:
    """It gives the intervals that meet one, of the rows with the values of a key, however long they are."""
    begin, end, *_ = interval
    asked = key[: len(places)]
    expected = {
        (first, last, row)
        for row, runs in held.items()
        for first, last in pairs(runs)
        if first < end and begin < last and tuple(row[place] for place in places) == asked
    }
    indexes = [Index(held, places)]
    if all(len(runs) == 2 for runs in held.values()):
        once = RowsOnce([*held], [runs[0] for runs in held.values()], [runs[1] for runs in held.values()])
        indexes.append(Index(once, places))
    for index in indexes * 2:
        found = index[asked[0] if len(places) == 1 else asked](begin, end)
        assert len(found) == len(expected)
        assert {*found} == expected


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(START, LAST)), st.sampled_from(WINDOWS[:-1]), st.integers(2, 4))
def test_numbers_that_are_asked_for(ticks: set[int], window: Sliding, least: int) -> None:
    """Numbers below the least may be left out: those that reach it are there, from when to when they do."""
    lookup = Lookup(LookupKind.AT, P, window)

    def reaching(asked: int) -> list[tuple[int, int, object]]:
        groups = sums_over_ticks(lookup, {(1,): sorted(ticks)}, START, 1, has_weights=False, least=asked)
        assert groups is not None
        segments = zip(*groups.get((1,), NO_SEGMENTS), strict=True)
        return [one for one in segments if isinstance(one[2], int) and one[2] >= least]

    assert reaching(least) == reaching(1)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.integers(1, 2), st.integers(-2, 2), st.integers(0, 1)),
        st.sets(st.integers(START, LAST - 10), min_size=1),
        max_size=6,
    ),
    st.sampled_from(WINDOWS[:-1]),
    st.booleans(),
    st.integers(1, 3),
)
def test_sums(ticks: dict[tuple[int, ...], set[int]], window: Sliding, has_weights: bool, least: int) -> None:
    """Of groups with several rows, for each of which a tick counts, or weighs what their value says."""
    asked = 1 if has_weights else least
    groups = sums_over_ticks(
        Lookup(LookupKind.AT, P, window),
        {row: sorted(some) for row, some in ticks.items()},
        *(START, 1),
        has_weights=has_weights,
        least=asked,
    )
    assert groups is not None
    for now in range(START, LAST + 1):
        inside = {tick for first, last in window.runs(now, START) for tick in range(first, last + 1)}
        for group in (1, 2):
            here = [
                row[1] if has_weights else 1
                for row, some in ticks.items()
                if row[0] == group
                for _ in some & inside
            ]
            expected = sum(here) if has_weights or len(here) >= asked else 0
            found = among(groups.get((group,), NO_SEGMENTS), now, now + 1)
            assert [value for _, _, value in found if value] == ([expected] if expected else [])


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.integers(1, 2), st.integers(-2, 2)),
        st.lists(st.integers(START, LAST), min_size=2, max_size=8, unique=True).filter(
            lambda runs: len(runs) % 2 == 0
        ),
        max_size=6,
    ),
    st.sampled_from(["#count", "#sum", "#sum+", "#min", "#max"]),
    st.integers(1, 3),
    st.integers(START, LAST - 1),
    st.integers(1, 9),
)
def test_swept(
    drawn: dict[tuple[int, ...], Runs], function: str, least: int, begin: int, length: int
) -> None:
    """Aggregates over tuples that hold at intervals, held tick by tick to those of the tuples there."""
    held: HeldRows = {row: sorted(runs) for row, runs in drawn.items()}
    groups = swept(function, {**held}, 1, lambda *_: None, least if function == "#count" else 1)
    of: dict[str, Callable[[list[int]], int]] = {
        **{"#count": len, "#sum": sum, "#min": min, "#max": max},
        "#sum+": lambda some: sum(max(0, one) for one in some),
    }
    for group in (1, 2):
        segments = groups.get((group,), NO_SEGMENTS)
        at: dict[int, list[int]] = {}
        for (own, value), runs in held.items():
            for first, last in pairs(runs) if own == group else ():
                for tick in range(first, last):
                    assert isinstance(value, int)
                    at.setdefault(tick, []).append(value)
        exact = {tick: of[function](some) for tick, some in at.items()}
        if function in ("#count", "#sum", "#sum+"):  # what is missing is 0, or less than is asked for
            exact = {
                tick: one for tick, one in exact.items() if one and (function != "#count" or one >= least)
            }
        stretch = range(begin, begin + length)
        found = {tick: one for a, b, one in among(segments, begin, begin + length) for tick in range(a, b)}
        assert {tick: one for tick, one in found.items() if one} == {
            tick: exact[tick] for tick in stretch if exact.get(tick)
        }
        filled = values(segments, begin, begin + length, 0)
        assert [tick for a, b, _ in filled for tick in range(a, b)] == [*stretch]
        assert {tick: one for a, b, one in filled for tick in range(a, b)} == {
            tick: exact.get(tick, 0) for tick in stretch
        }


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2))), st.integers(0, 10))
def test_points(facts: list[tuple[int, int]], tick: int) -> None:
    """Facts of a tick that are equal are one; what is cut off, or forgotten, goes by ticks."""
    facts.sort(key=lambda fact: fact[0])
    points = Points([(value,) for _, value in facts], [at for at, _ in facts]).distinct()
    assert [*zip(points.ticks, points.rows, strict=True)] == [
        *dict.fromkeys((at, (value,)) for at, value in facts)
    ]
    held = {(row, at) for row, runs in points.held().items() for b, e in pairs(runs) for at in range(b, e)}
    assert held == {((value,), at) for at, value in facts}
    assert all(runs_of(some) == points.held()[row] for row, some in points.by_row().items())
    later = Points([*points.rows], [*points.ticks])
    rest = later.cut(tick)
    assert (later.rows + rest.rows, later.ticks + rest.ticks) == (points.rows, points.ticks)
    assert all(at <= tick for at in later.ticks)
    assert all(at > tick for at in rest.ticks)
    assert points.since(tick + 1) == rest
    points.forget(tick + 1)
    assert points == rest


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20))), st.integers(0, 20), st.integers(1, 8))
def test_sections_and_gaps(intervals: list[tuple[int, int]], begin: int, length: int) -> None:
    """What intervals have in common with one, and what they leave of it."""
    runs = merged([tick for interval in intervals if interval[0] < interval[1] for tick in interval])
    there = {tick for first, last in pairs(runs) for tick in range(first, last)}
    own = set(range(begin, begin + length))
    common = [tick for first, last in sections(runs, begin, begin + length) for tick in range(first, last)]
    left = [tick for first, last in gaps(runs, begin, begin + length) for tick in range(first, last)]
    assert (sorted(common), sorted(left)) == (sorted(own & there), sorted(own - there))


def test_last_arrivals() -> None:
    """The last two of a group; equal ones are there as long as one of them is.

    a at 3, b at 4, a at 4, a at 9: until 9 a and b (the first a is pushed out by the second), then a alone.
    """
    arrived: dict[Row, list[tuple[int, Row]]] = {(): [(3, ("a",)), (4, ("b",)), (4, ("a",)), (9, ("a",))]}
    assert last_arrivals(arrived, 2, 20) == {("a",): [3, 20], ("b",): [4, 9]}


def test_last_arrivals_with_their_ticks() -> None:
    """Each arrival by itself, until so many came after it; b is pushed out at the tick at which it came."""
    arrived: dict[Row, list[tuple[int, Row]]] = {
        (): [(3, ("a",)), (4, ("b",)), (4, ("a",)), (4, ("c",)), (9, ("a",))]
    }
    assert last_arrivals(arrived, 2, 20, with_ticks=True) == {
        ("a", 3): [3, 4],
        ("a", 4): [4, 9],
        ("c", 4): [4, 20],
        ("a", 9): [9, 20],
    }


@pytest.mark.parametrize(
    ("lookup", "is_refused"),
    [
        (Lookup(LookupKind.IN, P, LastArrivals(3, P)), False),
        (Lookup(LookupKind.IN, P, LastArrivals(3, None, (0,))), False),
        (Lookup(LookupKind.IN, P, LastArrivals(3)), True),
        (Lookup(LookupKind.AT, P, LastArrivals(3, P)), False),
        (Lookup(LookupKind.COUNT, P, LastArrivals(3, P)), True),
        (Lookup(LookupKind.ALWAYS, P, Offsets((1, 2))), True),
        (Lookup(LookupKind.SCHEDULED, P), True),
        (Lookup(LookupKind.NOW, P), False),
    ],
)
def test_what_is_refused(lookup: Lookup, is_refused: bool) -> None:
    """Lookups of which the answers are not worked out over many ticks are named."""
    assert (refused(lookup) == lookup.title) is is_refused
