"""Columns that `#input` and `#table` name by their places: `column(3)`."""

import pickle
import re
from dataclasses import replace
from heapq import merge
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from lars2asp import ProgramError, Reasoner
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.arrow.frames import read_frame
from lars2asp.runtime.sources.files import FileInput, read_file
from lars2asp.runtime.sources.live_tables import LiveTables
from lars2asp.runtime.sources.records import Line, Rejected, refuse
from lars2asp.syntax.column_places import ColumnPlace, place_of
from lars2asp.syntax.parser import parse, read_sources
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source

BY_PLACE = "#input p(column(2), text(column(3))) at column(1)."
ROWS = "1,20,a\n2,21,b\n3,22,c\n"
EXPECTED = [(1, (20, "a")), (2, (21, "b")), (3, (22, "c"))]


def facts(path: Path, program: str, told: list[Rejected] | None = None) -> list[tuple[int, object]]:
    """The ticks and facts of a file: half of them in a run that goes on, and the same in columns."""
    reading = Reasoner.from_text(program).reading
    on_reject = refuse if told is None else told.append
    with FileInput(str(path), reading, on_reject) as source:
        records = source.records()
        found = [next(records)]
        state = source.state()
    with FileInput(str(path), reading, on_reject) as source:
        source.restore(state)
        found += source.records()
    with FileInput(str(path), reading, lambda _: None) as source:
        assert [one for block in source.blocks() for one in block] == found
    return [(one.tick, one.events.facts[0].rows[0]) for one in found if one.events.facts]


@pytest.mark.parametrize(
    "head",
    [
        "t,2020,2021\n",  # names that look like numbers
        "t,x,x\n",  # that repeat themselves
        "t,,\n",  # that are missing
        "t,column(3),y\n",  # and one that looks like a place
        "",
        "made on Monday\n\nt,2020,2021\n",
    ],
)
def test_columns_are_named_by_their_places_whatever_the_header_says(tmp_path: Path, head: str) -> None:
    path = tmp_path / "x.csv"
    for sign in ",;\t":
        path.write_text((head + ROWS).replace(",", sign))
        assert facts(path, BY_PLACE) == EXPECTED


def test_places_and_names_stand_together(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("t,x,x\n" + ROWS)
    assert facts(path, "#input p(column(2), text(column(3))) at t.") == EXPECTED
    path.write_text("1 Feb 2026,2020,20:00\n2 Feb 2026,7,21:00\n")
    program = '#tick 1 day. #timezone "UTC". #input p(column(2)) at column(1) + column(3) "%d %b %Y %H:%M".'
    assert [value for _, value in facts(path, program)] == [(2020,), (7,)]
    path.write_text("day,2020,clock\n2 Feb 2026,7,21:00\n3 Feb 2026,8,21:00\n")
    assert [value for _, value in facts(path, program)] == [(7,), (8,)]


@pytest.mark.parametrize(
    ("format", "times"),
    [
        ("%a %b %d %H:%M:%S %Z %Y", ["Thu Jan 15 07:00:00 CET 2026", "Thu Jan 15 07:00:01 CET 2026"]),
        ("%Y-%m-%d %H:%M:%S.%f %Z", ["2026-01-15 07:00:00.0 CET", "2026-01-15 07:00:01.5 CET"]),
        ("at %s", ["at 1768456800", "at 1768456801"]),
        ("%s", ["1.7684568e9", "1768456801"]),
        ("", ["2026-01-15T06:00:00Z", "2026-01-15T06:00:01Z"]),
    ],
)
@pytest.mark.parametrize("row", ["a,x", '"a\nb",x', '"a,b",""'])
def test_the_first_row_of_a_table_without_a_header_is_not_lost(
    tmp_path: Path, format: str, times: list[str], row: str
) -> None:
    """Whatever is in its cells, and whatever clocks are called."""
    path = tmp_path / "x.csv"
    path.write_text("".join(f"{time},{row}\n" for time in times))
    form = f' "{format}"' if format else ""
    head = '#tick 1 sec. #timezone "Europe/Vienna". #input p(text('
    for declared in (f"column(2))) at column(1){form}.", f"column2)) at column1{form}."):
        assert [tick for tick, _ in facts(path, head + declared)] == [1768456800, 1768456801]


def test_a_first_row_whose_time_names_no_moment_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("2026-02-30,a\n2026-03-01,b\n2026-03-02,c\n")
    program = '#tick 1 day. #timezone "UTC". #input p(column(2)) at column(1) "%Y-%m-%d".'
    told = list[Rejected]()
    assert [value for _, value in facts(path, program, told)] == [("b",), ("c",)]
    assert "day is out of range for month" in told[0].reason


def test_a_name_that_columns_share_has_the_places_in_its_message(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("t,x,x\n" + ROWS)
    with pytest.raises(InputError, match=r"more than one column 'x' .*: write column\(2\) or column\(3\)"):
        facts(path, "#input p(x) at t.")
    with pytest.raises(InputError, match=r"no column\(4\) for #input p; the columns are 't', 'x', 'x'"):
        facts(path, "#input p(column(4)) at t.")


def test_a_column_named_as_a_place_is_another_column() -> None:
    assert ColumnPlace.of(3) != "column(3)"
    assert pickle.loads(pickle.dumps(ColumnPlace.of(3))) == ColumnPlace.of(3)
    assert place_of("column(3)", ["a", "column(3)", "b"]) == 1
    assert place_of(ColumnPlace.of(3), ["a", "column(3)", "b"]) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#input p(column(0)) at column(1).", "columns are counted from 1"),
        ("#input p(spalte(2)) at column(1).", "spalte(2) is not a column"),
        ("#input p(x) at t records each column(2).", "unexpected (, expected '.'"),
        ('#input p(column(2)) from "{x} {y}" at x.', "the pattern has no place {column(2)}"),
    ],
)
def test_what_is_not_a_place(text: str, reason: str) -> None:
    with pytest.raises(ProgramError, match=re.escape(reason)):
        Reasoner.from_text(text)


