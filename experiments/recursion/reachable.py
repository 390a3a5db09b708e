"""What is reachable from a centre over links between panels that work, kept up to date in three ways.

reachable(C,P) :- link(C,P), working(P).
reachable(C,R) :- reachable(C,Q), link(Q,R), working(R).
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Pair = tuple[int, int]
CENTRES = 0
"""The rank of what is no derived row."""


class PairChanges(NamedTuple):
    """The rows that began and ended to hold."""

    began: set[Pair]
    ended: set[Pair]


class Links:
    """Links that never change, with the panels before and behind each.

    Args:
        centre: where all begins.
        pairs: the links.
    """

    def __init__(self, centre: int, pairs: Iterable[Pair]) -> None:
        self.centre = centre
        self.pairs = frozenset(pairs)
        self.behind: dict[int, list[int]] = defaultdict(list)
        self.before: dict[int, list[int]] = defaultdict(list)
        for one, other in sorted(self.pairs):
            self.behind[one].append(other)
            self.before[other].append(one)


class Reachable(ABC):
    """Keeps up to date what is reachable."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._working: set[int] = set()

    @abstractmethod
    def step(self, began: Sequence[int], ended: Sequence[int]) -> PairChanges:
        """The changes when panels begin to work and cease to."""


class FromNothing(Reachable):
    """Finds all anew at each step."""

    def __init__(self, links: Links) -> None:
        super().__init__(links)
        self._rows: set[Pair] = set()

    def step(self, began: Sequence[int], ended: Sequence[int]) -> PairChanges:
        """The changes when panels begin to work and cease to."""
        working, centre, behind = self._working, self._links.centre, self._links.behind
        working.difference_update(ended)
        working.update(began)
        rows = {(centre, panel) for panel in behind[centre] if panel in working}
        new = list(rows)
        while new:
            found = []
            for start, panel in new:
                for other in behind[panel]:
                    if other in working:
                        row = (start, other)
                        if row not in rows:
                            rows.add(row)
                            found.append(row)
            new = found
        before, self._rows = self._rows, rows
        return PairChanges(rows - before, before - rows)


class DeletedAndRederived(Reachable):
    """Deletes all that may rest on what ended, and derives what has another derivation again."""

    def __init__(self, links: Links) -> None:
        super().__init__(links)
        self._rows: set[Pair] = set()
        self._starts: dict[int, set[int]] = defaultdict(set)
        """For each panel, from where it is reachable."""

    def step(self, began: Sequence[int], ended: Sequence[int]) -> PairChanges:
        """The changes when panels begin to work and cease to."""
        rows, starts, working, links = self._rows, self._starts, self._working, self._links
        deleted = dict.fromkeys((start, panel) for panel in ended for start in starts[panel])
        working.difference_update(ended)
        waiting = list(deleted)
        for start, panel in waiting:
            for other in links.behind[panel]:
                if other in working:
                    row = (start, other)
                    if row in rows and row not in deleted:
                        deleted[row] = None
                        waiting.append(row)
        rows.difference_update(deleted)
        for start, panel in deleted:
            starts[panel].discard(start)
        working.update(began)
        waiting = [row for row in deleted if row[1] in working and self._has_derivation(row)]
        for panel in began:
            if (links.centre, panel) in links.pairs:
                waiting.append((links.centre, panel))
            waiting += ((start, panel) for one in links.before[panel] for start in starts[one])
        derived: set[Pair] = set()
        for row in waiting:
            if row in rows:
                continue
            start, panel = row
            rows.add(row)
            derived.add(row)
            starts[panel].add(start)
            for other in links.behind[panel]:
                if other in working and (start, other) not in rows:
                    waiting.append((start, other))
        return PairChanges(derived - deleted.keys(), deleted.keys() - derived)

    def _has_derivation(self, row: Pair) -> bool:
        start, panel = row
        if start == self._links.centre and row in self._links.pairs:
            return True
        return any((start, one) in self._rows for one in self._links.before[panel])


