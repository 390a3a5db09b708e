"""JSON records with fields of their own, such as `{"ts": 7, "sensor": {"id": "k"}, "value": 24.1}`.

`#input` declares how they become facts, as it does for the rows of tables: a field is a column, and what
stands in it is read as the text of a cell.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

from lars2asp.analysis.number_forms import NumberForms
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.json.json_lists import MISSING, each_of, elements_at, reached, reached_in
from lars2asp.runtime.sources.json.json_texts import Element, Elements
from lars2asp.runtime.sources.records import (
    LEFT_OUT,
    TIME_ALONE,
    Origin,
    PassedOver,
    Reading,
    Record,
    Rejected,
    records_at,
)
from lars2asp.runtime.sources.row_events import Wrong
from lars2asp.runtime.sources.tables.conditions import Outcome, all_of
from lars2asp.runtime.sources.tables.row_reader import (
    LINE_NUMBERS,
    RowNumbers,
    RowReader,
    condition_cells,
    joined_argument,
    time_in,
    timeline_of,
)
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.tables.wanted_columns import is_stamped
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input, Spread
from lars2asp.syntax.source import shown

OWN_LISTS = ("facts", "begin", "end")
"""The fields of records of this product's own form that are lists of atoms."""

OWN_FIELDS = frozenset({"time", *OWN_LISTS, "until"})
"""All fields of such records."""

MOST_SHOWN = 400
"""The number of characters of a list of fields in a message."""

_NO_NUMBER = {"NaN": None}


NO_NUMBERS = "several records are on this line, and row() numbers lines: use record() to number records"
"""Why a record is rejected that is one of several of a line."""


class UnfitError(InputError):
    """No declaration fits a record.

    Attributes:
        tick: that of its time, which counts all the same; None where it has none.
    """

    def __init__(self, reason: str, tick: int | None = None) -> None:
        super().__init__(reason)
        self.tick = tick

    def told(self, origin: Origin, reason: str) -> list[Record | Rejected]:
        """What is passed over, and what moves time."""
        unfit = PassedOver(origin, reason)
        return [unfit] if self.tick is None else [unfit, Record(self.tick, TIME_ALONE, origin)]


