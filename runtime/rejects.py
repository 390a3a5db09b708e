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
    """Writes rejected records and counts them; an OnReject."""

    def __init__(self, output: TextIO | None, count: int = 0) -> None:
        self._output = output
        self.count = count

    @property
    def size(self) -> int | None:
        """How many bytes are written to a file; None where there is none."""
        return None if self._output is None else size_of(self._output)

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
            self._output.write(json.dumps(line) + "\n")


class StrictRejects(Rejects):
    """Stops at the first record that is not valid."""

    def __call__(self, rejected: Rejected) -> None:
        """Raises InputError."""
        refuse(rejected)


@contextmanager
def open_rejects(
    path: str | None, is_strict: bool, size: int | None = None, count: int = 0
) -> Iterator[Rejects]:
    """The place for rejected records: a file, by default standard error.

    Args:
        path: the file.
        is_strict: whether the first rejected record stops the run.
        size: so many bytes of the file are kept.
        count: so many records were rejected before.

    Raises InputError.
    """
    if is_strict or path is None:
        yield (StrictRejects if is_strict else Rejects)(None, count)
        return
    with open_output(path, size) as output:
        yield Rejects(output, count)
