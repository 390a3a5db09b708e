"""`lars2asp check --input FILE`: what a table, or JSON records, have, and whether a program reads it."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import chain, count, islice
from math import gcd
from pathlib import Path
from shlex import quote
from typing import NamedTuple
from zoneinfo import ZoneInfo

import click

from lars2asp.analysis.declared_time import zone_of
from lars2asp.analysis.time_formats import lacking
from lars2asp.runtime.command_line.exit_status import DONE, RECORDS_REJECTED
from lars2asp.runtime.command_line.input_proof import proof_of
from lars2asp.runtime.command_line.points_in_boxes import ToldTicks, boxes_over_points
from lars2asp.runtime.command_line.unmet_constants import UnmetConstants
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import MissingPackageError
from lars2asp.runtime.merged_facts import MergedFacts, merged_text, miscounted
from lars2asp.runtime.runs.progress_bar import Progress, ProgressBar, file_names, is_to_be_shown
from lars2asp.runtime.sources.account import Accounts
from lars2asp.runtime.sources.arrow.arrow_file import ArrowFile
from lars2asp.runtime.sources.files import input_at
from lars2asp.runtime.sources.input_clock import MANY
from lars2asp.runtime.sources.input_settings import reading_of_input
from lars2asp.runtime.sources.json.json_survey import json_rows
from lars2asp.runtime.sources.merged_input import merged
from lars2asp.runtime.sources.rdf.triple_files import texts_of
from lars2asp.runtime.sources.rdf.triple_survey import triple_proposal
from lars2asp.runtime.sources.reading import Format, Reading, written_text
from lars2asp.runtime.sources.recorded_input import PassedInput
from lars2asp.runtime.sources.records import TIME_ALONE, PassedOver, Record, Rejected, WrongClock
from lars2asp.runtime.sources.survey.column_kinds import EachField
from lars2asp.runtime.sources.survey.table_survey import MOST_BEHIND, Survey, duration_text, survey_of
from lars2asp.runtime.sources.survey.wide_columns import ObjectField
from lars2asp.runtime.sources.tables.folder_columns import folder_columns
from lars2asp.runtime.sources.tables.table import table_rows
from lars2asp.runtime.sources.tables.table_form import SAMPLE, Dialect
from lars2asp.runtime.sources.text.byte_streams import as_utf8, beginning_of
from lars2asp.runtime.sources.text.folder_files import files_at, is_folder
from lars2asp.runtime.sources.text.numbered_lines import FileLines
from lars2asp.runtime.sources.text.sheet_names import sheet_at
from lars2asp.runtime.sources.text.sheet_streams import SheetStream, content_of
from lars2asp.runtime.sources.text.text_files import STANDARD, open_bytes
from lars2asp.runtime.sources.text.zip_files import is_zip, members_of
from lars2asp.runtime.sources.times.timeline import EPOCH_UNITS, Timeline
from lars2asp.syntax.nodes import LARGEST_INTEGER, Program
from lars2asp.syntax.source import LONGEST_NAME, shown, visible
from lars2asp.syntax.string_escapes import escaped, quoted
from lars2asp.syntax.summaries import counted

MOST_ROWS = 1_000_000
"""The number of rows of which a program's reading is looked at."""

MOST_SURVEYED = 20_000
"""The number of rows that decide what is proposed: it is tried on all of them."""

_MOST_REJECTED = 3
_ZONE_LINK = Path("/etc/localtime")


class Proposal(NamedTuple):
    """What is said of files without a program.

    Attributes:
        text: what is in them, as comments, and the declarations that read them.
        is_whole: whether these read all rows that were looked at.
    """

    text: str
    is_whole: bool


class NoProposalError(InputError):
    """You can open a file, but `check` knows no declaration that reads it."""


_Surveyed = tuple[str, Survey, str]
"""A file, its survey, and what is said of how it is written."""


_Found = tuple[Survey, str]
"""A survey, and what is said of how the file is written."""


def proposal(path: str, reading: Reading | None = None) -> str:
    """What is in a table, as comments, and the declarations with which a program can read it.

    JSON records with fields of their own are one as well. Raises InputError for what is none, or cannot be
    read.

    Args:
        path: the file.
        reading: what is known of how it is written: its format, and its dialect.
    """
    return proposals([path], reading or Reading()).text


