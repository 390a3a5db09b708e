"""Records that come in columns are those that come by themselves, and the same is rejected between them."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lars2asp.compiler import compile_program
from lars2asp.runtime.sources.arrow import arrow_rows
from lars2asp.runtime.sources.files import FileInput
from lars2asp.runtime.sources.json import jsonl
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.reordering import Reordering, Watermark
from lars2asp.runtime.sources.text import numbered_lines
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.source import Source
from tests.support.examples import number_of_examples

EXAMPLES = number_of_examples(40)

PROGRAM = """
#tick 1 sec.
#timezone "Europe/Vienna".
#decimals temp(_,1).
#input temp(room, value) at ts.
#input seen(room, text(id)) at ts.
a :- temp(R,T), T > 20.0, seen(R,_).
"""

OF_JSON = "#input dew(room, dew*10, number(dew) or missing) at ts.\n"
"""Records may lack fields, the rows of a table do not."""

Told = list[str]


def read(path: Path, *, in_columns: bool, lateness: int | None) -> tuple[Told, int]:
    """The records of a file and what is rejected, in their order; and how many came in columns."""
    plan = compile_program(Source("rooms.lars", PROGRAM + OF_JSON * (path.suffix == ".jsonl")))
    reading = Reading(timeline=Timeline.of(plan), declarations=plan.inputs, decimals=plan.decimals)
    told: Told = []
    number = 0

    def reject(one: Rejected) -> None:
        told.append(f"rejected {one}: {one.origin.text}")

    def counted(blocks: Iterator[Iterable[Record]]) -> Iterator[Iterable[Record]]:
        nonlocal number
        for block in blocks:
            number += len(block) if isinstance(block, RecordColumns) else 0
            yield block

    with FileInput(str(path), reading, reject) as source:
        blocks = counted(source.blocks()) if in_columns else None
        order = Reordering(lateness or 0, reject)
        if lateness is None:
            records = source.records() if blocks is None else chain.from_iterable(blocks)
            items: Iterator[Record | Watermark] = iter(records)
        elif blocks is None:
            items = order.moving(source.records())
        else:
            items = order.each(order.moving_columns(blocks))
        for item in items:
            if isinstance(item, Record):
                tick, events, origin = item
                told.append(f"{tick} {events} {origin and (origin.source, origin.line, origin.text)}")
    return told, number


ODD = st.sampled_from(
    [
        "",
        " ",
        "5",
        "-0",
        "0.05",
        "1e3",
        "99999999999999999999",
        "nan",
        "x;y",
        '"',
        '"a,b"',
        "a\\n",
        "Küche",
        "NA",
        "#",
        "\x0b",
    ]
)
PLAIN = st.sampled_from(["hall", "kitchen", "21", "20.5", "-3", "0"])
ROW = st.tuples(
    st.integers(0, 400),
    st.sampled_from(["hall", "Küche", "u1"]),
    st.sampled_from(["20", "21.5", "-0.1"]),
    st.integers(0, 99),
)


def stamp(second: int) -> str:
    """A time on the day on which clocks go back, about when they do."""
    return f"2026-10-25T{2 + second // 60 % 3:02}:{second % 60:02}:07"


@st.composite
def csv_lines(draw: st.DrawFn) -> str:
    """A table; with some luck it has an odd cell, a row with another number of cells, or a blank line."""
    lines = ["ts,room,value,id"]
    for row in draw(st.lists(ROW, min_size=1, max_size=12)):
        cells = [stamp(row[0]), row[1], row[2], str(row[3])]
        if draw(st.integers(0, 7)) == 0:
            cells[draw(st.integers(0, 3))] = draw(ODD | PLAIN)
        if draw(st.integers(0, 29)) == 0:
            cells = cells[: draw(st.integers(0, 3))]
        lines.append(",".join(cells))
    return "\n".join(lines) + draw(st.sampled_from(["\n", ""]))


@st.composite
def json_lines(draw: st.DrawFn) -> str:
    """Records of several shapes; with some luck one of them is odd."""
    lines = []
    rows = draw(st.lists(ROW, min_size=1, max_size=12))
    for row in sorted(rows) if draw(st.booleans()) else rows:
        if draw(st.integers(0, 9)) == 0:
            lines.append(f'{{"time": "{stamp(row[0])}Z", "facts": ["opened({row[3]})"]}}')
        fields = {"ts": f'"{stamp(row[0])}Z"', "room": f'"{row[1]}"', "value": row[2], "id": str(row[3])}
        if draw(st.booleans()):
            del fields[draw(st.sampled_from(["value", "id"]))]
        if draw(st.integers(0, 3)) == 0:
            fields["dew"] = draw(st.sampled_from(["10.25", "10.5", "9", "9.0", "null", '"9.5"']))
        if draw(st.integers(0, 5)) == 0:
            more = [
                "null",
                "true",
                "1.0",
                "21.50",
                "0.1000000000000000055",
                "20.0000000000000000001",
                "2.05e1",
                "1e999",
                "-0.0",
                "-0",
                '"-0"',
                '"5"',
                "[1]",
                '{"b": 1}',
                '"a\\n"',
                "20000000000000000000",
                "01",
                '""',
            ]
            fields[draw(st.sampled_from(["ts", "room", "value", "dew", "id", "more", "facts"]))] = draw(
                st.sampled_from(more)
            )
        lines.append("{" + ", ".join(f'"{name}": {value}' for name, value in fields.items()) + "}")
    return "\n".join(lines) + draw(st.sampled_from(["\n", "", "\n\n"]))


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_the_same_is_read(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in a file, however much is read at once, and by how much records may be late."""
    path, in_columns = tmp_path / f"rooms.{suffix}", 0

    @settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(
        csv_lines() if suffix == "csv" else json_lines(),
        st.sampled_from([50, 200, 2**20]),
        st.sampled_from([1, 3, 1000]),
        st.sampled_from([None, 0, 30, 600]),
    )
    def hold(text: str, piece: int, together: int, lateness: int | None) -> None:
        nonlocal in_columns
        note(text)
        monkeypatch.setattr(jsonl, "TOGETHER", together)
        monkeypatch.setattr(jsonl, "FEWEST_IN_COLUMNS", 10**9)
        monkeypatch.setattr(numbered_lines, "LARGE_PIECE", piece)
        monkeypatch.setattr(numbered_lines, "PIECE", piece)
        path.write_text(text)
        found, number = read(path, in_columns=True, lateness=lateness)
        assert found == read(path, in_columns=False, lateness=lateness)[0]
        monkeypatch.setattr(jsonl, "FEWEST_IN_COLUMNS", 1)
        assert found == read(path, in_columns=False, lateness=lateness)[0]
        in_columns += number

    hold()
    assert in_columns


