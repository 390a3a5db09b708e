"""From records to packets: addresses the atoms of the input to shards."""

import re
from functools import lru_cache

from clingo import Symbol

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.layout import Routes
from lars2asp.runtime.sharding.packets import (
    OUTPUT,
    UNTIL,
    Packet,
    PacketBuilder,
    PacketSign,
    line,
    rejection,
)
from lars2asp.runtime.sources.atoms import LONGEST_KEPT, TooLongToKeepError, to_atom
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.syntax.nodes import LARGEST_INTEGER, Signature

_ARGUMENT = re.compile(r'"[^"\\\n\0]*"|-?[1-9][0-9]{0,8}|0|(?!not\b)[a-z][A-Za-z0-9_]*')
_PLAIN = re.compile(
    rf"((?!not\b)[a-z][A-Za-z0-9_]*)(?:\(((?:{_ARGUMENT.pattern})(?:,(?:{_ARGUMENT.pattern}))*+)\))?"
)
"""Atoms over numbers, strings and constants, spelt as clingo spells them."""


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
        self._first: int | None = None
        self._latest: int | None = None
        self._last: int | None = None
        self._kept_address = lru_cache(maxsize=65536)(self._short_address)
        self._kept_text_address = lru_cache(maxsize=65536)(self._text_address)

    def add(self, record: Record) -> None:
        """Adds a record. Raises InputError for a tick behind the last."""
        self.check(record.tick)
        tick, events = record.tick, record.events
        for atom in events.end:
            self._add_atom(tick, PacketSign.END.value, atom)
        for atom in events.begin:
            self._add_atom(tick, PacketSign.BEGIN.value, atom)
        if events.facts:
            sign = PacketSign.FACT.value if events.until is None else f"{UNTIL}{events.until}"
            for atom in events.facts:
                self._add_atom(tick, sign, atom)
        self.reach(tick)

    def add_text(self, tick: int, sign: str, text: str) -> None:
        """Adds an atom by its text. Raises InputError for one that is no atom, or a tick behind the last."""
        self.check(tick)
        address = self._kept_text_address if len(text) <= LONGEST_KEPT else self._text_address
        targets, text = address(text)
        if targets:
            self._packets.add(targets, tick, f"{tick} {sign} {text}")
        self.reach(tick)

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

    def _add_atom(self, tick: int, sign: str, atom: Symbol) -> None:
        targets, text = self._address(atom)
        if targets:
            self._packets.add(targets, tick, f"{tick} {sign} {text}")

    def _address(self, atom: Symbol) -> tuple[list[int], str]:
        """The shards that an atom goes to, and its text."""
        try:
            return self._kept_address(atom)
        except TooLongToKeepError:
            return self._routes.targets(atom), str(atom)

    def _short_address(self, atom: Symbol) -> tuple[list[int], str]:
        """The same for an atom with a text short enough to be kept. Raises TooLongToKeepError."""
        text = str(atom)
        if len(text) > LONGEST_KEPT:
            raise TooLongToKeepError
        return self._routes.targets(atom), text

    def _text_address(self, text: str) -> tuple[list[int], str]:
        """The same for an atom's text, which most often can be taken apart without clingo."""
        match = _PLAIN.fullmatch(text)
        if match is None:
            return self._address(to_atom(text))
        arguments = _ARGUMENT.findall(match[2] or "")
        return self._routes.targets_of(Signature(match[1], len(arguments)), arguments), text

    def reject(self, rejected: Rejected) -> None:
        """A record was rejected."""
        if self._is_first:
            self._packets.add((OUTPUT,), 0, rejection(-1, rejected.reason, rejected.origin.text))

    def packets(self) -> list[Packet]:
        """The packets of the input since the last call."""
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
        if self._sends_start and start is not None:
            self._packets.add(self._routes.all, 0, line(start, PacketSign.START))
        if self._sends_end and self._last is not None:
            self._packets.add(self._routes.all, self._last, line(self._last, PacketSign.CLOCK))
        return self.packets()
