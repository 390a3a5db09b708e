"""`lars2asp run --compare`: what two programs differ in over a recorded stream."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.input_options import find_origin, lateness_of, reading_of, tick_of
from lars2asp.runtime.command_line.options import TICK, name_and_value, together
from lars2asp.runtime.command_line.program_options import context_of, plan_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.feeds.addresses import is_address
from lars2asp.runtime.runs.comparison import ComparedRun, Difference, differences
from lars2asp.runtime.sources.input_settings import with_settings
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Rejected
from lars2asp.runtime.sources.rejects import open_rejects
from lars2asp.runtime.sources.text.folder_files import folder_of
from lars2asp.runtime.sources.text.sheet_names import path_in
from lars2asp.runtime.sources.text.text_files import STANDARD, check_readable
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.summaries import counted

compare_options = together(
    click.option(
        "--compare",
        "compared",
        multiple=True,
        metavar="PROGRAM",
        type=click.Path(dir_okay=False),
        help="Run another program as well, and write in what its answers differ, by intervals; -c is for "
        "the first one alone, --only says which predicates are compared. Given several times, its files.",
    ),
    click.option(
        "--compare-c",
        "compared_constants",
        type=name_and_value("n=5"),
        multiple=True,
        help="-c for the program that is compared with.",
    ),
    click.option(
        "--compare-why",
        "says_why",
        is_flag=True,
        help="Say of each interval why the atom holds by one program, and why not by the other.",
    ),
    click.option(
        "--from",
        "begin",
        type=TICK,
        metavar="TIME",
        help="With --compare: what differs from this tick, or time, on; windows look at what was before.",
    ),
    click.option(
        "--to", "end", type=TICK, metavar="TIME", help="With --compare: the last tick, or its time."
    ),
)

_OTHERS = {
    **{"is_followed": "--follow", "is_early": "--early", "checkpoint": "--checkpoint", "view": "--view"},
    **{"chart_file": "--chart", "page": "--serve"},
    **{"statistics_file": "--stats-json", "changes": "--changes", "intervals": "--intervals"},
    "memory_limit": "--memory-limit",
    **{"output_format": "--output-format", "idle": "--idle", "until": "--until"},
}
"""The options that do not go with a comparison, as messages name them."""


def check_comparison(options: Mapping[str, Any]) -> None:
    """Raises UsageError for options that do not go together."""
    if not options["compared"]:
        needing = {"begin": "--from", "end": "--to", "says_why": "--compare-why"}
        needing["compared_constants"] = "--compare-c"
        for name, option in needing.items():
            if options[name] not in (None, False, ()):
                instead = {"begin": ": --start is the first tick", "end": ": --until is the last tick"}
                raise click.UsageError(f"{option} goes with --compare PROGRAM{instead.get(name, '')}")
        return
    given = [option for name, option in _OTHERS.items() if options[name] not in (None, False)]
    if options["models"] != 1:
        given.append("--models")
    if options["clock"] == "wall":
        given.append("--clock wall")
    if options["every"] is not None:
        given.append("--emit")
    if given:
        last = ": --to is the last tick" if given == ["--until"] else ""
        raise click.UsageError(f"--compare does not go with {', '.join(given)}{last}")
    for one in options["inputs"]:
        name, _ = with_settings(one)
        place = Path(path_in(name))
        is_read_once = place.exists() and not (place.is_file() or place.is_dir())
        if name == STANDARD or is_address(name) or is_read_once:
            raise click.UsageError("--compare reads the input twice: give files or folders as --input")
        check_readable(folder_of(name))


def compare(options: dict[str, Any], tuning: Tuning) -> int:
    """Writes in what two programs differ. Raises UsageError, and what runs raise."""
    context = context_of(options)
    old = {**options, "program": options["compared"], "constants": options["compared_constants"], "only": ()}
    names = [", ".join(options["program"]), ", ".join(options["compared"])]
    if names[0] == names[1]:
        names = [f"{name} {_constants(one)}".strip() for name, one in zip(names, (options, old), strict=True)]
    runs, readings = [], []
    for one in (options, old):
        plan = plan_of({**one, "context": context}, explained=one["says_why"])
        reading = reading_of(plan, one)
        find_origin(reading, one)
        options_of_session: Any = {
            "start": tick_of(reading, one["start"], "--start"),
            "complete_windows": one["complete_windows"],
            "tick_timeout": one["tick_timeout"],
            "largest_gap": reading.largest_gap,
            "tuning": tuning,
            "context": context,
            "statistics": one["statistics"],
            **{name: one[name] for name in ("consequences", "evaluator", "clingo")},
        }
        runs.append(ComparedRun(plan, reading, options_of_session, lateness_of(reading, one["inputs"])))
        readings.append(reading)
    until = tick_of(readings[0], options["end"], "--to")
    with open_rejects(options["rejects"], options["is_strict"], None) as rejects:
        rejects.begin()
        runs[0].over(options["inputs"], until, rejects)
        runs[1].over(options["inputs"], until, _pass_by)
    begin = tick_of(readings[0], options["begin"], "--from")
    first = min(run.held.first for run in runs) if begin is None else begin
    found = differences(runs, (first, max(run.held.last for run in runs)), options["only"])
    _write(options["output"], _lines(found, names, runs, readings[0], options))
    atoms = len({one.atom for one in found})
    said = f"differ in {counted(len(found), 'interval')} of {counted(atoms, 'atom')}" if found else "agree"
    click.echo(f"the programs {said}", err=True)
    for name, run in zip(names, runs, strict=True) if options["statistics"] else ():
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
        if options["says_why"] and one.atom is not None:
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
        raise InputError.of(output, f"cannot be written: {error.strerror}") from error


def _constants(options: Mapping[str, Any]) -> str:
    """The constants from outside, which tell two runs of one program apart."""
    return " ".join(f"-c {name}={value}" for name, value in options["constants"])


def _pass_by(_: Rejected) -> None:
    """Rejected records are reported by the first run."""
