"""Closed intervals of ticks and their canonical form."""

from collections.abc import Iterable
from typing import NamedTuple

from lars2asp.analysis.window_edges import FOR_EVER

OPEN_END = FOR_EVER
"""The end of an interval that is open; later than every tick."""


Runs = list[int]
"""Of a row, in turns: the first tick of a run and the tick behind its last one; they ascend and lie apart."""


class Interval(NamedTuple):
    """The ticks begin ... end, both included."""

    begin: int
    end: int


def canonical(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """The same ticks in the fewest intervals, ascending: overlapping and adjacent ones are merged.

    Eiter, Ogris, Schekotihin (2019), definition 3: two interval streams are the same stream when their
    canonical forms are equal. Empty intervals (end before begin) vanish.
    """
    merged: list[Interval] = []
    for begin, end in sorted(interval for interval in intervals if interval.begin <= interval.end):
        if merged and begin <= merged[-1].end + 1:
            merged[-1] = Interval(merged[-1].begin, max(merged[-1].end, end))
        else:
            merged.append(Interval(begin, end))
    return tuple(merged)


def merged(runs: Runs) -> Runs:
    """Runs that stand in any order, and may overlap, in the order of ticks and apart.

    If a run begins behind as many ends as runs began before, all of these have ended.
    """
    if len(runs) <= 2:
        return runs
    begins, ends = sorted(runs[::2]), sorted(runs[1::2])
    found = [begins[0]]
    for end, begin in zip(ends, begins[1:], strict=False):
        if end < begin:
            found += (end, begin)
    found.append(ends[-1])
    return found
