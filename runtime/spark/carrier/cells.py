"""The values of DataFrames' columns as text."""

from datetime import date, datetime, timedelta
from typing import Any

import pyarrow as pa

from lars2asp.analysis.number_forms import length_text
from lars2asp.analysis.tick_moments import MICROSECOND

NAME = "<rows>"
"""Stands for the place of a row."""


def cells(column: pa.Array) -> list[str]:
    """The values of a column as text; missing ones are empty."""
    return [text or "" for text in texts_of(column)]


def texts_of(column: pa.Array) -> list[str | None]:
    """The values of a column as text; None for missing ones."""
    if pa.types.is_integer(column.type):
        column = column.cast(pa.string())
    if pa.types.is_string(column.type):
        try:
            texts: list[str | None] = column.to_pylist()
        except UnicodeDecodeError:  # Java hands on bytes as they are
            return [_cell(value) for value in column.view(pa.binary()).to_pylist()]
        return texts
    if pa.types.is_float32(column.type):  # 24.1, as it is printed, not 24.100000381469727
        column = column.cast(pa.string()).cast(pa.float64())
    return [_cell(value) for value in column.to_pylist()]


def _cell(value: Any) -> str | None:
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case datetime() | date():
            return value.isoformat()
        case timedelta():
            return length_text(value // MICROSECOND)
        case bytes() | bytearray():
            return value.decode(errors="surrogateescape")
    return str(value)