def proposals(paths: Sequence[str], reading: Reading) -> Proposal:
    """What is in several files, and the declarations with which one program reads them, merged by time.

    The predicate of each has the name of its file. Raises InputError if a file cannot be opened, and if some
    have times and others ticks; NoProposalError if no declaration reads one.
    """
    for path in paths:
        _check_one_file(path)
        reading_of_input(reading, path)
    try:
        return _proposals(paths, reading, _zone())
    except (MissingPackageError, NoProposalError):
        raise
    except InputError as error:
        raise NoProposalError(str(error)) from error


def _proposals(paths: Sequence[str], reading: Reading, zone: str) -> Proposal:
    """The same, of files that can be opened. Raises InputError."""
    if any(reading.format_of(path).is_rdf for path in paths):
        if len(paths) > 1:
            raise InputError(f"{paths[0]}: check reads one file of triples at a time: name one file")
        return _of_triples(paths[0], reading)
    found = [(path, *_survey(path, reading_of_input(reading, path), ZoneInfo(zone))) for path in paths]
    for path, survey, _ in found:
        if survey.form is not None and not survey.form.kinds:
            lines = [f"% {Path(path).name} ({survey.form.name})", *(f"% {one}" for one in survey.said)]
            return Proposal(_program_text(lines), is_whole=False)
    if len(paths) == 1:
        return _proven(found, found[0][1].declarations(zone), reading, zone)
    ticks = [survey.tick for _, survey, _ in found]
    if None in ticks and any(ticks):
        names = paths[ticks.index(None)], paths[next(place for place, one in enumerate(ticks) if one)]
        raise InputError(
            f"{names[0]} contains ticks or no times, but {names[1]} contains timestamps: check each "
            "file by itself"
        )
    lines = list[str]()
    if all(ticks):
        lines.append(f"#tick {duration_text(gcd(*(one for one in ticks if one)))}.")
    predicates: list[str] = []
    for path, *_ in found:
        address = sheet_at(path)
        stem = (address and address.sheet) or Path(path).name.partition(".")[0]
        stem = re.sub(r"\W+", "_", stem.lower(), flags=re.ASCII).strip("_")
        stem = stem if stem[:1].isalpha() and stem != "not" else f"of_{stem}"
        free = chain([stem], (f"{stem}_{number}" for number in count(2)))
        predicates.append(next(name for name in free if name not in predicates))
    declared: list[str] = []
    late: dict[int, str] = {}
    for (_, survey, _), predicate in zip(found, predicates, strict=True):
        taken = [*predicates, *re.findall(r"(?m)^#input (\w+)", "\n".join(declared))]
        for line in survey.declarations(zone, has_tick=True, predicate=predicate, taken=taken):
            if line.startswith("#lateness"):
                late[survey.lateness] = line
            else:
                declared.append(line)
    ordered = [*dict.fromkeys(line for line in declared if line.startswith(("#timezone", "#origin")))]
    lines += [*ordered, *([late[max(late)]] if late else [])]
    lines += [line for line in declared if line not in ordered]
    return _proven(found, lines, reading, zone)


def _proven(found: Sequence[_Surveyed], declared: Sequence[str], reading: Reading, zone: str) -> Proposal:
    """A proposal with what it does with the inputs, and whether that is right."""
    text = _program_text(declared)
    unsorted = [_unsorted(path, survey) for path, survey, _ in found if survey.rows_behind > MOST_BEHIND]
    proof = proof_of(text, [path for path, *_ in found], reading, advises_lateness=not unsorted)
    lines: list[str] = []
    doubts = [*(doubt for _, survey, _ in found for doubt in survey.doubts), *unsorted]
    for (path, survey, said), records in zip(found, proof.records, strict=True):
        lines += _remarks(path, survey, said, zone, records)
    lines += [f"% {line}" for line in (*doubts, *proof.lines)]
    may_lack = all(survey.is_sparse for _, survey, _ in found)
    is_right = proof.is_right and (may_lack or not proof.without_fact) and not doubts
    return Proposal(f"{_program_text(lines)}{text}", is_right)


def _program_text(lines: Iterable[str]) -> str:
    """Comments and declarations, each on one line, whatever names from outside they have."""
    return "".join(f"{escaped(line)}\n" for line in lines)


