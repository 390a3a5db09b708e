"""Records of a stream, gathered by tick, and what happens to those that are not valid."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NoReturn

from externals.events import Events
from runtime.errors import InputError


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
    """A record that was not taken, and why."""

    origin: Origin
    reason: str

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


@dataclass(frozen=True, slots=True)
class Batch:
    """All records of one tick, in the order of the input."""

    tick: int
    records: tuple[Record, ...]


def batches(
    records: Iterable[Record],
    on_reject: OnReject,
    *,
    start: int | None = None,
    after: int | None = None,
    until: int | None = None,
) -> Iterator[Batch]:
    """Gathers records into one batch a tick.

    Args:
        records: in the order of the input; those whose time goes backwards are rejected.
        on_reject: takes these.
        start: the first tick of the timeline. Of records before it counts what still holds at it.
        after: a tick that is over; records at it and before go backwards.
        until: the last tick; the first record after it ends the stream.
    """
    gathered: list[Record] = []
    latest = after
    for record in records:
        if until is not None and record.tick > until:
            break
        if latest is not None and (record.tick < latest or record.tick == after):
            reason = f"the time goes backwards: tick {record.tick} after {latest}"
            on_reject(Rejected(record.origin or UNKNOWN, reason))
            continue
        latest = record.tick
        clipped = record if start is None else _clipped(record, start)
        if gathered and clipped.tick > gathered[0].tick:
            yield Batch(gathered[0].tick, tuple(gathered))
            gathered = []
        gathered.append(clipped)
    last = latest if until is None else until
    if gathered and last is not None and last >= gathered[0].tick:
        yield Batch(gathered[0].tick, tuple(gathered))


def _clipped(record: Record, start: int) -> Record:
    """What a record tells of the timeline from `start` on, told at `start` if it is older."""
    if record.tick >= start:
        return record
    until = record.events.until
    facts = record.events.facts if until is not None and until >= start else ()
    events = replace(record.events, facts=facts, until=until if facts else None)
    return replace(record, tick=start, events=events)
