"""The lines of live sources, each read in its format."""

from collections.abc import Mapping, Sequence
from typing import Any

from lars2asp.runtime.sources.live_formats import LiveFormats
from lars2asp.runtime.sources.live_tables import LiveTables
from lars2asp.runtime.sources.rdf.live_triples import LiveTriples
from lars2asp.runtime.sources.reading import Format, Reading
from lars2asp.runtime.sources.records import Line, OnReject, Origin, Record, TruncatedRecord
from lars2asp.runtime.sources.text.lines import Read, line_records


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
        self._reads: dict[Format, tuple[Read, str | None]] = {}
        """What reads lines in a format that is no table, and the comment sign."""
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
        """The records that a line completes. Raises InputError."""
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
        origin = Origin(line.source, line.number, str(text))
        is_text = form is Format.LOG
        return line_records(text, origin, read[0], self._on_reject, comment=read[1], takes_bytes=is_text)

    def finish(self) -> list[Record]:
        """The records that the end of the sources completes."""
        held = [] if self._formats is None else self._formats.finish()
        records = [record for form, line in held for record in self._records_in(form, line)]
        return records + ([] if self._tables is None else [*self._tables.finish()])

    def state(self) -> dict[str, Any]:
        """What later lines are read by, as JSON has it; empty where there is nothing."""
        tables = {} if self._tables is None else self._tables.state()
        return tables if self._formats is None else {"formats": self._formats.state(), "tables": tables}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes over a state."""
        tables = state
        if self._formats is not None:  # nothing was found by earlier versions, which had no such tables
            tables = state.get("tables", {})
            if "formats" in state:
                self._formats.restore(state["formats"])
            if tables and self._tables is None:
                self._tables = self._made_tables()
        if self._tables is not None:
            self._tables.restore(tables)
