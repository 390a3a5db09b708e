"""Names of files that lead to a sheet of a workbook: `book.xlsx`, `book.xlsx?sheet=May`."""

import re

from lars2asp.syntax.values import dataclass

_ADDRESS = re.compile(
    r"(?P<path>.*\.(?:xlsx|xlsm|xlsb|xls|ods)(?:\.bz2|\.gz|\.xz|\.zst)?)(?:\?sheet=(?P<sheet>.*))?",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class SheetAddress:
    """Where a sheet is.

    Attributes:
        path: that of the workbook.
        sheet: the name of the sheet; None: the first one that is not hidden.
    """

    path: str
    sheet: str | None

    def __str__(self) -> str:
        return self.path if self.sheet is None else f"{self.path}?sheet={self.sheet}"


def sheet_at(name: str) -> SheetAddress | None:
    """The sheet that the name of a file leads to; None where it is no workbook."""
    found = _ADDRESS.fullmatch(name)
    return None if found is None else SheetAddress(found["path"], found["sheet"])


def path_in(name: str) -> str:
    """The path of the file that a name leads to, without what says which sheet of it."""
    address = sheet_at(name)
    return name if address is None else address.path
