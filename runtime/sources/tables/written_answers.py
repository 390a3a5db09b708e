"""Answers that were written are input again: JSON lines, and tables of changes and of intervals."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from lars2asp.analysis.number_forms import NumberForm, NumberForms
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.runtime.sources.records import LARGEST_RECORD, OnReject, Origin, Record, Rejected, of_one
from lars2asp.runtime.sources.tables.row_reader import RowReader, argument_of, string_of
from lars2asp.runtime.sources.tables.table import TableRows, odd_row
from lars2asp.runtime.sources.tables.table_form import Dialect, TableForm
from lars2asp.runtime.sources.text.lines import Read, single
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Column, Input
from lars2asp.syntax.source import shown

_CHANGES = ("began", "ended")


def answers_reader(timeline: Timeline, facts: FactReader, *, is_live: bool) -> Read:
    """Reads JSON lines of answers, one after the other; raises InputError for lines that are none.

    `began` begins and `ended` ends. `atoms` are all that holds, so that the others of the line before end;
    live they are refused, as that line may have come to another process.
    """
    held: dict[str, None] = {}
    timeline = replace(timeline, form=None)  # these times are written in ISO 8601

    def read(line: str, origin: Origin) -> Record:
        nonlocal held
        found = _object(line)
        if "atoms" in found:
            if is_live:
                raise InputError("live answers must be changes: write them with --changes")
            now = dict.fromkeys(_texts(found, "atoms"))
            began, ended = [one for one in now if one not in held], [one for one in held if one not in now]
        elif "began" in found or "ended" in found:
            now, began, ended = held, _texts(found, "began"), _texts(found, "ended")
        else:
            raise InputError(
                'an answer needs "atoms", or "began" and "ended" (earlier "added" and "removed"); '
                "answers with several answer streams cannot be input"
            )
        key = "at" if found.get("at") is not None and timeline.tick_length is not None else "time"
        if key not in found:
            raise InputError("the answer has no time")
        tick = timeline.tick(found[key])
        record = Record(tick, Events((), facts.parse_atoms(began), facts.parse_atoms(ended)), origin)
        held = now
        return record

    return single(read)


def read_table(
    lines: Iterable[str],
    name: str,
    declarations: Sequence[Input],
    timeline: Timeline,
    on_reject: OnReject,
    dialect: Dialect,
    largest_record: int = LARGEST_RECORD,
    decimals: NumberForms | None = None,
    form: TableForm | None = None,
    *,
    intervals: bool,
) -> Iterator[Sequence[Record]]:
    """The records of each row of a table of changes or intervals of one predicate, which `#input` declares.

    The declaration names the columns of the arguments, and says what they are; those of times have the names
    with which they are written. Texts are taken as they are, blanks included. The header is read at once.

    Raises InputError where the declaration or a column is missing.
    """
    form = form or TableForm(delimiter=dialect.delimiter or ",")
    rows = TableRows(lines, name, form, largest_record)
    header = [*rows.first()]
    told = _told(header, name, declarations, timeline, dialect, decimals, intervals=intervals)

    def records() -> Iterator[Sequence[Record]]:
        for row, origin in rows.read(on_reject, several=True):
            if len(row) == len(header):
                yield _records(row, origin, told, on_reject)
            else:
                rows.reject(origin, odd_row(row, len(header)), on_reject)

    return records()


def read_typed_table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    name: str,
    declarations: Sequence[Input],
    timeline: Timeline,
    on_reject: OnReject,
    dialect: Dialect,
    decimals: NumberForms | None = None,
    *,
    intervals: bool,
    number: int,
) -> Iterator[Sequence[Record]]:
    """The same of a file with typed columns, whose rows are given as text, the first with its number."""
    told = _told(header, name, declarations, timeline, dialect, decimals, intervals=intervals)
    return (
        _records(row, Origin(name, line, row), told, on_reject) for line, row in enumerate(rows, start=number)
    )


_Told = Callable[[Sequence[str]], list[tuple[int, Events]]]
"""What a row tells: ticks, and events at them. Raises InputError."""


def _told(
    header: Sequence[str],
    name: str,
    declarations: Sequence[Input],
    timeline: Timeline,
    dialect: Dialect,
    decimals: NumberForms | None,
    *,
    intervals: bool,
) -> _Told:
    """What rows with these columns tell. Raises InputError where the declaration or a column is missing."""
    if len(declarations) != 1:
        raise InputError(f"{name}: declare its columns by one #input, as in #input alarm(R, N).")
    [declaration], kind = declarations, "intervals" if intervals else "changes"
    if declaration.is_numbered:
        raise InputError(f"{name}: rows of {kind} are no records: remove row() and file()")
    if declaration.spread is not None:
        raise InputError(f"{name}: each row of {kind} is one atom: name its columns instead of each K, V")
    has_times = timeline.tick_length is not None
    first, last = ("begin", "end") if intervals else ("time", "change")
    begin = next((one for one in (f"{first}_at", "at") if has_times and one in header), first)
    end = f"{last}_at" if has_times and f"{last}_at" in header else last
    declaration = replace(declaration, time=begin, joined=(), time_format="", other_times=())
    timeline = replace(timeline, form=None)  # these times are written in ISO 8601
    reader = RowReader(declaration, header, name, timeline, dialect, decimals)
    if header.count(end) != 1:
        raise InputError(f"{name}: the column {end!r} is missing: this is no table of {kind}")
    place = header.index(end)

    def told(row: Sequence[str]) -> list[tuple[int, Events]]:
        tick = timeline.tick_of_text(row[reader.time_places[0]])
        atoms = (AtomRows(reader.signature, [_arguments(row, reader)]),)
        written = row[place].strip()
        if not intervals:
            if written not in _CHANGES:
                raise InputError(f"column {end}: '{shown(written)}' must be began or ended")
            return [(tick, Events((), atoms) if written == "began" else Events((), (), atoms))]
        if not written:
            return [(tick, Events((), atoms))]
        over = timeline.tick_of_text(written)
        if over <= tick:
            raise InputError(f"the interval ends at tick {over}, before it begins at {tick}")
        return [(tick, Events(atoms, until=over - 1)), (over, Events())]  # the stream goes up to its end

    return told


def _records(row: Sequence[str], origin: Origin, told: _Told, on_reject: OnReject) -> Sequence[Record]:
    """The records of a row; none where it is rejected."""
    try:
        return of_one([Record(tick, events, origin) for tick, events in told(row)])
    except InputError as error:
        on_reject(Rejected(origin, str(error)))
        return ()


def _arguments(row: Sequence[str], reader: RowReader) -> Row:
    """The arguments of an atom."""

    def argument(places: Sequence[int], column: Column, decimals: NumberForm) -> Any:
        cell = row[places[0]]
        if column.conversion == "text":
            return string_of(cell, column)
        column = replace(column, conversion="") if column.conversion in ("time", "duration") else column
        return argument_of(cell.strip(), column, decimals)

    return tuple(map(argument, reader.places, reader.columns, reader.decimals))


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (RecursionError, ValueError) as error:
        raise InputError(f"broken JSON: {error}") from error
    if not isinstance(found, dict):
        raise InputError('an answer is an object such as {"time": 3, "atoms": ["p(a)"]}')
    return found


def _texts(found: dict[str, Any], key: str) -> list[str]:
    texts = found.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(f'{key} must be a list of atoms in quotes, such as ["p(a)", "q"]')
    return texts
