"""What a live source of lines is, and how bytes become lines of text."""

from collections.abc import Callable, Iterator
from threading import Event
from typing import NamedTuple, Protocol

LONGEST_LINE = 2**20
"""In bytes without the line end. A longer line is cut off there."""

POLL_SECONDS = 0.1
"""So often a feed that waits for something looks whether it is to stop."""

_MARK = b"\xff"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line of text.

    Attributes:
        source: the name of where it came from, such as `tcp:127.0.0.1:54321` or an MQTT topic.
        number: the number of the line within that source, counted from 1.
        text: without line end; a byte that is not UTF-8 is a surrogate, which readers reject.
    """

    source: str
    number: int
    text: str


class Feed(Protocol):
    """A live source of lines.

    Attributes:
        name: what messages call it.
    """

    name: str

    def run(self, emit: Callable[[Line], None], stop: Event) -> None:
        """Calls `emit` for each line until the source ends or `stop` is set.

        `emit` may block while the reader is busy. The feed then does not read on: it holds a bounded amount,
        and the rest waits where it comes from. What it holds when `stop` is set is dropped.

        Raises:
            InputError: if the source cannot be opened, saying what to do.
        """
        ...


class Lines:
    """Puts the lines of one source together from pieces, however they are cut."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._count = 0
        self._rest = bytearray()
        self._is_passing_over = False

    def add(self, piece: bytes | bytearray) -> Iterator[Line]:
        """The lines that this piece completes.

        Of a line longer than LONGEST_LINE so much is given, with a last byte that makes it no UTF-8 text: it
        cannot be taken for a record. What follows is passed over up to the next line end.
        """
        *ended, rest = piece.split(b"\n")
        for part in ended:
            yield from self._extend(part)
            if not self._is_passing_over:
                yield self._taken()
            self._is_passing_over = False
        yield from self._extend(rest)

    def end(self) -> Iterator[Line]:
        """The last line, where it has no line end."""
        if self._rest:
            yield self._taken()
        self._is_passing_over = False

    def _extend(self, part: bytes | bytearray) -> Iterator[Line]:
        if self._is_passing_over:
            return
        self._rest += part
        if len(self._rest) - self._rest.endswith(b"\r") > LONGEST_LINE:
            del self._rest[LONGEST_LINE - len(_MARK) :]
            self._rest += _MARK
            yield self._taken()
            self._is_passing_over = True

    def _taken(self) -> Line:
        """The line that has gathered."""
        self._count += 1
        text = bytes(self._rest)
        self._rest.clear()
        if self._count == 1:
            text = text.removeprefix(_BYTE_ORDER_MARK)
        return Line(self._source, self._count, text.removesuffix(b"\r").decode(errors="surrogateescape"))
