"""The interval database: the stream so far, and the answers to the lookups of a program."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from lars2asp.analysis.windows import (
    Fixed,
    Hopping,
    LastArrivals,
    Offsets,
    Sliding,
    TickWindow,
    TimeWindow,
    Tumbling,
    Unbounded,
)
from lars2asp.externals.arrivals import Arrivals, Contents
from lars2asp.externals.events import EventError, Events
from lars2asp.externals.history import NEVER, History
from lars2asp.externals.intervals import Interval, canonical
from lars2asp.externals.terms.terms import AtomRows, GroundAtom, Row
from lars2asp.externals.terms.text import atom_text
from lars2asp.externals.timer import GROWING, Alarms, Timer, after_start, next_growth, next_move
from lars2asp.externals.views import NO_CHANGES, BoxView, Changes, ComparedView, DiamondView, TicksView, View
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Published
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown

_NAME = re.compile(r"[_']*[a-z][A-Za-z0-9_']*")
_BEFORE = (LookupKind.ALWAYS_BEFORE, LookupKind.COUNT_BEFORE, LookupKind.LEAST_BEFORE)


def same_rows(rows: Iterable[Row]) -> list[Row]:
    """Writes, and reads, the rows of states that stay in the process."""
    return list(rows)


@dataclass(slots=True)
class _InputIntervals:
    """The input of the tick that is gathered, for one atom."""

    is_open: bool
    is_begun: bool = False
    """Whether it is open since this tick."""
    is_ended: bool = False
    """Whether an interval that was open before was ended."""
    until: int | None = None


@dataclass(slots=True)
class _Gathered:
    """The events of the tick that is gathered.

    Attributes:
        points: atoms that hold at the tick.
        intervals: all else, by the atoms.
        arriving: atoms in the order of their arrival, where a tuple window needs it.
        staged: the number of events in `intervals`.
    """

    points: list[AtomRows] = field(default_factory=list)
    intervals: dict[GroundAtom, _InputIntervals] = field(default_factory=dict)
    arriving: dict[GroundAtom, None] = field(default_factory=dict)
    staged: int = 0


class _KeptPredicate(NamedTuple):
    """The histories of a predicate.

    Attributes:
        stream: of its atoms in the stream, for windows.
        now: of its atoms that hold at the current tick.
        input: of its atoms that the input has.
        all: each of these histories once.
    """

    stream: History
    now: History
    input: History
    all: tuple[History, ...]


class Watched:
    """A lookup that is watched: a view, and the changes that it gave last."""

    __slots__ = ("_changes", "_tick", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._tick: int | None = None
        self._changes = NO_CHANGES

    def changes(self, now: int) -> Changes:
        """The changes of the answer by the current tick.

        They are valid only if this was called at the tick before as well, or at the first tick of the
        stream. Else take `answer` for what holds; from there on the changes are valid.
        """
        if self._tick != now:
            self._tick, self._changes = now, self._view.changes(now)
        return self._changes


class IntervalDatabase:
    """An interval stream that grows tick by tick (Eiter, Ogris, Schekotihin 2019, definition 2).

    Events are gathered for a tick; they count from its `commit` on. At a committed tick the database answers
    lookups and takes derived atoms. Ticks never go back, and `advance` passes those without input (also while
    a later tick is gathered).

    Args:
        start: the first tick of the timeline.
        lookups: all lookups to come; what they need is kept, nothing else.
        reach: how many ticks back each predicate is looked at (None: without end).
        placed: the predicates whose atoms may be placed at past ticks.
        recorded: the predicates that `record` is called for.
        published: those that `publish` is called for.
        background: atoms that hold always.
        complete_windows: whether boxes need windows that lie wholly on the timeline.
        keeps_input: whether the input of published predicates is kept apart as far back as they are looked
            at, for `adopt`.
        sweep_after: see Past.

    Attributes:
        facts: the number of events up to the current tick: atoms that held, began or ended by the input.
    """

    def __init__(
        self,
        start: int,
        lookups: Collection[Lookup],
        reach: Mapping[Signature, int | None],
        background: Iterable[AtomRows] = (),
        *,
        placed: Iterable[Signature] = (),
        recorded: Iterable[Signature] = (),
        published: Published | None = None,
        complete_windows: bool = False,
        keeps_input: bool = False,
        sweep_after: int = 0,
    ) -> None:
        self._start = start
        self._keeps_input = keeps_input
        self._sweep_after = sweep_after
        self._complete_windows = complete_windows
        self._published = published or Published()
        self._late = frozenset((*placed, *recorded))
        self._in_pieces = set(placed).union(
            lookup.signature
            for lookup in lookups
            if lookup.signature
            and (
                lookup.kind in GROWING
                or not (lookup.window is None or isinstance(lookup.window, Sliding | LastArrivals))
            )
        )
        self._reach = reach
        self._pinned: dict[Signature | None, set[int]] = {}
        for lookup in lookups:
            if isinstance(lookup.window, Fixed):
                self._pinned.setdefault(lookup.signature, set()).add(lookup.window.tick)
        self._looked_up = {lookup.signature for lookup in lookups}
        self._open_elsewhere: set[GroundAtom] = set()
        self._named: set[Signature] = set()
        """Predicates with names that a program can have."""
        self._predicates: dict[Signature, _KeptPredicate] = {}
        self._histories: list[History] = []
        self._arrivals = Arrivals(lookups)
        self._gathered = _Gathered()
        self._future: dict[int, dict[GroundAtom, None]] = {}
        self._timer = Timer()
        self._now = start
        self.facts = 0
        self._views: dict[Lookup, Watched] = {}
        kept = {
            lookup.signature
            for lookup in lookups
            if lookup.kind not in (LookupKind.INPUT, LookupKind.SCHEDULED)
        }
        for signature, rows in background:
            if signature in kept:
                stream = self._predicate(signature).stream
                for row in rows:
                    stream.keep(row, start)

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        kept = sum(map(len, self._histories)) + len(self._arrivals)
        return kept + sum(map(len, self._future.values()))

    def atoms(self) -> int:
        """The number of atoms of which intervals are kept."""
        found = self._arrivals.atoms().union(*self._future.values())
        for signature, predicate in self._predicates.items():
            for history in predicate.all:
                found.update(GroundAtom(signature, row) for row in history.rows())
        return len(found)

    def intervals(self, signature: Signature, row: Row) -> tuple[Interval, ...]:
        """The canonical intervals at which an atom holds, as far as they are kept.

        The last one ends at OPEN_END while it is open.
        """
        return self._predicate(signature).stream.intervals(row)

    # --- the stream grows -----------------------------------------------------------------------------

    def check(self, tick: int, events: Events) -> None:
        """Raises EventError if events of a tick cannot be taken.

        That is for names that no predicate of a program can have, for ends of atoms that are not open, and
        for facts that hold until a past tick. The tick may be later than the
        one that is being gathered.
        """
        if events.until is not None and events.until < tick:
            raise EventError(f"the facts hold until {events.until}, before their own tick {tick}")
        for signature, _ in (*events.facts, *events.begin, *events.end):
            if signature not in self._named:
                if not _NAME.fullmatch(signature.name):
                    problem = f"'{shown(signature.name)}' is no name of a predicate"
                    raise EventError(f"{problem}: an atom is a name or name(argument,...)")
                self._named.add(signature)
        for signature, rows in events.end:
            for row in rows:
                if not self._is_open(GroundAtom(signature, row)):
                    raise EventError(f"{shown(atom_text(signature, row))} ends but was not begun")

    def gather(self, tick: int, events: Events) -> None:
        """Takes events of the tick that is being gathered, which must have passed `check`."""
        gathered = self._gathered
        if events.until is None and self._arrivals.is_idle:
            gathered.points += events.facts
        if events.begin or events.end or events.until is not None or not self._arrivals.is_idle:
            self._stage(tick, events, gathered)

    def _stage(self, tick: int, events: Events, gathered: _Gathered) -> None:
        arriving = gathered.arriving
        for atom in _atoms(events.end):
            gathered.staged += 1
            staged = self._staged(atom)
            staged.is_ended = staged.is_ended or not staged.is_begun
            if staged.is_begun and staged.until is None:
                arriving.pop(atom, None)
            staged.is_open = staged.is_begun = False
        for atom in _atoms(events.begin):
            gathered.staged += 1
            staged = self._staged(atom)
            if not staged.is_open:
                staged.is_open = staged.is_begun = True
                arriving[atom] = None
        if events.until is None and self._arrivals.is_idle:
            return  # they are points
        until = tick if events.until is None else events.until
        for atom in _atoms(events.facts):
            gathered.staged += 1
            staged = self._staged(atom)
            arriving[atom] = None
            staged.until = until if staged.until is None else max(until, staged.until)

    def commit(self, tick: int) -> None:
        """Ends the gathering of a tick: from here on it is the current one."""
        gathered = self._gathered
        self.discard()
        self.facts += sum(len(rows) for _, rows in gathered.points) + gathered.staged
        self._go_on(tick)
        for atom, staged in gathered.intervals.items():
            signature, row = atom
            if signature in self._looked_up:
                for history in self._predicate(signature).all:
                    history.add_input(row, tick, staged.until, staged.is_open)
            elif staged.is_open:
                self._open_elsewhere.add(atom)
            else:
                self._open_elsewhere.discard(atom)
        for signature, rows in gathered.points:
            if signature in self._looked_up:
                for history in self._predicate(signature).all:
                    history.hold(rows, tick)
        if not self._arrivals.is_idle:
            for atom, staged in gathered.intervals.items():
                if staged.is_ended:
                    self._arrivals.end(atom, tick)
            for atom in gathered.arriving:
                staged = gathered.intervals[atom]
                if staged.is_begun or staged.until is not None:
                    self._arrivals.add_input(atom, tick, staged.until, staged.is_begun)
        self.advance(tick)

    def discard(self) -> None:
        """Forgets the events of a tick that is not committed."""
        self._gathered = _Gathered()

    def gather_as(self, other: "IntervalDatabase") -> None:
        """Takes the events that another database gathers; to be committed before more are gathered."""
        self._gathered = other._gathered

    @property
    def last_alarm(self) -> int:
        """The last tick known now at which an answer may change; -1 for none."""
        return self._timer.last

    def advance(self, tick: int) -> None:
        """Makes a tick the current one, without events of its own but those of the future log.

        Nothing may have changed at the ticks in between (`next_change`).
        """
        self._go_on(tick)
        self._timer.pass_by(tick)
        for signature, row in self._future.pop(tick, ()):
            for history in self._predicate(signature).all:
                history.interval_at(row, tick).extend(tick)
        for history in self._histories:
            history.advance(tick)

    def _go_on(self, tick: int) -> None:
        """Extends recorded atoms over the ticks that are passed over."""
        if tick - self._now > 1:
            for history in self._histories:
                history.go_on(tick - 1)
        self._now = tick

    def record(self, tick: int, signature: Signature, rows: Iterable[Row]) -> None:
        """Puts atoms that rules derived for the current tick into the stream."""
        if signature in self._looked_up:
            stream = self._predicate(signature).stream
            for row in rows:
                stream.record(row, tick)

    def publish(self, tick: int, signature: Signature, began: Iterable[Row], ended: Iterable[Row]) -> None:
        """Takes the atoms of a published predicate that rules derive from the current tick on, or no more.

        Those that are published at once hold in the stream meanwhile.
        """
        if signature in self._looked_up:
            history = self._predicate(signature).now
            history.derive(began, tick)
            history.underive(ended, tick)

    def place(self, now: int, tick: int, signature: Signature, row: Row) -> None:
        """Puts an atom that rules derived for a tick into the stream; for a later tick into the future log.

        Ticks before the start are passed over.
        """
        if tick > now:
            atoms = self._future.setdefault(tick, {})
            atom = GroundAtom(signature, row)
            if atom not in atoms:
                atoms[atom] = None
                self._timer.at(tick)
                self._timer.at(now + 1)
        elif tick == now:
            if signature in self._looked_up:
                self._predicate(signature).stream.interval_at(row, tick).extend(tick)
        elif tick >= self._start and signature in self._reach:
            stream = self._predicate(signature).stream
            if not stream.holds_at(row, tick):
                stream.place(row, tick)
                self._timer.at(now + 1)

    def _predicate(self, signature: Signature) -> _KeptPredicate:
        predicate = self._predicates.get(signature)
        if predicate is None:
            predicate = self._predicates[signature] = self._new_predicate(signature)
        return predicate

    def _new_predicate(self, signature: Signature) -> _KeptPredicate:
        stream = now = of_input = History(
            self._reach.get(signature, 0),
            keeps_earlier=signature in self._in_pieces,
            pinned=frozenset(self._pinned.get(signature, ())),
            alarms=Alarms(self._timer),
            sweep_after=self._sweep_after,
        )
        if signature in self._published.at_once:
            of_input = History(
                self._reach.get(signature, 0) if self._keeps_input else 0,
                keeps_earlier=self._keeps_input and signature in self._in_pieces,
                pinned=frozenset(self._pinned.get(signature, ())),
                alarms=Alarms(self._timer),
                sweep_after=self._sweep_after,
            )
        elif signature in self._published.apart:
            now = History(0, keeps_earlier=False, alarms=Alarms(self._timer))
        histories = tuple(dict.fromkeys((stream, now, of_input)))
        for history in histories:
            history.advance(self._now)
        self._histories += histories
        return _KeptPredicate(stream, now, of_input, histories)

    def _is_open(self, atom: GroundAtom) -> bool:
        staged = self._gathered.intervals.get(atom)
        if staged:
            return staged.is_open
        predicate = self._predicates.get(atom.signature)
        return atom in self._open_elsewhere or (predicate is not None and predicate.stream.is_open(atom.row))

    def _staged(self, atom: GroundAtom) -> _InputIntervals:
        staged = self._gathered.intervals.get(atom)
        if staged is None:
            staged = self._gathered.intervals[atom] = _InputIntervals(self._is_open(atom))
        return staged

    def adopt(self, other: "IntervalDatabase", *, with_derived: bool) -> None:
        """Takes over the stream of a database for the same start, which had all lookups of this one.

        Args:
            other: the database; it is not used any more.
            with_derived: whether atoms that rules derived before the current tick are part of the stream.
        """
        for signature, predicate in other._predicates.items():
            if signature in self._looked_up:
                self._predicate(signature).stream.adopt(predicate.stream if with_derived else predicate.input)
        self._open_elsewhere = other._open_elsewhere
        self._arrivals = other._arrivals
        self._gathered = other._gathered
        self._future = other._future
        self.facts = other.facts
        self._timer.restore(other._timer.state)

    def divide(self, whole: "IntervalDatabase") -> None:
        """Takes over the stream of a database without published predicates, when a tick is over.

        The atoms that rules derive at the next tick are still to be published.

        Args:
            whole: the database, for the same start and the same windows; it is not used any more.
        """
        now = self._now = whole._now
        self.facts = whole.facts
        open_elsewhere = whole._open_elsewhere
        self._open_elsewhere = {atom for atom in open_elsewhere if atom.signature not in self._looked_up}
        for history in whole._histories:
            history.settle()
        for signature in self._predicates.keys() - whole._predicates.keys():
            for history in self._predicates[signature].all:
                history.advance(now)
        for signature, predicate in whole._predicates.items():
            kept = predicate.stream.state(same_rows)
            if signature not in self._looked_up:
                self._open_elsewhere |= {GroundAtom(signature, row) for row in predicate.stream.open_rows()}
                continue
            first, *others = self._predicate(signature).all
            first.restore(kept, same_rows)
            runs = zip(kept["rows"], kept["runs"], strict=True)
            going_on = [(row, run) for row, run in runs if run[2] > now or run[3]]
            for_others = kept | {"points": [], "earlier": [], "recorded": []}
            for_others |= {"rows": [row for row, _ in going_on], "runs": [run for _, run in going_on]}
            for history in others:
                history.restore(for_others, same_rows)
        for atom in open_elsewhere - self._open_elsewhere:
            for history in self._predicate(atom.signature).all:
                history.add_input(atom.row, now, None, is_open=True)
        self._arrivals = whole._arrivals
        self._future = whole._future
        self._timer.restore(whole._timer.state)

    def state(self, write: Callable[[Iterable[Row]], list[Any]]) -> dict[str, Any]:
        """All that later ticks depend on when a tick is over, as JSON has it.

        Args:
            write: gives what stands for rows, for each one.
        """
        for history in self._histories:
            history.settle()
        return {
            "now": self._now,
            "facts": self.facts,
            "homes": [
                [[*signature], [history.state(write) for history in predicate.all]]
                for signature, predicate in self._predicates.items()
            ],
            "arrivals": self._arrivals.state(write),
            "future": [[tick, _written(atoms, write)] for tick, atoms in self._future.items()],
            "open_elsewhere": _written(self._open_elsewhere, write),
            "timer": self._timer.state,
        }

    def restore(self, state: Mapping[str, Any], read: Callable[[list[Any]], list[Row]]) -> None:
        """Takes over a state of a database made alike, before any input and before a lookup is watched."""
        self._now = state["now"]
        self.facts = state["facts"]
        for signature, histories in state["homes"]:
            for history, kept in zip(self._predicate(Signature(*signature)).all, histories, strict=True):
                history.restore(kept, read)
        self._arrivals.restore(state["arrivals"], read)
        for tick, atoms in state["future"]:
            self._future[tick] = dict.fromkeys(_read(atoms, read))
        self._open_elsewhere = set(_read(state["open_elsewhere"], read))
        self._timer.restore(state["timer"])

    def prime(self) -> None:
        """Makes the changes of all watched lookups valid from the current tick on."""
        for lookup in self._views:
            self.changes(lookup, self._now)

    # --- lookups --------------------------------------------------------------------------------------

    def answer(self, lookup: Lookup, now: int) -> list[Row]:
        """The answer to a lookup at the current tick, each row once or more.

        The rows of atoms; for AT and SCHEDULED followed by the tick, for COUNT by the number; rows of numbers
        for lookups of windows alone.
        """
        signature, window = lookup.signature, lookup.window
        if signature is None:
            return self._of_window(lookup.kind, window, now)
        if lookup.kind is LookupKind.SCHEDULED:
            return [
                (*atom.row, tick)
                for tick, atoms in self._future.items()
                for atom in atoms
                if atom.signature == signature
            ]
        if isinstance(window, LastArrivals):
            return self._of_arrivals(lookup, now)
        predicate = self._predicate(signature)
        if lookup.kind is LookupKind.NOW:
            return predicate.now.now(with_background=True)
        if window is None:
            return predicate.input.now(with_background=False)
        history = predicate.stream
        spans = self._spans(window, now if lookup.kind not in _BEFORE else now - 1, now)
        match lookup.kind:
            case LookupKind.IN:
                return self._in(history, spans, now)
            case LookupKind.ALWAYS | LookupKind.ALWAYS_BEFORE:
                if lookup.kind is LookupKind.ALWAYS_BEFORE and not self._has_now(window, now):
                    return []
                return [] if self._is_refused(window, now) else self._always(history, spans)
            case LookupKind.AT:
                return self._at(history, spans)
            case _:
                return _counted(self._counts(history, spans), lookup.least)

    def _spans(self, window: TimeWindow, last: int, now: int) -> tuple[Interval, ...]:
        """The intervals of a window up to `last`, ascending and apart."""
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

    def _of_window(self, kind: LookupKind, window: TickWindow | None, now: int) -> list[Row]:
        """The answer to a lookup of a window alone."""
        if window is None or isinstance(window, LastArrivals):
            raise ValueError(f"{kind} needs a window of ticks")
        spans = self._spans(window, now, now)
        match kind:
            case LookupKind.SPAN:
                return [*spans]
            case LookupKind.HAS_NOW:
                return [()] if self._has_now(window, now) else []
            case LookupKind.NOTHING_BEFORE:
                return [()] if spans == ((now, now),) and not self._is_refused(window, now) else []
            case _:
                is_refused = kind is LookupKind.BOX_TICKS and self._is_refused(window, now)
                return [(_size(spans),)] if spans and not is_refused else []

    def _in(self, history: History, spans: tuple[Interval, ...], now: int) -> list[Row]:
        if len(spans) == 1 and spans[0].end == now:
            return history.since(spans[0].begin)
        return [row for first, last in spans for row in history.between(first, last)]

    def _always(self, history: History, spans: tuple[Interval, ...]) -> list[Row]:
        if not spans:
            return []
        common = history.throughout(*spans[0])
        if len(spans) > 1:
            others = (history.throughout(*span) for span in spans[1:])
            common = list(set(common).intersection(*others))
        return common

    def _at(self, history: History, spans: tuple[Interval, ...]) -> list[Row]:
        return [
            (*row, tick)
            for first, last in spans
            for row, interval in history.spans(first, last)
            for tick in range(interval.begin, interval.end + 1)
        ]

    def _counts(self, history: History, spans: tuple[Interval, ...]) -> dict[Row, int]:
        counts: dict[Row, int] = {}
        for first, last in spans:
            for row, count in history.counts(first, last).items():
                counts[row] = counts.get(row, 0) + count
        return counts

    def _of_arrivals(self, lookup: Lookup, now: int) -> list[Row]:
        found: list[Row] = []
        for contents in self._arrivals.contents(lookup, now, self._start):
            found += self._of_contents(lookup, contents, now)
        return found

    def _of_contents(self, lookup: Lookup, contents: Contents, now: int) -> list[Row]:
        match lookup.kind:
            case LookupKind.IN:
                return [*contents.intervals]
            case LookupKind.ALWAYS:
                if self._complete_windows and not contents.is_whole:
                    return []
                return [
                    row
                    for row, intervals in contents.intervals.items()
                    if any(interval.begin <= contents.first and interval.end >= now for interval in intervals)
                ]
            case LookupKind.AT:
                return [
                    (*row, tick)
                    for row, intervals in contents.intervals.items()
                    for interval in intervals
                    for tick in range(interval.begin, interval.end + 1)
                ]
            case _:
                counts = {row: _size(intervals) for row, intervals in contents.intervals.items()}
                return _counted(counts, lookup.least)

    # --- changes --------------------------------------------------------------------------------------

    def watch(self, lookups: Iterable[Lookup]) -> list[Watched]:
        """The changes of lookups, from the next tick that is committed, or from the current one on."""
        found = []
        for lookup in lookups:
            if lookup not in self._views:
                self._views[lookup] = Watched(self._view(lookup))
                self._set_alarm(lookup)
            found.append(self._views[lookup])
        return found

    def changes(self, lookup: Lookup, now: int) -> Changes:
        """The changes of the answer to a watched lookup by the current tick (`Watched.changes`)."""
        return self._views[lookup].changes(now)

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer to a watched lookup may change.

        For the case that no input comes before, and rules derive what they derive now. None: at no tick.
        Answers that change by `next_growth` or `next_turn` are left out.
        """
        for history in self._histories:
            history.settle()
        return self._timer.next(now)

    def next_growth(self, lookup: Lookup, now: int) -> int | None:
        """The first tick after the current one at which an answer changes as an atom goes on to hold.

        For lookups of the kinds GROWING. None: at no tick.
        """
        signature, window = lookup.signature, lookup.window
        if signature is None or window is None:
            raise ValueError(f"{lookup} does not ask about a predicate in a window")
        if isinstance(window, LastArrivals):
            return self._arrivals.next_growth(now)
        if isinstance(window, Offsets) and lookup.kind is not LookupKind.AT:
            return None
        history = self._predicate(signature).stream
        if lookup.least is not None and _is_threshold(lookup):
            size = window.size if isinstance(window, Sliding) else None
            shifts = {lookup.kind in _BEFORE, lookup.kind in _BEFORE or signature in self._late}
            found = (history.next_count(size, lookup.least, now, shift=int(shift)) for shift in shifts)
            return min((tick for tick in found if tick is not None), default=None)
        is_growing = history.is_growing(_grows_since(lookup.kind, window, now))
        return next_growth(window, now) if is_growing else None

    def next_turn(self, lookup: Lookup, now: int) -> int | None:
        """The first tick after the current one at which the answer to a lookup of a window alone changes.

        For lookups for which `turns_by_itself` holds. None: at no tick.
        """
        kind, window = lookup.kind, lookup.window
        if isinstance(window, Fixed):
            return None  # `next_change` knows
        if (
            kind in (LookupKind.TICKS, LookupKind.BOX_TICKS)
            and isinstance(window, Sliding | Offsets | Hopping | Tumbling)
            and window.is_whole(now, self._start)
        ):
            return None
        if not isinstance(window, Hopping | Tumbling):
            return now + 1
        move = next_move(window, now)
        if kind not in (LookupKind.HAS_NOW, LookupKind.NOTHING_BEFORE):
            return move
        here = self._of_window(kind, window, now)
        turns = (t for t in (now + 1, move, move + 1) if self._of_window(kind, window, t) != here)
        return next(turns, None)

    def _set_alarm(self, lookup: Lookup) -> None:
        """Has the timer queue the ticks at which the answer to a lookup changes."""
        signature, window = lookup.signature, lookup.window
        for tick in after_start(window, self._start):
            self._timer.at(tick)
        if signature is None:
            return
        if isinstance(window, LastArrivals):
            self._arrivals.watch(lookup, self._timer)
            return
        predicate = self._predicate(signature)
        if _is_threshold(lookup):
            return
        is_shifted = signature in self._late or lookup.kind in _BEFORE
        for history in predicate.all:
            history.alarms.watch(lookup.kind, window, is_shifted=is_shifted)
            history.alarm()

    def _view(self, lookup: Lookup) -> View:
        signature, window = lookup.signature, lookup.window
        compared = ComparedView(partial(self.answer, lookup))
        if signature is None or lookup.kind is LookupKind.SCHEDULED:
            return compared
        predicate = self._predicate(signature)
        if lookup.kind is LookupKind.NOW and predicate.now is not predicate.stream:
            return DiamondView(predicate.now, 0, with_background=True)
        if signature in self._late:
            return compared
        if lookup.kind is LookupKind.NOW:
            return DiamondView(predicate.now, 0, with_background=True)
        if lookup.kind is LookupKind.INPUT:
            return DiamondView(predicate.input, 0, with_background=False)
        if not isinstance(window, Sliding):
            return compared
        match lookup.kind:
            case LookupKind.IN:
                return DiamondView(predicate.stream, window.size, with_background=True)
            case LookupKind.ALWAYS:
                return BoxView(predicate.stream, window.size, self._start, complete=self._complete_windows)
            case LookupKind.AT:
                return TicksView(predicate.stream, window.size)
            case _:
                return compared


