"""Rows of typed columns become records as `#input` declares, columns at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from math import isnan
from types import NoneType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import OnReject, Origin, Record, Rejected
from lars2asp.runtime.sources.row_reader import RowReader, argument_of
from lars2asp.runtime.sources.timeline import Timeline, TimeUnit
from lars2asp.syntax.nodes import LARGEST_INTEGER, Column


class Refused:
    """Stands for a value that cannot be read.

    Attributes:
        reason: why.
    """

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


class _Row:
    """A row as it stands in messages, which is worked out when it is asked for."""

    __slots__ = ("batch", "place")

    def __init__(self, batch: Any, place: int) -> None:
        self.batch = batch
        self.place = place

    def __repr__(self) -> str:
        return ",".join(texts_of(column.slice(self.place, 1))[0] or "" for column in self.batch.columns)


def batch_records(
    batch: Any,
    name: str,
    first: int,
    readers: Sequence[RowReader],
    on_reject: OnReject,
    missing: frozenset[str] = frozenset(),
) -> Iterator[Record]:
    """The records of the rows of a batch, the first of which has a number.

    Args:
        batch: a record batch with the columns that the readers were made for.
        name: that of the source.
        first: the number of its first row.
        readers: say how a row becomes facts.
        on_reject: takes rows that cannot be read.
        missing: the texts that are missing values, besides empty ones.
    """
    converted = [_Converted(batch, reader, missing) for reader in readers]
    places = range(batch.num_rows)
    origins = (Origin(name, first + place, _Row(batch, place)) for place in places)
    if len(converted) == 1 and converted[0].is_clean:
        [one] = converted
        signature = one.signature
        for tick, row, origin in zip(one.ticks, one.rows, origins, strict=True):
            yield Record(tick, Events((AtomRows(signature, [row]),)), origin)
        return
    for read, origin in zip(zip(*(one.read() for one in converted), strict=True), origins, strict=True):
        refused = next((one for one in read if isinstance(one, Refused)), None)
        if refused is not None:
            on_reject(Rejected(origin, refused.reason))
            continue
        for tick in dict.fromkeys(tick for tick, _ in read):
            atoms = tuple(atom for at, atom in read if at == tick and atom is not None)
            yield Record(tick, Events(atoms), origin)


class _Converted:
    """What a declaration makes of a batch.

    Attributes:
        signature: the predicate.
        ticks: the ticks of the rows, or Refused.
        rows: their arguments; None for one that is missing.
        is_clean: whether nothing is missing or refused.
    """

    def __init__(self, batch: Any, reader: RowReader, missing: frozenset[str]) -> None:
        self.signature = reader.signature
        self.ticks = _ticks([batch.column(place) for place in reader.time_places], reader.timeline)
        columns = [
            _values(batch.column(place), column, missing)
            for place, column in zip(reader.places, reader.columns, strict=True)
        ]
        self.rows: list[tuple[Any, ...]] = [*zip(*columns, strict=True)]
        self.is_clean = all(_is_clean(values) for values in (self.ticks, *columns))

    def read(self) -> Iterator[Any]:
        """For each row its tick and its fact, which may be None, or Refused."""
        for tick, row in zip(self.ticks, self.rows, strict=True):
            if isinstance(tick, Refused):
                yield tick
            elif None in row:
                yield tick, None
            else:
                refused = next((one for one in row if isinstance(one, Refused)), None)
                yield refused or (tick, AtomRows(self.signature, [row]))


def _is_clean(values: Sequence[Any]) -> bool:
    return not {NoneType, Refused}.intersection(map(type, values))


def texts_of(column: Any) -> list[str | None]:
    """The cells of a column as a table of text has them; None for nulls, and for NaN.

    Numbers are whole: 24.0 is `24`. Raises InputError for types that have no text.
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        return texts_of(column.dictionary_decode())
    if pa.types.is_floating(kind):
        return [*map(_float_text, column.to_pylist() if kind == pa.float64() else _short_floats(column))]
    if pa.types.is_decimal(kind):
        return [None if one is None else _decimal_text(one) for one in column.to_pylist()]
    if pa.types.is_boolean(kind):
        return [None if one is None else str(one).lower() for one in column.to_pylist()]
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        is_moment = pa.types.is_timestamp(kind)
        whole = column.cast(pa.timestamp("us", kind.tz), safe=False) if is_moment else column
        return [None if one is None else one.isoformat() for one in whole.to_pylist()]
    if pa.types.is_integer(kind) or pa.types.is_time(kind) or pa.types.is_null(kind):
        return [None if one is None else str(one) for one in column.to_pylist()]
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        texts: list[str | None] = column.to_pylist()
        return texts
    raise InputError(f"values of the type {kind} are no arguments")


