"""The command `lars2asp run`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.compiler import CheckedProgram, compile_plan
from lars2asp.planning.plan import Plan
from lars2asp.planning.translation import identity_of
from lars2asp.runtime.charts.chart import check_chart_file
from lars2asp.runtime.command_line.comparison import check_comparison, compare, compare_options
from lars2asp.runtime.command_line.config_file import config_option
from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED, reported
from lars2asp.runtime.command_line.grouped_command import GroupedCommand
from lars2asp.runtime.command_line.input_options import (
    find_origin,
    inputs_option,
    lateness_of,
    reading_of,
    reading_options,
    tick_of,
)
from lars2asp.runtime.command_line.json_log import json_log
from lars2asp.runtime.command_line.options import (
    EMIT,
    HEADER,
    IDLE,
    INTERVAL,
    SECONDS,
    SIZE,
    TICK,
    choice,
    number_from,
    quiet_option,
)
from lars2asp.runtime.command_line.program_options import (
    checked_of,
    context_of,
    plan_of_checked,
    program_options,
)
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.evaluators.protocol import Consequences
from lars2asp.runtime.feeds.addresses import PASSWORD, has_password
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.given_ticks import given_ticks
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.command.command_run import CommandRun
from lars2asp.runtime.runs.command.outputs import is_folder, with_spreadsheet
from lars2asp.runtime.runs.command.run_end import RunEnd
from lars2asp.runtime.runs.command.run_settings import (
    CONSTANTS,
    FOREIGN_OPTIONS,
    FUNCTIONS,
    NOT_GIVEN,
    PROGRAM,
    RENAMED_OPTIONS,
    TABLE,
    RunSettings,
    are_live,
)
from lars2asp.runtime.runs.early_run import why_not_early
from lars2asp.runtime.runs.states.state_keeping import CHECKPOINT_SECONDS, CHECKPOINT_TICKS
from lars2asp.runtime.runs.table_rows import TableRows
from lars2asp.runtime.sinks.columns import AnswerTable, answer_tables
from lars2asp.runtime.sinks.delivery.addresses import MESSAGES, destination_of
from lars2asp.runtime.sinks.delivery.delivering import Retries
from lars2asp.runtime.sinks.delivery.post_bodies import BodyTemplate, names_why
from lars2asp.runtime.sinks.delivery.posting import DeadLetters, Posting
from lars2asp.runtime.sinks.emission import Emission, OutputFormat, output_format_of
from lars2asp.runtime.sinks.quad_lines import QuadForm
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.rejects import Rejects
from lars2asp.runtime.sources.text.folder_files import fits, folder_of, is_pattern
from lars2asp.runtime.sources.text.sheet_names import path_in
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import Function, ShowTerm
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.sheet_addresses import SheetAddress
from lars2asp.syntax.source import shown

if TYPE_CHECKING:
    from lars2asp.runtime.live_page.page_settings import LivePageSettings

# What a live page needs is imported where it is used: most runs start sooner without.
# ruff: noqa: PLC0415

_AS_THEY_ARE = (
    *("inputs", "output", "every", "rejects", "is_strict", "is_followed", "idle", "checkpoint", "takes_over"),
    *("history", "checkpoint_interval", "statistics", "statistics_file", "chart_file", "is_quiet"),
)
"""The options that are settings of a run."""

MOST_SHOWN = 200
"""The number of characters of a list of predicates in a message."""

_SERVE = {"token_file": "serve-token-file", "page_ticks": "serve-ticks"}

_OF_POSTS = {
    **{"headers": "--output-header", "secret_file": "--output-secret-file", "body": "--output-body"},
    "dead_letters": "--dead-letters",
}
"""The options for POSTs, as messages name them."""

_OF_MESSAGES = ("body", "dead_letters")
"""Those that go with messages of brokers as well."""

_OF_A_SESSION = (*("models", "consequences", "context", "evaluator", "clingo", "tick_timeout"),)
"""The options that are those of a reasoner."""


_NOT_EARLY = {
    **{"clock": "--clock wall", "every": "--emit N", "models": "--models"},
    **{"view": "--view", "chart_file": "--chart", "page": "--serve"},
    **{"statistics": "--stats", "statistics_file": "--stats-json"},
}
"""The options that do not go with --early, as messages name them."""

_GROUPS = {
    "Program": "--dialect --config -c --only --tick --semantics --no-scripts --functions",
    "Input": "--input --follow --format --map --delimiter --encoding --missing --largest-record --rejects "
    "--strict-input",
    "Time": "--clock --start --until --time-unit --origin --timezone --time-format --year --lateness "
    "--early --idle --largest-gap --ahead",
    "Output": "--output --output-format --emit --changes --intervals --times --models --consequences",
    "Output to others": "--output-header --output-secret-file --output-body --retry-for --dead-letters",
    "Evaluation": "--evaluator --clingo --complete-windows --tick-timeout --largest-interval",
    "Comparing": "--compare --compare-c --compare-why --from --to",
    "Long runs": "--checkpoint --changed-program --history --checkpoint-every --memory-limit --drain",
    "Looking": "--view --chart --serve --serve-token-file --serve-ticks --stats --stats-json --log-format "
    "--quiet",
}


@click.command("run", cls=GroupedCommand, groups=_GROUPS, renamed=RENAMED_OPTIONS, foreign=FOREIGN_OPTIONS)
@config_option
@program_options
@inputs_option(
    "The stream: a file, the files of a folder, a pattern ('logs/*.log') or a zip file, a table of a "
    "database (a.sqlite?table=r), or - for standard input. Given several times, inputs are "
    "merged by time, and of a table those #input count that it has the columns of. "
    "Live: host: (this machine), "
    "tcp:PORT, http:PORT, mqtt://BROKER/TOPIC, mqtts://BROKER/TOPIC, kafka://HOST/TOPIC, "
    "kafkas://HOST/TOPIC, redis://HOST/STREAM, rediss://HOST/STREAM, nats://HOST/SUBJECT, "
    "natss://HOST/SUBJECT, amqp://HOST/VHOST?queue=QUEUE, amqps://HOST/VHOST?queue=QUEUE, "
    "postgres://HOST/DATABASE?table=TABLE&key=COLUMN, ws://SERVER/PATH, wss://SERVER/PATH, "
    "sse+http://SERVER/PATH, sse+https://SERVER/PATH.",
    may_be_live=True,
)
@click.option(
    "--clock",
    type=click.Choice(["data", "wall"]),
    default="data",
    help="What makes ticks pass: the times of the records, or the machine's clock.",
)
@click.option(
    "--follow",
    "is_followed",
    is_flag=True,
    help="Go on reading behind the ends of files that grow, and in folders new files.",
)
@click.option(
    "--idle",
    type=IDLE,
    help="Of several live inputs leave out, until it speaks again, one that says nothing for so long by the "
    "clock, as in '1 min'. Without it all are waited for. Of a folder with --follow, files that do not grow "
    "for so long. [default there: 1 min]",
)
@click.option(
    "--ahead",
    metavar="DURATION",
    help="A live record that is dated later than that after the clock of this machine waits until others "
    "confirm it, as in '1 min'; off: for forecasts. It holds if the first record lies within a day of the "
    "clock. [default: 10 min]",
)
@click.option(
    "--output",
    metavar="FILE",
    default="-",
    help="Where answers go: a file, - for standard output, or for tables of several predicates a folder/. To "
    "others: http://HOST/PATH (POST), tcp:HOST:PORT, mqtt://BROKER/TOPIC, kafka://HOST/TOPIC, "
    "redis://HOST/STREAM, nats://HOST/SUBJECT, "
    "amqp://HOST/VHOST?queue=QUEUE, postgres://HOST/DATABASE?table=TABLE, "
    "smtp://HOST?to=ADDRESS&from=ADDRESS.",
)
@click.option(
    "--output-format",
    type=choice(OutputFormat),
    help="How answers are written: as JSON lines, as tables with a column for each argument, or as N-Quads. "
    "[default: csv, parquet for files named so, nquads for .nq, else jsonl]",
)
@click.option(
    "--intervals",
    is_flag=True,
    help="In tables a row for each interval (begin, end) over which an atom holds, in place of its changes.",
)
@click.option(
    "--times", is_flag=True, help="Write times (ISO 8601, in the zone of the program) beside ticks."
)
@click.option(
    "--emit",
    "every",
    type=EMIT,
    default="change",
    help="Write an answer when it changes, at every tick, when it changes and besides when a hopping or "
    "tumbling window ends, or at every N-th tick (those that N divides).",
)
@click.option(
    "--output-header",
    "headers",
    type=HEADER,
    multiple=True,
    metavar="'NAME: VALUE'",
    help="A header of each POST. {secret} in it is what stands in the file of --output-secret-file.",
)
@click.option(
    "--output-secret-file",
    "secret_file",
    metavar="FILE",
    help="A secret for POSTs; where no header has {secret} it is sent as Authorization: Bearer.",
)
@click.option(
    "--output-body",
    "body",
    metavar="FILE",
    help="A POST, or a message, for each atom that begins, the body of which is this text with {atom}, "
    "{time}, {at}, {why}, {predicate} and its arguments, as in {R}, put in; with {change} one for each that "
    "ends, too. JSON where the name ends with .json.",
)
@click.option(
    "--retry-for",
    type=IDLE,
    help="For how long it is tried to send what is not taken, as in '1 hour'. [default: 5 min]",
)
@click.option(
    "--dead-letters",
    "dead_letters",
    metavar="FILE",
    help="Where POSTs and messages go that are refused, or not taken in time, one JSON object a line; the "
    "run goes on. [default: they end the run]",
)
@click.option("--changes", is_flag=True, help="In JSON lines what began and ended, in place of all atoms.")
@reading_options
@click.option(
    "--early",
    "is_early",
    is_flag=True,
    help="Answer at once, without waiting for late records; these revise what was said within the lateness.",
)
@click.option(
    "--until", type=TICK, metavar="TIME", help="Last tick, or its time. [default: that of the input]"
)
@click.option(
    "--models",
    type=number_from(0),
    default=1,
    help="List so many answer streams a tick (0: all) instead of the atoms of the one followed.",
)
@click.option(
    "--consequences",
    type=choice(Consequences),
    help="Write the atoms that hold in some (brave), in every (cautious) answer stream.",
)
@click.option(
    "--rejects",
    metavar="FILE",
    help="Where records go that are not valid, one JSON object a line. [default: standard error, as text]",
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
    f"[default: {CHECKPOINT_SECONDS:g} sec, or {CHECKPOINT_TICKS} where a program may have several answer "
    "streams]",
)
@click.option(
    "--changed-program",
    "takes_over",
    is_flag=True,
    help="Go on from the checkpoints of a program that has changed since, or has other constants: what "
    "windows hold is kept, and what changed is told.",
)
@click.option(
    "--history",
    multiple=True,
    metavar="FILE",
    help="With --changed-program: a file or folder of recorded input, from which the windows of the changed "
    "program are filled. Given several times, files are merged by time.",
)
@click.option(
    "--tick-timeout",
    type=SECONDS,
    metavar="SECONDS",
    help="How long a tick may take. One that takes longer has no answer, and the run goes on.",
)
@click.option(
    "--memory-limit",
    type=SIZE,
    metavar="SIZE",
    help="End the run in good order, as SIGTERM does, once its process has more memory than this, as in "
    "'2 GB': with --checkpoint it goes on from there when it is started again.",
)
@click.option(
    "--drain/--no-drain",
    "drains",
    default=None,
    help="When the run is asked to end (Ctrl-C, SIGTERM), evaluate the records first that wait for late "
    "ones. [default: so it is, but for --clock wall and --checkpoint, which keeps them]",
)
@click.option("--view", is_flag=True, help="Show on the terminal what holds, brought up to date in place.")
@quiet_option
@click.option(
    "--stats", "statistics", is_flag=True, help="Say on standard error in the end what the run has cost."
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How messages on standard error are written.",
)
@click.option("--stats-json", "statistics_file", metavar="FILE", help="Write that to a file as JSON.")
@click.option(
    "--chart",
    "chart_file",
    metavar="FILE",
    help="Draw what held when: a page to look at (.html), or a picture (.svg, .png).",
)
@click.option(
    "--serve",
    "page",
    metavar="[HOST:]PORT",
    help="Serve a live page of the run: what holds, since when and why. It stays after the end of the input, "
    "until Ctrl-C. Others than this machine can reach it at a HOST, with a token.",
)
@click.option(
    "--serve-token-file", "token_file", metavar="FILE", help="The token that the page asks browsers for."
)
@click.option(
    "--serve-ticks",
    "page_ticks",
    metavar="DURATION",
    help="For how long the page has lanes and explanations: ticks, or as in '10 min'. [default: 10000 ticks]",
)
@compare_options
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
    or a record with fields that an #input declaration in the program names
    or plain lines (--format facts), as in 3: p(a,1), q
    or a CSV with a header (--format csv), live as well, and an #input declaration in the program (or --map).
    """
    if options["log_format"] == "json":
        with json_log():
            return reported(partial(_run, tuning, options))
    return _run(tuning, options)


