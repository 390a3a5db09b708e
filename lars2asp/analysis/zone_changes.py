"""The moments at which the clocks of a zone are changed, since 1970."""

from functools import cache
from itertools import pairwise
from typing import NamedTuple

from lars2asp.analysis.declared_time import zone_of
from lars2asp.analysis.tick_moments import DAY, EPOCH, moments_of

_LAST, _STEP = 70 * 366 * DAY, 7 * DAY
"""Clocks are looked at once a week, for 70 years: by then rules of zones are the same each year."""

SINCE_1980 = 3653 * DAY
"""Before, some zones had offsets that no zone has today, such as 44 minutes and 30 seconds."""


class Change(NamedTuple):
    """A moment at which clocks are changed, and the offsets before and after it, in microseconds."""

    moment: int
    before: int
    after: int


@cache
def changes_of(zone: str) -> tuple[Change, ...]:
    """The changes of a zone of the tz database; the first one says which offset it had in 1970."""
    clock = moments_of(1, EPOCH, zone_of(zone))
    first = clock.offset_at(0)
    found = [Change(0, first, first)]
    offsets = ((moment, clock.offset_at(moment)) for moment in range(0, _LAST, _STEP))
    for (begin, before), (end, after) in pairwise(offsets):
        if before != after:
            found.append(Change(clock.change_between(begin, end), before, after))
    return tuple(found)


def offsets_of(zone: str, since: int = 0) -> frozenset[int]:
    """All offsets that the zone has from a moment on, in microseconds."""
    changes = changes_of(zone)
    return frozenset(
        one.after
        for one, then in zip(changes, (*changes[1:], None), strict=True)
        if then is None or then.moment > since
    )


def longest_fold(zone: str) -> int:
    """By how much clocks were put back at most, in microseconds; a few hours in zones that never did."""
    return max(DAY // 8, *(one.before - one.after for one in changes_of(zone)))
