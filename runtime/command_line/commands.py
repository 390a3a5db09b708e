"""The command line: `lars2asp run`, `spark`, `check`, `compile`."""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from math import inf, nan
from pathlib import Path
from typing import Any

import click

from lars2asp import __version__
from lars2asp.compiler import CheckedProgram, Overrides, check, checked_program, compile_plan
from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.fixed_options import FUNCTIONS, NOT_GIVEN, PROGRAM, of_files, of_program
from lars2asp.runtime.errors import EvaluatorError
from lars2asp.runtime.evaluators.choice import EvaluatorName
from lars2asp.runtime.evaluators.plan_text import plan_text
from lars2asp.runtime.evaluators.protocol import Consequences
from lars2asp.runtime.feeds.addresses import PASSWORD, has_password
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.runs.job import Job, Settings
from lars2asp.runtime.runs.keeping import EVERY as CHECKPOINT_EVERY
from lars2asp.runtime.runs.keeping import EVERY_SECONDS, Pace
from lars2asp.runtime.runs.processes import INTERRUPTED, TERMINATED, Terminated, orderly_end
from lars2asp.runtime.sinks.json_lines import Emission
from lars2asp.runtime.sources.reading import Format, Reading, format_of
from lars2asp.runtime.sources.rejects import Rejects
from lars2asp.runtime.sources.table import Dialect
from lars2asp.runtime.sources.text_files import STANDARD, flush_standard_streams
from lars2asp.runtime.sources.timeline import Timeline, TimeUnit, duration
from lars2asp.runtime.spark.command import run as run_on_spark
from lars2asp.runtime.spark.query.spark_query import FileFormat, SparkInput, SparkQuery
from lars2asp.runtime.spark.spark_settings import Partitioning, SparkSettings, split_of
from lars2asp.runtime.user_functions import load_module, merged, public_names
from lars2asp.splitting.split import split
from lars2asp.splitting.text import split_text
from lars2asp.syntax.diagnostics import Diagnostic, Lars2aspError, Severity
from lars2asp.syntax.nodes import LARGEST_INTEGER, Input, Semantics
from lars2asp.syntax.parser import parse_input_declaration, read_sources
from lars2asp.syntax.source import visible

DONE, RECORDS_REJECTED, CANNOT_RUN, CANNOT_SERVE = 0, 1, 2, 3
"""Exit statuses: 2 is also what wrong usage gives."""


class _Definition(click.ParamType[Any]):
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


class _Emit(click.ParamType[Any]):
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


class _Moment(click.ParamType[Any]):
    name = "timestamp"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no ISO 8601 timestamp, such as 2026-01-31T00:00:00Z", param, ctx)
        return moment


class _Delimiter(click.ParamType[Any]):
    name = "sign"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        sign = {"\\t": "\t", "tab": "\t"}.get(str(value), str(value))
        if len(sign) != 1 or sign in '"\r\n':
            self.fail(f"{value!r} is no single sign such as ; or | (write tab for a tabulator)", param, ctx)
        return sign


class _Pace(click.ParamType[Any]):
    name = "ticks|duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Pace:
        number, unit = duration(str(value)) or (0, None)
        if not number:
            self.fail(f"{value!r} is no distance: write 1000 (ticks) or '10 sec'", param, ctx)
        return Pace(number) if unit is None else Pace(None, number * unit / 1_000_000)


class _Seconds(click.ParamType[Any]):
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


class _Size(click.ParamType[Any]):
    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        match = _SIZE.fullmatch(str(value).strip())
        size = int(match[1]) * _UNITS[match[2].lower()] if match else 0
        if not 0 < size <= sys.maxsize:
            self.fail(f"{value!r} is no size such as 1000000 (bytes), '500 kB' or '16 MiB'", param, ctx)
        return size


_TICK = click.IntRange(0, LARGEST_INTEGER)


