"""Reasoners of a query stay from batch to batch, whichever worker asks, and end with it."""

from pathlib import Path
from time import monotonic, sleep

import pytest
from pyspark.sql import Row, SparkSession

from lars2asp.runtime.spark.carrier.packet_frames import METRICS
from lars2asp.runtime.spark.carrier.resident_folders import folder_of
from lars2asp.spark import answers, wait_for_end
from tests.runtime.spark.test_answers import Files

BATCHES = 6
MOST_SECONDS = 30.0


KEYED = "q(X) :- p(X,_) in [3]."


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
        answers(files.frame(), program, partition=partition, partitions=3)
        .writeStream.format("noop")
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    wait_for_end(query)
    metrics: list[Row] = [progress.observedMetrics[METRICS] for progress in query.recentProgress]
    shards = [shard for batch in metrics for shard in batch.shards]
    assert [one.rebuilds for one in metrics if one.rebuilds] == []
    assert sum(one.facts or 0 for one in metrics) >= 10 * BATCHES
    assert sum(one.late or 0 for one in metrics) == 1
    assert len({shard["shard"] for shard in shards}) > 1
    assert all(shard["seconds"] > 0 and shard["memory"] > 2**20 for shard in shards)
    last = monotonic() + MOST_SECONDS
    while folder_of(str(query.runId)).exists() and monotonic() < last:
        sleep(0.05)
    assert not folder_of(str(query.runId)).exists()