class _CountedInput(PassedInput):
    """An input of which so many records are looked at, and what came of them is kept.

    Attributes:
        count: the number of records.
        rejected: those that cannot be read.
        unfit: those that no `#input` fits.
    """

    def __init__(self, path: str, reading: Reading) -> None:
        self.count = 0
        self.rejected: list[Rejected] = []
        self.unfit: list[PassedOver] = []
        super().__init__(input_at(path, reading, self._reject), self._counted)

    @property
    def shown_name(self) -> str:
        """Its name as it stands in a message."""
        return shown(self.name, LONGEST_NAME)

    @property
    def is_unread(self) -> bool:
        """Whether some records cannot be read, or no `#input` fits any."""
        return bool(self.rejected) or (bool(self.unfit) and not self.count)

    def _reject(self, rejected: Rejected) -> None:
        if isinstance(rejected, PassedOver):
            self.unfit.append(rejected)
        else:
            self.rejected.append(rejected)

    def _counted(self, records: Iterator[Record]) -> Iterator[Record]:
        for record in islice(records, MOST_ROWS):
            self.count += record.events is not TIME_ALONE
            yield record


def fits(
    paths: tuple[str, ...], reading: Reading, waited: int, program: Program, *, is_quiet: bool = False
) -> int:
    """Says of each input whether it can be read; the exit status.

    Several are merged by time, as runs do it. A bar on the terminal shows how far it is, unless it is to be
    quiet.

    Args:
        paths: the files.
        reading: how it is read.
        waited: the ticks for which late records are waited for.
        program: the program that reads it.
        is_quiet: whether no progress is shown.
    """
    inputs = [_CountedInput(path, reading_of_input(reading, path)) for path in paths]
    first: int | None = None
    latest, late = -1, 0
    equal, told, unmet = MergedFacts(), ToldTicks(), UnmetConstants(program)
    taken = Counter[str]()
    with merged(inputs) as source, ExitStack() as stack:
        if is_to_be_shown(paths, is_quiet=is_quiet):
            stack.enter_context(ProgressBar(file_names(source.name), lambda: Progress(source.share)))
        for record in source.records():
            first = record.tick if first is None else min(first, record.tick)
            late = max(late, latest - record.tick)
            latest = max(latest, record.tick)
            equal.take(record.tick, record.events.facts, record.origin, reading.decimals)
            told.take(record.tick, record.events)
            unmet.take(record.events)
            taken.update({str(atoms.signature) for atoms in record.events.facts})
    for rejected in (one for each in inputs for one in each.rejected[:_MOST_REJECTED]):
        click.echo(visible(str(rejected)), err=True)
    for one in inputs:
        if (left := len(one.rejected) - _MOST_REJECTED) > 0:
            click.echo(
                f"{one.shown_name}: and {left} more that cannot be read: run tells all of them",
                err=True,
            )
    doubt = reading.doubt_of(first or 0)
    if doubt:
        click.echo(doubt, err=True)
    for one in inputs:
        more = "" if one.count < MOST_ROWS else ", and check read no more"
        click.echo(
            f"{one.shown_name}: {counted(one.count, 'record')} can be read, {len(one.rejected)} cannot{more}"
        )
        if one.unfit:
            click.echo(
                f"{one.shown_name}: {counted(len(one.unfit), 'record')} passed over: no #input fits; times "
                f"count; the first: {visible(f'{one.unfit[0].origin}: {one.unfit[0].reason}')}"
            )
        one.count_given()
        account = Accounts(one.accounts).total
        if account.passed_over or account.without_fact:
            click.echo(f"{one.shown_name}: {account.text}")
    if len(inputs) == 1 and inputs[0].count < MOST_ROWS:
        records = Accounts(inputs[0].accounts).total.records - len(inputs[0].rejected)
        for said in _partly_taken(paths[0], reading, taken, records):
            click.echo(said)
    repeated = {str(one): number for one, number in equal.count.items() if number}
    first_equal = {str(one): text for one, text in equal.first.items()}
    if repeated:
        click.echo(visible(merged_text(repeated, first_equal)))
    for said in miscounted(program, repeated, first_equal):
        click.echo(visible(said), err=True)
    for said in (*boxes_over_points(program, told, reading.timeline.tick_length), *unmet.said()):
        click.echo(visible(said), err=True)
    wrong = sum(isinstance(one, WrongClock) for each in inputs for one in each.rejected)
    if MANY * wrong > sum(one.count for one in inputs) + wrong:  # these are out of order, no clock is wrong
        late = _lateness_of(paths, replace(reading, largest_gap=LARGEST_INTEGER))
    if late > waited:
        length = reading.timeline.tick_length
        would = str(late) if length is None else duration_text(late * length)
        click.echo(f"records come late by up to {late} ticks: to wait for them, add #lateness {would}.")
    return RECORDS_REJECTED if late > waited or any(one.is_unread for one in inputs) else DONE


