"""Background facts from files of Parquet, as texts of cells, for `#table`."""

from collections.abc import Callable, Sequence
from datetime import date, time
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

from lars2asp.syntax.column_places import ColumnPlace
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.source import shown


def parquet_rows(
    path: Path, wanted: frozenset[str], chosen: Callable[[Sequence[str]], Sequence[int]] | None = None
) -> tuple[list[str], list[tuple[int, list[str | None]]], list[str]]:
    """The names of the columns, the rows with their numbers, and what the values of each column are.

    Cells are there of columns that are wanted, or are chosen by their names; others are missing, as null is.

    Raises Lars2aspError where the file cannot be read, or a package is missing.
    """
    try:
        pa, parquet = (import_module(name) for name in ("pyarrow", "pyarrow.parquet"))
    except ImportError as error:
        raise Lars2aspError(
            f"{path}: the package pyarrow is needed: pip install 'lars2asp[tables]'"
        ) from error
    try:
        table = parquet.ParquetFile(path).read()
    except (OSError, pa.ArrowException) as error:
        raise Lars2aspError(f"{path}: cannot be read: {error}") from error
    folded = {one if isinstance(one, ColumnPlace) else one.casefold() for one in wanted}
    places = {at + 1 for at in chosen(table.column_names)} if chosen is not None else set()
    columns: list[list[str | None]] = []
    kinds: list[str] = []
    for place, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True), start=1):
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        kinds.append(_kind(kind, pa.types))
        is_wanted = place in places or not folded.isdisjoint((name.casefold(), ColumnPlace.of(place)))
        values = column.to_pylist() if is_wanted else [None] * len(column)
        columns.append([_text(value, name, path) for value in values])
    rows = [(number, [*row]) for number, row in enumerate(zip(*columns, strict=True), start=1)]
    return table.column_names, rows, kinds


def _kind(kind: Any, types: Any) -> str:
    if types.is_integer(kind):
        return "int"
    return "number" if types.is_decimal(kind) or types.is_floating(kind) else "text"


def _text(value: Any, name: str, path: Path) -> str | None:
    """The text of a cell, None where there is none."""
    writer = next((_WRITERS[kind] for kind in type(value).__mro__ if kind in _WRITERS), None)
    if writer is None:
        raise Lars2aspError(f"{path}: the column {shown(name)!r} has values that lars2asp cannot read")
    return writer(value)


def _number(value: float | Decimal) -> str | None:
    """A number without exponent; none for what is not a number."""
    exact = Decimal(repr(value)) if isinstance(value, float) else value
    return format(exact, "f") if exact.is_finite() else None


_WRITERS: dict[type, Callable[[Any], str | None]] = {
    type(None): lambda _: None,
    bool: lambda value: "true" if value else "false",
    int: str,
    float: _number,
    Decimal: _number,
    str: str,
    date: lambda value: str(value.isoformat()),  # a moment is a date
    time: lambda value: str(value.isoformat()),
}
