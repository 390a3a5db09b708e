"""Which shards a program has, and which of them an atom concerns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

from clingo import Symbol

from externals.symbols import signature_of
from lars2asp.splitting.parts import Part, Split
from lars2asp.syntax import Signature


def bucket_of(argument: Symbol, buckets: int) -> int:
    """The bucket of an atom with this argument as its key; the same on every machine and in every run."""
    return crc32(str(argument).encode()) % buckets


@dataclass(frozen=True, slots=True)
class Shard:
    """One reasoner's place.

    Attributes:
        number: its number, from 0.
        part: what it evaluates.
        bucket: which of the buckets of keys it has.
        buckets: how many there are for its part, 1 where the part is not partitioned.
        is_whole: whether it has all of the program, so that all that it answers counts.
    """

    number: int
    part: Part
    bucket: int
    buckets: int
    is_whole: bool

    def owns(self, atom: Symbol) -> bool:
        """Whether an atom of its answers counts; others are garbage, or another shard hands them out."""
        if self.buckets == 1:
            return True
        key = self.part.keys.get(signature_of(atom))
        if key is None:
            return self.bucket == 0
        return bucket_of(atom.arguments[key], self.buckets) == self.bucket


@dataclass(frozen=True)
class Layout:
    """The shards of a program.

    Attributes:
        split: its parts.
        buckets: how many shards a part has whose atoms have keys.
    """

    split: Split
    buckets: int

    @cached_property
    def shards(self) -> tuple[Shard, ...]:
        """All of them, those of lower levels first."""
        found: list[Shard] = []
        for part in self.split.parts:
            count = self.buckets if part.keys else 1
            first = len(found)
            found += [
                Shard(first + bucket, part, bucket, count, self.split.is_whole) for bucket in range(count)
            ]
        return tuple(found)

    def at_level(self, level: int) -> tuple[Shard, ...]:
        """Those of one level."""
        return tuple(shard for shard in self.shards if shard.part.level == level)

    def input_routes(self, level: int) -> "Routes":
        """Where atoms of the input go, of the shards of a level."""
        return Routes(self.at_level(level), of_input=True)

    def routes_above(self, level: int) -> "Routes":
        """Where derived atoms go from the parts of a level, of the shards above."""
        return Routes([shard for shard in self.shards if shard.part.level > level], of_input=False)


class Routes:
    """Which shards atoms go to.

    Args:
        shards: the shards that are asked about.
        of_input: whether the atoms are told by the input, else they are derived below.
    """

    def __init__(self, shards: Sequence[Shard], *, of_input: bool) -> None:
        self.all = tuple(shard.number for shard in shards)
        """The numbers of the shards."""
        self._everything: list[Shard] = []
        self._by_predicate: dict[Signature, list[tuple[int, int, int | None]]] = {}
        for shard in shards:
            part = shard.part
            if of_input and part.reads_all:
                self._everything.append(shard)
                continue
            if shard.bucket == 0:
                for signature in part.reads if of_input else part.listens:
                    route = (shard.number, shard.buckets, part.keys.get(signature))
                    self._by_predicate.setdefault(signature, []).append(route)
        self._to_all = tuple(shard.number for shard in self._everything)

    def targets(self, atom: Symbol) -> list[int]:
        """The numbers of the shards that an atom concerns."""
        found = list(self._to_all)
        for first, buckets, key in self._by_predicate.get(signature_of(atom), ()):
            if key is None:
                found += range(first, first + buckets)
            else:
                found.append(first + bucket_of(atom.arguments[key], buckets))
        return found
