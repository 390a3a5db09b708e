"""A program in parts, each for one reasoner or for one in each bucket of keys."""

from collections.abc import Mapping
from dataclasses import dataclass

from lars2asp.syntax.nodes import Program, Signature
from lars2asp.syntax.source import Location


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


@dataclass(frozen=True)
class Part:
    """Rules that one reasoner evaluates, or one for each bucket of keys.

    Of n buckets an atom of a predicate with a key goes to the one that its key argument hashes to, and every
    other atom to all of them. Of a bucket's answer those atoms count whose key argument hashes to it; atoms
    without key are the same in all buckets.

    Why that is right: a head with a key has the same term there as every atom with a key that its rule looks
    at, and a rule whose head has none looks at no atom with a key. So the ground atoms that belong to a
    bucket (by their key, or for want of one) are a splitting set (Lifschitz and Turner 1994) of the ground
    rules, at each tick and with what later ticks see of earlier ones: rules for them look at them alone. What
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
        keys: by which argument (counted from 0) atoms are distributed; an atom of a predicate that is missing
            goes to every bucket. Empty where there is one bucket.
        outputs: the predicates of the program's output that it gives.
        hands_on: the predicates that higher parts listen to.
    """

    number: int
    level: int
    program: Program
    reads: frozenset[Signature]
    reads_all: bool
    listens: frozenset[Signature]
    keys: Mapping[Signature, int]
    outputs: frozenset[Signature]
    hands_on: frozenset[Signature]

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
