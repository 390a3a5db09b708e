"""The command `lars2asp spark`, in this process and with the session of the tests; once as a process."""

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from lars2asp.__main__ import main
from tests.support.processes import LARS2ASP, started, wait_for

Spark = Callable[..., int]
"""Runs the command with some arguments; gives its exit status."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program and a stream in two files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.lars").write_text("a(X) :- p(X) in [1].\nb(X) :- a(X), q(X).\n")
    (tmp_path / "in").mkdir()
    lines = ['{"time": 1, "facts": ["p(1)", "q(1)"]}', '{"time": 2, "facts": ["p(X)"]}']
    (tmp_path / "in" / "1.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "in" / "2.jsonl").write_text('{"time": 4, "facts": ["p(2)"]}\n')
    return tmp_path


@pytest.fixture
def run(folder: Path, spark: SparkSession) -> Spark:
    """What is not said goes to the folder `out`, with its checkpoint in `state`."""

    def run(*arguments: str) -> int:
        source = [] if "--input" in arguments else ["--input", "in"]
        return main(["spark", "p.lars", *source, "--output", "out", "--checkpoint", "state", *arguments])

    return run


def written(folder: Path) -> list[tuple[int | None, str, str]]:
    """Time, change and atom of what was written, sorted."""
    texts = (path.read_text() for path in (folder / "out").glob("*.json"))
    rows = [json.loads(line) for text in texts for line in text.splitlines()]
    return sorted(((row.get("time"), row["change"], row["atom"]) for row in rows), key=str)


UP_TO_3 = [
    (1, "began", "a(1)"),
    (1, "began", "b(1)"),
    (2, "ended", "b(1)"),
    (3, "ended", "a(1)"),
]
REJECTED = (None, "rejected", '{"time": 2, "facts": ["p(X)"]}')


@pytest.mark.parametrize("partition", ["auto", "driver"])
def test_changes_up_to_a_tick_and_on_from_there(
    partition: str, run: Spark, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is read stays open at its end; `--until` closes it; the checkpoint goes on behind it."""
    assert run("--split", partition) == 1
    assert written(folder) == [*UP_TO_3, REJECTED]
    *_, account, last = capfd.readouterr().err.splitlines()
    assert account == "in: 3 records: 2 gave facts, 1 rejected"
    assert last.startswith("3 rows, ")
    (folder / "in" / "3.jsonl").write_text('{"time": 5, "facts": ["q(2)"]}\n')
    assert run("--split", partition, "--until", "7") == 0
    later = [(4, "began", "a(2)"), (5, "began", "b(2)"), (6, "ended", "a(2)"), (6, "ended", "b(2)")]
    assert written(folder) == [*UP_TO_3, *later, REJECTED]
    last = capfd.readouterr().err.splitlines()[-1]
    assert last.startswith(f"1 row, {'2 batches' if partition == 'auto' else '1 batch'}, ")
    assert ", 0 rejected, " in last
    assert run("--split", partition, "-c", "n=1", "--semantics", "strict") == 2
    error = "error: the checkpoint state is of another program or of other options: name another"
    assert error in capfd.readouterr().err
    assert run("--split", partition, "--checkpoint", "new") == 2
    assert "error: --output out is not an empty folder" in capfd.readouterr().err