def _run(tuning: Tuning, options: dict[str, Any]) -> int:
    """Runs, and returns the exit status."""
    check_comparison(options)
    if options["compared"]:
        _check(options)
        return compare(options, tuning)
    settings = settings_of(options, tuning)
    for option, addresses in (("input", settings.inputs), ("output", (settings.output,))):
        shown_to_all = [address for address in addresses if has_password(address)]
        if shown_to_all:
            is_mqtt = any(address.startswith("mqtt") for address in shown_to_all)
            click.echo(
                f"warning: all users of this machine can see the password in --{option} in the list of "
                "processes: write user@ alone, and give it by ?password-file=FILE"
                + (f" or the environment variable {PASSWORD}" if is_mqtt else ""),
                err=True,
            )
    return CommandRun(settings, partial(status_of, options["program"]), reported).run()


def settings_of(options: dict[str, Any], tuning: Tuning) -> RunSettings:
    """The settings that options of `run` describe. Raises UsageError, and what makes the program unusable."""
    options["output"], options["for_spreadsheets"] = with_spreadsheet(options["output"])
    _check(options)
    options["context"] = context_of(options)
    asks_why = options["body"] is not None and names_why(options["body"])
    if asks_why and options["consequences"] is not None:
        raise click.UsageError("{why} explains an answer stream, not --consequences: leave out one of them")
    explains = asks_why or (options["page"] is not None and options["consequences"] is None)
    checked = checked_of(options)
    reads_again = bool(checked.tables) and _reads_again(options)
    plan = plan_of_checked(checked.with_told_tables if reads_again else checked, explained=explains)
    if options["is_early"]:
        _check_early(plan, options)
    reading = reading_of(plan, options)
    for name in ("largest_gap", "ahead"):
        if options[name] is not None and options["clock"] == "wall":
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} is for the times of records: leave out --clock wall")
    first, until = (None, None) if plan.moments is not None else _asked_ticks(reading, options)

    try:
        given_ticks(options["every"], plan)
    except ValueError as error:
        raise click.UsageError(f"--emit windows: {error}") from error
    page = _page_of(plan, reading, options)
    posting = _posting_of(plan, reading, options)
    kept, most = _explained_of(page) if explains else (None, None)

    def session(start: int | None, *, explains: bool = explains) -> Session:
        measured = options["statistics"], options["statistics_file"], options["page"]
        return Session(
            plan,
            start=start,
            **{name: options[name] for name in _OF_A_SESSION},
            statistics=any(measured),
            explain_from=kept if explains else None,
            explain_at_most=most,
            largest_gap=reading.largest_gap,
            tuning=tuning,
        )

    says_lateness = any("lateness" in own for own in reading.own.values())
    is_said = says_lateness or options["lateness"] is not None or plan.lateness is not None
    waits_by_itself = options["clock"] == "wall" and not is_said
    title = ", ".join(Path(name).name for name in options["program"])
    return RunSettings(
        session,
        **{name: options[name] for name in _AS_THEY_ARE},
        reading=reading,
        start=first,
        until=until,
        find_origin=None if plan.moments is None else partial(find_origin, reading, options),
        asked=partial(_asked_ticks, reading, options),
        is_until_time=isinstance(options["until"], str),
        emission=_emission_of(plan, reading, options),
        posting=posting,
        is_by_clock=options["clock"] == "wall",
        lateness=None if waits_by_itself else lateness_of(reading, options["inputs"]),
        is_early=options["is_early"],
        drains=options["clock"] != "wall" if options["drains"] is None else options["drains"],
        view=title if options["view"] else None,
        page=page,
        title=title,
        can_be_stuck=options["tick_timeout"] is not None,
        memory_limit=options["memory_limit"],
        tables=partial(TableRows, plan) if reads_again else None,
        program_options=partial(_program_options_of, plan, checked, options),
        tuning=tuning,
    )


