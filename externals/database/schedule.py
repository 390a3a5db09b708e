"""The future log: atoms that rules placed at ticks that are to come."""

from collections.abc import Iterable
from typing import Any

from lars2asp.externals.database.forms import ComparedView
from lars2asp.externals.database.gathering import atoms_read, written
from lars2asp.externals.database.stream import Read, Write
from lars2asp.externals.terms.terms import GroundAtom, Row
from lars2asp.syntax.nodes import Signature


class Schedule:
    """Atoms by the ticks, later than the current one, at which they are to hold."""

    def __init__(self) -> None:
        self._ticks: dict[int, dict[GroundAtom, None]] = {}

    def __len__(self) -> int:
        """The number of pairs of atom and tick."""
        return sum(map(len, self._ticks.values()))

    def atoms(self) -> set[GroundAtom]:
        """The atoms."""
        return set().union(*self._ticks.values())

    def rows(self, signature: Signature) -> list[Row]:
        """The atoms of a predicate, each row followed by its tick."""
        return [
            (*atom.row, tick)
            for tick, atoms in self._ticks.items()
            for atom in atoms
            if atom.signature == signature
        ]

    def place(self, tick: int, atom: GroundAtom) -> bool:
        """An atom is to hold at a tick; gives whether that is new."""
        atoms = self._ticks.setdefault(tick, {})
        is_new = atom not in atoms
        atoms[atom] = None
        return is_new

    def due(self, tick: int) -> Iterable[GroundAtom]:
        """Takes out the atoms that are to hold at a tick."""
        return self._ticks.pop(tick, ())

    def next(self, now: int) -> int | None:
        """The first tick after the current one that has atoms."""
        return min((tick for tick in self._ticks if tick > now), default=None)

    @property
    def last(self) -> int:
        """The last tick that has atoms; -1 for none."""
        return max(self._ticks, default=-1)

    def go_on(self, other: "Schedule") -> None:
        """Takes over the atoms of a future log that is not used any more."""
        self._ticks = other._ticks

    def state(self, write: Write) -> list[Any]:
        """The atoms as JSON has them; rows as they are written."""
        return [[tick, written(atoms, write)] for tick, atoms in self._ticks.items()]

    def restore(self, state: Iterable[Any], read: Read) -> None:
        """Takes over a state."""
        for tick, atoms in state:
            self._ticks[tick] = dict.fromkeys(atoms_read(atoms, read))


class ScheduledView(ComparedView):
    """The answer to a lookup of the future log."""

    def __init__(self, signature: Signature, schedule: Schedule) -> None:
        super().__init__()
        self._signature = signature
        self._schedule = schedule

    def answer(self, now: int) -> list[Row]:
        """The rows of the predicate's atoms, followed by their ticks."""
        return self._schedule.rows(self._signature)
