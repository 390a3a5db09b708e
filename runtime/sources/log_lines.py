"""The format `log`: lines of text, of which patterns tell facts."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from lars2asp.analysis.line_patterns import LinePattern, with_kinds
from lars2asp.analysis.number_forms import NumberForms
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import (
    TIME_ALONE,
    OnReject,
    Origin,
    Origins,
    PassedOver,
    Reading,
    Record,
    Rejected,
    TruncatedRecord,
    is_one_unfit_enough,
    records_at,
)
from lars2asp.runtime.sources.tables.row_blocks import Columns, RowBlocks, Told
from lars2asp.runtime.sources.tables.row_reader import (
    LINE_NUMBERS,
    RowNumbers,
    RowReader,
    timeline_of,
)
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.tables.wanted_columns import is_stamped
from lars2asp.runtime.sources.text.lines import line_records
from lars2asp.runtime.sources.text.numbered_lines import FileLines, NumberedLines, text_of
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import shown

_ISO = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,30})?)?(?:Z| ?[+-]\d\d:?\d\d)?)?", re.ASCII
)
_PRIORITY = re.compile("(?:<[0-9]+>)?")
MOST_LINES = 1000
"""The number of lines of a record, at most."""

_BLANKS = re.compile(r"\s*")

TOGETHER = 1000
"""The number of lines that are read at once."""

FEWEST_IN_COLUMNS = 4
"""Fewer lines are read one by one: columns would not pay."""


class LogLines:
    """Reads lines of text as declarations with patterns say.

    A line gives a fact for each pattern that fits. One that no pattern fits is passed over; its time counts
    where a declaration has a format of times, or none, and no place for it.

    Args:
        declarations: those with patterns.
        timeline: how times are read.
        dialect: the texts of missing values.
        decimals: how the numbers of predicates are written.
        numbers: gives what `row()` is.

    Raises InputError for a time that is no place of a pattern.
    """

    def __init__(
        self,
        declarations: Sequence[Input],
        timeline: Timeline,
        dialect: Dialect,
        decimals: NumberForms,
        numbers: RowNumbers = LINE_NUMBERS,
    ) -> None:
        self._all = [_Pattern(one, timeline, dialect, decimals) for one in declarations]
        self._columns = _Columns(self._all)
        self._is_numbered = any(one.is_numbered for one in declarations)
        self._numbers = numbers

    def blocks(self, lines: FileLines, name: str, on_reject: OnReject) -> Iterator[Sequence[Record]]:
        """The records of the lines of a file, some at a time: those that are there without waiting.

        If one line that no pattern fits is enough for `on_reject`, the others are records without facts.
        """
        tells_unfit = True

        def reject(one: Rejected) -> None:
            nonlocal tells_unfit
            if type(one) is PassedOver and is_one_unfit_enough(on_reject):
                tells_unfit = False
            on_reject(one)

        while several := lines.several():
            first_line = lines.number - len(several) + 1
            origins = Origins(name, range(first_line, first_line + len(several)), several)
            for first in range(0, len(several), TOGETHER):
                some, at = several[first : first + TOGETHER], origins[first : first + TOGETHER]
                fitting = self._columns.read(some, at, with_unfit=not tells_unfit)
                if fitting is not None and len(fitting) == len(some):
                    yield fitting
                    continue
                known = {} if fitting is None else {one.origin.line: one for one in fitting if one.origin}
                records = list[Record]()
                for line, origin in zip(some, at, strict=True):
                    if (record := known.get(origin.line)) is not None:
                        records.append(record)
                        continue
                    if records:  # they stand before what is passed over
                        yield records
                        records = []
                    text = text_of(line)
                    own = origin._replace(written=text.rstrip("\r\n"))
                    yield line_records(text, own, self.read, reject, takes_bytes=True)
                yield records

    def begins(self, line: str) -> bool:
        """Whether a line begins with a time that a declaration reads, perhaps after `<N>`."""
        return any(one.begins(line) for one in self._all)

    def read(self, line: str, origin: Origin) -> Sequence[Record | Rejected]:
        """The records of a line, one for each time. Raises InputError.

        Of lines that are one record the first has the places of patterns; `rest` has all that follows.
        """
        text = line.rstrip("\r\n")
        fitting = [(one, row) for one in self._all if (row := one.row(text)) is not None]
        if not fitting:
            return self._passed_over(text, origin)
        own = (self._numbers.of(origin), origin.source, 0) if self._is_numbered else ()
        return records_at([one.read(row, own) for one, row in fitting], origin)

    def _passed_over(self, text: str, origin: Origin) -> Sequence[Record | Rejected]:
        unfit = PassedOver(origin, "no pattern of #input matches the line")
        for one in self._all:
            with suppress(InputError):
                if (tick := one.tick(text)) is not None:
                    return unfit, Record(tick, TIME_ALONE, origin)
        return (unfit,)


class _Pattern:
    """A declaration with a pattern."""

    def __init__(self, declared: Input, timeline: Timeline, dialect: Dialect, decimals: NumberForms) -> None:
        declared = with_kinds(declared)
        self._pattern = LinePattern(declared.pattern)
        names = self._pattern.names
        self._rests = {name for name, kind in self._pattern.kinds.items() if kind == "rest"}
        self._timeline = timeline_of(declared, timeline)
        self._finds_time = declared.all_times == ("time",) and "time" not in names
        self._finds_time = self._finds_time and not declared.time_texts
        if self._finds_time and is_stamped(declared, timeline) and not declared.time_format:
            self._finds_time = False
        elif not self._finds_time and (lacking := {*declared.all_times} - {*names}):
            raise InputError(f"#input {declared.predicate}: the pattern has no place {{{min(lacking)}}}")
        self._follows_time = self._finds_time and self._pattern.at_begin
        form = self._timeline.form
        self._search = form.search if form is not None else _ISO
        self.header = (*names, "time") if self._finds_time else names
        self._declared = replace(declared, pattern="")
        self._how = declared.predicate, timeline, dialect, decimals
        self._reader = self.reader(self.header)

    def reader(self, header: Sequence[str]) -> RowReader:
        """What reads rows with these columns."""
        return RowReader(self._declared, header, *self._how, has_empty_texts=True)

    def begins(self, line: str) -> bool:
        """Whether a line begins with a time, perhaps after `<N>`."""
        return self._first_time(line) is not None

    def row(self, text: str) -> Sequence[str | None] | None:
        """What its places have in a line, and its time; None if it does not fit. Raises InputError."""
        if "\n" not in text:
            return self._row_of(text)
        first, _, more = text.partition("\n")
        found = self._row_of(first)
        if found is None:
            return None
        return [
            f"{cell}\n{more}" if name in self._rests and cell is not None and first.endswith(cell) else cell
            for name, cell in zip(self.header, found, strict=True)
        ]

    def _row_of(self, text: str) -> Sequence[str | None] | None:
        """The same of one line."""
        begin, time = 0, None
        if self._follows_time:
            if self._pattern.piece not in text or (found := self._first_time(text)) is None:
                return None
            begin, time = _end_of_blanks(text, found.end()), found[0]
        cells = self._pattern.cells(text, begin)
        if cells is None:
            return None
        if not self._finds_time:
            return cells
        if time is None:
            search = self._search.search(text)
            if search is None and self._reader.leaves_out([*cells, None]):
                return [*cells, None]
            if search is None:
                form = self._timeline.form
                like = (
                    f'in the format "{shown(form.text)}"'
                    if form is not None
                    else "such as 2026-01-31T14:05:00Z"
                )
                raise InputError(f"the line contains no time {like}")
            time = search[0]
        return [*cells, self._plain(time)]

    def read(self, row: Sequence[str | None], own: Sequence[object]) -> Reading:
        """The tick and the fact of a line that fits; see RowReader. Raises InputError."""
        return self._reader.read([*row, *own] if own else row)

    def tick(self, text: str) -> int | None:
        """The tick of the time in a line, whatever it says; None if it has none. Raises InputError."""
        written = self.written_time(text.partition("\n")[0])
        return None if written is None else self._timeline.tick_of_text(written)

    def written_time(self, text: str) -> str | None:
        """The text of the time of a line that does not fit; None if it has none."""
        if not self._finds_time:
            return None
        found = self._first_time(text) if self._follows_time else self._search.search(text)
        return None if found is None else self._plain(found[0])

    def _first_time(self, text: str) -> re.Match[str] | None:
        """The time with which a line begins, perhaps after `<N>`."""
        begin = _PRIORITY.match(text)
        return self._search.match(text, begin.end() if begin else 0)

    def _plain(self, time: str) -> str:
        return time if self._timeline.form is not None else time.replace(",", ".")


class OpenRecord:
    """A record of several lines that may go on: lines that do not begin with a time belong to it.

    A record has at most `MOST_LINES` lines, and as many characters as a line may have bytes. What follows are
    records by themselves, and so are the lines before the first time.

    Args:
        number: the number of its first line.
        lines: those that it has.
        begins: whether a line begins with a time.
        most: the largest number of characters.

    Attributes:
        goes_on: whether more lines may belong to it.
    """

    def __init__(self, number: int, lines: Sequence[str], begins: Callable[[str], bool], most: int) -> None:
        self.number = number
        self.lines = [*lines]
        self._begins = begins
        self._most = most
        self._size = sum(map(len, lines))
        self.goes_on = not isinstance(lines[0], TruncatedRecord) and begins(lines[0])

    def takes(self, line: str) -> bool:
        """Adds a line if it belongs to the record; whether it does."""
        size = self._size + len(line)
        if not self.goes_on or len(self.lines) >= MOST_LINES or isinstance(line, TruncatedRecord):
            return False
        if size > self._most or self._begins(line):
            return False
        self._size = size
        self.lines.append(line)
        return True

    @property
    def text(self) -> str:
        """Its lines in one text."""
        if len(self.lines) == 1:
            return self.lines[0]
        return "\n".join([*(line.rstrip("\r\n") for line in self.lines), ""])


class RecordTexts(NumberedLines):
    """The texts of records of several lines; see OpenRecord.

    Attributes:
        number: that of the first line of the record.
    """

    def __init__(self, lines: NumberedLines, begins: Callable[[str], bool], most: int) -> None:
        super().__init__()
        self._source = lines
        self._begins = begins
        self._most = most
        self._next: tuple[int, str] | None = None

    def __next__(self) -> str:
        number, first = self._next or self._line()
        self._next, record = None, OpenRecord(number, [first], self._begins, self._most)
        while record.goes_on:
            try:
                self._next = self._line()
            except StopIteration:
                break
            if not record.takes(self._next[1]):
                break
            self._next = None
        self.number = number
        return record.text

    def _line(self) -> tuple[int, str]:
        line = next(self._source)
        return self._source.number, line


def _end_of_blanks(text: str, begin: int) -> int:
    blanks = _BLANKS.match(text, begin)
    return blanks.end() if blanks else begin


class _Columns:
    """Reads lines in columns.

    Args:
        patterns: those of all declarations.
    """

    def __init__(self, patterns: Sequence[_Pattern]) -> None:
        self._patterns = patterns
        names = [*dict.fromkeys(name for one in patterns for name in one.header)]
        readers = [one.reader(names) for one in patterns]
        blocks = RowBlocks(readers)
        self._blocks = blocks if blocks.has_columns and blocks.reads_times else None
        self._width = len(names)
        self._places = [[*map(names.index, one.header)] for one in patterns]
        self._times = readers[0].time_places

    def read(
        self, lines: Sequence[bytes], origins: Origins, *, with_unfit: bool = False
    ) -> RecordColumns | None:
        """The records of the lines that fit a pattern; None if one of them has to be read by itself.

        Args:
            lines: the lines.
            origins: where they stand.
            with_unfit: whether lines that fit none, and have a time, are among the records.
        """
        if self._blocks is None or len(lines) < FEWEST_IN_COLUMNS or not {bytes}.issuperset(map(type, lines)):
            return None
        try:
            together = str(b"".join(lines), "utf-8")
        except UnicodeDecodeError:
            return None
        texts = [text.rstrip("\r") for text in together.removesuffix("\n").split("\n")]
        if "\0" in together or len(texts) != len(lines) or not all(map(str.strip, texts)):
            return None
        rows, times = [], dict[int, Sequence[str | None]]()
        for pattern, places in zip(self._patterns, self._places, strict=True):
            fitting = self._fitting(pattern, texts)
            if fitting is None:
                return None
            columns = self._laid_out(places, fitting.values())
            rows.append((columns, [*fitting]))
            for line, at in zip(
                fitting, zip(*map(columns.__getitem__, self._times), strict=True), strict=False
            ):
                if times.setdefault(line, at) != at:
                    return None
        unfit = self._times_of_others(texts, times) if with_unfit else {}
        read = self._told(lines, origins, rows, times | unfit, [*unfit])
        return self._told(lines, origins, rows, times, ()) if read is None and unfit else read

    def _told(
        self,
        lines: Sequence[bytes],
        origins: Origins,
        rows: Sequence[tuple[Columns, Sequence[int]]],
        times: Mapping[int, Sequence[str | None]],
        unfit: Sequence[int],
    ) -> RecordColumns | None:
        """The records of lines, given for each pattern what fits, and the times of all; see `read`."""
        lines_told = sorted(times)
        place_of = {line: place for place, line in enumerate(lines_told)}
        told = [Told(columns, len(some), [*map(place_of.__getitem__, some)]) for columns, some in rows]
        at_lines = self._laid_out(self._times, map(times.__getitem__, lines_told))
        if len(lines_told) < len(lines):
            numbers, written = map(origins.lines.__getitem__, lines_told), map(lines.__getitem__, lines_told)
            origins = Origins(origins.source, [*numbers], [*written])
        if len(rows) == 1 and not unfit:
            told = [told[0]._replace(places=None)]
        read = self._blocks.columns(at_lines, len(lines_told), origins, told) if self._blocks else None
        if read is not None and unfit:
            read.pass_over(sorted({*read.passed_over, *map(place_of.__getitem__, unfit)}))
        return read

    def _times_of_others(
        self, texts: Sequence[str], fitting: Container[int]
    ) -> dict[int, Sequence[str | None]]:
        """The cells of the time of lines that fit no pattern, by the numbers of these that have one."""
        found = dict[int, Sequence[str | None]]()
        if len(self._times) != 1:
            return found
        for number, text in enumerate(texts):
            if number not in fitting:
                written = next(filter(None, (one.written_time(text) for one in self._patterns)), None)
                if written is not None:
                    found[number] = (written,)
        return found

    def _laid_out(self, places: Sequence[int], rows: Iterable[Sequence[str | None]]) -> Columns:
        """The cells of rows, in columns with these numbers; the others are empty."""
        columns: list[Sequence[str | None]] = [()] * self._width
        for place, cells in zip(places, zip(*rows, strict=True), strict=False):
            columns[place] = cells
        return columns

    def _fitting(self, pattern: _Pattern, texts: Sequence[str]) -> dict[int, Sequence[str | None]] | None:
        """The rows of the lines that a pattern fits, by their numbers; None if one has no time."""
        try:
            rows = map(pattern.row, texts)
            return {number: row for number, row in enumerate(rows) if row is not None}
        except InputError:
            return None
