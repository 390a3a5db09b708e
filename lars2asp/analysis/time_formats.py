"""Formats of times, as in `"%d.%m.%Y %H:%M:%S"`: what may stand in them."""

import re
from itertools import pairwise
from typing import NamedTuple

DIRECTIVES = "YymbBdjHIMSfpaAzZsQun"
"""The letters behind `%`, as `strptime` has them; `s`, `Q`, `u` and `n` count seconds, milliseconds,
microseconds and nanoseconds since 1970."""

EPOCH_DIRECTIVES = "sQun"

EPOCH_FORMATS = {"%s": 6, "%Q": 3, "%u": 0, "%n": -3, "%s%6N": 0, "%s%N": -3}
"""Formats of numbers that count units since 1970, of 10 to that power microseconds each.

`%s%6N` and `%s%N` are those of GNU date: seconds and the digits of microseconds, or nanoseconds, behind them.
"""

PART = re.compile(r"%(.?)|\s+|[^%\s]+", re.DOTALL)
"""A part of a format: a directive, blanks, or a text that stands for itself."""


class FormatProblem(NamedTuple):
    """Why a text is not a format of times, and what to do."""

    reason: str
    hint: str


def lacking(text: str) -> str:
    """What a format leaves out: a `year`, as syslog does, or a `date`; empty for a whole date."""
    letters = {part[1] for part in PART.finditer(text) if part[0].startswith("%")}
    if letters.issubset(f"{EPOCH_DIRECTIVES}%") or text in EPOCH_FORMATS or letters.intersection("Yy"):
        return ""
    return "year" if _has_day(letters) else "date"


def format_problem(text: str, *, needs_date: bool = False) -> FormatProblem | None:
    """What is wrong with a format, which may need a whole date; None for one that is right."""
    if text in EPOCH_FORMATS:
        return None
    found = [part[1] for part in PART.finditer(text) if part[0].startswith("%") and part[1] != "%"]
    for letter in found:
        if not letter or letter not in DIRECTIVES:
            known = " ".join(f"%{one}" for one in DIRECTIVES)
            said = _OTHER_DIRECTIVES.get(letter)
            return FormatProblem(f"%{letter} is unknown", f"write {said}" if said else f"use {known} %%")
        if found.count(letter) > 1:
            return FormatProblem(f"%{letter} occurs twice", "write it once")
    letters = set(found)
    if letters.intersection(EPOCH_DIRECTIVES):
        alone = len(letters) == 1
        return (
            None
            if alone
            else FormatProblem(
                "%s, %Q, %u and %n cannot have other parts", "remove the other parts: these count from 1970"
            )
        )
    has_date = bool(letters.intersection("YymbBdj"))
    if (has_date and not _has_day(letters)) or (not has_date and not letters.intersection("HI")):
        return FormatProblem("its date is incomplete", _date_hint(text))
    if needs_date and lacking(text):
        hint = "add it: only the times of records (after `at`) may omit it"
        return FormatProblem(f"it lacks the {lacking(text)}", hint)
    if ("I" in letters) != ("p" in letters):
        return FormatProblem("%I and %p (AM, PM) need each other", "for hours up to 23, write %H")
    smaller = [("H" if "I" not in letters else "I"), "M", "S", "f"]
    for larger, small in pairwise(smaller):
        if small in letters and larger not in letters:
            return FormatProblem(f"it has %{small} but not %{larger}", "add %{larger}")
    return None


def _has_day(letters: set[str]) -> bool:
    """Whether a format with these letters has a day of a year."""
    return "j" in letters or ("d" in letters and not letters.isdisjoint("mbB"))


_OTHER_DIRECTIVES = {
    **dict.fromkeys("LN", "%f for the digits after the seconds"),
    **dict.fromkeys("0123456789", "%f for the digits after the seconds, and %u or %n alone for 1970's"),
    **{"e": "%d", "-": "%d, %m, %H, ..., which also read one digit", "k": "%H", "l": "%I", "h": "%b"},
    **{"T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d", "D": "%m/%d/%y"},
}
"""What is written for the directives of other libraries."""

_LETTERS = {
    **{"yyyy": "%Y", "YYYY": "%Y", "yy": "%y", "YY": "%y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%m"},
    **{"dd": "%d", "d": "%d", "DD": "%d", "D": "%d", "HH": "%H", "H": "%H", "hh": "%I", "h": "%I"},
    **{"mm": "%M", "ss": "%S", "a": "%p", "A": "%p", "EEEE": "%A", "EEE": "%a", "ddd": "%a", "dddd": "%A"},
    **dict.fromkeys(("X", "XX", "XXX", "Z", "ZZ", "xxx"), "%z"),
    **{"S" * digits: "%f" for digits in range(1, 10)},
}
_WORD = re.compile(r"'([^']*)'|([A-Za-z])\2*")
_NAMES = {
    **dict.fromkeys(("s", "sec", "seconds", "epoch", "unix", "timestamp", "epoch_s", "unix_s"), "%s"),
    **dict.fromkeys(("ms", "msec", "millis", "milliseconds", "epoch_ms", "epoch_millis", "unix_ms"), "%Q"),
    **dict.fromkeys(("us", "usec", "micros", "microseconds", "epoch_us", "unix_us"), "%u"),
    **dict.fromkeys(("ns", "nsec", "nanos", "nanoseconds", "epoch_ns", "unix_ns"), "%n"),
}


def _date_hint(text: str) -> str:
    """What to write for a format without a whole date, which may be one of another kind."""
    if text in _NAMES:
        return f'write "{_NAMES[text]}"'
    if re.fullmatch(r"iso[-_ ]?(?:8601)?", text, re.IGNORECASE):
        return "remove the format: ISO 8601 timestamps need none"
    meant = _WORD.sub(
        lambda found: found[1] if found[1] is not None else _LETTERS.get(found[0], found[0]), text
    )
    if "%" not in text and meant != text and format_problem(meant) is None:
        return f'write "{meant}"'
    return 'if the day is in another column, join both: at day + clock "%Y-%m-%d %H:%M"'
