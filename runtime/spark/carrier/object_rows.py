"""Rows with structs and maps whose keys give facts: they are read one by one, as JSON records are."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

import pyarrow as pa

from lars2asp.analysis.number_forms import NumberForms
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.arrow.arrow_columns import texts_of
from lars2asp.runtime.sources.json.json_fields import DeclaredFields, UnfitError
from lars2asp.runtime.sources.records import Origin, Record, Rejected
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.tables.wanted_columns import chosen_columns, columns_read
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.added_records import add_records
from lars2asp.syntax.column_places import place_of
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.values import dataclass


def reads_objects(declaration: Input) -> bool:
    """Whether a declaration gives facts for the keys of an object, or reads fields of what columns have."""
    spread = declaration.spread
    if spread is None or not spread.is_of_columns:
        return spread is not None
    names = (name for one in declaration.all_columns if one.is_cell for name in one.names)
    return any(name.startswith(f"{spread.value}.") for name in names)


@dataclass(frozen=True)
class ObjectRows:
    """Rows of a table whose structs and maps are objects.

    Attributes:
        columns: those of the table that are read.
        declarations: how rows become facts.
        timeline: how times become ticks.
        decimals: how the numbers of predicates are written.
    """

    columns: tuple[str, ...]
    declarations: tuple[Input, ...]
    timeline: Timeline
    decimals: NumberForms = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._fields()

    def needing(self, known: Sequence[str]) -> "ObjectRows":
        """The same with the columns that it needs, of some and the fields within them. Raises InputError."""
        whole = [name for name in known if not any(name.startswith(f"{one}.") for one in known)]
        needed = {*columns_read(self.declarations)}
        for one in self.declarations:
            try:
                for name in (*one.all_times, *one.column_names):
                    place_of(name, known, f" for #input {one.predicate}")
            except LookupError as error:
                raise InputError(f"the rows: {error}") from error
            if one.spread is not None and one.spread.is_of_columns:
                needed |= {whole[at] for at in chosen_columns(one, whole, "the rows")}
        needed |= {name[:end] for name in needed for end, sign in enumerate(name) if sign == "."}
        if any(one.asks_filled for one in self.declarations):
            needed |= {*whole}
        columns = tuple(name for name in whole if name in needed)
        return ObjectRows(columns, self.declarations, self.timeline, self.decimals)

    def _fields(self) -> DeclaredFields:
        return DeclaredFields(self.declarations, self.timeline, Dialect(), self.decimals)

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds the facts of rows; one that cannot be read is rejected whole."""
        fields = self._fields()
        times = {name for one in self.declarations for name in one.all_times}
        found: dict[str, Any] = {}

        def read(_: str, origin: Origin) -> Sequence[Record | Rejected]:
            try:
                return fields.records(found, origin)
            except UnfitError as error:
                return error.told(origin, "all cells except the time are empty")

        def texts() -> Iterator[str]:
            nonlocal found
            for row in zip(*map(_values_of, batch.columns), strict=True):
                found = dict(zip(self.columns, row, strict=True))
                if all(value is None for name, value in found.items() if name not in times):
                    found = {name: value for name, value in found.items() if name in times}  # it is empty
                yield json.dumps(found, ensure_ascii=False)

        add_records(texts(), read, router, self.declarations, self.decimals)


def _values_of(column: pa.Array) -> Sequence[Any]:
    """The values of a column as JSON has them: texts, objects and lists of these; None: they are missing."""
    kind = column.type
    if pa.types.is_struct(kind):
        names = [one.name for one in kind.fields]
        rows = zip(*map(_values_of, column.flatten()), strict=True) if names else iter([()] * len(column))
        objects = (dict(zip(names, row, strict=True)) for row in rows)
        there = column.is_valid().to_pylist()
        return [one if is_there else None for one, is_there in zip(objects, there, strict=True)]
    if pa.types.is_map(kind):
        pairs = [*zip(map(str, _values_of(column.keys)), _values_of(column.items), strict=True)]
        return [None if part is None else dict(part) for part in _parts(column, pairs)]
    if pa.types.is_list(kind):
        return _parts(column, _values_of(column.values))
    return texts_of(column, has_point=True)


def _parts(column: pa.Array, elements: Sequence[Any]) -> list[Sequence[Any] | None]:
    """For each row of a column of lists its own elements."""
    ends = column.offsets.to_pylist()
    there = column.is_valid().to_pylist()
    return [
        elements[first:end] if is_there else None
        for first, end, is_there in zip(ends, ends[1:], there, strict=False)
    ]
