"""The operators of windows, held to the windows' own ticks, however their input is cut into batches."""

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import (
    Fixed,
    Hopping,
    Lagged,
    LastArrivals,
    Offsets,
    Since,
    Sliding,
    TimeWindow,
    Tumbling,
    Unbounded,
)
from lars2asp.externals.intervals import merged
from lars2asp.externals.operators import Batch, Operator, Segment
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.traces.trace import HeldRows, points_of, segments_of
from lars2asp.externals.windows.arrivals import TupleWindow
from lars2asp.externals.windows.beginnings import Beginnings
from lars2asp.externals.windows.choice import (
    growing_operator,
    is_served,
    operator_over_points,
    operator_over_runs,
    revised_operator,
)
from lars2asp.externals.windows.points import Moment
from lars2asp.externals.windows.since import SinceWindow
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Number, Signature

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "60"))
P = Signature("p", 1)
LAST = 30

sizes = st.integers(0, 6)
spans = st.one_of(
    st.builds(Sliding, sizes),
    st.tuples(sizes, sizes).map(lambda two: Lagged(min(two), max(two))),
    st.tuples(sizes, st.integers(1, 5), sizes, st.integers(0, 4)).map(
        lambda four: Hopping(max(four[0], four[2]), four[1], min(four[0], four[2]), four[3] % four[1])
    ),
    st.builds(Tumbling, st.integers(1, 5), st.just(0)),
    st.builds(Unbounded),
)
offsets = st.sets(sizes, min_size=1, max_size=4).map(lambda some: Offsets(tuple(sorted(some))))
kinds = st.sampled_from([LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT, LookupKind.LEAST])
"""Streaming atoms."""
held_rows = st.dictionaries(
    st.integers(0, 2).map(lambda one: (one,)),
    st.sets(st.integers(0, LAST), min_size=2, max_size=8).map(sorted),
    max_size=3,
).map(lambda some: {row: ticks[: len(ticks) & ~1] for row, ticks in some.items()})
"""When rows hold: the first ticks of runs and the ticks behind their last ones."""
beginnings = st.dictionaries(
    st.integers(0, LAST), st.lists(st.tuples(st.integers(0, 2)), max_size=2), max_size=5
)
frontiers = st.sets(st.integers(1, LAST), max_size=6).map(lambda some: [*sorted(some), LAST + 12])
"""Where batches end."""


def answer_at(now: int, held: HeldRows, lookup: Lookup, start: int, *, complete: bool) -> set[Row]:
    """The answer to a lookup, by the ticks of its window."""
    window = lookup.window
    assert isinstance(window, TimeWindow)
    ticks = {tick for first, last in window.runs(now, start) for tick in range(first, last + 1)}
    found: set[Row] = set()
    for row, runs in held.items():
        pairs = [*zip(runs[::2], runs[1::2], strict=True)]
        here = {tick for tick in ticks if any(begin <= tick < end for begin, end in pairs)}
        match lookup.kind:
            case LookupKind.IN if here:
                found.add(row)
            case LookupKind.ALWAYS if ticks and here == ticks:
                if not complete or window.is_whole(now, start):
                    found.add(row)
            case LookupKind.LEAST if len(here) >= (lookup.least or 1):
                found.add(row)
            case LookupKind.COUNT if here:
                found.add((*row, len(here)))
            case LookupKind.AT:
                found |= {(*row, tick) for tick in here}
    return found


def segments_from(operator: Operator, batch: Batch, ends: Iterable[int]) -> list[Segment]:
    """What an operator hands on, as its input comes in batches that end before some ticks."""
    found: list[Segment] = []
    for before, end in pairwise([0, *ends]):
        operator.inputs[0] += [one for one in batch if before <= one[0] < end]
        for _, out in operator.advance(end):
            assert all(before <= segment[0] < end for segment in out)
            found += out
        assert operator.due >= end
    return found


