"""Data frames as input: columns by their types, missing values, rows that are not valid."""

import csv
import io
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import InputError, Reading, Reasoner, Rejected, TimeUnit, read_file, read_frame
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.sources.arrow import arrow_rows, frames
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import refuse
from lars2asp.runtime.sources.times.timeline import Timeline

PROGRAM = """
    #tick 1 min. #timezone "Europe/Vienna".
    #input reading(room, temp*10) at ts.
    hot(R) :- reading(R,T), T > 250.
    warm(R) :- hot(R) in [2 min].
    #show hot/1. #show warm/1.
"""
START = "2026-02-01 14:05"
READINGS = pd.DataFrame(
    {
        "ts": pd.date_range(START, periods=6, freq="min"),
        "room": ["k", "h", "k", None, "h", "k"],
        "temp": [26.0, 24.1, 26.5, 27.0, np.nan, 25.1],
    }
)

Answers = list[tuple[int, tuple[str, ...]]]


def answers(source: Any, program: str = PROGRAM, **options: Any) -> Answers:
    run = Reasoner.from_text(program).run(source, **options)
    return [(answer.tick, answer.holds.texts) for answer in run]


@pytest.fixture(scope="module")
def expected() -> Answers:
    """The answers to the same table as CSV."""
    lines = io.StringIO(READINGS.to_csv(index=False))
    plan = Reasoner.from_text(PROGRAM).plan
    reading = Reading(Format.CSV, Timeline(plan.tick_length, zone=plan.zone), plan.inputs)
    return answers(reading.records(lines, "readings.csv", refuse))


@pytest.mark.parametrize(
    "made",
    [
        lambda df: df,
        lambda df: df.set_index("ts"),
        lambda df: df.astype({"room": "category"}),
        lambda df: df.convert_dtypes(),
        lambda df: df.assign(ts=df.ts.dt.tz_localize("Europe/Vienna").dt.tz_convert("UTC")),
        lambda df: df.assign(ts=df.ts.astype("datetime64[s]")),
        lambda df: df.assign(ts=df.ts.astype(str), temp=df.temp.astype(object)),
        lambda df: df.assign(ts=[moment.to_pydatetime() for moment in df.ts]),
        lambda df: df.assign(temp=df.temp.astype("float32")),
        pl.from_pandas,
        lambda df: pl.from_pandas(df).with_columns(
            pl.col("room").cast(pl.Categorical), pl.col("temp").cast(pl.Decimal(10, 2))
        ),
        pa.Table.from_pandas,
        lambda df: pa.Table.from_pandas(df).to_reader(2),
        lambda df: pa.Table.from_pandas(df).to_batches()[0],
        lambda df: duckdb.connect().from_df(df),
    ],
)
def test_every_frame_has_the_answers_of_the_table(
    made: Callable[[pd.DataFrame], Any], expected: Answers
) -> None:
    assert answers(made(READINGS)) == expected


def test_datasets(tmp_path: Path, expected: Answers) -> None:
    pyarrow.parquet.write_table(pa.Table.from_pandas(READINGS), tmp_path / "a.parquet")
    assert answers(pyarrow.dataset.dataset(tmp_path)) == expected


