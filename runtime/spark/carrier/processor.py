"""Shards as a stateful operator of Spark (transformWithState).

Spark's state store holds, for each shard, a base and a journal (see `sharding.shard`) and the name of
that state. A reasoner is kept in the worker process under the name of the state that it is in: partitions
change workers, and a batch that fails is done again, so that a reasoner is used only if it is in the very
state that the store holds, and otherwise made anew from the store.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from pyspark.sql import Row
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.sharding.packets import is_start
from lars2asp.runtime.sharding.shard import ShardReasoner, ShardState
from lars2asp.runtime.spark.carrier.sharded_program import ShardedProgram, program_of

OTHER = (
    "the checkpoint is of another program, of other options or of another number of partitions: "
    "take another checkpoint folder"
)

MOST_KEPT = 512
"""So many reasoners are kept in a worker process."""


class _Kept:
    """The reasoners of this worker process, by the numbers of shards, with the names of their states."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[bytes, int], tuple[str, ShardReasoner]] = OrderedDict()

    def take(self, job: bytes, shard: int, name: str) -> ShardReasoner | None:
        """Takes out the reasoner of a shard that is in a state; None if there is none."""
        found = self._known.pop((job, shard), None)
        return found[1] if found is not None and found[0] == name else None

    def put(self, job: bytes, shard: int, name: str, reasoner: ShardReasoner) -> None:
        """Keeps a reasoner."""
        self._known[job, shard] = name, reasoner
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)


_kept = _Kept()


class ShardProcessor(StatefulProcessor):
    """The shards of a level; packets in, packets out. Those for the output or for higher levels pass through.

    Args:
        job: the job, as ShardedProgram.pickled.
        level: the level.
    """

    def __init__(self, job: bytes, level: int) -> None:
        self._pickled = job
        self._level = level

    @property
    def _job(self) -> ShardedProgram:
        return program_of(self._pickled)

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Names what is kept in the state store."""
        self._handle = handle
        self._head = handle.getValueState("head", "name string, fingerprint string, timer long, start long")
        self._base = handle.getValueState("base", "snapshot binary")
        self._journal = handle.getListState("journal", "entry string")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803
        """Packets for a shard."""
        if self._job.passes(key[0], self._level):
            yield from rows
        else:
            texts = [row.text for row in rows]
            if not self._knows(texts, timerValues):
                yield from self._go_on(key[0], texts, timerValues)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N802, N803
        """The watermark has reached a tick for which a shard has something to do. Raises SnapshotError."""
        if key[0] not in self._job.specs:
            raise SnapshotError(OTHER)
        yield from self._go_on(key[0], [], timerValues)

    def close(self) -> None:
        """Nothing to be closed."""

    def _knows(self, texts: list[str], timers: Any) -> bool:
        """Whether packets tell nothing but when the timeline starts, which is known, and nothing is due."""
        if not all(is_start(text) for text in texts):
            return False
        head, watermark = self._head.get(), timers.getCurrentWatermarkInMs()
        over = self._job.event_time.over(watermark)
        told = min(int(text.split(" ", 1)[0]) for text in texts)
        if over is not None:
            told = max(told, over + 1)  # what comes too late starts nothing
        if head is None or head[3] is None or head[3] > told:
            return False
        return head[2] is None or head[2] > watermark

    def _go_on(self, number: int, texts: list[str], timers: Any) -> Iterator[Row]:
        job = self._job
        over = job.event_time.over(timers.getCurrentWatermarkInMs())
        head = self._head.get()
        reasoner = self._reasoner(number, head)
        taken = reasoner.take(texts, over, over)
        if taken.base is not None:
            self._base.update((taken.base,))
            self._journal.put([(taken.entry,)])
        else:
            self._journal.appendValue((taken.entry,))
        name = uuid4().hex
        timer = self._set_timer(None if head is None else head[2], reasoner.next_tick())
        self._head.update((name, job.specs[number].fingerprint, timer, reasoner.start))
        _kept.put(self._pickled, number, name, reasoner)
        for shard, tick, text, source in job.addressed(taken.packets, job.specs[number].shard.number):
            # what is output may tell of ticks that are over, which Spark does not allow of event time
            at = job.event_time.moment(tick) if shard >= 0 else None
            yield Row(shard=shard, tick=tick, text=text, source=source, at=at)

    def _reasoner(self, number: int, head: tuple[str, str, int, int] | None) -> ShardReasoner:
        """The reasoner in the state that the store holds."""
        spec = self._job.specs[number]
        plan = self._job.plan(spec.shard.part)
        if head is None:
            return ShardReasoner(spec, plan)
        if head[1] != spec.fingerprint:
            raise SnapshotError(OTHER)
        kept = _kept.take(self._pickled, number, head[0])
        if kept is not None:
            return kept
        base = self._base.get()
        journal = [entry for (entry,) in self._journal.get()]
        return ShardReasoner(spec, plan, ShardState(b"" if base is None else bytes(base[0]), journal))

    def _set_timer(self, before: int | None, tick: int | None) -> int | None:
        """Sees to it that the shard is asked again when a tick is over; gives the timer that is set."""
        timer = None if tick is None else self._job.event_time.begin_of(tick)
        if before is not None:
            self._handle.deleteTimer(before)
        if timer is not None:
            self._handle.registerTimer(timer)
        return timer
