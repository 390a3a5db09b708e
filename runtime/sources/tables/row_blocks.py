"""From rows to records, many rows at once: their cells are read by columns."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, compress, groupby, repeat
from typing import Any, NamedTuple

from lars2asp.externals.events import Events
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.fine_ticks import fine_ticks
from lars2asp.runtime.sources.record_columns import FactColumn, RecordColumns
from lars2asp.runtime.sources.records import (
    LEFT_OUT,
    NO_FACT,
    PASSED_OVER,
    UNTAKEN,
    LeftOut,
    OneEach,
    OnReject,
    Origin,
    Record,
    Rejected,
    TimeAlone,
    made_of,
    records_at,
)
from lars2asp.runtime.sources.row_events import Found, RowEvents, Wrong
from lars2asp.runtime.sources.tables.row_reader import KnownValues, RowReader, joined_argument
from lars2asp.syntax.nodes import RECORD_COLUMNS
from lars2asp.syntax.values import dataclass

Columns = Sequence[Sequence[Any]]
"""The cells of rows, by columns."""


@dataclass(frozen=True, slots=True)
class ReadBlock:
    """What rows tell.

    Attributes:
        items: the records, and what is rejected.
        has_rejected: whether something may be.
    """

    items: Sequence[Record | Rejected]
    has_rejected: bool = False

    def in_turn(self, on_reject: OnReject) -> Iterator[Sequence[Record]]:
        """The records; each row that is rejected is handed on when the records before it were taken."""
        if not self.has_rejected:
            yield self.items  # type: ignore[misc]
            return
        for kind, some in groupby(self.items, type):
            if kind is Record:
                yield [*some]  # type: ignore[list-item]
            else:
                for one in some:
                    on_reject(one)  # type: ignore[arg-type]


class Told(NamedTuple):
    """The rows that a declaration takes of more of them.

    Attributes:
        columns: theirs; those that the declaration does not name may be empty.
        number: how many they are.
        places: theirs among all, which ascend; None where they are all.
    """

    columns: Columns
    number: int
    places: Sequence[int] | None = None


def read_rows(
    ticks: Sequence[int | None],
    wrong: Mapping[int, str],
    events: Sequence[Events | Wrong],
    origins: Iterable[Origin],
    *,
    has_wrong: bool,
    has_empty: bool,
) -> ReadBlock:
    """What rows tell that have one time each.

    Args:
        ticks: theirs.
        wrong: by their places, counted from 0, why rows are rejected, whatever else they tell.
        events: what they tell.
        origins: where they stand.
        has_wrong: whether some of the events may be wrong.
        has_empty: whether some of them may have no facts.
    """
    if not wrong and not (has_wrong and Wrong in map(type, events)):
        records = OneEach(made_of(Record, ticks, events, origins))
        if has_empty:
            records.without_facts = [one for one in events if isinstance(one, TimeAlone)]
        return ReadBlock(records)
    found: list[Record | Rejected] = []
    for row, (tick, here, origin) in enumerate(zip(ticks, events, origins, strict=False)):
        if row in wrong and here is UNTAKEN:
            found.append(LeftOut.of(origin))
        elif row in wrong:
            found.append(Rejected(origin, wrong[row]))
        elif type(here) is Wrong:
            found.append(Rejected(origin, here.reason))
        else:
            found.append(Record(tick, here, origin))  # type: ignore[arg-type]
    return ReadBlock(found, has_rejected=True)


class RowBlocks:
    """Reads rows of text as declarations say.

    Args:
        readers: those of the declarations, which know the same columns.
        cell_of: gives the text of a cell for that of an argument; None where it is the same.
        are_cells: whether rows are those of tables with text: without a filled cell they are passed over.

    Attributes:
        have_one_time: whether rows have one time each, whatever the declaration.
        has_columns: whether rows can be read in columns.
        reads_times: whether all rows have times, and none that of its arrival.
    """

    def __init__(
        self,
        readers: Sequence[RowReader],
        cell_of: Callable[[str], str | None] | None = None,
        *,
        are_cells: bool = False,
    ) -> None:
        self._readers = readers
        self._are_cells = are_cells
        self._times = {place for reader in readers for place in reader.time_places}
        self._cell_of = cell_of
        self.have_one_time = (
            len({tuple((one.places, one.timeline.form) for one in reader.times) for reader in readers}) == 1
        )
        self.reads_times = all(reader.times for reader in readers)
        self._has_filter = any(reader.conditions for reader in readers)
        values: list[Callable[[Any], Found]] = []
        for reader in readers:
            own = zip(reader.columns, (cells.__getitem__ for cells in reader.cells), strict=True)
            values += [
                value
                if cell_of is None or column.is_of_record or column.joined
                else partial(_by_cell, value, cell_of)
                for column, value in own
            ]
            if reader.conditions:
                values.append(_as_it_is)
        self._is_numbered = any(reader.is_numbered for reader in readers)
        self._behind = readers[0].behind if readers else ()
        signatures = [reader.signature for reader in readers]
        self._groups = groups = [[*some] for _, some in groupby(readers, lambda one: one.group)]
        """The readers of each declaration."""
        asking = [some for some in groups if some[0].asks_filled]
        self._asking = [{*chain.from_iterable(one.named for one in some)} for some in asking]
        """The places of the cells of each declaration that do not say whether a row has a value."""
        is_each_once = len({one.signature for one, *_ in groups}) == len(groups)
        self.has_columns = self.have_one_time and is_each_once and not self._is_numbered
        self._events = RowEvents(signatures, values, [bool(reader.conditions) for reader in readers])

    def read(self, columns: Sequence[Sequence[Any]], number: int, origins: Iterable[Origin]) -> ReadBlock:
        """What so many rows tell, given by their columns."""
        cells = columns
        if self._is_numbered:
            origins = [*origins]
            numbers = [*map(self._readers[0].numbers.of, origins)]
            columns = [*columns, numbers, [one.source for one in origins], [0] * len(origins)]
        columns = self._with_keys(columns, number)
        if not self.have_one_time or self._has_unfilled(columns):
            return ReadBlock([*self._by_rows(columns, origins, cells)], has_rejected=True)
        ticks, wrong, moments = self._readers[0].ticks(columns, number)
        ticks = fine_ticks(ticks, moments)
        events, has_wrong = self._events.of([*self._cells(columns)], number)
        has_empty = self._events.has_empty
        if has_empty and self._are_cells:
            for row in self._empty(cells, [row for row, one in enumerate(events) if one is NO_FACT]):
                events[row] = PASSED_OVER
        return read_rows(ticks, wrong, events, origins, has_wrong=has_wrong, has_empty=has_empty)

    def columns(
        self, columns: Columns, number: int, origins: Sequence[Origin], told: Sequence[Told] | None = None
    ) -> RecordColumns | None:
        """The same in columns; None where a row is rejected, or has a time that its neighbours tell.

        Those without a year, or date, are left for `in_order` to tell.

        Args:
            columns: those of the rows.
            number: the number of rows.
            origins: where they stand.
            told: for each declaration the rows that it takes; None where each takes all.
        """
        cells, columns = columns, self._with_keys(columns, number)
        if not self.has_columns or self._has_unfilled(columns):
            return None
        ticks: Sequence[int | None] | None = self._readers[0].partial_ticks(columns)
        moments: Sequence[int] | None = None
        if ticks is None:
            ticks, wrong, moments = self._readers[0].ticks(columns, number)
            if wrong or not {int}.issuperset(map(type, ticks)):
                return None
        facts, taken = list[FactColumn](), list[Told]()
        rest = iter(told or repeat(Told(columns, number)))
        for group in self._groups:
            known: KnownValues | None = {} if len(group) > 1 else None
            found = []
            for reader, here in zip(group, rest, strict=False):
                one = self._taken(reader, here) if reader.conditions else here
                if one is None:
                    return None
                taken.append(one)
                texts = [self._texts(one.columns, at) for at in reader.places]
                told_here = reader.facts(texts, one.number, one.places, known if one is here else None)
                if told_here is None:
                    return None
                found.append(told_here)
            facts.append(found[0] if known is None else FactColumn.of_each(found, number))
        read = RecordColumns(ticks, facts, origins, moments)  # type: ignore[arg-type]
        if without := self._are_cells and read.without_facts:
            read.pass_over(self._empty(cells, without))
        if self._has_filter and (without := read.without_facts):
            fitting = [range(number) if one.places is None else one.places for one in taken]
            read.pass_over(sorted({*without} - {*chain(*fitting)} | {*read.passed_over}))
        return read

    def _taken(self, reader: RowReader, told: Told) -> Told | None:
        """The rows of these that a declaration with conditions takes; None where a cell of these is wrong."""
        taken = reader.taken([self._condition_texts(told.columns, places) for places, _ in reader.conditions])
        kinds = {*map(type, taken)}
        if Wrong in kinds:
            return None
        if False not in taken:
            return told
        wanted = {*chain(*reader.places)}
        columns = [
            [*compress(column, taken)] if place in wanted else () for place, column in enumerate(told.columns)
        ]
        places = [*compress(range(told.number) if told.places is None else told.places, taken)]
        return Told(columns, len(places), places)

    def _cells(self, columns: Columns) -> Iterator[Sequence[Any]]:
        """The columns of the arguments of declarations, each with what says which rows it takes behind."""
        for reader in self._readers:
            yield from (self._texts(columns, places) for places in reader.places)
            if reader.conditions:
                yield reader.taken(
                    [self._condition_texts(columns, places) for places, _ in reader.conditions]
                )

    def _condition_texts(self, columns: Columns, places: Sequence[int]) -> Sequence[Any]:
        texts = self._texts(columns, places)
        return texts if self._cell_of is None or len(places) > 1 else [*map(self._cell_of, texts)]

    def _with_keys(self, columns: Columns, number: int) -> Columns:
        """The columns of rows with the names of columns that `each K, V` gives facts for, if it is there."""
        if not self._behind:
            return columns
        has_value = self._readers[0].has_value
        keys = [
            [name] * number if at is None else [name if has_value(cell) else None for cell in columns[at]]
            for name, at in self._behind
        ]
        nothing = [None] * number
        own = () if self._is_numbered else [nothing] * len(RECORD_COLUMNS)
        return [*columns, *own, *keys, nothing]

    def _empty(self, cells: Columns, rows: Sequence[int]) -> Sequence[int]:
        """Those of some rows in which no cell but those of times is filled."""
        missing = self._readers[0].missing
        for place, column in enumerate(cells):
            if rows and place not in self._times:
                texts = {*map(column.__getitem__, rows)}
                blank = {text for text in texts if text in missing or text.strip() in missing}
                rows = [row for row in rows if column[row] in blank] if blank else ()
        return rows

    def _has_unfilled(self, columns: Columns) -> bool:
        """Whether a row may have no value besides its time, as those that a declaration names have none."""
        named = (zip(*map(columns.__getitem__, places), strict=True) for places in self._asking)
        return any(not any(map(str.strip, map(str, cells))) for rows in named for cells in rows)

    def _texts(self, columns: Columns, places: Sequence[int]) -> Sequence[Any]:
        """The texts of an argument, which has several columns where they are joined."""
        if len(places) == 1:
            return columns[places[0]]
        cells: Iterable[Iterable[str | None]] = (columns[place] for place in places)
        if self._cell_of is not None:
            cells = [map(self._cell_of, columns[place]) for place in places]
        return [*map(joined_argument, zip(*cells, strict=True))]

    def _by_rows(
        self, columns: Sequence[Sequence[Any]], origins: Iterable[Origin], cells: Columns
    ) -> Iterator[Record | Rejected]:
        """The same, each row by itself, as one may have several times."""
        for number, (row, origin) in enumerate(zip(zip(*columns, strict=True), origins, strict=False)):
            try:
                read = [reader.read(row) for reader in self._readers]
                is_empty = self._are_cells and all(fact is None or fact is LEFT_OUT for _, fact in read)
                is_empty = is_empty and bool(self._empty(cells, [number]))
                yield from records_at(read, origin, PASSED_OVER if is_empty else NO_FACT)
            except InputError as error:
                yield Rejected(origin, str(error))


def _as_it_is(value: Found) -> Found:
    return value


def _by_cell(value: Callable[[str | None], Found], cell_of: Callable[[str], str | None], text: str) -> Found:
    return value(cell_of(text))
