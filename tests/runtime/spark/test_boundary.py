"""What `answers` refuses at the call, and what it takes at its boundary with DataFrames."""

import json
import os
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from clingo import Number, Symbol
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

from lars2asp.runtime.errors import FunctionError, InputError
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.spark.carrier.row_account import RowAccount
from lars2asp.runtime.spark.query.waiting import wait_for_end
from lars2asp.runtime.spark.session.local_session import ROCKSDB, STATE_STORE
from lars2asp.runtime.spark.spark_errors import SparkSetupError
from lars2asp.spark import answers, write_answers
from lars2asp.syntax.diagnostics import ProgramError
from tests.runtime.spark.collecting import Collect

TABLE = "#tick 1 sec. #input p({}) at at. a(X) :- p(X)."
ATOMS = "#tick 1 sec. a(X) :- p(X)."


def stream(spark: SparkSession, folder: Path, *batches: list[int]) -> DataFrame:
    """Atoms `p(t)` at ticks t, some in each batch, with an event time `e`."""
    folder.mkdir(exist_ok=True)
    for number, ticks in enumerate(batches):
        lines = "".join(f'{{"time": {tick}, "atom": "p({tick})"}}\n' for tick in ticks)
        file = folder / f"{number}.json"
        file.write_text(lines)
        os.utime(file, (1e9 + number, 1e9 + number))  # Spark reads those first that are oldest
    reader = spark.readStream.schema("time long, atom string").option("maxFilesPerTrigger", 1)
    return reader.json(str(folder)).withColumn("e", F.timestamp_seconds("time"))


