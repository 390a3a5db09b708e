"""Lines of text that know their numbers, and where in a file they stand."""

import io
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from select import select

PIECE = 2**16
"""In bytes: so much of a file is read at once."""

MOST_AGAIN = 2000
"""In lines: so far back reading can go on elsewhere."""


class NumberedLines(Iterator[str]):
    """Lines with their ends.

    Attributes:
        number: that of the line that was given last, counted from 1.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._lines = iter(lines)
        self.number = 0

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        return line


def numbered(lines: Iterable[str]) -> NumberedLines:
    """The same lines, numbered."""
    return lines if isinstance(lines, NumberedLines) else NumberedLines(lines)


@dataclass(frozen=True)
class Place:
    """A line of a file, from which it can be read on.

    Attributes:
        line: its number.
        offset: the byte at which it begins, in a file that can be read from anywhere.
        rest: in one that cannot, the bytes from there on that were taken out of it, as latin-1.
        head: the lines that are read before, wherever the file is read on, in the same way.
    """

    line: int = 1
    offset: int | None = 0
    rest: str = ""
    head: str = ""


@dataclass
class _Taken:
    """What was taken out of a file and not given yet: lines, and pieces of one that is not whole."""

    lines: deque[bytes] = field(default_factory=deque)
    part: list[bytes] = field(default_factory=list)

    def bytes(self) -> bytes:
        return b"".join([*self.lines, *self.part])


class FileLines(NumberedLines):
    """The lines of a file, which ends them with \\n, \\r\\n or \\r.

    Bytes that are not UTF-8 come through as surrogates, so that only the record that holds them is bad; a
    byte order mark is skipped.

    Args:
        stream: the bytes, read without a buffer of their own.
        wait_for: waits until there is more to read, if something else may happen meanwhile.
    """

    def __init__(
        self, stream: io.RawIOBase, wait_for: Callable[[io.RawIOBase], None] = lambda _: None
    ) -> None:
        super().__init__()
        self._stream = stream
        self._wait_for = wait_for
        self._taken = _Taken()
        self._given: deque[bytes] = deque(maxlen=MOST_AGAIN)
        self._head: bytes | None = None
        self._place: Place | None = None

    def __next__(self) -> str:
        taken = self._taken.lines
        line = taken.popleft() if taken else self._read()
        self._given.append(line)
        self.number += 1
        text = str(line, "utf-8", "surrogateescape")
        return text.removeprefix("\ufeff") if self.number == 1 else text

    @property
    def bytes_read(self) -> int | None:
        """How much of the file has been read; None where it cannot be told."""
        return self._stream.tell() if self._stream.seekable() else None

    def begin(self, place: Place) -> None:
        """Reads from a place on, after the lines of its head; to be called before anything is read."""
        self._place = place
        self._add(place.head.encode("latin-1"), is_whole=True)
        if not place.head:
            self.end_head()

    def end_head(self) -> None:
        """What was given up to here is the head."""
        if self._head is None:
            self._head = b"".join(self._given)
            self._given.clear()
            if self._place is not None:
                self.number = self._place.line - 1
                self._taken = _Taken()
                if self._place.offset is None:
                    self._add(self._place.rest.encode("latin-1"))
                else:
                    self._stream.seek(self._place.offset)

    def place(self, line: int) -> Place:
        """Where one of the last MOST_AGAIN lines stands, the first one, or that which comes next."""
        number = self.number - line + 1
        again = b"".join([*self._given][len(self._given) - number :]) + self._taken.bytes()
        head = (self._head or b"").decode("latin-1")
        if self._stream.seekable():
            return Place(line, self._stream.tell() - len(again), head=head)
        return Place(line, None, again.decode("latin-1"), head)

    def _read(self) -> bytes:
        """The next line, read from the file. Raises StopIteration behind the last one."""
        taken = self._taken
        while not taken.lines:
            self._wait_for(self._stream)
            piece = self._stream.read(PIECE)
            if piece is None:  # the stream does not wait by itself
                select([self._stream], [], [])
            elif piece:
                self._add(piece)
            elif taken.part:
                taken.lines.append(b"".join(taken.part))
                taken.part = []
            else:
                raise StopIteration
        return taken.lines.popleft()

    def _add(self, piece: bytes, *, is_whole: bool = False) -> None:
        taken = self._taken
        if taken.part and taken.part[-1].endswith(b"\r"):  # perhaps a \n follows
            piece = b"".join(taken.part) + piece
            taken.part = []
        lines = piece.splitlines(keepends=True)
        if taken.part and lines:
            taken.part.append(lines[0])
            if not lines[0].endswith((b"\n", b"\r")):
                return
            lines[0] = b"".join(taken.part)
            taken.part = []
        if lines and not is_whole and not lines[-1].endswith(b"\n"):
            taken.part.append(lines.pop())
        taken.lines.extend(lines)
