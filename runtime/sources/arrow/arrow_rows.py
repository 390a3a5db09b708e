"""Rows of Arrow tables become records, as `#input` declares; they are read by columns."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from itertools import groupby
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.number_forms import DurationForm, NumberForm, NumberForms
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.arrow.arrow_columns import (
    ArgumentCells,
    Cells,
    TimeCells,
    check_text,
    plain,
    texts_of,
)
from lars2asp.runtime.sources.facts.atoms import by_predicate
from lars2asp.runtime.sources.fine_ticks import NO_MOMENT, FineTick
from lars2asp.runtime.sources.record_columns import FactColumn, RecordColumns, told_by
from lars2asp.runtime.sources.records import (
    MOST_AT_ONCE,
    NO_FACT,
    PASSED_OVER,
    LeftOut,
    OnReject,
    Origin,
    Origins,
    Record,
    Rejected,
    SharedOrigin,
    of_one,
)
from lars2asp.runtime.sources.row_events import Found, Wrong
from lars2asp.runtime.sources.survey.column_kinds import column_text
from lars2asp.runtime.sources.survey.time_columns import named_time
from lars2asp.runtime.sources.tables.conditions import Outcome
from lars2asp.runtime.sources.tables.row_reader import (
    CellValues,
    FixedValues,
    RecordValues,
    check_has_no_lists,
    condition_cells,
    joined_argument,
    joined_cells,
    numbers_of,
    of_match,
    time_in,
    timeline_of,
    value_timeline,
)
from lars2asp.runtime.sources.tables.wanted_columns import chosen_columns, columns_read
from lars2asp.runtime.sources.tables.written_rows import WrittenRows, WrittenTable
from lars2asp.runtime.sources.times.repeated_hours import MARKED
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.column_places import MatchedName, has_column, place_of, places_of
from lars2asp.syntax.nodes import Column, Condition, Input, Signature
from lars2asp.syntax.source import shown

ROWS_AT_ONCE = 16384
"""The number of rows that are values of Python at a time."""


MOST_DECIMALS = 6
"""The most digits behind the point for which a proposed declaration scales."""


def read_batches(
    batches: Iterable[pa.RecordBatch],
    name: str,
    declarations: Sequence[Input],
    timeline: Timeline,
    on_reject: OnReject,
    decimals: NumberForms | None = None,
    *,
    has_row_each: bool = False,
    in_columns: Callable[[], bool] = lambda: False,
    missing: frozenset[str] = frozenset(),
    number: int = 1,
) -> Iterator[Sequence[Record]]:
    """The records of a table in batches, some at a time: each row gives one fact for each declaration.

    Rows are told by their numbers. A declaration with a missing cell in one of its columns
    gives only the time of that row. A row of which a cell cannot be converted is rejected whole.

    Args:
        batches: the rows, with the columns that `columns_read` gives, or more. Fields of structs are columns
            as well (`sensor.room`).
        name: what the table is called.
        declarations: how rows become facts.
        timeline: how times become ticks.
        on_reject: takes rows that are not valid.
        decimals: how the numbers of predicates are written.
        has_row_each: whether each row is a record; else neighbours with the same ticks are one, for which
            `row_by_row` is the way to reject them.
        in_columns: whether records, one for each row, may be given in columns.
        missing: the texts that are missing values, besides empty ones.
        number: that of the first row.

    Raises:
        InputError: for a column that is not there, or has a type of which no fact or no time can be made.
    """
    known: pa.Schema | None = None
    for batch in batches:
        if known is None or not batch.schema.equals(known):
            known = batch.schema
            readers = declaration_readers(declarations, batch, name, timeline, decimals or {}, missing)
        for first in range(0, batch.num_rows, ROWS_AT_ONCE):
            part = batch.slice(first, ROWS_AT_ONCE)
            rows = TableRows(part, name, number, readers)
            if has_row_each or in_columns():
                yield from rows.each(on_reject, in_columns=in_columns())
            else:
                yield from rows.together(on_reject)
            number += part.num_rows


def declaration_readers(
    declarations: Sequence[Input],
    batch: pa.RecordBatch,
    name: str,
    timeline: Timeline,
    decimals: NumberForms,
    missing: frozenset[str] = frozenset(),
) -> "list[DeclarationReader]":
    """What reads batches with the columns of one; of `each K, V` one for each column. Raises InputError."""
    for one in declarations:
        if one.has_lists:
            check_has_no_lists(one)
    matches = [_matches(one, batch, name) for one in declarations]
    found, shared = list[DeclarationReader](), dict[object, Any]()
    for one, some, first in zip(declarations, matches, numbers_of(declarations, matches), strict=True):
        group: DeclarationReader | None = None
        for number, match in enumerate(some or [_Match()], start=first):
            reader = DeclarationReader(one, timeline, decimals, missing, match, number, group, shared)
            group = group or reader
            found.append(reader)
    return found


class _Match(NamedTuple):
    """A column, or a field of a struct, of which `each K, V` gives a fact.

    Attributes:
        name: that of the column, or of the field; None for none, where nothing gives a fact.
        path: the column, or the path of the field; empty for none.
        missing: the names in the declaration for what no row has.
    """

    name: str | None = None
    path: str = ""
    missing: frozenset[str] = frozenset()


def _matches(declared: Input, batch: pa.RecordBatch, name: str) -> list[_Match] | None:
    """What a declaration with `each K, V` gives facts for; None for another one. Raises InputError."""
    spread = declared.spread
    if spread is None:
        return None
    if spread.is_of_columns:
        chosen = chosen_columns(declared, batch.schema.names, name)
        given = [(batch.schema.names[at], batch.schema.names[at], batch.schema.types[at]) for at in chosen]
    else:
        kind = column_of(batch, spread.source, name, declared).type
        if not (pa.types.is_struct(kind) or pa.types.is_null(kind)):
            raise InputError(
                f"{name}: `each {spread.key}, {spread.value} of {shown(spread.source)}` needs a "
                f"column of structs, but {shown(spread.source)} is of type {shown(str(kind))}"
            )
        fields = [kind.field(place) for place in range(kind.num_fields)]
        given = [(one.name, f"{spread.source}.{one.name}", one.type) for one in fields]
    read = {name for one in declared.all_columns if one.is_cell for name in one.names}
    read = {name for name in read if spread.reads_value(name)}
    if not given:
        return [_Match(None, "", frozenset(read))]
    found = []
    for key, path, kind in given:
        is_struct = pa.types.is_struct(kind)
        lacking = {one for one in read if not _has_field(kind, one.removeprefix(spread.value))}
        found.append(_Match(key, path, frozenset(lacking | ({spread.value} if is_struct else set()))))
    return found


def _has_field(kind: pa.DataType, path: str) -> bool:
    """Whether a type has a field behind a dot; each has what no path leads to."""
    if not path:
        return True
    if not pa.types.is_struct(kind):
        return False
    return _field_in(pa.array([], kind), path[1:]) is not None


class DeclarationReader:
    """A declaration and the readers of its columns; of `each K, V` what reads one of the columns.

    Attributes:
        declared: it, with the names of the columns that are read.
        given: the names that stand for a text, or for nothing, in all rows.
        needed: a column that must be there besides; empty for none.
        within: the column with a struct that must be there; empty for none.
        names: all columns that it reads.
        group: what reads the first of the columns.
        asks_filled: see Input.
        number: the number of its fact among those of a row, from 0.
        arguments: the columns of the arguments, and what reads each.

    Args:
        shared: what reads columns of other declarations, by what these say of them.
    """

    def __init__(
        self,
        declared: Input,
        timeline: Timeline,
        decimals: NumberForms,
        missing: frozenset[str],
        match: _Match,
        number: int,
        group: "DeclarationReader | None",
        shared: dict[object, Any],
    ) -> None:
        self.group = group or self
        self.number = number
        self.asks_filled = declared.asks_filled
        self.given: dict[str, str | None] = {}
        self.needed = self.within = ""
        is_none = False
        if (spread := declared.spread) is not None:
            of = {spread.key: MatchedName.of(f"each {spread.key}", spread.key, spread.key)}
            for name in match.missing:
                of[name] = MatchedName.of(f"each {name}", name, name)
            self.given.update(dict.fromkeys(of.values()))
            self.given[of[spread.key]] = match.name
            is_none = match.name is None
            self.needed = match.path if not declared.spreads_values else ""
            self.within = "" if spread.is_of_columns or is_none else spread.source

            def named(column: Column) -> Column:
                found = replace(column, joined=tuple(of.get(name, name) for name in column.joined))
                found = replace(found, name=of.get(column.name, column.name)) if column.is_cell else column
                return of_match(found, spread, match.path)

            declared = replace(
                declared,
                spread=None,
                columns=tuple(map(named, declared.columns)),
                time=of.get(declared.time, declared.time),
                joined=tuple(of.get(name, name) for name in declared.joined),
                other_times=tuple(
                    one._replace(columns=tuple(of.get(name, name) for name in one.columns))
                    for one in declared.other_times
                ),
                conditions=tuple(replace(one, column=named(one.column)) for one in declared.conditions),
            )
        read = (*columns_read([declared]), self.needed, self.within)
        self.names = [name for name in read if name and name not in self.given]
        self.declared = declared
        self.missing = missing
        self.signature = Signature(declared.predicate, len(declared.columns))
        places = decimals.get(self.signature, (0,) * len(declared.columns))
        times = [
            (one.times, TimeCells(" + ".join(one.times), timeline_of(one, timeline), missing))
            for one in declared.by_time
        ]
        key = (declared.time_texts, *((one.times, one.time_format) for one in declared.by_time))
        are_shared = self.given.keys().isdisjoint(declared.all_times)
        self.times = shared.setdefault(key, times) if are_shared else times
        self.arguments: list[tuple[Column, _Reader]] = []
        for column, digits in zip(declared.columns, places, strict=True):
            cells = _cells_of(column, digits, missing, timeline, number)
            if column.is_cell and self.given.keys().isdisjoint(column.names):
                cells = shared.setdefault((column, digits), cells)
            self.arguments.append((column, cells))
        self.absent = [
            CellValues(column, digits, frozenset(), timeline).absent
            if column.is_cell and not is_none
            else None
            for column, digits in zip(declared.columns, places, strict=True)
        ]
        """What stands in place of missing cells of each column."""
        self.conditions = [ConditionColumn(one, missing, timeline) for one in declared.conditions]


_Reader = ArgumentCells | TimeCells | RecordValues | FixedValues


def _cells_of(
    column: Column, form: NumberForm, missing: frozenset[str], timeline: Timeline, number: int = 0
) -> _Reader:
    """What reads a column, of the fact of a record with this number."""
    if column.is_of_record:
        return RecordValues(form, number if column.name == "record" else 0)
    if column.is_fixed:
        return FixedValues(column, form)
    if column.conversion == "time":
        return TimeCells(" + ".join(column.names), value_timeline(column, timeline), missing)
    return ArgumentCells(column, form, missing)


class ConditionColumn:
    """Reads a column of a condition, batch by batch."""

    def __init__(self, condition: Condition, missing: frozenset[str], timeline: Timeline) -> None:
        self.column = condition.column
        self._cells = condition_cells(condition, missing, timeline)
        form = DurationForm(timeline.tick_length or 1) if self.column.conversion == "duration" else 0
        self._numbers: _Reader | None = None
        if condition.is_number and self.column.conversion in ("time", "duration"):
            self._numbers = _cells_of(self.column, form, missing, timeline)

    def outcomes(self, column: pa.Array) -> tuple[pa.Array, dict[int, str]]:
        """For each row whether the condition holds, null where its cell is wrong; and what is wrong there."""
        outcomes: Sequence[Outcome]
        if isinstance(self._numbers, ArgumentCells | TimeCells):
            found = self._numbers.read(column)
            outcomes = [*map(self._cells.of_number, found.values)]
            places = pa.array(range(len(outcomes)))
            for row, reason in {} if self.column.or_missing else found.wrong.items():
                outcomes[row] = Wrong(f"where: {reason}")
        else:
            has_point = self.column.conversion == "text"
            encoded = plain(column)
            if not pa.types.is_dictionary(encoded.type):
                encoded = encoded.cast(pa.string()) if pa.types.is_null(encoded.type) else encoded
                check_text(encoded.type, self.column.name)
                encoded = encoded.dictionary_encode()
            texts = texts_of(encoded.dictionary, has_point=has_point)
            outcomes = self._cells.of([*texts, None])
            places = encoded.indices.cast(pa.int64()).fill_null(len(texts))
        wrong = {place: one.reason for place, one in enumerate(outcomes) if isinstance(one, Wrong)}
        holds = pa.array([None if isinstance(one, Wrong) else one for one in outcomes], pa.bool_())
        rows = enumerate(places.to_pylist()) if wrong else ()
        return holds.take(places), {row: wrong[place] for row, place in rows if place in wrong}


@dataclass
class Facts:
    """What rows are by one declaration.

    Attributes:
        reader: the declaration.
        times: the ticks of the rows.
        columns: the arguments.
        left: which rows its conditions leave out; None: none of them.
        told: those that give a fact; None: all of them.
    """

    reader: DeclarationReader
    times: Cells[int]
    columns: Sequence[Cells[Any]]
    left: pa.Array | None
    told: pa.Array | None

    @property
    def signature(self) -> Signature:
        """The predicate."""
        return self.reader.signature

    @property
    def ticks(self) -> list[int | None]:
        """The tick of each row."""
        return self.times.values

    @property
    def moments(self) -> list[int] | None:
        """Those of the ticks, see `TextTicks`."""
        return self.times.moments

    def rows(self, first: int, end: int) -> Sequence[Row | None]:
        """The facts of rows from one on and before another."""
        rows = [*zip(*(cells.values[first:end] for cells in self.columns), strict=True)]
        if self.told is None:
            return rows
        told = self.told.slice(first, end - first).to_pylist()
        return [row if is_told else None for row, is_told in zip(rows, told, strict=True)]


class TableRows:
    """Some rows of a table.

    Attributes:
        facts: what they are by each declaration.
        wrong: the rows that are rejected, and why.
    """

    def __init__(
        self, batch: pa.RecordBatch, name: str, number: int, declarations: Sequence[DeclarationReader]
    ) -> None:
        self._name = name
        self._number = number
        self._size = batch.num_rows
        self._batch = batch
        names = dict.fromkeys(name for one in declarations for name in one.names)
        self._columns = {column: column_of(batch, column, name, declarations[0].declared) for column in names}
        times = ((one, name) for one in declarations for name in one.declared.all_times)
        self._times = {name for one, name in times if name not in one.given}
        self._read: dict[int, Cells[Any]] = {}
        """What was read, by what read it."""
        self._missing = declarations[0].missing
        self._written = WrittenTable(self._columns, number)
        self.wrong: dict[int, str] = {}
        self._left: pa.Array | None = None
        """Those that the conditions of all declarations leave out; they are wrong if they have no time."""
        try:
            self.facts = [*map(self._facts_of, declarations)]
        except InputError as error:
            raise InputError(f"{name}: {error}") from error
        left = [one.left for one in self.facts]
        if all(one is not None for one in left):
            self._left = reduce(pc.and_, left)
        self._share_times()

    def _share_times(self) -> None:
        """Declarations that leave out a row have the time of one that does not, or the first one there is."""
        left = [one.left for one in self.facts if one.left is not None]
        if not left:
            return
        is_left = reduce(pc.or_, left)
        if len({id(one.times) for one in self.facts}) == 1:
            there = self.facts[0].times.is_there
            if there is None:
                return
            is_left = pc.and_(is_left, pc.invert(there))
        rows = [row for row, one in enumerate(is_left.to_pylist()) if one]
        masks = {id(one): [] if one.left is None else one.left.to_pylist() for one in self.facts}
        for one in self.facts if rows else ():
            times = one.times
            one.times = Cells([*times.values], times.wrong, times.moments and [*times.moments])
        for row in rows:
            by_use = sorted(self.facts, key=lambda one: bool(masks[id(one)] and masks[id(one)][row]))
            first = next((one for one in by_use if one.ticks[row] is not None), None)
            if first is None:
                self.wrong.setdefault(row, "the conditions after where do not hold")
                continue
            for one in by_use:
                if masks[id(one)] and masks[id(one)][row]:
                    one.ticks[row] = first.ticks[row]
                    if one.moments is not None and first.moments is not None:
                        one.moments[row] = first.moments[row]

    def _left_by(self, one: DeclarationReader) -> tuple[pa.Array | None, pa.Array | None]:
        """The rows that the conditions of a declaration leave out, and those that it takes; None: all.

        Those with wrong cells are rejected.
        """
        if not one.conditions:
            return None, None
        found = []
        for each in one.conditions:
            column = _joined([self._at(one, name) for name in each.column.names], joined_argument)
            found.append(each.outcomes(column))
        holds = reduce(pc.and_kleene, (outcomes for outcomes, _ in found))
        for _, wrong in found:
            for row, reason in wrong.items():
                if not holds[row].is_valid:
                    self.wrong.setdefault(row, reason)
        return pc.invert(holds).fill_null(False), holds.fill_null(False)

    def _at(self, one: DeclarationReader, name: str) -> pa.Array:
        """The column of a name in a declaration."""
        if name not in one.given:
            return self._columns[name]
        text = pa.scalar(one.given[name], pa.string())
        if not one.needed or not text.is_valid:
            return pa.repeat(text, self._size)
        there = _has_values(self._columns[one.needed], one.missing)
        return pc.if_else(there, text, pa.scalar(None, pa.string()))

    def _facts_of(self, one: DeclarationReader) -> Facts:
        times = self._read.get(id(one.times))
        if times is None:  # before times among arguments: the first one may decide when tick 0 begins
            times = self._read[id(one.times)] = self._ticks(one)
        left, taken = self._left_by(one)
        self._reject(times, left)
        read = [self._arguments(one, column, cells, taken) for column, cells in one.arguments]
        read = [_filled(cells, absent) for cells, absent in zip(read, one.absent, strict=True)]
        for cells in read:
            self._reject(cells, left)
        masks = [mask for cells in read if (mask := cells.is_there) is not None]
        if left is not None:
            masks.append(pc.invert(left))
        if one.within:
            masks.append(self._columns[one.within].is_valid())
        if one.asks_filled:
            masks.append(self._given(one))
        return Facts(one, times, read, left, reduce(pc.and_, masks) if masks else None)

    def _reject(self, cells: Cells[Any], left: pa.Array | None) -> None:
        """Rejects the rows in which cells are wrong, if the conditions do not leave them out."""
        for row, reason in cells.wrong.items():
            if left is None or not left[row].as_py():
                self.wrong.setdefault(row, reason)

    def _arguments(
        self, one: DeclarationReader, column: Column, cells: _Reader, taken: pa.Array | None
    ) -> Cells[Any]:
        """What the cells of a column are; those of rows that are not taken need not be looked at."""
        if not isinstance(cells, ArgumentCells | TimeCells):
            return self._own(cells, column)
        if (known := self._read.get(id(cells))) is not None:
            return known
        given = _joined([self._at(one, name) for name in column.names], joined_argument)
        is_partly = taken is not None and column.conversion == "number"  # units of others do not count
        if is_partly:
            given = given.take(pc.if_else(taken, pa.array(range(self._size), pa.int64()), None))
        found = cells.read(given)
        if column.or_missing and column.conversion == "time":
            found.wrong.clear()
        if not is_partly:
            self._read[id(cells)] = found
        return found

    def _ticks(self, one: DeclarationReader) -> Cells[int]:
        """For each row its tick, that of the first time of which no column is missing."""
        (names, first), *others = one.times
        parts = one.declared.time_texts
        joined = partial(time_in, parts=parts) if parts else joined_cells
        cells = first.read(_joined([self._at(one, name) for name in names], joined))
        if not others:
            return cells
        moments = dict(enumerate(cells.moments or ()))
        is_open = [not is_there for is_there in self._have_values(one, names, first.missing)]
        for names, times in others:
            there = self._have_values(one, names, times.missing)
            rows = [row for row in range(self._size) if is_open[row] and there[row]]
            if not rows:
                continue
            found = times.read(_joined([self._at(one, name).take(pa.array(rows)) for name in names]))
            for place, row in enumerate(rows):
                is_open[row] = False
                cells.values[row] = found.values[place]
                cells.wrong.pop(row, None)
                moments.pop(row, None)
                if found.moments is not None:
                    moments[row] = found.moments[place]
                if place in found.wrong:
                    cells.wrong[row] = found.wrong[place]
        said = " or ".join(" + ".join(names) for names, _ in one.times)
        for row in range(self._size):
            if is_open[row]:
                cells.values[row], cells.wrong[row] = None, f"column {said}: the time is missing"
        all_moments = [moments.get(row, NO_MOMENT) for row in range(self._size)] if moments else None
        return Cells(cells.values, cells.wrong, all_moments)

    def _have_values(
        self, one: DeclarationReader, names: Sequence[str], missing: frozenset[str]
    ) -> Sequence[bool]:
        """For each row whether it has a value in all of these columns."""
        masks = (_has_values(self._at(one, name), missing) for name in names)
        return reduce(pc.and_, masks).to_pylist()  # type: ignore[no-any-return]

    def _given(self, one: DeclarationReader) -> pa.Array:
        """For each row whether it has a value besides its time."""
        names, own = self._batch.schema.names, one.declared.all_times
        times = {place for name in own for place in places_of(name, names)}
        others = [column for place, column in enumerate(self._batch.columns) if place not in times]
        others += [self._columns[name] for name in one.names if name not in own]
        masks = (_has_values(column, frozenset()) for column in others)
        return reduce(pc.or_, masks, pa.repeat(False, self._size))

    def _own(self, cells: RecordValues | FixedValues, column: Column) -> Cells[Any]:
        """What a constant, `row()`, `file()` or `record()` is of each row."""
        if column.name == "row":
            numbers = range(self._number, self._number + self._size)
            return Cells([*map(cells.__getitem__, numbers)])
        value = cells[self._name if column.name == "file" else 0]
        return Cells(pa.repeat(pa.scalar(0, pa.int64()), self._size), known=[value])

    def each(self, on_reject: OnReject, *, in_columns: bool) -> Iterator[Sequence[Record]]:
        """The records of each row, some at a time, maybe in columns; what is rejected is so in its turn."""
        columns, begin = self._in_columns(), 0
        for row in (*sorted(self.wrong), self._size):
            if columns is not None and in_columns and begin < row:
                yield columns[begin:row]
            else:
                size = 1 if columns is None else MOST_AT_ONCE
                for first in range(begin, row, size):
                    end = min(first + size, row)
                    yield [*(self._records_of(first, end) if columns is None else columns[first:end])]
            if row < self._size:
                on_reject(self.refused(row))
            begin = row + 1

    def _origins(self, begin: int, end: int) -> Origins:
        """Where the rows from one on and before another stand."""
        numbers = range(self._number + begin, self._number + end)
        return Origins(self._name, numbers, [self._written] * len(numbers))

    def _in_columns(self) -> RecordColumns | None:
        """The records of all rows, also of those that are rejected; None if one of them has several times."""
        first, *others = self.facts
        if not first.times.kinds().isdisjoint(MARKED) or any(one.ticks != first.ticks for one in others):
            return None
        by_predicate: dict[Signature, list[FactColumn]] = {}
        for one in self.facts:
            by_predicate.setdefault(one.signature, []).append(told_by(one.signature, one.rows(0, self._size)))
        told = [
            some[0] if len(some) == 1 else FactColumn.of_each(some, self._size)
            for some in by_predicate.values()
        ]
        origins = self._origins(0, self._size)
        found = RecordColumns(first.ticks, told, origins, first.moments)  # type: ignore[arg-type]
        found.pass_over(self._unfit_of(found.without_facts))
        return found

    @cached_property
    def unfit(self) -> pa.Array:
        """Which rows no declaration fits: no cell besides times is filled, or all conditions leave it out."""
        others = [column for name, column in self._columns.items() if name not in self._times]
        masks = (_has_values(column, self._missing) for column in others)
        empty = pc.invert(reduce(pc.or_, masks, pa.repeat(False, self._size)))
        return empty if self._left is None else pc.or_(empty, self._left)

    def _unfit_of(self, rows: Sequence[int]) -> Sequence[int]:
        """Those of some rows without a fact that no declaration fits."""
        return [row for row in rows if self.unfit[row].as_py()] if rows else ()

    def _is_left(self, row: int) -> bool:
        """Whether the conditions of all declarations leave out a row."""
        return self._left is not None and bool(self._left[row].as_py())

    def refused(self, row: int, origin: Origin | None = None) -> Rejected:
        """A row that is rejected, or is left out and has no time."""
        origin = origin or self._origin(row, row + 1)
        return LeftOut.of(origin) if self._is_left(row) else Rejected(origin, self.wrong[row])

    def together(self, on_reject: OnReject) -> Iterator[Sequence[Record]]:
        """The records, one for neighbours at the same tick; what is rejected is so in its turn."""
        for first, end in self._stretches():
            if first in self.wrong:
                on_reject(self.refused(first))
            else:
                yield [*self._records_of(first, end)]

    def _stretches(self) -> Iterator[tuple[int, int]]:
        """Neighbours at the same tick; a wrong row, and one with several ticks, is by itself."""
        keys: Iterable[Any] = self.facts[0].ticks
        if len(self.facts) > 1:
            together = enumerate(zip(*(facts.ticks for facts in self.facts), strict=True))
            keys = (ticks[0] if len(set(ticks)) == 1 else -1 - row for row, ticks in together)
        if self.facts[0].moments is not None:
            keys = zip(keys, self.facts[0].moments, strict=True)
        if not all({*map(type, facts.ticks)}.isdisjoint(MARKED) for facts in self.facts):
            keys = range(-self._size, 0)  # each by itself, to tell which tick is meant
        if self.wrong:
            keys = (-1 - row if row in self.wrong else key for row, key in enumerate(keys))
        end = 0
        for _, same in groupby(keys):
            first, end = end, end + len([*same])
            yield first, end

    def _records_of(self, first: int, end: int) -> Iterator[Record]:
        """The records of neighbours with the same ticks, one for each different tick."""
        origin = self._origin(first, end)
        ticks = [*dict.fromkeys(facts.ticks[first] for facts in self.facts)]
        found = []
        for tick in ticks:
            assert tick is not None  # else the row is rejected
            here = [facts for facts in self.facts if facts.ticks[first] == tick]
            atoms = _atoms(here, first, end)
            moments = here[0].moments
            at = tick if moments is None else FineTick.at(tick, moments[first])
            is_unfit = not atoms and end - first == 1 and bool(self._unfit_of([first]))
            without = PASSED_OVER if is_unfit else NO_FACT
            found.append(Record(at, Events(atoms) if atoms else without, origin))
        if len(found) > 1:
            yield from of_one(found)
            return
        told = sum(len(rows) for _, rows in found[0].events.facts) if len(self.facts) == 1 else 0
        if told < end - first:
            each = zip(*(one.rows(first, end) for one in self.facts), strict=True)
            untold = [
                row for row, facts in enumerate(each, first) if not any(one is not None for one in facts)
            ]
            empty = len(self._unfit_of(untold))
            told = end - first - len(untold)
            origin = SharedOrigin.of(origin, told, len(untold) - empty, empty, int(bool(told)))
        elif told > 1:
            origin = SharedOrigin.of(origin, told, 0, 0, 1)
        yield found[0]._replace(origin=origin)

    def _origin(self, first: int, end: int) -> Origin:
        return Origin(self._name, self._number + first, WrittenRows(self._columns, first, end - first))


def _joined(
    columns: Sequence[pa.Array], joined: Callable[[Iterable[str | None]], str | None] = joined_cells
) -> pa.Array:
    """The columns of a time as one."""
    if len(columns) == 1 and joined in (joined_cells, joined_argument):
        return columns[0]
    rows = zip(*map(texts_of, columns), strict=True)
    return pa.array([*map(joined, rows)], pa.string())


def _has_values(column: pa.Array, missing: frozenset[str]) -> pa.Array:
    """For each row whether its cell is not missing."""
    found = plain(column)
    found = found.dictionary_decode() if pa.types.is_dictionary(found.type) else found
    there = found.is_valid()
    if pa.types.is_floating(found.type):
        there = pc.and_(there, pc.invert(pc.is_nan(found)).fill_null(False))
    if missing and pa.types.is_string(found.type):
        texts = pc.utf8_trim_whitespace(found)
        there = pc.and_(there, pc.invert(pc.is_in(texts, pa.array(sorted(missing), pa.string()))))
    return there


def _filled(cells: Cells[Any], absent: Found) -> Cells[Any]:
    """Cells with what stands in place of missing ones."""
    if absent is None or cells.is_there is None:
        return cells
    found: Cells[Any] = Cells([*cells.values], {**cells.wrong}, cells.moments)
    for row, value in enumerate(found.values):
        if value is None and row not in cells.wrong:
            if isinstance(absent, Wrong):
                found.wrong[row] = absent.reason
            else:
                found.values[row] = absent
    return found


def _atoms(facts: Sequence[Facts], first: int, end: int) -> tuple[AtomRows, ...]:
    """The atoms of neighbours, in their order."""
    if len(facts) > 1:
        rows = zip(*(one.rows(first, end) for one in facts), strict=True)
        return by_predicate(
            (one.signature, row)
            for here in rows
            for one, row in zip(facts, here, strict=True)
            if row is not None
        )
    [one] = facts
    there = [row for row in one.rows(first, end) if row is not None]
    return (AtomRows(one.signature, there),) if there else ()


def column_of(batch: pa.RecordBatch, column: str, name: str, declared: Input) -> pa.Array:
    """The column of a name, or the field of structs at a path such as `sensor.room`. Raises InputError."""
    try:
        return batch.column(place_of(column, batch.schema.names, f" for #input {declared.predicate}"))
    except LookupError as error:
        found = None if has_column(column, batch.schema.names) else _field_of(batch, column)
        if found is None:
            raise InputError(f"{name}: {error}") from error
        return found


def _field_of(batch: pa.RecordBatch, path: str) -> pa.Array | None:
    """The field of structs at a path; the names of columns and of fields may have dots themselves."""
    for place, rest in _begins(batch.schema.names, path):
        if pa.types.is_struct(batch.schema.types[place]):
            return _field_in(batch.column(place), rest)
    return None


def _field_in(column: pa.Array, path: str) -> pa.Array | None:
    fields = [column.type.field(place) for place in range(column.type.num_fields)]
    names = [field.name for field in fields]
    if len(places := places_of(path, names)) == 1:
        return pc.struct_field(column, places)
    for place, rest in _begins(names, path):
        if pa.types.is_struct(fields[place].type):
            return _field_in(pc.struct_field(column, [place]), rest)
    return None


def _begins(names: Sequence[str], path: str) -> list[tuple[int, str]]:
    """The places of names at which a path begins, each with the rest behind its dot; exact names first."""
    ends = [(place, len(one)) for place, one in enumerate(names) if path[len(one) : len(one) + 1] == "."]
    found = [(place, path[end + 1 :]) for place, end in ends if path[:end] == names[place]]
    return found + [
        (place, path[end + 1 :])
        for place, end in ends
        if path[:end] != names[place] and path[:end].casefold() == names[place].casefold()
    ]


def proposed_declaration(columns: dict[str, pa.Array]) -> str:
    """A declaration that fits columns, by their first rows."""
    moments = [name for name, column in columns.items() if pa.types.is_timestamp(column.type)]
    time = moments[0] if moments else named_time([*columns])
    listed = [column_text(name) + _scale(column) for name, column in columns.items() if name != time]
    return f"#input reading({', '.join(listed)}) at {column_text(time)}."


def _scale(column: pa.Array) -> str:
    """The factor that makes integers of numbers with fractions; none where there is no need."""
    if pa.types.is_decimal(column.type):
        return f"*{10**column.type.scale}" if column.type.scale > 0 else ""
    if not pa.types.is_floating(column.type):
        return ""
    texts = column.drop_null().cast(pa.string()).to_pylist()
    digits = max((len(text.partition(".")[2]) for text in texts if "e" not in text), default=0)
    return f"*{10 ** min(digits, MOST_DECIMALS)}" if digits else ""
