"""Live sources of lines, and how bytes become lines of text."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from threading import Event
from typing import Any, Protocol, runtime_checkable

from lars2asp.runtime.sources.records import LARGEST_RECORD, TRUNCATED_SIZE, Line, TruncatedRecord
from lars2asp.runtime.sources.text.byte_streams import Recoder

POLL_SECONDS = 0.1
"""The time after which a waiting feed looks whether it is to stop."""


class Feed(Protocol):
    """A live source of your own for `Reasoner.run_live`.

    Attributes:
        name: Its name in messages.
    """

    name: str

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Calls `emit` for each line until the source ends or `stop` is set.

        `emit` may block while the reader is busy. lars2asp drops the lines that wait when `stop` is set.

        Args:
            emit: Takes a Line.
            stop: Tells you to return.

        Raises:
            InputError: If you cannot open the source; say what to do.
        """
        ...


@runtime_checkable
class ConnectionsFeed(Feed, Protocol):
    """A feed of several connections.

    Attributes:
        has_watermarks: Whether each connection keeps its own time.
    """

    has_watermarks: bool


@runtime_checkable
class ListeningFeed(Feed, Protocol):
    """A feed that listens at a port."""

    def open(self) -> None:
        """Begins to listen, as `run` does if need be. Raises InputError."""
        ...

    def close(self) -> None:
        """Stops to listen."""
        ...


@runtime_checkable
class KeepingFeed(Feed, Protocol):
    """A feed that tells who sent lines when they are kept.

    Attributes:
        waits_until_kept: Whether it waits for that.
    """

    waits_until_kept: bool

    def kept(self, source: str, number: int, of_input: int = 0) -> None:
        """The lines of a source up to a number are kept; called by another thread.

        Args:
            source: The source.
            number: The number of its last line that is kept.
            of_input: The number of the input whose source it is, if the feed has several.
        """
        ...


@runtime_checkable
class PositionedFeed(Feed, Protocol):
    """A feed that can be read on from a position in each of its sources: nothing is kept of its lines.

    Each line carries its position, and each source keeps its own time: see `Line`.
    """

    def go_on(self, positions: Mapping[str, Any]) -> None:
        """`run` goes on from the positions of sources."""
        ...


def positioned(feeds: Iterable[Feed | None]) -> frozenset[int]:
    """The numbers of the feeds that can be read on from a position; None means an input without a feed."""
    return frozenset(number for number, feed in enumerate(feeds) if isinstance(feed, PositionedFeed))


def with_watermarks(feeds: Iterable[Feed | None]) -> frozenset[int]:
    """The numbers of the feeds with a watermark for each connection; None means an input without a feed."""
    return frozenset(
        number
        for number, feed in enumerate(feeds)
        if isinstance(feed, ConnectionsFeed) and feed.has_watermarks
    )


class Lines:
    """Puts the lines of one source together from pieces, however they are cut.

    Args:
        source: The name of the source.
        most: The longest line in bytes; only the beginning of a longer line is kept.
        encoding: The encoding of the bytes; None: UTF-8, unless they begin with a byte order mark.

    Attributes:
        place: The place of the next lines in their file, a part of their positions; None if they have none.
        count: The number of lines so far.
    """

    def __init__(self, source: str, most: int = LARGEST_RECORD, encoding: str | None = None) -> None:
        self._source = source
        self._most = most
        self._recoder = Recoder(encoding)
        self.place: object = None
        self.count = 0
        self._rest = bytearray()
        self._length: int | None = None
        """The length in bytes of a line that is too long, as far as it was read; None while it is not."""
        self._is_end_open = False
        """Whether the last byte of that may belong to the line end."""

    @property
    def is_plain(self) -> bool:
        """Whether the held bytes are the unchanged beginning of a line."""
        return self._recoder.passes and self._length is None

    @property
    def held(self) -> int:
        """The number of bytes held of a line that has not ended."""
        return len(self._rest)

    def add(self, piece: bytes | bytearray) -> Iterator[Line]:
        """The lines that this piece completes."""
        return self._add(self._recoder.utf8(piece))

    def _add(self, piece: bytes | bytearray) -> Iterator[Line]:
        *ended, rest = piece.split(b"\n")
        for part in ended:
            self._extend(part)
            yield self._taken()
        self._extend(rest)

    def end(self) -> Iterator[Line]:
        """The last lines, if they lack a line end."""
        yield from self._add(self._recoder.end())
        if self._rest:
            yield self._taken(is_last=True)

    def message(self, data: bytes | bytearray) -> Iterator[Line]:
        """The lines of a message, which has whole ones."""
        before: Line | None = None
        for line in chain(self.add(data), self.end()):
            if before is not None:
                yield before
            before = line
        if before is not None:
            yield before._replace(end="")

    def whole(self, data: bytes) -> Iterator[Line]:
        """The lines of a message; of a message that is too long, only the beginning is kept."""
        if len(data) > self._most:
            yield self.cut(data[: TRUNCATED_SIZE + 1], len(data))
        else:
            yield from self.message(data)

    @property
    def over(self) -> list[Line]:
        """Says that the source is over, if there was a line."""
        return [Line(self._source, self.count, "", end=None)] if self.count else []

    def cut(self, beginning: bytes, length: int) -> Line:
        """A line that is too long, from its beginning."""
        self._rest, self._length, self._is_end_open = bytearray(beginning), length, False
        return self._taken(is_last=True)

    def _extend(self, part: bytes | bytearray) -> None:
        if self._length is None:
            self._rest += part
            if len(self._rest) - self._rest.endswith(b"\r") > self._most:
                self._length, self._is_end_open = len(self._rest), self._rest.endswith(b"\r")
                self._rest = self._rest[: TRUNCATED_SIZE + 1]
        elif part:
            self._length += len(part)
            self._is_end_open = part.endswith(b"\r")

    def _taken(self, *, is_last: bool = False) -> Line:
        """The line that is complete."""
        self.count += 1
        rest, self._rest = self._rest, bytearray()
        if self.count == 1 and rest.startswith(BOM_UTF8):
            del rest[: len(BOM_UTF8)]
        if self._length is not None:
            length, self._length = self._length - self._is_end_open, None
            text: str = TruncatedRecord.of(rest, length)
            end = "" if is_last else "\n"
            return Line(self._source, self.count, str(text), length, end, position=self._position)
        end = "\r\n" if rest.endswith(b"\r") else "\n"
        if rest.endswith(b"\r"):
            del rest[-1:]
        text = rest.decode(errors="surrogateescape")
        return Line(self._source, self.count, text, end="" if is_last else end, position=self._position)

    @property
    def _position(self) -> object:
        return None if self.place is None else (self.place, self.count)
