"""Sheets of workbooks as text: a line for each row, with commas between its cells."""

import io
from collections.abc import Iterator

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.text.byte_streams import ConvertedStream, unpacked
from lars2asp.runtime.sources.text.sheet_names import TableAddress, sheet_at
from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.sheet_addresses import SheetAddress
from lars2asp.syntax.workbooks import EXTRA, MODULE, Sheet

DELIMITER, ENCODING = ",", "utf-8"

_PIECE = 2**16
"""In bytes: so much text is made at once, at least, as long as there are rows."""


class SheetStream(ConvertedStream):
    """The text of a sheet. Row n of the sheet is line n.

    Args:
        source: the bytes of the workbook, which are all read at once.
        address: where the sheet is.

    Attributes:
        said: which sheet was chosen, where others could be meant as well; else empty.

    Raises InputError for what is no workbook, or has no such sheet.
    """

    def __init__(self, source: io.RawIOBase, address: SheetAddress) -> None:
        calamine = needed(MODULE, EXTRA, str(address))
        data = b"".join(iter(lambda: source.read(_PIECE) or b"", b""))
        try:
            sheet = Sheet(data, address, calamine)
        except Lars2aspError as error:
            raise InputError(str(error), source=str(address)) from error
        self.said = sheet.said
        self._size = len(data)
        self._text = _SheetText(sheet)
        super().__init__(source, self._begun, str(address))

    def _begun(self, _: io.RawIOBase) -> "_SheetText":
        self._text = _SheetText(self._text.sheet)
        return self._text

    @property
    def bytes_read(self) -> int:
        """How much of the file that is, about."""
        return self._size * self._text.given // self._text.sheet.height if self._text.given else 0


class _SheetText:
    """Gives the text of a sheet.

    Attributes:
        sheet: the sheet.
        given: the number of rows whose text was made.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.given = 0
        self._rows = sheet.rows()
        self._left = b""

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        if not self._left:
            self._left = b"".join(self._lines())
        given, self._left = self._left[:size], self._left[size:]
        return given

    def _lines(self) -> Iterator[bytes]:
        made = 0
        while made < _PIECE and (row := next(self._rows, None)) is not None:
            self.given += 1
            line = f"{DELIMITER.join(map(_quoted, row))}\n".encode()
            made += len(line)
            yield line


def content_of(raw: io.RawIOBase, name: str) -> io.RawIOBase:
    """The bytes of a file without its packing, of tables in a file their text. Raises InputError."""
    address = sheet_at(name)
    if address is None:
        return unpacked(raw, name)
    if isinstance(address, TableAddress):
        from lars2asp.runtime.sources.text.database_streams import DatabaseStream  # noqa: PLC0415

        return DatabaseStream(raw, address)
    return SheetStream(unpacked(raw, address.path), address)


def _quoted(cell: str) -> str:
    """A cell, in quotes where another sign could be taken for what stands between cells, or around them."""
    return cell if _SIGNS.isdisjoint(cell) else '"' + cell.replace('"', '""') + '"'


_SIGNS = frozenset("\"'#,;|\t")
