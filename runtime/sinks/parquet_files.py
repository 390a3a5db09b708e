"""Answers as Parquet: a file for each table, written by a process of its own.

A file of Parquet is whole only when it is closed, so that all processes of a run send their rows to one.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

import orjson

from lars2asp.analysis.argument_columns import ArgumentColumn
from lars2asp.analysis.number_forms import NumberForm
from lars2asp.runtime.connectors.delivering import MOST_LINES
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sinks.argument_types import argument_type, value_of
from lars2asp.runtime.sinks.columns import AnswerTable
from lars2asp.runtime.sinks.csv_tables import TableRow
from lars2asp.runtime.sinks.emission import Emission

ROWS_AT_ONCE = 50_000
"""The number of rows of a table that are held before they are written."""

_TICKS, _TIMES = ("time", "begin", "end"), ("at", "begin_at", "end_at")


class ParquetLines:
    """Sends tables as lines: the number of a table, the names of its columns, or none, and rows.

    Numbers with decimals, times and durations are sent as texts.
    """

    is_typed = True

    def __init__(self, output: TextIO) -> None:
        self._output = output

    def begin(self, number: int, names: Sequence[str]) -> None:
        """Begins a table."""
        self._send(number, names, [])

    def write(self, number: int, rows: Sequence[TableRow]) -> None:
        """Adds rows."""
        self._send(number, None, rows)

    def _send(self, *parts: object) -> None:
        self._output.write(json.dumps(parts) + "\n")

    def flush(self) -> None:
        """Sends what was written."""
        self._output.flush()


class ParquetFiles:
    """Writes such tables to files, which come to their places when the run is over.

    Ticks, and arguments that are integers, have 64 bits; other arguments are numbers with decimals,
    timestamps, durations or texts, times are timestamps in the zone.

    Args:
        path: the file, or the folder.
        names: in a folder the names of the files.
        emission: the tables.

    Raises InputError where the package for Parquet is not installed, or a place cannot be written to.

    Attributes:
        name: that of the file or the folder.
    """

    def __init__(self, path: str, names: Sequence[str], emission: Emission) -> None:
        self.name = path
        self.most_lines = MOST_LINES
        arrow, parquet = (needed(name, "tables", path) for name in ("pyarrow", "pyarrow.parquet"))
        if names:
            with _blaming(path):
                Path(path).mkdir(exist_ok=True)
        places = [Path(path, name) for name in names] or [Path(path)]
        for place in places:
            if place.is_dir() or not place.parent.is_dir():
                raise InputError(
                    f"{place}: cannot write this file: its folder does not exist, or this is a folder"
                )
        self._tables = [
            _TableFile(place, table, emission.zone, arrow, parquet)
            for place, table in zip(places, emission.tables, strict=True)
        ]

    def deliver(self, lines: Sequence[bytes]) -> None:
        """Takes lines of ParquetLines. Raises InputError where files cannot be written."""
        for number, names, rows in map(orjson.loads, lines):
            table = self._tables[number]
            with _blaming(str(table.place)):
                if names is not None:
                    table.begin(names)
                table.add(rows)

    def close(self) -> None:
        """Brings the files to their places. Raises the same."""
        for table in self._tables:
            with _blaming(str(table.place)):
                table.close()


class _TableFile:
    """The file of a table."""

    def __init__(self, place: Path, table: AnswerTable, zone: str, arrow: Any, parquet: Any) -> None:
        self.place = place
        self._part = place.with_name(f".{place.name}.part")
        self._arrow, self._parquet = arrow, parquet
        self._types = {
            **dict.fromkeys(_TICKS, arrow.int64()),
            **dict.fromkeys(_TIMES, arrow.timestamp("us", zone)),
            "change": arrow.string(),
            **{
                column.name: _kind(column, decimals, arrow)
                for column, decimals in zip(table.columns, table.decimals, strict=True)
            },
        }
        self._rows: list[list[Any]] = []
        self._writer: Any = None

    def begin(self, names: Sequence[str]) -> None:
        self._schema = self._arrow.schema([(name, self._types[name]) for name in names])
        self._writer = self._parquet.ParquetWriter(str(self._part), self._schema)

    def add(self, rows: Sequence[list[Any]]) -> None:
        self._rows += rows
        if len(self._rows) >= ROWS_AT_ONCE:
            self._write()

    def close(self) -> None:
        if self._writer is not None:
            self._write()
            self._writer.close()
            self._part.replace(self.place)

    def _write(self) -> None:
        if not self._rows:
            return
        columns = zip(*self._rows, strict=True)
        arrays = [
            self._arrow.array([*map(_converted(one.name, one.type, self._arrow), column)], one.type)
            for one, column in zip(self._schema, columns, strict=True)
        ]
        self._writer.write_table(self._arrow.table(arrays, schema=self._schema))
        self._rows = []


def _kind(column: ArgumentColumn, decimals: NumberForm, arrow: Any) -> Any:
    """The type of an argument: a number, a time or a duration, where it is nothing else."""
    return argument_type(arrow.int64(), decimals, arrow) if column.is_integer else arrow.string()


def _converted(name: str, kind: Any, arrow: Any) -> Any:
    """What makes a cell a value of its column."""
    if name in _TIMES:
        return lambda text: None if text is None else datetime.fromisoformat(text)
    return value_of(kind, arrow)


@contextmanager
def _blaming(place: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{place}: cannot write this file: {error.strerror or error}") from error