def holds(found: Sequence[Segment], start: int, expected: Callable[[int], set[Row]]) -> None:
    """Segments give an answer at each tick; each of them is net, and there is one for a tick."""
    assert [segment[0] for segment in found] == sorted({segment[0] for segment in found})
    by_tick = {tick: (ended, began) for tick, ended, began in found}
    here: set[Row] = set()
    for tick in range(start, LAST + 12):
        ended, began = by_tick.get(tick, ((), ()))
        assert len({*ended}) == len(ended) and here.issuperset(ended)
        assert len({*began}) == len(began) and here.isdisjoint(began)
        here = (here - {*ended}) | {*began}
        assert here == expected(tick), tick


@settings(max_examples=EXAMPLES, deadline=None)
@given(kinds, st.one_of(spans, offsets), held_rows, frontiers, st.integers(1, 3))
def test_over_points(
    kind: LookupKind, window: TimeWindow, held: HeldRows, ends: list[int], least: int
) -> None:
    lookup = Lookup(kind, P, window, least if kind is LookupKind.LEAST else None)
    assume(is_served(lookup) and kind is not LookupKind.ALWAYS)
    found = segments_from(operator_over_points(lookup, 0), points_of(held, LAST), ends)
    holds(found, 0, lambda now: answer_at(now, held, lookup, 0, complete=False))


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    kinds,
    st.one_of(spans, offsets, offsets, st.builds(Fixed, st.integers(0, LAST))),
    held_rows,
    frontiers,
    st.integers(1, 3),
    st.booleans(),
)
def test_over_runs(
    kind: LookupKind,
    window: TimeWindow,
    held: HeldRows,
    ends: list[int],
    least: int,
    complete: bool,
) -> None:
    lookup = Lookup(kind, P, window, least if kind is LookupKind.LEAST else None)
    assume(is_served(lookup) and kind in (LookupKind.IN, LookupKind.ALWAYS, LookupKind.LEAST))
    operator = operator_over_runs(lookup, 0, complete=complete)
    found = segments_from(operator, segments_of(held, LAST), ends)
    holds(found, 0, lambda now: answer_at(now, held, lookup, 0, complete=complete))


