"""Driver mode: Spark brings the batches, and one reasoner in the driver's process evaluates them."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

from lars2asp.runtime.sharding.batch_states import BatchStates
from lars2asp.runtime.sharding.shard import ShardReasoner, ShardState, watermark_of
from lars2asp.runtime.spark.carrier.packet_frames import PACKETS_IN_ARROW, as_changes, in_arrow, routed
from lars2asp.runtime.spark.carrier.rows import cells
from lars2asp.runtime.spark.carrier.sharded_program import ShardedProgram

CLOCK = "lars2asp clock"
"""The column in which rows of a clock have their time, all others nothing."""

Sink = Callable[[DataFrame, int], None]
"""Takes the changes of a batch, and the number of the batch."""


def with_clock(df: DataFrame, columns: Sequence[str], clock: DataFrame | None) -> DataFrame:
    """What a DriverReasoner takes: the columns of the input, with rows of a clock among them."""
    kind = "string" if clock is None else clock.schema["time"].dataType
    rows = df.select(*(F.col(f"`{column}`") for column in columns), F.lit(None).cast(kind).alias(CLOCK))
    if clock is None:
        return rows
    return rows.unionByName(clock.select(F.col("time").alias(CLOCK)), allowMissingColumns=True)


class DriverReasoner:
    """Evaluates batches on the driver; a batch that comes again gives the same changes again.

    At the end of a batch the ticks are over that lie more than the lateness before the latest time so far.

    Args:
        job: the program, in one shard.
        folder: where states are kept.
        lateness: in ticks.
        sink: takes the changes.
    """

    def __init__(self, job: ShardedProgram, folder: Path, lateness: int, sink: Sink) -> None:
        self._job = job
        [self._spec] = job.specs.values()
        self._plan = job.plan(self._spec.shard.part)
        self._states = BatchStates(folder, self._spec.fingerprint)
        self._lateness = lateness
        self._sink = sink
        self._kept: tuple[int, int | None, ShardReasoner] | None = None
        """The last batch, the watermark at its end, and the reasoner."""

    def __call__(self, rows: DataFrame, batch: int) -> None:
        """Takes a batch of rows `with_clock`, as `foreachBatch` hands it over. Raises EvaluationError."""
        job = self._job
        late, reasoner = self._before(batch)
        table = rows.toArrow()
        times = cells(table.column(CLOCK).drop_null())
        table = table.filter(table.column(CLOCK).is_null()).drop_columns(CLOCK)
        router = job.router(0, is_bounded=False, sends_start=job.settings.start is None)
        packets = [packet for some in routed(table.to_batches(), job, router) for packet in some]
        ticks = [packet.tick for packet in packets]
        ticks += map(job.reader.timeline.tick_of_text, times)
        latest = max(ticks, default=-1)
        over = max(late if late is not None else -1, latest - self._lateness - 1)
        watermark = over if over >= 0 else None
        taken = reasoner.take([packet.text for packet in packets if packet.target >= 0], late, watermark)
        self._states.keep(batch, taken)
        self._kept = batch, watermark, reasoner
        given = [
            *in_arrow((packet for packet in packets if packet.target < 0), job),
            *in_arrow(taken.packets, job, self._spec.shard.number),
        ]
        frame = rows.sparkSession.createDataFrame(pa.Table.from_batches(given, PACKETS_IN_ARROW))
        self._sink(as_changes(frame), batch)

    def _before(self, batch: int) -> tuple[int | None, ShardReasoner]:
        """The watermark before a batch, and the reasoner as it was then."""
        kept, self._kept = self._kept, None
        if kept is not None and kept[0] < batch:
            return kept[1:]
        state = self._states.before(batch) or ShardState()
        late = watermark_of(state.journal[-1]) if state.journal else None
        return late, ShardReasoner(self._spec, self._plan, state)
