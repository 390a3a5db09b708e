"""Which known form the lines of a file have, and what the declarations of the form read in it."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import islice

from lars2asp.analysis.line_patterns import LinePattern
from lars2asp.compiler import compile_program
from lars2asp.runtime.command_line.log_forms.cloud_logs import cloud_logs
from lars2asp.runtime.command_line.log_forms.json_texts import json_texts
from lars2asp.runtime.command_line.log_forms.loggers import loggers
from lars2asp.runtime.command_line.log_forms.metrics import line_protocol, metrics, stored
from lars2asp.runtime.command_line.log_forms.network_logs import network_logs
from lars2asp.runtime.command_line.log_forms.plain_lines import other_text, plain_lines
from lars2asp.runtime.command_line.log_forms.program_logs import csv_logs, logfmt, servers
from lars2asp.runtime.command_line.log_forms.server_logs import server_logs
from lars2asp.runtime.command_line.log_forms.syslog import devices, haproxy, postfix, syslog
from lars2asp.runtime.command_line.log_forms.web_logs import web_logs
from lars2asp.runtime.sources.files import input_at
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import TIME_ALONE
from lars2asp.runtime.sources.survey.line_form import FoundForms, LineForm, LineKind
from lars2asp.runtime.sources.survey.table_survey import Survey
from lars2asp.runtime.sources.survey.time_columns import TableTimes
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.source import Source

KNOWN: tuple[FoundForms, ...] = (
    *(
        web_logs,
        cloud_logs,
        haproxy,
        postfix,
        devices,
        logfmt,
        json_texts,
        metrics,
        stored,
        line_protocol,
        servers,
    ),
    *(network_logs, server_logs, loggers, syslog),
)
"""All of them. The first form counts that the lines have: those of which others are cases come behind."""

TABLES: tuple[FoundForms, ...] = (csv_logs,)
"""Those that are tables."""

FIRST_LINES = 200
"""The number of lines by which a form is chosen."""

_ENOUGH, _OF = 9, 10
_SOME = 3
"""One of so many lines has details."""


def known_form(lines: Iterable[str], *, is_table: bool = False, is_other: bool = False) -> LineForm | None:
    """The form that most of the first lines have; None if it is none of those that are known.

    Only tables count if the name of the file says that it is one. Lines that are no table, and no JSON
    records, may be others that begin with times.
    """
    filled = _filled(lines)
    if not filled or filled[0].lstrip()[:1] == "{":
        return None
    known = TABLES if is_table else (plain_lines,) if is_other else (*TABLES, *KNOWN)
    return next((form for forms in known for form in forms(filled) if _has(form, filled)), None)


def text_kind(lines: Iterable[str]) -> str:
    """What lines are that have no records, and what helps; empty if it is not known."""
    return other_text(_filled(lines))


def form_survey(path: str, form: LineForm, lines: Iterable[str], most: int, zone: tzinfo) -> Survey:
    """What the declarations of a form read in a file, of which so many records are looked at.

    Args:
        path: the file.
        form: its form.
        lines: its lines, of which the first ones tell whether times need a zone.
        most: the number of records.
        zone: that of local times.

    Raises InputError if the file cannot be read.
    """
    if not form.kinds:
        return Survey((), form=form, said=form.said)
    first = _filled(lines)
    first = [line for line in first if form.begins(line)] if form.kinds[0].pattern else first
    reading = reading_of(form.all, zone)
    declared, told = reading.declarations[0], list[tuple[int, int]]()
    survey = Survey((), times=TableTimes(declared.all_times, declared.time_format), form=form, said=form.said)
    survey.has_offset = _fitting(form.all, first, None) == _fitting(form.all, first, zone)
    with input_at(path, reading, lambda _: None, is_quiet=True) as source:
        records = source.records()
        for record in islice(records, most):
            survey.rows += 1
            survey.moments.append(record.tick)
            told += [(record.tick, hash((one.signature, *one.rows))) for one in record.events.facts]
        survey.is_whole = next(records, None) is None
    tick = survey.tick or 1
    survey.equal = len(told) - len({(moment // tick, fact) for moment, fact in told})
    return survey


def _has(form: LineForm, lines: Sequence[str]) -> bool:
    """Whether lines have a form."""
    begun = [line for line in lines if form.begins(line)]
    like = [line for line in begun if form.is_like(line)]
    if not begun or not form.begins(lines[0]) or _OF * len(like) < _ENOUGH * len(begun):
        return False
    if not form.kinds:
        return True
    if form.details and _SOME * _fitting(form.details, like, UTC) < len(begun):
        return False
    read = like if form.kinds[0].pattern else lines
    return _OF * _fitting(form.kinds, read, UTC) >= _ENOUGH * len(begun)


def _filled(lines: Iterable[str]) -> list[str]:
    """The first lines that are not blank, without their ends."""
    first = (line.rstrip("\r\n").removeprefix("\ufeff") for line in islice(lines, FIRST_LINES))
    return [line for line in first if line.strip()]


def _fitting(kinds: Sequence[LineKind], lines: Sequence[str], zone: tzinfo | None) -> int:
    """The number of lines that one of the declarations reads, with a zone or without one."""
    pieces = [LinePattern(kind.pattern).piece if kind.pattern else "" for kind in kinds]
    near = [line for line in lines if any(piece in line for piece in pieces)]
    if _SOME * len(near) < len(lines):
        return 0
    reading = reading_of(kinds, zone, datetime(2000, 1, 1)).marked
    records = reading.records((f"{line}\n" for line in near), "lines", lambda _: None)
    return sum(record.events is not TIME_ALONE for record in records)


def reading_of(kinds: Iterable[LineKind], zone: tzinfo | None, since: datetime | None = None) -> Reading:
    """How lines are read by declarations, with ticks of a microsecond.

    Args:
        kinds: the declarations.
        zone: that of local times; None rejects these.
        since: when times without a year or a date begin; None if the file says it.
    """
    text = "\n".join(line for kind in kinds for line in kind.lines(kind.predicate))
    plan = compile_program(Source("proposal", f"#tick 1 msec.\n{text}"))
    timeline = Timeline(1, zone=zone, dates_from=since)
    how = Format.LOG if plan.inputs[0].pattern else Format.CSV, timeline, plan.inputs
    return Reading(*how, decimals=plan.decimals, required=plan.required, largest_gap=LARGEST_INTEGER)
