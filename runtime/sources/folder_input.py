"""The files of a folder, merged by time."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from heapq import heapify, heappop, heappush, heapreplace
from io import RawIOBase
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any

from lars2asp.runtime.errors import InputError, SnapshotError
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.fine_ticks import moment_of
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.recorded_input import RecordedFile, RecordedInput
from lars2asp.runtime.sources.records import OnReject, Record, Rejected
from lars2asp.runtime.sources.tables.folder_columns import folder_columns
from lars2asp.runtime.sources.text.byte_streams import PACKED_ENDING
from lars2asp.runtime.sources.text.folder_files import files_at, is_pattern
from lars2asp.runtime.sources.text.zip_files import is_zip, member_at, members_of, size_of_member
from lars2asp.syntax.values import dataclass

MOST_OPEN = 64
"""In folders with more files each one is open only while a piece of it is read."""

_NUMBER = re.compile(r"([0-9]+)")
_ROTATED = re.compile(rf"(.+)\.([0-9]+){PACKED_ENDING}?", re.DOTALL)


@dataclass(eq=False)
class _Part:
    """A file of the folder that is open.

    Attributes:
        file: its name.
        rank: its place in the order of names.
        input: gives its records.
        blocks: these, some at a time.
        rest: those of the last block that were not taken yet.
        head: the record that was taken last and not given yet.
    """

    file: str
    rank: int
    input: RecordedFile
    blocks: Iterator[Iterable[Record]]
    rest: Iterator[Record] = iter(())
    head: Record | None = field(default=None)

    def take_head(self) -> bool:
        """Takes the next record; whether there is one."""
        while (head := next(self.rest, None)) is None:
            if next(self.blocks, None) is None:
                return False
            self.rest = self.input.rest
        self.head = head
        return True


class FolderInput(RecordedInput):
    """The records of the files of a folder, of a pattern or of a zip file, merged by time; see `files_at`.

    Each file is in time order, or as far from it as records may come late: merged they are no further. Years,
    local times that come twice, and wrong clocks, are found for each file by itself. A file is opened at the
    time of its first record, equal ones in natural order of names. So few are open at once if each has a day
    of its own.

    Args:
        path: that of the folder, or the pattern.
        reading: how files are read.
        on_reject: takes records that are not valid.
        file_at: makes the input of a file.
        wait_for: see FileInput.
        is_quiet: whether nothing is said of how files are read.
        account: counts the records; None: one of its own.

    Raises:
        InputError: if there is no file.
    """

    def __init__(
        self,
        path: str,
        reading: Reading,
        on_reject: OnReject,
        file_at: Callable[..., RecordedFile],
        wait_for: Callable[[RawIOBase], None] = lambda _: None,
        *,
        is_quiet: bool = False,
        account: Account | None = None,
    ) -> None:
        self.name = path
        self._account = Account() if account is None else account
        self._reading = replace(reading, is_of_several=True)
        self._on_reject = on_reject
        self._file_at = file_at
        self._is_quiet = is_quiet
        self._files = _files(path)
        self._are_kept_open = len(self._files) <= MOST_OPEN or is_zip(path)  # pieces of packed ones cost more
        self._wait_for = wait_for if self._are_kept_open else lambda _: None
        self._said: set[str] = set()
        self._over: dict[str, dict[str, Any]] = {}
        """The files that were read to their ends, with their states: they may grow until the run goes on."""
        self._parts: list[_Part] = []
        """Those that are open."""
        self._unopened: list[tuple[int, int]] | None = None
        """Of the others, as a heap, first tick and rank; None before they are looked at."""
        self._hows: dict[int, Any] = {}
        """How these are written, by rank."""
        self._sizes = {file: _size_of(file) for file in self._files}

    def __exit__(self, *_: object) -> None:
        with ExitStack() as stack:
            for one in self._parts:
                stack.push(one.input)

    @property
    def accounts(self) -> Sequence[tuple[str, Account]]:
        """See RecordedInput."""
        return ((self.name, self._account),)

    def waiting(self) -> Iterable[Record]:
        """See RecordedInput."""
        return chain.from_iterable(one.input.waiting() for one in self._parts)

    def count_given(self) -> None:
        """See RecordedInput."""
        for one in self._parts:
            one.input.count_given()

    @property
    def is_at_record(self) -> bool:
        """See RecordedInput."""
        return all(one.input.is_at_record for one in self._parts)

    @property
    def size(self) -> int:
        """The bytes of all files together."""
        return sum(self._sizes.values())

    @property
    def bytes_read(self) -> int:
        """The number of bytes that were read of all files."""
        over = sum(self._sizes.get(file, 0) for file in [*self._over])
        return over + sum(one.input.bytes_read for one in [*self._parts])

    def open(self) -> None:
        """Looks at all files, and opens the one that is read next. Raises InputError."""
        if self._unopened is None:
            begun = {*self._over, *(one.file for one in self._parts)}
            unopened = [
                (self._first_of(rank), rank) for rank, file in enumerate(self._files) if file not in begun
            ]
            heapify(unopened)
            self._unopened = unopened
        for one in self._parts:
            one.input.open()
        if not self._parts and self._unopened:
            self._open_next().input.open()

    def records(self) -> Iterator[Record]:
        """See RecordedInput."""
        return chain.from_iterable(self._merged(in_columns=False))

    def blocks(self) -> Iterator[Iterable[Record]]:
        """See RecordedInput. A block of the only file that is open stays whole up to the next file."""
        return self._merged(in_columns=True)

    def _merged(self, *, in_columns: bool) -> Iterator[Iterable[Record]]:
        self.open()
        while self._parts or self._unopened:
            if not self._parts:
                self._open_next()
            [one, *others] = self._parts
            if others or one.head is not None:
                yield self._rows()
                continue
            one.input.in_columns = in_columns
            block = next(one.blocks, None)
            if block is None:
                self._close(one)
            elif (ticks := _ticks(block)) and max(ticks) >= self._next_first:
                one.rest = one.input.rest
                one.take_head()
            elif isinstance(block, RecordColumns):
                one.input.take_whole()
                if block:
                    yield block
            else:
                yield one.input.rest

    @property
    def _next_first(self) -> float:
        """The tick at which the next file is opened."""
        return self._unopened[0][0] if self._unopened else inf

    def _rows(self) -> Iterator[Record]:
        """The next records, each by itself, until one file is open of which no record waits."""
        heads: list[tuple[int, int, int, _Part]] = []

        def push(one: _Part) -> None:
            one.input.in_columns = False
            if one.head is None and not one.take_head():
                self._close(one)
            elif one.head is not None:
                heappush(heads, _place(one))

        for one in [*self._parts]:
            push(one)
        while heads:
            while self._next_first <= heads[0][0]:
                push(self._open_next())
            one = heads[0][-1]
            record, one.head = one.head, None
            assert record is not None
            yield record
            one.head = next(one.rest, None)
            if one.head is None and len(heads) == 1:
                return
            if one.head is None and not one.take_head():
                self._close(one)
                heappop(heads)
                continue
            heapreplace(heads, _place(one))

    def _first_of(self, rank: int) -> int:
        """The tick of the first record of a file, -1 if it has none. Raises InputError."""
        with self._input(rank, _pass_by, Account(), is_quiet=True) as one:
            first = next(one.records(), None)
            self._hows[rank] = one.how
        return -1 if first is None else first.tick

    def _open_next(self) -> "_Part":
        """Opens the next file."""
        assert self._unopened
        _, rank = heappop(self._unopened)
        return self._begin(rank, self._input(rank, self._on_reject, self._account, is_quiet=self._is_quiet))

    def _begin(self, rank: int, source: RecordedFile) -> _Part:
        one = _Part(self._files[rank], rank, source, source.parts())
        self._parts.append(one)
        return one

    def _input(self, rank: int, on_reject: OnReject, account: Account, *, is_quiet: bool) -> RecordedFile:
        return self._file_at(
            self._files[rank],
            self._reading_of(self._files[rank]),
            on_reject,
            self._wait_for,
            is_quiet=is_quiet,
            is_kept_open=self._are_kept_open,
            how=self._hows.get(rank),
            said=self._said,
            account=account,
            part_of=self.name,
        )

    def _reading_of(self, file: str) -> Reading:
        """How a file is read, with the columns in the names of its folders. Raises InputError."""
        try:
            return self._reading.in_folder(folder_columns(file, self.name))
        except InputError as error:
            raise InputError.of(file, str(error)) from error

    def _close(self, one: _Part) -> None:
        self._parts.remove(one)
        with one.input:
            self._over[one.file] = {**one.input.state(), "size": self._sizes[one.file]}

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """See RecordedInput."""
        assert not without_last
        begun = [one.input.state(without_last=one.head is not None) for one in self._parts]
        account = self._account
        for one in self._parts:
            if one.head is not None and not one.input.keeps_last:
                account = account.without(one.head)
        read = {"name": self.name, "begun": begun, "over": [*self._over.values()]}
        return read | {"account": account.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """See RecordedInput. A file that was read to its end is read on if it has another size now.

        Earlier versions read one file after the other, in the order of their names.
        """
        if state["name"] != self.name:
            raise SnapshotError(
                f"the checkpoint is of the input {state['name']}, not of {self.name}: use the same "
                "--input, or another --checkpoint folder"
            )
        begun, over = state.get("begun"), state.get("over", ())
        if begun is None:
            begun = [{**state, "name": state["file"]}] if state["file"] else []
            before = [file for file in self._files if file < state["file"]]
            over = [{"name": file, "size": self._sizes[file]} for file in before]
        self._account.restore(state.get("account", ()))
        sizes = self._sizes
        self._over = {one["name"]: one for one in over if sizes.get(one["name"]) in (None, one["size"])}
        self._parts, self._unopened = [], None
        for own in (*begun, *(one for one in over if one["name"] not in self._over)):
            if own["name"] not in self._files:
                raise SnapshotError(
                    f"{own['name']}: the checkpoint is inside this file, which is gone: put it back"
                )
            rank = self._files.index(own["name"])
            source = self._input(rank, self._on_reject, self._account, is_quiet=self._is_quiet)
            source.restore(own)
            self._begin(rank, source)


def in_natural_order(files: Iterable[str]) -> list[str]:
    """Names of files as people order them: `day-2` before `day-10`, and `a.log.1` before `a.log`."""
    names = {*files}

    def key(name: str) -> tuple[list[str | int], int, str]:
        rotated = _ROTATED.fullmatch(name)
        is_rotated = rotated is not None and rotated[1] in names
        base, age = (rotated[1], int(rotated[2])) if rotated is not None and is_rotated else (name, 0)
        parts = [int(part) if part.isdecimal() else part for part in _NUMBER.split(base)]
        return parts, -age, name

    return sorted(names, key=key)


def _files(path: str) -> list[str]:
    """The files to read. Raises InputError if there are none."""
    if is_zip(path):
        files = [*members_of(path)]
        if not files:
            raise InputError.of(path, "this folder is empty: add files, or name another folder")
        return in_natural_order(files)
    try:
        files = [*map(str, files_at(path))]
    except OSError as error:
        raise InputError.of(path, f"cannot read this file: {error.strerror}") from error
    if not files:
        lacking = (
            "no file matches this pattern"
            if is_pattern(path)
            else "this folder is empty: add files, or name another folder"
        )
        raise InputError.of(path, lacking)
    return in_natural_order(files)


def _size_of(file: str) -> int:
    """In bytes."""
    member = member_at(file)
    return Path(file).stat().st_size if member is None else size_of_member(member)


def _place(one: _Part) -> tuple[int, int, int, _Part]:
    """Where its next record is in the order of all: by time, then by the names of files."""
    assert one.head is not None
    return one.head.tick, moment_of(one.head.tick), one.rank, one


def _ticks(block: Iterable[Record]) -> Iterable[int]:
    return block.ticks if isinstance(block, RecordColumns) else [record.tick for record in block]


def _pass_by(_: Rejected) -> None:
    """The record is rejected when the file is read."""
