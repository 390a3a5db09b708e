"""A transitive closure over edges that come and go, kept up to date in two ways.

path(X,Y) :- edge(X,Y).
path(X,Z) :- path(X,Y), edge(Y,Z).
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence

from experiments.recursion.reachable import Pair, PairChanges


class Closure(ABC):
    """Keeps a transitive closure up to date."""

    @abstractmethod
    def step(self, began: Sequence[Pair], ended: Sequence[Pair]) -> PairChanges:
        """The changes when edges begin and end to hold."""


class ClosureFromNothing(Closure):
    """Finds all anew at each step."""

    def __init__(self) -> None:
        self._edges: set[Pair] = set()
        self._rows: set[Pair] = set()

    def step(self, began: Sequence[Pair], ended: Sequence[Pair]) -> PairChanges:
        """The changes when edges begin and end to hold."""
        self._edges.difference_update(ended)
        self._edges.update(began)
        behind = defaultdict(list)
        for one, other in self._edges:
            behind[one].append(other)
        rows = set(self._edges)
        new = rows
        while new:
            new = {(start, other) for start, node in new for other in behind.get(node, ())} - rows
            rows |= new
        before, self._rows = self._rows, rows
        return PairChanges(rows - before, before - rows)


class ClosureFromBelow(Closure):
    """Counts the derivations of each row from rows of lower ranks."""

    def __init__(self) -> None:
        self._ranks: dict[Pair, int] = {}
        self._counts: dict[Pair, int] = {}
        self._behind: dict[int, dict[int, None]] = defaultdict(dict)
        self._before: dict[int, dict[int, None]] = defaultdict(dict)
        self._starts: dict[int, dict[int, None]] = defaultdict(dict)

    def step(self, began: Sequence[Pair], ended: Sequence[Pair]) -> PairChanges:
        """The changes when edges begin and end to hold."""
        deleted = self._delete(ended)
        levels: dict[int, dict[Pair, int]] = {}
        for row in deleted:
            start, node = row
            if node in self._behind[start]:
                self._push(row, 0, levels)
            for one in self._before[node]:
                rank = self._ranks.get((start, one))
                if rank is not None:
                    self._push(row, rank, levels)
        for one, other in began:
            self._behind[one][other] = self._before[other][one] = None
        for row in began:
            one, other = row
            self._push(row, 0, levels)
            for start in self._starts[one]:
                self._push((start, other), self._ranks[start, one], levels)
        derived = self._derive(levels)
        return PairChanges(derived.difference(deleted), set(deleted).difference(derived))

    def _push(self, row: Pair, rank: int, levels: dict[int, dict[Pair, int]]) -> None:
        """Adds a derivation from a row of a rank."""
        known = self._ranks.get(row)
        if known is None:
            level = levels.setdefault(rank + 1, {})
            level[row] = level.get(row, 0) + 1
        elif rank < known:
            self._counts[row] += 1

    def _delete(self, ended: Sequence[Pair]) -> list[Pair]:
        ranks, counts, rank_of = self._ranks, self._counts, self._ranks.get
        deleted: list[Pair] = []
        for edge in ended:
            one, other = edge
            lost = [edge]
            lost += (
                (start, other)
                for start in self._starts[one]
                if ranks[start, one] < rank_of((start, other), 0)
            )
            for row in lost:
                counts[row] -= 1
                if not counts[row]:
                    deleted.append(row)
            del self._behind[one][other], self._before[other][one]
        for row in deleted:
            rank = ranks.pop(row)
            del counts[row]
            start, node = row
            del self._starts[node][start]
            for other in self._behind[node]:
                head = (start, other)
                if rank < rank_of(head, 0):
                    counts[head] -= 1
                    if not counts[head]:
                        deleted.append(head)
        return deleted

    def _derive(self, levels: dict[int, dict[Pair, int]]) -> set[Pair]:
        ranks, counts, rank_of = self._ranks, self._counts, self._ranks.get
        derived: set[Pair] = set()
        while levels:
            rank = min(levels)
            above = levels.setdefault(rank + 1, {})
            for row, count in levels.pop(rank).items():
                if row in ranks:  # has a lower rank
                    continue
                ranks[row], counts[row] = rank, count
                derived.add(row)
                start, node = row
                self._starts[node][start] = None
                for other in self._behind[node]:
                    head = (start, other)
                    known = rank_of(head)
                    if known is None:
                        above[head] = above.get(head, 0) + 1
                    elif rank < known:
                        counts[head] += 1
            if not above:
                del levels[rank + 1]
        return derived