def _partly_taken(path: str, reading: Reading, taken: Mapping[str, int], records: int) -> Iterator[str]:
    """What is said of each declaration that takes some records of a table, and not all, as cells are empty.

    Args:
        path: the table.
        reading: how it is read.
        taken: the number of records of which facts of a predicate came.
        records: the number of all.
    """
    partly = {
        name: one
        for one in reading.declarations
        if not (one.pattern or one.records)
        and 0 < taken.get(name := f"{one.predicate}/{len(one.columns)}", 0) < records
    }
    if not partly or path == STANDARD or is_folder(path) or reading.format_of(path).is_rdf:
        return
    try:
        survey, _ = _survey(path, reading_of_input(reading, path), ZoneInfo(_zone()))
    except InputError:  # it is no table, and no JSON records with fields of their own
        return
    empty = dict(zip(survey.header, survey.empty, strict=False)) if survey.is_whole else {}
    for name, one in partly.items():
        cells = [cell for cell in one.columns if not (cell.is_of_record or cell.otherwise is not None)]
        lacking = [
            f"{count} {'has' if count == 1 else 'have'} no {shown(cell.name)}"
            for cell in cells
            if (count := empty.get(cell.name, 0))
        ]
        if lacking:
            yield f"{name} takes {taken[name]} of {records} records; {', '.join(lacking)}"


def _lateness_of(paths: Iterable[str], reading: Reading) -> int:
    """By how many ticks records of inputs come late at most, if no clock is wrong."""
    inputs = [_CountedInput(path, reading_of_input(reading, path)) for path in paths]
    latest = most = 0
    with merged(inputs) as source:
        for record in source.records():
            most, latest = max(most, latest - record.tick), max(latest, record.tick)
    return most


def _of_triples(path: str, reading: Reading) -> Proposal:
    """What is in a file of triples."""
    texts = texts_of(reading.format_of(path).name_of_rdf, path, reading.largest_record)
    with open_bytes(path) as raw:
        stream = content_of(raw, path)
        written = reading.form_of(beginning_of(stream, SAMPLE), path)
        stream.seek(0)
        lines = [*triple_proposal(Path(path).name, FileLines(written_text(stream, written, path)), texts)]
    return Proposal(_program_text(lines), " not valid" not in " ".join(lines[:2]))


def _check_one_file(path: str) -> None:
    """Raises InputError if a path does not lead to one file, or if it cannot be opened."""
    files: Sequence[str] = (path,)
    if is_folder(path):
        files = [*map(str, files_at(path))]
    elif is_zip(path):
        files = members_of(path)
    if path == STANDARD or is_folder(path) or len(files) != 1:
        one = next((f": name one, such as {quote(each)}" for each in files if each != path), "")
        own = ", ".join(folder_columns(files[0], path)) if files and is_folder(path) else ""
        more = f", and add the columns of the folders ({own}) to its declaration" if own else ""
        raise InputError(f"{path}: check --input reads one file{one}{more}")
    [file] = files
    open_bytes(file).close()


def _survey(path: str, reading: Reading, zone: ZoneInfo) -> _Found:
    """The survey of a file, and what is said of how it is written."""
    if is_zip(path):
        [path] = members_of(path)
    said_form = reading.said_format(path)
    is_own = not reading.format_of(path).is_of_others and sheet_at(path) is None
    if is_own and (found := _form_survey(path, reading, zone, is_table=said_form is Format.CSV)):
        return found
    is_text = is_own and said_form in (None, Format.LOG)
    try:
        found = _table_survey(path, reading, zone)
    except InputError:
        if not is_text:
            raise
        other = _form_survey(path, reading, zone, is_other=True)
        if other is None:
            _refuse_other_text(path, reading)
            raise
        return other
    survey = found[0]
    has_zeros = any("\0" in name for name in (*survey.header, *chain(*survey.different)))
    is_poor = has_zeros or survey.times is None or 10 * survey.odd > survey.rows or survey.times.are_days
    if not (is_text and is_poor):
        return found
    if (other := _form_survey(path, reading, zone, is_other=True)) is not None:
        return other
    if has_zeros or (survey.times is None and sum(map(bool, survey.header)) == 1):
        _refuse_other_text(path, reading)
    return found


