"""Reads rows of a table as `#input` declares."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import (
    ROUND_HALF_UP,
    Context,
    Decimal,
    DecimalException,
    InvalidOperation,
    Overflow,
    localcontext,
)
from functools import cached_property, partial
from itertools import chain, compress, repeat
from operator import and_, is_not
from shlex import quote
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.decimal_numbers import NotScaledError, counted, scaled
from lars2asp.analysis.number_forms import DurationForm, NumberForm, NumberForms, number_of
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Value, constant
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.ground_terms import check_characters
from lars2asp.runtime.sources.partial_ticks import PartialTicks
from lars2asp.runtime.sources.record_columns import FactColumn
from lars2asp.runtime.sources.records import LEFT_OUT, NO_FACT, PASSED_OVER, Origin, Reading
from lars2asp.runtime.sources.row_events import LONGEST_KNOWN, MOST_KNOWN, Found, Wrong
from lars2asp.runtime.sources.survey.column_kinds import MISSING_WORDS, column_text
from lars2asp.runtime.sources.tables.conditions import ConditionCells, Outcome, all_of, each_of_all
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.tables.wanted_columns import chosen_columns, is_stamped
from lars2asp.runtime.sources.times.repeated_hours import FOLD
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.time_texts import TimeTexts
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.column_places import MatchedName, has_column, place_of
from lars2asp.syntax.nodes import MOST_DIGITS, RECORD_COLUMNS, Column, Condition, Input, Signature, Spread
from lars2asp.syntax.number_texts import NumberTextError, number_in, said, signs_of
from lars2asp.syntax.number_texts import number_of as number_of_column
from lars2asp.syntax.source import shown
from lars2asp.syntax.string_escapes import unquoted

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_INTEGERS = re.compile(r"-?(?:0|[1-9][0-9]{0,16}+)(?:\n-?(?:0|[1-9][0-9]{0,16}+))*+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FRACTION = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?")
_CONSTANT = re.compile(r"_*'*[a-z][A-Za-z0-9_']*")

SHORT_NUMBER = 18
"""In characters: an integer of so many is read at once."""

_EXACT = Context(prec=MOST_DIGITS, Emax=MOST_DIGITS - 1, traps=[InvalidOperation, Overflow])
"""Decimals of as many digits as numbers may have, larger ones are an error."""


class OtherNumberError(InputError):
    """A cell is a number with another unit, or another sign behind it: it is there, and not missing."""


class CellValues(dict[str | float | None, Found]):
    """What the cells of a column stand for, by their texts, each converted once; None: it is missing.

    Args:
        column: the column, as declared.
        decimals: the form of its numbers.
        missing: the texts of missing cells, the empty one among them if it is no value of any column.
        timeline: how times are read.
    """

    def __init__(
        self, column: Column, decimals: NumberForm, missing: frozenset[str], timeline: Timeline
    ) -> None:
        self._column = column
        self._decimals = decimals
        self._timeline = value_timeline(column, timeline) if column.conversion == "time" else timeline
        self._missing = missing if takes_empty(column, decimals) else missing | {""}
        self._are_integers = (
            decimals == 0
            and column.conversion in ("", "int", "any")
            and column.scale in (None, 1)
            and not any(map(_INTEGER.fullmatch, missing))
        )
        """Whether cells that seem integers are these."""
        self.takes_fractions = (
            isinstance(decimals, int)
            and column.conversion in ("", "int", "number")
            and not (column.joined or column.signs)
            and missing <= {""}
        )
        """Whether a number with a fraction may stand for its text, however that is written."""

    def __missing__(self, text: str | float | None) -> Found:
        cell = repr(text) if isinstance(text, float) else text
        value: Found = None
        if cell is not None and cell.strip() not in self._missing:
            value = self._converted(cell)
        if value is None:
            value = self.absent
        if len(self) >= MOST_KNOWN:
            self.clear()
        if cell is None or len(cell) <= LONGEST_KNOWN:
            self[text] = value
        return value

    def _converted(self, cell: str) -> Found:
        try:
            return argument_of(cell, self._column, self._decimals, self._timeline)
        except InputError as error:
            return Wrong(str(error))

    @cached_property
    def absent(self) -> Found:
        """What stands in place of a missing cell, converted as one; None: nothing does."""
        otherwise = self._column.otherwise
        return None if otherwise is None else self._converted(otherwise)

    def of(self, texts: Sequence[str | float | None]) -> list[Found]:
        """What many cells stand for; numbers are as their texts."""
        if int in (kinds := {*map(type, texts)}):
            if self._are_integers and len(kinds) == 1:
                return [*texts]  # type: ignore[list-item]
            if self._are_integers:
                return [cell if type(cell) is int else self[cell] for cell in texts]
            texts = [cell if cell is None else str(cell) for cell in texts]
        elif self._are_integers and kinds == {str}:
            together = "\n".join(texts)  # type: ignore[arg-type]
            if _INTEGERS.fullmatch(together) and together.count("\n") == len(texts) - 1:
                return [*map(int, texts)]  # type: ignore[arg-type]
        return [*map(self.__getitem__, texts)]


class RecordValues(dict[Any, Found]):
    """What `row()`, `file()` and `record()` stand for, at a place with numbers of a form.

    Args:
        decimals: that form.
        first: what is added to numbers: of `record()`, for the first fact of a column.

    Attributes:
        scale: by what numbers are multiplied.
    """

    def __init__(self, decimals: NumberForm, first: int = 0) -> None:
        self.scale = 10**decimals if isinstance(decimals, int) else 1
        self._first = first

    def __missing__(self, value: int | str) -> Found:
        return (value + self._first) * self.scale if isinstance(value, int) else str(value)


class Match(NamedTuple):
    """A column of which `each K, V of columns` gives a fact.

    Attributes:
        name: that of the column.
        place: where it stands in rows.
        key_place: where its name stands behind the cells of rows; there is none if the cell is missing, and
            must be there.
        nothing: where no row has anything: what stands in place of the fields of a cell.
    """

    name: str
    place: int
    key_place: int
    nothing: int


class FixedValues(dict[Any, Found]):
    """What a constant stands for, whatever cell there is."""

    def __init__(self, column: Column, decimals: NumberForm) -> None:
        self._value = fixed_value(column, decimals)

    def __missing__(self, cell: object) -> Found:
        return self._value


class RowNumbers:
    """Gives what `row()` is: the number of the line, or of the row, at which a record stands.

    Attributes:
        are_lines: whether it is so, and all records of a line have the same.
    """

    are_lines = True

    def of(self, origin: Origin) -> int:
        """The number of a record; it is asked for once."""
        return origin.line


LINE_NUMBERS = RowNumbers()


class CountedRecords(RowNumbers):
    """Gives the number of a record in the order of arrival, from 1.

    Attributes:
        count: that of the last one.
    """

    are_lines = False

    def __init__(self) -> None:
        self.count = 0

    def of(self, origin: Origin) -> int:
        """The number of a record; it is asked for once."""
        self.count += 1
        return self.count


KnownValues = dict[tuple[int, tuple[int, ...]], tuple[list[Found], set[type]]]
"""What columns of arguments are, by what reads them and by their places, and the types of that."""


class RowReader:
    """Reads rows as one declaration says. Raises InputError for columns that are not in the header.

    Attributes:
        signature: the predicate.
        declared: the declaration.
        columns: for each argument its column, as declared.
        decimals: for each argument the form of its numbers.
        places: for each argument the numbers of its columns, of which a time may have several; `row()` and
            `file()` are behind them. A constant has that of another one.
        is_numbered: whether there are such.
        numbers: gives the numbers of rows.
        group: the first reader of the declaration, of which there may be one for each of some columns.
        behind: what stands behind the cells of rows, and what `row()`, `file()` and `record()` are: names of
            columns, each with the place of the cell that must be there, if one must, and one that is missing.
        first_key: where the first of these names stands.
        number: that of its fact among those of a row, from 0.
        times: those of rows, of which the first counts that is there; none if rows have the time of their
            arrival.
        timeline: how the first of them is read.
        missing: the texts of missing cells.
        asks_filled: whether its own cells do not say that a row has a value besides the time.
        conditions: which rows it takes: for each condition the numbers of its columns, and what judges cells.
    """

    def __init__(
        self,
        declaration: Input,
        header: Sequence[str],
        name: str,
        timeline: Timeline,
        form: Dialect,
        decimals: NumberForms | None = None,
        numbers: RowNumbers = LINE_NUMBERS,
        values: type[CellValues] = CellValues,
        *,
        has_empty_texts: bool = False,
        match: Match | None = None,
        number: int = 0,
    ) -> None:
        check_has_no_lists(declaration)
        spread = declaration.spread
        self.group = self
        self.behind: Sequence[tuple[str | None, int | None]] = ()
        self.first_key = len(header) + len(RECORD_COLUMNS)
        self.declared = declaration
        self.columns = declaration.columns
        self.is_numbered = declaration.is_numbered
        self.numbers = numbers
        self.signature = Signature(declaration.predicate, len(declaration.columns))
        self.decimals = (decimals or {}).get(self.signature, (0,) * len(self.columns))
        self.timeline = timeline_of(declaration, timeline)
        times = declaration.by_time
        if is_stamped(declaration, timeline) and not any(
            has_column(one, header) for one in declaration.times
        ):
            times = ()
        asked = f" for #input {declaration.predicate}"

        def place(name: str) -> int:
            if spread is None or match is None or not spread.names(name):
                return place_of(name, header, asked)
            if name == spread.key:
                return match.key_place
            return match.place if name == spread.value else match.nothing

        filters = declaration.conditions
        if spread is not None and match is not None:
            named = partial(of_match, spread=spread, name=match.name)
            self.columns = tuple(map(named, self.columns))
            filters = tuple(replace(one, column=named(one.column)) for one in filters)
        self.number = number
        self._width = len(header)
        self._of_match = () if match is None else (match.place,)
        try:
            self.places = [
                (len(header) + RECORD_COLUMNS.index(one.name),)
                if one.is_of_record
                else tuple(map(place, one.names))
                for one in (declaration.cells[0] if one.is_fixed else one for one in declaration.columns)
            ]
            conditions = [
                (one, tuple(map(place, asked_for.column.names)))
                for one, asked_for in zip(filters, declaration.conditions, strict=True)
            ]
            found = [(one, tuple(map(place, one.times))) for one in times]
        except LookupError as error:
            raise InputError(f"{name}: {error}{_delimiter_hint(header)}") from error
        missing = form.missing if has_empty_texts else form.missing | {""}
        self.missing = missing
        self.times = [RowTime(one, places, timeline, form.missing) for one, places in found]
        self._time = self.times[0] if len(self.times) == 1 else None
        self.asks_filled = not has_empty_texts and declaration.asks_filled
        self._has_empty_texts = has_empty_texts
        self.cells: list[dict[Any, Found]] = [
            RecordValues(digits, number if column.name == "record" else 0)
            if column.is_of_record
            else FixedValues(column, digits)
            if column.is_fixed
            else values(column, digits, missing, timeline)
            for column, digits in zip(self.columns, self.decimals, strict=True)
        ]
        self.conditions = [(places, condition_cells(one, missing, timeline)) for one, places in conditions]
        self._quick = [*self.cells]
        """The same for many cells of which none is wrong."""
        self._by_place: list[tuple[int, dict[Any, Found]]] | None = None
        """The columns of arguments, if none of them are joined."""
        if all(len(places) == 1 for places in self.places):
            self._by_place = [(place, cells) for (place,), cells in zip(self.places, self.cells, strict=True)]

    @property
    def named(self) -> tuple[int, ...]:
        """The numbers of the cells that its arguments name."""
        return (*self._of_match, *(at for at in chain.from_iterable(self.places) if at < self._width))

    @property
    def time_places(self) -> tuple[int, ...]:
        """The numbers of the columns with times."""
        return tuple(chain.from_iterable(one.places for one in self.times))

    def join(self, first: "RowReader") -> None:
        """Shares with the first reader of its declaration what is known of the cells that they read alike."""
        self.group = first
        for number, column in enumerate(self.columns):
            if not column.is_of_record:
                self._quick[number] = first.cells[number]  # what differs is the names in messages
                if self.places[number] == first.places[number]:
                    self.cells[number] = first.cells[number]

    def has_value(self, cell: str | None) -> bool:
        """Whether a cell is not missing."""
        return cell is not None and cell.strip() not in self.missing

    def read(self, row: Sequence[Any]) -> Reading:
        """The tick and the fact of a row, None where a cell is missing. Raises InputError.

        If a condition does not hold, the fact is LEFT_OUT, and a tick that cannot be read is None. If it is
        numbered, number and source stand behind its cells.
        """
        if self.conditions and not self._is_taken(row):
            return self.tick_if_read(row), LEFT_OUT
        try:
            tick = self._tick(row)
        except InputError:
            self._values(row)  # first units count
            raise
        values = self._values(row)
        for value in values:
            if type(value) is Wrong:
                raise InputError(value.reason)
        if None in values or (self.asks_filled and not self._is_filled(row)):
            return tick, None
        return tick, AtomRows(self.signature, [tuple(values)])  # type: ignore[arg-type]

    def _is_taken(self, row: Sequence[Any]) -> bool:
        """Whether all conditions hold of a row. Raises InputError."""
        outcome = all_of([cells[_text_at(row, places)] for places, cells in self.conditions])
        if isinstance(outcome, Wrong):
            raise InputError(outcome.reason)
        return outcome

    def leaves_out(self, row: Sequence[Any]) -> bool:
        """Whether a condition does not hold of a row, whatever else that has."""
        try:
            return bool(self.conditions) and not self._is_taken(row)
        except InputError:
            return False

    def taken(self, columns: Sequence[Sequence[Any]]) -> Sequence[Outcome]:
        """For each row, given by the columns of the conditions, whether all of these hold."""
        return each_of_all(
            [cells.of(texts) for (_, cells), texts in zip(self.conditions, columns, strict=True)]
        )

    def tick_if_read(self, row: Sequence[Any]) -> int | None:
        """The tick of a row; None where it cannot be read."""
        try:
            return self._tick(row)
        except InputError:
            return None

    def _values(self, row: Sequence[Any]) -> list[Found]:
        """What the cells of a row stand for."""
        if self._by_place is None:
            return [
                cells[_text_at(row, places)] for places, cells in zip(self.places, self.cells, strict=True)
            ]
        return [cells[row[place]] for place, cells in self._by_place]

    def facts(
        self,
        columns: Sequence[Sequence[str | int]],
        number: int,
        places: Sequence[int] | None = None,
        known: "KnownValues | None" = None,
    ) -> FactColumn | None:
        """The facts of so many rows, given by the columns of the arguments; None where a cell is wrong.

        They are those at some places of more rows, where these are given. What other readers made of columns
        that this one shares with them may be known.
        """
        values = []
        is_told: Iterable[bool] | None = None
        for cells, texts, at in zip(self._quick, columns, self.places, strict=True):
            found, kinds = (None, None) if known is None else known.get((id(cells), at), (None, None))
            if found is None or kinds is None:
                found = cells.of(texts) if isinstance(cells, CellValues) else [*map(cells.__getitem__, texts)]
                kinds = {*map(type, found)}
                if known is not None:
                    known[id(cells), at] = found, kinds
            if Wrong in kinds:
                return None
            if type(None) in kinds:
                is_there = map(is_not, found, repeat(None))
                is_told = is_there if is_told is None else map(and_, is_told, is_there)
            values.append(found)
        rows: list[Any] = [*zip(*values, strict=True)] if values else [()] * number
        if is_told is not None:
            told = [*is_told]
            rows = [*compress(rows, told)]
            places = [*compress(range(number) if places is None else places, told)]
        return FactColumn(self.signature, rows, places)

    def ticks(self, columns: Sequence[Sequence[str]], number: int) -> "RowTicks":
        """The ticks of so many rows, given by their columns. Raises InputError where all lack a time."""
        if self._time is not None:
            return self._time.ticks(columns)
        if not self.times:
            return RowTicks([self.timeline.arrived() for _ in range(number)], {})
        ticks, wrong = list[int | None](), dict[int, str]()
        places = self.time_places
        for row, cells in enumerate(zip(*(columns[place] for place in places), strict=True)):
            try:
                ticks.append(self._tick(dict(zip(places, cells, strict=True))))
            except InputError as error:
                ticks.append(None)
                wrong[row] = str(error)
        return RowTicks(ticks, wrong)

    def partial_ticks(self, columns: Sequence[Sequence[str]]) -> PartialTicks | None:
        """What stands for the ticks of rows whose times name no year, or no date; None for others."""
        return None if self._time is None else self._time.partial_ticks(columns)

    def _tick(self, row: Sequence[str] | Mapping[int, str]) -> int:
        if self._time is not None:
            return self._time.tick(row)
        if not self.times:
            return self.timeline.arrived()
        there = next((one for one in self.times if one.is_in(row)), None)
        if there is None:
            raise InputError(f"column {' or '.join(one.name for one in self.times)}: the time is missing")
        return there.tick(row)

    def _is_filled(self, row: Sequence[Any]) -> bool:
        """Whether a cell besides the time is not blank."""
        times = self.time_places
        cells = (cell for place, cell in enumerate(row[: self._width]) if place not in times)
        return any(cell is not None and (self._has_empty_texts or cell.strip()) for cell in cells)


def _text_at(row: Sequence[Any], places: Sequence[int]) -> Any:
    """The text of an argument of a row."""
    return row[places[0]] if len(places) == 1 else joined_argument(row[place] for place in places)


class RowTime:
    """A time of rows.

    Args:
        declaration: one with this time alone.
        places: the numbers of its columns.
        timeline: how times are read otherwise.
        missing: the texts of missing cells besides empty ones.

    Attributes:
        places: these numbers.
        timeline: how it is read.
        name: that of its columns.
    """

    def __init__(
        self, declaration: Input, places: tuple[int, ...], timeline: Timeline, missing: frozenset[str]
    ) -> None:
        self.places = places
        self.timeline = timeline_of(declaration, timeline)
        self.name = " + ".join(declaration.times)
        self._missing = missing | {""}
        self._parts = declaration.time_texts
        self._texts = TimeTexts(self.timeline)
        self._last: tuple[str | None, int] = "", 0

    def is_in(self, row: Sequence[str | None] | Mapping[int, str | None]) -> bool:
        """Whether all its columns have a value."""
        return not any((row[place] or "").strip() in self._missing for place in self.places)

    def tick(self, row: Sequence[str] | Mapping[int, str]) -> int:
        """The tick of a row. Raises InputError."""
        places = self.places
        if len(places) > 1 or self._parts:
            text = time_in([row[place] for place in places], self._parts)
        else:
            text = row[places[0]]
        known, tick = self._last
        if text != known or not text:
            try:
                tick = self.timeline.tick_of_text(text or "")
            except InputError as error:
                reason = error if text and text.strip() else "the time is missing"
                raise InputError(f"column {self.name}: {reason}") from error
            self._last = text, tick
        return tick

    def ticks(self, columns: Sequence[Sequence[str]]) -> "RowTicks":
        """The ticks of rows, given by their columns."""
        texts = self._joined(columns)
        ticks, wrong, moments = self._texts.ticks(texts)
        if not wrong:
            return RowTicks(ticks, {}, moments)
        told = {text: f"column {self.name}: {reason}" for text, reason in wrong.items()}
        return RowTicks(ticks, {row: told[text] for row, text in enumerate(texts) if text in told})

    def partial_ticks(self, columns: Sequence[Sequence[str]]) -> PartialTicks | None:
        """See RowReader."""
        form = self.timeline.form
        return self._texts.partial_ticks(self._joined(columns)) if form is not None and form.lacks else None

    def _joined(self, columns: Sequence[Sequence[str]]) -> Sequence[str]:
        """The texts of the time."""
        places = self.places
        if len(places) == 1 and not self._parts:
            return columns[places[0]]
        rows = zip(*(columns[place] for place in places), strict=True)
        return [*map(time_in, rows, repeat(self._parts))]


def check_has_no_lists(declaration: Input) -> None:
    """Raises InputError for a declaration that reads lists, where rows are those of a table."""
    spread = declaration.spread
    if spread is not None and not spread.is_of_columns:
        raise InputError(
            f"#input {declaration.predicate}: `each {spread.key}, {spread.value} of {spread.source}` "
            "reads JSON objects, but this is a table: choose columns by a pattern, as in each "
            f'{spread.key}, {spread.value} of columns "{shown(spread.source)}*"'
        )
    if declaration.has_lists:
        word = "records each" if declaration.records else "each"
        raise InputError(
            f"#input {declaration.predicate}: `{word}` reads JSON records, but this is a table: make "
            "one row per element of the list (explode, for a frame)"
        )


def of_match(column: Column, spread: Spread, name: str) -> Column:
    """A column of a declaration with `each K, V` as it is read of a column with a name."""
    if not column.is_cell:
        return column

    def named(one: str) -> str:
        return MatchedName.of(name, one, spread.value) if spread.reads_value(one) else one

    return replace(column, name=named(column.name), joined=tuple(map(named, column.joined)))


def row_readers(
    declarations: Sequence[Input], header: Sequence[str], name: str, *how: Any, **more: Any
) -> list[RowReader]:
    """The readers of declarations for a table, or what else has a header; for the rest see RowReader.

    Where `each K, V of columns` gives a fact for each of some columns, each of these has a reader; all of a
    declaration stand together. Raises InputError where there are no such columns.
    """
    for one in declarations:
        check_has_no_lists(one)
    chosen = [None if one.spread is None else chosen_columns(one, header, name) for one in declarations]
    told = [*zip(declarations, chosen, numbers_of(declarations, chosen), strict=True)]
    keys = dict.fromkeys((at, one.spreads_values) for one, places, _ in told for at in places or ())
    places_of_keys = {key: place for place, key in enumerate(keys, start=len(header) + len(RECORD_COLUMNS))}
    nothing = len(header) + len(RECORD_COLUMNS) + len(keys)
    behind = [(header[at], None if is_free else at) for at, is_free in keys]
    found = list[RowReader]()
    for one, places, first in told:
        matches: list[Match | None] = [None]
        if places is not None:
            of_key = [places_of_keys[at, one.spreads_values] for at in places]
            matches = [Match(header[at], at, key, nothing) for at, key in zip(places, of_key, strict=True)]
        begin = len(found)
        for number, match in enumerate(matches, start=first):
            reader = RowReader(one, header, name, *how, match=match, number=number, **more)
            reader.behind = behind
            if len(found) > begin:
                reader.join(found[begin])
            found.append(reader)
    return found


def numbers_of(declarations: Sequence[Input], chosen: Sequence[Sequence[object] | None]) -> list[int]:
    """For each declaration the number of its first fact of a record, from 0; equal elements have equal ones.

    Args:
        declarations: these.
        chosen: of each the columns that it gives facts for; None where it gives one.
    """
    firsts, end = dict[object, int](), 0
    for one, places in zip(declarations, chosen, strict=True):
        first = firsts.setdefault(one.elements, end)
        end = max(end, first + (1 if places is None else len(places)))
    return [firsts[one.elements] for one in declarations]


def numbered_row(row: Sequence[str], readers: Sequence[RowReader], origin: Origin) -> Sequence[Any]:
    """A row as these readers take it: with its number, its source, and names of columns, if they ask."""
    first = readers[0]
    if any(reader.is_numbered for reader in readers):
        row = (*row, first.numbers.of(origin), origin.source, 0)  # type: ignore[arg-type]
    return with_keys(row, readers)


def with_keys(row: Sequence[Any], readers: Sequence[RowReader]) -> Sequence[Any]:
    """A row, maybe with number and source, with the names of columns that these readers ask for."""
    first = readers[0]
    if not first.behind:
        return row
    keys = (name if at is None or first.has_value(row[at]) else None for name, at in first.behind)
    return (*row, *[""] * (first.first_key - len(row)), *keys, None)


def without_fact(row: Sequence[str], readers: Sequence[RowReader]) -> Events:
    """The events of a row of a table without a fact: with no filled cell besides times it is passed over."""
    missing = readers[0].missing
    times = {place for reader in readers for place in reader.time_places}
    filled = (cell.strip() not in missing for place, cell in enumerate(row) if place not in times)
    return NO_FACT if any(filled) else PASSED_OVER


class RowTicks(NamedTuple):
    """The ticks of rows.

    Attributes:
        ticks: for each row its tick, None where the time is none.
        wrong: by the places of these rows, counted from 0, what is wrong.
        moments: see `TextTicks`.
    """

    ticks: Sequence[int | None]
    wrong: Mapping[int, str]
    moments: Sequence[int] | None = None


def joined_cells(cells: Iterable[str | None]) -> str:
    """The text of a time that stands in several cells."""
    return " ".join([(cell or "").strip() for cell in cells])


def time_in(cells: Iterable[str | None], parts: Sequence[str | None] = ()) -> str:
    """The same where some parts of the time are texts; None stands for the next cell."""
    if not parts:
        return joined_cells(cells)
    left = iter(cells)
    return joined_cells(next(left) if part is None else part for part in parts)


def joined_argument(cells: Iterable[str | None]) -> str | None:
    """The text of an argument that stands in several cells; None if one of them is missing."""
    texts = [(cell or "").strip() for cell in cells]
    return " ".join(texts) if all(texts) else None


def timeline_of(declaration: Input, timeline: Timeline) -> Timeline:
    """How the times of a declaration are read."""
    form = TimeFormat(declaration.time_format) if declaration.time_format else timeline.form
    times = declaration.times
    declared_at = " + ".join(map(column_text, times))
    return replace(timeline, form=form, declared_at=declared_at, has_fold=_has_fold(times))


def _delimiter_hint(header: Sequence[str]) -> str:
    found = next((sign for sign in (";", "\t", "|", ",") if len(header) == 1 and sign in header[0]), None)
    return f" (is the delimiter wrong? try --delimiter {found!r})" if found else ""


def value_timeline(column: Column, timeline: Timeline) -> Timeline:
    """How the times of a column `time(...)` are read."""
    form = TimeFormat(column.time_format) if column.time_format else timeline.form
    return replace(
        timeline.refusing,
        form=form,
        declared_at=" + ".join(map(column_text, column.names)),
        are_values=True,
        has_fold=_has_fold(column.names),
    )


def _has_fold(columns: Sequence[str]) -> bool:
    """Whether the last column of a time says which of two equal ones is meant."""
    return len(columns) > 1 and columns[-1].lower() == FOLD


def takes_empty(column: Column, decimals: NumberForm = 0) -> bool:
    """Whether an empty text is a value of a column, if its input has such: of texts, not of other types."""
    if column.scale is not None or column.conversion not in ("", "any", "text"):
        return False
    is_number = column.required is not None and column.required.type.is_number
    return column.conversion != "" or (decimals == 0 and not is_number)


def argument_of(
    cell: str, column: Column, decimals: NumberForm = 0, timeline: Timeline | None = None
) -> Value | None:
    """The argument that a cell makes, as its column is declared; None if it counts as missing.

    Texts are as they are written; of others the blanks around them do not count. A time needs the timeline by
    which it is read (`value_timeline`). A number at a place with decimals is the value that it says, but for
    a column with a scale, which makes the program's integer itself. Raises InputError.
    """
    try:
        value = _converted(cell, column, decimals, timeline)
    except InputError as error:
        is_there = isinstance(error, OtherNumberError) or _DECIMAL.fullmatch(cell.strip())
        if column.or_missing and not is_there:  # a number that does not fit is there
            return None
        if column.conversion == "any":
            return string_of(cell, column)
        raise
    required = column.required
    if required is not None and required.type.is_number and type(value) is not int:
        if column.or_missing:
            return None
        cure = _missing_hint(cell.strip()) or f"; to read such cells as empty, write {_or_missing(column)}"
        said = f"'{shown(cell)}'"
        raise InputError(f"column {column.name}: {required.refusal(said)}{cure}")
    return value


def fixed_value(column: Column, decimals: NumberForm = 0) -> Value:
    """The constant of `fixed(...)`; an integer as one at a place with such numbers. Raises InputError."""
    text = column.name
    if text.startswith('"'):
        return unquoted(text)
    if not text.lstrip("-").isdigit():
        return constant(text)
    return _converted(text, replace(column, name="fixed", conversion="int"), decimals, None)


def condition_cells(condition: Condition, missing: frozenset[str], timeline: Timeline) -> ConditionCells:
    """What judges the cells of a condition, as RowReader reads those of an argument."""
    column = condition.column
    timeline = value_timeline(column, timeline) if column.conversion == "time" else timeline
    has_empty = not condition.is_number and takes_empty(column)
    number_of_cell = partial(_number_in, column=column, timeline=timeline)
    return ConditionCells(condition, missing if has_empty else missing | {""}, number_of_cell)


def _number_in(cell: str, column: Column, timeline: Timeline) -> int | Decimal | None:
    """The number of a cell, as its column is read; None if it counts as missing. Raises InputError."""
    try:
        return _exact_number(cell.strip(), column, timeline)
    except InputError as error:
        is_there = isinstance(error, OtherNumberError) or _DECIMAL.fullmatch(cell.strip())
        if column.or_missing and not is_there:
            return None
        raise


def _exact_number(cell: str, column: Column, timeline: Timeline) -> int | Decimal:
    if column.conversion in ("int", "time", "duration") or column.scale is not None:
        form = DurationForm(timeline.tick_length or 1) if column.conversion == "duration" else 0
        value = _converted(cell, column, form, timeline)
        assert isinstance(value, int)
        return value
    text = _plain_number(cell, column)
    if not _DECIMAL.fullmatch(text):
        cure = _cure(cell, column) or f"; to read such cells as empty, write {_or_missing(column)}"
        raise InputError(f"column {column.name}: '{shown(cell)}' is not a number{cure}")
    return Decimal(text).to_integral_value(ROUND_HALF_UP) if column.is_rounded else Decimal(text)


def _plain_number(cell: str, column: Column) -> str:
    """The text of a number with a point, as `number(...)` reads it; else the cell. Raises InputError."""
    if column.conversion != "number":
        return cell
    try:
        return number_of_column(cell, column)
    except NumberTextError as error:
        kind = OtherNumberError if error.is_number else InputError
        cure = error.cure(column_text(column.name)) or _missing_hint(cell)
        raise kind(f"column {column.name}: {error}{cure}") from error


def _or_missing(column: Column) -> str:
    """A column of numbers in which other cells count as empty."""
    name = column_text(column.name)
    read = (
        f"{name}*{column.scale}" if column.scale is not None else f"{column.conversion or 'number'}({name})"
    )
    return f"{read} or missing"


def _converted(cell: str, column: Column, decimals: NumberForm, timeline: Timeline | None) -> Value:
    """The argument that a cell makes, whatever is required of it. Raises InputError."""
    written, cell = cell, cell.strip()
    if column.conversion == "time" and timeline is not None:
        try:
            return timeline.value_of_text(cell)
        except InputError as error:
            raise InputError(f"column {' + '.join(column.names)}: {error}") from error
    if not isinstance(decimals, int):
        try:
            if column.conversion == "duration":
                cell = _length(cell, column)
            return string_of(written, column) if column.conversion == "text" else number_of(cell, decimals)
        except NotScaledError as error:
            raise InputError(f"column {column.name}: {error}") from error
    cell = _plain_number(cell, column)
    if column.conversion == "number" and column.scale is None and not decimals and not column.is_rounded:
        whole, _, fraction = cell.partition(".")
        cell = cell if fraction.strip("0") else whole
    if column.is_rounded and _DECIMAL.fullmatch(cell):
        return _number(cell, column, 10**decimals)
    if column.scale is not None:
        return _number(cell, column, column.scale)
    if decimals and column.conversion in ("", "int", "number", "any") and _DECIMAL.fullmatch(cell):
        return number_at(cell, decimals, column.name)
    match column.conversion:
        case "text":
            return string_of(written, column)
        case "constant":
            if not _CONSTANT.fullmatch(cell) or cell == "not":
                raise InputError(
                    f"column {column.name}: '{shown(cell)}' is not a constant (a small letter, then "
                    "letters and digits): to read it as text, remove constant(...)"
                )
            return constant(cell)
        case "int":
            if not _INTEGER.fullmatch(cell):
                cure = _cure(cell, column, has_fraction=bool(decimals))
                raise InputError(f"column {column.name}: '{shown(cell)}' is not an integer{cure}")
            return _number(cell, column, 1)
        case _:
            if _INTEGER.fullmatch(cell):
                return _number(cell, column, 1)
            if _FRACTION.fullmatch(cell):
                read = f"{column_text(column.name)}*10"
                raise InputError(
                    f"column {column.name}: {shown(cell)} is a decimal, but this argument is an "
                    f"integer: declare its #decimals, scale it ({read}), or read it as text(...)"
                )
            if decimals and "," in cell and (cure := _cure(cell, column)):
                raise InputError(f"column {column.name}: '{shown(cell)}' is not a number{cure}")
            return string_of(written, column)


def _length(cell: str, column: Column) -> str:
    """A duration with its unit, which a plain number has from its column. Raises NotScaledError."""
    if not _DECIMAL.fullmatch(cell):
        return cell
    if not column.time_format:
        read = f'duration({column_text(column.name)} "sec")'
        raise NotScaledError(f"{shown(cell)} lacks a unit of time: if numbers are seconds, write {read}")
    if "e" in cell.lower():
        cell = f"{Decimal(cell):f}"
    return f"{cell} {column.time_format}"


def number_at(text: str, decimals: int, name: str) -> int:
    """The integer for the number of a column at a place with so many decimals. Raises InputError."""
    try:
        return scaled(text, decimals)
    except NotScaledError as error:
        cure = f": declare {counted(error.digits)} in #decimals" if error.digits is not None else ""
        raise InputError(f"column {name}: {error}{cure}") from error


def _number(cell: str, column: Column, scale: int) -> Value:
    if scale == 1 and len(cell) <= SHORT_NUMBER and _INTEGER.fullmatch(cell):
        return int(cell)
    if not _DECIMAL.fullmatch(cell):
        cure = _cure(cell, column) or _missing_hint(cell)
        raise InputError(f"column {column.name}: '{shown(cell)}' is not a number{cure}")
    try:
        with localcontext(_EXACT):
            return int((Decimal(cell) * scale).to_integral_value(ROUND_HALF_UP))
    except DecimalException as error:  # it would take its time
        times = f" times {scale}" if scale != 1 else ""
        reason = f"{shown(cell)}{times} is longer than {MOST_DIGITS} digits"
        raise InputError(f"column {column.name}: {reason}") from error


def _cure(cell: str, column: Column, *, has_fraction: bool = True) -> str:
    """The declaration that would read a number with other signs, or with a unit; empty where none does."""
    signs = signs_of(cell) if column.conversion != "number" else None
    if signs is None:
        return ""
    times = f"*{column.scale}" if column.scale is not None else ""
    try:
        fraction = number_in(cell, signs).text.partition(".")[2]
    except NumberTextError:  # what stands behind it is not a unit
        return ""
    if fraction.strip("0") and not has_fraction:
        return ""
    return f": to read it, write number({column_text(column.name)}{said(signs)}){times}"


def _missing_hint(cell: str) -> str:
    return f"; to read such cells as empty, add --missing {quote(cell)}" if cell in MISSING_WORDS else ""


def string_of(cell: str, column: Column) -> Value:
    """A cell as a string. Raises InputError for characters that no string has."""
    try:
        check_characters(cell)
    except InputError as error:
        raise InputError(f"column {column.name}: {error}") from error
    return cell
