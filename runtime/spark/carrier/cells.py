"""What the cells of DataFrames' columns are: texts, and columns of blocks."""

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.externals.terms.terms import Value
from lars2asp.runtime.sharding.blocks import INTEGERS, STRINGS, Arguments, arguments_of
from lars2asp.runtime.sources.arrow.arrow_columns import Cells, texts_of
from lars2asp.runtime.sources.fine_ticks import rank_of

NAME = "<rows>"
"""Stands for the place of a row."""


def cells(column: pa.Array) -> list[str]:
    """The values of a column as text; missing ones are empty."""
    return [text or "" for text in texts_of(column, has_point=True)]


def arguments(found: Cells[Value], mask: pa.Array | None) -> Arguments:
    """The values of those rows, all of which have one, for which a mask is true; None: of all."""
    column, known = found.where(mask)
    if isinstance(column, list):
        return arguments_of(column)
    if known is not None:
        distinct = arguments_of(known or [0])
        return distinct._replace(values=distinct.values.take(column))
    if pa.types.is_string(column.type):
        return Arguments(STRINGS, column)
    ends = pc.min_max(column).as_py()
    is_short = -(2**31) < ends["min"] <= ends["max"] < 2**31
    return Arguments(INTEGERS, column.cast(pa.int32()) if is_short else column)


def ticks(found: Cells[int]) -> pa.Array:
    """The ticks of rows, as integers of 64 bits; null where there is none."""
    column, known = found.where(None)
    if isinstance(column, list):
        return pa.array(column, pa.int64())
    return column if known is None else pa.array(known, pa.int64()).take(column)


def ranks(found: Cells[int]) -> pa.Array | None:
    """The ranks of the times of rows (`rank_of`); None if ticks are all that is known."""
    return None if found.moments is None else pa.array(map(rank_of, found.moments), pa.int64())
