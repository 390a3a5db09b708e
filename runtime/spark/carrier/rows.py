"""From the rows of a DataFrame to records: timed atoms, lines of text, or columns that `#input` declares."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import pyarrow as pa

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Origin, Record, Rejected, Unfit
from lars2asp.runtime.sources.tables.wanted_columns import with_names
from lars2asp.runtime.sources.text.lines import line_records
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.cells import NAME, cells
from lars2asp.runtime.spark.carrier.table_rows import SparkTableRows
from lars2asp.runtime.spark.spark_settings import RowForm
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

TIME, ATOM, CHANGE, UNTIL, VALUE = "time", "atom", "change", "until", "value"

NO_FACTS = ("rejected", "unsatisfiable", "satisfiable")
"""Changes in answers of a program that are no input to another one."""

Cells = Sequence[str]


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
    match form:
        case RowForm.ATOMS:
            _check(columns, (TIME, ATOM), form)
            return TimedAtoms(tuple(c for c in (TIME, ATOM, CHANGE, UNTIL) if c in columns), timeline, facts)
        case RowForm.TABLE:
            if not declarations:
                raise InputError("nothing declares how rows become facts: add #input to the program")
            _check_records(declarations)
            named = tuple(with_names(one, columns, "the rows") for one in declarations)
            table = SparkTableRows(tuple(columns), named, timeline, facts.decimals)
            return replace(table, columns=tuple(name for name in columns if name in table.needed))
        case _:
            _check(columns, (VALUE,), form)
            if form is RowForm.JSONL:
                _check_records(declarations)
            return LineRows((VALUE,), timeline, form is RowForm.FACTS, facts, tuple(declarations))


def _check_records(declarations: Sequence[Input]) -> None:
    """Raises InputError where facts are to have the number of a row, or the name of its file."""
    for one in declarations:
        for column in one.columns:
            if column.is_of_record:
                raise InputError(
                    f"{column.location}: on Spark rows have neither numbers nor files, and {column.name}() "
                    "stands for nothing: let a column tell them apart, such as an id"
                )


def _form_of(columns: Sequence[str], declarations: Sequence[Input]) -> RowForm:
    if TIME in columns and ATOM in columns:
        return RowForm.ATOMS
    if VALUE in columns and any(one.pattern for one in declarations):
        return RowForm.JSONL
    if declarations:
        return RowForm.TABLE
    if VALUE in columns:
        return RowForm.JSONL
    raise InputError(
        f"the rows have the columns {shown(', '.join(columns))}: name a time and an atom `time` and `atom`, "
        "have JSON lines in `value`, or declare in the program how rows become facts "
        "(#input p(column,...) at column.)"
    )


def _check(columns: Sequence[str], needed: Sequence[str], form: RowForm) -> None:
    missing = [column for column in needed if column not in columns]
    if missing:
        raise InputError(f"rows of the form {form} need the column {missing[0]}")


@dataclass(frozen=True)
class TimedAtoms:
    """Rows with a time and an atom each."""

    columns: tuple[str, ...]
    timeline: Timeline
    facts: FactReader = PLAIN

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds the atoms of rows to a router; a row without atom only moves time."""
        has_change, has_until = CHANGE in self.columns, UNTIL in self.columns
        tick_of = lru_cache(maxsize=1024)(self.timeline.tick_of_text)
        sign_of = lru_cache(maxsize=1024)(self._sign)
        taken: dict[tuple[int, PacketSign, int | None], list[Cells]] = {}
        for row in zip(*map(cells, batch.columns), strict=True):
            try:
                if has_change and row[2] in NO_FACTS:
                    continue
                tick = tick_of(row[0])
                happens = sign_of(row[2] if has_change else "", row[-1] if has_until else "")
                if row[1]:
                    router.check(tick)
                    taken.setdefault((tick, *happens), []).append(row)
                else:
                    router.reach(tick)
            except InputError as error:
                _reject(row, error, router)
        for (tick, sign, until), here in taken.items():
            self._add(tick, sign, until, here, router)

    def _add(
        self, tick: int, sign: PacketSign, until: int | None, rows: Sequence[Cells], router: Router
    ) -> None:
        """Adds the atoms of rows; those that are none are found by halves."""
        try:
            router.add_atoms(tick, sign, self.facts.parse_atoms([row[1] for row in rows]), until)
        except InputError as error:
            if len(rows) == 1:
                _reject(rows[0], error, router)
                return
            middle = len(rows) // 2
            self._add(tick, sign, until, rows[:middle], router)
            self._add(tick, sign, until, rows[middle:], router)

    def _sign(self, change: str, until: str) -> tuple[PacketSign, int | None]:
        """What happens to the atom of a row, and the last tick of a fact that holds longer than its own."""
        match change:
            case "began" | "ended" if until:
                raise InputError("until is for facts: what began ends when it is told to")
            case "began":
                return PacketSign.BEGIN, None
            case "ended":
                return PacketSign.END, None
            case "":
                return PacketSign.FACT, self.timeline.tick_of_text(until) if until else None
        raise InputError(f"the change '{shown(change)}' is none: an atom `began` or `ended`")


@dataclass(frozen=True)
class LineRows:
    """Rows with a line of text each."""

    columns: tuple[str, ...]
    timeline: Timeline
    has_facts: bool
    facts: FactReader = PLAIN
    declarations: tuple[Input, ...] = ()

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds the records of the lines; blank lines and comments are skipped."""
        has_patterns = any(one.pattern for one in self.declarations)
        form = Format.FACTS if self.has_facts else Format.LOG if has_patterns else Format.JSONL
        reading = Reading(
            form, self.timeline, self.declarations, decimals=self.facts.decimals, required=self.facts.required
        )
        read, comment = reading.line_reader(form)

        def read_checked(text: str, origin: Origin) -> Sequence[Record | Rejected]:
            records = read(text, origin)
            for record in records:
                if isinstance(record, Record):
                    router.check(record.tick)
            return records

        unfit: list[Rejected] = []

        def on_reject(rejected: Rejected) -> None:
            if isinstance(rejected, Unfit):
                unfit.append(rejected)
            else:
                router.reject(rejected)

        for text in cells(batch.column(0)):
            origin = Origin(NAME, 0, text)
            for record in line_records(text, origin, read_checked, on_reject, comment=comment):
                router.add(record)
        if unfit:
            were = "rows were" if len(unfit) > 1 else "row was"
            sys.stderr.write(f"lars2asp: {len(unfit)} {were} passed over, the first: {unfit[0].reason}\n")


RowsReader = TimedAtoms | SparkTableRows | LineRows
"""Reads rows that have its `columns`, in this order, with times on its `timeline`."""


def _reject(row: Cells, error: InputError, router: Router) -> None:
    router.reject(Rejected(Origin(NAME, 0, " ".join(row)), str(error)))
