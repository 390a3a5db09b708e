"""Intervals that are not the latest of their atoms, each with the atoms that held over it.

The interval tree has each interval once, as many atoms share one (mostly a single tick).
"""

from collections.abc import Iterable, Iterator
from typing import Any

from lars2asp.externals.terms.terms import Row


class Past:
    """Intervals, given by their first and last ticks, and the rows of the atoms that held over them.

    Args:
        sweep_after: a sweep waits for this number of intervals, besides as many as the one before left.
    """

    def __init__(self, sweep_after: int) -> None:
        self._sweep_after = sweep_after
        self._rows: dict[tuple[int, int], set[Row]] = {}
        self._tree = _tree(())
        self._sweep_at = sweep_after

    def __len__(self) -> int:
        """The number of pairs of atom and interval."""
        return sum(map(len, self._rows.values()))

    def add(self, begin: int, end: int, row: Row) -> None:
        """Adds an interval of an atom."""
        rows = self._rows.get((begin, end))
        if rows is None:
            rows = self._rows[begin, end] = set()
            self._tree.addi(begin, end + 1, rows)
        rows.add(row)

    def remove(self, begin: int, end: int, row: Row) -> None:
        """Removes an interval of an atom; it must be there."""
        rows = self._rows[begin, end]
        rows.remove(row)
        if not rows:
            del self._rows[begin, end]
            self._tree.removei(begin, end + 1, rows)

    def overlap(self, first: int, last: int) -> Iterator[tuple[int, int, set[Row]]]:
        """The intervals that have a tick in `first` ... `last`, and the atoms of each."""
        if self._rows and first <= last:
            for found in self._tree.overlap(first, last + 1):
                yield found.begin, found.end - 1, found.data

    def all(self) -> Iterator[tuple[int, int, set[Row]]]:
        """All intervals, and the atoms of each."""
        return ((begin, end, rows) for (begin, end), rows in self._rows.items())

    def sweep(self, horizon: int, pinned: frozenset[int]) -> None:
        """Drops the intervals that ended before a tick and have no pinned tick, if many have come."""
        if len(self._rows) < self._sweep_at:
            return
        self._rows = {
            (begin, end): rows
            for (begin, end), rows in self._rows.items()
            if end >= horizon or any(begin <= tick <= end for tick in pinned)
        }
        self._tree = _tree((begin, end + 1, rows) for (begin, end), rows in self._rows.items())
        self._sweep_at = 2 * len(self._rows) + self._sweep_after


def _tree(intervals: Iterable[tuple[int, int, set[Row]]]) -> Any:
    from intervaltree import IntervalTree  # noqa: PLC0415 - few programs need it, and others start sooner

    return IntervalTree.from_tuples(intervals)
