"""A tree of an explanation while it is made."""

from dataclasses import dataclass, field

Key = tuple[str, int, int, bool]
"""A claim: atom, tick, tick of evaluation, whether it holds."""


@dataclass
class Tree:
    """A tree that is being made.

    Attributes:
        depth: how many rules may stand upon one another.
        numbers: those of the claims that the tree explains, in the order in which they were.
        open: the claims whose reasons are being worked out, and their numbers.
        last: the last number.
    """

    depth: int
    numbers: dict[Key, int] = field(default_factory=dict)
    open: dict[Key, int] = field(default_factory=dict)
    last: int = 0

    def number(self) -> int:
        """The next number of a claim."""
        self.last += 1
        return self.last

    def drop(self, kept: int) -> None:
        """Forgets the claims that were explained after the first ones: the tree does not have them."""
        while len(self.numbers) > kept:
            self.numbers.popitem()


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
