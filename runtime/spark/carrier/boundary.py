"""The boundary to DataFrames: which columns can become facts, and which streams can be read.

What is refused here would fail later, row by row, or never say anything.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pyspark.sql import DataFrame, GroupedData
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere
from pyspark.sql import types as T  # noqa: N812 - likewise

from lars2asp.externals.terms.text import Decimals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.tables.wanted_columns import chosen_columns
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.runtime.spark.carrier.object_rows import ObjectRows
from lars2asp.runtime.spark.carrier.rows import VALUE, LineRows, RowsReader
from lars2asp.runtime.spark.carrier.table_files import CONTENT, PATH, TableFiles
from lars2asp.runtime.spark.carrier.table_rows import SparkTableRows
from lars2asp.runtime.spark.carrier.timed_atoms import ATOM, CHANGE, TIME, UNTIL, TimedAtoms
from lars2asp.runtime.spark.session.local_session import ROCKSDB, STATE_STORE
from lars2asp.runtime.spark.spark_errors import SparkSetupError, check_streams
from lars2asp.syntax import nodes
from lars2asp.syntax.column_places import has_column, place_of
from lars2asp.syntax.source import shown

_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_MOMENTS = (T.TimestampType, T.TimestampNTZType, T.DateType)
_TEXT = (T.StringType, T.NullType)
_TIME = (*_WHOLE, *_MOMENTS, T.StringType)

_Types = tuple[type[T.DataType], ...]

_CONVERSIONS: dict[str, _Types] = {
    "": (*_WHOLE, *_MOMENTS, *_TEXT, T.BooleanType),
    "int": (*_WHOLE, *_TEXT),
    "constant": (*_TEXT, T.BooleanType),
    "number": (*_WHOLE, *_TEXT, T.FractionalType),
    "time": (*_WHOLE, *_MOMENTS, *_TEXT),
    "duration": (*_WHOLE, *_TEXT, T.FractionalType, T.DayTimeIntervalType),
    "text": (*_WHOLE, *_MOMENTS, *_TEXT, T.BooleanType, T.FractionalType),
    "any": (*_WHOLE, *_MOMENTS, *_TEXT, T.BooleanType, T.FractionalType),
}
"""The types that a column of `#input` may have, by its conversion."""

_SCALED: _Types = (*_WHOLE, *_TEXT, T.FractionalType)
"""The types that a column of `#input` with a factor may have."""


def column_types(schema: T.StructType) -> dict[str, T.DataType]:
    """The types of columns, and of fields within them, by names such as `st.y`; columns come first."""
    found = {field.name: field.dataType for field in schema}
    return dict(_fields("", schema)) | found


def _fields(path: str, schema: T.StructType) -> Iterator[tuple[str, T.DataType]]:
    for field in schema:
        yield path + field.name, field.dataType
        if isinstance(field.dataType, T.StructType):
            yield from _fields(f"{path}{field.name}.", field.dataType)


def type_of(types: dict[str, T.DataType], name: str) -> T.DataType | None:
    """The type of a column, whose name may differ in case if there is no other; None where it has none.

    Raises InputError where several differ only in case.
    """
    names = [*types]
    try:
        return types[names[place_of(name, names)]] if has_column(name, names) else None
    except LookupError as error:
        raise InputError(f"the rows: {error}") from error


def selected(df: DataFrame, reader: RowsReader) -> DataFrame:
    """The columns that a reader needs, in its order; with plain names, as mapInArrow needs them.

    Raises InputError for a name that several columns have, or have but for case.
    """
    by_place = df.toDF(*map(str, range(len(df.columns))))  # Spark knows names without their case
    paths = []
    for name in reader.columns:
        column, _, fields = (name, "", "") if has_column(name, df.columns) else name.partition(".")
        try:
            paths.append([str(place_of(column, df.columns)), *(fields.split(".") if fields else [])])
        except LookupError as error:
            raise InputError(f"the rows: {error}") from error
    names = (F.col(".".join(map(_quoted, path))).alias(f"c{place}") for place, path in enumerate(paths))
    return by_place.select(*names)


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def check_columns(df: DataFrame, reader: RowsReader) -> None:
    """Raises InputError for a column of a type of which no row could be read."""
    types = column_types(df.schema)
    found = {name: kind for name in reader.columns if (kind := type_of(types, name)) is not None}
    match reader:
        case TimedAtoms():
            _check_time(TIME, found[TIME], reader.timeline)
            _check_type(ATOM, found[ATOM], _TEXT)
            for name in {CHANGE, UNTIL}.intersection(reader.columns):
                if name == CHANGE:
                    _check_type(name, found[name], _TEXT)
                elif not isinstance(found[name], T.NullType):
                    _check_time(name, found[name], reader.timeline)
        case LineRows():
            _check_type(VALUE, found[VALUE], (*_TEXT, T.BinaryType))
        case TableFiles():
            _check_type(PATH, found[PATH], _TEXT)
            if CONTENT in reader.columns:
                _check_type(CONTENT, found[CONTENT], (T.BinaryType,))
        case SparkTableRows():
            for declaration in reader.declarations:
                for name in declaration.all_times:
                    _check_time(name, types[name], reader.timeline)
                for column in declaration.cells:
                    has_some = has_decimals(declaration, column, reader.decimals)
                    for name in _names_of(declaration, column.name, reader.columns):
                        check_argument(replace(column, name=name), types[name], has_some)
                for condition in declaration.conditions:
                    for name in _names_of(declaration, condition.column.name, reader.columns):
                        _check_type(name, types[name], (*_CONVERSIONS["text"], T.DayTimeIntervalType))
        case ObjectRows():
            for declaration in reader.declarations:
                _check_objects(declaration, types, reader)


def _check_objects(declaration: nodes.Input, types: Mapping[str, T.DataType], reader: ObjectRows) -> None:
    """Raises InputError for a column or a field of a type of which no row could be read."""
    for name in declaration.all_times:
        _check_time(name, types[name], reader.timeline)
    elements = _elements(declaration, types, reader.columns)
    for column in declaration.cells:
        has_some = has_decimals(declaration, column, reader.decimals)
        for name, kind in _types_of(declaration, column.name, types, elements):
            check_argument(replace(column, name=name), kind, has_some)
    for condition in declaration.conditions:
        for name, kind in _types_of(declaration, condition.column.name, types, elements):
            _check_type(name, kind, (*_CONVERSIONS["text"], T.DayTimeIntervalType))


def _elements(
    declaration: nodes.Input, types: Mapping[str, T.DataType], columns: Sequence[str]
) -> list[tuple[str, T.DataType]]:
    """The types of what `each K, V` goes through, with names. Raises InputError for what is no object."""
    spread = declaration.spread
    if spread is None:
        return []
    if spread.is_of_columns:
        return [(columns[at], types[columns[at]]) for at in chosen_columns(declaration, columns)]
    match found := types[spread.source]:
        case T.StructType():
            return [(f"{spread.source}.{one.name}", one.dataType) for one in found]
        case T.MapType():
            return [(spread.source, found.valueType)]
        case T.NullType():
            return []
    raise InputError(
        f"`each {spread.key}, {spread.value} of {shown(spread.source)}` needs a column of structs or "
        f"maps, but {shown(spread.source)} is of type {shown(found.simpleString())}"
    )


def _types_of(
    declaration: nodes.Input,
    name: str,
    types: Mapping[str, T.DataType],
    elements: Sequence[tuple[str, T.DataType]],
) -> Iterator[tuple[str, T.DataType]]:
    """The types of what a name in a declaration stands for; objects and what is not there are missing."""
    spread = declaration.spread
    if spread is None or not spread.names(name):
        yield name, types[name]
        return
    for path, element in elements if name != spread.key else ():
        kind = _within(element, name.split(".")[1:])
        if kind is not None and not isinstance(kind, T.StructType | T.MapType):
            yield path + name.removeprefix(spread.value), kind


def _within(kind: T.DataType | None, path: Sequence[str]) -> T.DataType | None:
    """The type to which a path of fields leads; None if it leads nowhere."""
    for name in path:
        match kind:
            case T.StructType() if name in kind.names:
                kind = kind[name].dataType
            case T.MapType():
                kind = kind.valueType
            case _:
                return None
    return kind


def _names_of(declaration: nodes.Input, name: str, columns: Sequence[str]) -> Sequence[str]:
    """The columns that a name in a declaration stands for."""
    spread = declaration.spread
    if spread is None or not spread.names(name):
        return (name,)
    if name == spread.key:
        return ()
    return [columns[at] for at in chosen_columns(declaration, columns)]


def have_ticks(df: DataFrame, reader: RowsReader) -> bool:
    """Whether the types of columns say that all times of rows are ticks."""
    types = column_types(df.schema)
    match reader:
        case TimedAtoms():
            names = [TIME]
        case SparkTableRows() | ObjectRows():
            names = [name for one in reader.declarations for name in one.all_times]
        case _:
            return False
    are_whole = all(isinstance(type_of(types, name), _WHOLE) for name in names)
    return reader.timeline.unit is TimeUnit.TICK and are_whole


def check_clock(clock: DataFrame | None, timeline: Timeline) -> None:
    """Raises InputError for a clock without a column of times."""
    if clock is None:
        return
    found = type_of(column_types(clock.schema), TIME)
    if found is None:
        raise InputError(f"a clock needs its times in the column {TIME}")
    _check_time(TIME, found, timeline)


def has_decimals(declaration: nodes.Input, column: nodes.Column, decimals: Decimals) -> bool:
    """Whether the place of a column of `#input` has decimals."""
    signature = nodes.Signature(declaration.predicate, len(declaration.columns))
    form = decimals.get(signature, (0,) * signature.arity)[declaration.columns.index(column)]
    return isinstance(form, int) and form > 0


def is_integer(column: nodes.Column, found: T.DataType | None, has_decimals: bool = False) -> bool:
    """Whether all values of a column of `#input` become integers, or none."""
    if has_decimals and not column.conversion and isinstance(found, T.NumericType):
        return True
    is_integral = isinstance(found, _WHOLE) or (found is not None and is_whole(found))
    is_converted = column.scale is not None or column.conversion in ("int", "time", "duration")
    return is_converted or (is_integral and not column.conversion)


def check_argument(column: nodes.Column, found: T.DataType, has_decimals: bool = False) -> None:
    """Raises InputError for a column of `#input` of a type of which no argument could be made."""
    takes_fractions = column.is_rounded or (has_decimals and column.conversion in ("", "int", "number"))
    if takes_fractions and isinstance(found, T.FractionalType):
        return
    is_fraction = isinstance(found, T.FractionalType) and not is_whole(found)
    if is_fraction and column.scale is None and column.conversion not in ("text", "any", "duration"):
        raise InputError(
            f"the column {shown(column.name)} is of type {found.simpleString()}, but this argument "
            f"is an integer: declare its #decimals, scale it in #input ({column.name}*10), or read it "
            f"as text({column.name})"
        )
    _check_type(column.name, found, _CONVERSIONS[column.conversion] if column.scale is None else _SCALED)


def _check_time(name: str, found: T.DataType, timeline: Timeline) -> None:
    if isinstance(found, T.FractionalType) and not is_whole(found):
        raise InputError(
            f"the column {shown(name)} is of type {found.simpleString()}, but times have no "
            f"fractions: cast it to long, or to a timestamp (timestamp_seconds({name}))"
        )
    _check_type(name, found, _TIME)
    is_moment = isinstance(found, _MOMENTS)
    is_counted = isinstance(found, _WHOLE) and timeline.unit is not TimeUnit.TICK
    if timeline.tick_length is None and (is_moment or is_counted):
        what = found.simpleString() if is_moment else f"in {timeline.unit}"
        raise InputError(
            f"the column {shown(name)} contains times ({what}), but the program declares no tick length: "
            "add for example #tick 1 sec."
        )
    if timeline.zone is None and is_moment and not isinstance(found, T.TimestampType):
        raise InputError(
            f"the column {shown(name)} is of type {found.simpleString()}, without a time zone: name "
            'one (timezone="UTC", or #timezone in the program), or cast it to timestamp'
        )


def _check_type(name: str, found: T.DataType, possible: _Types) -> None:
    if isinstance(found, possible) or (T.LongType in possible and is_whole(found)):
        return
    raise InputError(
        f"the column {shown(name)} is of type {shown(found.simpleString())}, which facts cannot "
        "contain: " + _way_out(name, found)
    )


def is_whole(found: T.DataType) -> bool:
    """Whether a type is a decimal without fraction."""
    return isinstance(found, T.DecimalType) and found.scale == 0


def _way_out(name: str, found: T.DataType) -> str:
    match found:
        case T.StructType():
            field = found.names[0] if found.names else "field"
            return f'name one of its fields, as in #input p("{name}.{field}")'
        case T.ArrayType():
            return f"make one row per element (explode({name}))"
        case T.MapType():
            return (
                f"copy the value that you need into a column ({name}['key']), or make rows (explode({name}))"
            )
        case T.BinaryType():
            return f"decode it (decode({name}, 'UTF-8'))"
        case T.DayTimeIntervalType():
            return f"read it as a duration, as in #input p(duration({name}))"
    return f"cast it to {'string' if isinstance(found, T.NumericType) else 'string or long'}"


def check_stream(df: DataFrame) -> None:
    """Raises InputError for a stream that `answers` cannot go on from.

    Raises SparkSetupError where Spark, or its state store, does not do.

    With a watermark of its own before the one of `answers`, Spark ends the query, or waits for ever.
    """
    if not df.isStreaming:
        return
    check_streams(GroupedData)
    store = df.sparkSession.conf.get(STATE_STORE) or ""
    if not store.endswith(ROCKSDB.rpartition(".")[2]):
        raise SparkSetupError(f"the session's state store is not supported: set {STATE_STORE} to {ROCKSDB}")
    for node in _STREAMING_NODE.findall(_analyzed(df)):
        if node in _REFUSED:
            raise InputError(
                f"the stream has {_REFUSED[node]} before `answers`, which needs its own watermark: "
                "remove it and set lateness=, write the stream to a table and read that, or use "
                "write_answers"
            )


_REFUSED = {"EventTimeWatermark": "a watermark (withWatermark)", "Aggregate": "an aggregation"}
_STREAMING_NODE = re.compile(r"^[ :+-]*~(\w+)", re.MULTILINE)
"""An operator in the text of a plan; those of streams have a tilde."""


def _analyzed(df: DataFrame) -> str:
    """The text of the analyzed plan; Spark Connect has no other form of it."""
    if hasattr(df, "_jdf"):
        return str(df._jdf.queryExecution().analyzed().toString())
    remote: Any = df
    return str(remote._explain_string(extended=True))
