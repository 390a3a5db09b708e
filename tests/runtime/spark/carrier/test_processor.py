"""Shards as an operator with state, without Spark."""

import subprocess
import sys
from unittest.mock import MagicMock

import pytest
from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import TimerValues

from lars2asp.runtime.spark.carrier.processor import ShardProcessor
from lars2asp.runtime.spark.carrier.shard_task import ShardHead
from lars2asp.runtime.spark.carrier.sharded_program import EventTime
from tests.runtime.sharding.packet_texts import packet_of
from tests.runtime.spark.levels import program_of_levels

DECLARING = """
import sys
from unittest.mock import MagicMock
from lars2asp.runtime.spark.carrier.processor import ShardProcessor
ShardProcessor(b"", 0, "").init(MagicMock())
print(*(name for name in sys.modules if name.startswith("lars2asp.runtime.")))
"""


def test_packets_for_higher_levels_pass() -> None:
    program = program_of_levels()
    rows = [Row(shard=1, tick=1, data=packet_of("1 B a(1)"), source=0)]
    highest = program.layout.shards[-1].number
    for number in (-1, highest):
        processor = ShardProcessor(program.pickled(), 1, "")
        processor.init(MagicMock())
        assert list(processor.handleInputRows((number,), iter(rows), TimerValues())) == rows


def test_the_state_is_declared_without_what_handles_rows() -> None:
    """Each query waits for a new process that does so."""
    found = subprocess.run([sys.executable, "-c", DECLARING], capture_output=True, text=True, check=True)
    folders = ("lars2asp.runtime.spark", "lars2asp.runtime.spark.carrier")
    assert found.stdout.split() == [*folders, "lars2asp.runtime.spark.carrier.processor"]


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
