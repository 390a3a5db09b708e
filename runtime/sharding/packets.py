"""Packets, which shards hand to each other, and which go to the output: blocks of atoms, as bytes.

What is said without atoms, such as when the timeline starts, is a block of ticks alone. One value for many
atoms goes through shuffles and stores at far less cost than a row for each.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.runtime.sharding.blocks import NO_ATOMS, Block, read, written
from lars2asp.runtime.sharding.layout import Routes, Shard
from lars2asp.runtime.sources.fine_ticks import FineTick, moment_of, rank_of
from lars2asp.syntax.nodes import Signature

OUTPUT = -1
"""The target of packets that go to the output, not to a shard."""

REJECTION = Signature("", 2)
"""Stands for the predicate of rejected records: reason and text; at tick -1 where it is not known."""

NOTHING = AtomRows(NO_ATOMS, ((),))
"""Stands for the atoms of a block that only has a tick."""


class PacketSign(StrEnum):
    """What happens to the atoms of a block."""

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
    """A record was rejected."""


class Packet(NamedTuple):
    """Blocks for a shard.

    Attributes:
        target: the number of the shard, or OUTPUT.
        tick: the latest time in it.
        data: the blocks, as `written` gives them.
    """

    target: int
    tick: int
    data: bytes


_Collected = dict[tuple[str, bool, Signature], tuple[list[int], list[Row], list[int]]]
"""Atoms with their ticks, with times or without, by sign, whether facts have last ticks, and predicate; and
these last ticks."""


def start_in(data: bytes) -> int | None:
    """The start of the timeline that a packet tells; None for a packet that tells anything else."""
    blocks = [*read(data)]
    return min(blocks[0].ticks) if [block.sign for block in blocks] == [PacketSign.START] else None


class PacketBuilder:
    """Collects what goes to shards and to the output.

    Args:
        routes: the routes of atoms to shards.
        source: the shard that sends, which sends only atoms of its own; None for the input.
    """

    def __init__(self, routes: Routes, source: Shard | None = None) -> None:
        self._routes = routes
        self._source = source
        self._routed: _Collected = {}
        self._blocks: list[Block] = []
        self._addressed: dict[int, _Collected] = {}

    def route(self, tick: int, sign: str, atoms: AtomRows, until: int | None = None) -> None:
        """Adds atoms of a tick for the shards to which their routes lead."""
        _collect(self._routed, tick, sign, atoms, until)

    def route_block(self, block: Block) -> None:
        """Adds atoms with their ticks likewise."""
        self._blocks.append(block)

    def add(self, target: int, tick: int, sign: str, atoms: AtomRows = NOTHING) -> None:
        """Adds atoms of a tick for one target, or only that something happens at it."""
        _collect(self._addressed.setdefault(target, {}), tick, sign, atoms)

    def reject(self, tick: int, reason: str, texts: Iterable[str]) -> None:
        """Adds rejected records, given by their texts; tick -1 where it is not known."""
        atoms = AtomRows(REJECTION, [(reason, text) for text in texts])
        self.add(OUTPUT, tick, PacketSign.REJECTED, atoms)

    def packets(self) -> list[Packet]:
        """What was added since the last call, as packets."""
        found: dict[int, list[Block]] = {}
        for block in (*self._blocks, *self._own(self._routed)):
            for target, here in self._routes.targets(block).items():
                found.setdefault(target, []).append(here)
        for target, collected in self._addressed.items():
            if own := [*self._own(collected)]:
                found.setdefault(target, []).extend(own)
        self._routed, self._blocks, self._addressed = {}, [], {}
        return [
            Packet(target, max(map(_latest, blocks)), written(blocks)) for target, blocks in found.items()
        ]

    def _own(self, collected: _Collected) -> Iterator[Block]:
        """The blocks of atoms that this source may send."""
        for block in _blocks(collected):
            own = block if self._source is None else self._source.owned(block)
            if own.columns.num_rows:
                yield own


def _collect(collected: _Collected, tick: int, sign: str, atoms: AtomRows, until: int | None = None) -> None:
    if not atoms.rows:
        return
    key = sign, until is not None, atoms.signature
    ticks, rows, last = collected.setdefault(key, ([], [], []))
    ticks += [tick] * len(atoms.rows)
    rows += atoms.rows
    if until is not None:
        last += [until] * len(atoms.rows)


def _blocks(collected: _Collected) -> Iterator[Block]:
    for (sign, has_until, signature), (ticks, rows, until) in collected.items():
        ranks = [rank_of(moment_of(tick)) for tick in ticks] if FineTick in {*map(type, ticks)} else None
        yield Block.of(sign, AtomRows(signature, rows), ticks, until if has_until else None, ranks)


def _latest(block: Block) -> int:
    """The latest tick of a block; 0 where that is not known, and for a start, which may lie ahead."""
    latest = max(block.ticks)
    return 0 if block.sign == PacketSign.START or latest < 0 else latest
