"""Sheets of workbooks, as rows of texts of cells."""

import io
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.sheet_addresses import SheetAddress
from lars2asp.syntax.source import shown

MODULE, EXTRA = "python_calamine", "excel"
"""What reads workbooks, and the extra that brings it."""

_LINE_ENDS = re.compile("\r\n|\r|\n")


class Sheet:
    """A sheet of a workbook, all of it in memory.

    Row 1 is the first of the sheet, and the first cell of each is in column A, as in what a spreadsheet saves
    as CSV.

    Args:
        data: the bytes of the workbook.
        address: where it is.
        calamine: the module of the package.

    Attributes:
        height: the number of rows.
        others: the names of the sheets that could be meant as well, where the address names none.
        name: its name.

    Raises:
        Lars2aspError: for what is no such workbook, or has no such sheet.
    """

    def __init__(self, data: bytes, address: SheetAddress, calamine: Any) -> None:
        try:
            book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
            kinds = {
                one.name: (str(one.typ).endswith("WorkSheet"), str(one.visible).endswith("Visible"))
                for one in book.sheets_metadata
            }
            sheets = [name for name, (is_of_cells, _) in kinds.items() if is_of_cells]
            shown_ones = [name for name in sheets if kinds[name][1]] or sheets
            if address.sheet is None and not shown_ones:
                raise Lars2aspError(f"{address}: the workbook has no sheet with cells")
            self.name = shown_ones[0] if address.sheet is None else address.sheet
            if self.name not in sheets:
                raise Lars2aspError(f"{address}: no such sheet; the sheets are {_listed(sheets)}")
            self._sheet = book.get_sheet_by_name(self.name)
        except calamine.CalamineError as error:
            reason = shown(str(error) or type(error).__name__)
            raise Lars2aspError(
                f"{address}: it is no workbook that can be read, or needs a password: {reason}"
            ) from error
        self.others = shown_ones[1:] if address.sheet is None else []
        start = self._sheet.start
        self._indent = [""] * (0 if start is None else start[1])
        self.height = 0 if start is None else self._sheet.end[0] + 1

    @property
    def said(self) -> str:
        """What was chosen where the address names no sheet and there are several; else empty."""
        if not self.others:
            return ""
        name, other = map(shown, (self.name, self.others[0]))
        return f"the sheet {name}, the first of {len(self.others) + 1} (?sheet={other} takes another)"

    def rows(self) -> Iterator[list[str]]:
        """The rows; empty cells are empty texts."""
        for row in self._sheet.iter_rows():
            yield [*self._indent, *map(_text, row)]


def _listed(names: list[str]) -> str:
    return shown(", ".join(names), 400)


def _text(value: Any) -> str:
    """The text of a cell, as tables have it."""
    return _WRITERS[type(value)](value)


def _number(value: float) -> str:
    """The shortest decimal that is this number, without exponent; none for what is not a number."""
    if value.is_integer():
        return str(int(value))
    exact = Decimal(repr(value))
    return format(exact, "f") if exact.is_finite() else ""


def _duration(value: timedelta) -> str:
    sign, length = ("-", -value) if value < timedelta() else ("", value)
    minutes, seconds = divmod(length // timedelta(seconds=1), 60)
    fraction = f".{length.microseconds:06}".rstrip("0").rstrip(".")
    return f"{sign}{minutes // 60}:{minutes % 60:02}:{seconds:02}{fraction}"


def _moment(value: date | time) -> str:
    text = str(value.isoformat())
    return text.rstrip("0").rstrip(".") if "." in text else text


_WRITERS: dict[type, Callable[[Any], str]] = {
    str: lambda value: _LINE_ENDS.sub(" ", value),  # so that each row is a line
    float: _number,
    int: str,
    bool: lambda value: "true" if value else "false",
    timedelta: _duration,
    date: _moment,
    datetime: _moment,
    time: _moment,
}
