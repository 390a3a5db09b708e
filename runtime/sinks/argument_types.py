"""The types of Arrow that arguments have, in frames and in Parquet, and their values by cells of tables."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from lars2asp.analysis.number_forms import DurationForm, NumberForm, TimeForm, microseconds_of
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sinks.columns import DIGITS, Cell

if TYPE_CHECKING:
    import pyarrow as pa


def argument_type(integers: "pa.DataType", decimals: NumberForm, arrow: Any) -> "pa.DataType":
    """The type of arguments that are integers.

    Args:
        integers: where they are written as such.
        decimals: the form in which they are written.
        arrow: the package.
    """
    if isinstance(decimals, TimeForm):
        return arrow.timestamp("us", str(decimals.moments.zone or "UTC"))
    if isinstance(decimals, DurationForm):
        return arrow.duration("us")
    return arrow.decimal128(DIGITS, decimals) if decimals else integers


def value_of(kind: "pa.DataType", arrow: Any) -> Callable[[Cell], Any]:
    """What makes a cell a value of a type: texts are what they say, exactly: numbers, times, durations."""
    if kind == arrow.string():
        return str
    if arrow.types.is_timestamp(kind):
        return _moment
    if arrow.types.is_duration(kind):
        return _length
    return Decimal if arrow.types.is_decimal(kind) else lambda cell: cell


def _moment(cell: Cell) -> datetime:
    if isinstance(cell, int) or "T" not in cell:
        raise InputError(f"tick {cell} is too late for a timestamp column: write csv or JSON lines")
    return datetime.fromisoformat(cell)


def _length(cell: Cell) -> int:
    length = microseconds_of(str(cell))
    if not -(2**63) <= length < 2**63:
        raise InputError(f"{cell} is too long for a duration column: write csv or JSON lines")
    return length
