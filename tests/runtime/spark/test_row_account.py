"""What becomes of the rows of DataFrames, counted while an action goes on."""

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from lars2asp import Account, InputError
from lars2asp.spark import RowAccount, answers, answers_of, write_answers
from tests.runtime.spark.collecting import Collect

PROGRAM = "#input p(x, int(n)) at t. #input q(n) at t. a(X) :- p(X,_). b(N) :- q(N)."
COLUMNS = "t string, x string, n string"
ROWS = [
    *[("1", "k", "7")] * 3,
    ("2", "k", None),  # q is missing, and p
    ("2", None, "8"),
    ("3", None, None),
    ("4", "m", "x"),
    ("x", "m", "7"),
]
EXPECTED = Account(gave_facts=4, passed_over=1, without_fact=1, rejected=2, with_time=2)


def test_rows_of_a_table_count_once(spark: SparkSession) -> None:
    """Whatever the action takes, however many reasoners get their facts, and whatever is asked for."""
    frame = spark.createDataFrame(ROWS, COLUMNS).repartition(3)
    for partitions in (1, 3):
        account = RowAccount()
        table = answers_of(frame, PROGRAM, "a/1", partitions=partitions, account=account)
        assert table.collect()
        assert account.counts == EXPECTED
        assert table.collect()
        assert account.counts == EXPECTED
    account = RowAccount()
    answers(frame, PROGRAM, account=account, partitions=3).limit(1).collect()
    assert account.counts == EXPECTED
    account = RowAccount()
    twice = answers_of(frame, PROGRAM, "a/1", account=account)
    assert twice.union(twice).groupBy("change").count().orderBy("change").collect()
    assert account.counts == EXPECTED
    account = RowAccount()
    for _ in range(2):
        answers_of(frame, PROGRAM, "a/1", account=account, intervals=True).write.format("noop").mode(
            "overwrite"
        ).save()
    assert account.counts == EXPECTED + EXPECTED


def test_rows_with_atoms_and_lines(spark: SparkSession) -> None:
    rows = [
        *((1, "p(1)", "began"), (1, "p(1)", None), (2, None, None), (2, "p(", None), (3, "p(1)", "ended")),
        *((4, "p(2)", "rejected"), (5, "p(3)", "ended")),
    ]
    frame = spark.createDataFrame(rows, "time int, atom string, change string")
    for partitions in (1, 2):
        account = RowAccount()
        answers(frame, "a(X) :- p(X). b :- p(_).", partitions=partitions, account=account).collect()
        assert account.counts == Account(gave_facts=3, passed_over=1, rejected=2, clock_only=1)
    lines = ['{"t": 3, "x": 1}', '{"t": 4}', '{"t": 4, "x": null}', "", '{"u": 3}', "{", '{"time": 9}']
    frame = spark.createDataFrame([(line,) for line in lines], "value string")
    account = RowAccount()
    program = "#input p(x) at t. a(X) :- p(X)."
    answers_of(frame, program, "a/1", input_format="jsonl", account=account).collect()
    counts = account.counts
    assert (counts.gave_facts, counts.passed_over, counts.without_fact) == (1, 2, 1)
    assert (counts.rejected, counts.clock_only, counts.late) == (1, 1, 0)


def test_rows_before_the_start_are_late(spark: SparkSession) -> None:
    rows = [(1, "p(1)")] * 3 + [(2, "p(1)"), (5, "p(1)")]
    frame = spark.createDataFrame(rows, "time int, atom string")
    account = RowAccount()
    answers(frame, "a(X) :- p(X).", start=2, account=account).collect()
    assert account.counts == Account(gave_facts=2, late=3)


def test_it_may_be_an_error_that_no_row_gave_a_fact(spark: SparkSession) -> None:
    frame = spark.createDataFrame([("x", "k", "7"), ("1", None, None)], COLUMNS)
    account = RowAccount(needs_facts=True)
    table = answers_of(frame, PROGRAM, "a/1", account=account)
    said = "no row gave a fact: 2 records: 0 gave facts, 1 passed over .*, 1 rejected"
    with pytest.raises(Exception, match=said):
        table.collect()
    nothing = spark.range(5).where("id > 9").selectExpr("string(id) t", "string(id) x", "string(id) n")
    with pytest.raises(Exception, match="no row gave a fact: 0 records"):
        answers_of(nothing, PROGRAM, "a/1", account=RowAccount(needs_facts=True)).collect()
    account = RowAccount(needs_facts=True)
    answers_of(frame.where("false"), PROGRAM, "a/1", account=account).collect()  # Spark evaluates nothing
    with pytest.raises(InputError, match="no row gave a fact: 0 records"):
        _ = account.counts
    account = RowAccount(needs_facts=True)
    answers_of(spark.createDataFrame(ROWS, COLUMNS), PROGRAM, "a/1", account=account).collect()
    assert account.counts == EXPECTED


