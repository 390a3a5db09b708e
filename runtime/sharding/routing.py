"""From records to packets: addresses the atoms of the input to shards."""

from collections.abc import Iterable, Sequence

from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.layout import Routes
from lars2asp.runtime.sharding.packets import (
    OUTPUT,
    Packet,
    PacketBuilder,
    PacketSign,
    fact_sign,
    line,
    rejection,
)
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.syntax.nodes import LARGEST_INTEGER, Signature


class Router:
    """Addresses records to the shards of a level; a record that goes to none still moves the watermark.

    Args:
        routes: the routes to the shards.
        is_first: whether this is the lowest level, which sends rejected records to the output.
        sends_start: whether all shards get the tick at which the timeline starts.
        sends_end: whether all shards get the last tick of the input.
        start: the tick at which the timeline starts; None for the first tick of the input.
        last_tick: the last tick that input may have.
    """

    def __init__(
        self,
        routes: Routes,
        *,
        is_first: bool = True,
        sends_start: bool = False,
        sends_end: bool = False,
        start: int | None = None,
        last_tick: int = LARGEST_INTEGER,
    ) -> None:
        self._routes = routes
        self._is_first = is_first
        self._sends_start = sends_start
        self._sends_end = sends_end
        self._start = start
        self._last_tick = last_tick
        self._packets = PacketBuilder()
        self._rows: dict[tuple[int, str, Signature], list[Row]] = {}
        """The atoms added since the last packets, by tick, sign and predicate."""
        self._first: int | None = None
        self._latest: int | None = None
        self._last: int | None = None

    def add(self, record: Record) -> None:
        """Adds a record. Raises InputError for a tick behind the last."""
        tick, events = record.tick, record.events
        self.reach(tick)
        self._add(tick, PacketSign.END.value, events.end)
        self._add(tick, PacketSign.BEGIN.value, events.begin)
        self._add(tick, fact_sign(events.until), events.facts)

    def add_atoms(self, tick: int, sign: str, atoms: Iterable[AtomRows]) -> None:
        """Adds atoms of a tick. Raises InputError for a tick behind the last."""
        self.reach(tick)
        self._add(tick, sign, atoms)

    def _add(self, tick: int, sign: str, atoms: Iterable[AtomRows]) -> None:
        for signature, rows in atoms:
            if signature in self._routes.tables:
                self._reject_rows(tick, signature, rows)
            else:
                self._rows.setdefault((tick, sign, signature), []).extend(rows)

    def _reject_rows(self, tick: int, signature: Signature, rows: Sequence[Row]) -> None:
        """Rejects atoms of background data by which others are routed."""
        if self._is_first:
            reason = f"{signature} is background data by which the program is split: declare it with #input"
            lines = [rejection(tick, reason, text) for text in atom_texts(signature, rows)]
            self._packets.add(OUTPUT, tick, lines)

    def reach(self, tick: int) -> None:
        """The input has reached a tick. Raises InputError for a tick behind the last."""
        self.check(tick)
        if self._latest is None or tick > self._latest:
            self._latest = tick
        if self._first is None or tick < self._first:
            self._first = tick

    def check(self, tick: int) -> None:
        """Raises InputError for a tick behind the last."""
        if tick > self._last_tick:
            raise InputError(f"tick {tick} lies behind the last one of Spark's event time, {self._last_tick}")

    def reject(self, rejected: Rejected) -> None:
        """A record was rejected."""
        if self._is_first:
            self._packets.add(OUTPUT, 0, [rejection(-1, rejected.reason, rejected.origin.text)])

    def packets(self) -> list[Packet]:
        """The packets of the input since the last call."""
        rows, self._rows = self._rows, {}
        for (tick, sign, signature), here in rows.items():
            self._packets.add_atoms(self._routes.targets(AtomRows(signature, here)), tick, sign)
        found = self._packets.packets()
        if self._latest is not None and not any(packet.tick == self._latest for packet in found):
            found.append(Packet(OUTPUT, self._latest, ""))
        if self._latest is not None:
            self._last = self._latest if self._last is None else max(self._last, self._latest)
        self._latest = None
        return found

    def last_packets(self) -> list[Packet]:
        """The packets at the end of the input: when the timeline starts and ends."""
        start = self._first if self._start is None else self._start
        for shard in self._routes.all:
            if self._sends_start and start is not None:
                self._packets.add(shard, 0, [line(start, PacketSign.START)])
            if self._sends_end and self._last is not None:
                self._packets.add(shard, self._last, [line(self._last, PacketSign.CLOCK)])
        return self.packets()
