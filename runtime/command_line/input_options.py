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
from lars2asp.runtime.command_line.options import (
    DELIMITER,
    ENCODING,
    SIZE,
    TICK,
    TIME_FORMAT,
    choice,
    clingo_option,
    complete_windows_option,
    evaluator_option,
    lateness_option,
    missing_option,
    time_options,
    together,
)
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.feeds.addresses import is_address
from lars2asp.runtime.sources.input_settings import ahead_in, apart, reading_of_input
from lars2asp.runtime.sources.reading import Format, Reading, format_of_streams
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.parser import parse_input_declaration

T = TypeVar("T")

written_options = together(
    click.option(
        "--format",
        "format_",
        type=choice(Format),
        help="How the input is written; answers, changes, intervals: as run writes them; log: lines of text, "
        "which patterns of #input read; influx: its line protocol; idlvsr, dsr, ticker, laser: as these "
        "systems have them. "
        "?format= at an input overrides it. [default: by the name of the file, otherwise by its content]",
    ),
    click.option(
        "--map",
        "maps",
        multiple=True,
        metavar="DECLARATION",
        help="How rows of a table, or JSON records, become facts, like #input: 'reading(room, temp*10) at "
        "time'.",
    ),
    click.option(
        "--delimiter",
        type=DELIMITER,
        help="What stands between the cells of a CSV; blank: a run of blanks. [default: found out]",
    ),
    click.option(
        "--encoding",
        type=ENCODING,
        metavar="NAME",
        help="That of the text, as in latin-1. [default: of a CSV and behind a byte order mark it is found "
        "out, else utf-8]",
    ),
    missing_option,
    time_options,
    click.option(
        "--time-format",
        type=TIME_FORMAT,
        metavar="FORMAT",
        help="How times are written, as in '%d.%m.%Y %H:%M:%S'; #input goes before. [default: ISO 8601]",
    ),
    click.option(
        "--year",
        type=click.IntRange(1, 9999),
        help="That of the first time, where the format names none, as '%b %d %H:%M:%S' of syslog. [default: "
        "that of #origin, else of the last change of the file]",
    ),
    lateness_option("records that come late are waited for and sorted in"),
    click.option(
        "--largest-record",
        type=SIZE,
        metavar="SIZE",
        default="16 MiB",
        help="Reject longer records (bytes, or as in '500 kB' or '16 MiB'); they are never held whole in "
        "memory.",
    ),
)
"""How an input is written."""

reading_options = together(
    written_options,
    click.option(
        "--start", type=TICK, metavar="TIME", help="First tick, or its time. [default: that of the input]"
    ),
    complete_windows_option,
    evaluator_option("How to evaluate."),
    clingo_option,
    click.option(
        "--largest-gap",
        metavar="DURATION",
        help="A record that lies longer than that after the latest one waits until others confirm it: ticks, "
        "or as in '1 day'. [default: #largest_gap, else 1 hour for timestamps of files, none for live input]",
    ),
    click.option(
        "--strict-input",
        "is_strict",
        is_flag=True,
        help="Stop at the first record that is not valid, or that no #input fits.",
    ),
)


def reading_of(plan: Plan, options: dict[str, Any]) -> Reading:
    """How the input is read. Raises UsageError."""
    declarations: list[Input] = [parse_input_declaration(text) for text in options["maps"]]
    reading = Reading(
        Format(options["format_"]) if options["format_"] else None,
        replace(Timeline.of(plan), unit=TimeUnit(options["time_unit"]), form=options["time_format"]),
        typed_inputs(declarations, plan.required) or plan.inputs,
        Dialect(options["delimiter"], frozenset(options["missing"]), options["encoding"]),
        options["largest_record"],
        plan.decimals,
        len(options["inputs"]) > 1,
        required=plan.required,
        otherwise=format_of_streams(plan.program),
        own=options.get("own_settings", {}),
    )
    if options["year"] is not None:
        if reading.lacking != "year":
            raise click.UsageError(
                "--year is for times that name none: "
                + ("--origin 2026-01-31T00:00:00Z says the date" if reading.lacking else "leave it out")
            )
        timeline = replace(reading.timeline, dates_from=datetime(options["year"], 1, 1))
        reading = replace(reading, timeline=timeline)
    if "lateness" in options:
        reading = replace(reading, lateness=_lateness_of(plan, reading, options))
    if "largest_gap" in options:
        reading = replace(reading, largest_gap=_largest_gap_of(plan, reading.timeline, options))
    if options.get("ahead") is not None:
        reading = replace(reading, ahead=_said("--ahead", ahead_in, options["ahead"], reading.timeline))
    for name in options["inputs"]:
        written = reading_of_input(reading, name).format_of(name)
        if declarations and (written in (Format.FACTS, Format.ANSWERS) or written.is_of_others):
            raise click.UsageError(
                f"--map is for tables, JSON records, logs and triples: leave it out with --format {written}"
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
    lateness = lateness_of(reading, options["inputs"])
    find_first_time(reading, options["inputs"] if names is None else names, lateness, start, first)


RECORDED_INPUT = (
    "The stream: a file, the files of a folder, a pattern or a zip file, a table of a database, or - "
    "for standard input. Given several times, files and folders are merged by time."
)


def inputs_option(
    text: str, *, default: str | None = STANDARD, may_be_live: bool = False
) -> Callable[[Any], Any]:
    """The option `--input`, which may be given several times: names as `inputs`.

    Args:
        text: what the help says of it.
        default: the input where none is given; None for none.
        may_be_live: whether several may be live.
    """
    others = () if default is None else (default,)

    def named(context: click.Context, _: click.Parameter, addresses: tuple[str, ...]) -> tuple[str, ...]:
        names, context.params["own_settings"] = apart(addresses)
        check_inputs(names, may_be_live=may_be_live)
        return names or others

    return click.option("--input", "inputs", metavar="FILE", multiple=True, callback=named, help=text)


def check_inputs(names: tuple[str, ...], *, may_be_live: bool) -> None:
    """Raises UsageError for live sources where there can be none, and inputs that cannot be merged."""
    for name in names:
        if not may_be_live and is_address(name):
            raise click.UsageError(
                f"--input {name.partition(':')[0]}:...: {click.get_current_context().info_name} looks at "
                "files, not at live sources: write some of what comes from there to a file, and give that"
            )
    for name in names if len(names) > 1 else ():
        if not may_be_live and name == STANDARD:
            raise click.UsageError("files and folders are merged: give standard input as the only --input")
        if names.count(name) > 1:
            raise click.UsageError(f"--input {name} is given twice")


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


def lateness_of(reading: Reading, names: Iterable[str]) -> int:
    """The ticks for which late records of inputs are waited for: the longest time of all."""
    return max((reading_of_input(reading, name).lateness for name in names), default=reading.lateness)


def _lateness_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> int:
    """The ticks for which late records are waited for. Raises InputError.

    Intervals are written when they end, so that those that began first may come last: where nothing is said,
    all are waited for.
    """
    if options["lateness"] is not None:
        return _ticks_of(reading.timeline, options["lateness"], "--lateness")
    if plan.lateness is None and reading.format is Format.INTERVALS:
        return LARGEST_TICK
    return plan.lateness or 0


def _largest_gap_of(plan: Plan, timeline: Timeline, options: dict[str, Any]) -> int | None:
    """By how many ticks a record may lie after the latest one. Raises UsageError."""
    if options["largest_gap"] is None:
        return plan.largest_gap
    ticks = _ticks_of(timeline, options["largest_gap"], "--largest-gap")
    if ticks < 1:
        raise click.UsageError("--largest-gap is a tick at least")
    return ticks
