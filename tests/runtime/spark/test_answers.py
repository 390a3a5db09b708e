"""Answers on Spark are those of one reasoner."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random
from tempfile import gettempdir
from zoneinfo import ZoneInfo

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from lars2asp import Reasoner
from lars2asp.runtime.errors import EvaluatorError, InputError, SnapshotError
from lars2asp.runtime.sources.records import Record
from lars2asp.runtime.spark.query.waiting import wait_for_end
from lars2asp.spark import answers, write_answers
from lars2asp.syntax.diagnostics import ProgramError
from tests.runtime.spark.collecting import Collect
from tests.runtime.spark.levels import FAR
from tests.runtime.spark.levels import ROWS as FAR_ROWS
from tests.runtime.spark.many_programs import COLUMNS, Many, many
from tests.runtime.spark.many_programs import Row as ManyRow
from tests.support.records import events

PROGRAMS = int(os.environ.get("LARS2ASP_PROGRAMS_ON_SPARK", "12"))
"""How many random programs run at once."""

BEFORE = datetime(1969, 12, 31, tzinfo=UTC)

LATENESS = 1
"""In ticks."""

Change = tuple[int, str, str]

ROOMS = """
    #tick 1 min.
    #input reading(room, temperature*10) at at.
    hot(R)   :- reading(R, T), T > 250.
    alarm(R) :- hot(R) always in [2 min].
