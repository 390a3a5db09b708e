"""How records are read from text, in any of the formats."""

import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from lars2asp.analysis.argument_types.required import RequiredTypes
from lars2asp.analysis.number_forms import NumberForms
from lars2asp.analysis.tick_moments import MINUTE
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.runtime.sources.facts.plain_facts import COMMENT, facts_record
from lars2asp.runtime.sources.json.json_documents import as_record_lines, has_json, is_document
from lars2asp.runtime.sources.json.json_fields import DeclaredFields
from lars2asp.runtime.sources.json.jsonl import JsonReader
from lars2asp.runtime.sources.log_lines import LogLines, RecordTexts
from lars2asp.runtime.sources.logs_of_others import dsr_records, idlvsr_record
from lars2asp.runtime.sources.rdf.live_triples import LiveTriples
from lars2asp.runtime.sources.rdf.term_values import TermValues
from lars2asp.runtime.sources.rdf.triple_facts import TripleFacts
from lars2asp.runtime.sources.rdf.triple_files import RereadLines, read_triples, texts_of
from lars2asp.runtime.sources.rdf.triple_texts import DocumentTriples, LineTriples, StatementTriples
from lars2asp.runtime.sources.record_numbers import RecordCount, RecordNumbers
from lars2asp.runtime.sources.records import (
    LARGEST_RECORD,
    OnReject,
    Record,
)
from lars2asp.runtime.sources.tables.folder_columns import with_folder_columns
from lars2asp.runtime.sources.tables.row_reader import LINE_NUMBERS, RowNumbers, RowReader
from lars2asp.runtime.sources.tables.table import read_csv
from lars2asp.runtime.sources.tables.table_form import (
    SAMPLE,
    Dialect,
    TableForm,
    beginning_lines,
    is_headed,
    is_table,
    table_form,
)
from lars2asp.runtime.sources.tables.wanted_columns import WantedColumns
from lars2asp.runtime.sources.tables.written_answers import answers_reader, read_table
from lars2asp.runtime.sources.text.binary_files import binary_kind
from lars2asp.runtime.sources.text.byte_streams import as_utf8, beginning_of, plain_name, unpacked
from lars2asp.runtime.sources.text.encodings import encoding_of
from lars2asp.runtime.sources.text.lines import Read, read_records, single
from lars2asp.runtime.sources.text.numbered_lines import FileLines, TextLines, numbered
from lars2asp.runtime.sources.text.sheet_names import sheet_at
from lars2asp.runtime.sources.text.sheet_streams import DELIMITER, ENCODING
from lars2asp.runtime.sources.text.text_files import open_bytes
from lars2asp.runtime.sources.times.partial_times import PartialTimes, cure_of
from lars2asp.runtime.sources.times.repeated_hours import RepeatedHours, TimeOrder
from lars2asp.runtime.sources.times.time_formats import TimeFormat
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Column, FirstUnit, Input, Program
from lars2asp.syntax.number_texts import NumberTextError, number_in
from lars2asp.syntax.option_values import OptionValue
from lars2asp.syntax.rdf_terms import is_iri

PEEKED = 2**16
"""The number of bytes of a file that decide its format."""


_UNITS = "unit()"

USUAL_AHEAD = 10 * MINUTE
"""In microseconds: how much later than the machine's clock a live record may be dated if nothing says it."""


