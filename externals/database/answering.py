"""Answers that are worked out anew when they are asked for: over windows that have no form of their own."""

from collections.abc import Iterable, Mapping

from lars2asp.analysis.windows import (
    Fixed,
    LastArrivals,
    Offsets,
    Sliding,
    SpanWindow,
    TickWindow,
    TimeWindow,
    Unbounded,
)
from lars2asp.externals.database.arrivals import Arrivals, Contents
from lars2asp.externals.database.form import NEVER, ComparedView, View
from lars2asp.externals.database.forms.history import History
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import BEFORE, Turns, earliest, next_count, next_growth
from lars2asp.externals.views import NO_CHANGES, Changes
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
        window = self._window
        if isinstance(window, Offsets):
            ticks = window.ticks(now, self._start)
            return canonical(Interval(tick, tick) for tick in ticks if tick <= last)
        if isinstance(window, Fixed):
            is_there = self._start <= window.tick <= last
            return (Interval(window.tick, window.tick),) if is_there else ()
        first, end = window.span(now, self._start)
        return canonical([Interval(first, min(end, last))])

    def has_now(self, now: int) -> bool:
        """Whether the window has the current tick."""
        spans = self.upto(now, now)
        return bool(spans) and spans[-1].end == now

    def is_refused(self, now: int) -> bool:
        """Whether boxes over the window fail because part of it lies before the start."""
        if not self._complete or isinstance(self._window, Fixed | Unbounded):
            return False
        return not self._window.is_whole(now, self._start)


class HistoryView(ComparedView):
    """The answer to a lookup about a predicate in a window of ticks that follow one another.

    Args:
        lookup: the lookup.
        window: its window.
        spans: the ticks of the window.
        history: of the predicate.
        stream: of the predicate.
        is_late: whether the atoms of a tick enter the stream when it is over.
    """

    def __init__(
        self,
        lookup: Lookup,
        window: SpanWindow | Fixed,
        spans: Spans,
        history: History,
        stream: Stream,
        *,
        is_late: bool,
    ) -> None:
        super().__init__()
        self._kind, self._least, self._window = lookup.kind, lookup.least, window
        self._spans = spans
        self._history = history
        self._stream = stream
        self._is_late = is_late
        self._turns = Turns(lookup.kind, window, is_shifted=is_late or lookup.kind in BEFORE)

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._stream.settle(now)
        spans = self._spans.upto(now - 1 if self._kind in BEFORE else now, now)
        if not spans:
            return []
        first, last = spans[0]
        match self._kind:
            case LookupKind.IN if last == now:
                return self._history.since(first)
            case LookupKind.IN:
                return [row for row, _ in self._history.spans(first, last)]
            case LookupKind.ALWAYS | LookupKind.ALWAYS_BEFORE:
                return [] if self._spans.is_refused(now) else self._history.throughout(first, last)
            case LookupKind.AT:
                return [
                    (*row, tick)
                    for row, interval in self._history.spans(first, last)
                    for tick in range(interval.begin, interval.end + 1)
                ]
            case _:
                return counted(self._history.counts(first, last), self._least)

    @property
    def _is_threshold(self) -> bool:
        """Whether it is `at least` over a window that slides or only grows."""
        return self._least is not None and isinstance(self._window, Sliding | Unbounded)

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer may change, but by growth."""
        if self._is_threshold:
            return None
        self._stream.settle(now)
        known = self._history.intervals().union((NEVER, end) for end in self._stream.known_ends())
        if self._stream.has_points:  # which may be recorded besides
            known.add((now, now))
        return earliest(tick for begin, end in known for tick in self._turns.after(begin, end, now))

    def next_growth(self, now: int) -> int | None:
        """The first tick after the current one at which the answer changes as an atom goes on to hold."""
        self._stream.settle(now)
        window, is_before = self._window, self._kind in BEFORE
        if self._least is not None and self._is_threshold:
            size = window.size if isinstance(window, Sliding) else None
            first = NEVER if size is None else now - size - 1
            spans = [
                (row, Interval(begin, self._stream.end_of(row) if end == OPEN_END else end))
                for row, (begin, end) in self._history.spans(first, OPEN_END)
            ]
            shifts = {is_before, is_before or self._is_late}
            return earliest(next_count(spans, size, self._least, now, shift=int(shift)) for shift in shifts)
        since = NEVER
        if self._kind is not LookupKind.AT and not isinstance(window, Unbounded | Fixed):
            since = now - window.reach
        return next_growth(window, now) if self._history.is_growing(since, now) else None


class ArrivalsView(ComparedView):
    """The answer to a lookup about a predicate in a tuple window."""

    def __init__(self, lookup: Lookup, arrivals: Arrivals, start: int, *, complete: bool) -> None:
        super().__init__()
        self._lookup = lookup
        self._arrivals = arrivals
        self._start = start
        self._complete = complete

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        contents = self._arrivals.contents(self._lookup, now, self._start)
        return [row for one in contents for row in self._of(one, now)]

    def _of(self, contents: Contents, now: int) -> Iterable[Row]:
        """The part of one group."""
        match self._lookup.kind:
            case LookupKind.IN:
                return contents.intervals
            case LookupKind.ALWAYS:
                if self._complete and not contents.is_whole:
                    return ()
                return (
                    row
                    for row, intervals in contents.intervals.items()
                    if any(begin <= contents.first and end >= now for begin, end in intervals)
                )
            case LookupKind.AT:
                return (
                    (*row, tick)
                    for row, intervals in contents.intervals.items()
                    for begin, end in intervals
                    for tick in range(begin, end + 1)
                )
            case _:
                counts = {row: _size(intervals) for row, intervals in contents.intervals.items()}
                return counted(counts, self._lookup.least)

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which a box ends."""
        return self._arrivals.next_end(now) if self._lookup.kind is LookupKind.ALWAYS else None

    def next_growth(self, now: int) -> int | None:
        """The next tick if an arrival in a window holds then."""
        return self._arrivals.next_growth(now)


