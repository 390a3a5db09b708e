"""Background data of a program from bounded DataFrames."""

import re
from collections.abc import Iterator, Sequence

from pyspark.sql import DataFrame
from pyspark.sql.types import FractionalType

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.arrow.arrow_columns import texts_of
from lars2asp.runtime.sources.tables.row_reader import argument_of
from lars2asp.runtime.spark.carrier.boundary import check_argument, is_whole
from lars2asp.syntax.nodes import Column, Signature
from lars2asp.syntax.source import Source, shown

_PREDICATE = re.compile(r"_*[a-z][A-Za-z0-9_']*")


def facts_of(predicate: str, df: DataFrame) -> Source:
    """The rows of a DataFrame as facts of a program, with an argument for each column.

    Cells become arguments as `#input` has them without conversion; a row with a missing one makes no fact.

    Args:
        predicate: the name.
        df: the rows, which are collected.

    Raises InputError for a stream, a name of no predicate, and for what cannot be an argument.
    """
    if df.isStreaming:
        raise InputError(
            f"the table {predicate} is a stream, but background data must be bounded: declare streams "
            "with #input"
        )
    if not _PREDICATE.fullmatch(predicate) or predicate == "not":
        raise InputError(f"the table {shown(predicate)!r} needs the name of a predicate, such as region")
    columns = [Column(field.name) for field in df.schema]
    try:
        for column, field in zip(columns, df.schema, strict=True):
            if isinstance(field.dataType, FractionalType) and not is_whole(field.dataType):
                raise InputError(
                    f"the column {shown(field.name)} is of type {field.dataType.simpleString()}, "
                    "but facts contain no decimals: multiply it and cast it to long, or cast it to "
                    "string"
                )
            check_argument(column, field.dataType)
        rows = [*_rows(df, columns)]
    except InputError as error:
        raise InputError(f"the table {predicate}: {error}") from error
    facts = atom_texts(Signature(predicate, len(columns)), rows)
    in_order = sorted(set(facts))  # else a checkpoint would know the order of rows
    return Source(f"<table {predicate}>", "".join(f"{fact}.\n" for fact in in_order))


def _rows(df: DataFrame, columns: Sequence[Column]) -> Iterator[Row]:
    """The arguments of those rows where no cell is missing."""
    for row in zip(*map(texts_of, df.toArrow().columns), strict=True):
        there = [cell for cell in row if cell is not None]
        if len(there) == len(row):
            found = map(argument_of, there, columns)
            yield tuple(value for value in found if value is not None)
