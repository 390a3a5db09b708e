"""Plain records in columns: each tells facts of one tick, and is made only where somebody asks for it."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain, compress, filterfalse, pairwise, repeat
from operator import is_not, itemgetter, le, length_hint, sub
from typing import NamedTuple, TypeVar, overload

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.runtime.sources.fine_ticks import FineTick, moment_of
from lars2asp.runtime.sources.partial_ticks import PartialTicks
from lars2asp.runtime.sources.records import (
    NO_FACT,
    PASSED_OVER,
    Origin,
    Origins,
    Record,
    TimeAlone,
    made_of,
)
from lars2asp.syntax.nodes import Signature

T = TypeVar("T")

_first = itemgetter(0)


class FactColumn(NamedTuple):
    """What records tell of a predicate.

    Attributes:
        signature: the predicate.
        rows: the facts, in the order of records.
        places: those of the records that tell them, which ascend; None where each record tells one.
        are_several: whether records may tell several, some of which may be equal.
    """

    signature: Signature
    rows: Sequence[Row]
    places: Sequence[int] | None = None
    are_several: bool = False

    @classmethod
    def of_each(cls, columns: "Sequence[FactColumn]", number: int) -> "FactColumn":
        """The facts of columns of so many records, which tell one at most by each: those of one together."""
        each = [*chain.from_iterable(zip(*(one.by_record(number) for one in columns), strict=True))]
        places = chain.from_iterable(map(repeat, range(number), repeat(len(columns))))
        signature = columns[0].signature
        if all(one.places is None for one in columns):
            return cls(signature, each, [*places], are_several=True)
        there = [*map(is_not, each, repeat(None))]
        return cls(signature, [*compress(each, there)], [*compress(places, there)], are_several=True)

    def at(self, ticks: Sequence[int]) -> tuple[Sequence[Row], Sequence[int]]:
        """The facts, and of these ticks of records those at which they are."""
        if self.places is None:
            return self.rows, ticks
        return self.rows, [*map(ticks.__getitem__, self.places)]

    def by_record(self, number: int) -> Sequence[Row | None]:
        """For each of so many records its fact, of which there is one at most; None where it tells none."""
        if self.places is None:
            return self.rows
        found: list[Row | None] = [None] * number
        for place, row in zip(self.places, self.rows, strict=True):
            found[place] = row
        return found

    def all_by_record(self, number: int) -> Sequence[Sequence[Row]]:
        """For each of so many records its facts."""
        if self.places is None:
            return [*zip(self.rows, strict=True)]
        found: list[list[Row]] = [[] for _ in range(number)]
        for place, row in zip(self.places, self.rows, strict=True):
            found[place].append(row)
        return found

    def between(self, first: int, end: int) -> "FactColumn":
        """What records from a place on and before another tell."""
        if self.places is None:
            return self._replace(rows=self.rows[first:end])
        begin, stop = (bisect_left(self.places, place) for place in (first, end))
        places = [place - first for place in self.places[begin:stop]]
        return self._replace(rows=self.rows[begin:stop], places=places)

    def in_order(self, order: Sequence[int]) -> "FactColumn":
        """The same where the records are in another order, given by the places that they had."""
        if self.places is None:
            return self._replace(rows=_chosen(self.rows, order))
        rows = self.all_by_record(len(order))
        told = [(place, row) for place, was in enumerate(order) for row in rows[was]]
        return self._replace(rows=[row for _, row in told], places=[place for place, _ in told])


def told_by(signature: Signature, rows: Sequence[Row | None]) -> FactColumn:
    """What records tell, given for each of them; None where it tells nothing."""
    if None not in rows:
        return FactColumn(signature, rows)  # type: ignore[arg-type]
    places = [place for place, row in enumerate(rows) if row is not None]
    return FactColumn(signature, _chosen(rows, places), places)  # type: ignore[arg-type]


NOTHING = Signature("", 0)
"""Stands for the predicate of records that tell nothing."""


class RecordColumns(Sequence[Record]):
    """Records in columns.

    Args:
        ticks: those of the records; none of them is marked (`times/repeated_hours.py`), unless they are
            `PartialTicks`.
        facts: what they tell, in the order of declarations, of different predicates.
        origins: where they stand.
        moments: their times, in microseconds since the Unix epoch, where the order of the records of a tick
            matters and they have times; else None.
        passed_over: those that no declaration fits, as if they told of `NOTHING`; None for none.
    """

    def __init__(
        self,
        ticks: Sequence[int],
        facts: Sequence[FactColumn],
        origins: Sequence[Origin | None],
        moments: Sequence[int] | None = None,
        passed_over: FactColumn | None = None,
    ) -> None:
        self.ticks = ticks
        self.facts = facts
        self.moments = moments
        self._origins = origins
        self._passed_over = passed_over

    @classmethod
    def of(cls, records: Sequence[Record], like: "RecordColumns") -> "RecordColumns | None":
        """Records in columns like others; None where one of them tells something else."""
        by_predicate = {one.signature: (list[Row](), list[int]()) for one in like.facts}
        several = {one.signature for one in like.facts if one.are_several}
        for place, (told, *others) in enumerate(record.events for record in records):
            rows = dict(told)
            if others != [(), (), None] or len(rows) < len(told) or not rows.keys() <= by_predicate.keys():
                return None
            for signature, atoms in rows.items():
                if len(atoms) != 1 and signature not in several:
                    return None
                by_predicate[signature][0].extend(atoms)
                by_predicate[signature][1].extend([place] * len(atoms))
        facts = [
            FactColumn(one, found, places, are_several=one in several)
            for one, (found, places) in by_predicate.items()
        ]
        moments = None if like.moments is None else [moment_of(one.tick) for one in records]
        times = [isinstance(one.events, TimeAlone) and one.events.counted_as for one in records]
        nothing = told_by(NOTHING, [() if one == "passed_over" else None for one in times])
        ticks, origins = [+one.tick for one in records], [one.origin for one in records]
        return cls(ticks, facts, origins, moments, nothing)

    def __len__(self) -> int:
        return len(self.ticks)

    @overload
    def __getitem__(self, place: int) -> Record: ...

    @overload
    def __getitem__(self, place: slice) -> "RecordColumns": ...

    def __getitem__(self, place: int | slice) -> "Record | RecordColumns":
        if isinstance(place, slice):
            first, end, step = place.indices(len(self))
            if step != 1:
                raise ValueError("records in columns are taken one after the other")
            if end - first == len(self):
                return self
            facts = [one.between(first, max(first, end)) for one in self.facts]
            moments = None if self.moments is None else self.moments[place]
            nothing = None if self._passed_over is None else self._passed_over.between(first, max(first, end))
            return RecordColumns(self.ticks[place], facts, self._origins[place], moments, nothing)
        at = range(len(self))[place]
        told = [
            AtomRows(one.signature, [*rows]) for one in self.facts if (rows := one.between(at, at + 1).rows)
        ]
        events = Events(tuple(told)) if told else self._without_fact(at)
        tick = self.ticks[at] if self.moments is None else FineTick.at(self.ticks[at], self.moments[at])
        return Record(tick, events, self._origins[at])

    def with_ticks(self, ticks: Sequence[int], moments: Sequence[int] | None) -> "RecordColumns":
        """The same at other ticks."""
        return RecordColumns(ticks, self.facts, self._origins, moments, self._passed_over)

    def _without_fact(self, place: int) -> Events:
        """The events of a record that tells nothing."""
        one = self._passed_over
        return NO_FACT if one is None or not one.between(place, place + 1).rows else PASSED_OVER

    @cached_property
    def without_facts(self) -> Sequence[int]:
        """The places of the records that tell nothing."""
        if not len(self) or any(one.places is None for one in self.facts):
            return ()
        telling = {*chain.from_iterable(one.places or () for one in self.facts)}
        return [*filterfalse(telling.__contains__, range(len(self)))]

    @property
    def number_without_facts(self) -> int:
        """The number of records that tell nothing."""
        if len(self.facts) == 1 and (places := self.facts[0].places) is not None:
            return len(self) - len({*places} if self.facts[0].are_several else places)
        return len(self.without_facts)

    def pass_over(self, places: Sequence[int]) -> None:
        """No declaration fits the records at some places, which tell nothing."""
        if places:
            self._passed_over = FactColumn(NOTHING, [()] * len(places), places)

    @property
    def passed_over(self) -> Sequence[int]:
        """The places of those that no declaration fits."""
        one = self._passed_over
        return () if one is None else range(len(one.rows)) if one.places is None else one.places

    @property
    def number_passed_over(self) -> int:
        """How many of them no declaration fits."""
        return 0 if self._passed_over is None else len(self._passed_over.rows)

    def __iter__(self) -> Iterator[Record]:
        if not (self.facts and all(one.places is None for one in self.facts)):
            return self._each()
        atoms = (
            made_of(AtomRows, repeat(one.signature), map(list, zip(one.rows, strict=True)))
            for one in self.facts
        )
        nothing: Iterator[tuple[()]] = repeat(())
        events = made_of(Events, zip(*atoms, strict=True), nothing, nothing, repeat(None))
        return made_of(Record, self._fine_ticks(), events, self._origins)

    def _each(self) -> Iterator[Record]:
        number = len(self)
        signatures = [one.signature for one in self.facts]
        columns = [one.all_by_record(number) for one in self.facts]
        rows: Iterable[Sequence[Sequence[Row]]] = (
            zip(*columns, strict=True) if columns else repeat((), number)
        )
        each = zip(self._fine_ticks(), rows, self._origins, strict=True)
        for place, (tick, told, origin) in enumerate(each):
            atoms = [AtomRows(one, [*some]) for one, some in zip(signatures, told, strict=True) if some]
            yield Record(tick, Events(tuple(atoms)) if atoms else self._without_fact(place), origin)

    def _fine_ticks(self) -> Iterable[int]:
        return self.ticks if self.moments is None else map(FineTick.at, self.ticks, self.moments)

    def origin(self, place: int) -> Origin | None:
        """Where a record stands."""
        return self._origins[place]

    @property
    def is_in_order(self) -> bool:
        """Whether no record comes behind one of a later tick."""
        ticks = self.ticks
        return sorted(ticks) == ticks if isinstance(ticks, list) else all(map(le, ticks, ticks[1:]))

    @property
    def is_in_full_order(self) -> bool:
        """The same, and within ticks no record comes behind one of a later time."""
        moments = self.moments
        return self.is_in_order and (moments is None or all(map(le, moments, moments[1:])))

    def is_near(self, tick: int, most: int) -> bool:
        """Whether none comes more ticks than `most` after the one before, the first one after a tick."""
        ticks = self.ticks
        return ticks[-1] - tick <= most or max(map(sub, ticks, [tick, *ticks])) <= most

    def in_order(self) -> "RecordColumns":
        """The same in the order of ticks, within these of times; those of one time stay in their order."""
        if self.is_in_full_order:
            return self
        places: Sequence[int] = range(len(self))
        if self.moments is not None:
            places = sorted(places, key=self.moments.__getitem__)
        places = sorted(places, key=self.ticks.__getitem__)
        facts = [one.in_order(places) for one in self.facts]
        origins = self._origins
        chosen = origins.in_order(places) if isinstance(origins, Origins) else _chosen(origins, places)
        moments = None if self.moments is None else _chosen(self.moments, places)
        nothing = None if self._passed_over is None else self._passed_over.in_order(places)
        return RecordColumns(_chosen(self.ticks, places), facts, chosen, moments, nothing)

    @classmethod
    def together(cls, several: Sequence["RecordColumns"]) -> "RecordColumns | None":
        """Records that follow each other; None where they tell of different predicates."""
        first, *others = several
        if any(isinstance(one.ticks, PartialTicks) for one in others):  # each is dated by those before it
            return None
        signatures = [one.signature for one in first.facts]
        if any([fact.signature for fact in one.facts] != signatures for one in others):
            return None
        if not others:
            return first
        firsts = [0, *accumulate(map(len, several))]
        facts = [
            _followed([one.facts[number] for one in several], firsts) for number in range(len(signatures))
        ]
        ticks = [*chain.from_iterable(one.ticks for one in several)]
        moments = None
        if any(one.moments is not None for one in several):
            moments = [*chain.from_iterable(one.moments or map(moment_of, one.ticks) for one in several)]
        nothing = None
        if any(one.number_passed_over for one in several):
            without = FactColumn(NOTHING, (), ())
            nothing = _followed([one._passed_over or without for one in several], firsts)
        origins = _followed_origins([one._origins for one in several])
        return cls(ticks, facts, origins, moments, nothing)


class LeftRecords(Iterator[Record]):
    """Records that are made one by one; `length_hint` knows how many are left."""

    def __init__(self, records: RecordColumns) -> None:
        self._left = iter(range(len(records)))
        self._records: Iterator[Record] = map(_first, zip(records, self._left, strict=False))

    def __iter__(self) -> Iterator[Record]:
        return self._records

    def __next__(self) -> Record:
        return next(self._records)

    def __length_hint__(self) -> int:
        return length_hint(self._left)


def _followed_origins(several: Sequence[Sequence[Origin | None]]) -> Sequence[Origin | None]:
    """Where records stand that follow each other."""
    some = [one for one in several if isinstance(one, Origins)]
    if len(some) < len(several) or len({one.source for one in some}) > 1:
        return [*chain.from_iterable(several)]
    return Origins.together(some)


def _followed(columns: Sequence[FactColumn], firsts: Sequence[int]) -> FactColumn:
    """What records tell of a predicate that follow each other, given by where the first ones stand."""
    are_several = any(one.are_several for one in columns)
    rows = [*chain.from_iterable(one.rows for one in columns)]
    found = FactColumn(columns[0].signature, rows, are_several=are_several)
    if all(one.places is None for one in columns):
        return found
    places: list[int] = []
    for one, (first, end) in zip(columns, pairwise(firsts), strict=True):
        places += range(first, end) if one.places is None else [first + place for place in one.places]
    return found._replace(places=places)


def _chosen(values: Sequence[T], places: Iterable[int]) -> list[T]:
    return [*map(values.__getitem__, places)]
