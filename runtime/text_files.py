"""Text files and the standard streams, opened with errors that name the file."""

import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from runtime.errors import InputError

STANDARD = "-"
"""Stands for standard input or output."""


def open_bytes(path: str) -> io.FileIO:
    """The bytes of a file, or of standard input for `-`, without a buffer. Raises InputError."""
    if path == STANDARD and sys.stdin is None:
        raise InputError("-: standard input is closed")
    try:
        return io.FileIO(0, closefd=False) if path == STANDARD else io.FileIO(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


@contextmanager
def open_output(path: str, size: int | None = None) -> Iterator[TextIO]:
    """A file to write anew, or standard output for `-`; UTF-8 in both cases.

    Args:
        path: the file.
        size: so many bytes of the file are kept, and writing goes on behind them.

    Raises InputError where it cannot be opened, or not be written to within the context.
    """
    if path == STANDARD:
        if sys.stdout is None:
            raise InputError("-: standard output is closed; name a file with --output")
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        yield sys.stdout
        return
    try:
        with open(path, "w", encoding="utf-8", opener=_opener(size)) as stream:
            if size is not None:
                if stream.seek(0, os.SEEK_END) < size:
                    raise InputError(f"{path}: it has less than {size} bytes, which the checkpoint counts on")
                stream.truncate(size)
                stream.seek(size)
            yield stream
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _opener(size: int | None) -> Callable[[str, int], int]:
    """Opens a file; where a size is given, what it has stays in it."""
    kept = ~os.O_CREAT & ~os.O_TRUNC if size is not None else -1
    return lambda path, flags: os.open(path, flags & kept, 0o666)


def size_of(stream: TextIO) -> int | None:
    """How many bytes of a file are written, all of them on the disk; None for what is no file."""
    stream.flush()
    if not stream.seekable() or not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        return None
    os.fsync(stream.fileno())
    return stream.buffer.tell()


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file that is there whole and on the disk, or not at all. Raises OSError."""
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the name as well
    finally:
        os.close(folder)


def flush_standard_streams() -> None:
    """Sees to it that all is written to standard output and standard error, where they are open."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
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
