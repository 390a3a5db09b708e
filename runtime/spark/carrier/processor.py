"""Shards as a stateful operator of Spark (transformWithState).

At the start of each query Spark asks a Python process of its own which state there is. That process imports
this module alone, which needs little; the first rows import what handles them (see `shard_task`).
"""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.types import BinaryType, LongType, StringType, StructType

if TYPE_CHECKING:
    from lars2asp.runtime.spark.carrier.shard_task import ShardTask


_HEAD = (
    StructType()
    .add("name", StringType())
    .add("fingerprint", StringType())
    .add("timer", LongType())
    .add("start", LongType())
)
_BASE = StructType().add("snapshot", BinaryType())
_JOURNAL = StructType().add("entry", BinaryType())
"""The columns of the state. Each task would have Java read a text of them, twice."""


class ShardProcessor(StatefulProcessor):
    """The shards of a level; packets in, packets out. Those for the output or for higher levels pass through.

    Args:
        program: the program, as ShardedProgram.pickled.
        level: the level.
        name: that of the reasoners of this DataFrame; those of another one have another name.
    """

    def __init__(self, program: bytes, level: int, name: str) -> None:
        self._pickled = program
        self._level = level
        self._name = name

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Declares the state in Spark's store."""
        self._handle = handle
        self._head = handle.getValueState("head", _HEAD)
        self._base = handle.getValueState("base", _BASE)
        self._journal = handle.getListState("journal", _JOURNAL)

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        """Packets for a shard."""
        yield from self._task.take(key[0], rows, timerValues.getCurrentWatermarkInMs())

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N802, N803
        """The watermark has reached the next tick of a shard. Raises SnapshotError."""
        yield from self._task.wake(key[0], timerValues.getCurrentWatermarkInMs())

    def close(self) -> None:
        """The end of a task; reasoners stay."""
        if "_task" in vars(self):
            self._task.close()

    @cached_property
    def _task(self) -> "ShardTask":
        from lars2asp.runtime.spark.carrier.shard_task import ShardStore, ShardTask  # noqa: PLC0415 - see above

        store = ShardStore(self._handle, self._head, self._base, self._journal)
        return ShardTask(self._pickled, self._level, self._name, store)
