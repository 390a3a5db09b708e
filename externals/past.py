"""Intervals that are not the latest of their atoms, each with the atoms that held over it.

The interval tree has each interval once, as many atoms share one (mostly a single tick).
"""

from collections.abc import Iterator

from intervaltree import IntervalTree


class Past:
    """Intervals, given by their first and last ticks, and the keys of the atoms that held over them.

    Args:
        sweep_after: a sweep waits for this number of intervals, besides as many as the one before left.
    """

    def __init__(self, sweep_after: int) -> None:
        self._sweep_after = sweep_after
        self._keys: dict[tuple[int, int], set[int]] = {}
        self._tree = IntervalTree()
        self._sweep_at = sweep_after

    def __len__(self) -> int:
        """The number of pairs of atom and interval."""
        return sum(map(len, self._keys.values()))

    def keys(self) -> set[int]:
        """The atoms that have an interval."""
        return set().union(*self._keys.values())

    def add(self, begin: int, end: int, key: int) -> None:
        """Adds an interval of an atom."""
        keys = self._keys.get((begin, end))
        if keys is None:
            keys = self._keys[begin, end] = set()
            self._tree.addi(begin, end + 1, keys)
        keys.add(key)

    def remove(self, begin: int, end: int, key: int) -> None:
        """Removes an interval of an atom; it must be there."""
        keys = self._keys[begin, end]
        keys.remove(key)
        if not keys:
            del self._keys[begin, end]
            self._tree.removei(begin, end + 1, keys)

    def overlap(self, first: int, last: int) -> Iterator[tuple[int, int, set[int]]]:
        """The intervals that have a tick in `first` ... `last`, and the atoms of each."""
        if self._keys and first <= last:
            for found in self._tree.overlap(first, last + 1):
                yield found.begin, found.end - 1, found.data

    def all(self) -> Iterator[tuple[int, int, set[int]]]:
        """All intervals, and the atoms of each."""
        return ((begin, end, keys) for (begin, end), keys in self._keys.items())

    def intervals_of(self, key: int) -> Iterator[tuple[int, int]]:
        """The intervals of an atom."""
        return ((begin, end) for (begin, end), keys in self._keys.items() if key in keys)

    def sweep(self, horizon: int, pinned: frozenset[int]) -> None:
        """Drops the intervals that ended before a tick and have no pinned tick, if many have come."""
        if len(self._keys) < self._sweep_at:
            return
        self._keys = {
            (begin, end): keys
            for (begin, end), keys in self._keys.items()
            if end >= horizon or any(begin <= tick <= end for tick in pinned)
        }
        self._tree = IntervalTree.from_tuples(
            (begin, end + 1, keys) for (begin, end), keys in self._keys.items()
        )
        self._sweep_at = 2 * len(self._keys) + self._sweep_after