def _asked_ticks(reading: Reading, options: dict[str, Any]) -> tuple[int | None, int | None]:
    """The first and the last tick; None for a time of which a record is to decide which tick it is.

    Raises UsageError, and InputError for what is none.
    """
    late, until = reading.timeline.late, options["until"]
    start = tick_of(reading, options["start"], "--start")
    is_open = late is not None and not late.is_known and isinstance(until, str)
    last = None if is_open else tick_of(reading, until, "--until")
    if start is not None and last is not None and start > last:
        raise click.UsageError("--start lies after --until")
    return start, last


def _reads_again(options: dict[str, Any]) -> bool:
    """Whether tables are read again as their files change: where records come as time goes on."""
    live = {name: options[name] for name in ("is_followed", "inputs")}
    is_live = are_live(**live, is_by_clock=options["clock"] == "wall") or STANDARD in options["inputs"]
    return is_live and not options["is_early"] and options["evaluator"] != EvaluatorName.BLOCKS


def _explained_of(page: "LivePageSettings | None") -> tuple[int, int]:
    """For how many ticks explanations are given, and the most records and ticks that are kept for them."""
    from lars2asp.runtime.live_page.page_settings import KEPT_TICKS, MOST_EXPLAINED

    return (KEPT_TICKS, MOST_EXPLAINED) if page is None else (page.kept, page.most_explained)


