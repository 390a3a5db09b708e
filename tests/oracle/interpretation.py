"""Interpretations: sets of pairs of an atom and a tick, and the formulas that streaming atoms come to."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from lars2asp.syntax.nodes import Atom
from tests.oracle.stream import Pair
from tests.oracle.values import Ground

Predicate = tuple[str, int]
"""Name and arity."""


def predicate_of(atom: Ground) -> Predicate:
    """The predicate of a ground atom."""
    return atom[0], len(atom[1])


def name_of(atom: Atom) -> str:
    """The name of an atom of a program; with a minus for classical negation."""
    return f"{'' if atom.is_positive else '-'}{atom.name}"


def predicate_in(atom: Atom) -> Predicate:
    """The predicate of an atom of a program."""
    return name_of(atom), len(atom.arguments)


class Interpretation(Collection[Pair]):
    """A set of pairs of an atom and a tick that can grow, found by predicate and tick."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self._pairs: set[Pair] = set()
        self._atoms: dict[tuple[Predicate, int], set[Ground]] = {}
        self.update(pairs)

    def __contains__(self, pair: object) -> bool:
        return pair in self._pairs

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def update(self, pairs: Iterable[Pair]) -> None:
        """Adds pairs."""
        for pair in pairs:
            if pair not in self._pairs:
                self._pairs.add(pair)
                self._atoms.setdefault((predicate_of(pair[0]), pair[1]), set()).add(pair[0])

    def atoms(self, predicate: Predicate, tick: int) -> set[Ground]:
        """The atoms of a predicate that hold at a tick."""
        return self._atoms.get((predicate, tick), set())


class Threshold(NamedTuple):
    """True where so many of the pairs hold, or more.

    All streaming atoms come to such: `in` is at least one, `always` is all.
    """

    least: int
    pairs: frozenset[Pair]

    def holds(self, pairs: Collection[Pair]) -> bool:
        """Whether it is true in an interpretation."""
        return sum(pair in pairs for pair in self.pairs) >= self.least


Formula = tuple[Threshold, ...]
"""A disjunction: more than one where `_` stands in an atom."""

TRUE: Formula = (Threshold(0, frozenset()),)
FALSE: Formula = ()


def holds(formula: Formula, pairs: Collection[Pair]) -> bool:
    """Whether a formula is true in an interpretation."""
    return any(threshold.holds(pairs) for threshold in formula)
