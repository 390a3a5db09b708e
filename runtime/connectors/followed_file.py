"""A file that is followed by its name, also when logs rotate: renamed and created anew, or copied and cut."""

import io
import logging
import os
import re
import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from lars2asp.runtime.connectors.feed import Lines
from lars2asp.runtime.connectors.followed_text import FollowedText
from lars2asp.runtime.connectors.text_feed import PIECE
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import Line
from lars2asp.runtime.sources.text.byte_streams import PACKED_ENDING, unpacked
from lars2asp.runtime.sources.text.text_files import open_bytes
from lars2asp.syntax.source import visible

_log = logging.getLogger("lars2asp")

MOST_HASHED = 1024
"""In bytes: so much of the beginning of a file tells it from others."""

_COARSE = 20_000_000
"""In nanoseconds: by so much the time of a change may lie before the clock of the system."""

ROTATED = re.compile(rf"[.\-_][0-9]{{1,14}}(?:[.\-_][0-9]+)*{PACKED_ENDING}?")
"""What a rotated file has behind its name."""


class FilePlace(NamedTuple):
    """Where a file was read, as a checkpoint has it.

    Attributes:
        device: that of the file.
        inode: that of the file.
        hashed: the number of bytes at its beginning of which the hash is.
        digest: the hash.
        offset: a byte at which a line begins; 0 in an encoding other than UTF-8.
        line: the number of lines before it.
        size: the size of the file when it was looked at last.
        looked: when that was, in nanoseconds since the Unix epoch, if the file was empty; else 0.
    """

    device: int
    inode: int
    hashed: int
    digest: str
    offset: int
    line: int
    size: int
    looked: int = 0


class OpenedFile:
    """An open file and the lines in it; see `opened`.

    Args:
        stream: its bytes.
        lines: puts lines together.
        place: where reading begins.
        skipped: the number of lines behind this place that were read before.
    """

    def __init__(self, stream: io.RawIOBase, lines: Lines, place: FilePlace | None, skipped: int = 0) -> None:
        self.stream = stream
        self._lines = lines
        self.read = 0
        """The number of bytes that were read."""
        self._base = (0, 0)
        self._hashed, self._digest = 0, _digest(b"")
        self._skipped = skipped
        stream.seek(0)
        self._beginning = _beginning(stream, MOST_HASHED)
        if place is not None and place.offset:
            self.read, self._base = place.offset, (place.offset, place.line)
            lines.count = place.line
        stream.seek(self.read)
        self._renew()

    def _renew(self) -> None:
        """What later lines have as their position."""
        status = os.fstat(self.stream.fileno())
        beginning = self._beginning
        if len(beginning) != self._hashed:
            self._hashed, self._digest = len(beginning), _digest(beginning)
        self.place = FilePlace(
            status.st_dev,
            status.st_ino,
            self._hashed,
            self._digest,
            *self._base,
            max(status.st_size, self.read),
            0 if beginning else time.time_ns(),
        )

    def next(self) -> list[Line] | None:
        """The lines that the next piece completes; None at the end of what is there."""
        piece = self.stream.read(PIECE)
        if not piece:
            return None
        known = len(self._beginning)
        if known < min(MOST_HASHED, self.read + len(piece)):
            self._beginning += piece[known - self.read :][: MOST_HASHED - known]
            self._renew()
        self.read += len(piece)
        found = self._new(self._lines.add(piece))
        if self._lines.is_plain:
            self._base = self.read - self._lines.held, self._lines.count
            self._renew()
        return found

    def end(self) -> list[Line]:
        """A last line without an end: nothing follows."""
        return self._new(self._lines.end())

    def _new(self, lines: Iterator[Line]) -> list[Line]:
        """The lines that were not read before, with their positions."""
        self._lines.place = self.place
        found = [*lines]
        skipped = min(self._skipped, len(found))
        self._skipped -= skipped
        return found[skipped:]

    @property
    def is_cut(self) -> bool:
        """Whether other text has taken the place of what was read; not of packed files."""
        if not isinstance(self.stream, io.FileIO):
            return False
        if os.fstat(self.stream.fileno()).st_size < self.read:
            return True
        begun = os.pread(self.stream.fileno(), self._hashed, 0)
        return _digest(begun) != self._digest

    def close(self) -> None:
        self.stream.close()


