"""Random tables with all that they may have, as text and in typed columns, and what they say."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import zstandard
from hypothesis import strategies as st
from pyarrow import feather, parquet

from lars2asp.runtime.sources.survey.column_kinds import column_text

VIENNA = ZoneInfo("Europe/Vienna")
EPOCH = datetime(1970, 1, 1)
LARGEST = 2**31 - 1

ANY = st.characters(codec="utf-8", exclude_characters="\0")
"""All that texts may have."""


@dataclass(frozen=True)
class TableRow:
    """What a row says; None where nothing stands.

    Attributes:
        at: a local time in Vienna that comes once.
        text: a text.
        number: an integer.
        hundredths: a number with two decimals, times 100.
    """

    at: datetime
    text: str | None
    number: int | None
    hundredths: int | None

    @property
    def since_epoch(self) -> timedelta:
        """When it is."""
        return self.at.replace(tzinfo=VIENNA).astimezone(UTC).replace(tzinfo=None) - EPOCH

    @property
    def arguments(self) -> tuple[str, int, int] | None:
        """Those of its fact, if it has one, where a text of blanks is a missing cell."""
        return self.typed_arguments if self.text and self.text.strip() else None

    @property
    def typed_arguments(self) -> tuple[str, int, int] | None:
        """The same, where each text is a value."""
        if self.text is None or self.number is None or self.hundredths is None:
            return None
        return self.text, self.number, self.hundredths


@dataclass(frozen=True)
class TimeColumns:
    """How times are written.

    Attributes:
        count: the number of columns.
        form: the format that is declared; empty for none.
        cells: the cells of a time.
        unit: the microseconds to which times are written.
    """

    form: str
    cells: Callable[[TableRow], tuple[str, ...]]
    unit: int = 1
    count: int = 1


def _seconds(row: TableRow, unit: timedelta) -> str:
    return str(Decimal(row.since_epoch // timedelta(microseconds=1)) / (unit // timedelta(microseconds=1)))


def _with_offset(row: TableRow) -> str:
    return row.at.replace(tzinfo=VIENNA).isoformat()


def _formatted(form: str, unit: int) -> TimeColumns:
    return TimeColumns(form, lambda row: (row.at.strftime(form),), unit)


TIMES = [
    TimeColumns("", lambda row: (_with_offset(row),)),
    TimeColumns("", lambda row: ((EPOCH + row.since_epoch).isoformat(" ") + "Z",)),
    TimeColumns("", lambda row: (row.at.isoformat(),)),
    TimeColumns("", lambda row: (f"{row.at:%Y-%m-%d}", f"{row.at.time()}"), 1, 2),
    TimeColumns("%d.%m.%Y %H:%M:%S.%f", lambda row: (f"{row.at:%d.%m.%Y}", f"{row.at:%H:%M:%S.%f}"), 1, 2),
    TimeColumns("%s", lambda row: (_seconds(row, timedelta(seconds=1)),)),
    TimeColumns("%Q", lambda row: (_seconds(row, timedelta(milliseconds=1)),)),
    _formatted("%d.%m.%Y %H:%M:%S", 1_000_000),
    _formatted("%m/%d/%y %I:%M %p", 60_000_000),
    _formatted("%A, %d. %B %Y", 86_400_000_000),
]


@dataclass(frozen=True)
class NumberColumn:
    """How numbers with two decimals are written.

    Attributes:
        signs: what is declared.
        before, behind: a unit.
        has_all: whether zeros behind the point are written.
    """

    signs: str = ""
    before: str = ""
    behind: str = ""
    has_all: bool = True

    def declared(self, name: str) -> str:
        """The column in a declaration."""
        if not (self.signs or self.before or self.behind):
            return name
        signs = "".join(f', "{sign}"' for sign in self.signs)
        return f"number({name}{signs})"

    def cell(self, hundredths: int | None) -> str:
        """A number as it stands in a table."""
        if hundredths is None:
            return ""
        text = f"{Decimal(hundredths) / 100:,.2f}"
        if not self.has_all:
            text = text.rstrip("0").rstrip(".")
        decimal, thousands = (*self.signs, "", "")[:2]
        text = text.replace(".", "#").replace(",", thousands).replace("#", decimal or ".")
        return f"{self.before}{text}{self.behind}"


NUMBERS = st.builds(
    NumberColumn,
    st.sampled_from(["", ",", ".", ",.", ".,", ", ", ".'"]),
    st.just(""),
    st.sampled_from(["", " °C", " m²", "%"]),
    st.booleans(),
) | st.builds(
    NumberColumn,
    st.sampled_from(["", ",", ".", ",.", ".,", ", ", ".'"]),
    st.sampled_from(["€ ", "$"]),
    has_all=st.booleans(),
)
"""A unit stands before the numbers or behind them."""

NAMES = ["zeit", "a", "Wind dir", 'say "x"', "it's", "a;b,c\td|e", "Temp (°C)", "not", "Größe\\", "x.y"]
_TWICE = datetime(2026, 10, 25).date(), 2
_BEGINS = st.sampled_from([datetime(2026, 10, 17), datetime(2026, 3, 21)])


@st.composite
def rows(draw: st.DrawFn, characters: st.SearchStrategy[str], unit: int) -> list[TableRow]:
    """Rows with such characters in texts, and times of such units in microseconds.

    They lie in 20 days, many of them in the night in which clocks change, but none where local times come
    twice, of which the order of rows tells which is meant.
    """
    begin = draw(_BEGINS)
    night = begin + timedelta(days=8)
    moments = st.datetimes(begin, begin + timedelta(days=20)) | st.datetimes(
        night, night + timedelta(hours=5)
    )
    length = timedelta(microseconds=unit)
    moments = moments.filter(lambda moment: (moment.date(), moment.hour) != _TWICE)
    texts = st.text(characters, max_size=6)
    row = st.builds(
        TableRow,
        moments.map(lambda moment: begin + (moment - begin) // length * length),
        st.none() | texts | st.sampled_from(["007", "-5", "1.5", "1e5", "NaN", "null"]),
        st.none() | st.integers(-LARGEST, LARGEST) | st.integers(-9, 9),
        st.none() | st.integers(-LARGEST, LARGEST) | st.integers(-999, 999),
    )
    return draw(st.lists(row, min_size=1, max_size=6))


@dataclass(frozen=True)
class TextTable:
    """A table as text, with how it is written."""

    names: Sequence[str]
    rows: Sequence[TableRow]
    times: TimeColumns
    numbers: NumberColumn
    delimiter: str
    quote: str
    end: str
    quotes_all: bool

    @property
    def declared(self) -> str:
        """The declaration that reads it."""
        text, number, decimal, *times = map(column_text, self.names)
        at = " + ".join(times) + (f' "{self.times.form}"' if self.times.form else "")
        return f"r(text({text}), {number}, {self.numbers.declared(decimal)}) at {at}"

    def cells(self, row: TableRow) -> list[str]:
        """Those of a row."""
        number = "" if row.number is None else str(row.number)
        return [row.text or "", number, self.numbers.cell(row.hundredths), *self.times.cells(row)]

    def line(self, cells: Sequence[str]) -> str:
        """A row with its end."""
        return self.delimiter.join(map(self._quoted, cells)) + self.end

    def text(self) -> str:
        """The whole table."""
        return "".join([self.line(self.names), *(self.line(self.cells(row)) for row in self.rows)])

    def _quoted(self, cell: str) -> str:
        if not self.quotes_all and not any(sign in cell for sign in (self.delimiter, self.quote, "\r", "\n")):
            return cell
        return self.quote + cell.replace(self.quote, 2 * self.quote) + self.quote


@st.composite
def text_tables(
    draw: st.DrawFn, characters: st.SearchStrategy[str], end: str, encoding: str = "utf-8"
) -> TextTable:
    """Tables with such characters in texts, and such ends of lines, that can be written in an encoding."""
    times = draw(st.sampled_from(TIMES))
    names = [name for name in draw(st.permutations(NAMES)) if _is_encodable(name, encoding)]
    quote = draw(st.sampled_from(['"', '"', "'"]))
    return TextTable(
        names[: 3 + times.count],
        draw(rows(characters, times.unit)),
        times,
        draw(NUMBERS.filter(lambda numbers: _is_encodable(numbers.before + numbers.behind, encoding))),
        draw(st.sampled_from([",", ";", "\t", "|"])),
        quote,
        end,
        quote == "'" or draw(st.booleans()),  # a plain header says nothing of other quotes
    )


def _is_encodable(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True)
class DirtyRow:
    """The cells of a row, and where it is wrong.

    Attributes:
        cells: the cells.
        says: what it says, if nothing is wrong.
        wrong: the number of the column whose cell is wrong; -1: it has more or fewer cells than the header.
    """

    cells: Sequence[str]
    says: TableRow | None = None
    wrong: int | None = None


@st.composite
def dirty_rows(draw: st.DrawFn, table: TextTable) -> list[DirtyRow]:
    """The rows of a table, and among them some that are wrong in one place."""
    found = [DirtyRow(table.cells(row), row) for row in table.rows]
    good = table.cells(TableRow(table.rows[0].at, "x", 1, 1))
    decimal = table.numbers.signs[:1] or "."
    wrong = [(0, "a\0"), (1, "1.5"), (1, "2e-1"), (1, "9" * 5000)]
    wrong += [(2, f"1{decimal}005"), (2, "9" * 4001)]
    if table.numbers.declared("v") != "v":  # else what is not a number is text
        wrong += [(2, cell) for cell in ("x", "--1", f"{decimal}{decimal}", "1 2", "5 Mio")]
    wrong += [(3, cell) for cell in ("soon", "31.02.2026 14:05:00", "", "99999999999999999999", "2026-02-30")]
    for place, cell in draw(st.lists(st.sampled_from(wrong), max_size=4)):
        found.insert(draw(st.integers(0, len(found))), DirtyRow(_with(good, place, cell), None, place))
    for cells in draw(st.lists(st.sampled_from([good[:-1], [*good, ""], good[:1]]), max_size=2)):
        found.insert(draw(st.integers(0, len(found))), DirtyRow(cells, None, -1))
    return found


def _with(cells: Sequence[str], place: int, cell: str) -> list[str]:
    """The cells with another one at a place; all cells of a time are taken out with the first."""
    if place < 3:
        return [*cells[:place], cell, *cells[place + 1 :]]
    return [*cells[:3], cell, *([""] * (len(cells) - 4))]


def packed(data: bytes, ending: str, at: int = 100) -> bytes:
    """Bytes in two members, packed as the ending of a name says."""
    parts = data[:at], data[at:]
    for known, module in ((".gz", gzip), (".bz2", bz2), (".xz", lzma)):
        if ending == known:
            return b"".join(map(module.compress, parts))
    return b"".join(map(zstandard.ZstdCompressor().compress, parts)) if ending else data


# --- typed columns --------------------------------------------------------------------------------

TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
INTEGER_TYPES = [
    pa.int32(),
    pa.int64(),
    pa.float64(),
    pa.decimal128(12, 0),
    pa.decimal128(14, 2),
    pa.string(),
]
DECIMAL_TYPES = [pa.decimal128(10, 2), pa.decimal128(38, 4), pa.decimal256(50, 2), pa.float64(), pa.string()]
UNITS = {"s": 1_000_000, "ms": 1000, "us": 1, "ns": 1}


def write_typed(table: pa.Table, path: Path, size: int) -> None:
    """Writes a table as the ending of its name says, in groups of rows."""
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=size)
    else:
        feather.write_feather(table, str(path), chunksize=size)


@dataclass(frozen=True)
class TypedTable:
    """A table with typed columns, and the declaration that reads it."""

    table: pa.Table
    rows: Sequence[TableRow]
    declared: str


@st.composite
def typed_tables(draw: st.DrawFn) -> TypedTable:
    """Tables of all types of columns."""
    unit = draw(st.sampled_from([*UNITS]))
    found = draw(rows(ANY, UNITS[unit]))
    decimals = [None if row.hundredths is None else Decimal(row.hundredths) / 100 for row in found]
    kinds = [draw(st.sampled_from(types)) for types in (TEXT_TYPES, INTEGER_TYPES, DECIMAL_TYPES)]
    times, form = draw(_typed_times(found, unit))
    arrays = [
        _array([row.text for row in found], kinds[0]),
        _array([row.number for row in found], kinds[1]),
        _array(decimals, kinds[2]),
        *times,
    ]
    names = draw(st.permutations(NAMES))[: len(arrays)]
    text, number, decimal, *at = map(column_text, names)
    declared = f"r(text({text}), {number}, {decimal}) at {' + '.join(at)}{form}"
    return TypedTable(pa.table(arrays, names), found, declared)


@st.composite
def _typed_times(draw: st.DrawFn, found: Sequence[TableRow], unit: str) -> tuple[list[pa.Array], str]:
    """Columns with the times of rows, and what is declared of them."""
    seconds = [Decimal(row.since_epoch // timedelta(microseconds=1)) / 1_000_000 for row in found]
    kind = draw(st.sampled_from(["local", "zoned", "zoned", "joined", "seconds", "milliseconds", "text"]))
    match kind:
        case "local":
            return [pa.array([row.at for row in found], pa.timestamp(unit))], ""
        case "zoned":
            zone = draw(st.sampled_from(["UTC", "Europe/Vienna", "+05:30"]))
            moments = pa.array([EPOCH + row.since_epoch for row in found], pa.timestamp(unit))
            return [moments.cast(pa.timestamp(unit, zone))], ""
        case "joined":
            days = pa.array([row.at.date() for row in found], pa.date32())
            return [days, pa.array([row.at.time() for row in found], pa.time64("us"))], ""
        case "seconds":
            return [pa.array(seconds, pa.decimal128(20, 6))], ' "%s"'
        case "milliseconds":
            return [pa.array([second * 1000 for second in seconds], pa.decimal128(20, 3))], ' "%Q"'
        case _:
            return [pa.array([row.at.isoformat(" ") for row in found], pa.string())], ""


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode()
    if pa.types.is_string(kind):
        return pa.array([None if value is None else str(value) for value in values], kind)
    if pa.types.is_floating(kind):
        return pa.array([None if value is None else float(value) for value in values], kind)
    if pa.types.is_decimal(kind):
        return pa.array([None if value is None else Decimal(value) for value in values], kind)
    return pa.array(values, kind)
