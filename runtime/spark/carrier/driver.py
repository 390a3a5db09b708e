"""Driver mode: Spark brings the batches, and one reasoner in the driver's process evaluates them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere
from pyspark.sql.streaming.query import StreamingQuery

from lars2asp.runtime.sharding.batch_states import BatchStates
from lars2asp.runtime.sharding.changes import changes_in
from lars2asp.runtime.sharding.row_counts import account_of, judged
from lars2asp.runtime.sharding.shard import ShardReasoner, ShardState, watermark_of
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.spark.carrier.boundary import selected
from lars2asp.runtime.spark.carrier.cells import cells
from lars2asp.runtime.spark.carrier.packet_frames import routed, with_times
from lars2asp.runtime.spark.carrier.row_account import refused_numbers
from lars2asp.runtime.spark.carrier.rows import RowsReader
from lars2asp.runtime.spark.carrier.sharded_program import ShardedProgram
from lars2asp.runtime.spark.spark_errors import said_first

CLOCK = "lars2asp clock"
"""The column with the times of a clock, which other rows leave empty."""

BatchSink = Callable[[DataFrame, int], None]
"""Takes the changes of a batch, and the number of the batch."""


def started_on_driver(
    df: DataFrame,
    program: ShardedProgram,
    sink: BatchSink,
    checkpoint: Path,
    clock: DataFrame | None,
    trigger: Mapping[str, Any] | None,
    count: Callable[[int, Account], None] = lambda *_: None,
) -> StreamingQuery:
    """A query whose batches a DriverReasoner evaluates; see `write_answers`."""
    folder = checkpoint.absolute()
    reasoner = DriverReasoner(program, folder / "states", sink, count)
    rows = _with_clock(df, program.reader, clock)
    writer = rows.writeStream.foreachBatch(reasoner).option("checkpointLocation", str(folder / "spark"))
    return writer.trigger(**(trigger or {"processingTime": "0 seconds"})).start()


def _with_clock(df: DataFrame, reader: RowsReader, clock: DataFrame | None) -> DataFrame:
    """The columns of the input, with rows of a clock among them."""
    kind = "string" if clock is None else clock.select("time").schema[0].dataType
    rows = selected(df, reader).withColumn(CLOCK, F.lit(None).cast(kind))
    if clock is None:
        return rows
    return rows.unionByName(clock.select(F.col("time").alias(CLOCK)), allowMissingColumns=True)


class DriverReasoner:
    """Evaluates batches on the driver; a batch that comes again gives the same changes again.

    At the end of a batch the ticks are over that lie more than the lateness before the latest time so far.

    Args:
        program: the program, in one shard.
        folder: where states are kept.
        sink: takes the changes.
        count: takes the number of each batch that is done, and what became of its rows.
    """

    def __init__(
        self,
        program: ShardedProgram,
        folder: Path,
        sink: BatchSink,
        count: Callable[[int, Account], None] = lambda *_: None,
    ) -> None:
        self._program = program
        [self._spec] = program.specs.values()
        self._plan = program.plan(self._spec.shard.part)
        self._states = BatchStates(folder, self._spec)
        self._sink = sink
        self._count = count
        self._account = Account()
        """That of the last batch."""
        self._kept: tuple[int, int | None, ShardReasoner] | None = None
        """The last batch, the watermark at its end, and the reasoner."""

    def __call__(self, rows: DataFrame, batch: int) -> None:
        """Takes a batch of rows, as `foreachBatch` hands it over. Raises EvaluationError."""
        with said_first():
            evaluated = self.evaluate(rows.toArrow(), batch)
        changes = rows.sparkSession.createDataFrame(evaluated)
        self._sink(with_times(changes, self._program.event_time), batch)
        self._count(batch, self._account)

    def evaluate(self, table: pa.Table, batch: int) -> pa.Table:
        """The changes for a batch of rows, those of a clock among them."""
        program = self._program
        late, reasoner = self._before(batch)
        times = cells(table.column(CLOCK).drop_null())
        table = table.filter(table.column(CLOCK).is_null()).drop_columns(CLOCK)
        is_first = program.settings.start is None
        router = program.router(0, is_bounded=False, sends_start=is_first, counts=True, part=(batch,))
        packets = [packet for some in routed(table.to_batches(), program.reader, router) for packet in some]
        ticks = [packet.tick for packet in packets]
        ticks += [+program.reader.timeline.tick_of_text(time) for time in times]
        latest = max(ticks, default=-1)
        over = max(late if late is not None else -1, latest - program.lateness - 1)
        watermark = over if over >= 0 else None
        result = reasoner.take([packet.data for packet in packets if packet.target >= 0], late, watermark)
        refused = account_of(refused_numbers(result.refused))
        self._account = judged(router.counts.numbers, late) + refused
        self._states.keep(batch, result)
        self._kept = batch, watermark, reasoner
        output = [(packet.data, -1) for packet in packets if packet.target < 0]
        output += [(packet.data, self._spec.shard.number) for packet in result.packets]
        return changes_in(output, self._plan.decimals)

    def _before(self, batch: int) -> tuple[int | None, ShardReasoner]:
        """The watermark before a batch, and the reasoner as it was then."""
        kept, self._kept = self._kept, None
        if kept is not None and kept[0] < batch:
            return kept[1:]
        state = self._states.before(batch) or ShardState()
        late = watermark_of(state.journal[-1]) if state.journal else None
        return late, ShardReasoner(self._spec, self._plan, state)
