"""Lines of text that know their numbers, and where in a file they stand."""

import io
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice
from select import select

from lars2asp.runtime.sources.records import LARGEST_RECORD, MOST_AT_ONCE, TRUNCATED_SIZE, TruncatedRecord
from lars2asp.runtime.sources.text.byte_streams import bytes_read_of
from lars2asp.syntax.values import dataclass

PIECE = 2**16
"""In bytes: the size of a single read."""

LARGE_PIECE = 2**20
"""The same for lines that are read in columns (`jobs whole`)."""

MOST_AGAIN = 2000
"""The number of lines that were given last from which reading can go on elsewhere; more than a row has, and
two times as many as are given at once."""

_KEPT = TRUNCATED_SIZE + 1
"""In bytes: the part held of a line that is too long; its last byte shows where a character ends."""


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
class LinePosition:
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


class _TooLongLine(bytes):
    """The beginning of a line that is too long, without line end.

    Attributes:
        length: of the whole line in bytes, without its end.
        size: with it.
    """

    length: int
    size: int


@dataclass
class _Unread:
    """Bytes read from a file and not given yet: lines, and pieces of one that is not whole.

    Attributes:
        lines: the lines, those that were given last before them.
        begin: the number of these.
        has_cut: whether of some lines only the beginning may be there.
        part: the pieces.
        held: the number of their bytes.
        passed: the number of bytes between them that were passed over, as the line is too long.
    """

    lines: list[bytes] = field(default_factory=list)
    begin: int = 0
    has_cut: bool = False
    part: list[bytes] = field(default_factory=list)
    held: int = 0
    passed: int = 0

    @property
    def has_lines(self) -> bool:
        """Whether there are lines."""
        return self.begin < len(self.lines)

    @property
    def left(self) -> list[bytes]:
        """The lines."""
        return self.lines[self.begin :]

    def add(self, lines: list[bytes]) -> None:
        """More lines are there."""
        self.lines, self.begin = [*self.left, *lines], 0

    def next(self, most: int) -> list[bytes]:
        """The next lines, which are given."""
        begin = self.begin
        lines = self.lines[begin : begin + most]
        self.begin = begin + len(lines)
        return lines

    def extend(self, piece: bytes) -> None:
        """The line that is not whole goes on."""
        self.part.append(piece)
        self.held += len(piece)

    def joined(self) -> bytes:
        """The line that is not whole, what was passed over left out; nothing of it stays but `passed`."""
        data = b"".join(self.part)
        self.part, self.held = [], 0
        return data

    def shorten(self) -> None:
        """Keeps of the line that is not whole its beginning and its last byte."""
        data = self.joined()
        end = min(_KEPT, len(data) - 1)
        self.passed += len(data) - end - 1
        self.extend(data[:end])
        self.extend(data[-1:])