@settings(max_examples=EXAMPLES, deadline=None)
@given(held_rows, frontiers)
def test_facts_of_the_current_tick(held: HeldRows, ends: list[int]) -> None:
    lookup = Lookup(LookupKind.IN, P, Sliding(0))
    found = segments_from(Moment(), points_of(held, LAST), ends)
    holds(found, 0, lambda now: answer_at(now, held, lookup, 0, complete=False))


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    st.sampled_from([LookupKind.AT, LookupKind.COUNT]),
    st.one_of(spans, offsets),
    held_rows,
    frontiers,
    st.lists(held_rows, min_size=3, max_size=3),
    st.lists(st.sampled_from([(1,), (1, 2), (2, 3), (3,), ()]), min_size=1, max_size=2),
    st.integers(-1, LAST),
    st.sampled_from([1, 1, 10**6, 10**9]),
)
def test_answers_that_grow(
    kind: LookupKind,
    window: TimeWindow,
    held: HeldRows,
    ends: list[int],
    observing: list[HeldRows],
    bodies: list[tuple[int, ...]],
    begins_behind: int,
    scale: int,
) -> None:
    """They are right at the ticks at which they are observed, however far apart, and when taken up again."""
    assume(scale == 1 or not isinstance(window, Unbounded))
    if scale > 1:  # all but single facts would be observed for too long
        bodies = [(3,)]
        held, observing = _stretched(held, scale), [_stretched(one, scale) for one in observing]
        ends = [end * scale for end in ends]
        begins_behind *= scale
    lookup = Lookup(kind, P, window)
    points = _begins(observing[2])
    seen = [_ticks_of(one) for one in observing[:2]] if scale == 1 else [set(), set()]
    seen.append({tick for tick, _ in points})
    batches: list[Batch] = [
        segments_of(held, ends[-1]),
        *(segments_of(one, ends[-1]) for one in observing[:2]),
        points,
    ]
    operator, here, handed = growing_operator(lookup, 0, bodies), set[Row](), 0
    if begins_behind >= 0:
        known = {row: some for row, runs in held.items() if (some := [t for t in runs if t <= begins_behind])}
        operator.inputs[0] += segments_of(known, begins_behind)
        for place, one in enumerate(observing[:2], 1):
            now = [row for row, runs in one.items() if sum(t <= begins_behind for t in runs) % 2]
            if place < len(operator.inputs):
                operator.observed_by(place, len(now), begins_behind, are_points=False)
        here = {*operator.restore(begins_behind)}
    for before, end in pairwise([begins_behind + 1, *(end for end in ends if end > begins_behind + 1)]):
        for place, batch in enumerate(batches[: len(operator.inputs)]):
            operator.inputs[place] += [one for one in batch if before <= one[0] < end]
        found = {tick: (ended, began) for _, out in operator.advance(end) for tick, ended, began in out}
        assert operator.due >= end
        handed += len(found)
        ticks = (
            range(before, end) if scale == 1 else sorted({*found, *(t for t in seen[2] if before <= t < end)})
        )
        for tick in ticks:
            ended, began = found.get(tick, ((), ()))
            assert len({*ended}) == len(ended) and here.issuperset(ended)
            assert len({*began}) == len(began) and here.isdisjoint(began)
            here = (here - {*ended}) | {*began}
            if any(all(tick in seen[place - 1] for place in body) for body in bodies):
                assert here == answer_at(tick, held, lookup, 0, complete=False), tick
    assert scale == 1 or handed <= 2 * len(ends) + 2 * len(points)


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    kinds,
    st.one_of(spans, offsets, st.builds(Fixed, st.integers(0, LAST))),
    held_rows,
    st.sets(st.tuples(st.integers(0, 2), st.integers(0, LAST), st.integers(1, LAST)), max_size=5),
    held_rows,
    st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, LAST)), st.sets(st.integers(1, LAST))),
    frontiers,
    st.integers(1, 3),
    st.booleans(),
    st.integers(-1, LAST),
    st.none() | held_rows,
)
def test_of_what_is_known_later(
    kind: LookupKind,
    window: TimeWindow,
    held: HeldRows,
    late: set[tuple[int, int, int]],
    fading: HeldRows,
    placed: dict[tuple[int, int], set[int]],
    ends: list[int],
    least: int,
    complete: bool,
    taken_up: int,
    observing: HeldRows | None,
) -> None:
    """Rows at ticks that are over, from a tick on or for a while; rows that are known at their tick alone."""
    lookup = Lookup(kind, P, window, least if kind is LookupKind.LEAST else None)
    before = {(row, tick, tick + by) for row, tick, by in late}
    passing = {
        (*pair, tick): sorted(one for one in known if one > pair[1])[: 2 * (len(known) // 2)]
        for pair, known in placed.items()
        for tick in [pair[1]]
    }
    pairs = {(row, tick): runs[: len(runs) & ~1] for (row, tick, _), runs in passing.items()}

    def expected(now: int) -> set[Row]:
        rows: HeldRows = {}
        for row, runs in held.items():
            rows[row] = [min(one, now + 1) for one in runs]
        for value, tick, known in before:
            if known <= now:
                rows.setdefault((value,), []).extend((tick, tick + 1))
        for row, runs in fading.items():
            if sum(one <= now for one in runs) % 2:
                rows.setdefault(row, []).extend((now, now + 1))
        for (value, tick), runs in pairs.items():
            if sum(one <= now for one in runs) % 2:
                rows.setdefault((value,), []).extend((tick, tick + 1))
        return answer_at(now, {row: merged(runs) for row, runs in rows.items()}, lookup, 0, complete=complete)

    late_by_tick: dict[int, list[Row]] = {}
    for value, tick, known in before:
        late_by_tick.setdefault(known, []).append((value, tick))
    batches: list[Batch] = [
        segments_of(held, LAST),
        [(tick, (), rows) for tick, rows in sorted(late_by_tick.items())],
        segments_of(fading, LAST),
        segments_of({pair: runs for pair, runs in pairs.items() if runs}, LAST),
    ]
    bodies: list[tuple[int, ...]] = [()]
    if observing is not None:
        bodies = [(4,)]
        batches.append(segments_of(observing, LAST))
    seen = {*range(LAST + 12)} if observing is None else _ticks_of(observing)
    operator, here = revised_operator(lookup, 0, bodies, complete=complete), set[Row]()
    if taken_up >= 0:
        for place, batch in enumerate(batches[:4]):
            operator.inputs[place] += [one for one in batch if one[0] <= taken_up]
        if observing is not None:
            now = [row for row, runs in observing.items() if sum(t <= taken_up for t in runs) % 2]
            operator.observed_by(4, len(now), taken_up, are_points=False)
        here = {*operator.restore(taken_up)}
    for begin, end in pairwise([taken_up + 1, *(end for end in ends if end > taken_up + 1)]):
        for place, batch in enumerate(batches):
            operator.inputs[place] += [one for one in batch if begin <= one[0] < end]
        found = {tick: (ended, began) for _, out in operator.advance(end) for tick, ended, began in out}
        assert operator.due >= end
        for tick in range(begin, end):
            ended, began = found.get(tick, ((), ()))
            assert len({*ended}) == len(ended) and here.issuperset(ended)
            assert len({*began}) == len(began) and here.isdisjoint(began)
            here = (here - {*ended}) | {*began}
            if tick in seen:
                assert here == expected(tick), tick


def _stretched(held: HeldRows, scale: int) -> HeldRows:
    return {row: [tick * scale for tick in runs] for row, runs in held.items()}


def _begins(held: HeldRows) -> list[tuple[int, list[Row]]]:
    """The rows, at the first ticks of their runs alone."""
    found: dict[int, list[Row]] = {}
    for row, runs in held.items():
        for tick in runs[::2]:
            found.setdefault(tick, []).append(row)
    return sorted(found.items())


def _ticks_of(held: HeldRows) -> set[int]:
    runs = (zip(one[::2], one[1::2], strict=True) for one in held.values())
    return {tick for some in runs for begin, end in some for tick in range(begin, end)}


@settings(max_examples=EXAMPLES, deadline=None)
@example(
    [(0, 0, 1, 1), (1, 0, 2, 1), (0, 0, 1, 1), (0, 0, 0, 1)], 1, True, LookupKind.IN, [42], 1, False, None, -1
)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(0, 2), st.sampled_from([1, 1, 2, 5, -3])),
        max_size=12,
    ),
    st.integers(1, 3),
    st.booleans(),
    kinds,
    frontiers,
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([None, None, 2, 5, 0]),
    st.integers(-1, LAST),
)
def test_last_arrivals(
    steps: list[tuple[int, int, int, int]],
    size: int,
    by_group: bool,
    kind: LookupKind,
    ends: list[int],
    least: int,
    complete: bool,
    longest: int | None,
    taken_up: int,
) -> None:
    """Of points, and of facts that are held: for so many ticks at the longest, or until the next one.

    Or of facts and rows, each with its own number of ticks: those with a negative one are open so long.
    """
    tick, told = 0, dict[tuple[int, Row], int]()
    is_held = bool(longest)
    for gap, key, value, ticks in steps:
        tick += gap
        if is_held:  # the last one of a tick counts
            for one in [one for one in told if one[0] == tick and one[1][0] == key]:
                del told[one]
        open_before = any(
            row == (key, value) and n < 0 and at <= tick < at - n for (at, row), n in told.items()
        )
        told.setdefault((tick, (key, value)), abs(ticks) if open_before else ticks)
    signature = Signature("p", 2)
    window = LastArrivals(size, None if by_group else signature, (0,) if by_group else ())
    lookup = Lookup(kind, signature, window, least if kind is LookupKind.LEAST else None)
    spans = dict[tuple[int, Row], int]()
    for at, row in told:
        others = [one for one, (own, _) in told if is_held and own == row[0] and one > at]
        own_ticks = abs(told[at, row]) if longest == 0 else longest or 1
        spans[at, row] = min([at + own_ticks, *others])

    def expected(now: int) -> set[Row]:
        before = [(at, row) for at, row in told if at <= now]
        found: set[Row] = set()
        for group in {row[0] for _, row in before} if by_group else {None} if before else set():
            last = [each for each in before if group is None or each[1][0] == group][-size:]
            first = last[0][0] if len(last) == size else 0
            for row in {row for _, row in last}:
                ticks = {t for one in last if one[1] == row for t in range(one[0], min(spans[one], now + 1))}
                if kind is LookupKind.AT:
                    found |= {(*row, at) for at in ticks}
                elif kind is LookupKind.COUNT:
                    found.add((*row, len(ticks)))
                elif kind is LookupKind.ALWAYS:
                    if ticks.issuperset(range(first, now + 1)) and (len(last) == size or not complete):
                        found.add(row)
                elif kind is LookupKind.IN or len(ticks) >= least:
                    found.add(row)
        return found

    def operator() -> Operator:
        if longest is not None or kind is LookupKind.ALWAYS:
            return TupleWindow(lookup, window, [()], 0, complete=complete, are_points=longest is None)
        return operator_over_points(lookup, 0)

    def is_open(one: tuple[int, Row]) -> bool:
        return is_held or told[one] < 0

    batch: Batch = []
    for at in sorted({*(at for at, _ in told), *spans.values()}):
        came = [row for one, row in told if one == at]
        if longest is not None:
            over = [(one[1], at) for one, end in spans.items() if end == at and is_open(one)]
            until = [FOR_EVER if is_open((at, row)) else spans[at, row] for row in came]
            batch.append((at, over, [*zip(came, until, strict=True)]))
        elif came:
            batch.append((at, came))
    found = segments_from(operator(), batch, ends)
    holds(found, 0, expected)
    first, second = operator(), operator()
    if taken_up >= 0 and isinstance(first, TupleWindow) and isinstance(second, TupleWindow):
        segments_from(first, [one for one in batch if one[0] <= taken_up], [taken_up + 1])
        second.go_on(first.arrived)
        assert {*second.restore(taken_up)} == expected(taken_up)
        found = [(taken_up, (), [*expected(taken_up)])] if expected(taken_up) else []
        second.inputs[0] += [one for one in batch if one[0] > taken_up]
        found += [one for _, out in second.advance(LAST + 12) for one in out]
        holds(found, taken_up, expected)


