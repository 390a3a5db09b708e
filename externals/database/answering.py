"""Answers that are worked out anew when they are asked for: over fixed ticks, and of windows alone."""

from collections.abc import Iterable, Mapping

from lars2asp.analysis.windows import Fixed, LastArrivals, Since, TickWindow, TimeWindow
from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import ComparedView
from lars2asp.externals.database.forms.history import Pinned
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import Interval
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import BEFORE
from lars2asp.planning.lookups import Lookup, LookupKind


class Spans:
    """The ticks of a window.

    Args:
        window: the window.
        start: the first tick of the timeline.
        complete: whether boxes need windows that lie wholly on the timeline.
    """

    def __init__(self, window: TimeWindow, start: int, *, complete: bool) -> None:
        self._window = window
        self._start = start
        self._complete = complete

    def upto(self, last: int, now: int) -> tuple[Interval, ...]:
        """The intervals of the window up to a tick, ascending and apart."""
        runs = self._window.runs(now, self._start)
        return tuple(Interval(first, min(end, last)) for first, end in runs if first <= last)

    def has_now(self, now: int) -> bool:
        """Whether the window has the current tick."""
        spans = self.upto(now, now)
        return bool(spans) and spans[-1].end == now

    def is_refused(self, now: int) -> bool:
        """Whether boxes over the window fail because part of it lies before the start."""
        return self._complete and not self._window.is_whole(now, self._start)


class FixedTickView(ComparedView):
    """The answer to a lookup about a predicate at one tick of the timeline, once that has come.

    Args:
        lookup: the lookup.
        window: its window.
        start: the first tick of the timeline.
        history: of the predicate.
        stream: of the predicate.
    """

    def __init__(self, lookup: Lookup, window: Fixed, start: int, history: Pinned, stream: Stream) -> None:
        super().__init__()
        self._kind, self._least, self._tick = lookup.kind, lookup.least, window.tick
        self._is_before = lookup.kind in BEFORE
        self._is_there = window.tick >= start
        self._history = history
        self._stream = stream

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on."""
        super().watch(watched, now)
        self._stream.watch(watched, late=True)
        for tick in (self._tick, self._tick + 1):
            if tick > now:
                self._stream.agenda.call(tick, self)

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._stream.settle(now)
        if self._history.tick != now:
            self._history.take(now, (), set(), (), ())
        tick = self._tick
        if not self._is_there or now < tick + self._is_before:
            return []
        match self._kind:
            case LookupKind.IN | LookupKind.ALWAYS | LookupKind.ALWAYS_BEFORE:
                return self._history.throughout(tick, tick)
            case LookupKind.AT:
                return [(*row, tick) for row in self._history.throughout(tick, tick)]
            case _:
                return counted(dict.fromkeys(self._history.throughout(tick, tick), 1), self._least)


class WindowView(ComparedView):
    """The answer to a lookup about a window alone."""

    def __init__(self, kind: LookupKind, window: TickWindow | None, start: int, *, complete: bool) -> None:
        super().__init__()
        if window is None or isinstance(window, LastArrivals | Since):
            raise ValueError(f"{kind} needs a window of ticks")
        self._kind = kind
        self._spans = Spans(window, start, complete=complete)

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        spans = self._spans.upto(now, now)
        match self._kind:
            case LookupKind.SPAN:
                return [(first, last) for first, last in spans]
            case LookupKind.HAS_NOW:
                return [()] if self._spans.has_now(now) else []
            case LookupKind.NOTHING_BEFORE:
                return [()] if spans == ((now, now),) and not self._spans.is_refused(now) else []
            case _:
                is_refused = self._kind is LookupKind.BOX_TICKS and self._spans.is_refused(now)
                return [(_size(spans),)] if spans and not is_refused else []


def counted(counts: Mapping[Row, int], least: int | None) -> list[Row]:
    """The rows followed by the numbers, or the rows with at least `least`."""
    if least is not None:
        return [row for row, count in counts.items() if count >= least]
    return [(*row, count) for row, count in counts.items()]


def _size(intervals: Iterable[Interval]) -> int:
    """The number of ticks of intervals that lie apart."""
    return sum(last - first + 1 for first, last in intervals)
