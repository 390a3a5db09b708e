"""Random tables come back: what they say is read, and what cannot be read is refused where it stands."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.parser import parse_input_declaration
from lars2asp.syntax.source import shown
from tests.support.examples import number_of_examples
from tests.support.tables import (
    ANY,
    EPOCH,
    VIENNA,
    DirtyRow,
    TableRow,
    TextTable,
    TypedTable,
    dirty_rows,
    packed,
    text_tables,
    typed_tables,
    write_typed,
)

GERMAN = st.sampled_from("abcÄÖÜäöüß \t\n\r;,|\"'x7.%")
"""Characters by whose bytes an encoding is found out."""

FOUND_OUT = [(name, ANY) for name in ("utf-8", "utf-8-sig", "utf-16", "utf-32")]
FOUND_OUT += [(name, GERMAN) for name in ("cp1252", "utf-16-le", "utf-16-be")]
GIVEN = [
    (name, st.characters(codec=name, exclude_characters="\0"))
    for name in ("latin-1", "cp1250", "utf-16-be", "utf-8")
]

a_few = settings(
    max_examples=number_of_examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@a_few
@given(
    data=st.data(),
    is_given=st.booleans(),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    packing=st.sampled_from(["", ".gz", ".zst"]),
)
def test_text(tmp_path: Path, data: st.DataObject, is_given: bool, end: str, packing: str) -> None:
    """Whatever the encoding, delimiter, quotes, formats of times and signs of numbers, and packed or not."""
    encoding, characters = data.draw(st.sampled_from(GIVEN if is_given else FOUND_OUT))
    table = data.draw(text_tables(characters, end, encoding))
    path = tmp_path / f"t.csv{packing}"
    path.write_bytes(packed(table.text().encode(encoding), packing))
    begin = _day_before(table.rows)
    records, rejected = _read(path, _reading(table.declared, begin, encoding if is_given else None))
    assert rejected == []
    assert _facts(records) == _expected(table.rows, begin)


@a_few
@given(typed_tables(), st.sampled_from([".parquet", ".feather"]), st.integers(1, 4))
def test_typed_columns(tmp_path: Path, table: TypedTable, ending: str, group_size: int) -> None:
    """Whatever the types of text, numbers and times."""
    path = tmp_path / f"t{ending}"
    write_typed(table.table, path, group_size)
    begin = _day_before(table.rows)
    records, rejected = _read(path, _reading(table.declared, begin))
    assert rejected == []
    assert _facts(records) == _expected(table.rows, begin, are_typed=True)


@a_few
@given(st.data(), text_tables(ANY, "\n"))
def test_what_is_refused(tmp_path: Path, data: st.DataObject, table: TextTable) -> None:
    """It is told by its row and its column, with the same reason for text in CSV and in Parquet."""
    rows = data.draw(dirty_rows(table))
    begin = _day_before(table.rows)
    reading = _reading(table.declared, begin)
    facts = _expected([row.says for row in rows if row.says is not None], begin)

    lines = [table.line(table.names), *(table.line(row.cells) for row in rows)]
    (tmp_path / "t.csv").write_bytes("".join(lines).encode())
    records, rejected = _read(tmp_path / "t.csv", reading)
    assert _facts(records) == facts
    wrong = [(place, row) for place, row in enumerate(rows, start=1) if row.wrong is not None]
    assert [one.origin.line for one in rejected] == [
        1 + _line_ends("".join(lines[:place])) for place, _ in wrong
    ]
    for one, (_, row) in zip(rejected, wrong, strict=True):
        assert one.reason.startswith(_where(table, row))

    whole = [row for row in rows if row.wrong != -1]
    columns = zip(*(row.cells for row in whole), strict=True)
    arrays = [
        pa.array([cell if cell.strip() else None for cell in column], pa.string()) for column in columns
    ]
    write_typed(pa.table(arrays, [*table.names]), tmp_path / "t.parquet", 3)
    records, again = _read(tmp_path / "t.parquet", reading)
    assert _facts(records) == facts
    assert [one.origin.line for one in again] == [
        place for place, row in enumerate(whole, start=1) if row.wrong is not None
    ]
    assert [one.reason for one in again] == [
        one.reason for one, (_, row) in zip(rejected, wrong, strict=True) if row.wrong != -1
    ]


Fact = tuple[int, tuple[object, ...] | None]
"""A tick, and the arguments of the fact at it, if there is one."""


def _reading(declared: str, begin: datetime, encoding: str | None = None) -> Reading:
    """A tick is a millisecond."""
    return Reading(
        timeline=Timeline(1000, origin=begin.replace(tzinfo=UTC), zone=VIENNA),
        declarations=[parse_input_declaration(declared)],
        decimals={Signature("r", 3): (0, 0, 2)},
        encoding=encoding,
    )


def _day_before(rows: Sequence[TableRow]) -> datetime:
    return EPOCH + min(row.since_epoch for row in rows) - timedelta(days=1)


def _read(path: Path, reading: Reading) -> tuple[list[Record], list[Rejected]]:
    rejected: list[Rejected] = []
    with FileInput(str(path), reading, rejected.append) as source:
        return list(source.records()), rejected


def _facts(records: Sequence[Record]) -> list[Fact]:
    found: list[Fact] = []
    for record in records:
        rows = [row for atoms in record.events.facts for row in atoms.rows]
        found.append((record.tick, rows[0] if rows else None))
        assert len(rows) <= 1
    return found


def _expected(rows: Sequence[TableRow], begin: datetime, *, are_typed: bool = False) -> list[Fact]:
    since = begin - EPOCH
    return [
        (
            (row.since_epoch - since) // timedelta(milliseconds=1),
            row.typed_arguments if are_typed else row.arguments,
        )
        for row in rows
    ]


def _line_ends(text: str) -> int:
    return len(re.findall("\r\n|\r|\n", text))


def _where(table: TextTable, row: DirtyRow) -> str:
    """How the reason begins for which a row is refused."""
    if row.wrong == -1:
        cells = "1 cell" if len(row.cells) == 1 else f"{len(row.cells)} cells"
        return f"the row has {cells}, but the header has {len(table.names)}"
    assert row.wrong is not None
    names = table.names[3:] if row.wrong == 3 else [table.names[row.wrong]]
    return f"column {shown(' + '.join(names))}: "
