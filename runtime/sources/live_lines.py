"""The lines of live sources, each read in its format."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lars2asp.runtime.sources.live_formats import LiveFormats
from lars2asp.runtime.sources.live_tables import LiveTables
from lars2asp.runtime.sources.log_lines import OpenRecord
from lars2asp.runtime.sources.rdf.live_triples import LiveTriples
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, OnReject, Origin, Record, TruncatedRecord
from lars2asp.runtime.sources.text.lines import Read, line_records

_OPEN = "open/"
"""What no source is called."""

LineReader = tuple[Read, str | None]
"""What reads lines in a format that is no table, and the comment sign."""


class LiveLines:
    """Reads lines of sources that are read by the same declarations.

    Args:
        reading: how they are read.
        on_reject: takes records that are not valid.
        form: the format of sources whose names do not say it, if it is not found.
        is_found: whether that of each source is found (`LiveFormats`).
        is_one_text: whether they are those of one file, or of standard input; see LiveTables.
        is_quiet: whether nothing is said of the formats that were found.
        are_files: whether the names of sources may say their formats.

    Raises:
        InputError: for formats that are not read live, and for tables that nothing declares.
    """

    def __init__(
        self,
        reading: Reading,
        on_reject: OnReject,
        form: Format,
        *,
        is_found: bool,
        is_one_text: bool,
        is_quiet: bool,
        are_files: bool,
    ) -> None:
        self._reading = reading
        self._on_reject = on_reject
        self._form = form
        self._is_one_text = is_one_text
        self._are_files = are_files
        self._reads: dict[Format, LineReader] = {}
        self._begins = reading.begins
        self._open: dict[str, OpenRecord] = {}
        """Records of several lines that may go on, by their sources."""
        self._tables: LiveTables | LiveTriples | None = None
        self._formats = LiveFormats(reading, is_quiet=is_quiet) if is_found else None
        if form.is_rdf and form.is_live:
            self._tables = reading.live_triples(form, on_reject)
        elif form is Format.CSV:
            self._tables = self._made_tables()
        else:
            self._reads[form] = reading.line_reader(form, is_live=True)

    def _made_tables(self) -> LiveTables:
        return LiveTables(self._reading, self._on_reject, is_one_text=self._is_one_text)

    def records(self, line: Line) -> Sequence[Record]:
        """The records that a line completes, or a pause behind one. Raises InputError."""
        if line.end is None or not line.number:
            ended = self._end_of(line.source)
            return ended if not line.number else [*ended, *self._record(line)]
        return self._record(line)

    def _record(self, line: Line) -> Sequence[Record]:
        said = self._reading.said_format(line.source) if self._are_files else None
        if said is not None:
            return self._records_in(said, line)
        if self._formats is None:
            return self._records_in(self._form, line)
        form, lines = self._formats.of(line)
        if len(lines) == 1:
            return self._records_in(form, lines[0])
        return [record for one in lines for record in self._records_in(form, one)]

    def _records_in(self, form: Format, line: Line) -> Sequence[Record]:
        """The records that a line in a format completes."""
        text = line.text
        if line.length is not None or len(text) > self._reading.largest_record:
            text = TruncatedRecord.cut(text, line.length or len(text.encode(errors="surrogateescape")))
        if form is Format.CSV or form.is_rdf:
            if self._tables is None:
                self._tables = self._made_tables()
            return self._tables.records(line._replace(text=text))
        read = self._reads.get(form)
        if read is None:
            read = self._reads[form] = self._reading.line_reader(form, is_live=True)
        if form is Format.LOG and self._begins is not None and line.end is not None:
            return self._text(line, text, self._begins)
        return self._read(read, form, Origin(line.source, line.number, str(text)), text)

    def _read(self, read: LineReader, form: Format, origin: Origin, text: str) -> Sequence[Record]:
        is_text = form is Format.LOG
        return line_records(text, origin, read[0], self._on_reject, comment=read[1], takes_bytes=is_text)

    def _text(self, line: Line, text: str, begins: Callable[[str], bool]) -> Sequence[Record]:
        """The record before a line of text, unless the line belongs to it."""
        before = self._open.get(line.source)
        if before is not None and before.takes(text):
            return ()
        records = self._end_of(line.source)
        self._open[line.source] = begun = OpenRecord(
            line.number, [text], begins, self._reading.largest_record
        )
        return records if begun.goes_on else [*records, *self._end_of(line.source)]

    def _end_of(self, source: str) -> Sequence[Record]:
        """The record of several lines that has begun in a source: nothing more belongs to it."""
        record = self._open.pop(source, None)
        if record is None:
            return ()
        origin = Origin(source, record.number, record.text.rstrip("\n"))
        return self._read(self._reads[Format.LOG], Format.LOG, origin, record.text)

    @property
    def open_sources(self) -> Sequence[str]:
        """The sources in which a record of several lines has begun."""
        return [*self._open]

    def finish(self) -> list[Record]:
        """The records that the end of the sources completes."""
        ended = [record for source in [*self._open] for record in self._end_of(source)]
        return ended + self._finish()

    def _finish(self) -> list[Record]:
        held = [] if self._formats is None else self._formats.finish()
        records = [record for form, line in held for record in self._records_in(form, line)]
        return records + ([] if self._tables is None else [*self._tables.finish()])

    def state(self) -> dict[str, Any]:
        """What later lines are read by, as JSON has it; empty where there is nothing."""
        open_records = {source: [one.number, *one.lines] for source, one in self._open.items()}
        return self._other_state() | ({_OPEN: open_records} if open_records else {})

    def _other_state(self) -> dict[str, Any]:
        tables = {} if self._tables is None else self._tables.state()
        return tables if self._formats is None else {"formats": self._formats.state(), "tables": tables}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        for source, (number, *lines) in state.get(_OPEN, {}).items():
            if self._begins is not None:
                most = self._reading.largest_record
                self._open[source] = OpenRecord(number, lines, self._begins, most)
        tables: Mapping[str, Any] = {name: kept for name, kept in state.items() if name != _OPEN}
        if self._formats is not None:  # nothing was found by earlier versions, which had no such tables
            tables = state.get("tables", {})
            if "formats" in state:
                self._formats.restore(state["formats"])
            if tables and self._tables is None:
                self._tables = self._made_tables()
        if self._tables is not None:
            self._tables.restore(tables)