def _refuse_other_text(path: str, reading: Reading) -> None:
    """Raises InputError if it is known that a file has no records."""
    from lars2asp.runtime.command_line.log_forms.known_forms import (  # noqa: PLC0415 - it is for surveys
        text_kind,
    )

    if kind := text_kind(_lines(path, reading)):
        raise InputError(f"{path}: {kind}")


def _form_survey(path: str, reading: Reading, zone: ZoneInfo, **kind: bool) -> _Found | None:
    """The survey of lines of a known form; None for others."""
    if reading.said_format(path) not in (None, Format.LOG, Format.CSV):
        return None
    from lars2asp.runtime.command_line.log_forms.known_forms import (  # noqa: PLC0415 - it is for surveys
        form_survey,
        known_form,
    )

    known = known_form(_lines(path, reading), **kind)
    if known is None:
        return None
    return form_survey(path, known, _lines(path, reading), MOST_SURVEYED, zone), known.name


def _table_survey(path: str, reading: Reading, zone: ZoneInfo) -> _Found:
    """The survey of a table, or of JSON records. Raises InputError."""
    missing = reading.dialect.missing
    form = reading.format_of(path)
    if form.has_types:
        file = ArrowFile(path)
        left = [name for name in file.columns if name not in file.with_text]
        said = f"without {', '.join(left)}, which contain no text or numbers" if left else ""
        return survey_of(file.with_text, _filled(file.texts(), missing), MOST_SURVEYED, zone), said
    if form is not Format.CSV:
        found = json_rows(lambda: _records(path, reading), path, MOST_SURVEYED)
        rows = _filled(found.rows, missing)
        survey = survey_of(found.header, rows, MOST_SURVEYED, zone, found.partial)
        is_whole = survey.is_whole and found.is_whole
        return replace(survey, records=found.records, is_whole=is_whole), found.said
    with open_bytes(path) as raw:
        stream = content_of(raw, path)
        written = reading.form_of(beginning_of(stream, SAMPLE), path)
        stream.seek(0)
        lines = FileLines(as_utf8(stream, written.encoding, path))
        header, rows = table_rows(lines, path, written)
        sheet = stream.said if isinstance(stream, SheetStream) else ""
        said = ", ".join(filter(None, (sheet, written.said(Dialect()))))
        missing = written.with_missing(reading.dialect).missing
        return survey_of(header, _filled(rows, missing), MOST_SURVEYED, zone), said


def _filled(rows: Iterable[Sequence[str]], missing: frozenset[str]) -> Iterable[Sequence[str]]:
    """The rows, with empty cells for those that are missing."""
    return ([("" if cell.strip() in missing else cell) for cell in row] for row in rows) if missing else rows


def _records(path: str, reading: Reading) -> Iterator[str]:
    """The records of a file as lines of JSON; those that are not valid are left out."""
    if reading.format_of(path) is not Format.INFLUX:
        yield from _lines(path, reading)
        return
    from lars2asp.runtime.sources.json.influx_lines import InfluxLines  # noqa: PLC0415 - few need it

    read = InfluxLines().json
    for line in _lines(path, reading):
        with suppress(InputError):
            if (record := read(line)) is not None:
                yield record


def _lines(path: str, reading: Reading) -> Iterator[str]:
    """The lines of a file that is not a table."""
    with open_bytes(path) as raw:
        stream = content_of(raw, path)
        written = reading.form_of(beginning_of(stream, SAMPLE), path)
        stream.seek(0)
        yield from FileLines(written_text(stream, written, path))


