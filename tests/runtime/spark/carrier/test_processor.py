"""Shards as an operator with state, without Spark."""

import pytest
from pyspark.sql import Row

from lars2asp.runtime.spark.carrier.processor import ShardHead, ShardProcessor
from lars2asp.runtime.spark.carrier.sharded_program import EventTime
from tests.runtime.sharding.packet_texts import packet_of
from tests.runtime.spark.levels import program_of_levels


def test_packets_for_higher_levels_pass() -> None:
    program = program_of_levels()
    rows = [Row(shard=1, tick=1, data=packet_of("1 B a(1)"), source=0)]
    highest = program.layout.shards[-1].number
    for number in (-1, highest):
        processor = ShardProcessor(program.pickled(), 1, "")
        assert list(processor.handleInputRows((number,), iter(rows), None)) == rows


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
    head = ShardHead("name", "fingerprint", timer, 10)
    assert head.has_start([packet_of(f"{tick} s")], watermark, EventTime()) is is_known
