"""Records of a stream, gathered by tick, and what happens to those that are not valid."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NoReturn

from externals.events import Events
from lars2asp.source import shown
from runtime.errors import InputError

LONGEST_REASON = 1000
"""Longer reasons, of atoms without end, are cut off."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record stands: the name of its source, its line (counted from 1), and its text."""

    source: str
    line: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.source}:{self.line}"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that was not taken, and why: one line, whatever stands in the record."""

    origin: Origin
    reason: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", shown(self.reason, LONGEST_REASON))

    def __str__(self) -> str:
        return f"{self.origin}: error: {self.reason}"


UNKNOWN = Origin("<stream>", 0)
"""Of records that were made by a program."""

OnReject = Callable[[Rejected], None]


def refuse(rejected: Rejected) -> NoReturn:
    """Stops at the first record that is not valid. Raises InputError."""
    raise InputError(str(rejected))


@dataclass(frozen=True, slots=True)
class Record:
    """What one line of the input says: events at a tick."""

    tick: int
    events: Events
    origin: Origin | None = None


def clipped(record: Record, start: int) -> Record:
    """What a record tells of the timeline from `start` on, told at `start` if it is older."""
    if record.tick >= start:
        return record
    until = record.events.until
    facts = record.events.facts if until is not None and until >= start else ()
    events = replace(record.events, facts=facts, until=until if facts else None)
    return replace(record, tick=start, events=events)
