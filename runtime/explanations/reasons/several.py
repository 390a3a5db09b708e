"""Several explanations of an atom: each explains some atom of its tree in another way.

An explanation takes for each atom that holds in it one way: what tells the atom, or an instance of a rule
that derives it. Explanations are different if some way is. From one of them others are made, for each of its
atoms one: those before it in the tree keep their ways, and it gets another one. So none is made twice, and
all of them in the end (Lawler 1972, "A procedure for computing the k best solutions").
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Set
from heapq import heappop, heappush
from itertools import islice
from typing import NamedTuple

from lars2asp.runtime.explanations.reasons.foundations import Derivation
from lars2asp.runtime.explanations.reasons.growing_tree import Key, Tree
from lars2asp.runtime.explanations.words.claims import Claim, FromInput, FromProgram, Repeated

TRIED = 8
"""The number of trees that are made for each explanation that is asked for, at most."""

Way = FromProgram | FromInput | Derivation
"""A way to explain that an atom holds: a fact, the input, or an instance of a rule."""

Made = tuple[Claim | None, Tree]
"""A tree and its root; None if there is none with the ways that are allowed."""

Make = Callable[[Mapping[Key, Hashable], Mapping[Key, Set[Hashable]]], Made]
"""Makes a tree: the ways of some atoms are fixed, others are excluded."""


class Ways:
    """The ways to explain an atom, each once with what tells it apart; found when they are asked for."""

    def __init__(self, found: Iterator[Way]) -> None:
        self._found = found
        self._known: list[tuple[Hashable, Way]] = []
        self._names: set[Hashable] = set()

    def __iter__(self) -> Iterator[tuple[Hashable, Way]]:
        place = 0
        while place < len(self._known) or self._has_next():
            yield self._known[place]
            place += 1

    def has_other_than(self, names: Set[Hashable]) -> bool:
        """Whether there is a way besides some."""
        return any(name not in names for name, _ in self)

    def _has_next(self) -> bool:
        for way in self._found:
            name = _name_of(way)
            if name not in self._names:
                self._names.add(name)
                self._known.append((name, way))
                return True
        return False


class _Found(NamedTuple):
    """An explanation.

    Attributes:
        size: the number of its claims.
        turn: how many were found before it.
        claim: its root.
        tree: its tree.
    """

    size: int
    turn: int
    claim: Claim
    tree: Tree


def several(first: Claim, tree: Tree, most: int, ways: Mapping[Key, Ways], make: Make) -> list[Claim]:
    """Explanations of an atom: the first, then others, the smallest first.

    Args:
        first: the first one.
        tree: its tree.
        most: the number of explanations, at most.
        ways: the ways to explain the atoms of the trees that were made.
        make: makes a tree.
    """
    found = [_Found(_size(first), 0, first, tree)]
    waiting = list(found)
    seen = {frozenset(tree.ways.items())}
    tried = 0
    while waiting and tried < TRIED * (most - 1):
        for fixed, excluded in _neighbours(heappop(waiting).tree, ways):
            claim, other = make(fixed, excluded)
            tried += 1
            key = frozenset(other.ways.items())
            if claim is not None and key not in seen:
                seen.add(key)
                found.append(_Found(_size(claim), len(found), claim, other))
                heappush(waiting, found[-1])
            if tried == TRIED * (most - 1):
                break
    return [one.claim for one in (found[0], *sorted(found[1:])[: most - 1])]


def _neighbours(
    tree: Tree, ways: Mapping[Key, Ways]
) -> Iterator[tuple[Mapping[Key, Hashable], Mapping[Key, Set[Hashable]]]]:
    """What is fixed and what is excluded in the trees that are made from one."""
    taken = list(tree.ways.items())
    for place, (key, way) in islice(enumerate(taken), len(tree.fixed), None):
        excluded = {*tree.excluded.get(key, ()), way}
        if ways[key].has_other_than(excluded):
            yield dict(taken[:place]), {**tree.excluded, key: excluded}


def _size(root: Claim) -> int:
    """The number of claims below a root, each once."""
    return sum(1 for claim in root.claims() if not isinstance(claim.reason, Repeated))


def _name_of(way: Way) -> Hashable:
    """What tells a way apart from the others for the same atom."""
    match way:
        case Derivation(rule, binding, at):
            return rule.number, at, frozenset(binding.items())
        case _:
            return type(way).__name__
