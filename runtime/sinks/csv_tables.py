"""Answers as CSV: a table for each predicate, with a column for each argument."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, Protocol, TextIO

from lars2asp.runtime.answer import Answer
from lars2asp.runtime.sinks.columns import (
    BEGAN,
    ENDED,
    AnswerTable,
    Cell,
    HeldInterval,
    OpenIntervals,
    changes_of,
)
from lars2asp.runtime.sinks.emission import Emission
from lars2asp.runtime.sources.text.text_files import begin_again_with, blaming
from lars2asp.syntax.nodes import Signature

TableRow = Sequence[Cell | None]


class TableWriter(Protocol):
    """Takes the rows of tables.

    Attributes:
        is_typed: whether a column of integers takes nothing else.
    """

    is_typed: bool

    def begin(self, number: int, names: Sequence[str]) -> None:
        """Begins a table with the names of its columns."""
        ...

    def write(self, number: int, rows: Sequence[TableRow]) -> None:
        """Adds rows to a table. Raises what `Sink.write` raises."""
        ...

    def flush(self) -> None:
        """Whoever reads along sees what was written. Raises the same."""
        ...


class AnswerTables:
    """Writes answers as rows of tables: what began and ended, or the intervals in between.

    A row of changes has `time`, `at` where times are asked for, `change` and the arguments. One of intervals
    has `begin`, `end` (empty where the atom holds to the last), then `begin_at` and `end_at`, and the
    arguments; it is written when the interval ends.

    Args:
        writer: takes the rows.
        emission: how answers are written.

    Attributes:
        is_first: whether no answer was written yet.
    """

    def __init__(self, writer: TableWriter, emission: Emission) -> None:
        self._writer = writer
        self._tables = {table.signature: (number, table) for number, table in enumerate(emission.tables)}
        self._times = emission.times
        self._for_spreadsheets = emission.for_spreadsheets
        self._open = OpenIntervals() if emission.intervals else None
        self._has_begun = False
        self.is_first = True

    def write(self, answer: Answer) -> None:
        """Writes the rows of an answer; see `Sink`."""
        self.write_all((answer,))

    def write_all(self, answers: Iterable[Answer]) -> None:
        """Writes the rows of several answers; see `Sink`."""
        self._begin()
        for answer in answers:
            self._write(self._rows(answer))
        self._writer.flush()

    def _rows(self, answer: Answer) -> Iterator[tuple[Signature, TableRow]]:
        is_first, self.is_first = self.is_first, False
        if self._open is not None:
            yield from map(self._interval, self._open.take(answer, is_first=is_first))
            return
        time = self._time(answer.tick)
        for signature, row, began in changes_of(answer, is_first=is_first):
            yield signature, [*time, BEGAN if began else ENDED, *self._cells(signature, row)]

    def close(self) -> None:
        """Writes the intervals that have not ended; see `Sink`."""
        self._begin()
        if self._open is not None:
            self._write(map(self._interval, self._open.rest()))
        self._writer.flush()

    def state(self) -> dict[str, Any]:
        """The intervals that have not ended; see `Sink`."""
        opened = None if self._open is None else self._open.state()
        return {"has_begun": self._has_begun, "open": opened}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        self._has_begun = state["has_begun"]
        if self._open is not None:
            self._open.restore(state["open"])

    def _begin(self) -> None:
        """The names of the columns, once."""
        if self._has_begun:
            return
        for number, table in self._tables.values():
            self._writer.begin(number, self._names(table))
        self._has_begun = True

    def _names(self, table: AnswerTable) -> list[str]:
        has_times = self._times is not None
        if self._open is None:
            return ["time", *(["at"] if has_times else []), "change", *table.names]
        return ["begin", "end", *(["begin_at", "end_at"] if has_times else []), *table.names]

    def _time(self, tick: int) -> list[Cell | None]:
        return [tick] if self._times is None else [tick, self._times(tick)]

    def _interval(self, interval: HeldInterval) -> tuple[Signature, TableRow]:
        signature, row, begin, end = interval
        times: list[Cell | None] = []
        if self._times is not None:
            times = [self._times(begin), None if end is None else self._times(end)]
        return signature, [begin, end, *times, *self._cells(signature, row)]

    def _cells(self, signature: Signature, row: Any) -> list[Cell]:
        table = self._tables[signature][1]
        if self._writer.is_typed:
            table.check_integers(row, "write csv or JSON lines, in which it is text")
        cells = table.cells(row)
        if not self._for_spreadsheets:
            return cells
        return [
            _as_text(cell) if type(value) is not int else cell for value, cell in zip(row, cells, strict=True)
        ]

    def _write(self, rows: Iterable[tuple[Signature, TableRow]]) -> None:
        by_table: dict[int, list[TableRow]] = {}
        for signature, row in rows:
            by_table.setdefault(self._tables[signature][0], []).append(row)
        for number, found in by_table.items():
            self._writer.write(number, found)


def _as_text(cell: Cell) -> Cell:
    """A text with an apostrophe before it if spreadsheets would compute something else of it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_SIGNS) else cell


_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""Begin what spreadsheets compute; they pass over a tabulator, and the end of a line."""


class CsvWriter:
    """Writes tables to files of text, one each. Cells stand in quotes where they need them."""

    is_typed = False

    def __init__(self, outputs: Sequence[TextIO]) -> None:
        self._outputs = outputs

    def begin(self, number: int, names: Sequence[str]) -> None:
        """Writes the header."""
        self.write(number, [names])
        head = StringIO(newline="")
        csv.writer(_Rows(head), lineterminator=_LINE_END).writerow(names)
        begin_again_with(self._outputs[number], head.getvalue())

    def write(self, number: int, rows: Sequence[TableRow]) -> None:
        """Writes rows."""
        output = self._outputs[number]
        with blaming(output):
            csv.writer(_Rows(output), lineterminator=_LINE_END).writerows(rows)

    def flush(self) -> None:
        """See `TableWriter`."""
        for output in self._outputs:
            with blaming(output):
                output.flush()


_LINE_END = "\r\n"
"""What csv is told: it puts cells into quotes that have one of these signs, as all readers need."""


class _Rows:
    """A file to which csv writes rows, each by itself; there their lines end with `\\n` alone."""

    def __init__(self, output: TextIO) -> None:
        self._output = output

    def write(self, row: str) -> None:
        self._output.write(row.removesuffix(_LINE_END) + "\n")