def _page_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> "LivePageSettings | None":
    """The live page. Raises UsageError, and InputError."""
    if options["page"] is None:
        for name in ("token_file", "page_ticks"):
            if options[name] is not None:
                raise click.UsageError(f"--{_SERVE[name]} is for a page: add --serve PORT")
        return None
    from lars2asp.runtime.live_page import page_settings

    page_settings.check_packages()
    token = None if options["token_file"] is None else page_settings.token_of(options["token_file"])
    address = page_settings.PageAddress.of(options["page"], token)
    kept, explains = options["page_ticks"], plan.explained is not None
    ticks = page_settings.KEPT_TICKS if kept is None else reading.timeline.ticks(kept)
    return page_settings.LivePageSettings(address, ticks, explains)


def _posting_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> Posting:
    """How answers are sent to others. Raises UsageError, and InputError."""
    seconds = None if options["retry_for"] is None else options["retry_for"] / 1e6
    is_sent = destination_of(options["output"]) is not None
    if seconds is not None and not is_sent:
        raise click.UsageError(
            "--retry-for is for what is sent: name who takes it, as in --output http://..."
        )
    scheme = options["output"].partition(":")[0]
    is_posted, is_message = scheme in ("http", "https"), scheme in MESSAGES
    for name, option in _OF_POSTS.items():
        if options[name] and not is_posted and not (is_message and name in _OF_MESSAGES):
            raise click.UsageError(f"{option} is for POSTs: name who takes them, as in --output http://...")
    body, times = options["body"], None
    if body is not None:
        if (
            options["changes"]
            or options["models"] != 1
            or options["every"] is not None
            or options["is_early"]
        ):
            raise click.UsageError(
                "--output-body makes a POST of each atom that begins: leave out --changes, --emit, --models "
                "and --early"
            )
        times = reading.timeline.text if reading.timeline.tick_length is not None else None
    return Posting(
        options["headers"],
        options["secret_file"],
        None if body is None else BodyTemplate.of(body, [*answer_tables(plan).values()], times),
        Retries() if seconds is None else Retries(total_seconds=seconds),
        None if options["dead_letters"] is None else DeadLetters(options["dead_letters"]),
    )


