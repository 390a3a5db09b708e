"""What an address says of its input alone, as in `auth.log?format=log&lateness=15 sec`."""

import codecs
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar
from urllib.parse import unquote

from lars2asp.analysis.declared_time import zone_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.settings.table import of_addresses
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.tables.table_form import delimiter_of
from lars2asp.runtime.sources.text.sheet_names import is_there, sheet_at
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.source import shown

T = TypeVar("T")

NAMES = tuple(one.address_name for one in of_addresses("input"))
"""The settings. Each one overrides the option of its name, and the declaration of the program."""

_OF_SERVERS = ("ws", "wss", "sse+http", "sse+https")
"""What follows the question mark in addresses of the web is for the server."""

OwnSettings = Mapping[str, str]
"""Settings of an input, as they are written, by their names."""


def with_settings(address: str) -> tuple[str, OwnSettings]:
    """The address of an input without its settings, and these. A file with such a name goes first.

    Raises InputError for settings of a file that do not exist, that are given twice or that have no value.
    """
    base, mark, written = address.partition("?")
    if not mark or base.partition(":")[0] in _OF_SERVERS or is_there(address):
        return address, {}
    found: dict[str, str] = {}
    others: list[str] = []
    for part in written.split("&"):
        name, _, value = part.partition("=")
        if name not in NAMES:
            others.append(part)
        elif name in found or not value:
            raise InputError(f"{base}?...: {name} needs exactly one value, as in ?lateness=15 sec")
        else:
            found[name] = unquote(value)
    if others and is_there(base) and sheet_at(f"{base}?{'&'.join(others)}") is None:
        unknown = shown(others[0].partition("=")[0])
        raise InputError(f"{base}?...: inputs have no setting '{unknown}': use {', '.join(NAMES)}")
    return base + (f"?{'&'.join(others)}" if others else ""), found


def apart(addresses: Iterable[str]) -> tuple[tuple[str, ...], dict[str, OwnSettings]]:
    """Addresses without their settings, and the settings by address. Raises InputError."""
    pairs = [with_settings(one) for one in addresses]
    return tuple(name for name, _ in pairs), {name: own for name, own in pairs if own}


def reading_of_input(reading: Reading, name: str) -> Reading:
    """How an input is read, by the settings at its address. Raises InputError for a wrong value."""
    own = reading.own.get(name)
    if not own:
        return reading

    def value(setting: str, parse: Callable[[str], T | None], otherwise: T) -> T:
        if setting not in own:
            return otherwise
        try:
            found = parse(own[setting])
        except InputError as error:
            raise InputError(f"{name}: {setting}: {error}") from error
        except (ValueError, LookupError):
            found = None
        if found is None:
            raise InputError(f"{name}: '{shown(own[setting])}' is no {setting}: {_EXAMPLES[setting]}")
        return found

    base = reading.timeline
    zone = value("timezone", zone_of, base.zone)
    timeline = replace(base, zone=zone, ticks_by=base.moments if zone is not base.zone else base.ticks_by)
    if year := value("year", int, 0):
        if reading.lacking != "year":
            raise InputError(f"{name}: these times contain their year already: remove year=")
        timeline = replace(timeline, dates_from=datetime(year, 1, 1))
    return replace(
        reading,
        own={},
        format=value("format", Format, reading.format),
        timeline=timeline,
        encoding=value("encoding", lambda text: codecs.lookup(text).name, reading.encoding),
        delimiter=value("delimiter", delimiter_of, reading.delimiter),
        lateness=value("lateness", timeline.ticks, reading.lateness),
        largest_gap=value("largest-gap", lambda text: timeline.ticks(text) or None, reading.largest_gap),
        is_multiline=value("multiline", _IS.get, reading.is_multiline),
        ahead=value("ahead", lambda text: (ahead_in(text, timeline),), (reading.ahead,))[0],
    )


def ahead_in(value: str | int | timedelta | None, timeline: Timeline) -> int | None:
    """By how much a live record may be dated after the machine's clock, in microseconds; None for `off`.

    A number counts ticks. Raises InputError.
    """
    if value is None or value == "off":
        return None
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    return timeline.microseconds(str(value))


_IS = {"yes": True, "no": False}

_EXAMPLES = {
    "multiline": "write yes or no",
    "format": f"there are {', '.join(Format)}",
    "lateness": "write 5 (ticks) or 15 sec",
    "largest-gap": "write 5 (ticks) or 1 hour, at least one tick",
    "ahead": "write 10 min, or off",
    "timezone": "write a time zone, such as Europe/Vienna",
    "year": "write a year, such as 2026",
    "encoding": "write for example utf-8, latin-1, cp1252 or utf-16",
    "delimiter": "write one character, such as ; or | (or the word tab, or blank for runs of blanks)",
}