class Format(OptionValue):
    """The format of an input."""

    JSONL = "jsonl"
    CSV = "csv"
    FACTS = "facts"
    PARQUET = "parquet"
    FEATHER = "feather"
    ANSWERS = "answers"
    CHANGES = "changes"
    INTERVALS = "intervals"
    LOG = "log"
    INFLUX = "influx"
    IDLVSR = "idlvsr"
    DSR = "dsr"
    TICKER = "ticker"
    LASER = "laser"
    NTRIPLES = "ntriples"
    NQUADS = "nquads"
    TURTLE = "turtle"
    TRIG = "trig"
    JSONLD = "jsonld"

    @property
    def is_rdf(self) -> bool:
        """Whether it has triples."""
        return self in _OF_RDF

    @property
    def is_table(self) -> bool:
        """Whether records are rows of columns, which `#input` declares."""
        is_of_lines = self in (Format.JSONL, Format.FACTS, Format.ANSWERS, Format.LOG, Format.INFLUX)
        return not (is_of_lines or self.is_rdf or self.is_of_others)

    @property
    def is_of_others(self) -> bool:
        """Whether it is the format of another system's streams."""
        return self in (Format.IDLVSR, Format.DSR, Format.TICKER, Format.LASER)

    @property
    def is_live(self) -> bool:
        """Whether live input may be written so."""
        return self in _LIVE or self.is_of_others

    @property
    def has_types(self) -> bool:
        """Whether the file has columns with types, and no text."""
        return self in (Format.PARQUET, Format.FEATHER)

    @property
    def name_of_rdf(self) -> str:
        """Its name in pyoxigraph."""
        return _OF_RDF[self]


