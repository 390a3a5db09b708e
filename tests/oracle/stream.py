"""The input stream: which atoms hold when by the records, and in what order they arrived."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.definition.given import Told
from lars2asp.definition.terms import Row, text_of
from lars2asp.syntax.nodes import Signature

Ground = tuple[str, Row]
"""A ground atom; `-` before its name is its sign."""

Pair = tuple[Ground, int]
"""An atom and a tick at which it holds. An interpretation is a set of such pairs."""


@lru_cache(10_000)
def signature_of(atom: Ground) -> Signature:
    """The predicate of a ground atom."""
    name, arguments = atom
    return Signature(name.removeprefix("-"), len(arguments), not name.startswith("-"))


def ground(signature: Signature, arguments: Row) -> Ground:
    """The ground atom of a predicate."""
    return f"{'' if signature.is_positive else '-'}{signature.name}", arguments


def atom_text(atom: Ground) -> str:
    """The atom as clingo writes it."""
    return text_of(*atom)


@dataclass(frozen=True)
class Item:
    """One record: atoms that hold at its tick or until a later one, begin, or end.

    In this order: what ends, what begins, what holds, each in the order of the record.
    """

    tick: int
    facts: tuple[Ground, ...] = ()
    until: int | None = None
    begin: tuple[Ground, ...] = ()
    end: tuple[Ground, ...] = ()


@dataclass
class _Telling:
    """The records of one tick, taken together for one atom."""

    until: int = -1
    is_begun: bool = False


NOTHING_HELD: Mapping[Signature, HeldBy] = {}


def arrivals(
    records: Sequence[Item], last: int, held: Mapping[Signature, HeldBy] = NOTHING_HELD
) -> tuple[Told, ...]:
    """All arrivals up to a tick, in order of arrival.

    An atom arrives once at a tick, in the first record that has it. A begin counts only where no open
    interval of the atom is running; it lasts until the tick before its end. A fact that is held arrives in
    the last record of its tick that has its key.
    """
    found: list[Told] = []
    is_open: set[Ground] = set()
    for tick in sorted({record.tick for record in records if record.tick <= last}):
        told: dict[Ground, _Telling] = {}
        for record in records:
            if record.tick != tick:
                continue
            for atom in record.end:
                is_open.discard(atom)
                if atom in told:
                    told[atom].is_begun = False
                    if told[atom].until < tick:  # what never held has not arrived
                        del told[atom]
            for atom in record.begin:
                if atom not in is_open:
                    is_open.add(atom)
                    told.setdefault(atom, _Telling()).is_begun = True
            for atom in record.facts:
                by = held.get(signature_of(atom))
                if by is not None:
                    for other in [one for one in told if _take_turns(one, atom, by)]:
                        del told[other]
                    told[atom] = _Telling(by.last(tick) if record.until is None else record.until)
                    continue
                telling = told.setdefault(atom, _Telling())
                telling.until = max(telling.until, tick if record.until is None else record.until)
        for atom, telling in told.items():
            until = telling.until
            if (by := held.get(signature_of(atom))) is not None:
                later = (
                    record.tick
                    for record in records
                    if record.tick > tick and any(_take_turns(one, atom, by) for one in record.facts)
                )
                until = min(until, min(later, default=last + 1) - 1)
            if telling.is_begun:
                ends = (record.tick for record in records if record.tick > tick and atom in record.end)
                until = max(until, min(ends, default=last + 1) - 1)
            if until >= tick:  # else it ended at the tick at which it began, and never held
                found.append(Told(tick, min(until, last), signature_of(atom), atom[1]))
    return tuple(found)


def _take_turns(one: Ground, other: Ground, by: HeldBy) -> bool:
    """Whether two facts of a predicate that is held have the same key."""
    return signature_of(one) == signature_of(other) and by.key_of(one[1]) == by.key_of(other[1])