"""


def in_process(program: str, stream: Iterable[Record], until: int) -> list[Change]:
    """What one reasoner gives."""
    found: list[Change] = []
    for answer in Reasoner.from_text(program).run(stream, until=until, emit="every"):
        found += [(answer.tick, str(atom), "began") for atom in answer.began.symbols]
        found += [(answer.tick, str(atom), "ended") for atom in answer.ended.symbols]
    return sorted(found)


def changes(rows: Sequence[Row]) -> list[Change]:
    """The rows in order."""
    return sorted((row.time, row.atom or "", row.change) for row in rows)


class Files:
    """A folder of files that a query reads, one a batch."""

    def __init__(self, spark: SparkSession, folder: Path, columns: str) -> None:
        self._spark, self._folder, self._columns = spark, folder, columns
        folder.mkdir()
        self._names = [column.split()[0] for column in columns.split(", ")]
        self._count = 0

    def add(self, rows: Sequence[Sequence[object]]) -> None:
        """Another file."""
        self._count += 1
        lines = [json.dumps(dict(zip(self._names, row, strict=True))) for row in rows]
        file = self._folder / f"{self._count:04d}.json"
        hidden = file.with_name(f".{file.name}")
        hidden.write_text("".join(f"{line}\n" for line in lines))
        os.utime(hidden, (1e9 + self._count, 1e9 + self._count))
        hidden.rename(file)

    def frame(self) -> DataFrame:
        """All of it as a stream."""
        reader = self._spark.readStream.schema(self._columns).option("maxFilesPerTrigger", 1)
        return reader.json(str(self._folder))


@cache
def some_programs() -> Many:
    return many(PROGRAMS)


def records(rows: Iterable[ManyRow]) -> Iterator[Record]:
    """The records of rows, tick by tick: what ends, what begins, what holds."""
    for tick, group in groupby(rows, lambda row: row[0]):
        here = list(group)
        changed = {
            change: [row[1] for row in here if row[1] and row[2] == change] for change in ("began", "ended")
        }
        plain = [row[1] for row in here if row[1] and not row[2] and row[3] < 0]
        yield Record(tick, events(plain, begin=changed["began"], end=changed["ended"]))
        for _, atom, _, until in here:
            if until >= 0:
                yield Record(tick, events([atom], until=until))


@cache
def some_answers() -> list[Change]:
    """What one reasoner gives for them."""
    those = some_programs()
    found = in_process(those.program, records(those.rows), those.last)
    assert len(found) > 4 * PROGRAMS
    return found


def spark_rows(rows: Iterable[ManyRow]) -> list[tuple[object, ...]]:
    return [(t, a or None, c or None, None if u < 0 else u) for t, a, c, u in rows]


@pytest.mark.parametrize(
    ("partition", "partitions"),
    [("none", 1), ("auto", 4), ("pipelined", 2)],
)
def test_streams_of_random_programs(
    spark: SparkSession, tmp_path: Path, collect: Collect, partition: str, partitions: int
) -> None:
    """Cut into batches anywhere, and interrupted; time ends beside the last rows."""
    those = some_programs()
    files = Files(spark, tmp_path / "input", COLUMNS)
    clock = Files(spark, tmp_path / "clock", "time long")
    spark.conf.set("spark.sql.shuffle.partitions", min(partitions, 2))
    try:
        first, second, last = those.batches(Random(f"{partition} {partitions}"), 3)
        rows: list[Row] = []
        for part in ((first, second), (last,)):
            for batch in part:
                files.add(spark_rows(batch))
            if batch is last:
                clock.add([(those.last + 1 + LATENESS,)])
            rows += collect(
                answers(
                    files.frame(),
                    those.program,
                    clock=clock.frame(),
                    split=partition,
                    partitions=partitions,
                    lateness=LATENESS,
                )
            )
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", 1)
    assert changes(rows) == some_answers()
    assert len({row.partition for row in rows}) >= (1 if partition == "none" else 3)


@pytest.mark.parametrize("partition", ["none", "auto", "pipelined"])
def test_bounded_input(spark: SparkSession, partition: str) -> None:
    """The last tick is that of the last row."""
    those = some_programs()
    rows = [*spark_rows(those.rows), (those.last, None, None, None)]
    frame = spark.createDataFrame(rows, COLUMNS)
    found = answers(frame, those.program, split=partition, partitions=2)
    assert changes(found.collect()) == some_answers()


def test_parts_that_listen_over_several_levels(spark: SparkSession) -> None:
    rows = [(tick, atom) for tick, atoms in FAR_ROWS.items() for atom in atoms]
    frame = spark.createDataFrame(rows, "time long, atom string")
    one, levels = (changes(answers(frame, FAR, split=how).collect()) for how in ("none", "pipelined"))
    assert levels == one
    assert (1, "e", "began") in one


def test_tables_and_choices_are_split(spark: SparkSession) -> None:
    """Where one sensor has no answer stream, none is output, as in one reasoner."""
    program = """
        1 { on(S,M) : mode(M) } 1 :- reading(S,_). mode(fast). mode(slow).
        :- on(S,fast), broken(S). :- on(S,slow), not broken(S). :- reading(S,T), T > 90, broken(S).
        bad(R) :- reading(S,T), region(S,R), T > 30. region(1,n). region(2,n). region(2,s). region(3,w).
    """
    told = {
        1: ["reading(1,40)", "reading(2,40)", "reading(3,20)"],
        2: ["reading(1,40)", "reading(2,40)", "broken(2)", "reading(4,50)"],
        3: ["reading(1,40)", "reading(2,91)", "broken(2)"],
        4: ["reading(3,31)", "broken(3)"],
    }
    rows = [(tick, atom) for tick, atoms in told.items() for atom in atoms]
    frame = spark.createDataFrame(rows, "time long, atom string")
    one, split = (
        changes(answers(frame, program, split=how, partitions=3).collect()) for how in ("none", "auto")
    )
    assert split == one
    assert {(3, "unsatisfiable"), (4, "satisfiable")} <= {(tick, change) for tick, _, change in one}


def test_background_data_comes_from_a_table(spark: SparkSession) -> None:
    program = """
        #input reading(sensor, value) at time.
        bad(Region, Level) :- reading(S,T), region(S, Region, Level), T > 30.
    """
    readings = [(1, "s1", 40), (1, "s2", 50), (2, "s3", 60), (3, "s4", 70), (3, "s1", 20)]
    frame = spark.createDataFrame(readings, "time long, sensor string, value int")
    regions = [
        ("s1", "n", 1),
        ("s2", "n", 2),
        ("s2", "s", 3),
        ("s3", None, 4),
        ("s4", "w", 5),
        ("s5", "w", 5),
    ]
    table = spark.createDataFrame(regions, "sensor string, region string, level int").selectExpr(
        "sensor", "region", "cast(level as decimal(9,0)) as level"
    )
    rows = answers(frame, program, tables={"region": table}, partitions=3).collect()
    assert [atom for _, atom, change in changes(rows) if change == "began"] == [
        *('bad("n",1)', 'bad("n",2)', 'bad("s",3)', 'bad("w",5)'),
    ]
    assert len({row.partition for row in rows}) > 1
    with pytest.raises(
        InputError, match=r"^the table region is a stream, but background data must be bounded: "
    ):
        answers(frame, program, tables={"region": spark.readStream.format("rate").load()})
    with pytest.raises(InputError, match=r"^the table 'Region' needs the name of a predicate"):
        answers(frame, program, tables={"Region": table})
    with pytest.raises(InputError, match=r"^the table region: the column level is of type decimal"):
        answers(frame, program, tables={"region": table.selectExpr("level / 2 as level")})


def test_driver_mode(spark: SparkSession, tmp_path: Path) -> None:
    """A batch that Spark does again changes nothing."""
    those = some_programs()
    files = Files(spark, tmp_path / "input", COLUMNS)
    by_batch: dict[int, list[Row]] = {}
    again: list[int] = []

    def sink(frame: DataFrame, batch: int) -> None:
        if batch in by_batch:
            again.append(batch)
        rows = frame.collect()
        assert by_batch.setdefault(batch, rows) == rows

    def run() -> None:
        trigger = {"availableNow": True}
        query = write_answers(
            files.frame(), those.program, sink, tmp_path / "checkpoint", trigger=trigger, lateness=LATENESS
        )
        wait_for_end(query)

    batches = those.batches(Random(1), 4)
    for batch in batches[:2]:
        files.add(spark_rows(batch))
    run()
    commits = tmp_path / "checkpoint" / "spark" / "commits"
    last = max(int(path.name) for path in commits.iterdir() if path.name.isdigit())
    for path in (commits / str(last), commits / f".{last}.crc"):
        path.unlink(missing_ok=True)  # as if Spark had been killed before it
    for batch in batches[2:]:
        files.add(spark_rows(batch))
    files.add([(those.last + 1 + LATENESS, None, None, None)])
    run()
    assert again == [last]
    assert changes([row for rows in by_batch.values() for row in rows]) == some_answers()


def test_a_table_with_timestamps_and_what_is_rejected(
    spark: SparkSession, tmp_path: Path, collect: Collect
) -> None:
    """A row that cannot be read is in the answers, and one that comes too late."""
    files = Files(spark, tmp_path / "input", "at timestamp, room string, temperature double")
    warm = [(f"2026-01-01T00:0{minute}:00Z", "kitchen", 26.5) for minute in range(1, 6)]
    files.add([*warm, ("2026-01-01T00:02:00Z", "hall", float("inf"))])
    files.add([("2026-01-01T00:03:30Z", "hall", 30.0)])
    files.add([("2026-01-01T00:07:00Z", "kitchen", 20.0)])
    frame = answers(files.frame(), ROOMS, origin=datetime(2026, 1, 1, tzinfo=UTC), complete_windows=True)
    rows = collect(frame)
    assert changes([row for row in rows if row.change != "rejected"]) == [
        (1, 'hot("kitchen")', "began"),
        (3, 'alarm("kitchen")', "began"),
        (6, 'alarm("kitchen")', "ended"),
        (6, 'hot("kitchen")', "ended"),
    ]
    broken, late = sorted((row for row in rows if row.change == "rejected"), key=lambda row: row.reason)
    assert "is not a finite number" in broken.reason
    assert "hall" in broken.atom
    assert (late.time, late.atom) == (3, 'reading("hall",300)')
    assert late.reason == "late: tick 3 came when the ticks up to 4 were over"


def test_what_is_rejected_passes_all_levels(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    files = Files(spark, tmp_path / "input", "time long, atom string")
    files.add([(1, "p(1,2)"), (5, "p(2,2)"), (1, "P")])
    files.add([(3, "p(3,3)"), (6, "P"), (6, "p(1,1)")])
    files.add([(9, None)])
    program = "a(X) :- p(X,Y), q(Y) in [2]. many :- #count { X : a(X) in [9] } > 1. q(2)."
    frame = answers(files.frame(), program, split="pipelined")
    rows = collect(frame)
    assert changes([row for row in rows if row.change != "rejected"]) == [
        (1, "a(1)", "began"),
        (2, "a(1)", "ended"),
        (5, "a(2)", "began"),
        (5, "many", "began"),
        (6, "a(2)", "ended"),
    ]
    rejected = sorted((row.time or 0, row.atom) for row in rows if row.change == "rejected")
    assert rejected == [(0, "1 P"), (0, "6 P"), (3, "p(3,3)")]


def test_lines_of_json(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    (tmp_path / "input").mkdir()
    lines = ['{"time": 1, "begin": ["p(1)"]}', "{", '{"time": 4, "end": ["p(1)"]}', '{"time": 9}']
    (tmp_path / "input" / "some.jsonl").write_text("\n".join(lines))
    frame = answers(spark.readStream.text(str(tmp_path / "input")), "a(X) :- p(X) in [1].", start=0)
    rows = collect(frame)
    assert changes([row for row in rows if row.change != "rejected"]) == [
        (1, "a(1)", "began"),
        (5, "a(1)", "ended"),
    ]
    [rejected] = [row for row in rows if row.change == "rejected"]
    assert (rejected.time, rejected.atom) == (None, "{")
    assert "broken JSON" in rejected.reason


def test_ticks_without_answer_stream(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, "p(1)"), (2, "p(2)"), (3, "p(1)")], "time long, atom string")
    rows = answers(frame, "a(X) :- p(X). :- p(2).").collect()
    assert sorted((row.time, row.change, row.atom) for row in rows) == [
        (1, "began", "a(1)"),
        (2, "ended", "a(1)"),
        (2, "unsatisfiable", None),
        (3, "began", "a(1)"),
        (3, "satisfiable", None),
    ]


def test_answers_are_facts_for_another_program(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, "p(1)"), (4, "p(2)")], "time long, atom string")
    first = answers(frame, "a(X) :- p(X) in [2].")
    rows = answers(first.drop("partition", "reason"), "b(X) :- a(X), not a(X) in {1}.").collect()
    assert changes(rows) == [(1, "b(1)", "began"), (2, "b(1)", "ended"), (4, "b(2)", "began")]


def test_a_checkpoint_is_of_one_program(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    files = Files(spark, tmp_path / "input", "time long, atom string")
    files.add([(1, "p(1)")])
    collect(answers(files.frame(), "a(X) :- p(X) in [2]."))
    files.add([(2, "p(1)")])
    with pytest.raises(SnapshotError, match="another program"):
        collect(answers(files.frame(), "a(X) :- p(X) in [3]."))


def test_a_clock_alone_moves_time(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    """Where nothing ever arrives, and the start is given."""
    files = Files(spark, tmp_path / "input", "time long, atom string")
    clock = Files(spark, tmp_path / "clock", "time long")
    clock.add([(5,)])
    rows = collect(
        answers(files.frame(), "a :- not p in [2]. b :- a always in [3].", clock=clock.frame(), start=2)
    )
    assert changes(rows) == [(2, "a", "began"), (2, "b", "began")]


def test_times_behind_those_of_spark_are_rejected(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(2_000_000_000, "p(1)"), (5, "p(2)")], "time long, atom string")
    rows = answers(frame, "#tick 1 hour. a(X) :- p(X).").collect()
    assert sorted((row.change, row.atom) for row in rows) == [
        ("began", "a(2)"),
        ("rejected", "2000000000 p(1)"),
    ]


@pytest.mark.parametrize("has_content", [False, True])
def test_files_with_tables(spark: SparkSession, tmp_path: Path, *, has_content: bool) -> None:
    """They are read as `run` reads them, whether workers open them or are given what is in them."""
    (tmp_path / "a #b.csv").write_text("room;at;temp\nhall;1;26\nattic;2\n")
    (tmp_path / "c.tsv").write_text("at\troom\ttemp\n3\tattic\t27\n")
    files = spark.read.format("binaryFile").load(str(tmp_path))
    frame = files if has_content else files.select("path")
    program = "#input reading(room, temp) at at. hot(R) :- reading(R,T), T > 25."
    found = answers(frame, program, input_format="files").select("time", "change", "atom").collect()
    assert sorted(map(tuple, found), key=str) == [
        (1, "began", 'hot("hall")'),
        (2, "ended", 'hot("hall")'),
        (3, "began", 'hot("attic")'),
        (None, "rejected", "attic;2"),
    ]
    (tmp_path / "d.csv").write_text("at,raum,temp\n3,attic,27\n")
    with pytest.raises(Exception, match=r"d\.csv: no column 'room'") as raised:
        answers(
            spark.read.format("binaryFile").load(str(tmp_path / "d.csv")), program, input_format="files"
        ).collect()
    assert gettempdir() + "/lars2asp-" not in str(raised.value)


def test_options_are_checked_at_once(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, "p(1)")], "time long, atom string")
    for options in ({"partitions": -1}, {"lateness": -1}, {"start": -1}):
        with pytest.raises(ValueError, match=r"partitions must be 1|0 or more|start must be"):
            answers(frame, "a(X) :- p(X).", **options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"pass a DataFrame of Spark, not builtins\.list: "):
        answers([], "a.")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="knows no keyword 'partitioning'"):
        answers(frame, "a(X) :- p(X).", partitioning="auto")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="write_answers runs a program on the driver"):
        answers(frame, "a(X) :- p(X).", split="driver")
    with pytest.raises(EvaluatorError, match="delta cannot serve"):
        answers(frame, "a(X) :- p(X). a(X) :- a(Y) in [1], q(X,Y).", evaluator="delta")


def test_what_cannot_be_read_is_refused_at_once(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(1, "p(1)")], "t long, what string")
    with pytest.raises(
        InputError,
        match="how rows with the columns t, what become facts",
    ):
        answers(frame, "a(X) :- p(X).")
    with pytest.raises(InputError, match="no column 'x'"):
        answers(frame, "#input p(x) at t. a(X) :- p(X).")
    with pytest.raises(ProgramError, match="unsafe"):
        answers(frame, "a(X) :- not p(X).")
    with pytest.raises(InputError, match="a later origin"):
        answers(
            frame.withColumnsRenamed({"t": "time", "what": "atom"}),
            "#tick 1 sec. a(X) :- p(X).",
            origin=BEFORE,
        )


def test_days_by_the_clock_of_a_zone(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    """A file ends with each day on which clocks change; `at` is the midnight at which the day begins."""
    program = """
        #tick 1 day. #timezone "Europe/Vienna".
        #input used(n, value) at at.
        total(S) :- S = #sum { V,N : used(N,V) in [1 day] }.
    """
    vienna = ZoneInfo("Europe/Vienna")
    begins = [datetime(2026, *day, tzinfo=vienna) for day in [(3, 28), (3, 29), (3, 30), (10, 25), (10, 26)]]
    rows = [
        ((begin + timedelta(hours=hour)).astimezone(UTC).isoformat(), number, hour)
        for number, (begin, hour) in enumerate((begin, hour) for begin in begins for hour in (0, 23))
    ]
    files = Files(spark, tmp_path / "input", "at timestamp, n int, value int")
    for part in (rows[:4], rows[4:8], [*rows[8:], ("2026-10-28T12:00:00Z", 99, 1)]):
        files.add(part)
    found = collect(answers(files.frame(), program))
    wanted = Reasoner.from_text(program).run(
        [(datetime.fromisoformat(at), [f"used({n},{value})"]) for at, n, value in rows], emit="every"
    )
    expected = sorted(
        (one.tick, str(atom), change)
        for one in wanted
        for change, atoms in (("began", one.began.symbols), ("ended", one.ended.symbols))
        for atom in atoms
    )
    last = max(time for time, _, _ in expected)
    assert [row for row in changes(found) if row[0] <= last] == expected
    bounded = answers(spark.createDataFrame(rows, "at string, n int, value int"), program).collect()
    assert [row for row in changes(bounded) if row[0] <= last] == expected
    for row in (*found, *bounded):
        local = row.at.replace(tzinfo=UTC).astimezone(vienna) if row.at.tzinfo is None else row.at
        assert (local.hour, local.minute) == (0, 0)
        assert (local.date() - date(1970, 1, 1)).days == row.time
