"""Records of a stream, gathered by tick, and what happens to those that are not valid."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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
    records: Iterable[Record], on_reject: OnReject, *, start: int | None = None, until: int | None = None
) -> Iterator[Batch]:
    """Gathers records into one batch a tick.

    Records whose time goes backwards, or lies before the start, are rejected; the first one after `until`
    ends the stream.
    """
    gathered: list[Record] = []
    for record in records:
        if until is not None and record.tick > until:
            break
        origin = record.origin or Origin("<stream>", 0)
        if gathered and record.tick < gathered[0].tick:
            on_reject(
                Rejected(origin, f"the time goes backwards: tick {record.tick} after {gathered[0].tick}")
            )
        elif start is not None and record.tick < start:
            on_reject(Rejected(origin, f"tick {record.tick} lies before the start of the timeline, {start}"))
        else:
            if gathered and record.tick > gathered[0].tick:
                yield Batch(gathered[0].tick, tuple(gathered))
                gathered = []
            gathered.append(record)
    if gathered:
        yield Batch(gathered[0].tick, tuple(gathered))
