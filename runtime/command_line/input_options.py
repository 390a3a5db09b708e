"""Options of commands that read a recorded stream: how it is written, and when ticks are."""

from typing import Any

import click

from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.options import (
    DELIMITER,
    SIZE,
    TICK,
    choice,
    complete_windows_option,
    evaluator_option,
    lateness_option,
    time_options,
    together,
)
from lars2asp.runtime.sources.reading import Format, Reading, format_of
from lars2asp.runtime.sources.table import Dialect
from lars2asp.runtime.sources.timeline import Timeline, TimeUnit
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.parser import parse_input_declaration

reading_options = together(
    click.option(
        "--format",
        "format_",
        type=choice(Format),
        help="How the input is written; answers, changes, intervals: as run writes them. "
        "[default: csv for files named so, else jsonl]",
    ),
    click.option("--start", type=TICK, metavar="TICK", help="First tick. [default: that of the input]"),
    complete_windows_option,
    evaluator_option("How to evaluate."),
    click.option(
        "--map",
        "maps",
        multiple=True,
        metavar="DECLARATION",
        help="How rows of a CSV become facts, like #input: 'reading(room, temp*10) at time'.",
    ),
    click.option("--delimiter", type=DELIMITER, default=",", help="What stands between the cells of a CSV."),
    click.option(
        "--missing",
        multiple=True,
        metavar="TEXT",
        help="A cell that means that there is no value, besides empty ones.",
    ),
    time_options,
    lateness_option("records that come late are waited for and sorted in"),
    click.option(
        "--largest-gap",
        metavar="DURATION",
        help="Reject records that come longer than that after the last one: ticks, or as in '1 day'. "
        "[default: those for which more than a million ticks would have to be evaluated]",
    ),
    click.option(
        "--largest-record",
        type=SIZE,
        metavar="SIZE",
        default="16 MiB",
        help="Reject longer records (bytes, or as in '500 kB' or '16 MiB'); they are never held whole in "
        "memory.",
    ),
    click.option(
        "--strict-input", "is_strict", is_flag=True, help="Stop at the first record that is not valid."
    ),
)


def reading_of(plan: Plan, options: dict[str, Any]) -> Reading:
    """How the input is read. Raises UsageError."""
    declarations: list[Input] = [parse_input_declaration(text) for text in options["maps"]]
    reading = Reading(
        Format(options["format_"]) if options["format_"] else None,
        Timeline(plan.tick_length, TimeUnit(options["time_unit"]), options["origin"], plan.zone),
        declarations or plan.inputs,
        Dialect(options["delimiter"], frozenset(options["missing"])),
        options["largest_record"],
        plan.decimals,
    )
    if declarations and not (reading.format or format_of(options["input"])).is_table:
        raise click.UsageError("--map goes with --format csv")
    return reading


def largest_gap_of(timeline: Timeline, options: dict[str, Any]) -> int | None:
    """The most ticks from one record to the next. Raises UsageError."""
    if options["largest_gap"] is None:
        return None
    ticks = timeline.ticks(options["largest_gap"])
    if ticks < 1:
        raise click.UsageError("--largest-gap is a tick at least")
    return ticks