class CountedFromBelow(Reachable):
    """Counts the derivations of each row from rows of lower ranks."""

    def __init__(self, links: Links) -> None:
        super().__init__(links)
        self._ranks: dict[Pair, int] = {}
        self._counts: dict[Pair, int] = {}
        self._starts: dict[int, set[int]] = defaultdict(set)

    def step(self, began: Sequence[int], ended: Sequence[int]) -> PairChanges:
        """The changes when panels begin to work and cease to."""
        deleted = self._delete(ended)
        levels = self._rederived(deleted)
        self._begin(began, levels)
        derived = self._derive(levels)
        return PairChanges(derived.difference(deleted), set(deleted).difference(derived))

    def _delete(self, ended: Sequence[int]) -> list[Pair]:
        """Deletes the rows that lose all derivations from below; some of them have others."""
        ranks, counts, starts, working = self._ranks, self._counts, self._starts, self._working
        links, rank_of = self._links, self._ranks.get
        deleted: list[Pair] = []
        for panel in ended:
            working.discard(panel)
            lost = [(links.centre, panel)] if (links.centre, panel) in links.pairs else []
            lost += (
                (start, panel)
                for one in links.before[panel]
                for start in starts[one]
                if ranks[start, one] < rank_of((start, panel), 0)
            )
            for row in lost:
                counts[row] -= 1
                if not counts[row]:
                    deleted.append(row)
        for row in deleted:
            rank = ranks.pop(row)
            del counts[row]
            start, panel = row
            starts[panel].discard(start)
            for other in links.behind[panel]:
                if other in working:
                    head = (start, other)
                    if rank < rank_of(head, 0):
                        counts[head] -= 1
                        if not counts[head]:
                            deleted.append(head)
        return deleted

    def _rederived(self, deleted: Sequence[Pair]) -> dict[int, dict[Pair, int]]:
        """For each rank, the rows that have derivations from rows of one rank less, and how many."""
        levels: dict[int, dict[Pair, int]] = {}
        links, rank_of = self._links, self._ranks.get
        for row in deleted:
            start, panel = row
            if panel not in self._working:
                continue
            found = [rank_of((start, one), -1) for one in links.before[panel]]
            if start == links.centre and row in links.pairs:
                found.append(CENTRES)
            for rank in found:
                if rank >= 0:
                    level = levels.setdefault(rank + 1, {})
                    level[row] = level.get(row, 0) + 1
        return levels

    def _begin(self, began: Sequence[int], levels: dict[int, dict[Pair, int]]) -> None:
        """Adds the derivations that panels make which begin to work."""
        ranks, counts, links, rank_of = self._ranks, self._counts, self._links, self._ranks.get
        for panel in began:
            self._working.add(panel)
            found = [
                ((start, panel), ranks[start, one])
                for one in links.before[panel]
                for start in self._starts[one]
            ]
            if (links.centre, panel) in links.pairs:
                found.append(((links.centre, panel), CENTRES))
            for row, rank in found:
                known = rank_of(row)
                if known is None:
                    level = levels.setdefault(rank + 1, {})
                    level[row] = level.get(row, 0) + 1
                elif rank < known:
                    counts[row] += 1

    def _derive(self, levels: dict[int, dict[Pair, int]]) -> set[Pair]:
        """Adds rows, those of the lowest rank first."""
        ranks, counts, starts, working = self._ranks, self._counts, self._starts, self._working
        behind, rank_of = self._links.behind, self._ranks.get
        derived: set[Pair] = set()
        while levels:
            rank = min(levels)
            above = levels.setdefault(rank + 1, {})
            for row, count in levels.pop(rank).items():
                if row in ranks:  # has a lower rank
                    continue
                ranks[row], counts[row] = rank, count
                derived.add(row)
                start, panel = row
                starts[panel].add(start)
                for other in behind[panel]:
                    if other in working:
                        head = (start, other)
                        known = rank_of(head)
                        if known is None:
                            above[head] = above.get(head, 0) + 1
                        elif rank < known:
                            counts[head] += 1
            if not above:
                del levels[rank + 1]
        return derived
