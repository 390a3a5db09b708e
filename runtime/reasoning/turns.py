"""One thread at a time in a reasoner."""

from collections.abc import Generator, Iterator
from threading import RLock
from typing import TYPE_CHECKING, Generic, Never, TypeVar

from lars2asp.runtime.errors import InUseError

T = TypeVar("T")


class Turn:
    """Lets one thread in at a time, as a context manager, and in it again; other threads are refused at once.

    Attributes:
        is_closed: whether nobody is let in, the thread that is in included.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self.is_closed = False
        self.leave = self._lock.release

    def __enter__(self) -> None:
        """Raises InUseError."""
        self.enter()

    def __exit__(self, *_: object) -> None:
        self.leave()

    def enter(self) -> None:
        """The thread of the caller is in until it calls `leave`. Raises InUseError."""
        if not self._lock.acquire(False):
            raise InUseError(
                "another thread is using this reasoner, which is not thread-safe: wait until its "
                "call returns, or make one reasoner for each thread"
            )
        if self.is_closed:
            self._lock.release()
            raise InUseError("a function that the program calls uses the reasoner, which waits for it")


class InTurn(Iterator[T], Generic[T]):
    """An iterator that takes a turn for each item, and none in between.

    Who is refused may ask again later.
    """

    def __init__(self, items: Generator[T, None, None], turn: Turn) -> None:
        self._items = items
        self._turn = turn
        self._next = items.__next__
        self._enter, self._leave = turn.enter, turn.leave

    def __next__(self) -> T:
        self._enter()
        try:
            return self._next()
        finally:
            self._leave()

    def __repr__(self) -> str:
        return "<answers of a run; iterate: for answer in reasoner.run(...)>"

    if not TYPE_CHECKING:

        def __getitem__(self, place: object) -> Never:
            raise TypeError(
                f"answers come one by one: list(reasoner.run(...))[{place!r}] returns them all at once"
            )

        def __getattr__(self, name: str) -> Never:
            raise AttributeError(
                f"a run lacks the attribute {name!r}: ask its answers, for answer in reasoner.run(...)"
            )

    def close(self) -> None:
        """Ends the iteration."""
        with self._turn:
            self._items.close()