@pytest.mark.parametrize(
    ("declared", "values", "arguments"),
    [
        ("v", pa.array([3, None, -7], pa.int16()), ["3", "-7"]),
        ("v", pa.array([3.0, float("nan"), -0.0]), ["3", "0"]),
        ("v", pa.array([Decimal("24.00"), None]), ["24"]),
        ("v*100", pa.array([Decimal("24.10"), Decimal("-0.005")]), ["2410", "-1"]),
        ("v*10", pa.array([24.15, 24.25, 1e-9]), ["242", "243", "0"]),
        ("v*10", pa.array([3, 214748364], pa.uint64()), ["30", "2147483640"]),
        ("v*10", pa.array([2**63 - 1, -(2**63)]), ["92233720368547758070", "-92233720368547758080"]),
        ("v", pa.array([2**64 - 1, 0], pa.uint64()), ["18446744073709551615", "0"]),
        ("v", pa.array([Decimal("12345678901234567890.00"), None]), ["12345678901234567890"]),
        ("v*10", pa.array([1e12, 4294967296.5]), ["10000000000000", "42949672965"]),
        ("text(v)", pa.array([3.0, 2.5, -1e300]), ['"3.0"', '"2.5"', '"-1e+300"']),
        ("text(v)", pa.array([3, None]), ['"3"']),
        ("v", pa.array([" 12 ", "", "New York", None, "007"]), ["12", '""', '"New York"', '"007"']),
        ("text(v)", pa.array([" x ", "", " ", None]), ['" x "', '""', '" "']),
        ("int(v)", pa.array([" 12 ", "", " ", None]), ["12"]),
        ("constant(v)", pa.array([" a ", ""]), ["a"]),
        ('v or "none"', pa.array(["", None, "x"]), ['""', '"none"', '"x"']),
        ("v*10 or -2.5", pa.array([1, None, 2]), ["10", "-25", "20"]),
        ("number(v) or missing or 0", pa.array(["x", None, "2", ""]), ["0", "0", "2", "0"]),
        ("int(v) or 7", pa.nulls(1), ["7"]),
        ("v", pa.array(["a", "b", "a"]).dictionary_encode(), ['"a"', '"b"', '"a"']),
        ("v", pa.array([1, None, 1]).dictionary_encode(), ["1", "1"]),
        ("constant(v)", pa.array([True, None]), ["true"]),
        ("v", pa.array([datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)]), ['"2026-01-02T03:04:05+00:00"']),
        (
            "v",
            pa.array([1_000_000_001, None], pa.timestamp("ns", "UTC")),
            ['"1970-01-01T00:00:01.000000001+00:00"'],
        ),
        ("v", pa.array([20_000], pa.date32()), ['"2024-10-04"']),
        ("v", pa.array([60], pa.time32("s")), ['"00:01:00"']),
        ('"v.b.c"', pa.array([{"b": {"c": 1}}, {"b": None}, None, {"b": {"c": 2}}]), ["1", "2"]),
        ("v", pa.nulls(2), []),
        ("v", pa.RunEndEncodedArray.from_arrays(pa.array([2, 3]), pa.array([5, 6])), ["5", "5", "6"]),
    ],
)
def test_arguments(declared: str, values: pa.Array, arguments: list[str]) -> None:
    times = pa.array(range(len(values)))
    table = pa.table({"time": times, "v": values, "w": times})
    plan = Reasoner.from_text(f"#input p({declared}).").plan
    records = [*read_frame(table, Reading(declarations=plan.inputs))]
    rows = [row for record in records for atoms in record.events.facts for row in atoms.rows]
    assert [text_of(value) for (value,) in rows] == arguments
    assert [record.tick for record in records] == [*range(len(values))]


@pytest.mark.parametrize(
    ("times", "ticks"),
    [
        (pa.array([3, 5]), [3, 5]),
        (pa.array([3.0, 5.0]), [3, 5]),
        (pa.array(["3", "5"]), [3, 5]),
        (pa.array([61, 125], pa.timestamp("s", "UTC")), [1, 2]),
        (pa.array([60_000_000_000, 119_999_999_999], pa.timestamp("ns", "UTC")), [1, 1]),
        (pa.array([1], pa.date32()), [1440 - 60]),
        # of the hour that comes twice, behind the hour before, and one that is skipped, as Python has it
        (
            pa.array(
                [datetime(2025, 10, 26, 1, 30), datetime(2025, 10, 26, 2, 30), datetime(2026, 3, 29, 2, 30)]
            ),
            [29357250, 29357310, 29579130],
        ),
        (pa.array(["1970-01-01T00:02:00Z"]).dictionary_encode(), [2]),
    ],
)
def test_times(times: pa.Array, ticks: list[int]) -> None:
    reasoner = Reasoner.from_text(PROGRAM)
    table = pa.table({"ts": times, "room": ["k"] * len(times), "temp": [30] * len(times)})
    reading = Reading(timeline=reasoner.session.timeline, declarations=reasoner.plan.inputs)
    assert [record.tick for record in read_frame(table, reading)] == ticks


