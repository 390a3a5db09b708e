"""From the times of records to ticks: tick = floor((timestamp - origin) / length)."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import Any

from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.time_formats import (
    EPOCH,
    MICROSECOND,
    NoMomentError,
    NoZoneError,
    TimeFormat,
    epoch_microseconds,
)
from lars2asp.runtime.sources.time_guesses import formats_of
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.source import shown, shown_number

LONGEST_INTEGER = 30
"""In digits: more than any time has."""

MOST_FORMATS = 3
"""The number of formats that a message names."""

_FRACTION = re.compile(r"-?[0-9]+\.[0-9]+")
_DURATION = re.compile(rf"([0-9]+)\s*({'|'.join(MICROSECONDS)})?")
_INTEGER = re.compile(r"-?[0-9]+")
_POWERS = {"sec": 6, "msec": 3}


class TimeUnit(StrEnum):
    """What an integer time of a record counts."""

    TICK = "tick"
    SEC = "sec"
    MSEC = "msec"


@dataclass(frozen=True)
class Timeline:
    """How times are read. Raises InputError for an origin without offset where there is no zone.

    Attributes:
        tick_length: microseconds of a tick, None where the program gives none (then only ticks are known).
        unit: what integers count: ticks, or seconds or milliseconds since the Unix epoch.
        origin: the moment at which tick 0 begins; without offset it is in the zone.
        zone: the time zone of timestamps that name no offset; None rejects them. Of local times that a clock
            change makes come twice the first is meant, and those that it skips are taken by the offset before
            the change (Python's `fold=0`).
        arrival: gives the tick of a record that has no time and arrives now; None where records need times.
        form: how times are written that are text; None: as timestamps of ISO 8601.
        declared_at: what an `#input` has behind `at` for the columns of the time, for messages; empty where
            `--time-format` gives the format.
    """

    tick_length: int | None = None
    unit: TimeUnit = TimeUnit.TICK
    origin: datetime = EPOCH
    zone: tzinfo | None = None
    arrival: Callable[[], int] | None = None
    form: TimeFormat | None = None
    declared_at: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", self._placed(self.origin, "origin", str(self.origin)))

    def tick(self, time: Any) -> int:
        """The tick of an integer or a timestamp; of a decimal where integers count seconds or milliseconds.

        Raises:
            InputError: for what is none of these, for times before the origin or beyond 2**31 - 1 ticks, for
                timestamps without offset where there is no zone, and for timestamps without a tick length.
        """
        if type(time) is int and self.unit is TimeUnit.TICK and 0 <= time <= LARGEST_INTEGER:
            return time
        is_decimal = isinstance(time, float) and self.unit is not TimeUnit.TICK
        if isinstance(time, bool) or not (isinstance(time, int | str) or is_decimal):
            raise InputError(f"the time {_written(time)} is neither an integer nor an ISO 8601 timestamp")
        if isinstance(time, int) and self.unit is TimeUnit.TICK:
            return self._checked(time, time)
        return self.tick_since_epoch(self._since_epoch(time), time)

    def tick_since_epoch(self, microseconds: int, time: object) -> int:
        """The tick of a moment, which is written so. Raises InputError where it lies outside the timeline."""
        length = self.tick_length or self._length(time)
        return self._checked((microseconds - self._origin_microseconds) // length, time)

    def _checked(self, tick: int, time: object) -> int:
        if 0 <= tick <= LARGEST_INTEGER:
            return tick
        if tick < 0:
            raise InputError(
                f"the time {_written(time)} lies before tick 0 ({self.origin.isoformat()}); choose --origin"
            )
        raise InputError(
            f"the time {_written(time)} is tick {shown_number(tick)}, more than 32 bits: take a later "
            "--origin or a longer #tick"
        )

    def arrived(self) -> int:
        """The tick of a record that arrives now. Raises InputError where records need times."""
        if self.arrival is None:
            raise InputError("the record has no time")
        return self.arrival()

    def tick_at(self, microseconds: int) -> int:
        """The tick of a moment, given in microseconds since the Unix epoch. Raises InputError.

        Of a clock, before the origin as well; ticks are negative there.
        """
        return (microseconds - self._origin_microseconds) // self._length("of a clock")

    def begin_of(self, tick: int) -> int:
        """When a tick begins, in microseconds since the Unix epoch; the same errors."""
        return self._origin_microseconds + tick * self._length("of a clock")

    @cached_property
    def _origin_microseconds(self) -> int:
        return (self.origin - EPOCH) // MICROSECOND

    def tick_of_text(self, text: str) -> int:
        """The tick of a time in a table's cell: a number in digits, or a timestamp. Raises InputError."""
        stripped = text.strip()
        if self.form is not None:
            return self.tick_since_epoch(self._formatted(stripped), stripped)
        if not _INTEGER.fullmatch(stripped):
            if self.unit is not TimeUnit.TICK and _FRACTION.fullmatch(stripped):
                return self.tick_since_epoch(epoch_microseconds(stripped, _POWERS[self.unit]), stripped)
            return self.tick(stripped)
        if len(stripped) > LONGEST_INTEGER:
            raise InputError(f"the time {stripped[:LONGEST_INTEGER]}... is too large")
        return self.tick(int(stripped))

    def asked_tick(self, text: str) -> int:
        """The tick that an option names: a number of ticks, or a timestamp. Raises InputError."""
        stripped = text.strip()
        if stripped.isdecimal() and len(stripped) <= LONGEST_INTEGER:
            return self._checked(int(stripped), int(stripped))
        if self.form is not None:
            with suppress(InputError):
                return self.tick(stripped)
        return replace(self, form=None).tick(stripped)

    def ticks(self, text: str) -> int:
        """The ticks that a duration such as `5` (ticks) or `30 sec` takes, the last one as a whole.

        Raises InputError.
        """
        found = duration(text)
        if found is None:
            raise InputError(
                f"{text!r} is no duration: write 5 (ticks) or '30 sec' ({', '.join(MICROSECONDS)})"
            )
        number, unit = found
        return number if unit is None else -(-number * unit // self._length(text))

    def moment(self, tick: int) -> datetime:
        """The moment, in UTC, at which a tick begins. Raises InputError without a tick length."""
        if self.tick_length is None:
            raise InputError("ticks have no moments without a tick length: add #tick to the program")
        return EPOCH + timedelta(microseconds=self._origin_microseconds + tick * self.tick_length)

    def _since_epoch(self, time: float | str) -> int:
        """In microseconds."""
        if isinstance(time, int):
            return time * int(10 ** _POWERS[self.unit])
        if isinstance(time, float):
            try:
                return epoch_microseconds(_digits(time), _POWERS[self.unit])
            except NoMomentError as error:
                raise InputError(f"the time {_written(time)} is no number of seconds") from error
        if self.form is not None:
            return self._formatted(time)
        return (self._moment(time) - EPOCH) // MICROSECOND

    def _formatted(self, text: str) -> int:
        """The microseconds since the Unix epoch of a time in the format."""
        assert self.form is not None
        try:
            return self.form.microseconds(text, self.zone)
        except NoMomentError as error:
            reason = f" ({error})" if str(error) else ""
            hint = reason or self._reading_hint(text)
            raise InputError(
                f"the time '{shown(text)}' does not fit \"{shown(str(self.form))}\"{hint}"
            ) from error
        except NoZoneError as error:
            raise InputError(
                f"the time {shown(text)} names no offset: name its zone by --timezone or #timezone "
                '"Europe/Vienna".'
            ) from error

    def _moment(self, text: str) -> datetime:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError as error:
            hint = self._reading_hint(text)
            if _FRACTION.fullmatch(text):
                hint = " (leave fractions out of integer times)"
            raise InputError(f"the time '{shown(text)}' is no ISO 8601 timestamp{hint}") from error
        return self._placed(moment, "time", text)

    def _reading_hint(self, text: str) -> str:
        """What would read a time."""
        forms = [f'"{form}"' for form in formats_of(text)[:MOST_FORMATS]]
        if not forms:
            return ""
        ways = [
            f"#input ... at {self.declared_at} {form}" if self.declared_at else f"--time-format {form}"
            for form in forms
        ]
        noun, verb = (
            ("the format", "would read it")
            if len(forms) == 1
            else ("the formats", "would read it, each in its way")
        )
        return f"; {noun} {' and '.join(forms)} {verb}: {' or '.join(ways)}"

    def _placed(self, moment: datetime, what: str, text: str) -> datetime:
        """A moment, written so, in the zone if it has no offset of its own."""
        if moment.tzinfo is not None:
            return moment
        if self.zone is None:
            raise InputError(
                f"the {what} {shown(text)} names no offset: write {moment.isoformat()}Z (UTC), or name its "
                'zone by --timezone or #timezone "Europe/Vienna".'
            )
        return moment.replace(tzinfo=self.zone)

    def _length(self, time: object) -> int:
        if self.tick_length is None:
            raise InputError(
                f"the time {_written(time)} needs the length of a tick: add for instance #tick 1 sec."
            )
        return self.tick_length


def _digits(number: float) -> str:
    """A number by its shortest text that is read as the same, without exponent."""
    return format(Decimal(repr(number)), "f")


def duration(text: str) -> tuple[int, int | None] | None:
    """The number and the unit, in microseconds, of a duration such as `30 sec`, or `5` without a unit.

    None for other texts.
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None or len(match[1]) > LONGEST_INTEGER:
        return None
    return int(match[1]), MICROSECONDS[match[2]] if match[2] else None


def _written(time: object) -> str:
    """A time, or what is none, as it stands in a message."""
    if isinstance(time, int) and not isinstance(time, bool):
        return shown_number(time)
    if isinstance(time, list | dict):
        return "a list" if isinstance(time, list) else "an object"
    return shown(time if isinstance(time, str) else json.dumps(time, default=repr))
