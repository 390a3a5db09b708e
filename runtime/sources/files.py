"""Input from a file or from standard input, and how far it has been read."""

import io
import logging
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from operator import length_hint
from pathlib import Path
from typing import Any, TypeAlias

from lars2asp.runtime.errors import InputError, SnapshotError
from lars2asp.runtime.sources.account import Account, judging
from lars2asp.runtime.sources.arrow.arrow_file import ArrowFile, file_records
from lars2asp.runtime.sources.clocked_input import ClockedFile, clock_of, with_clock
from lars2asp.runtime.sources.folder_input import FolderInput
from lars2asp.runtime.sources.input_settings import choice_of_file, reading_of_input, with_settings
from lars2asp.runtime.sources.reading import PEEKED, Format, Reading, written_text
from lars2asp.runtime.sources.record_columns import LeftRecords, RecordColumns
from lars2asp.runtime.sources.record_numbers import NumberedInput
from lars2asp.runtime.sources.recorded_input import RecordedFile, RecordedInput
from lars2asp.runtime.sources.records import (
    OnReject,
    PassedOver,
    Record,
    Rejected,
    SharedOrigin,
    SourceName,
    as_needed_by,
    refuse,
)
from lars2asp.runtime.sources.reject_warnings import RejectChoice, rejecting, told
from lars2asp.runtime.sources.tables.table_form import SAMPLE, TableForm, with_last_names
from lars2asp.runtime.sources.text.byte_streams import BegunStream, beginning_of, lines_up_to
from lars2asp.runtime.sources.text.folder_files import is_folder
from lars2asp.runtime.sources.text.numbered_lines import FileLines, LinePosition
from lars2asp.runtime.sources.text.sheet_names import path_in
from lars2asp.runtime.sources.text.sheet_streams import SheetStream, content_of
from lars2asp.runtime.sources.text.text_files import STANDARD, ReopenedFile, open_bytes
from lars2asp.runtime.sources.text.zip_files import is_zip, member_at
from lars2asp.runtime.sources.times.repeated_hours import in_order
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")


@dataclass(frozen=True)
class _OpenedFile:
    """A file without a record that was read.

    Attributes:
        lines: Its lines.
        blocks: The records in them, some at a time.
        is_known: Whether the run has begun to read it.
    """

    lines: "FileLines | ArrowFile"
    blocks: Iterator[Sequence[Record]]
    is_known: bool


HowWritten: TypeAlias = tuple[Format, TableForm | None]
"""The format of a file, and how a table is written."""


