"""The format `log`: lines of text, of which patterns tell facts."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from lars2asp.analysis.line_patterns import LinePattern, with_kinds
from lars2asp.analysis.number_forms import NumberForms
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import (
    TIME_ALONE,
    Origin,
    Reading,
    Record,
    Rejected,
    Unfit,
    records_at,
)
from lars2asp.runtime.sources.tables.row_reader import (
    LINE_NUMBERS,
    RowNumbers,
    RowReader,
    timeline_of,
)
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.tables.wanted_columns import is_stamped
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import shown

_ISO = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z| ?[+-]\d\d:?\d\d)?)?", re.ASCII
)
_PRIORITY = re.compile("(?:<[0-9]+>)?")
_BLANKS = re.compile(r"\s*")


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
        self._is_numbered = any(one.is_numbered for one in declarations)
        self._numbers = numbers

    def read(self, line: str, origin: Origin) -> Sequence[Record | Rejected]:
        """The records of a line, one for each time. Raises InputError."""
        text = line.rstrip("\r\n")
        fitting = [(one, row) for one in self._all if (row := one.row(text)) is not None]
        if not fitting:
            return self._passed_over(text, origin)
        own = (self._numbers.of(origin), origin.source, 0) if self._is_numbered else ()
        return records_at([one.read(row, own) for one, row in fitting], origin)

    def _passed_over(self, text: str, origin: Origin) -> Sequence[Record | Rejected]:
        unfit = Unfit(origin, "the line fits the pattern of no #input")
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
        self._timeline = timeline_of(declared, timeline)
        self._finds_time = declared.all_times == ("time",) and "time" not in names
        if self._finds_time and is_stamped(declared, timeline) and not declared.time_format:
            self._finds_time = False
        elif not self._finds_time and (lacking := {*declared.all_times} - {*names}):
            raise InputError(f"#input {declared.predicate}: the pattern has no place {{{min(lacking)}}}")
        self._follows_time = self._finds_time and self._pattern.at_begin
        form = self._timeline.form
        self._search = form.search if form is not None else _ISO
        header = (*names, "time") if self._finds_time else names
        plain = replace(declared, pattern="")
        how = declared.predicate, timeline, dialect, decimals
        self._reader = RowReader(plain, header, *how, has_empty_texts=True)

    def row(self, text: str) -> Sequence[str | None] | None:
        """What its places have in a line, and its time; None if it does not fit. Raises InputError."""
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
                like = f'in the format "{shown(form.text)}"' if form is not None else "of ISO 8601"
                raise InputError(f"the line has no time {like}")
            time = search[0]
        return [*cells, self._plain(time)]

    def read(self, row: Sequence[str | None], own: Sequence[object]) -> Reading:
        """The tick and the fact of a line that fits; see RowReader. Raises InputError."""
        return self._reader.read([*row, *own] if own else row)

    def tick(self, text: str) -> int | None:
        """The tick of the time in a line, whatever it says; None if it has none. Raises InputError."""
        if not self._finds_time:
            return None
        found = self._first_time(text) if self._follows_time else self._search.search(text)
        return None if found is None else self._timeline.tick_of_text(self._plain(found[0]))

    def _first_time(self, text: str) -> re.Match[str] | None:
        """The time with which a line begins, perhaps after `<N>`."""
        begin = _PRIORITY.match(text)
        return self._search.match(text, begin.end() if begin else 0)

    def _plain(self, time: str) -> str:
        return time if self._timeline.form is not None else time.replace(",", ".")


def _end_of_blanks(text: str, begin: int) -> int:
    blanks = _BLANKS.match(text, begin)
    return blanks.end() if blanks else begin
