"""The format `csv`: rows of a table become atoms as `#input` declares."""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, DecimalException

from lars2asp.analysis.decimal_numbers import NotScaledError, counted, scaled
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Value, constant
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.ground_terms import check_characters
from lars2asp.runtime.sources.numbered_lines import numbered
from lars2asp.runtime.sources.records import (
    LARGEST_RECORD,
    OnReject,
    Origin,
    Record,
    Rejected,
    TruncatedRecord,
    refuse,
)
from lars2asp.runtime.sources.timeline import Timeline
from lars2asp.syntax.nodes import LARGEST_INTEGER, Column, Input, Signature
from lars2asp.syntax.source import shown

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FRACTION = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?")
_CONSTANT = re.compile(r"_*'*[a-z][A-Za-z0-9_']*")

SHORT_NUMBER = 9
"""In characters: an integer of so many has no more than 32 bits."""

MOST_LINES = 1000
"""A row of more lines is broken: a quote in it is not closed."""

MOST_SHOWN = 400
"""The number of characters of a header in a message."""

_TIME_WORDS = ("time", "timestamp", "date", "tick")


@dataclass(frozen=True)
class Dialect:
    """The form of a table: the sign between cells, and the cells that are missing besides empty ones."""

    delimiter: str = ","
    missing: frozenset[str] = frozenset()


def read_csv(
    lines: Iterable[str],
    name: str,
    declarations: Sequence[Input],
    timeline: Timeline,
    on_reject: OnReject,
    dialect: Dialect | None = None,
    largest_record: int = LARGEST_RECORD,
    decimals: Mapping[Signature, tuple[int, ...]] | None = None,
) -> Iterator[Record]:
    """The records of a table with a header row: each row gives one fact for each declaration.

    A declaration with a missing cell in one of its columns gives only the time of that row. A row of
    which a cell cannot be converted is rejected whole, and so is one of more than `largest_record` bytes. The
    header is read at once.

    Raises:
        InputError: if there is no header that can be read, a declared column is not in it, or there is no
            declaration (the message proposes one).
    """
    form = dialect or Dialect()
    if csv.field_size_limit() < largest_record:  # it is one for the whole process, and only goes up
        csv.field_size_limit(largest_record)
    rows = TableRows(lines, name, form, largest_record)
    header = [cell.strip() for cell in rows.first()]
    if not header:
        raise InputError(f"{name}: the table is empty; its first line must name the columns")
    if not declarations:
        raise InputError(_missing_declaration(name, header, rows.first()))
    readers = [RowReader(declaration, header, name, timeline, form, decimals) for declaration in declarations]
    return _records(rows, readers, len(header), on_reject)


def _records(
    rows: "TableRows", readers: Sequence["RowReader"], width: int, on_reject: OnReject
) -> Iterator[Record]:
    for row, origin in rows.read(on_reject):
        if len(row) != width:
            rows.reject(origin, f"the row has {len(row)} cells, the header {width}", on_reject)
            continue
        try:
            read = [reader.read(row) for reader in readers]
        except InputError as error:
            on_reject(Rejected(origin, str(error)))
            continue
        for tick in dict.fromkeys(tick for tick, _ in read):
            atoms = tuple(atom for at, atom in read if at == tick and atom is not None)
            yield Record(tick, Events(atoms), origin)


class _TooLongError(csv.Error):
    """The next line is too long."""