def _remarks(path: str, survey: Survey, said: str, zone: str, records: int) -> Iterator[str]:
    how = f" ({said})" if said else ""
    extent = f"{survey.rows} rows, all of them"
    if not survey.is_whole:
        extent = f"proposed by the first {survey.rows:,} of {max(records, survey.rows):,} rows, tried on all"
    yield f"% {Path(path).name}{how}: {extent}"
    if survey.form is not None:
        yield from _of_form(survey, zone)
        return
    empty = dict(zip(survey.header, survey.empty, strict=True))
    for kind in survey.own_kinds:
        there = f", in {survey.partial[kind.name]} of the records" if kind.name in survey.partial else ""
        there = ", of each element" if isinstance(kind.name, EachField) else there
        there = there if kind.has_values else ", left out"
        count = empty[kind.name]
        here = f", empty in {count} row{'s' if count > 1 else ''}" if count and not there else ""
        yield f"% {kind.name}: {kind.words}{there}{here}"
        if kind.excluded:
            cells = ", ".join(kind.excluded)
            yield f"% {kind.name}: {cells} seems to mean a missing value: `where` leaves such rows out"
        if kind.is_text and kind.missing:
            cells = ", ".join(map(shown, kind.missing))
            options = " ".join(f"--missing {quote(word)}" for word in kind.missing)
            yield (
                f"% {kind.name}: {cells} seems to say that nothing is there, and is a text as others are: "
                f"{options} (of run and check) makes empty cells of such cells in all columns"
            )
    for one in survey.melted:
        yield from _of_wide(survey, one)
    if survey.times is not None:
        yield from _of_times(survey, zone)
    for one in (*([survey] if survey.has_own_facts else []), *survey.melted):
        yield from _of_pace(one)
    words = dict.fromkeys(word for kind in survey.kinds if not kind.is_text for word in kind.missing)
    if words:
        options = " ".join(f"--missing {quote(word)}" for word in words)
        yield (
            f"% cells {', '.join(words)} seem to mean missing values: `or missing` reads all cells "
            f"without a number as empty, {options} (of run and check) only these"
        )
    for name in survey.doubled:
        yield f"% {name}: several columns have this name: use their positions, as below"
    for name in survey.passed:
        if any(survey.different[survey.header.index(name)]):
            yield f"% {name}: counts the rows and has no name, left out"
    for word in survey.totals:
        yield f"% the last rows contain {shown(word)} instead of the time: `where` leaves them out"
    if survey.odd:
        yield f"% {survey.odd} rows differ from the header in the number of cells: run rejects them"


def _of_wide(survey: Survey, of_things: Survey) -> Iterator[str]:
    """What is said of columns, or of keys of an object, each of which gives a fact."""
    wide = of_things.wide
    assert wide is not None
    things, source = [*wide.things], wide.source
    if isinstance(source, ObjectField):
        told = f"columns {quoted(source)}: objects" if source.names else f"{source}: an object"
        told += "; each gives a fact" if source.names else "; each key gives a fact"
    elif wide.spread is not None:
        empty = sum(survey.empty[survey.header.index(name)] for name in things)
        cells = f", {counted(empty, 'cell')} of them empty" if empty else ""
        told = f"columns {quoted(source)}: {len(things)}{cells}; each gives a fact"
    else:
        columns = ", ".join(wide.things[things[0]])
        told = (
            f"{things[0]} to {things[-1]}: {len(things)} things, each with several columns "
            f"({columns}): one declaration for each, because `each ... of columns` cannot keep these "
            "together"
        )
    yield f"% {told}"
    for kind in of_things.kinds:
        if kind.name == wide.key:
            yield f"% {kind.name}, the name: {kind.words}"
        elif kind.name in wide.parts:
            yield f"% {kind.name}: {kind.words}"


def _of_form(survey: Survey, zone: str) -> Iterator[str]:
    """What is said of lines of a known form."""
    yield from (f"% {one}" for one in survey.said)
    if survey.times is not None:
        yield from _of_times(survey, zone)
    if survey.equal:
        yield (
            f"% {survey.equal} facts repeat another fact of the same tick: record() counts each of "
            "them; remove it to count equal facts once"
        )


def _of_pace(survey: Survey) -> Iterator[str]:
    """What contradicts that rows are readings which hold until the next one."""
    pace = survey.pace
    if pace is not None and pace.odd:
        cells = ", ".join(shown(cell) or '""' for cell in pace.odd[:_MOST_REJECTED])
        number = counted(len(pace.odd), "cell")
        yield f"% {pace.column}: {number} that occur only once cannot be keys of readings: {cells}"
    if pace is not None and pace.at_once:
        whose = "another one" if pace.column is None else f"another row of the same {pace.column}"
        number = counted(pace.at_once, "row")
        yield f"% {number} at the time of {whose}: only the last of them is held"


