"""Tables of database files as text: a line for each row, with commas between its cells."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.text.byte_streams import ConvertedStream
from lars2asp.runtime.sources.text.sheet_names import TableAddress
from lars2asp.syntax.source import shown

_ROWS = 1000
"""So many rows are fetched at once."""

_MOST_NAMED = 20


class DatabaseStream(ConvertedStream):
    """The text of a table of SQLite or DuckDB, its header first. An empty cell is a missing one.

    Args:
        source: the bytes of the file, which the database reads by itself.
        address: where the table is.

    Raises InputError for what is no such file, or has no such table.
    """

    def __init__(self, source: io.RawIOBase, address: TableAddress) -> None:
        super().__init__(source, lambda _: _TableText(address), str(address))

    @property
    def bytes_read(self) -> None:
        """It is not known how much of the file that is."""


class _TableText:
    """Gives the text of a table."""

    def __init__(self, address: TableAddress) -> None:
        rows = _duckdb_rows(address) if address.is_of_duckdb else _sqlite_rows(address)
        self._lines = (f"{','.join(map(_quoted, row))}\n".encode(errors="surrogatepass") for row in rows)
        self._left = next(self._lines)

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        while len(self._left) < size and (line := next(self._lines, None)) is not None:
            self._left += line
        given, self._left = self._left[:size], self._left[size:]
        return given


def _sqlite_rows(address: TableAddress) -> Iterator[Sequence[str]]:
    """The names of the columns, and then the texts of cells, row by row. Raises InputError."""
    import sqlite3  # noqa: PLC0415 - few need it

    try:
        connection = sqlite3.connect(f"{Path(address.path).absolute().as_uri()}?mode=ro", uri=True)
        connection.text_factory = _text
        try:
            names = (
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
            )
            table = _table(address, [name for (name,) in connection.execute(names)])
            found = connection.execute(f"SELECT * FROM {table}")
            yield [name for name, *_ in found.description]
            while rows := found.fetchmany(_ROWS):
                yield from ([_cell(one) for one in row] for row in rows)
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise InputError(f"{address}: cannot read the database: {shown(str(error))}") from error


def _duckdb_rows(address: TableAddress) -> Iterator[Sequence[str]]:
    """The same of a table of DuckDB, which writes all cells as text. Raises InputError."""
    duckdb: Any = needed("duckdb", "duckdb", str(address))
    try:
        with duckdb.connect(address.path, read_only=True) as connection:
            names = "SELECT table_name FROM information_schema.tables"
            table = _table(address, [name for (name,) in connection.execute(names).fetchall()])
            found = connection.execute(f"SELECT COLUMNS(*)::VARCHAR FROM {table}")
            yield [name for name, *_ in found.description]
            while rows := found.fetchmany(_ROWS):
                yield from ([one or "" for one in row] for row in rows)
    except duckdb.Error as error:
        raise InputError(f"{address}: cannot read the database: {shown(str(error))}") from error


def _table(address: TableAddress, names: Sequence[str]) -> str:
    """The name of the table as SQL has it, of the only one if none is given. Raises InputError."""
    listed = ", ".join(shown(name) for name in sorted(names)[:_MOST_NAMED])
    if address.sheet is None and len(names) != 1:
        raise InputError(f"{address}: add ?table=NAME; the tables are {listed or 'none'}")
    name = names[0] if address.sheet is None else address.sheet
    if name.lower() not in map(str.lower, names):
        raise InputError(f"{address}: no such table; the tables are {listed or 'none'}")
    return '"' + name.replace('"', '""') + '"'


def _text(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


def _cell(value: object) -> str:
    """The text of a cell: of bytes their hexadecimal digits, of whole numbers no fraction."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.hex() if isinstance(value, bytes) else str(value)


def _quoted(cell: str) -> str:
    """A cell in quotes, without which a sign in it could be one of the table."""
    return cell if cell.isalnum() else '"' + cell.replace('"', '""') + '"'
