"""The shards of a program, and the routes of atoms to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from zlib import crc32

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.externals.terms.order import plain
from lars2asp.externals.terms.terms import AtomRows, Value
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.sharding.blocks import Block
from lars2asp.splitting.parts import Part, Split
from lars2asp.syntax.nodes import Signature


def buckets_of(values: Sequence[Value], buckets: int) -> list[int]:
    """The buckets of atoms by their key arguments, as clingo writes these; the same on all machines."""
    texts = plain(values) or map(text_of, values)
    return [crc32(str(text).encode()) % buckets for text in texts]


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """A part of a program, or one bucket of its keys, which one reasoner evaluates.

    Attributes:
        number: its number, from 0.
        part: the part.
        bucket: the number of its bucket of keys.
        buckets: how many buckets the part has, 1 where it is not partitioned.
        is_whole: whether the part is all of the program, so that all of its answers count.
    """

    number: int
    part: Part
    bucket: int
    buckets: int
    is_whole: bool

    def owned(self, atoms: AtomRows) -> AtomRows:
        """Those atoms of its answers that count; others are garbage, or another shard outputs them."""
        signature, rows = atoms
        if self.buckets == 1:
            return atoms
        key = self.part.keys.get(signature)
        if key is None:
            return atoms if self.bucket == 0 else AtomRows(signature, ())
        buckets = buckets_of([row[key] for row in rows], self.buckets)
        return AtomRows(signature, [*compress(rows, map(self.bucket.__eq__, buckets))])


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
        """The layout with at least `partitions` shards side by side at each level, if there are keys.

        There are not many more: each shard has ticks of its own to evaluate.
        """
        buckets = [1] * len(split.parts)
        for level in range(split.levels):
            here = [part for part in split.parts if part.level == level]
            keyed = [part for part in here if part.is_keyed]
            for part in keyed:
                buckets[part.number] = max(1, -(-(partitions - len(here) + len(keyed)) // len(keyed)))
        return cls(split, tuple(buckets))

    @cached_property
    def shards(self) -> tuple[Shard, ...]:
        """All of them, those of lower levels first."""
        found: list[Shard] = []
        for part, count in zip(self.split.parts, self.buckets, strict=True):
            first = len(found)
            found += [
                Shard(first + bucket, part, bucket, count, self.split.is_whole) for bucket in range(count)
            ]
        return tuple(found)

    def places(self, count: int) -> tuple[int, ...]:
        """For each shard one of `count` places, so that the places have about the same work of each level.

        The work of a part is estimated by its rules and the predicates that it reads.
        """
        found = [0] * len(self.shards)
        for level in range(self.split.levels):
            loads = [0.0] * count
            weights = {shard: _weight(shard.part) / shard.buckets for shard in self.at_level(level)}
            for shard in sorted(weights, key=lambda shard: (-weights[shard], shard.number)):
                place = loads.index(min(loads))
                loads[place] += weights[shard]
                found[shard.number] = place
        return tuple(found)

    def at_level(self, level: int) -> tuple[Shard, ...]:
        """The shards of one level."""
        return tuple(shard for shard in self.shards if shard.part.level == level)

    def input_routes(self, level: int) -> "Routes":
        """The routes of input atoms to the shards of a level."""
        return Routes(self.at_level(level), of_input=True)

    def routes_above(self, level: int) -> "Routes":
        """The routes of atoms that a level derives to the shards above it."""
        return Routes([shard for shard in self.shards if shard.part.level > level], of_input=False)


def _weight(part: Part) -> int:
    rules = sum(1 for rule in part.program.rules() if rule.body)
    return rules + len(part.reads) + len(part.listens)


class Routes:
    """The routes of atoms to shards.

    Args:
        shards: the shards that atoms may go to.
        of_input: whether the atoms are input; else they are derived by shards below.
    """

    def __init__(self, shards: Sequence[Shard], *, of_input: bool) -> None:
        self.all = tuple(shard.number for shard in shards)
        """The numbers of the shards."""
        self._to_all = [shard.number for shard in shards if of_input and shard.part.reads_all]
        self._by_predicate: dict[Signature, list[tuple[int, int, int | None]]] = {}
        for shard in shards:
            part = shard.part
            if shard.bucket == 0 and not (of_input and part.reads_all):
                for signature in part.reads if of_input else part.listens:
                    route = (shard.number, shard.buckets, part.keys.get(signature))
                    self._by_predicate.setdefault(signature, []).append(route)

    def targets(self, block: Block) -> dict[int, Block]:
        """The atoms that go to each shard, by its number; shards that get none are left out."""
        found = dict.fromkeys(self._to_all, block)
        for first, buckets, key in self._by_predicate.get(block.signature, ()):
            if key is None or buckets == 1:
                found |= dict.fromkeys(range(first, first + buckets), block)
                continue
            values, numbers = block.distinct(key)
            of_value = pa.array(buckets_of(values, buckets), pa.int32())
            of_atom = of_value.take(numbers)
            for bucket in of_value.unique().to_pylist():
                found[first + bucket] = block.where(pc.equal(of_atom, bucket))
        return found
