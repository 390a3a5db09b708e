"""Whether events of the input can be taken."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping

from lars2asp.analysis.calendar_atoms import CALENDAR_ATOMS
from lars2asp.analysis.held_facts import HeldBy
from lars2asp.externals.events import EventError, Events
from lars2asp.externals.terms.terms import AtomRows, GroundAtom, turns_of
from lars2asp.externals.terms.text import atom_text
from lars2asp.planning.plan import Plan
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown

_NAME = re.compile(r"[_']*[a-z][A-Za-z0-9_']*")


class InputChecks:
    """Checks events of the input.

    Args:
        held: the predicates whose facts are held.
        foreknown: those of which it is known in advance when their atoms hold: the input has none.
        tables: those of tables, of which it has none either.
        is_open: whether an atom was begun and has not ended, by what came before `noted`.

    Attributes:
        noted: by atoms that began or ended since, whether they are open.
    """

    def __init__(
        self,
        held: Mapping[Signature, HeldBy],
        foreknown: Collection[Signature],
        tables: Collection[Signature],
        is_open: Callable[[GroundAtom], bool],
    ) -> None:
        self._held, self._foreknown, self._tables, self._is_open = held, foreknown, tables, is_open
        self._named: set[Signature] = set()
        """Predicates with names that a program can have."""
        self.noted: dict[GroundAtom, bool] = {}

    @staticmethod
    def of(plan: Plan, is_open: Callable[[GroundAtom], bool] = lambda _: False) -> "InputChecks":
        """Those of a program."""
        foreknown = frozenset(one.signature for one in plan.foreknown)
        return InputChecks(plan.held, foreknown, frozenset(one.signature for one in plan.tables), is_open)

    def check(self, tick: int, events: Events) -> None:
        """Raises EventError if events of a tick cannot be taken.

        That is for names that no predicate of a program can have, for ends of atoms that are not open, and
        for facts that hold until a past tick. The tick may be a later one than those of what was noted.
        """
        if not isinstance(events.until, int | None):
            raise EventError(f"until is a tick, a whole number, not {events.until!r}")
        if events.until is not None and events.until < tick:
            raise EventError(f"the facts hold until {events.until}, before their own tick {tick}")
        named = self._named
        for signature, _ in events.facts:
            if signature not in named:
                self._check_name(signature)
        if events.begin or events.end:
            for signature, _ in (*events.begin, *events.end):
                self._check_name(signature)
                if signature in self._held:
                    raise EventError(f"{signature} is declared with #held: give facts, without begin or end")
            for atom in _atoms(events.end):
                known = self.noted.get(atom)
                if not (self._is_open(atom) if known is None else known):
                    raise EventError(f"{shown(atom_text(*atom))} ends but was not begun")

    def _check_name(self, signature: Signature) -> None:
        if signature not in self._named:
            if not _NAME.fullmatch(signature.name):
                problem = f"'{shown(signature.name)}' is not a name of a predicate"
                raise EventError(f"{problem}: an atom is a name or name(argument,...)")
            if signature in self._foreknown:
                by = "#calendar" if signature.name in CALENDAR_ATOMS else "the program"
                raise EventError(f"{signature} is part of the calendar: {by} computes its atoms")
            if signature in self._tables:
                raise EventError(f"{signature} comes from a #table that is read again, not from records")
            self._named.add(signature)

    def note(self, events: Events) -> None:
        """Events are taken: what begins is open from here on, and what ends is not."""
        if events.begin or events.end:
            self.noted |= dict.fromkeys(_atoms(events.end), False)
            self.noted |= dict.fromkeys(_atoms(events.begin), True)


def _atoms(groups: Iterable[AtomRows]) -> Iterable[GroundAtom]:
    """Atoms, one after the other in the order in which they came."""
    return (GroundAtom(signature, row) for signature, rows in turns_of(groups) for row in rows)
