"""The values of aggregates over many ticks: a sweep over when tuples begin and end to count, by groups."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain
from operator import lt, neg
from typing import cast

from lars2asp.externals.terms.order import value_key
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, pairs

Segment = tuple[int, int, Value]
"""From a tick on and before another, an aggregate has a value."""

Segments = tuple[list[int], list[int], list[Value]]
"""Such in the order of time, as columns."""

NO_SEGMENTS: Segments = ([], [], [])
"""Stands for no tuple at any time; it stays empty."""

Groups = dict[Row, Segments]
"""By groups: the values while there are tuples."""


def swept(function: str, tuples: HeldRows, size: int, ignored: Callable[..., None], least: int = 1) -> Groups:
    """The values of an aggregate.

    Args:
        function: `#count`, `#sum`, `#sum+`, `#min` or `#max`.
        tuples: when they count, each behind the values of its group.
        size: the number of these.
        ignored: is told tuples that do not count.
        least: counts below it may be left out, as if there were no tuples.
    """
    if function == "#count":
        return _counted_groups(tuples, size, least)
    by_group: dict[Row, list[tuple[Row, list[int]]]] = {}
    for row, runs in tuples.items():
        by_group.setdefault(row[:size], []).append((row[size:], runs))
    if function in ("#min", "#max"):
        return {
            group: _columns(_extremes(some, is_least=function == "#min")) for group, some in by_group.items()
        }
    found: Groups = {}
    for group, some in by_group.items():
        changes: dict[int, int] = {}
        for row, runs in some:
            weight = row[0]
            if type(weight) is not int or (function == "#sum+" and weight < 0):
                ignored(*row)
                continue
            for place, tick in enumerate(runs):
                changes[tick] = changes.get(tick, 0) + (-weight if place & 1 else weight)
        found[group] = _columns(_sums(changes))
    return found


def _counted_groups(tuples: HeldRows, size: int, least: int) -> Groups:
    bounds: dict[Row, tuple[list[int], list[int]]] = {}
    for row, runs in tuples.items():
        group = row[:size]
        some = bounds.get(group)
        if some is None:
            bounds[group] = runs[::2], runs[1::2]
        else:
            some[0].extend(runs[::2])
            some[1].extend(runs[1::2])
    found: Groups = {}
    for group, (begins, ends) in bounds.items():
        begins.sort()
        ends.sort()
        segments = counts(begins, ends, least)
        if segments[0]:
            found[group] = segments
    return found


def counts(begins: Sequence[int], ends: Sequence[int], least: int = 1) -> Segments:
    """How many intervals hold, where so many do at least; less are left out.

    Args:
        begins: where one of them begins, ascending.
        ends: the ticks after the last ones, ascending.
        least: the number.
    """
    firsts: list[int] = []
    lasts: list[int] = []
    numbers: list[Value] = []
    # where one begins before so many others have ended that came before it, so many hold
    if least > 1 and not any(map(lt, begins[least - 1 :], ends)):
        return firsts, lasts, numbers
    begun = since = 0
    stop = len(begins)
    begin, beyond = (begins[0], ends[-1] + 1) if begins else (0, 0)
    for ended, end in enumerate(ends):
        while begin < end:
            if begun - ended >= least and since < begin:
                firsts.append(since)
                lasts.append(begin)
                numbers.append(begun - ended)
            begun += 1
            since, begin = begin, begins[begun] if begun < stop else beyond
        if begin == end:  # as many as before
            begun += 1
            begin = begins[begun] if begun < stop else beyond
            continue
        if begun - ended >= least and since < end:
            firsts.append(since)
            lasts.append(end)
            numbers.append(begun - ended)
        since = end
    return firsts, lasts, numbers


def weights(begins: Sequence[int], ends: Sequence[int], added: Sequence[int]) -> Segments:
    """The sums of the weights of intervals that hold, where they are not 0.

    Args:
        begins: where they begin, ascending.
        ends: the ticks after their last ones, ascending as well.
        added: their weights.
    """
    firsts: list[int] = []
    lasts: list[int] = []
    sums: list[Value] = []
    begun = since = value = 0
    stop = len(begins)
    begin, beyond = (begins[0], ends[-1] + 1) if begins else (0, 0)
    for end, less in zip(ends, added, strict=True):
        while begin <= end:
            if value and since < begin:
                firsts.append(since)
                lasts.append(begin)
                sums.append(value)
            value += added[begun]
            begun += 1
            since, begin = begin, begins[begun] if begun < stop else beyond
        if value and since < end:
            firsts.append(since)
            lasts.append(end)
            sums.append(value)
        value -= less
        since = end
    return firsts, lasts, sums


def _columns(segments: Iterable[Segment]) -> Segments:
    some = [*segments]
    return [begin for begin, _, _ in some], [end for _, end, _ in some], [value for _, _, value in some]


def _sums(changes: dict[int, int]) -> Iterator[Segment]:
    """The sums of changes by ticks, where they are not 0."""
    value, since = 0, 0
    for tick in sorted(changes):
        if changes[tick]:
            if value:
                yield since, tick, value
            value, since = value + changes[tick], tick


def _extremes(some: Sequence[tuple[Row, list[int]]], *, is_least: bool) -> Iterator[Segment]:
    """The least or greatest first value of tuples; there are few at a time in most groups."""
    of_values, values = _ranks([row[0] for row, _ in some], is_least=is_least)
    least: dict[tuple[int, int], int] = {}
    """By intervals the least rank: in windows that leap many tuples have the same one."""
    for rank, (_, runs) in zip(of_values, some, strict=True):
        for here in ((runs[0], runs[1]),) if len(runs) == 2 else pairs(runs):
            if rank < least.get(here, rank + 1):
                least[here] = rank
    events = sorted((*here, rank) for here, rank in least.items())
    heap: list[tuple[int, int]] = []
    ticks = sorted({*chain.from_iterable(least)})
    place, since, best = 0, 0, None
    for tick in ticks:
        while place < len(events) and events[place][0] == tick:
            _, end, rank = events[place]
            heappush(heap, (rank, end))
            place += 1
        while heap and heap[0][1] <= tick:
            heappop(heap)
        here_best = heap[0][0] if heap else None
        if here_best != best:
            if best is not None:
                yield since, tick, values(best)
            since, best = tick, here_best


def _ranks(some: Sequence[Value], *, is_least: bool) -> tuple[Sequence[int], Callable[[int], Value]]:
    """Numbers for values, in their order or against it, and what gives the value of a number."""
    if {int}.issuperset(map(type, some)):
        numbers = cast(Sequence[int], some)
        return (numbers, int) if is_least else ([-number for number in numbers], neg)
    values = sorted({*some}, key=value_key, reverse=not is_least)
    ranks = {value: rank for rank, value in enumerate(values)}
    return [ranks[value] for value in some], values.__getitem__


def values(segments: Segments, begin: int, end: int, empty: Value) -> Sequence[Segment]:
    """The values in an interval, that of no tuples where there are none."""
    begins, ends, some = segments
    place = bisect_right(begins, begin)
    if place and end <= ends[place - 1]:
        return ((begin, end, some[place - 1]),)
    if place and ends[place - 1] > begin:
        place -= 1
    found: list[Segment] = []
    for at in range(place, len(begins)):
        first = begins[at]
        if end <= first:
            break
        if begin < first:
            found.append((begin, first, empty))
            begin = first
        stop = min(ends[at], end)
        found.append((begin, stop, some[at]))
        begin = stop
    if begin < end:
        found.append((begin, end, empty))
    return found


def among(segments: Segments, begin: int, end: int) -> Sequence[Segment]:
    """The values in an interval, where there are any."""
    begins, ends, some = segments
    place = bisect_right(begins, begin)
    if place and end <= ends[place - 1]:
        return ((begin, end, some[place - 1]),)
    return [
        (max(begin, begins[at]), min(ends[at], end), some[at])
        for at in range(max(place - 1, 0), bisect_left(begins, end))
        if begin < ends[at]
    ]


def within(groups: Groups, is_met: Callable[[Value], bool]) -> HeldRows:
    """When groups with tuples have values that meet a condition."""
    found: HeldRows = {}
    for group, (begins, ends, some) in groups.items():
        runs: list[int] = []
        for begin, end, value in zip(begins, ends, some, strict=True):
            if is_met(value):
                if runs and runs[-1] == begin:
                    runs[-1] = end
                else:
                    runs += (begin, end)
        if runs:
            found[group] = runs
    return found
