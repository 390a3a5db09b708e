"""A program in parts, each for one reasoner or for one in each bucket of keys."""

from collections.abc import Mapping
from typing import NamedTuple

from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.source import Location
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class Remark:
    """A finding about how a program can be split.

    Attributes:
        text: the finding.
        location: the place that it is about, None where that is the whole program.
    """

    text: str
    location: Location | None = None

    def __str__(self) -> str:
        return f"{place(self.location)}: {self.text}" if self.location is not None else self.text


def place(location: Location) -> str:
    """The file and line of a place."""
    return f"{location.source.name}:{location.line}"


class TableStep(NamedTuple):
    """A step from a value to others by a table, a predicate of background data.

    It leads to the arguments `found` (counted from 0) of the facts that have the value as their argument
    `given`, or, if there is no such fact, to the value itself.
    """

    table: Signature
    given: int
    found: int


class Key(NamedTuple):
    """By what the atoms of a predicate are distributed.

    Attributes:
        position: the argument, counted from 0.
        lookups: the tables through which it leads to the values that an atom belongs to.
    """

    position: int
    lookups: tuple[TableStep, ...] = ()


@dataclass(frozen=True)
class Part:
    """Rules that one reasoner evaluates, or one for each bucket of keys.

    Of n buckets an atom of a predicate with a key goes to those that its key values hash to (its key
    argument, or what tables have for that), and every other atom to all of them. Of a bucket's answer those
    atoms count of which it is the first bucket; atoms without key are the same in all buckets.

    Why that is right: a head with a key has the same term there as every atom with a key that its rule looks
    at, or rows of tables that the rule needs lead from the one to the other; and a rule whose head has none
    looks at no atom with a key. So the ground atoms that belong to a bucket (by a key value, or for want of a
    key) are a splitting set (Lifschitz and Turner 1994) of the ground rules, at each tick and with what later
    ticks see of earlier ones: rules for them look at them alone, or at what no row makes true. What
    holds of them is what holds in the whole program. Other atoms may be true or false in the bucket against
    the whole program, by background facts or for want of input; they lie above the splitting set, have
    exactly one answer stream since the rules are certain, and are left out.

    Attributes:
        number: its place among the parts.
        level: 0 where it reads the input alone; n where it listens to parts of level n-1 and lower.
        program: its rules, the facts that they look at, and `#show` statements for `outputs` and `hands_on`.
        reads: the predicates of the input that it gets.
        reads_all: whether it gets every atom of the input.
        listens: the predicates that it gets from lower parts: each atom as an interval that begins and ends
            when the atom enters and leaves the answer.
        keys: by what atoms are distributed; an atom of a predicate that is missing goes to every bucket.
            Empty where there is one bucket.
        outputs: the predicates of the program's output that it gives.
        hands_on: the predicates that higher parts listen to.
        failed: the predicate of atoms that it hands on while it has no answer stream, each with the number of
            the reasoner; None where there always is one, or nobody listens.
    """

    number: int
    level: int
    program: Program
    reads: frozenset[Signature]
    reads_all: bool
    listens: frozenset[Signature]
    keys: Mapping[Signature, Key]
    outputs: frozenset[Signature]
    hands_on: frozenset[Signature]
    failed: Signature | None = None

    @property
    def tables(self) -> frozenset[Signature]:
        """The background data that keys lead through: the input must have no atoms of it."""
        return frozenset(lookup.table for key in self.keys.values() for lookup in key.lookups)

    @property
    def is_keyed(self) -> bool:
        """Whether its atoms are distributed over buckets."""
        return bool(self.keys)


@dataclass(frozen=True)
class Split:
    """A program in parts, the lowest level first, and the findings about it."""

    parts: tuple[Part, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def levels(self) -> int:
        """How many levels there are."""
        return 1 + max((part.level for part in self.parts), default=-1)

    @property
    def is_whole(self) -> bool:
        """Whether one reasoner runs all of it."""
        return len(self.parts) == 1 and not self.parts[0].is_keyed

    @property
    def duplicated(self) -> Mapping[Signature, tuple[Part, ...]]:
        """The predicates whose input goes to several parts, and those."""
        readers: dict[Signature, list[Part]] = {}
        for part in self.parts:
            for signature in sorted(part.reads):
                readers.setdefault(signature, []).append(part)
        return {signature: tuple(parts) for signature, parts in readers.items() if len(parts) > 1}
