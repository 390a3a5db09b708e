"""A queue between two threads that is bounded in items and in bytes."""

from collections import deque
from threading import Condition, Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedQueue(Generic[T]):
    """A bounded queue; one thread puts items in, and another one takes them.

    Args:
        most: the number of items.
        most_bytes: their size in bytes; the last item may go beyond.
    """

    def __init__(self, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._items: deque[tuple[T, int]] = deque()
        self._bytes = 0
        self._change = Condition(Lock())

    def __len__(self) -> int:
        """The number of items."""
        return len(self._items)

    def put(self, item: T, size: int, seconds: float | None = None) -> bool:
        """Puts in an item of `size` bytes when there is room; False if there is none for `seconds`."""
        with self._change:
            if self._is_full() and not self._change.wait_for(lambda: not self._is_full(), seconds):
                return False
            self._items.append((item, size))
            self._bytes += size
            self._change.notify()
        return True

    def get(self, seconds: float | None = None) -> T | None:
        """Takes the first item out; None if none comes within `seconds`."""
        with self._change:
            if not self._items and not self._change.wait_for(lambda: self._items, seconds):
                return None
            item, size = self._items.popleft()
            self._bytes -= size
            self._change.notify()
        return item

    def _is_full(self) -> bool:
        return len(self._items) >= self._most or self._bytes >= self._most_bytes