@pytest.mark.parametrize(
    ("columns", "program", "message"),
    [
        (
            "at timestamp, x struct<y:int,z:string>",
            TABLE.format("x"),
            r'name one of its fields, as in #input p\("x\.y"\)',
        ),
        (
            "at timestamp, x array<int>",
            TABLE.format("x"),
            "make one row per element",
        ),
        ("at timestamp, x map<string,int>", TABLE.format("x"), r"x\['key'\]"),
        ("at timestamp, x binary", TABLE.format("text(x)"), r"decode it \(decode\(x, 'UTF-8'\)\)"),
        (
            "at timestamp, x double",
            TABLE.format("x"),
            r"x is of type double, .* \(x\*10\), or read it as text\(x\)",
        ),
        (
            "at timestamp, x decimal(5,2)",
            TABLE.format("int(x)"),
            r"x is of type decimal\(5,2\), but this argument is an integer",
        ),
        ("at timestamp, x date", TABLE.format("int(x)"), "x is of type date, which facts cannot contain"),
        ("at timestamp, x boolean", TABLE.format("x*10"), "x is of type boolean, which"),
        ("at timestamp, x int", TABLE.format("constant(x)"), "x is of type int, which"),
        (
            "at timestamp, v int",
            "#tick 1 sec. #input p(k, x) at at each k, x of v. a(X) :- p(_,X).",
            "` needs a column of structs or maps, but",
        ),
        (
            "at timestamp, v map<string,double>",
            "#tick 1 sec. #input p(k, x) at at each k, x of v. a(X) :- p(_,X).",
            r"column v is of type double, but this argument is an integer: .*v\*10",
        ),
        (
            "at timestamp, v struct<a:struct<t:binary>>",
            "#tick 1 sec. #input p(k, x.t) at at each k, x of v. a(X) :- p(_,X).",
            "column v.a.t is of type binary",
        ),
        (
            "at timestamp, v map<string,int>",
            "#tick 1 sec. #input p(k, x, w) at at each k, x of v. a(X) :- p(_,X,_).",
            "w. for #input p",
        ),
        ("at timestamp, st struct<x:double>", TABLE.format('"st.x"'), r"st\.x is of type double, "),
        ("at double, x int", TABLE.format("x"), r"at is of type double, but times .*timestamp_seconds\(at\)"),
        ("at timestamp_ntz, x int", TABLE.format("x"), "at is of type timestamp_ntz, without a time zone"),
        (
            "at timestamp, x int",
            "#input p(x) at at. a(X) :- p(X).",
            "but the program declares no tick length: add for example #tick 1 sec.",
        ),
        ("time long, atom struct<p:int>", ATOMS, "atom is of type struct<p:int>, which facts"),
        ("time long, atom binary", ATOMS, r"atom is of type binary, .*decode"),
        ("time float, atom string", ATOMS, "but times have no fractions: cast it to long, or to a timestamp"),
        ("time long, atom string, change boolean", ATOMS, "change is of type boolean"),
        ("time long, atom string, until double", ATOMS, "until is of type double"),
        ("value array<string>", ATOMS, "value is of type array<string>"),
    ],
)
def test_columns_of_which_no_row_could_be_read(
    spark: SparkSession, columns: str, program: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        answers(spark.createDataFrame([], columns), program)


def test_columns_that_are_taken(spark: SparkSession) -> None:
    """Fields of structs, a decimal without fractions; columns that are not named may be of any type."""
    columns = "at timestamp, st struct<room:string,t:struct<c:double>>, n decimal(9,0), `n.m` int, x binary"
    row = (datetime(1970, 1, 1, 0, 0, 3, tzinfo=UTC), ("hall", (21.5,)), Decimal(7), 8, b"?")
    program = '#tick 1 sec. #input p("st.room", "st.t.c"*10, n, "n.m") at at. a(X,Y,Z,W) :- p(X,Y,Z,W).'
    frame = spark.createDataFrame([row], columns)
    [found] = answers(frame, program).collect()
    assert (found.time, found.atom) == (3, 'a("hall",215,7,8)')


OBJECTS = """#tick 1 sec. #decimals p(_,1,_). #input p(k, x.t, m) at at each k, x of v where x.t > 1.
    #input q(int(k), record()) at at each k, x of n. a(K,X,M) :- p(K,X,M). b(K) :- q(K,_)."""
OBJECT_COLUMNS = "at long, m string, v map<string,struct<t:double,u:string>>, n struct<`1`:int,`2`:int>"
OBJECT_ROWS = [
    {"at": 3, "m": "h", "v": {"tank": {"t": 21.5}, "pipe": {"u": "no"}}, "n": {"1": 5}},
    {"at": 4, "m": "h", "v": {"tank": {"t": 0.5}}},
    {"at": 5, "v": {"tank": {"t": 2.5}}, "n": {"2": 5}},
    {"at": 6, "m": "g", "v": {"x": {"t": 7.25}}, "n": {"1": 1}},
    {"at": 7, "m": "h", "v": {"y": {"t": 4}, "z": {"t": 3}}, "n": {}},
]
OBJECT_ATOMS = [
    (3, 'a("tank",21.5,"h")'),
    (3, "b(1)"),
    (5, "b(2)"),
    (7, 'a("y",4.0,"h")'),
    (7, 'a("z",3.0,"h")'),
]


def test_keys_of_structs_and_maps(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    """Of bounded frames and of streams; a row with a wrong key is rejected whole."""
    path = tmp_path / "rows"
    path.mkdir()
    (path / "1.json").write_text("".join(f"{json.dumps(row)}\n" for row in OBJECT_ROWS))
    account = RowAccount()
    bounded = answers(spark.read.schema(OBJECT_COLUMNS).json(str(path)), OBJECTS, account=account)
    assert sorted((row.time, row.atom) for row in bounded.collect() if row.change == "began") == OBJECT_ATOMS
    assert account.counts == Account(gave_facts=3, without_fact=1, rejected=1, with_time=1)
    stream = spark.readStream.schema(OBJECT_COLUMNS).json(str(path))
    found = collect(answers(stream, OBJECTS, start=0))
    assert sorted((row.time, row.atom) for row in found if row.change == "began") == OBJECT_ATOMS[:3]


def test_lines_of_bytes_are_taken(spark: SparkSession) -> None:
    """As Kafka's."""
    frame = spark.createDataFrame([(b'{"time": 1, "facts": ["p(1)"]}',)], "value binary")
    assert [row.atom for row in answers(frame, ATOMS).collect()] == ["a(1)"]


def test_the_name_of_a_file_is_no_program(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = spark.createDataFrame([(1, "p(1)")], "time long, atom string")
    monkeypatch.chdir(tmp_path)
    Path("rules").write_text(ATOMS)
    for name in ("rules", "not/there.lars"):
        with pytest.raises(ValueError, match="is the name of a file, not the text of a program: pass Path"):
            answers(frame, name)
    assert [row.atom for row in answers(frame, Path("rules")).collect()] == ["a(1)"]


def test_a_watermark_or_an_aggregation_before(spark: SparkSession, tmp_path: Path) -> None:
    rows = stream(spark, tmp_path / "input", [1])
    for refused, what in (
        (rows.withWatermark("e", "1 second").drop("e"), r"a watermark \(withWatermark\)"),
        (rows.groupBy("time", "atom").count(), "an aggregation"),
        (answers(rows, ATOMS), r"a watermark \(withWatermark\)"),
    ):
        with pytest.raises(
            InputError,
            match=f"the stream has {what} before `answers`, which needs its own watermark",
        ):
            answers(refused, ATOMS)
    with pytest.raises(InputError, match="the stream has a watermark"):
        answers(rows, ATOMS, clock=rows.withWatermark("e", "1 second"))
    table = spark.createDataFrame([("p(1)", 1)], "atom string, n int").groupBy("atom").count()
    answers(rows.join(table, "atom"), ATOMS)


def test_a_clock_has_times(spark: SparkSession, tmp_path: Path) -> None:
    rows = stream(spark, tmp_path / "input", [1])
    clock = spark.readStream.format("rate").load()
    with pytest.raises(InputError, match="a clock needs its times in the column time"):
        answers(rows, ATOMS, clock=clock)
    timed = clock.withColumnRenamed("timestamp", "time")
    for call in (
        lambda: answers(rows, "a(X) :- p(X).", clock=timed),
        lambda: write_answers(rows, "a(X) :- p(X).", lambda *_: None, tmp_path / "state", clock=timed),
    ):
        with pytest.raises(
            InputError, match=r"contains times \(timestamp\), but the program declares no tick length"
        ):
            call()
    answers(rows, ATOMS, clock=timed)


def test_duplicates_may_be_dropped_before(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    rows = stream(spark, tmp_path / "input", [1, 2], [1, 2, 3], [9])
    found = collect(answers(rows.dropDuplicates(["time", "atom"]), ATOMS))
    assert sorted((row.time, row.atom) for row in found if row.change != "ended") == [
        (1, "a(1)"),
        (2, "a(2)"),
        (3, "a(3)"),
    ]


def test_driver_mode_takes_what_has_a_watermark(spark: SparkSession, tmp_path: Path) -> None:
    rows = stream(spark, tmp_path / "input", [1, 2], [12], [30]).withWatermark("e", "1 second")
    counted = rows.groupBy(F.window("e", "10 seconds")).count()
    program = "#tick 1 sec. #input n(count) at end. many(N) :- n(N), N > 1."
    frame = counted.select("count", F.col("window.end").alias("end"))
    found: list[tuple[int, str]] = []
    query = write_answers(
        frame,
        program,
        lambda changes, _: found.extend((row.time, row.atom) for row in changes.collect()),
        tmp_path / "checkpoint",
        trigger={"availableNow": True},
    )
    wait_for_end(query)
    assert found == [(10, "many(2)"), (11, "many(2)")]


def test_windows_and_deduplication_go_by_at(spark: SparkSession, tmp_path: Path) -> None:
    """In batches that end within windows, and within what is dropped twice: nothing is late, or lost."""
    rows = stream(spark, tmp_path / "input", [1, 2], [4, 5], [6, 9, 12, 14, 25], [40])
    changes = answers(rows, "#tick 1 sec. a(X) :- p(X) in [1].")
    counted = changes.groupBy(F.window("at", "5 seconds"), "change").count()
    found = [(row.window.start.second, row.change, row["count"]) for row in output(counted, tmp_path / "1")]
    assert sorted(found) == [
        *[(0, "began", 3), (0, "ended", 2), (5, "began", 3), (5, "ended", 3)],
        *[(10, "began", 2), (10, "ended", 2), (15, "ended", 1), (25, "began", 1), (25, "ended", 1)],
    ]
    alone = output(changes.dropDuplicatesWithinWatermark(["time", "atom"]), tmp_path / "2")
    assert len(alone) == 2 * 9


def test_a_second_watermark_is_an_error(spark: SparkSession, tmp_path: Path) -> None:
    rows = stream(spark, tmp_path / "input", [1, 2], [4, 5], [6, 9])
    again = answers(rows, ATOMS).withWatermark("at", "1 second").groupBy(F.window("at", "5 seconds")).count()
    with pytest.raises(InputError, match="after `answers`: its column `at` already has one"):
        output(again, tmp_path / "checkpoint")


def output(frame: DataFrame, checkpoint: Path) -> list[Any]:
    """What a query gives until all is read."""
    name = f"t{abs(hash(checkpoint))}"
    writer = frame.writeStream.format("memory").queryName(name).outputMode("append")
    wait_for_end(writer.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start())
    return frame.sparkSession.table(name).collect()


def test_another_state_store(spark: SparkSession, tmp_path: Path) -> None:
    rows = stream(spark, tmp_path / "input", [1])
    store = spark.conf.get(STATE_STORE)
    assert store is not None
    spark.conf.set(STATE_STORE, "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider")
    try:
        with pytest.raises(SparkSetupError, match=f"set {STATE_STORE} to {ROCKSDB}"):
            answers(rows, ATOMS)
    finally:
        spark.conf.set(STATE_STORE, store)


def twice(number: Symbol) -> Symbol:
    return Number(2 * number.number)


def broken(_: Symbol) -> Symbol:
    raise KeyError("so")


def test_functions(spark: SparkSession, tmp_path: Path) -> None:
    """They are sent to workers; what one raises is what Spark says first."""
    with pytest.raises(ProgramError, match="there is no function @f"):
        answers(stream(spark, tmp_path / "input", [1, 3], [7]), "a(@f(X)) :- p(X).")
    offset = 5
    functions = SimpleNamespace(f=lambda x: Number(x.number + offset))
    rows = stream(spark, tmp_path / "input", [1, 3], [7])
    found = output(answers(rows, "a(@f(X)) :- p(X).", functions=functions), tmp_path / "1")
    assert sorted(row.atom for row in found if row.change == "began") == ["a(6)", "a(8)"]
    failing = SimpleNamespace(f=broken)
    query = answers(rows, "a(@f(X)) :- p(X).", functions=failing).writeStream.format("noop")
    for how in ("none", "driver"):
        if how == "none":
            writer = query.option("checkpointLocation", str(tmp_path / how)).trigger(availableNow=True)
            started = writer.start()
        else:
            started = write_answers(
                rows, "a(@f(X)) :- p(X).", lambda *_: None, tmp_path / how, functions=failing
            )
        with pytest.raises(StreamingQueryException) as raised:
            started.awaitTermination()
        assert (
            r"FunctionError: <text>:1:3-8: error: @f(1) failed: KeyError: 'so'"
            in str(raised.value).split("\n")[0]
        )
        with pytest.raises(FunctionError, match=r"^<text>:1:3-8: error: @f\(1\) failed: KeyError: 'so'$"):
            wait_for_end(started)


def test_functions_that_cannot_be_sent(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, "p(1)")], "time long, atom string")
    functions = SimpleNamespace(f=twice, session=spark)
    with pytest.raises(InputError, match="the functions cannot be sent to Spark's workers: "):
        answers(frame, "a(@f(X)) :- p(X).", functions=functions)
