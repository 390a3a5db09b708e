"""The task of Spark that handles the rows for the shards of a partition.

Spark's state store holds, for each shard, a base and a journal (see `sharding.shard`) and the name of that
state. The reasoners of a partition are in a process of their own (see `resident`), which any worker reaches.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from pyspark import TaskContext
from pyspark.sql import Row

from lars2asp.runtime.errors import SnapshotError
from lars2asp.runtime.reasoning.memory import MemoryGrowth
from lars2asp.runtime.sharding.packets import start_in
from lars2asp.runtime.sharding.residence import Residence, ShardCall
from lars2asp.runtime.sharding.row_counts import judged
from lars2asp.runtime.sharding.shard import ShardReasoner, ShardState
from lars2asp.runtime.sharding.shard_spec import ANOTHER_RUN, check_fingerprint
from lars2asp.runtime.spark.carrier.resident import Resident
from lars2asp.runtime.spark.carrier.resident_folders import made_folder
from lars2asp.runtime.spark.carrier.row_account import refused_numbers
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, program_of
from lars2asp.runtime.spark.spark_errors import said_first

if TYPE_CHECKING:
    from pyspark.sql.streaming.stateful_processor import ListState, StatefulProcessorHandle, ValueState

_QUERY = "sql.streaming.queryId"
"""The property of a task that has the id of its query."""


class ShardHead(NamedTuple):
    """The state of a shard but for base and journal.

    Attributes:
        name: the name of the state.
        fingerprint: that of the ShardSpec.
        timer: the timer that is set, in event time; None for none.
        start: the first tick of the timeline as far as it is known.
    """

    name: str
    fingerprint: str
    timer: int | None
    start: int | None

    def has_start(self, packets: Sequence[bytes], watermark: int, event_time: EventTime) -> bool:
        """Whether packets only say when the timeline starts, which is known, and no timer is over."""
        starts = [*map(start_in, packets)]
        if self.start is None or None in starts:
            return False
        over = event_time.over(watermark)
        start = min(start for start in starts if start is not None)
        if over is not None:
            start = max(start, over + 1)  # what comes too late starts nothing
        return self.start <= start and (self.timer is None or self.timer > watermark)


class ShardStore(NamedTuple):
    """What Spark's store has of the shard whose rows are handled.

    Attributes:
        handle: sets timers.
        head: a ShardHead.
        base: that of its ShardState.
        journal: that of its ShardState.
    """

    handle: "StatefulProcessorHandle"
    head: "ValueState"
    base: "ValueState"
    journal: "ListState"


class ShardTask:
    """Has shards take packets, and keeps their states in Spark's store.

    Args:
        pickled: the program, as ShardedProgram.pickled.
        level: that of the shards.
        name: that of the reasoners.
        store: what Spark has of the shards.
    """

    def __init__(self, pickled: bytes, level: int, name: str, store: ShardStore) -> None:
        self._program = program_of(pickled)
        self._level = level
        self._name = name
        self._store = store

    def take(self, number: int, rows: Iterator[Row], watermark: int) -> Iterator[Row]:
        """Packets for a shard, or those that pass."""
        program = self._program
        if program.passes(number, self._level):
            if self._level == 0 and number == program.number_of_output(-1):
                over = program.event_time.over(watermark)
                rows = (row if row.account is None else _judged(row, over) for row in rows)
            yield from rows
            return
        packets, head = [bytes(row.data) for row in rows], self._read_head()
        if head is None or not head.has_start(packets, watermark, program.event_time):
            yield from self._go_on(number, head, packets, watermark)

    def wake(self, number: int, watermark: int) -> Iterator[Row]:
        """The watermark has reached the next tick of a shard. Raises SnapshotError."""
        with said_first():
            if number not in self._program.specs:
                raise SnapshotError(ANOTHER_RUN)
        yield from self._go_on(number, self._read_head(), [], watermark)

    def close(self) -> None:
        """The end of the task; reasoners stay."""
        if "_resident" in vars(self):
            self._resident.close()

    def _read_head(self) -> ShardHead | None:
        head = self._store.head.get()
        return None if head is None else ShardHead(*head)

    def _go_on(
        self, number: int, head: ShardHead | None, packets: list[bytes], watermark: int
    ) -> Iterator[Row]:
        """Has a shard take packets and go on to the watermark."""
        program, spec = self._program, self._program.specs[number]
        before, timer = (None, None) if head is None else (head.name, head.timer)
        call = ShardCall(number, before, uuid4().hex, packets, program.event_time.over(watermark))
        with said_first():
            if head is not None:
                check_fingerprint(head.fingerprint, spec)
            result, next_tick, start, measures = self._resident.take(call, self._state)
        if result.base is not None:
            self._store.base.update((result.base,))
            self._store.journal.put([(result.entry,)])
        else:
            self._store.journal.appendValue((result.entry,))
        self._store.head.update((call.after, spec.fingerprint, self._set_timer(timer, next_tick), start))
        for shard, tick, data, source in program.addressed(result.packets, spec.shard.number):
            # output may be of ticks that are over, which Spark does not allow of event time
            at = program.event_time.moment(tick) if shard >= 0 else None
            yield Row(shard=shard, tick=tick, data=data, source=source, measures=None, account=None, at=at)
        source = spec.shard.number
        taken = Row(shard=source, **measures._asdict())
        target = program.number_of_output(source)
        refused = refused_numbers(result.refused)
        account = [source, *refused] if any(refused) else None
        yield Row(shard=target, tick=0, data=b"", source=source, measures=taken, account=account, at=None)

    @cached_property
    def _resident(self) -> Resident:
        """The process with the reasoners of this task's partition."""
        context = TaskContext.get()
        assert context is not None
        query = context.getLocalProperty(_QUERY)
        assert query is not None
        return Resident(made_folder(query), f"{self._name}-{context.partitionId()}", self._residence)

    def _residence(self) -> Residence:
        program = self._program

        def reasoner_of(number: int, state: ShardState | None) -> ShardReasoner:
            spec = program.specs[number]
            return ShardReasoner(spec, program.plan(spec.shard.part), state)

        return Residence(reasoner_of, MemoryGrowth(program.settings.tuning.memory_growth))

    def _state(self) -> ShardState:
        """The state of the shard whose rows are handled."""
        base = self._store.base.get()
        return ShardState(
            b"" if base is None else bytes(base[0]), [bytes(e) for (e,) in self._store.journal.get()]
        )

    def _set_timer(self, before: int | None, tick: int | None) -> int | None:
        """Sets the timer for the end of a tick in place of the one before; gives it."""
        timer = None if tick is None else self._program.event_time.place_of(tick)
        if before is not None:
            self._store.handle.deleteTimer(before)
        if timer is not None:
            self._store.handle.registerTimer(timer)
        return timer


def _judged(row: Row, over: int | None) -> Row:
    """The row of an account, in which the late rows are counted as such."""
    number, *numbers = row.account
    return Row(**{**row.asDict(), "account": [number, *judged(numbers, over).state()]})
