"""Input from files, the files of folders and standard input, and how far it has been read."""

import io
import logging
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from operator import length_hint
from pathlib import Path
from typing import Any

from lars2asp.runtime.errors import InputError, SnapshotError
from lars2asp.runtime.sources.arrow.arrow_file import ArrowFile, file_records
from lars2asp.runtime.sources.input_settings import reading_of_input, with_settings
from lars2asp.runtime.sources.reading import PEEKED, Format, Reading, written_text
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.recorded_input import RecordedInput
from lars2asp.runtime.sources.records import OnReject, Record, Rejected, refuse
from lars2asp.runtime.sources.tables.table_form import SAMPLE, TableForm
from lars2asp.runtime.sources.text.byte_streams import BegunStream, beginning_of
from lars2asp.runtime.sources.text.numbered_lines import FileLines, LinePosition
from lars2asp.runtime.sources.text.sheet_streams import SheetStream, content_of
from lars2asp.runtime.sources.text.text_files import STANDARD, open_bytes
from lars2asp.runtime.sources.times.repeated_hours import in_order
from lars2asp.syntax.sheet_addresses import path_in
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")


@dataclass(frozen=True)
class _OpenedFile:
    """A file of which no record was read yet.

    Attributes:
        file: its name.
        lines: its lines.
        blocks: the records in them, some at a time.
        is_known: whether the run stands in it already.
    """

    file: str
    lines: "FileLines | ArrowFile"
    blocks: Iterator[Sequence[Record]]
    is_known: bool


