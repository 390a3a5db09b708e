"""What an address says of its input alone, as in `auth.log?format=log&lateness=15 sec`."""

import codecs
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar
from urllib.parse import unquote

from lars2asp.analysis.declared_time import zone_of
from lars2asp.analysis.time_formats import format_problem
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.settings.table import of_addresses
from lars2asp.runtime.settings.values import microseconds_in, size_in
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.reject_warnings import RejectChoice
from lars2asp.runtime.sources.tables.table_form import delimiter_of
from lars2asp.runtime.sources.text.sheet_names import is_there, sheet_at
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.syntax.source import shown

T = TypeVar("T")

_SETTINGS = {one.address_name: one for one in of_addresses("input")}

NAMES = tuple(_SETTINGS)
"""The settings. Each one overrides the option of its name, and the declaration of the program."""

_BETWEEN = "\0"
"""Separates the values of a setting that an address gives several times."""

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
        elif not value or (name in found and not _SETTINGS[name].is_many):
            raise InputError(f"{base}?...: {name} needs exactly one value, as in ?lateness=15 sec")
        else:
            values = (found[name], unquote(value)) if name in found else (unquote(value),)
            found[name] = _BETWEEN.join(values)
    if others and is_there(base) and sheet_at(f"{base}?{'&'.join(others)}") is None:
        unknown = shown(others[0].partition("=")[0])
        raise InputError(f"{base}?...: there is no setting '{unknown}': use {', '.join(NAMES)}")
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
        return own_value(reading.own, name, setting, parse, otherwise)

    base = reading.timeline
    zone = value("timezone", zone_of, base.zone)
    timeline = replace(
        base,
        zone=zone,
        ticks_by=base.moments if zone is not base.zone else base.ticks_by,
        unit=value("time-unit", TimeUnit, base.unit),
        form=value("time-format", _time_format, base.form),
    )
    for name_of_rest, parse in _OF_RUNS.items():
        value(name_of_rest, parse, None)
    if year := value("year", int, 0):
        if replace(reading, timeline=timeline).lacking != "year":
            raise InputError(f"{name}: these times contain their year already: remove year=")
        timeline = replace(timeline, dates_from=datetime(year, 1, 1))
    return replace(
        reading,
        own={},
        format=value("format", Format, reading.format),
        timeline=timeline,
        encoding=value("encoding", lambda text: codecs.lookup(text).name, reading.encoding),
        delimiter=value("delimiter", delimiter_of, reading.delimiter),
        missing=value("missing", lambda text: frozenset(text.split(_BETWEEN)), reading.missing),
        largest_record=value("largest-record", size_in, reading.largest_record),
        lateness=value("lateness", timeline.ticks, reading.lateness),
        largest_gap=value("largest-gap", lambda text: timeline.ticks(text) or None, reading.largest_gap),
        is_multiline=value("multiline", _IS.get, reading.is_multiline),
        ahead=value("ahead", lambda text: (ahead_in(text, timeline),), (reading.ahead,))[0],
    )


def own_value(
    own: Mapping[str, OwnSettings], name: str, setting: str, parse: Callable[[str], T | None], otherwise: T
) -> T:
    """The value of a setting at the address of an input. Raises InputError for a wrong value.

    Args:
        own: the settings at addresses, by the names of inputs.
        name: the name of the input.
        setting: the name of the setting.
        parse: makes the value of the text; None for wrong texts.
        otherwise: the value if the address does not say it.
    """
    text = own.get(name, {}).get(setting)
    if text is None:
        return otherwise
    try:
        found = parse(text)
    except InputError as error:
        raise InputError(f"{name}: {setting}: {error}") from error
    except (ValueError, LookupError):
        found = None
    if found is None:
        raise InputError(f"{name}: '{shown(text)}' is no {setting}: {_EXAMPLES[setting]}")
    return found


def follows(own: Mapping[str, OwnSettings], name: str, otherwise: bool) -> bool:
    """Whether lars2asp keeps reading a file or folder that grows. Raises InputError."""
    return own_value(own, name, "follow", _IS.get, otherwise)


def idle_of(own: Mapping[str, OwnSettings], name: str, otherwise: int | None) -> int | None:
    """For how many microseconds lars2asp waits for a silent input. Raises InputError."""
    return own_value(own, name, "idle-timeout", microseconds_in, otherwise)


def stops_at(
    own: Mapping[str, OwnSettings], names: Mapping[str, str], otherwise: bool
) -> bool | dict[str, bool]:
    """Whether bad records end the run; by the names of inputs if they differ in that. Raises InputError.

    Args:
        own: the settings at addresses, by the inputs.
        names: what messages call each input.
        otherwise: what holds for the others.
    """
    found = {called: own_value(own, one, "on-reject", _STOPS.get, otherwise) for one, called in names.items()}
    return any(found.values()) if len({*found.values()}) == 1 else found


def reject_choice(own: Mapping[str, OwnSettings], name: str, otherwise: RejectChoice) -> RejectChoice:
    """What becomes of bad records of an input. Raises InputError."""
    stops = own_value(own, name, "on-reject", _STOPS.get, None)
    return otherwise if stops is None else "stop" if stops else "warn"


def choice_of_file(address: str, otherwise: RejectChoice) -> RejectChoice:
    """What becomes of bad records of a file that is read to its end. Raises InputError."""
    name, settings = with_settings(address)
    own = {name: settings}
    if follows(own, name, False):
        raise InputError(f"{name}: follow=yes is for run_live: run reads a file to its end")
    return reject_choice(own, name, otherwise)


def shown_settings(own: Mapping[str, OwnSettings]) -> str:
    """The settings that a run which resumes needs again, as checkpoints keep them."""
    return ", ".join(
        f"{name} {setting}={value.replace(_BETWEEN, ' ')}"
        for name, of_input in own.items()
        for setting, value in sorted(of_input.items())
        if _SETTINGS[setting].is_state
    )


def _time_format(text: str) -> TimeFormat | None:
    return TimeFormat(text) if format_problem(text) is None else None


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

_STOPS = {"stop": True, "warn": False}

_OF_RUNS: Mapping[str, Callable[[str], object]] = {
    "follow": _IS.get,
    "idle-timeout": microseconds_in,
    "on-reject": _STOPS.get,
}
"""The settings that say how a run goes on, and not how records are read."""

_EXAMPLES = {
    "follow": "write yes or no",
    "missing": "write the text of the cell, such as NULL",
    "largest-record": "write 1000000 (bytes), 500 kB or 16 MiB",
    "on-reject": "write warn or stop",
    "time-unit": f"use one of {', '.join(TimeUnit)}",
    "time-format": "write a format such as %d.%m.%Y %H:%M",
    "idle-timeout": "write 60 (seconds) or 1 min",
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
