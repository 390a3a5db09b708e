"""Runs streaming queries over files until all is read."""

from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, Row

from lars2asp.spark import wait_for_end

Collect = Callable[[DataFrame], list[Row]]
"""Runs a query over the files that are there and gives its rows; the next call goes on from there."""


def collecting(checkpoint: Path) -> Collect:
    """Runs queries with a checkpoint."""

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