class FileInput(RecordedInput):
    """The records of a file, of the files in a folder, or of standard input for `-`.

    The files of a folder are read one after the other, in the order of their names; hidden ones are left out,
    and so are folders in it.

    Args:
        path: where the file or the folder is.
        reading: how files are read.
        on_reject: takes records that are not valid.
        wait_for: waits until there is more to read of a file, if something else may happen meanwhile.
        is_quiet: whether nothing is said of how tables are written.

    Raises:
        InputError: if nothing is there.
    """

    def __init__(
        self,
        path: str,
        reading: Reading,
        on_reject: OnReject,
        wait_for: Callable[[io.RawIOBase], None] = lambda _: None,
        *,
        is_quiet: bool = False,
    ) -> None:
        self.name = path
        self._is_quiet = is_quiet
        self._wait_for = wait_for
        if path == STANDARD:
            reading.require_dates()
        self._reading = reading = reading.marked
        self._order = reading.order()
        self._on_reject = self._taking(on_reject)
        self._files = _files(path)
        self._place = LinePosition()
        self._open: tuple[str, io.RawIOBase] | None = None
        """The file that is read, and its bytes."""
        self._opened: _OpenedFile | None = None
        """The file that is read next, if that is known already."""
        self._lines: FileLines | ArrowFile | None = None
        self._file = ""
        self._line = 0
        """The line of the last record before the block, 0 before the first."""
        self._number = 0
        """The number of records of that line which were read before the block."""
        self._is_at_record = True
        """Whether nothing was rejected, and no file begun, between that record and the block."""
        self._block: Sequence[Record] = ()
        """The records that are given."""
        self._rest: Iterator[Record] = iter(())
        """Those of them that were not given yet."""
        self._before = 0
        """The number of files before that one when it was read."""
        self._sizes = {file: _size(file) for file in self._files}
        self._form: TableForm | None = None
        """How the table is written that is read."""
        self._format: Format | None = None
        """The format of the file that is read."""
        self._in_columns = False
        """Whether records may be given in columns."""
        self._said = ""
        """What was said of how tables are written."""

    def __exit__(self, *_: object) -> None:
        self._close()

    @property
    def is_at_record(self) -> bool:
        """Whether nothing was rejected, and no file begun, behind the last record: no state has that."""
        return self._is_at_record or length_hint(self._rest) < len(self._block)

    @property
    def size(self) -> int | None:
        """The bytes of all files together; None where an input can be read only once."""
        sizes = self._sizes.values()
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def bytes_read(self) -> int:
        """The number of bytes that were read of all files."""
        before = self._files[: self._files.index(self._file)] if self._file in self._files else []
        here = self._place.offset if self._lines is None else self._lines.bytes_read
        return sum(self._sizes[file] or 0 for file in before) + (here or 0)

    def open(self) -> None:
        """Opens the file that is read next, and reads the header of a table; `records` does so as well.

        Raises:
            InputError: if that is not possible.
            SnapshotError: if the file is gone that the run stands in, or has become shorter.
        """
        if self._opened is None:
            files = self._left()
            if files:
                self._opened = self._begun(files[0])

    def records(self) -> Iterator[Record]:
        """The records that were not read yet. Raises InputError."""
        return chain.from_iterable(self._rest for _ in self._blocks())

    def blocks(self) -> Iterator[Iterable[Record]]:
        """The same, some at a time; those of columns count as read at once. Raises InputError."""
        self._in_columns = True
        if self._opened is not None:
            self._opened.lines.in_columns = True
        for block in self._blocks():
            if isinstance(block, RecordColumns):
                self._rest = iter(())
                if block:  # else a run goes on behind all of it
                    yield block
            else:
                yield self._rest

    def _blocks(self) -> Iterator[Sequence[Record]]:
        """These records, some at a time, which are `_rest` as well."""
        files = self._left()
        if len(self._files) - len(files) > self._before:
            late = visible(self._file)
            _log.warning("%s: files with names before %s came too late: not read", self.name, late)
        for file in files:
            begun, self._opened = self._opened or self._begun(file), None
            try:
                yield from self._records_of(begun)
            except OSError as error:
                raise InputError.of(file, f"cannot be read: {error.strerror}") from error

    def _left(self) -> list[str]:
        """The files to read from where the run stands. Raises SnapshotError."""
        files = [file for file in self._files if file >= self._file]
        if self._file and self._file not in files:
            raise SnapshotError(f"{self._file}: the run stands in this file, which is gone; put it back")
        return files

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """See RecordedInput."""
        self._count()
        place = self._lines.place(self._line) if self._lines is not None and self._line else self._place
        number = self._number - without_last
        read = {"name": self.name, "file": self._file, "line": self._line, "number": number}
        read |= {"place": asdict(place), "before": sum(file < self._file for file in self._files)}
        if self._form not in (None, TableForm()):
            read["form"] = asdict(self._form)
        if self._format is not None and self._reading.said_format(self._file) is None:
            read["format"] = str(self._format)
        if self._order is None:
            return read
        return read | {"order": self._order.state(without_last=without_last)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state. Raises SnapshotError for one of another input."""
        if state["name"] != self.name:
            raise SnapshotError(f"the checkpoints are of the input {state['name']}, not of {self.name}")
        self._file, self._line, self._number = state["file"], state["line"], state["number"]
        self._block, self._rest = (), iter(())
        self._place, self._lines, self._opened = LinePosition(**state["place"]), None, None
        self._before = state["before"]
        self._form = TableForm.of_state(state["form"]) if "form" in state else None
        self._format = Format(state["format"]) if "format" in state else None
        if self._order is not None and "order" in state:
            self._order.restore(state["order"])

    def _taking(self, on_reject: OnReject) -> OnReject:
        """Notes that something was rejected."""

        def rejected(one: Rejected) -> None:
            self._count()
            self._is_at_record = False
            on_reject(one)

        return rejected

    def _begun(self, file: str) -> "_OpenedFile":
        """A file, opened at the place where the run stands, or at its beginning. Raises InputError."""
        name = "<stdin>" if file == STANDARD else file
        self._count()
        self._is_at_record = False
        is_known, reading = file == self._file and bool(self._line), self._reading
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
            raise InputError.of(file, f"cannot be read: {error.strerror}") from error
        if self._order is not None:
            self._order.partial.begin_file(name, _changed(file), is_known=is_known)
            known = (self._line, self._number) if is_known else (0, 0)
            blocks = in_order(blocks, self._order, self._on_reject, *known)
        return _OpenedFile(file, lines, blocks, is_known)

    def _opened_lines(self, file: str, name: str, *, is_known: bool) -> FileLines:
        """The lines of a file, in the format, the encoding and the form that were found out."""
        reading, raw = self._reading, self._stream(file)
        if raw.seekable():
            raw.seek(0)
        stream = content_of(raw, name)
        if not is_known:
            sheet = stream.said if isinstance(stream, SheetStream) else ""
            stream, sample = self._sample(stream, name)
            self._format = reading.format_of(name, sample[:PEEKED])
            is_table = self._format is Format.CSV
            reading = replace(reading, format=self._format)
            self._form = reading.form_of(sample if stream.seekable() or is_table else b"", name)
            found = reading.said_of(self._format) if self._reading.said_format(name) is None else ""
            how = ", ".join(filter(None, (sheet, self._form.said(reading.dialect_of(name)))))
            self._say(name, ", ".join(filter(None, (found and f"as {found}", how and f"with {how}"))))
        elif self._format is None:  # it was read by an earlier version
            self._format = reading.format_of(name)
        form = self._form or TableForm(delimiter=reading.dialect_of(name).delimiter or ",")
        text = written_text(stream, form, name)
        size = _size(file)
        if is_known and text is raw and size is not None and (self._place.offset or 0) > size:
            raise SnapshotError(f"{file}: it is shorter than what was read of it before")
        lines_of = replace(reading, format=self._format).lines_of(name)
        return lines_of(text, reading.largest_record, self._wait_for_more)

    def _sample(self, stream: io.RawIOBase, name: str) -> tuple[io.RawIOBase, bytes]:
        """The beginning of a stream, and the stream with it; without it where it cannot be read again."""
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
        """Says once how a file is read, where it is not the plain way."""
        if said and said != self._said and not self._is_quiet:
            _log.warning("%s: read %s", visible(name), visible(said))
        self._said = said

    def _records_of(self, begun: "_OpenedFile") -> Iterator[Sequence[Record]]:
        lines = self._lines = begun.lines
        if not begun.is_known:
            self._file, self._line, self._number = begun.file, 0, 0
        known_line, known = self._line, self._number
        for block in begun.blocks:
            passed = 0
            while passed < min(known, len(block)) and _line_of(block[passed]) == known_line:
                passed += 1
            known -= passed
            given = block[passed:] if passed else block
            self._count()
            self._block, self._rest = given, iter(given)
            yield given
        self._count()
        self._line, self._number = lines.number + 1, 0

    def _count(self) -> None:
        """Counts the records of the block that were given as those before it."""
        given = len(self._block) - length_hint(self._rest)
        if not given:
            return
        block, line = self._block, _line_of(self._block[given - 1])
        number = 1
        while number < given and _line_of(block[given - 1 - number]) == line:
            number += 1
        self._number = number + (self._number if number == given and line == self._line else 0)
        self._line, self._is_at_record = line, True
        if self._order is not None:
            self._order.given(self._block[given - 1])
        self._block = block[given:]

    def _stream(self, file: str) -> io.RawIOBase:
        """The bytes of a file; what is open already stays so. Raises InputError."""
        if self._open is None or self._open[0] != file:
            self._close()
            self._open = file, open_bytes(file)
        return self._open[1]

    def _close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None


def read_file(
    path: str | Path, reading: Reading | None = None, on_reject: OnReject = refuse
) -> Iterator[Record]:
    """The records of a file, of the files in a folder, or of standard input for `-`; see FileInput.

    Raises:
        InputError: if the file cannot be read, or a record is not valid and `on_reject` does not take it.
    """
    with _input_at(path, reading or Reading(), on_reject) as source:
        yield from source.records()


def read_file_blocks(
    path: str | Path, reading: Reading, on_reject: OnReject = refuse
) -> Iterator[Iterable[Record]]:
    """The same some at a time, plain ones in columns."""
    with _input_at(path, reading, on_reject) as source:
        yield from source.blocks()


def _input_at(path: str | Path, reading: Reading, on_reject: OnReject) -> FileInput:
    """The input at a path with its own settings. Raises InputError."""
    name, settings = with_settings(str(path))
    return FileInput(name, reading_of_input(replace(reading, own={name: settings}), name), on_reject)


def size_of(path: str | Path) -> int | None:
    """The bytes of a file; None for what is not a file, and for standard input."""
    return None if str(path) == STANDARD else _size(str(path))


def _line_of(record: Record) -> int:
    return record.origin.line if record.origin is not None else 0


def _size(file: str) -> int | None:
    """In bytes; None for what is not a file."""
    try:
        found = os.fstat(0) if file == STANDARD else Path(path_in(file)).stat()
        return found.st_size if stat.S_ISREG(found.st_mode) else None
    except OSError:
        return None


def _changed(file: str) -> float | None:
    """When it was changed, in seconds since 1970; None for what is not a file."""
    try:
        path = Path(path_in(file))
        return path.stat().st_mtime if file != STANDARD and path.is_file() else None
    except OSError:
        return None


def _files(path: str) -> list[str]:
    """The files to read."""
    if not path:
        raise InputError("the name of the input is empty")
    folder = Path(path)
    if path == STANDARD or not folder.is_dir():
        return [path]
    files = [str(file) for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")]
    if not files:
        raise InputError.of(path, "there is no file in this folder")
    return sorted(files)
