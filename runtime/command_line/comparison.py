"""`lars2asp run --compare`: what two programs differ in over a recorded stream."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.input_options import (
    find_origin,
    lateness_of,
    reading_of,
    stops_at_rejects,
    tick_of,
)
from lars2asp.runtime.command_line.program_options import context_of, plan_of
from lars2asp.runtime.connectors.addresses import is_address
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.runs.comparison import ComparedRun, Difference, differences
from lars2asp.runtime.settings.table import SETTINGS
from lars2asp.runtime.sources.input_settings import with_settings
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Rejected
from lars2asp.runtime.sources.rejects import open_rejects
from lars2asp.runtime.sources.text.folder_files import folder_of
from lars2asp.runtime.sources.text.sheet_names import path_in
from lars2asp.runtime.sources.text.text_files import STANDARD, check_readable
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.summaries import counted

_OF_A_COMPARISON = ("compare_from", "compare_to", "compare_why", "compare_const")

_OTHERS = (
    *("follow", "revise", "checkpoint", "view", "chart", "serve", "stats_json", "changes", "intervals"),
    *("memory_limit", "output_format", "idle_timeout", "until"),
)
"""The settings that do not go with a comparison."""


def check_comparison(options: Mapping[str, Any]) -> None:
    """Raises UsageError for options that do not go together."""
    if not options["compare"]:
        for name in _OF_A_COMPARISON:
            if options[name] not in (None, False, ()):
                instead = {
                    "compare_from": ": for the first tick use --start",
                    "compare_to": ": for the last tick use --until",
                }
                raise click.UsageError(
                    f"{SETTINGS[name].option} needs --compare PROGRAM{instead.get(name, '')}"
                )
        return
    given = [SETTINGS[name].option for name in _OTHERS if options[name] not in (None, False)]
    if options["models"] != 1:
        given.append("--models")
    if options["clock"] == "wall":
        given.append("--clock wall")
    if options["emit"] is not None:
        given.append("--emit")
    if given:
        last = ": for the last tick use --compare-to" if given == ["--until"] else ""
        raise click.UsageError(f"--compare cannot be combined with {', '.join(given)}{last}")
    for one in options["input"]:
        name, _ = with_settings(one)
        place = Path(path_in(name))
        is_read_once = place.exists() and not (place.is_file() or place.is_dir())
        if name == STANDARD or is_address(name) or is_read_once:
            raise click.UsageError("--compare reads the input twice: name files or folders with --input")
        check_readable(folder_of(name))


def compare(options: dict[str, Any], tuning: Tuning) -> int:
    """Writes in what two programs differ. Raises UsageError, and what runs raise."""
    context = context_of(options)
    old = {**options, "program": options["compare"], "const": options["compare_const"], "show": ()}
    names = [", ".join(options["program"]), ", ".join(options["compare"])]
    if names[0] == names[1]:
        names = [f"{name} {_constants(one)}".strip() for name, one in zip(names, (options, old), strict=True)]
    runs, readings = [], []
    for one in (options, old):
        plan = plan_of({**one, "context": context}, explained=one["compare_why"])
        reading = reading_of(plan, one)
        find_origin(reading, one)
        options_of_session: Any = {
            "start": tick_of(reading, one["start"], "--start"),
            "complete_windows": one["complete_windows"],
            "tick_timeout": one["tick_timeout"],
            "largest_gap": reading.largest_gap,
            "tuning": tuning,
            "functions": context,
            "stats": one["stats"],
            **{name: one[name] for name in ("consequences", "evaluator", "clingo")},
        }
        runs.append(ComparedRun(plan, reading, options_of_session, lateness_of(reading, one["input"])))
        readings.append(reading)
    until = tick_of(readings[0], options["compare_to"], "--compare-to")
    with open_rejects(options["rejects"], stops_at_rejects(options), None) as rejects:
        rejects.begin()
        runs[0].over(options["input"], until, rejects)
        runs[1].over(options["input"], until, _pass_by)
    begin = tick_of(readings[0], options["compare_from"], "--compare-from")
    first = min(run.held.first for run in runs) if begin is None else begin
    found = differences(runs, (first, max(run.held.last for run in runs)), options["show"])
    _write(options["output"], _lines(found, names, runs, readings[0], options))
    atoms = len({one.atom for one in found})
    said = f"differ in {counted(len(found), 'interval')} of {counted(atoms, 'atom')}" if found else "agree"
    click.echo(f"the programs {said}", err=True)
    for name, run in zip(names, runs, strict=True) if options["stats"] else ():
        click.echo(f"\n{name}:\n{run.costs(rejects.count).text}", err=True, nl=False)
    return RECORDS_REJECTED if rejects.count else DONE


def _lines(
    found: Iterable[Difference],
    names: list[str],
    runs: list[ComparedRun],
    reading: Reading,
    options: Mapping[str, Any],
) -> Iterator[str]:
    """The differences as JSON lines."""
    for one in found:
        line: dict[str, Any] = {"from": one.ticks[0], "to": one.ticks[1]}
        if options["times"]:
            line |= {
                f"{name}_at": reading.timeline.text(tick)
                for name, tick in zip(("from", "to"), one.ticks, strict=True)
            }
        line |= {"satisfiable": False} if one.atom is None else {"atom": one.atom}
        line["only"] = names[one.by]
        if options["compare_why"] and one.atom is not None:
            whys = {name: run.why(one.atom, one.ticks[0]) for name, run in zip(names, runs, strict=True)}
            line["why"] = {name: text.splitlines() for name, text in whys.items()}
        yield json.dumps(line, ensure_ascii=False)


def _write(output: str, lines: Iterable[str]) -> None:
    """Writes lines to a file, or standard output. Raises InputError."""
    if output == STANDARD:
        for line in lines:
            click.echo(line)
        return
    try:
        with Path(output).open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise InputError.of(output, f"cannot write this file: {error.strerror}") from error


def _constants(options: Mapping[str, Any]) -> str:
    """The constants from outside, which tell two runs of one program apart."""
    return " ".join(f"-c {name}={value}" for name, value in options["const"])


def _pass_by(_: Rejected) -> None:
    """Rejected records are reported by the first run."""
