"""The commands `lars2asp why` and `lars2asp why-not`."""

import json
import os
import re
import shutil
import sys
from dataclasses import replace
from typing import Any

import click

from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED, reported
from lars2asp.runtime.command_line.input_options import (
    find_origin,
    lateness_of,
    reading_of,
    stops_at_rejects,
    tick_of,
)
from lars2asp.runtime.command_line.missing_atoms import QuestionCommand
from lars2asp.runtime.command_line.near_records import hints_of_later, hints_of_records
from lars2asp.runtime.command_line.program_options import context_of, plan_of, program_argument
from lars2asp.runtime.command_line.setting_options import setting_options, together
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.explanations.past.recollection import recall
from lars2asp.runtime.explanations.words.explanation import Explanation, unknown_atoms
from lars2asp.runtime.explanations.words.explanation_format import ExplanationFormat
from lars2asp.runtime.explanations.words.question import parsed_atom
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.explained_run import ExplainedRun
from lars2asp.runtime.runs.processes.relay import relay
from lars2asp.runtime.runs.processes.stop import Stop, prompt_end
from lars2asp.runtime.runs.progress_bar import is_to_be_shown
from lars2asp.runtime.runs.states.state_keeping import State
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Rejected, by_moments, on_timeline
from lars2asp.runtime.sources.rejects import Rejects
from lars2asp.runtime.sources.reordering import Reordering
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.runtime.tuning import Tuning

_UNLIMITED = 1_000_000
"""The columns of a line that nothing cuts."""

_TIME_OF_DAY = re.compile(r"\d\d:\d\d(:\d\d)?")


question_options = together(program_argument, click.argument("atom"), setting_options("why"))


@click.command("why", cls=QuestionCommand)
@question_options
@click.pass_obj
@prompt_end()
def why_command(tuning: Tuning, /, **options: Any) -> int:
    """Explain why an ATOM holds at a tick, from its rules down to records.

    An atom with variables, such as 'alarm(X)', asks about every match that holds. If none holds, lars2asp
    explains why not. It reads the stream up to the tick, like `lars2asp run`.
    """
    return _explained(options, tuning)


@click.command("why-not", cls=QuestionCommand)
@question_options
@click.pass_obj
@prompt_end()
def why_not_command(tuning: Tuning, /, **options: Any) -> int:
    """Explain why an ATOM does not hold at a tick: where each rule fails.

    If the atom holds, lars2asp explains why. It reads the stream up to the tick, like `lars2asp run`.
    """
    return _explained(options, tuning)


def _explained(options: dict[str, Any], tuning: Tuning) -> int:
    """Explains, and writes the explanation.

    Where a tick may take too long, the run is handed over from process to process, as `lars2asp run` does it.
    """
    if ":" not in options["atom"]:  # else it may have a prefix of the program
        parsed_atom(options["atom"])
    options["context"] = context_of(options)
    plan = plan_of(options, explained=True)
    parsed_atom(options["atom"], plan.program)  # before the stream is read
    reading = reading_of(plan, options)
    find_origin(reading, options)

    def segment(state: State | None) -> int:
        rejects = Rejects(stops_at=stops_at_rejects(options))
        explanation = _explanation(plan, reading, rejects, options, tuning, state)
        rejects.sum_up()
        match ExplanationFormat(options["output_format"]):
            case ExplanationFormat.TEXT:
                click.echo(explanation.to_text(options["depth"], width=_columns()))
            case ExplanationFormat.JSON:
                click.echo(json.dumps(explanation.to_dict(), ensure_ascii=False))
            case ExplanationFormat.HTML:
                click.echo(explanation.to_html(options["depth"], as_page=True))
        return RECORDS_REJECTED if rejects.count else DONE

    if options["tick_timeout"] is None:
        return segment(None)
    stop = Stop(insists=True)
    with stop.watched():
        return relay(segment, None, reported, stop, is_apart=True)


def _columns() -> int:
    """The columns of a line: those of COLUMNS or of the terminal. In a pipe, lines are not cut."""
    is_limited = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return shutil.get_terminal_size().columns if is_limited else _UNLIMITED


