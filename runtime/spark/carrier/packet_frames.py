"""Packets as rows of DataFrames: made of the input, and read as changes of the output."""

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

from lars2asp.runtime.sharding.packets import Packet, PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.spark.carrier.atom_columns import with_predicate_and_arguments
from lars2asp.runtime.spark.carrier.rows import cells
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, ShardedProgram

PACKETS = "shard int, tick long, text string, source int, at timestamp"
"""A packet in a row: the number that stands for its target (negative for the output), its latest tick, its
entries, the number of the shard that it comes from (-1 for the input), and the begin of its latest tick in
event time."""

_WATERMARK = "spark.watermarkDelayMs"
"""In the metadata of a column: it is event time, and has a watermark."""

CHANGES = {
    PacketSign.BEGAN: "began",
    PacketSign.ENDED: "ended",
    PacketSign.UNSATISFIABLE: "unsatisfiable",
    PacketSign.SATISFIABLE: "satisfiable",
    PacketSign.REJECTED: "rejected",
}
"""The values of the column `change` of answers."""

PACKETS_IN_ARROW = pa.schema(
    [
        ("shard", pa.int32()),
        ("tick", pa.int64()),
        ("text", pa.string()),
        ("source", pa.int32()),
        ("at", pa.timestamp("us", tz="UTC")),
    ]
)


def routed(
    batches: Iterable[pa.RecordBatch], program: ShardedProgram, router: Router
) -> Iterator[list[Packet]]:
    """The packets of rows, batch by batch, with the columns that the reader needs."""
    for batch in batches:
        columns = map(cells, batch.columns)
        program.reader.route(zip(*columns, strict=True), router)
        yield router.packets()
    yield router.last_packets()


def in_arrow(
    packets: Iterable[Packet], program: ShardedProgram, source: int = -1
) -> Iterator[pa.RecordBatch]:
    """Rows of packets from a shard, given by its number, or from the input: one batch or none."""
    rows = [(*row, program.event_time.moment(row[1])) for row in program.addressed(packets, source)]
    if rows:
        columns = zip(*rows, strict=True)
        arrays = [pa.array(column, kind.type) for column, kind in zip(columns, PACKETS_IN_ARROW, strict=True)]
        yield pa.record_batch(arrays, schema=PACKETS_IN_ARROW)


def as_changes(packets: DataFrame, event_time: EventTime) -> DataFrame:
    """The changes in packets of the output.

    Columns: `time`, a tick (missing for records whose time could not be read); `at`, when the tick begins,
    where ticks have a length; `atom`; `change`, which is `began`, `ended`, `rejected` (`atom` is the text
    of the record and `reason` says why), `unsatisfiable` or `satisfiable` (from this tick on there is no
    answer stream, there is one again); the atom's `predicate` and `arguments` (see
    `with_predicate_and_arguments`); `partition`, the number of the shard; `reason`.

    Of a stream, `at` has Spark's watermark: what is output lies behind the one of the batch before.
    """
    lines = packets.where((F.col("shard") < 0) & (F.col("text") != "")).select(
        "source", F.explode(F.split("text", "\n")).alias("line")
    )
    words = lines.select("source", F.split("line", " ", 3).alias("words"))
    sign, rest = F.col("words")[1], F.col("words")[2]
    named = F.create_map(*(F.lit(str(text)) for pair in CHANGES.items() for text in pair))
    tick = F.col("words")[0].cast("long")
    rejection = F.from_json(rest, "array<string>")
    is_rejected = sign == F.lit(PacketSign.REJECTED.value)
    changes = words.select(
        F.when(tick >= 0, tick).alias("time"),
        F.when(is_rejected, rejection[1]).when(rest != "", rest).alias("atom"),
        named[sign].alias("change"),
        F.when(F.col("source") >= 0, F.col("source")).alias("partition"),
        F.when(is_rejected, rejection[0]).alias("reason"),
    )
    at = list[Column]()
    if event_time.is_real:
        moment = F.timestamp_millis(F.lit(event_time.origin) + F.col("time") * event_time.length)
        at = [moment.alias("at", metadata={_WATERMARK: 0} if packets.isStreaming else {})]
    is_atom = F.col("change").isin(CHANGES[PacketSign.BEGAN], CHANGES[PacketSign.ENDED])
    columns = ("atom", "change", "predicate", "arguments", "partition", "reason")
    return with_predicate_and_arguments(changes, is_atom).select("time", *at, *columns)
