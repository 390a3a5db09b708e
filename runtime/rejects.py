"""Where records go that are not valid."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from lars2asp.source import shown
from runtime.records import Rejected, refuse
from runtime.text_files import open_output, size_of

MOST_SHOWN = 200
"""So many characters of a record stand in a message; a file of rejects has it whole."""


class Rejects:
    """Writes rejected records; an OnReject.

    Attributes:
        count: how many there were.
    """

    def __init__(self, output: TextIO | None) -> None:
        self._output = output
        self.count = 0

    @property
    def size(self) -> int | None:
        """How many bytes are written to a file; None where there is none."""
        return None if self._output is None else size_of(self._output)

    def flush(self) -> None:
        """Sees to it that all is written."""
        if self._output is not None:
            self._output.flush()

    def __call__(self, rejected: Rejected) -> None:
        """Writes a JSON object to the file, or a message with the record below it to standard error."""
        self.count += 1
        origin = rejected.origin
        if self._output is None:
            sys.stderr.write(f"{rejected}\n  | {shown(origin.text, MOST_SHOWN)}\n")
        else:
            line = {
                "source": origin.source,
                "line": origin.line,
                "reason": rejected.reason,
                "record": origin.text,
            }
            self._output.write(json.dumps(line).replace("\x7f", "\\u007f") + "\n")


class StrictRejects(Rejects):
    """Stops at the first record that is not valid."""

    def __call__(self, rejected: Rejected) -> None:
        """Raises InputError."""
        refuse(rejected)


@contextmanager
def open_rejects(path: str | None, is_strict: bool, size: int | None = None) -> Iterator[Rejects]:
    """The place for rejected records: a file, by default standard error.

    Args:
        path: the file.
        is_strict: whether the first rejected record stops the run.
        size: so many bytes of the file are kept.

    Raises InputError.
    """
    if is_strict or path is None:
        yield (StrictRejects if is_strict else Rejects)(None)
        return
    with open_output(path, size) as output:
        yield Rejects(output)
