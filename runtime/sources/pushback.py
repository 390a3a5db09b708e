"""What is taken from a stream and given back, to be taken again."""

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

_END = object()


class Pushback(Iterator[T], Generic[T]):
    """An iterator that takes items back.

    However often that is done, it stays as quick, and keeps nothing that was taken for good: a chain of
    what was given back and what is left, made each time, would be one link longer each time.

    Args:
        items: the items.
    """

    def __init__(self, items: Iterable[T]) -> None:
        self._items = iter(items)
        self._given: list[Iterator[T]] = []
        """What was given back, the last at the end."""

    @classmethod
    def of(cls, items: Iterable[T]) -> "Pushback[T]":
        """Such an iterator over items: the same, if they are one."""
        return items if isinstance(items, cls) else cls(items)

    def __next__(self) -> T:
        while self._given:
            item = next(self._given[-1], _END)
            if item is not _END:
                return item  # type: ignore[return-value]
            self._given.pop()
        return next(self._items)

    def give_back(self, items: Iterable[T]) -> None:
        """Items come before all that is left."""
        self._given.append(iter(items))
