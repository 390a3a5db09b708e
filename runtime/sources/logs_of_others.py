"""The formats `idlvsr` and `dsr`: lines of a time and events, as I-DLV-sr and Distributed-SR have them."""

import re
from collections.abc import Sequence

from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.source import shown

_LINE = re.compile(r"\s*(\d{4}-\d\d-\d\d \d\d:\S+|\S+)(?:\s+(.*))?", re.DOTALL)
_PART = re.compile(r'((?:[^;"]|"(?:[^"\\]|\\.)*+")*+)(;[+-](?=\s|\Z)|;|\Z)')
_SIGNED = re.compile(r";[+-](?:\s|\Z)")
_END = "@end"


def idlvsr_record(line: str, origin: Origin, timeline: Timeline, facts: FactReader = PLAIN) -> Record:
    """The record of a line `2026-01-31T10:00:00 a; b(1);`: atoms that hold at its time, or that time alone.

    `@end;`, which says that nothing more comes at the time, says nothing new: the next time does.

    Raises InputError.
    """
    tick, listed = _time(line, timeline, "2026-01-31T10:00:00 a; b(1);")
    is_plain = '"' not in listed and _SIGNED.search(listed) is None
    parts = [(one, ";") for one in listed.split(";")] if is_plain else _parts(listed)
    if any(sign in (";+", ";-") for _, sign in parts):
        raise InputError(
            "this line marks beginnings and ends with signs after semicolons: add --input-format dsr"
        )
    told = [atom for one, _ in parts if (atom := one.strip()) and atom != _END]
    return Record(tick, Events(facts.parse_atoms(told) if told else ()), origin)


def dsr_records(line: str, origin: Origin, timeline: Timeline, facts: FactReader = PLAIN) -> Sequence[Record]:
    """The records of a line `2026-01-31T10:00:00 a;+ b(1);-`: what begins, and what ends, in order.

    What ends held up to the tick before; what does not hold may end, and then nothing comes of it. An atom
    without a sign begins, as does one with `;+`.

    Raises InputError.
    """
    tick, listed = _time(line, timeline, "2026-01-31T10:00:00 a;+ b(1);-")
    begin: list[str] = []
    end: list[str] = []
    found: list[Record] = []

    def close() -> None:
        """What ends also begins before: so it is right where it does not hold."""
        if begin or end:
            found.append(Record(tick, Events(begin=facts.parse_atoms([*begin, *end])), origin))
        if end:
            found.append(Record(tick, Events(end=facts.parse_atoms(end)), origin))
        begin.clear()
        end.clear()

    for part, sign in _parts(listed):
        atom = part.strip()
        if not atom:
            if sign:
                raise InputError(f"write an atom in front of {sign}")
            continue
        if atom[-1] in "+-":
            raise InputError(f"{shown(atom)}: write a semicolon in front of the sign, as in a;{atom[-1]}")
        if sign == ";-":
            end.append(atom)
        else:
            if end:
                close()
            begin.append(atom)
    close()
    return found or (Record(tick, Events(), origin),)


def _time(line: str, timeline: Timeline, example: str) -> tuple[int, str]:
    """The tick of a line, and what stands behind its time. Raises InputError."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise InputError(f"write each line as a time and events, such as {example}")
    return timeline.tick_of_text(match[1]), match[2] or ""


def _parts(text: str) -> list[tuple[str, str]]:
    """The parts of a text before each semicolon that stands in no string, with it and its sign."""
    found, at = [], 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or part.end() == at:
            raise InputError(f"this string lacks a closing quote: {shown(text[at:])}")
        found.append((part[1], part[2]))
        at = part.end()
    return found
