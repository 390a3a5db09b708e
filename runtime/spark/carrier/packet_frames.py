"""Packets as rows of DataFrames: made of the input, and read as changes of the output."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere
from pyspark.sql.pandas.types import from_arrow_schema

from lars2asp.externals.terms.text import Decimals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.changes import CHANGES, changes_in, rejected_in
from lars2asp.runtime.sharding.packets import Packet
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.spark.carrier.rows import RowsReader
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, ShardedProgram
from lars2asp.runtime.spark.carrier.table_files import TableFiles
from lars2asp.syntax.garbage import collector_paused
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.source import shown

ROWS_AT_ONCE = 60_000
"""The number of rows, at least, that are routed at once."""

MOST_SHOWN = 200
"""The number of characters of a record, and of a reason, in a message."""

METRICS = "lars2asp"
"""What the names of observed metrics begin with."""

ACCOUNTS = "accounts"
"""The metric with the rows of accounts."""

_WATERMARK = "spark.watermarkDelayMs"
"""In the metadata of a column: it is event time, and has a watermark."""

MEASURES = pa.struct(
    [
        ("shard", pa.int32()),
        ("facts", pa.int64()),
        ("late", pa.int64()),
        ("seconds", pa.float64()),
        ("rebuilds", pa.int32()),
        ("memory", pa.int64()),
        ("blocks", pa.int32()),
    ]
)
"""What a shard took for a batch: its number, and `residence.Measures`."""

PACKETS_IN_ARROW = pa.schema(
    [
        ("shard", pa.int32()),
        ("tick", pa.int64()),
        ("data", pa.binary()),
        ("source", pa.int32()),
        ("measures", MEASURES),
        ("account", pa.list_(pa.int64())),
        ("at", pa.timestamp("us", tz="UTC")),
    ]
)
"""A packet in a row: the number that stands for its target (negative for the output), its latest tick, its
blocks, the number of the shard that it comes from (-1 for the input), and the begin of its latest tick in
event time. Or, without blocks, what a shard took; or an account: the number of who counted (a partition of
the input as -1, -2, ..., or a shard), and the numbers of RowCounts."""

PACKETS = from_arrow_schema(PACKETS_IN_ARROW)
"""The same for Spark."""


def routed(batches: Iterable[pa.RecordBatch], reader: RowsReader, router: Router) -> Iterator[list[Packet]]:
    """The packets of rows, batch by batch, with the columns that the reader needs; of files part by part."""
    if isinstance(reader, TableFiles):
        for batch in batches:
            for _ in reader.parts(batch, router):
                yield router.packets()
    else:
        for batch in _gathered(batches):
            with collector_paused():
                reader.route(batch, router)
                found = router.packets()
            yield found
    yield router.last_packets()


def _gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows, more at a time: the work for each distinct value is done less often."""
    found, number = list[pa.RecordBatch](), 0
    for batch in batches:
        found.append(batch)
        number += batch.num_rows
        if number >= ROWS_AT_ONCE:
            yield from pa.Table.from_batches(found).combine_chunks().to_batches()
            found, number = [], 0
    if found:
        yield from pa.Table.from_batches(found).combine_chunks().to_batches()


def in_arrow(
    packets: Iterable[Packet], program: ShardedProgram, source: int = -1
) -> Iterator[pa.RecordBatch]:
    """Rows of packets from a shard, given by its number, or from the input: one batch or none."""
    moment = program.event_time.moment
    rows = [(*row, None, None, moment(row[1])) for row in program.addressed(packets, source)]
    yield from _batch(rows)


def counted(
    program: ShardedProgram, number: int, source: int, numbers: list[int]
) -> Iterator[pa.RecordBatch]:
    """The row of an account, for the output.

    Args:
        program: the program.
        number: that of who counted.
        source: the number of the shard that it comes from, -1 for the input.
        numbers: those of RowCounts.
    """
    row = (
        program.number_of_output(source),
        0,
        b"",
        source,
        None,
        [number, *numbers],
        program.event_time.moment(0),
    )
    yield from _batch([row])


