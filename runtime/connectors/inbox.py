"""Between a live source and the reasoner: lines wait here, up to a bound in number and in bytes."""

from collections.abc import Collection, Iterator, Sequence
from sys import getsizeof
from threading import Event, Thread
from typing import Any, NamedTuple, Self

from lars2asp.runtime.connectors.bounded_queue import BoundedQueue
from lars2asp.runtime.connectors.clock import Clock
from lars2asp.runtime.connectors.feed import POLL_SECONDS, Feed
from lars2asp.runtime.connectors.pauses import Silent, run_with_pauses
from lars2asp.runtime.sources.records import Line

MOST_WAITING = 10_000
"""The number of lines that may wait; beyond it the source waits, and nothing is lost."""

MOST_BYTES = 2**26
"""The same in bytes of memory; the last line that waits may go beyond."""


class ArrivedLine(NamedTuple):
    """A line and its arrival, in microseconds since the Unix epoch; no line at the end of the source."""

    at: int
    line: Line | None

    @classmethod
    def from_json(cls, value: Sequence[Any]) -> Self:
        """The line that JSON has as an array."""
        at, line = value
        return cls(at, None if line is None else Line(*line))

    @property
    def size(self) -> int:
        """That of the text, in bytes of memory."""
        return 0 if self.line is None else getsizeof(self.line.text)


class LineInbox:
    """Takes the lines of a feed, in a thread of its own.

    Args:
        feed: the feed.
        clock: gives the times of arrival.
        size: the number of lines that may wait.
        size_in_bytes: the number of bytes that they may take in memory.
        paused: the numbers of the inputs whose pauses are told; see `run_with_pauses`.
        silent: what an earlier part of the run was silent behind.
    """

    def __init__(
        self,
        feed: Feed,
        clock: Clock,
        size: int = MOST_WAITING,
        size_in_bytes: int = MOST_BYTES,
        *,
        paused: Collection[int] = (),
        silent: Silent | None = None,
    ) -> None:
        self._pauses = paused, silent or {}
        self._feed = feed
        self._clock = clock
        self._waiting: BoundedQueue[ArrivedLine] = BoundedQueue(size, size_in_bytes)
        self._stop = Event()
        self._is_left = False
        """Whether no more lines are taken."""
        self._error: BaseException | None = None
        self._at = 0
        self._thread = Thread(target=self._read, name=feed.name, daemon=True)

    def __len__(self) -> int:
        """The number of waiting lines, about."""
        return len(self._waiting)

    def __enter__(self) -> "LineInbox":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_left = True
        self.stop()

    def stop(self) -> None:
        """Asks the feed to end; the lines that it has read can still be taken."""
        self._stop.set()

    def take(self, until: int | None) -> ArrivedLine | None:
        """The next line; None if there is none before a time. Raises what the feed raised.

        Args:
            until: the time in microseconds since the Unix epoch; None for ever.
        """
        seconds = None if until is None else max(0, until - self._clock.microseconds()) / 1e6
        arrived = self._waiting.get(seconds)
        if arrived is not None and arrived.line is None and self._error is not None:
            raise self._error
        self._at = self._clock.microseconds() if arrived is None else arrived.at
        return arrived

    def arrival(self) -> int:
        """When the line that was taken last arrived, in microseconds since the Unix epoch."""
        return self._at

    def release(self) -> None:
        """The line that was taken last is no longer part of the source; nothing keeps lines here."""

    def lines(self) -> Iterator[Line]:
        """All lines, as they come. Raises what the feed raised."""
        while (arrived := self.take(None)) is not None and arrived.line is not None:
            yield arrived.line

    def wait_for_end(self, seconds: float) -> None:
        """Waits until the feed, which was asked to end, has done so; but no longer than some seconds."""
        self._thread.join(seconds)

    def _read(self) -> None:
        try:
            run_with_pauses(self._feed, self._put, self._stop, *self._pauses)
        except BaseException as error:  # it is raised where lines are taken
            self._error = error
        self._wait_for_room(ArrivedLine(self._clock.microseconds(), None), 0)

    def _put(self, line: Line) -> None:
        self._wait_for_room(ArrivedLine(self._clock.microseconds(), line), getsizeof(line.text))

    def _wait_for_room(self, arrived: ArrivedLine, size: int) -> None:
        while not self._is_left and not self._waiting.put(arrived, size, POLL_SECONDS):
            pass
