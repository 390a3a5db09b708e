"""Receipts: which lines others have taken, so that a run that goes on does not send them again.

Each line of a file has the number of a line of the run, from 1 on, and its checksum. The last one may be cut
off where the machine failed; it is left out.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.sources.text.text_files import read_whole

_RECEIPT = re.compile(rb"([0-9]+) ([0-9a-f]{8})\n")


def add_receipts(path: Path, first: int, lines: Sequence[bytes]) -> None:
    """Adds those of lines, of which the first has a number. Raises SnapshotError where it cannot."""
    data = memoryview(b"".join(b"%d %08x\n" % (first + i, crc32(line)) for i, line in enumerate(lines)))
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            while data:
                data = data[os.write(file, data) :]
        finally:
            os.close(file)
    except OSError as error:
        raise SnapshotError(f"{path}: cannot write the receipts of answers: {error.strerror}") from error


def read_receipts(path: Path) -> dict[int, int]:
    """The checksums of lines by their numbers. Raises SnapshotError where the file cannot be read."""
    try:
        data = read_whole(path)
    except OSError as error:
        raise SnapshotError(f"{path}: cannot read the receipts of answers: {error.strerror}") from error
    return {int(number): int(checksum, 16) for number, checksum in _RECEIPT.findall(data)}