class DeclaredFields:
    """Reads records with fields of their own, as declarations say.

    A record gives a fact for each declaration of which it has all fields, be they null, but for those with a
    value in place of a missing one, and at least one, and of which all conditions hold; of one with `each` a
    fact for each element of a list that has them. The name `a.b` is that of a field, or else the path to the
    field `b` of the object in `a`.

    Args:
        declarations: what becomes of a record.
        timeline: how times are read.
        dialect: the texts of missing values.
        decimals: how the numbers of predicates are written.
        numbers: gives what `row()` is.

    Raises InputError for columns that are named by their places.

    Attributes:
        declared: the declarations, without those of elements that are records by themselves.
        numbers_lines: whether declarations ask for `row()`, and all records of a line have the same.
    """

    def __init__(
        self,
        declarations: Sequence[Input],
        timeline: Timeline,
        dialect: Dialect,
        decimals: NumberForms,
        numbers: RowNumbers = LINE_NUMBERS,
    ) -> None:
        for one in declarations:
            if one.places:
                raise InputError(
                    f"#input {one.predicate}: {one.places[0]} is the position of a column, but JSON "
                    "fields have names only: write the name of the field (for a table add "
                    "--input-format csv)"
                )
        how = timeline, dialect, decimals
        self.declared = [Declared(one, *how) for one in declarations if not one.records]
        self._within = {
            path: DeclaredFields(
                [replace(one, records="") for one in declarations if one.records == path], *how, numbers
            )
            for path in dict.fromkeys(one.records for one in declarations if one.records)
        }
        """Reads the elements of lists that are records by themselves, by the fields with these lists."""
        self._is_numbered = any(one.is_numbered for one in declarations)
        self._numbers = numbers
        has_rows = any(column.conversion == "row" for one in declarations for column in one.columns)
        self.numbers_lines = has_rows and numbers.are_lines

    def takes(self, found: Mapping[str, Any]) -> bool:
        """Whether a record is one of these, and not one of the product's own form.

        It is so where no field is a list of atoms, and where a declaration finds its fields or there is a
        field that the own form does not have.
        """
        if has_facts(found):
            return False
        return not OWN_FIELDS.issuperset(found) or any(not one.missing(found) for one in self.declared)

    def records(self, found: Mapping[str, Any], origin: Origin) -> list[Record | Rejected]:
        """The records of an object as `exact_json` gives it, one for each time.

        Those of its elements are records by themselves, each of which may be rejected.

        Raises InputError, UnfitError where no declaration fits. One that lacks nothing but its time does.
        """
        fitting = [one for one in self.declared if not one.missing(found)]
        own = (self._numbers.of(origin), origin.source) if self._is_numbered and fitting else ()
        lists = {path: elements_at(found, path) for path in self._within}
        if not fitting and all(one is None for one in lists.values()):
            if any(one.leaves_out(found) for one in self.declared):
                return records_at([(self._tick_if_read(found), LEFT_OUT)], origin)
            raise self._unfit(found)
        read, first, end = list[Reading](), dict[tuple[object, ...], int](), 0
        for one in fitting:
            here = one.read(found, own, first.setdefault(one.elements, end))
            end = max(end, first[one.elements] + len(here))
            read += here
        records = records_at(read, origin) if read else []
        for path, elements in lists.items():
            if elements is not None:
                records += self._elements(path, elements, origin)
        return records

    def _elements(self, path: str, elements: Sequence[Any], origin: Origin) -> Iterator[Record | Rejected]:
        """The records of the elements of lists to which a path leads."""
        within, texts = self._within[path], Elements(origin, path)
        for place, element in enumerate(elements, start=1):
            own = origin._replace(written=Element(texts, place - 1))
            try:
                if not isinstance(element, dict):
                    raise InputError('this record is no JSON object such as {"time": 3, "room": "hall"}')
                if within.numbers_lines and len(elements) > 1:
                    raise InputError(NO_NUMBERS)
                yield from within.records(element, own)
            except InputError as error:
                reason = f"record {place} of {path}: {error}"
                yield from (
                    error.told(own, reason) if isinstance(error, UnfitError) else [Rejected(own, reason)]
                )

    def fitting(self, found: Mapping[str, Any]) -> "list[Declared] | None":
        """The declarations that give a fact for each record with such fields, whatever stands in them.

        None where that depends on what does, where there are none, and where records may have no time.
        """
        if self._within or any(one.is_stamped or one.spread for one in self.declared):
            return None
        fitting = [one for one in self.declared if not one.missing(found)]
        missing = [name for one in self.declared for name in one.absent(found)]
        if not fitting or any(_is_behind_value(found, name) for name in missing):
            return None
        return fitting

    def _unfit(self, found: Mapping[str, Any]) -> InputError:
        """The error for a record that no declaration fits."""
        if not self.declared:
            fields = shown(", ".join(_paths(found)) or "none", MOST_SHOWN)
            lacking = ", ".join(map(repr, self._within))
            return UnfitError(
                f"the record contains no list of records in {lacking}; its fields are {fields}", None
            )
        best = min(self.declared, key=lambda one: len(one.missing(found)))
        missing = best.missing(found)
        field = (
            f"no field {missing[0]!r}" if len(missing) == 1 else f"no fields {', '.join(map(repr, missing))}"
        )
        fields = shown(", ".join(_paths(found)) or "none", MOST_SHOWN)
        reason = f"{field} for #input {best.predicate}; the fields of the record are {fields}"
        if best.names_values and set(missing).issubset(best.times):
            cure = "remove `at` and add --clock wall to use the times of arrival"
            return InputError(f"{reason}; {cure}")
        return UnfitError(reason, self._tick(found))

    def _tick_if_read(self, found: Mapping[str, Any]) -> int | None:
        try:
            return self._tick(found)
        except InputError:
            return None

    def _tick(self, found: Mapping[str, Any]) -> int | None:
        """The tick of the first time that a declaration can read; None for none.

        Raises InputError where there is one, and none can read it.
        """
        wrong: InputError | None = None
        for one in self.declared:
            try:
                tick = one.tick(found)
            except InputError as error:
                wrong = wrong or error
            else:
                if tick is not None:
                    return tick
        if wrong is not None:
            raise wrong
        return None


