"""The commands `lars2asp why` and `lars2asp why-not`."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC
from enum import StrEnum
from typing import Any

import click

from lars2asp.planning.plan import Plan
from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.input_options import (
    largest_gap_of,
    lateness_of,
    reading_of,
    reading_options,
    tick_of,
)
from lars2asp.runtime.command_line.options import choice, together
from lars2asp.runtime.command_line.program_options import context_of, plan_of, program_options
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.explanations.explanation import Explanation
from lars2asp.runtime.explanations.question import parsed_atom
from lars2asp.runtime.reasoner import Reasoner
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.runtime.sources.rejects import Rejects
from lars2asp.runtime.sources.text_files import STANDARD
from lars2asp.runtime.sources.timeline import Timeline
from lars2asp.runtime.tuning import Tuning
from lars2asp.syntax.nodes import LARGEST_INTEGER


class Form(StrEnum):
    """How an explanation is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


question_options = together(
    program_options,
    click.argument("atom"),
    click.option(
        "--input",
        "input",
        metavar="FILE",
        default=STANDARD,
        help="The stream: a file, the files of a folder, or - for standard input.",
    ),
    click.option(
        "--at",
        "at",
        metavar="TICK|TIMESTAMP",
        help="The tick that is asked about. [default: the last one of the input]",
    ),
    click.option("--depth", type=click.IntRange(1), help="How many rules stand upon one another, at most."),
    click.option("--as", "form", type=choice(Form), default="text", help="How the explanation is written."),
    reading_options,
)


@click.command("why")
@question_options
@click.pass_obj
def why_command(tuning: Tuning, /, **options: Any) -> int:
    """Say why an ATOM holds at a tick, from the rules down to the records of the input.

    An atom with variables, such as 'alarm(X)', stands for all that match it and hold. Of one that does not
    hold it says why not. The stream is read as `lars2asp run` reads it, up to the tick.
    """
    return _explained(options, tuning)


@click.command("why-not")
@question_options
@click.pass_obj
def why_not_command(tuning: Tuning, /, **options: Any) -> int:
    """Say why an ATOM does not hold at a tick: of each rule for it what fails, and why.

    Of one that holds it says why. The stream is read as `lars2asp run` reads it, up to the tick.
    """
    return _explained(options, tuning)


def _explained(options: dict[str, Any], tuning: Tuning) -> int:
    """Explains, and writes the explanation."""
    parsed_atom(options["atom"])  # before the stream is read
    options["context"] = context_of(options)
    plan = plan_of(options, explained=True)
    reading = reading_of(plan, options)
    rejects = Rejects(is_strict=options["is_strict"])
    explanation = _explanation(plan, reading, rejects, options, tuning)
    match Form(options["form"]):
        case Form.TEXT:
            click.echo(explanation.to_text(options["depth"]))
        case Form.JSON:
            click.echo(json.dumps(explanation.to_dict(), ensure_ascii=False))
        case Form.HTML:
            click.echo(explanation.to_html(options["depth"], as_page=True))
    return RECORDS_REJECTED if rejects.count else DONE


def _explanation(
    plan: Plan, reading: Reading, rejects: Rejects, options: dict[str, Any], tuning: Tuning
) -> Explanation:
    """The explanation by what windows look back at; by all there is where it rests on more than that."""
    tick = tick_of(reading.timeline, options["at"])
    found = _after(tick, plan, reading, 0, rejects, options, tuning)
    if found.lacks_history and options["input"] != STANDARD:
        return _after(tick, plan, reading, LARGEST_INTEGER, lambda _: None, options, tuning)
    return found


def _after(
    tick: int | None,
    plan: Plan,
    reading: Reading,
    kept: int,
    on_reject: OnReject,
    options: dict[str, Any],
    tuning: Tuning,
) -> Explanation:
    """The explanation at a tick, by default the last one, with what came at so many ticks before it."""
    reasoner = Reasoner(
        plan,
        start=tick_of(reading.timeline, options["start"]),
        complete_windows=options["complete_windows"],
        context=options["context"],
        evaluator=options["evaluator"],
        largest_gap=largest_gap_of(reading.timeline, options),
        explain_from=kept,
        tuning=tuning,
    )
    records = _Watched(read_file(options["input"], reading, on_reject))
    lateness = lateness_of(plan, reading.timeline, options)
    for _ in reasoner.run(records, until=tick, every=None, lateness=lateness, on_reject=on_reject):
        pass
    name = "standard input" if options["input"] == STANDARD else options["input"]
    if reasoner.now is None:
        if records.first is None:
            raise InputError(f"{name} has no record, so that no tick can be asked about")
        raise InputError(
            f"the first record of {name} is at {_shown(reading.timeline, records.first)}, "
            f"behind {_shown(reading.timeline, tick or 0)}: --at takes timestamps, and --origin says when "
            "tick 0 begins"
        )
    if tick is not None and records.has_ended and records.last is not None and tick > records.last:
        click.echo(f"{name} ends at {_shown(reading.timeline, records.last)}", err=True)
    return reasoner.why(options["atom"], tick, depth=options["depth"], timeline=reading.timeline)


class _Watched:
    """Records, and how far they have been read.

    Attributes:
        first: the tick of the first one.
        last: that of the last one so far.
        has_ended: whether there are no more.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        self._records = records
        self.first: int | None = None
        self.last: int | None = None
        self.has_ended = False

    def __iter__(self) -> Iterator[Record]:
        for record in self._records:
            self.first = record.tick if self.first is None else self.first
            self.last = record.tick
            yield record
        self.has_ended = True


def _shown(timeline: Timeline, tick: int) -> str:
    """A tick, and its time where it has one."""
    if timeline.tick_length is None:
        return f"tick {tick}"
    return f"tick {tick} ({timeline.moment(tick).astimezone(timeline.zone or UTC).isoformat()})"
