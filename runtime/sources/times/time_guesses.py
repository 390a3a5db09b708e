"""Which formats would read a text that is not a timestamp of ISO 8601."""

import re
from collections.abc import Iterator
from datetime import UTC, tzinfo
from functools import lru_cache

from lars2asp.runtime.sources.times.time_formats import NoMomentError, TimeFormat

_DATES = (
    *(
        "%d.%m.%Y",
        "%d.%m.%y",
        "%m.%d.%Y",
        "%m.%d.%y",
        "%y.%m.%d",
        "%y/%m/%d",
        "%y-%m-%d",
        "%Y.%m.%d",
        "%d/%m/%Y",
        "%m/%d/%Y",
        "%Y/%m/%d",
        "%d/%m/%y",
        "%m/%d/%y",
    ),
    *(
        "%d-%m-%Y",
        "%m-%d-%Y",
        "%Y-%m-%d",
        "%d-%b-%Y",
        "%d-%b-%y",
        "%d %b %Y",
        "%d. %b %Y",
        "%b %d, %Y",
        "%b %d %Y",
    ),
    *(
        "%d/%b/%Y",
        "%d/%b/%y",
        "%A, %b %d, %Y",
        "%A, %d. %b %Y",
        "%A, %d %b %Y",
        "%Y%m%d",
        "%a, %d %b %Y",
        "%a, %d. %b %Y",
        "%a, %d.%m.%Y",
        "%a %d.%m.%Y",
        "%Y-%j",
    ),
)
_BETWEEN = (" ", "T", ", ", ":", " - ", "_", "")
_TIMES = (
    *("%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%H:%M:%S,%f", "%H.%M", "%H.%M.%S", "%H:%M Uhr", "%H:%M:%S Uhr"),
    *(
        "%I:%M %p",
        "%I:%M:%S %p",
        "%I:%M:%S.%f %p",
        "%I:%M%p",
        "%I.%M.%S.%f %p",
        "%I.%M.%S %p",
        "%H%M%S",
        "%H%M",
        "%Hh%M",
        "%H",
    ),
)
_ZONES = ("", "%z", " %z", " %Z")
_WHOLE = (
    "%a %b %d %H:%M:%S %Y",
    "%a %b %d %H:%M:%S %z %Y",
    "%Y-%m-%d-%H.%M.%S.%f",
    "%Y-%m-%d-%H.%M.%S",
    "%b %d %H:%M:%S",
    *("%Y-%m-%d %H:%M:%S %z UTC", "%Y-%m-%d %H:%M:%S.%f %z UTC", "%Y-%m-%dT%H:%M:%S.%fZ%z"),
)

_ZONE_NAME = re.compile(r"[0-9] ?([A-Z]{3,5})$")
_NAMED_ZONES = {
    **dict.fromkeys(("CET", "CEST"), "Europe/Vienna"),
    **dict.fromkeys(("WET", "WEST"), "Europe/Lisbon"),
    **dict.fromkeys(("EET", "EEST"), "Europe/Helsinki"),
    **{"BST": "Europe/London", "MSK": "Europe/Moscow", "JST": "Asia/Tokyo", "IST": "Asia/Kolkata"},
    **dict.fromkeys(("EST", "EDT"), "America/New_York"),
    **dict.fromkeys(("CST", "CDT"), "America/Chicago"),
    **dict.fromkeys(("MST", "MDT"), "America/Denver"),
    **dict.fromkeys(("PST", "PDT"), "America/Los_Angeles"),
    **dict.fromkeys(("AEST", "AEDT"), "Australia/Sydney"),
}
"""A zone for what clocks are called."""

LONGEST_GUESS = 60
"""In characters: longer texts are no times."""

_NEITHER = re.compile(r"[^0-9A-Za-zÄä]")


def formats_of(text: str) -> list[str]:
    """The formats that read a text, the likeliest first; none if it is no time."""
    stripped = text.strip()
    if len(stripped) > LONGEST_GUESS or sum(map(str.isdecimal, stripped)) < 4:
        return []
    shape = " ".join(_NEITHER.split(stripped))
    if len(shape) <= 4:
        return []
    found = [form for form in _candidates(_signs(stripped)) if fits(form, stripped)]
    return [form for form in found if not (form.startswith("%m.") and f"%d.%m{form[5:]}" in found)]


def forms_behind(date: str) -> Iterator[str]:
    """The formats of a date with times of the day behind it."""
    return (f"{date} {time}" for time in _TIMES)


def zone_behind(text: str) -> str | None:
    """The zone of what clocks are called behind a time, `UTC` for UTC; None if nothing is said, or known."""
    found = _ZONE_NAME.search(text)
    if found is None:
        return None
    return "UTC" if found[1] in ("UTC", "GMT") else _NAMED_ZONES.get(found[1])


def zone_of_time(text: str, zone: tzinfo = UTC) -> tzinfo:
    """The zone of what clocks are called behind a time, otherwise the one that is given."""
    named = zone_behind(text)
    if named is None:
        return zone
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - most programs start sooner without

    return ZoneInfo(named)


def fits(form: str, text: str) -> bool:
    """Whether a format reads a text."""
    stripped = text.strip()
    try:
        _format(form).microseconds(stripped, zone_of_time(stripped))
    except NoMomentError:
        return False
    return True


@lru_cache(maxsize=1024)
def _format(form: str) -> TimeFormat:
    return TimeFormat(form)


def _signs(text: str) -> str:
    """The signs of a text in their order, without those of an offset, and blanks as one."""
    return re.sub(r"\s+", " ", re.sub(r"(?:[A-Za-zÄä]+\.?|[0-9]+)", "", text))


@lru_cache(maxsize=64)
def _candidates(signs: str) -> tuple[str, ...]:
    """The formats whose signs may be those of a text."""
    found = [*_WHOLE, *_DATES]
    for date in _DATES:
        for between in _BETWEEN:
            for time in _TIMES:
                found += [f"{date}{between}{time}{zone}" for zone in _ZONES]
    return tuple(form for form in dict.fromkeys(found) if _may_be(form, signs))


def _may_be(form: str, signs: str) -> bool:
    here = re.sub(r"\s+", " ", re.sub(r"%[A-Za-z]|UTC|T|Z(?=%)|Uhr|h(?=%)", "", form))
    if "%z" not in form:
        return here == signs
    return signs.startswith(here.rstrip()) and len(signs) <= len(here) + 3
