"""What a run over recorded data reads: a file, a folder, standard input, or several of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import TracebackType
from typing import Any, Self

from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Record


class RecordedInput(ABC):
    """Records that are there to be read, and how far they have been read.

    Attributes:
        name: what messages call it.
    """

    name: str

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes what is open."""

    @property
    @abstractmethod
    def is_at_record(self) -> bool:
        """Whether nothing was rejected, and no file begun, behind the last record: no state has that."""

    @property
    @abstractmethod
    def size(self) -> int | None:
        """Its bytes; None where it can be read only once."""

    @property
    @abstractmethod
    def bytes_read(self) -> int:
        """The number of bytes that were read."""

    @property
    def share(self) -> float | None:
        """The part that was read, from 0 to 1; None where it is not known. Another thread may ask."""
        try:
            size, read = self.size, self.bytes_read
        except (ValueError, OSError):  # a file is closed, and the next one is not open
            return None
        return min(read / size, 1.0) if size else None

    @abstractmethod
    def open(self) -> None:
        """Opens what is read next, and reads the header of a table; `records` does so as well.

        Raises:
            InputError: if that is not possible.
            SnapshotError: if the file is gone that the run stands in, or has become shorter.
        """

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """The records that were not read yet. Raises InputError."""

    def blocks(self) -> Iterator[Iterable[Record]]:
        """The same, some at a time, plain ones in columns (`RecordColumns`), which count as read at once."""
        return ([record] for record in self.records())

    def waiting(self) -> Iterable[Record]:
        """The records that were read, wait, and are accepted if no more come."""
        return ()

    @property
    def reached(self) -> Callable[[], int] | None:
        """See Reordering; None if all inputs have the same lateness."""
        return None

    @property
    @abstractmethod
    def accounts(self) -> Sequence[tuple[str, Account]]:
        """For each input its name, and how many records were given; another thread may ask."""

    @abstractmethod
    def count_given(self) -> None:
        """The accounts have all records that were given, of which they may lack the last ones else."""

    @abstractmethod
    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """How far it was read, as JSON has it, between two records; or how far before the last one was."""

    @abstractmethod
    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state. Raises SnapshotError for one of another input."""


class RecordedFile(RecordedInput):
    """A file, or standard input.

    Attributes:
        rest: the records of the block that was given last, without those that were taken.
        in_columns: whether records may be given in columns: more of them are then read at once.
    """

    rest: Iterator[Record]
    in_columns: bool

    def records(self) -> Iterator[Record]:
        """The records that were not read yet. Raises InputError."""
        return chain.from_iterable(self.rest for _ in self.parts())

    def blocks(self) -> Iterator[Iterable[Record]]:
        """The same, some at a time; those of columns count as read at once. Raises InputError."""
        self.in_columns = True
        for block in self.parts():
            if isinstance(block, RecordColumns):
                self.take_whole()
                if block:  # else a run goes on behind all of it
                    yield block
            else:
                yield self.rest

    @property
    def keeps_last(self) -> bool:
        """Whether a state without the last record has it all the same: it is not read again."""
        return False

    @property
    @abstractmethod
    def how(self) -> Any:
        """How it is written, once it was opened; another one of it need not find that out again."""

    @abstractmethod
    def parts(self) -> Iterator[Sequence[Record]]:
        """Its records, some at a time, which are `rest` as well. Raises InputError."""

    def take_whole(self) -> None:
        """The block that was given last counts as read."""
        self.rest = iter(())


class PassedInput(RecordedInput):
    """An input whose records pass through something, one by one.

    Args:
        source: the input.
        through: gives the records that pass, of those that come.
    """

    def __init__(
        self, source: RecordedInput, through: Callable[[Iterator[Record]], Iterator[Record]]
    ) -> None:
        self.name = source.name
        self._source = source
        self._through = through

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._source.__exit__(kind, error, trace)

    @property
    def accounts(self) -> Sequence[tuple[str, Account]]:
        """See RecordedInput."""
        return self._source.accounts

    def count_given(self) -> None:
        """See RecordedInput."""
        self._source.count_given()

    def waiting(self) -> Iterable[Record]:
        """See RecordedInput."""
        return self._source.waiting()

    @property
    def reached(self) -> Callable[[], int] | None:
        """See RecordedInput."""
        return self._source.reached

    @property
    def is_at_record(self) -> bool:
        """See RecordedInput."""
        return self._source.is_at_record

    @property
    def size(self) -> int | None:
        """See RecordedInput."""
        return self._source.size

    @property
    def bytes_read(self) -> int:
        """See RecordedInput."""
        return self._source.bytes_read

    def open(self) -> None:
        """See RecordedInput."""
        self._source.open()

    def records(self) -> Iterator[Record]:
        """See RecordedInput."""
        return self._through(self._source.records())

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """See RecordedInput."""
        return self._source.state(without_last=without_last)

    def restore(self, state: Mapping[str, Any]) -> None:
        """See RecordedInput."""
        self._source.restore(state)
