"""The format `ticker`: signals between semicolons, with the time of their arrival or a tick."""

import re

from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.dialects.foreign_names import written_atom
from lars2asp.syntax.source import shown

_LINE = re.compile(r"\s*(?:@\s*([0-9]+)\s*:)?(.*)", re.DOTALL)
_SIGNAL = re.compile(r"([a-z][\w#@]*)(?:\(([^()]*)\))?")


def ticker_record(line: str, origin: Origin, timeline: Timeline, facts: FactReader = PLAIN) -> Record:
    """The record of a line `a; b(1,x)`, or `@3: a; b(1,x)` with its tick. Raises InputError."""
    match = _LINE.fullmatch(line)
    time, listed = (None, line) if match is None else match.groups()
    if time is None and timeline.arrival is None:
        raise InputError(
            "the line has no time: write it, as in @3: a; b for tick 3, or add --clock wall to use "
            "the time of arrival"
        )
    signals = [_written(text) for one in listed.split(";") if (text := one.strip())]
    tick = timeline.arrived() if time is None else timeline.tick_of_text(time)
    return Record(tick, Events(facts.parse_atoms(signals)) if signals else Events(), origin)


def _written(signal: str) -> str:
    """A signal as it is written here."""
    match = _SIGNAL.fullmatch(signal)
    if match is None:
        raise InputError(f"{shown(signal)} is not a signal: write name or name(value,...,value)")
    values = [] if match[2] is None else [one.strip() for one in match[2].split(",")]
    for one in values:
        if not one or one[0].isupper():
            raise InputError(
                f"{shown(signal)} contains "
                f"{f'the variable {shown(one)}' if one else 'an empty value'}: write values only"
            )
    return written_atom(match[1], values)
