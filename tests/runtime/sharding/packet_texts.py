"""Packets written and read as text."""

from collections.abc import Iterator

from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sharding.blocks import NO_ATOMS, Block, read, written
from lars2asp.runtime.sharding.packets import REJECTION
from lars2asp.runtime.sources.facts.atoms import parse_atoms


def packet_of(text: str) -> bytes:
    """The packet for lines of tick, sign and atom, such as `3 f p(a)` or `3 s`; a block for each."""
    return written(map(_block, text.splitlines()))


def _block(line: str) -> Block:
    tick, sign, *atom = line.split(maxsplit=2)
    if not atom:
        return Block.at(int(tick), sign)
    [atoms] = parse_atoms(atom)
    return Block.of(sign[0], atoms, [int(tick)], [int(sign[1:])] if sign[1:] else None)


def texts_of(packet: bytes) -> Iterator[tuple[int, str, list[str]]]:
    """The atoms of a packet's blocks: the tick, the sign (with the last tick of facts), and a text.

    That is reason and text of a rejected record, and empty where there is no atom.
    """
    for block in read(packet):
        signs = [block.sign] * len(block.ticks)
        if block.until is not None:
            signs = [f"{block.sign}{last}" for last in block.until]
        for sign, tick, row in zip(signs, block.ticks, block.rows, strict=True):
            if block.signature == REJECTION:
                yield tick, sign, [f"{row[0]}: {row[1]}"]
            else:
                yield tick, sign, [""] if block.signature == NO_ATOMS else atom_texts(block.signature, [row])
