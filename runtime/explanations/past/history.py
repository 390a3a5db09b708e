"""What a reasoner was told and what it answered, kept so that its answers can be explained.

While the stream goes on the history only keeps what came (references, no copies). When the atoms of a
predicate held is worked out as soon as it is asked for.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from lars2asp.analysis.calendar_atoms import CALENDAR_RECORD, CalendarPredicate
from lars2asp.analysis.held_facts import HeldBy
from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import Row, Value, turns_of
from lars2asp.externals.views import Changes, RowChanges, Rows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.explanations.past.fleeting import Fleeting
from lars2asp.runtime.explanations.past.holding import Holding, Index, Interval, first_tick
from lars2asp.runtime.explanations.past.older import Looks, Older, arrivals_among
from lars2asp.runtime.sources.records import Origin
from lars2asp.syntax.nodes import Signature


class _Told(NamedTuple):
    tick: int
    events: Events
    record: "Origin | str | None"


class _Answered(NamedTuple):
    tick: int
    satisfiable: bool
    changes: RowChanges


Runs = Mapping[tuple[Signature, Row], Sequence[tuple[int, int]]]
"""Runs of ticks at which atoms hold."""


class Followed(NamedTuple):
    """The answer streams that were followed.

    Attributes:
        atoms: when the atoms of predicates held of which there may have been others.
        without_answer: the runs of ticks without answer stream.
        fleeting: when those held that did not last.
    """

    atoms: Runs
    without_answer: Sequence[tuple[int, int]]
    fleeting: Runs


class History:
    """What came and what was answered, for the last ticks.

    Args:
        kept: for how many ticks back answers can be explained, at least.
        reach: how far back windows look at one of them.
        held: gives the derived atoms that hold now.
        looks: what the program looks at however long ago it was.
        spare: in ticks, what is kept too long at least, so that it is forgotten in bulk.
        fleeting: keeps what holds by rules with `#temp` alone.
        held_by: the predicates whose facts of the input are held.
        calendar: the predicates of the calendar, whose atoms are intervals of the input that do not arrive.
        tables: those of tables, whose atoms do not arrive either.
        most: the number of records and evaluated ticks from which on less is kept, though never less than
            windows look back at; None for any number.

    Attributes:
        start: the first tick of the timeline; None before the first one.
        kept_from: the first tick at which answers can be explained: all that windows look at there is kept.
        fleeting: what held by rules with `#temp` alone.
    """

    def __init__(
        self,
        kept: int,
        reach: int,
        held: Callable[[], Rows],
        looks: Looks,
        spare: int,
        fleeting: Fleeting,
        held_by: Mapping[Signature, HeldBy],
        calendar: Sequence[CalendarPredicate] = (),
        most: int | None = None,
        tables: Container[Signature] = (),
    ) -> None:
        self._tables = tables
        self._calendar = {one.signature: one for one in calendar}
        self.fleeting = fleeting
        self._kept, self._reach, self._spare = kept + reach, reach, spare
        self._most = inf if most is None else most
        self._looks = looks
        self._held = held
        self.start: int | None = None
        self.kept_from = 0
        self._log_from = 0
        """The first tick of the log."""
        self._log: list[_Told | _Answered] = []
        self._gathered: list[_Told] = []
        """The input of the tick that is not over."""
        self._held_by = held_by
        self._before_log = Older(looks, held_by, tables)
        self._fails_from: int | None = None
        """The tick since which there was no answer stream, before the log."""
        self._placed: dict[int, set[tuple[Signature, Row, int]]] = {}
        """What was placed at other ticks than that of evaluation, by the latter."""
        self._inputs: dict[Signature, Index] = {}
        self._outputs: dict[Signature, Index] = {}
        self._failures: Index | None = None
        self._older: dict[Signature, list[Interval]] = {}
        self._is_recalled = False

    # --- what comes -----------------------------------------------------------------------------------

    def told(self, tick: int, events: Events, origin: Origin | str | None) -> None:
        """Takes input for a tick that is not over; None is the origin of what a program handed over."""
        self._gathered.append(_Told(tick, events, origin))

    def placed(self, at: int, tick: int, signature: Signature, row: Row) -> None:
        """Takes an atom that rules evaluated at a tick placed at another one."""
        if tick >= at:
            self.fleeting.lasts(signature, row, tick)
        if tick != at:
            self._placed.setdefault(at, set()).add((signature, row, tick))

    def was_placed(self, at: int, tick: int, signature: Signature, row: Row) -> bool:
        """Whether rules evaluated at a tick placed an atom at another one, where later ticks see it."""
        return (signature, row, tick) in self._placed.get(at, ())

    def placed_long_ago(self, signature: Signature) -> Iterator[tuple[int, int, Row]]:
        """What rules placed before what is kept: the tick of evaluation, that of the atom, the atom."""
        for at, found in reversed(self._placed.items()):
            if at < self.kept_from:
                yield from ((at, tick, row) for one, row, tick in found if one == signature)

    def placements(self, last: int) -> Iterator[tuple[int, int, Signature, Row]]:
        """What was placed at other ticks: the tick of evaluation, up to one, the tick, and the atom."""
        for at, found in self._placed.items():
            if at <= last:
                for signature, row, tick in sorted(found, key=str):
                    yield at, tick, signature, row

    def discard(self) -> None:
        """Forgets the input of the tick that is not over."""
        self._gathered.clear()

    def answered(self, tick: int, first: int, changes: RowChanges, satisfiable: bool) -> None:
        """Takes the answer at a tick: the changes of the derived atoms; the tick is over.

        Args:
            tick: the tick.
            first: the first tick of the timeline.
            changes: since the answer taken before.
            satisfiable: whether there is an answer stream.
        """
        log = self._log
        if self.start is None:
            self.start = first
            self.kept_from = self._log_from = first
        if self._gathered:
            log += self._gathered
            self._gathered.clear()
        log.append(_Answered(tick, satisfiable, changes))
        self.fleeting.answered(tick, self._held, satisfiable=satisfiable)
        if tick - self._log_from > 2 * self._kept + self._spare:
            self._forget_before(tick - self._kept)
        elif len(log) > self._most and tick - self._log_from > 2 * self._reach + self._spare:
            self._forget_before(min(log[len(log) // 2].tick, tick - self._reach))

    def _forget_before(self, tick: int) -> None:
        """Forgets what no tick from one on sees."""
        log, place = self._log, 0
        while place < len(log) and log[place].tick < tick:
            one = log[place]
            if isinstance(one, _Answered):
                if one.satisfiable:
                    self._fails_from = None
                elif self._fails_from is None:
                    self._fails_from = one.tick
                self._before_log.answer(one.tick, one.changes)
            else:
                self._before_log.tell(one.tick, one.events, _name_of(one.tick, one.record))
            place += 1
        del log[:place]
        self._before_log.forget_before(tick)
        self.fleeting.forget_before(tick, self._looks)
        for at in [at for at in self._placed if at < tick]:
            self._placed[at] = {one for one in self._placed[at] if self._looks.see(one[0], one[2], one[2])}
            if not self._placed[at]:
                del self._placed[at]
        self._log_from, self.kept_from = tick, tick + self._reach
        self._inputs.clear()
        self._outputs.clear()
        self._failures = None

    # --- state ----------------------------------------------------------------------------------------

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The history, in a form that JSON has."""

        def atoms(found: Iterable[tuple[Signature, Iterable[Row]]]) -> list[Any]:
            return written_atoms(found, write)

        def entry(one: _Told | _Answered) -> list[Any]:
            if isinstance(one, _Answered):
                began = atoms((signature, changes.began) for signature, changes in one.changes)
                ended = atoms((signature, changes.ended) for signature, changes in one.changes)
                return [one.tick, one.satisfiable, began, ended]
            facts, begin, end, until = one.events
            return [one.tick, atoms(facts), atoms(begin), atoms(end), until, _name_of(one.tick, one.record)]

        older = self._before_log
        return {
            "start": self.start,
            "kept_from": self.kept_from,
            "log_from": self._log_from,
            "fails_from": self._fails_from,
            "log": [*map(entry, self._log)],
            "long": [
                [atoms([(s, [one.row])]), one.first, one.last, one.record] for s, one in older.in_order()
            ],
            "derived": [
                [atoms([(s, [one.row])]), one.first, one.last]
                for s, intervals in older.derived.items()
                for one in intervals
            ],
            "placed": [
                [at, tick, atoms([(s, [row])])]
                for at, found in self._placed.items()
                for s, row, tick in sorted(found, key=str)
            ],
            "fleeting": [
                [atoms([(s, [one.row])]), one.first, one.last] for s, one in self.fleeting.intervals()
            ],
            "ahead": [
                [tick, atoms([(s, [row])])]
                for tick, found in self.fleeting.placed.items()
                for s, row in sorted(found, key=str)
            ],
        }

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state; the history is new."""
        self.start, self.kept_from, self._log_from = (state[n] for n in ("start", "kept_from", "log_from"))
        self._fails_from = state["fails_from"]
        for tick, *parts in state["log"]:
            if isinstance(parts[0], bool):
                satisfiable, *both = parts
                began, ended = (dict(read_atoms(atoms, read)) for atoms in both)
                changes = [(one, Changes(rows, ended[one])) for one, rows in began.items()]
                self._log.append(_Answered(tick, satisfiable, changes))
            else:
                facts, begin, end = (tuple(read_atoms(atoms, read)) for atoms in parts[:3])
                self._log.append(_Told(tick, Events(facts, begin, end, parts[3]), parts[4]))
        for atoms, first, last, record in state["long"]:
            ((signature, (row,)),) = read_atoms(atoms, read)
            self._before_log.add_told(signature, row, first, last, record)
        for atoms, first, last in state.get("derived", ()):
            ((signature, (row,)),) = read_atoms(atoms, read)
            self._before_log.derived.setdefault(signature, []).append(Interval(row, first, last, "", 0))
        for at, tick, atoms in state["placed"]:
            ((signature, (row,)),) = read_atoms(atoms, read)
            self.placed(at, tick, signature, row)
        for atoms, first, last in state.get("fleeting", ()):
            ((signature, (row,)),) = read_atoms(atoms, read)
            self.fleeting.add(signature, Interval(row, first, last, "", 0))
        for tick, atoms in state.get("ahead", ()):
            ((signature, (row,)),) = read_atoms(atoms, read)
            self.fleeting.lasts(signature, row, tick)

    def asked(self, tick: int | None, now: int | None) -> int:
        """The tick of a question, which must be kept; `now` is the last one over. Raises InputError."""
        if tick is None or now is None:
            raise InputError("no tick is over")
        if tick > now:
            raise InputError(f"tick {tick} is not over: the last one that is over is {now}")
        if tick < self.kept_from:
            raise InputError(f"tick {tick} is not kept: explanations go back to {self.kept_from}")
        return tick

    @property
    def latest(self) -> int:
        """The last tick with input or an answer; -1 before the first one."""
        return self._log[-1].tick if self._log else -1

    # --- what holds -----------------------------------------------------------------------------------

    def input(self, signature: Signature) -> Holding:
        """When the input told the atoms of a predicate, or the calendar."""
        index = self._inputs.get(signature)
        if signature in self._calendar:
            return self._calendar_index(self._calendar[signature], index).held
        if index is None:
            index = self._inputs[signature] = Index(self._held_by.get(signature))
            for one in sorted(self._before_log.told.get(signature, ()), key=first_tick):
                interval = Interval(*one.parts)
                index.add(interval)
                if one.last is None:
                    index.open[one.row] = interval
        for place in range(index.place, len(self._log)):
            told = self._log[place]
            if isinstance(told, _Told):
                self._add_told(index, signature, told, place)
        index.place = len(self._log)
        return index.held

    def is_of_calendar(self, signature: Signature) -> bool:
        """Whether a predicate is of the calendar."""
        return signature in self._calendar

    def _calendar_index(self, predicate: CalendarPredicate, index: Index | None) -> Index:
        """When the atoms of the calendar hold, up to the last tick; `place` is the one behind what it has."""
        signature, start = predicate.signature, self.start or 0
        if index is None:
            index = self._inputs[signature] = Index()
            index.place = start if self._looks.is_at_ticks(signature) else max(start, self._log_from)
        last = self._log[-1].tick if self._log else index.place - 1
        for row, first, end in predicate.intervals(index.place, last):
            index.held.add(Interval(row, first, end, CALENDAR_RECORD, 0))
            index.place = last + 1 if end is None else end + 1
        return index

    def _add_told(self, index: Index, signature: Signature, told: _Told, place: int) -> None:
        tick, events, record = told
        for one, rows in events.end:
            if one == signature:
                for row in rows:
                    index.end(row, tick)
        for one, rows in events.begin:
            if one == signature:
                for row in rows:
                    index.begin(row, tick, _name_of(tick, record), 2 * place)
        until, turns = events.until, index.turns
        for one, rows in events.facts:
            if one == signature:
                name, order = _name_of(tick, record), 2 * place + 1
                for row in rows:
                    if turns is not None:
                        index.add(turns.fact(row, tick, until, name, order))
                    else:
                        index.held.add(Interval(row, tick, tick if until is None else until, name, order))

    def has_told(self, value: Value) -> bool:
        """Whether an atom of the input has a value as an argument."""
        return any(value in row for row in self.told_rows())

    def recalled(self, found: Iterable[tuple[Signature, Interval]]) -> None:
        """Takes what the input told last of atoms before what is kept; of others it told nothing there."""
        self._is_recalled = True
        for signature, interval in found:
            self._older.setdefault(signature, []).append(interval)

    def older(self, signature: Signature) -> Sequence[Interval]:
        """What was recalled of a predicate."""
        return self._older.get(signature, ())

    def is_kept(self, interval: Interval) -> bool:
        """Whether an interval has a tick that is kept."""
        return interval.last is None or interval.last >= self.kept_from

    def knows(self, signature: Signature, tick: int) -> bool:
        """Whether it is known what held of a predicate at a tick, whatever windows there are."""
        return tick >= self.kept_from or self._looks.see(signature, tick, tick)

    @property
    def knows_all_input(self) -> bool:
        """Whether it is known of each atom whether the input ever told it."""
        return self._is_recalled or self.start is None or self.kept_from <= self.start

    def told_rows(self) -> Iterator[Row]:
        """The rows of the input, the latest first."""
        for one in reversed(self._log):
            if isinstance(one, _Told):
                for atoms in (one.events.facts, one.events.begin):
                    for _, rows in atoms:
                        yield from rows

    def signatures(self) -> set[Signature]:
        """The predicates of the input."""
        told = (one.events for one in self._log if isinstance(one, _Told))
        found = {signature for events in told for atoms in events[:2] for signature, _ in atoms}
        return found | self._before_log.told.keys()

    def told_predicates(self) -> set[Signature]:
        """The predicates of the input."""
        found = set(self._before_log.told)
        for one in self._log:
            if isinstance(one, _Told):
                found.update(signature for atoms in one.events[:2] for signature, _ in atoms)
        return found

    def derived(self, signature: Signature) -> Holding:
        """When the atoms of a predicate were in the output."""
        index = self._outputs.get(signature)
        if index is None:
            index = self._outputs[signature] = Index()
            older = self._before_log.derived.get(signature, ())
            firsts = {one.row: one.first for one in older if one.last is None}
            over = [Interval(*one.parts) for one in older if one.last is not None]
            for row in self._before(signature):
                index.open[row] = Interval(row, firsts.get(row, self._log_from), None, "", 0)
            for interval in sorted([*over, *index.open.values()], key=first_tick):
                index.held.add(interval)
        for place in range(index.place, len(self._log)):
            answered = self._log[place]
            if isinstance(answered, _Answered):
                for one, (began, ended) in answered.changes:
                    if one == signature:
                        for row in ended:
                            index.end(row, answered.tick)
                        for row in began:
                            index.begin(row, answered.tick, "", place)
        index.place = len(self._log)
        return index.held

    def _before(self, signature: Signature) -> set[Row]:
        """The atoms of a predicate that were in the output before the log."""
        held = set(self._held().get(signature, ()))
        for answered in reversed(self._log):
            if isinstance(answered, _Answered):
                for one, (began, ended) in answered.changes:
                    if one == signature:
                        held.difference_update(began)
                        held.update(ended)
        return held

    def has_answer(self, tick: int) -> bool:
        """Whether there was an answer stream at a tick."""
        return not any(interval.covers(tick) for interval in self.failures())

    def failures(self) -> Sequence[Interval]:
        """The runs of ticks without an answer stream; the last one may have no end so far."""
        index = self._failures
        if index is None:
            index = self._failures = Index()
            if self._fails_from is not None:
                index.begin((), self._fails_from, "", 0)
        for place in range(index.place, len(self._log)):
            answered = self._log[place]
            if isinstance(answered, _Answered):
                if answered.satisfiable:
                    index.end((), answered.tick)
                else:
                    index.begin((), answered.tick, "", place)
        index.place = len(self._log)
        return index.held.of(())

    def followed(self, signatures: Iterable[Signature], last: int) -> Followed:
        """The answer streams that were followed up to a tick.

        Args:
            signatures: the predicates of which there may have been other atoms.
            last: the tick.
        """
        concerned = sorted(signatures)
        derived = ((one, interval) for one in concerned for interval in self.derived(one).arrivals())
        fleeting = (each for one in concerned for each in self._fleeting(one, last))
        failures = [one for one in self.failures() if one.first <= last]
        without = [(one.first, last if one.last is None else min(one.last, last)) for one in failures]
        return Followed(_runs(derived, last), without, _runs(fleeting, last))

    def _fleeting(self, signature: Signature, last: int) -> Iterator[tuple[Signature, Interval]]:
        """What did not last, but for what evaluations that are not kept placed there later on."""
        placed = {(row, tick) for _, tick, row in self.placed_long_ago(signature)}
        for one, interval in self.fleeting.intervals():
            if one == signature:
                until = last if interval.last is None else min(interval.last, last)
                first = interval.first
                for end in range(first, until + 2):  # cut at the ticks that were placed
                    if end > until or (interval.row, end) in placed:
                        if first < end:
                            yield one, Interval(interval.row, first, end - 1, "", 0)
                        first = end + 1

    def arrivals(self, signature: Signature | None = None) -> Iterator[tuple[Signature, Interval]]:
        """The arrivals of a predicate, or of all, in order; each atom once at a tick."""
        return arrivals_among(
            (one, interval) for one, interval in self._all_arrivals(signature) if one not in self._tables
        )

    def _all_arrivals(self, signature: Signature | None) -> Iterator[tuple[Signature, Interval]]:
        if signature in self._calendar:
            return
        if signature is not None:
            for interval in self.input(signature).arrivals():
                yield signature, interval
            return
        yield from self._before_log.in_order()
        for place, told in enumerate(self._log):
            if isinstance(told, _Told):
                for atoms, order in ((told.events.begin, 2 * place), (told.events.facts, 2 * place + 1)):
                    arriving = [(one, row) for one, rows in turns_of(atoms) for row in rows]
                    last = {pair: number for number, pair in enumerate(arriving)}
                    for number, (one, row) in enumerate(arriving):
                        if one not in self._held_by or last[one, row] == number:
                            yield from ((one, found) for found in self._from(one, row, told.tick, order))

    def _from(self, signature: Signature, row: Row, tick: int, order: int) -> list[Interval]:
        """The intervals that an atom has from a tick on, and that came at a place of the order."""
        return [one for one in self.input(signature).of(row) if (one.first, one.order) == (tick, order)]


def _runs(intervals: Iterable[tuple[Signature, Interval]], until: int) -> Runs:
    """The ticks at which atoms hold up to one, as runs."""
    found: dict[tuple[Signature, Row], list[tuple[int, int]]] = {}
    for signature, interval in intervals:
        last = until if interval.last is None else min(interval.last, until)
        if interval.first <= last:
            found.setdefault((signature, interval.row), []).append((interval.first, last))
    return found


def _name_of(tick: int, record: "Origin | str | None") -> str:
    return f"step({tick})" if record is None else str(record)
