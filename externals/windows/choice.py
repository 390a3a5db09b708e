"""The operator of a lookup: one for each kind of window, streaming atom, and relation under it."""

from collections.abc import Collection, Sequence

from lars2asp.analysis.window_edges import Edges, OneTick, SlidingEdges
from lars2asp.analysis.windows import Fixed, LastArrivals, Offsets, Since, Sliding, SpanWindow
from lars2asp.externals.operators import Operator
from lars2asp.externals.windows.growing import Growing, RunCounts, RunTicks
from lars2asp.externals.windows.points import (
    CountedPoints,
    LastArrival,
    LastPoints,
    PointTicks,
    RecentPoints,
)
from lars2asp.externals.windows.revised import Revised
from lars2asp.externals.windows.runs import (
    Delayed,
    HeldAt,
    OffsetCounts,
    RecentRuns,
    SpanCounts,
    Throughout,
    ThroughoutPast,
)
from lars2asp.externals.windows.since import SinceWindow
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

OF_THE_TICK = LookupKind.NOW, LookupKind.INPUT
"""Lookups of the current tick."""

_GROWING = LookupKind.AT, LookupKind.COUNT
"""Lookups whose answers change with each tick at which a row holds."""

_SERVED = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.LEAST, *_GROWING)

_ABOUT_WINDOWS = (
    LookupKind.HAS_NOW,
    LookupKind.NOTHING_BEFORE,
    LookupKind.SPAN,
    LookupKind.TICKS,
    LookupKind.BOX_TICKS,
)
"""Lookups about windows alone."""


def is_served(lookup: Lookup) -> bool:
    """Whether there is an operator for a lookup."""
    kind, window = lookup.asks, lookup.window
    if lookup.signature is None:
        return kind in _ABOUT_WINDOWS
    match window:
        case None:
            return kind in OF_THE_TICK
        case SpanWindow() | Offsets() | Since() | LastArrivals():
            return kind in _SERVED
        case Fixed():
            return kind is LookupKind.IN
    return False


def is_never(lookup: Lookup, own: Collection[Signature] = ()) -> bool:
    """Whether the answer has no row, whatever comes.

    The window has arrivals of another predicate, or the current tick alone, which is left out.

    Args:
        lookup: the lookup.
        own: see `growing_operator`.
    """
    window = lookup.window
    if isinstance(window, SpanWindow | Offsets) and _is_past(lookup, own):
        return window.ages == (0, 0)
    return isinstance(window, LastArrivals) and window.signature not in (None, lookup.signature)


def is_growing(lookup: Lookup) -> bool:
    """Whether the answer changes with each tick at which a row holds."""
    return lookup.asks in _GROWING and lookup.window is not None


def is_momentary(lookup: Lookup) -> bool:
    """Whether the answer to a lookup about facts that hold at single ticks has those of the current tick."""
    if lookup.kind in OF_THE_TICK:
        return True
    return lookup.kind in (LookupKind.IN, LookupKind.AT) and lookup.window == Sliding(0)


def operator_over_points(lookup: Lookup, start: int) -> Operator:
    """The operator over facts that hold at single ticks; not for `always`, nor if arrivals must be alike.

    Args:
        lookup: the lookup, which has a window.
        start: the first tick of the timeline.
    """
    kind, window = lookup.asks, lookup.window
    if isinstance(window, LastArrivals):
        if window.size == 1 and kind is LookupKind.IN:
            return LastArrival(window.group)
        least = None if kind is LookupKind.COUNT else lookup.least or 1
        return LastPoints(window.size, window.group, with_ticks=kind is LookupKind.AT, least=least)
    edges = _edges(lookup, start)
    if kind is LookupKind.AT:
        return PointTicks(edges)
    if kind is LookupKind.COUNT:
        return CountedPoints(edges, None)
    if kind is LookupKind.LEAST:
        return CountedPoints(edges, lookup.least or 1)
    match edges:
        case [SlidingEdges(_, last, int(first))]:
            return RecentPoints(last, first)
    return CountedPoints(edges, 1)


