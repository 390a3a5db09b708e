"""The format `csv`: rows of a table become atoms as `#input` declares."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, DecimalException

from clingo import Function, Number, String, Symbol

from externals.events import Events
from lars2asp.syntax import LARGEST_INTEGER, Column, Input
from runtime.errors import InputError
from runtime.facts import check_characters
from runtime.records import OnReject, Origin, Record, Rejected
from runtime.timeline import Timeline

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
_CONSTANT = re.compile(r"_*'*[a-z][A-Za-z0-9_']*")
_TIME_WORDS = ("time", "timestamp", "date", "tick")


@dataclass(frozen=True)
class Dialect:
    """How a table is written: what stands between cells, and which cells besides empty ones are missing."""

    delimiter: str = ","
    missing: frozenset[str] = frozenset()


def read_csv(
    lines: Iterable[str],
    name: str,
    declarations: Sequence[Input],
    timeline: Timeline,
    on_reject: OnReject,
    dialect: Dialect | None = None,
) -> Iterator[Record]:
    """The records of a table with a header row: each row gives one fact for each declaration.

    A declaration with a missing cell in one of its columns tells nothing for that row. What cannot be
    converted is rejected for that declaration alone.

    Raises:
        InputError: if there is no declaration, no header, or a declared column is not in it; the message
            proposes a declaration.
    """
    form = dialect or Dialect()
    rows = csv.reader(lines, delimiter=form.delimiter)
    header = [cell.strip() for cell in next(rows, [])]
    if not header:
        raise InputError(f"{name}: the table is empty; its first line must name the columns")
    if not declarations:
        raise InputError(_missing_declaration(name, header, next(rows, [])))
    readers = [_RowReader(declaration, header, name, timeline, form) for declaration in declarations]
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            on_reject(Rejected(Origin(name, rows.line_num), f"broken row: {error}"))
            continue
        if not row:
            continue
        origin = Origin(name, rows.line_num, form.delimiter.join(row))
        if len(row) != len(header):
            on_reject(Rejected(origin, f"the row has {len(row)} cells, the header {len(header)}"))
            continue
        for reader in readers:
            try:
                record = reader.record(row, origin)
            except InputError as error:
                on_reject(Rejected(origin, str(error)))
            else:
                if record is not None:
                    yield record


class _RowReader:
    def __init__(
        self, declaration: Input, header: Sequence[str], name: str, timeline: Timeline, form: Dialect
    ) -> None:
        self._declaration = declaration
        self._timeline = timeline
        self._missing = form.missing
        for column in (*(column.name for column in declaration.columns), declaration.time):
            if column not in header:
                raise InputError(
                    f"{name}: no column {column!r} for #input {declaration.predicate}; "
                    f"the columns are {', '.join(map(repr, header))}"
                )
        self._places = [header.index(column.name) for column in declaration.columns]
        self._time_place = header.index(declaration.time)

    def record(self, row: Sequence[str], origin: Origin) -> Record | None:
        cells = [row[place].strip() for place in self._places]
        if any(cell == "" or cell in self._missing for cell in cells):
            return None
        arguments = [
            _argument(cell, column) for cell, column in zip(cells, self._declaration.columns, strict=True)
        ]
        atom = Function(self._declaration.predicate, arguments)
        return Record(self._timeline.tick_of_text(row[self._time_place]), Events((atom,)), origin)


def _argument(cell: str, column: Column) -> Symbol:
    if column.scale is not None:
        return _number(cell, column, column.scale)
    match column.conversion:
        case "text":
            return _string(cell, column)
        case "constant":
            if not _CONSTANT.fullmatch(cell) or cell == "not":
                raise InputError(
                    f"column {column.name}: {cell!r} is no constant (a lower-case letter, then letters and "
                    "digits); without constant(...) it is read as a string"
                )
            return Function(cell)
        case "int":
            if not _INTEGER.fullmatch(cell):
                raise InputError(f"column {column.name}: {cell!r} is no integer")
            return _number(cell, column, 1)
        case _:
            if _INTEGER.fullmatch(cell):
                return _number(cell, column, 1)
            if _DECIMAL.fullmatch(cell):
                raise InputError(
                    f"column {column.name}: {cell} is a decimal where an integer is needed; scale it in the "
                    f"declaration ({column.name}*10) or keep it as text(...)"
                )
            return _string(cell, column)


def _number(cell: str, column: Column, scale: int) -> Symbol:
    if not _DECIMAL.fullmatch(cell):
        raise InputError(f"column {column.name}: {cell!r} is no number")
    try:
        value = int((Decimal(cell) * scale).to_integral_value(ROUND_HALF_UP))
    except DecimalException:  # larger than any number that decimals can hold
        value = LARGEST_INTEGER + 1
    if abs(value) > LARGEST_INTEGER:
        times = f" times {scale}" if scale != 1 else ""
        raise InputError(f"column {column.name}: {cell}{times} has more than 32 bits")
    return Number(value)


def _string(cell: str, column: Column) -> Symbol:
    try:
        check_characters(cell)
    except InputError as error:
        raise InputError(f"column {column.name}: {error}") from error
    return String(cell)


def _missing_declaration(name: str, header: Sequence[str], row: Sequence[str]) -> str:
    """The error for a table without declaration, with one that fits the header and the first row."""
    time = next((c for word in _TIME_WORDS for c in header if word in c.lower()), header[0])
    columns = []
    for place, column in enumerate(header):
        if column == time:
            continue
        cell = row[place].strip() if place < len(row) else ""
        is_decimal = _DECIMAL.fullmatch(cell) and not _INTEGER.fullmatch(cell)
        columns.append(_column_name(column) + ("*10" if is_decimal else ""))
    return (
        f"{name}: nothing declares how its rows become facts; add to the program, for instance\n"
        f"  #input reading({', '.join(columns)}) at {_column_name(time)}."
    )


def _column_name(column: str) -> str:
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", column)
    escaped = column.replace("\\", "\\\\").replace('"', '\\"')
    return column if plain and column not in ("not", "at") else f'"{escaped}"'
