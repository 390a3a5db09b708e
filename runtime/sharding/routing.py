"""From records to packets: addresses the atoms of the input to shards."""

from collections.abc import Iterable, Sequence

import pyarrow.compute as pc

from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import Block
from lars2asp.runtime.sharding.layout import Routes
from lars2asp.runtime.sharding.packets import OUTPUT, Packet, PacketBuilder, PacketSign
from lars2asp.runtime.sharding.row_counts import RowCounts
from lars2asp.runtime.sources.record_numbers import PartCount
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.syntax.nodes import Signature


class Router:
    """Addresses records to the shards of a level; a record that goes to none still moves the watermark.

    Args:
        routes: the routes to the shards.
        is_first: whether this is the lowest level, which sends rejected records to the output.
        sends_start: whether all shards get the tick at which the timeline starts.
        sends_end: whether all shards get the last tick of the input.
        start: the tick at which the timeline starts; None for the first tick of the input.
        last_tick: the last tick that input may have.
        counts: whether rows are counted.
        part: the numbers that tell this part of the input from others.

    Attributes:
        last_tick: the same.
        counts: what became of them.
        records: counts the records for `record()`.
        first: the first tick of the input; None before it.
    """

    def __init__(
        self,
        routes: Routes,
        *,
        is_first: bool = True,
        sends_start: bool = False,
        sends_end: bool = False,
        start: int | None = None,
        last_tick: int = LARGEST_TICK,
        counts: bool = False,
        part: Sequence[int] = (),
    ) -> None:
        self._routes = routes
        self._is_first = is_first
        self._sends_start = sends_start
        self._sends_end = sends_end
        self._start = start
        self.last_tick = last_tick
        self.counts = RowCounts(start, is_asked=counts)
        self.records = PartCount(part)
        self._packets = PacketBuilder(routes)
        self.first: int | None = None
        self._latest: int | None = None
        self._last: int | None = None

    def add(self, record: Record) -> None:
        """Adds a record. Raises InputError for a tick behind the last."""
        tick, events = record.tick, record.events
        self.reach(tick)
        self._add(tick, PacketSign.END, events.end)
        self._add(tick, PacketSign.BEGIN, events.begin)
        self._add(tick, PacketSign.FACT, events.facts, events.until)

    def add_atoms(
        self, tick: int, sign: PacketSign, atoms: Iterable[AtomRows], until: int | None = None
    ) -> None:
        """Adds atoms of a tick. Raises InputError for a tick behind the last."""
        self.reach(tick)
        self._add(tick, sign, atoms, until)

    def add_block(self, block: Block) -> None:
        """Adds atoms with their ticks. Raises InputError for a tick behind the last."""
        ticks = pc.min_max(block.columns.column(0)).as_py()
        self.reach(ticks["max"])
        self.reach(ticks["min"])
        if block.signature in self._routes.tables:
            for tick, row in zip(block.ticks, block.rows, strict=True):
                self._reject_atoms(tick, AtomRows(block.signature, [row]))
        else:
            self._packets.route_block(block)

    def _add(self, tick: int, sign: PacketSign, atoms: Iterable[AtomRows], until: int | None = None) -> None:
        for here in atoms:
            if here.signature in self._routes.tables:
                self._reject_atoms(tick, here)
            else:
                self._packets.route(tick, sign, here, until)

    def _reject_atoms(self, tick: int, atoms: AtomRows) -> None:
        """Rejects atoms of background data by which others are routed."""
        if self._is_first:
            name = atoms.signature
            reason = f"{name} is background data that the split depends on: declare it with #input"
            self._packets.reject(tick, reason, atom_texts(*atoms))

    def takes(self, signature: Signature) -> bool:
        """Whether atoms of a predicate may be input."""
        return signature not in self._routes.tables

    def tell(self, records: Sequence[Record]) -> None:
        """Counts records that were added; `Account.take` has done so already."""
        if self._routes.tables:
            taken = [one for one in records if not self._is_refused(one)]
            refused = len(records) - len(taken)
            self.counts.account.gave_facts -= refused
            self.counts.refuse(refused)
            records = taken
        self.counts.tell(records)

    def _is_refused(self, record: Record) -> bool:
        """Whether all atoms of a record are of background data, and it has some."""
        facts, begin, end, _ = record.events
        atoms = (*facts, *begin, *end)
        return bool(atoms) and not any(self.takes(one.signature) for one in atoms)

    def reach(self, tick: int) -> None:
        """The input has reached a tick. Raises InputError for a tick behind the last."""
        self.check(tick)
        tick = +tick
        if self._latest is None or tick > self._latest:
            self._latest = tick
        if self.first is None or tick < self.first:
            self.first = tick

    def end_at(self, tick: int) -> None:
        """The input ends at a tick, or later. Raises InputError for a tick behind the last."""
        self.check(tick)
        self._last = tick if self._last is None else max(self._last, tick)

    def check(self, tick: int) -> None:
        """Raises InputError for a tick behind the last."""
        if tick > self.last_tick:
            raise InputError(self.beyond(tick))

    def beyond(self, tick: int) -> str:
        """Why a tick behind the last is refused."""
        return f"tick {tick} is later than {self.last_tick}, the last tick of Spark's event time"

    def reject(self, rejected: Rejected) -> None:
        """A record was rejected."""
        if self._is_first:
            self._packets.reject(-1, rejected.reason, [rejected.origin.text])

    def packets(self) -> list[Packet]:
        """The packets of the input since the last call."""
        found = self._packets.packets()
        if self._latest is not None and not any(packet.tick == self._latest for packet in found):
            found.append(Packet(OUTPUT, self._latest, b""))
        if self._latest is not None:
            self.end_at(self._latest)
        self._latest = None
        return found

    def last_packets(self) -> list[Packet]:
        """The packets at the end of the input: when the timeline starts and ends."""
        start = self.first if self._start is None else self._start
        for shard in self._routes.all:
            if self._sends_start and start is not None:
                self._packets.add(shard, start, PacketSign.START)
            if self._sends_end and self._last is not None:
                self._packets.add(shard, self._last, PacketSign.CLOCK)
        return self.packets()
