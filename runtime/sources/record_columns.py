"""Plain records in columns: each tells facts of one tick, and is made only where somebody asks for it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, repeat
from operator import le, sub
from typing import NamedTuple, TypeVar, overload

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.runtime.sources.records import Origin, Record, made_of
from lars2asp.syntax.nodes import Signature

T = TypeVar("T")


class FactColumn(NamedTuple):
    """What records tell of a predicate.

    Attributes:
        signature: the predicate.
        rows: for each record a fact; None where it tells none.
        is_whole: whether each of them tells one.
    """

    signature: Signature
    rows: Sequence[Row | None]
    is_whole: bool

    def at(self, ticks: Sequence[int]) -> tuple[Sequence[Row], Sequence[int]]:
        """The facts, and of these ticks of records those at which they are."""
        if self.is_whole:
            return self.rows, ticks  # type: ignore[return-value]
        is_there = [row is not None for row in self.rows]
        return [*compress(self.rows, is_there)], [*compress(ticks, is_there)]  # type: ignore[list-item]


class RecordColumns(Sequence[Record]):
    """Records in columns.

    Args:
        ticks: those of the records; none of them is marked (`times/repeated_hours.py`).
        facts: what they tell, in the order of declarations, of different predicates.
        origins: where they stand.
    """

    def __init__(
        self, ticks: Sequence[int], facts: Sequence[FactColumn], origins: Sequence[Origin | None]
    ) -> None:
        self.ticks = ticks
        self.facts = facts
        self._origins = origins

    @classmethod
    def of(cls, records: Sequence[Record], like: "RecordColumns") -> "RecordColumns | None":
        """Records in columns like others; None where one of them tells something else."""
        by_predicate: dict[Signature, list[Row | None]] = {one.signature: [] for one in like.facts}
        for told, *others in (record.events for record in records):
            rows = {signature: atoms[0] for signature, atoms in told if len(atoms) == 1}
            if others != [(), (), None] or len(rows) < len(told) or not rows.keys() <= by_predicate.keys():
                return None
            for signature, column in by_predicate.items():
                column.append(rows.get(signature))
        facts = [FactColumn(one, column, None not in column) for one, column in by_predicate.items()]
        return cls([one.tick for one in records], facts, [one.origin for one in records])

    def __len__(self) -> int:
        return len(self.ticks)

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> "RecordColumns": ...

    def __getitem__(self, place: int | slice) -> "Record | RecordColumns":
        if isinstance(place, slice):
            facts = [one._replace(rows=one.rows[place]) for one in self.facts]
            return RecordColumns(self.ticks[place], facts, self._origins[place])
        told = [AtomRows(one.signature, [row]) for one in self.facts if (row := one.rows[place]) is not None]
        return Record(self.ticks[place], Events(tuple(told)), self._origins[place])

    def __iter__(self) -> Iterator[Record]:
        if not (self.facts and all(one.is_whole for one in self.facts)):
            return map(self.__getitem__, range(len(self)))
        atoms = (
            made_of(AtomRows, repeat(one.signature), map(list, zip(one.rows, strict=True)))
            for one in self.facts
        )
        nothing: Iterator[tuple[()]] = repeat(())
        events = made_of(Events, zip(*atoms, strict=True), nothing, nothing, repeat(None))
        return made_of(Record, self.ticks, events, self._origins)

    @property
    def is_in_order(self) -> bool:
        """Whether no record comes behind one of a later tick."""
        ticks = self.ticks
        return all(map(le, ticks, ticks[1:]))

    def is_near(self, tick: int, most: int) -> bool:
        """Whether none comes more ticks than `most` after the one before, the first one after a tick."""
        ticks = self.ticks
        return ticks[-1] - tick <= most or max(map(sub, ticks, [tick, *ticks])) <= most

    def in_order(self) -> "RecordColumns":
        """The same in the order of ticks; those of one tick stay in theirs."""
        if self.is_in_order:
            return self
        places = sorted(range(len(self)), key=self.ticks.__getitem__)
        facts = [one._replace(rows=_chosen(one.rows, places)) for one in self.facts]
        return RecordColumns(_chosen(self.ticks, places), facts, _chosen(self._origins, places))

    def followed_by(self, more: "RecordColumns") -> "RecordColumns | None":
        """These and more; None where they tell of other predicates."""
        if [one.signature for one in self.facts] != [one.signature for one in more.facts]:
            return None
        facts = [
            FactColumn(one.signature, [*one.rows, *other.rows], one.is_whole and other.is_whole)
            for one, other in zip(self.facts, more.facts, strict=True)
        ]
        return RecordColumns([*self.ticks, *more.ticks], facts, [*self._origins, *more._origins])


def _chosen(values: Sequence[T], places: Iterable[int]) -> list[T]:
    return [*map(values.__getitem__, places)]
