"""A program as Spark runs it: its shards, how rows are read, and how ticks and event time go together."""

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache

from lars2asp.compiler import compile_part
from lars2asp.planning.plan import Plan
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import Packet
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sharding.shard import ShardSettings, ShardSpec
from lars2asp.runtime.sources.timeline import EPOCH
from lars2asp.runtime.spark.carrier.rows import RowsReader
from lars2asp.splitting.parts import Part

LAST = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)
"""In milliseconds: what comes later has no place in event time."""

VIRTUAL_TICK = 1000
"""In milliseconds: how long a tick lasts in event time where the program has no length of a tick."""


@dataclass(frozen=True)
class EventTime:
    """Ticks on the scale of Spark's event time, in milliseconds since the Unix epoch.

    Attributes:
        origin: when tick 0 begins: after 0, which is Spark's watermark before there is one, so that what an
            operator hands on for tick 0 lies behind it, and its timer ends (one at 0 never does).
        length: how long a tick lasts.
    """

    origin: int = VIRTUAL_TICK
    length: int = VIRTUAL_TICK

    def begin_of(self, tick: int) -> int:
        """When a tick begins."""
        return self.origin + tick * self.length

    def moment(self, tick: int) -> datetime:
        """The same as Spark's rows have it, in UTC."""
        return EPOCH + timedelta(milliseconds=self.begin_of(tick))

    @property
    def last_tick(self) -> int:
        """The last tick that has a place in it: Python's times end with the year 9999."""
        return (LAST - self.origin) // self.length

    def over(self, watermark: int | None) -> int | None:
        """The tick up to which all are over at a watermark; None before the first watermark."""
        if not watermark:
            return None
        tick = (watermark - self.origin) // self.length
        return tick if tick >= 0 else None


@dataclass(frozen=True)
class ShardedProgram:
    """A program as Spark runs it.

    Attributes:
        layout: its shards.
        settings: how they run.
        reader: reads the rows of the input.
        event_time: ticks in event time.
        numbers: for each shard the number that stands for it in the column `shard`, such that Spark spreads
            them evenly.
    """

    layout: Layout
    settings: ShardSettings
    reader: RowsReader
    event_time: EventTime
    numbers: tuple[int, ...]

    @cached_property
    def specs(self) -> dict[int, ShardSpec]:
        """What makes each shard, by the numbers that stand for them."""
        carrier = repr((self.event_time, self.reader.timeline, self.numbers))
        routes = [self.layout.routes_above(level) for level in range(self.layout.split.levels)]
        return {
            number: ShardSpec(shard, self.settings, routes[shard.part.level], carrier)
            for number, shard in zip(self.numbers, self.layout.shards, strict=True)
        }

    @cached_property
    def plans(self) -> dict[int, Plan]:
        """The plans of parts that were asked for, by their numbers."""
        return {}

    def plan(self, part: Part) -> Plan:
        """The plan of a part; made once."""
        if part.number not in self.plans:
            self.plans[part.number] = compile_part(part, self.settings.semantics)
        return self.plans[part.number]

    def router(self, level: int, *, is_bounded: bool, sends_start: bool) -> Router:
        """Addresses records to the shards of a level."""
        return Router(
            self.layout.input_routes(level),
            is_first=level == 0,
            sends_start=sends_start,
            sends_end=is_bounded,
            start=self.settings.start,
            last_tick=self.event_time.last_tick,
        )

    def addressed(self, packets: Iterable[Packet], source: int) -> Iterator[tuple[int, int, str, int]]:
        """Rows of packets: the number that stands for the target, tick, text, and the source.

        What is output has negative numbers, one for each source, so that it is spread as well.
        """
        for target, tick, text in packets:
            yield self.numbers[target] if target >= 0 else -2 - source, tick, text, source

    def passes(self, number: int, level: int) -> bool:
        """Whether packets for what a number stands for only pass a level: the output, and higher levels."""
        return number < 0 or self.specs[number].shard.part.level != level

    def pickled(self) -> bytes:
        """All of it, for Spark's workers; what was found out about it is left behind."""
        return pickle.dumps(self)

    def __getstate__(self) -> dict[str, object]:
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}


@lru_cache(maxsize=8)
def program_of(pickled: bytes) -> ShardedProgram:
    """The job; taken apart once in each process."""
    job: ShardedProgram = pickle.loads(pickled)
    return job