def growing_operator(
    lookup: Lookup,
    start: int,
    bodies: Sequence[Sequence[int]],
    own: Collection[Signature] = (),
) -> Growing:
    """The operator over rows that hold for a while, if the answer grows or the window begins with an atom.

    Args:
        lookup: the lookup.
        start: the first tick of the timeline.
        bodies: by bodies of rules the inputs that observe it.
        own: the predicates that its reader derives itself: their rows are known when the tick is over.
    """
    window = lookup.window
    if isinstance(window, Since):
        late = [place for place, one in ((0, lookup.signature), (2, window.signature)) if one in own]
        return SinceWindow(lookup, window, bodies, late, lag=_is_past(lookup, own))
    edges = _edges(lookup, start, own)
    return RunTicks(edges, bodies) if lookup.kind is LookupKind.AT else RunCounts(edges, bodies)


def revised_operator(
    lookup: Lookup, start: int, bodies: Sequence[Sequence[int]], *, complete: bool
) -> Growing:
    """The operator over rows of which more becomes known later.

    Args:
        lookup: the lookup, which has a window.
        start: the first tick of the timeline.
        bodies: by bodies of rules the inputs that observe it.
        complete: whether `always` needs windows that lie wholly on the timeline.
    """
    return Revised(lookup, _edges(lookup, start), bodies, start, complete=complete)


def operator_over_runs(
    lookup: Lookup, start: int, *, complete: bool, own: Collection[Signature] = ()
) -> Operator:
    """The operator over rows that hold for a while, if the answer does not grow.

    Args:
        lookup: the lookup, which has a window.
        start: the first tick of the timeline.
        complete: whether `always` needs windows that lie wholly on it.
        own: see `growing_operator`.
    """
    window = lookup.window
    match window:
        case Since():
            return growing_operator(lookup, start, [()], own)
        case Fixed(tick):
            return HeldAt(tick, start, lag=_is_past(lookup, own))
        case SpanWindow(leaps=True, includes_now=True) if _is_past(lookup, own) and (
            lookup.kind is LookupKind.ALWAYS
            or (window.most_ticks == 1 and lookup.asks is not LookupKind.LEAST)
        ):
            is_box = lookup.asks is LookupKind.ALWAYS
            return ThroughoutPast(window.edges(start), start, complete=complete and is_box)
    edges = _edges(lookup, start, own)
    match lookup.asks:
        case LookupKind.IN:
            match edges:
                case [SlidingEdges(_, last, first)] if last == first:
                    return Delayed(last)
            return RecentRuns(edges)
        case LookupKind.ALWAYS | LookupKind.LEAST if isinstance(lookup.window, Offsets):
            sliding = [one for one in edges if isinstance(one, SlidingEdges)]
            return OffsetCounts(sliding, lookup.least, start, complete=complete)
        case LookupKind.ALWAYS:
            return Throughout(edges[0], start, complete=complete)
        case LookupKind.LEAST:
            return SpanCounts(edges[0], lookup.least or 1)
    raise ValueError(f"no operator over runs for {lookup.title}")


def _is_past(lookup: Lookup, own: Collection[Signature]) -> bool:
    """Whether the answer has nothing of the current tick."""
    return lookup.leaves_out_now or lookup.signature in own


def _edges(lookup: Lookup, start: int, own: Collection[Signature] = ()) -> Sequence[Edges]:
    match lookup.window:
        case Offsets() as window:
            found: list[Edges] = [SlidingEdges(start, *stretch) for stretch in window.stretches]
        case SpanWindow() as window:
            found = [window.edges(start)]
        case Fixed(tick):
            found = [OneTick(start, tick)]
        case _:
            raise ValueError(f"{lookup.title} does not look at a window of ticks")
    if not _is_past(lookup, own):
        return found
    is_now = SlidingEdges(start, 0, 0)
    return [one.before() for one in found if one != is_now]
