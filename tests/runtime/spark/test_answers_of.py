"""The answers of one predicate as a table."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.functions import date_format

from lars2asp import InputError, Reasoner
from lars2asp.spark import RowAccount, answers, answers_of, write_answers
from tests.runtime.spark.collecting import Collect
from tests.support.processes import completed

PROGRAM = """
    #tick 1 min.
    #input reading(room, temperature*10, floor) at at.
    hot(R,T,F) :- reading(R,T,F), T > 250.
    often(R,N) :- reading(R,_,_) count N in [2], N > 1.
"""
COLUMNS = "at timestamp, room string, temperature double, floor int"


def minute(number: int) -> datetime:
    return datetime(2026, 1, 1, 0, number, tzinfo=UTC)


ROWS = [
    (minute(1), 'hall, "1"', 26.5, 1),
    (minute(2), 'hall, "1"', 26.5, 1),
    (minute(3), "attic", 30.0, 4),
    (minute(3), "attic", float("inf"), 4),
    (minute(9), "hall", 20.0, 1),
]
ORIGIN = datetime(2026, 1, 1, tzinfo=UTC)


def test_changes(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    """Typed and named by the program; of a stream as of a table."""
    frame = spark.createDataFrame(ROWS, COLUMNS)
    table = answers_of(frame, PROGRAM, "hot/3", origin=ORIGIN)
    types = [("time", "bigint"), ("at", "timestamp"), ("change", "string"), ("R", "string"), ("T", "bigint")]
    assert table.dtypes == [*types, ("F", "bigint")]
    expected = [
        (1, minute(1), "began", 'hall, "1"', 265, 1),
        (3, minute(3), "began", "attic", 300, 4),
        (3, minute(3), "ended", 'hall, "1"', 265, 1),
        (4, minute(4), "ended", "attic", 300, 4),
    ]
    assert sorted(tuple(row) for row in table.collect()) == naive(expected)
    frame.coalesce(1).write.parquet(str(tmp_path / "input"))
    stream = spark.readStream.schema(frame.schema).parquet(str(tmp_path / "input"))
    found = collect(answers_of(stream, PROGRAM, "hot/3", origin=ORIGIN))
    assert sorted(tuple(row) for row in found) == naive(expected)


def naive(rows: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """As Spark gives timestamps: without offset, in the zone of this machine."""
    return [
        tuple(cell.astimezone().replace(tzinfo=None) if isinstance(cell, datetime) else cell for cell in row)
        for row in rows
    ]


def test_intervals(spark: SparkSession) -> None:
    """What holds to the last has no end."""
    rows = [(1, "p(1)"), (2, "p(1)"), (5, "p(1)"), (6, "p(x)"), (6, None)]
    frame = spark.createDataFrame(rows, "time long, atom string")
    table = answers_of(frame, "a(X,-1) :- p(X).", "a/2", intervals=True)
    assert table.dtypes == [("begin", "bigint"), ("end", "bigint"), ("X", "string"), ("a2", "bigint")]
    found = sorted(tuple(row) for row in table.collect())
    assert found == [(1, 3, "1", -1), (5, 6, "1", -1), (6, None, "x", -1)]
    table = answers_of(frame, "#tick 1 sec. a(X) :- p(X).", "a/1", intervals=True)
    assert table.columns == ["begin", "end", "begin_at", "end_at", "X"]
    assert [(row.begin_at.second, row.end_at.second) for row in table.where("begin = 1").collect()] == [
        (1, 3)
    ]


def test_columns_that_are_given(spark: SparkSession) -> None:
    """What is not of the type is missing."""
    frame = spark.createDataFrame([(1, "p(1)"), (1, "p(x)")], "time long, atom string")
    table = answers_of(frame, "a(X,X) :- p(X).", "a/2", columns=["room", "level long"])
    assert table.dtypes[-2:] == [("room", "string"), ("level", "bigint")]
    assert sorted((row.room, row.level) for row in table.collect()) == [("1", 1), ("x", None)]


def test_what_is_no_table(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.createDataFrame([(1, "p(1)")], "time long, atom string")
    with pytest.raises(ValueError, match=r"the output does not contain 'b/1': use one of a/1"):
        answers_of(frame, "a(X) :- p(X).", "b/1")
    with pytest.raises(ValueError, match="a/1 has 1 arguments"):
        answers_of(frame, "a(X) :- p(X).", "a/1", columns=["x", "y"])
    with pytest.raises(ValueError, match="already has a column time"):
        answers_of(frame, "a(X) :- p(X).", "a/1", columns=["time"])
    stream = spark.readStream.schema("time long, atom string").json(str(tmp_path))
    with pytest.raises(
        ValueError, match="intervals need a bounded DataFrame, because intervals of a stream are still open"
    ):
        answers_of(stream, "a(X) :- p(X).", "a/1", intervals=True)


def test_columns_of_frames_ignore_case(spark: SparkSession) -> None:
    """The exact name counts first, whatever Spark takes for the same name."""
    frame = spark.sql("select 1 TS, named_struct('Id', 'a') Sensor, 7 level, 8 LEVEL")
    program = "#input p(sensor.id, level) at ts. a(X,L) :- p(X,L)."
    assert [tuple(row)[-2:] for row in answers_of(frame, program, "a/2").collect()] == [("a", 7)]
    with pytest.raises(InputError, match="'level' and 'LEVEL' differ only in case"):
        answers_of(frame, program.replace("level", "Level"), "a/2")
    atoms = spark.createDataFrame([(1, "p(1)")], "Time int, ATOM string")
    assert answers_of(atoms, "a(X) :- p(X).", "a/1").count() == 1


ORDERED = """
    #tick 1 min.
    #input reading(room, level) at at.
    #held reading(R,_) by R for 30 min.
    now(R,L) :- reading(R,L).
    last(R,L) :- reading(R,L) in [1 # by R].
"""


def test_records_of_a_tick_are_in_the_order_of_their_times(spark: SparkSession, tmp_path: Path) -> None:
    """To the microsecond, as in one process, whatever form they come in."""
    choose = Random("order")
    rows = [
        (minute(choose.randrange(3)) + timedelta(microseconds=choose.randrange(60 * 10**6)), room, level)
        for level in range(60)
        for room in ("a", "b")
    ]
    frame = spark.createDataFrame(rows, "at timestamp, room string, level int").repartition(2)
    texts = frame.withColumn("at", date_format("at", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"))
    atoms = texts.selectExpr("at time", "concat('reading(\"', room, '\",', level, ')') atom")
    lines = texts.selectExpr("to_json(struct(*)) value")
    (tmp_path / "x.csv").write_text(
        "at,room,level\n" + "".join(f"{at.isoformat()},{room},{level}\n" for at, room, level in rows)
    )
    files = spark.createDataFrame([(f"file:{tmp_path}/x.csv",)], "path string")
    for what in ("now/2", "last/2"):
        expected = [
            (answer.tick, change, tuple(row))
            for answer in Reasoner.from_text(ORDERED).run(sorted_frame(rows))
            for change, held in (("began", answer.began), ("ended", answer.ended))
            for signature, some in held.rows.items()
            for row in some
            if str(signature) == what
        ]
        for one, form in (
            (frame, "table"),
            (texts, "table"),
            (atoms, "atoms"),
            (lines, "jsonl"),
            (files, "files"),
        ):
            table = answers_of(
                one, ORDERED, what, input_format=form, columns=["room", "level long"], partitions=2
            )
            found = [(row.time, row.change, (row.room, row.level)) for row in table.collect()]
            assert sorted(found) == sorted(expected)


def test_texts_are_in_the_order_of_their_nanoseconds(spark: SparkSession) -> None:
    """Also behind 2116, from where on only microseconds count, and beside times of microseconds."""
    texts = {
        "a": ["01:00:01.000000300", "01:00:01.000000900", "01:00:01.000000100", "01:00:00.999999999"],
        "b": ["01:00:01.000001", "01:00:01.000000999", "01:00:01.000001001", "01:00:01.000000002"],
    }
    rows = [
        (f"{day}T{time[:digits]}Z", room, number)
        for day, digits in (("2026-10-25", 18), ("2400-02-29", 15))
        for room, times in texts.items()
        for number, time in enumerate(times)
        if digits == 18 or number in (0, 3)
    ]
    frame = spark.createDataFrame(rows, "at string, room string, level int").repartition(2)
    atoms = frame.selectExpr("at time", "concat('reading(\"', room, '\",', level, ')') atom")
    lines = frame.selectExpr("to_json(struct(*)) value")
    expected = [("a", 1), ("b", 2), ("a", 0), ("b", 0)]
    for one, form in ((frame, "table"), (atoms, "atoms"), (lines, "jsonl")):
        table = answers_of(
            one, ORDERED, "last/2", input_format=form, columns=["room", "level long"], partitions=2
        )
        began = table.where("change = 'began'").orderBy("time", "room").collect()
        assert [(row.room, row.level) for row in began] == expected, form


def sorted_frame(rows: Sequence[tuple[Any, ...]]) -> Any:
    return pa.table([*map(pa.array, zip(*sorted(rows), strict=True))], names=["at", "room", "level"])


def test_what_begins_and_ends_within_a_tick(spark: SparkSession) -> None:
    """By its times: what ended behind its begin does not hold on."""
    rows = [(minute(1), "on", "began"), (minute(1) + timedelta(seconds=20), "on", "ended")]
    frame = spark.createDataFrame(
        [*rows, (minute(3), "p", None)], "time timestamp, atom string, change string"
    )
    account = RowAccount()
    table = answers_of(frame, "#tick 1 min. a :- on.", "a/0", origin=ORIGIN, account=account)
    assert [row.time for row in table.collect() if row.change == "began"] in ([], [1])
    assert table.where("change = 'began'").count() == table.where("change = 'ended'").count()
    assert account.counts.rejected == 0


def test_records_are_told_apart(spark: SparkSession) -> None:
    """Equal rows are so many records in each group, whatever partitions they come from."""
    program = """
        #input login(user, record()) at at.
        burst(U,N) :- N = #count { R : login(U,R) in [5] }, login(U,_), N > 1.
    """
    rows = [(1, "eve")] * 5 + [(2, "eve")] * 4 + [(2, "bob")]
    frame = spark.createDataFrame(rows, "at int, user string").repartition(3)
    for partitions in (1, 2):
        table = answers_of(frame, program, "burst/2", partitions=partitions)
        began = table.where("change = 'began'").collect()
        assert sorted((row.time, row.U, row.N) for row in began) == [(1, "eve", 5), (2, "eve", 9)]


def test_columns_that_differ_in_case_alone(spark: SparkSession) -> None:
    """Spark ignores case, so such names are refused at the call, with what to do."""
    frame = spark.createDataFrame([(1, "p(1,2)")], "time long, atom string")
    cure = r"needs another name, .* give each argument another name with columns="
    for head, options in (
        *(("h(Time,Y)", {}), ("h(Change,Y)", {}), ("h(X,TIME)", {}), ("h(Room,ROOM)", {})),
        *(("h(Begin,Y)", {"intervals": True}), ("h(X,End)", {"intervals": True})),
        *(("h(Row,Y)", {"on_reject": "rows"}), ("h(X,Reason)", {"on_reject": "rows"})),
        *(("h(At,Y)", {"tick": "1 sec"}), ("h(X,End_at)", {"tick": "1 sec", "intervals": True})),
    ):
        program = f"{head} :- p({head[2:-1]})."
        with pytest.raises(ValueError, match=cure):
            answers_of(frame, program, "h/2", **options)
        table = answers_of(frame, program, "h/2", columns=["x", "y"], **options)
        assert table.where("x = 1").count() == 1
    with pytest.raises(ValueError, match="columns= already has a column X: Spark ignores case"):
        answers_of(frame, "h(X,Y) :- p(X,Y).", "h/2", columns=["x", "X"])
    with pytest.raises(ValueError, match="columns= already has a column a2"):
        answers_of(frame, "h(A2,1) :- p(A2,_).", "h/2")
    table = answers_of(frame, "h(Row,End) :- p(Row,End).", "h/2")
    assert [(row.Row, row.End) for row in table.collect()] == [("1", "2")]


def test_time_goes_on_behind_the_last_record(spark: SparkSession) -> None:
    """Absence is answered up to the tick that is given, also where there is no record at all."""
    program = """
        #tick 1 min.
        #input beat(x) at at.
        silent :- not beat(_) in [2].
        late(X) :- beat(X) in [1 # by X], not beat(X) in [1].
    """
    rows = [(minute(1), "a"), (minute(5), "b")]
    frame = spark.createDataFrame(rows, "at timestamp, x string")

    def found(what: str, **options: Any) -> list[tuple[int, str]]:
        table = answers_of(options.pop("frame", frame), program, what, origin=ORIGIN, **options)
        return sorted((row.time, row.change) for row in table.collect())

    assert found("silent/0") == [(4, "began"), (5, "ended")]
    for until in (8, "2026-01-01T00:08:30Z"):
        assert found("silent/0", until=until) == [(4, "began"), (5, "ended"), (8, "began")]
    assert found("silent/0", until=3) == [(4, "began"), (5, "ended")]
    assert found("late/1", until=9, partitions=3) == [(3, "began"), (7, "began")]
    empty = frame.where("false")
    assert found("silent/0", frame=empty, until=9) == []
    assert found("silent/0", frame=empty, until=9, start=2) == [(2, "began")]
    with pytest.raises(ValueError, match="until must be a tick, 0 or more"):
        answers_of(frame, program, "silent/0", until=-1)


def test_until_is_for_what_ends(spark: SparkSession, tmp_path: Path) -> None:
    stream = spark.readStream.schema("time long, atom string").json(str(tmp_path))
    with pytest.raises(
        ValueError, match="until needs a bounded DataFrame, because a clock moves the time of a stream"
    ):
        answers_of(stream, "a(X) :- p(X).", "a/1", until=3)
    with pytest.raises(
        ValueError, match="until needs a bounded DataFrame, because a clock moves the time of a stream"
    ):
        write_answers(stream, "a(X) :- p(X).", lambda *_: None, tmp_path / "checkpoint", until=3)


def test_a_bounded_frame_has_as_many_partitions_as_cores(spark: SparkSession) -> None:
    """Not the 200 that Spark takes where nothing is said."""
    frame = spark.createDataFrame([(1, "p(1)")], "time long, atom string")
    said = spark.conf.get("spark.sql.shuffle.partitions")
    try:
        spark.conf.unset("spark.sql.shuffle.partitions")
        table = answers_of(frame, "a(X) :- p(X).", "a/1")
        assert table.rdd.getNumPartitions() == 2
        spark.conf.set("spark.sql.shuffle.partitions", 3)
        table = answers_of(frame, "a(X) :- p(X).", "a/1")
        assert table.rdd.getNumPartitions() == 3
        table = answers_of(frame, "a(X) :- p(X).", "a/1", partitions=5)
        assert table.rdd.getNumPartitions() == 5
        assert table.count() == 1
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", said or "1")


def test_numbers_with_decimals(spark: SparkSession) -> None:
    """They are values in the rows of the input, in typed columns and in texts."""
    program = """
        #decimals reading(_,1).
        #input reading(room, temperature) at at.
        hot(R,T) :- reading(R,T), T > 25.5.
    """
    rows = [(1, "hall", 26.5), (2, "hall", 26.0), (2, "attic", 24.0), (3, "attic", 30.25), (3, "hall", 9.0)]
    frame = spark.createDataFrame(rows, "at int, room string, temperature double")
    table = answers_of(frame, program, "hot/2")
    assert table.dtypes[-1] == ("T", "decimal(38,1)")
    assert sorted((row.time, row.change, str(row.T)) for row in table.collect()) == [
        (1, "began", "26.5"),
        (2, "began", "26.0"),
        (2, "ended", "26.5"),
        (3, "ended", "26.0"),
    ]
    found = answers(frame, program).collect()
    assert {row.atom for row in found if row.change == "began"} == {'hot("hall",26.5)', 'hot("hall",26.0)'}
    assert ["hall", "26.0"] in [row.arguments for row in found]
    [reason] = [row.reason for row in found if row.change == "rejected"]
    assert "30.25 has more than 1 decimal" in reason
    atoms = spark.createDataFrame([(1, "reading(hall,26)")], "time int, atom string")
    text = "#decimals reading(_,1). hot(T) :- reading(_,T), T > 25.5."
    assert next(row.atom for row in answers(atoms, text).collect()) == "hot(26.0)"


def test_times_and_durations(spark: SparkSession) -> None:
    """They are values in the rows of the input; times are timestamps again, durations texts."""
    program = """
        #tick 1 min. #timezone "Europe/Vienna".
        #input order(text(id), time(ordered), time(paid "%d.%m.%Y %H:%M")) at delivered.
        late(I,A,D) :- order(I,A,B), D = B-A, D > 2 hour.
    """
    delivered = datetime(2026, 3, 29, 4, 5, tzinfo=UTC)
    rows = [
        (delivered, "x", datetime(2026, 3, 29, 0, 30, tzinfo=UTC), "29.03.2026 04:00"),
        (delivered, "y", datetime(2026, 3, 29, 0, 30, tzinfo=UTC), "29.03.2026 06:05"),
        (delivered, "z", datetime(1969, 3, 29, 0, 30, tzinfo=UTC), "29.03.2026 06:05"),
        (delivered, "w", datetime(1969, 3, 29, 0, 30, tzinfo=UTC), "noon"),
    ]
    frame = spark.createDataFrame(rows, "delivered timestamp, id string, ordered timestamp, paid string")
    table = answers_of(frame, program, "late/3")
    assert [kind for _, kind in table.dtypes[-3:]] == ["string", "timestamp", "string"]
    found = {(row.I, row.A.astimezone(UTC).isoformat(), row.D) for row in table.collect()}
    assert found == {
        ("y", "2026-03-29T00:30:00+00:00", "3 h 35 min"),
        ("z", "1969-03-29T00:30:00+00:00", "20819 d 03 h 35 min"),
    }
    whole = answers(frame, program).collect()
    atoms = {row.atom for row in whole if row.change == "began"}
    assert 'late("y","2026-03-29T01:30:00+01:00","3 h 35 min")' in atoms
    [reason] = [row.reason for row in whole if row.change == "rejected"]
    assert "column paid: the time 'noon' does not fit" in reason
    text = "#tick 1 min. #types late(text,time,duration). q(I,A,D) :- late(I,A,D), D > 2 hour."
    again = spark.createDataFrame([(5, atom) for atom in sorted(atoms)], "time int, atom string")
    assert {row.atom.replace("q", "late") for row in answers(again, text).collect()} == {
        atom.replace("T01:30:00+01:00", "T00:30:00+00:00") for atom in atoms
    }
    for names, reason in (
        (["I", "A int", "D"], "A contains times"),
        (["I", "A timestamp", "D int"], "contains durations: its type must be string"),
    ):
        with pytest.raises(ValueError, match=reason):
            answers_of(frame, program, "late/3", columns=names)
    joined = program.replace('paid "%d', 'paid + id "%d')
    with pytest.raises(InputError, match="on Spark a time must be one column: join"):
        answers_of(frame, joined, "late/3")


REJECTING = """
from lars2asp.spark import answers_of, local_session
spark = local_session("local[1]")
rows = spark.createDataFrame([(1, "p(1)"), (2, "p("), (3, "p(X)")], "time int, atom string")
for intervals in (False, True):
    print(answers_of(rows, "a(X) :- p(X).", "a/1", intervals=intervals).count())
    try:
        answers_of(rows, "a(X) :- p(X).", "a/1", intervals=intervals, on_reject="stop").count()
    except Exception as error:
        print("refused" if "a row is rejected: " in str(error) else error)
for row in answers_of(rows, "a(X) :- p(X).", "a/1", on_reject="rows").orderBy("row").collect():
    print(row.change, row.X, row.row, bool(row.reason))
"""


def test_rows_that_are_rejected_are_told() -> None:
    """By default on standard error; as rows, and as errors where they are asked for."""
    done = completed([sys.executable, "-c", REJECTING])
    assert done.stdout.splitlines() == [
        *("1", "refused", "1", "refused"),
        *("began 1 None False", "rejected None 2 p( True", "rejected None 3 p(X) True"),
    ]
    said = [line for line in done.stderr.splitlines() if line.startswith("lars2asp: ")]
    assert sum(int(line.split()[1]) for line in said) == 4
    assert "rejected" in said[0]
    assert "answers(df, program) lists them all" in said[0]


def test_the_smallest_time_decides_when_tick_0_begins(spark: SparkSession, tmp_path: Path) -> None:
    """Of rows in any order, where ticks are shorter than a second; of a stream nothing does."""
    rows = [(datetime(2026, 11, day, 7, 0, 1, tzinfo=UTC), day) for day in (29, 28, 30)]
    frame = spark.createDataFrame(rows, "at timestamp, x int")
    program = "#tick 10 msec. #input seen(x) at at. day(X) :- seen(X)."
    found = sorted(row.time for row in answers_of(frame, program, "day/1").collect() if row.change == "began")
    assert found == [100 * (86_400 * day + 7 * 3600 + 1) for day in range(3)]
    counted = spark.createDataFrame([(7, "seen(1)"), (3, "seen(2)")], "time int, atom string")
    assert {row.time for row in answers_of(counted, program, "day/1").collect()} == {3, 4, 7}
    frame.coalesce(1).write.parquet(str(tmp_path / "input"))
    stream = spark.readStream.schema(frame.schema).parquet(str(tmp_path / "input"))
    with pytest.raises(
        InputError,
        match="ticks shorter than a second need a declared begin on Spark: write for example #origin",
    ):
        answers_of(stream, program, "day/1")
    assert answers_of(stream, program, "day/1", origin=ORIGIN).isStreaming
