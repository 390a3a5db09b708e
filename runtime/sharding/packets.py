"""Packets: what is handed from shard to shard, many entries in one text.

An entry is a line of three words: a tick, a sign that says what happens, and the rest of the line, mostly an
atom, as clingo writes it. Functions of a program may make symbols that clingo would not read again like that:
shards hand these on as JSON has them, and output them as text all the same. The text of many entries goes
through shuffles and stores as one value, which costs far less than a row for each.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from clingo import Symbol, parse_term

from lars2asp.externals.symbol_table import Keys, Symbols
from lars2asp.externals.symbols import key_of, symbol_of
from lars2asp.runtime.sources.atoms import LONGEST_KEPT

OUTPUT = -1
"""The target of what is output, not handed to a shard."""


class Sign(StrEnum):
    """What an entry says."""

    FACT = "f"
    """The atom holds at the tick."""
    BEGIN = "b"
    """The atom holds from the tick until told otherwise."""
    END = "e"
    """The atom, begun before, last held at the tick before."""
    DERIVED_BEGIN = "B"
    """A part below derives the atom from the tick on."""
    DERIVED_END = "E"
    """A part below derived the atom up to the tick before."""
    START = "s"
    """The timeline starts at the tick, or before."""
    CLOCK = "c"
    """Nothing; it is at least this tick."""
    BEGAN = "+"
    """The atom is output from the tick on."""
    ENDED = "-"
    """The atom was output up to the tick before."""
    UNSATISFIABLE = "0"
    """From the tick on there is no answer stream."""
    SATISFIABLE = "1"
    """From the tick on there is an answer stream again."""
    REJECTED = "!"
    """A record was not taken; the rest is JSON: why, and its text."""


UNTIL = "u"
"""The sign of facts that hold to a later tick begins so; the tick follows: `u17`."""


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
    """One line of a packet; `until` is the last tick at which a fact holds, None for others."""

    tick: int
    sign: str
    rest: str
    until: int | None = None


def line(tick: int, sign: str, rest: str = "") -> str:
    """The line of an entry."""
    return f"{tick} {sign} {rest}"


def rejection(tick: int, reason: str, text: str) -> str:
    """The line of a record that was not taken; -1 for a tick that is not known."""
    return line(tick, Sign.REJECTED, json.dumps([reason, text]))


def is_start(text: str) -> bool:
    """Whether a packet tells nothing but when the timeline starts."""
    return "\n" not in text and text.endswith(f" {Sign.START} ")


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
    """A text of an atom from which `atom_of` makes the very same one."""
    text = str(atom)
    with suppress(RuntimeError, ValueError):
        if parse_term(text, logger=lambda code, message: None) == atom:
            return text
    symbols = Symbols()
    symbols.number(key_of(atom))
    return json.dumps(symbols.table)


def atom_of(text: str) -> Symbol:
    """The atom of an entry."""
    return _kept_atom(text) if len(text) <= LONGEST_KEPT else _atom(text)


@lru_cache(maxsize=65536)
def _kept_atom(text: str) -> Symbol:
    return _atom(text)


def _atom(text: str) -> Symbol:
    if text.startswith("["):
        table = json.loads(text)
        return symbol_of(Keys(table).key(len(table) - 1))
    return parse_term(text)


def output_text(term: Symbol) -> str:
    """The text of what is output, in a line."""
    return str(term).replace("\n", "\\n")


class Post:
    """Collects entries by target."""

    def __init__(self) -> None:
        self._lines: dict[int, list[str]] = {}
        self._latest: dict[int, int] = {}

    def add(self, targets: Iterable[int], tick: int, entry: str) -> None:
        """An entry for some shards."""
        for target in targets:
            if target in self._lines:
                self._lines[target].append(entry)
                self._latest[target] = max(self._latest[target], tick)
            else:
                self._lines[target] = [entry]
                self._latest[target] = tick

    def packets(self) -> list[Packet]:
        """What was collected, and nothing is left."""
        lines, self._lines = self._lines, {}
        return [Packet(target, self._latest[target], "\n".join(here)) for target, here in lines.items()]
