"""Names of inputs that lead to a sheet of a workbook or a table of a database, if no file has such a name."""

import re
from pathlib import Path

from lars2asp.syntax import sheet_addresses
from lars2asp.syntax.sheet_addresses import SheetAddress

_TABLE = re.compile(
    r"(?![a-z][a-z0-9+.-]+://)(?P<path>.*\.(?:sqlite3?|duckdb|db(?=\?)))(?:\?table=(?P<table>.+))?",
    re.IGNORECASE | re.DOTALL,
)
"""An address such as `sqlite://r.db?table=t` is none: a connector gives its rows as JSON."""


class TableAddress(SheetAddress):
    """Where a table of a database file is; `sheet` is its name, None for the only one."""

    def __str__(self) -> str:
        return self.path if self.sheet is None else f"{self.path}?table={self.sheet}"

    @property
    def is_of_duckdb(self) -> bool:
        """Whether DuckDB reads it, and not SQLite."""
        return self.path.lower().endswith(".duckdb")


def sheet_at(name: str) -> SheetAddress | None:
    """The sheet, or table of a database, that a name leads to; None if a file has this very name."""
    found = sheet_addresses.sheet_at(name)
    if found is None and (table := _TABLE.fullmatch(name)) is not None:
        found = TableAddress(table["path"], table["table"])
    return None if found is not None and found.sheet is not None and is_there(name) else found


def path_in(name: str) -> str:
    """The path of the file that a name leads to, without what says which sheet or table of it."""
    address = sheet_at(name)
    return name if address is None else address.path


def is_there(name: str) -> bool:
    """Whether there is a file or folder of a name."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False