class FileInput(RecordedFile):
    """The records of a file, or of standard input for `-`.

    Args:
        path: The path of the file.
        reading: How it is read.
        on_reject: Takes invalid records.
        wait_for: Waits until there is more to read of a file, if other things may happen meanwhile.
        is_quiet: Whether to print no message on how it is read.
        is_kept_open: Whether it stays open while its records are given.
        how: Its form, if known.
        said: The messages about other files, which are not repeated.
        account: Counts the records, and is kept by its owner; None: an account of its own.
        part_of: The input that contains it, if any.
    """

    def __init__(
        self,
        path: str,
        reading: Reading,
        on_reject: OnReject,
        wait_for: Callable[[io.RawIOBase], None] = lambda _: None,
        *,
        is_quiet: bool = False,
        is_kept_open: bool = True,
        how: HowWritten | None = None,
        said: set[str] | None = None,
        account: Account | None = None,
        part_of: str | None = None,
    ) -> None:
        self.name = path
        self._input = path if part_of is None else part_of
        self._is_own_account = account is None
        self._account = Account() if account is None else account
        self._is_quiet = is_quiet
        self._is_kept_open = is_kept_open
        self._wait_for = wait_for
        if path == STANDARD:
            reading.require_dates()
        self._reading = reading = reading.marked
        self._order = reading.order()
        if self._order is not None:
            self._order.partial.is_quiet = is_quiet
        self._on_reject = self._taking(on_reject)
        self._place = LinePosition()
        self._open: io.RawIOBase | None = None
        """The bytes of the file."""
        self._opened: _OpenedFile | None = None
        """The file, until its records are read."""
        self._lines: FileLines | ArrowFile | None = None
        self._has_begun = False
        self._line = 0
        """The line of the last record before the block, 0 before the first."""
        self._number = 0
        """The number of records of that line which were read before the block."""
        self._known_line = 0
        """The line of the last record that was given before the file was opened; 0 if there is none."""
        self._is_at_record = True
        """Whether nothing was rejected, and no file begun, between that record and the block."""
        self._block: Sequence[Record] = ()
        """The records that are given."""
        self.rest: Iterator[Record] = iter(())
        self._last: Record | None = None
        """The record that was given last."""
        self._size = _size(path)
        self._format: Format | None = None
        self._form: TableForm | None = None
        if how is not None:
            self._format, self._form = how
        self._in_columns = False
        """Whether records may be given in columns."""
        self._said = set() if said is None else said

    def __exit__(self, *_: object) -> None:
        self.count_given()
        self._close()

    @property
    def accounts(self) -> Sequence[tuple[str, Account]]:
        """See RecordedInput."""
        return ((self.name, self._account),)

    @property
    def is_at_record(self) -> bool:
        """Whether nothing was rejected, and no file begun, after the last record: no state includes that."""
        return self._is_at_record or length_hint(self.rest) < len(self._block)

    @property
    def how(self) -> HowWritten | None:
        """The format, and how a table is written, once the file was opened."""
        return None if self._format is None else (self._format, self._form)

    @property
    def size(self) -> int | None:
        """The bytes of the file; None if an input can be read only once."""
        return self._size

    @property
    def bytes_read(self) -> int:
        """The number of bytes that were read of the file."""
        here = self._place.offset if self._lines is None else self._lines.bytes_read
        return here or 0

    @property
    def in_columns(self) -> bool:
        """See RecordedFile."""
        return self._in_columns

    @in_columns.setter
    def in_columns(self, value: bool) -> None:
        self._in_columns = value
        lines = self._lines if self._opened is None else self._opened.lines
        if lines is not None:
            lines.in_columns = value

    def open(self) -> None:
        """Opens the file that is read next, and reads the header of a table; `records` does so as well.

        Raises:
            InputError: If that is not possible.
            SnapshotError: If the current file is gone or has become shorter.
        """
        if self._opened is None:
            self._opened = self._begun()

    def parts(self) -> Iterator[Sequence[Record]]:
        """See RecordedFile."""
        self.open()
        assert self._opened is not None
        begun, self._opened = self._opened, None
        try:
            yield from self._records_of(begun)
        except OSError as error:
            raise InputError.of(self.name, f"cannot read this file: {error.strerror}") from error

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """See RecordedInput."""
        self.count_given()
        place = self._lines.place(self._line) if self._lines is not None and self._line else self._place
        number = self._number - without_last
        file = self.name if self._has_begun else ""
        read = {"name": self.name, "file": file, "line": self._line, "number": number}
        read |= {"place": asdict(place)} | self._reading.units_state()
        if self._is_own_account:
            last = self._last if without_last else None
            account = self._account if last is None else self._account.without(last)
            read["account"] = account.state()
        if self._form not in (None, TableForm()):
            read["form"] = asdict(self._form)
        if self._format is not None and self._reading.said_format(self.name) is None:
            read["format"] = str(self._format)
        if self._order is None:
            return read
        return read | {"order": self._order.state(without_last=without_last)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state. Raises SnapshotError for the state of another input."""
        if state["name"] != self.name:
            raise SnapshotError(
                f"the checkpoint is of the input {state['name']}, not of {self.name}: use the same "
                "--input, or another --checkpoint folder"
            )
        self._has_begun, self._line, self._number = bool(state["file"]), state["line"], state["number"]
        self._block, self.rest = (), iter(())
        self._place, self._lines, self._opened = LinePosition(**state["place"]), None, None
        if self._is_own_account:
            self._account.restore(state.get("account", ()))
        self._reading.restore_units(state)
        self._form = TableForm.of_state(state["form"]) if "form" in state else None
        self._format = Format(state["format"]) if "format" in state else None
        if self._order is not None and "order" in state:
            self._order.restore(state["order"])

    def _taking(self, on_reject: OnReject) -> OnReject:
        """Notes that something was rejected."""

        def rejected(one: Rejected) -> None:
            if type(one) is PassedOver and one.origin.line == self._known_line:
                return  # it was counted and told before its record, which was given
            self.count_given()
            self._is_at_record = False
            if self._account.refuse(one):
                on_reject(one)

        return as_needed_by(on_reject, rejected)

    def _begun(self) -> "_OpenedFile":
        """The file, opened at the current place, or at its beginning. Raises InputError."""
        file = self.name
        name = SourceName.of("<stdin>" if file == STANDARD else file, self._input)
        self.count_given()
        self._is_at_record = False
        is_known, reading = self._has_begun and bool(self._line), self._reading
        try:
            lines: FileLines | ArrowFile
            if reading.has_types(name):
                lines = columns = ArrowFile(file)
                if is_known:
                    columns.begin(self._place)
                blocks = file_records(columns, name, reading, self._on_reject)
            else:
                lines = text = self._opened_lines(file, name, is_known=is_known)
                reading = replace(reading, format=self._format)
                if is_known:
                    text.begin(self._place)
                blocks = reading.blocks(text, name, self._on_reject, self._form)
            lines.end_head()
            lines.in_columns = self._in_columns
        except OSError as error:
            raise InputError.of(file, f"cannot read this file: {error.strerror}") from error
        if self._order is not None:
            self._order.partial.begin_file(name, _changed(file), is_known=is_known)
            known = (self._line, self._number) if is_known else (0, 0)
            blocks = in_order(blocks, self._order, self._on_reject, *known)
        return _OpenedFile(lines, blocks, is_known)

    def _opened_lines(self, file: str, name: str, *, is_known: bool) -> FileLines:
        """The lines of a file, in the format, the encoding and the form that were found out."""
        reading, raw = self._reading, self._stream()
        if raw.seekable():
            raw.seek(0)
        stream = content_of(raw, name)
        if not is_known:
            sheet = stream.said if isinstance(stream, SheetStream) else ""
            if self._form is None or self._format is None:
                stream, sample = self._sample(stream, name)
                self._format = reading.format_of(name, sample[:PEEKED])
                is_seen = stream.seekable() or self._format is Format.CSV
                self._form = replace(reading, format=self._format).form_of(sample if is_seen else b"", name)
            found = reading.said_of(self._format) if reading.said_format(name) is None else ""
            how = ", ".join(filter(None, (sheet, self._form.said(reading.dialect_of(name)))))
            self._say(name, ", ".join(filter(None, (found and f"as {found}", how and f"with {how}"))))
        elif self._format is None:  # it was read by an earlier version
            self._format = reading.format_of(name)
        form = self._form or TableForm(delimiter=reading.dialect_of(name).delimiter or ",")
        text = written_text(stream, form, name)
        if is_known and form.missing and text.seekable():  # a later line may have named the columns
            self._form = with_last_names(form, lines_up_to(text, self._place.offset or 0))
            text.seek(0)
        size = _size(file)
        if is_known and text is raw and size is not None and (self._place.offset or 0) > size:
            raise SnapshotError(
                f"{file}: the file is now shorter than the part that was already read: put the old file "
                "back, or remove the checkpoint folder to start over"
            )
        lines_of = replace(reading, format=self._format).lines_of(name)
        return lines_of(text, reading.largest_record, self._wait_for_more)

    def _sample(self, stream: io.RawIOBase, name: str) -> tuple[io.RawIOBase, bytes]:
        """The beginning of a stream, and the stream with it; without it if it cannot be read again."""
        if stream.seekable():
            sample = beginning_of(stream, SAMPLE)
            stream.seek(0)
            return stream, sample
        said = self._reading.said_format(name)
        is_plain = said is None and not self._reading.declarations
        if is_plain or said not in (None, Format.CSV):
            return stream, b""
        begun = BegunStream(stream, self._wait_for)
        return begun, begun.beginning

    def _wait_for_more(self, stream: io.RawIOBase) -> None:
        if not (isinstance(stream, BegunStream) and stream.beginning):
            self._wait_for(stream)

    def _say(self, name: str, said: str) -> None:
        """Prints once how a file is read, if not in the plain way."""
        if said and said not in self._said and not self._is_quiet:
            _log.warning("%s: read %s", visible(name), visible(said))
            self._said.add(said)

    def _records_of(self, begun: "_OpenedFile") -> Iterator[Sequence[Record]]:
        lines = self._lines = begun.lines
        if not begun.is_known:
            self._has_begun, self._line, self._number = True, 0, 0
        known_line, known = self._line, self._number
        self._known_line = known_line if known else 0
        for block in begun.blocks:
            passed = 0
            while passed < min(known, len(block)) and _line_of(block[passed]) == known_line:
                passed += 1
            known -= passed
            given = block[passed:] if passed else block
            if passed and given and isinstance(origin := block[passed - 1].origin, SharedOrigin):
                origin.given += passed  # it was counted
            self.count_given()
            self._block = given
            self.rest = LeftRecords(given) if isinstance(given, RecordColumns) else iter(given)
            yield given
        self.count_given()
        self._line, self._number = lines.number + 1, 0

    def count_given(self) -> None:
        """Counts the records of the block that were given as those before it."""
        given = len(self._block) - length_hint(self.rest)
        if not given:
            return
        block, line = self._block, _line_of(self._block[given - 1])
        self._account.take(block if given == len(block) else block[:given])
        self._last = block[given - 1]
        number = 1
        while number < given and _line_of(block[given - 1 - number]) == line:
            number += 1
        self._number = number + (self._number if number == given and line == self._line else 0)
        self._line, self._is_at_record = line, True
        if self._order is not None:
            self._order.given(self._block[given - 1])
        self._block = block[given:]

    def _stream(self) -> io.RawIOBase:
        """The bytes of the file; an open file stays open. Raises InputError."""
        if self._open is None:
            self._open = open_bytes(self.name) if self._is_kept_open else ReopenedFile(self.name)
        return self._open

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def read_file(
    path: str | Path,
    reading: Reading | None = None,
    on_reject: RejectChoice = "warn",
    account: Account | None = None,
) -> Iterator[Record]:
    """Yields the records of a file, of the files in a folder, or of standard input (`-`).

        for record in read_file("readings.csv", reasoner.reading):
            print(record.tick, record.events.facts)

    Args:
        path: The path of the file or the folder.
        reading: How to read it; `Reasoner.reading` reads as the program declares.
        on_reject: What to do with a bad record: "warn", "stop" or a function; see `Reasoner.run`.
        account: Counts the records.

    Raises:
        InputError: If lars2asp cannot read the file, and for bad records with `on_reject="stop"`.
        ValueError: For another text as `on_reject`.
    """
    take, tell = rejecting(choice_of_file(str(path), on_reject))
    return told(records_of_file(path, reading or Reading(), take, account), tell)


def records_of_file(
    path: str | Path, reading: Reading, on_reject: OnReject, account: Account | None
) -> Iterator[Record]:
    """The same with a function that takes bad records."""
    with _input_at(path, reading, on_reject, account) as source:
        yield from source.records()


def read_file_blocks(
    path: str | Path, reading: Reading, on_reject: OnReject = refuse, account: Account | None = None
) -> Iterator[Iterable[Record]]:
    """The same some at a time, plain ones in columns."""
    with _input_at(path, reading, on_reject, account) as source:
        yield from source.blocks()


def input_at(
    path: str,
    reading: Reading,
    on_reject: OnReject,
    wait_for: Callable[[io.RawIOBase], None] = lambda _: None,
    account: Account | None = None,
    *,
    is_quiet: bool = False,
) -> RecordedInput:
    """A file, the files of a folder or zip file, or standard input for `-`. Raises InputError for none."""
    if not path:
        raise InputError("the name of the input is empty: name a file, or - for standard input")
    reading = reading.of_input
    if path != STANDARD and (is_folder(path) or is_zip(path)):
        how = reading, on_reject, _clocked_file, wait_for
        return FolderInput(path, *how, is_quiet=is_quiet, account=account)
    return _clocked_file(path, reading, on_reject, wait_for, is_quiet=is_quiet, account=account)


def _clocked_file(
    path: str,
    reading: Reading,
    on_reject: OnReject,
    wait_for: Callable[[io.RawIOBase], None] = lambda _: None,
    *,
    account: Account | None = None,
    **options: Any,
) -> RecordedFile:
    """A file with a clock of its own; standard input is without a default largest gap."""
    reading = with_clock(reading)
    source = FileInput(path, reading, on_reject, wait_for, account=account, **options)
    [(_, counted)] = source.accounts
    clock = clock_of(reading, judging(lambda _: counted, on_reject), has_usual=path != STANDARD)
    return ClockedFile(source, clock)


def _input_at(
    path: str | Path, reading: Reading, on_reject: OnReject, account: Account | None
) -> RecordedInput:
    """The input at a path with its own settings. Raises InputError."""
    name, settings = with_settings(str(path))
    own = reading_of_input(replace(reading, own={name: settings}), name)
    found = input_at(name, own, on_reject, account=account)
    numbers = reading.record_numbers
    return NumberedInput(found, numbers) if numbers.are_asked else found


def size_of(path: str | Path) -> int | None:
    """The bytes of a file; None for other inputs, and for standard input."""
    return None if str(path) == STANDARD else _size(str(path))


def _line_of(record: Record) -> int:
    return record.origin.line if record.origin is not None else 0


def _size(file: str) -> int | None:
    """In bytes; None for other inputs."""
    try:
        found = os.fstat(0) if file == STANDARD else Path(path_in(file)).stat()
        return found.st_size if stat.S_ISREG(found.st_mode) else None
    except OSError:
        return None


def _changed(file: str) -> float | None:
    """When it was changed, in seconds since 1970; None for other inputs."""
    try:
        member = member_at(file)
        path = Path(path_in(file) if member is None else member.path)
        return path.stat().st_mtime if file != STANDARD and path.is_file() else None
    except OSError:
        return None
