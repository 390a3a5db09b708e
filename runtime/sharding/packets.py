"""Packets, which shards hand to each other: many entries in one text.

An entry is a line of three words: a tick, a sign that says what happens, and the rest of the line, mostly an
atom, as clingo writes it. Functions of a program may make symbols that clingo would not read again like that:
shards hand these on as JSON, and output them as text all the same. The text of many entries goes through
shuffles and stores as one value, which costs far less than a row for each.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from clingo import Symbol, parse_term

from lars2asp.externals.symbol_table import SymbolKeys, Symbols
from lars2asp.externals.symbols import key_of, symbol_of
from lars2asp.runtime.sources.atoms import LONGEST_KEPT

OUTPUT = -1
"""The target of packets that go to the output, not to a shard."""


class PacketSign(StrEnum):
    """What happens at the tick of an entry."""

    FACT = "f"
    """The atom holds at the tick."""
    BEGIN = "b"
    """The atom holds from the tick until an END."""
    END = "e"
    """The atom, begun before, last held at the tick before."""
    DERIVED_BEGIN = "B"
    """A shard below derives the atom from the tick on."""
    DERIVED_END = "E"
    """A shard below derived the atom up to the tick before."""
    START = "s"
    """The timeline starts at the tick, or before."""
    CLOCK = "c"
    """The input has reached the tick."""
    BEGAN = "+"
    """The atom is output from the tick on."""
    ENDED = "-"
    """The atom was output up to the tick before."""
    UNSATISFIABLE = "0"
    """From the tick on there is no answer stream."""
    SATISFIABLE = "1"
    """From the tick on there is an answer stream again."""
    REJECTED = "!"
    """A record was rejected; the rest is JSON: the reason, and its text."""


UNTIL = "u"
"""The first letter of the sign of facts that hold to a later tick, which follows: `u17`."""


class Packet(NamedTuple):
    """Entries for a shard.

    Attributes:
        target: the number of the shard, or OUTPUT.
        tick: the latest time in it.
        text: the entries, a line each.
    """

    target: int
    tick: int
    text: str


class Entry(NamedTuple):
    """One line of a packet; `until` is the last tick of a fact with the sign UNTIL, None for others."""

    tick: int
    sign: str
    rest: str
    until: int | None = None


def line(tick: int, sign: str, rest: str = "") -> str:
    """The line of an entry."""
    return f"{tick} {sign} {rest}"


def rejection(tick: int, reason: str, text: str) -> str:
    """The line of a rejected record; tick -1 where it is not known."""
    return line(tick, PacketSign.REJECTED, json.dumps([reason, text]))


def is_start(text: str) -> bool:
    """Whether a packet only says when the timeline starts."""
    return "\n" not in text and text.endswith(f" {PacketSign.START} ")


def entries(text: str) -> Iterator[Entry]:
    """The entries of a packet."""
    for one in text.split("\n"):
        if one:
            tick, sign, rest = one.split(" ", 2)
            if sign[0] == UNTIL:
                yield Entry(int(tick), UNTIL, rest, int(sign[1:]))
            else:
                yield Entry(int(tick), sign, rest)


def exact_text(atom: Symbol) -> str:
    """The text from which `atom_of` makes the very same atom again."""
    text = str(atom)
    with suppress(RuntimeError, ValueError):
        if parse_term(text, logger=lambda code, message: None) == atom:
            return text
    symbols = Symbols()
    symbols.number(key_of(atom))
    return json.dumps(symbols.table)


def atom_of(text: str) -> Symbol:
    """The atom of an entry."""
    return _atom(text) if len(text) <= LONGEST_KEPT else _atom.__wrapped__(text)


@lru_cache(maxsize=65536)
def _atom(text: str) -> Symbol:
    if text.startswith("["):
        table = json.loads(text)
        return symbol_of(SymbolKeys(table).key(len(table) - 1))
    return parse_term(text)


def output_text(term: Symbol) -> str:
    """The text of an output term, in one line."""
    return str(term).replace("\n", "\\n")


class PacketBuilder:
    """Collects entries by target."""

    def __init__(self) -> None:
        self._lines: dict[int, list[str]] = {}
        self._latest: dict[int, int] = {}

    def add(self, targets: Iterable[int], tick: int, entry: str) -> None:
        """Adds an entry for some shards."""
        for target in targets:
            if target in self._lines:
                self._lines[target].append(entry)
                self._latest[target] = max(self._latest[target], tick)
            else:
                self._lines[target] = [entry]
                self._latest[target] = tick

    def packets(self) -> list[Packet]:
        """The entries added since the last call, as packets."""
        lines, self._lines = self._lines, {}
        return [Packet(target, self._latest[target], "\n".join(here)) for target, here in lines.items()]
