"""A tree of an explanation while it is made."""

from collections.abc import Hashable, Iterator, Mapping, Set
from dataclasses import dataclass, field

DEEPEST = 60
"""The number of rules that stand upon one another in a tree, at most."""


Key = tuple[str, int, int, bool]
"""A claim: atom, tick, tick of evaluation, whether it holds."""


@dataclass
class Tree:
    """A tree that is being made.

    Attributes:
        depth: how many rules may stand upon one another.
        counter: gives the numbers of claims.
        fixed: for claims the one way in which they may be explained.
        excluded: for claims the ways in which they may not.
        numbers: those of the claims that the tree explains, in the order in which they were.
        open: the claims whose reasons are being worked out, and their numbers.
        ways: how the claims that hold are explained, from the root down.
    """

    depth: int
    counter: Iterator[int]
    fixed: Mapping[Key, Hashable] = field(default_factory=dict)
    excluded: Mapping[Key, Set[Hashable]] = field(default_factory=dict)
    numbers: dict[Key, int] = field(default_factory=dict)
    open: dict[Key, int] = field(default_factory=dict)
    ways: dict[Key, Hashable] = field(default_factory=dict)

    def number(self) -> int:
        """The next number of a claim."""
        return next(self.counter)

    def allows(self, key: Key, way: Hashable) -> bool:
        """Whether a claim may be explained in a way."""
        return self.fixed.get(key, way) == way and way not in self.excluded.get(key, ())

    @property
    def size(self) -> tuple[int, int]:
        """How much is explained so far; to be handed to `drop`."""
        return len(self.numbers), len(self.ways)

    def drop(self, kept: tuple[int, int]) -> None:
        """Forgets the claims that were explained after the first ones: the tree does not have them."""
        numbers, ways = kept
        while len(self.numbers) > numbers:
            self.numbers.popitem()
        while len(self.ways) > ways:
            self.ways.popitem()


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a tree at which something is to be explained.

    Attributes:
        now: the tick of evaluation.
        tree: the tree.
        level: how many rules stand above it.
    """

    now: int
    tree: Tree
    level: int = 0
