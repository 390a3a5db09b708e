"""What is said of records that come too late, and what would have taken them."""

import re
from collections.abc import Iterable
from dataclasses import field
from typing import NamedTuple

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.values import dataclass

FAR = 10
"""A record that lies so many times as far ahead as those before it lay apart most likely has a wrong time."""

FAR_AT_ONCE = 1000
"""In ticks: so far ahead is one where those before it lay no tick apart, or one."""

_OFFSET = re.compile(r"[0-9]{2}:[0-9]{2}(:?[0-9]{2}([.,][0-9]+)?)?\s*(Z|[+-][0-9]{2}(:?[0-9]{2})?)\b")
"""A time of day with an offset behind it."""


class LateError(InputError):
    """A record comes after one of a later tick, and nothing waits for it."""


def backwards(record: Record, past: int, words: "LatenessWords | None", earlier: int | None) -> str:
    """What is said of a record that comes after one of a later tick; without words only the ticks.

    Args:
        record: the record.
        past: the later tick.
        words: the words.
        earlier: the tick to which an earlier stream has led, if one has.
    """
    if earlier is not None and record.tick <= earlier:
        named = str if words is None else words.timeline.named
        return (
            f"the time goes backwards: tick {named(record.tick)} after {named(past)}; an earlier "
            f"stream took this reasoner to tick {named(earlier)}: make a new Reasoner for another "
            "stream"
        )
    if words is None:
        return f"the time goes backwards: tick {record.tick} after {past}"
    return words.backwards(record, past)


class _Leap(NamedTuple):
    """A record far ahead of those before it.

    Attributes:
        before: the latest tick before.
        after: its tick.
        most: the distance, in ticks, that would not have been far.
        origin: where it stands, if that is known.
    """

    before: int
    after: int
    most: int
    origin: Origin | None


@dataclass
class LatenessWords:
    """Words for late records: times where ticks have some, and what would have taken them.

    That is a lateness, unless times are wrong: those of a record that lies far ahead, so that all that is
    right comes behind it, of old records by the clock, and those that come twice where clocks change.

    Attributes:
        timeline: the times of ticks.
        needed: in ticks, the lateness that would have taken all so far.
        is_in_python: whether a Python program gives the lateness, and no option.
    """

    timeline: Timeline = field(default_factory=Timeline)
    needed: int = 0
    is_in_python: bool = False
    _most: int = field(default=FAR_AT_ONCE, init=False)
    _leap: _Leap | None = field(default=None, init=False)
    _behind: int = field(default=0, init=False)
    """The number of records that came behind the leap, as if it had not been."""

    def leapt(self, before: int, after: int, origin: Origin | None = None) -> None:
        """The input has gone on from one tick to another, which is not the next one, by a record."""
        if after - before > self._most:
            self._leap, self._behind = _Leap(before, after, self._most, origin), 0
        usual = FAR * (after - before)
        self._most = usual if self._most == FAR_AT_ONCE else max(self._most, usual)

    def has_leaps(self, steps: Iterable[int]) -> bool:
        """Whether steps from tick to tick are to be told to `leapt`, so that messages name the right one."""
        most = max(steps, default=0)
        return most > 1 and (self._most == FAR_AT_ONCE or FAR * most > self._most)

    def backwards(self, record: Record, past: int) -> str:
        """Of a record that comes after one of a later tick, where nothing is waited for."""
        named = self.timeline.named
        cure = self._cure(record, past)
        return f"the time goes backwards: tick {named(record.tick)} after {named(past)}{cure}"

    def late(self, record: Record, latest: int, lateness: int) -> str:
        """Of a record that comes after one that lies too far behind it."""
        named, duration = self.timeline.named, self.timeline.duration(lateness).strip("'")
        more = f"{duration} ticks" if duration.isdecimal() else duration
        cure = self._cure(record, latest)
        far = f", more than {more} late" if lateness else ""
        return f"tick {named(record.tick)} arrived after {named(latest)}{far}{cure}"

    def over(self, tick: int, missing: int, begun: int, now: int) -> str:
        """Of a record for a tick that was over by the clock.

        Args:
            tick: the tick.
            missing: the lateness that would do.
            begun: the tick at which the run began.
            now: the tick of the clock.
        """
        said = f"tick {self.timeline.named(tick)} was already over"
        if tick < begun and missing > FAR * max(1, now - begun):
            way = 'remove clock="wall"' if self.is_in_python else "--clock data"
            return f"{said} when the run began; use the times of the records: {way}"
        return f"{said}{self._waiting(missing)}"

    def _cure(self, record: Record, past: int) -> str:
        leap = self._leap_before(record.tick, past)
        if leap is not None:
            duration = self.timeline.duration(leap.most)
            way = f"largest_gap={leap.most}" if self.is_in_python else f"--largest-gap {duration}"
            ahead = self.timeline.duration(leap.after - leap.before).strip("'")
            far = f"{ahead} ticks" if ahead.isdecimal() else ahead
            after = self.timeline.named(leap.after)
            where = "" if leap.origin is None else f" ({leap.origin})"
            return f"; tick {after}{where} is {far} ahead of all before: to reject it, add {way}"
        if self._comes_twice(record, past):
            return "; clocks were set back here, so local times occur twice: write times with offsets"
        return self._waiting(past - record.tick)

    def _leap_before(self, tick: int, past: int) -> _Leap | None:
        """The leap without which a record would not be late, where it was a mistake.

        It is taken for one while no more ticks have passed since than records came behind it.
        """
        leap = self._leap
        if leap is None or past < leap.after:
            return None
        if FAR * abs(tick - leap.before) >= leap.after - leap.before and not self._behind:
            return None
        self._behind += 1
        return leap if self._behind >= past - leap.after else None

    def _comes_twice(self, record: Record, past: int) -> bool:
        """Whether the time of a record came twice by the clocks of the zone, and may be the second one."""
        if self.timeline.zone is None or self.timeline.tick_length is None:
            return False
        if record.origin is not None and _OFFSET.search(record.origin.text):
            return False
        overlaps = [self.timeline.overlap_at(tick) for tick in (record.tick, past)]
        return overlaps[0] is not None and overlaps[0] == overlaps[1]

    def _waiting(self, needed: int) -> str:
        self.needed = max(self.needed, needed)
        duration = self.timeline.duration(self.needed)
        way = f"--lateness {duration}"
        if self.is_in_python:
            declared = duration.strip("'")
            way = f"lateness={self.needed} (#lateness {declared}.)"
        return f"; to accept all records so far, add {way}"
