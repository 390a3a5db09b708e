"""Text files and the standard streams, opened with errors that name the file."""

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.text.folder_files import is_pattern
from lars2asp.runtime.sources.text.named_file import NamedFile
from lars2asp.runtime.sources.text.sheet_names import path_in
from lars2asp.runtime.sources.text.zip_files import member_at, open_member
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

REOPENED_PIECE = 2**13
"""In bytes: so much is read at once of each of many files."""

STANDARD = "-"
"""Stands for standard input or output."""


def open_bytes(path: str) -> io.RawIOBase:
    """The bytes of a file, or of standard input for `-`, without a buffer. Raises InputError."""
    if path == STANDARD and sys.stdin is None:
        raise InputError("-: standard input is closed: name a file")
    try:
        if path == STANDARD:
            return io.FileIO(0, closefd=False)
        member = member_at(path_in(path))
        return io.FileIO(path_in(path)) if member is None else open_member(member)
    except OSError as error:
        raise InputError.of(path, f"cannot read this file: {error.strerror}") from error


class ReopenedFile(io.RawIOBase):
    """The bytes of a file that is open only while a piece is read: thousands can be read at once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._at = 0
        self._file: tuple[int, int] | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._at = offset if whence == io.SEEK_SET else Path(self._path).stat().st_size + offset
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes. Raises InputError if another file has taken the place of this one."""
        with open_bytes(self._path) as raw:
            status = os.fstat(raw.fileno())
            file = status.st_dev, status.st_ino
            if self._file not in (None, file):
                raise InputError.of(self._path, "another file replaced this one during the run")
            self._file = file
            raw.seek(self._at)
            piece = raw.read(REOPENED_PIECE if size < 0 else min(size, REOPENED_PIECE)) or b""
        self._at += len(piece)
        return piece

    def readinto(self, buffer: Any, /) -> int:
        piece = self.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)


def has_name_of_file(path: str) -> bool:
    """Whether a path is that of a file, or of one that is not there yet: no pipe, folder or pattern."""
    return Path(path).is_file() or not (Path(path).exists() or is_pattern(path))


def check_readable(path: str) -> None:
    """Raises InputError if a file cannot be read; pipes and the like are not opened for that."""
    try:
        file = path_in(path)
        if stat.S_ISREG(Path(file).stat().st_mode):
            os.close(os.open(file, os.O_RDONLY | os.O_CLOEXEC))
    except (OSError, ValueError) as error:
        raise _unusable(path, "read", error) from error


@dataclass(frozen=True)
class CheckpointedSize:
    """The part of a file that was written before a checkpoint.

    Attributes:
        size: in bytes.
        folder: that of the checkpoint.
    """

    size: int
    folder: str


class OutputFile:
    """A file to write, or standard output.

    Attributes:
        stream: takes what is written, after `begin`.
    """

    def __init__(self, stream: TextIO, size: int | None) -> None:
        self.stream = stream
        self._size = size
        self.has_begun = False

    def begin(self) -> None:
        """Drops what is in the file, but for what is kept of it. Raises InputError."""
        self.has_begun = True
        if self._size is None:
            return
        with blaming(self.stream):
            if _is_file(self.stream):
                self.stream.truncate(self._size)
                self.stream.seek(self._size)


@contextmanager
def open_output(
    path: str, checkpointed: CheckpointedSize | None = None, checkpoint: str | None = None
) -> Iterator[OutputFile]:
    """A file to write anew, or standard output for `-`; UTF-8 in both cases.

    What is in the file stays there until the output begins. Where it does not begin a file that was not there
    before is removed again.

    Args:
        path: the file.
        checkpointed: the part of the file to keep; writing goes on behind it.
        checkpoint: the folder of checkpoints that count on the file from now on, if there are any.

    Raises InputError where it cannot be opened, has less than what is counted on, or cannot be closed, and
    where another run writes to it. Who writes to it says with `blaming` or `not_written` what went wrong.
    """
    if path == STANDARD:
        if sys.stdout is None:
            raise InputError("-: standard output is closed; name a file with --output")
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        yield OutputFile(sys.stdout, None)
        return
    size = 0 if checkpointed is None else checkpointed.size
    raw, is_new = _opened(path, checkpointed if size else None, checkpoint)
    stream = TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", line_buffering=raw.isatty())
    output = OutputFile(stream, size)
    try:
        yield output
    except BaseException:
        with suppress(OSError, InputError):  # what went wrong first is what counts
            stream.close()
        raise
    else:
        with blaming(stream):
            stream.close()
    finally:
        if is_new and not output.has_begun:
            with suppress(OSError):
                Path(path).unlink()


