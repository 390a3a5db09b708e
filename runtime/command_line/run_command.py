"""The command `lars2asp run`."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED, reported
from lars2asp.runtime.command_line.options import (
    DELIMITER,
    EMIT,
    INTERVAL,
    SECONDS,
    SIZE,
    TICK,
    choice,
    complete_windows_option,
    evaluator_option,
    lateness_option,
    time_options,
)
from lars2asp.runtime.command_line.program_options import context_of, plan_of, program_options
from lars2asp.runtime.evaluators.protocol import Consequences
from lars2asp.runtime.feeds.addresses import PASSWORD, has_password
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.command_run import CommandRun
from lars2asp.runtime.runs.run_settings import (
    FUNCTIONS,
    NOT_GIVEN,
    PROGRAM,
    RunSettings,
)
from lars2asp.runtime.runs.state_keeping import CHECKPOINT_SECONDS, CHECKPOINT_TICKS
from lars2asp.runtime.sinks.json_lines import Emission
from lars2asp.runtime.sources.reading import Format, Reading, format_of
from lars2asp.runtime.sources.rejects import Rejects
from lars2asp.runtime.sources.table import Dialect
from lars2asp.runtime.sources.text_files import STANDARD
from lars2asp.runtime.sources.timeline import Timeline, TimeUnit
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.parser import parse_input_declaration

_AS_THEY_ARE = (
    *("input", "output", "every", "rejects", "is_strict", "is_followed", "start", "until", "checkpoint"),
    *("checkpoint_interval", "statistics", "statistics_file"),
)
"""The options that are settings of a run."""

_OF_A_SESSION = ("complete_windows", "models", "consequences", "context", "evaluator", "tick_timeout")
"""The options that are those of a reasoner."""


@click.command("run")
@program_options
@click.option(
    "--input",
    "input",
    metavar="FILE",
    default="-",
    help="The stream: a file, the files of a folder, or - for standard input. Live: host: (this machine), "
    "tcp:PORT, mqtt://BROKER/TOPIC, mqtts://BROKER/TOPIC.",
)
@click.option(
    "--clock",
    type=click.Choice(["data", "wall"]),
    default="data",
    help="What makes ticks pass: the times of the records, or the machine's clock.",
)
@click.option(
    "--follow", "is_followed", is_flag=True, help="Go on reading behind the end of a file that grows."
)
@click.option(
    "--format",
    "format_",
    type=choice(Format),
    help="How the input is written. [default: csv for files named so, else jsonl]",
)
@click.option(
    "--output",
    metavar="FILE",
    default="-",
    help="Where answers go, one JSON object a line; - is standard output.",
)
@click.option(
    "--emit",
    "every",
    type=EMIT,
    default="change",
    help="Write an answer when it changes, at every tick, or at every N-th (those that N divides).",
)
@click.option("--delta", is_flag=True, help="Write what was added and removed in place of all atoms.")
@click.option("--start", type=TICK, metavar="TICK", help="First tick. [default: that of the input]")
@click.option("--until", type=TICK, metavar="TICK", help="Last tick. [default: that of the input]")
@complete_windows_option
@click.option(
    "--models",
    type=click.IntRange(0),
    default=1,
    help="List so many answer streams a tick (0: all) instead of the atoms of the one followed.",
)
@click.option(
    "--consequences",
    type=choice(Consequences),
    help="Write the atoms that hold in some (brave), in every (cautious) answer stream.",
)
@evaluator_option("How to evaluate.")
@click.option(
    "--map",
    "maps",
    multiple=True,
    metavar="DECLARATION",
    help="How rows of a CSV become facts, like #input: 'reading(room, temp*10) at time'.",
)
@click.option("--delimiter", type=DELIMITER, default=",", help="What stands between the cells of a CSV.")
@click.option(
    "--missing",
    multiple=True,
    metavar="TEXT",
    help="A cell that means that there is no value, besides empty ones.",
)
@time_options
@click.option(
    "--rejects",
    metavar="FILE",
    help="Where records go that are not valid, one JSON object a line. [default: standard error, as text]",
)
@lateness_option("records that come late are waited for and sorted in")
@click.option(
    "--largest-gap",
    metavar="DURATION",
    help="Reject records that come longer than that after the last one: ticks, or as in '1 day'. "
    "[default: those for which more than a million ticks would have to be evaluated]",
)
@click.option(
    "--checkpoint",
    metavar="DIR",
    help="Keep here what the same run, started again, needs to go on after an interruption.",
)
@click.option(
    "--checkpoint-every",
    "checkpoint_interval",
    type=INTERVAL,
    help="How far checkpoints are apart: ticks, or as in '10 sec'. "
    f"[default: {CHECKPOINT_TICKS}, of live input also {CHECKPOINT_SECONDS:g} sec]",
)
@click.option(
    "--tick-timeout",
    type=SECONDS,
    metavar="SECONDS",
    help="How long clingo may take for a tick. One that takes longer has no answer, and the run goes on.",
)
@click.option("--view", is_flag=True, help="Show on the terminal what holds, brought up to date in place.")
@click.option(
    "--stats", "statistics", is_flag=True, help="Say on standard error in the end what the run has cost."
)
@click.option("--stats-json", "statistics_file", metavar="FILE", help="Write that to a file as JSON.")
@click.option(
    "--largest-record",
    type=SIZE,
    metavar="SIZE",
    default="16 MiB",
    help="Reject longer records (bytes, or as in '500 kB' or '16 MiB'); they are never held whole in memory.",
)
@click.option("--strict-input", "is_strict", is_flag=True, help="Stop at the first record that is not valid.")
@click.pass_obj
def run_command(tuning: Tuning, /, **options: Any) -> int:
    """Run a program on a stream and write its answers.

    \b
    The stream is one JSON object a line, in time order:
      {"time": 3, "facts": ["p(a,1)", "q"]}       hold at tick 3
      {"time": 3, "begin": ["on(m)"]}             holds from tick 3 until told otherwise
      {"time": 9, "end": ["on(m)"]}               last held at tick 8
      {"time": 3, "facts": ["p(a)"], "until": 7}  hold from 3 to 7
      {"time": 12}                                nothing new; the clock is at 12
    or plain lines (--format facts), as in 3: p(a,1), q
    or a CSV with a header (--format csv) and an #input declaration in the program (or --map).
    """
    settings = settings_of(options, tuning)
    if has_password(settings.input):
        click.echo(
            "warning: all users of this machine can see the password in --input in the list of processes: "
            f"write user@ alone, and give it by ?password-file=FILE or the environment variable {PASSWORD}",
            err=True,
        )
    return CommandRun(settings, status_of, reported).run()


def settings_of(options: dict[str, Any], tuning: Tuning) -> RunSettings:
    """The settings that options of `run` describe. Raises UsageError, and what makes the program unusable."""
    _check(options)
    options["context"] = context_of(options)
    plan = plan_of(options)
    reading = _reading(plan, options)
    largest_gap = _largest_gap(reading.timeline, options)

    def session(start: int | None) -> Session:
        return Session(
            plan,
            start=start,
            **{name: options[name] for name in _OF_A_SESSION},
            statistics=options["statistics"] or options["statistics_file"] is not None,
            largest_gap=largest_gap,
            tuning=tuning,
        )

    return RunSettings(
        session,
        **{name: options[name] for name in _AS_THEY_ARE},
        reading=reading,
        emission=Emission(options["delta"], options["models"] != 1),
        is_by_clock=options["clock"] == "wall",
        lateness=reading.timeline.ticks(options["lateness"]),
        view=", ".join(Path(name).name for name in options["program"]) if options["view"] else None,
        can_be_stuck=options["tick_timeout"] is not None,
        program_options=partial(_program_options_of, plan, options),
        tuning=tuning,
    )


def status_of(rejects: Rejects) -> int:
    """The exit status; prints how many records were rejected."""
    if rejects.count:
        click.echo(f"{rejects.count} record{'s were' if rejects.count > 1 else ' was'} rejected", err=True)
    return RECORDS_REJECTED if rejects.count else DONE


def _check(options: dict[str, Any]) -> None:
    """Refuses options that do not go together."""
    if options["delta"] and options["models"] != 1:
        raise click.UsageError("--delta goes with one answer stream: leave out --models")
    if options["consequences"] and options["models"] != 1:
        raise click.UsageError("--consequences are one set of atoms: leave out --models")
    if None not in (options["start"], options["until"]) and options["start"] > options["until"]:
        raise click.UsageError("--start lies after --until")
    _check_files(options)


def _check_files(options: dict[str, Any]) -> None:
    """Refuses to write over what is read, or twice to one file."""
    read = (*options["program"], *options["modules"], options["input"])
    taken = [Path(name).resolve() for name in read if name != STANDARD]
    folders = [path for path in taken if path.is_dir()]
    written = {
        "output": options["output"],
        "rejects": options["rejects"],
        "stats-json": options["statistics_file"],
    }
    for option, name in written.items():
        if name is not None and name != STANDARD:
            path = Path(name).resolve()
            if path in taken or path.parent in folders:
                raise click.UsageError(f"--{option} {name} is another file of this run: choose a new name")
            taken.append(path)


def _reading(plan: Plan, options: dict[str, Any]) -> Reading:
    declarations: list[Input] = [parse_input_declaration(text) for text in options["maps"]]
    reading = Reading(
        Format(options["format_"]) if options["format_"] else None,
        Timeline(plan.tick_length, TimeUnit(options["time_unit"]), options["origin"], plan.zone),
        declarations or plan.inputs,
        Dialect(options["delimiter"], frozenset(options["missing"])),
        options["largest_record"],
    )
    if declarations and (reading.format or format_of(options["input"])) is not Format.CSV:
        raise click.UsageError("--map goes with --format csv")
    return reading


def _largest_gap(timeline: Timeline, options: dict[str, Any]) -> int | None:
    if options["largest_gap"] is None:
        return None
    if options["clock"] == "wall":
        raise click.UsageError("--largest-gap is for the times of records: leave out --clock wall")
    ticks = timeline.ticks(options["largest_gap"])
    if ticks < 1:
        raise click.UsageError("--largest-gap is a tick at least")
    return ticks


def _program_options_of(plan: Plan, options: dict[str, Any]) -> dict[str, str]:
    """The program, and the options of its evaluation, as text."""
    constants = ", ".join(f"{name}={value}" for name, value in sorted(options["constants"]))
    return {
        PROGRAM: fingerprint(plan.identity),
        FUNCTIONS: fingerprint([Path(name).read_bytes() for name in options["modules"]]),
        "-c": constants or NOT_GIVEN,
        "--semantics or #semantics": str(plan.semantics),
        "--complete-windows": "given" if options["complete_windows"] else NOT_GIVEN,
        "--models": str(options["models"]),
        "--largest-gap": options["largest_gap"] or NOT_GIVEN,
        "--consequences": options["consequences"] or NOT_GIVEN,
    }
