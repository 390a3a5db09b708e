"""Rows of a table that are one record, and how each of them is rejected."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from lars2asp.runtime.sources.records import OnReject, Origin, Rejected, WrittenBlock
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True, slots=True)
class WrittenTable(WrittenBlock):
    """Rows as they stand in a table, each of which is a record.

    Attributes:
        columns: the columns that are read, by their names.
        first: the line of their first row.
    """

    columns: Mapping[str, Any]
    first: int

    def text_of(self, line: int) -> str:
        """The text of a row."""
        return repr(WrittenRows(self.columns, line - self.first, 1))


class WrittenRows(NamedTuple):
    """Rows as they stand in a table: neighbours that one record is made from.

    Attributes:
        columns: the columns that are read, by their names.
        first: the place of the first row in them, counted from 0.
        number: the number of rows.
    """

    columns: Mapping[str, Any]
    first: int
    number: int

    def __repr__(self) -> str:
        return "; ".join(map(self._text, range(self.first, self.first + self.number)))

    def _text(self, place: int) -> str:
        return ", ".join(f"{name}={column[place]}" for name, column in self.columns.items())

    def apart(self) -> "Iterator[WrittenRows]":
        """Each row by itself."""
        for place in range(self.first, self.first + self.number):
            yield WrittenRows(self.columns, place, 1)


def row_by_row(on_reject: OnReject) -> OnReject:
    """Takes rejected records of several rows, and hands on each row as one that was rejected."""

    def rejected(one: Rejected) -> None:
        origin = one.origin
        if not isinstance(origin.written, WrittenRows):
            on_reject(one)
            return
        for line, row in enumerate(origin.written.apart(), start=origin.line):
            on_reject(Rejected(Origin(origin.source, line, row), one.reason))

    return rejected
