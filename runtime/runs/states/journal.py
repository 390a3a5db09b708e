"""A journal: the lines of a source that cannot be read again, so that an interrupted run loses none of them.

Each line of the file is a checksum and a JSON array of the lines that arrived together. The last one may be
cut off where the machine failed; it is left out, and the next one takes its place.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from lars2asp.runtime.connectors.inbox import ArrivedLine
from lars2asp.runtime.errors import SnapshotError


class Journal:
    """A file to which lines are added; each is with the system before it is processed.

    Raises SnapshotError where the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        except OSError as error:
            raise _unwritable(path, error) from error

    def add(self, lines: Sequence[ArrivedLine]) -> None:
        """Adds lines that arrived together. Raises SnapshotError where they cannot be written."""
        body = json.dumps(lines, separators=(",", ":")).encode()
        left = memoryview(b"%08x %b\n" % (crc32(body), body))
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            raise _unwritable(self._path, error) from error

    def close(self) -> None:
        """Nothing more is added."""
        os.close(self._file)


def read_journal(path: Path) -> list[ArrivedLine]:
    """The lines of a journal, the end of which is cut off if it is not whole.

    Raises SnapshotError where it cannot be read or cut.
    """
    found: list[ArrivedLine] = []
    whole = 0
    try:
        with open(path, "r+b", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW)) as file:
            for text in file:
                checksum, _, body = text.removesuffix(b"\n").partition(b" ")
                if not text.endswith(b"\n") or checksum != b"%08x" % crc32(body):
                    break
                found += map(ArrivedLine.from_json, json.loads(body))
                whole += len(text)
            file.truncate(whole)
    except OSError as error:
        raise SnapshotError(f"{path}: cannot read the journal: {error.strerror}") from error
    return found


def _unwritable(path: Path, error: OSError) -> SnapshotError:
    return SnapshotError(f"{path}: cannot write the journal of the input: {error.strerror}")
