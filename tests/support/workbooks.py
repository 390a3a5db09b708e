"""Workbooks for tests."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook


def write_workbook(
    path: Path, sheets: Mapping[str, Sequence[Sequence[Any]]], hidden: Sequence[str] = ()
) -> None:
    """Writes a workbook, as a spreadsheet does, with the cells of the rows of each sheet."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name in hidden else "visible"
        for number, row in enumerate(rows, start=1):
            for place, value in enumerate(row, start=1):
                sheet.cell(number, place, value)
    book.save(path)
