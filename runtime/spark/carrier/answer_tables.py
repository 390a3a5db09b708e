"""The answers of one predicate as a table: a column for each argument, a row for each change or interval."""

from collections.abc import Sequence
from typing import NamedTuple

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

from lars2asp.runtime.sharding.changes import CHANGE_NAMES
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.syntax.nodes import Signature

TABLE_COLUMNS = ("time", "at", "change", "begin", "end", "begin_at", "end_at")
"""The columns of tables that are no arguments."""

_BEGAN = CHANGE_NAMES[PacketSign.BEGAN]


class TableColumn(NamedTuple):
    """A column for an argument, with its type as Spark writes it."""

    name: str
    type: str


def as_table(changes: DataFrame, signature: Signature, columns: Sequence[TableColumn]) -> DataFrame:
    """What begins and ends of a predicate: `time`, `at` if there, `change`, and the arguments."""
    head = [name for name in ("time", "at", "change") if name in changes.columns]
    return _of(changes, signature).select(*head, *_arguments(columns))


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
    found = _of(changes, signature).select("change", *ends, *_arguments(columns))
    return found.where(F.col("change") == _BEGAN).drop("change")


def _of(changes: DataFrame, signature: Signature) -> DataFrame:
    return changes.where(F.col("predicate") == str(signature))


def _arguments(columns: Sequence[TableColumn]) -> list[Column]:
    """The arguments; one that is not of the type of its column is missing."""
    found = []
    for place, (name, kind) in enumerate(columns):
        text = F.col("arguments")[place]
        found.append((text if kind == "string" else text.try_cast(kind)).alias(name))
    return found
