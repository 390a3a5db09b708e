"""Ticks as people read them: times of day in the program's zone, if ticks have a length."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.values import dataclass

_MINUTE, _DAY = MICROSECONDS["min"], 24 * MICROSECONDS["hour"]


@dataclass(frozen=True)
class TickTexts:
    """The time at which a tick begins, as text; called with the tick.

    The date stands in front where it is another one than that of the tick from which the others are seen. A
    local time that a clock change makes come twice has the name of its offset behind it.

    Attributes:
        timeline: says when a tick begins, and in which zone that is told.
        root: the tick from which the others are seen; None for none, so that each time has its date.
    """

    timeline: Timeline
    root: int | None = None

    def __call__(self, tick: int) -> str:
        """The time of day; the date in front of it only if it is not that of the root."""
        moment = self.timeline.local(tick)
        root = None if self.root is None else self.timeline.local(self.root)
        if moment is None or root is None or moment.date() != root.date() or self._has_days:
            return self._dated(tick, moment)
        return self._time_of_day(moment)

    def dated(self, tick: int) -> str:
        """The date and the time of day, and `UTC` where no zone is known."""
        moment = self.timeline.local(tick)
        text = self._dated(tick, moment)
        return text if moment is None or self.timeline.zone is not None else f"{text} UTC"

    def seen_from(self, root: int) -> "TickTexts":
        """The same, the others seen from a tick."""
        return replace(self, root=root)

    @property
    def _has_days(self) -> bool:
        """Whether ticks are days, so that times of day say nothing."""
        return (self.timeline.tick_length or 1) % _DAY == 0

    def _dated(self, tick: int, moment: datetime | None) -> str:
        if moment is None:
            return str(tick)
        if self._has_days and not (moment.hour or moment.minute or moment.second or moment.microsecond):
            return moment.date().isoformat()
        return f"{moment.date().isoformat()} {self._time_of_day(moment)}"

    def _time_of_day(self, moment: datetime) -> str:
        precision = "minutes" if self.timeline.is_whole(_MINUTE) else self.timeline.precision
        text = moment.time().isoformat(precision)
        is_twice = moment.replace(fold=0).utcoffset() != moment.replace(fold=1).utcoffset()
        return f"{text} {moment.tzname()}" if is_twice else text


def tick_texts(timeline: Timeline | None) -> Callable[[int], str]:
    """How ticks are shown: as times if they have a length, else as numbers.

    Args:
        timeline: that of the stream; None where it has no times.
    """
    return str if timeline is None or timeline.tick_length is None else TickTexts(timeline)
