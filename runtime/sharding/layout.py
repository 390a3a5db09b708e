"""The shards of a program, and the routes of atoms to them."""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING
from zlib import crc32

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.externals.terms.order import plain
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.sources.facts.atoms import parse_atoms
from lars2asp.splitting.parts import Part, Split, TableStep
from lars2asp.splitting.tables import table_rows
from lars2asp.syntax.nodes import Atom, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every
from lars2asp.syntax.values import dataclass

if TYPE_CHECKING:
    from lars2asp.runtime.sharding.blocks import Block

MOST_KNOWN = 100_000
"""The number of values whose buckets are kept."""

CHOICE_FACTOR = 30
"""How much more a part takes that may have several answer streams, so that clingo solves it."""


def buckets_of(values: Sequence[Value], buckets: int) -> list[int]:
    """The buckets of atoms by their key arguments, as clingo writes these; the same on all machines."""
    texts = plain(values) or map(text_of, values)
    return [crc32(str(text).encode()) % buckets for text in texts]


class PartBuckets:
    """To which buckets of a part atoms belong.

    Args:
        part: the part.
        count: how many buckets it has.
    """

    def __init__(self, part: Part, count: int) -> None:
        self._keys = part.keys if count > 1 else {}
        self._count = count
        analysis = ProgramAnalysis(part.program)
        chains = {key.lookups for key in self._keys.values() if key.lookups}
        self._reached = {lookups: self._reached_by(lookups, analysis) for lookups in chains}
        """For lists of lookups, the buckets of values that they lead on from."""
        self._own: dict[Value, tuple[int, ...]] = {}
        """The buckets of values that came lately."""

    def place(self, signature: Signature) -> int | None:
        """Which argument of the atoms of a predicate says to which buckets they belong; None: to all."""
        key = self._keys.get(signature)
        return None if key is None else key.position

    def of(self, signature: Signature, values: Sequence[Value]) -> list[tuple[int, ...]]:
        """The buckets of atoms with these arguments at the place that says so, in ascending order."""
        known = self._own
        if len(known) > MOST_KNOWN:
            known.clear()
        others = [value for value in values if value not in known]
        known.update(zip(others, zip(buckets_of(others, self._count)), strict=True))
        own = [*map(known.__getitem__, values)]
        reached = self._reached.get(self._keys[signature].lookups)
        return own if reached is None else [*map(reached.get, values, own)]

    def _reached_by(
        self, lookups: Sequence[TableStep], analysis: ProgramAnalysis
    ) -> dict[Value, tuple[int, ...]]:
        rows = [_rows(analysis, lookup.table) for lookup in lookups]
        steps = [*zip(lookups, rows, strict=True)]
        reached = {row[lookup.given]: {row[lookup.given]} for lookup, here in steps for row in here}
        for lookup, here in steps:
            found: dict[Value, set[Value]] = {}
            for row in here:
                found.setdefault(row[lookup.given], set()).add(row[lookup.found])
            reached = {
                begin: {end for value in values for end in found.get(value, (value,))}
                for begin, values in reached.items()
            }
        return {
            begin: tuple(sorted({*buckets_of([*values], self._count)})) for begin, values in reached.items()
        }


def _rows(analysis: ProgramAnalysis, table: Signature) -> list[Row]:
    """The rows of a table, by the facts of a program."""
    atoms = parse_atoms([to_text(atom) for atom in table_rows(analysis, table) or ()])
    return [row for _, rows in atoms for row in rows]


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """A part of a program, or one bucket of its keys, which one reasoner evaluates.

    Attributes:
        number: its number, from 0.
        part: the part.
        bucket: the number of its bucket of keys.
        buckets: how many buckets the part has, 1 where it is not partitioned.
        of_part: to which of them atoms belong.
        is_whole: whether the part is all of the program, so that all of its answers count.
    """

    number: int
    part: Part
    bucket: int
    buckets: int
    of_part: PartBuckets
    is_whole: bool

    def has(self, signature: Signature) -> bool:
        """Whether atoms of a predicate count here; of one with a key, those that are `owned`."""
        return self.bucket == 0 or self.of_part.place(signature) is not None

    def owned(self, block: "Block") -> "Block":
        """Those atoms of its answers that count; others are garbage, or another shard outputs them."""
        place = self.of_part.place(block.signature)
        if place is None:
            return block
        values, numbers = block.distinct(place)
        buckets = self.of_part.of(block.signature, values)
        is_here = [first == self.bucket for first, *_ in buckets]
        return block if all(is_here) else block.chosen(is_here, numbers)