class _TableLines:
    """The lines of a table; those of a broken row can be read again.

    Attributes:
        row: the lines of the current row so far.
    """

    def __init__(self, lines: Iterable[str], largest_record: int) -> None:
        self._lines = numbered(lines)
        self._largest_record = largest_record
        self._again: deque[str] = deque()
        self.row: list[str] = []
        self._size = 0
        """In bytes: of the lines of the current row."""

    def __iter__(self) -> "_TableLines":
        return self

    def __next__(self) -> str:
        if len(self.row) == MOST_LINES:
            raise csv.Error(f"it has more than {MOST_LINES} lines")
        line = self._again.popleft() if self._again else next(self._lines)
        self.row.append(line)
        if type(line) is TruncatedRecord:
            raise _TooLongError(line.reason if len(self.row) == 1 else "one of its lines is too long")
        if len(self.row) > 1:
            self._check_size()
        return line

    def _check_size(self) -> None:
        """Raises csv.Error for a row that is too long; it is called for each of its lines but the first."""
        if len(self.row) == 2:
            self._size = _size(self.row[0])
        line = self.row[-1]
        if self._size + _size(line.rstrip("\r\n")) > self._largest_record:
            raise csv.Error(f"it has more than {self._largest_record} bytes")
        self._size += _size(line)

    @property
    def number(self) -> int:
        """That of the last line, counted from 1."""
        return self._lines.number - len(self._again)

    def read_again(self) -> None:
        """The lines of the row but for the first come once more."""
        self._again.extendleft(reversed(self.row[1:]))


class TableRows:
    """The rows of a table that are not blank, each with the line at which it begins."""

    def __init__(self, lines: Iterable[str], name: str, form: Dialect, largest_record: int) -> None:
        self._lines = _TableLines(lines, largest_record)
        self._reader = csv.reader(self._lines, delimiter=form.delimiter, strict=True)
        self._name = name
        self._delimiter = form.delimiter

    def first(self) -> Sequence[str]:
        """The next row, empty where there is none. Raises InputError for a broken one."""
        row, _ = next(self.read(refuse), ([], None))
        return row

    def read(self, on_reject: OnReject) -> Iterator[tuple[Sequence[str], Origin]]:
        """The rows that follow; those that are broken are rejected."""
        lines = self._lines
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
            if any(cell.strip() for cell in row):
                yield row, Origin(self._name, first, self._delimiter.join(row))

    def reject(self, origin: Origin, reason: str, on_reject: OnReject) -> None:
        """Rejects the row that was read last, which is broken.

        Of several lines it is only the first: most likely a quote in it is not closed, so that the others,
        which are read again, are rows of their own.
        """
        text = self._lines.row[0].rstrip("\r\n") if self._lines.row else ""
        self._lines.read_again()
        on_reject(Rejected(origin._replace(written=text), reason))


class RowReader:
    """Reads rows as one declaration says. Raises InputError for columns that are not in the header.

    Attributes:
        signature: the predicate.
        columns: for each argument its column, as declared.
        decimals: for each argument the decimals of its place.
        places: for each argument the number of its column in the table.
        time_place: the number of the column with times.
    """

    def __init__(
        self,
        declaration: Input,
        header: Sequence[str],
        name: str,
        timeline: Timeline,
        form: Dialect,
        decimals: Mapping[Signature, tuple[int, ...]] | None = None,
    ) -> None:
        self.columns = declaration.columns
        self.signature = Signature(declaration.predicate, len(declaration.columns))
        self.decimals = (decimals or {}).get(self.signature, (0,) * len(self.columns))
        self._timeline = timeline
        self._missing = form.missing | {""}
        columns = [*(column.name for column in declaration.columns), declaration.time]
        for column in columns:
            if header.count(column) != 1:
                known = shown(", ".join(map(repr, header)), MOST_SHOWN)
                is_or_are = "no column" if column not in header else "more than one column"
                raise InputError(
                    f"{name}: {is_or_are} {column!r} for #input {declaration.predicate}; "
                    f"the columns are {known}{_delimiter_hint(header)}"
                )
        *self.places, self.time_place = map(header.index, columns)

    def read(self, row: Sequence[str]) -> tuple[int, AtomRows | None]:
        """The tick and the fact of a row, None where a cell is missing. Raises InputError."""
        cells = [row[place].strip() for place in self.places]
        tick = self._timeline.tick_of_text(row[self.time_place])
        if not self._missing.isdisjoint(cells):
            return tick, None
        return tick, AtomRows(self.signature, [tuple(map(argument_of, cells, self.columns, self.decimals))])


def _size(line: str) -> int:
    return len(line) if line.isascii() else len(line.encode(errors="surrogateescape"))


