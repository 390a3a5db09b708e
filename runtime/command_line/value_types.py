"""The types of the values of options."""

import codecs
import re
from collections.abc import Callable
from datetime import datetime
from math import inf
from typing import Any, TypeVar

import click

from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.analysis.time_formats import format_problem
from lars2asp.runtime.given_ticks import Every
from lars2asp.runtime.runs.states.state_keeping import CheckpointInterval
from lars2asp.runtime.settings.values import (
    LONGEST_INTEGER,
    duration,
    microseconds_in,
    seconds_in,
    size_in,
)
from lars2asp.runtime.sources.tables.table_form import delimiter_of
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.syntax.nodes import LARGEST_INTEGER

T = TypeVar("T")


class TickType(click.ParamType[Any]):
    """A tick, or a timestamp, which stays text."""

    name = "tick|timestamp"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value of a text."""
        text = str(value).strip()
        if not text.isdecimal():
            return text
        tick = int(text) if len(text) <= LONGEST_INTEGER else LARGEST_TICK + 1
        if tick > LARGEST_TICK:
            self.fail(f"{text} is not in the range 0<=x<={LARGEST_TICK}.", param, ctx)
        return tick


class ParsedType(click.ParamType[Any]):
    """Values that a function makes of text; for a ValueError the message is the text and why it is wrong."""

    def __init__(self, name: str, parse: Callable[[str], Any], wrong: str) -> None:
        self.name = name
        self._parse = parse
        self._wrong = wrong

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value of a text."""
        try:
            return self._parse(str(value))
        except ValueError:
            self.fail(f"{value!r} {self._wrong}", param, ctx)


def name_and_value(example: str) -> ParsedType:
    """A name and a text, as in an example."""
    return ParsedType("name=value", _name_and_value, f"is not name=value, such as {example}")


def _name_and_value(text: str) -> tuple[str, str]:
    name, _, term = map(str.strip, text.partition("="))
    return _checked((name, term), bool(name and term))


def _emit(text: str) -> Every:
    if text == "change":
        return None
    if text == "windows":
        return "windows"
    number = 1 if text == "every" else int(text) if text.isdecimal() else 0
    return _checked(number, number > 0)


def _encoding(text: str) -> str:
    try:
        return codecs.lookup(text).name
    except LookupError as error:
        raise ValueError from error


def _interval(text: str) -> CheckpointInterval:
    number, unit = duration(text) or (0, None)
    found = CheckpointInterval(number) if unit is None else CheckpointInterval(inf, number * unit / 1e6)
    return _checked(found, number)


def _checked(value: T, is_right: object) -> T:
    if not is_right:
        raise ValueError
    return value


def _predicate(text: str) -> str:
    return _checked(text.strip(), re.fullmatch(r"-?_*[a-z][\w']*/[0-9]+", text.strip(), re.ASCII))


PREDICATE = ParsedType(
    "predicate", _predicate, "is not a predicate with its number of arguments, such as alarm/1"
)


def number_from(least: int) -> ParsedType:
    """An integer that is not less than another."""

    def parse(text: str) -> int:
        number = int(text)
        return _checked(number, least <= number <= LARGEST_INTEGER)

    return ParsedType("number", parse, f"is not a number from {least} to {LARGEST_INTEGER}")


TICK = TickType()
EMISSION = ParsedType("change|every|windows|N", _emit, "must be change, every, windows or a positive number")
TIMESTAMP = ParsedType(
    "timestamp", datetime.fromisoformat, "is not an ISO 8601 timestamp, such as 2026-01-31T00:00:00Z"
)
DELIMITER = ParsedType(
    "sign",
    delimiter_of,
    "must be one character, such as ; or | (or the word tab, or blank for runs of blanks)",
)
ENCODING = ParsedType("name", _encoding, "is not an encoding such as utf-8, latin-1, cp1252 or utf-16")


_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([ -~]*)")


def _header(text: str) -> tuple[str, str]:
    match = _HEADER.fullmatch(text.strip())
    if match is None:
        raise ValueError
    return match[1], match[2].strip()


HEADER = ParsedType("header", _header, "is not a header, such as 'X-Key: 1234', in ASCII")
_WRONG_DURATION = "is not a duration such as '2 sec' (a number counts seconds)"
DURATION = ParsedType("duration", microseconds_in, _WRONG_DURATION)
INTERVAL = ParsedType("ticks|duration", _interval, "is not a duration: write 1000 (ticks) or '10 sec'")
SECONDS = ParsedType("duration", seconds_in, _WRONG_DURATION)
SIZE = ParsedType("size", size_in, "is not a size such as 1000000 (bytes), '500 kB' or '16 MiB'")


def _time_format(text: str) -> TimeFormat:
    return _checked(TimeFormat(text), format_problem(text) is None)


TIME_FORMAT = ParsedType("format", _time_format, "is not a time format such as '%d.%m.%Y %H:%M:%S'")
