"""A program in several levels, and its stream."""

from lars2asp.compiler import checked_program
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.shard_spec import ShardSettings
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.rows import rows_reader
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, ShardedProgram
from lars2asp.runtime.spark.spark_settings import Partitioning, split_of
from lars2asp.syntax.source import Source

FAR = """
    a(X) :- p(X,Y).
    many :- #count { X : a(X) } > 1.
    d(Y) :- q(X,Y), many, s(Y).
    c(Z) :- d(Z), #count { X : a(X) } > 2.
    e :- #count { X : c(X) } > 1, #count { X : a(X) } > 0, many.
"""
"""The last rules listen to what is derived several levels below."""

ROWS = {
    1: ["p(1,1)", "p(2,1)", "p(3,1)", "q(1,1)", "s(1)", "q(1,2)", "s(2)"],
    3: ["p(1,1)", "s(1)"],
    5: ["s(2)"],
}


def program_of_levels() -> ShardedProgram:
    """The program in levels."""
    checked = checked_program(Source("text", FAR))
    layout = Layout.for_partitions(split_of(checked, Partitioning.PIPELINED), 2)
    reader = rows_reader(["time", "atom"], (), Timeline())
    numbers = tuple(range(len(layout.shards)))
    return ShardedProgram(layout, ShardSettings(checked.semantics), reader, EventTime(), numbers)
