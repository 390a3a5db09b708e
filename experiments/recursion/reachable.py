"""What is reachable from a centre over links between panels that work, by deletion and rederivation.

reachable(C,P) :- link(C,P), working(P).
reachable(C,R) :- reachable(C,Q), link(Q,R), working(R).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Pair = tuple[int, int]


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


class Reachable:
    """Deletes all that may rest on what ended, and derives what has another derivation again."""

    def __init__(self, links: Links) -> None:
        self._links = links
        self._working: set[int] = set()
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
