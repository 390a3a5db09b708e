"""Which answers change by the passing of time alone, and who knows when.

When a window moves stands in its class (`lars2asp/analysis/windows.py`).
"""

from collections.abc import Iterable

from lars2asp.analysis.windows import LastArrivals, Offsets, Since, Sliding
from lars2asp.planning.lookups import Lookup, LookupKind

GROWING = (
    *(LookupKind.AT, LookupKind.COUNT, LookupKind.COUNT_BEFORE),
    *(LookupKind.LEAST, LookupKind.LEAST_BEFORE),
)
"""Kinds of lookups whose answers may change at each tick at which an atom holds, and after that."""

BEFORE = (LookupKind.ALWAYS_BEFORE, LookupKind.COUNT_BEFORE, LookupKind.LEAST_BEFORE)
"""Kinds of lookups that leave the current tick out."""


def earliest(ticks: Iterable[int | None]) -> int | None:
    """The first of ticks; None for never."""
    return min((tick for tick in ticks if tick is not None), default=None)


def turns_by_itself(lookup: Lookup) -> bool:
    """Whether `next_turn` of the database, and not `next_change`, knows when the answer may change."""
    window = lookup.window
    if lookup.signature is not None or isinstance(window, LastArrivals | Since | None):
        return False
    return lookup.kind is not LookupKind.NOTHING_BEFORE or window.leaps


def may_wait(lookup: Lookup) -> bool:
    """Whether the changes of the answer are right where ticks were not looked at, at which it changed."""
    window = lookup.window
    return lookup.signature is not None and not (
        lookup.kind in BEFORE
        or lookup.kind is LookupKind.SCHEDULED
        or isinstance(window, Offsets)
        or (lookup.kind is LookupKind.ALWAYS and isinstance(window, Sliding))
    )
