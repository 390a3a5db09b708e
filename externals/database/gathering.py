"""The input of the tick that is gathered."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import AtomRows, GroundAtom, Row, turns_of
from lars2asp.externals.traces.checks import InputChecks
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass

Told = tuple[Row, int | None]
"""A fact that is held, and the last tick at which it holds by its record, None where that says none."""


@dataclass(slots=True)
class GatheredEvents:
    """The events of a tick for one atom, where they are more than facts for this tick alone.

    Attributes:
        is_open: whether it is begun and not ended after them.
        is_begun: whether it is open since this tick.
        is_ended: whether an interval that was open before was ended.
        until: the last tick at which it holds by facts; None without one.
    """

    is_open: bool
    is_begun: bool = False
    is_ended: bool = False
    until: int | None = None


class Gathering:
    """Gathers the events of a tick, and knows which atoms are open.

    What must hold: `open` has no predicate without atoms. `told` has, for each atom, whether it is open after
    the events so far. The atoms of `arriving` are in `told` or `current`.

    Args:
        in_order: whether all events are needed in the order of their arrival, for tuple windows.
        held: the predicates whose facts are held.
        foreknown: those of which it is known in advance when their atoms hold: the input has none.
        tables: those of tables, of which it has none either.

    Attributes:
        check: see InputChecks.
        open: the atoms that were begun and not ended by events of ticks that are committed.
        points: the atoms that hold at the tick that is gathered alone, if no others came, or the order
            does not matter.
        told: all else that is gathered, by the atoms, but for facts that are held.
        current: these, by predicate and key: the last one of each, and until when it holds by its record.
        arriving: the atoms in the order of their arrival, where there are others than points.
        number: the number of events that are gathered.
        merged: by predicates, the number of facts so far that were equal to another one of their tick; of
            ticks with intervals alone.
    """

    def __init__(
        self,
        *,
        in_order: bool,
        held: Mapping[Signature, HeldBy],
        foreknown: Collection[Signature] = (),
        tables: Collection[Signature] = (),
    ) -> None:
        self._held = held
        self.check = InputChecks(held, foreknown, tables, self._is_open).check
        self.current: dict[Signature, dict[Row, Told]] = {}
        self.open: dict[Signature, set[Row]] = {}
        self._in_order = in_order
        self.points: list[AtomRows] = []
        self.told: dict[GroundAtom, GatheredEvents] = {}
        self.arriving: dict[GroundAtom, None] = {}
        self.number = 0
        self.merged = Counter[Signature]()
        self._merged_here: list[Signature] = []
        """The predicates of such facts that were gathered."""
        self._facts: list[Sequence[AtomRows]] = []
        """The points as they came, where all events are needed in order."""

    def discard(self) -> None:
        """Forgets what was gathered."""
        self.points, self.number = [], 0
        if self._facts:
            self._facts = []
        if self.told or self.current:
            self.told, self.arriving, self.current, self._merged_here = {}, {}, {}, []

    def in_turns(self) -> Iterable[AtomRows]:
        """The points in the order of their arrival: mostly neighbours of one predicate together."""
        facts = self._facts
        if len(facts) == 1:
            return turns_of(facts[0])
        groups = groupby(chain.from_iterable(map(turns_of, facts)), key=itemgetter(0))
        return [AtomRows(one, [row for _, rows in group for row in rows]) for one, group in groups]

    def gather_as(self, other: "Gathering") -> None:
        """Takes what another one gathered; to be committed before more is gathered."""
        self.points, self.told, self.arriving = other.points, other.told, other.arriving
        self.number, self._facts, self.current = other.number, other._facts, other.current
        self._merged_here = other._merged_here

    def add(self, tick: int, events: Events) -> None:
        """Takes events of the tick that is being gathered."""
        facts = events.facts
        if facts:
            for _, rows in facts:
                self.number += len(rows)
            is_held = self._held and any(signature in self._held for signature, _ in facts)
            if is_held and not self._in_order:
                facts = self._hold(facts, events.until)
            has_others = self._in_order and (
                is_held or self.told or self.arriving or events.begin or events.end
            )
            if events.until is None and not has_others:
                self.points += facts
                if self._in_order:
                    self._facts.append(facts)
                facts = ()
        if facts or events.begin or events.end:
            if self._facts:  # what came so far comes before what comes now
                self._add_facts(tick, None, self.in_turns())
                self._facts, self.points = [], []
            self._add_intervals(tick, events, facts)

    def add_rows(self, events: Events) -> None:
        """Takes rows of tables that begin and end: they do not arrive."""
        for atom in _atoms(events.end):
            told = self._told(atom)
            told.is_ended, told.is_open = True, False
        for atom in _atoms(events.begin):
            told = self._told(atom)
            told.is_open = told.is_begun = True
        self.number += sum(len(rows) for _, rows in (*events.end, *events.begin))

    def _add_intervals(self, tick: int, events: Events, facts: Iterable[AtomRows]) -> None:
        arriving = self.arriving
        for atom in _atoms(events.end):
            self.number += 1
            told = self._told(atom)
            told.is_ended = told.is_ended or not told.is_begun
            if told.is_begun and told.until is None:
                arriving.pop(atom, None)
            told.is_open = told.is_begun = False
        for atom in _atoms(events.begin):
            self.number += 1
            told = self._told(atom)
            if not told.is_open:
                told.is_open = told.is_begun = True
                arriving[atom] = None
        self._add_facts(tick, events.until, facts)

    def _hold(self, facts: Iterable[AtomRows], until: int | None) -> tuple[AtomRows, ...]:
        """Takes the facts that are held, and gives the others back."""
        held, others = self._held, []
        for group in facts:
            by = held.get(group.signature)
            if by is None:
                others.append(group)
            else:
                current = self.current.setdefault(group.signature, {})
                for row in group.rows:
                    self._replace(group.signature, current, by.key_of(row), (row, until))
        return tuple(others)

    def _replace(self, signature: Signature, current: dict[Row, Told], key: Row, told: Told) -> Row | None:
        """A fact that is held is the current one of its key; gives the one in whose place it came."""
        before = current.get(key)
        current[key] = told
        if before is None:
            return None
        if before[0] == told[0]:
            self._merged_here.append(signature)
        return before[0]

    def _add_facts(self, tick: int, given: int | None, facts: Iterable[AtomRows]) -> None:
        until = tick if given is None else given
        for atom in _atoms(facts):
            if atom.signature in self._held:
                self._add_held(atom, given)
                continue
            told = self._told(atom)
            if told.until is not None:
                self._merged_here.append(atom.signature)
            self.arriving[atom] = None
            told.until = until if told.until is None else max(until, told.until)

    def _add_held(self, atom: GroundAtom, until: int | None) -> None:
        """Takes a fact that is held, in the order of arrival, in place of another one with its key."""
        signature, row = atom
        key, current = self._held[signature].key_of(row), self.current.setdefault(signature, {})
        before = self._replace(signature, current, key, (row, until))
        if before is not None:
            del self.arriving[GroundAtom(signature, before)]
        self.arriving[atom] = None

    def _told(self, atom: GroundAtom) -> GatheredEvents:
        told = self.told.get(atom)
        if told is None:
            told = self.told[atom] = GatheredEvents(self._is_open(atom))
        return told

    def _is_open(self, atom: GroundAtom) -> bool:
        told = self.told.get(atom)
        return told.is_open if told is not None else atom.row in self.open.get(atom.signature, ())

    def commit(self) -> None:
        """What was gathered is of a tick that is committed; to be discarded when it is taken."""
        self.merged.update(self._merged_here)
        for (signature, row), told in self.told.items():
            if told.is_open:
                self.open.setdefault(signature, set()).add(row)
            elif signature in self.open:
                self.open[signature].discard(row)
                if not self.open[signature]:
                    del self.open[signature]

    def state(self, write: WriteRows) -> list[Any]:
        """What is open, as JSON has it."""
        return written_atoms(self.open.items(), write)

    def restore(self, state: Iterable[Any], read: ReadRows) -> None:
        """Takes over a state."""
        self.open = {signature: set(rows) for signature, rows in read_atoms(state, read)}

    def check_invariants(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert all(self.open.values())
        assert all(one in self.told or one.signature in self.current for one in self.arriving)


def _atoms(groups: Iterable[AtomRows]) -> Iterator[GroundAtom]:
    """Atoms, one after the other in the order in which they came."""
    return (GroundAtom(signature, row) for signature, rows in turns_of(groups) for row in rows)
