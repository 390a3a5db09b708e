"""Data frames as input: of pandas, polars, Arrow, DuckDB and other sources of Arrow streams."""

from collections.abc import Iterator, Sequence
from itertools import chain
from math import isnan
from typing import TYPE_CHECKING, Any, cast

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.sources.arrow.arrow_streams import is_frame, is_pandas
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import OnReject, Record, Rejected, refuse
from lars2asp.runtime.sources.reject_warnings import RejectChoice, rejecting, told
from lars2asp.runtime.sources.tables.wanted_columns import columns_needed, with_names
from lars2asp.runtime.sources.times.repeated_hours import in_order
from lars2asp.runtime.sources.times.timeline import text_of_moment
from lars2asp.syntax.column_places import has_column, places_of
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import shown

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "<frame>"
"""Stands for a frame in messages."""

PANDAS_ROWS = 65536
"""The number of rows of pandas that become Arrow at a time."""

PROPOSED_BY = 100
"""The number of rows to propose a declaration from."""


def read_frame(
    frame: object,
    reading: Reading,
    on_reject: RejectChoice = "warn",
    account: Account | None = None,
    *,
    has_row_each: bool = True,
) -> Iterator[Record]:
    """Yields the records of a data frame: each row gives a fact for each `#input` of the program.

    The frame may come from pandas, polars, Arrow or DuckDB, or offer Arrow's stream interface. Named index
    levels of pandas are columns. Integers may be floats without fraction. Null and NaN are missing. Errors
    count rows from 1.

    Args:
        frame: The frame.
        reading: How to read it; `Reasoner.reading` reads as the program declares.
        on_reject: What to do with a bad row: "warn", "stop" or a function; see `Reasoner.run`.
        account: Counts the rows.
        has_row_each: False to merge neighbouring rows of one tick.

    Raises:
        InputError: If pyarrow, an `#input` or a column is missing, if a column is of a wrong type, and for
            bad rows with `on_reject="stop"`.
        TypeError: For a value that is not a data frame.
        ValueError: For another text as `on_reject`.
    """
    if not is_frame(frame):
        raise TypeError(
            f"read_frame needs a data frame or a table, not {shown(repr(frame))}: read_file reads files"
        )
    take, tell = rejecting(on_reject)
    account, numbers = account or Account(), reading.record_numbers
    has_row_each = has_row_each or numbers.are_asked
    records = chain.from_iterable(_blocks(frame, reading, take, account, has_row_each=has_row_each))
    return told(numbers.over(records) if numbers.are_asked else records, tell)


def read_frame_blocks(
    frame: object,
    reading: Reading,
    on_reject: OnReject = refuse,
    account: Account | None = None,
    *,
    has_row_each: bool = True,
    in_columns: bool = True,
) -> Iterator[Sequence[Record]]:
    """The same some at a time, plain ones in columns."""
    account, numbers = account or Account(), reading.record_numbers
    in_columns = in_columns and not numbers.are_asked
    has_row_each = has_row_each or numbers.are_asked
    blocks = _blocks(frame, reading, on_reject, account, has_row_each=has_row_each, in_columns=in_columns)
    return ([*numbers.over(block)] for block in blocks) if numbers.are_asked else blocks


def rows_in(frame: Any) -> int | None:
    """The number of rows of a frame; None if it is unknown before they are read."""
    if is_pandas(frame):
        return len(frame)
    number = getattr(frame, "num_rows", None) or getattr(frame, "height", None)
    return number if isinstance(number, int) else None


def _blocks(
    frame: object,
    reading: Reading,
    judge: OnReject,
    account: Account,
    *,
    has_row_each: bool,
    in_columns: bool = False,
) -> Iterator[Sequence[Record]]:
    def on_reject(rejected: Rejected) -> None:
        if account.refuse(rejected):
            judge(rejected)

    reading = reading.of_input.marked
    order = reading.order()
    rows: Any = _arrow_module("lars2asp.runtime.sources.arrow.arrow_rows")
    declarations = reading.of_fields
    if not declarations:
        raise InputError(_proposal(frame))
    if is_pandas(frame):
        pandas = cast(Any, frame)
        levels = [level for level in pandas.index.names if level is not None]
        declarations = [with_names(one, [*pandas.columns], NAME, levels) for one in declarations]
    asking = [one.all_times for one in declarations if one.asks_filled]
    has_pattern = any(one.spread is not None for one in declarations)
    columns = columns_needed(declarations, [*frame.columns] if has_pattern and is_pandas(frame) else ())  # type: ignore[attr-defined]
    batches = _batches(frame, columns, declarations[0], asking, is_whole=has_pattern)
    blocks = rows.read_batches(
        batches,
        NAME,
        declarations,
        reading.timeline,
        on_reject,
        reading.decimals,
        missing=reading.dialect.missing,
        has_row_each=has_row_each,
        in_columns=lambda: in_columns and order is None,
    )
    for block in blocks if order is None else in_order(blocks, order, on_reject):
        account.take(block)
        yield block


def _arrow_module(name: str) -> Any:
    """A module that needs pyarrow. Raises MissingPackageError."""
    return needed(name, "tables", "data frames")