@settings(max_examples=EXAMPLES, deadline=None)
@given(
    kinds,
    st.booleans(),
    held_rows,
    beginnings,
    st.just({}) | beginnings,
    st.booleans(),
    st.integers(1, 3),
    frontiers,
    st.sampled_from([None, None, 9]),
    held_rows,
    st.integers(-1, LAST),
)
def test_windows_that_begin_with_an_atom(
    kind: LookupKind,
    is_after: bool,
    held: HeldRows,
    begins: dict[int, list[Row]],
    derived: dict[int, list[Row]],
    is_keyed: bool,
    least: int,
    ends: list[int],
    value: int | None,
    observing: HeldRows,
    taken_up: int,
) -> None:
    """Held to the ticks from the last beginning on, also when taken up again; derived ones count later."""
    begun = Signature("b", 1)
    key = (0,) if is_keyed else (None,) if value is None else (Number(1),)
    window = Since(begun, key, is_after)
    lookup = Lookup(kind, P, window, least if kind is LookupKind.LEAST else None)
    grows = kind in (LookupKind.AT, LookupKind.COUNT)
    points, late = sorted(begins.items()), sorted(derived.items())
    own = {begun} if late else ()

    def expected(now: int) -> set[Row]:
        found: set[Row] = set()
        known = [one for one in points if one[0] <= now] + [one for one in late if one[0] < now]
        for row, runs in held.items():
            wanted = row if is_keyed else (1,) if value is not None else None
            last = [tick for tick, rows in known if any(wanted in (None, one) for one in rows)]
            if not last:
                continue
            ticks = range(max(last) + is_after, now + 1)
            pairs = [*zip(runs[::2], runs[1::2], strict=True)]
            here = {tick for tick in ticks if any(begin <= tick < end for begin, end in pairs)}
            if kind is LookupKind.AT:
                found |= {(*row, tick) for tick in here}
            elif kind is LookupKind.COUNT:
                found |= {(*row, len(here))} if here else set()
            elif here and (
                len(here) == len(ticks) if kind is LookupKind.ALWAYS else len(here) >= (lookup.least or 1)
            ):
                found.add(row)
        return found

    seen = _ticks_of(observing) if grows else {*range(LAST + 12)}
    bodies: list[tuple[int, ...]] = [(3,)] if grows else [()]
    operator = growing_operator(lookup, 0, bodies, own)
    assert isinstance(operator, SinceWindow)
    here, segments = set[Row](), segments_of(held, LAST + 12)

    def take(before: int, end: int) -> None:
        nonlocal here
        operator.inputs[0] += [one for one in segments if before <= one[0] < end]
        operator.inputs[1] += [one for one in points if before <= one[0] < end]
        operator.inputs[2] += [one for one in late if before <= one[0] + 1 < end]
        if grows:
            operator.inputs[3] += [one for one in segments_of(observing, LAST + 12) if before <= one[0] < end]
        batch = [one for _, out in operator.advance(end) for one in out]
        assert [one[0] for one in batch] == sorted({one[0] for one in batch})
        found = {tick: (ended, began) for tick, ended, began in batch}
        assert all(before <= tick < end for tick in found)
        for tick in range(before, end):
            ended, began = found.get(tick, ((), ()))
            assert len({*ended}) == len(ended) and here.issuperset(ended)
            assert len({*began}) == len(began) and here.isdisjoint(began)
            here = (here - {*ended}) | {*began}
            if tick in seen:
                assert here == expected(tick), tick

    before = 0
    for end in range(1, LAST + 13) if late else ends:  # what is derived at a tick comes with the next one
        if before <= taken_up < end:
            take(before, taken_up + 1)
            known = {
                row: [t for t in merged([*runs]) if t <= taken_up + 1]
                for row, runs in operator.known(taken_up)
            }
            runs = {row: [t for t in runs if t <= taken_up] for row, runs in held.items()}
            for row, some in runs.items():  # a trace has the rows that hold on
                if len(some) % 2:
                    known[row] = merged([*known.get(row, ()), some[-1], taken_up + 1])
            begun_at, operator = operator.begun, growing_operator(lookup, 0, bodies, own)
            assert isinstance(operator, SinceWindow)
            keys = Beginnings(window).keys(derived.get(taken_up, []))
            operator.go_on(begun_at | dict.fromkeys(keys, taken_up))
            operator.inputs[0] += segments_of(known, taken_up)
            if grows:
                number = sum(sum(t <= taken_up for t in runs) % 2 for runs in observing.values())
                operator.observed_by(3, number, taken_up, are_points=False)
            here = {*operator.restore(taken_up)}
            assert taken_up not in seen or operator.has_news(taken_up) or here == expected(taken_up)
            before = taken_up + 1
        take(before, end)
        before = end
