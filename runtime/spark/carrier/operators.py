"""A job as operators of Spark: the input is routed, then each level of shards is one stateful operator."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

from lars2asp.runtime.sharding.packets import OUTPUT, Packet, PacketSign, line
from lars2asp.runtime.sharding.shard import ShardReasoner
from lars2asp.runtime.spark.carrier.packet_frames import PACKETS, PACKETS_IN_ARROW, in_arrow, routed
from lars2asp.runtime.spark.carrier.processor import ShardProcessor
from lars2asp.runtime.spark.carrier.rows import cells
from lars2asp.runtime.spark.carrier.sharded_program import ShardedProgram, program_of


def evaluated(df: DataFrame, job: ShardedProgram, lateness: int, clock: DataFrame | None = None) -> DataFrame:
    """The packets of the output; for a streaming DataFrame a streaming one.

    Args:
        df: the input.
        job: the program.
        lateness: in ticks: so far behind the latest time of earlier batches a record may come.
        clock: moves time, with its column `time`.
    """
    pickled = job.pickled()
    delay = (lateness + 1) * job.event_time.length
    packets: DataFrame | None = None
    levels = job.layout.split.levels
    for level in range(levels):
        told = _routed(df, job, pickled, level)
        if clock is not None:
            told = told.unionByName(_ticking(clock, pickled, level))
        if df.isStreaming:
            told = told.withWatermark("at", f"{delay} milliseconds")
        waiting = told if packets is None else packets.unionByName(told)
        grouped = waiting.drop("at").groupBy("shard")
        if df.isStreaming:
            packets = grouped.transformWithState(
                ShardProcessor(pickled, level),
                outputStructType=PACKETS,
                outputMode="Append",
                timeMode="EventTime",
                eventTimeColumnName="at" if level + 1 < levels else "",
            )
        else:
            packets = grouped.applyInArrow(_at_once(pickled, level), PACKETS)
    assert packets is not None
    return packets


def _routed(df: DataFrame, job: ShardedProgram, pickled: bytes, level: int) -> DataFrame:
    """The packets of the input for the shards of a level."""
    is_bounded = not df.isStreaming

    def route(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        here = program_of(pickled)
        is_first = is_bounded or here.settings.start is None or _is_first_batch()
        router = here.router(level, is_bounded=is_bounded, sends_start=is_first)
        for packets in routed(batches, here, router):
            yield from in_arrow(packets, here)

    columns = [F.col(f"`{column}`") for column in job.reader.columns]
    return df.select(*columns).mapInArrow(route, PACKETS)


def _ticking(clock: DataFrame, pickled: bytes, level: int) -> DataFrame:
    """Packets that tell nothing but their time, and when the timeline starts if that is settled."""

    def tick(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        job = program_of(pickled)
        for batch in batches:
            ticks = list(map(job.reader.timeline.tick_of_text, cells(batch.column(0))))
            if not ticks:
                continue
            told = [Packet(OUTPUT, min(max(ticks), job.event_time.last_tick), "")]
            if job.settings.start is not None:  # there may be nothing else that tells it
                start = line(job.settings.start, PacketSign.START)
                told += [Packet(shard.number, 0, start) for shard in job.layout.at_level(level)]
            yield from in_arrow(told, job)

    return clock.select("time").mapInArrow(tick, PACKETS)


def _is_first_batch() -> bool:
    """Whether this is the first batch of a streaming query."""
    context = TaskContext.get()
    return context is not None and context.getLocalProperty("streaming.sql.batchId") == "0"


def _at_once(pickled: bytes, level: int) -> Any:
    """What evaluates a shard of a level on all of a bounded input; all else passes through."""

    def evaluate(key: tuple[Any, ...], table: pa.Table) -> pa.Table:
        job, number = program_of(pickled), key[0].as_py()
        if job.passes(number, level):
            return table.append_column("at", pa.nulls(table.num_rows, PACKETS_IN_ARROW.field("at").type))
        spec = job.specs[number]
        reasoner = ShardReasoner(spec, job.plan(spec.shard.part))
        reasoner.take(table.column("text").to_pylist(), None, None)
        taken = reasoner.take([], None, reasoner.clock)
        return pa.Table.from_batches(in_arrow(taken.packets, job, spec.shard.number), PACKETS_IN_ARROW)

    return evaluate
