"""From the rows of a DataFrame to records: timed atoms, lines of text, or columns that `#input` declares."""

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.reading import Format, Reading, with_first_units
from lars2asp.runtime.sources.tables.wanted_columns import with_names
from lars2asp.runtime.sources.text.lines import Read
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.added_records import add_records
from lars2asp.runtime.spark.carrier.cells import cells
from lars2asp.runtime.spark.carrier.object_rows import ObjectRows, reads_objects
from lars2asp.runtime.spark.carrier.table_files import CONTENT, PATH, TableFiles
from lars2asp.runtime.spark.carrier.table_rows import SparkTableRows
from lars2asp.runtime.spark.carrier.timed_atoms import ATOM, CHANGE, TIME, UNTIL, TimedAtoms
from lars2asp.runtime.spark.spark_settings import RowForm
from lars2asp.syntax.column_places import has_column
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

VALUE = "value"


def rows_reader(
    columns: Sequence[str],
    declarations: Sequence[Input],
    timeline: Timeline,
    form: RowForm | None = None,
    facts: FactReader = PLAIN,
) -> "RowsReader":
    """The reader for a DataFrame with these columns; in the form that fits them, unless one is given.

    It reads those columns that it needs.

    Raises InputError where none fits.
    """
    form = form or _form_of(columns, declarations)
    declarations = with_first_units(declarations, are_open=False)  # which row is the first is not known
    match form:
        case RowForm.ATOMS:
            _check(columns, (TIME, ATOM), form)
            named = tuple(one for one in (TIME, ATOM, CHANGE, UNTIL) if has_column(one, columns))
            return TimedAtoms(named, timeline, facts)
        case RowForm.TABLE:
            if not declarations:
                raise InputError("the program does not declare how rows become facts: add #input")
            _check_records(declarations)
            found = tuple(with_names(one, columns, "the rows") for one in declarations)
            if any(map(reads_objects, found)):
                return ObjectRows(tuple(columns), found, timeline, facts.decimals).needing(columns)
            table = SparkTableRows(tuple(columns), found, timeline, facts.decimals)
            return replace(table, columns=tuple(name for name in columns if name in table.needed))
        case RowForm.FILES:
            _check(columns, (PATH,), form)
            if not declarations:
                raise InputError(
                    "the program does not declare how the rows of tables become facts: add #input"
                )
            _check_records(declarations)
            parts = tuple(name for name in (PATH, CONTENT) if has_column(name, columns))
            return TableFiles(parts, timeline, tuple(declarations), facts)
        case _:
            _check(columns, (VALUE,), form)
            if form is not RowForm.FACTS:
                _check_records(declarations)
            reading = Reading(Format(form.value), declarations=declarations)
            if form is RowForm.JSONL and reading.of_lines and not reading.of_fields:
                form = RowForm.LOG
            return LineRows((VALUE,), timeline, Format(form.value), facts, tuple(declarations))


def _check_records(declarations: Sequence[Input]) -> None:
    """Raises InputError where facts are to have the number of a line, or the name of its file."""
    for one in declarations:
        for column in one.columns:
            if column.is_of_record and column.conversion != "record":
                cure = "record() or " if column.name == "row" else ""
                raise InputError(
                    f"{column.location}: on Spark rows come without a line and a file, so {column.name}() "
                    f"is unknown: use {cure}a column such as an id"
                )


def _form_of(columns: Sequence[str], declarations: Sequence[Input]) -> RowForm:
    if has_column(TIME, columns) and has_column(ATOM, columns):
        return RowForm.ATOMS
    if has_column(VALUE, columns) and any(one.pattern for one in declarations):
        return RowForm.LOG
    if declarations:
        return RowForm.TABLE
    if has_column(VALUE, columns):
        return RowForm.JSONL
    raise InputError(
        f"the program does not declare how rows with the columns {shown(', '.join(columns))} become "
        "facts: add #input p(column,...) at column. Without #input, rows need the columns `time` and "
        "`atom`, or JSON lines in `value`"
    )


def _check(columns: Sequence[str], needed: Sequence[str], form: RowForm) -> None:
    missing = [column for column in needed if not has_column(column, columns)]
    if missing:
        raise InputError(f"rows of the form {form} need the column {missing[0]}")


@dataclass(frozen=True)
class LineRows:
    """Rows with a line of text each."""

    columns: tuple[str, ...]
    timeline: Timeline
    form: Format
    facts: FactReader = PLAIN
    declarations: tuple[Input, ...] = ()

    def __post_init__(self) -> None:
        self._reader()

    def _reader(self) -> tuple[Read, str | None]:
        """What reads a line, and the comment sign. Raises InputError where nothing declares how."""
        form, facts = self.form, self.facts
        reading = Reading(
            form, self.timeline, self.declarations, decimals=facts.decimals, required=facts.required
        )
        return reading.line_reader(form)

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds the records of the lines; blank lines and comments are skipped."""
        read, comment = self._reader()
        how = self.declarations, self.facts.decimals, comment
        add_records(cells(batch.column(0)), read, router, *how, takes_bytes=self.form is Format.LOG)


RowsReader = TimedAtoms | SparkTableRows | ObjectRows | TableFiles | LineRows
"""Reads rows that have its `columns`, in this order, with times on its `timeline`."""
