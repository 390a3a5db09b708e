"""The input of the tick that is gathered."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lars2asp.externals.database.stream import Read, Write
from lars2asp.externals.events import EventError, Events
from lars2asp.externals.terms.terms import AtomRows, GroundAtom, Row
from lars2asp.externals.terms.text import atom_text
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown

_NAME = re.compile(r"[_']*[a-z][A-Za-z0-9_']*")


@dataclass(slots=True)
class Told:
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


@dataclass(slots=True)
class Gathered:
    """The events of a tick.

    What must hold: an atom of `arriving` is in `told`.

    Attributes:
        points: atoms that hold at the tick; not where a tuple window needs all events in their order.
        told: all else, by the atoms.
        arriving: atoms in the order of their arrival, where a tuple window needs it.
        number: the number of events.
    """

    points: list[AtomRows] = field(default_factory=list)
    told: dict[GroundAtom, Told] = field(default_factory=dict)
    arriving: dict[GroundAtom, None] = field(default_factory=dict)
    number: int = 0


class Gathering:
    """Gathers the events of a tick, and knows which atoms are open.

    What must hold: `open` has no predicate without atoms; `told` of what is gathered has, for each atom,
    whether it is open after the events so far.

    Args:
        in_order: whether all events are needed in the order of their arrival.

    Attributes:
        open: the atoms that were begun and not ended by events of ticks that are committed.
    """

    def __init__(self, *, in_order: bool) -> None:
        self.open: dict[Signature, set[Row]] = {}
        self._in_order = in_order
        self._gathered = Gathered()
        self._named: set[Signature] = set()
        """Predicates with names that a program can have."""

    def check(self, tick: int, events: Events) -> None:
        """Raises EventError if events of a tick cannot be taken (`IntervalDatabase.check`)."""
        if events.until is not None and events.until < tick:
            raise EventError(f"the facts hold until {events.until}, before their own tick {tick}")
        for groups in (events.facts, events.begin, events.end):
            for signature, _ in groups:
                if signature not in self._named:
                    if not _NAME.fullmatch(signature.name):
                        problem = f"'{shown(signature.name)}' is no name of a predicate"
                        raise EventError(f"{problem}: an atom is a name or name(argument,...)")
                    self._named.add(signature)
        for atom in _atoms(events.end):
            if not self._is_open(atom):
                raise EventError(f"{shown(atom_text(*atom))} ends but was not begun")

    def add(self, tick: int, events: Events) -> None:
        """Takes events of the tick that is being gathered."""
        gathered, facts = self._gathered, events.facts
        for _, rows in facts:
            gathered.number += len(rows)
        if events.until is None and not self._in_order:
            gathered.points += facts
            facts = ()
        if facts or events.begin or events.end:
            self._add_intervals(tick, events, facts)

    def _add_intervals(self, tick: int, events: Events, facts: Iterable[AtomRows]) -> None:
        gathered = self._gathered
        arriving = gathered.arriving
        for atom in _atoms(events.end):
            gathered.number += 1
            told = self._told(atom)
            told.is_ended = told.is_ended or not told.is_begun
            if told.is_begun and told.until is None:
                arriving.pop(atom, None)
            told.is_open = told.is_begun = False
        for atom in _atoms(events.begin):
            gathered.number += 1
            told = self._told(atom)
            if not told.is_open:
                told.is_open = told.is_begun = True
                arriving[atom] = None
        until = tick if events.until is None else events.until
        for atom in _atoms(facts):
            told = self._told(atom)
            arriving[atom] = None
            told.until = until if told.until is None else max(until, told.until)

    def _told(self, atom: GroundAtom) -> Told:
        told = self._gathered.told.get(atom)
        if told is None:
            told = self._gathered.told[atom] = Told(self._is_open(atom))
        return told

    def _is_open(self, atom: GroundAtom) -> bool:
        told = self._gathered.told.get(atom)
        return told.is_open if told is not None else atom.row in self.open.get(atom.signature, ())

    @property
    def is_any(self) -> bool:
        """Whether there are events."""
        return bool(self._gathered.points or self._gathered.told)

    def commit(self) -> Gathered:
        """What was gathered; from here on it is of a tick that is committed."""
        gathered, self._gathered = self._gathered, Gathered()
        for (signature, row), told in gathered.told.items():
            if told.is_open:
                self.open.setdefault(signature, set()).add(row)
            elif signature in self.open:
                self.open[signature].discard(row)
                if not self.open[signature]:
                    del self.open[signature]
        return gathered

    def discard(self) -> None:
        """Forgets what was gathered."""
        self._gathered = Gathered()

    def gather_as(self, other: "Gathering") -> None:
        """Takes what another one gathered; to be committed before more is gathered."""
        self._gathered = other._gathered

    def state(self, write: Write) -> list[Any]:
        """What is open, as JSON has it."""
        return written(
            (GroundAtom(signature, row) for signature, rows in self.open.items() for row in rows), write
        )

    def restore(self, state: Iterable[Any], read: Read) -> None:
        """Takes over a state."""
        for signature, row in atoms_read(state, read):
            self.open.setdefault(signature, set()).add(row)

    def check_invariants(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert all(self.open.values())
        assert self._gathered.arriving.keys() <= self._gathered.told.keys()


def _atoms(groups: Iterable[AtomRows]) -> Iterator[GroundAtom]:
    """Atoms, one after the other."""
    return (GroundAtom(signature, row) for signature, rows in groups for row in rows)


def written(atoms: Iterable[GroundAtom], write: Write) -> list[Any]:
    """Atoms as JSON has them: predicates and rows."""
    by_predicate: dict[Signature, list[Row]] = {}
    for signature, row in atoms:
        by_predicate.setdefault(signature, []).append(row)
    return [[[*signature], write(rows)] for signature, rows in by_predicate.items()]


def atoms_read(state: Iterable[Any], read: Read) -> Iterator[GroundAtom]:
    """The atoms that were written."""
    return (GroundAtom(Signature(*signature), row) for signature, rows in state for row in read(rows))
