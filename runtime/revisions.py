"""Revisions: in what answers that were given differ from those that late records make of them."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from lars2asp.externals.terms.order import atom_key
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import GroundAtom
from lars2asp.externals.views import RowChanges, changes_of
from lars2asp.syntax.nodes import Signature


class Told(NamedTuple):
    """What an answer says.

    Attributes:
        tick: its tick.
        changes: what began and ended since the tick before.
        satisfiable: whether there is an answer stream.
    """

    tick: int
    changes: RowChanges
    satisfiable: bool


def told_state(told: Told, write: WriteRows) -> list[Any]:
    """What an answer says, as JSON has it but for rows, which are written so."""
    changes = [[[*signature], write(began), write(ended)] for signature, (began, ended) in told.changes]
    return [told.tick, told.satisfiable, changes]


def restored_told(state: Iterable[Any], read: ReadRows) -> Told:
    """What a state is of."""
    tick, satisfiable, changes = state
    found = [(Signature(*one), changes_of((read(began), read(ended)))) for one, began, ended in changes]
    return Told(tick, found, satisfiable)


class Revision(NamedTuple):
    """What holds over an interval, in place of what had been said of it.

    Attributes:
        atom: the atom; None: whether there is an answer stream.
        first: the first tick of the interval.
        last: the last one; None: it goes on from the last tick of which something was told.
        holds: whether the atom holds, or there is an answer stream.
    """

    atom: GroundAtom | None
    first: int
    last: int | None
    holds: bool


class Revised(NamedTuple):
    """What holds over an interval, in place of what answers said before a record came late.

    Attributes:
        atom: the atom, as text; None: whether there is an answer stream.
        first: the first tick of the interval.
        last: the last one; None: it goes on from the last tick that was answered.
        holds: whether the atom holds, or there is an answer stream.
    """

    atom: str | None
    first: int
    last: int | None
    holds: bool


class Final(NamedTuple):
    """What was said of all ticks up to one cannot change any more.

    Attributes:
        tick: the tick.
    """

    tick: int


def revisions(
    before: Iterable[Told], after: Iterable[Told], last: int, *, satisfiable: bool
) -> list[Revision]:
    """The intervals at which what was told differs, by their first ticks, then as atoms are sorted.

    Args:
        before: what was told, from a tick on before which it does not differ.
        after: what is so.
        last: the last tick of which something was told.
        satisfiable: whether there was an answer stream at the tick before these.
    """
    differing: dict[GroundAtom | None, tuple[int, int]] = {}
    """What differs: by how much (1: it holds now and did not), and from which tick on."""
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