class FileLines(NumberedLines):
    """The lines of a file, which ends them with \\n, \\r\\n or \\r.

    Bytes that are not UTF-8 come through as surrogates, so that only the record that holds them is bad; a
    byte order mark is skipped. Of lines that are too long only a TruncatedRecord is given and held.

    Args:
        stream: the bytes, read without a buffer of their own.
        most: in bytes, line ends left out: longer lines are too long.
        wait_for: waits until there is more to read, if something else may happen meanwhile.

    Attributes:
        in_columns: whether whoever reads lines may give their records in columns: more of them come at once.
    """

    _ends: tuple[bytes, ...] = (b"\n", b"\r")

    def __init__(
        self,
        stream: io.RawIOBase,
        most: int = LARGEST_RECORD,
        wait_for: Callable[[io.RawIOBase], None] = lambda _: None,
    ) -> None:
        super().__init__()
        self._stream = stream
        self._most = most
        self._wait_for = wait_for
        self._taken = _Unread()
        self._sizes: deque[int] = deque(maxlen=MOST_AGAIN)
        """Of the lines that were given, in bytes."""
        self._given: deque[bytes] | None = deque(maxlen=MOST_AGAIN)
        """These lines, where they may be needed again and cannot be read again."""
        self._head: bytes | None = None
        self._place: LinePosition | None = None
        self.in_columns = False

    def __next__(self) -> str:
        lines = self.several(1)
        if not lines:
            raise StopIteration
        return text_of(lines[0])

    def several(self, most: int | None = None) -> list[bytes]:
        """The next lines, as many as are there without waiting, but one at least; none behind the last one.

        Of lines that are too long the beginning is given, which `text_of` knows.
        """
        taken = self._taken
        if not taken.has_lines:
            self._read()
        if most is None:
            most = len(taken.lines) if self.in_columns else MOST_AT_ONCE
        lines = taken.next(most)
        if self._given is not None:
            if len(lines) + MOST_AGAIN > (self._given.maxlen or 0):
                self._given = deque(self._given, len(lines) + MOST_AGAIN)
            self._given.extend(lines)
        if len(lines) + MOST_AGAIN > (self._sizes.maxlen or 0):
            self._sizes = deque(self._sizes, len(lines) + MOST_AGAIN)
        self._sizes.extend(map(_size if taken.has_cut else len, lines))
        if not self.number and lines:
            lines[0] = _without_mark(lines[0])
        self.number += len(lines)
        return lines

    @property
    def bytes_read(self) -> int | None:
        """How much of the file has been read; None where that is not known."""
        return bytes_read_of(self._stream)

    def begin(self, place: LinePosition) -> None:
        """Reads from a place on, after the lines of its head; to be called before anything is read."""
        self._place = place
        self._add(place.head.encode("latin-1"), is_whole=True)
        if not place.head:
            self.end_head()

    def end_head(self) -> None:
        """The lines given up to here are the head."""
        if self._head is None:
            self._head = b"".join(map(self._written, self._given or ()))
            self._sizes.clear()
            self._given = None if self._stream.seekable() else deque(maxlen=MOST_AGAIN)
            if self._place is not None:
                self.number = self._place.line - 1
                self._taken = _Unread()
                if self._place.offset is None:
                    self._add(self._place.rest.encode("latin-1"))
                else:
                    self._stream.seek(self._place.offset)

    def place(self, line: int) -> LinePosition:
        """Where one of the last MOST_AGAIN lines stands, the first one, or that which comes next.

        In what cannot be read again, one of the last lines that together are no longer than two records.
        """
        number, taken = self.number - line + 1, self._taken
        head = (self._head or b"").decode("latin-1")
        if self._stream.seekable():
            back = sum(islice(self._sizes, len(self._sizes) - number, None))
            back += sum(map(_size, taken.left)) + taken.held
            return LinePosition(line, self._stream.tell() - back, head=head)
        given = self._given or ()
        lines = [*islice(given, len(given) - number, None), *taken.left]
        again = b"".join([*map(self._written, lines), *taken.part])
        return LinePosition(line, None, again.decode("latin-1"), head)

    def _written(self, line: bytes) -> bytes:
        """A line so that it is read again; for one that is too long another that is."""
        return line.ljust(self._most + 1, b" ") + b"\n" if type(line) is _TooLongLine else line

    def _read(self) -> None:
        """Reads on until there is a line, if there is one."""
        if self._given is not None and self._head is not None:
            self._forget(self._given)
        taken = self._taken
        while not taken.has_lines:
            if taken.passed or taken.held > self._most + len("\r\n"):
                taken.shorten()
            self._wait_for(self._stream)
            piece = self._stream.read(LARGE_PIECE if self.in_columns else PIECE)
            if piece is None:  # the stream does not wait by itself
                select([self._stream], [], [])
            elif piece:
                self._add(piece)
            elif taken.part:
                self._take([taken.joined()])
            else:
                return

    def _forget(self, given: deque[bytes]) -> None:
        """No row is so long that lines are needed again that stand before two records of the largest size."""
        held = sum(map(len, given))
        while held > 2 * self._most and len(given) > 1:
            held -= len(given.popleft())

    def _add(self, piece: bytes, *, is_whole: bool = False) -> None:
        taken = self._taken
        if taken.part and taken.part[-1].endswith(b"\r"):  # perhaps a \n follows
            piece = taken.joined() + piece
        lines = self._split(piece)
        if taken.part and lines:
            taken.extend(lines[0])
            if not lines[0].endswith(self._ends):
                return
            lines[0] = taken.joined()
        if lines and not is_whole and not lines[-1].endswith(b"\n"):
            taken.extend(lines.pop())
        self._take(lines)

    def _split(self, piece: bytes) -> list[bytes]:
        return piece.splitlines(keepends=True)

    def _take(self, lines: list[bytes]) -> None:
        """Lines are whole; of the first one some may have been passed over."""
        taken, most = self._taken, self._most
        if lines and (taken.passed or len(lines[0]) > most):
            lines[0] = self._checked(lines[0], taken.passed)
            taken.passed = 0
            taken.has_cut = True
        if most < (LARGE_PIECE if self.in_columns else PIECE):
            lines = [line if type(line) is _TooLongLine else self._checked(line) for line in lines]
            taken.has_cut = True
        taken.add(lines)

    def _checked(self, line: bytes, passed: int = 0) -> bytes:
        """A line, or the beginning of one that is too long; `passed` bytes of it were passed over."""
        bare = line.rstrip(b"\r\n")
        if len(bare) + passed <= self._most:
            return line
        cut = _TooLongLine(bare[:_KEPT])
        cut.length, cut.size = len(bare) + passed, len(line) + passed
        return cut


class TextLines(FileLines):
    """The lines of a text, which end with \\n or \\r\\n: a \\r that others wrote into one begins none."""

    _ends = (b"\n",)

    def _split(self, piece: bytes) -> list[bytes]:
        *whole, rest = piece.split(b"\n")
        lines = [line + b"\n" for line in whole]
        return [*lines, rest] if rest else lines


def text_of(line: bytes) -> str:
    """The text of a line of a file, a TruncatedRecord of one that is too long."""
    if type(line) is _TooLongLine:
        return TruncatedRecord.of(line, line.length)
    return str(line, "utf-8", "surrogateescape")


def text_of_lines(lines: Sequence[bytes]) -> str | None:
    """The text of lines of a file; None where one of them is too long."""
    if not {bytes}.issuperset(map(type, lines)):
        return None
    return str(b"".join(lines), "utf-8", "surrogateescape")


def _without_mark(line: bytes) -> bytes:
    """A line without byte order mark."""
    if type(line) is not _TooLongLine:
        return line.removeprefix(BOM_UTF8)
    bare = _TooLongLine(line.removeprefix(BOM_UTF8))
    bare.length, bare.size = line.length, line.size
    return bare


def _size(line: bytes) -> int:
    return line.size if type(line) is _TooLongLine else len(line)
