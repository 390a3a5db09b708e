"""What values mean on Spark: types at the door, wide numbers, times, durations and facts that are held."""

from datetime import timedelta
from pathlib import Path

from pyspark.sql import Row, SparkSession

from lars2asp import Reasoner
from lars2asp.runtime.sources.records import Rejected
from lars2asp.spark import answers, answers_of
from tests.runtime.spark.collecting import Collect

PROGRAM = """
    #tick 1 min.
    #input order(id, number(bytes), time(paid)) at at.
    #input waited(id, duration(took)) at at.
    slow(I,D) :- waited(I,D), D > 90 min.
    #held order(I,_,_) by I for 3 min.
    square(I,B*B) :- order(I,B,_), B > 4294967296.
    late(I,P,D) :- order(I,_,P) at T in [0], D = T-P, D > 5 min.
    lasts(I,B) :- order(I,B,_) always in [2 min], B < 0.
"""
LINES = """at,id,bytes,paid,took
2026-01-01T00:01:00Z,x,9223372036854775808,2026-01-01T00:00:00Z,1 hour
2026-01-01T00:02:00Z,y,-9007199254740993,2025-12-31T21:15:00Z,PT2H5M
2026-01-01T00:03:00Z,z,unavailable,2026-01-01T00:00:00Z,1 hour
2026-01-01T00:04:00Z,x,4294967297,noon,1 hour
2026-01-01T00:05:00Z,x,4294967297,2026-01-01T00:02:00Z,3600
2026-01-01T00:09:00Z,z,4294967297,2026-01-01T00:02:00Z,01:31:00
"""
ORIGIN = "2026-01-01T00:00:00Z"


def test_they_are_those_of_one_reasoner(spark: SparkSession, tmp_path: Path, collect: Collect) -> None:
    file = tmp_path / "input" / "orders.csv"
    file.parent.mkdir()
    file.write_text(LINES)
    refused: list[Rejected] = []
    expected = [
        (answer.tick, atom, change)
        for answer in Reasoner.from_text(PROGRAM, origin=ORIGIN).run(file, on_reject=refused.append)
        for change, atoms in (("began", answer.began.texts), ("ended", answer.ended.texts))
        for atom in atoms
    ]
    assert {atom for _, atom, _ in expected} >= {
        f'square("x",{2**126})',
        'late("y","2025-12-31T21:15:00+00:00","2 h 47 min")',
        'lasts("y",-9007199254740993)',
        'slow("y","2 h 05 min")',
        'slow("z","1 h 31 min")',
        'late("z","2026-01-01T00:02:00+00:00","7 min")',
    }
    columns = "at string, id string, bytes string, paid string, took string"
    table = spark.read.schema(columns).option("header", True).csv(str(file.parent))
    stream = spark.readStream.schema(columns).option("header", True).csv(str(file.parent))
    last = expected[-1][0]
    for rows, until in (
        (answers(table, PROGRAM, origin=ORIGIN).collect(), last),
        (collect(answers(stream, PROGRAM, origin=ORIGIN)), last - 1),  # the last tick waits for what follows
    ):
        changes = [(row.time, row.atom, row.change) for row in rows if row.change != "rejected"]
        assert sorted(changes) == sorted(one for one in expected if one[0] <= until)
        reasons = sorted(row.reason for row in rows if row.change == "rejected")
        assert len(reasons) == len(refused) == 3
        for part, reason in zip(("unavailable", "noon", "3600 lacks a unit of time"), reasons, strict=True):
            assert part in reason


def test_columns_of_tables(spark: SparkSession) -> None:
    """They have the types of the arguments; a number of more than 64 bits is missing there."""
    rows = [Row(at=1, id="x", bytes=2**62), Row(at=2, id="y", bytes=-1)]
    program = (
        "#types b(text,integer). b(I,B) :- order(I,B). c(I,2*B) :- order(I,B). #input order(id,bytes) at at."
    )
    frame = spark.createDataFrame(rows)
    table = answers_of(frame, program, "b/2")
    assert table.dtypes[-2:] == [("I", "string"), ("B", "bigint")]
    assert (1, "began", "x", 2**62) in {(row.time, row.change, row.I, row.B) for row in table.collect()}
    wide = answers_of(frame, program, "c/2").collect()
    assert {(row.time, row.a2) for row in wide if row.change == "began"} == {(1, None), (2, -2)}


def test_intervals_and_numbers_are_durations(spark: SparkSession) -> None:
    rows = [(1, timedelta(days=1, minutes=5), 3.0), (2, timedelta(minutes=-30), 90.0), (3, None, 2.0)]
    frame = spark.createDataFrame(rows, "time int, took interval day to second, wait double")
    program = """
        #tick 1 min. #input p(duration(took)). #input q(duration(wait "min")). a(D) :- p(D). b(D) :- q(D).
    """
    found = [row.atom for row in answers(frame, program).collect() if row.change == "began"]
    assert sorted(found) == [
        'a("-30 min")',
        'a("1 d 00 h 05 min")',
        'b("1 h 30 min")',
        'b("2 min")',
        'b("3 min")',
    ]
