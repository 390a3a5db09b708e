"""The answers of one predicate as a table: a column for each argument, a row for each change or interval."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere
from pyspark.sql.pandas.types import from_arrow_schema

from lars2asp.runtime.sharding.changes import CHANGE_NAMES, predicate_changes, rejected_in
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.spark.carrier.packet_frames import RejectedRows, output_of, tell_rejected, with_times
from lars2asp.runtime.spark.carrier.sharded_program import ShardedProgram
from lars2asp.syntax.nodes import Signature

REJECTED = "rejected"
"""What `change` says of a rejected row."""

_REASONS = pa.schema([("row", pa.string()), ("reason", pa.string())])
"""The columns with a rejected row and why it is rejected."""

_BEGAN = CHANGE_NAMES[PacketSign.BEGAN]


class TableColumn(NamedTuple):
    """A column for an argument, with its type as Spark writes it."""

    name: str
    type: str


def columns_beside(rejected: RejectedRows, *, is_real: bool, intervals: bool) -> list[str]:
    """The columns of a table that are no arguments, where ticks have a length or not."""
    if intervals:
        return ["begin", "end", *(["begin_at", "end_at"] if is_real else [])]
    reasons = _REASONS.names if rejected is RejectedRows.ROWS else []
    return ["time", *(["at"] if is_real else []), "change", *reasons]


def as_table(
    packets: DataFrame,
    program: ShardedProgram,
    signature: Signature,
    columns: Sequence[TableColumn],
    rejected: RejectedRows,
) -> DataFrame:
    """What begins and ends of a predicate: `time`, `at` if ticks have a length, `change`, and arguments.

    Where rejected rows are rows of the table, they have no arguments, and all rows have `row` and `reason`.
    """
    has_rejected = rejected is RejectedRows.ROWS
    event_time, decimals = program.event_time, program.decimals
    places = decimals.get(signature, (0,) * signature.arity)
    kinds = [
        pa.int64() if column.type == "bigint" and not digits else pa.string()
        for column, digits in zip(columns, places, strict=True)
    ]
    arguments = [(f"a{place}", kind) for place, kind in enumerate(kinds)]
    schema = pa.schema([("time", pa.int64()), ("change", pa.string()), *arguments])

    def table_of(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            packets = batch.column("data").to_pylist()
            tell_rejected(packets, rejected)
            found = pa.Table.from_batches([*predicate_changes(packets, signature, schema, decimals)], schema)
            found = found.sort_by([("time", "ascending"), ("change", "descending")])
            if has_rejected:
                found = pa.concat_tables([found, _rejected(packets)], promote_options="default").select(
                    names_of
                )
            yield from found.to_batches()

    whole = pa.schema([*schema, *(_REASONS if has_rejected else [])])
    names_of = whole.names
    changes = output_of(packets).select("data").mapInArrow(table_of, from_arrow_schema(whole))
    names = [
        F.col(f"a{place}").try_cast(kind).alias(name) if kind != "string" else F.col(f"a{place}").alias(name)
        for place, (name, kind) in enumerate(columns)
    ]
    head = columns_beside(RejectedRows.SAID, is_real=event_time.is_real, intervals=False)
    reasons = _REASONS.names if has_rejected else []
    return with_times(changes, event_time).select(*head, *names, *reasons)


def _rejected(packets: Iterable[bytes]) -> pa.Table:
    """The rows that were rejected."""
    rows = [{"change": REJECTED, "row": text, "reason": reason} for reason, text in rejected_in(packets)]
    return pa.Table.from_pylist(rows, pa.schema([("change", pa.string()), *_REASONS]))


def as_intervals(changes: DataFrame, signature: Signature, columns: Sequence[TableColumn]) -> DataFrame:
    """The intervals of a predicate in bounded answers: `begin` and `end`, the arguments.

    At the tick `end` it does not hold any more; none where it holds to the last. If there is `at`,
    `begin_at` and `end_at` as well.
    """
    one = Window.partitionBy("atom").orderBy("time")
    names = [("time", "begin", "end"), ("at", "begin_at", "end_at")]
    ends = [
        column
        for name, begin, end in names
        if name in changes.columns
        for column in (F.col(name).alias(begin), F.lead(name).over(one).alias(end))
    ]
    of_predicate = changes.where(F.col("predicate") == str(signature))
    found = of_predicate.select("change", *ends, *_arguments(columns))
    return found.where(F.col("change") == _BEGAN).drop("change")


def _arguments(columns: Sequence[TableColumn]) -> list[Column]:
    """The arguments; one that is not of the type of its column is missing."""
    found = []
    for place, (name, kind) in enumerate(columns):
        text = F.col("arguments")[place]
        found.append((text if kind == "string" else text.try_cast(kind)).alias(name))
    return found
