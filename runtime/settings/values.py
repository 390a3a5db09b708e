"""Values of settings that you give as text, or as an object of Python."""

import re
import sys
from datetime import timedelta
from fractions import Fraction
from math import inf

from lars2asp.analysis.declared_time import MICROSECONDS
from lars2asp.syntax.time_units import UNIT_NAMES

LONGEST_INTEGER = 30
"""In digits: more than any time has."""

_DURATION = re.compile(rf"([0-9]+)(\.[0-9]+)?\s*({'|'.join((*UNIT_NAMES, 'ticks?'))})?")
_SIZE_UNITS = {"": 1, "b": 1}
for _power, _sign in enumerate("kmg", start=1):
    _SIZE_UNITS |= {f"{_sign}b": 1000**_power, f"{_sign}ib": 1024**_power}
_SIZE = re.compile(rf"([0-9]{{1,18}}) *({'|'.join(sorted(_SIZE_UNITS, reverse=True))})", re.IGNORECASE)
_MOST_SECONDS = 10**12


def duration(text: str) -> tuple[int, int | None] | None:
    """The number and the unit, in microseconds, of a duration such as `30 sec`, or `5` without a unit.

    With decimals, as in `0.2 sec`, it is in microseconds, and must be a whole number of them. None for other
    texts.
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None or len(match[1]) > LONGEST_INTEGER:
        return None
    unit = MICROSECONDS[UNIT_NAMES[match[3]]] if match[3] in UNIT_NAMES else None
    if match[2] is None:
        return int(match[1]), unit
    length = Fraction(f"{match[1]}{match[2]}") * (unit or 0)
    return (int(length), 1) if unit is not None and length.denominator == 1 else None


def microseconds_in(value: float | str | timedelta) -> int:
    """A duration by the clock, in microseconds: seconds, a text such as `2 sec`, or a timedelta.

    Raises ValueError for other values, and for durations that are not more than 0.
    """
    if isinstance(value, timedelta):
        found = value // timedelta(microseconds=1)
    elif isinstance(value, str) and (number_and_unit := duration(value)) is not None:
        number, unit = number_and_unit
        if unit is None and not value.strip().isdecimal():
            raise ValueError  # ticks have no length here
        found = number * (10**6 if unit is None else unit)
    else:
        seconds = -1.0 if isinstance(value, bool) else float(value)
        found = round(seconds * 1e6) if seconds < _MOST_SECONDS else 0
    if not 0 < found < _MOST_SECONDS * 10**6:
        raise ValueError
    return found


def seconds_in(value: float | str | timedelta) -> float:
    """A duration by the clock, in seconds; see `microseconds_in`."""
    if isinstance(value, float | int) and not isinstance(value, bool) and 0 < value < inf:
        return value
    return microseconds_in(value) / 1e6


def size_in(text: str) -> int:
    """The bytes of a size such as `500 kB`. Raises ValueError for other texts."""
    match = _SIZE.fullmatch(text.strip())
    size = int(match[1]) * _SIZE_UNITS[match[2].lower()] if match else 0
    if not 0 < size <= sys.maxsize:
        raise ValueError
    return size
