"""The format `csv`: rows of a table become atoms as `#input` declares."""

import csv
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import compress, islice, takewhile
from typing import Any

from lars2asp.analysis.number_forms import NumberForms
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import (
    LARGEST_RECORD,
    OnReject,
    Origin,
    Origins,
    PassedOver,
    Record,
    Rejected,
    TruncatedRecord,
    records_at,
    refuse,
)
from lars2asp.runtime.sources.tables.row_blocks import ReadBlock, RowBlocks
from lars2asp.runtime.sources.tables.row_reader import RowReader, numbered_row, row_readers, without_fact
from lars2asp.runtime.sources.tables.table_form import BLANKS, Dialect, TableForm, named_form
from lars2asp.runtime.sources.tables.wanted_columns import chosen_columns, columns_read, fitting
from lars2asp.runtime.sources.text.numbered_lines import FileLines, numbered, text_of, text_of_lines
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.column_places import has_column
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

_COMMENT = re.compile(r"\s*#+(?:\s|$)")
_INNER_BLANKS = re.compile("[ \t]+")
_OUTER_BLANKS = re.compile("^ | (?=\r?$)", re.MULTILINE)

MOST_LINES = 1000
"""A row of more lines is broken: a quote in it is not closed."""


MOST_ROWS = 1000
"""The number of rows that a proposal looks at."""


def read_csv(
    lines: Iterable[str],
    name: str,
    declarations: Sequence[Input],
    timeline: Timeline,
    on_reject: OnReject,
    dialect: Dialect | None = None,
    largest_record: int = LARGEST_RECORD,
    decimals: NumberForms | None = None,
    form: TableForm | None = None,
    *,
    is_of_several: bool = False,
) -> Iterator[Sequence[Record]]:
    """The records of a table with a header row, some at a time: each row gives one fact for each declaration.

    Of several tables each is read by those declarations of which it has all columns.
    A declaration with a missing cell in one of its columns gives only the time of that row. A row of
    which a cell cannot be converted is rejected whole, and so is one of more than `largest_record` bytes. The
    header is read at once.

    Raises:
        InputError: if there is no header that can be read, a declared column is not in it, or there is no
            declaration (the message proposes one).
    """
    dialect = dialect or Dialect()
    form = form or TableForm(delimiter=dialect.delimiter or ",")
    allow_cells(largest_record)
    rows = TableRows(lines, name, form, largest_record)
    rows.pass_over(form.before)
    header = form.names or [cell.strip() for cell in rows.first()]
    if not header:
        raise InputError.of(name, "the table is empty: its first line must contain the names of the columns")
    if not declarations:
        raise InputError(missing_declaration(name, header, rows.beginning(), timeline))

    def readers(header: Sequence[str]) -> list[RowReader]:
        asked = declarations
        if is_of_several:
            asked = fitting(declarations, lambda one: has_columns(one, header))
        how = header, name, timeline, form.with_missing(dialect), decimals
        return row_readers(asked, *how)

    return _all_records(rows, readers(header), len(header), on_reject, readers)


def _all_records(
    rows: "TableRows",
    readers: Sequence[RowReader],
    width: int,
    on_reject: OnReject,
    again: Callable[[Sequence[str]], Sequence[RowReader]],
) -> Iterator[Sequence[Record]]:
    """The records of rows, also behind lines that name the columns anew."""
    while True:
        yield from row_records(rows, readers, width, on_reject)
        if not rows.names:
            return
        readers, width, rows.names = again(rows.names), len(rows.names), ()


def has_columns(declaration: Input, header: Sequence[str]) -> bool:
    """Whether a header has all columns that a declaration names."""
    are_there = all(has_column(name, header) for name in columns_read([declaration]))
    return are_there and (declaration.spread is None or bool(chosen_columns(declaration, header)))


def allow_cells(largest_record: int) -> None:
    """Allows for cells of so many bytes: the limit is one for the whole process, and only goes up."""
    if csv.field_size_limit() < largest_record:
        csv.field_size_limit(largest_record)


def table_rows(
    lines: Iterable[str], name: str, form: TableForm
) -> tuple[Sequence[str], Iterator[Sequence[str]]]:
    """The names of the columns, and the rows that are no comments and not broken.

    Raises InputError without a header.
    """
    rows = TableRows(lines, name, form, LARGEST_RECORD)
    rows.pass_over(form.before)
    header = form.names or [cell.strip() for cell in rows.first()]
    if not header:
        raise InputError.of(name, "the table is empty: its first line must contain the names of the columns")
    return header, (row for row, _ in rows.read(lambda _: None) if not is_comment(row, len(header)))


