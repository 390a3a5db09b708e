"""Streaming queries over files."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from lars2asp.runtime.spark.query.waiting import wait_for_end

Collect = Callable[[DataFrame], list[Row]]
"""Runs a query over the files that are there and gives its rows; the next call goes on from there."""


@pytest.fixture
def collect(spark: SparkSession, tmp_path: Path) -> Collect:
    """Runs a streaming query until all is read."""
    checkpoint = tmp_path / "checkpoint"

    def run(frame: DataFrame) -> list[Row]:
        rows: list[Row] = []
        query = (
            frame.writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect()))
            .outputMode("append")
            .option("checkpointLocation", str(checkpoint))
            .trigger(availableNow=True)
            .start()
        )
        wait_for_end(query)
        return rows

    return run
