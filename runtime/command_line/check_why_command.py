"""The command `lars2asp check-why`."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from lars2asp.checking.why_checker import check_explanation
from lars2asp.compiler import compile_plan
from lars2asp.definition.stream import Arrival
from lars2asp.externals.terms.terms import Row, turns_of
from lars2asp.externals.terms.text import atom_text
from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.input_options import (
    find_origin,
    lateness_of,
    reading_of,
    stops_at_rejects,
    tick_of,
)
from lars2asp.runtime.command_line.moved_files import other_origin, renamed
from lars2asp.runtime.command_line.program_options import checked_of, context_of, program_argument
from lars2asp.runtime.command_line.setting_options import setting_options
from lars2asp.runtime.command_line.settings_command import SettingsCommand
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.reasoning.user_functions import user_functions
from lars2asp.runtime.runs.processes.stop import prompt_end
from lars2asp.runtime.sources.merged_input import open_inputs
from lars2asp.runtime.sources.records import Record, by_moments, on_timeline
from lars2asp.runtime.sources.rejects import Rejects
from lars2asp.runtime.sources.reordering import Reordering
from lars2asp.runtime.sources.times.late_origin import with_own_moments
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.source import visible


@click.command("check-why", cls=SettingsCommand)
@program_argument
@click.argument("explanation", type=click.Path(dir_okay=False))
@setting_options("check-why")
@click.pass_obj
@prompt_end()
def check_why_command(_: object, /, **options: Any) -> int:
    """Check an EXPLANATION: a file from `lars2asp why --output-format json`.

    Independent code evaluates the program and the stream again. lars2asp names each wrong claim, and exits
    with 1 if there is one.
    """
    options["context"] = context_of(options)
    explanation = _read(options["explanation"], options["program"])
    checked = checked_of(options)
    plan = with_own_moments(compile_plan(checked))
    reading = reading_of(plan, options)
    find_origin(reading, options)
    name = ", ".join(options["input"])
    explanation = renamed(explanation, checked.written.sources, name)
    for remark in other_origin(explanation, checked.written.sources, name):
        click.echo(visible(f"{options['explanation']}: warning: {remark}"), err=True)
    rejects = Rejects(stops_at=stops_at_rejects(options))
    start, until = (tick_of(reading, options[one], f"--{one}") for one in ("start", "until"))
    asked = explanation.get("tick")
    if until is not None and isinstance(asked, int) and asked > until:
        raise click.UsageError(
            f"{options['explanation']} is about tick {asked}, after --until {options['until']}: "
            "leave --until out"
        )
    with open_inputs(options["input"], reading, rejects) as source:
        waiting = Reordering(lateness_of(reading, options["input"]), rejects, None, reached=source.reached)
        records = on_timeline(by_moments(waiting.over(source.records())), start or 0, plan.held)
        stream = arrivals(records, plan.held)
    rejects.sum_up()
    if (late := reading.timeline.late) is not None and late.is_known and checked.at_origin is not None:
        checked = checked.at_origin(late.origin.isoformat())
    functions = {name: _over_texts(one) for name, one in user_functions(plan, options["context"]).items()}
    problems = check_explanation(checked.written, stream, explanation, functions)
    for problem in problems or ["it is an explanation"]:
        click.echo(visible(problem))
    return RECORDS_REJECTED if problems else DONE


def arrivals(records: Iterable[Record], held: Collection[Signature] = ()) -> list[Arrival]:
    """What the input tells, in the order in which it does, as the checker takes it.

    Facts of the predicates that are held have no end, unless their records say one.
    """
    found: list[Arrival] = []
    is_open: dict[tuple[Signature, Row], int] = {}
    for record in records:
        tick, (facts, begin, end, until), name = record.tick, record.events, str(record.origin or "")
        if any(signature in held for signature, _ in (*begin, *end)):
            continue  # the run rejects it
        for signature, rows in turns_of(end):
            for row in rows:
                place = is_open.pop((signature, row), None)
                if place is not None:
                    found[place] = found[place]._replace(last=tick - 1)
                    _give_place(found, place)
        for signature, rows in turns_of(begin):
            for row in rows:
                if is_open.setdefault((signature, row), len(found)) == len(found):
                    found.append(Arrival(tick, None, atom_text(signature, row), name))
        for signature, rows in turns_of(facts):
            last = until if until is not None else None if signature in held else tick
            found += [Arrival(tick, last, atom_text(signature, row), name) for row in rows]
    return [one for one in found if one.last is None or one.last >= one.tick]


def _give_place(found: list[Arrival], place: int) -> None:
    """Has the next arrival of an atom at its tick stand where one stood that ended at once."""
    ended = found[place]
    if ended.last is not None and ended.last < ended.tick:
        for later in range(place + 1, len(found)):
            if (found[later].tick, found[later].atom) == (ended.tick, ended.atom):
                found[place], found[later] = found[later], ended
                return


def _read(path: str, programs: Sequence[str]) -> dict[str, Any]:
    """The explanation in a file. Raises InputError."""
    order = "write the file of `lars2asp why --output-format json` last: lars2asp check-why PROGRAM... FILE"
    if not path.endswith(".json") and any(program.endswith(".json") for program in programs):
        raise InputError(f"{path}: this is not an explanation; {order}")
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot read this file: {error}") from error
    except ValueError as error:
        raise InputError(f"{path}: this is not JSON: {error}; {order}") from error
    if not isinstance(found, dict):
        raise InputError(
            f"{path}: is not an explanation: `lars2asp why --output-format json` writes an object"
        )
    return found


def _over_texts(function: Callable[..., Any]) -> Callable[..., list[str]]:
    """A function of the user's over the texts of values."""
    from clingo import parse_term  # noqa: PLC0415 - programs without functions start sooner

    def call(*texts: str) -> list[str]:
        result = function(*map(parse_term, texts))
        return [*map(str, result if isinstance(result, list | tuple) else [result])]

    return call
