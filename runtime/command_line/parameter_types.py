"""The kinds of values that options of the command line take."""

import re
import sys
from datetime import datetime
from enum import StrEnum
from math import inf, nan
from typing import Any

import click

from lars2asp.runtime.runs.state_keeping import CheckpointInterval
from lars2asp.runtime.sources.timeline import duration
from lars2asp.syntax.nodes import LARGEST_INTEGER

TICK = click.IntRange(0, LARGEST_INTEGER)


def choice(names: type[StrEnum]) -> click.Choice[str]:
    """One of the values of an enumeration."""
    return click.Choice([name.value for name in names])


class NameValueType(click.ParamType[Any]):
    name = "name=value"

    def __init__(self, form: str = "name=value, such as n=5") -> None:
        self._form = form

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        name, equals, term = str(value).partition("=")
        if not equals or not name.strip() or not term.strip():
            self.fail(f"{value!r} is not of the form {self._form}", param, ctx)
        return name.strip(), term.strip()


class EmitType(click.ParamType[Any]):
    name = "change|every|N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        match value:
            case None | "change":
                return None
            case "every":
                return 1
            case str() if value.isdecimal() and int(value) > 0:
                return int(value)
            case _:
                return self.fail(f"{value!r} is none of change, every, and a positive number", param, ctx)


class TimestampType(click.ParamType[Any]):
    name = "timestamp"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no ISO 8601 timestamp, such as 2026-01-31T00:00:00Z", param, ctx)
        return moment


class DelimiterType(click.ParamType[Any]):
    name = "sign"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        sign = {"\\t": "\t", "tab": "\t"}.get(str(value), str(value))
        if len(sign) != 1 or sign in '"\r\n':
            self.fail(f"{value!r} is no single sign such as ; or | (write tab for a tabulator)", param, ctx)
        return sign


class IntervalType(click.ParamType[Any]):
    name = "ticks|duration"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> CheckpointInterval:
        number, unit = duration(str(value)) or (0, None)
        if not number:
            self.fail(f"{value!r} is no distance: write 1000 (ticks) or '10 sec'", param, ctx)
        return CheckpointInterval(number) if unit is None else CheckpointInterval(None, number * unit / 1e6)


class SecondsType(click.ParamType[Any]):
    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = nan
        if not 0 < seconds < inf:
            self.fail(f"{value!r} is no number of seconds, such as 0.5", param, ctx)
        return seconds


_UNITS = {"": 1, "b": 1}
for _power, _sign in enumerate("kmg", start=1):
    _UNITS |= {f"{_sign}b": 1000**_power, f"{_sign}ib": 1024**_power}
_SIZE = re.compile(rf"([0-9]{{1,18}}) *({'|'.join(sorted(_UNITS, reverse=True))})", re.IGNORECASE)


class SizeType(click.ParamType[Any]):
    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        match = _SIZE.fullmatch(str(value).strip())
        size = int(match[1]) * _UNITS[match[2].lower()] if match else 0
        if not 0 < size <= sys.maxsize:
            self.fail(f"{value!r} is no size such as 1000000 (bytes), '500 kB' or '16 MiB'", param, ctx)
        return size
