"""Durations as people write them elsewhere, and what they are here."""

import re
from collections.abc import Iterable
from fractions import Fraction

from lars2asp.syntax.time_units import UNIT_NAMES

UNITS = {
    **UNIT_NAMES,
    "millis": "msec",
    **dict.fromkeys(("hr", "hrs"), "hour"),
    **dict.fromkeys(("t", "tick", "ticks", "step", "steps"), ""),
}
"""Names of units, in small letters, and the unit that is meant; ticks have none."""

_LENGTHS = {"msec": 1, "sec": 1_000, "min": 60_000, "hour": 3_600_000, "day": 86_400_000}
"""In milliseconds."""

_WEEK = dict.fromkeys(("w", "week", "weeks"), 7)
_LONG = {
    **dict.fromkeys(_WEEK, (1, "week")),
    **dict.fromkeys(("mo", "mon", "month", "months"), (1, "month")),
    **dict.fromkeys(("q", "quarter", "quarters"), (3, "month")),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years"), (1, "year")),
}
"""Names of units by the clock of a zone, and how many of which unit are meant."""

_PART = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?)\s*(?P<unit>[A-Za-z]+)")


def is_unit(name: str) -> bool:
    """Whether a name is that of a unit, of ticks, or of weeks."""
    return name.lower() in UNITS or name.lower() in _WEEK


def meant(number: str, unit: str) -> str:
    """A duration as it is written here; as it is given where its unit is not known."""
    name = unit.lower()
    if name in _WEEK and number.isdecimal():
        return f"{_WEEK[name] * int(number)} day"
    if "." in number or name in _WEEK:
        length = milliseconds(number, unit)
        return f"{number} {unit}" if length is None else in_largest_unit(length)
    return f"{number} {UNITS.get(name, unit)}".rstrip()


def is_long_unit(name: str) -> bool:
    """Whether a name is that of a unit whose length is not always the same."""
    return name.lower() in _LONG


def meant_by_the_clock(number: str, unit: str) -> str:
    """How far a window leaps as it is written here; as it is given where its unit is not known."""
    several, name = _LONG.get(unit.lower(), (0, ""))
    return f"{several * int(number)} {name}" if several and number.isdecimal() else meant(number, unit)


def joined(parts: str) -> str | None:
    """A duration of several parts, such as `1h30m`, in one unit; None where a part has no known unit."""
    lengths = [milliseconds(part["number"], part["unit"]) for part in _PART.finditer(parts)]
    known = [length for length in lengths if length is not None]
    return in_largest_unit(sum(known)) if known and len(known) == len(lengths) else None


def milliseconds(number: str, unit: str) -> int | None:
    """The length of a duration; None where its unit is none, or too long for it."""
    name = unit.lower()
    length = 7 * _LENGTHS["day"] if name in _WEEK else _LENGTHS.get(UNITS.get(name, ""))
    if length is None or not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", number):
        return None
    found = Fraction(number) * length
    return int(found) if found.denominator == 1 else None


def in_largest_unit(length: int) -> str:
    """A number of milliseconds in the largest unit of which it is a whole number."""
    units: Iterable[tuple[str, int]] = reversed(_LENGTHS.items())
    name, unit = next((name, unit) for name, unit in units if length % unit == 0)
    return f"{length // unit} {name}"
