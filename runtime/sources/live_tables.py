"""Tables of live sources: lines arrive one by one, the header first; the records are those of a file."""

import csv
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace
from itertools import chain
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Line, OnReject, Origin, Record, Rejected, TruncatedRecord
from lars2asp.runtime.sources.tables.row_blocks import ReadBlock
from lars2asp.runtime.sources.tables.row_reader import RowReader, row_readers
from lars2asp.runtime.sources.tables.table import (
    MOST_LINES,
    TableRows,
    allow_cells,
    has_columns,
    read_row,
    refused_row,
    row_records,
)
from lars2asp.runtime.sources.tables.table_form import (
    MOST_BEFORE,
    TableForm,
    are_numbered,
    cells_of,
    forms_of,
    named_form,
    numbered_columns,
    with_blanks,
)
from lars2asp.runtime.sources.tables.wanted_columns import WantedColumns, fitting
from lars2asp.runtime.sources.text.byte_streams import NO_TEXT
from lars2asp.runtime.sources.text.encodings import encoding_of
from lars2asp.runtime.sources.text.numbered_lines import NumberedLines
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")


@dataclass
class _Table:
    """What is known of the table of one source.

    Attributes:
        form: how it is written; None before its header.
        header: its columns.
        readers: read its rows.
        refusal: why rows behind its header are rejected; empty where they are not.
        encoding: that of bytes that are not ASCII; empty while there were none.
        head: the text of the header until a row comes.
        before: the number of lines before the header so far.
        begins: whether a header may come next: a source or a message begins.
        open: the lines of a row that is not whole.
        size: of these, about, in bytes.
    """

    form: TableForm | None = None
    header: Sequence[str] = ()
    readers: Sequence[RowReader] = ()
    refusal: str = ""
    head: str = ""
    encoding: str = ""
    before: int = 0
    begins: bool = True
    open: list[Line] = field(default_factory=list)
    size: int = 0

    def state(self) -> dict[str, Any]:
        """The table, as JSON has it."""
        return {
            "form": None if self.form is None else asdict(self.form),
            "header": [*self.header],
            "refusal": self.refusal,
            "head": self.head,
            "encoding": self.encoding,
            "before": self.before,
            "begins": self.begins,
            "open": [[*line] for line in self.open],
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> "_Table":
        """The table that `state` gave, without readers."""
        form = None if state["form"] is None else TableForm.of_state(state["form"])
        lines = [Line(*line) for line in state["open"]]
        known = {name: state[name] for name in ("header", "refusal", "encoding", "before", "begins")}
        known["head"] = state.get("head", "")
        return cls(form, open=lines, size=sum(_size(line) for line in lines), **known)


class LiveTables:
    """Reads the lines of live tables, one for each source.

    The header is the first line with all columns that are declared; lines before it that have fewer cells
    are passed over. Where columns are declared as `column1`, `column2`, ..., there is none. A source that
    begins again, and each message of a broker or a web server, may begin with a header, and needs none where
    the source has had one.

    Args:
        reading: how tables are read.
        on_reject: takes records that are not valid.
        is_one_text: whether there is one source, a file or standard input; it is refused where its header
            does not fit. Of other sources the rows are rejected.

    Raises:
        InputError: where nothing declares how rows become facts.
    """

    def __init__(self, reading: Reading, on_reject: OnReject, *, is_one_text: bool) -> None:
        if not reading.of_fields:
            raise InputError(
                "the program does not declare how the rows of a live table become facts: add for "
                "example #input reading(room, temp) at time."
            )
        allow_cells(reading.largest_record)
        self._reading = reading
        self._on_reject = on_reject
        self._is_one_text = is_one_text
        self._wanted = WantedColumns.of(reading.of_fields, reading.timeline)
        self._headers = WantedColumns.each(
            reading.of_fields, reading.timeline, is_of_several=reading.is_of_several
        )
        """Each of these sets of columns makes a line with all of them a header."""
        self._forms = forms_of(reading.dialect)
        self._tables: dict[str, _Table] = {}
        self._said: set[str] = set()

    def records(self, line: Line) -> list[Record]:
        """The records that a line completes. Raises InputError for the header of the only source."""
        if line.end is None:
            table = self._tables.pop(line.source, None)
            return [] if table is None else self._rest(table, line.source)
        table = self._tables.setdefault(line.source, _Table())
        found = self._rest(table, line.source) if line.number == 1 else []
        begins = table.begins or line.number == 1
        table.begins = not line.end or (begins and not line.text.strip())
        line = line._replace(text=self._text(line, table))
        if line.text.startswith("#") and not table.open and self._take_comment(line, table):
            return found if line.end else found + self._rest(table, line.source)
        is_asked = begins or (table.form is None and not table.refusal)
        if is_asked and not table.open and self._take_header(line, table):
            table.head = line.text
        else:
            found += self._rows(line, table)
        return found if line.end else found + self._rest(table, line.source)

    def finish(self) -> list[Record]:
        """The records behind the last line; rows that are not whole are rejected."""
        return [record for source, table in self._tables.items() for record in self._rest(table, source)]

    def state(self) -> dict[str, Any]:
        """What is known of the sources, as JSON has it."""
        return {source: table.state() for source, table in self._tables.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state. Raises InputError where it does not fit the declarations."""
        self._tables = {source: _Table.of_state(table) for source, table in state.items()}
        for source, table in self._tables.items():
            if table.form is not None and not table.refusal:
                table.readers = self._readers(table.form, table.header, source)

    # --- lines ----------------------------------------------------------------------------------------

    def _text(self, line: Line, table: _Table) -> str:
        """The text of a line, in the encoding of its source."""
        text = line.text
        if text.isascii() or isinstance(text, TruncatedRecord):
            return text
        if not table.encoding:
            is_known = self._reading.dialect.encoding is not None
            table.encoding = "utf-8" if is_known else encoding_of(_bytes(text), is_table=True)
            if table.encoding != "utf-8":
                self._say(line.source, f"encoding {table.encoding}")
        return text if table.encoding == "utf-8" else _bytes(text).decode(table.encoding, NO_TEXT)

    def _rest(self, table: _Table, source: str) -> list[Record]:
        """The records of a row that nothing follows; most likely it is broken."""
        if table.form is None and table.before and not table.refusal:
            patterns = {f'"{one.spread.source}"' for one in self._wanted.spreads if one.spread is not None}
            reason = f"no header line with the columns {', '.join(sorted({*self._wanted.names, *patterns}))}"
            if self._is_one_text:
                raise InputError(f"{source}: {reason}")
            self._on_reject(Rejected(Origin(source, table.before), reason))
            table.before = 0
        return self._parsed(table, table.open, is_whole=True) if table.open else []

    def _rows(self, line: Line, table: _Table) -> list[Record]:
        """The records of the rows that a line completes."""
        text, form = line.text, table.form
        if form is None or table.refusal:
            if text.strip():
                self._on_reject(Rejected(Origin(line.source, line.number, text), table.refusal))
            return []
        if table.head and text.strip():
            form = table.form = self._padded(form, table, line)
        if table.open and self._goes_on(line, table, form.quote):
            table.open.append(line)
            table.size += _size(line)
            return []
        if table.open or form.quote in text or "\r" in text or isinstance(text, TruncatedRecord):
            return self._parsed(table, [*table.open, line])
        if form.comment and form.delimiter == " " and text.count("\t") == len(table.header) - 1 > 0:
            form = table.form = replace(form, delimiter="\t")
        return self._plain(form.cells(text), table, Origin(line.source, line.number, text))

    def _padded(self, form: TableForm, table: _Table, line: Line) -> TableForm:
        """A form with the blanks that belong to delimiters, as the first row behind a header has them."""
        head, table.head = table.head, ""
        found = with_blanks(replace(form, blanks=0), [head, line.text])
        if found.blanks:
            self._say(line.source, found.said(self._reading.dialect))
        return found

    def _plain(self, row: Sequence[str], table: _Table, origin: Origin) -> list[Record]:
        """The records of a line without quotes."""
        if not any(cell.strip() for cell in row):
            return []
        if len(row) != len(table.header):
            self._on_reject(refused_row(row, len(table.header), origin))
            return []
        try:
            read = ReadBlock(read_row(row, table.readers, origin), has_rejected=True)
            return [*chain.from_iterable(read.in_turn(self._on_reject))]
        except InputError as error:
            self._on_reject(Rejected(origin, str(error)))
            return []

    def _goes_on(self, line: Line, table: _Table, quote: str) -> bool:
        """Whether a row that is not whole is not so with this line either; it is not too long with it."""
        if len(table.open) + 1 >= MOST_LINES or isinstance(line.text, TruncatedRecord):
            return False
        if table.size + _size(line) >= self._reading.largest_record:
            return False
        assert table.form is not None
        begun = line._replace(text=quote + line.text)  # the line stands in quotes
        return quote not in line.text or _needs_more(begun, table.form)

    def _parsed(self, table: _Table, lines: list[Line], *, is_whole: bool = False) -> list[Record]:
        """The records of lines, the last of which may belong to a row that is not whole."""
        assert table.form is not None
        given = _GivenLines(lines, is_whole=is_whole)
        rows = TableRows(given, lines[0].source, table.form, self._reading.largest_record)
        found: list[Record] = []
        table.open = []
        try:
            for records in row_records(rows, table.readers, len(table.header), self._on_reject):
                found.extend(records)
        except _MoreNeededError:
            table.open = lines[len(lines) - rows.begun :]
        table.size = sum(map(_size, table.open))
        return found

    # --- headers --------------------------------------------------------------------------------------

    def _take_comment(self, line: Line, table: _Table) -> bool:
        """Takes a line that begins with `#`, as logs of Zeek and W3C have them; whether it is one.

        Raises InputError.
        """
        named = named_form(line.text)
        if named is not None:
            self._begin(table, named, named.names, line.source)
            return True
        if table.form is not None:
            return bool(table.form.comment) and line.text.startswith(table.form.comment)
        has_names = any(one.may_be_in(line.text) for one in self._headers)
        if has_names or table.refusal or not line.end or table.before + 1 >= MOST_BEFORE:
            return False
        table.before += 1
        return True

    def _take_header(self, line: Line, table: _Table) -> bool:
        """Takes a line that may be the header; whether it is not a row. Raises InputError."""
        text = line.text
        if isinstance(text, TruncatedRecord) or not text.strip():
            return table.form is None and not table.refusal and not text.strip()
        if any(one.may_be_in(text) for one in self._headers):
            for form in self._forms:
                cells = cells_of(text, form)
                if any(not one.by_place and one.are_in(cells) for one in self._headers):
                    before = line.number - 1 if table.form is None else table.form.before
                    known = replace(form, before=before if table.before else 0)
                    self._begin(table, known, cells, line.source)
                    return not table.refusal
        if table.form is not None:
            is_header = cells_of(text, table.form) == [*table.header]
            return is_header and any(one.by_place for one in self._headers)
        rows = [(form, cells_of(text, form)) for form in self._forms]
        wanted = self._wanted.names
        form, cells = max(rows, key=lambda row: (len(wanted.intersection(row[1])), len(row[1])))
        by_place = [one for one in self._headers if one.by_place and one.width <= len(cells)]
        if by_place and not any(one.is_row(cells) for one in by_place):
            self._begin(
                table, replace(form, before=line.number - 1 if table.before else 0), cells, line.source
            )
            return not table.refusal
        if by_place or (wanted and are_numbered(wanted)):
            names = numbered_columns(len(cells))
            self._begin(table, replace(form, names=names), names, line.source)
            return False
        table.before += 1
        is_narrow = len(cells) < max(2, len(wanted), self._wanted.width) and not wanted.intersection(cells)
        if line.end and table.before < MOST_BEFORE and is_narrow:
            return True
        self._begin(table, form, cells, line.source)
        return False

    def _begin(self, table: _Table, form: TableForm, header: Sequence[str], source: str) -> None:
        """A table begins with a header. Raises InputError where it does not fit the only source."""
        if table.form == form and [*table.header] == [*header]:
            return
        table.refusal = ""
        try:
            table.readers = self._readers(form, header, source)
        except InputError as error:
            if self._is_one_text:
                raise
            table.form, table.refusal = None, str(error).removeprefix(f"{source}: ")
            return
        table.form, table.header = form, header
        self._say(source, form.said(self._reading.dialect))

    def _readers(self, form: TableForm, header: Sequence[str], source: str) -> list[RowReader]:
        reading = self._reading
        how = source, reading.timeline, form.with_missing(reading.dialect), reading.decimals, reading.numbers
        declarations = reading.of_fields
        if reading.is_of_several:
            declarations = fitting(declarations, lambda one: has_columns(one, header))
        return row_readers(declarations, header, *how)

    def _say(self, source: str, words: str) -> None:
        """Says once how tables are written, where it is not the plain way."""
        if words and words not in self._said:
            self._said.add(words)
            _log.warning("%s: read with %s", visible(source), visible(words))


class _MoreNeededError(Exception):
    """The lines that are there end within a row."""


class _GivenLines(NumberedLines):
    """The lines that are there. Behind them a source ends, or raises _MoreNeededError."""

    def __init__(self, lines: Sequence[Line], *, is_whole: bool) -> None:
        super().__init__()
        self._given = iter(lines)
        self._is_whole = is_whole
        self.number = lines[0].number - 1

    def __next__(self) -> str:
        line = next(self._given, None)
        if line is None:
            if self._is_whole:
                raise StopIteration
            raise _MoreNeededError
        self.number = line.number
        return line.text if isinstance(line.text, TruncatedRecord) else line.text + (line.end or "")


def _needs_more(line: Line, form: TableForm) -> bool:
    """Whether a line ends within quotes."""
    given = _GivenLines([line], is_whole=False)
    try:
        next(form.reader(given), None)
    except _MoreNeededError:
        return True
    except csv.Error:
        pass
    return False


def _size(line: Line) -> int:
    return len(line.text if line.text.isascii() else _bytes(line.text)) + len(line.end or "")


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")
