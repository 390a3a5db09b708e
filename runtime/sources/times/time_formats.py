"""Reads times by a format such as `%d.%m.%Y %H:%M:%S`, exactly, to the nanosecond."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from functools import cached_property

from lars2asp.analysis.tick_moments import DAY, EPOCH, MICROSECOND
from lars2asp.analysis.time_formats import EPOCH_FORMATS, PART, lacking
from lars2asp.runtime.sources.fine_ticks import moment_at

MOST_HOURS = 4096
"""The number of different hours that are kept."""

LEAP_DAY = date(2000, 2, 29)
"""A day of a year that contains each day of each month."""

NO_LEAP_SECOND = "second 60 exists only at the end of a day of UTC"

_LAST_MINUTE = timedelta(hours=1) - MICROSECOND

_MONTHS = [
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
]
_GERMAN_MONTHS = [
    *("januar", "februar", "märz", "april", "mai", "juni"),
    *("juli", "august", "september", "oktober", "november", "dezember"),
]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_GERMAN_DAYS = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"]


def _numbers(*lists: list[str], shortest: int) -> dict[str, int]:
    """Names, and their beginnings from a length on, with their numbers."""
    found: dict[str, int] = {}
    for names in lists:
        for number, name in enumerate(names, start=1):
            found |= {name[:length]: number for length in {shortest, len(name)}}
    return found


MONTHS = _numbers(_MONTHS, _GERMAN_MONTHS, shortest=3) | {"sept": 9, "jän": 1, "jänner": 1, "mrz": 3}
"""The numbers of months by their English and German names, in small letters."""

_WEEKDAYS = _numbers(_DAYS, shortest=3) | _numbers(_GERMAN_DAYS, shortest=2)

_TWO_DIGITS = {
    "m": "0[1-9]|1[0-2]",
    "d": "0[1-9]|[12][0-9]|3[01]",
    "H": "[01][0-9]|2[0-4]",
    "I": "0[1-9]|1[0-2]",
}
_ONE_DIGIT = {"m": "[1-9]", "d": "[1-9]", "H": "[0-9]", "I": "[1-9]", "M": "[0-9]", "S": "[0-9]"}
_PATTERNS = {
    **_TWO_DIGITS,
    **{"M": "[0-5][0-9]", "S": "[0-5][0-9]|60", "Y": "[0-9]{4}", "y": "[0-9]{2}", "f": "[0-9]{1,30}"},
    **{"j": "[0-9]{3}", "p": r"[AaPp]\.?[Mm]\.?", "z": r"Z|z|[+-][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?"},
}
_PATTERNS["Z"] = rf"[A-Za-z]{{2,5}}|{_PATTERNS['z']}"


def _names(names: dict[str, int]) -> str:
    """A pattern for names, with a dot after shortened names."""
    return rf"(?:{'|'.join(sorted(names, key=len, reverse=True))})\.?"


_PATTERNS |= {"b": _names(MONTHS), "B": _names(MONTHS), "a": _names(_WEEKDAYS), "A": _names(_WEEKDAYS)}
_LEAP_SECOND = re.compile(r"(.*[T ][0-9]{2}(:?)[0-9]{2}\2)60(?:[.,][0-9]+)?(?![0-9])(.*)")
_EXPONENT = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}")
_EPOCH_IN_TEXT = re.compile(r"(?<![0-9.])[0-9]{9,20}(?:\.[0-9]{1,30})?")
_EPOCH_PATTERN = re.compile(r"([+-]?)([0-9]{1,20})(?:\.([0-9]{1,30}))?")


class NoMomentError(ValueError):
    """A text that does not fit a format, or names no moment."""


class NoZoneError(ValueError):
    """A local time without a zone."""


@dataclass(frozen=True)
class TimeFormat:
    """A format that `format_problem` finds nothing wrong with."""

    text: str

    @cached_property
    def is_local(self) -> bool:
        """Whether it reads local times of day, and not moments or days alone."""
        letters = {part[1] for part in PART.finditer(self.text) if part[0].startswith("%")}
        return self.text not in EPOCH_FORMATS and bool(letters & {"H", "I"}) and not letters & {"z", "Z"}

    @cached_property
    def lacks(self) -> str:
        """The part of a date that it omits; see `lacking`."""
        return lacking(self.text)

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        return TimeFormat, (self.text,)

    def microseconds(self, text: str, zone: tzinfo | None, day: date = LEAP_DAY) -> int:
        """The moment of a text, since the Unix epoch; a given day completes its date.

        Local times are in the zone, with Python's `fold=0`.

        Raises NoMomentError for a text that does not fit, NoZoneError for a local time without a zone.
        """
        return self._read(text, zone, day)

    @cached_property
    def search(self) -> re.Pattern[str]:
        """Finds it in text."""
        if self.text in EPOCH_FORMATS:
            return _EPOCH_IN_TEXT
        framed = _framed_number(self.text)
        return _Fields(self.text).pattern if framed is None else framed[0]

    @cached_property
    def _read(self) -> Callable[[str, tzinfo | None, date], int]:
        power = EPOCH_FORMATS.get(self.text)
        if power is not None:
            return lambda text, _, __: epoch_microseconds(text, power)
        framed = _framed_number(self.text)
        return _Fields(self.text).read if framed is None else _framed_reader(*framed)


def _framed_number(text: str) -> tuple[re.Pattern[str], int] | None:
    """The pattern of a number that counts since 1970 with texts around it, as `[%s]`, and its power of 10."""
    parts = [*PART.finditer(text)]
    counting = [part[0] for part in parts if part[0] in EPOCH_FORMATS]
    if not counting:
        return None
    forms = (
        f"({_EPOCH_PATTERN.pattern})"
        if part[0] in EPOCH_FORMATS
        else _fixed("%" if part[0] == "%%" else part[0])
        for part in parts
    )
    return re.compile("".join(forms), re.IGNORECASE | re.ASCII), EPOCH_FORMATS[counting[0]]


def _framed_reader(pattern: re.Pattern[str], power: int) -> Callable[[str, tzinfo | None, date], int]:
    def read(text: str, zone: tzinfo | None, day: date) -> int:
        match = pattern.fullmatch(text)
        if match is None:
            raise NoMomentError
        return epoch_microseconds(match[1], power)

    return read


def epoch_microseconds(text: str, power: int) -> int:
    """The moment of a number of units since 1970, of 10**power microseconds each, rounded to the past.

    It is in microseconds, or a FineMoment if the number says more.

    Raises NoMomentError unless it is a number.
    """
    match = _EPOCH_PATTERN.fullmatch(plain_number(text))
    if match is None:
        raise NoMomentError
    sign, whole, fraction = match.groups()
    digits, power = (fraction or "").rstrip("0"), power + 3
    nanoseconds = int(whole) * int(10**power) + int(digits[:power].ljust(power, "0") or 0)
    return moment_at(-nanoseconds - (len(digits) > power) if sign == "-" else nanoseconds)


class _Fields:
    """A format as a pattern with a group for each directive.

    Attributes:
        pattern: The pattern.
    """

    def __init__(self, text: str) -> None:
        parts = [(part[0], part[1] if part[0].startswith("%") else None) for part in PART.finditer(text)]
        directives = [letter for _, letter in parts if letter not in (None, "%")]
        self.pattern = re.compile(
            "".join(_pattern(parts, place) for place in range(len(parts))), re.IGNORECASE | re.ASCII
        )
        place_of = {letter: place for place, letter in enumerate(directives, start=1)}
        self._hour_letters = [letter for letter in directives if letter not in ("M", "S", "f")]
        self._of_hour = [place_of[str(letter)] for letter in self._hour_letters] + [0]
        self._hour, self._minute, self._second, self._fraction = (
            place_of.get(letter, 0) for letter in "HMSf"
        )
        self._lacks = lacking(text)
        self._hours: dict[tuple[tzinfo | None, tuple[str, ...], date | None], int | None] = {}

    def read(self, text: str, zone: tzinfo | None, day: date) -> int:
        """See TimeFormat.microseconds."""
        match = self.pattern.fullmatch(text)
        if match is None:
            raise NoMomentError
        said = match.group(*self._of_hour)[:-1]
        within = rest = 0
        if self._minute:
            within = 60_000_000 * int(match[self._minute])
            if self._second:
                within += 1_000_000 * int(match[self._second])
                if self._fraction and match[self._second] != "60":
                    fraction = match[self._fraction][:9].ljust(9, "0")
                    within += int(fraction[:6])
                    rest = int(fraction[6:])
        if within and self._hour and match[self._hour] == "24":
            raise NoMomentError("a day ends at 24:00: no later time is possible")
        given = day if self._lacks else None
        key = zone, said, given
        begin = self._hours.get(key)
        if begin is None:
            local = self._local(said, zone, given)
            begin = _begin(local)
            if begin is None:
                begin = (local + timedelta(microseconds=within) - EPOCH) // MICROSECOND - within
            else:
                if len(self._hours) >= MOST_HOURS:
                    self._hours.clear()
                self._hours[key] = begin
        moment = begin + within
        if self._second and match[self._second] == "60" and moment % DAY:
            raise NoMomentError(NO_LEAP_SECOND)
        return moment_at(moment * 1000 + rest) if rest else moment

    def _local(self, said: tuple[str, ...], zone: tzinfo | None, given: date | None) -> datetime:
        """The beginning of an hour, on a given day or, if there is one, of its year."""
        fields = dict(zip(self._hour_letters, said, strict=True))
        offset = _offset(fields["z"]) if "z" in fields else zone
        named = fields.get("Z")
        try:
            if given is not None:
                fields["Y"] = str(given.year)
            if given is not None and self._lacks == "date":
                day = datetime(given.year, given.month, given.day)
            else:
                day = _day(fields)
            hour = int(fields.get("H", 0))
            if "I" in fields:
                hour = int(fields["I"]) % 12 + (12 if fields["p"][0] in "pP" else 0)
            moment = day + timedelta(hours=hour)
        except (ValueError, OverflowError) as error:
            raise NoMomentError(str(error)) from error
        if named is not None:
            return with_named_zone(moment, named, zone)
        if offset is None:
            raise NoZoneError
        return moment.replace(tzinfo=offset)


def with_named_zone(local: datetime, name: str, zone: tzinfo | None) -> datetime:
    """A local time with an offset after it, or with the name of a clock: `UTC`, or as in the zone `CEST`.

    Raises NoMomentError for other names, NoZoneError for names without a zone.
    """
    if name.upper() in ("UTC", "GMT"):
        return local.replace(tzinfo=UTC)
    if re.fullmatch(_PATTERNS["z"], name):
        return local.replace(tzinfo=_offset(name))
    if name[0] in "+-":
        raise NoMomentError(f"{name} is not an offset: write for example +01:00")
    if zone is None:
        raise NoZoneError
    both = [local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    for moment in both:
        if (moment.tzname() or "").upper() == name.upper():
            return moment.astimezone(UTC)
    called = " or ".join(dict.fromkeys(moment.tzname() or "" for moment in both))
    raise NoMomentError(f"at this time the zone {zone} is {called}, not {name}")


def before_leap_second(text: str) -> str | None:
    """A time of ISO 8601 with second 60 as second 59; None for other texts."""
    leap = _LEAP_SECOND.fullmatch(text)
    return None if leap is None else f"{leap[1]}59{leap[3]}"


def plain_number(text: str) -> str:
    """A number without its exponent; other texts as they are."""
    if not _EXPONENT.fullmatch(text):
        return text
    return format(Decimal(text), "f")


def _pattern(parts: list[tuple[str, str | None]], place: int) -> str:
    text, letter = parts[place]
    if letter is None:
        return _fixed(text)
    if letter == "%":
        return "%"
    pattern = _PATTERNS[letter]
    near = [parts[other][1] for other in (place - 1, place + 1) if 0 <= other < len(parts)]
    if letter in _ONE_DIGIT and not any(one is not None and one in "YymdjHIMSf" for one in near):
        pattern += f"|{_ONE_DIGIT[letter]}"
    return f"({pattern})"


def _fixed(text: str) -> str:
    """The pattern of blanks, or of a literal text."""
    return r"\s+" if text.isspace() else re.escape(text)


def _day(fields: dict[str | None, str]) -> datetime:
    """Raises ValueError."""
    year = int(fields["Y"]) if "Y" in fields else _whole_year(int(fields["y"]))
    if "j" in fields:
        day = datetime(year, 1, 1) + timedelta(days=int(fields["j"]) - 1)
        if day.year != year:
            raise ValueError("the year does not contain this day")
        return day
    named = fields.get("b") or fields.get("B")
    month = int(fields["m"]) if named is None else MONTHS[named.rstrip(".").lower()]
    return datetime(year, month, int(fields["d"]))


def _whole_year(year: int) -> int:
    """The year of two digits, by POSIX."""
    return year + (1900 if year >= 69 else 2000)


def _offset(text: str) -> timezone:
    if text in "Zz":
        return UTC
    digits = text[1:].replace(":", "")
    hours, minutes, seconds = (int(digits[at : at + 2] or 0) for at in (0, 2, 4))
    if hours > 23 or minutes > 59 or seconds > 59:
        raise NoMomentError("its offset is none: write for example +01:00")
    offset = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return timezone(-offset if text.startswith("-") else offset)


def _begin(local: datetime) -> int | None:
    """The beginning of an hour since the Unix epoch; None for a zone whose clocks change."""
    if local.utcoffset() != (local + _LAST_MINUTE).utcoffset():
        return None
    return (local - EPOCH) // MICROSECOND
