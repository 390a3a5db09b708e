"""Options of commands that read a recorded stream: how it is written, and when ticks are."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

import click

from lars2asp.analysis.argument_types.required import typed_inputs
from lars2asp.analysis.tick_moments import LARGEST_TICK, TickMoments
from lars2asp.planning.plan import Plan
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.given_declarations import declared_inputs
from lars2asp.runtime.sources.input_settings import ahead_in, reading_of_input, stops_at
from lars2asp.runtime.sources.reading import Format, Reading, format_of_streams
from lars2asp.runtime.sources.rejects import StopsAt
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit

T = TypeVar("T")


def reading_of(plan: Plan, options: dict[str, Any]) -> Reading:
    """How the input is read. Raises UsageError."""
    declarations = declared_inputs(options["declare"])
    reading = Reading(
        Format(options["input_format"]) if options["input_format"] else None,
        replace(Timeline.of(plan), unit=TimeUnit(options["time_unit"]), form=options["time_format"]),
        typed_inputs(declarations, plan.required) or plan.inputs,
        options["delimiter"],
        options["missing"],
        options["encoding"],
        options["largest_record"],
        plan.decimals,
        len(options["input"]) > 1,
        required=plan.required,
        otherwise=format_of_streams(plan.program),
        own=options.get("own_settings", {}),
    )
    if options["year"] is not None:
        if reading.lacking != "year":
            raise click.UsageError(
                "--year is for times without a year: "
                + ("for the date use --origin 2026-01-31T00:00:00Z" if reading.lacking else "remove it")
            )
        timeline = replace(reading.timeline, dates_from=datetime(options["year"], 1, 1))
        reading = replace(reading, timeline=timeline)
    if "lateness" in options:
        reading = replace(reading, lateness=_lateness_of(plan, reading, options))
    if "largest_gap" in options:
        reading = replace(reading, largest_gap=_largest_gap_of(plan, reading.timeline, options))
    if options.get("ahead") is not None:
        reading = replace(reading, ahead=_said("--ahead", ahead_in, options["ahead"], reading.timeline))
    for name in options["input"]:
        written = reading_of_input(reading, name).format_of(name)
        if declarations and (written in (Format.FACTS, Format.ANSWERS) or written.is_of_others):
            raise click.UsageError(
                "--declare is for tables, JSON records, logs and triples: remove it, or remove "
                f"--input-format {written}"
            )
    return reading


def find_origin(
    reading: Reading, options: dict[str, Any], names: Iterable[str] | None = None, first: Iterable[int] = ()
) -> None:
    """The first record of the inputs, or an earlier start, decides when tick 0 begins, if nothing says it.

    Args:
        reading: how they are read.
        options: those of the command.
        names: the inputs; None for those of the options.
        first: the moments of first records that are known.

    Raises InputError.
    """
    if reading.timeline.late is None:
        return
    from lars2asp.runtime.sources.first_time import find_first_time  # noqa: PLC0415 - few programs ask

    asked, start = options.get("start"), None
    if isinstance(asked, str):
        moments = TickMoments(1, zone=reading.timeline.zone)
        start = tick_of(
            replace(reading, timeline=replace(reading.timeline, ticks_by=moments)), asked, "--start"
        )
    lateness = lateness_of(reading, options["input"])
    find_first_time(reading, options["input"] if names is None else names, lateness, start, first)


def tick_of(reading: Reading, asked: int | str | None, option: str | None = None) -> int | None:
    """The tick of an option, given as one, as a timestamp, or as the input has times.

    Raises InputError, which says what the option takes where it is named.
    """
    if not isinstance(asked, str):
        return asked
    for written in dict.fromkeys(form for one in reading.declarations for form in one.time_formats):
        with suppress(InputError):
            return replace(reading.timeline, form=TimeFormat(written)).tick(asked.strip())
    try:
        return reading.timeline.asked_tick(asked)
    except InputError as error:
        if option is None:
            raise
        wanted = "the number of a tick or a timestamp, such as 2026-01-31T00:00:00Z"
        raise InputError(f"{option} takes {wanted}: {error}") from error


def _said(option: str, parse: Callable[[str, Timeline], T], text: str, timeline: Timeline) -> T:
    """The value of an option that takes a duration. Raises InputError."""
    try:
        return parse(text, timeline)
    except InputError as error:
        raise InputError(f"{option}: {error}") from error


def _ticks_of(timeline: Timeline, text: str, option: str) -> int:
    """The ticks of an option that takes a duration. Raises InputError."""
    return _said(option, lambda given, of: of.ticks(given), text, timeline)


def stops_at_rejects(options: dict[str, Any]) -> StopsAt:
    """Whether the first bad record ends a command. Raises InputError for a wrong value at an address."""
    names = {name: name for name in options["input"]}
    return stops_at(options.get("own_settings", {}), names, options["on_reject"] == "stop")


def lateness_of(reading: Reading, names: Iterable[str]) -> int:
    """The ticks for which late records of inputs are waited for: the longest time of all."""
    return max((reading_of_input(reading, name).lateness for name in names), default=reading.lateness)


def _lateness_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> int:
    """The ticks for which late records are waited for. Raises InputError.

    Intervals are written when they end, so that those that began first may come last: where nothing is said,
    all are waited for.
    """
    for name in ("revise", "lateness"):
        if options.get(name) is not None:
            return _ticks_of(reading.timeline, options[name], f"--{name}")
    if plan.lateness is None and reading.format is Format.INTERVALS:
        return LARGEST_TICK
    return plan.lateness or 0


def _largest_gap_of(plan: Plan, timeline: Timeline, options: dict[str, Any]) -> int | None:
    """By how many ticks a record may lie after the latest one. Raises UsageError."""
    if options["largest_gap"] is None:
        return plan.largest_gap
    ticks = _ticks_of(timeline, options["largest_gap"], "--largest-gap")
    if ticks < 1:
        raise click.UsageError("--largest-gap must be at least one tick")
    return ticks
