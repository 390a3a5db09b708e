"""Reasoners of a query stay from batch to batch, whichever worker asks, and end with it."""

from pathlib import Path

import pytest
from pyspark.sql import Row, SparkSession

from lars2asp.runtime.spark.carrier.packet_frames import METRICS
from lars2asp.runtime.spark.carrier.resident_folders import folder_of
from lars2asp.runtime.spark.query import query_progress
from lars2asp.runtime.spark.query.query_progress import _Reasoners
from lars2asp.runtime.spark.query.waiting import wait_for_end
from lars2asp.spark import answers
from tests.runtime.spark.test_answers import Files
from tests.support.processes import wait_for

BATCHES = 3

KEYED = "q(X) :- p(X,_) in [3]."


def test_two_of_one_program_in_a_query(spark: SparkSession, tmp_path: Path) -> None:
    """Each has reasoners and metrics of its own."""
    files = Files(spark, tmp_path / "rows", "time int, atom string")
    for batch in range(2):
        files.add([(tick, f"p({tick},1)") for tick in range(10 * batch, 10 * batch + 10)])
    both = answers(files.frame(), KEYED).union(answers(files.frame(), KEYED))
    query = (
        both.writeStream.format("noop")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    wait_for_end(query)
    metrics = [progress.observedMetrics for progress in query.recentProgress]
    assert {len(found) for found in metrics} == {2}
    assert sum(one.facts or 0 for found in metrics for one in found.values()) == 40
    assert [one.rebuilds for found in metrics for one in found.values() if one.rebuilds] == []


def test_the_line_of_progress() -> None:
    reasoners = _Reasoners()
    assert str(reasoners) == ""
    shard = {"shard": 3, "facts": 7, "late": 2, "seconds": 1.5, "rebuilds": 1, "blocks": 1}
    shard["memory"] = 50 * 2**20
    reasoners.add({"facts": 7, "late": 2, "seconds": 1.5, "rebuilds": 1, "shards": [shard]})
    assert str(reasoners) == "; reasoners: 2 s, 50 MiB at most, 1 rebuilt, 2 facts late, 1 in blocks"
    reasoners.add({"facts": None, "late": None, "shards": []})
    other = shard | {"shard": 4, "seconds": 8.5, "blocks": 0}
    reasoners.add({"facts": 1, "late": 0, "seconds": 8.5, "rebuilds": 0, "shards": [other]})
    line = "; reasoners: 10 s, the busiest 8 s, 50 MiB at most, 1 rebuilt, 2 facts late, 1 in blocks"
    assert str(reasoners) == line


@pytest.mark.parametrize(("evaluator", "in_blocks"), [("delta", 0), ("flow", 1)])
def test_progress_is_counted_and_told(
    evaluator: str,
    in_blocks: int,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(query_progress, "REPORT_EVERY", 0.0)
    files = Files(spark, tmp_path / "rows", "time int, atom string")
    for batch in range(2):
        files.add([(tick, f"p({tick},1)") for tick in range(10 * batch, 10 * batch + 10)])
    with query_progress.counting(spark, "no clock", 1) as result:
        changes = answers(files.frame(), KEYED, evaluator=evaluator)
        writer = changes.writeStream.format("noop").trigger(availableNow=True)
        wait_for_end(writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start())
    assert (result.rows, result.rejected) == (20, 0)
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("read 10, batch 1, ")
    assert first.endswith(" MiB at most, 0 rebuilt, 0 facts late, 0 in blocks")
    assert last.endswith(f", {in_blocks} in blocks")


@pytest.mark.parametrize(
    ("program", "partition"),
    [(KEYED, "auto"), (KEYED + "many :- #count { X : q(X) } > 3.", "pipelined")],
)
def test_reasoners_stay(spark: SparkSession, tmp_path: Path, program: str, partition: str) -> None:
    files = Files(spark, tmp_path / "rows", "time int, atom string")
    for batch in range(BATCHES):
        files.add([(tick, f"p({tick % 7},{tick})") for tick in range(10 * batch, 10 * batch + 10)])
    files.add([(3, "p(1,1)")])
    query = (
        answers(files.frame(), program, split=partition, partitions=3)
        .writeStream.format("noop")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    wait_for_end(query)
    metrics: list[Row] = [
        found
        for progress in query.recentProgress
        for name, found in progress.observedMetrics.items()
        if name.startswith(METRICS)
    ]
    shards = [shard for batch in metrics for shard in batch.shards]
    assert [one.rebuilds for one in metrics if one.rebuilds] == []
    assert sum(one.facts or 0 for one in metrics) >= 10 * BATCHES
    assert sum(one.late or 0 for one in metrics) == 1
    assert len({shard["shard"] for shard in shards}) > 1
    assert all(shard["seconds"] > 0 and shard["memory"] > 2**20 for shard in shards)
    wait_for(lambda: not folder_of(str(query.id)).exists())
