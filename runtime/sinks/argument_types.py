"""The types of Arrow that arguments have, in frames and in Parquet, and their values by cells of tables."""

from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from lars2asp.runtime.sinks.columns import Cell

if TYPE_CHECKING:
    import pyarrow as pa

DIGITS = 10
"""Those of a number of 32 bits."""


def argument_type(integers: "pa.DataType", decimals: int, arrow: Any) -> "pa.DataType":
    """The type of arguments that are integers.

    Args:
        integers: where they have no decimals.
        decimals: how many they have.
        arrow: the package.
    """
    return arrow.decimal128(DIGITS, decimals) if decimals else integers


def value_of(kind: "pa.DataType", arrow: Any) -> Callable[[Cell], Any]:
    """What makes a cell a value of a type: the texts of numbers with decimals are these numbers, exactly."""
    if kind == arrow.string():
        return str
    return Decimal if arrow.types.is_decimal(kind) else lambda cell: cell