@dataclass(frozen=True)
class Reading:
    """How to read an input. Change `Reasoner.reading` with `dataclasses.replace`.

    Attributes:
        format: The format. [default: by the name of the file or its content]
        timeline: How times become ticks.
        declarations: The `#input` declarations.
        delimiter: The delimiter of a table. [default: found in the file]
        missing: Texts of cells that mean a missing value, next to empty cells.
        encoding: The encoding of text. [default: found in tables and after a byte order mark, otherwise
            UTF-8]
        largest_record: The longest record, in bytes; longer records are rejected.
        decimals: How to write the numbers of predicates.
        is_of_several: Whether there are several inputs; each table then uses the declarations with its
            columns.
        numbers: The values of `row()` in declarations.
        counted: The values of `record()` in declarations, shared by the inputs of a run.
        required: The types of arguments.
        lateness: The lateness, in ticks.
        otherwise: The format by default. [default: JSON lines]
        largest_gap: The largest gap between two records, in ticks; None for the default.
        ahead: How far live records may be ahead of the machine's clock, in microseconds; None for any time.
        is_multiline: Whether a text line without a time continues the record before it.
        own: Settings from the addresses of inputs, by name.
    """

    format: Format | None = None
    timeline: Timeline = field(default_factory=Timeline)
    declarations: Sequence[Input] = ()
    delimiter: str | None = None
    missing: Collection[str] = frozenset()
    encoding: str | None = None
    largest_record: int = LARGEST_RECORD
    decimals: NumberForms = field(default_factory=dict)
    is_of_several: bool = False
    numbers: RowNumbers = LINE_NUMBERS
    counted: RecordCount = field(default_factory=RecordCount, compare=False)
    required: RequiredTypes = field(default_factory=dict)
    lateness: int = 0
    otherwise: Format | None = None
    largest_gap: int | None = None
    ahead: int | None = USUAL_AHEAD
    is_multiline: bool = False
    own: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises TypeError and ValueError for fields that no reader could use."""
        if type(self.format) is str:
            object.__setattr__(self, "format", Format(self.format))
        if isinstance(self.missing, str):
            raise TypeError(
                f"missing lists the cells that are missing, such as {{'n/a'}}, not {self.missing!r}"
            )

    @property
    def dialect(self) -> Dialect:
        """How a table is written, as readers of tables take it."""
        return Dialect(self.delimiter, frozenset(self.missing), self.encoding)

    @property
    def marked(self) -> "Reading":
        """This reading, with marks on the ticks of repeated local times, which `order` needs."""
        timeline = self.timeline
        if timeline.zone is None or timeline.tick_length is None or timeline.repeats is not None:
            return self
        return replace(self, timeline=replace(timeline, repeats=RepeatedHours(timeline.zone)))

    def order(self) -> TimeOrder | None:
        """Returns the order of repeated local times; None without marks."""
        timeline = self.timeline
        if timeline.repeats is None or timeline.tick_length is None:
            return None
        zone, length = timeline.repeats.zone, timeline.tick_length
        partial_times = PartialTimes(zone, timeline.dates_from, self.lateness * length)
        return TimeOrder(timeline.repeats, timeline.moments, partial_times, self.lateness)

    @property
    def lacking(self) -> str:
        """The part that the formats of times omit: `date`, `year`, or empty."""
        forms = [TimeFormat(form) for one in self.declarations for form in one.time_formats]
        found = {one.lacks for one in (*forms, self.timeline.form) if one is not None}
        return "date" if "date" in found else "year" if "year" in found else ""

    def require_dates(self) -> None:
        """Raises InputError if times lack the year or date, and neither a file nor a setting gives it."""
        if self.lacking and self.timeline.dates_from is None:
            cure = cure_of(self.lacking)
            raise InputError(
                f"the times contain no {self.lacking}, and this input has no date of last change: {cure}"
            )

    def doubt_of(self, first: int) -> str:
        """A warning if the time of the first tick seems to be in another unit; otherwise empty."""
        forms = (form for one in self.declarations for form in one.time_formats or ("",))
        return self.timeline.doubt_of(first, forms)

    def format_of(self, name: str, beginning: bytes | None = None) -> Format:
        """The format of a file of this name, if nothing says it by its content.

        Args:
            name: The name.
            beginning: The beginning of its text; None to read it.
        """
        said = self.said_format(name)
        return said or self.format_in(_beginning(name) if beginning is None else beginning)

    def said_format(self, name: str) -> Format | None:
        """The format that an option, or the ending of a name, says; None if the content decides."""
        found = self.format or format_of(name)
        is_said = self.format or Path(plain_name(name)).suffix.lower() in JSON_ENDINGS
        return found if is_said or found is not Format.JSONL else None

    def format_in(self, sample: bytes) -> Format:
        """The format of a text with this beginning, by its content."""
        lines = beginning_lines(sample, self.dialect)
        if has_json(lines):
            return Format.JSONL
        if self.of_fields and is_headed(lines, self.dialect, self.headers):
            return Format.CSV
        if self.unnamed is not Format.JSONL:
            return self.unnamed
        return Format.CSV if is_table(sample, self.dialect) else Format.JSONL

    @property
    def headers(self) -> Sequence[WantedColumns]:
        """The columns of each declaration of columns or fields."""
        return WantedColumns.each(self.of_fields, self.timeline, is_of_several=True)

    def said_of(self, form: Format) -> str:
        """The message on a format that the content decided; empty for the only possible format."""
        if not self.of_lines or (form is Format.LOG and not self.of_fields):
            return ""
        words = {Format.JSONL: "JSON lines", Format.CSV: "a table", Format.LOG: "lines of text"}
        return words.get(form, form)

    @property
    def unnamed(self) -> Format:
        """The format of an input whose name says none, as far as it is not looked at."""
        if self.format is not None:
            return self.format
        if self.of_lines:
            return Format.LOG
        return Format.JSONL if self.otherwise is None or self.of_fields else self.otherwise

    @property
    def of_input(self) -> "Reading":
        """The same for an input: the first units of its columns are its own."""
        declarations = with_first_units(self.declarations)
        return replace(self, declarations=declarations)

    def in_folder(self, columns: Mapping[str, str]) -> "Reading":
        """The same for files in folders whose names have columns. Raises InputError."""
        if not columns:
            return self
        how = columns, self.timeline, self.dialect.missing
        return replace(self, declarations=[with_folder_columns(one, *how) for one in self.declarations])

    @property
    def _units(self) -> Sequence[FirstUnit]:
        return [
            column.first_unit
            for one in self.declarations
            for column in (*one.columns, *(each.column for each in one.conditions))
            if column.first_unit is not None
        ]

    def units_state(self) -> dict[str, Any]:
        """The first units so far, for JSON; empty if there are none."""
        units = [one.text for one in self._units]
        return {_UNITS: units} if any(units) else {}

    def restore_units(self, state: Mapping[str, Any]) -> None:
        """Takes over the first units of a state, if it has some."""
        for one, text in zip(self._units, state.get(_UNITS, ()), strict=False):
            one.text = text

    @property
    def record_numbers(self) -> RecordNumbers:
        """The counter that numbers the records."""
        return RecordNumbers(self.declarations, self.decimals, self.counted)

    @property
    def of_lines(self) -> Sequence[Input]:
        """The declarations with patterns of lines of text."""
        return [one for one in self.declarations if one.pattern]

    @property
    def of_fields(self) -> Sequence[Input]:
        """The declarations of columns, and of fields of JSON records."""
        return [one for one in self.declarations if not (one.pattern or one.rdf_property or is_iri(one.time))]

    @property
    def of_triples(self) -> Sequence[Input]:
        """The declarations of triples, and declarations of three or four columns."""
        return [
            one
            for one in self.declarations
            if not one.pattern and (one.rdf_property or len(one.cells) in (3, 4))
        ]

    def has_types(self, name: str) -> bool:
        """Whether the columns of such a file are typed, as columns of changes or intervals can be."""
        is_written = self.format in (Format.CHANGES, Format.INTERVALS)
        return (format_of(name) if is_written else self.format_of(name)).has_types

    def dialect_of(self, name: str) -> Dialect:
        """The known form of a file of this name; sheets of a workbook do not matter."""
        if sheet_at(name) is None:
            return self.dialect
        return replace(self.dialect, delimiter=DELIMITER, encoding=ENCODING)

    def form_of(self, sample: bytes, name: str) -> TableForm:
        """How a file of this name and with this beginning is written. Raises InputError if it is no text."""
        if kind := binary_kind(sample):
            raise InputError.of(name, kind)
        if self.format_of(name) is Format.CSV:
            wanted = WantedColumns.each(self.of_fields, self.timeline, is_of_several=self.is_of_several)
            return table_form(sample, self.dialect_of(name), wanted)
        dialect = self.dialect_of(name)
        encoding = dialect.encoding or encoding_of(sample, is_table=False)
        form = TableForm(encoding, dialect.delimiter or ",")
        if self.format_of(name) in (Format.JSONL, Format.JSONLD) and is_document(
            sample, is_whole=len(sample) < SAMPLE
        ):
            return replace(form, is_document=True)
        return form

    def records(
        self,
        lines: Iterable[str],
        name: str,
        on_reject: OnReject,
        written: TableForm | None = None,
    ) -> Iterator[Record]:
        """The records in lines of text, which are a table that is written so.

        Raises InputError if none can be read.
        """
        return chain.from_iterable(self.blocks(lines, name, on_reject, written))

    def blocks(
        self,
        lines: Iterable[str],
        name: str,
        on_reject: OnReject,
        written: TableForm | None = None,
    ) -> Iterator[Sequence[Record]]:
        """The same records in groups: at least one, and more if they need no waiting.

        Rejected records keep their place between two groups.
        """
        form = self.format_of(name)
        if self.is_multiline and form is not Format.LOG:
            raise InputError.of(name, _NOT_MULTILINE)
        if form is Format.JSONL and isinstance(lines, FileLines):
            return self._json.blocks(lines, name, on_reject)
        if form is Format.CSV:
            how = self.dialect_of(name), self.largest_record, self.decimals, written
            return read_csv(
                lines,
                name,
                self.of_fields,
                self.timeline,
                on_reject,
                *how,
                is_of_several=self.is_of_several,
            )
        if form in (Format.CHANGES, Format.INTERVALS):
            more = self.dialect_of(name), self.largest_record, self.decimals, written
            is_of_intervals = form is Format.INTERVALS
            return read_table(
                lines, name, self.of_fields, self.timeline, on_reject, *more, intervals=is_of_intervals
            )
        if form.is_rdf:
            texts = texts_of(form.name_of_rdf, name, self.largest_record)
            return read_triples(lines, texts, self.triple_facts(name), on_reject)
        if self.is_multiline:
            log = self._log
            several = RecordTexts(numbered(lines), log.begins, self.largest_record)
            return read_records(several, name, log.read, on_reject, takes_bytes=True)
        if form is Format.LOG and isinstance(lines, FileLines):
            return self._log.blocks(lines, name, on_reject)
        read, comment = self.line_reader(form)
        is_text = form is Format.LOG
        return read_records(lines, name, read, on_reject, comment=comment, takes_bytes=is_text)

    @property
    def begins(self) -> Callable[[str], bool] | None:
        """Whether a line begins a record of several lines; None if each line is a record."""
        return self._log.begins if self.is_multiline else None

    @property
    def live_form(self) -> Format:
        """The format of live lines whose source says none. Raises InputError if they cannot be multiline."""
        if self.is_multiline and self.unnamed is not Format.LOG:
            raise InputError(_NOT_MULTILINE)
        return self.unnamed

    def line_reader(self, form: Format, *, is_live: bool = False) -> tuple[Read, str | None]:
        """A function that reads a line in a format, and the comment sign. Raises InputError for tables."""
        facts = FactReader(self.decimals, self.required)
        match form:
            case Format.JSONL:
                return self._json.read, None
            case Format.LOG:
                return self._log.read, None
            case Format.FACTS:
                return single(partial(facts_record, timeline=self.timeline, facts=facts)), COMMENT
            case Format.IDLVSR:
                return single(partial(idlvsr_record, timeline=self.timeline, facts=facts)), COMMENT
            case Format.DSR:
                return partial(dsr_records, timeline=self.timeline, facts=facts), COMMENT
            case Format.TICKER:
                from lars2asp.runtime.sources.ticker_lines import ticker_record  # noqa: PLC0415 - few need it

                return single(partial(ticker_record, timeline=self.timeline, facts=facts)), COMMENT
            case Format.LASER:
                from lars2asp.runtime.sources.laser_streams import laser_records  # noqa: PLC0415 - few need it

                return partial(laser_records, timeline=self.timeline, facts=facts), "#"
            case Format.INFLUX:
                from lars2asp.runtime.sources.json.influx_lines import COMMENT as SIGN  # noqa: PLC0415
                from lars2asp.runtime.sources.json.influx_lines import InfluxLines  # noqa: PLC0415

                return InfluxLines(self._json.fields).read, SIGN
            case Format.ANSWERS:
                return answers_reader(self.timeline, facts, is_live=is_live), None
            case _:
                raise not_live(form)

    def lines_of(self, name: str) -> type[FileLines]:
        """Returns the reader for the lines of a file of this name."""
        form = self.format_of(name)
        return RereadLines if form.is_rdf else TextLines if form is Format.LOG else FileLines

    def triple_facts(self, name: str) -> TripleFacts:
        """What makes facts of triples. Raises InputError."""

        def reader(declared: Input, header: Sequence[str]) -> RowReader:
            how = self.timeline, self.dialect, self.decimals, self.numbers, TermValues
            return RowReader(declared, header, name, *how)

        return TripleFacts(self.of_triples, name, reader, self.timeline)

    def live_triples(self, form: Format, on_reject: OnReject) -> LiveTriples:
        """What makes records of lines of triples that come live. Raises InputError."""
        most = self.largest_record

        def texts(name: str) -> LineTriples | DocumentTriples:
            found = texts_of(form.name_of_rdf, name, most)
            assert not isinstance(found, StatementTriples)
            return found

        texts("triples")  # the package is there
        return LiveTriples(self.triple_facts("triples"), texts, on_reject)

    @property
    def _log(self) -> LogLines:
        if not (patterns := self.of_lines):
            raise InputError(
                "the program does not declare how lines of text become facts: add for example #input "
                'failed(user) from "^{:word} sshd[{:int}]: Invalid user {user:text} from {:ip} port '
                '{:int}$" at "%b %d %H:%M:%S".'
            )
        return LogLines(patterns, self.timeline, self.dialect, self.decimals, self.numbers)

    @property
    def _json(self) -> JsonReader:
        declarations = self.of_fields
        if self.is_of_several:  # those of columns by their places are of tables
            declarations = [one for one in declarations if not one.places] or declarations
        declared = declarations, self.timeline, self.dialect, self.decimals, self.numbers
        fields = DeclaredFields(*declared) if declared[0] else None
        return JsonReader(self.timeline, FactReader(self.decimals, self.required), fields)


def with_first_units(declarations: Iterable[Input], *, are_open: bool = True) -> Sequence[Input]:
    """Declarations with first units of their own; closed units stay closed.

    The unit of a value for missing cells is the first.

    Args:
        declarations: The declarations.
        are_open: Whether numbers may have units that nothing declares.
    """

    def own(column: Column) -> Column:
        if column.first_unit is not None and not column.first_unit.is_open:
            return column
        unit = ""
        with suppress(NumberTextError):
            unit = number_in(column.otherwise or "", column.signs, column.marks).unit
        return replace(column, first_unit=FirstUnit(unit, is_open=are_open))

    return [
        replace(
            one,
            columns=tuple(map(own, one.columns)),
            conditions=tuple(replace(each, column=own(each.column)) for each in one.conditions),
        )
        for one in declarations
    ]


def _beginning(name: str) -> bytes:
    """The beginning of a file of this name, empty if it cannot be read."""
    if not Path(name).is_file():
        return b""
    with suppress(InputError, OSError), open_bytes(name) as raw:
        return beginning_of(unpacked(raw, name), PEEKED)
    return b""


def format_of_streams(program: Program) -> Format | None:
    """The format that streams have in the dialect of a program; None if that names none."""
    for source in program.sources:
        if source.dialect:
            from lars2asp.syntax.dialects.registry import dialect_of  # noqa: PLC0415 - most programs are ours

            if form := dialect_of(source).log_format:
                return Format(form)
    return None


def written_text(stream: io.RawIOBase, form: TableForm, name: str) -> io.RawIOBase:
    """The text of a file in UTF-8, of a JSON document a line for each record."""
    text = as_utf8(stream, form.encoding, name)
    return as_record_lines(text, name) if form.is_document else text


def not_live(form: Format) -> InputError:
    """The error for an input that is read live, in a format that is not."""
    return InputError(
        f"files in the format {form} cannot be followed or read with --clock wall: remove the option, "
        f"or use a live format ({', '.join(one for one in Format if one.is_live)})"
    )


def format_of(name: str) -> Format:
    """The format of a file, by its name."""
    if sheet_at(name) is not None:
        return Format.CSV
    return _BY_ENDING.get(Path(plain_name(name)).suffix.lower(), Format.JSONL)


JSON_ENDINGS = (".jsonl", ".json", ".ndjson")
"""The endings of names that say that a file has JSON records."""

_NOT_MULTILINE = (
    "multiline=yes needs lines of text and a pattern in #input: remove it, or add --input-format log"
)

_OF_RDF = {
    Format.NTRIPLES: "N_TRIPLES",
    Format.NQUADS: "N_QUADS",
    Format.TURTLE: "TURTLE",
    Format.TRIG: "TRIG",
    Format.JSONLD: "JSON_LD",
}
_LIVE = (
    *(Format.JSONL, Format.CSV, Format.FACTS, Format.ANSWERS, Format.LOG, Format.INFLUX),
    *(Format.NTRIPLES, Format.NQUADS, Format.JSONLD),
)
_BY_ENDING = {
    **{
        ".csv": Format.CSV,
        ".tsv": Format.CSV,
        ".parquet": Format.PARQUET,
        ".feather": Format.FEATHER,
        ".arrow": Format.FEATHER,
    },
    **{".nt": Format.NTRIPLES, ".nq": Format.NQUADS, ".ttl": Format.TURTLE, ".trig": Format.TRIG},
    **{".jsonld": Format.JSONLD, ".facts": Format.FACTS},
}
