"""Interpretations: sets of pairs of an atom and a tick, and the formulas that streaming atoms come to."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from lars2asp.definition.terms import Row
from lars2asp.syntax.nodes import Signature
from tests.oracle.stream import Pair, ground, signature_of


class Interpretation(Collection[Pair]):
    """A set of pairs of an atom and a tick that can grow, found by predicate and tick."""

    def __init__(self, pairs: Iterable[Pair] = ()) -> None:
        self._pairs: set[Pair] = set()
        self._rows: dict[tuple[Signature, int], set[Row]] = {}
        self.update(pairs)

    def __contains__(self, pair: object) -> bool:
        return pair in self._pairs

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    def update(self, pairs: Iterable[Pair]) -> None:
        """Adds pairs."""
        new = {*pairs} - self._pairs
        self._pairs |= new
        for atom, tick in new:
            self._rows.setdefault((signature_of(atom), tick), set()).add(atom[1])

    def rows(self, signature: Signature, tick: int) -> set[Row]:
        """The arguments of the atoms of a predicate that hold at a tick."""
        return self._rows.get((signature, tick), set())

    def at(self, signature: Signature, tick: int) -> Iterator[Pair]:
        """The pairs of a predicate and a tick."""
        return ((ground(signature, one), tick) for one in self.rows(signature, tick))


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
"""A disjunction: one for each instance of the atom that may make it true."""

TRUE: Formula = (Threshold(0, frozenset()),)
FALSE: Formula = ()


def holds(formula: Formula, pairs: Collection[Pair]) -> bool:
    """Whether a formula is true in an interpretation."""
    return any(threshold.holds(pairs) for threshold in formula)
