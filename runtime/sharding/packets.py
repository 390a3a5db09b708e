"""Packets, which shards hand to each other: many entries in one text.

An entry is a line of three words: a tick, a sign that says what happens, and the rest of the line. To shards
it is a block of atoms of one predicate (see `blocks`), to the output one atom, as clingo writes it. The text
of many entries goes through shuffles and stores as one value, which costs far less than a row for each.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.sharding.blocks import block_of

OUTPUT = -1
"""The target of packets that go to the output, not to a shard."""


class PacketSign(StrEnum):
    """What happens at the tick of an entry."""

    FACT = "f"
    """The atoms hold at the tick."""
    BEGIN = "b"
    """The atoms hold from the tick until an END."""
    END = "e"
    """The atoms, begun before, last held at the tick before."""
    DERIVED_BEGIN = "B"
    """A shard below derives the atoms from the tick on."""
    DERIVED_END = "E"
    """A shard below derived the atoms up to the tick before."""
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
    """One line of a packet; `until` is the last tick of facts with the sign UNTIL, None for others."""

    tick: int
    sign: str
    rest: str
    until: int | None = None


def line(tick: int, sign: str, rest: str = "") -> str:
    """The line of an entry."""
    return f"{tick} {sign} {rest}"


def fact_sign(until: int | None) -> str:
    """The sign of facts, whose last tick is given where they hold at more than one."""
    return PacketSign.FACT.value if until is None else f"{UNTIL}{until}"


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


class PacketBuilder:
    """Collects entries by target."""

    def __init__(self) -> None:
        self._lines: dict[int, list[str]] = {}
        self._latest: dict[int, int] = {}

    def add(self, target: int, tick: int, lines: Iterable[str]) -> None:
        """Adds entries of one tick."""
        self._lines.setdefault(target, []).extend(lines)
        self._latest[target] = max(self._latest.get(target, tick), tick)

    def add_atoms(self, targets: Mapping[int, AtomRows], tick: int, sign: str) -> None:
        """Adds atoms for each of some shards."""
        for target, atoms in targets.items():
            self.add(target, tick, [line(tick, sign, block_of(atoms))])

    def packets(self) -> list[Packet]:
        """The entries added since the last call, as packets."""
        latest = self._latest
        found = [Packet(target, latest[target], "\n".join(here)) for target, here in self._lines.items()]
        self._lines, self._latest = {}, {}
        return found