@pytest.mark.parametrize("partition", ["auto", "driver"])
def test_what_becomes_of_records_is_told(
    partition: str, run: Spark, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Late ones once, whatever they tell. If no fact and no time could be read, the status is 1."""
    (folder / "p.lars").write_text("#input p(x) at t. #input q(x) at t. a(X) :- p(X). b(X) :- q(X).\n")
    lines = ['{"t": 5, "x": 1}', '{"t": 9, "x": null}', '{"t": 9}', '{"u": 3}', '{"time": 10}', "{"]
    (folder / "in" / "1.jsonl").write_text("".join(f"{line}\n" for line in lines))
    assert run("--split", partition) == 1
    *_, account, last = capfd.readouterr().err.splitlines()
    words = "2 gave facts, 2 passed over (no #input fits), 1 without a fact (a value is missing), 1 rejected"
    assert account == f"in: 7 records: {words}, 1 only set the clock"
    assert ", 1 rejected, " in last
    (folder / "in" / "3.jsonl").write_text('{"t": 4, "x": 1}\n{"t": 20, "x": 1}\n')
    assert run("--split", partition) == 1
    *_, account, last = capfd.readouterr().err.splitlines()
    assert account == "in: 2 records: 1 gave facts, 1 late"
    assert ", 1 rejected, " in last
    (folder / "in" / "4.jsonl").write_text('{"u": 4}\n{"u": 20}\n')
    assert run("--split", partition) == 1
    *_, account, unread, last = capfd.readouterr().err.splitlines()
    assert account == "in: 2 records: 0 gave facts, 2 passed over (no #input fits)"
    assert unread == (
        "in: no #input fits any of 2 records, and none reads their times. "
        "To see why, try: lars2asp check p.lars --input in"
    )
    assert ", 0 rejected, " in last


@pytest.mark.parametrize("partition", ["auto", "driver"])
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*n/*.jsonl", [(1, "a(1)"), (4, "a(2)")]),
        ("in/**/*.jsonl", [(1, "a(1)"), (3, "a(3)"), (4, "a(2)")]),
        ("i*/**/[*.jsonl", [(3, "a(3)")]),
        ("in/*.csv", [(3, "a(5)")]),
    ],
)
def test_patterns_of_names(
    pattern: str, expected: list[tuple[int, str]], partition: str, run: Spark, folder: Path
) -> None:
    """Only `*` is more than a character; hidden files do not fit."""
    deep = folder / "in" / "one" / "two"
    deep.mkdir(parents=True)
    (deep / "[3.jsonl").write_text('{"time": 3, "facts": ["p(3)"]}\n')
    (deep / ".4.jsonl").write_text('{"time": 4, "facts": ["p(4)"]}\n')
    for name in ("1.csv", "2.csv"):
        (folder / "in" / name).write_text("t,x\n3,5\n")
    (folder / "p.lars").write_text("#input p(x) at t. a(X) :- p(X).\n")
    run("--input", pattern, "--split", partition, "--until", "9")
    assert [(time, atom) for time, change, atom in written(folder) if change == "began"] == expected


def test_a_pattern_that_spark_has_not(run: Spark, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("--input", "in/**/one/*.jsonl") == 2
    assert "Spark reads `**` only in front of the name of the file" in capfd.readouterr().err


def test_a_file_at_a_time_up_to_a_tick(run: Spark, folder: Path) -> None:
    """Time ends when all files are read, not with the first."""
    for number in (1, 2):
        os.utime(folder / "in" / f"{number}.jsonl", (number, number))
    assert run("--max-files-per-trigger", "1", "--until", "7") == 1
    assert written(folder) == [*UP_TO_3, (4, "began", "a(2)"), (6, "ended", "a(2)"), REJECTED]


def test_a_table_in_local_times(run: Spark, folder: Path) -> None:
    """RFC 4180: quotes in quotes, line breaks in them. The last row is of another day."""
    (folder / "p.lars").write_text("#tick 1 min. #input r(room, t*10) at when. hot(R) :- r(R,T), T > 250.")
    rows = '2026-01-01 01:00:00,"a ""b""\nc",26.5\n2026-01-01 01:02:00,d,26\n2026-01-01 01:02:00,e,x\n'
    (folder / "t.csv").write_text(f"when,room,t\n{rows}")
    options = ["--timezone", "Europe/Vienna", "--origin", "2026-01-01T00:00:00Z", "--split", "driver"]
    assert run("--input", "t.csv", "--until", "2026-01-01 01:10:00", *options) == 1
    assert written(folder) == [
        (0, "began", 'hot("a \\"b\\"\\nc")'),
        (1, "ended", 'hot("a \\"b\\"\\nc")'),
        (2, "began", 'hot("d")'),
        (3, "ended", 'hot("d")'),
        (None, "rejected", "2026-01-01 01:02:00,e,x"),
    ]


DIRTY = (
    'ts,room,temp\n0,r,0\n1,r\n2,r,2,extra\n4\n5,"a""b",5\n8,"q"z,8\n,,\n\n'
    '11,"x\ny",11\n13,"open,3\n14,r,4\n15,r,5\n'
)
"""Rows with too few and too many cells, broken quotes, blank rows."""


@pytest.mark.parametrize("partition", ["auto", "driver"])
def test_tables_are_read_as_by_run(
    partition: str, run: Spark, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each with its own delimiter and order of columns; what is rejected there is rejected here."""
    (folder / "p.lars").write_text(
        "#input reading(text(room), int(temp)) at ts. seen(R,T) :- reading(R,T).\n"
    )
    tables = folder / "tables"
    tables.mkdir()
    (tables / "a #b%20.csv").write_text(DIRTY)
    (tables / "b.csv").write_bytes("temp;ts;room\n7;30;k\u00fcche\n".encode("latin-1"))
    (tables / "c.tsv.gz").write_bytes(gzip.compress(b"temp\troom\tts\n8\tz\t40\n"))
    assert (
        main(["run", "p.lars", "--input", "tables", "--changes", "--output", "alone", "--rejects", "r"]) == 1
    )
    assert run("--input", "tables", "--until", "50", "--split", partition) == 1
    assert capfd.readouterr().err.splitlines()[-1].startswith("3 files, ")
    found = written(folder)
    lines = map(json.loads, (folder / "alone").read_text().splitlines())
    alone = [
        (line["time"], change, atom)
        for line in lines
        for change in ("began", "ended")
        for atom in line[change]
    ]
    rejected = len((folder / "r").read_text().splitlines())
    assert rejected == 5
    assert [one for one in found if one[0] is not None] == sorted(
        [*alone, (41, "ended", 'seen("z",8)')], key=str
    )
    assert [change for time, change, _ in found if time is None] == ["rejected"] * rejected
    assert (30, "began", 'seen("k\u00fcche",7)') in found


def test_a_table_without_a_column(run: Spark, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is told before anything begins; of a later file by the query."""
    (folder / "p.lars").write_text("#input reading(room, temp) at ts. seen(R) :- reading(R,_).\n")
    tables = folder / "tables"
    tables.mkdir()
    (tables / "a.csv").write_text("ts,raum,temp\n1,r,2\n")
    assert run("--input", "tables") == 2
    error = capfd.readouterr().err
    assert "tables/a.csv" in error
    assert "no column 'room'" in error
    assert not (folder / "state").exists()
    (tables / "a.csv").write_text("ts,room,temp\n1,r,2\n")
    (tables / "b.csv").write_text("ts,raum,temp\n1,r,2\n")
    assert run("--input", "tables") == 2
    error = capfd.readouterr().err
    assert "b.csv" in error
    assert "no column 'room'" in error


@pytest.mark.parametrize("partition", ["none", "driver"])
def test_what_fails_in_a_worker_is_reported_in_one_line(
    partition: str, run: Spark, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "p.lars").write_text(
        '#script (python)\ndef bad(x):\n    raise ValueError("so")\n#end.\na(@bad(X)) :- p(X).\n'
    )
    assert run("--split", partition, "--until", "5") == 4
    last = capfd.readouterr().err.splitlines()[-1]
    assert last == "p.lars:5:3-10: error: @bad(1) failed: ValueError: so"


@pytest.mark.parametrize("partition", ["none", "driver"])
def test_parquet(partition: str, run: Spark, folder: Path, spark: SparkSession) -> None:
    """All columns, and what is rejected; a run goes on in the same format."""
    (folder / "p.lars").write_text("#tick 1 sec. a(X) :- p(X) in [1].\n")
    assert run("--output-format", "parquet", "--split", partition) == 1
    (folder / "in" / "3.jsonl").write_text('{"time": 5, "facts": ["q(2)"]}\n')
    assert run("--output-format", "parquet", "--split", partition, "--until", "7") == 0
    rows = spark.read.parquet(str(folder / "out")).collect()
    found = [(row.at.second, row.change, row.predicate, row.arguments) for row in rows if row.at]
    assert sorted(found) == [
        (1, "began", "a/1", ["1"]),
        (3, "ended", "a/1", ["1"]),
        (4, "began", "a/1", ["2"]),
        (6, "ended", "a/1", ["2"]),
    ]
    assert [row.atom for row in rows if not row.at] == [REJECTED[2]]
    assert run("--split", partition) == 2


def test_functions_of_a_file(run: Spark, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The checkpoint is of these functions."""
    (folder / "p.lars").write_text("a(@twice(X)) :- p(X).")
    functions = folder / "functions.py"
    functions.write_text("from clingo import Number\ndef twice(x):\n    return Number(2 * x.number)\n")
    options = ("--functions", "functions.py", "--split", "none")
    assert run(*options, "--until", "5") == 1
    assert written(folder)[:2] == [(1, "began", "a(2)"), (2, "ended", "a(2)")]
    functions.write_text("from clingo import Number\ndef twice(x):\n    return Number(3 * x.number)\n")
    assert run(*options) == 2
    assert "error: the checkpoint state is of another program or of other options" in capfd.readouterr().err
    assert run(*options, "--untrusted") == 2
    assert run("--split", "none") == 2
    assert "there is no function @twice" in capfd.readouterr().err


@pytest.mark.parametrize("partition", ["none", "driver"])
def test_options_of_clingo(
    partition: str, run: Spark, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """They reach the reasoner, and the checkpoint is of these options."""
    (folder / "p.lars").write_text("1 { a(1..3) } 1 :- p(_).\n:~ a(X). [X]\n#heuristic a(3). [9,true]\n")
    options = ("--clingo", "--opt-mode=ignore --seed=2", "--split", partition)
    assert run(*options, "--until", "5") == 1
    assert written(folder)[:2] == [(1, "began", "a(3)"), (2, "ended", "a(3)")]
    assert run("--split", partition) == 2
    assert "error: the checkpoint state is of another program or of other options" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--input", "gone.jsonl"], "error: gone.jsonl: no such file or folder"),
        (["--output", "in/out"], "is inside the input folder: name another folder"),
        (["--input", "kafka://localhost:9/x"], "add --packages org.apache.spark:spark-sql-kafka-0-10_2.13:"),
        (["--input", "kafka://localhost:9"], "write kafka://HOST:PORT/TOPIC"),
        (
            ["--output", "kafka://localhost:9/x"],
            "error: Spark lacks the package for Kafka: add --packages org.apache.spark:",
        ),
        (["--output", "kafka://localhost:9"], "write kafka://HOST:PORT/TOPIC"),
        (
            ["--output", "kafka://h:9/x", "--output-format", "parquet"],
            "a topic receives lines of JSON: remove --output-format",
        ),
        (
            ["--output-format", "delta"],
            "error: Spark lacks the package for Delta: add --packages io.delta:delta-spark_2.13:",
        ),
        (["--output-format", "delta", "--split", "driver"], "driver writes files: jsonl or parquet"),
        (
            ["--until", "yesterday"],
            "error: the time 'yesterday' is not a timestamp such as 2026-01-31T14:05:00Z",
        ),
        (["--follow", "--until", "7"], "--until needs an input that ends: remove --follow"),
        (
            ["--input", "b.xlsx"],
            "b.xlsx: lars2asp on Spark cannot read workbooks and databases: save the table as a CSV file",
        ),
        (["--input", "mixed"], "mixed contains files of several formats (a.csv, b.jsonl)"),
        (
            ["--input", "mixed/a.csv"],
            "error: the program does not declare how the rows of tables become facts: add",
        ),
    ],
)
def test_what_cannot_be_run(
    arguments: list[str], message: str, run: Spark, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "mixed").mkdir()
    (folder / "mixed" / "a.csv").write_text("x,y\n1,2\n")
    (folder / "mixed" / "b.jsonl").write_text("")
    assert run(*arguments) == 2
    assert message in capfd.readouterr().err
    assert not (folder / "out").exists()
    assert not (folder / "state").exists()


def test_explain_needs_no_spark(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.delitem(sys.modules, "lars2asp.runtime.spark.query.query_run", raising=False)
    assert main(["spark", "p.lars", "--input", "in", "--output", "out", "--checkpoint", "state"]) == 2
    said = capsys.readouterr().err
    assert said.endswith("error: Spark: the package pyspark is missing: pip install 'lars2asp[spark]'\n")


def test_a_run_that_is_followed_and_asked_to_end(folder: Path) -> None:
    """The only test with a Java of its own: standard error gets nothing but what is wrong."""
    command = ["spark", "p.lars", "--input", "in", "--output", "out", "--checkpoint", "state", "--follow"]
    with started(
        [*LARS2ASP, *command, "--master", "local[1]"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stderr=subprocess.PIPE,
    ) as process:
        wait_for(lambda: len(written(folder)) == len(UP_TO_3) + 1, process)
        process.send_signal(signal.SIGINT)
        lines = process.communicate()[1].decode().splitlines()
    assert process.returncode == 130
    assert written(folder) == [*UP_TO_3, REJECTED]
    assert [line for line in lines if line and not line.startswith("read ")] == ["interrupted"]
