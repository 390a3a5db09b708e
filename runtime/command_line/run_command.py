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
from lars2asp.runtime.command_line.comparison import check_comparison, compare
from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED, reported
from lars2asp.runtime.command_line.input_options import (
    find_origin,
    lateness_of,
    reading_of,
    tick_of,
)
from lars2asp.runtime.command_line.json_log import json_log
from lars2asp.runtime.command_line.program_options import (
    checked_of,
    context_of,
    plan_of_checked,
    program_argument,
)
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.connectors.addresses import destination_of, has_password, takes_messages
from lars2asp.runtime.connectors.delivering import Retries
from lars2asp.runtime.connectors.posting import DeadLetters, Posting
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.fingerprints import fingerprint
from lars2asp.runtime.given_ticks import given_ticks
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.command.command_run import CommandRun
from lars2asp.runtime.runs.command.outputs import is_folder, with_spreadsheet
from lars2asp.runtime.runs.command.run_end import RunEnd
from lars2asp.runtime.runs.command.run_settings import (
    CONSTANTS,
    FUNCTIONS,
    NOT_GIVEN,
    PROGRAM,
    TABLE,
    RunSettings,
    are_live,
    label_of,
)
from lars2asp.runtime.runs.early_run import why_not_early
from lars2asp.runtime.runs.table_rows import TableRows
from lars2asp.runtime.settings.table import SETTINGS
from lars2asp.runtime.sinks.columns import AnswerTable, answer_tables
from lars2asp.runtime.sinks.emission import Emission, OutputFormat, output_format_of
from lars2asp.runtime.sinks.post_bodies import BodyTemplate, names_why
from lars2asp.runtime.sinks.quad_lines import QuadForm
from lars2asp.runtime.sources.input_settings import follows
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

_AS_THEY_ARE = {
    **{name: name for name in ("output", "rejects", "checkpoint", "history")},
    **{"inputs": "input", "every": "emit", "is_followed": "follow", "idle": "idle_timeout"},
    **{"takes_over": "changed_program", "checkpoint_interval": "checkpoint_every"},
    **{"statistics": "stats", "statistics_file": "stats_json", "chart_file": "chart", "is_quiet": "quiet"},
}
"""What a run calls the settings that it takes as they are."""

MOST_SHOWN = 200
"""The number of characters of a list of predicates in a message."""

_OF_POSTS = ("output_header", "output_secret_file", "output_body", "dead_letters")
"""The settings of POSTs."""

_OF_MESSAGES = ("output_body", "dead_letters")
"""Those that go with messages of brokers as well."""

_OF_A_SESSION = ("models", "consequences", "evaluator", "clingo", "tick_timeout")
"""The options that are those of a reasoner."""

_NOT_REVISED = ("clock", "emit", "models", "view", "chart", "serve", "stats", "stats_json", "lateness")
"""The settings that do not go with --revise."""


@click.command("run", cls=SettingsCommand)
@program_argument
@setting_options("run")
@click.pass_obj
def run_command(tuning: Tuning, /, **options: Any) -> int:
    """Run a program on a stream and write its answers.

    \b
    The stream is one JSON object a line, in time order:
      {"time": 3, "facts": ["p(a,1)", "q"]}       hold at tick 3
      {"time": 3, "begin": ["on(m)"]}             holds from tick 3 until told otherwise
      {"time": 9, "end": ["on(m)"]}               last held at tick 8
      {"time": 3, "facts": ["p(a)"], "until": 7}  hold from 3 to 7
      {"time": 12}                                no news; the clock is at 12
    or a record with fields that an #input of the program names,
    or plain lines (--input-format facts), as in 3: p(a,1), q
    or a table with a header, and an #input of the program (or --declare).
    """
    if options["log_format"] == "json":
        with json_log():
            return reported(partial(_run, tuning, options))
    return _run(tuning, options)


def _run(tuning: Tuning, options: dict[str, Any]) -> int:
    """Runs, and returns the exit status."""
    if "?" in options["output"]:
        from lars2asp.runtime.command_line.address_settings import take_settings

        options["output"] = take_settings(options, "output", options["output"], "run")
    check_comparison(options)
    if options["compare"]:
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
                + (" or the environment variable LARS2ASP_MQTT_PASSWORD" if is_mqtt else ""),
                err=True,
            )
    return CommandRun(settings, partial(status_of, options["program"]), reported).run()


