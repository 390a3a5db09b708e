"""How integers are written at places that say what they stand for: with decimals, as times, as durations."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from fractions import Fraction

from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError, decimal_text, scaled
from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.analysis.tick_moments import MICROSECOND, TickMoments
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import shown
from lars2asp.syntax.time_units import UNIT_NAMES
from lars2asp.syntax.values import dataclass

_PARTS = (("d", "day", 1), ("h", "hour", 2), ("min", "min", 2), ("s", "sec", 2), ("ms", "msec", 3))
"""The units of a duration as it is written, and the digits of those that are not the first."""

_UNITS = sorted(UNIT_NAMES, key=len, reverse=True)
_DURATION = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<parts>(?:[0-9]{{1,18}}(?:\.[0-9]{{1,9}})?\s*(?:{'|'.join(_UNITS)})(?![a-z])\s*)+)"
)
_ISO = re.compile(
    r"(?P<sign>[+-]?)P(?=[0-9T])(?:(?P<day>[0-9]{1,18})D)?"
    r"(?:T(?=[0-9])(?:(?P<hour>[0-9]{1,18})H)?(?:(?P<min>[0-9]{1,18})M)?(?:(?P<sec>[0-9]{1,18}(?:\.[0-9]{1,9})?)S)?)?"
)
_ISO_UNITS = ("day", "hour", "min", "sec")
_CLOCK = re.compile(
    r"(?:(?P<day>[+-]?[0-9]{1,9}) days?,?\s+)?(?P<sign>[+-]?)"
    r"(?P<hour>[0-9]{1,9}):(?P<min>[0-5][0-9]):(?P<sec>[0-5][0-9](?:\.[0-9]{1,9})?)"
)
"""As clocks of a race have it, and what Python and databases write for one: `-1 day, 23:00:00`."""
_SHORT_CLOCK = re.compile(r"[0-9]{1,4}:[0-5][0-9]")
_TICKS = re.compile(r"-?(?:0|[1-9][0-9]{0,99})")
_PART = re.compile(r"([0-9.]+)\s*([a-z]+)")


@dataclass(frozen=True)
class TimeForm:
    """Ticks, written as the moments at which they begin."""

    moments: TickMoments

    def text(self, ticks: int) -> str | None:
        """A time in ISO 8601; None where the calendar ends before."""
        return self.moments.text(ticks)

    def read(self, text: str) -> int:
        """The tick of a timestamp. Raises NotScaledError."""
        return self.moments.tick_of_text(text)

    def of_moment(self, moment: datetime) -> int:
        """The tick of a moment. Raises NotScaledError."""
        return self.moments.tick_of(moment)


@dataclass(frozen=True)
class DurationForm:
    """Numbers of ticks, written as stretches of time such as `2 h 05 min`."""

    tick_length: int

    def text(self, ticks: int) -> str:
        """A duration: its units from the largest one to the smallest one that it needs."""
        return length_text(ticks * self.tick_length)

    def read(self, text: str) -> int:
        """The ticks of a duration. Raises NotScaledError."""
        return self._ticks(microseconds_of(text), text)

    def of_length(self, length: timedelta) -> int:
        """The ticks of a stretch of time. Raises NotScaledError."""
        return self._ticks(length // MICROSECOND, str(length))

    def _ticks(self, length: int, text: str) -> int:
        ticks, rest = divmod(length, self.tick_length)
        if rest:
            raise NotScaledError(f"{shown(text)} is not a whole number of ticks")
        return ticks


def length_text(microseconds: int) -> str:
    """A stretch of time, from the largest unit to the smallest one that it needs."""
    rest = abs(microseconds)
    numbers = []
    for _, unit, _ in _PARTS:
        number, rest = divmod(rest, MICROSECONDS[unit])
        numbers.append(number)
    if rest:  # no tick is so short
        return f"{microseconds} us"
    needed = [place for place, number in enumerate(numbers) if number]
    if not needed:
        return "0 s"
    first, last = needed[0], needed[-1]
    parts = [
        f"{number:0{digits if place > first else 1}} {name}"
        for place, ((name, _, digits), number) in enumerate(zip(_PARTS, numbers, strict=True))
        if first <= place <= last
    ]
    return f"{'-' if microseconds < 0 else ''}{' '.join(parts)}"


def microseconds_of(text: str) -> int:
    """The length of a duration such as `2 h 05 min`, `1.5 hour`, `PT2H5M` or `02:05:00`, in microseconds.

    Raises NotScaledError.
    """
    parts: Iterable[tuple[str, str]]
    text, days = text.strip(), 0
    if found := _DURATION.fullmatch(text):
        parts = ((number, UNIT_NAMES[unit]) for number, unit in _PART.findall(found["parts"]))
    elif found := _ISO.fullmatch(text):
        parts = ((number, unit) for unit in _ISO_UNITS if (number := found[unit]))
    elif found := _CLOCK.fullmatch(text):
        parts = ((found[unit], unit) for unit in _ISO_UNITS[1:])
        days = int(found["day"] or 0) * MICROSECONDS["day"]
    else:
        cure = f"{text}:00, or 00:{text}" if _SHORT_CLOCK.fullmatch(text) else "for example 2 h 05 min"
        raise NotScaledError(f"'{shown(text)}' is not a duration: write {cure}")
    length = sum(Fraction(number) * MICROSECONDS[unit] for number, unit in parts)
    if length.denominator != 1:
        raise NotScaledError(f"{shown(text)} is not a whole number of microseconds")
    return days + (-int(length) if found["sign"] == "-" else int(length))


NumberForm = int | TimeForm | DurationForm
"""How integers at a place are written: with so many decimals, as times, or as durations."""

NumberForms = Mapping[Signature, tuple[NumberForm, ...]]
"""Those of the arguments of predicates, if one of them is not written as an integer."""


def number_text(number: int, form: NumberForm) -> str:
    """What an integer stands for, as text."""
    if isinstance(form, int):
        return decimal_text(number, form)
    return form.text(number) or str(number)


def number_of(text: str, form: NumberForm) -> int:
    """The integer for a text such as `24.1`, `2026-01-31T14:05:00Z`, `2 h 05 min`. Raises NotScaledError."""
    if isinstance(form, int):
        return scaled(text, form)
    return int(text) if _TICKS.fullmatch(text) else form.read(text)