def _choice(names: type[StrEnum]) -> click.Choice[str]:
    return click.Choice([name.value for name in names])


def _evaluator_option(text: str) -> Callable[..., Any]:
    return click.option(
        "--evaluator", type=_choice(EvaluatorName), default="auto", show_default=True, help=text
    )


def _time_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option(
            "--time-unit",
            type=_choice(TimeUnit),
            default="tick",
            show_default=True,
            help="What integer times count: ticks, or seconds or milliseconds since 1970.",
        ),
        click.option(
            "--origin",
            type=_Moment(),
            default="1970-01-01T00:00:00Z",
            show_default=True,
            help="When tick 0 begins.",
        ),
        click.option(
            "--timezone",
            metavar="ZONE",
            help="Zone of timestamps that name no offset, as in Europe/Vienna; goes before #timezone.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _program_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        *_program_texts(),
        click.option(
            "--functions",
            "modules",
            metavar="FILE",
            multiple=True,
            help="A Python file with @-functions that the program calls.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _program_texts() -> tuple[Callable[..., Any], ...]:
    """What a program is given in text."""
    return (
        click.argument("program", nargs=-1, required=True, type=click.Path(dir_okay=False)),
        click.option(
            "-c",
            "--const",
            "constants",
            type=_Definition(),
            multiple=True,
            help="Give a #const another value, as in -c n=5.",
        ),
        click.option("--tick", help="The length of a tick, as in '1 sec'; goes before #tick."),
        click.option(
            "--semantics",
            type=_choice(Semantics),
            help="What windows over derived atoms see; goes before #semantics. [default: recorded]",
        ),
        click.option(
            "--no-scripts",
            is_flag=True,
            help="For a program of others: refuse #script and --functions, and #include of what lies outside "
            "the folders of the program files.",
        ),
    )


def _spark_program(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_program_texts()):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """Stream reasoning with LARS, compiled to answer set programming.

    A PROGRAM is one or more files, read as one program. Exit status: 0 done; 1 some records were rejected;
    2 usage, program or input that cannot be read; 3 the evaluator asked for cannot serve the program;
    130 interrupted (143 by SIGTERM).
    """


@cli.command("run")
@_program_options
@click.option(
    "--input",
    "input_",
    metavar="FILE",
    default="-",
    show_default=True,
    help="The stream: a file, the files of a folder, or - for standard input. Live: host: (this machine), "
    "tcp:PORT, mqtt://BROKER/TOPIC, mqtts://BROKER/TOPIC.",
)
@click.option(
    "--clock",
    type=click.Choice(["data", "wall"]),
    default="data",
    show_default=True,
    help="What makes ticks pass: the times of the records, or the machine's clock.",
)
@click.option("--follow", is_flag=True, help="Go on reading behind the end of a file that grows.")
@click.option(
    "--format",
    "format_",
    type=_choice(Format),
    help="How the input is written. [default: csv for files named so, else jsonl]",
)
@click.option(
    "--output",
    metavar="FILE",
    default="-",
    show_default=True,
    help="Where answers go, one JSON object a line; - is standard output.",
)
@click.option(
    "--emit",
    type=_Emit(),
    default="change",
    show_default=True,
    help="Write an answer when it changes, at every tick, or at every N-th (those that N divides).",
)
@click.option("--delta", is_flag=True, help="Write what was added and removed in place of all atoms.")
@click.option("--start", type=_TICK, metavar="TICK", help="First tick. [default: that of the input]")
@click.option("--until", type=_TICK, metavar="TICK", help="Last tick. [default: that of the input]")
@click.option("--complete-windows", is_flag=True, help="`always` needs windows wholly on the timeline.")
@click.option(
    "--models",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="List so many answer streams a tick (0: all) instead of the atoms of the one followed.",
)
@click.option(
    "--consequences",
    type=_choice(Consequences),
    help="Write the atoms that hold in some (brave), in every (cautious) answer stream.",
)
@_evaluator_option("How to evaluate.")
@click.option(
    "--map",
    "maps",
    multiple=True,
    metavar="DECLARATION",
    help="How rows of a CSV become facts, like #input: 'reading(room, temp*10) at time'.",
)
@click.option(
    "--delimiter",
    type=_Delimiter(),
    default=",",
    show_default=True,
    help="What stands between the cells of a CSV.",
)
@click.option(
    "--missing",
    multiple=True,
    metavar="TEXT",
    help="A cell that means that there is no value, besides empty ones.",
)
@_time_options
@click.option(
    "--rejects",
    metavar="FILE",
    help="Where records go that are not valid, one JSON object a line. [default: standard error, as text]",
)
@click.option(
    "--lateness",
    metavar="DURATION",
    default="0",
    show_default=True,
    help="For how long records that come late are waited for and sorted in: ticks, or as in '30 sec'.",
)
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
    "pace",
    type=_Pace(),
    help="How far checkpoints are apart: ticks, or as in '10 sec'. "
    f"[default: {CHECKPOINT_EVERY}, of live input also {EVERY_SECONDS:g} sec]",
)
@click.option(
    "--tick-timeout",
    type=_Seconds(),
    metavar="SECONDS",
    help="How long clingo may take for a tick. One that takes longer has no answer, and the run goes on.",
)
@click.option("--view", is_flag=True, help="Show on the terminal what holds, brought up to date in place.")
@click.option("--stats", is_flag=True, help="Say on standard error in the end what the run has cost.")
@click.option("--stats-json", metavar="FILE", help="Write that to a file as JSON.")
@click.option(
    "--largest-record",
    type=_Size(),
    metavar="SIZE",
    default="16 MiB",
    show_default=True,
    help="Reject longer records (bytes, or as in '500 kB' or '16 MiB'); they are never held whole in memory.",
)
@click.option("--strict-input", is_flag=True, help="Stop at the first record that is not valid.")
def run_command(**options: Any) -> int:
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
    if options["delta"] and options["models"] != 1:
        raise click.UsageError("--delta goes with one answer stream: leave out --models")
    if options["consequences"] and options["models"] != 1:
        raise click.UsageError("--consequences are one set of atoms: leave out --models")
    if None not in (options["start"], options["until"]) and options["start"] > options["until"]:
        raise click.UsageError("--start lies after --until")
    _check_files(options)
    options["context"] = _context(options)
    return _run(_plan(options), options)


@cli.command("spark")
@_spark_program
@click.option(
    "--input",
    "input_",
    metavar="PATH",
    help="The stream: a file, the files of a folder, now and later, an address that Spark knows, or "
    "kafka://HOST:PORT/TOPIC.",
)
@click.option("--output", metavar="FOLDER", help="Where changes go, as files of JSON lines.")
@click.option(
    "--checkpoint",
    metavar="DIR",
    help="Keep here what the same run, started again, needs to go on. A folder that all machines see.",
)
@click.option(
    "--format",
    "format_",
    type=_choice(FileFormat),
    help="How the input is written. [default: csv, facts, parquet for files named so, else jsonl]",
)
@click.option("--follow", is_flag=True, help="Go on with what comes until interrupted.")
@click.option("--start", metavar="TIME", help="First tick. [default: that of the input]")
@click.option(
    "--until",
    metavar="TIME",
    help="When all is read, let time go on to the end of this tick. [default: the last ticks stay open]",
)
@click.option(
    "--lateness",
    metavar="DURATION",
    default="0",
    show_default=True,
    help="For how long records of later batches are waited for: ticks, or as in '30 sec'.",
)
@click.option("--files-per-batch", type=click.IntRange(1), metavar="N", help="Read so many files at a time.")
@click.option(
    "--partition",
    type=_choice(Partitioning),
    default="auto",
    show_default=True,
    help="Reasoners: one for each group of rules and key, as far as that is possible (auto); one (none); "
    "components in levels, by keys (pipelined); one in this process (driver).",
)
@click.option(
    "--partitions",
    type=click.IntRange(1),
    metavar="N",
    help="How many reasoners work side by side, where the program can be split so far. "
    "[default: as many as cores, or as the checkpoint has]",
)
@click.option("--complete-windows", is_flag=True, help="`always` needs windows wholly on the timeline.")
@_evaluator_option("How to evaluate.")
@_time_options
@click.option(
    "--master",
    metavar="URL",
    default="local[*]",
    show_default=True,
    help="Where Spark runs: local[4] on four cores of this machine, spark://HOST:PORT, ...",
)
@click.option(
    "--conf",
    "config",
    type=_Definition("name=value, such as spark.driver.memory=4g"),
    multiple=True,
    help="A setting of Spark, as in --conf spark.driver.memory=4g.",
)
@click.option(
    "--package",
    "packages",
    metavar="GROUP:NAME:VERSION",
    multiple=True,
    help="A Java library that Spark loads, such as the one for Kafka.",
)
@click.option("--explain", is_flag=True, help="Say how the program is split over reasoners, and end.")
def spark_command(**options: Any) -> int:
    """Run a program on Spark, over files or a topic, and write what begins and ends to hold.

    \b
    Each row of the output says what happens at a tick:
      {"time": 3, "atom": "hot(kitchen)", "change": "began", "partition": 0}
    where change is began, ended, rejected (a record that was not taken, with its reason), unsatisfiable or
    satisfiable (there is no answer stream any more, there is one again).
    """
    partitioning = Partitioning(options["partition"])
    checked = _checked(options)
    _warn(checked.warnings)
    if options["explain"]:
        click.echo(split_text(split_of(checked, partitioning)), nl=False)
        return DONE
    missing = [name for name in ("input_", "output", "checkpoint") if not options[name]]
    if missing:
        raise click.UsageError(f"Missing option '--{missing[0].rstrip('_')}'.")
    if options["follow"] and options["until"] is not None:
        raise click.UsageError("--until is for what ends: leave out --follow")
    packages = {"spark.jars.packages": ",".join(options["packages"])} if options["packages"] else {}
    source = SparkInput(
        options["input_"],
        FileFormat(options["format_"]) if options["format_"] else None,
        options["files_per_batch"],
    )
    settings = SparkSettings(
        partitioning,
        options["partitions"],
        options["lateness"],
        source.form,
        options["start"],
        options["complete_windows"],
        EvaluatorName(options["evaluator"]),
        TimeUnit(options["time_unit"]),
        options["origin"],
    )
    query = SparkQuery(
        source,
        options["output"],
        Path(options["checkpoint"]),
        options["until"],
        options["follow"],
        options["master"],
        packages | dict(options["config"]),
    )
    result = run_on_spark(checked, settings, query)
    click.echo(result, err=True)
    return RECORDS_REJECTED if result.rejected else DONE


@cli.command("check")
@_program_options
def check_command(**options: Any) -> int:
    """Say all that is wrong with a program; exit 0 when nothing is."""
    options["context"] = _context(options)
    sources, trusted = read_sources(options["program"]), not options["no_scripts"]
    diagnostics = check(*sources, overrides=_overrides(options), trusted=trusted)
    for diagnostic in diagnostics:
        click.echo(visible(str(diagnostic)), err=True)
    return CANNOT_RUN if any(d.severity is Severity.ERROR for d in diagnostics) else DONE


@cli.command("compile")
@_program_options
@click.option("--plan", "as_plan", is_flag=True, help="Print the components, what evaluates each, and why.")
@click.option(
    "--split",
    "splitting",
    type=click.Choice(["partitioned", "pipelined"]),
    is_flag=False,
    flag_value="partitioned",
    help="Print how the program can be split over several reasoners, and why not further: so that each reads "
    "the input alone (--split), or that some also read what others derive (--split=pipelined).",
)
@_evaluator_option("The evaluator that is asked for, with --plan.")
def compile_command(**options: Any) -> int:
    """Print the ASP text that a program becomes, and what its windows look at."""
    options["context"] = _context(options)
    if options["splitting"]:
        checked = _checked(options)
        _warn(checked.warnings)
        is_pipelined = options["splitting"] == "pipelined"
        found = split(checked.program, checked.semantics, pipelined=is_pipelined)
        click.echo(split_text(found), nl=False)
        return DONE
    plan = _plan(options)
    evaluator = EvaluatorName(options["evaluator"])
    click.echo(plan_text(plan, evaluator) if options["as_plan"] else _listing(plan), nl=False)
    return DONE


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit status."""

    def orderly() -> Any:
        with orderly_end():
            return cli.main(arguments, prog_name="lars2asp", standalone_mode=False)

    return _reported(orderly)


def _reported(action: Callable[[], Any]) -> int:
    """The exit status that an action gives, or of what it raises, with a message."""
    try:
        status = action()
        flush_standard_streams()
    except Terminated:
        return TERMINATED
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except OSError as error:
        name = "" if error.filename is None else f"{error.filename}: "
        click.echo(f"error: {name}reading or writing failed: {error.strerror}", err=True)
        return CANNOT_RUN
    except click.ClickException as error:
        error.show()
        return CANNOT_RUN
    except EvaluatorError as error:
        click.echo(visible(f"error: {error}"), err=True)
        return CANNOT_SERVE
    except Lars2aspError as error:
        text = visible(str(error))
        click.echo(text if "error: " in text else f"error: {text}", err=True)
        return CANNOT_RUN
    return int(status or DONE)


# --- what the commands do -------------------------------------------------------------------------


def _overrides(options: dict[str, Any]) -> Overrides:
    semantics = options["semantics"]
    return Overrides(
        dict(options["constants"]),
        options["tick"],
        Semantics(semantics) if semantics else None,
        public_names(options["context"]) if "context" in options else frozenset(),
        options.get("timezone"),
    )


def _context(options: dict[str, Any]) -> object:
    """The functions of the modules that are named; these are run."""
    if options["no_scripts"] and options["modules"]:
        raise click.UsageError("--functions runs Python code: leave it or --no-scripts out")
    return merged(map(load_module, options["modules"]))


def _check_files(options: dict[str, Any]) -> None:
    """Refuses to write over what is read, or twice to one file."""
    read = (*options["program"], *options["modules"], options["input_"])
    taken = [Path(name).resolve() for name in read if name != STANDARD]
    folders = [path for path in taken if path.is_dir()]
    for option in ("output", "rejects", "stats_json"):
        name = options[option]
        if name is not None and name != STANDARD:
            path = Path(name).resolve()
            if path in taken or path.parent in folders:
                raise click.UsageError(
                    f"--{option.replace('_', '-')} {name} is another file of this run: choose a new name"
                )
            taken.append(path)


def _checked(options: dict[str, Any]) -> CheckedProgram:
    sources, trusted = read_sources(options["program"]), not options["no_scripts"]
    return checked_program(*sources, overrides=_overrides(options), trusted=trusted)


def _plan(options: dict[str, Any]) -> Plan:
    plan = compile_plan(_checked(options))
    _warn(plan.warnings)
    return plan


def _warn(warnings: Iterable[Diagnostic]) -> None:
    for warning in warnings:
        click.echo(visible(str(warning)), err=True)


def _listing(plan: Plan) -> str:
    parts = [f"% semantics: {plan.semantics}\n"]
    for signature, reach in plan.reach.items():
        back = "without end" if reach is None else f"{reach} tick{'s' if reach != 1 else ''}"
        parts.append(f"% {signature} is looked at {back} back\n")
    parts.append(f"#program {plan.part}({plan.parameter}).\n")
    last = None
    for line in plan.lines:
        if line.origin != last and line.origin.source.text:
            text = line.origin.source.text[line.origin.begin : line.origin.end]
            parts.append(f"\n% {line.origin}: {visible(' '.join(text.split()))}\n")
        last = line.origin
        parts.append(f"{line.text}\n")
    return "".join(parts)


def _run(plan: Plan, options: dict[str, Any]) -> int:
    declarations: list[Input] = [parse_input_declaration(text) for text in options["maps"]]
    reading = Reading(
        Format(options["format_"]) if options["format_"] else None,
        Timeline(plan.tick_length, TimeUnit(options["time_unit"]), options["origin"], plan.zone),
        declarations or plan.inputs,
        Dialect(options["delimiter"], frozenset(options["missing"])),
        options["largest_record"],
    )
    if declarations and (reading.format or format_of(options["input_"])) is not Format.CSV:
        raise click.UsageError("--map goes with --format csv")

    largest_gap = None
    if options["largest_gap"] is not None:
        if options["clock"] == "wall":
            raise click.UsageError("--largest-gap is for the times of records: leave out --clock wall")
        largest_gap = reading.timeline.ticks(options["largest_gap"])
        if largest_gap < 1:
            raise click.UsageError("--largest-gap is a tick at least")
    is_measured = options["stats"] or options["stats_json"] is not None

    def reasoner(start: int | None) -> Reasoner:
        return Reasoner(
            plan,
            start=start,
            complete_windows=options["complete_windows"],
            models=options["models"],
            consequences=options["consequences"],
            context=options["context"],
            evaluator=options["evaluator"],
            statistics=is_measured,
            tick_timeout=options["tick_timeout"],
            largest_gap=largest_gap,
        )

    settings = Settings(
        reasoner,
        input=options["input_"],
        reading=reading,
        output=options["output"],
        emission=Emission(options["delta"], options["models"] != 1),
        every=options["emit"],
        rejects=options["rejects"],
        is_strict=options["strict_input"],
        is_followed=options["follow"],
        is_by_clock=options["clock"] == "wall",
        start=options["start"],
        until=options["until"],
        lateness=reading.timeline.ticks(options["lateness"]),
        checkpoint=options["checkpoint"],
        pace=options["pace"],
        view=", ".join(Path(name).name for name in options["program"]) if options["view"] else None,
        statistics=options["stats"],
        statistics_file=options["stats_json"],
        can_be_stuck=options["tick_timeout"] is not None,
        program_options=_program_options_of(plan, options),
    )
    if has_password(settings.input):
        click.echo(
            "warning: all users of this machine can see the password in --input in the list of processes: "
            f"write user@ alone, and give it by ?password-file=FILE or the environment variable {PASSWORD}",
            err=True,
        )
    return Job(settings, _status, _reported).run()


def _program_options_of(plan: Plan, options: dict[str, Any]) -> dict[str, str]:
    """What the program is and how it is run, as text, by the names of options."""
    constants = ", ".join(f"{name}={value}" for name, value in sorted(options["constants"]))
    return {
        PROGRAM: of_program(plan),
        FUNCTIONS: of_files(options["modules"]),
        "-c": constants or NOT_GIVEN,
        "--semantics or #semantics": str(plan.semantics),
        "--complete-windows": "given" if options["complete_windows"] else NOT_GIVEN,
        "--models": str(options["models"]),
        "--largest-gap": options["largest_gap"] or NOT_GIVEN,
        "--consequences": options["consequences"] or NOT_GIVEN,
    }


def _status(rejects: Rejects) -> int:
    """The exit status, and a word on what was rejected."""
    if rejects.count:
        click.echo(f"{rejects.count} record{'s were' if rejects.count > 1 else ' was'} rejected", err=True)
    return RECORDS_REJECTED if rejects.count else DONE