def test_rows_count_once_where_spark_plans_anew(spark: SparkSession) -> None:
    """With adaptive queries, as in most sessions of people's own, and of what is cached."""
    spark.conf.set("spark.sql.adaptive.enabled", True)
    try:
        account = RowAccount()
        frame = spark.createDataFrame(ROWS, COLUMNS).repartition(3)
        table = answers_of(frame, PROGRAM, "a/1", account=account).cache()
        assert table.orderBy("time").join(table.groupBy("X").count(), "X").collect()
        assert account.counts == EXPECTED
        table.unpersist()
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", False)


def test_rows_of_a_reasoner_on_the_driver(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "input"
    folder.mkdir()
    stream = spark.readStream.text(str(folder))
    account = RowAccount()
    for lines in (['{"t": 9, "x": 1}', "{"], ['{"t": 20, "x": 1}'], ['{"t": 4, "x": 1}', '{"t": 30}']):
        number = len([*folder.iterdir()])
        (folder / f"{number}.txt").write_text("".join(f"{line}\n" for line in lines))
        query = write_answers(
            stream,
            "#input p(x) at t. a(X) :- p(X).",
            lambda *_: None,
            tmp_path / "checkpoint",
            input_format="jsonl",
            trigger={"availableNow": True},
            account=account,
        )
        query.awaitTermination()
    assert account.counts == Account(gave_facts=2, rejected=1, late=1, passed_over=1, with_time=1)


def test_without_an_action_nothing_is_counted(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lars2asp.runtime.spark.carrier.row_account.LONGEST_WAIT", 0.1)
    account = RowAccount()
    answers_of(spark.createDataFrame(ROWS, COLUMNS), PROGRAM, "a/1", account=account)
    with pytest.raises(
        RuntimeError,
        match="the rows are not counted yet: run an action on the DataFrame first, such as collect",
    ):
        _ = account.counts


def test_rows_of_a_stream(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    """Late rows too, each once, also where it has two facts; an end without its begin is rejected."""
    folder = tmp_path / "input"
    folder.mkdir()
    stream = spark.readStream.text(str(folder))
    account = RowAccount()
    program = "#input p(x) at t. #input q(x,y) at u. a(X) :- p(X). b(Y) :- q(_,Y). c :- p(_), q(_,_)."
    options: dict[str, Any] = {"input_format": "jsonl", "partitions": 2, "account": account}
    changes = answers(stream, program, **options)

    def take(*lines: str) -> Account:
        number = len([*folder.iterdir()])
        (folder / f"{number}.txt").write_text("".join(f"{line}\n" for line in lines))
        collect(changes)
        return account.counts

    found = take('{"t": 3, "x": 1}', '{"t": 10, "x": 1}', "{")
    assert found == Account(gave_facts=2, rejected=1)
    found = take('{"t": 20, "x": 1, "u": 20, "y": 1}', '{"u": 7}')
    assert found == Account(gave_facts=3, rejected=1, passed_over=1, with_time=1)
    late, half = '{"t": 4, "x": 1, "u": 5, "y": 1}', '{"t": 4, "x": 1, "u": 30, "y": 1}'
    found = take(late, late, half, '{"t": 30, "x": 2}', '{"time": 31, "end": ["p(9)"]}')
    assert found == Account(gave_facts=6, rejected=1, passed_over=1, late=2, late_facts=1, with_time=1)
    found = take('{"time": 40, "facts": ["p(1)"]}')
    assert (found.gave_facts, found.rejected, found.late) == (6, 2, 2)


def test_conditions_leave_out_rows(spark: SparkSession) -> None:
    """They are passed over, also where their time or another cell is broken; constants are arguments."""
    program = (
        '#input p(fixed("s"), x, int(n)) at t where k = "a", n != 7. #input q(x) at t where k != "a".'
        "a(S,X,N) :- p(S,X,N). b(X) :- q(X)."
    )
    rows = [
        *(("1", "x", "5", "a"), ("2", "x", "y", "b"), ("3", "z", "7", "a"), ("u", "z", "7", None)),
        *(("3", "x", "y", "a"), ("4", None, "5", "a")),
    ]
    frame = spark.createDataFrame(rows, f"{COLUMNS}, k string")
    account = RowAccount()
    found = answers(frame, program, account=account).collect()
    began = sorted((one.time, one.atom) for one in found if one.change == "began")
    assert began == [
        (1, 'a("s","x",5)'),
        (2, 'b("x")'),
    ]
    assert account.counts == Account(gave_facts=2, passed_over=2, without_fact=1, rejected=1, with_time=2)