class Declared:
    """A declaration, and what reads its fields.

    Attributes:
        predicate: that of its facts.
        times: the fields of their times, of all of them.
        each: the fields with lists, each of whose elements gives a fact.
        spread: the fields, or the object, of each of whose keys it does so.
        elements: what is equal where these are the same.
        names: all fields that it names, each once.
        optional: those that a record may lack.
        is_stamped: whether a record without a time has that of its arrival.
    """

    def __init__(
        self,
        declaration: Input,
        timeline: Timeline,
        dialect: Dialect,
        decimals: NumberForms,
    ) -> None:
        self.predicate = declaration.predicate
        self.times = declaration.all_times
        self.each = declaration.each
        self.spread = spread = declaration.spread
        self.elements = declaration.elements
        self._names = [*dict.fromkeys(declaration.cell_names)]
        if spread is not None and not spread.is_of_columns:
            self._names.append(spread.source)
        self._columns = [*dict.fromkeys(declaration.column_names)]
        self.names = [*dict.fromkeys((*self._columns, *self.times))]
        needed = chain.from_iterable(one.names for one in declaration.cells if one.otherwise is None)
        self.optional = frozenset(self._columns).difference(
            needed, () if spread is None else (spread.source,)
        )
        self._reads_values = declaration.spreads_values
        declaration = replace(declaration, each=(), spread=None)
        self._row_columns = [*dict.fromkeys(declaration.column_names)]
        self._row_names = [*dict.fromkeys((*self._row_columns, *declaration.all_times))]
        """What rows have that are read: the fields, with those of `each K, V` for one of its keys."""
        self._all_optional = self.optional.issuperset(self._names)
        self._time_texts = declaration.time_texts
        self._by_time = [(one.times, timeline_of(one, timeline)) for one in declaration.by_time]
        self.is_stamped = is_stamped(declaration, timeline)
        self.reader: Callable[[Sequence[str]], RowReader] = partial(
            RowReader,
            declaration,
            name="",
            timeline=timeline,
            form=dialect,
            decimals=decimals,
            has_empty_texts=True,
        )
        self._conditions = [
            (one.column.names, condition_cells(one, dialect.missing, timeline))
            for one in declaration.conditions
        ]
        self._plain: Callable[[Sequence[str]], RowReader] = partial(
            RowReader,
            replace(declaration, conditions=()),
            name="",
            timeline=timeline,
            form=dialect,
            decimals=decimals,
            has_empty_texts=True,
        )

    @property
    def names_values(self) -> bool:
        """Whether it names fields besides those of the time."""
        return bool(self._names or self.spread)

    def missing(self, found: Mapping[str, Any]) -> list[str]:
        """The fields that a record lacks, so that it does not fit."""
        lacking, spread = self.absent(found), self.spread
        unmatched = []
        if spread is not None and spread.is_of_columns and not self._chosen(found):
            unmatched = [f'columns "{spread.source}"']
        if not lacking:
            return unmatched
        missing = [name for name in lacking if name in self._names and name not in self.optional] + unmatched
        if not missing and self._names and self._all_optional and spread is None:
            missing = [*self._names] if {*self._names}.issubset(lacking) else []
        if not self.is_stamped and not any(set(lacking).isdisjoint(times) for times, _ in self._by_time):
            missing += [name for name in self._by_time[0][0] if name in lacking and name not in missing]
        return missing

    def absent(self, found: Mapping[str, Any]) -> list[str]:
        """The fields that a record lacks."""
        names = self._columns if self.is_stamped else self.names
        return [name for name in names if name not in found and value_at(found, name) is MISSING]

    def read(self, found: Mapping[str, Any], own: Sequence[Any] = (), first: int = 0) -> Sequence[Reading]:
        """The tick and the fact of a record, of which this is number and source; see RowReader.

        `first` is the place of its first fact within the record; see `record_numbers.py`.

        There are several where it has lists that are gone through: elements that lack a field give none, but
        their time counts. Raises InputError.
        """
        if self.spread is not None:
            return self._read_each(self.spread, found, own, first)
        if not self.each:
            values = {name: _placed_value(found, name) for name in self.names}
            return (self._read(values, (*own, first) if own else own),)
        rows = self._rows(found)
        told = [
            self._read(row, (*own, place) if own else own)
            for place, row in enumerate(rows, first)
            if self.is_stamped or not self._lacks_time(row) or not self._takes(row)
        ]
        if not rows and self._conditions:
            values = {name: value_at(found, name) for name in self.names}
            plain = {name: MISSING if isinstance(value, list) else value for name, value in values.items()}
            if not self._takes(plain):
                return ((self._tick_in(plain), LEFT_OUT),)
        tick = None if told else self.tick(found)
        return told if tick is None else ((tick, None),)

    def _read_each(
        self, spread: Spread, found: Mapping[str, Any], own: Sequence[Any], first: int
    ) -> Sequence[Reading]:
        """The tick and the fact of a record for each key, as `each K, V` has it. Raises InputError."""
        values = self._outside(found, spread)
        try:
            elements = self._elements(spread, found)
        except InputError:
            if self._is_left_out(values, spread):
                return ((self._tick_in(values), LEFT_OUT),)
            raise
        told = list[Reading]()
        for place, (key, value) in enumerate(elements, first):
            try:
                told.append(self._read(_of_key(values, spread, key, value), (*own, place) if own else own))
            except InputError as error:
                of = "" if spread.is_of_columns else f"{spread.source}."
                raise InputError(f"field {shown(of + key)}: {error}") from error
            if value is None and not self._reads_values and told[-1][1] is not LEFT_OUT:
                told[-1] = (told[-1][0], None)
        if told:
            return told
        if self._conditions and not self._takes(values):
            return ((self._tick_in(values), LEFT_OUT),)
        tick = self.tick(found)
        if tick is None:
            raise InputError(f"field {spread.source}: no key contains the time")
        return ((tick, None),)

    def _outside(self, found: Mapping[str, Any], spread: Spread) -> dict[str, Any]:
        """What stands in the fields of a record; what a key stands for is missing."""
        return {
            name: MISSING if spread.names(name) else _placed_value(found, name) for name in self._row_names
        }

    def _is_left_out(self, values: Mapping[str, Any], spread: Spread) -> bool:
        """Whether a condition that asks for no key does not hold."""
        return any(
            cells[joined_argument(_cell(values[name], name) for name in names)] is False
            for names, cells in self._conditions
            if not any(map(spread.names, names))
        )

    def _elements(self, spread: Spread, found: Mapping[str, Any]) -> list[tuple[str, Any]]:
        """The keys of which each gives a fact, with what stands there. Raises InputError."""
        if spread.is_of_columns:
            return [(name, found[name]) for name in self._chosen(found)]
        value = value_at(found, spread.source)
        if value is None or value is MISSING:
            return []
        if not isinstance(value, dict):
            raise InputError(
                f"field {spread.source}: `each {spread.key}, {spread.value} of {spread.source}` needs "
                "an object here"
            )
        return [*value.items()]

    def _chosen(self, found: Mapping[str, Any]) -> list[str]:
        """The fields that match a pattern, but for those that are named elsewhere."""
        assert self.spread is not None
        names = [*found]
        return [
            name
            for name in map(names.__getitem__, self.spread.chosen(names))
            if not any(one == name or (one.startswith(f"{name}.") and one not in found) for one in self.names)
        ]

    def _rows(self, found: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """What stands in the fields, for each element of the lists that are gone through."""
        has_lists = not any(reached(found, name)[0] in (None, MISSING) for name in self.each)
        each = each_of(found, self.names, self.each) if has_lists else ()
        return [dict(zip(self.names, row, strict=True)) for row in each]

    def leaves_out(self, found: Mapping[str, Any]) -> bool:
        """Whether its conditions leave out a record that it does not fit, whatever else that has."""
        if not self._conditions:
            return False
        try:
            if self.spread is not None:
                return self._is_left_out(self._outside(found, self.spread), self.spread)
            rows = self._rows(found) if self.each else ()
            values = {name: _placed_value(found, name) for name in self.names}
            return not any(map(self._takes, rows or [values]))
        except InputError:
            return False

    def _takes(self, values: Mapping[str, Any]) -> bool:
        """Whether all conditions hold of such values. Raises InputError."""
        outcomes = list[Outcome]()
        for names, cells in self._conditions:
            try:
                texts = [_cell(values[name], name) for name in names]
            except InputError as error:
                outcomes.append(Wrong(f"where: {error}"))
            else:
                outcomes.append(cells[texts[0] if len(texts) == 1 else joined_argument(texts)])
        outcome = all_of(outcomes)
        if isinstance(outcome, Wrong):
            raise InputError(outcome.reason)
        return outcome

    def _tick_in(self, values: Mapping[str, Any]) -> int | None:
        """The tick of such values; None where it cannot be read."""
        is_stamped = self.is_stamped and self._lacks_time(values)
        names, reader = (self._row_columns, self._stamped) if is_stamped else (self._row_names, self._timed)
        try:
            row = [_cell(values[name], name) if name in self.times else None for name in names]
        except InputError:
            return None
        return reader.tick_if_read(row)

    def _read(self, values: Mapping[str, Any], own: Sequence[Any]) -> Reading:
        if self._conditions and not self._takes(values):
            return self._tick_in(values), LEFT_OUT
        if self.is_stamped and self._lacks_time(values):
            return self._stamped.read([*(_cell(values[name], name) for name in self._row_columns), *own])
        for name in self.times if len(self._by_time) == 1 else ():
            if values[name] is None:
                raise InputError(f"field {name}: the time is missing")
        return self._timed.read([*(_cell(value, name) for name, value in values.items()), *own])

    def _lacks_time(self, values: Mapping[str, Any]) -> bool:
        return not any(all(values[name] is not MISSING for name in times) for times, _ in self._by_time)

    def tick(self, found: Mapping[str, Any]) -> int | None:
        """The tick of the time of a record, whatever else it has; None where it has none, and by the clock.

        Raises InputError for what is no time.
        """
        for times, timeline in self._by_time:
            values = [value_at(found, name) for name in times]
            if timeline.arrival is not None or set(times) & set(self.each):
                return None
            if any(value is MISSING or value is None or value == "" for value in values):
                continue
            try:
                return timeline.tick_of_text(time_in(cells_of(found, times), self._time_texts))
            except InputError as error:
                raise InputError(f"column {' + '.join(times)}: {error}") from error
        return None

    @cached_property
    def _timed(self) -> RowReader:
        return self._plain(self._row_names)

    @cached_property
    def _stamped(self) -> RowReader:
        """Reads records without a time, which have that of their arrival."""
        return self._plain(self._row_columns)


def _of_key(values: Mapping[str, Any], spread: Spread, key: str, value: Any) -> dict[str, Any]:
    """What stands in the fields of a record for one of its keys. Raises InputError for a list."""

    def at(name: str, outside: Any) -> Any:
        if not spread.names(name):
            return outside
        if name == spread.key:
            return key
        if name != spread.value:
            return reached_in(value, name.removeprefix(f"{spread.value}."))[0]
        if isinstance(value, list):
            raise InputError("this is a list, not a single value")
        return MISSING if isinstance(value, dict) else value

    return {name: at(name, outside) for name, outside in values.items()}


def has_facts(found: Mapping[str, Any]) -> bool:
    """Whether a record has a list of atoms."""
    return any(type(found.get(name)) is list for name in OWN_LISTS)


def leaves(found: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a record with what stands in them; behind an object the fields in it, by their paths.

    No path leads into an object in a field that has a dot in its name.
    """
    for name, value in found.items():
        yield before + name, value
        if isinstance(value, dict) and "." not in name:
            yield from leaves(value, f"{before}{name}.")


def cells_of(found: Mapping[str, Any], names: Sequence[str]) -> list[str | None]:
    """The texts of fields that a record has. Raises InputError for an object or a list."""
    return [_cell(value_at(found, name), name) for name in names]


def exact_json(text: str) -> Any:
    """What JSON stands for, with numbers as they are written, as text; NaN is null. Raises ValueError."""
    return _EXACT.decode(text)


_EXACT = json.JSONDecoder(
    parse_int=str, parse_float=str, parse_constant=lambda word: _NO_NUMBER.get(word, word)
)


def value_at(found: Mapping[str, Any], name: str) -> Any:
    """What stands in a field, or the list through which its path leads; MISSING where there is none."""
    return found[name] if name in found else reached(found, name)[0]


def _placed_value(found: Mapping[str, Any], name: str) -> Any:
    """The same, where lists have places."""
    return found[name] if name in found else reached_in(found, name)[0]


def _is_behind_value(found: Mapping[str, Any], name: str) -> bool:
    """Whether a path leads behind something that is not an object: if that is null, so is all behind it."""
    first, dot, rest = name.partition(".")
    inner = found.get(first, MISSING) if dot else MISSING
    if isinstance(inner, dict):
        return _is_behind_value(inner, rest)
    return inner is not MISSING


def _cell(value: Any, name: str) -> str | None:
    """The text of a value, None for null and what is missing. Raises InputError for an object or a list."""
    if isinstance(value, str):
        return value
    if value is None or value is MISSING:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict) and value:
        within = f"{name}.{next(iter(value))}"
        raise InputError(f"field {name} is an object: name one of its values, as in {shown(within)}")
    if isinstance(value, list):
        cure = f"write each {shown(name)} in #input for one fact per element"
        raise InputError(f"field {name} is a list; {cure}")
    raise InputError(f"field {name} is an object, not a single value")


def _paths(found: Mapping[str, Any], before: str = "") -> list[str]:
    """The fields of a record, and those within."""
    paths = []
    for name, value in found.items():
        inner = isinstance(value, dict) and value and not before
        paths += _paths(value, f"{name}.") if inner else [before + name]
    return paths
