"""Live sources of lines, and how bytes become lines of text."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from threading import Event
from typing import Protocol

from lars2asp.runtime.sources.records import LARGEST_RECORD, TRUNCATED_SIZE, Line, TruncatedRecord

POLL_SECONDS = 0.1
"""The time after which a waiting feed looks whether it is to stop."""


class Feed(Protocol):
    """A live source of lines.

    Attributes:
        name: what messages call it.
    """

    name: str

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Calls `emit` for each line until the source ends or `stop` is set.

        `emit` may block while the reader is busy. The feed then does not read on: it holds a bounded amount,
        and the rest waits at its origin. Lines that it holds when `stop` is set are dropped.

        Raises:
            InputError: if the source cannot be opened, saying what to do.
        """
        ...


class Lines:
    """Puts the lines of one source together from pieces, however they are cut.

    Args:
        source: its name.
        most: in bytes, the length without line end beyond which only the beginning of a line is kept.
    """

    def __init__(self, source: str, most: int = LARGEST_RECORD) -> None:
        self._source = source
        self._most = most
        self._count = 0
        self._rest = bytearray()
        self._length: int | None = None
        """In bytes, that of a line which is too long, as far as it has come; None while it is not."""
        self._is_end_open = False
        """Whether the last byte of that may belong to the line end."""

    @property
    def held(self) -> int:
        """The number of bytes held of a line that has not ended."""
        return len(self._rest)

    def add(self, piece: bytes | bytearray) -> Iterator[Line]:
        """The lines that this piece completes."""
        *ended, rest = piece.split(b"\n")
        for part in ended:
            self._extend(part)
            yield self._taken()
        self._extend(rest)

    def end(self) -> Iterator[Line]:
        """The last line, where it has no line end."""
        if self._rest:
            yield self._taken()

    def cut(self, beginning: bytes, length: int) -> Line:
        """A line that is too long, from its beginning."""
        self._rest, self._length, self._is_end_open = bytearray(beginning), length, False
        return self._taken()

    def _extend(self, part: bytes | bytearray) -> None:
        if self._length is None:
            self._rest += part
            if len(self._rest) - self._rest.endswith(b"\r") > self._most:
                self._length, self._is_end_open = len(self._rest), self._rest.endswith(b"\r")
                self._rest = self._rest[: TRUNCATED_SIZE + 1]
        elif part:
            self._length += len(part)
            self._is_end_open = part.endswith(b"\r")

    def _taken(self) -> Line:
        """The line that is complete."""
        self._count += 1
        rest, self._rest = self._rest, bytearray()
        if self._count == 1 and rest.startswith(BOM_UTF8):
            del rest[: len(BOM_UTF8)]
        if self._length is not None:
            length, self._length = self._length - self._is_end_open, None
            return Line(self._source, self._count, str(TruncatedRecord.of(rest, length)), length)
        if rest.endswith(b"\r"):
            del rest[-1:]
        return Line(self._source, self._count, rest.decode(errors="surrogateescape"))
