"""A carrier of shards in this process, which breaks down as often as it can."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from lars2asp.compiler import compile_part
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import OUTPUT, Packet
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sharding.shard import ShardReasoner, ShardState
from lars2asp.runtime.sharding.shard_spec import ShardSettings, ShardSpec
from lars2asp.runtime.sources.records import Record
from tests.runtime.sharding.packet_texts import texts_of

Change = tuple[int, str, str]
"""Tick, sign and atom."""


@dataclass
class _Store:
    state: ShardState | None = None
    is_due: int | None = None
    reasoner: ShardReasoner | None = None


@dataclass
class Carrier:
    """Carries packets batch by batch, with the watermark of the batches before.

    With `random` it now and then throws a reasoner away, or does a batch twice.
    """

    layout: Layout
    settings: ShardSettings
    lateness: int = 0
    random: Random | None = None
    output: list[Change] = field(default_factory=list)

    def __post_init__(self) -> None:
        levels = range(self.layout.split.levels)
        routes = [self.layout.routes_above(level) for level in levels]
        self.specs = [
            ShardSpec(shard, self.settings, routes[shard.part.level]) for shard in self.layout.shards
        ]
        self.plans = [compile_part(part, self.settings.semantics) for part in self.layout.split.parts]
        self.stores = [_Store() for _ in self.specs]
        self.latest = -1
        self.is_first = True

    def run(self, batches: Iterable[Sequence[Record]], last: int) -> list[Change]:
        """The changes that come of all batches, and of time up to the last tick."""
        for batch in batches:
            self.batch(batch, self.latest - self.lateness - 1)
        self.batch([], last)
        return sorted(self.output)

    def batch(self, records: Sequence[Record], watermark: int) -> None:
        """Takes one batch."""
        over = watermark if watermark >= 0 else None
        from_below: list[Packet] = []
        for level in range(self.layout.split.levels):
            routes = self.layout.input_routes(level)
            start = self.settings.start
            sends_start = self.is_first or start is None
            router = Router(routes, is_first=level == 0, sends_start=sends_start, start=start)
            for record in records:
                router.add(record)
            packets = [*router.packets(), *router.last_packets()]
            self.latest = max([self.latest, *(packet.tick for packet in packets)])
            here = {shard.number for shard in self.layout.at_level(level)}
            below = [packet for packet in from_below if packet.target in here]
            from_below = [packet for packet in from_below if packet.target not in here]
            for number in sorted(here):
                data = [packet.data for packet in [*packets, *below] if packet.target == number]
                due = self.stores[number].is_due
                if data or (due is not None and over is not None and due <= over):
                    from_below += self._go_on(number, data, over)
            self._output(packet for packet in packets if packet.target == OUTPUT)
        self.is_first = False

    def whole(self, records: Sequence[Record]) -> list[Change]:
        """The changes that come of a whole input, up to its last tick, without batches and states."""
        found: list[Packet] = []
        for level in range(self.layout.split.levels):
            router = Router(
                self.layout.input_routes(level),
                is_first=level == 0,
                sends_start=True,
                sends_end=True,
                start=self.settings.start,
            )
            for record in records:
                router.add(record)
            found += [*router.packets(), *router.last_packets()]
            for shard in self.layout.at_level(level):
                reasoner = ShardReasoner(self.specs[shard.number], self.plans[shard.part.number])
                found += reasoner.evaluate([one.data for one in found if one.target == shard.number])
        self._output(packet for packet in found if packet.target == OUTPUT)
        return sorted(self.output)

    def _go_on(self, number: int, data: list[bytes], over: int | None) -> list[Packet]:
        store, spec = self.stores[number], self.specs[number]
        if self.random is not None and self.random.random() < 0.2:  # a batch that fails
            self._reasoner(store, spec).take(data, over, over)
            store.reasoner = None
        if self.random is not None and self.random.random() < 0.3:
            store.reasoner = None
            self.random.shuffle(data)
        reasoner = self._reasoner(store, spec)
        taken = reasoner.take(data, over, over)
        state = store.state or ShardState()
        if taken.base is not None:
            store.state = ShardState(taken.base, [taken.entry])
        else:
            store.state = ShardState(state.base, [*state.journal, taken.entry])
        store.is_due, store.reasoner = reasoner.next_tick(), reasoner
        self._output(packet for packet in taken.packets if packet.target == OUTPUT)
        return [packet for packet in taken.packets if packet.target != OUTPUT]

    def _reasoner(self, store: _Store, spec: ShardSpec) -> ShardReasoner:
        return store.reasoner or ShardReasoner(spec, self.plans[spec.shard.part.number], store.state)

    def _output(self, packets: Iterable[Packet]) -> None:
        for packet in packets:
            for tick, sign, texts in texts_of(packet.data):
                self.output += [(tick, sign, text) for text in texts]
