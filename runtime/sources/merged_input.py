"""Several inputs at once, merged by time."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from heapq import heapify, heappop, heapreplace
from itertools import chain
from typing import Any

from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.files import input_at
from lars2asp.runtime.sources.fine_ticks import moment_of
from lars2asp.runtime.sources.input_settings import reading_of_input
from lars2asp.runtime.sources.input_watermarks import InputWatermarks
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.record_numbers import NumberedInput, RecordCount
from lars2asp.runtime.sources.recorded_input import RecordedInput
from lars2asp.runtime.sources.records import OnReject, Record


class MergedInput(RecordedInput):
    """The records of several inputs, in the order of their times; at equal times in that of the inputs.

    Each input is in time order, or as far from it as records may come late: merged they are no further.

    Args:
        inputs: the inputs.
        latenesses: in ticks, by how much records of each may come late; empty where that does not matter.
    """

    def __init__(self, inputs: Sequence[RecordedInput], latenesses: Sequence[int] = ()) -> None:
        self.name = ", ".join(one.name for one in inputs)
        self._inputs = inputs
        most = max(latenesses, default=0)
        self._watermarks: InputWatermarks | None = None
        """How far each has come; None where all have the same lateness."""
        if any(one != most for one in latenesses):
            sooner = {number: most - one for number, one in enumerate(latenesses)}
            self._watermarks = InputWatermarks(range(len(inputs)), sooner)
        self._waiting: set[int] = set()
        """The inputs, by number, of which the last record was read and not given."""

    def __exit__(self, *_: object) -> None:
        with ExitStack() as stack:
            for one in self._inputs:
                stack.push(one)

    @property
    def size(self) -> int | None:
        """The bytes of all together; None where an input can be read only once."""
        sizes = [one.size for one in self._inputs]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def bytes_read(self) -> int:
        """The number of bytes that were read of all."""
        return sum(one.bytes_read for one in self._inputs)

    @property
    def accounts(self) -> Sequence[tuple[str, Account]]:
        """See RecordedInput."""
        return [named for one in self._inputs for named in one.accounts]

    def waiting(self) -> Iterable[Record]:
        """See RecordedInput."""
        return chain.from_iterable(one.waiting() for one in self._inputs)

    def count_given(self) -> None:
        """See RecordedInput."""
        for one in self._inputs:
            one.count_given()

    @property
    def is_at_record(self) -> bool:
        """Whether nothing was rejected, and no file begun, behind the last records."""
        return all(one.is_at_record for one in self._inputs)

    def open(self) -> None:
        """Opens the files that are read next. Raises what `FileInput.open` raises."""
        for one in self._inputs:
            one.open()

    def records(self) -> Iterator[Record]:
        """The records that were not read yet. Raises InputError."""
        readers = [one.records() for one in self._inputs]
        first: list[tuple[int, int, int, Record]] = []
        for number in range(len(readers)):
            record = self._next(readers, number)
            if record is not None:
                first.append((record.tick, moment_of(record.tick), number, record))
        self._waiting = {number for _, _, number, _ in first}
        heapify(first)
        while first:
            _, _, number, record = first[0]
            self._waiting.discard(number)
            yield record
            following = self._next(readers, number)
            if following is None:
                heappop(first)
            else:
                self._waiting.add(number)
                heapreplace(first, (following.tick, moment_of(following.tick), number, following))

    def _next(self, readers: Sequence[Iterator[Record]], number: int) -> Record | None:
        """The next record of an input."""
        record = next(readers[number], None)
        if self._watermarks is not None and record is None:
            self._watermarks.leave_out(number)
        elif self._watermarks is not None and record is not None:
            self._watermarks.reach(number, record.tick)
        return record

    @property
    def reached(self) -> Callable[[], int] | None:
        """See RecordedInput."""
        watermarks = self._watermarks
        return None if watermarks is None else lambda: watermarks.least or 0

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """How far they were read, as JSON has it, between two records; those that wait are read again."""
        assert not without_last
        states = [one.state(without_last=number in self._waiting) for number, one in enumerate(self._inputs)]
        reached = [] if self._watermarks is None else self._watermarks.state()
        return {"name": self.name, "inputs": states, "reached": reached}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state. Raises SnapshotError for one of other inputs."""
        if state["name"] != self.name:
            raise SnapshotError(
                f"the checkpoint is of the input {state['name']}, not of {self.name}: use the same "
                "--input, or another --checkpoint folder"
            )
        for one, own in zip(self._inputs, state["inputs"], strict=True):
            one.restore(own)
        if self._watermarks is not None:
            self._watermarks.restore(state.get("reached", ()))


def open_inputs(
    names: Sequence[str],
    reading: Reading,
    on_reject: OnReject,
    wait_for: Callable[[io.RawIOBase], None] = lambda _: None,
    counted: RecordCount | None = None,
    *,
    is_quiet: bool = False,
) -> RecordedInput:
    """One input, or several, merged by time.

    Args:
        names: of files, folders, or `-` for standard input.
        reading: how they are read, each by its own settings too.
        on_reject: takes records that are not valid.
        wait_for: see FileInput.
        counted: the numbers of `record()` so far; None: this is all that the run reads.
        is_quiet: whether nothing is said of how they are read.

    Raises:
        InputError: if one of them is not there.
    """
    readings = [reading_of_input(reading, name) for name in names]
    inputs = [
        input_at(name, own, on_reject, wait_for, is_quiet=is_quiet)
        for name, own in zip(names, readings, strict=True)
    ]
    found = merged(inputs, [own.lateness for own in readings])
    numbers = replace(reading, counted=counted or RecordCount()).record_numbers
    return NumberedInput(found, numbers) if numbers.are_asked else found


def merged(inputs: Sequence[RecordedInput], latenesses: Sequence[int] = ()) -> RecordedInput:
    """One input, or several, merged by time; see MergedInput."""
    return inputs[0] if len(inputs) == 1 else MergedInput(inputs, latenesses)