def _emission_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> Emission:
    """How answers are written. Raises UsageError."""
    timeline = reading.timeline
    if options["times"] and timeline.tick_length is None:
        raise click.UsageError("--times needs the length of a tick: add for instance #tick 1 sec.")
    written = OutputFormat(options["output_format"] or output_format_of(options["output"]))
    emission = Emission(
        options["changes"],
        options["models"] != 1,
        written,
        options["intervals"],
        timeline.text if options["times"] else None,
        str(timeline.zone or "UTC"),
        for_spreadsheets=options["for_spreadsheets"],
    )
    if emission.for_spreadsheets and written is not OutputFormat.CSV:
        raise click.UsageError("?spreadsheet=yes is for tables: add --output-format csv")
    if written is OutputFormat.JSONL:
        if options["intervals"]:
            raise click.UsageError("--intervals are rows of tables: add --output-format csv, or parquet")
        return emission
    if written is OutputFormat.NQUADS:
        return replace(emission, quads=_quads_of(plan, reading, options))
    return replace(emission, tables=_tables_of(plan, written, options))


def _quads_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> QuadForm:
    """How answers are N-Quads. Raises UsageError where what is asked for is none."""
    name = options["output"]
    for option in ("intervals", "times"):
        if options[option]:
            raise click.UsageError(f"--{option} is not for N-Quads, whose graphs have times")
    if options["models"] != 1:
        raise click.UsageError("--models is for JSON lines, not for N-Quads")
    if options["body"] is not None:
        raise click.UsageError("--output-body is for atoms, not for N-Quads: leave out --output-format")
    if name.partition(":")[0] in ("http", "https", "postgres", "smtp", "smtps"):
        raise click.UsageError("what is sent there are JSON lines: N-Quads go by tcp and by brokers")
    if is_folder(name):
        raise click.UsageError("N-Quads go to a file, and not to a folder")
    times = reading.timeline.text if reading.timeline.tick_length is not None else None
    try:
        return QuadForm.of(plan, times, changes=options["changes"])
    except InputError as error:
        raise click.UsageError(str(error)) from error


