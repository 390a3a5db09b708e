"""Where records go that are not valid."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from runtime.records import Rejected, refuse
from runtime.text_files import open_output

MOST_SHOWN = 200
"""So many characters of a record stand in a message; a file of rejects has it whole."""


class Rejects:
    """Writes rejected records and counts them; an OnReject."""

    def __init__(self, output: TextIO | None) -> None:
        self._output = output
        self.count = 0

    def __call__(self, rejected: Rejected) -> None:
        """Writes a JSON object to the file, or a message with the record below it to standard error."""
        self.count += 1
        origin = rejected.origin
        if self._output is None:
            sys.stderr.write(f"{rejected}\n  | {_printable(origin.text)}\n")
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
def open_rejects(path: str | None, is_strict: bool) -> Iterator[Rejects]:
    """The place for rejected records: a file, by default standard error. Raises InputError."""
    if is_strict or path is None:
        yield (StrictRejects if is_strict else Rejects)(None)
        return
    with open_output(path) as output:
        yield Rejects(output)


def _printable(text: str) -> str:
    """The text for a terminal: one line, cut off where it is long, nothing that would steer it."""
    shown = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} ..."
    escaped = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
    return "".join(escaped)