def _float_text(number: float | str | None) -> str | None:
    if number is None or number in ("nan", "-nan") or (isinstance(number, float) and isnan(number)):
        return None
    return _decimal_text(Decimal(repr(number) if isinstance(number, float) else number))


def _short_floats(column: Any) -> list[str]:
    """Numbers of less than 64 bits by their shortest texts."""
    numbers = column.to_numpy(zero_copy_only=False)
    return [*map(str, numbers)]


def _decimal_text(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _values(column: Any, declared: Column, missing: frozenset[str]) -> list[Any]:
    """The arguments of a column; None for those that are missing."""
    scale = 1 if declared.scale is None else declared.scale
    is_number = declared.conversion in ("", "int", "number") and pa.types.is_integer(column.type)
    if is_number and scale == 1 and not missing and _lies_within(column, -LARGEST_INTEGER, LARGEST_INTEGER):
        values: list[Any] = column.to_pylist()
        return values
    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)

    def convert(text: str | None) -> Any:
        cell = None if text is None else text.strip()
        if not cell or cell in missing:
            return None
        return argument_of(cell, plain)

    plain = declared  # typed numbers have no signs of their own
    if not is_text and declared.conversion == "number":
        plain = replace(declared, conversion="", signs=())
    return _by_distinct(column, convert, declared.name)


def _ticks(columns: Sequence[Any], timeline: Timeline) -> list[Any]:
    if len(columns) > 1:
        return _joined_ticks(columns, timeline)
    [column] = columns
    kind = column.type
    if pa.types.is_integer(kind) and timeline.unit is TimeUnit.TICK and timeline.form is None:
        if _lies_within(column, 0, LARGEST_INTEGER) and not column.null_count:
            ticks: list[Any] = column.to_pylist()
            return ticks
    elif pa.types.is_timestamp(kind):
        moments = _in_zone(column, timeline)
        if moments is not None and timeline.tick_length is not None and not column.null_count:
            counted = moments.cast(pa.timestamp("us", "UTC"), safe=False).cast(pa.int64()).to_numpy()
            found = (counted - timeline.begin_of(0)) // timeline.tick_length
            if len(found) and found.min() >= 0 and found.max() <= LARGEST_INTEGER:
                return [*found.tolist()]
        timeline = _without_form(timeline)
    elif pa.types.is_date(kind):
        timeline = _without_form(timeline)

    def convert(text: str | None) -> int:
        if text is None:
            raise InputError("the row has no time")
        return timeline.tick_of_text(text)

    return _by_distinct(column, convert, "")


def _joined_ticks(columns: Sequence[Any], timeline: Timeline) -> list[Any]:
    rows = zip(*map(texts_of, columns), strict=True)
    joined = [" ".join([(text or "").strip() for text in row]) for row in rows]
    return _by_distinct(pa.array(joined, pa.string()), lambda text: timeline.tick_of_text(text or ""), "")


def _without_form(timeline: Timeline) -> Timeline:
    return replace(timeline, form=None)


def _in_zone(column: Any, timeline: Timeline) -> Any:
    """Moments of a column with timestamps; None where they are to be read one by one."""
    if column.type.tz is not None:
        return column
    zone = getattr(timeline.zone, "key", None)
    if zone is None:
        return None
    try:
        return pc.assume_timezone(column, zone)
    except pa.ArrowException:  # some of these local times come twice, or are skipped
        return None


def _lies_within(column: Any, least: int, most: int) -> bool:
    """Whether all integers of a column that are there lie between two."""
    ends = pc.min_max(column).as_py()
    return ends["min"] is None or (least <= ends["min"] and ends["max"] <= most)


def _by_distinct(column: Any, convert: Callable[[str | None], Any], name: str) -> list[Any]:
    """Converts each different value of a column once."""
    if pa.types.is_null(column.type):
        return [_converted(None, convert)] * len(column)
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    try:
        texts = texts_of(encoded.dictionary)
    except InputError as error:
        raise InputError(f"column {name}: {error}") from error
    values = [_converted(text, convert) for text in texts]
    values.append(_converted(None, convert))
    last = len(texts)
    return [values[last if place is None else place] for place in encoded.indices.to_pylist()]


def _converted(text: str | None, convert: Callable[[str | None], Any]) -> Any:
    try:
        return convert(text)
    except InputError as error:
        return Refused(str(error))
