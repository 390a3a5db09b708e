"""The interval database: the stream so far, and the answers to what a program asks of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clingo import Function, Number, Symbol

from externals.arrivals import Arrivals, Contents
from externals.events import EventError, Events
from externals.history import History
from externals.intervals import Interval, canonical
from externals.symbols import signature_of, with_tick
from lars2asp.plan import Lookup, LookupKind
from lars2asp.syntax import Signature
from lars2asp.windows import Fixed, LastArrivals, Offsets, Sliding, TickWindow, TimeWindow, Unbounded

_EMPTY = Function("", [])
_COUNTING = (LookupKind.AT, LookupKind.COUNT, LookupKind.COUNT_BEFORE)
_BEFORE = (LookupKind.ALWAYS_BEFORE, LookupKind.COUNT_BEFORE)


@dataclass(slots=True)
class _Told:
    """What the events of the current tick come to for one atom so far."""

    is_open: bool
    is_begun: bool = False
    """Whether it is open since this tick."""
    is_ended: bool = False
    """Whether an interval that was open before was ended."""
    until: int | None = None


class IntervalDatabase:
    """An interval stream that grows tick by tick (Eiter, Ogris, Schekotihin 2019, definition 2).

    Events are told for the tick that is gathered; they count from its `commit` on. At a committed tick the
    database answers what is asked and takes what was derived. Ticks never go back, and `advance` passes
    those at which nothing is told (also while a later tick is gathered).

    Args:
        start: the first tick of the timeline.
        lookups: all that will be asked; what they need is kept, nothing else.
        reach: how many ticks back each predicate is looked at (None: without end).
        placed: the predicates whose atoms may be placed at past ticks.
        background: atoms that hold always.
        complete_windows: whether boxes need windows that no part of lies before the start.
    """

    def __init__(
        self,
        start: int,
        lookups: Iterable[Lookup],
        reach: Mapping[Signature, int | None],
        background: Iterable[Symbol] = (),
        *,
        placed: Iterable[Signature] = (),
        complete_windows: bool = False,
    ) -> None:
        self._start = start
        self._complete_windows = complete_windows
        self._in_pieces = set(placed).union(
            lookup.signature
            for lookup in lookups
            if lookup.signature
            and (
                lookup.kind in _COUNTING
                or not (lookup.window is None or isinstance(lookup.window, Sliding | LastArrivals))
            )
        )
        self._reach = reach
        self._pinned: dict[Signature | None, set[int]] = {}
        for lookup in lookups:
            if isinstance(lookup.window, Fixed):
                self._pinned.setdefault(lookup.signature, set()).add(lookup.window.tick)
        self._asked = {lookup.signature for lookup in lookups}
        self._open_elsewhere: set[Symbol] = set()
        self._histories: dict[Signature, History] = {}
        self._background: dict[Signature, list[Symbol]] = {}
        for atom in background:
            self._background.setdefault(signature_of(atom), []).append(Function("", atom.arguments))
        self._arrivals = Arrivals(lookups)
        self._told: dict[Symbol, _Told] = {}
        self._arriving: dict[Symbol, None] = {}
        self._future: dict[int, dict[Symbol, None]] = {}

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        return sum(map(len, self._histories.values())) + sum(map(len, self._future.values()))

    def intervals(self, atom: Symbol) -> tuple[Interval, ...]:
        """The canonical intervals at which the stream says that an atom holds, as far as they are kept.

        The last one ends at OPEN_END while its end is not told.
        """
        return self._history(signature_of(atom)).intervals(atom)

    # --- the stream grows -----------------------------------------------------------------------------

    def check(self, tick: int, events: Events) -> None:
        """Raises EventError if events of a tick end what is not open, or hold until a tick that is past.

        The tick may be later than the one that is being gathered.
        """
        if events.until is not None and events.until < tick:
            raise EventError(f"the facts hold until {events.until}, before their own tick {tick}")
        for atom in events.end:
            if not self._is_open(atom):
                raise EventError(f"{atom} ends but was not begun")

    def tell(self, tick: int, events: Events) -> None:
        """Takes events of the tick that is being gathered. Raises EventError as `check` does."""
        self.check(tick, events)
        for atom in events.end:
            staged = self._staged(atom)
            staged.is_ended = staged.is_ended or not staged.is_begun
            if staged.is_begun and staged.until is None:
                self._arriving.pop(atom, None)
            staged.is_open = staged.is_begun = False
        for atom in events.begin:
            staged = self._staged(atom)
            if not staged.is_open:
                staged.is_open = staged.is_begun = True
                self._arriving[atom] = None
        until = tick if events.until is None else events.until
        for atom in events.facts:
            staged = self._staged(atom)
            self._arriving[atom] = None
            staged.until = until if staged.until is None else max(until, staged.until)

    def commit(self, tick: int) -> None:
        """Ends the gathering of a tick: from here on it is the current one."""
        for atom, told in self._told.items():
            signature = signature_of(atom)
            if signature in self._asked:
                self._history(signature).tell(atom, tick, told.until, told.is_open)
            elif told.is_open:
                self._open_elsewhere.add(atom)
            else:
                self._open_elsewhere.discard(atom)
        if not self._arrivals.is_idle:
            for atom, told in self._told.items():
                if told.is_ended:
                    self._arrivals.end(atom, tick)
            for atom in self._arriving:
                told = self._told[atom]
                if told.is_begun or told.until is not None:
                    self._arrivals.tell(atom, tick, told.until, told.is_begun)
        self.discard()
        self.advance(tick)

    def discard(self) -> None:
        """Forgets the events of a tick that is not committed."""
        self._told = {}
        self._arriving = {}

    def advance(self, tick: int) -> None:
        """Makes a tick the current one, without events of its own but those of the future log."""
        for atom in self._future.pop(tick, ()):
            history = self._history(signature_of(atom))
            history.tell(atom, tick, tick, history.is_open(atom))
        for history in self._histories.values():
            history.advance(tick)

    def record(self, tick: int, atoms: Iterable[Symbol]) -> None:
        """Puts atoms that rules derived for the current tick into the stream."""
        for atom in atoms:
            history = self._history(signature_of(atom))
            history.tell(atom, tick, tick, history.is_open(atom))

    def place(self, now: int, tick: int, atom: Symbol) -> None:
        """Puts an atom that rules derived for a tick into the stream, later ticks into the future log.

        Ticks before the start are passed over.
        """
        if tick > now:
            self._future.setdefault(tick, {})[atom] = None
        elif tick == now:
            self.record(now, [atom])
        elif tick >= self._start and signature_of(atom) in self._reach:
            self._history(signature_of(atom)).place(atom, tick)

    def _history(self, signature: Signature) -> History:
        history = self._histories.get(signature)
        if history is None:
            history = self._histories[signature] = History(
                self._reach.get(signature, 0),
                keeps_earlier=signature in self._in_pieces,
                pinned=frozenset(self._pinned.get(signature, ())),
            )
        return history

    def _is_open(self, atom: Symbol) -> bool:
        told = self._told.get(atom)
        if told:
            return told.is_open
        signature = signature_of(atom)
        if signature not in self._asked:
            return atom in self._open_elsewhere
        return self._history(signature).is_open(atom)

    def _staged(self, atom: Symbol) -> _Told:
        told = self._told.get(atom)
        if told is None:
            told = self._told[atom] = _Told(self._is_open(atom))
        return told

    # --- what programs ask ----------------------------------------------------------------------------

    def answer(self, lookup: Lookup, now: int) -> list[Symbol]:
        """The tuples that a lookup stands for at the current tick, each once or more.

        Arguments of atoms as tuples; for AT and SCHEDULED with the tick, for COUNT with the number as last
        argument; tuples of numbers for what is asked about windows alone.
        """
        signature, window = lookup.signature, lookup.window
        if signature is None:
            return self._about_window(lookup.kind, window, now)
        if lookup.kind is LookupKind.SCHEDULED:
            return [
                with_tick(Function("", atom.arguments), tick)
                for tick, atoms in self._future.items()
                for atom in atoms
                if signature_of(atom) == signature
            ]
        if isinstance(window, LastArrivals):
            return self._of_arrivals(lookup, now)
        history = self._history(signature)
        if window is None:
            return history.now()
        background = self._background.get(signature, [])
        spans = self._spans(window, now if lookup.kind not in _BEFORE else now - 1, now)
        match lookup.kind:
            case LookupKind.IN:
                return self._in(history, background, spans, now)
            case LookupKind.ALWAYS | LookupKind.ALWAYS_BEFORE:
                if lookup.kind is LookupKind.ALWAYS_BEFORE and not self._has_now(window, now):
                    return []
                return [] if self._is_refused(window, now) else self._always(history, background, spans)
            case LookupKind.AT:
                return self._at(history, background, spans)
            case _:
                return self._count(history, background, spans)

    def _spans(self, window: TimeWindow, last: int, now: int) -> tuple[Interval, ...]:
        """The stretches of ticks that a window has up to `last`, ascending and apart."""
        if isinstance(window, Offsets):
            ticks = window.ticks(now, self._start)
            return canonical(Interval(tick, tick) for tick in ticks if tick <= last)
        if isinstance(window, Fixed):
            is_there = self._start <= window.tick <= last
            return (Interval(window.tick, window.tick),) if is_there else ()
        first, end = window.span(now, self._start)
        return canonical([Interval(first, min(end, last))])

    def _has_now(self, window: TimeWindow, now: int) -> bool:
        spans = self._spans(window, now, now)
        return bool(spans) and spans[-1].end == now

    def _is_refused(self, window: TickWindow, now: int) -> bool:
        """Whether boxes over the window fail because part of it lies before the start."""
        if not self._complete_windows or isinstance(window, LastArrivals | Fixed | Unbounded):
            return False
        return not window.is_whole(now, self._start)

    def _about_window(self, kind: LookupKind, window: TickWindow | None, now: int) -> list[Symbol]:
        """What is asked about a window alone."""
        if window is None or isinstance(window, LastArrivals):
            raise ValueError(f"{kind} needs a window of ticks")
        spans = self._spans(window, now, now)
        match kind:
            case LookupKind.SPAN:
                return [Function("", [Number(first), Number(last)]) for first, last in spans]
            case LookupKind.HAS_NOW:
                return [_EMPTY] if self._has_now(window, now) else []
            case LookupKind.NOTHING_BEFORE:
                return [_EMPTY] if spans == ((now, now),) and not self._is_refused(window, now) else []
            case _:
                is_refused = kind is LookupKind.BOX_TICKS and self._is_refused(window, now)
                return [Function("", [Number(_size(spans))])] if spans and not is_refused else []

    def _in(
        self, history: History, background: list[Symbol], spans: tuple[Interval, ...], now: int
    ) -> list[Symbol]:
        if len(spans) == 1 and spans[0].end == now:
            return history.since(spans[0].begin) + background
        found = [arguments for first, last in spans for arguments in history.between(first, last)]
        return found + background if spans else []

    def _always(
        self, history: History, background: list[Symbol], spans: tuple[Interval, ...]
    ) -> list[Symbol]:
        if not spans:
            return []
        common = history.throughout(*spans[0])
        if len(spans) > 1:
            others = (history.throughout(*span) for span in spans[1:])
            common = list(set(common).intersection(*others))
        return common + background

    def _at(self, history: History, background: list[Symbol], spans: tuple[Interval, ...]) -> list[Symbol]:
        found = [
            with_tick(arguments, tick)
            for first, last in spans
            for arguments, interval in history.runs(first, last)
            for tick in range(interval.begin, interval.end + 1)
        ]
        return found + [
            with_tick(arguments, tick)
            for arguments in background
            for first, last in spans
            for tick in range(first, last + 1)
        ]

    def _count(self, history: History, background: list[Symbol], spans: tuple[Interval, ...]) -> list[Symbol]:
        counts: dict[Symbol, int] = {}
        for first, last in spans:
            for arguments, count in history.counts(first, last).items():
                counts[arguments] = counts.get(arguments, 0) + count
        if spans:
            counts.update(dict.fromkeys(background, _size(spans)))
        return [with_tick(arguments, count) for arguments, count in counts.items()]

    def _of_arrivals(self, lookup: Lookup, now: int) -> list[Symbol]:
        found: list[Symbol] = []
        for contents in self._arrivals.contents(lookup, now, self._start):
            found += self._of_contents(lookup.kind, contents, now)
        return found

    def _of_contents(self, kind: LookupKind, contents: Contents, now: int) -> list[Symbol]:
        match kind:
            case LookupKind.IN:
                return list(contents.intervals)
            case LookupKind.ALWAYS:
                if self._complete_windows and not contents.is_whole:
                    return []
                return [
                    arguments
                    for arguments, runs in contents.intervals.items()
                    if any(run.begin <= contents.first and run.end >= now for run in runs)
                ]
            case LookupKind.AT:
                return [
                    with_tick(arguments, tick)
                    for arguments, runs in contents.intervals.items()
                    for run in runs
                    for tick in range(run.begin, run.end + 1)
                ]
            case _:
                return [with_tick(arguments, _size(runs)) for arguments, runs in contents.intervals.items()]


def _size(intervals: Iterable[Interval]) -> int:
    """The number of ticks of intervals that lie apart."""
    return sum(last - first + 1 for first, last in intervals)
