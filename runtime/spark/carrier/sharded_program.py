"""A program as Spark carries it: its shards, the reader of its rows, and ticks in Spark's event time."""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache

from pyspark import cloudpickle

from lars2asp.analysis.decimals import declared_forms
from lars2asp.analysis.number_forms import NumberForm
from lars2asp.analysis.tick_moments import EPOCH, DayMoments
from lars2asp.compiler import compile_part
from lars2asp.externals.terms.text import Decimals
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.layout import Layout, Routes
from lars2asp.runtime.sharding.packets import Packet
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sharding.shard_spec import ShardSettings, ShardSpec
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.rows import RowsReader
from lars2asp.splitting.parts import Part
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass

LAST = (datetime(9999, 12, 31, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)
"""In milliseconds since 1970: the end of event time."""

VIRTUAL_TICK = 1000
"""In milliseconds: the length of a tick in event time where the program has none."""

_FARTHEST_EAST = 16 * 3_600_000
"""In milliseconds: no clock is so far before UTC."""


@dataclass(frozen=True)
class EventTime:
    """Ticks on the scale of Spark's event time, in milliseconds since the Unix epoch.

    A tick stands at its last millisecond: when the watermark is there, the tick is over, and rows of later
    ticks lie behind it, wherever in their tick.

    Attributes:
        first: where tick 0 stands: after 0, which is Spark's watermark before there is one, so that packets
            of an operator for tick 0 lie behind it, and a timer for tick 0 ends (one at 0 never does).
        length: how long a tick lasts.
        is_real: whether this is the time of the world: the program has a tick length.
        days: the moments of ticks that are days by the clock of a zone. Event time is what the clock shows
            then, moved into the past, so that no tick begins before the one before it stands.
    """

    first: int = VIRTUAL_TICK
    length: int = VIRTUAL_TICK
    is_real: bool = False
    days: DayMoments | None = field(default=None, repr=False)

    @classmethod
    def of(cls, timeline: Timeline) -> "EventTime":
        """The event time of a timeline. Raises InputError for an origin before Spark's event time."""
        if timeline.tick_length is None:
            return cls()
        days = timeline.moments if isinstance(timeline.moments, DayMoments) else None
        origin = (timeline.origin - EPOCH) // timedelta(milliseconds=1)
        if days is not None:
            origin = days.wall_time(0) // 1000
        if origin < 0:
            raise InputError("Spark's event time begins in 1970: choose a later origin")
        length = timeline.tick_length // 1000
        first = origin + length - 1 - (0 if days is None else _FARTHEST_EAST)
        return cls(first, length, is_real=True, days=days)

    @property
    def origin(self) -> int:
        """When tick 0 begins."""
        return self.first + 1 - self.length

    def place_of(self, tick: int) -> int:
        """Where a tick stands."""
        return self.first + tick * self.length

    def moment(self, tick: int) -> datetime:
        """The same as Spark's rows have it, in UTC."""
        return EPOCH + timedelta(milliseconds=self.place_of(tick))

    @property
    def last_tick(self) -> int:
        """The last tick before the end of event time: Python's times end with the year 9999."""
        return (LAST - self.first) // self.length

    def over(self, watermark: int | None) -> int | None:
        """The last tick that is over at a watermark; None before the first watermark."""
        if not watermark:
            return None
        tick = (watermark - self.first) // self.length
        return tick if tick >= 0 else None


@dataclass(frozen=True)
class ShardedProgram:
    """A program as Spark carries it.

    Attributes:
        layout: its shards.
        settings: how they run.
        reader: reads the rows of the input.
        event_time: ticks in event time.
        numbers: for each shard the number that stands for it in the column `shard`, such that Spark spreads
            them evenly.
        partitions: over so many partitions.
        lateness: how many ticks behind the latest time of earlier batches records may come.
    """

    layout: Layout
    settings: ShardSettings
    reader: RowsReader
    event_time: EventTime
    numbers: tuple[int, ...]
    partitions: int = 1
    lateness: int = 0

    @cached_property
    def decimals(self) -> Decimals:
        """How the numbers of the predicates of all parts are written."""
        found: dict[Signature, tuple[NumberForm, ...]] = {}
        for part in self.layout.split.parts:
            found |= declared_forms(part.program)
        return found

    @cached_property
    def specs(self) -> dict[int, ShardSpec]:
        """The shards, by the numbers that stand for them."""
        carrier = repr((self.event_time, self.reader.timeline.unmarked, self.numbers))
        routes = [self.layout.routes_above(level) for level in range(self.layout.split.levels)]
        told = Routes(self.layout.shards, of_input=True)
        return {
            number: ShardSpec(shard, self.settings, routes[shard.part.level], carrier, told)
            for number, shard in zip(self.numbers, self.layout.shards, strict=True)
        }

    @cached_property
    def plans(self) -> dict[int, Plan]:
        """The plans made so far, by the numbers of their parts."""
        return {}

    def plan(self, part: Part) -> Plan:
        """The plan of a part; made once."""
        if part.number not in self.plans:
            self.plans[part.number] = compile_part(part, self.settings.semantics)
        return self.plans[part.number]

    def router(
        self,
        level: int,
        *,
        is_bounded: bool,
        sends_start: bool,
        counts: bool = False,
        part: Sequence[int] = (),
    ) -> Router:
        """Addresses records to the shards of a level; see Router."""
        return Router(
            self.layout.input_routes(level),
            is_first=level == 0,
            sends_start=sends_start,
            sends_end=is_bounded,
            start=self.settings.start,
            last_tick=self.event_time.last_tick,
            counts=counts,
            part=part,
        )

    def addressed(self, packets: Iterable[Packet], source: int) -> Iterator[tuple[int, int, bytes, int]]:
        """Rows of packets: the number that stands for the target, tick, data, and the source."""
        for target, tick, data in packets:
            number = self.numbers[target] if target >= 0 else self.number_of_output(source)
            yield number, tick, data, source

    def number_of_output(self, source: int) -> int:
        """The number that stands for the output of a source; each has its own, which spreads it as well."""
        return -2 - source

    def passes(self, number: int, level: int) -> bool:
        """Whether packets only pass a level: those for the output, and for shards of higher levels."""
        return number < 0 or self.specs[number].shard.part.level != level

    def pickled(self) -> bytes:
        """The fields, without cached values, for Spark's workers. Raises InputError."""
        try:
            pickled: bytes = cloudpickle.dumps(replace(self))  # type: ignore[no-untyped-call]
        except Exception as error:
            raise InputError(f"the functions cannot be sent to Spark's workers: {error}") from error
        return pickled


@lru_cache(maxsize=8)
def program_of(pickled: bytes) -> ShardedProgram:
    """The program; unpickled once in each process."""
    program: ShardedProgram = pickle.loads(pickled)
    return program
