"""Times that name no year, as those of syslog, or no date: the order of a source tells which is meant."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Self

from lars2asp.analysis.tick_moments import EPOCH, MICROSECOND
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.partial_ticks import PartialTicks
from lars2asp.syntax.source import shown, visible
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")

_DAY = timedelta(days=1) // MICROSECOND
_SLACK = {"year": 182 * _DAY, "date": _DAY // 4}
"""A time before the last one by at most so much is late; earlier ones are of the next year, or day."""

_FIRST: Mapping[str, Mapping[str, int]] = {"year": {"month": 1, "day": 1}, "date": {}}

_HOUR = 3_600_000_000

_APART = {"year": 365 * _DAY, "date": _DAY * 23 // 24}
"""By so much two moments that a time may mean lie apart at least."""

_AHEAD = {"year": _DAY, "date": 60_000_000}
"""By so much the last records may lie behind the change of their file."""


class PartialMoment(int):
    """Stands for the moment of a time without a year, or without a date.

    Attributes:
        text: the time.
        lacks: what it has not, `year` or `date`.
        on: its moment in the year of a day, or on the day, in microseconds since 1970; raises InputError.
    """

    text: str
    lacks: str
    on: Callable[[date], int]

    @classmethod
    def of(cls, text: str, lacks: str, on: Callable[[date], int]) -> Self:
        """What stands for the moment of a time."""
        found = cls()
        found.text, found.lacks, found.on = text, lacks, on
        return found


class PartialTick(int):
    """Stands for the tick of such a moment.

    Attributes:
        moment: the moment.
        tick_at: the tick of what the moment is on a day; raises InputError.
        column: the columns in which it was written.
    """

    moment: PartialMoment
    tick_at: Callable[[int], int]
    column: str


def cure_of(lacks: str) -> str:
    """The cure: how to say the year or date of the first time."""
    year = "--year 2026 or " if lacks == "year" else ""
    return f"add {year}--origin 2026-01-31T00:00:00Z (#origin in the program)"


@dataclass
class PartialTimes:
    """Finds the years, or days, of the times of a source.

    The first time is the first one at or after `begin`; where that is not known, the last one before the file
    was changed. Each following one is the first that does not lie too far before those that came.

    Attributes:
        zone: that of the times.
        begin: where the times begin; None where that is not known.
        slack: in microseconds, by how much records may come late.
        is_quiet: whether nothing is said of a year, or date, that the change of the file says.
    """

    zone: tzinfo
    begin: datetime | None = None
    slack: int = 0
    is_quiet: bool = False
    _changed: int | None = None
    _name: str = ""
    _furthest: dict[str, int] = field(default_factory=dict)
    """For columns of times the latest moment."""
    _near: tuple[int, date] = (-1, date.min)
    """The hour of the last one, and the day, or the first of the year."""

    def begin_file(self, name: str, changed: float | None, *, is_known: bool) -> None:
        """Records of a file follow, changed at a moment (in seconds since 1970) that may be known."""
        self._name, self._changed = name, None if changed is None else int(changed * 1_000_000)
        if not is_known:
            self._furthest.clear()

    def has_begun(self, column: str) -> bool:
        """Whether a time in some columns was found."""
        return column in self._furthest

    def found(self, tick: PartialTick) -> int:
        """The tick that is meant. Raises InputError."""
        return tick.tick_at(self.dated(tick.moment, tick.column))

    def dated(self, moment: PartialMoment, column: str = "") -> int:
        """The moment that is meant, of a time in some columns. Raises InputError."""
        furthest = self._furthest.get(column)
        if furthest is None:
            at = self._first(moment)
        else:
            least = furthest - max(self.slack, _SLACK[moment.lacks])
            at = self._same(moment, furthest, least) or self._next(
                moment, furthest, (-1, 0, 1), lambda one: one >= least
            )
            if self.begin is None and self._changed is not None and at > self._changed + _AHEAD[moment.lacks]:
                raise InputError(
                    f"{self._lacking(moment)}; after {self._local(furthest)}, it would be later than "
                    f"the last change of the file: {cure_of(moment.lacks)}"
                )
        self._furthest[column] = int(at) if furthest is None else max(int(at), furthest)
        return at

    def dated_together(self, ticks: PartialTicks) -> tuple[Sequence[int], Sequence[int] | None] | None:
        """The ticks that are meant, and moments if they need these, of the first times of one year, or day.

        The state is that behind them; from there each of them is found to be the same. None if one has to be
        read by itself, as the first has.
        """
        furthest = self._furthest.get(ticks.column)
        found = None if furthest is None else ticks.on(self._day_of(furthest, ticks.lacks))
        if furthest is None or found is None:
            return None
        slack = max(self.slack, _SLACK[ticks.lacks])
        end = furthest - slack + _APART[ticks.lacks]
        if self.begin is None and self._changed is not None:
            end = min(end, self._changed + _AHEAD[ticks.lacks] + 1)
        ticks_found, moments = found
        number, least, last = len(moments), min(moments), max(furthest, *moments)
        if not last - slack <= least <= last < end:
            least = last = furthest
            for number, at in enumerate(moments):  # noqa: B007 - the number of those before it
                if not max(last, at) - slack <= min(least, at) <= at < end:
                    break
                least, last = min(least, at), max(last, at)
        self._furthest[ticks.column] = last
        return ticks_found[:number], moments[:number] if ticks.are_fine else None

    def _first(self, moment: PartialMoment) -> int:
        if self.begin is not None:
            least = (self.begin - EPOCH) // MICROSECOND
            return self._next(moment, least, (0, 1), lambda one: one >= least)
        if self._changed is None:
            raise InputError(f"{self._lacking(moment)}: {cure_of(moment.lacks)}")
        most = self._changed + _AHEAD[moment.lacks]
        at = self._next(moment, self._changed, (1, 0, -1), lambda one: one <= most)
        what = f"{self._local(at):%Y-%m-%d}"
        if self.is_quiet:
            return at
        _log.warning(
            "%s: the times contain no %s: by the file's last change, the first is %s; if this is wrong, %s",
            *(visible(self._name), moment.lacks, what, cure_of(moment.lacks)),
        )
        return at

    def _same(self, moment: PartialMoment, near: int, least: int) -> int | None:
        """The moment in the year, or on the day, of another one, if it is the first that is not too early."""
        if self._near[0] != near // _HOUR:
            self._near = near // _HOUR, self._day_of(near, moment.lacks)
        with suppress(ValueError):
            at = moment.on(self._near[1])
            if least <= at < least + _APART[moment.lacks]:
                return at
        return None

    def _next(
        self, moment: PartialMoment, near: int, steps: tuple[int, ...], is_meant: Callable[[int], bool]
    ) -> int:
        """The first moment that is meant of those in the years, or on the days, so far from a moment."""
        at, reason = None, None
        for day in self._days(near, steps, moment.lacks):
            try:
                at = moment.on(day)
            except ValueError as error:  # no such day in this year
                reason = error
                continue
            if is_meant(at):
                return at
        if at is None or reason is not None:
            raise InputError(f"the year {self._local(near).year} does not contain this day: {reason}")
        return at

    def _days(self, near: int, steps: tuple[int, ...], lacks: str) -> Iterator[date]:
        day = self._local(near).date()
        for step in steps:
            try:
                yield date(day.year + step, 1, 1) if lacks == "year" else day + timedelta(days=step)
            except (ValueError, OverflowError):
                continue

    def _day_of(self, moment: int, lacks: str) -> date:
        """The day of a moment, or the first of its year."""
        return self._local(moment).date().replace(**_FIRST[lacks])

    def _local(self, moment: int) -> datetime:
        """The local time of a moment."""
        return (EPOCH + timedelta(microseconds=moment)).astimezone(self.zone).replace(tzinfo=None)

    @staticmethod
    def _lacking(moment: PartialMoment) -> str:
        return f"the time '{shown(moment.text)}' contains no {moment.lacks}"

    def state(self) -> dict[str, int]:
        """What later times are read by, as JSON has it."""
        return dict(self._furthest)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        self._furthest = dict(state)