def _unsorted(path: str, survey: Survey) -> str:
    """What is said of rows that are so far from the order of time that no lateness is proposed."""
    times, name = survey.times, Path(path).name
    assert times is not None
    far = f"some rows are up to {survey.rows_behind:,} rows late, too many to propose #lateness"
    cure = f"sort {name} by {' + '.join(times.columns)}"
    if name.endswith((".jsonl", ".ndjson", ".json")):
        field = f".{times.columns[0]}" if times.columns[0].isidentifier() else f'["{times.columns[0]}"]'
        how = f"'sort_by({field})'" if name.endswith(".json") else f"-c -s 'sort_by({field})[]'"
        cure = f"jq {how} {quote(path)} > sorted-{name}"
    elif name.endswith((".csv", ".tsv", ".txt", ".log")) and survey.is_falling and survey.form is not None:
        cure = f"tac {quote(path)} > sorted-{name}"
    elif name.endswith((".csv", ".tsv", ".txt")) and survey.is_falling:
        cure = f"(head -n 1 {quote(path)}; tail -n +2 {quote(path)} | tac) > sorted-{name}"
    return f"{far}; sort the file first: {cure}"


def _of_times(survey: Survey, zone: str) -> Iterator[str]:
    times = survey.times
    assert times is not None
    name = " + ".join(times.columns)
    form = "ticks" if times.are_ticks else f'times "{times.form}"' if times.form else "times of ISO 8601"
    if times.mixed:
        unit, words = EPOCH_UNITS[times.mixed]
        form += f" and {words} since 1970 (to read both, add --time-unit {unit} to run and check)"
    if not survey.moments:
        yield f"% {name}: {form}, but none can be read"
        return
    least, latest = (_shown(survey, moment, zone) for moment in (min(survey.moments), max(survey.moments)))
    if lacking(times.form):
        yield f"% {name}: {form}, without a year: add --year, or lars2asp uses the last change of the file"
    else:
        yield f"% {name}: {form}, {least} to {latest}"
    if survey.has_unlikely and not any(survey.doubts):
        yield f"% {name}: some times are before 1990 or after 2100"
    if times.others and not times.doubt:
        yield f"% {name}: {' and '.join(times.others)} would also read them: choose the right format"
    if survey.unread:
        yield f"% {name}: {survey.unread} cannot be read: run rejects their rows"
    (usual, longest), whose, pace = survey.gaps, "", survey.pace
    if pace is not None and pace.column is not None:
        usual, longest, whose = pace.apart, pace.longest, f"for each {pace.column} "
    if usual and longest > usual:
        yield f"% {name}: {whose}mostly {_length(survey, usual)} apart, at most {_length(survey, longest)}"
    if survey.wrong_clocks:
        first = min(survey.wrong_clocks)
        were = "1 row has" if len(survey.wrong_clocks) == 1 else f"{len(survey.wrong_clocks)} rows have"
        moment = _shown(survey, survey.moments[first], zone)
        yield f"% {were} times that cannot be right, such as {moment}: run rejects these rows"
    if survey.most_behind:
        most = _length(survey, survey.most_behind)
        yield f"% {survey.late_rows} rows are late, by {most} at most"
    for place in sorted(survey.set_back):
        before, after = (
            _shown(survey, moment, zone)[:19] for moment in survey.moments[place - 1 : place + 1]
        )
        yield (
            f"% the times go back from {before} to {after}, as clocks do in autumn: declare their time zone"
        )
    if survey.zone == "UTC":
        yield f"% {name}: a column name or another column shows that these times are in UTC"
    elif times.named_zone:
        yield f"% {name}: a column name or another column shows that these times are in {times.named_zone}"
    elif survey.zone:
        yield f"% these zone names are used in {survey.zone}: if this is wrong, write the right time zone"
    elif survey.needs_zone:
        yield (
            f"% the times lack a time zone: {zone} is the zone of this machine; if it is wrong, write "
            "the right one"
        )


def _length(survey: Survey, length: int) -> str:
    return f"{length} ticks" if survey.tick is None else duration_text(length)


def _shown(survey: Survey, moment: int, zone: str) -> str:
    if survey.tick is None:
        return str(moment)
    return Timeline(1).moment(moment).astimezone(ZoneInfo(zone)).isoformat(sep=" ")


def _zone() -> str:
    """The zone of this machine, UTC where it is not known."""
    link = str(_ZONE_LINK.resolve()) if _ZONE_LINK.exists() else ""
    for name in (os.environ.get("TZ", ""), link.partition("zoneinfo/")[2]):
        if name and zone_of(name) is not None:
            return "UTC" if name in ("Etc/UTC", "UCT", "Zulu") else name
    return "UTC"
