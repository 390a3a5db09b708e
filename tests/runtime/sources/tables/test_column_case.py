"""Columns of tables and frames ignore case, the exact name first; JSON fields are exact."""

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from pyarrow import dataset, feather, parquet

from lars2asp import ProgramError, Reasoner
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.arrow.frames import read_frame
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.live_tables import LiveTables
from lars2asp.runtime.sources.records import Line, Rejected, refuse
from lars2asp.runtime.sources.tables.wanted_columns import with_names
from lars2asp.syntax.column_places import has_column, place_of
from lars2asp.syntax.parser import parse_input_declaration

PROGRAM = "#input p(room, int(Level)) at ts."
HEADER = ["TS", "Room", "level"]
ROWS = [(1, "a", 7), (2, "b", 8)]
EXPECTED = [(1, ("a", 7)), (2, ("b", 8))]


def csv_text(header: list[str], rows: list[tuple[Any, ...]]) -> str:
    return "".join(",".join(map(str, row)) + "\n" for row in (header, *rows))


def table(header: list[str] = HEADER) -> pa.Table:
    return pa.table([pa.array(column) for column in zip(*ROWS, strict=True)], names=header)


def told(path: Path, program: str = PROGRAM) -> list[tuple[int, Any]]:
    """The facts of a file, by records and in columns."""
    reading = Reasoner.from_text(program).reading
    with FileInput(str(path), reading, refuse) as source:
        found = [*source.records()]
    with FileInput(str(path), reading, refuse) as source:
        assert [one for block in source.blocks() for one in block] == found
    return [(one.tick, one.events.facts[0].rows[0]) for one in found]


def of_frame(frame: object, program: str = PROGRAM) -> list[tuple[int, Any]]:
    records = read_frame(frame, Reasoner.from_text(program).reading)
    return [(one.tick, one.events.facts[0].rows[0]) for one in records]


@given(
    st.lists(st.sampled_from(["a", "A", "b", "B", "ß", "SS", "", "c"]), max_size=5),
    st.sampled_from(["a", "A", "b", "ss", "c", "C"]),
)
def test_the_exact_name_counts_first(header: list[str], name: str) -> None:
    exact = [place for place, one in enumerate(header) if one == name]
    found = exact or [place for place, one in enumerate(header) if one.casefold() == name.casefold()]
    assert has_column(name, header) == bool(found)
    if len(found) == 1:
        assert place_of(name, header) == found[0]
    else:
        with pytest.raises(LookupError, match="column") as raised:
            place_of(name, header)
        if len(found) > 1 and not exact:
            assert all(repr(header[place]) in str(raised.value) for place in found)


def test_files(tmp_path: Path) -> None:
    for name, sign in (("x.csv", ","), ("x.tsv", "\t"), ("x.txt", ";")):
        (tmp_path / name).write_text("# made\n\n" + csv_text(HEADER, ROWS).replace(",", sign))
        assert told(tmp_path / name) == EXPECTED
    parquet.write_table(table(), tmp_path / "x.parquet")
    feather.write_feather(table(), tmp_path / "x.feather")
    for name in ("x.parquet", "x.feather"):
        assert told(tmp_path / name) == EXPECTED
        assert told(tmp_path / name, "#input p(room, int(Level) or 0) at ts.") == EXPECTED


def test_the_columns_that_are_meant(tmp_path: Path) -> None:
    """Of two the exact one; where none is exact, both are named."""
    path = tmp_path / "x.csv"
    path.write_text("room,ts,ROOM\na,1,b\n")
    assert told(path, "#input p(ROOM) at TS.") == [(1, ("b",))]
    reason = (
        "no column 'Room' for #input p, and 'room' and 'ROOM' differ only in case: "
        "write column(1) or column(3)"
    )
    with pytest.raises(InputError, match=re.escape(reason)):
        told(path, "#input p(Room) at ts.")
    parquet.write_table(pa.table({"room": ["a"], "ts": [1], "ROOM": ["b"]}), tmp_path / "x.parquet")
    with pytest.raises(InputError, match=re.escape(reason)):
        told(tmp_path / "x.parquet", "#input p(Room) at ts.")
    assert told(tmp_path / "x.parquet", "#input p(ROOM) at ts.") == [(1, ("b",))]


