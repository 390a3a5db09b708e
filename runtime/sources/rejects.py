"""Where records go that are not valid."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from lars2asp.runtime.sources.mistakes import Mistakes
from lars2asp.runtime.sources.records import Late, OnReject, PassedOver, Rejected, input_of, stop_at
from lars2asp.runtime.sources.text.text_files import (
    CheckpointedSize,
    OutputFile,
    blaming,
    open_output,
    size_of,
)
from lars2asp.syntax.source import shown

MOST_SHOWN = 200
"""The number of characters of a record in a message; a file of rejects has it whole."""


StopsAt = bool | Mapping[str, bool]
"""Whether the first bad record ends the run; by the names of inputs if they differ in that."""


class Rejects:
    """Writes rejected records; an OnReject.

    Args:
        output: the file, or none for standard error.
        kept: the number of bytes that stay in a file which is not written to.
        stops_at: whether the first rejected record stops the run.

    Attributes:
        count: the number of rejected records.
        late: how many of them only came too late.
        unfit: the number of records that no `#input` fits, as far as they are handed on.
        also: takes them as well.
        before: called before something is said on standard error.
    """

    def __init__(
        self, output: OutputFile | None = None, *, kept: int | None = None, stops_at: StopsAt = False
    ) -> None:
        self._file = output
        self._output: TextIO | None = None if output is None else output.stream
        self._kept = kept
        self._stops_at = stops_at
        self.count = self.late = self.unfit = 0
        self.also: OnReject | None = None
        self.before: Callable[[], None] = lambda: None
        self._mistakes = Mistakes()

    @property
    def size(self) -> int | None:
        """The number of bytes in the file; None where there is none."""
        return self._kept if self._output is None else size_of(self._output)

    @property
    def is_one_unfit_enough(self) -> bool:
        """Whether one record that no `#input` fits is enough: see `FirstUnfit`."""
        return not self._stops_at

    def begin(self) -> None:
        """Drops what is in the file, but for what is kept of it. Raises InputError."""
        if self._file is not None:
            self._file.begin()

    def sum_up(self) -> bool:
        """Says on standard error how many mistakes of each kind were not shown; whether there are some."""
        summary = "".join(f"{line}\n" for line in self._mistakes.summary())
        with blaming(sys.stderr):
            sys.stderr.write(summary)
        return bool(summary)

    def state(self) -> dict[str, Any]:
        """The number of rejected records, of those of each kind, and of unfit ones, as JSON has it."""
        return {
            "rejected": self.count,
            "late": self.late,
            "mistakes": self._mistakes.state(),
            "unfit": self.unfit,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        self.count, self.unfit = state["rejected"], state.get("unfit", 0)
        self.late = state.get("late", 0)
        self._mistakes.restore(state.get("mistakes", {}))

    def __call__(self, rejected: Rejected) -> None:
        """Writes a JSON object to the file, or a message with the record below it to standard error.

        Of equal mistakes standard error has the first ones, and then their number; of records that no
        `#input` fits the first one.

        Raises InputError if the record ends the run.
        """
        if self._stops_at and (self._stops_at is True or self._stops_at.get(input_of(rejected), False)):
            stop_at(rejected)
        if isinstance(rejected, PassedOver):
            self.unfit += 1
            if self.unfit == 1:
                self.before()
                with blaming(sys.stderr):
                    sys.stderr.write(f"{rejected.origin}: passed over: {rejected.reason}\n")
            return
        self.count += 1
        self.late += isinstance(rejected, Late)
        if self.also is not None:
            self.also(rejected)
        origin = rejected.origin
        if self._output is None:
            messages = self._mistakes.messages(rejected, shown(origin.text, MOST_SHOWN))
            output, text = sys.stderr, "".join(f"{message}\n" for message in messages)
            if text:
                self.before()
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
            if self._output is not None:
                output.flush()  # whoever reads along sees it at once


@contextmanager
def open_rejects(
    path: str | None,
    stops_at: StopsAt,
    checkpointed: CheckpointedSize | None = None,
    checkpoint: str | None = None,
) -> Iterator[Rejects]:
    """The place for rejected records: a file, by default standard error.

    Args:
        path: the file.
        stops_at: whether the first rejected record stops the run. If so for all inputs, lars2asp does not
            write the file.
        checkpointed: the part of the file to keep.
        checkpoint: the folder of checkpoints that count on the file from now on, if there are any.

    Raises InputError.
    """
    if stops_at is True or path is None:
        kept = None if checkpointed is None else checkpointed.size
        yield Rejects(kept=kept, stops_at=stops_at)
        return
    with open_output(path, checkpointed, checkpoint) as output:
        yield Rejects(output, stops_at=stops_at)
