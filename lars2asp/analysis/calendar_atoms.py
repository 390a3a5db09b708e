"""The atoms of `#calendar hour(H), date(Y,M,D).`: which hold at a tick, and when that changes.

At a tick hold those that the clock of the program's zone shows when the tick begins.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from lars2asp.analysis.declared_time import declared_moments
from lars2asp.analysis.tick_moments import DAY, HOUR, MINUTE, TickMoments
from lars2asp.syntax.argument_type import INTEGER, TEXT, ArgumentType
from lars2asp.syntax.nodes import Calendar, Program, Signature
from lars2asp.syntax.values import dataclass

CALENDAR_RECORD = "#calendar"
"""What explanations say in place of the record of the input that tells an atom."""

CalendarRow = tuple[int | str, ...]


class CalendarAtom(NamedTuple):
    """An atom of the calendar.

    Attributes:
        arguments: how messages and manuals name its arguments.
        unit: in microseconds of wall-clock time, how long it stays as it is at least; begins at midnight.
        values: its arguments, of a local time.
        types: their types.
    """

    arguments: str
    unit: int
    values: Callable[[datetime], CalendarRow]
    types: tuple[ArgumentType, ...] = (INTEGER,)

    @property
    def arity(self) -> int:
        """The number of arguments."""
        return len(self.types)


HOLIDAY = "holiday"
"""The atom whose values stand in a file."""

CALENDAR_ATOMS: Mapping[str, CalendarAtom] = {
    "minute_of_day": CalendarAtom("M", MINUTE, lambda local: (60 * local.hour + local.minute,)),
    "hour": CalendarAtom("H", HOUR, lambda local: (local.hour,)),
    "weekday": CalendarAtom("D", DAY, lambda local: (local.isoweekday(),)),
    "date": CalendarAtom("Y,M,D", DAY, lambda local: (local.year, local.month, local.day), (INTEGER,) * 3),
    "week": CalendarAtom("W", DAY, lambda local: (local.isocalendar().week,)),
    HOLIDAY: CalendarAtom("N", DAY, lambda _: (), (TEXT,)),
}
"""By their names."""


@dataclass(frozen=True)
class CalendarPredicate:
    """A predicate of the calendar, on the timeline of a program.

    Attributes:
        signature: the predicate.
        moments: the timeline.
        holidays: for `holiday` the dates, as numbers of days (`date.toordinal`), and names, in order.
    """

    signature: Signature
    moments: TickMoments
    holidays: tuple[tuple[int, str], ...] = ()

    def rows(self, tick: int) -> tuple[CalendarRow, ...]:
        """The atoms that hold at a tick, by their arguments; none where the calendar ends before."""
        local = self.moments.local(tick)
        if local is None:
            return ()
        if self.signature.name == HOLIDAY:
            day = local.toordinal()
            some = self.holidays[bisect_left(self._days, day) : bisect_right(self._days, day)]
            return tuple((name,) for _, name in some)
        return (self._atom.values(local),)

    def next_change(self, tick: int) -> int | None:
        """The first tick after one at which others hold; None for none."""
        before, moments = self.rows(tick), self.moments
        while (moment := self._next_moment(moments.begin_of(tick))) is not None:
            tick = max(tick + 1, moments.first_from(moment))
            if self.rows(tick) != before:
                return tick
        return None

    def intervals(self, first: int, last: int) -> Iterator[tuple[CalendarRow, int, int | None]]:
        """The atoms that hold at ticks of a range, each with the first and last tick at which it does.

        The first one lies in the range. The last one may lie behind it; None is without end.
        """
        tick: int | None = first
        while tick is not None and tick <= last:
            change = self.next_change(tick)
            for row in self.rows(tick):
                yield row, tick, None if change is None else change - 1
            tick = change

    @property
    def _atom(self) -> CalendarAtom:
        return CALENDAR_ATOMS[self.signature.name]

    @cached_property
    def _days(self) -> list[int]:
        return [day for day, _ in self.holidays]

    def _next_moment(self, moment: int) -> int | None:
        """A moment after one, in microseconds since the Unix epoch, up to which the atoms stay as they are.

        None where they do so for ever.
        """
        if self.signature.name == HOLIDAY:
            local = self.moments.local_at(moment)
            days = 0 if local is None else local.toordinal()
            place = bisect_left(self._days, days)
            if place == len(self._days):
                return None
            if self._days[place] > days + 2:  # no local day is twice as long as others
                return moment + (self._days[place] - days - 2) * DAY
        return self.moments.steady_until(moment, self._atom.unit)


def calendar_of(program: Program) -> tuple[CalendarPredicate, ...]:
    """The predicates of the calendar that a program has; none where its ticks have no length."""
    moments = declared_moments(program)
    if moments is None:
        return ()
    return tuple(
        CalendarPredicate(
            one.predicate, moments, tuple((day.toordinal(), name) for day, name in one.holidays or ())
        )
        for one in program.every(Calendar)
    )


def calendar_predicates(program: Program) -> frozenset[Signature]:
    """The same, by name alone."""
    return frozenset(one.predicate for one in program.every(Calendar))