class GroupsView(ArrivalsView):
    """The answer to a lookup about a predicate in a tuple window with groups.

    A row is of one group. Its changes come from the groups in which something arrived, or holds on.

    What must hold: `_rows` has the rows of each group that has some, as they were when `changes` was called
    last; they are still so in groups that are not in `_touched`.
    """

    def __init__(
        self, lookup: Lookup, window: LastArrivals, arrivals: Arrivals, start: int, *, complete: bool
    ) -> None:
        super().__init__(lookup, arrivals, start, complete=complete)
        if lookup.signature is None:
            raise ValueError(f"{lookup} does not ask for arrivals")
        self._touched = arrivals.touched(window, lookup.signature)
        self._rows: dict[Row, set[Row]] = {}

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        if not self._touched:
            return NO_CHANGES
        began: list[Row] = []
        ended: list[Row] = []
        groups = [*self._touched]
        contents = self._arrivals.contents(self._lookup, now, self._start, groups)
        for group, one in zip(groups, contents, strict=True):
            here, before = set(self._of(one, now)), self._rows.pop(group, set())
            began += here - before
            ended += before - here
            if here:
                self._rows[group] = here
            if all(intervals[-1].end < now for intervals in one.intervals.values()):
                del self._touched[group]
        return Changes(began, ended) if began or ended else NO_CHANGES


def arrivals_view(lookup: Lookup, arrivals: Arrivals, start: int, *, complete: bool) -> View:
    """The answer to a lookup about a predicate in a tuple window."""
    window = lookup.window
    if isinstance(window, LastArrivals) and window.group:
        return GroupsView(lookup, window, arrivals, start, complete=complete)
    return ArrivalsView(lookup, arrivals, start, complete=complete)


class WindowView(ComparedView):
    """The answer to a lookup about a window alone."""

    def __init__(self, kind: LookupKind, window: TickWindow | None, start: int, *, complete: bool) -> None:
        super().__init__()
        if window is None or isinstance(window, LastArrivals):
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
