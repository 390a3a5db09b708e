"""Closed intervals of ticks and their canonical form."""

from collections.abc import Iterable
from typing import NamedTuple

from lars2asp.analysis.window_edges import FOR_EVER

OPEN_END = FOR_EVER
"""The end of an interval that is open; later than every tick."""


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
