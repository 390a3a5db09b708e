"""The future log: atoms that rules placed at ticks that are to come."""

from collections.abc import Iterable, Mapping
from typing import Any

from lars2asp.externals.database.agenda import Agenda
from lars2asp.externals.database.form import ComparedView
from lars2asp.externals.terms.table import ReadRows, WriteRows, read_atoms, written_atoms
from lars2asp.externals.terms.terms import GroundAtom, Row
from lars2asp.syntax.nodes import Signature

_NOTHING: Mapping[Signature, Iterable[Row]] = {}


class Schedule:
    """Rows of predicates by the ticks, later than the current one, at which they are to hold.

    What must hold: no tick is without predicates, and none of these without rows. The agenda has all ticks.

    Args:
        agenda: says what is due when.

    Attributes:
        ticks: the rows.
    """

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        self.ticks: dict[int, dict[Signature, dict[Row, None]]] = {}

    def __len__(self) -> int:
        """The number of pairs of atom and tick."""
        return sum(len(rows) for by_predicate in self.ticks.values() for rows in by_predicate.values())

    def atoms(self) -> set[GroundAtom]:
        """The atoms."""
        return {
            GroundAtom(signature, row)
            for by_predicate in self.ticks.values()
            for signature, rows in by_predicate.items()
            for row in rows
        }

    def rows(self, signature: Signature) -> list[Row]:
        """The atoms of a predicate, each row followed by its tick."""
        of_ticks = self.ticks.items()
        return [(*row, tick) for tick, by_predicate in of_ticks for row in by_predicate.get(signature, ())]

    def place(self, tick: int, signature: Signature, row: Row) -> bool:
        """An atom is to hold at a tick; gives whether that is new."""
        if tick not in self.ticks:
            self.ticks[tick] = {}
            self._agenda.call(tick, self)
        rows = self.ticks[tick].setdefault(signature, {})
        is_new = row not in rows
        rows[row] = None
        return is_new

    def due(self, tick: int) -> Mapping[Signature, Iterable[Row]]:
        """Takes out the atoms that are to hold at a tick."""
        return self.ticks.pop(tick, _NOTHING)

    is_patient = False
    """What is placed is told when its tick comes."""

    def is_due(self, tick: int) -> bool:
        """Whether a tick has atoms."""
        return tick in self.ticks

    def wake(self, tick: int) -> None:
        """The atoms of a tick are taken out when that is the current one."""

    @property
    def last(self) -> int:
        """The last tick that has atoms; -1 for none."""
        return max(self.ticks, default=-1)

    def go_on(self, other: "Schedule") -> None:
        """Takes over the atoms of a future log that is not used any more."""
        self.ticks = other.ticks
        self._call()

    def _call(self) -> None:
        for tick in self.ticks:
            self._agenda.call(tick, self)

    def check_invariants(self, now: int) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert all(tick > now and all(rows.values()) for tick, rows in self.ticks.items())

    def state(self, write: WriteRows) -> list[Any]:
        """The atoms as JSON has them; rows as they are written."""
        return [[tick, written_atoms(rows.items(), write)] for tick, rows in self.ticks.items()]

    def restore(self, state: Iterable[Any], read: ReadRows) -> None:
        """Takes over a state."""
        for tick, atoms in state:
            self.ticks[tick] = {signature: dict.fromkeys(rows) for signature, rows in read_atoms(atoms, read)}
        self._call()


class ScheduledView(ComparedView):
    """The answer to a lookup of the future log."""

    def __init__(self, signature: Signature, schedule: Schedule) -> None:
        super().__init__()
        self._signature = signature
        self._schedule = schedule

    def answer(self, now: int) -> list[Row]:
        """The rows of the predicate's atoms, followed by their ticks."""
        return self._schedule.rows(self._signature)