def settings_of(options: dict[str, Any], tuning: Tuning) -> RunSettings:
    """The settings that options of `run` describe. Raises UsageError, and what makes the program unusable."""
    options["output"], options["for_spreadsheets"] = with_spreadsheet(options["output"])
    _check(options)
    options["context"] = context_of(options)
    asks_why = options["output_body"] is not None and names_why(options["output_body"])
    if asks_why and options["consequences"] is not None:
        raise click.UsageError(
            "{why} explains one answer stream, so it cannot be combined with --consequences: remove one "
            "of them"
        )
    explains = asks_why or (options["serve"] is not None and options["consequences"] is None)
    checked = checked_of(options)
    reads_again = bool(checked.tables) and _reads_again(options)
    plan = plan_of_checked(checked.with_told_tables if reads_again else checked, explained=explains)
    if options["revise"] is not None:
        _check_revise(plan, options)
    reading = reading_of(plan, options)
    for name in ("largest_gap", "ahead"):
        if options[name] is not None and options["clock"] == "wall":
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} needs the times of records: remove --clock wall")
    first, until = (None, None) if plan.moments is not None else _asked_ticks(reading, options)

    try:
        given_ticks(options["emit"], plan)
    except ValueError as error:
        raise click.UsageError(f"--emit windows: {error}") from error
    page = _page_of(plan, reading, options)
    posting = _posting_of(plan, reading, options)
    kept, most = _explained_of(page) if explains else (None, None)

    def session(start: int | None, *, explains: bool = explains) -> Session:
        measured = options["stats"], options["stats_json"], options["serve"]
        return Session(
            plan,
            start=start,
            **{name: options[name] for name in _OF_A_SESSION},
            functions=options["context"],
            stats=any(measured),
            explain_last=kept if explains else None,
            explain_max_records=most,
            largest_gap=reading.largest_gap,
            tuning=tuning,
        )

    says_lateness = any("lateness" in own for own in reading.own.values())
    is_said = says_lateness or options["lateness"] is not None or plan.lateness is not None
    waits_by_itself = options["clock"] == "wall" and not is_said
    title = ", ".join(Path(name).name for name in options["program"])
    return RunSettings(
        session,
        **{name: options[setting] for name, setting in _AS_THEY_ARE.items()},
        is_strict=options["on_reject"] == "stop",
        reading=reading,
        start=first,
        until=until,
        find_origin=None if plan.moments is None else partial(find_origin, reading, options),
        asked=partial(_asked_ticks, reading, options),
        is_until_time=isinstance(options["until"], str),
        emission=_emission_of(plan, reading, options),
        posting=posting,
        is_by_clock=options["clock"] == "wall",
        lateness=None if waits_by_itself else lateness_of(reading, options["input"]),
        is_early=options["revise"] is not None,
        drains=options["clock"] != "wall" if options["drain"] is None else options["drain"],
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
        raise click.UsageError("--start is after --until: swap them")
    return start, last


def _reads_again(options: dict[str, Any]) -> bool:
    """Whether tables are read again as their files change: where records come as time goes on."""
    by_clock = options["clock"] == "wall"
    own = options.get("own_settings", {})
    is_followed = any(follows(own, name, options["follow"]) for name in options["input"])
    is_live = are_live(options["input"], is_followed=is_followed, is_by_clock=by_clock)
    is_live = is_live or STANDARD in options["input"]
    return is_live and options["revise"] is None and options["evaluator"] != EvaluatorName.FLOW


def _explained_of(page: "LivePageSettings | None") -> tuple[int, int]:
    """For how many ticks explanations are given, and the most records and ticks that are kept for them."""
    from lars2asp.runtime.live_page.page_settings import KEPT_TICKS, MOST_EXPLAINED

    return (KEPT_TICKS, MOST_EXPLAINED) if page is None else (page.kept, page.most_explained)


def _page_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> "LivePageSettings | None":
    """The live page. Raises UsageError, and InputError."""
    if options["serve"] is None:
        for name in ("serve_token_file", "explain_last"):
            if options[name] is not None:
                raise click.UsageError(f"{SETTINGS[name].option} needs a page: add --serve PORT")
        return None
    from lars2asp.runtime.live_page import page_settings

    page_settings.check_packages()
    token = (
        None if options["serve_token_file"] is None else page_settings.token_of(options["serve_token_file"])
    )
    address = page_settings.PageAddress.of(options["serve"], token)
    kept, explains = options["explain_last"], plan.explained is not None
    ticks = page_settings.KEPT_TICKS if kept is None else reading.timeline.ticks(kept)
    return page_settings.LivePageSettings(address, ticks, explains)


def _posting_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> Posting:
    """How answers are sent to others. Raises UsageError, and InputError."""
    seconds = None if options["retry_for"] is None else options["retry_for"] / 1e6
    is_sent = destination_of(options["output"]) is not None
    if seconds is not None and not is_sent:
        raise click.UsageError("--retry-for needs a receiver: add one, as in --output http://...")
    scheme = options["output"].partition(":")[0]
    is_posted, is_message = scheme in ("http", "https"), takes_messages(options["output"])
    for name in _OF_POSTS:
        if options[name] and not is_posted and not (is_message and name in _OF_MESSAGES):
            raise click.UsageError(
                f"{SETTINGS[name].option} is for POSTs: add a receiver, as in --output http://..."
            )
    body, times = options["output_body"], None
    if body is not None:
        if (
            options["changes"]
            or options["models"] != 1
            or options["emit"] is not None
            or options["revise"] is not None
        ):
            raise click.UsageError(
                "--output-body sends one POST for each atom that begins: remove --changes, --emit, "
                "--models and --revise"
            )
        times = reading.timeline.text if reading.timeline.tick_length is not None else None
    return Posting(
        options["output_header"],
        options["output_secret_file"],
        None if body is None else BodyTemplate.of(body, [*answer_tables(plan).values()], times),
        Retries() if seconds is None else Retries(total_seconds=seconds),
        None if options["dead_letters"] is None else DeadLetters(options["dead_letters"]),
    )


_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
"""How files end that lars2asp reads, and does not write."""


def _emission_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> Emission:
    """How answers are written. Raises UsageError."""
    timeline = reading.timeline
    if options["times"] and timeline.tick_length is None:
        raise click.UsageError("--times needs a tick length: add for example #tick 1 sec. to the program")
    if not options["output_format"] and Path(options["output"]).suffix.lower() in _WORKBOOKS:
        raise click.UsageError(
            f"--output {options['output']}: lars2asp cannot write workbooks: name a file that ends with .csv"
        )
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
            raise click.UsageError("--intervals writes tables: add --output-format csv, or parquet")
        return emission
    if written is OutputFormat.NQUADS:
        return replace(emission, quads=_quads_of(plan, reading, options))
    return replace(emission, tables=_tables_of(plan, written, options))


def _quads_of(plan: Plan, reading: Reading, options: dict[str, Any]) -> QuadForm:
    """How answers are N-Quads. Raises UsageError where what is asked for is none."""
    name = options["output"]
    for option in ("intervals", "times"):
        if options[option]:
            raise click.UsageError(f"N-Quads contain the times of graphs: remove --{option}")
    if options["models"] != 1:
        raise click.UsageError("N-Quads contain one answer stream: remove --models")
    if options["output_body"] is not None:
        raise click.UsageError("--output-body is for atoms, not for N-Quads: remove --output-format")
    if name.partition(":")[0] in ("http", "https", "postgres", "smtp", "smtps"):
        raise click.UsageError("this receiver accepts JSON lines only: send N-Quads to tcp: or to a broker")
    if is_folder(name):
        raise click.UsageError("N-Quads need one file, not a folder: name a file with --output")
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
            f"--{'changes' if options['changes'] else 'models'} is for JSON lines, not for tables: "
            "remove it, or remove --output-format"
        )
    if options["emit"] == "windows":
        raise click.UsageError(
            "--emit windows is for JSON lines, because tables contain changes: remove it, and add "
            "the number of the block to the head, such as quarter((@now+1)/15,N) over [every 15]"
        )
    if destination_of(name) is not None:
        raise click.UsageError("receivers accept JSON lines only: remove --output-format")
    if written is OutputFormat.PARQUET and (name == STANDARD or options["checkpoint"]):
        cure = "write csv with --checkpoint" if options["checkpoint"] else "name a file"
        raise click.UsageError(f"a Parquet file is complete only at the end of the run: {cure}")
    if any(
        not isinstance(show.term, Function) or not show.term.name for show in plan.program.every(ShowTerm)
    ):
        raise click.UsageError("#show of terms gives no columns: use JSON lines, or show predicates")
    tables = tuple(answer_tables(plan).values())
    if not tables:
        raise click.UsageError(
            "the program shows no predicate, so there is no table: add for example #show alarm/1."
        )
    if len(tables) > 1 and not is_folder(name):
        predicates = shown(", ".join(str(table.signature) for table in tables), MOST_SHOWN)
        raise click.UsageError(
            f"each predicate is a table of its own, and the output contains {predicates}: name a "
            f"folder, as in --output answers/ --output-format {written}, or choose one with #show"
        )
    return tables


