"""From ticks to moments and back: tick = floor((moment - origin) / length), or days by a clock."""

from dataclasses import field
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property

from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
_SECOND, _MILLISECOND = 1_000_000, 1_000
MINUTE, HOUR, DAY = 60 * _SECOND, 3600 * _SECOND, 86_400 * _SECOND
"""In microseconds."""
_LOCAL_EPOCH = datetime(1970, 1, 1)
LARGEST_TICK = 2**61
"""The last tick of any timeline: far more than there are, and sums of some have 64 bits."""
_FIRST_MOMENT = (datetime(1, 1, 3, tzinfo=UTC) - EPOCH) // MICROSECOND
_LAST_MOMENT = (datetime(9999, 12, 29, tzinfo=UTC) - EPOCH) // MICROSECOND
"""The first and the last moment at which zones are asked for their offset."""


@dataclass(frozen=True)
class TickMoments:
    """The moments of ticks.

    Attributes:
        tick_length: microseconds of a tick.
        origin: the moment at which tick 0 begins, with an offset.
        zone: the zone of timestamps that name no offset; moments are written in it (in UTC where it is None).
    """

    tick_length: int
    origin: datetime = EPOCH
    zone: tzinfo | None = None

    @cached_property
    def begin(self) -> int:
        """When tick 0 begins, in microseconds since the Unix epoch."""
        return (self.origin - EPOCH) // MICROSECOND

    def begin_of(self, tick: int) -> int:
        """When a tick begins, in microseconds since the Unix epoch."""
        return self.begin + tick * self.tick_length

    def first_from(self, microseconds: int) -> int:
        """The first tick that begins at a moment or later."""
        return -((self.begin - microseconds) // self.tick_length)

    def first_showing(self, time: datetime) -> int:
        """The first tick that begins where the clock shows a time or later. Raises OverflowError."""
        return self.first_from(self.first_shown((time - _LOCAL_EPOCH) // MICROSECOND))

    def first_shown(self, shown: int) -> int:
        """The first moment from which the clock shows a time or a later one.

        Both are in microseconds, by the clock and in UTC, since 1970. Raises OverflowError where dates end.
        """
        local = (EPOCH + timedelta(microseconds=shown)).replace(tzinfo=self.zone or UTC)
        moment = (local - EPOCH) // MICROSECOND
        offset = self._offset(moment)
        if moment + offset == shown:
            return moment
        before, after = moment - (moment + offset - shown) - 1, moment  # clocks are put forward in between
        while after - before > 1:
            middle = (before + after) // 2
            if middle + self._offset(middle) >= shown:
                after = middle
            else:
                before = middle
        return after

    def offset_at(self, moment: int) -> int:
        """The offset of the zone from UTC, in microseconds; where dates end, that of the last date."""
        return self._offset(min(max(moment, _FIRST_MOMENT), _LAST_MOMENT))

    def change_between(self, before: int, after: int) -> int:
        """When clocks are changed, between two moments with different offsets and one change in between."""
        offset = self.offset_at(before)
        while after - before > 1:
            middle = (before + after) // 2
            if self.offset_at(middle) == offset:
                before = middle
            else:
                after = middle
        return after

    def _offset(self, moment: int) -> int:
        """That of the zone from UTC, in microseconds. Raises OverflowError where dates end."""
        offset = (EPOCH + timedelta(microseconds=moment)).astimezone(self.zone or UTC).utcoffset()
        assert offset is not None
        return offset // MICROSECOND

    def moment(self, tick: int) -> datetime:
        """The moment, in UTC, at which a tick begins. Raises OverflowError where the calendar ends before."""
        return EPOCH + timedelta(microseconds=self.begin_of(tick))

    def local(self, tick: int) -> datetime | None:
        """The same in the zone; None where the calendar ends before."""
        return self.local_at(self.begin_of(tick))

    def local_at(self, microseconds: int) -> datetime | None:
        """The local time of a moment, given since the Unix epoch; None where the calendar ends before."""
        try:
            return (EPOCH + timedelta(microseconds=microseconds)).astimezone(self.zone or UTC)
        except OverflowError:
            return None

    def steady_until(self, microseconds: int, unit: int) -> int | None:
        """When a unit of local time ends in which a moment lies, or clocks are changed before.

        Args:
            microseconds: the moment, since the Unix epoch, as what is given back.
            unit: MINUTE, HOUR or DAY.

        None where the calendar ends before.
        """
        local = self.local_at(microseconds)
        if local is None:
            return None
        into = ((local.hour * 60 + local.minute) * 60 + local.second) * _SECOND + local.microsecond
        before, after = microseconds, microseconds + unit - into % unit
        shown = self.local_at(after)
        if shown is None or shown.utcoffset() == local.utcoffset():
            return None if shown is None else after
        while after - before > 1:
            middle = (before + after) // 2
            shown = self.local_at(middle)
            if shown is not None and shown.utcoffset() == local.utcoffset():
                before = middle
            else:
                after = middle
        return after

    def text(self, tick: int) -> str | None:
        """The same in ISO 8601, as precise as ticks are."""
        moment = self.local(tick)
        return None if moment is None else moment.isoformat(timespec=self.precision)

    @cached_property
    def precision(self) -> str:
        """The unit in which ticks are written as times, for `isoformat`: seconds, or a smaller one."""
        if self.is_whole(_SECOND):
            return "seconds"
        return "milliseconds" if self.is_whole(_MILLISECOND) else "microseconds"

    def is_whole(self, unit: int) -> bool:
        """Whether all ticks begin at multiples of a unit, in microseconds."""
        return self.tick_length % unit == 0 and self.begin % unit == 0

    def tick_since_epoch(self, microseconds: int) -> int:
        """The tick of a moment, which may lie before tick 0."""
        return (microseconds - self.begin) // self.tick_length

    def shift_between(self, first: int, last: int) -> int | None:
        """What is added to moments from one to another so that they, divided by the length, are ticks.

        None where no number does.
        """
        return -self.begin

    def tick_of(self, moment: datetime) -> int:
        """The same of a moment, in the zone if it names no offset. Raises NotScaledError."""
        if moment.tzinfo is None:
            if self.zone is None:
                text = moment.isoformat()
                raise NotScaledError(
                    f"the time {text} has no UTC offset: write {text}Z for UTC, or set the zone with "
                    '--timezone or #timezone "Europe/Vienna".'
                )
            moment = moment.replace(tzinfo=self.zone)
        return self.tick_since_epoch((moment - EPOCH) // MICROSECOND)

    def tick_of_text(self, text: str) -> int:
        """The same of a timestamp of ISO 8601."""
        try:
            moment = datetime.fromisoformat(text)
        except ValueError as error:
            raise NotScaledError(
                f"'{shown(text)}' is not a time: write an ISO 8601 timestamp such as 2026-01-31T12:00:00Z"
            ) from error
        return self.tick_of(moment)


_MOST_BEGINS = 4096
"""The number of days whose begins are kept."""


@dataclass(frozen=True)
class DayMoments(TickMoments):
    """The moments of ticks that are days, or several days, by the clock of the zone, of 23 and 25 hours too.

    Tick 0 begins at the origin, and all others at the same time by the clock: where the clock shows it for
    the first time, or passes over it as it is put forward. Where clocks pass over a whole day its tick has no
    moment.
    """

    _begins: dict[int, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def _shown(self) -> int:
        """What the clock shows as tick 0 begins, in microseconds since 1970 by the clock."""
        local = self.origin.astimezone(self.zone or UTC)
        return (local.replace(tzinfo=UTC) - EPOCH) // MICROSECOND

    @cached_property
    def begin(self) -> int:
        """See TickMoments."""
        return self.begin_of(0)

    def begin_of(self, tick: int) -> int:
        """See TickMoments."""
        found = self._begins.get(tick)
        if found is None:
            if len(self._begins) >= _MOST_BEGINS:
                self._begins.clear()
            found = self._begins[tick] = self._first_shown(self._shown + tick * self.tick_length)
        return found

    def first_from(self, microseconds: int) -> int:
        """See TickMoments."""
        return self.tick_since_epoch(microseconds - 1) + 1

    def first_showing(self, time: datetime) -> int:
        """See TickMoments."""
        return -((self._shown - (time.replace(tzinfo=UTC) - EPOCH) // MICROSECOND) // self.tick_length)

    def tick_since_epoch(self, microseconds: int) -> int:
        """See TickMoments."""
        tick = (microseconds - self.begin) // self.tick_length
        while self.begin_of(tick) > microseconds:
            tick -= 1
        while self.begin_of(tick + 1) <= microseconds:
            tick += 1
        return tick

    def shift_between(self, first: int, last: int) -> int | None:
        """See TickMoments."""
        tick = self.tick_since_epoch(first)
        is_within = last < self.begin_of(tick + 1) and last - first < self.tick_length
        return tick * self.tick_length - first if is_within else None

    def is_whole(self, unit: int) -> bool:
        """See TickMoments; by the clock."""
        return self.tick_length % unit == 0 and self._shown % unit == 0

    def wall_time(self, tick: int) -> int:
        """What the clock shows as a tick begins, in microseconds since 1970, as if it passed over nothing."""
        return self._shown + tick * self.tick_length

    def _first_shown(self, shown: int) -> int:
        """The first moment from which the clock shows a time or a later one, in microseconds since 1970."""
        try:
            return self.first_shown(shown)
        except OverflowError:
            return shown  # dates have ended


def moments_of(
    tick_length: int, origin: datetime | None = None, zone: tzinfo | None = None, *, counts_days: bool = False
) -> TickMoments:
    """The moments of ticks of a length, or of days by the clock of the zone; tick 0 is in 1970 by default."""
    if counts_days:
        return DayMoments(tick_length, origin or EPOCH.replace(tzinfo=zone), zone)
    return TickMoments(tick_length, origin or EPOCH, zone)