@dataclass(frozen=True)
class Layout:
    """The shards of a program.

    Attributes:
        split: its parts.
        buckets: the number of shards of each part; 1 where its atoms have no keys.
    """

    split: Split
    buckets: tuple[int, ...]

    @classmethod
    def for_partitions(cls, split: Split, partitions: int) -> "Layout":
        """The layout whose parts with keys have `partitions` buckets each.

        There are twice as many beside a part in one bucket, so that they can be spread around it.
        """
        lonely = {part.level for part in split.parts if not part.is_keyed} if partitions > 1 else ()
        return cls(
            split,
            tuple(partitions * (1 + (p.level in lonely)) if p.is_keyed else 1 for p in split.parts),
        )

    @cached_property
    def shards(self) -> tuple[Shard, ...]:
        """All of them, those of lower levels first."""
        found: list[Shard] = []
        for part, count in zip(self.split.parts, self.buckets, strict=True):
            first, of_part, is_whole = len(found), PartBuckets(part, count), self.split.is_whole
            found += [Shard(first + n, part, n, count, of_part, is_whole) for n in range(count)]
        return tuple(found)

    @cached_property
    def _tables(self) -> frozenset[Signature]:
        return frozenset(table for part in self.split.parts for table in part.tables)

    @cached_property
    def _weights(self) -> list[float]:
        """The expected work of each shard, in microseconds (see `weight`)."""
        of_parts = list(map(weight, self.split.parts))
        return [of_parts[shard.part.number] / shard.buckets for shard in self.shards]

    def places(self, count: int) -> tuple[int, ...]:
        """For each shard one of `count` places, so that the places have about the same work of each level."""
        found = [0] * len(self.shards)
        for level in range(self.split.levels):
            loads = [0.0] * count
            shards = self.at_level(level)
            for shard in sorted(shards, key=lambda shard: (-self._weights[shard.number], shard.number)):
                place = loads.index(min(loads))
                loads[place] += self._weights[shard.number]
                found[shard.number] = place
        return tuple(found)

    def at_level(self, level: int) -> tuple[Shard, ...]:
        """The shards of one level."""
        return tuple(shard for shard in self.shards if shard.part.level == level)

    def input_routes(self, level: int) -> "Routes":
        """The routes of input atoms to the shards of a level."""
        return Routes(self.at_level(level), of_input=True, tables=self._tables)

    def routes_above(self, level: int) -> "Routes":
        """The routes of atoms that a level derives to the shards above it."""
        return Routes([shard for shard in self.shards if shard.part.level > level], of_input=False)


def weight(part: Part) -> float:
    """The expected work of a part in all buckets: us of CPU time for an atom of each predicate that it gets.

    It is 2 us for an atom and 0.3 us for each atom in bodies of rules, right within a factor of two or three
    where `delta` serves the part. Measured, with 200 atoms of a predicate at a tick and their packets: 1.9 to
    2.9 us for one predicate and one atom in bodies; 5.7 for two and two; 5.7 for one and six; 9.1 for four
    and four. `python -m experiments part-costs` measures the parts of benchmarks, without packets.
    What clingo evaluates takes 10 to 300 times as long there.
    """
    analysis = ProgramAnalysis(part.program)
    told = (part.reads | part.listens) - analysis.facts.keys() - frozenset(analysis.derived)
    looked_at = sum(1 for rule in analysis.rules for _ in every(Atom, *rule.body))
    return (2 * max(1, len(told)) + 0.3 * looked_at) * (CHOICE_FACTOR if part.failed else 1)


class Routes:
    """The routes of atoms to shards.

    Args:
        shards: the shards that atoms may go to.
        of_input: whether the atoms are input; else they are derived by shards below.
        tables: background data that keys lead through: the input must have no atoms of it.
    """

    def __init__(
        self, shards: Sequence[Shard], *, of_input: bool, tables: frozenset[Signature] = frozenset()
    ) -> None:
        self.all = tuple(shard.number for shard in shards)
        """The numbers of the shards."""
        self.tables = tables
        self._to_all = [shard.number for shard in shards if of_input and shard.part.reads_all]
        self._by_predicate: dict[Signature, list[Shard]] = {}
        """The shards of first buckets."""
        for shard in shards:
            part = shard.part
            if shard.bucket == 0 and not (of_input and part.reads_all):
                for signature in part.reads if of_input else part.listens:
                    self._by_predicate.setdefault(signature, []).append(shard)

    def targets(self, block: "Block") -> "dict[int, Block]":
        """The atoms that go to each shard, by its number; shards that get none are left out."""
        found = dict.fromkeys(self._to_all, block)
        for shard in self._by_predicate.get(block.signature, ()):
            first, of_part = shard.number, shard.of_part
            place = of_part.place(block.signature)
            if place is None:
                found |= dict.fromkeys(range(first, first + shard.buckets), block)
                continue
            values, numbers = block.distinct(place)
            of_values = of_part.of(block.signature, values)
            for bucket in sorted({*chain(*of_values)}):
                is_here = [bucket in buckets for buckets in of_values]
                found[first + bucket] = block.chosen(is_here, numbers)
        return found