def test_rows_that_are_not_valid_are_rejected_one_by_one() -> None:
    """Rows 3 and 4 come too late together; 5 has no time, and 6 neither a time nor a number."""
    frame = pd.DataFrame(
        {
            "ts": [*pd.to_datetime([START, "2026-02-01 14:09", START, START, None], format="mixed"), "soon"],
            "room": ["a", "b", "c", "d", "e", "f"],
            "temp": [1, 2, 3, 4, 5, "hot"],
        }
    )
    rejected: list[Rejected] = []
    found = [*Reasoner.from_text(PROGRAM).run(frame, on_reject=rejected.append, emit="every")]
    assert len(found) == 5
    assert [(one.origin.line, one.reason.partition(":")[0]) for one in rejected] == [
        (3, "the time goes backwards"),
        (4, "the time goes backwards"),
        (5, "column ts"),
        (6, "column ts"),
    ]
    assert rejected[1].origin.text.endswith("room=d, temp=4")
    reason = (
        r"<frame>:3: error: the time goes backwards: tick \d+ \(.*\) after \d+ \(.*\); to accept all "
        r"records so far, add lateness=\d+ \(#lateness \d+ min\.\)"
    )
    with pytest.raises(InputError, match=reason):
        [*Reasoner.from_text(PROGRAM).run(frame, emit="every", on_reject="stop")]


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (
            lambda df: df.rename(columns={"temp": "t"}),
            "no column 'temp', which #input reading reads; the columns are",
        ),
        (lambda df: df.set_index("ts").rename_axis(None), r"pass frame.rename_axis\('ts'\)"),
        (lambda df: df.assign(temp="x"), "<frame>:1: error: column temp: 'x' is not a number"),
        (lambda df: df.assign(temp=float("inf")), "column temp: inf is not a finite number"),
        (lambda df: df.assign(room=1.5), "column room: 1.5 is a decimal, .* scale it"),
        (
            lambda df: df.assign(room=[[1]] * 6),
            r"the column room is of type list<.*: make one row per element",
        ),
        (
            lambda df: df.assign(room=df.ts - df.ts[0]),
            "read it as a duration, as in #input p",
        ),
        (lambda df: df.assign(ts=pd.NaT), "<frame>:1: error: column ts: the time is missing"),
        (lambda df: df.assign(ts=df.ts - pd.Timedelta("36500D")), "column ts: the time 1926.* before tick 0"),
        (lambda df: pl.from_pandas(df).lazy(), r"this is a lazy frame, without rows: pass frame.collect\(\)"),
        (lambda df: pl.Series([1]), "<frame>: cannot read the frame"),
        (
            lambda df: pa.table([[1], [2], [3], [4]], ["ts", "room", "room", "temp"]),
            "more than one column 'room'",
        ),
    ],
)
def test_what_is_said_of_frames_that_do_not_fit(made: Callable[[pd.DataFrame], Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        answers(made(READINGS), on_reject="stop")


def test_texts_are_called_as_infinite_numbers_are() -> None:
    """Those of a column of texts are texts."""
    for room in ("inf", "-inf", "Infinity", "nan"):
        [(_, atoms)] = answers(READINGS.assign(room=room, temp=30), PROGRAM)[:1]
        assert f'hot("{room}")' in atoms


def test_declarations_that_are_missing() -> None:
    with pytest.raises(InputError, match=r"#input reading\(room, temp\*10\) at ts\."):
        answers(READINGS, "a.")
    with pytest.raises(InputError, match='the column ts contains local times: add #timezone "Europe/Vienna"'):
        answers(READINGS, "#tick 1 min. #input p(room) at ts.")
    with pytest.raises(
        InputError, match="the column ts contains timestamps, but the program declares no tick length: add"
    ):
        answers(READINGS, '#timezone "UTC". #input p(room) at ts.')


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.compute", None)
    monkeypatch.delitem(sys.modules, "lars2asp.runtime.sources.arrow.arrow_rows", raising=False)
    with pytest.raises(
        InputError, match=r"^data frames: the package pyarrow is missing: pip install 'lars2asp\[tables\]'$"
    ):
        answers(READINGS)


_ROOMS = st.sampled_from(["a", "New York", "ä", None, "7", " b "])
_ROWS = st.lists(
    st.tuples(
        st.integers(0, 400),
        _ROOMS,
        st.none() | st.integers(-(10**10), 10**10),
        st.sampled_from([0.1, 2.5, None]),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(rows=_ROWS, has_row_each=st.booleans(), lateness=st.integers(0, 2))
def test_random_frames_are_read_as_tables(
    rows: list[tuple[Any, ...]], has_row_each: bool, lateness: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Two declarations with times of their own: the same answers and rejected rows as of CSV."""
    program = """
        #input p(room, n) at t. #input q(n, x*10) at u.
        h(X,Y) :- p(X,Y) in [3 #]. h(X,Y) :- q(X,Y) in [2]. #show h/2.
    """
    sorted_rows = sorted(rows, key=lambda row: row[0])
    columns = [[row[place] for row in sorted_rows] for place in range(4)]
    kinds = [pa.int64(), pa.string(), pa.int64(), pa.float64()]
    times = pa.array(columns[0], kinds[0])
    late = pa.array([time // 2 + 200 for time in columns[0]], pa.int64())
    names = ["t", "u", "room", "n", "x"]
    arrays = [times, late, *(pa.array(c, k) for c, k in zip(columns[1:], kinds[1:], strict=True))]
    path = tmp_path_factory.mktemp("tables") / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(zip(*(array.to_pylist() for array in arrays), strict=True))

    def outcome(of_frame: bool) -> tuple[object, ...]:
        reasoner = Reasoner.from_text(program)
        reading = Reading(timeline=reasoner.session.timeline, declarations=reasoner.plan.inputs)
        rejected: list[tuple[int, str]] = []

        def reject(one: Rejected) -> None:
            reason = one.reason.partition("; to accept")[0]  # records are told without the cure
            rejected.append((one.origin.line - (not of_frame), reason))

        table: Any = pa.table(arrays, names)
        if of_frame and has_row_each:
            table = read_frame(table, reading, reject)
        records = table if of_frame else read_file(path, reading, reject)
        found = reasoner.run(records, emit=None, lateness=lateness, on_reject=reject)
        return [(answer.tick, answer.holds.texts) for answer in found], rejected

    assert outcome(True) == outcome(False)


def test_many_rows_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of rows go on from part to part."""
    monkeypatch.setattr(arrow_rows, "ROWS_AT_ONCE", 2)
    monkeypatch.setattr(frames, "PANDAS_ROWS", 3)
    rejected: list[Rejected] = []
    frame = READINGS.assign(temp=[1, "x", 3, 4, 5, "y"])
    [*Reasoner.from_text(PROGRAM).run(frame, on_reject=rejected.append, emit="every")]
    assert [one.origin.line for one in rejected] == [2, 6]


def test_frames_and_files_are_read_in_other_ways(tmp_path: Path) -> None:
    """The reading of the program, with what it does not declare; times are known all the same."""
    frame = pd.DataFrame({"ts": [1769954700000, 1769954820000], "room": ["k", "h"], "temp": ["26.1", "n/a"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    read = Reasoner.from_text(PROGRAM).reading
    reading = replace(
        read,
        timeline=replace(read.timeline, unit=TimeUnit.MSEC),
        missing={"n/a"},
    )
    for source in (frame, tmp_path / "t.csv"):
        found = Reasoner.from_text(PROGRAM).intervals(source, reading=reading)["hot"].to_pandas()
        [row] = found.to_dict("records")
        assert (row["begin_at"], row["R"]) == (pd.Timestamp("2026-02-01 15:05", tz="Europe/Vienna"), "k")
        changes = Reasoner.from_text(PROGRAM).changes(source, reading=reading)["hot"].to_pandas()
        assert [*changes["at"].dt.minute] == [5, 6]
        assert Reasoner.from_text(PROGRAM).chart(source, reading=reading).intervals == 2
    with pytest.raises(
        ValueError, match="reading= is for files and data frames, not for pairs and records: remove it"
    ):
        [*Reasoner.from_text(PROGRAM).run([(0, [])], reading=reading, emit="every")]


def test_explanations_name_rows() -> None:
    reasoner = Reasoner.from_text(PROGRAM, explain_last=10)
    [*reasoner.run(READINGS, emit="every")]
    assert "<frame>:6" in str(reasoner.why('hot("k")'))
    assert "14:10" in str(reasoner.why('hot("k")'))
