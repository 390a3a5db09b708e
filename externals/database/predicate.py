"""One predicate in the database: its streams, and the views of the lookups about it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar

from lars2asp.analysis.windows import Fixed, LastArrivals, Sliding, TimeWindow, Unbounded
from lars2asp.externals.database.answering import HistoryView, Spans
from lars2asp.externals.database.counts import Counts, CountView, ThresholdView
from lars2asp.externals.database.forms import View
from lars2asp.externals.database.history import History
from lars2asp.externals.database.recent import DiamondView, Recent
from lars2asp.externals.database.runs import BoxView, NowView, Runs
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.database.ticks import Ticks, TicksView
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import GROWING
from lars2asp.planning.lookups import Lookup, LookupKind

_Sized = TypeVar("_Sized", Recent, Ticks, Counts)
_LIGHT = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT, LookupKind.LEAST)
"""Kinds of lookups that have forms of their own for sliding windows."""


@dataclass(frozen=True)
class Settings:
    """What all predicates of a database have in common.

    Attributes:
        start: the first tick of the timeline.
        complete_windows: whether boxes need windows that lie wholly on the timeline.
        keeps_input: whether the input of predicates that are published at once is kept as far back as they
            are looked at.
        sweep_after: see Past.
    """

    start: int
    complete_windows: bool
    keeps_input: bool
    sweep_after: int


@dataclass(frozen=True)
class Origins:
    """Where the atoms of a predicate come from besides the input.

    Attributes:
        is_at_once: whether rules publish them and they enter the stream with that.
        is_apart: whether rules publish them and they do not enter it, or only when the tick is over.
        is_placed: whether rules place them at ticks.
        is_recorded: whether they are recorded when the tick is over.
        background: the rows that hold always.
    """

    is_at_once: bool = False
    is_apart: bool = False
    is_placed: bool = False
    is_recorded: bool = False
    background: tuple[Row, ...] = ()

    @property
    def is_late(self) -> bool:
        """Whether atoms of a tick may enter the stream when it is over."""
        return self.is_placed or self.is_recorded


class _Forms:
    """Makes the forms of a stream, each once, and the views that read them."""

    def __init__(self, stream: Stream, origins: Origins, settings: Settings) -> None:
        self.history: History | None = None
        self._stream = stream
        self._origins = origins
        self._settings = settings
        self._runs: Runs | None = None
        self._sized: dict[tuple[type[object], int], Recent | Ticks | Counts] = {}

    def now_view(self) -> View:
        """What holds at the current tick."""
        return NowView(self._runs_for(0), self._stream)

    def window_views(self, lookups: Collection[tuple[Lookup, TimeWindow]]) -> Iterator[tuple[Lookup, View]]:
        """Views of lookups about windows."""
        others = []
        for lookup, window in lookups:
            if isinstance(window, Sliding) and lookup.kind in _LIGHT and not self._origins.is_late:
                yield lookup, self._sliding(lookup, window.size)
            else:
                others.append((lookup, window))
        if others:
            self.history = self._new_history(others)
        for lookup, window in others:
            yield lookup, self._of_history(lookup, window)

    def _sliding(self, lookup: Lookup, size: int) -> View:
        stream = self._stream
        match lookup.kind:
            case LookupKind.IN | LookupKind.ALWAYS if not size:
                return self.now_view()
            case LookupKind.IN:
                return DiamondView(self._form(Recent, size), stream)
            case LookupKind.ALWAYS:
                start, complete = self._settings.start, self._settings.complete_windows
                return BoxView(self._runs_for(size), stream, size, start, complete=complete)
            case LookupKind.AT:
                return TicksView(self._form(Ticks, size), stream)
            case _:
                counts = self._form(Counts, size)
                return (
                    CountView(counts, stream)
                    if lookup.least is None
                    else ThresholdView(counts, stream, lookup.least)
                )

    def _form(self, kind: type[_Sized], size: int) -> _Sized:
        found = self._sized.get((kind, size))
        if not isinstance(found, kind):
            found = self._sized[kind, size] = kind(size, self._stream)
            self._stream.add_form(found)
        return found

    def _runs_for(self, size: int) -> Runs:
        if self._runs is None:
            self._runs = Runs(size, self._stream)
            self._stream.add_form(self._runs)
        self._runs.size = max(self._runs.size, size)
        return self._runs

    def _new_history(self, lookups: Collection[tuple[Lookup, TimeWindow]]) -> History:
        windows = [window for _, window in lookups]
        history = History(
            self._stream,
            None if Unbounded() in windows else max(w.reach for w in windows if not isinstance(w, Unbounded)),
            keeps_earlier=self._origins.is_placed
            or any(one.kind in GROWING or not isinstance(window, Sliding) for one, window in lookups),
            pinned=frozenset(window.tick for window in windows if isinstance(window, Fixed)),
            sweep_after=self._settings.sweep_after,
        )
        self._stream.add_form(history)
        return history

    def _of_history(self, lookup: Lookup, window: TimeWindow) -> View:
        assert self.history is not None
        spans = Spans(window, self._settings.start, complete=self._settings.complete_windows)
        is_late = self._origins.is_late
        return HistoryView(lookup, window, spans, self.history, self._stream, is_late=is_late)


class Predicate:
    """The streams of a predicate, and the views of the lookups about it that do not ask for arrivals.

    What must hold: `now` and `input` are `stream` where nothing tells them apart, or nobody asks for them.
    Each view reads a form of the stream that its lookup is about.

    Args:
        lookups: the lookups about the predicate.
        origins: where its atoms come from.
        settings: what all predicates have in common.

    Attributes:
        stream: its atoms in the stream, for windows.
        now: its atoms that hold at the current tick, for lookups of that.
        input: its atoms that the input has.
        streams: each of these once.
        published: those that what rules publish enters.
        history: all intervals of `stream`, if a lookup needs them.
        views: the views.
    """

    def __init__(self, lookups: Collection[Lookup], origins: Origins, settings: Settings) -> None:
        start, background = settings.start, origins.background
        kinds = {lookup.kind for lookup in lookups}
        self.stream = self.now = self.input = Stream(start, background, takes_more=origins.is_late)
        if LookupKind.NOW in kinds and (origins.is_apart or origins.is_late):
            self.now = Stream(start, () if origins.is_apart else background)
        keeps_input = origins.is_at_once and settings.keeps_input
        is_told_apart = origins.is_at_once or origins.is_late or background
        if keeps_input or (LookupKind.INPUT in kinds and is_told_apart):
            self.input = Stream(start, ignored=frozenset(() if origins.is_at_once else background))
        self.streams = tuple(dict.fromkeys((self.stream, self.now, self.input)))
        published = (
            *((self.stream,) if origins.is_at_once else ()),
            *((self.now,) if origins.is_at_once or self.now is not self.stream else ()),
        )
        self.published = tuple(dict.fromkeys(published))
        forms = {stream: _Forms(stream, origins, settings) for stream in self.streams}
        self.views: dict[Lookup, View] = {}
        about_windows = []
        for lookup in lookups:
            if lookup.kind is LookupKind.NOW:
                self.views[lookup] = forms[self.now].now_view()
            elif lookup.kind is LookupKind.INPUT:
                self.views[lookup] = forms[self.input].now_view()
            elif lookup.window is not None and not isinstance(lookup.window, LastArrivals):
                about_windows.append((lookup, lookup.window))
        self.views.update(forms[self.stream].window_views(about_windows))
        self.history = forms[self.stream].history
        if keeps_input:
            dict(forms[self.input].window_views(about_windows))

    def place(self, row: Row, tick: int, now: int) -> bool:
        """A row holds at a tick before the current one as well; gives whether that is new and of interest."""
        self.stream.settle(now)
        return self.history is not None and self.history.place(row, tick)

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        for stream in self.streams:
            stream.check_invariants()
