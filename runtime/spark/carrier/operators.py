"""A program as operators of Spark: the input is routed, then each level of shards is an operator."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import uuid4

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession

from lars2asp.runtime.reasoning.memory import collecting_for_rows
from lars2asp.runtime.sharding.blocks import Block, written
from lars2asp.runtime.sharding.packets import OUTPUT, Packet, PacketSign
from lars2asp.runtime.sharding.shard import ShardReasoner
from lars2asp.runtime.spark.carrier.boundary import selected
from lars2asp.runtime.spark.carrier.cells import cells
from lars2asp.runtime.spark.carrier.packet_frames import (
    PACKETS,
    PACKETS_IN_ARROW,
    counted,
    in_arrow,
    routed,
    with_measures,
)
from lars2asp.runtime.spark.carrier.resident_folders import end_residents_with_queries
from lars2asp.runtime.spark.carrier.row_account import RowAccount, check_facts, refused_numbers, total_of
from lars2asp.runtime.spark.carrier.sharded_program import ShardedProgram, program_of
from lars2asp.runtime.spark.spark_errors import said_first


def evaluated(
    df: DataFrame,
    program: ShardedProgram,
    clock: DataFrame | None = None,
    until: int | None = None,
    account: RowAccount | None = None,
    *,
    counts: bool = False,
) -> DataFrame:
    """The packets of the output; for a streaming DataFrame a streaming one.

    Args:
        df: the input.
        program: the program.
        clock: moves time, with its column `time`.
        until: the tick to which time goes on behind a bounded input; None for its last one.
        account: has what becomes of the rows.
        counts: whether packets tell this in any case.
    """
    pickled = program.pickled()
    delay = (program.lateness + 1) * program.event_time.length
    packets: DataFrame | None = None
    levels = program.layout.split.levels
    name = uuid4().hex[:8]
    if df.isStreaming:
        from lars2asp.runtime.spark.carrier.processor import ShardProcessor  # noqa: PLC0415 - of Spark 4

        end_residents_with_queries(df.sparkSession)
    for level in range(levels):
        is_counted = level == 0 and (counts or account is not None)
        routed_input = _routed(df, program, pickled, level, counts=is_counted)
        if (
            account is not None and level == 0 and not df.isStreaming
        ):  # here also where an action takes some rows
            routed_input = account.observing(routed_input, name)
        if clock is not None:
            routed_input = routed_input.unionByName(_ticking(clock, pickled, level))
        if until is not None:
            routed_input = routed_input.unionByName(_ending(df.sparkSession, pickled, level, until))
        if df.isStreaming:
            routed_input = routed_input.withWatermark("at", f"{delay} milliseconds")
        # first, so that partitions of the input have the same numbers at all levels
        packets = routed_input if packets is None else routed_input.unionByName(packets)
        sent = packets.drop("at")
        if not df.isStreaming:  # of a stream the checkpoint keeps the number
            sent = sent.repartition(program.partitions, "shard")
        grouped = sent.groupBy("shard")
        if df.isStreaming:
            packets = grouped.transformWithState(
                ShardProcessor(pickled, level, name),
                outputStructType=PACKETS,
                outputMode="Append",
                timeMode="EventTime",
                eventTimeColumnName="at" if level + 1 < levels else "",
            )
        else:
            needs = account is not None and account.needs_facts
            packets = grouped.applyInArrow(
                evaluator_of_bounded(pickled, level, needs_facts=needs and level == 0), PACKETS
            )
    assert packets is not None
    if account is not None:
        packets = account.observing(packets, name)
    return with_measures(packets, name) if df.isStreaming else packets


def _routed(df: DataFrame, program: ShardedProgram, pickled: bytes, level: int, *, counts: bool) -> DataFrame:
    """The packets of the input for the shards of a level, and an account of its rows if they are counted."""
    is_bounded = not df.isStreaming

    def route(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with said_first():
            here = program_of(pickled)
            is_first = is_bounded or here.settings.start is None or _batch() == 0
            part = (_partition(),) if is_bounded else (_batch(), _partition())
            router = here.router(level, is_bounded=is_bounded, sends_start=is_first, counts=counts, part=part)
            for packets in routed(batches, here.reader, router):
                yield from in_arrow(packets, here)
            numbers = router.counts.numbers
            if counts and (is_bounded or any(numbers)):
                yield from counted(here, -1 - _partition(), -1, numbers)

    return selected(df, program.reader).mapInArrow(route, PACKETS)


def _ending(spark: SparkSession, pickled: bytes, level: int, until: int) -> DataFrame:
    """Packets that have time go on to a tick, also where there is no other input."""

    def end(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        program = program_of(pickled)
        router = program.router(level, is_bounded=True, sends_start=program.settings.start is not None)
        for _ in batches:
            router.end_at(until)
            yield from in_arrow(router.last_packets(), program)

    return spark.range(0, 1, 1, 1).mapInArrow(end, PACKETS)


def _ticking(clock: DataFrame, pickled: bytes, level: int) -> DataFrame:
    """Packets that only move time, and say when the timeline starts where that is given."""

    def tick(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        program = program_of(pickled)
        for batch in batches:
            ticks = [+program.reader.timeline.tick_of_text(text) for text in cells(batch.column(0))]
            if not ticks:
                continue
            packets = [Packet(OUTPUT, min(max(ticks), program.event_time.last_tick), b"")]
            if program.settings.start is not None:  # there may be no input that says so
                start = written([Block.at(program.settings.start, PacketSign.START)])
                packets += [Packet(shard.number, 0, start) for shard in program.layout.at_level(level)]
            yield from in_arrow(packets, program)

    return clock.select("time").mapInArrow(tick, PACKETS)


def _partition() -> int:
    """The number of the partition that this task reads."""
    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


def _batch() -> int:
    """The number of the batch of a streaming query."""
    context = TaskContext.get()
    return int((context and context.getLocalProperty("streaming.sql.batchId")) or 0)


def evaluator_of_bounded(pickled: bytes, level: int, *, needs_facts: bool = False) -> Any:
    """The function that evaluates a shard of a level on a bounded input; other packets pass through.

    Where facts are needed, and the accounts that pass have none, it raises InputError.
    """

    def evaluate(key: tuple[Any, ...], table: pa.Table) -> pa.Table:
        program, number = program_of(pickled), key[0].as_py()
        if program.passes(number, level):
            if needs_facts and number == program.number_of_output(-1):
                with said_first():
                    check_facts(total_of(table.column("account").drop_null().to_pylist()))
            return table.append_column("at", pa.nulls(table.num_rows, PACKETS_IN_ARROW.field("at").type))
        spec = program.specs[number]
        with said_first(), collecting_for_rows():
            reasoner = ShardReasoner(spec, program.plan(spec.shard.part))
            found = reasoner.evaluate(table.column("data").to_pylist())
        source = spec.shard.number
        rows = [*in_arrow(found, program, source)]
        if any(reasoner.refused):
            rows += counted(program, source, source, refused_numbers(reasoner.refused))
        return pa.Table.from_batches(rows, PACKETS_IN_ARROW)

    return evaluate