def row_records(
    rows: "TableRows", readers: Sequence[RowReader], width: int, on_reject: OnReject
) -> Iterator[Sequence[Record]]:
    """The records of rows, which have so many cells, some at a time: those that are there without waiting."""
    reader = RowBlocks(readers, are_cells=True)
    for block in rows.blocks(width, on_reject):
        if rows.in_columns and reader.reads_times and (columns := block.in_columns(reader)) is not None:
            yield columns
            continue
        found = block.read(reader) if reader.reads_times else None
        if found is None or found.has_rejected:  # as blank rows are
            filled = block.without_blank()
            if not filled.numbers:
                continue
            if found is None or filled is not block:
                found = filled.read(reader)
        yield from found.in_turn(on_reject)


@dataclass(frozen=True)
class _Rows:
    """Some rows of a table, one after the other.

    Attributes:
        name: that of the table.
        columns: their cells.
        numbers: for each row the number of its first line.
        written: for each row its text, or the bytes of its line.
    """

    name: str
    columns: Sequence[Sequence[str]]
    numbers: Sequence[int]
    written: Sequence[object]

    def read(self, reader: RowBlocks) -> ReadBlock:
        """What they tell."""
        return reader.read(self.columns, len(self.numbers), self._origins)

    def in_columns(self, reader: RowBlocks) -> RecordColumns | None:
        """The same in columns; None where one of them is not plain."""
        return reader.columns(self.columns, len(self.numbers), self._origins)

    @property
    def _origins(self) -> Origins:
        return Origins(self.name, self.numbers, self.written)

    def without_blank(self) -> "_Rows":
        """Those that are not blank."""
        is_filled = [any(map(str.strip, row)) for row in zip(*self.columns, strict=True)]
        if all(is_filled):
            return self
        columns = [[*compress(column, is_filled)] for column in self.columns]
        numbers, written = compress(self.numbers, is_filled), compress(self.written, is_filled)
        return _Rows(self.name, columns, [*numbers], [*written])


def odd_row(row: Sequence[str], width: int) -> str:
    """Why a row is rejected that has more or fewer cells than the header."""
    return f"the row has {len(row)} cell{'' if len(row) == 1 else 's'}, but the header has {width}"


def is_comment(row: Sequence[str], width: int) -> bool:
    """Whether a row is a comment: it begins with `# `, and has more or fewer cells than the header."""
    return len(row) != width and bool(row) and _COMMENT.match(row[0]) is not None


def refused_row(row: Sequence[str], width: int, origin: Origin) -> Rejected:
    """A row that has more or fewer cells than the header; comments are passed over."""
    if is_comment(row, width):
        return PassedOver(origin, "the line is a comment")
    return Rejected(origin, odd_row(row, width))


def read_row(row: Sequence[str], readers: Sequence[RowReader], origin: Origin) -> list[Record | Rejected]:
    """The records of a row, one for each of its times, or that it is left out. Raises InputError."""
    without = without_fact(row, readers)
    row = numbered_row(row, readers, origin)
    return records_at([reader.read(row) for reader in readers], origin, without)


class _TooLongError(csv.Error):
    """The next line is too long."""


class _TableLines:
    """The lines of a table; those of a broken row can be read again.

    Attributes:
        row: the lines of the current row so far.
        takes_several: whether lines of a file are taken several at a time.
    """

    def __init__(self, lines: Iterable[str], largest_record: int) -> None:
        self._lines = numbered(lines)
        self._largest_record = largest_record
        self._taken: deque[str] = deque()
        """Lines that come next: to be read again, or taken with others."""
        self.row: list[str] = []
        self.takes_several = False
        self._size = 0
        """In bytes: of the lines of the current row."""

    def __iter__(self) -> "_TableLines":
        return self

    def __next__(self) -> str:
        if len(self.row) == MOST_LINES:
            raise csv.Error(f"the row is longer than {MOST_LINES} lines: is a closing quote missing?")
        line = self._taken.popleft() if self._taken else self._next()
        self.row.append(line)
        if type(line) is TruncatedRecord:
            raise _TooLongError(line.reason if len(self.row) == 1 else "one line of the row is too long")
        if len(self.row) > 1:
            self._check_size()
        return line

    def _next(self) -> str:
        lines = self._lines
        if not self.takes_several or not isinstance(lines, FileLines):
            return next(lines)
        self._taken.extend(map(text_of, lines.several()))
        if not self._taken:
            raise StopIteration
        return self._taken.popleft()

    def several(self) -> Sequence[str | bytes]:
        """The next lines, those that are there without waiting, but at least one; none at the end."""
        lines = self._lines
        if isinstance(lines, FileLines):
            return lines.several()
        line = next(lines, None)
        return () if line is None else [line]

    @property
    def in_columns(self) -> bool:
        """Whether records may be given in columns."""
        return isinstance(self._lines, FileLines) and self._lines.in_columns

    @property
    def taken(self) -> deque[str]:
        """The lines that were taken and come next."""
        return self._taken

    def take(self, number: int) -> None:
        """So many of these are done with."""
        for _ in range(number):
            self._taken.popleft()

    def is_too_long(self, lines: Sequence[str]) -> bool:
        """Whether the lines may be more than a row has."""
        return len(lines) > MOST_LINES or sum(map(_size, lines)) > self._largest_record

    def _check_size(self) -> None:
        """Raises csv.Error for a row that is too long; it is called for each of its lines but the first."""
        if len(self.row) == 2:
            self._size = _size(self.row[0])
        line = self.row[-1]
        if self._size + _size(line.rstrip("\r\n")) > self._largest_record:
            raise csv.Error(
                f"it is longer than {self._largest_record} bytes: close its quotes, or raise --largest-record"
            )
        self._size += _size(line)

    def pass_over(self, lines: int) -> None:
        """Passes over lines that belong to no row."""
        for _ in islice(self._lines, lines):
            pass

    @property
    def number(self) -> int:
        """That of the last line, counted from 1."""
        return self._lines.number - len(self._taken)

    def read_again(self) -> None:
        """The lines of the row but for the first come once more."""
        self._taken.extendleft(reversed(self.row[1:]))