@contextmanager
def blaming(stream: TextIO) -> Iterator[None]:
    """An OSError within the context is an InputError that names what is written; see `not_written`."""
    try:
        yield
    except OSError as error:
        raise not_written(stream, error) from error


def not_written(stream: TextIO, error: OSError) -> Exception:
    """The error where something cannot be written: an InputError that names it.

    Where nobody reads a pipe any more it is the BrokenPipeError itself.
    """
    if isinstance(error, BrokenPipeError):
        return error
    standard = {id(sys.stdout): "standard output", id(sys.stderr): "standard error"}
    return _unusable(standard.get(id(stream)) or stream.name, "write", error)


def _opened(
    path: str, checkpointed: CheckpointedSize | None, checkpoint: str | None
) -> tuple[NamedFile, bool]:
    """A file to write, as it is, and whether it is new. Raises InputError."""
    flags, is_new = os.O_WRONLY | os.O_CLOEXEC, False
    try:
        if checkpointed is not None:
            descriptor = os.open(path, flags)
        else:
            try:
                descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
                is_new = True
            except FileExistsError:
                descriptor = os.open(path, flags | os.O_CREAT, 0o666)
    except FileNotFoundError as error:
        if checkpointed is None:
            raise _unusable(path, "write", error) from error
        raise _missing(path, "this file does not exist", checkpointed) from error
    except (OSError, ValueError) as error:
        raise _unusable(path, "write", error) from error
    if checkpointed is not None and os.fstat(descriptor).st_size < checkpointed.size:
        found = os.fstat(descriptor).st_size
        os.close(descriptor)
        raise _missing(path, f"the file has {found} bytes", checkpointed)
    return NamedFile(path, descriptor, checkpoint), is_new


def _missing(path: str, what: str, checkpointed: CheckpointedSize) -> InputError:
    return InputError.of(
        path,
        f"{what}, but the checkpoint in {checkpointed.folder} needs {checkpointed.size} bytes: put "
        f"the old file back, or remove the folder {checkpointed.folder} to start over",
    )


def _unusable(path: str, what: str, error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) else error
    cure = ""
    if what == "write" and isinstance(error, FileNotFoundError):
        cure = f"; create the folder {shown(str(Path(path).parent))} first"
    return InputError.of(path, f"cannot {what} this file: {reason}{cure}")


def _is_file(stream: TextIO) -> bool:
    return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)


def size_of(stream: TextIO) -> int | None:
    """The number of bytes written to a file, all of them on the disk; None for what is not a file.

    Raises InputError where they cannot be written.
    """
    with blaming(stream):
        stream.flush()
        if not stream.seekable() or not _is_file(stream):
            return None
        os.fsync(stream.fileno())
        if (file := _named(stream)) is not None:
            file.check()
        return stream.buffer.tell()


def begin_again_with(stream: TextIO, head: str) -> None:
    """What a file begins with, as the header of a table, if it is removed and opened again."""
    if (file := _named(stream)) is not None:
        file.head = head.encode()


def _named(stream: TextIO) -> NamedFile | None:
    file = getattr(getattr(stream, "buffer", None), "raw", None)
    return file if isinstance(file, NamedFile) else None


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Writes a file that is there whole and on the disk, or not at all. Raises OSError with its name.

    Links in its place are replaced, and not followed. `mode` says who may do what with it.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)  # an interrupted run may have left it
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with os.fdopen(os.open(part, flags, 0o666), "wb") as file:
                if mode is not None:
                    os.fchmod(file.fileno(), mode)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the name as well
        finally:
            os.close(folder)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def read_whole(path: Path) -> bytes:
    """The bytes of a file. Raises OSError where it is none, but a link, a pipe or the like."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        return file.read()


def flush_standard_streams() -> None:
    """Sees to it that all is written to standard output and standard error, where they are open."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def is_utf8(text: str) -> bool:
    """Whether no byte of a text was other than UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
