"""A small query that tells which processes start Spark's workers, with state and without."""

import os
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle


class Daemons(StatefulProcessor):
    """Gives the daemons that are in rows, and that of its own worker."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """There is no state."""

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        yield from (Row(daemon=row.daemon) for row in rows)
        yield Row(daemon=os.getppid())

    def close(self) -> None:
        """Nothing is open."""


def _daemon(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield pa.record_batch({"daemon": pa.repeat(os.getppid(), batch.num_rows)})


def worker_daemons(rows: DataFrame) -> DataFrame:
    """The numbers of the processes that start workers."""
    grouped = rows.mapInArrow(_daemon, "daemon long").groupBy("daemon")
    return grouped.transformWithState(
        statefulProcessor=Daemons(), outputStructType="daemon long", outputMode="append", timeMode="none"
    )
