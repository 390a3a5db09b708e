"""Runs streaming queries over files until all is read."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame, Row

from lars2asp.runtime.spark.query.waiting import run_to_end

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

Collect = Callable[[DataFrame], list[Row]]
"""Runs a query over the files that are there and gives its rows; the next call goes on from there."""


def collecting(checkpoint: Path) -> Collect:
    """Runs queries with a checkpoint."""

    def run(frame: DataFrame) -> list[Row]:
        found: dict[int, list[Row]] = {}
        """The rows of each batch, which comes again where Python did not start in time."""

        def start() -> "StreamingQuery":
            return (
                frame.writeStream.foreachBatch(lambda batch, number: found.update({number: batch.collect()}))
                .outputMode("append")
                .option("checkpointLocation", str(checkpoint))
                .trigger(availableNow=True)
                .start()
            )

        run_to_end(start)
        return [row for number in sorted(found) for row in found[number]]

    return run
