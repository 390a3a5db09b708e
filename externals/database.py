"""The interval database: the stream so far, and the answers to what a program asks of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clingo import Function, Number, Symbol

from externals.events import EventError, Events
from externals.history import History
from externals.intervals import Interval
from externals.symbols import signature_of, with_tick
from lars2asp.plan import Lookup, LookupKind
from lars2asp.syntax import Signature
from lars2asp.windows import Fixed, Offsets, Sliding, TickWindow

_ONE = Number(1)


@dataclass(slots=True)
class _Told:
    """What the events of the current tick come to for one atom so far."""

    is_open: bool
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
        complete_windows: bool = False,
    ) -> None:
        self._start = start
        self._complete_windows = complete_windows
        self._stabbed = {
            lookup.signature
            for lookup in lookups
            if lookup.kind is LookupKind.AT or isinstance(lookup.window, Offsets | Fixed)
        }
        self._reach = reach
        self._pinned: dict[Signature | None, set[int]] = {}
        for lookup in lookups:
            if isinstance(lookup.window, Fixed):
                self._pinned.setdefault(lookup.signature, set()).add(lookup.window.tick)
        self._histories: dict[Signature, History] = {}
        self._background: dict[Signature, list[Symbol]] = {}
        for atom in background:
            self._background.setdefault(signature_of(atom), []).append(Function("", atom.arguments))
        self._told: dict[Symbol, _Told] = {}

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        return sum(map(len, self._histories.values()))

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
            self._staged(atom).is_open = False
        for atom in events.begin:
            self._staged(atom).is_open = True
        until = tick if events.until is None else events.until
        for atom in events.facts:
            staged = self._staged(atom)
            staged.until = until if staged.until is None else max(until, staged.until)

    def commit(self, tick: int) -> None:
        """Ends the gathering of a tick: from here on it is the current one."""
        for atom, told in self._told.items():
            self._history(signature_of(atom)).tell(atom, tick, told.until, told.is_open)
        self._told = {}
        self.advance(tick)

    def discard(self) -> None:
        """Forgets the events of a tick that is not committed."""
        self._told = {}

    def advance(self, tick: int) -> None:
        """Makes a tick the current one, without events of its own."""
        for history in self._histories.values():
            history.advance(tick)

    def record(self, tick: int, atoms: Iterable[Symbol]) -> None:
        """Puts atoms that rules derived for the current tick into the stream."""
        for atom in atoms:
            history = self._history(signature_of(atom))
            history.tell(atom, tick, tick, history.is_open(atom))

    def _history(self, signature: Signature) -> History:
        history = self._histories.get(signature)
        if history is None:
            history = self._histories[signature] = History(
                self._reach.get(signature, 0),
                keeps_earlier=signature in self._stabbed,
                pinned=frozenset(self._pinned.get(signature, ())),
            )
        return history

    def _is_open(self, atom: Symbol) -> bool:
        told = self._told.get(atom)
        return told.is_open if told else self._history(signature_of(atom)).is_open(atom)

    def _staged(self, atom: Symbol) -> _Told:
        told = self._told.get(atom)
        if told is None:
            told = self._told[atom] = _Told(self._is_open(atom))
        return told

    # --- what programs ask ----------------------------------------------------------------------------

    def answer(self, lookup: Lookup, now: int) -> list[Symbol]:
        """The tuples that a lookup stands for at the current tick, each once or more.

        Arguments of atoms as tuples; for AT with the tick as last argument; for NOTHING_BEFORE the number
        1 or nothing.
        """
        if lookup.kind is LookupKind.NOTHING_BEFORE:
            return [_ONE] if lookup.window and self._is_without_past(lookup.window, now) else []
        signature = lookup.signature
        if signature is None:
            raise ValueError(f"{lookup.kind} needs a predicate")
        history = self._history(signature)
        background = self._background.get(signature, [])
        match lookup.kind, lookup.window:
            case LookupKind.TOLD, _:
                return history.now()
            case LookupKind.IN, Sliding() as window:
                return history.since(window.span(now, self._start)[0]) + background
            case LookupKind.IN, window:
                ticks = self._ticks(window, now)
                found = [arguments for tick in ticks for arguments in history.at(tick)]
                return found + background if ticks else []
            case LookupKind.ALWAYS | LookupKind.ALWAYS_BEFORE, window:
                return self._always(history, background, window, now, lookup.kind)
            case _, window:
                return self._at(history, background, window, now)

    def _ticks(self, window: TickWindow | None, now: int) -> tuple[int, ...]:
        """The ticks of a window that names them one by one."""
        if isinstance(window, Offsets):
            return window.ticks(now, self._start)
        if isinstance(window, Fixed):
            return (window.tick,) if self._start <= window.tick <= now else ()
        raise ValueError(f"{window} has a span, not single ticks")

    def _is_without_past(self, window: TickWindow, now: int) -> bool:
        if self._is_refused(window, now):
            return False
        if isinstance(window, Offsets):
            return window.ticks(now, self._start) == (now,)
        return isinstance(window, Sliding) and window.span(now, self._start)[0] == now

    def _is_refused(self, window: TickWindow | None, now: int) -> bool:
        """Whether boxes over the window fail because part of it lies before the start."""
        return (
            self._complete_windows
            and isinstance(window, Sliding | Offsets)
            and not window.is_whole(now, self._start)
        )

    def _always(
        self,
        history: History,
        background: list[Symbol],
        window: TickWindow | None,
        now: int,
        kind: LookupKind,
    ) -> list[Symbol]:
        if self._is_refused(window, now):
            return []
        last = now if kind is LookupKind.ALWAYS else now - 1
        if isinstance(window, Sliding):
            first = window.span(now, self._start)[0]
            return history.throughout(first, last) + background if first <= last else []
        ticks = [tick for tick in self._ticks(window, now) if tick <= last]
        if not ticks:
            return []
        common = set(history.at(ticks[0]))
        for tick in ticks[1:]:
            common.intersection_update(history.at(tick))
        return [*common, *background]

    def _at(
        self, history: History, background: list[Symbol], window: TickWindow | None, now: int
    ) -> list[Symbol]:
        if window is None or isinstance(window, Offsets | Fixed):
            return [
                with_tick(arguments, tick)
                for tick in self._ticks(window, now)
                for arguments in [*history.at(tick), *background]
            ]
        first, last = window.span(now, self._start)
        found = [
            with_tick(arguments, tick)
            for arguments, interval in history.runs(first, last)
            for tick in range(interval.begin, interval.end + 1)
        ]
        return found + [
            with_tick(arguments, tick) for arguments in background for tick in range(first, last + 1)
        ]