def _explanation(
    plan: Plan,
    reading: Reading,
    rejects: Rejects,
    options: dict[str, Any],
    tuning: Tuning,
    state: State | None,
) -> Explanation:
    """The explanation, by as much of the stream as it needs.

    A run keeps what windows look back at. The input is read again where that is not enough: from a place
    further back for what an explanation rests on, and from the beginning, without a run, for the last records
    of some atoms. Standard input is not there a second time: of it all is kept.
    """
    tick = _asked_tick(reading, options)

    def asked(session: Session) -> Explanation:
        text, depth, explanations = (options[name] for name in ("atom", "depth", "explanations"))
        atom = parsed_atom(text, plan.program)
        found = session.explained(atom, tick, depth, explanations, reading.timeline)
        return replace(found, header={**found.header, "input": ", ".join(options["input"])})

    rejected: set[str] = set()
    if state is not None:
        rejected.update(state["rejected"])
        rejects.restore(state["rejects"])

    first_rejected: list[Rejected] = []

    def reject(one: Rejected) -> None:
        rejected.add(str(one.origin))
        if not first_rejected:
            first_rejected.append(one)
        rejects(one)

    run = ExplainedRun(
        plan,
        options["input"],
        reading,
        {
            "functions": options["context"],
            "evaluator": options["evaluator"],
            "clingo": options["clingo"],
            "largest_gap": reading.largest_gap,
            "tick_timeout": options["tick_timeout"],
        },
        tick_of(reading, options["start"], "--start"),
        tuning,
        tick,
        lateness_of(reading, options["input"]),
        is_to_be_shown(options["input"], is_quiet=options["quiet"]),
        options["tick_timeout"] is not None,
        lambda: {"rejects": rejects.state(), "rejected": sorted(rejected)},
    )
    is_read_once = options["input"] == (STANDARD,)
    session = run.run(reject, keeps_all=is_read_once) if state is None else run.resumed(state, reject)
    hints: tuple[str, ...] = ()
    if run.first is None and first_rejected:
        first = first_rejected[0]
        words = f"all records were rejected; the first is {first.origin}: {first.reason}"
        if tick is None:
            raise InputError(f"there is no tick to ask about, because {words}")
        hints = (words,)
    _check_run(run, session)
    found = asked(session)
    if is_read_once:
        return found

    def with_hints(found: Explanation) -> Explanation:
        assert plan.explained is not None  # it was compiled for this
        if found.holds:
            return found
        later = hints_of_later(found, plan.explained.program, run.later)
        near = hints_of_records(found, plan.explained.program, run.inputs, reading)
        return replace(found, hints=(*found.hints, *hints, *later, *near))

    if found.lacks_history:
        for session in run.replays():
            found = asked(session)
            if not found.lacks_history:
                break
    atoms, history = unknown_atoms(found), session.history
    if not atoms or history is None:
        return with_hints(found)
    assert plan.explained is not None  # as above
    start = history.start or 0
    with open_inputs(run.inputs, reading, lambda _: None) as source:
        waiting = Reordering(run.lateness, lambda _: None, reached=source.reached)
        records = (one for one in waiting.over(source.records()) if str(one.origin) not in rejected)
        taken = on_timeline(by_moments(records), start, plan.held)
        recall(history, plan.explained.program, atoms, taken)
    return with_hints(asked(session))


def _check_run(run: ExplainedRun, session: Session) -> None:
    """Raises InputError where no tick can be asked about; says where the input ends before that asked for."""
    name = "standard input" if run.inputs == (STANDARD,) else ", ".join(run.inputs)
    named = run.reading.timeline.named
    if session.now is None:
        if run.first is None:
            raise InputError(f"{name} contains no record, so there is no tick to ask about")
        raise InputError(
            f"the first record of {name} is at tick {named(run.first)}, after tick {named(run.until or 0)}: "
            "ask about a later tick or time with --at, or set --origin, the time of tick 0"
        )
    if run.first is None and run.has_ended:
        cure = "name the input with --input FILE" if run.inputs == (STANDARD,) else "name another input"
        click.echo(f"{name} contains no record: {cure}", err=True)
    if run.until is not None and run.has_ended and run.last is not None and run.until > run.last:
        click.echo(f"{name} ends at tick {named(run.last)}", err=True)


def _asked_tick(reading: Reading, options: dict[str, Any]) -> int | None:
    """The tick that the question is about: that of `--at`, or the last one. Raises InputError, UsageError."""
    tick, until = _tick(reading, options["at"]), tick_of(reading, options["until"], "--until")
    if tick is not None and until is not None and tick > until:
        raise click.UsageError(
            f"--at {options['at']} is after --until {options['until']}: leave --until out, or ask about an "
            "earlier tick"
        )
    return until if tick is None else tick


def _tick(reading: Reading, text: str | None) -> int | None:
    """A tick, or that of a timestamp. Raises InputError."""
    try:
        return tick_of(reading, text)
    except InputError as error:
        if text is None or text.isdecimal():
            raise
        if "lacks a time zone" in str(error):
            raise
        hint = f", such as 2026-01-01T{text}" if _TIME_OF_DAY.fullmatch(text) else ", or the number of a tick"
        raise InputError(f"{error}. --at needs a date and a time{hint}") from error
