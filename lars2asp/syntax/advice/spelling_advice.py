"""Finds what to say of a syntax error in the table of other spellings.

What is proposed has been tried: a text is told only if the statement can be read with it in its place, as far
as it goes. A pattern that takes a piece of a larger term, say, is passed over.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from lars2asp.syntax import codes
from lars2asp.syntax.advice.derived_texts import derived
from lars2asp.syntax.advice.foreign_units import is_long_unit, is_unit, joined, meant, meant_by_the_clock
from lars2asp.syntax.advice.other_spellings import CHARACTERS, PARTS, SPELLINGS, Spelling
from lars2asp.syntax.codes import Code
from lars2asp.syntax.source import shown

FirstMistake = Callable[[str, int, int], int | None]
"""Where a text with something new between two places cannot go on (`first_mistake` of `tried_texts.py`)."""

NEAR = 300
"""The number of characters before and behind an error that are looked at."""


class Change(NamedTuple):
    """A text in place of another one, from a first to a last offset."""

    begin: int
    end: int
    text: str


class Advice(NamedTuple):
    """What is said of a piece of text, from a first to a last offset, and the change that is proposed."""

    begin: int
    end: int
    message: str
    hint: str
    code: Code
    change: Change | None = None


def advice_on(text: str, at: int, first_mistake: FirstMistake, tick: int | None = None) -> Advice | None:
    """What is said of an error at an offset of a statement with its comments; None where nobody knows.

    `tick` is the length of a tick of the program, in milliseconds, where it is known.
    """
    if text[at : at + 1] in CHARACTERS:
        written = CHARACTERS[text[at]]
        change: Change | None = Change(at, at + 1, written)
        return Advice(
            at, at + 1, f"unexpected {shown(text[at])}", f"write {written}", codes.FOREIGN_CHARACTER, change
        )
    first = max(0, at - NEAR)
    for spelling, match in _matches(text, at):
        known = derived(match.groupdict(), tick)
        try:
            known["written"] = written = spelling.written.format_map(known)
        except KeyError:
            continue
        groups = match.re.groupindex
        replaced = "whole" if "whole" in groups else 0
        begin, end = (first + offset for offset in match.span(replaced))
        if written and not _can_stand(text, begin, end, written, first_mistake):
            continue
        change = Change(begin, end, written) if written else None
        begin, end = (first + offset for offset in match.span("mark" if "mark" in groups else replaced))
        message, hint = (form.format_map(known) for form in (spelling.message, spelling.hint))
        return Advice(begin, end, message, hint, spelling.code, change)
    return _unit_advice(text, at, first_mistake)


def _matches(text: str, at: int) -> Iterator[tuple[Spelling, re.Match[str]]]:
    """The entries of the table that cover an offset, and where; places are those of the text near it."""
    first = max(0, at - NEAR)
    near = text[first : at + NEAR]
    for spelling, pattern in _compiled():
        for match in pattern.finditer(near):
            if match.start() <= at - first <= match.end():
                yield spelling, match


def _can_stand(text: str, begin: int, end: int, written: str, first_mistake: FirstMistake) -> bool:
    """Whether a text can be read with another one in place of a piece of it.

    What comes behind may be another mistake of the kind.
    """
    tried, behind = f"{text[:begin]}{written}{text[end:]}", begin + len(written)
    mistake = first_mistake(tried, begin, behind)
    return mistake is None or (mistake >= behind and any(True for _ in _matches(tried, mistake)))


# --- units ------------------------------------------------------------------------------------------

_DURATIONS = re.compile(
    r"\[[^\[\]\n]*\]|\{[\d\s,A-Za-z]*\}|#(?:tick|lateness|largest_gap)\s+[^.\n]*|#held\s[^.\n]*\sfor\s+[^.\n]*"
)
_BARE = re.compile(r"(\d+)\s*(?=,)")
_DURATION = re.compile(r"(?<![\w'.])(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>(?!by\b)[A-Za-z]+)(?![\w'])")
_LEAP = re.compile(r"\b(?:every|step)\s+\Z")
_SEVERAL = re.compile(r"(?<![\w'.])\d+\s*[A-Za-z]+(?:\s*\d+\s*[A-Za-z]+)+(?![\w'])")


def _unit_advice(text: str, at: int, first_mistake: FirstMistake) -> Advice | None:
    """What is to be said of a unit of time in a window or a directive that is none, or of several of them."""
    for durations in _DURATIONS.finditer(text):
        if not durations.start() <= at <= durations.end():
            continue
        dot = "." * durations[0].startswith("#")
        for several in _SEVERAL.finditer(text, *durations.span()):
            begin, end = several.span()
            length = joined(several[0])
            if (
                length is not None
                and begin <= at <= end
                and _can_stand(text, begin, end, length, first_mistake)
            ):
                hint = f"{text[durations.start() : begin]}{length}{text[end : durations.end()]}".strip()
                change = Change(begin, end, length)
                return Advice(
                    begin,
                    end,
                    "a duration needs one number and one unit",
                    f"write {hint}{dot}",
                    codes.UNKNOWN_UNIT,
                    change,
                )
        for duration in _DURATION.finditer(text, *durations.span()):
            begin, end = duration.span("unit")
            if begin <= at < end:
                unit = duration["unit"]
                written = _DURATION.sub(_meant, durations[0])
                if written.startswith("{"):  # elsewhere the unit behind the last one is that of all
                    written = _BARE.sub(rf"\1 {meant('1', unit).partition(' ')[2]}", written)
                is_known = is_unit(unit) or is_long_unit(unit)
                is_right = is_known and _can_stand(text, *durations.span(), written, first_mistake)
                hint = f"write {written.strip()}{dot}"
                units = "units are tick, msec, sec, min, hour, day"
                if is_long_unit(unit):
                    units += "; for months of the calendar write [every 1 month] and #timezone"
                put_right = Change(*durations.span(), written) if is_right else None
                told = hint if is_right else units
                return Advice(
                    begin, end, f"{unit} is not a unit of time", told, codes.UNKNOWN_UNIT, put_right
                )
    return None


def _meant(duration: re.Match[str]) -> str:
    is_leap = _LEAP.search(duration.string, 0, duration.start()) is not None
    return (meant_by_the_clock if is_leap else meant)(duration["number"], duration["unit"])


@cache
def _compiled() -> tuple[tuple[Spelling, re.Pattern[str]], ...]:
    return tuple((spelling, re.compile(_expanded(spelling.pattern))) for spelling in SPELLINGS)


def _expanded(pattern: str) -> str:
    return re.sub(rf"\b({'|'.join(PARTS)})\b", lambda found: PARTS[found[0]], pattern)
