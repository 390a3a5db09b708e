"""From the times of records to ticks: tick = floor((timestamp - origin) / length)."""

import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from functools import cached_property, partial
from numbers import Integral
from operator import index
from typing import Any, Self, SupportsIndex

from lars2asp.analysis import declared_time
from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.analysis.late_moments import LateMoments
from lars2asp.analysis.tick_moments import DAY, EPOCH, LARGEST_TICK, MICROSECOND, TickMoments, moments_of
from lars2asp.analysis.time_formats import EPOCH_FORMATS
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.settings.values import LONGEST_INTEGER, duration
from lars2asp.runtime.sources.fine_ticks import FineTick, moment_at, nanoseconds_of
from lars2asp.runtime.sources.times.partial_times import PartialMoment, PartialTick
from lars2asp.runtime.sources.times.repeated_hours import (
    FOLDS,
    LocalMoment,
    LocalTick,
    RefusedHours,
    RepeatedHours,
    later_moment,
)
from lars2asp.runtime.sources.times.time_formats import (
    LEAP_DAY,
    NO_LEAP_SECOND,
    NoMomentError,
    NoZoneError,
    TimeFormat,
    before_leap_second,
    epoch_microseconds,
    plain_number,
    with_named_zone,
)
from lars2asp.runtime.sources.times.time_guesses import formats_of
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.source import shown, shown_number

MOST_FORMATS = 3
"""The number of formats that a message names."""

NO_TIME = 'the record has no time: add "time", or for live input add --clock wall to use the time of arrival'

_FRACTION = re.compile(r"-?[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]{1,2})?|[eE][+-]?[0-9]{1,2})")
_ZONE_BEHIND = re.compile(r"(.*[0-9])\s*?(?:\s([+-][0-9:]{2,8})|\s?([A-Za-z]{1,5}))")
_BEYOND_MICROSECONDS = re.compile(r"[.,][0-9]{6}([0-9]{1,3})")
_FEWEST_SECONDS = 10**9
_MOST_SECONDS = 2_200_000_000
_FEWEST_MILLISECONDS = 10**11
_OTHER_TICKS = "choose a later --origin or a longer #tick"
_INTEGER = re.compile(r"-?[0-9]+")
POWERS = {"sec": 6, "msec": 3, "usec": 0, "nsec": -3}
"""Units of times since 1970, of 10 to that power microseconds each."""


class TimeUnit(OptionValue):
    """The unit of integer times in records."""

    TICK = "tick"
    SEC = "sec"
    MSEC = "msec"
    USEC = "usec"
    NSEC = "nsec"


_SECONDS = TimeUnit.SEC, "seconds", "%s"
_MILLISECONDS = TimeUnit.MSEC, "milliseconds", "%Q"
_MICROSECONDS = TimeUnit.USEC, "microseconds", "%u"
_NANOSECONDS = TimeUnit.NSEC, "nanoseconds", "%n"
_EPOCHS = {
    **{9: _SECONDS, 10: _SECONDS, 12: _MILLISECONDS, 13: _MILLISECONDS},
    **{15: _MICROSECONDS, 16: _MICROSECONDS, 18: _NANOSECONDS, 19: _NANOSECONDS},
}
"""By the number of digits: what numbers of our time count since 1970, in words, and their format."""

EPOCH_UNITS = {form: (unit, words) for unit, words, form in _EPOCHS.values()}
"""What formats of numbers that count since 1970 are as units, and in words."""

_COARSER = (
    (_MILLISECONDS, _SECONDS, 3),
    (_MICROSECONDS, _MILLISECONDS, 3),
    (_NANOSECONDS, _MICROSECONDS, 3),
    (_MICROSECONDS, _SECONDS, 6),
    (_NANOSECONDS, _MILLISECONDS, 6),
)
"""Units, and the longer units with that many more digits."""

_DATE_ALONE = len("2026-01-31")

_END_OF_CALENDAR = (datetime.max.replace(tzinfo=UTC) - EPOCH) // MICROSECOND


class TimesMet:
    """The kinds of times that an input contained so far.

    Attributes:
        moments: Whether some were moments, and no numbers of ticks.
    """

    moments = False


