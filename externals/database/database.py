"""The interval database: the stream so far, and the answers to the lookups of a program."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.database.agenda import Agenda, Inbox, Watched
from lars2asp.externals.database.answering import WindowView
from lars2asp.externals.database.arrivals import Arrivals, LastRows
from lars2asp.externals.database.current_facts import CurrentFacts
from lars2asp.externals.database.foreknown_facts import ForeknownFacts
from lars2asp.externals.database.form import View
from lars2asp.externals.database.forms.begins import KeysView
from lars2asp.externals.database.forms.tuples import tuple_view
from lars2asp.externals.database.gathering import Gathering
from lars2asp.externals.database.invariants import checked
from lars2asp.externals.database.predicate import Origins, Predicate, Settings
from lars2asp.externals.database.schedule import Schedule, ScheduledView
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.database.watching import Watching
from lars2asp.externals.terms.table import ReadRows, WriteRows, same_rows, written_atoms
from lars2asp.externals.terms.terms import AtomRows, GroundAtom, Row
from lars2asp.externals.traces.foreknown import Foreknown
from lars2asp.externals.views import Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Published
from lars2asp.syntax.nodes import Signature

NOTHING_HELD: Mapping[Signature, HeldBy] = MappingProxyType({})
"""Stands for no predicate."""


class StreamSoFar(NamedTuple):
    """A stream up to the end of a tick, as far as lookups look back.

    Attributes:
        held: when rows held, by predicates: begins and the ticks after ends, in turns, in any order.
        arrived: the last arrivals, by lookups about them and groups (`Arrivals.state_of`).
        current: by predicates whose facts are held, those that hold on, until when if no others come.
        begun: when windows last began, by the predicates that begin them (`Stream.state_of`).
        facts: the number of facts of the input.
        merged: the numbers of those that were equal to another one of their tick.
    """

    held: Mapping[Signature, dict[Row, list[int]]]
    arrived: Mapping[Lookup, Mapping[Row, LastRows]]
    current: Mapping[Signature, Mapping[Row, int]]
    begun: Mapping[Signature, Mapping[str, Mapping[Row, int]]]
    facts: int
    merged: Mapping[Signature, int]


class IntervalDatabase:
    """An interval stream that grows tick by tick (Eiter, Ogris, Schekotihin 2019, definition 2).

    Events are gathered for a tick; they count from its `commit` on. At a committed tick the database answers
    lookups and takes derived atoms. Ticks never go back, and `advance` passes those without input (also while
    a later tick is gathered).

    What must hold: there is a predicate for each one that a lookup is about, and a view for each lookup.
    Nothing is known of ticks after the current one, but for atoms of the future log, and for the ends of what
    the input tells.

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
        on_placed: is told what is placed.
        held: the predicates whose facts of the input are held.
        foreknown: those of which it is known in advance when their atoms hold; the input has none of them.
        tables: those whose atoms are the rows of tables, of which the input has none.

    Attributes:
        facts: the number of events up to the current tick: atoms that held, began or ended by the input.
        agenda: says what is due when.
        gathering: gathers the input.
        check: raises EventError if events of a tick cannot be taken. That is for names that no predicate of a
            program can have, for ends of atoms that are not open, and for facts that hold until a past tick.
            The tick may be later than the one that is being gathered.
        gather: takes events of the tick that is being gathered, which must have passed `check`.
        gather_rows: takes rows of tables that begin and end at that tick; what ends must have begun.
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
        on_placed: Callable[[int, int, Signature, Row], None] | None = None,
        held: Mapping[Signature, HeldBy] = NOTHING_HELD,
        foreknown: Sequence[Foreknown] = (),
        tables: Collection[Signature] = (),
    ) -> None:
        self.facts = 0
        self._merged_before = Counter[Signature]()
        self._on_placed = on_placed
        self._start = self._now = start
        self._placed_at: int | None = None
        """The last tick at which an atom was placed."""
        self.agenda = Agenda(start)
        self._schedule = Schedule(self.agenda)
        self._arrivals = Arrivals(lookups)
        self.gathering = Gathering(
            in_order=not self._arrivals.is_idle,
            held=held,
            foreknown=frozenset(one.signature for one in foreknown),
            tables=tables,
        )
        self.check, self.gather = self.gathering.check, self.gathering.add
        self.gather_rows = self.gathering.add_rows
        settings = Settings(self.agenda, start, complete_windows, keeps_input, sweep_after)
        self._predicates = _predicates(
            lookups, background, settings, frozenset(placed), frozenset(recorded), published or Published()
        )
        self._current = {
            one: CurrentFacts(one, by, self._streams_of(one), self._arrivals, self.agenda)
            for one, by in held.items()
            if one in self._predicates or self._arrivals.counts(one)
        }
        looked_at = ((one, self._streams_of(one.signature)) for one in foreknown)
        recalled = {one.signature for one in lookups if one.window is not None and one.signature is not None}
        recalled |= {one.window.signature for one in lookups if isinstance(one.window, Since)}
        self._foreknown = ForeknownFacts((one for one in looked_at if one[1]), recalled, self.agenda, start)
        views: dict[Lookup, View] = {}
        for predicate in self._predicates.values():
            views |= predicate.views
        for lookup in lookups:
            if isinstance(lookup.window, Since):
                if lookup.signature is None:
                    begun = self._predicates[lookup.window.signature]
                    views[lookup] = begun.keys_view(lookup.kind, lookup.window)
            elif lookup.signature is None:
                views[lookup] = WindowView(lookup.kind, lookup.window, start, complete=complete_windows)
            elif lookup.kind is LookupKind.SCHEDULED:
                views[lookup] = ScheduledView(lookup.signature, self._schedule)
            elif isinstance(lookup.window, LastArrivals):
                views[lookup] = tuple_view(
                    lookup, self._arrivals, self.agenda, start, complete=complete_windows
                )
        self._views = views
        self._watching = Watching(views, start, self.agenda)

    @property
    def now(self) -> int:
        """The current tick."""
        return self._now

    def _streams_of(self, signature: Signature) -> tuple[Stream, ...]:
        predicate = self._predicates.get(signature)
        return () if predicate is None else predicate.streams

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        streams = (stream for predicate in self._predicates.values() for stream in predicate.streams)
        return sum(map(len, streams)) + len(self._arrivals) + len(self._schedule)

    def atoms(self) -> int:
        """The number of atoms of which intervals are kept."""
        found = self._arrivals.atoms().union(self._schedule.atoms())
        for signature, predicate in self._predicates.items():
            for stream in predicate.streams:
                found.update(GroundAtom(signature, row) for row in stream.rows())
        return len(found)

    def kept(self, lookups: Collection[Lookup]) -> int:
        """The number of intervals that are kept for lookups; of those about one window the largest."""
        found: dict[object, int] = {}
        for one in lookups:
            key = one.signature, one.window
            found[key] = max(found.get(key, 0), self._views[one].kept)
        return sum(found.values())

    @property
    def lookups(self) -> Collection[Lookup]:
        """The lookups that it answers."""
        return self._views.keys()

    @property
    def merged(self) -> Mapping[Signature, int]:
        """The number of facts that were equal to another one of their tick, by predicates looked at."""
        found = Counter(self._merged_before)
        gathered = dict(self.gathering.merged)  # a copy, as another thread may ask
        found.update({one: number for one, number in gathered.items() if self._is_looked_at(one)})
        for signature in {*self._predicates, *self._arrivals.merged}:
            predicate = self._predicates.get(signature)
            streams = () if predicate is None else predicate.streams
            found[signature] += max(
                (stream.merged for stream in streams), default=self._arrivals.merged[signature]
            )
        return +found

    def _is_looked_at(self, signature: Signature) -> bool:
        is_held = signature in self._current
        return is_held or signature in self._predicates or self._arrivals.counts(signature)

    # --- the stream grows -----------------------------------------------------------------------------

    def discard(self) -> None:
        """Forgets the events of a tick that is not committed."""
        self.gathering.discard()

    def gather_as(self, other: Gathering) -> None:
        """Takes the events that another one gathers; to be committed before more are gathered."""
        self.gathering.gather_as(other)

    @checked
    def commit(self, tick: int) -> None:
        """Ends the gathering of a tick: from here on it is the current one."""
        self._commit(tick)
        if self.agenda.beginning:
            self._begin_windows(tick)

    def _begin_windows(self, tick: int) -> None:
        """Those look since what came whose windows it begins."""
        beginning, self.agenda.beginning = self.agenda.beginning, {}
        for one in beginning:
            one.settle(tick)

    def _commit(self, tick: int) -> None:
        self._now = tick
        self.agenda.turn(tick)
        if self._schedule.ticks:
            self._take_scheduled(tick)
        if self._foreknown.due is not None and self._foreknown.due <= tick:
            self._foreknown.take(tick)
        gathering, predicates = self.gathering, self._predicates
        if not gathering.number:
            return
        self.facts += gathering.number
        for signature, rows in gathering.points:
            predicate = predicates.get(signature)
            if predicate is not None:
                for stream in predicate.streams:
                    stream.add_points(rows, tick)
        if gathering.points and not self._arrivals.is_idle:
            self._arrivals.add_points(gathering.in_turns(), tick)
        if gathering.told or gathering.current:
            gathering.commit()
            self._take_intervals(tick)
        gathering.discard()

    def _take_intervals(self, tick: int) -> None:
        gathering, predicates, arrivals = self.gathering, self._predicates, self._arrivals
        for (signature, row), told in gathering.told.items():
            if signature in predicates:
                for stream in predicates[signature].streams:
                    stream.tell(row, tick, told.until, told.is_open, is_ended=told.is_ended)
                    if GroundAtom(signature, row) in gathering.arriving:
                        stream.arrive([row], tick)
        for signature, facts in gathering.current.items():
            if signature in self._current:
                self._current[signature].take(facts, tick)
        if not arrivals.is_idle:
            for atom, told in gathering.told.items():
                if told.is_ended:
                    arrivals.end(atom, tick)
            for atom in gathering.arriving:
                if atom.signature in gathering.current:
                    arrivals.add_input(atom, tick, None, True)
                    continue
                told = gathering.told[atom]
                if told.is_begun or told.until is not None:
                    arrivals.add_input(atom, tick, told.until, told.is_begun)

    @checked
    def advance(self, tick: int) -> None:
        """Makes a tick the current one, without events of its own but those of the future log.

        Nothing may have changed at the ticks in between (`next_change`).
        """
        self._now = tick
        self.agenda.turn(tick)
        self._take_scheduled(tick)
        if self._foreknown.due is not None and self._foreknown.due <= tick:
            self._foreknown.take(tick)
        if self.agenda.beginning:
            self._begin_windows(tick)

    def _take_scheduled(self, tick: int) -> None:
        for signature, rows in self._schedule.due(tick).items():
            if signature in self._predicates:
                for stream in self._predicates[signature].streams:
                    stream.add_points(list(rows), tick)

    @checked
    def record(self, tick: int, signature: Signature, rows: Iterable[Row]) -> None:
        """Puts atoms that rules derived for the current tick into the stream."""
        if signature in self._predicates:
            self._predicates[signature].record(rows, tick)

    @checked
    def record_changes(self, tick: int, signature: Signature, changes: Changes) -> None:
        """Puts what rules derived for the current tick into the stream, where what was recorded lasts.

        Args:
            tick: the current tick.
            signature: the predicate.
            changes: of what was recorded at the tick evaluated before.
        """
        if signature in self._predicates and any(changes):
            self._predicates[signature].record_changes(changes.began, changes.ended, tick)

    def let_last(self, signatures: Collection[Signature]) -> bool:
        """What is recorded of predicates lasts until `record_changes` says otherwise; gives whether it may.

        It may where no window has the current tick. To be called when a tick is over, and was recorded.
        """
        found = [self._predicates[one] for one in signatures if one in self._predicates]
        may_last = all(predicate.may_last for predicate in found)
        for predicate in found if may_last else ():
            predicate.let_last(True)
        return may_last

    def let_pass(self, signatures: Iterable[Signature]) -> None:
        """What is recorded of predicates lasts no more: it ends with the tick before the next one."""
        for signature in signatures:
            if signature in self._predicates:
                self._predicates[signature].let_last(False)

    @checked
    def publish(self, tick: int, signature: Signature, began: Sequence[Row], ended: Sequence[Row]) -> None:
        """Takes the atoms of a published predicate that rules derive from the current tick on, or no more.

        Those that are published at once hold in the stream meanwhile.
        """
        if signature in self._predicates:
            for stream in self._predicates[signature].published:
                stream.derive(began, tick)
                stream.underive(ended, tick)
        if self.agenda.beginning:
            self._begin_windows(tick)

    @checked
    def place(self, now: int, tick: int, signature: Signature, row: Row) -> None:
        """Puts an atom that rules derived for a tick into the stream; for a later tick into the future log.

        Ticks before the start are passed over.
        """
        if self._on_placed is not None:
            self._on_placed(now, tick, signature, row)
        predicate = self._predicates.get(signature)
        if tick > now:
            is_new = self._schedule.place(tick, signature, row)
        elif tick == now:
            is_new = False
            if predicate is not None:
                predicate.add_now([row], tick)
        else:
            is_new = tick >= self._start and predicate is not None and predicate.place(row, tick, now)
        if is_new:
            self._placed_at = now

    # --- states ---------------------------------------------------------------------------------------

    @checked
    def adopt(self, other: "IntervalDatabase", *, with_derived: bool = True, is_over: bool = False) -> None:
        """Takes over the stream of a database for the same start, predicates and windows, or more of them.

        Args:
            other: the database; it is not used any more.
            with_derived: whether atoms that rules derived before the current tick are part of the stream.
            is_over: whether the current tick is over. If so, no predicate of the other one was published, and
                the atoms that rules derive at the next tick are still to be published here.
        """
        self._now, self.facts, self._placed_at = other._now, other.facts, other._placed_at
        self.agenda.now = self._now
        self.gathering.open = other.gathering.open
        self._merged_before = Counter(other.merged)
        self.gathering.gather_as(other.gathering)
        self._arrivals.go_on(other._arrivals)
        self._schedule.go_on(other._schedule)
        for signature, predicate in self._predicates.items():
            before = other._predicates[signature]
            predicate.adopt(before, self._now, with_derived=with_derived, is_over=is_over)
        self._load()
        for signature, current in self._current.items():
            current.go_on(other._current[signature])
        self._foreknown.go_on(self._now)

    def state(self, write: WriteRows) -> dict[str, Any]:
        """All that later ticks depend on when a tick is over, as JSON has it.

        Args:
            write: gives what stands for rows, for each one.
        """
        merged = [[[*signature], number] for signature, number in self.merged.items()]
        current = [[[*signature], one.state(write)] for signature, one in self._current.items()]
        return {
            "now": self._now,
            "facts": self.facts,
            "placed_at": self._placed_at,
            "predicates": [
                [[*signature], [stream.state(write, self._now) for stream in predicate.streams]]
                for signature, predicate in self._predicates.items()
            ],
            "arrivals": self._arrivals.state(write),
            "future": self._schedule.state(write),
            "open": self.gathering.state(write),
            **({"merged": merged} if merged else {}),
            **({"current": current} if current else {}),
        }

    @property
    def rooms(self) -> dict[Signature, list[str]]:
        """In which form each predicate is kept; a state fits a database that has the same for each."""
        return {signature: predicate.rooms for signature, predicate in self._predicates.items()}

    def state_of(
        self,
        held: Mapping[Signature, Mapping[Row, Sequence[int]]],
        arrived: Mapping[Lookup, Mapping[Row, LastRows]],
        current: Mapping[Signature, Mapping[Row, int]],
        derives: Mapping[Signature, Collection[Row]],
        begun: Mapping[Signature, Mapping[str, Mapping[Row, int]]],
        now: int,
        facts: int,
        merged: Mapping[Signature, int],
        opened: Mapping[Signature, Mapping[Row, tuple[int, int]]],
        told: Mapping[Signature, Mapping[Row, tuple[int, bool]]],
        future: Mapping[int, Mapping[Signature, Collection[Row]]],
    ) -> dict[str, Any]:
        """The state at the end of a tick of a stream that was evaluated elsewhere, with rows as they are.

        Args:
            held: when rows held, by predicates, as far back as windows look (`Stream.state_of`).
            arrived: the last arrivals, by lookups about them and groups (`Arrivals.state_of`).
            current: of predicates whose facts are held those that hold at the tick after, until when.
            derives: what rules derive at the tick.
            begun: when windows last began, by the predicates that begin them (`Stream.state_of`).
            now: the tick.
            facts: the number of facts of the input up to it.
            merged: the numbers of those that were equal to another one of their tick.
            opened: the rows that are open, with the ticks behind the last ones of facts, and of facts with
                which they arrived.
            told: of predicates that rules derive what holds by the input at the tick, with the ticks behind
                the last ones, and whether it is recorded, as the tick has an answer stream.
            future: by later ticks what rules have placed there.
        """
        facts_held = {signature: current.get(signature, {}) for signature in self._current}
        return {
            "now": now,
            "facts": facts,
            "placed_at": None,
            "predicates": [
                [
                    [*one],
                    each.states_of(
                        held.get(one, {}),
                        now,
                        facts_held.get(one),
                        derives.get(one, ()),
                        begun.get(one, {}),
                        opened.get(one, {}),
                        told.get(one, {}),
                    ),
                ]
                for one, each in self._predicates.items()
            ],
            "arrivals": self._arrivals.state_of(arrived, now, opened),
            "future": [[tick, written_atoms(rows.items(), same_rows)] for tick, rows in future.items()],
            "open": written_atoms(opened.items(), same_rows),
            "merged": [[[*signature], number] for signature, number in merged.items()],
            "current": [[[*one], [[*rows], [*rows.values()]]] for one, rows in facts_held.items()],
        }

    def so_far(self, last: int, derived: Collection[Signature]) -> StreamSoFar | None:
        """The stream up to a last tick, at which nothing has changed since the current one, for `state_of`.

        None where something is known of later ticks but the ends of facts, or where it cannot be had so: for
        rows that are open, placed or recorded, or arrive for more than a tick and are not held; and where the
        input has rows of predicates that rules derive.
        """
        if self.gathering.open or self._schedule.ticks or self._placed_at is not None:
            return None
        current = {signature: one.rows() for signature, one in self._current.items()}
        held: dict[Signature, dict[Row, list[int]]] = {}
        arrived: dict[Lookup, Mapping[Row, LastRows]] = {}
        for signature, predicate in self._predicates.items():
            facts = current.get(signature, {})
            runs = predicate.when_held(self._now, last, facts, is_derived=signature in derived)
            if runs is None:
                return None
            held[signature] = runs
        for lookup in self._views:
            if isinstance(lookup.window, LastArrivals) and lookup.signature is not None:
                if lookup.window.signature not in (None, lookup.signature):
                    continue
                some = self._arrivals.last(lookup, self._current, derived)
                if some is None:
                    return None
                arrived[lookup] = some
        begun = {one: predicate.begun(self._now) for one, predicate in self._predicates.items()}
        return StreamSoFar(held, arrived, current, begun, self.facts, self.merged)

    @checked
    def restore(
        self,
        state: Mapping[str, Any],
        read: ReadRows,
        streams_of: Mapping[Signature, Sequence[int]] | None = None,
    ) -> None:
        """Takes over a state of a database made alike, before any input and before a lookup is watched.

        Of a changed program it is said from which of the streams of the state each stream of a predicate goes
        on; of predicates that are not named nothing is known yet.
        """
        self._now, self.facts, self._placed_at = state["now"], state["facts"], state["placed_at"]
        self.agenda.now = self._now
        for signature, streams in state["predicates"]:
            one = Signature(*signature)
            if streams_of is not None and one not in streams_of:
                continue
            numbers = range(len(streams)) if streams_of is None else streams_of[one]
            for stream, number in zip(self._predicates[one].streams, numbers, strict=True):
                stream.restore(streams[number], read)
        self._arrivals.restore(state["arrivals"], read)
        self._schedule.restore(state["future"], read)
        self.gathering.restore(state["open"], read)
        self._load()
        self._merged_before = Counter({Signature(*one): number for one, number in state.get("merged", ())})
        for signature, facts in state.get("current", ()):
            self._current[Signature(*signature)].restore(facts, read)
        self._foreknown.go_on(self._now)

    def _load(self) -> None:
        for predicate in self._predicates.values():
            predicate.load()
        for view in self._views.values():
            if isinstance(view, KeysView):
                view.load()

    # --- lookups --------------------------------------------------------------------------------------

    def answer(self, lookup: Lookup, now: int) -> Sequence[Row]:
        """The answer to a lookup at the current tick, each row once or more.

        The rows of atoms; for AT and SCHEDULED followed by the tick, for COUNT by the number; rows of numbers
        for lookups of windows alone.
        """
        return self._views[lookup].answer(now)

    def has_answer(self, lookup: Lookup, now: int) -> bool:
        """Whether the answer to a lookup at the current tick has a row."""
        return self._views[lookup].has_answer(now)

    def watch(
        self,
        lookups: Iterable[Lookup],
        inbox: Inbox,
        patient: Collection[Lookup] = (),
        guards: Iterable[Signature] = (),
    ) -> list[Watched]:
        """The changes of lookups, from the next tick that is committed, or from the current one on.

        From then on a lookup lies in the inbox whenever its answer may have changed.

        Args:
            lookups: the lookups.
            inbox: of who looks at them.
            patient: those of which it is enough to be told when something happens, as long as the inbox is
                not among the agenda's `moments`, and no atom of the guards holds on.
            guards: the predicates.
        """
        for guard in guards:
            self.agenda.guards |= dict.fromkeys(self._predicates[guard].streams)
        return self._watching.watch(lookups, inbox, self._now, patient)

    def holds_on(self, signature: Signature) -> bool:
        """Whether an atom of a predicate that somebody looks at holds on from the current tick."""
        return any(stream.held for stream in self._predicates[signature].streams)

    def release(self, inbox: Inbox) -> None:
        """What lies in an inbox is not watched any more for its reader; to be called between two ticks."""
        self._watching.release(inbox)

    def changes(self, lookup: Lookup, now: int) -> Changes:
        """The changes of the answer to a watched lookup by the current tick (`Watched.changes`)."""
        return self._watching.changes(lookup, now)

    def prime(self) -> None:
        """Makes the changes of watched lookups valid from the current tick on, which is that of a state."""
        self._watching.prime(self._now)
        for predicate in self._predicates.values():
            for stream in predicate.streams:
                stream.record_again()

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer to a watched lookup may change.

        For the case that no input comes before, and rules derive what they derive now. None: at no tick.
        Answers that change by `next_growth` or `next_turn` are left out.
        """
        found = self.agenda.next(now)
        return now + 1 if self._placed_at == now else found

    def next_growth(self, lookup: Lookup, now: int) -> int | None:
        """The first tick after the current one at which an answer changes as an atom goes on to hold.

        For lookups of the kinds GROWING. None: at no tick.
        """
        if lookup.signature is None or lookup.window is None:
            raise ValueError(f"{lookup} does not ask about a predicate in a window")
        return self._views[lookup].next_growth(now)

    def next_turn(self, lookup: Lookup, now: int) -> int | None:
        """The first tick after the current one at which the answer to a lookup of a window alone changes.

        For lookups for which `turns_by_itself` holds. None: at no tick.
        """
        return self._watching.next_turn(lookup, now)

    @property
    def last_alarm(self) -> int:
        """The last tick known now at which an atom begins or ends to hold; -1 for none."""
        streams = (stream for predicate in self._predicates.values() for stream in predicate.streams)
        ends = [*(one.last_end for one in streams), *(one.last_end for one in self._current.values())]
        return max([*ends, self._arrivals.last_end, self._schedule.last], default=-1) + 1

    def check_invariants(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        self.gathering.check_invariants()
        self.agenda.check_invariants(self._now)
        self._schedule.check_invariants(self._now)
        for predicate in self._predicates.values():
            predicate.check_invariants()
        for current in self._current.values():
            current.check_invariants()


def _predicates(
    lookups: Collection[Lookup],
    background: Iterable[AtomRows],
    settings: Settings,
    placed: Collection[Signature],
    recorded: Collection[Signature],
    published: Published,
) -> dict[Signature, Predicate]:
    """The predicates that lookups are about."""
    by_predicate: dict[Signature, list[Lookup]] = {}
    for lookup in lookups:
        if lookup.signature is not None:
            by_predicate.setdefault(lookup.signature, []).append(lookup)
    always: dict[Signature, list[Row]] = {}
    for signature, rows in background:
        always.setdefault(signature, []).extend(rows)
    begins: dict[Signature, dict[Since, None]] = {}
    for lookup in lookups:
        if isinstance(lookup.window, Since):
            begins.setdefault(lookup.window.signature, {})[lookup.window] = None
            by_predicate.setdefault(lookup.window.signature, [])
    found = {
        signature: Predicate(
            about,
            Origins(
                is_at_once=signature in published.at_once,
                is_apart=signature in published.apart,
                is_placed=signature in placed,
                is_recorded=signature in recorded,
                background=tuple(dict.fromkeys(always.get(signature, ()))),
            ),
            settings,
        )
        for signature, about in by_predicate.items()
    }
    for signature, windows in begins.items():  # they take the news before what looks since then
        found[signature].begin(windows)
    for predicate in found.values():
        predicate.join(found)
    return found