class FollowedFile:
    """The lines of a file, read on behind its end, and of those that take its name.

    A file that was renamed is read to its end, until that of its name has text; one that was cut, or written
    anew, is read from its beginning.

    Args:
        path: the file.
        largest_record: in bytes, the length beyond which only the beginning of a line is kept.
        encoding: that of the text; None: UTF-8, but for a byte order mark.
        known: where the run stands in it, a FilePlace and the number of the last line; without a place the
            number alone is known.
    """

    def __init__(
        self, path: str, largest_record: int, encoding: str | None, known: Sequence[Any] | None = None
    ) -> None:
        self.path = path
        self._how = largest_record, encoding
        self._opened: OpenedFile | None = None
        self._waiting: list[str] = []
        """Files that are read to their ends before that of the name."""
        self._was_read = False
        """Whether the end of the file was met since lines came."""
        if known is not None:
            self._go_on(*known)

    def lines(self) -> Iterator[Line]:
        """The next lines; none if there is nothing more for now. Raises InputError, and OSError."""
        while (found := self.next()) == []:
            pass
        yield from found or ()

    def next(self) -> list[Line] | None:
        """The next lines, which may be none yet; None if there is nothing more for now. Raises InputError."""
        one = self._opened
        if one is None:
            return self._begin_next()
        if self._was_read and not self._is_old(one) and one.is_cut:
            _log.warning(
                "%s: the file was cut, or written anew: it is read from its beginning; lines that were "
                "written after byte %s before that may be missing",
                *(visible(self.path), one.read),
            )
            found = one.end()
            self._close()
            return found
        lines = one.next()
        self._was_read = lines is None
        if lines is not None:
            return lines
        if not (self._waiting or self._has_successor(one)):
            return None
        if (lines := one.next()) is not None:  # it was written to meanwhile
            return lines
        if not self._waiting:
            self._waiting = self._later(one.place, os.fstat(one.stream.fileno()).st_mtime_ns)
        found = one.end()
        self._close()
        return found

    def close(self) -> None:
        """Closes what is open."""
        self._close()

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
        self._opened, self._was_read = None, False

    def _begin_next(self) -> list[Line] | None:
        """Opens the next file; None if it is not there."""
        if self._waiting:
            name = self._waiting.pop(0)
            return [self._open(name, None)] if Path(name).exists() else []
        return [self._open(self.path, None)] if Path(self.path).exists() else None

    def _open(self, name: str, place: FilePlace | None, skipped: int = 0) -> Line:
        """Opens a file, and says where it begins."""
        one = self._opened = opened(name, Lines(self.path, *self._how), place, skipped)
        return Line(self.path, 0, "", position=(one.place, 0))

    def _is_old(self, one: OpenedFile) -> bool:
        """Whether another file has the name, or none."""
        return _status(self.path) != (one.place.device, one.place.inode)

    def _has_successor(self, one: OpenedFile) -> bool:
        """Whether another file has the name, and it or one before it has text: who writes has gone over."""
        if not self._is_old(one) or not Path(self.path).exists():
            return False
        later = self._later(one.place, os.fstat(one.stream.fileno()).st_mtime_ns)
        return any(_size(name) for name in (self.path, *later))

    def _go_on(self, where: Sequence[Any] | None, number: int) -> None:
        """Goes on behind a line of a file, wherever that is now."""
        if where is None:  # a checkpoint of an earlier version has the number of lines
            self._open(self.path, None, number)
            return
        place = FilePlace(*where)
        old = self._found(place)
        if old is None:
            missing = place.size - place.offset
            _log.warning(
                "%s: the file that was read up to line %s is gone: at least %s bytes after byte %s are "
                "missing; the file of this name is read from its beginning",
                *(visible(self.path), number, missing, place.offset),
            )
            return
        if not place.hashed and old == self.path and place.looked:  # nothing of it tells it from a copy
            self._waiting = self._later(place, place.looked - _COARSE)
            if self._waiting:
                return
        found = self._open(old, place, number - place.line).position[0]
        if old != self.path:
            _log.warning("%s: goes on in %s, then in what came after it", visible(self.path), visible(old))
            self._waiting = self._later(found, _changed(old))

    def _found(self, place: FilePlace) -> str | None:
        """The file that was read: of its own inode if that is there, else one that begins as it did."""
        names = [name for name in (self.path, *self._rotated()) if is_beginning(name, place)]
        own = (name for name in names if _status(name) == (place.device, place.inode))
        copies = [name for name in names if place.hashed]
        return next(own, None) or max(copies, key=_changed, default=None)

    def _later(self, place: FilePlace, changed: int) -> list[str]:
        """The files that had the name between that which was changed then and that which has it now."""
        later = [one for one in self._rotated() if _changed(one) > changed]
        return sorted((one for one in later if _status(one) != (place.device, place.inode)), key=_changed)

    def _rotated(self) -> list[str]:
        """The files beside it that have its name and a number, or date, behind it."""
        own = Path(self.path)
        beside = (one for one in own.parent.iterdir() if one.name.startswith(own.name))
        return [str(one) for one in beside if ROTATED.fullmatch(one.name[len(own.name) :])]


class FollowedFeed(FollowedText):
    """The lines of a file that is followed by its name; see `FollowedFile` and `FollowedText`.

    A position without a place is the number of the last line.
    """

    def text(self) -> FollowedFile:
        """See FollowedText."""
        known = self._known.get(self.name)
        if known is None:
            open_bytes(self.name).close()  # it is there
        return FollowedFile(self.name, self.largest_record, self.encoding, known)


def opened(name: str, lines: Lines, place: FilePlace | None, skipped: int = 0) -> OpenedFile:
    """A file, opened where reading begins; see OpenedFile. Raises InputError."""
    return OpenedFile(unpacked(open_bytes(name), name), lines, place, skipped)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _beginning(stream: io.RawIOBase, size: int) -> bytes:
    found = b""
    while len(found) < size and (piece := stream.read(size - len(found))):
        found += piece
    return found


def is_beginning(name: str, place: FilePlace) -> bool:
    """Whether a file begins as one did of which so much was read, and has all of that."""
    try:
        with unpacked(open_bytes(name), name) as stream:
            begins = _digest(_beginning(stream, place.hashed)) == place.digest
            is_packed = not isinstance(stream, io.FileIO)
            size = stream.seek(place.offset) if is_packed else Path(name).stat().st_size
    except (InputError, OSError):
        return False
    return begins and size >= place.offset


def _status(name: str) -> tuple[int, int] | None:
    try:
        found = Path(name).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _size(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except OSError:
        return 0


def _changed(name: str) -> int:
    try:
        return Path(name).stat().st_mtime_ns
    except OSError:
        return 0