def _batch(rows: Sequence[tuple[Any, ...]]) -> Iterator[pa.RecordBatch]:
    if rows:
        columns = zip(*rows, strict=True)
        arrays = [pa.array(column, kind.type) for column, kind in zip(columns, PACKETS_IN_ARROW, strict=True)]
        yield pa.record_batch(arrays, schema=PACKETS_IN_ARROW)


def output_of(packets: DataFrame) -> DataFrame:
    """The packets of the output that have blocks."""
    return packets.where((F.col("shard") < 0) & (F.length("data") > 0))


class RejectedRows(OptionValue):
    """What becomes of rejected rows where the answers of one predicate are asked for."""

    SAID = "warn"
    """Workers say on standard error how many there were."""
    REFUSED = "stop"
    """The first ends the query."""
    ROWS = "rows"
    """They are rows of the table."""


def as_changes(
    packets: DataFrame, program: ShardedProgram, rejected: RejectedRows = RejectedRows.ROWS
) -> DataFrame:
    """The changes in packets of the output, with times; see `with_times`.

    Args:
        packets: the packets.
        program: the program.
        rejected: what becomes of rejected rows, which the changes have in any case; see `tell_rejected`.
    """
    changes_of = partial(_changes_of, program.decimals, rejected)
    changes = output_of(packets).select("data", "source").mapInArrow(changes_of, from_arrow_schema(CHANGES))
    return with_times(changes, program.event_time)


def with_measures(packets: DataFrame, name: str) -> DataFrame:
    """Packets of the output of a stream, such that the query's observed metrics tell what shards took.

    Args:
        packets: the packets.
        name: the end of the metrics' name; a query must not have two of one name.
    """
    columns = ("facts", "late", "seconds", "rebuilds", "blocks")
    sums = [F.sum(f"measures.{column}").alias(column) for column in columns]
    return packets.observe(f"{METRICS}-{name}", *sums, F.collect_list("measures").alias("shards"))


def accounts_in() -> Column:
    """The rows of accounts, as a metric to be observed."""
    return F.collect_list("account").alias(ACCOUNTS)


def tell_rejected(packets: Iterable[bytes], how: RejectedRows) -> None:
    """Says on standard error of this worker how many records in packets were rejected, and why the first.

    Raises InputError where such rows are refused.
    """
    rejected = [*rejected_in(packets)] if how is not RejectedRows.ROWS else []
    if rejected:
        reason, text = rejected[0]
        if how is RejectedRows.REFUSED:
            raise InputError(f"a row is rejected: {shown(text, MOST_SHOWN)}: {shown(reason, MOST_SHOWN)}")
        were = "rows were" if len(rejected) > 1 else "row was"
        sys.stderr.write(
            f"lars2asp: {len(rejected)} {were} rejected, {'first ' if len(rejected) > 1 else ''}"
            f"{shown(text, MOST_SHOWN)}: {shown(reason, MOST_SHOWN)}; answers(df, program) lists them all\n"
        )
        sys.stderr.flush()


def _changes_of(
    decimals: Decimals, rejected: RejectedRows, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        tell_rejected(batch.column("data").to_pylist(), rejected)
        packets = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        yield from changes_in(packets, decimals).to_batches()


def with_times(changes: DataFrame, event_time: EventTime) -> DataFrame:
    """Changes, whose first column is `time`, also with `at`, when the tick begins, where ticks have a length.

    Of a stream, `at` has Spark's watermark: what is output lies behind the one of the batch before.
    """
    first, *others = (F.col(column) for column in changes.columns)
    at = list[Column]()
    if event_time.is_real:
        if event_time.days is None:
            moment = F.timestamp_millis(F.lit(event_time.origin) + F.col("time") * event_time.length)
        else:
            moment = F.timestamp_micros(
                F.udf(event_time.days.begin_of, "long", useArrow=False)(F.col("time"))
            )
        at = [moment.alias("at", metadata={_WATERMARK: 0} if changes.isStreaming else {})]
    return changes.select(first, *at, *others)
