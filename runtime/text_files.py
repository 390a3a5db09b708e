"""Text files and the standard streams, opened with errors that name the file."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from runtime.errors import InputError

STANDARD = "-"
"""Stands for standard input or output."""


@contextmanager
def open_input(path: str) -> Iterator[tuple[str, TextIO]]:
    """The name and the text of a file, or of standard input for `-`.

    Bytes that are not UTF-8 come through as surrogates, so that only the record that holds them is bad;
    a byte order mark is skipped. Raises InputError where the file cannot be opened.
    """
    if path == STANDARD:
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape", newline="")
        yield "<stdin>", sys.stdin
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(
                Path(path).open(encoding="utf-8-sig", errors="surrogateescape", newline="")
            )
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from error
        yield path, stream


@contextmanager
def open_output(path: str, size: int | None = None) -> Iterator[TextIO]:
    """A file to write anew, or standard output for `-`; UTF-8 in both cases.

    Args:
        path: the file.
        size: so many bytes of the file are kept, and writing goes on behind them.

    Raises InputError where it cannot be opened, or not be written to within the context.
    """
    if path == STANDARD:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        yield sys.stdout
        return
    try:
        with Path(path).open("w" if size is None else "r+", encoding="utf-8") as stream:
            if size is not None:
                if stream.seek(0, os.SEEK_END) < size:
                    raise InputError(f"{path}: it has less than {size} bytes, which the checkpoint counts on")
                stream.truncate(size)
                stream.seek(size)
            yield stream
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def size_of(stream: TextIO) -> int | None:
    """How many bytes of a file are written, all of them on the disk; None for what is no file."""
    stream.flush()
    if not stream.seekable():
        return None
    os.fsync(stream.fileno())
    return stream.buffer.tell()


def is_utf8(text: str) -> bool:
    """Whether no byte of a text was other than UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
