"""The least or greatest of values that come and go, in clingo's order."""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from lars2asp.externals.terms.order import less, value_key
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Value

SPARE = 16
"""The number of values that a heap may have besides twice as many as there are."""


class _Least(NamedTuple):
    """A value that is not a number, in a heap whose first one is the least."""

    key: tuple[Any, ...]
    value: Value

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        return bool(self.key < other[0])


class _Greatest(_Least):
    """The same where the first one is the greatest."""

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        return bool(self.key > other[0])


class Extreme:
    """The least (`#min`) or greatest (`#max`) of values, each of which there may be several times.

    Numbers and other values are in heaps of their own. Values that are gone stay there until they come up
    first, or are more than those that are left.

    Args:
        is_least: whether the least one is looked for.
    """

    __slots__ = ("_counts", "_factor", "_kind", "_numbers", "_others")

    def __init__(self, *, is_least: bool) -> None:
        self._factor = 1 if is_least else -1
        self._kind = _Least if is_least else _Greatest
        self._counts: dict[Value, int] = {}
        self._numbers: list[int] = []
        self._others: list[_Least] = []

    def __len__(self) -> int:
        """The number of different values."""
        return len(self._counts)

    @property
    def number_of_entries(self) -> int:
        """The number of values in the heaps."""
        return len(self._numbers) + len(self._others)

    def changed(self, more: Iterable[Value], less_: Iterable[Value]) -> Value:
        """The least or greatest value after some came, and others went: `#sup` or `#inf` of none."""
        counts, numbers, factor = self._counts, self._numbers, self._factor
        for value in more:
            count = counts.get(value)
            if count is not None:
                counts[value] = count + 1
                continue
            counts[value] = 1
            if type(value) is int:
                heappush(numbers, factor * value)
            else:
                heappush(self._others, self._kind(value_key(value), value))
        for value in less_:
            count = counts[value]
            if count == 1:
                del counts[value]
            else:
                counts[value] = count - 1
        if self.number_of_entries > 2 * len(counts) + SPARE:
            self._sweep()
        return self._first()

    def _first(self) -> Value:
        counts, numbers, others, factor = self._counts, self._numbers, self._others, self._factor
        while numbers and factor * numbers[0] not in counts:
            heappop(numbers)
        while others and others[0].value not in counts:
            heappop(others)
        if numbers and others:
            number, other = factor * numbers[0], others[0].value
            return number if less(number, other) == (factor > 0) else other
        if numbers:
            return factor * numbers[0]
        if others:
            return others[0].value
        return SUPREMUM if factor > 0 else INFIMUM

    def _sweep(self) -> None:
        """Leaves out what is gone."""
        numbers = [self._factor * value for value in self._counts if type(value) is int]
        others = [self._kind(value_key(value), value) for value in self._counts if type(value) is not int]
        heapify(numbers)
        heapify(others)
        self._numbers, self._others = numbers, others