def test_a_declaration_is_printed_as_it_is_read() -> None:
    text = (
        '#input p(column(2), time(column(1) + column(4)), number(column(3), ",")) at column(1) + "column(1)".'
    )
    found = to_text(parse(Source("p", text)).statements[0])
    assert "column(2), time(column(1) + column(4)), number(column(3)" in found
    assert found.endswith('at column(1) + "column(1)".')
    assert parse(Source("p", found)) == parse(Source("p", text))


def test_typed_tables_have_places(tmp_path: Path) -> None:
    table = pa.table({"t": [1, 2, 3], "2020": [20, 21, 22], "z": ["a", "b", "c"]})
    parquet.write_table(table, tmp_path / "x.parquet")
    feather.write_feather(table, tmp_path / "x.feather")
    for name in ("x.parquet", "x.feather"):
        assert facts(tmp_path / name, BY_PLACE) == EXPECTED
    reading = Reasoner.from_text(BY_PLACE).reading
    for frame in (table, table.to_pandas()):
        read = [(one.tick, one.events.facts[0].rows[0]) for one in read_frame(frame, reading)]
        assert read == EXPECTED
    with pytest.raises(InputError, match=r"column\(2\) and another column are both called 'x': rename one"):
        [*read_frame(pd.DataFrame([[1, 2, 3]], columns=["t", "x", "x"]), reading)]


@pytest.mark.parametrize("head", ["t,2020,2020\n", ""])
def test_live_tables_have_places(head: str) -> None:
    tables = LiveTables(Reasoner.from_text(BY_PLACE).reading, refuse, is_one_text=True)
    found = []
    for again in (0, 3):  # a source that begins again
        for number, text in enumerate(f"{head}{ROWS}".splitlines(), start=1):
            found += tables.records(Line("s", number, text))
        assert [(one.tick, one.events.facts[0].rows[0]) for one in found[again:]] == EXPECTED


def test_of_several_inputs_places_count_where_no_names_do(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("t,2020,z\n" + ROWS)
    (tmp_path / "b.csv").write_text("time,n\n1,7\n")
    (tmp_path / "c.jsonl").write_text('{"time": 2, "n": 8}\n')
    reasoner = Reasoner.from_text(f"{BY_PLACE} #input q(n) at time. r(N) :- q(N). s(N) :- p(N,_).")
    paths = [str(tmp_path / name) for name in ("a.csv", "b.csv", "c.jsonl")]
    reading = replace(reasoner.reading, is_of_several=True)
    records = merge(*(read_file(path, reading) for path in paths), key=lambda one: one.tick)
    told = [(one.tick, [str(a.signature) for a in one.events.facts]) for one in records]
    assert told == [(1, ["p/2"]), (1, ["q/1"]), (2, ["p/2"]), (2, ["q/1"]), (3, ["p/2"])]


def test_json_records_have_no_places(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"t": 1}\n')
    with pytest.raises(
        InputError, match=r"column\(2\) is the position of a column, but JSON fields have names"
    ):
        facts(path, BY_PLACE)


def test_background_tables_have_places(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,a,b\n1,2,x\n")
    parquet.write_table(pa.table({"a": [1], "b": [2], "c": ["x"]}), tmp_path / "x.parquet")
    for name in ("x.csv", "x.parquet"):
        program = tmp_path / "x.lars"
        program.write_text(f'#table p(column(2), column(3)) from "{name}".')
        assert [to_text(one) for one in parse(*read_sources([program])).statements] == ['p(2,"x").']
