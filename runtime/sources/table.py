"""The format `csv`: rows of a table become atoms as `#input` declares."""

import csv
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.numbered_lines import FileLines, numbered, text_of
from lars2asp.runtime.sources.records import (
    LARGEST_RECORD,
    OnReject,
    Origin,
    Record,
    Rejected,
    TruncatedRecord,
    records_at,
    refuse,
)
from lars2asp.runtime.sources.row_reader import RowReader, columns_read
from lars2asp.runtime.sources.table_form import Dialect, TableForm
from lars2asp.runtime.sources.table_survey import survey_of
from lars2asp.runtime.sources.timeline import Timeline
from lars2asp.syntax.nodes import Input, Signature
from lars2asp.syntax.source import shown

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
    decimals: Mapping[Signature, tuple[int, ...]] | None = None,
    form: TableForm | None = None,
    *,
    is_of_several: bool = False,
) -> Iterator[Record]:
    """The records of a table with a header row: each row gives one fact for each declaration.

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
        raise InputError.of(name, "the table is empty; its first line must name the columns")
    if not declarations:
        raise InputError(missing_declaration(name, header, rows.beginning(), timeline))
    fitting = [one for one in declarations if is_of_several and {*columns_read([one])} <= {*header}]
    readers = [
        RowReader(declaration, header, name, timeline, dialect, decimals)
        for declaration in fitting or declarations
    ]
    return row_records(rows, readers, len(header), on_reject)


def allow_cells(largest_record: int) -> None:
    """Allows for cells of so many bytes: the limit is one for the whole process, and only goes up."""
    if csv.field_size_limit() < largest_record:
        csv.field_size_limit(largest_record)


def table_rows(
    lines: Iterable[str], name: str, form: TableForm
) -> tuple[Sequence[str], Iterator[Sequence[str]]]:
    """The names of the columns, and the rows that are not broken. Raises InputError without a header."""
    rows = TableRows(lines, name, form, LARGEST_RECORD)
    rows.pass_over(form.before)
    header = form.names or [cell.strip() for cell in rows.first()]
    if not header:
        raise InputError.of(name, "the table is empty; its first line must name the columns")
    return header, (row for row, _ in rows.read(lambda _: None))


def row_records(
    rows: "TableRows", readers: Sequence[RowReader], width: int, on_reject: OnReject
) -> Iterator[Record]:
    """The records of rows, which have so many cells."""
    for row, origin in rows.read(on_reject, several=True):
        if len(row) != width:
            rows.reject(origin, odd_row(row, width), on_reject)
            continue
        try:
            yield from read_row(row, readers, origin)
        except InputError as error:
            on_reject(Rejected(origin, str(error)))


def odd_row(row: Sequence[str], width: int) -> str:
    """Why a row is rejected that has more or fewer cells than the header."""
    return f"the row has {len(row)} cell{'' if len(row) == 1 else 's'}, the header {width}"


def read_row(row: Sequence[str], readers: Sequence[RowReader], origin: Origin) -> list[Record]:
    """The records of a row, one for each of its times. Raises InputError."""
    return records_at([reader.read(row) for reader in readers], origin)


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
            raise csv.Error(f"it has more than {MOST_LINES} lines")
        line = self._taken.popleft() if self._taken else self._next()
        self.row.append(line)
        if type(line) is TruncatedRecord:
            raise _TooLongError(line.reason if len(self.row) == 1 else "one of its lines is too long")
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

    def _check_size(self) -> None:
        """Raises csv.Error for a row that is too long; it is called for each of its lines but the first."""
        if len(self.row) == 2:
            self._size = _size(self.row[0])
        line = self.row[-1]
        if self._size + _size(line.rstrip("\r\n")) > self._largest_record:
            raise csv.Error(f"it has more than {self._largest_record} bytes")
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
    """The rows of a table that are not blank, each with the line at which it begins."""

    def __init__(self, lines: Iterable[str], name: str, form: TableForm, largest_record: int) -> None:
        self._lines = _TableLines(lines, largest_record)
        self._reader = csv.reader(self._lines, delimiter=form.delimiter, quotechar=form.quote, strict=True)
        self._name = name
        self._delimiter = form.delimiter

    def pass_over(self, lines: int) -> None:
        """Passes over lines before the header."""
        self._lines.pass_over(lines)

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
        lines = self._lines
        lines.takes_several = several
        while True:
            lines.row.clear()
            first = lines.number + 1
            try:
                row = next(self._reader)
            except StopIteration:
                return
            except csv.Error as error:
                is_too_long = isinstance(error, _TooLongError) and len(lines.row) == 1
                reason = str(error) if is_too_long else f"broken row: {shown(str(error))}"
                self.reject(Origin(self._name, first), reason, on_reject)
                continue
            if any(map(str.strip, row)):
                yield row, Origin(self._name, first, self._delimiter.join(row))

    def reject(self, origin: Origin, reason: str, on_reject: OnReject) -> None:
        """Rejects the row that was read last, which is broken.

        Of several lines it is only the first: most likely a quote in it is not closed, so that the others,
        which are read again, are rows of their own.
        """
        text = self._lines.row[0].rstrip("\r\n") if self._lines.row else ""
        self._lines.read_again()
        on_reject(Rejected(origin._replace(written=text), reason))


def _size(line: str) -> int:
    return len(line) if line.isascii() else len(line.encode(errors="surrogateescape"))


def missing_declaration(
    name: str, header: Sequence[str], rows: Sequence[Sequence[str]], timeline: Timeline
) -> str:
    """The error for a table without declaration, with one that fits its beginning."""
    proposal = survey_of(header, rows).declarations(has_tick=timeline.tick_length is not None)
    lines = "".join(f"\n  {line}" for line in proposal)
    return f"{name}: nothing declares how its rows become facts; add to the program, for instance{lines}"
