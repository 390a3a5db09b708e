"""Packets written and read as text, an atom a line or a list of atoms a block."""

from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sharding.blocks import atoms_of, block_of
from lars2asp.runtime.sharding.packets import Entry, PacketSign, entries, fact_sign, line
from lars2asp.runtime.sources.atoms import parse_atoms


def packet_of(text: str) -> str:
    """The packet for lines of tick, sign and atom, such as `3 f p(a)`; a block for each."""
    return "\n".join(_line(entry) for entry in entries(text))


def texts_of(packet: str) -> list[tuple[int, str, list[str]]]:
    """The blocks of a packet: tick, sign, and the texts of the atoms."""
    return [(entry.tick, _sign(entry), atom_texts(*atoms_of(entry.rest))) for entry in entries(packet)]


def _line(entry: Entry) -> str:
    if entry.sign in (PacketSign.START, PacketSign.CLOCK):
        return line(entry.tick, entry.sign)
    return "\n".join(line(entry.tick, _sign(entry), block_of(atoms)) for atoms in parse_atoms([entry.rest]))


def _sign(entry: Entry) -> str:
    return entry.sign if entry.until is None else fact_sign(entry.until)
