"""Parts of days, days, weeks, months and years by the clock of a zone, as stretches of ticks."""

from dataclasses import field
from datetime import date, datetime, timedelta
from functools import cached_property

from lars2asp.analysis.declared_time import zone_of
from lars2asp.analysis.tick_moments import DAY, EPOCH, HOUR, MICROSECOND, MINUTE, TickMoments, moments_of
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.zone_changes import longest_fold
from lars2asp.syntax.nodes import Clock
from lars2asp.syntax.values import dataclass

_LOCAL_EPOCH = datetime(1970, 1, 1)
_FIRST_DAY, _FIRST_MONDAY, _FIRST_YEAR = date(1970, 1, 1).toordinal(), date(1969, 12, 29).toordinal(), 1970
_RECENT, _MOST_BEGINS = 4, 256
"""The number of blocks that are kept, as lookups ask for those around now and around the window's ends; and
of begins of blocks, as lookups ask for those ahead."""

MOST_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
"""The units of whole days, and the days that they have at most."""

PARTS_OF_DAYS = {"msec": 1000, "sec": MINUTE // 60, "min": MINUTE, "hour": HOUR}
"""The units below a day, in microseconds."""


@dataclass(frozen=True)
class ClockBlocks:
    """The timeline cut into parts of days, days, weeks (from Monday), months or years of a zone.

    Several units are counted from 1970: blocks of 3 months are quarters. A block has the ticks that begin in
    it. It begins where the clock shows its begin for the first time, or is put forward over it. Where clocks
    pass over a whole day it may have no ticks. Parts of a day divide it, and are counted from midnight. A
    part of an hour or less begins each time that the clock shows its begin.

    Attributes:
        number: the number of units of a block, 1 or more.
        unit: one of MOST_DAYS or PARTS_OF_DAYS.
        shift: microseconds by the clock from the begin of the unit to that of the block.
        clock: the timeline and the zone.
    """

    number: int
    unit: str
    shift: int
    clock: Clock
    _moments: TickMoments = field(init=False, repr=False, compare=False)
    _recent: list[tuple[int, int]] = field(init=False, repr=False, compare=False, default_factory=list)
    _begins: dict[int, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        """The moments of the ticks."""
        origin = EPOCH + self.clock.begin * MICROSECOND
        clock, zone = self.clock, zone_of(self.clock.zone)
        moments = moments_of(clock.tick_length, origin, zone, counts_days=clock.counts_days)
        object.__setattr__(self, "_moments", moments)

    @property
    def most_ticks(self) -> int:
        """How many ticks a block has at most."""
        return self._most_ticks(1)

    @property
    def most_ticks_of_two(self) -> int:
        """How many ticks two blocks that follow one another have at most."""
        return self._most_ticks(2)

    def _most_ticks(self, blocks: int) -> int:
        """The same of blocks that follow one another: zones lie less than a day before or after UTC."""
        if self._length:
            fold = self._length
            if fold > HOUR:
                fold = longest_fold(self.clock.zone) if self.clock.begin >= 0 else DAY
            most = blocks * self._length + fold
        else:
            most = (blocks * self.number * MOST_DAYS[self.unit] + 2) * DAY
        return most // self.clock.tick_length + 1

    @cached_property
    def _length(self) -> int:
        """The microseconds of a part of a day by the clock; 0 for days and more."""
        return self.number * PARTS_OF_DAYS.get(self.unit, 0)

    def around(self, tick: int) -> tuple[int, int]:
        """The first tick of the block that has a tick, and that of the next block that has ticks.

        Where dates end (before the year 1, after 9999) the block has no end.
        """
        for found in self._recent:
            if found[0] <= tick < found[1]:
                return found
        found = self._part_around(tick) if 0 < self._length <= HOUR else self._around(tick)
        self._recent[:] = [found, *self._recent[: _RECENT - 1]]
        return found

    def _around(self, tick: int) -> tuple[int, int]:
        index, tick = self._guess(tick), min(max(tick, -FOR_EVER), FOR_EVER - 1)
        while self._begin(index) > tick:
            index -= 1
        while (after := self._begin(index + 1)) <= tick:
            index += 1
        return self._begin(index), after

    def _part_around(self, tick: int) -> tuple[int, int]:
        """The same of parts of an hour or less, whose begins come again when clocks are put back."""
        moments, length = self._moments, self._length
        now = moments.begin_of(tick)
        offset = moments.offset_at(now)
        begin = now - (now + offset - self.shift) % length
        end = begin + length
        if (other := moments.offset_at(begin)) != offset:
            change = moments.change_between(begin, now)
            begin = (
                change if self._begins_at(change) else change - 1 - (change - 1 + other - self.shift) % length
            )
        if moments.offset_at(end) != offset:
            change = moments.change_between(now, end)
            after = moments.offset_at(change)
            end = change if self._begins_at(change) else change + -(change + after - self.shift) % length
        return moments.first_from(begin), moments.first_from(end)

    def _begins_at(self, change: int) -> bool:
        """Whether a part of an hour or less begins when clocks are changed."""
        before, after = self._moments.offset_at(change - 1), self._moments.offset_at(change)
        to_next = -(change + before - self.shift) % self._length
        return to_next < after - before or (change + after - self.shift) % self._length == 0

    def _guess(self, tick: int) -> int:
        """The number of the block of a tick, or one near it."""
        try:
            local = self._moments.local(tick)
            if local is None:
                raise OverflowError
            shown = local.replace(tzinfo=None) - timedelta(microseconds=self.shift)
        except OverflowError:
            shown = datetime.max if tick > 0 else datetime.min
        if self._length:
            return (shown - _LOCAL_EPOCH) // timedelta(microseconds=self._length)
        return self._unit_of(shown.date()) // self.number

    def _unit_of(self, day: date) -> int:
        match self.unit:
            case "day":
                return day.toordinal() - _FIRST_DAY
            case "week":
                return (day.toordinal() - _FIRST_MONDAY) // 7
            case "month":
                return 12 * (day.year - _FIRST_YEAR) + day.month - 1
            case _:
                return day.year - _FIRST_YEAR

    def _begin(self, index: int) -> int:
        """The first tick of a block, by its number."""
        begins = self._begins
        if index not in begins:
            if len(begins) >= _MOST_BEGINS:
                begins.clear()
            begins[index] = self._first_tick(index)
        return begins[index]

    def _first_tick(self, index: int) -> int:
        unit = index * self.number
        try:
            if self._length:
                shown = _LOCAL_EPOCH + timedelta(microseconds=index * self._length + self.shift)
                return self._moments.first_showing(shown)
            match self.unit:
                case "day":
                    day = date.fromordinal(_FIRST_DAY + unit)
                case "week":
                    day = date.fromordinal(_FIRST_MONDAY + 7 * unit)
                case "month":
                    day = date(_FIRST_YEAR + unit // 12, unit % 12 + 1, 1)
                case _:
                    day = date(_FIRST_YEAR + unit, 1, 1)
            shown = datetime(day.year, day.month, day.day) + timedelta(microseconds=self.shift)
            return self._moments.first_showing(shown)
        except (ValueError, OverflowError):
            return FOR_EVER if index > 0 else -FOR_EVER

    def __str__(self) -> str:
        """What tells them from others of the timeline."""
        shift = f" from {self.shift // self.clock.tick_length}" if self.shift else ""
        return f"{self.number} {self.unit}{shift},{self.clock.zone}"
