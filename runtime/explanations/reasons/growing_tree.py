"""A tree of an explanation while it is made."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import field, replace
from typing import NamedTuple

from lars2asp.runtime.explanations.words.instances import ClaimedAtom
from lars2asp.syntax.values import dataclass

Key = tuple[ClaimedAtom, int, int, bool]
"""A claim: atom, tick, tick of evaluation, whether it holds."""


class Open(NamedTuple):
    """A claim whose reason is being worked out.

    Attributes:
        number: its number.
        place: how many such claims stand above it.
    """

    number: int
    place: int


@dataclass
class Tree:
    """A tree that is being made.

    Attributes:
        depth: how many rules may stand upon one another.
        counter: gives the numbers of claims.
        fixed: for claims the one way in which they may be explained.
        excluded: for claims the ways in which they may not.
        numbers: those of the claims that the tree explains, in the order in which they were.
        open: the claims whose reasons are being worked out, from the root down.
        resting: for claims that the tree explains those of the open ones on which they rest: they stand below
            these behind a `not`.
        ways: how the claims that hold are explained, from the root down.
        denied: the atoms whose absence is being worked out, and the ticks, from the root down.
    """

    depth: int
    counter: Iterator[int]
    fixed: Mapping[Key, Hashable] = field(default_factory=dict)
    excluded: Mapping[Key, Set[Hashable]] = field(default_factory=dict)
    numbers: dict[Key, int] = field(default_factory=dict)
    open: dict[Key, Open] = field(default_factory=dict)
    resting: dict[Key, Set[Key]] = field(default_factory=dict)
    ways: dict[Key, Hashable] = field(default_factory=dict)
    denied: list[tuple[ClaimedAtom, int]] = field(default_factory=list)
    _needed: list[set[Key]] = field(default_factory=list)
    """On which open claims each of them rests, as far as that is known."""

    def number(self) -> int:
        """The next number of a claim."""
        return next(self.counter)

    def allows(self, key: Key, way: Hashable) -> bool:
        """Whether a claim may be explained in a way."""
        return self.fixed.get(key, way) == way and way not in self.excluded.get(key, ())

    def begin(self, key: Key) -> int:
        """Opens a claim, and gives its number."""
        number = self.number()
        self.open[key] = Open(number, len(self.open))
        self._needed.append(set())
        return number

    def end(self, key: Key, *, rests: bool) -> Set[Key]:
        """Closes a claim, on which the one above rests or not; gives the open ones on which it rests."""
        del self.open[key]
        needed = self._needed.pop() - {key}
        for other in [one for one, found in self.resting.items() if key in found]:
            self.resting[other] = (self.resting[other] - {key}) | needed
        if rests:
            self.needs(needed)
        return needed

    def later(self, key: Key) -> Key | None:
        """The nearest claim above that is about the same atom at a later tick."""
        above = (one for one in reversed(self.open) if one[0] == key[0] and one[1] > key[1])
        return next(above, None)

    def needs(self, keys: Iterable[Key]) -> None:
        """The claim that was opened last rests on some that are open."""
        if self._needed:
            self._needed[-1].update(keys)

    @property
    def needed(self) -> Set[Key]:
        """The open claims on which the one that was opened last rests, as far as that is known."""
        return frozenset(self._needed[-1] if self._needed else ())

    @needed.setter
    def needed(self, keys: Set[Key]) -> None:
        self._needed[-1:] = [set(keys)] if self._needed else []

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
        since: how many of the claims that are open above do not rest on what is explained here, as they stand
            above a `not`.
    """

    now: int
    tree: Tree
    level: int = 0
    since: int = 0

    @property
    def apart(self) -> "Spot":
        """The same place, where nothing above rests on what is explained."""
        return replace(self, since=len(self.tree.open))

    def is_above(self, key: Key) -> bool:
        """Whether an open claim rests on what is explained here."""
        known = self.tree.open.get(key)
        return known is not None and known.place >= self.since