class TableRows:
    """The rows of a table that are not blank, each with the line at which it begins.

    Attributes:
        names: those of the columns, if a line gave them that ended the rows of `blocks`; empty otherwise.
    """

    names: Sequence[str] = ()

    def __init__(self, lines: Iterable[str], name: str, form: TableForm, largest_record: int) -> None:
        self._lines = _TableLines(lines, largest_record)
        self._name = name
        self._form, self._quote, self._comment = form, form.quote, form.comment
        self._sign = " " if form.delimiter == BLANKS else form.delimiter
        self._reader = self._reader_of(self._lines)

    def pass_over(self, lines: int) -> None:
        """Passes over lines before the header."""
        self._lines.pass_over(lines)

    @property
    def in_columns(self) -> bool:
        """Whether records may be given in columns."""
        return self._lines.in_columns

    @property
    def begun(self) -> int:
        """The number of lines of a row that is not whole."""
        return len(self._lines.row)

    def beginning(self) -> list[Sequence[str]]:
        """The next rows that are not broken, as many as a look at a table takes.

        Raises InputError where the first one is broken.
        """
        first = self.first()
        return [first, *(row for row, _ in islice(self.read(lambda _: None), MOST_ROWS))] if first else []

    def first(self) -> Sequence[str]:
        """The next row, empty where there is none. Raises InputError for a broken one."""
        row, _ = next(self.read(refuse), ([], None))
        return row

    def read(self, on_reject: OnReject, *, several: bool = False) -> Iterator[tuple[Sequence[str], Origin]]:
        """The rows that follow; those that are broken are rejected.

        Args:
            on_reject: takes these.
            several: whether lines may be taken before they are needed: not of the head of a file.
        """
        self._lines.takes_several = several
        while True:
            try:
                found = self._next(on_reject)
            except StopIteration:
                return
            if found is not None:
                yield found

    def _next(self, on_reject: OnReject) -> tuple[Sequence[str], Origin] | None:
        """The next row; None where it is blank, or broken and rejected. Raises StopIteration for none."""
        lines = self._lines
        lines.row.clear()
        first = lines.number + 1
        try:
            row = next(self._reader)
        except csv.Error as error:
            is_too_long = isinstance(error, _TooLongError) and len(lines.row) == 1
            reason = str(error) if is_too_long else f"broken row: {shown(str(error))}"
            self._reader = self._reader_of(lines)  # it begins with a row
            self.reject(Origin(self._name, first), reason, on_reject)
            return None
        if self._is_comment(row):
            named = named_form(lines.row[0])
            self.names = () if named is None else named.names
            return None
        if not any(map(str.strip, row)):
            return None
        return row, Origin(self._name, first, _as_written(lines.row))

    def blocks(self, width: int, on_reject: OnReject) -> Iterator[_Rows]:
        """The rows that follow and have so many cells, some at a time; others are rejected.

        No row waits for a line behind it.
        """
        lines = self._lines
        lines.takes_several = True
        while True:
            lines.row.clear()
            if not lines.taken:
                given = lines.several()
                if not given:
                    return
                text = _together(given)
                block = None if text is None else self._plain(text, given, width)
                if block is not None:
                    yield block
                    continue
                lines.taken.extend(line if isinstance(line, str) else text_of(line) for line in given)
            block = self._of_taken(width)
            if block.numbers:
                yield block
            if not lines.taken:
                continue
            try:
                found = self._next(on_reject)
            except StopIteration:
                return
            if self.names:
                return
            if found is not None and len(found[0]) != width:
                self.refuse(refused_row(found[0], width, found[1]), on_reject)
            elif found is not None:
                row, origin = found
                yield _Rows(self._name, [*zip(row)], [origin.line], [origin.written])

    def _plain(self, text: str, lines: Sequence[str | bytes], width: int) -> _Rows | None:
        """The rows of lines without quotes that have so many cells each; None where there are others."""
        if self._quote in text or (self._comment and self._comment in text):
            return None
        if not text.endswith("\n"):  # the last line of a file
            text += "\n"
        number, sign = len(lines), self._sign
        if self._form.blanks:
            text = self._form.plain(text)
        if self._form.delimiter == BLANKS:
            text = _OUTER_BLANKS.sub("", _INNER_BLANKS.sub(" ", text))
        if text.count("\n") != number:
            return None
        end = "\r\n" if "\r" in text else "\n"
        if len(end) > 1 and not text.count("\r") == text.count(end) == number:
            return None
        cells = text.replace(end, f"{sign}\n{sign}").split(sign)
        if len(cells) != number * (width + 1) + 1 or cells[width :: width + 1].count("\n") != number:
            return None
        columns = [cells[place : -1 : width + 1] for place in range(width)]
        first = self._lines.number + 1 - number
        is_text = isinstance(lines[0], str)
        written = [line.rstrip("\r\n") for line in lines] if is_text else lines  # type: ignore[arg-type]
        return _Rows(self._name, columns, range(first, first + number), written)

    def _is_comment(self, row: Sequence[str]) -> bool:
        return bool(self._comment and row) and row[0].startswith(self._comment)

    def _of_taken(self, width: int) -> _Rows:
        """The rows of lines that were taken, up to one that is not whole, has other cells, or is broken."""
        lines, rows, numbers, written = self._lines, list[Sequence[str]](), list[int](), list[str]()
        taken, first, end = [*lines.taken], lines.number + 1, 0
        reader = self._reader_of(takewhile(lambda line: type(line) is not TruncatedRecord, taken))
        with suppress(csv.Error):
            for row in reader:
                begin, last = end, reader.line_num
                if self._is_comment(row):
                    break
                if len(row) == width:
                    if last > begin + 1 and lines.is_too_long(taken[begin:last]):
                        break
                    rows.append(row)
                    numbers.append(first + begin)
                    written.append(_as_written(taken[begin:last]))
                elif last > begin + 1 or any(map(str.strip, row)):
                    break
                end = last
        lines.take(end)
        return _Rows(self._name, [*zip(*rows, strict=True)], numbers, written)

    def _reader_of(self, lines: Iterable[str]) -> Any:
        return self._form.reader(lines)

    def reject(self, origin: Origin, reason: str, on_reject: OnReject) -> None:
        """Rejects the row that was read last, which is broken; see `refuse`."""
        self.refuse(Rejected(origin, reason), on_reject)

    def refuse(self, refused: Rejected, on_reject: OnReject) -> None:
        """Hands on the row that was read last, which gives no record.

        Of several lines it is only the first: most likely a quote in it is not closed, so that the others,
        which are read again, are rows of their own.
        """
        text = self._lines.row[0].rstrip("\r\n") if self._lines.row else ""
        self._lines.read_again()
        on_reject(type(refused)(refused.origin._replace(written=text), refused.reason))


def _as_written(lines: Sequence[str]) -> str:
    """The text of a row, with its quotes, so that it can be mended and read again."""
    return "".join(lines).rstrip("\r\n")


def _together(lines: Sequence[str | bytes]) -> str | None:
    """The text of lines; None where one of them was cut off."""
    if isinstance(lines[0], str):
        return lines[0] if type(lines[0]) is str and len(lines) == 1 else None
    return text_of_lines(lines)  # type: ignore[arg-type]


def _size(line: str) -> int:
    return len(line) if line.isascii() else len(line.encode(errors="surrogateescape"))


def missing_declaration(
    name: str, header: Sequence[str], rows: Sequence[Sequence[str]], timeline: Timeline
) -> str:
    """The error for a table without declaration, with one that fits its beginning."""
    from lars2asp.runtime.sources.survey.table_survey import survey_of  # noqa: PLC0415 - few need it

    proposal = survey_of(header, rows).declarations(has_tick=timeline.tick_length is not None)
    lines = "".join(f"\n  {line}" for line in proposal)
    return f"{name}: the program does not declare how rows become facts; add to it, for example{lines}"
