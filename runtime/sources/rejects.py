"""Where records go that are not valid."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from lars2asp.runtime.sources.records import Rejected, refuse
from lars2asp.runtime.sources.text_files import CheckpointedSize, OutputFile, blaming, open_output, size_of
from lars2asp.syntax.source import shown

MOST_SHOWN = 200
"""The number of characters of a record in a message; a file of rejects has it whole."""


class Rejects:
    """Writes rejected records; an OnReject.

    Args:
        output: the file, or none for standard error.
        kept: the number of bytes that stay in a file which is not written to.
        is_strict: whether the first rejected record stops the run.

    Attributes:
        count: the number of rejected records.
    """

    def __init__(
        self, output: OutputFile | None = None, *, kept: int | None = None, is_strict: bool = False
    ) -> None:
        self._file = output
        self._output: TextIO | None = None if output is None else output.stream
        self._kept = kept
        self._is_strict = is_strict
        self.count = 0

    @property
    def size(self) -> int | None:
        """The number of bytes in the file; None where there is none."""
        return self._kept if self._output is None else size_of(self._output)

    def begin(self) -> None:
        """Drops what is in the file, but for what is kept of it. Raises InputError."""
        if self._file is not None:
            self._file.begin()

    def flush(self) -> None:
        """Writes what is still in the buffer."""
        if self._output is not None:
            with blaming(self._output):
                self._output.flush()

    def __call__(self, rejected: Rejected) -> None:
        """Writes a JSON object to the file, or a message with the record below it to standard error.

        Raises InputError where the run is strict.
        """
        if self._is_strict:
            refuse(rejected)
        self.count += 1
        origin = rejected.origin
        if self._output is None:
            output, text = sys.stderr, f"{rejected}\n  | {shown(origin.text, MOST_SHOWN)}\n"
        else:
            line = {
                "source": origin.source,
                "line": origin.line,
                "reason": rejected.reason,
                "record": origin.text,
            }
            output, text = self._output, json.dumps(line).replace("\x7f", "\\u007f") + "\n"
        with blaming(output):
            output.write(text)


@contextmanager
def open_rejects(
    path: str | None, is_strict: bool, checkpointed: CheckpointedSize | None = None
) -> Iterator[Rejects]:
    """The place for rejected records: a file, by default standard error.

    Args:
        path: the file.
        is_strict: whether the first rejected record stops the run; then nothing is written to the file.
        checkpointed: the part of the file to keep.

    Raises InputError.
    """
    if is_strict or path is None:
        kept = None if checkpointed is None else checkpointed.size
        yield Rejects(kept=kept, is_strict=is_strict)
        return
    with open_output(path, checkpointed) as output:
        yield Rejects(output)
