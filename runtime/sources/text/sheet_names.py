"""Names of inputs that lead to a sheet of a workbook, if no file has such a name itself."""

from pathlib import Path

from lars2asp.syntax import sheet_addresses
from lars2asp.syntax.sheet_addresses import SheetAddress


def sheet_at(name: str) -> SheetAddress | None:
    """The sheet that a name leads to; None if it is no workbook, or a file has this very name."""
    found = sheet_addresses.sheet_at(name)
    return None if found is not None and found.sheet is not None and is_there(name) else found


def path_in(name: str) -> str:
    """The path of the file that a name leads to, without what says which sheet of it."""
    address = sheet_at(name)
    return name if address is None else address.path


def is_there(name: str) -> bool:
    """Whether there is a file or folder of a name."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False