def _tables_of(plan: Plan, written: OutputFormat, options: dict[str, Any]) -> tuple[AnswerTable, ...]:
    """The tables of the output. Raises UsageError where what is asked for is none."""
    name = options["output"]
    if options["changes"] or options["models"] != 1:
        raise click.UsageError(
            f"--{'changes' if options['changes'] else 'models'} is for JSON lines, not for tables"
        )
    if options["every"] == "windows":
        raise click.UsageError(
            "--emit windows is for JSON lines, as tables have rows for changes: "
            "give the head the number of the block, such as quarter((@now+1)/15,N) over [every 15]"
        )
    if destination_of(name) is not None:
        raise click.UsageError("what is sent to others are JSON lines: leave out --output-format")
    if written is OutputFormat.PARQUET and (name == STANDARD or options["checkpoint"]):
        cure = "write csv with --checkpoint" if options["checkpoint"] else "name a file"
        raise click.UsageError(f"a file of Parquet is whole only at the end of the run: {cure}")
    if any(
        not isinstance(show.term, Function) or not show.term.name for show in plan.program.every(ShowTerm)
    ):
        raise click.UsageError(
            "terms that #show gives and that are no atoms have no columns: write JSON lines"
        )
    tables = tuple(answer_tables(plan).values())
    if not tables:
        raise click.UsageError("the program shows no predicate, so that there is no table")
    if len(tables) > 1 and not is_folder(name):
        predicates = shown(", ".join(str(table.signature) for table in tables), MOST_SHOWN)
        raise click.UsageError(
            f"each predicate has a table of its own, and the output has {predicates}: name a folder, as in "
            f"--output answers/ --output-format {written}, or choose by #show"
        )
    return tables


def status_of(programs: Sequence[str], rejects: Rejects, end: Callable[[Sequence[str]], RunEnd]) -> int:
    """The exit status; prints what became of the records, and how many were rejected."""
    hint = "; --rejects FILE keeps all of them" if rejects.sum_up() else ""
    over = end(programs)
    for line in over.lines:
        click.echo(line, err=True)
    if rejects.count:
        were = "s were" if rejects.count > 1 else " was"
        late = f" ({rejects.late} of them late)" if rejects.late else ""
        click.echo(f"{rejects.count} record{were} rejected{late}{hint}", err=True)
    return RECORDS_REJECTED if rejects.count or over.is_unread else DONE


def _check(options: dict[str, Any]) -> None:
    """Refuses options that do not go together."""
    if options["idle"] is not None and options["clock"] == "wall":
        raise click.UsageError("--idle is for the times of records: leave out --clock wall")
    if options["changes"] and options["models"] != 1:
        raise click.UsageError("--changes goes with one answer stream: leave out --models")
    if options["history"] and not options["takes_over"]:
        raise click.UsageError("--history fills the windows of a changed program: add --changed-program")
    if STANDARD in options["history"]:
        raise click.UsageError("--history may be read twice: give files or folders")
    if options["drains"] and options["checkpoint"]:
        raise click.UsageError("--checkpoint keeps the records that wait: leave out --drain")
    if options["consequences"] and options["models"] != 1:
        raise click.UsageError("--consequences are one set of atoms: leave out --models")
    if options["clingo"]:
        _check_clingo(options["clingo"], options["models"])
    if options["chart_file"] is not None:
        check_chart_file(options["chart_file"])
    _check_files(options)