def _delimiter_hint(header: Sequence[str]) -> str:
    found = next((sign for sign in (";", "\t", "|") if len(header) == 1 and sign in header[0]), None)
    return f" (is the delimiter another? try --delimiter {found!r})" if found else ""


def argument_of(cell: str, column: Column, decimals: int = 0) -> Value:
    """The argument that a cell with text makes, as its column is declared.

    A number at a place with decimals is the value that it says, but for a column with a scale, which makes
    the program's integer itself. Raises InputError.
    """
    if column.scale is not None:
        return _number(cell, column, column.scale)
    if decimals and column.conversion in ("", "int") and _DECIMAL.fullmatch(cell):
        return number_at(cell, decimals, column.name)
    match column.conversion:
        case "text":
            return string_of(cell, column)
        case "constant":
            if not _CONSTANT.fullmatch(cell) or cell == "not":
                raise InputError(
                    f"column {column.name}: '{shown(cell)}' is no constant (a lower-case letter, then "
                    "letters and digits); without constant(...) it is read as a string"
                )
            return constant(cell)
        case "int":
            if not _INTEGER.fullmatch(cell):
                raise InputError(f"column {column.name}: '{shown(cell)}' is no integer")
            return _number(cell, column, 1)
        case _:
            if _INTEGER.fullmatch(cell):
                return _number(cell, column, 1)
            if _FRACTION.fullmatch(cell):
                raise InputError(
                    f"column {column.name}: {shown(cell)} is a decimal where an integer is needed; declare "
                    f"its #decimals, scale it in the declaration ({column.name}*10) or keep it as text(...)"
                )
            return string_of(cell, column)


def number_at(text: str, decimals: int, name: str) -> int:
    """The integer for the number of a column at a place with so many decimals. Raises InputError."""
    try:
        return scaled(text, decimals)
    except NotScaledError as error:
        cure = f": declare {counted(error.digits)} in #decimals" if error.digits is not None else ""
        raise InputError(f"column {name}: {error}{cure}") from error


def _number(cell: str, column: Column, scale: int) -> Value:
    if scale == 1 and len(cell) <= SHORT_NUMBER and _INTEGER.fullmatch(cell):
        return int(cell)
    if not _DECIMAL.fullmatch(cell):
        raise InputError(f"column {column.name}: '{shown(cell)}' is no number")
    try:
        scaled = (Decimal(cell) * scale).to_integral_value(ROUND_HALF_UP)
    except DecimalException:  # larger than any number that decimals can hold
        scaled = Decimal("Infinity")
    if abs(scaled) > LARGEST_INTEGER:  # compared as it is: an integer of a million digits takes its time
        times = f" times {scale}" if scale != 1 else ""
        raise InputError(f"column {column.name}: {shown(cell)}{times} has more than 32 bits")
    return int(scaled)


def string_of(cell: str, column: Column) -> Value:
    """A cell as a string. Raises InputError for characters that no string has."""
    try:
        check_characters(cell)
    except InputError as error:
        raise InputError(f"column {column.name}: {error}") from error
    return cell


def _missing_declaration(name: str, header: Sequence[str], row: Sequence[str]) -> str:
    """The error for a table without declaration, with one that fits the header and the first row."""
    time = named_time(header)
    columns = []
    for place, column in enumerate(header):
        if column == time:
            continue
        cell = row[place].strip() if place < len(row) else ""
        is_decimal = _FRACTION.fullmatch(cell)
        columns.append(written_column(column) + ("*10" if is_decimal else ""))
    return (
        f"{name}: nothing declares how its rows become facts; add to the program, for instance\n"
        f"  #input reading({', '.join(columns)}) at {written_column(time)}."
    )


def named_time(columns: Sequence[str]) -> str:
    """The column that most likely has the times, by its name."""
    return next((c for word in _TIME_WORDS for c in columns if word in c.lower()), columns[0])


def written_column(column: str) -> str:
    """The name of a column as a declaration has it."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", column)
    escaped = column.replace("\\", "\\\\").replace('"', '\\"')
    return column if plain and column not in ("not", "at") else f'"{escaped}"'