def _grows_since(kind: LookupKind, window: TimeWindow, now: int) -> int:
    """The tick such that atoms that began after it, and hold on, change the answer at the next tick."""
    if kind is LookupKind.AT or isinstance(window, Unbounded | Fixed):
        return NEVER
    return now - window.reach


def _is_threshold(lookup: Lookup) -> bool:
    """Whether it is `at least` over a window that slides or only grows."""
    return lookup.least is not None and isinstance(lookup.window, Sliding | Unbounded)


def turns_by_itself(lookup: Lookup) -> bool:
    """Whether `next_turn`, and not `next_change`, knows when the answer may change."""
    return lookup.signature is None and not (
        lookup.kind is LookupKind.NOTHING_BEFORE and isinstance(lookup.window, Sliding | Offsets | Unbounded)
    )


def _counted(counts: Mapping[Row, int], least: int | None) -> list[Row]:
    """The rows followed by the numbers, or the rows with at least `least`."""
    if least is not None:
        return [row for row, count in counts.items() if count >= least]
    return [(*row, count) for row, count in counts.items()]


def _atoms(groups: Iterable[AtomRows]) -> Iterator[GroundAtom]:
    """Atoms, one after the other."""
    return (GroundAtom(signature, row) for signature, rows in groups for row in rows)


def _written(atoms: Iterable[GroundAtom], write: Callable[[Iterable[Row]], list[Any]]) -> list[Any]:
    """Atoms as JSON has them: predicates and rows."""
    by_predicate: dict[Signature, list[Row]] = {}
    for signature, row in atoms:
        by_predicate.setdefault(signature, []).append(row)
    return [[[*signature], write(rows)] for signature, rows in by_predicate.items()]


def _read(written: Iterable[Any], read: Callable[[list[Any]], list[Row]]) -> Iterator[GroundAtom]:
    """The atoms that were written."""
    return (GroundAtom(Signature(*signature), row) for signature, rows in written for row in read(rows))


def _size(intervals: Iterable[Interval]) -> int:
    """The number of ticks of intervals that lie apart."""
    return sum(last - first + 1 for first, last in intervals)
