"""What is asked of windows alone: whether they have the current tick, and which ticks they have."""

from lars2asp.analysis.window_edges import FOR_EVER, LeapingEdges
from lars2asp.analysis.windows import LastArrivals, Since, SpanWindow
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup, LookupKind


class AboutWindow:
    """The answer to a lookup about a window of ticks alone. O(1) a tick at which it is asked.

    Args:
        lookup: the lookup.
        start: the first tick of the timeline.
        complete: whether boxes need windows that lie wholly on it.

    Attributes:
        period: after how many ticks the answer repeats, while the window leaps; 0 if nobody knows.
        repeats_from: the first tick from which on it does.
    """

    def __init__(self, lookup: Lookup, start: int, *, complete: bool) -> None:
        if lookup.window is None or isinstance(lookup.window, LastArrivals | Since):
            raise ValueError(f"{lookup.title} needs a window of ticks")
        self._kind, self._window = lookup.kind, lookup.window
        self._start, self._complete = start, complete
        self.period, self.repeats_from = 0, start
        edges = lookup.window.edges(start) if isinstance(lookup.window, SpanWindow) else None
        if lookup.kind is not LookupKind.SPAN and isinstance(edges, LeapingEdges):
            self.period, self.repeats_from = edges.step, edges.when_whole or start

    def answer(self, now: int) -> list[Row]:
        """The answer at a tick."""
        runs = self._window.runs(now, self._start)
        is_refused = self._complete and not self._window.is_whole(now, self._start)
        match self._kind:
            case LookupKind.SPAN:
                return [*runs]
            case LookupKind.HAS_NOW:
                return [()] if self._has(now) else []
            case LookupKind.NOTHING_BEFORE:
                return [()] if runs == ((now, now),) and not is_refused else []
        if not runs or (is_refused and self._kind is LookupKind.BOX_TICKS):
            return []
        return [(sum(last - first + 1 for first, last in runs),)]

    def _has(self, now: int) -> bool:
        runs = self._window.runs(now, self._start)
        return bool(runs) and runs[-1][1] == now

    def next_after(self, now: int) -> int:
        """The first tick after one at which the answer may be another."""
        window, move = self._window, self._window.next_move(now)
        if window.leaps:
            return now + 1 if self._has(now) or move is None else move
        if self._kind is LookupKind.SPAN and move is not None:
            return move
        if self._kind in (LookupKind.TICKS, LookupKind.BOX_TICKS) and window.reach is None:
            return now + 1
        is_whole = window.is_whole(now, self._start)
        at_first = (tick for tick in window.after_start(self._start) if tick > now)
        return min(at_first, default=FOR_EVER if is_whole else now + 1)
