"""One predicate in the database: its streams, and the views of the lookups about it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, assert_never

from lars2asp.analysis.window_edges import SlidingEdges
from lars2asp.analysis.windows import Fixed, LastArrivals, Offsets, Since, Sliding, SpanWindow, Unbounded
from lars2asp.externals.database.agenda import Agenda
from lars2asp.externals.database.answering import FixedTickView
from lars2asp.externals.database.form import View
from lars2asp.externals.database.forms.begins import Begins, KeysView
from lars2asp.externals.database.forms.counts import Counts
from lars2asp.externals.database.forms.history import Pinned
from lars2asp.externals.database.forms.news import News
from lars2asp.externals.database.forms.offsets import AllTicksView, OffsetsView
from lars2asp.externals.database.forms.recent import Recent
from lars2asp.externals.database.forms.runs import Runs
from lars2asp.externals.database.forms.since import SinceView
from lars2asp.externals.database.forms.spans import SpanTicksView, SpanView
from lars2asp.externals.database.forms.ticks import Ticks
from lars2asp.externals.database.forms.views import BoxView, FormView, ThresholdView
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass

_Sized = TypeVar("_Sized", bound=Recent | Ticks | Counts)
_LIGHT = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT, LookupKind.LEAST)
"""Kinds of lookups that have forms of their own for sliding windows."""


@dataclass(frozen=True)
class Settings:
    """What all predicates of a database have in common.

    Attributes:
        agenda: says what is due when.
        start: the first tick of the timeline.
        complete_windows: whether boxes need windows that lie wholly on the timeline.
        keeps_input: whether the input of predicates that are published at once is kept as far back as they
            are looked at.
        sweep_after: see Past.
    """

    agenda: Agenda
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


class _Room:
    """A stream, its forms, each once, and the views that read them."""

    def __init__(self, stream: Stream, settings: Settings) -> None:
        self.stream = stream
        self._history: Pinned | None = None
        self._news: News | None = None
        self._settings = settings
        self._runs: Runs | None = None
        self._begins: dict[str, Begins] = {}
        self._sized: dict[tuple[type[object], int], Recent | Ticks | Counts] = {}

    @property
    def is_used(self) -> bool:
        """Whether there are any."""
        return bool(self.stream.forms)

    def now_view(self) -> View:
        """What holds at the current tick."""
        return FormView(self._runs_for(0), self.stream)

    def sliding_view(self, lookup: Lookup, size: int) -> View:
        """The answer to a lookup about a sliding window that has a form of its own."""
        stream, least = self.stream, lookup.least
        match lookup.kind:
            case LookupKind.IN | LookupKind.ALWAYS if not size:
                return self.now_view()
            case LookupKind.IN:
                return FormView(self._form(Recent, size), stream)
            case LookupKind.ALWAYS:
                start, complete = self._settings.start, self._settings.complete_windows
                return BoxView(self._runs_for(size), stream, size, start, complete=complete)
            case LookupKind.AT:
                return FormView(self._form(Ticks, size), stream)
            case _:
                counts = self._form(Counts, size)
                return FormView(counts, stream) if least is None else ThresholdView(counts, stream, least)

    def _form(self, kind: type[_Sized], size: int) -> _Sized:
        found = self._sized.get((kind, size))
        if isinstance(found, kind):
            return found
        form = kind(size, self.stream)
        self._sized[kind, size] = form
        self.stream.add_form(form)
        return form

    def _runs_for(self, size: int) -> Runs:
        if self._runs is None:
            self._runs = Runs(size, self.stream)
            self.stream.add_form(self._runs)
        self._runs.size = max(self._runs.size, size)
        return self._runs

    def offsets_view(self, lookup: Lookup, window: Offsets) -> View:
        """The answer to a lookup about a window of offsets."""
        if lookup.kind is LookupKind.AT:
            edges = [SlidingEdges(self._settings.start, *run) for run in window.stretches]
            return SpanTicksView(edges, self._news_form(), self.stream)
        start, complete = self._settings.start, self._settings.complete_windows
        return OffsetsView(lookup, window, self._news_form(), self.stream, start, complete=complete)

    def all_ticks_view(self) -> View:
        """The answer to `at T` without a window."""
        return AllTicksView(self._news_form(), self.stream)

    def _news_form(self) -> News:
        if self._news is None:
            self._news = News(self.stream)
            self.stream.add_form(self._news)
        return self._news

    def span_view(self, lookup: Lookup, window: SpanWindow) -> View:
        """The answer to a lookup about a window whose ticks follow one another."""
        edges = window.edges(self._settings.start)
        if lookup.kind is LookupKind.AT:
            return SpanTicksView([edges], self._news_form(), self.stream)
        complete = self._settings.complete_windows
        return SpanView(lookup, edges, self._news_form(), self.stream, complete=complete)

    def fixed_views(self, lookups: Collection[tuple[Lookup, Fixed]]) -> Iterator[tuple[Lookup, View]]:
        """The answers to lookups about single ticks of the timeline."""
        if not lookups:
            return
        self._history = history = Pinned(
            self.stream,
            0,
            pinned=frozenset(window.tick for _, window in lookups),
            sweep_after=self._settings.sweep_after,
        )
        self.stream.add_form(history)
        for lookup, window in lookups:
            yield lookup, FixedTickView(lookup, window, self._settings.start, history, self.stream)

    def begins(self, window: Since) -> Begins:
        """When the windows of a kind begin, which the atoms of the predicate do."""
        name = str(window.key)
        if name not in self._begins:
            form = self._begins[name] = self.stream.begins[name] = Begins(window, self.stream)
            self.stream.add_form(form)
        return self._begins[name]

    def since_view(self, lookup: Lookup, window: Since, begins: Begins) -> View:
        """The answer to a lookup about a window that begins with an atom."""
        view = SinceView(lookup, window, begins, self.stream)
        self.stream.add_form(view)
        return view

    def place(self, row: Row, tick: int, now: int) -> bool:
        """A row holds at a tick before the current one as well; gives whether that is new and of interest."""
        self.stream.settle_forms(now)
        is_new = self._history is not None and self._history.place(row, tick)
        if self._news is not None and self._news.place(row, tick, now):
            is_new = True
        if is_new:
            self.stream.note_placed()
        return is_new


class Predicate:
    """The streams of a predicate, and the views of the lookups about it that do not ask for arrivals.

    What must hold: the streams have the same input, but that `input` may ignore some; each view reads a form
    of the stream that its lookup is about.

    Args:
        lookups: the lookups about the predicate.
        origins: where its atoms come from.
        settings: what all predicates have in common.

    Attributes:
        streams: its atoms in the stream, for sliding windows, and in whole intervals, for others; its atoms
            that hold at the current tick; its atoms that the input has. Each once, as far as somebody asks
            for it.
        published: those that what rules publish enters.
        views: the views.
        may_last: whether no window has the current tick, so that what is recorded may hold on in it.
    """

    def __init__(self, lookups: Collection[Lookup], origins: Origins, settings: Settings) -> None:
        start, background = settings.start, origins.background

        def room(
            background: Iterable[Row] = (), ignored: Iterable[Row] = (), *, takes_more: bool = False
        ) -> _Room:
            ignored = frozenset(ignored)
            stream = Stream(settings.agenda, start, background, ignored, takes_more=takes_more)
            return _Room(stream, settings)

        self._sliding = now = told = room(background)
        self._whole = room(background, takes_more=True)
        if origins.is_apart or origins.is_late:
            now = room(() if origins.is_apart else background)
        if origins.is_at_once or origins.is_late or background:
            told = room(ignored=() if origins.is_at_once else background)
        self._now, self._input = now, told
        self._since = [lookup for lookup in lookups if isinstance(lookup.window, Since)]
        self._begin_rooms = [self._whole]
        if origins.is_at_once and settings.keeps_input:
            self._begin_rooms.append(told)
        self._is_at_once, self._is_recorded = origins.is_at_once, origins.is_recorded
        windows = (lookup.window for lookup in lookups if not isinstance(lookup.window, LastArrivals | None))
        self.may_last = not any(window.includes_now for window in windows)
        self.views = dict(self._views(lookups, self._sliding, self._whole, origins))
        if origins.is_at_once and settings.keeps_input:
            about_windows = [lookup for lookup in lookups if lookup.window is not None]
            dict(self._views(about_windows, told, told, origins))
        self._at_once = (self._sliding, self._whole, now) if origins.is_at_once else ()
        self._apart = (now,) if origins.is_apart else ()
        self._find_streams()
        self._find_streams()

    def _find_streams(self) -> None:
        self.streams = _used(self._sliding, self._whole, self._now, self._input)
        self.published = _used(*self._at_once, *self._apart)

    def begin(self, windows: Iterable[Since]) -> None:
        """Atoms of the predicate begin windows."""
        for window in windows:
            for room in self._begin_rooms:
                room.begins(window)
        self._find_streams()

    def join(self, predicates: Mapping[Signature, "Predicate"]) -> None:
        """Makes the views of the lookups about windows that begin with atoms of some of the predicates."""
        for lookup in self._since:
            assert isinstance(lookup.window, Since)
            other = predicates[lookup.window.signature]
            begins = other._whole.begins(lookup.window)
            self.views[lookup] = self._whole.since_view(lookup, lookup.window, begins)
            if len(self._begin_rooms) > 1:
                told = other._begin_rooms[-1].begins(lookup.window)
                self._input.since_view(lookup, lookup.window, told)
        self._find_streams()

    def keys_view(self, kind: LookupKind, window: Since) -> View:
        """The answer to a lookup about the windows that its atoms begin."""
        return KeysView(kind, window, self._whole.begins(window))

    def load(self) -> None:
        """The streams go on from others."""
        for stream in self.streams:
            for form in stream.forms:
                if isinstance(form, SinceView):
                    form.load()

    def _views(
        self, lookups: Iterable[Lookup], sliding: _Room, whole: _Room, origins: Origins
    ) -> Iterator[tuple[Lookup, View]]:
        fixed = []
        for lookup in lookups:
            match lookup.window:
                case None if lookup.kind is LookupKind.NOW:
                    yield lookup, self._now.now_view()
                case None if lookup.kind is LookupKind.INPUT:
                    yield lookup, self._input.now_view()
                case None | LastArrivals() | Since():
                    pass  # those of windows that begin with an atom follow: `join`
                case Sliding(size) if lookup.kind in _LIGHT and not origins.is_late:
                    yield lookup, sliding.sliding_view(lookup, size)
                case Unbounded() if lookup.kind is LookupKind.AT:
                    yield lookup, whole.all_ticks_view()
                case SpanWindow() as window:
                    yield lookup, whole.span_view(lookup, window)
                case Offsets() as window:
                    yield lookup, whole.offsets_view(lookup, window)
                case Fixed() as window:
                    fixed.append((lookup, window))
                case window:
                    assert_never(window)
        yield from whole.fixed_views(fixed)

    @property
    def rooms(self) -> list[str]:
        """What each of its streams is for, in their order."""
        names = {"sliding": self._sliding, "whole": self._whole, "now": self._now, "input": self._input}
        rooms = [(name, room) for name, room in names.items() if room.is_used]
        return [" ".join(name for name, room in rooms if room.stream is one) for one in self.streams]

    def states_of(
        self,
        held: Mapping[Row, Sequence[int]],
        now: int,
        current: Collection[Row] | None,
        derives: Collection[Row],
        begun: Mapping[str, Mapping[Row, int]],
        opened: Mapping[Row, tuple[int, int]],
        told: Mapping[Row, tuple[int, bool]],
    ) -> list[dict[str, Any]]:
        """The states of the streams at the end of a tick, by when rows held (`Stream.state_of`).

        Of a predicate that rules publish or record it is said which rows are input. Of others rows that are
        known to hold on are. What rules derive at the tick may not be in the stream.
        """
        if self.published or self._is_recorded or told:
            apart, recorded = _used(*self._apart), _used(self._whole) if self._is_recorded else ()
            own = {row: [now, now + 1] for row in derives} if apart else {}
            by_input = opened, told
            by_rules, by_input_alone = (
                {row: (end, each) for row, (end, _) in told.items()} for each in (True, False)
            )
            return [
                one.state_with(own, now, opened, by_rules)
                if one in apart
                else one.state_with(held, now, *by_input, passes=True, begun=begun)
                if one in recorded
                else one.state_with(held, now, *by_input, begun=begun)
                if one in self.published
                else one.state_with({}, now, opened, by_input_alone)
                for one in self.streams
            ]
        states = (
            one.state_of(held, now + 1, is_told=True, current=current, begun=begun, opened=opened)
            for one in self.streams
        )
        return [one | {"tick": now} for one in states]

    def when_held(
        self, now: int, last: int, current: Mapping[Row, int], *, is_derived: bool
    ) -> dict[Row, list[int]] | None:
        """When rows held up to a last tick, the other way round (`Stream.when_held`).

        Of a predicate that rules derive no row may be input.
        """
        found: dict[Row, list[int]] = {}
        recorded = _used(self._whole) if self._is_recorded else ()
        for stream in self.streams:
            held = stream.when_held(now, last, current, passes=stream in recorded)
            is_own = stream in self.published or stream in recorded
            if held is None or (is_derived and held and (not is_own or stream.holds_told)):
                return None
            if recorded and stream not in recorded:  # it may have ticks without an answer stream
                continue
            for row, runs in held.items():
                found.setdefault(row, []).extend(runs)
        return found

    def begun(self, now: int) -> dict[str, Mapping[Row, int]]:
        """When windows last began that its atoms begin, by what makes them differ and their keys."""
        found: dict[str, Mapping[Row, int]] = {}
        for stream in dict.fromkeys((*self.published, *self.streams)):
            stream.settle(now)
            for name, one in stream.begins.items():
                found.setdefault(name, {**one.ticks})
        return found

    def add_now(self, rows: Iterable[Row], now: int) -> None:
        """Rules place rows at the current tick."""
        for stream in _used(self._sliding, self._whole):
            stream.add_points(list(rows), now)

    def record(self, rows: Iterable[Row], now: int) -> None:
        """Rules derived rows for the current tick, and for those that are passed over after it."""
        if self._whole.is_used:
            self._whole.stream.record(rows, now)

    def let_last(self, lasts: bool) -> None:
        """What is recorded holds on, or not, until `record_changes` says otherwise; between two ticks."""
        self._whole.stream.let_last(lasts)

    def record_changes(self, began: Iterable[Row], ended: Sequence[Row], now: int) -> None:
        """Rules derived what they did at the tick before but for some rows, and others besides."""
        if self._whole.is_used:
            self._whole.stream.record_changes(began, ended, now)

    def place(self, row: Row, tick: int, now: int) -> bool:
        """A row holds at a tick before the current one as well; gives whether that is new and of interest."""
        return self._whole.place(row, tick, now)

    def adopt(self, other: "Predicate", now: int, *, with_derived: bool, is_over: bool) -> None:
        """Goes on from another one (`IntervalDatabase.adopt`)."""
        about_windows = _used(other._sliding, other._whole) if with_derived or not other._is_at_once else ()
        told = _used(other._input, other._sliding, other._whole, other._now)[:1]
        for one in self.streams:
            if about_windows and one in _used(self._sliding, self._whole):
                one.adopt(about_windows, now, is_over=is_over)
            else:
                one.adopt(told, now, is_over=False)

    def check_invariants(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        for stream in self.streams:
            stream.check_invariants()


def _used(*rooms: _Room) -> tuple[Stream, ...]:
    """The streams that have forms, each once."""
    return tuple(dict.fromkeys(room.stream for room in rooms if room.is_used))
