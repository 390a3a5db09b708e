"""Ticks as people read them: times of day in the program's zone, if ticks have a length."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo

from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.runtime.sources.time_formats import EPOCH
from lars2asp.runtime.sources.timeline import Timeline

_MINUTE, _DAY = MICROSECONDS["min"], 24 * MICROSECONDS["hour"]
_PRECISIONS = (
    (_MINUTE, "minutes"),
    (MICROSECONDS["sec"], "seconds"),
    (MICROSECONDS["msec"], "milliseconds"),
)


@dataclass(frozen=True)
class TickTexts:
    """The time at which a tick begins, as text; called with the tick.

    The date stands in front where it is another one than that of the tick from which the others are seen. A
    local time that a clock change makes come twice has the name of its offset behind it.

    Attributes:
        tick_length: in microseconds; None for the numbers of ticks.
        zone: the time zone; None for UTC, which is then named.
        origin: the moment at which tick 0 begins.
        root: the tick from which the others are seen; None for none, so that each time has its date.
    """

    tick_length: int | None = None
    zone: tzinfo | None = None
    origin: datetime = EPOCH
    root: int | None = None

    def __call__(self, tick: int) -> str:
        """The time of day; the date in front of it only if it is not that of the root."""
        moment = self._moment(tick)
        root = None if self.root is None else self._moment(self.root)
        if moment is None or root is None or moment.date() != root.date() or self._has_days:
            return self._dated(tick, moment)
        return self._time_of_day(moment)

    def dated(self, tick: int) -> str:
        """The date and the time of day, and `UTC` where no zone is known."""
        moment = self._moment(tick)
        text = self._dated(tick, moment)
        return text if moment is None or self.zone is not None else f"{text} UTC"

    def seen_from(self, root: int) -> "TickTexts":
        """The same, the others seen from a tick."""
        return replace(self, root=root)

    @property
    def _has_days(self) -> bool:
        """Whether ticks are days, so that times of day say nothing."""
        return self.tick_length is not None and self.tick_length % _DAY == 0

    def _dated(self, tick: int, moment: datetime | None) -> str:
        if moment is None:
            return str(tick)
        if self._has_days and not (moment.hour or moment.minute or moment.second or moment.microsecond):
            return moment.date().isoformat()
        return f"{moment.date().isoformat()} {self._time_of_day(moment)}"

    def _time_of_day(self, moment: datetime) -> str:
        text = moment.time().isoformat(self._precision)
        is_twice = moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()
        return f"{text} {moment.tzname()}" if is_twice else text

    @property
    def _precision(self) -> str:
        """What all ticks are multiples of."""
        length = self.tick_length or 0
        begin = (self.origin - EPOCH) // timedelta(microseconds=1)
        for unit, name in _PRECISIONS:
            if length % unit == 0 and begin % unit == 0:
                return name
        return "microseconds"

    def _moment(self, tick: int) -> datetime | None:
        """When a tick begins; None where ticks have no length, or the calendar ends before."""
        if self.tick_length is None:
            return None
        try:
            moment = self.origin.astimezone(UTC) + timedelta(microseconds=tick * self.tick_length)
            return moment.astimezone(self.zone or UTC)
        except OverflowError:
            return None


def tick_texts(
    tick_length: int | None, zone: tzinfo | None = None, origin: datetime = EPOCH
) -> Callable[[int], str]:
    """How ticks are shown: as times if they have a length, else as numbers.

    Args:
        tick_length: in microseconds; None where ticks have no length, or the stream has no times.
        zone: the time zone of the program; None for UTC.
        origin: the moment at which tick 0 begins, with an offset from UTC.
    """
    return str if tick_length is None else TickTexts(tick_length, zone, origin)


def tick_texts_of(timeline: Timeline) -> Callable[[int], str]:
    """How ticks are shown that times became by a timeline."""
    return tick_texts(timeline.tick_length, timeline.zone, timeline.origin)