@pytest.mark.parametrize("place", range(8))
def test_columns_behind_a_record_of_other_facts_that_waits(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records in order are not late, also where those of a block lie further apart than the lateness."""
    path = tmp_path / "rooms.jsonl"
    lines = [f'{{"ts": "{stamp(20 * row)}Z", "room": "hall", "value": 2}}' for row in range(16)]
    lines.insert(place, f'{{"time": "{stamp(20 * place)}Z", "facts": ["opened(hall)"]}}')
    path.write_text("\n".join(lines))
    monkeypatch.setattr(numbered_lines, "LARGE_PIECE", 300)
    monkeypatch.setattr(numbered_lines, "PIECE", 300)
    found, _ = read(path, in_columns=True, lateness=30)
    assert found == read(path, in_columns=False, lateness=30)[0]
    assert len(found) == 17


def test_the_same_is_read_of_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typed columns, of which cells may be missing or wrong."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path, in_columns = tmp_path / "rooms.parquet", 0

    @settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(
        st.lists(ROW, min_size=1, max_size=12),
        st.booleans(),
        st.sampled_from(["ts", "room", "value", "id", ""]),
        st.none() | ODD | PLAIN,
        st.sampled_from([1, 3, 20]),
        st.sampled_from([None, 0, 30, 600]),
    )
    def hold(
        rows: list[tuple[int, str, str, int]],
        are_numbers: bool,
        odd: str,
        cell: str | None,
        at_once: int,
        lateness: int | None,
    ) -> None:
        nonlocal in_columns
        monkeypatch.setattr(arrow_rows, "ROWS_AT_ONCE", at_once)
        columns: dict[str, list[str | float | int | None]] = {
            "ts": [stamp(row[0]) for row in rows],
            "room": [row[1] for row in rows],
            "value": [float(row[2]) if are_numbers else row[2] for row in rows],
            "id": [row[3] if are_numbers else str(row[3]) for row in rows],
        }
        if odd and (cell is None or isinstance(columns[odd][0], str)):
            columns[odd][len(rows) // 2] = cell
        parquet.write_table(pa.table(columns), path)
        found, number = read(path, in_columns=True, lateness=lateness)
        assert found == read(path, in_columns=False, lateness=lateness)[0]
        monkeypatch.setattr(jsonl, "FEWEST_IN_COLUMNS", 1)
        assert found == read(path, in_columns=False, lateness=lateness)[0]
        in_columns += number

    hold()
    assert in_columns


@pytest.mark.parametrize("place", range(4, 12))
def test_late_records_are_told_by_the_record_that_leapt(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it stands among those that come together with it."""
    path = tmp_path / "rooms.jsonl"
    seconds = [*range(0, 2 * place, 2), *range(10**6, 10**6 + 12, 2), *range(2 * place, 2 * place + 60, 2)]
    times = [(datetime(2026, 1, 1) + timedelta(seconds=second)).isoformat() for second in seconds]
    lines = [f'{{"ts": "{time}Z", "room": "hall", "value": 2}}' for time in times]
    path.write_text("\n".join(lines))
    monkeypatch.setattr(numbered_lines, "LARGE_PIECE", 500)
    found, number = read(path, in_columns=True, lateness=1)
    assert found == read(path, in_columns=False, lateness=1)[0]
    assert number == len(lines)
    late = [one for one in found if one.startswith("rejected")]
    assert len(late) == 30
    assert f"rooms.jsonl:{place + 1}) is " in late[-1]


@pytest.mark.parametrize(
    "halves",
    [
        ('{"ts": "%s", "room": "hall"', '"value": 4}'),
        ('{"ts": "%s", "room": "hall", "value": 4, "more": [{}', "{}]}"),
        ('{"ts": "%s", "more": {"a": 1}, "room": "hall"', '{"value": 4}}'),
    ],
)
def test_lines_are_not_taken_together_that_are_no_objects_alone(
    halves: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line with two objects makes up for two lines that would be one object."""
    monkeypatch.setattr(numbered_lines, "PIECE", 2**20)
    monkeypatch.setattr(jsonl, "FEWEST_IN_COLUMNS", 10**9)
    path = tmp_path / "rooms.jsonl"
    whole = '{"ts": "%s", "room": "hall", "value": 2}'
    lines = [whole, whole, f"{whole}, {whole}", *halves, whole]
    path.write_text("".join(line.replace("%s", f"{stamp(0)}Z") + "\n" for line in lines))
    found, _ = read(path, in_columns=True, lateness=None)
    assert found == read(path, in_columns=False, lateness=None)[0]
    assert len([one for one in found if one.startswith("rejected")]) == 3
