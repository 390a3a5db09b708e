"""From columns of times that are text to ticks."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cached_property, partial
from typing import NamedTuple

from lars2asp.analysis.time_formats import EPOCH_FORMATS
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.fine_ticks import FineMoment, FineTick, moment_at
from lars2asp.runtime.sources.partial_ticks import PartialTicks
from lars2asp.runtime.sources.times.partial_times import PartialMoment
from lars2asp.runtime.sources.times.repeated_hours import LocalMoment
from lars2asp.runtime.sources.times.timeline import POWERS, Timeline

MOST_KNOWN = 4096
"""The number of hours that are kept with their moments, and that of different times within hours."""

_WITHIN = re.compile(r"([0-5][0-9])(?::([0-5][0-9])(?:([.,])([0-9]{1,9}))?)?")
_BEHIND_HOUR = re.compile(rf"(?<=[0-9]:){_WITHIN.pattern}(?![0-9:.,])")
_MICROSECOND_DIGITS = 6
_MICROSECONDS_END = len("00:00.000000")
_TICKS = re.compile(r"[0-9]{1,9}(?:\n[0-9]{1,9})*+")
_NUMBERS = re.compile(r"[0-9]{1,17}(?:\n[0-9]{1,17})*+")


class TextTicks(NamedTuple):
    """The ticks of texts.

    Attributes:
        ticks: for each text its tick, None where it is no time.
        wrong: by such texts what is wrong with them.
        moments: for each text its time, in microseconds since the Unix epoch, where the order of the records
            of a tick matters; None where it does not, and where ticks have their moments themselves.
    """

    ticks: Sequence[int | None]
    wrong: dict[str, str]
    moments: Sequence[int] | None = None


class TimeTexts:
    """Reads times in text as a timeline does, many at once.

    Args:
        timeline: how they are read.
        are_cells: whether they are cells of a table; else strings of JSON.
    """

    def __init__(self, timeline: Timeline, *, are_cells: bool = True) -> None:
        self._timeline = timeline
        self._are_cells = are_cells
        self._hours: _Hours | None = None
        """Those of texts like the ones that came last, if they have some."""
        self._partial_hours: _PartialHours | None = None
        """The same of times without a year, or date."""

    def ticks(self, texts: Sequence[str]) -> "TextTicks":
        """The ticks of texts."""
        different = [*dict.fromkeys(texts)]
        wrong: dict[str, str] = {}
        if (late := self._timeline.late) is not None and not late.is_known:
            next((text for text in different if self._tick(text, {}) is not None and late.is_known), None)
        ticks: Sequence[int | None] | None
        moments: Sequence[int] | None = None
        if (found := self._of_numbers(different)) is not None:
            ticks, moments = found
        elif (ticks := self._by_arithmetic(different)) is None:
            ticks = [self._tick(text, wrong) for text in different]
            if {FineTick}.issuperset(map(type, ticks)):
                moments = [tick.moment for tick in ticks]  # type: ignore[union-attr]
                ticks = [+tick for tick in ticks]  # type: ignore[operator]
        elif self._timeline.is_fine and self._hours is not None:
            moments = self._hours.moments(different)
        if len(different) < len(texts):
            ticks = [*map(dict(zip(different, ticks, strict=True)).__getitem__, texts)]
            if moments is not None:
                moments = [*map(dict(zip(different, moments, strict=True)).__getitem__, texts)]
        return TextTicks(ticks, wrong, moments)

    def partial_ticks(self, texts: Sequence[str]) -> PartialTicks | None:
        """What stands for the ticks of times without a year, or date; None if not all are read in one way."""
        timeline, hours = self._timeline, self._partial_hours
        assert timeline.form is not None
        self._partial_hours = None
        if not texts or timeline.tick_length is None:
            return None
        if hours is None or not hours.have(texts):
            within = _BEHIND_HOUR.search(texts[0])
            hours = None if within is None else _PartialHours(timeline, within, texts[0])
            if hours is None or not hours.have(texts):
                return None
        self._partial_hours = hours
        how = timeline.form.lacks, timeline.declared_at, timeline.tick_of_text, hours.on
        return PartialTicks(texts, *how, are_fine=timeline.is_fine)

    def _tick(self, text: str, wrong: dict[str, str]) -> int | None:
        try:
            return (self._timeline.tick_of_text if self._are_cells else self._timeline.tick)(text)
        except InputError as error:
            wrong[text] = str(error) if text.strip() else "the time is missing"
            return None

    def _of_numbers(self, texts: Sequence[str]) -> tuple[Sequence[int], Sequence[int] | None] | None:
        """The ticks and moments of texts that count whole units since 1970; None for others."""
        timeline, unit = self._timeline, self._microseconds
        if unit is None or timeline.tick_length is None or not texts:
            return None
        together = "\n".join(texts)
        if not _NUMBERS.fullmatch(together) or together.count("\n") != len(texts) - 1:
            return None
        moments = [int(text) * unit for text in texts]
        least, most = min(moments), max(moments)
        try:
            for moment in (least, most):
                timeline.tick_of_text(str(moment // unit))  # that they lie on the timeline
            shift = timeline.moments.shift_between(least, most)
        except InputError:
            return None
        if shift is None:
            return None
        length = timeline.tick_length
        ticks = [(moment + shift) // length for moment in moments]
        self._hours = None
        return ticks, moments if timeline.is_fine else None

    @cached_property
    def _microseconds(self) -> int | None:
        """The microseconds of the unit that cells count; None if they count none, or a part of one."""
        timeline = self._timeline
        if not self._are_cells or timeline.has_fold:
            return None
        powers = POWERS if timeline.form is None else EPOCH_FORMATS
        power = powers.get(str(timeline.form or timeline.unit), -1)
        return None if power < 0 else int(10**power)

    def _by_arithmetic(self, texts: Sequence[str]) -> Sequence[int] | None:
        """The ticks of texts that are all read in the same way; None where that does not give them."""
        if not texts:
            return ()
        if self._timeline.counts_ticks and self._are_cells:
            together = "\n".join(texts)
            if _TICKS.fullmatch(together) and together.count("\n") == len(texts) - 1:
                self._hours = None
                return [*map(int, texts)]
        if self._timeline.tick_length is None:
            return None
        hours = self._hours or _hours_of(texts[0], self._timeline, are_cells=self._are_cells)
        self._hours = None
        if hours is None:
            return None
        try:
            ticks = hours.ticks(texts)
        except _OddTextError:
            return None
        self._hours = hours
        return ticks


class _OddTextError(Exception):
    """A text is not read by the moment of its hour and the time within."""


class _Hours(dict[str, int]):
    """Numbers of hours, by texts without what is within.

    With the microseconds within, and divided by the length of a tick, such a number is the tick.

    A text is a time of an hour if it is read as one with its first minute, and with its last one, and these
    moments lie as far apart as their texts say: then no offset changes within, and all others count from the
    beginning of the hour as well.

    Args:
        timeline: how times are read.
        within: the minute of a text, with second and fraction if it has these.
        text: the text.
        moment_of: gives the moment of a text.
    """

    def __init__(
        self, timeline: Timeline, within: re.Match[str], text: str, moment_of: Callable[[str], int | None]
    ) -> None:
        self._timeline = timeline
        self._moment_of = moment_of
        is_last = within.end() == len(text)  # what stands before it may be longer
        self._first = within.start() - len(text) if is_last else within.start()
        self._end = None if is_last else within.end()
        digits = len(within[4] or "")
        fraction = [f"{within[3]}{digit * digits}" if digits else "" for digit in "09"]
        minutes = ("00", "59") if within[2] is None else ("00:00", "59:59")
        self._has_nanoseconds = digits > _MICROSECOND_DIGITS
        self._least, self._most = map("".join, zip(minutes, fraction, strict=True))
        self._within = _Within(len(self._most))
        self._length = timeline.tick_length or 1
        self._begins: dict[str, int] = {}
        """When each hour begins, in microseconds since the Unix epoch."""

    def ticks(self, texts: Sequence[str]) -> Sequence[int]:
        """The ticks of texts. Raises _OddTextError."""
        first, end, within, length = self._first, self._end, self._within, self._length
        if len(self._begins) >= MOST_KNOWN:
            self.clear()
            self._begins.clear()
        if end is None:
            return [(self[text[:first]] + within[text[first:]]) // length for text in texts]
        return [(self[text[:first] + text[end:]] + within[text[first:end]]) // length for text in texts]

    def moments(self, texts: Sequence[str]) -> Sequence[int]:
        """The moments of texts of which the ticks were asked for."""
        first, end, within, begins = self._first, self._end, self._within, self._begins
        if self._has_nanoseconds:
            return [*map(self._fine_moment, texts)]
        if end is None:
            return [begins[text[:first]] + within[text[first:]] for text in texts]
        return [begins[text[:first] + text[end:]] + within[text[first:end]] for text in texts]

    def _fine_moment(self, text: str) -> int:
        said = text[self._first : self._end]
        hour = text[: self._first] + ("" if self._end is None else text[self._end :])
        nanoseconds = int(said[_MICROSECONDS_END:].ljust(3, "0"))
        return moment_at((self._begins[hour] + self._within[said]) * 1000 + nanoseconds)

    def __missing__(self, text: str) -> int:
        timeline, ends = self._timeline, self._ends(text)
        try:
            begin, last = map(self._moment_of, ends)
            if not {type(begin), type(last)}.isdisjoint((LocalMoment, PartialMoment)):
                raise _OddTextError
            if type(begin) is FineMoment:  # a fraction that stands with the hour
                raise _OddTextError
            if begin is None or last is None or last - begin != self._within[self._most]:
                raise _OddTextError
            for moment, end in zip((begin, last), ends, strict=True):
                timeline.tick_since_epoch(moment, end)  # that they lie on the timeline
            shift = timeline.moments.shift_between(begin, last)
            if shift is None:
                raise _OddTextError
        except InputError as error:
            raise _OddTextError from error
        if len(self) >= MOST_KNOWN:
            self.clear()
        self[text] = since = begin + shift
        self._begins[text] = begin
        return since

    def _ends(self, text: str) -> list[str]:
        """The first and the last time of an hour."""
        first = len(text) if self._end is None else self._first
        return [f"{text[:first]}{within}{text[first:]}" for within in (self._least, self._most)]


class _PartialHours(_Hours):
    """The same of times without a year, or date."""

    def __init__(self, timeline: Timeline, within: re.Match[str], text: str) -> None:
        super().__init__(timeline, within, text, timeline.moment_of_text)
        self._like = within, text
        self._on: tuple[date, _Hours] | None = None

    def __missing__(self, text: str) -> int:
        try:
            if not {PartialMoment}.issuperset(type(self._moment_of(end)) for end in self._ends(text)):
                raise _OddTextError
        except InputError as error:
            raise _OddTextError from error
        if len(self) >= MOST_KNOWN:
            self.clear()
        self[text] = 0
        return 0

    def have(self, texts: Sequence[str]) -> bool:
        """Whether texts are times of hours, in some year or on some day."""
        try:
            self.ticks(texts)
        except _OddTextError:
            return False
        return True

    def on(self, texts: Sequence[str], day: date) -> tuple[Sequence[int], Sequence[int]] | None:
        """The ticks and moments of texts in the year of a day, or on it; None if one is not of an hour."""
        if (late := self._timeline.late) is not None and not late.is_known:
            return None
        if self._on is None or self._on[0] != day:
            moment_of = partial(_moment_on, self._timeline, day)
            self._on = day, _Hours(self._timeline, *self._like, moment_of)
        try:
            return self._on[1].ticks(texts), self._on[1].moments(texts)
        except _OddTextError:
            return None


def _moment_on(timeline: Timeline, day: date, text: str) -> int | None:
    """The moment of a time without a year, or date, in the year of a day, or on it. Raises InputError."""
    moment = timeline.moment_of_text(text)
    return moment.on(day) if isinstance(moment, PartialMoment) else None


class _Within(dict[str, int]):
    """The microseconds of minutes, with seconds and fractions or without, in texts of a length."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __missing__(self, text: str) -> int:
        match = _WITHIN.fullmatch(text)
        if match is None or len(text) != self._length:
            raise _OddTextError
        minute, second, _, fraction = match.groups()
        if len(self) >= MOST_KNOWN:
            self.clear()
        found = (int(minute) * 60 + int(second or 0)) * 1_000_000 + int((fraction or "")[:6].ljust(6, "0"))
        self[text] = found
        return found


def _hours_of(text: str, timeline: Timeline, *, are_cells: bool) -> _Hours | None:
    """The hours of texts like one; None where it seems to have none."""
    within = _BEHIND_HOUR.search(text)
    if within is None:
        return None
    moment_of = timeline.moment_of_text if are_cells else timeline.moment_of_string
    return _Hours(timeline, within, text, moment_of)