def _check_early(plan: Plan, options: dict[str, Any]) -> None:
    """Refuses what does not go with answers that are revised."""
    if options["lateness"] is None and plan.lateness is None:
        raise click.UsageError(
            "--early revises what was said within the lateness: say how late records may come, as in "
            "--lateness '1 hour'"
        )
    others = {
        "clock": options["clock"] == "wall",
        "every": options["every"] not in (None, 1, "windows"),
        **{name: options[name] for name in _NOT_EARLY if name not in ("clock", "every", "models")},
        "models": options["models"] != 1,
    }
    given = [option for name, option in _NOT_EARLY.items() if others[name] not in (None, False)]
    if given:
        raise click.UsageError(f"--early does not go with {', '.join(given)}: leave out one or the other")
    reason = why_not_early(plan)
    if reason is not None:
        raise click.UsageError(f"--early {reason}: leave it out")


def _check_clingo(arguments: tuple[str, ...], models: int) -> None:
    """Refuses options of clingo that do not go with the number of models."""
    from lars2asp.runtime.evaluators.clingo.clingo_arguments import clingo_options

    try:
        clingo_options(arguments, models=models)
    except ValueError as error:
        raise click.UsageError(f"--clingo: {error}") from error


def _check_files(options: dict[str, Any]) -> None:
    """Refuses to write over what is read, or twice to one file."""
    read = (*options["program"], *options["modules"], *options["inputs"], *options["history"])
    taken = [Path(path_in(name)).resolve() for name in read if name != STANDARD]
    folders = [path for path in taken if path.is_dir()]
    written = {
        "output": options["output"],
        "rejects": options["rejects"],
        "stats-json": options["statistics_file"],
        "chart": options["chart_file"],
        "dead-letters": options["dead_letters"],
    }
    for option, name in written.items():
        if name is not None and name != STANDARD:
            path = Path(name).resolve()
            if path in taken or path.parent in folders or any(_is_read(path, one) for one in read):
                raise click.UsageError(f"--{option} {name} is another file of this run: choose a new name")
            taken.append(path)


def _is_read(path: Path, pattern: str) -> bool:
    """Whether a file is one that a pattern may fit."""
    is_below = is_pattern(pattern) and path.is_relative_to(Path(folder_of(pattern)).resolve())
    return is_below and fits(str(path), pattern)


def _program_options_of(plan: Plan, checked: CheckedProgram, options: dict[str, Any]) -> dict[str, str]:
    """The program, and the options of its evaluation, as text.

    Tables that are facts of the program stand apart, so that it is said which one has changed.
    """
    tables = () if plan.tables else checked.tables
    identity = identity_of(compile_plan(checked.with_told_tables) if tables else plan)
    constants = ", ".join(f"{name}={value}" for name, value in sorted(options["constants"]))
    return {
        PROGRAM: fingerprint(identity),
        **{
            f"{TABLE}{SheetAddress(one.path, one.sheet)} of #table {one.predicate}": fingerprint(
                sorted(to_text(fact) for fact in checked.program.rules() if fact.location == one.location)
            )
            for one in tables
        },
        FUNCTIONS: fingerprint([Path(name).read_bytes() for name in options["modules"]]),
        CONSTANTS: constants or NOT_GIVEN,
        "--semantics or #semantics": str(plan.semantics),
        "--complete-windows or #complete_windows": "given" if plan.complete_windows else NOT_GIVEN,
        "--models": str(options["models"]),
        "--clingo": " ".join(map(repr, options["clingo"])) or NOT_GIVEN,
        "--largest-gap": options["largest_gap"] or NOT_GIVEN,
        "--largest-interval": NOT_GIVEN
        if plan.largest_interval == LARGEST_INTERVAL
        else str(plan.largest_interval),
        "--consequences": options["consequences"] or NOT_GIVEN,
    }
