"""Local times that come twice, as clocks are set back: the order of a source tells which is meant.

So it does where times name no year, or no date (`partial_times.py`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime, timedelta, tzinfo
from itertools import chain
from typing import Any, NamedTuple

from lars2asp.analysis.tick_moments import EPOCH, MICROSECOND, TickMoments
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.fine_ticks import FineTick, moment_at, nanoseconds_of
from lars2asp.runtime.sources.partial_ticks import PartialTicks
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import OnReject, Record, Rejected
from lars2asp.runtime.sources.times.partial_times import PartialTick, PartialTimes
from lars2asp.syntax.values import dataclass

FOLD = "fold"
"""The last of several columns of a time, where it says which of two equal local times is meant."""

FOLDS = {"0": 0, "1": 1, "false": 0, "true": 1}
"""What stands in it."""

_FEWEST_TOGETHER = 16
"""So many records of one year, or day, are read together at least."""

_QUARTER = 900_000_000
_HOUR = timedelta(hours=1)
_LOOKED_AHEAD = timedelta(hours=3)


class LocalMoment(int):
    """The moment of a local time that comes twice, or of one in the hour before, in microseconds since 1970.

    Attributes:
        later: the second of the two moments; the same where there is one.
        beyond: the nanoseconds beyond the microsecond.
    """

    later: int
    beyond: int


class LocalTick(int):
    """The tick of such a moment, the first of two.

    Attributes:
        moment: the moment.
        later: the second of the two.
        later_tick: its tick.
        beyond: the nanoseconds beyond the microsecond, of both.
        column: the columns in which it was written.
    """

    moment: int
    later: int
    later_tick: int
    beyond: int
    column: str


MARKED = LocalTick, PartialTick
"""The ticks of times that the order of records is to tell."""


def later_moment(local: datetime) -> int | None:
    """The second moment of a local time with its zone, since 1970; None where it comes once."""
    first, second = (local.replace(fold=fold).utcoffset() for fold in (0, 1))
    assert first is not None
    assert second is not None
    return (local.replace(fold=0) - EPOCH + (first - second)) // MICROSECOND if second < first else None


class RepeatedHours:
    """Knows the hours of a zone that come twice.

    Attributes:
        zone: the zone.
        were_met: whether a time was marked.
    """

    def __init__(self, zone: tzinfo) -> None:
        self.zone = zone
        self._are_near: dict[int, bool] = {}
        """Whether clocks are set back soon behind parts of time."""
        self.were_met = False

    def marked(self, moment: int) -> int:
        """A moment that was read from a local time, as a `LocalMoment` where it is one."""
        quarter = moment // _QUARTER
        is_near = self._are_near.get(quarter)
        if is_near is None:
            is_near = self._are_near[quarter] = self._are_set_back(quarter * _QUARTER)
        if not is_near:
            return moment
        local = self.local(moment)
        later = later_moment(local)
        if later is None and later_moment(local + _HOUR) is None:
            return moment
        self.were_met = True
        found = LocalMoment(moment)
        found.later = int(moment) if later is None else later
        found.beyond = nanoseconds_of(moment) % 1000
        return found

    def is_near(self, moment: int) -> bool:
        """Whether it is one of two moments of a local time, or in the hour before."""
        return type(RepeatedHours.marked(self, moment)) is LocalMoment

    def ways_of(self, first: int, second: int) -> str:
        """What to write in place of the local time of two moments."""
        both = [self.local(moment) for moment in (first, second)]
        offsets = " or ".join(one.isoformat()[-6:] for one in both)
        names = ", ".join(f"{one:%Z}" for one in both)
        return f"write its offset ({offsets}) or zone ({names}), or add a column with 0 (first) or 1 (second)"

    def local(self, moment: int) -> datetime:
        """The local time of a moment."""
        return (EPOCH + timedelta(microseconds=moment)).astimezone(self.zone)

    def _are_set_back(self, moment: int) -> bool:
        try:
            begin, end = (self.local(moment), self.local(moment + _LOOKED_AHEAD // MICROSECOND))
        except OverflowError:
            return False
        before, after = begin.utcoffset(), end.utcoffset()
        return before is not None and after is not None and after < before


class RefusedHours(RepeatedHours):
    """The same where nothing tells which of two moments is meant: local times that come twice are refused."""

    def marked(self, moment: int) -> int:
        """A moment that was read from a local time. Raises InputError for one of two."""
        found = super().marked(moment)
        if type(found) is LocalMoment and found.later != found:
            local = self.local(moment).replace(tzinfo=None).isoformat(sep=" ")
            ways = self.ways_of(moment, found.later)
            raise InputError(
                f"the local time {local} occurs twice because clocks were set back: {ways}, named "
                "last: time + fold"
            )
        return moment


class _Passed(NamedTuple):
    """How far a source has come.

    Attributes:
        moment: that of its last record.
        here: the number of records there.
        before: the moment before; None where it is not known.
        there: the number of records at that.
    """

    moment: int
    here: int = 1
    before: int | None = None
    there: int = 0

    def with_record(self, moment: int) -> "_Passed":
        """The same behind a record at a moment."""
        if moment == self.moment:
            return self._replace(here=self.here + 1)
        return _Passed(moment, 1, self.moment, self.here)


@dataclass
class TimeOrder:
    """The order of the records of a source, by which local times that come twice are told apart.

    Time goes on: a record that would lie before the last one at the first of its two moments is at the
    second. Where records may come late it may lie before by so much, but by less than half of what comes
    twice. Of records as far apart as the two moments, as hourly ones are, the number tells: behind as many as
    there were at the moment before, the next is at the second. A record far from all before it tells nothing.

    Attributes:
        hours: the hours of the zone that come twice.
        moments: when ticks begin.
        lateness: in ticks, for how long late records are waited for.
        last: the tick of the last record that is far from hours that come twice; None before the first.
        is_near: whether the records that are given are near such hours.
        partial: finds the years, or days, of times that name none.
    """

    hours: RepeatedHours
    moments: TickMoments
    partial: PartialTimes
    lateness: int = 0
    last: int | None = None
    is_near: bool = False
    _passed: dict[str, _Passed] = field(default_factory=dict, init=False)
    _before: dict[str, Any] = field(default_factory=dict, init=False)
    """The state before the last record that was taken."""

    def taken(self, record: Record) -> Record | Rejected:
        """A record with the tick that is meant, or why there is none."""
        self._before = self._now()
        tick = record.tick
        if type(tick) is PartialTick:
            try:
                tick = self.partial.found(tick)
            except InputError as error:
                assert record.origin is not None
                return Rejected(record.origin, str(error))
            record = record._replace(tick=tick)
        if type(tick) is not LocalTick:
            self.last = +tick
            return record
        passed = self._passed.get(tick.column)
        moment: int | None = tick.moment
        if tick.later_tick != tick:
            moment = self._meant(tick, passed)
            if moment is None:
                assert record.origin is not None
                return Rejected(record.origin, self._reason(tick))
        assert moment is not None
        self._passed[tick.column] = _Passed(moment) if passed is None else passed.with_record(moment)
        meant = +tick if moment == tick.moment else tick.later_tick
        return record._replace(tick=FineTick.at(meant, moment_at(1000 * moment + tick.beyond)))

    def _meant(self, tick: LocalTick, passed: _Passed | None) -> int | None:
        """The moment that is meant; None where that is not known."""
        first, second = tick.moment, tick.later
        length, tick_length, slack = second - first, self.moments.tick_length, 0
        plain = None if self.last is None else self.moments.begin_of(self.last)
        if passed is not None and (plain is None or passed.moment >= plain):
            if passed.moment == first and passed.before == first - length:
                return second if passed.here >= passed.there else first
            before = passed.moment
        elif plain is not None:
            before, slack = plain, tick_length
        else:
            return None
        behind = before - first
        is_first = behind <= 0 or (behind <= self.lateness * tick_length and behind < length // 2)
        found = first if is_first else second
        return found if -length <= found - before <= length + slack else None

    def _reason(self, tick: LocalTick) -> str:
        local = self.hours.local(tick.moment)
        time = local.replace(tzinfo=None).isoformat(sep=" ")
        return (
            f"the local time {time} occurs twice because clocks were set back, and the records before "
            f"do not show which is meant: {self.hours.ways_of(tick.moment, tick.later)}: #input ... "
            "at time + fold"
        )

    def parts(self, block: Sequence[Record], *, is_known: bool) -> Iterator[Sequence[Record]]:
        """Records; in columns with the ticks that are meant if they name no year, or date, and have the same.

        Args:
            block: the records.
            is_known: whether the first may have been given before.
        """
        if not isinstance(block, RecordColumns) or not isinstance(ticks := block.ticks, PartialTicks):
            yield block
            return
        is_alone = is_known or not self.partial.has_begun(ticks.column)
        while block:
            if is_alone:
                yield block[:1]
                block, ticks = block[1:], ticks[1:]
            found = self.partial.dated_together(ticks) if block else None
            if found is None or len(found[0]) < min(len(block), _FEWEST_TOGETHER):
                yield block
                return
            number = len(found[0])
            yield block[:number].with_ticks(*found)
            block, ticks, is_alone = block[number:], ticks[number:], True

    def given(self, record: Record) -> None:
        """A record was given of some that are far from hours that come twice: the source has come so far."""
        if not self.is_near:
            self.last = +record.tick

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """What later records are told apart by, as JSON has it; or what the last record was."""
        return self._before if without_last and self.is_near else self._now()

    def _now(self) -> dict[str, Any]:
        passed = {column: [*one] for column, one in self._passed.items()}
        dates = self.partial.state()
        return {"last": self.last, "passed": passed} | ({"dates": dates} if dates else {})

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        self.last = state["last"]
        self._passed = {column: _Passed(*one) for column, one in state["passed"].items()}
        self.partial.restore(state.get("dates", {}))


def in_order(
    blocks: Iterable[Sequence[Record]], order: TimeOrder, on_reject: OnReject, line: int = 0, number: int = 0
) -> Iterator[Sequence[Record]]:
    """Records, some at a time, with the ticks that are meant; near hours that come twice each by itself.

    So many records of a line were given before the order was restored, and are as they were read.
    """
    for block in chain.from_iterable(order.parts(one, is_known=number > 0) for one in blocks):
        is_plain = isinstance(block, RecordColumns) and not isinstance(block.ticks, PartialTicks)
        if is_plain or not order.hours.were_met or not any(type(record.tick) in MARKED for record in block):
            order.is_near = False
            yield block
            if block:
                order.last = +block[-1].tick
            continue
        order.is_near = True
        for record in block:
            if number and record.origin is not None and record.origin.line == line:
                number -= 1
                yield [record]
                continue
            found = order.taken(record)
            if isinstance(found, Rejected):
                on_reject(found)
            else:
                yield [found]
