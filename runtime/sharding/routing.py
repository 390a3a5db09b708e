"""From records to packets: which shards must be told of what."""

import re
from functools import lru_cache

from clingo import Symbol

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.layout import Routes
from lars2asp.runtime.sharding.packets import OUTPUT, UNTIL, Packet, Post, Sign, line, rejection
from lars2asp.runtime.sources.atoms import LONGEST_KEPT, TooLongToKeepError, to_atom
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.syntax.nodes import LARGEST_INTEGER, Signature

_ARGUMENT = re.compile(r'"[^"\\\n\0]*"|-?[1-9][0-9]{0,8}|0|(?!not\b)[a-z][A-Za-z0-9_]*')
_PLAIN = re.compile(
    rf"((?!not\b)[a-z][A-Za-z0-9_]*)(?:\(((?:{_ARGUMENT.pattern})(?:,(?:{_ARGUMENT.pattern}))*+)\))?"
)
"""Atoms that are written as clingo writes them, over numbers, strings and constants."""


class Router:
    """Addresses records to the shards of a level; those that wait nowhere still move the watermark.

    Args:
        routes: the shards.
        is_first: whether this is the lowest level, from where what is rejected goes to the output.
        tells_start: whether the shards must be told when the timeline starts.
        tells_end: whether they must be told the last tick that was met.
        start: the tick at which the timeline starts; None for the first one that is met.
        most: the last tick that can be told.
    """

    def __init__(
        self,
        routes: Routes,
        *,
        is_first: bool = True,
        tells_start: bool = False,
        tells_end: bool = False,
        start: int | None = None,
        most: int = LARGEST_INTEGER,
    ) -> None:
        self._routes = routes
        self._is_first = is_first
        self._tells_start = tells_start
        self._tells_end = tells_end
        self._start = start
        self._most = most
        self._post = Post()
        self._first: int | None = None
        self._latest: int | None = None
        self._last: int | None = None
        self._known = lru_cache(maxsize=65536)(self._short_address)
        self._known_text = lru_cache(maxsize=65536)(self._short_address_text)

    def add(self, record: Record) -> None:
        """A record is told. Raises InputError for a tick that cannot be told."""
        self.check(record.tick)
        tick, events = record.tick, record.events
        for atom in events.end:
            self._tell(tick, Sign.END.value, atom)
        for atom in events.begin:
            self._tell(tick, Sign.BEGIN.value, atom)
        if events.facts:
            sign = Sign.FACT.value if events.until is None else f"{UNTIL}{events.until}"
            for atom in events.facts:
                self._tell(tick, sign, atom)
        self.reach(tick)

    def tell(self, tick: int, sign: str, text: str) -> None:
        """An atom is told by its text. Raises InputError for what is none, and for such ticks."""
        self.check(tick)
        try:
            targets, text = self._known_text(text)
        except TooLongToKeepError:
            targets, text = self._address_text(text)
        if targets:
            self._post.add(targets, tick, f"{tick} {sign} {text}")
        self.reach(tick)

    def reach(self, tick: int) -> None:
        """It is at least this tick. Raises InputError for one that cannot be told."""
        self.check(tick)
        if self._latest is None or tick > self._latest:
            self._latest = tick
        if self._first is None or tick < self._first:
            self._first = tick

    def check(self, tick: int) -> None:
        """Raises InputError for a tick that cannot be told."""
        if tick > self._most:
            raise InputError(f"tick {tick} lies behind the last one of Spark's event time, {self._most}")

    def _tell(self, tick: int, sign: str, atom: Symbol) -> None:
        """An atom is told."""
        targets, text = self._addressed(atom)
        if targets:
            self._post.add(targets, tick, f"{tick} {sign} {text}")

    def _addressed(self, atom: Symbol) -> tuple[list[int], str]:
        """The shards that an atom concerns, and its text."""
        try:
            return self._known(atom)
        except TooLongToKeepError:
            return self._address(atom)

    def _short_address(self, atom: Symbol) -> tuple[list[int], str]:
        """The same for an atom with a short text, which is kept. Raises TooLongToKeepError."""
        targets, text = self._address(atom)
        if len(text) > LONGEST_KEPT:
            raise TooLongToKeepError
        return targets, text

    def _short_address_text(self, text: str) -> tuple[list[int], str]:
        """The same for a short text of an atom, which is kept. Raises TooLongToKeepError."""
        if len(text) > LONGEST_KEPT:
            raise TooLongToKeepError
        return self._address_text(text)

    def _address(self, atom: Symbol) -> tuple[list[int], str]:
        return self._routes.targets(atom), str(atom)

    def _address_text(self, text: str) -> tuple[list[int], str]:
        """The same for an atom's text, which most often can be taken apart without clingo."""
        match = _PLAIN.fullmatch(text)
        if match is None:
            return self._addressed(to_atom(text))
        arguments = _ARGUMENT.findall(match[2] or "")
        return self._routes.targets_of(Signature(match[1], len(arguments)), arguments), text

    def reject(self, rejected: Rejected) -> None:
        """A record was not taken."""
        if self._is_first:
            self._post.add((OUTPUT,), 0, rejection(-1, rejected.reason, rejected.origin.text))

    def packets(self) -> list[Packet]:
        """The packets of what was told since the last time."""
        found = self._post.packets()
        if self._latest is not None and not any(packet.tick == self._latest for packet in found):
            found.append(Packet(OUTPUT, self._latest, ""))
        if self._latest is not None:
            self._last = self._latest if self._last is None else max(self._last, self._latest)
        self._latest = None
        return found

    def last_packets(self) -> list[Packet]:
        """The packets when all is told: when the timeline starts and ends."""
        start = self._first if self._start is None else self._start
        if self._tells_start and start is not None:
            self._post.add(self._routes.all, 0, line(start, Sign.START))
        if self._tells_end and self._last is not None:
            self._post.add(self._routes.all, self._last, line(self._last, Sign.CLOCK))
        return self.packets()
