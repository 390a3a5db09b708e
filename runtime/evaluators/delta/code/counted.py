"""Rows that may be made by several answers or instances each."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

MadeRow = Any
"""A row, or the value in a row of one column."""


class CountedRows:
    """Rows with the number of what makes them.

    Args:
        rows: those that are made once in the beginning.

    Attributes:
        rows: those that there are.
    """

    def __init__(self, rows: Iterable[MadeRow] = ()) -> None:
        self.rows: set[MadeRow] = set(rows)
        self._counts: dict[MadeRow, int] = {}
        """The numbers that are more than one."""

    def __len__(self) -> int:
        return len(self.rows) + len(self._counts)

    def clear(self) -> None:
        """Forgets all rows."""
        self.rows.clear()
        self._counts.clear()

    def add(self, more: list[MadeRow]) -> list[MadeRow]:
        """Each is made once more: the rows that were not there before; mostly that is each, once."""
        rows, counts = self.rows, self._counts
        if len(more) == 1:  # as at most ticks of many streams
            [row] = more
            if row not in rows:
                rows.add(row)
                return more
            counts[row] = counts.get(row, 1) + 1
            return []
        new = set(more)
        if len(new) == len(more):
            known = rows.intersection(new)
            rows |= new
            for row in known:
                counts[row] = counts.get(row, 1) + 1
            return [row for row in more if row not in known] if known else more
        began = []
        for row, number in Counter(more).items():
            if row in rows:
                counts[row] = counts.get(row, 1) + number
                continue
            rows.add(row)
            began.append(row)
            if number > 1:
                counts[row] = number
        return began

    def remove(self, less: list[MadeRow]) -> list[MadeRow]:
        """Each is made once less: the rows that are not there any more; mostly that is each."""
        rows, counts = self.rows, self._counts
        if len(less) == 1:
            [row] = less
            number = counts.get(row)
            if number is None:
                rows.discard(row)
                return less
            if number > 2:
                counts[row] = number - 1
            else:
                del counts[row]
            return []
        if not counts or counts.keys().isdisjoint(less):
            rows.difference_update(less)
            return less
        ended = []
        for row, number in Counter(less).items():
            left = counts.pop(row, 1) - number
            if left > 1:
                counts[row] = left
            elif not left:
                rows.remove(row)
                ended.append(row)
        return ended
