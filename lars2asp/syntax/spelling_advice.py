"""Finds what to say of a syntax error in the table of other spellings."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from lars2asp.syntax.other_spellings import CHARACTERS, PARTS, SPELLINGS, UNITS, Spelling
from lars2asp.syntax.source import shown

NEAR = 300
"""The number of characters before and behind an error that are looked at."""


class Advice(NamedTuple):
    """What is said of a piece of text, from a first to a last offset."""

    begin: int
    end: int
    message: str
    hint: str


def advice_on(text: str, at: int) -> Advice | None:
    """What is said of an error at an offset of a statement with its comments; None where nobody knows."""
    if text[at : at + 1] in CHARACTERS:
        return Advice(at, at + 1, f"unexpected {shown(text[at])}", f"write {CHARACTERS[text[at]]}")
    first = max(0, at - NEAR)
    near = text[first : at + NEAR]
    for spelling, pattern in _compiled():
        for match in pattern.finditer(near):
            if match.start() <= at - first <= match.end():
                known = _Derived(match.groupdict())
                group = "mark" if "mark" in pattern.groupindex else 0
                begin, end = (first + offset for offset in match.span(group))
                message, hint = (form.format_map(known) for form in (spelling.message, spelling.hint))
                return Advice(begin, end, message, re.sub(r"\s+(?=[\],])", "", hint))
    return _unit_advice(text, at)


class _Derived(dict[str, str]):
    """Groups of a match, without breaks of lines, and what follows from them.

    `above` and `below` are the numbers beside `number`, `small` is the mark with a small letter first, and
    `unit` is the unit that is meant.
    """

    def __init__(self, groups: Mapping[str, str | None]) -> None:
        super().__init__({name: " ".join((text or "").split()) for name, text in groups.items()})
        number, mark = self.get("number", ""), self.get("mark", "")
        self["above"], self["below"] = (
            (str(int(number) + 1), str(int(number) - 1))
            if number.isdecimal()
            else (f"{number}+1", f"{number}-1")
        )
        self["small"] = mark[:1].lower() + mark[1:]
        unit = self.get("unit", "")
        self["unit"] = UNITS.get(unit.lower(), unit)
        self["bound"] = f" {self['bound']}" if self.get("bound") else ""
        self["terms"] = f" {self['terms']}" if self.get("terms") else ""


_DURATIONS = re.compile(r"\[[^\[\]\n]*\]|#(?:tick|lateness)\s+[^.\n]*")
_DURATION = re.compile(r"(?<![\w'])(?P<number>\d+)\s*(?P<unit>[A-Za-z]+)(?![\w'])")
_WEEK = ("w", "week", "weeks")


def _unit_advice(text: str, at: int) -> Advice | None:
    """What is to be said of a unit of time in a window or a directive that is none."""
    for durations in _DURATIONS.finditer(text):
        if not durations.start() <= at <= durations.end():
            continue
        for duration in _DURATION.finditer(text, *durations.span()):
            begin, end = duration.span("unit")
            if begin <= at < end:
                unit = duration["unit"]
                is_known = unit.lower() in (*UNITS, *_WEEK)
                hint = (
                    f"write {_DURATION.sub(_meant, durations[0]).strip()}{'.' * durations[0].startswith('#')}"
                )
                units = "units are msec, sec, min, hour, day"
                return Advice(begin, end, f"{unit} is no unit of time", hint if is_known else units)
    return None


def _meant(duration: re.Match[str]) -> str:
    number, unit = duration["number"], duration["unit"].lower()
    if unit in _WEEK:
        return f"{7 * int(number)} day"
    return f"{number} {UNITS.get(unit, duration['unit'])}".rstrip()


@cache
def _compiled() -> tuple[tuple[Spelling, re.Pattern[str]], ...]:
    return tuple((spelling, re.compile(_expanded(spelling.pattern))) for spelling in SPELLINGS)


def _expanded(pattern: str) -> str:
    return re.sub(rf"\b({'|'.join(PARTS)})\b", lambda found: PARTS[found[0]], pattern)
