"""Background facts from workbooks, as texts of cells, for `#table`."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from lars2asp.syntax.column_places import has_column
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.sheet_addresses import SheetAddress
from lars2asp.syntax.workbooks import EXTRA, MODULE, Sheet


def sheet_rows(address: SheetAddress, wanted: Sequence[str]) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The names of the columns, and the rows with their numbers.

    The header is the first row that has all columns that are wanted; where there is none, the first one that
    is not blank.

    Raises Lars2aspError where the file cannot be read, or a package is missing.
    """
    try:
        calamine = import_module(MODULE)
    except ImportError as error:
        raise Lars2aspError(
            f"{address}: the package {MODULE} is needed: pip install 'lars2asp[{EXTRA}]'"
        ) from error
    try:
        sheet = Sheet(Path(address.path).read_bytes(), address, calamine)
    except OSError as error:
        raise Lars2aspError(f"{address}: cannot be read: {error}") from error
    rows = [(number, row) for number, row in enumerate(sheet.rows(), start=1) if any(map(str.strip, row))]
    headers = ([cell.strip() for cell in row] for _, row in rows)
    names = (place for place, row in enumerate(headers) if all(has_column(one, row) for one in wanted))
    place = next(names, 0)
    return ([cell.strip() for cell in rows[place][1]], rows[place + 1 :]) if rows else ([], [])
