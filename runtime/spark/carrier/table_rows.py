"""From the columns of a table to blocks of atoms, as `#input` declares."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import field, replace
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.number_forms import NumberForm, NumberForms
from lars2asp.externals.terms.terms import Value
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.blocks import INTEGERS, Arguments, Block, arguments_of
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.arrow.moment_ticks import moment_ticks
from lars2asp.runtime.sources.records import Origin, Rejected
from lars2asp.runtime.sources.tables.row_reader import RowReader, argument_of, value_timeline
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.runtime.spark.carrier.cells import NAME, cells
from lars2asp.syntax.nodes import LARGEST_INTEGER, Column, Input
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class SparkTableRows:
    """Rows of a table."""

    columns: tuple[str, ...]
    declarations: tuple[Input, ...]
    timeline: Timeline
    decimals: NumberForms = field(default_factory=dict)

    def __post_init__(self) -> None:
        for declaration in self.declarations:
            for names in (declaration.times, *(column.names for column in declaration.columns)):
                if len(names) > 1:
                    raise InputError(
                        f"#input {declaration.predicate}: on Spark a time is one column; join "
                        f"{' and '.join(names)} in the DataFrame"
                    )
        self._readers()

    @property
    def needed(self) -> set[str]:
        """The columns that the declarations name."""
        return {
            name
            for declaration in self.declarations
            for name in (declaration.time, *(column.name for column in declaration.columns))
        }

    def _readers(self) -> list[RowReader]:
        return [
            RowReader(declaration, self.columns, "the rows", self.timeline, Dialect(), self.decimals)
            for declaration in self.declarations
        ]

    def route(self, batch: pa.RecordBatch, router: Router) -> None:
        """Adds one fact for each declaration; a row that cannot be read is rejected whole.

        Rows are read by columns: each distinct value is converted once. Those where a cell is missing or
        cannot be converted are read one by one.
        """
        readers = self._readers()
        ticks = {
            (place, form): _ticks(batch.column(place), replace(self.timeline, form=form), router)
            for place, form in {(reader.time_places[0], reader.timeline.form) for reader in readers}
        }
        values = {
            (places, column, column.required, decimals): _arguments(
                batch.column(places[0]), column, decimals, self.timeline
            )
            for reader in readers
            for places, column, decimals in zip(reader.places, reader.columns, reader.decimals, strict=True)
        }
        masks = [found.is_good for found in (*ticks.values(), *values.values()) if found.is_good is not None]
        is_good = reduce(pc.and_, masks) if masks else None
        if is_good is not None:
            self._route_rows(batch.filter(pc.invert(is_good)), readers, router)
        if not batch.num_rows or (is_good is not None and not pc.any(is_good).as_py()):
            return
        for reader in readers:
            required = (column.required for column in reader.columns)
            keys = zip(reader.places, reader.columns, required, reader.decimals, strict=True)
            arguments = [values[key].arguments(is_good) for key in keys]
            at = ticks[reader.time_places[0], reader.timeline.form].arguments(is_good).values
            router.add_block(Block.from_columns(PacketSign.FACT, reader.signature, at, arguments))

    def _route_rows(self, batch: pa.RecordBatch, readers: list[RowReader], router: Router) -> None:
        """Adds the facts of rows one by one."""
        for row in zip(*map(cells, batch.columns), strict=True):
            try:
                facts = [reader.read(row) for reader in readers]
                for tick, _ in facts:
                    router.check(tick)
            except InputError as error:
                router.reject(Rejected(Origin(NAME, 0, ",".join(row)), str(error)))
                continue
            for tick, atoms in facts:
                router.add_atoms(tick, PacketSign.FACT, () if atoms is None else (atoms,))


@dataclass(frozen=True)
class _Converted:
    """The values that the cells of a column make.

    Attributes:
        distinct: the different values, or those of all rows.
        numbers: for each row the number of its value, missing where there is none; None: rows have their own.
        is_good: whether a row has a value; None: all have.
    """

    distinct: Arguments
    numbers: pa.Array | None = None
    is_good: pa.Array | None = None

    def arguments(self, mask: pa.Array | None) -> Arguments:
        """The values of those rows, all of which have one, for which a mask is true; None: of all."""
        chosen = self.distinct.values if self.numbers is None else self.numbers
        chosen = chosen if mask is None else chosen.filter(mask)
        return self.distinct._replace(
            values=chosen if self.numbers is None else self.distinct.values.take(chosen)
        )


def _arguments(column: pa.Array, declared: Column, decimals: NumberForm, timeline: Timeline) -> _Converted:
    digits = 10**decimals if isinstance(decimals, int) else 0
    scale = digits if declared.scale is None else declared.scale
    timeline = value_timeline(declared, timeline) if declared.conversion == "time" else timeline
    is_number = declared.conversion in ("", "int", "any") and pa.types.is_integer(column.type) and scale > 0
    if is_number:
        for kind in (pa.int32(), pa.int64()):
            largest = 2 ** (kind.bit_width - 1) - 1
            if _lies_within(column, -(largest // scale), largest // scale):
                numbers = pc.multiply(column.cast(pa.int64()), scale)
                return _Converted(Arguments(INTEGERS, numbers.cast(kind)))

    def convert(text: str) -> Value | None:
        cell = text.strip()
        return argument_of(cell, declared, decimals, timeline) if cell else None

    return _by_distinct(column, convert)


def _ticks(column: pa.Array, timeline: Timeline, router: Router) -> _Converted:
    kind, latest = column.type, min(LARGEST_INTEGER, router.last_tick)
    is_tick = pa.types.is_integer(kind) and timeline.unit is TimeUnit.TICK
    if is_tick and _lies_within(column, 0, latest):
        return _Converted(Arguments(INTEGERS, column.cast(pa.int64())))
    is_moment = pa.types.is_timestamp(kind) and kind.unit == "us" and kind.tz is not None
    if is_moment and timeline.tick_length is not None:
        ticks = None if column.null_count else moment_ticks(column.cast(pa.int64()), timeline, latest)
        if ticks is not None and len(ticks):
            return _Converted(Arguments(INTEGERS, ticks))

    def convert(text: str) -> int:
        tick = timeline.tick_of_text(text)
        router.check(tick)
        return tick

    found = _by_distinct(column, convert)
    return replace(found, distinct=found.distinct._replace(values=found.distinct.values.cast(pa.int64())))


def _lies_within(column: pa.Array, least: int, most: int) -> bool:
    """Whether no integer of a column is missing, and all lie between two."""
    ends = pc.min_max(column).as_py()
    return not column.null_count and ends["min"] is not None and least <= ends["min"] <= ends["max"] <= most


def _by_distinct(column: pa.Array, convert: Callable[[str], Value | None]) -> _Converted:
    """Converts each different value of a column, given as text; None and InputError make none."""
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    encoded = column.dictionary_encode()
    places: list[int | None] = []
    found: list[Value] = []
    for text in cells(encoded.dictionary):
        value = None
        with suppress(InputError):
            value = convert(text)
        places.append(None if value is None else len(found))
        if value is not None:
            found.append(value)
    distinct = arguments_of(found or [0])
    if len(found) == len(places) and not column.null_count:
        return _Converted(distinct, encoded.indices)
    numbers = pa.array(places, pa.int32()).take(encoded.indices)
    return _Converted(distinct, numbers, numbers.is_valid())
