"""What a program declares of time: the length of a tick, when tick 0 begins, the zone of timestamps."""

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from lars2asp.analysis.arithmetic.constants import constant_values, integer_value
from lars2asp.analysis.tick_moments import LARGEST_TICK, TickMoments, moments_of
from lars2asp.syntax.nodes import (
    Clock,
    CompleteWindows,
    LargestGap,
    Lateness,
    Origin,
    Program,
    Tick,
    TimeZone,
)
from lars2asp.syntax.time_units import TICK

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

MICROSECONDS = {
    "msec": 1_000,
    "sec": 1_000_000,
    "min": 60_000_000,
    "hour": 3_600_000_000,
    "day": 86_400_000_000,
}
"""The length of each time unit."""

_LIKE_UTC = ("UTC", "Etc/UTC")


def tick_length(program: Program) -> int | None:
    """The length of a tick in microseconds, None without a (valid) `#tick`."""
    constants = constant_values(program)
    for tick in program.every(Tick):
        size = integer_value(tick.duration.size, constants)
        if size is not None and size > 0 and tick.duration.unit in MICROSECONDS:
            return size * MICROSECONDS[tick.duration.unit]
    return None


def counts_days(program: Program) -> bool:
    """Whether a tick is a day, or so many days, by the clock of the zone: `#tick 1 day.` with a zone."""
    zone = declared_zone(program)
    if zone is None or zone.key in _LIKE_UTC:
        return False
    return any(tick.duration.unit == "day" for tick in program.every(Tick))


def declared_lateness(program: Program) -> int | None:
    """The ticks for which late records are waited for, the last one as a whole; None without `#lateness`."""
    return _ticks_of(program, Lateness)


def declared_gap(program: Program) -> int | None:
    """The ticks by which a record may lie after the latest one; None without `#largest_gap`."""
    return _ticks_of(program, LargestGap)


def _ticks_of(program: Program, kind: type[Lateness] | type[LargestGap]) -> int | None:
    """The ticks of a duration that is declared, the last one as a whole."""
    constants, length = constant_values(program), tick_length(program)
    for declared in program.every(kind):
        size, unit = integer_value(declared.duration.size, constants), declared.duration.unit
        counts_ticks = unit in ("", TICK)
        if size is not None and (counts_ticks or length is not None):
            ticks = size if counts_ticks or length is None else -(-size * MICROSECONDS[unit] // length)
            return min(ticks, LARGEST_TICK)
    return None


def declared_zone(program: Program) -> "ZoneInfo | None":
    """The zone of timestamps that name no offset, None without a (valid) `#timezone`."""
    return next((zone_of(zone.name.value) for zone in program.every(TimeZone)), None)


def declared_origin(program: Program) -> datetime | None:
    """When tick 0 begins, None without a (valid) `#origin`; without offset it is in the zone."""
    zone = declared_zone(program)
    for origin in program.every(Origin):
        moment = moment_of(origin.moment.value)
        if moment is not None and (moment.tzinfo or zone):
            return moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return None


def has_open_origin(program: Program) -> bool:
    """Whether the first record decides when tick 0 begins: ticks are shorter than a second."""
    length = tick_length(program)
    return length is not None and length < MICROSECONDS["sec"] and declared_origin(program) is None


def declared_moments(program: Program) -> TickMoments | None:
    """The moments of ticks, None where these have no length."""
    length = tick_length(program)
    if length is None:
        return None
    origin, zone = declared_origin(program), declared_zone(program)
    return moments_of(length, origin, zone, counts_days=counts_days(program))


def declared_clock(program: Program) -> Clock | None:
    """The clock by which days begin, None without `#timezone` or where ticks have no length."""
    moments, zone = declared_moments(program), declared_zone(program)
    if moments is None or zone is None:
        return None
    return Clock(moments.tick_length, moments.begin, zone.key, counts_days(program))


_END_OF_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}[T ])24(:00(?::00(?:[.,]0+)?)?(?:Z|[+-][0-9:]+)?)")


def moment_of(text: str) -> datetime | None:
    """The moment of a timestamp of ISO 8601, which may name no offset; None for other texts.

    24:00 is the beginning of the next day.
    """
    ended = _END_OF_DAY.fullmatch(text)
    try:
        if ended is not None:
            return datetime.fromisoformat(f"{ended[1]}00{ended[2]}") + timedelta(days=1)
        return datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return None


def needs_whole_windows(program: Program) -> bool:
    """Whether the program declares that windows are to lie wholly on the timeline."""
    return any(program.every(CompleteWindows))


def zone_of(name: str) -> "ZoneInfo | None":
    """The zone of a name of the tz database, None for other names."""
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - most programs start sooner without

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