def status_of(programs: Sequence[str], rejects: Rejects, end: Callable[[Sequence[str]], RunEnd]) -> int:
    """The exit status; prints what became of the records, and how many were rejected."""
    hint = "; to keep all of them, add --rejects FILE" if rejects.sum_up() else ""
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
    if options["idle_timeout"] is not None and options["clock"] == "wall":
        raise click.UsageError("--idle-timeout needs the times of records: remove --clock wall")
    if options["changes"] and options["models"] != 1:
        raise click.UsageError("--changes needs one answer stream: remove --models")
    if options["history"] and not options["changed_program"]:
        raise click.UsageError("--history fills the windows of a changed program: add --changed-program")
    if STANDARD in options["history"]:
        raise click.UsageError("lars2asp may read --history twice: name files or folders")
    if options["drain"] and options["checkpoint"]:
        raise click.UsageError("--checkpoint stores the waiting records: remove --drain")
    if options["consequences"] and options["models"] != 1:
        raise click.UsageError("--consequences are one set of atoms: remove --models")
    if options["clingo"]:
        _check_clingo(options["clingo"], options["models"])
    if options["chart"] is not None:
        check_chart_file(options["chart"])
    _check_files(options)


def _check_revise(plan: Plan, options: dict[str, Any]) -> None:
    """Refuses what does not go with answers that are revised."""
    are_set = {
        **{name: options[name] for name in _NOT_REVISED},
        "clock": options["clock"] == "wall",
        "emit": options["emit"] not in (None, 1, "windows"),
        "models": options["models"] != 1,
    }
    given = [SETTINGS[name].option for name in _NOT_REVISED if are_set[name] not in (None, False)]
    if given:
        raise click.UsageError(f"--revise cannot be combined with {', '.join(given)}: remove one of them")
    reason = why_not_early(plan)
    if reason is not None:
        raise click.UsageError(f"--revise {reason}: remove --revise")