def test_frames() -> None:
    arrow = table()
    pandas = arrow.to_pandas()
    for frame in (
        *(arrow, arrow.to_batches()[0], arrow.to_reader(), dataset.dataset(arrow), pl.from_arrow(arrow)),
        *(duckdb.sql("select * from arrow"), pandas, pandas.set_index("TS"), pandas.set_index("Room")),
    ):
        assert of_frame(frame) == EXPECTED
    for frame in (table(["ts", "ROOM", "room"]), table(["ts", "ROOM", "room"]).to_pandas()):
        assert of_frame(frame, "#input p(ROOM, room) at TS.") == EXPECTED
        with pytest.raises(InputError, match="'ROOM' and 'room' differ only in case"):
            of_frame(frame, "#input p(Room) at ts.")
    for frame in (arrow, pandas):
        with pytest.raises(InputError, match="no column 'rooms'"):
            of_frame(frame, "#input p(rooms) at ts.")
        assert of_frame(frame, '#input p(room or "none") at ts.') == [(1, ("a",)), (2, ("b",))]


def test_fields_of_structs() -> None:
    rows = [{"TS": 1, "Sensor": {"Id": "a", "At": {"x": 7}}}]
    for frame in (pa.Table.from_pylist(rows), pd.DataFrame(rows), pl.DataFrame(rows)):
        assert of_frame(frame, "#input p(sensor.id, sensor.at.X) at ts.") == [(1, ("a", 7))]
        with pytest.raises(InputError, match=r"no column '[sS]ensor\.name'"):
            of_frame(frame, "#input p(sensor.name) at ts.")
    both = pa.Table.from_pylist([{"ts": 1, "s": {"id": "a", "ID": "b"}}])
    assert of_frame(both, "#input p(s.ID) at ts.") == [(1, ("b",))]
    with pytest.raises(InputError, match=r"no column 's\.Id'"):
        of_frame(both, "#input p(s.Id) at ts.")


def test_a_row_is_filled_by_other_columns_than_its_time() -> None:
    """Whatever the case of the time: a value in place of a missing one stands in rows with a value only."""
    frame = pa.table({"TS": [1, 2], "x": pa.array([None, None], pa.string()), "y": ["k", None]})
    for one in (frame, frame.to_pandas()):
        records = [*read_frame(one, Reasoner.from_text('#input p(X or "none") at ts.').reading)]
        facts = [(record.tick, [*record.events.facts]) for record in records]
        assert [(tick, bool(atoms)) for tick, atoms in facts] == [(1, True), (2, False)]


def test_live_tables() -> None:
    reading = Reasoner.from_text(PROGRAM).reading
    tables = LiveTables(reading, refuse, is_one_text=True)
    lines = csv_text(HEADER, ROWS).splitlines()
    found = [one for number, line in enumerate(lines, 1) for one in tables.records(Line("s", number, line))]
    assert [(one.tick, one.events.facts[0].rows[0]) for one in found] == EXPECTED


def test_a_time_of_arrival_is_not_taken_where_there_is_a_column_for_it(tmp_path: Path) -> None:
    declaration = parse_input_declaration("p(x) at time")
    assert with_names(declaration, ["Time", "X"], "t").times == ("Time",)


def test_json_fields_are_exact(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f"{json.dumps(dict(zip(HEADER, row, strict=True)))}\n" for row in ROWS))
    rejected: list[Rejected] = []
    reading = Reasoner.from_text(PROGRAM).reading
    with FileInput(str(path), reading, rejected.append) as source:
        assert not [one for one in source.records() if one.events.facts]
    path.write_text('{"ts": 1, "X": 5}\n' * 3)
    for text in ('#input p(x or "none", X) at ts.', '#input p(x or "none") at ts. #input q(X) at ts.'):
        with FileInput(str(path), Reasoner.from_text(text).reading, refuse) as source:
            for record in source.records():
                rows = [row for _, rows in record.events.facts for row in rows]
                assert rows in ([("none", 5)], [(5,)])


def test_background_tables(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(csv_text(HEADER, ROWS))
    parquet.write_table(table(), tmp_path / "x.parquet")
    book = Workbook()
    assert book.active is not None
    for row in (["made on Monday"], HEADER, *ROWS):
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    for name in ("x.csv", "x.parquet", "x.xlsx"):
        program = f'#table p(room, LEVEL) from "{tmp_path / name}". a(R,L) :- p(R,L).'
        [answer] = Reasoner.from_text(program).run([(1, ["q"])])
        assert sorted(answer.holds.texts) == ['a("a",7)', 'a("b",8)']
    (tmp_path / "x.csv").write_text("room,ROOM\na,b\n")
    with pytest.raises(ProgramError, match="'room' and 'ROOM' differ only in case"):
        Reasoner.from_text(f'#table p(Room) from "{tmp_path / "x.csv"}". a(R) :- p(R).')
