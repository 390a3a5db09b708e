"""Runs that are not the latest of their atoms: by interval, the atoms that held over it.

Many atoms share an interval (a tick, mostly), so that the interval tree has each interval once.
"""

from collections.abc import Iterator

from intervaltree import IntervalTree


class Past:
    """Runs, given by their first and last ticks and the keys of atoms.

    Args:
        sweep_after: a sweep waits for this number of intervals, besides as many as the one before left.
    """

    def __init__(self, sweep_after: int) -> None:
        self._sweep_after = sweep_after
        self._keys: dict[tuple[int, int], set[int]] = {}
        self._tree = IntervalTree()
        self._sweep_at = sweep_after

    def __len__(self) -> int:
        """The number of runs."""
        return sum(map(len, self._keys.values()))

    def keys(self) -> set[int]:
        """The atoms that have a run."""
        return set().union(*self._keys.values())

    def add(self, begin: int, end: int, key: int) -> None:
        """Adds a run."""
        keys = self._keys.get((begin, end))
        if keys is None:
            keys = self._keys[begin, end] = set()
            self._tree.addi(begin, end + 1, keys)
        keys.add(key)

    def remove(self, begin: int, end: int, key: int) -> None:
        """Removes a run that is there."""
        keys = self._keys[begin, end]
        keys.remove(key)
        if not keys:
            del self._keys[begin, end]
            self._tree.removei(begin, end + 1, keys)

    def overlap(self, first: int, last: int) -> Iterator[tuple[int, int, set[int]]]:
        """The intervals that have a tick in `first` ... `last`, and the atoms of each."""
        if self._keys and first <= last:
            for run in self._tree.overlap(first, last + 1):
                yield run.begin, run.end - 1, run.data

    def all(self) -> Iterator[tuple[int, int, set[int]]]:
        """All intervals, and the atoms of each."""
        return ((begin, end, keys) for (begin, end), keys in self._keys.items())

    def runs_of(self, key: int) -> Iterator[tuple[int, int]]:
        """The runs of an atom."""
        return ((begin, end) for (begin, end), keys in self._keys.items() if key in keys)

    def sweep(self, horizon: int, pinned: frozenset[int]) -> None:
        """Now and then drops what ended before a tick, but for what has one of the pinned ticks."""
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