def _check_clingo(arguments: tuple[str, ...], models: int) -> None:
    """Refuses options of clingo that do not go with the number of models."""
    from lars2asp.runtime.evaluators.clingo.clingo_arguments import clingo_options

    try:
        clingo_options(arguments, models=models)
    except ValueError as error:
        raise click.UsageError(f"--clingo: {error}") from error


def _check_files(options: dict[str, Any]) -> None:
    """Refuses to write over what is read, or twice to one file."""
    read = (*options["program"], *options["functions"], *options["input"], *options["history"])
    taken = [Path(path_in(name)).resolve() for name in read if name != STANDARD]
    folders = [path for path in taken if path.is_dir()]
    written = {
        "output": options["output"],
        "rejects": options["rejects"],
        "stats-json": options["stats_json"],
        "chart": options["chart"],
        "dead-letters": options["dead_letters"],
    }
    for option, name in written.items():
        if name is not None and name != STANDARD:
            path = Path(name).resolve()
            if path in taken or path.parent in folders or any(_is_read(path, one) for one in read):
                raise click.UsageError(
                    f"--{option} {name} is already another file of this run: choose a new name"
                )
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
    constants = ", ".join(f"{name}={value}" for name, value in sorted(options["const"]))
    return {
        PROGRAM: fingerprint(identity),
        **{
            f"{TABLE}{SheetAddress(one.path, one.sheet)} of #table {one.predicate}": fingerprint(
                sorted(to_text(fact) for fact in checked.program.rules() if fact.location == one.location)
            )
            for one in tables
        },
        FUNCTIONS: fingerprint([Path(name).read_bytes() for name in options["functions"]]),
        CONSTANTS: constants or NOT_GIVEN,
        label_of("semantics"): str(plan.semantics),
        label_of("complete_windows"): "given" if plan.complete_windows else NOT_GIVEN,
        label_of("models"): str(options["models"]),
        label_of("clingo"): " ".join(map(repr, options["clingo"])) or NOT_GIVEN,
        label_of("largest_interval"): NOT_GIVEN
        if plan.largest_interval == LARGEST_INTERVAL
        else str(plan.largest_interval),
        label_of("consequences"): options["consequences"] or NOT_GIVEN,
    }
