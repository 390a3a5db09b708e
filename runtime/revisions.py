"""Revisions: the differences that late records make to earlier answers."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from lars2asp.externals.terms.order import atom_key
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import GroundAtom
from lars2asp.externals.views import RowChanges, changes_of
from lars2asp.syntax.nodes import Signature


class Told(NamedTuple):
    """The content of an answer.

    Attributes:
        tick: Its tick.
        changes: The atoms that began and ended since the tick before.
        satisfiable: Whether there is an answer stream.
    """

    tick: int
    changes: RowChanges
    satisfiable: bool


def told_state(told: Told, write: WriteRows) -> list[Any]:
    """Returns the content of an answer as JSON; `write` writes the rows."""
    changes = [[[*signature], write(began), write(ended)] for signature, (began, ended) in told.changes]
    return [told.tick, told.satisfiable, changes]


def restored_told(state: Iterable[Any], read: ReadRows) -> Told:
    """Returns the content of an answer from a state."""
    tick, satisfiable, changes = state
    found = [(Signature(*one), changes_of((read(began), read(ended)))) for one, began, ended in changes]
    return Told(tick, found, satisfiable)


class Revision(NamedTuple):
    """A correction over an interval.

    Attributes:
        atom: The atom; None for the existence of an answer stream.
        first: The first tick of the interval.
        last: The last tick; None if the interval is open.
        holds: Whether the atom holds, or an answer stream exists.
    """

    atom: GroundAtom | None
    first: int
    last: int | None
    holds: bool


class Revised(NamedTuple):
    """A correction of earlier answers over an interval, after a late record (`Reasoner.run(revise=...)`).

    Attributes:
        atom: The atom, as text; None for the existence of an answer stream.
        first: The first tick of the interval.
        last: The last tick; None if the interval continues from the last answer.
        holds: Whether the atom holds, or an answer stream exists.
    """

    atom: str | None
    first: int
    last: int | None
    holds: bool


class Final(NamedTuple):
    """Answers up to a tick cannot change any more (`Reasoner.run(revise=...)`).

    Attributes:
        tick: The tick.
    """

    tick: int


def revisions(
    before: Iterable[Told], after: Iterable[Told], last: int, *, satisfiable: bool
) -> list[Revision]:
    """Returns the intervals that differ between two versions of answers, by first ticks, then by atoms.

    Args:
        before: The answers so far, from a tick on.
        after: The corrected answers.
        last: The last answered tick.
        satisfiable: Whether there was an answer stream at the tick before these.
    """
    differing: dict[GroundAtom | None, tuple[int, int]] = {}
    """The differences: 1 if an atom holds now and did not, -1 for the opposite; and the first tick."""
    found: list[Revision] = []
    was, now = ({told.tick: told for told in those if told.tick <= last} for those in (before, after))
    was_satisfiable = is_satisfiable = satisfiable
    for tick in sorted(was.keys() | now.keys()):
        moved: dict[GroundAtom | None, int] = {}
        old, new = was.get(tick), now.get(tick)
        was_satisfiable = was_satisfiable if old is None else old.satisfiable
        is_satisfiable = is_satisfiable if new is None else new.satisfiable
        moved[None] = is_satisfiable - was_satisfiable - differing.get(None, (0, 0))[0]
        if old is not None:
            _move(moved, old.changes, -1)
        if new is not None:
            _move(moved, new.changes, 1)
        for atom, by in moved.items():
            if by:
                more, since = differing.pop(atom, (0, tick))
                if more:
                    found.append(Revision(atom, since, tick - 1, more > 0))
                if more + by:
                    differing[atom] = more + by, tick
    found += [Revision(atom, since, None, more > 0) for atom, (more, since) in differing.items()]
    return sorted(found, key=_order)


def _move(moved: dict[GroundAtom | None, int], changes: RowChanges, by: int) -> None:
    for signature, (began, ended) in changes:
        for row in began:
            atom = GroundAtom(signature, row)
            moved[atom] = moved.get(atom, 0) + by
        for row in ended:
            atom = GroundAtom(signature, row)
            moved[atom] = moved.get(atom, 0) - by


def _order(revision: Revision) -> tuple[Any, ...]:
    atom = revision.atom
    return revision.first, atom is not None, () if atom is None else atom_key(atom)
