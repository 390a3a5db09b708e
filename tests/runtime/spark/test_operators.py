"""What operators do with packets, without Spark."""

from typing import Any

import pyarrow as pa
import pyarrow.compute
import pytest
from pyspark.sql import Row

from lars2asp import Reasoner
from lars2asp.compiler import checked_program
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.shard import ShardSettings
from lars2asp.runtime.sources.timeline import Timeline
from lars2asp.runtime.spark.carrier.operators import _at_once
from lars2asp.runtime.spark.carrier.packet_frames import PACKETS_IN_ARROW, in_arrow, routed
from lars2asp.runtime.spark.carrier.processor import ShardProcessor
from lars2asp.runtime.spark.carrier.rows import rows_reader
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, ShardedProgram
from lars2asp.splitting.split import split
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


def job_of_levels() -> ShardedProgram:
    """The program in levels."""
    checked = checked_program(Source("text", FAR))
    layout = Layout.for_partitions(split(checked.program, checked.semantics, pipelined=True), 2)
    reader = rows_reader(["time", "atom"], (), Timeline())
    return ShardedProgram(
        layout, ShardSettings(checked.semantics), reader, EventTime(), tuple(range(len(layout.shards)))
    )


def test_what_is_handed_on_over_several_levels_is_taken_once() -> None:
    job = job_of_levels()
    assert any(
        part.level > 1 and not job.layout.split.parts[0].hands_on.isdisjoint(part.listens)
        for part in job.layout.split.parts
    )
    rows = [(str(tick), atom) for tick, atoms in ROWS.items() for atom in atoms]
    batch = pa.record_batch([pa.array(column) for column in zip(*rows, strict=True)], ["time", "atom"])
    packets = pa.Table.from_batches([], PACKETS_IN_ARROW)
    for level in range(job.layout.split.levels):
        router = job.router(level, is_bounded=True, sends_start=True)
        told = [packet for some in routed([batch], job, router) for packet in some]
        waiting = pa.concat_tables([packets, pa.Table.from_batches(in_arrow(told, job), PACKETS_IN_ARROW)])
        waiting = waiting.drop_columns("at")
        evaluate = _at_once(job.pickled(), level)
        shards = pa.compute.unique(waiting.column("shard"))
        groups = (
            (shard, waiting.filter(pa.compute.equal(waiting.column("shard"), shard))) for shard in shards
        )
        packets = pa.concat_tables([evaluate((shard,), table) for shard, table in groups])
    lines = [line for text in packets.column("text").to_pylist() for line in text.split("\n") if line]
    expected = []
    for answer in Reasoner.from_text(FAR).run(iter(ROWS.items())):
        expected += [f"{answer.tick} + {atom}" for atom in answer.added]
        expected += [f"{answer.tick} - {atom}" for atom in answer.removed]
    assert sorted(lines) == sorted(expected)


def test_packets_for_higher_levels_pass() -> None:
    job = job_of_levels()
    rows = [Row(shard=1, tick=1, text="1 B a(1)", source=0)]
    highest = job.layout.shards[-1].number
    for number in (-1, highest):
        processor = ShardProcessor(job.pickled(), 1)
        assert list(processor.handleInputRows((number,), iter(rows), None)) == rows


class Fixed:
    """A value in a state store, and the watermark."""

    def __init__(self, value: object, watermark: int = 0) -> None:
        self._value = value
        self._watermark = watermark

    def get(self) -> object:
        """The value."""
        return self._value

    def getCurrentWatermarkInMs(self) -> int:  # noqa: N802 - Spark's name
        """The watermark."""
        return self._watermark


@pytest.mark.parametrize(
    ("tick", "timer", "watermark", "is_known"),
    [
        (10, None, 0, True),
        (9, None, 0, False),
        (9, None, 10_000, True),  # too late: the ticks up to 9 are over
        (10, 12_000, 11_000, True),
        (10, 11_000, 11_000, False),
    ],
)
def test_a_shard_that_knows_the_start_is_not_woken(
    tick: int, timer: int | None, watermark: int, is_known: bool
) -> None:
    processor: Any = ShardProcessor(job_of_levels().pickled(), 0)
    processor._head = Fixed(("name", "fingerprint", timer, 10))
    assert processor._knows([f"{tick} s "], Fixed(None, watermark)) is is_known