def _batches(
    frame: Any,
    columns: Sequence[str],
    declared: Input,
    asking: Sequence[Sequence[str]],
    *,
    is_whole: bool = False,
) -> "Iterator[pa.RecordBatch]":
    """The rows of a frame as batches of Arrow, with these columns at least. Raises InputError.

    Declarations with the times `asking` ask whether rows contain a value outside these columns. All columns
    that batches of Arrow have may be needed.
    """
    pa = _arrow_module("pyarrow")
    if is_pandas(frame):
        yield from _pandas_batches(frame, columns, declared, asking)
        return
    try:
        yield from _stream(frame, () if asking or is_whole else columns)
    except (pa.ArrowException, TypeError) as error:
        raise InputError(f"{NAME}: cannot read the frame: {error}") from error


def _stream(frame: Any, columns: Sequence[str]) -> Any:
    """The batches of a source of an Arrow stream."""
    pa = _arrow_module("pyarrow")
    if isinstance(frame, pa.RecordBatch):
        return [frame]
    if hasattr(frame, "collect_batches"):
        raise InputError(f"{NAME}: this is a lazy frame, without rows: pass frame.collect()")
    if isinstance(frame, pa.Table):
        return frame.to_batches()
    if not hasattr(frame, "__arrow_c_stream__") and hasattr(frame, "to_batches"):  # a dataset of Arrow
        known = frame.schema.names
        named = [known[place] for name in columns for place in places_of(name, known)]
        are_all = named and len(named) == len(columns) and all(has_column(name, known) for name in columns)
        return frame.to_batches(columns=named) if are_all else frame.to_batches()
    if not hasattr(frame, "__arrow_c_stream__"):
        return [pa.record_batch(frame)]
    return pa.RecordBatchReader.from_stream(frame)


# --- pandas ---------------------------------------------------------------------------------------


def _pandas_batches(
    frame: Any, columns: Sequence[str], declared: Input, asking: Sequence[Sequence[str]]
) -> "Iterator[pa.RecordBatch]":
    pa = _arrow_module("pyarrow")
    for first in range(0, len(frame), PANDAS_ROWS):
        part = frame.iloc[first : first + PANDAS_ROWS]
        found = [_pandas_column(part, name, declared) for name in columns]
        for times in asking:
            others = part.drop(columns=[*times], errors="ignore").notna().any(axis=1)
            found.append(pa.array([is_filled or None for is_filled in others], pa.bool_()))
        yield pa.record_batch(found, names=[*columns, *[""] * len(asking)])  # which no pattern matches


def _pandas_column(frame: Any, name: str, declared: Input) -> "pa.Array":
    """A column of pandas, or a named level of the index, or a field of a column with structs."""
    names = [*frame.columns, *(level for level in frame.index.names if level is not None)]
    number = names.count(name)
    if number == 1:
        values = frame[name] if name in frame.columns else frame.index.get_level_values(name)
        return _of_pandas(values, name)
    if not number and "." in name:
        rows = _arrow_module("lars2asp.runtime.sources.arrow.arrow_rows")
        whole = next((one for one in names if name.startswith(f"{one}.")), None)
        if whole is not None:
            pa = _arrow_module("pyarrow")
            batch = pa.record_batch([_of_pandas(frame[whole], whole)], names=[whole])
            return rows.column_of(batch, name, NAME, declared)
    what = "several columns are called" if number else "no column"
    hint = ""
    if not number and name == declared.time and frame.index.names == [None]:
        hint = f"; if the index contains the times, pass frame.rename_axis({name!r})"
    known = shown(", ".join(map(repr, names)), 400)
    raise InputError(
        f"{NAME}: {what} {name!r}, which #input {declared.predicate} reads; the columns are {known}{hint}"
    )


def _of_pandas(values: Any, name: str) -> "pa.Array":
    """Values of pandas as Arrow; values of mixed kinds become text."""
    pa = _arrow_module("pyarrow")
    try:
        found = pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        if values.dtype != object:
            raise InputError(
                f"{NAME}: the column {shown(name)} is of type {values.dtype}, which facts cannot "
                "contain: cast it to text or to a number"
            ) from error
        found = pa.array([*map(_text, values)], pa.string())
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


def _text(value: Any) -> str | None:
    """A value of a column with values of several kinds; None if it is missing."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float):
        return None if isnan(value) else str(int(value)) if value.is_integer() else repr(value)
    return text_of_moment(value) or str(value)


# --- a declaration that fits ----------------------------------------------------------------------


def _proposal(frame: Any) -> str:
    """The message for a frame without declarations, with a declaration that fits its columns."""
    rows = _arrow_module("lars2asp.runtime.sources.arrow.arrow_rows")
    if is_pandas(frame):
        beginning = frame.head(PROPOSED_BY)
        if frame.index.names != [None]:
            beginning = beginning.reset_index()
        columns = {name: _of_pandas(beginning[name], name) for name in beginning.columns.unique()}
    else:
        first = next(iter(_stream(frame, ())), None)
        part = None if first is None else first.slice(0, PROPOSED_BY)
        columns = {} if part is None else dict(zip(part.schema.names, part.columns, strict=True))
    reason = f"{NAME}: the program does not declare how rows become facts; add to it"
    return (
        f"{reason}, for instance\n  {rows.proposed_declaration(columns)}"
        if columns
        else f"{reason} an #input"
    )
