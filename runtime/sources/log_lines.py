"""The format `log`: lines of text, of which patterns tell facts."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from lars2asp.analysis.line_patterns import LinePattern
from lars2asp.analysis.number_forms import NumberForms
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.records import TIME_ALONE, Origin, Record, Rejected, Unfit, records_at
from lars2asp.runtime.sources.tables.row_reader import LINE_NUMBERS, RowNumbers, RowReader, timeline_of
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.tables.wanted_columns import is_stamped
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import shown

MOST_MATCHED = 4096
"""In characters: so much of a line is looked at, as the time for a pattern may grow with its square."""

_ISO = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z| ?[+-]\d\d:?\d\d)?)?", re.ASCII
)


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
        text = line.rstrip("\r\n")[:MOST_MATCHED]
        fitting = [(one, cells) for one in self._all if (cells := one.pattern.cells(text)) is not None]
        if not fitting:
            return self._passed_over(text, origin)
        own = (self._numbers.of(origin), origin.source) if self._is_numbered else ()
        return records_at([one.read(cells, text, own) for one, cells in fitting], origin)

    def _passed_over(self, text: str, origin: Origin) -> Sequence[Record | Rejected]:
        unfit = Unfit(origin, "the line fits the pattern of no #input")
        for one in self._all:
            with suppress(InputError):
                if (tick := one.tick(text)) is not None:
                    return unfit, Record(tick, TIME_ALONE, origin)
        return (unfit,)


class _Pattern:
    """A declaration with a pattern.

    Attributes:
        pattern: its pattern.
    """

    def __init__(self, declared: Input, timeline: Timeline, dialect: Dialect, decimals: NumberForms) -> None:
        self.pattern = LinePattern(declared.pattern)
        names = self.pattern.names
        self._timeline = timeline_of(declared, timeline)
        self._finds_time = declared.times == ("time",) and "time" not in names
        if self._finds_time and is_stamped(declared, timeline) and not declared.time_format:
            self._finds_time = False
        elif not self._finds_time and (lacking := {*declared.times} - {*names}):
            raise InputError(f"#input {declared.predicate}: the pattern has no place {{{min(lacking)}}}")
        header = (*names, "time") if self._finds_time else names
        self._reader = RowReader(
            replace(declared, pattern=""), header, declared.predicate, timeline, dialect, decimals
        )

    def read(self, cells: Sequence[str], text: str, own: Sequence[object]) -> tuple[int, AtomRows | None]:
        """The tick and the fact of a line that fits. Raises InputError."""
        if not self._finds_time:
            return self._reader.read([*cells, *own])
        found = self._time_in(text)
        if found is None:
            form = self._timeline.form
            like = f'in the format "{shown(form.text)}"' if form is not None else "of ISO 8601"
            raise InputError(f"the line has no time {like}")
        return self._reader.read([*cells, found, *own])

    def tick(self, text: str) -> int | None:
        """The tick of the time in a line, whatever it says; None where it has none. Raises InputError."""
        found = self._time_in(text) if self._finds_time else None
        return None if found is None else self._timeline.tick_of_text(found)

    def _time_in(self, text: str) -> str | None:
        form = self._timeline.form
        if form is not None:
            return form.found_in(text)
        found = _ISO.search(text)
        return None if found is None else found[0].replace(",", ".")
