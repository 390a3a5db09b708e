"""The values of aggregates over many ticks: a sweep over when tuples begin and end to count, by groups."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain

from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.order import value_key
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, pairs

Segment = tuple[int, int, Value]
"""From a tick on and before another, an aggregate has a value."""

Groups = dict[Row, list[Segment]]
"""By groups: the values while there are tuples, in the order of time."""


def swept(function: str, tuples: HeldRows, size: int, ignored: Callable[..., None]) -> Groups:
    """The values of an aggregate.

    Args:
        function: `#count`, `#sum`, `#sum+`, `#min` or `#max`.
        tuples: when they count, each behind the values of its group.
        size: the number of these.
        ignored: is told tuples that do not count.
    """
    by_group: dict[Row, list[tuple[Row, list[int]]]] = {}
    for row, runs in tuples.items():
        by_group.setdefault(row[:size], []).append((row[size:], runs))
    if function in ("#min", "#max"):
        return {group: [*_extremes(some, is_least=function == "#min")] for group, some in by_group.items()}
    found: Groups = {}
    for group, some in by_group.items():
        changes: dict[int, int] = {}
        for row, runs in some:
            weight = 1
            if function != "#count":
                first = row[0]
                if type(first) is not int or (function == "#sum+" and first <= 0):
                    ignored(*row)
                    continue
                weight = first
            for place, tick in enumerate(runs):
                changes[tick] = changes.get(tick, 0) + (-weight if place & 1 else weight)
        found[group] = [*sums(changes)]
    return found


def sums(changes: dict[int, int]) -> Iterator[Segment]:
    """The sums of changes by ticks, where they are not 0."""
    value, since = 0, 0
    for tick in sorted(changes):
        if changes[tick]:
            if value:
                yield since, tick, value
            value, since = value + changes[tick], tick


def _extremes(some: Sequence[tuple[Row, list[int]]], *, is_least: bool) -> Iterator[Segment]:
    """The least or greatest first value of tuples; there are few at a time in most groups."""
    values = sorted({row[0] for row, _ in some}, key=value_key, reverse=not is_least)
    ranks = {value: rank for rank, value in enumerate(values)}
    events = sorted((begin, end, ranks[row[0]]) for row, runs in some for begin, end in pairs(runs))
    heap: list[tuple[int, int]] = []
    ticks = sorted({*chain.from_iterable(runs for _, runs in some)})
    place, since, best = 0, 0, -1
    for tick in ticks:
        while place < len(events) and events[place][0] == tick:
            _, end, rank = events[place]
            heappush(heap, (rank, end))
            place += 1
        while heap and heap[0][1] <= tick:
            heappop(heap)
        here = heap[0][0] if heap else -1
        if here != best:
            if best >= 0:
                yield since, tick, values[best]
            since, best = tick, here


def values(segments: Sequence[Segment], begin: int, end: int, empty: Value) -> Iterator[Segment]:
    """The values in an interval, that of no tuples where there are none."""
    place = bisect_right(segments, (begin, OPEN_END + 1, 0))  # behind it; values are not compared
    if place and segments[place - 1][1] > begin:
        place -= 1
    for at in range(place, len(segments)):
        first, last, value = segments[at]
        if end <= first:
            break
        if begin < first:
            yield begin, first, empty
            begin = first
        stop = min(last, end)
        yield begin, stop, value
        begin = stop
    if begin < end:
        yield begin, end, empty


def among(segments: Sequence[Segment], begin: int, end: int) -> Iterator[Segment]:
    """The values in an interval, where there are any."""
    place = bisect_right(segments, (begin, OPEN_END + 1, 0))  # behind it; values are not compared
    for at in range(max(place - 1, 0), len(segments)):
        first, last, value = segments[at]
        if end <= first:
            break
        if begin < last:
            yield max(begin, first), min(last, end), value


def within(groups: Groups, is_met: Callable[[Value], bool]) -> HeldRows:
    """When groups with tuples have values that meet a condition."""
    found: HeldRows = {}
    for group, segments in groups.items():
        runs: list[int] = []
        for begin, end, value in segments:
            if is_met(value):
                if runs and runs[-1] == begin:
                    runs[-1] = end
                else:
                    runs += (begin, end)
        if runs:
            found[group] = runs
    return found