@dataclass(frozen=True)
class Timeline:
    """How times become ticks.

    Attributes:
        tick_length: The length of a tick, in microseconds; None if ticks have no length.
        unit: The unit of integer times: ticks, or seconds, milliseconds, ... since 1970.
        origin: The moment when tick 0 begins; without offset it is in the zone.
        zone: The zone of times without an offset; None rejects them. A skipped local time uses the offset
            before the clock change; a repeated local time means the first.
        arrival: Returns the tick of a record without a time; None if records need times.
        form: The format of times as text. [default: ISO 8601]
        declared_at: The time columns of the `#input`, for messages.
        are_values: Whether these columns are arguments, `time(...)`.
        has_fold: Whether the last of these columns is 0 or 1, for repeated local times.
        repeats: Marks repeated local times, and times without a year or date; or refuses them.
        dates_from: Times without a year or date begin at this moment.
        counts_days: Whether ticks are days in the zone, of 23 to 25 hours.
        ticks_by: When ticks begin, if an input or the first record decides it.
        is_fine: Whether the order of records within a tick matters.
        met: The times so far.

    Raises:
        InputError: For an origin without an offset, if there is no zone.
    """

    tick_length: int | None = None
    unit: TimeUnit = TimeUnit.TICK
    origin: datetime = EPOCH
    zone: tzinfo | None = None
    arrival: Callable[[], int] | None = None
    form: TimeFormat | None = None
    declared_at: str = ""
    are_values: bool = False
    has_fold: bool = False
    repeats: RepeatedHours | None = field(default=None, compare=False)
    dates_from: datetime | None = None
    counts_days: bool = field(default=False, repr=False)
    ticks_by: TickMoments | None = field(default=None, repr=False)
    is_fine: bool = field(default=False, repr=False, compare=False)
    met: TimesMet = field(default_factory=TimesMet, repr=False, compare=False)

    def __post_init__(self) -> None:
        if type(self.unit) is str:
            object.__setattr__(self, "unit", TimeUnit(self.unit))
        object.__setattr__(self, "origin", self._placed(self.origin, "origin", str(self.origin)))
        if self.dates_from is not None and self.dates_from.tzinfo is None:
            object.__setattr__(self, "dates_from", self.dates_from.replace(tzinfo=self.zone or UTC))

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """The timeline that a program declares."""
        moments = moments_of(plan.tick_length or 1, plan.origin, plan.zone, counts_days=plan.counts_days)
        return cls(
            plan.tick_length,
            origin=moments.origin,
            zone=plan.zone,
            dates_from=plan.origin,
            counts_days=plan.counts_days,
            ticks_by=plan.moments,
            is_fine=plan.is_ordered and plan.tick_length not in (None, 1),
        )

    def tick(self, time: Any) -> int:
        """Returns the tick of an integer or a timestamp, or of a decimal if integers are seconds or
        milliseconds.

        Raises:
            InputError: For other values, and for times before a declared origin. Also for timestamps without
                a zone or without a tick length.
        """
        if type(time) is int and self.unit is TimeUnit.TICK and 0 <= time <= LARGEST_INTEGER:  # as most are
            return time
        is_decimal = isinstance(time, float) and self.unit is not TimeUnit.TICK
        if isinstance(time, bool) or not (isinstance(time, int | str) or is_decimal):
            raise InputError(
                f"the time {_written(time)} is no integer and no timestamp such as 2026-01-31T14:05:00Z"
            )
        if isinstance(time, int) and self.unit is TimeUnit.TICK:
            return self._checked(time, time)
        return self.tick_since_epoch(self._since_epoch(time), time)

    def tick_since_epoch(self, microseconds: int, time: object) -> int:
        """The tick of a moment, which is written so. Raises InputError if it lies outside the timeline."""
        self._length(time)
        self.met.moments = True
        if type(microseconds) is PartialMoment:
            found = PartialTick()
            found.moment, found.column = microseconds, self.declared_at
            found.tick_at = lambda moment: self.tick_since_epoch(moment, time)
            return found
        tick = self._checked(self.moments.tick_since_epoch(microseconds), time)
        if type(microseconds) is not LocalMoment:
            return FineTick.at(tick, microseconds) if self.is_fine else tick
        marked = LocalTick(tick)
        marked.moment, marked.later = int(microseconds), microseconds.later
        marked.beyond = microseconds.beyond
        marked.later_tick = self._checked(self.moments.tick_since_epoch(microseconds.later), time)
        marked.column = self.declared_at
        return marked

    def _checked(self, tick: int, time: object) -> int:
        """The tick of a time. Raises InputError if there is no such tick."""
        if 0 <= tick < _FEWEST_MILLISECONDS:
            return tick
        if tick < 0:
            if tick != time and tick >= self.first_tick:
                return tick
            raise InputError(
                f"the time {_written(time)} is before tick 0 ({self.origin.isoformat()}): choose an "
                "earlier --origin"
            )
        is_over = self.tick_length is not None and self.moments.begin_of(tick) > _END_OF_CALENDAR
        hint = self._epoch_hint(time) if is_over or tick > LARGEST_TICK else ""
        if tick > LARGEST_TICK or hint:
            far = "more than the largest tick" if tick > LARGEST_TICK else "which is after the year 9999"
            text = f"the time {_written(time)} is tick {shown_number(tick)}, {far}"
            raise InputError(f"{text}: {hint or _OTHER_TICKS}")
        return tick

    def given_tick(self, time: Any) -> int:
        """The tick of a time that a Python program gives, which may be text as well. Raises InputError."""
        return self.asked_tick(time) if isinstance(time, str) else self.tick_of(time)

    def tick_of(self, time: Any) -> int:
        """The tick of a time that a Python program gives; see `tick_of_record`."""
        return +self.tick_of_record(time)

    def tick_of_record(self, time: Any) -> int:
        """The tick of a time that a Python program gives a record.

        It is a tick, as an integer (of numpy as well), or a moment: a `datetime`, a `date` (at midnight), a
        `Timestamp` of pandas, a `datetime64` of numpy. Without offset moments are in the zone.

        Raises:
            InputError: For other values; see also `tick`.
        """
        if type(time) is int and 0 <= time <= LARGEST_TICK:  # as nearly all are
            return time
        moment = moment_of(time)
        if moment is not None:
            return self._tick_of_moment(moment, _beyond_microseconds(time) if self.is_fine else 0)
        if isinstance(time, bool) or not isinstance(time, Integral):
            raise InputError(f"the tick {time!r} is no integer and no datetime")
        tick = index(time)
        if not 0 <= tick <= LARGEST_TICK:
            cure = "" if self.tick_length is None else "; for a point in time pass a datetime"
            raise InputError(f"tick {shown_number(tick)} is not between 0 and {LARGEST_TICK}{cure}")
        return tick

    def _tick_of_moment(self, moment: datetime, nanoseconds: int) -> int:
        text = moment.isoformat()
        if moment.tzinfo is None:
            if self.zone is None:
                raise InputError(
                    f"the time {text} lacks a time zone: add one (tzinfo=UTC), pass "
                    'timezone="Europe/Vienna", or write #timezone "Europe/Vienna".'
                )
            moment = moment.replace(tzinfo=self.zone)
        return self.tick_since_epoch(moment_at((moment - EPOCH) // MICROSECOND * 1000 + nanoseconds), text)

    def arrived(self) -> int:
        """The tick of a record that arrives now. Raises InputError if records need times."""
        if self.arrival is None:
            raise InputError(NO_TIME)
        return self.arrival()

    def tick_at(self, microseconds: int) -> int:
        """The tick of a moment, given in microseconds since the Unix epoch. Raises InputError.

        For a clock, also before the origin, with negative ticks.
        """
        self._length("of a clock")
        return self.moments.tick_since_epoch(microseconds)

    def begin_of(self, tick: int) -> int:
        """When a tick begins, in microseconds since the Unix epoch; the same errors."""
        self._length("of a clock")
        return self.moments.begin_of(tick)

    @cached_property
    def refusing(self) -> Self:
        """The same timeline, which refuses repeated local times unless a mark tells them apart."""
        repeats = self.repeats if self.zone is None else RefusedHours(self.zone)
        return replace(self, repeats=repeats, is_fine=False)

    @cached_property
    def fine(self) -> Self:
        """The same for a record that begins or ends intervals: the order within its tick matters."""
        return self if self.tick_length in (None, 1) else replace(self, is_fine=True)

    @cached_property
    def unmarked(self) -> Self:
        """The same, which marks no ticks."""
        return replace(self, repeats=None, is_fine=False)

    @property
    def late(self) -> LateMoments | None:
        """The moments of ticks, if the first record decides the origin."""
        return self.ticks_by if isinstance(self.ticks_by, LateMoments) else None

    @property
    def first_tick(self) -> int:
        """The first tick that a time may have: one before an origin that the first record decided is late."""
        return 0 if self.late is None else -LARGEST_TICK

    @cached_property
    def moments(self) -> TickMoments:
        """The moments of ticks, if their length is known."""
        if self.ticks_by is not None:
            return self.ticks_by
        return moments_of(self.tick_length or 1, self.origin, self.zone, counts_days=self.counts_days)

    def tick_of_text(self, text: str) -> int:
        """The tick of a time in a table's cell: a number in digits, or a timestamp. Raises InputError."""
        stripped = text.strip()
        moment = self.moment_of_text(text)
        if moment is None:
            return self.tick(int(stripped))
        is_number = self.form is None and _INTEGER.fullmatch(stripped)
        return self.tick_since_epoch(moment, int(stripped) if is_number else stripped)

    def value_of_text(self, text: str) -> int:
        """The tick of a time in a table's cell that is an argument, and may lie before tick 0.

        Raises InputError.
        """
        stripped = text.strip()
        moment = self.moment_of_text(text)
        if moment is not None:
            self._length(stripped)
            return self.moments.tick_since_epoch(moment)
        tick = int(stripped)
        self._checked(abs(tick), tick)  # larger ones count another unit
        return tick

    def _declared(self, form: str) -> str:
        """The declaration of the format of these times; empty if the columns are unknown."""
        if not self.declared_at:
            return ""
        return (
            f"time({self.declared_at} {form})"
            if self.are_values
            else f"#input ... at {self.declared_at} {form}"
        )

    def moment_of_string(self, text: str) -> int:
        """The same of a time that is a string in JSON. Raises InputError."""
        return self._since_epoch(text)

    @property
    def counts_ticks(self) -> bool:
        """Whether numbers in text are ticks."""
        return self.form is None and self.unit is TimeUnit.TICK

    def moment_of_text(self, text: str) -> int | None:
        """The moment of a time in a table's cell, in microseconds since the Unix epoch.

        None for a number of ticks. Raises InputError.
        """
        text = text.strip()
        if self.has_fold:
            return self._folded(text)
        if self.form is not None:
            return self._formatted(text)
        if not _INTEGER.fullmatch(text):
            if self.unit is not TimeUnit.TICK and _FRACTION.fullmatch(text):
                moment = epoch_microseconds(text, POWERS[self.unit])
                return self._within_calendar(moment, text)
            return self._since_epoch(text)
        if len(text) > LONGEST_INTEGER:
            raise InputError(f"the time {text[:LONGEST_INTEGER]}... is too large")
        return None if self.counts_ticks else self._since_epoch(int(text))

    def asked_tick(self, text: str) -> int:
        """The tick that an option names: a number of ticks, or a timestamp. Raises InputError."""
        stripped = text.strip()
        if stripped.isdecimal() and len(stripped) <= LONGEST_INTEGER:
            return self._checked(int(stripped), int(stripped))
        if self.form is not None:
            with suppress(InputError):
                return +self.tick(stripped)
        return +replace(self, form=None).tick(stripped)

    def ticks(self, text: str) -> int:
        """Returns the ticks of a duration such as `5` (ticks) or `30 sec`, rounded up.

        Raises InputError.
        """
        number, unit = _duration(text)
        return number if unit is None else -(-number * unit // self._length(text))

    def ticks_in(self, given: SupportsIndex | str | timedelta) -> int:
        """The ticks of a duration that a Python program gives. Raises InputError."""
        if isinstance(given, timedelta):
            return -(-(given // timedelta(microseconds=1)) // self._length(str(given)))
        return self.ticks(given) if isinstance(given, str) else index(given)

    def microseconds(self, text: str) -> int:
        """The length of such a duration. Raises InputError."""
        number, unit = _duration(text)
        return number * (self._length(text) if unit is None else unit)

    def moment(self, tick: int) -> datetime:
        """The moment, in UTC, when a tick begins. Raises InputError without a tick length."""
        if self.tick_length is None:
            raise InputError("the program declares no tick length: add for example #tick 1 sec.")
        return self.moments.moment(tick)

    def local(self, tick: int) -> datetime | None:
        """The moment when a tick begins, in the zone, or in UTC without a zone.

        None if ticks are without a length, or after the end of the calendar.
        """
        return None if self.tick_length is None else self.moments.local(tick)

    @property
    def precision(self) -> str:
        """The unit of ticks as times, for `isoformat`: seconds or smaller."""
        return self.moments.precision

    def is_whole(self, unit: int) -> bool:
        """Whether all ticks begin at multiples of a unit, in microseconds."""
        return self.moments.is_whole(unit)

    def overlap_at(self, tick: int) -> date | None:
        """The local date of a tick if its local time repeats and this is the first time; otherwise None.

        Such times are what local times without an offset are read as.
        """
        local = self.local(tick)
        if local is None or local.fold or local.utcoffset() == local.replace(fold=1).utcoffset():
            return None
        return local.date()

    def text(self, tick: int) -> str | None:
        """When a tick begins, in ISO 8601 in the zone (or UTC), with the precision of ticks.

        None after the end of the calendar. Raises InputError without a tick length.
        """
        self._length("of a tick")
        return self.moments.text(tick)

    def named(self, tick: int) -> str:
        """A tick, with its time if it has one, as in `4 (2026-01-01T00:04:00+01:00)`."""
        time = None if self.tick_length is None else self.text(tick)
        return str(tick) if time is None else f"{tick} ({time})"

    def doubt_of(self, first: int, forms: Iterable[str] = ()) -> str:
        """A warning if the time of the first tick seems to be in another unit; otherwise empty.

        Such ticks look like seconds since 1970 although ticks are longer, or lie in January 1970 although the
        unit, or `forms` of `#input`, is smaller.
        """
        counted = {EPOCH_FORMATS.get(one) for one in (*forms, str(self.form))}
        for (finer, _, form), (unit, words, coarser), digits in _COARSER:
            if self.tick_length is None or not (self.unit is finer or EPOCH_FORMATS[form] in counted):
                continue
            meant = self.begin_of(first) // MICROSECONDS["sec"] * 10**digits
            if _FEWEST_SECONDS <= meant <= _MOST_SECONDS:
                return (
                    f"the first time is read as tick {self.named(first)}; if it counts {words} since "
                    f'1970, add --time-unit {unit} or write #input ... at time "{coarser}"'
                )
        if self._is_other_unit(first):
            return f"the first time is read as tick {self.named(first)}; {self._epoch_hint(first)}"
        if first < _FEWEST_SECONDS or (self.tick_length or 0) <= MICROSECONDS["sec"]:
            return ""
        return (
            f"the first time is read as tick {self.named(first)}; if it counts seconds since 1970, "
            'add --time-unit sec or write #input ... at time "%s"'
        )

    def _is_other_unit(self, first: int) -> bool:
        """Whether a first tick that an integer gave lies far ahead, and counts a unit since 1970."""
        if self.tick_length is None or self.unit is not TimeUnit.TICK or self.met.moments:
            return False
        seconds = self.begin_of(first) // MICROSECONDS["sec"]
        return first >= _FEWEST_MILLISECONDS and seconds > _MOST_SECONDS and bool(self._epoch_hint(first))

    def duration(self, ticks: int) -> str:
        """Some ticks as a duration that options take, `5` or `'5 min'`, in the largest unit that fits."""
        if self.tick_length is None:
            return str(ticks)
        length = ticks * self.tick_length
        name, unit = max(
            ((name, unit) for name, unit in MICROSECONDS.items() if length % unit == 0),
            key=lambda each: each[1],
            default=("", 0),
        )
        return f"'{length // unit} {name}'" if unit else str(ticks)

    def _since_epoch(self, time: float | str) -> int:
        """In microseconds."""
        if isinstance(time, int):
            moment = moment_at(time * int(10 ** (POWERS[self.unit] + 3)))
            return self._within_calendar(moment, time)
        if isinstance(time, float):
            try:
                moment = epoch_microseconds(_digits(time), POWERS[self.unit])
            except NoMomentError as error:
                raise InputError(f"the time {_written(time)} is not a number of seconds") from error
            return self._within_calendar(moment, _digits(time))
        if self.form is not None:
            return self._formatted(time)
        try:
            placed = self._moment(time)
        except InputError:
            before = before_leap_second(time)
            if before is None:
                raise
            return self._leap_second(before, time)
        since_epoch = (placed - EPOCH) // MICROSECOND
        finer = _BEYOND_MICROSECONDS.search(time)
        if finer is not None:
            since_epoch = moment_at(since_epoch * 1000 + int(finer[1].ljust(3, "0")))
        is_local = placed.tzinfo is self.zone and len(time) > _DATE_ALONE
        return self._marked(since_epoch) if is_local else since_epoch

    def _leap_second(self, before: str, text: str) -> int:
        """The moment of a text with second 60, in microseconds: the beginning of the next second."""
        moment = self._since_epoch(before) + MICROSECONDS["sec"]
        if moment % DAY:
            raise InputError(
                f"the time '{shown(text)}' is not a timestamp such as 2026-01-31T14:05:00Z: {NO_LEAP_SECOND}"
            )
        return moment

    def _marked(self, moment: int) -> int:
        """A moment that was read from a local time."""
        return moment if self.repeats is None else self.repeats.marked(moment)

    def _folded(self, text: str) -> int | None:
        """The moment of a time followed by 0 or 1, which picks between two equal local times."""
        time, _, fold = text.rpartition(" ")
        number = FOLDS.get(fold.lower())
        if number is None:
            raise InputError(f"'{shown(fold)}' in the column fold must be 0 (first) or 1 (second)")
        unmarked = replace(self.unmarked, has_fold=False)
        moment = unmarked.moment_of_text(time)
        if not number or self.zone is None or moment is None:
            return moment
        if _names_offset(time, self.form):
            return moment
        later = later_moment((EPOCH + timedelta(microseconds=moment)).astimezone(self.zone))
        return moment if later is None else moment_at(1000 * later + nanoseconds_of(moment) % 1000)

    def _formatted(self, text: str, day: date = LEAP_DAY) -> int:
        """The microseconds since the Unix epoch of a time in the format, in a day's year or on it."""
        assert self.form is not None
        try:
            moment = self.form.microseconds(text, self.zone, day)
        except NoMomentError as error:
            reason = f" ({error})" if str(error) else ""
            epoch = self._epoch_hint(text)
            hint = reason or self._reading_hint(text) or (f"; {epoch}" if epoch else "")
            raise InputError(
                f"the time '{shown(text)}' does not fit \"{shown(str(self.form))}\"{hint}"
            ) from error
        except NoZoneError as error:
            raise InputError(
                f"the time {shown(text)} lacks a time zone: add --timezone Europe/Vienna, or write "
                '#timezone "Europe/Vienna".'
            ) from error
        if moment > _END_OF_CALENDAR:
            return self._within_calendar(moment, text)
        if self.form.lacks and day is LEAP_DAY:
            return self._partial(text, self.form.lacks)
        return self._marked(moment) if self.repeats is not None and self.form.is_local else moment

    def _partial(self, text: str, lacks: str) -> PartialMoment:
        if self.repeats is None or isinstance(self.repeats, RefusedHours):
            raise InputError(
                f"the time '{shown(text)}' contains no {lacks}: lars2asp completes only times of "
                "records (after `at`), in a zone (#timezone)"
            )
        self.repeats.were_met = True
        return PartialMoment.of(text, lacks, partial(self._formatted, text))

    def _within_calendar(self, moment: int, time: object) -> int:
        """A moment, in microseconds. Raises InputError if it is none, but is one in another unit."""
        if moment > _END_OF_CALENDAR:
            hint = self._epoch_hint(time)
            if hint:
                raise InputError(f"the time {_written(time)} is after the year 9999: {hint}")
        return moment

    def _moment(self, text: str) -> datetime:
        moment = declared_time.moment_of(text)
        if moment is None:
            named = _ZONE_BEHIND.fullmatch(text)
            if named is not None:
                local = declared_time.moment_of(named[1])
                if local is not None and local.tzinfo is None:
                    return self._named(local, named[2] or named[3], text)
            hint = self._reading_hint(text)
            if not hint and text.isdecimal():
                hint = ": for a number of ticks remove the quotes"
            if _FRACTION.fullmatch(text):
                epoch = self._epoch_hint(text)
                hint = f"; {epoch}" if epoch else ": remove the fraction from a number of ticks"
            raise InputError(
                f"the time '{shown(text)}' is not a timestamp such as 2026-01-31T14:05:00Z{hint}"
            )
        return self._placed(moment, "time", text)

    def _named(self, moment: datetime, name: str, text: str) -> datetime:
        """A moment with an offset after it, or with the name of a clock. Raises InputError."""
        try:
            return with_named_zone(moment, name, self.zone)
        except NoMomentError as error:
            raise InputError(f"cannot read the time '{shown(text)}': {error}") from error
        except NoZoneError as error:
            raise InputError(
                f"the time {shown(text)} is in {shown(name)}: name the time zone by --timezone "
                'Europe/Vienna or #timezone "Europe/Vienna".'
            ) from error

    def _reading_hint(self, text: str) -> str:
        """What would read a time."""
        forms = [f'"{form}"' for form in formats_of(text)[:MOST_FORMATS]]
        if not forms:
            return ""
        ways = [self._declared(form) or f"--time-format {form}" for form in forms]
        either = " (they read it differently)" if len(forms) > 1 else ""
        return f"; to read it, write {' or '.join(ways)}{either}"

    def _epoch_hint(self, time: object) -> str:
        """What would read a number that counts units since 1970; empty for others, and if it is so read."""
        whole = plain_number(_written(time)).partition(".")[0]
        found = _EPOCHS.get(len(whole)) if whole.isdecimal() else None
        if found is None:
            return ""
        unit, words, form = found
        declared = self._declared(f'"{form}"')
        if self.form is not None and isinstance(time, str):  # the format goes before the unit
            is_so_read = EPOCH_FORMATS.get(str(self.form)) == EPOCH_FORMATS[form]
            cure = "" if is_so_read else declared or f"--time-format {form}"
        elif self.unit is unit:
            cure = ""
        else:
            cure = f"--time-unit {unit}{f' or {declared}' if declared else ''}"
        return f"{words} since 1970 are read with {cure}" if cure else ""

    def _placed(self, moment: datetime, what: str, text: str) -> datetime:
        """A moment as text, in the zone unless it names an offset."""
        if moment.tzinfo is not None:
            return moment
        if self.zone is None:
            raise InputError(
                f"the {what} {shown(text)} lacks a time zone: write {moment.isoformat()}Z for UTC, add "
                '--timezone Europe/Vienna, or write #timezone "Europe/Vienna".'
            )
        return moment.replace(tzinfo=self.zone)

    def _length(self, time: object) -> int:
        if self.tick_length is None:
            raise InputError(f"the time {_written(time)} needs a tick length: add for example #tick 1 sec.")
        return self.tick_length


def _names_offset(text: str, form: TimeFormat | None) -> bool:
    """Whether a time that can be read is no local one."""
    if form is not None:
        return not form.is_local
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return True


def text_of_moment(value: Any) -> str | None:
    """The ISO 8601 text of a value that `moment_of` accepts; None for other values."""
    if type(value) is date:
        return value.isoformat()
    moment = moment_of(value)
    return None if moment is None else moment.isoformat()


def moment_of(value: Any) -> datetime | None:
    """The moment that a value of Python, pandas or numpy is, to the microsecond; None for other values."""
    kind = getattr(value, "dtype", None)
    if getattr(kind, "kind", None) == "M" and not getattr(value, "shape", ()):
        value = value.astype("datetime64[us]").item()
    if not isinstance(value, date) or type(value).__name__ == "NaTType":  # pandas' missing moment
        return None
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    fields = value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond
    return datetime(*fields, tzinfo=value.tzinfo, fold=value.fold)


def _beyond_microseconds(value: Any) -> int:
    """The nanoseconds that `moment_of` drops from a moment of pandas or numpy."""
    if hasattr(value, "dtype"):
        return int((value - value.astype("datetime64[us]")).astype("timedelta64[ns]").astype("int64"))
    return getattr(value, "nanosecond", 0)


def length_of(value: Any) -> timedelta | None:
    """The stretch of time that a value of Python, pandas or numpy is; None for other values."""
    kind = getattr(value, "dtype", None)
    if getattr(kind, "kind", None) == "m" and not getattr(value, "shape", ()):
        value = value.astype("timedelta64[us]").item()
    return value if isinstance(value, timedelta) and type(value).__name__ != "NaTType" else None


def _digits(number: float) -> str:
    """A number by its shortest text that is read as the same, without exponent."""
    return format(Decimal(repr(number)), "f")


def _duration(text: str) -> tuple[int, int | None]:
    """See `duration`. Raises InputError for other texts."""
    found = duration(text)
    if found is None:
        raise InputError(
            f"{text!r} is not a duration: write 5 (ticks) or '30 sec' ({', '.join(MICROSECONDS)})"
        )
    return found


def _written(time: object) -> str:
    """A time, or another value, for a message."""
    if isinstance(time, int) and not isinstance(time, bool):
        return shown_number(time)
    if isinstance(time, list | dict):
        return "a list" if isinstance(time, list) else "an object"
    return shown(time if isinstance(time, str) else json.dumps(time, default=repr))
