"""The format `laser`: ticks and lists of atoms, as Laser has them in a dictionary of Python."""

import ast
import re
from collections.abc import Iterator, Sequence

from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.dialects.foreign_names import written_atom
from lars2asp.syntax.source import shown

_EXAMPLE = '3: ["p(a,b)", "q"],'
_BEGIN = re.compile(r"\s*(?:(?:[A-Za-z_]\w*\s*=\s*)?\{)?\s*")
_END = re.compile(r"\s*\}?\s*;?\s*\Z")
_ENTRY = re.compile(
    r"""(["']?)([0-9]+)\1\s*:\s*(\[(?:[^\]"']|"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')*+\])\s*,?\s*"""
)
_STRING = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+')"""
_STRINGS = re.compile(rf"\[\s*(?:{_STRING}\s*(?:,\s*{_STRING}\s*)*+,?\s*)?\]")
_ATOM = re.compile(r"([^(),']+)(?:\(([^()']*)\))?")


def laser_records(
    line: str, origin: Origin, timeline: Timeline, facts: FactReader = PLAIN
) -> Sequence[Record]:
    """The records of a line `3: ["p(a,b)", "q"],`, with the braces of the dictionary or without.

    Raises InputError.
    """
    found = []
    for tick, listed in _entries(line):
        atoms = [text for one in _listed(listed) if (text := _written(one))]
        events = Events(facts.parse_atoms(atoms)) if atoms else Events()
        found.append(Record(timeline.tick_of_text(tick), events, origin))
    return found


def _entries(line: str) -> Iterator[tuple[str, str]]:
    """The ticks of a line, and the text of the list of each."""
    begin = _BEGIN.match(line)
    at = 0 if begin is None else begin.end()
    while _END.match(line, at) is None:
        entry = _ENTRY.match(line, at)
        if entry is None:
            raise InputError(f"write each line as a tick and the list of its atoms, such as {_EXAMPLE}")
        yield entry[2], entry[3]
        at = entry.end()


def _listed(text: str) -> list[str]:
    """The strings of a list; nothing else is handed to Python."""
    if _STRINGS.fullmatch(text) is None:
        raise InputError(f"this is not a list of quoted atoms: {shown(text)}")
    try:
        found: list[str] = ast.literal_eval(text)
    except (SyntaxError, ValueError) as error:  # an escape that is none
        raise InputError(f"this is not a list of quoted atoms: {shown(text)}") from error
    return found


def _written(atom: str) -> str:
    """An atom as it is written here; empty for an empty one, as Laser's tests have for ticks without any."""
    text = atom.replace(" ", "")
    if not text:
        return ""
    match = _ATOM.fullmatch(text)
    if match is None:
        hint = "remove the quotes around names" if "'" in text else "write name or name(value,...,value)"
        raise InputError(f"{shown(atom)} is not an atom: {hint}")
    values = [] if match[2] is None else match[2].split(",")
    if "" in values:
        raise InputError(f"{shown(atom)} contains an empty value: write it, or remove the comma")
    return written_atom(match[1], values)
