"""From the lines of a live source to records."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.account import Account, judging
from lars2asp.runtime.sources.clocked_input import clock_of, live_clock_of, with_clock
from lars2asp.runtime.sources.input_clock import InputClock
from lars2asp.runtime.sources.live_lines import LiveLines
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import (
    Line,
    OnReject,
    Origin,
    Record,
    Rejected,
    SourceName,
)
from lars2asp.runtime.sources.tables.folder_columns import folder_columns
from lars2asp.runtime.sources.tables.row_reader import CountedRecords
from lars2asp.runtime.sources.times.repeated_hours import TimeOrder, in_order
from lars2asp.syntax.source import shown

_log = logging.getLogger("lars2asp")

DOUBTED = 1000
"""After so many records without one fact there is a warning."""

_RECORDS = "record()"

_FOLDERS = "folders/"
"""What no source is called."""

FolderColumns = tuple[tuple[str, str], ...]
"""Columns in the names of folders, and their cells."""


class LiveReader:
    """Reads the lines of a live source, as they come.

    Args:
        reading: how they are read; if it has no format, that of each source is found (`LiveFormats`).
        on_reject: takes records that are not valid.
        is_one_text: whether they are those of one file, or of standard input; see LiveTables.
        is_quiet: whether nothing is said of the formats that were found, and of input without facts.
        name: the name of the input, if there are several.
        clock: makes what judges the times of its records, of how they are read and what takes the rejected
            ones; None: they are not judged.
        has_parts: whether each of its sources has a clock of its own.
        folder: the folder, or pattern, of which they are files: their names may say their formats, and their
            changes the year; empty if they are none.

    Attributes:
        account: how many records the lines had.

    Raises:
        InputError: for formats that are not read live, and for tables that nothing declares.
    """

    def __init__(
        self,
        reading: Reading,
        on_reject: OnReject,
        *,
        is_one_text: bool = False,
        is_quiet: bool = False,
        name: str = "",
        clock: Callable[[Reading, OnReject], InputClock] | None = None,
        has_parts: bool = False,
        folder: str = "",
    ) -> None:
        form = reading.live_form
        self.account = account = Account()
        self._name = name
        self._is_doubted = not is_quiet

        def refused(one: Rejected) -> None:
            if account.refuse(one):
                judge(one)

        judge, on_reject = on_reject, refused
        self._numbers = CountedRecords()
        if not folder:
            reading.require_dates()
        reading = self._reading = replace(with_clock(reading.of_input), numbers=self._numbers).marked
        self._clock_of = None if clock is None else partial(clock, reading, judging(lambda _: account, judge))
        self._has_parts, self._folder = has_parts, folder
        self._clocks: dict[str, InputClock] = {}
        self._of_run = reading.record_numbers
        self._orders: dict[str, TimeOrder] = {}
        self._on_reject = on_reject
        self._new_lines = partial(
            LiveLines,
            on_reject=on_reject,
            form=form,
            is_found=not (reading.format or reading.is_multiline) and bool(reading.declarations),
            is_one_text=is_one_text,
            is_quiet=is_quiet,
            are_files=bool(folder),
        )
        self._lines = self._new_lines(reading)
        self._in_folders: dict[FolderColumns, LiveLines | str] = {}
        """What reads lines of files in folders whose names have columns, or why nothing does."""
        self._of_files: dict[str, LiveLines | str] = {}

    def over(self, lines: Iterable[Line]) -> Iterator[Sequence[Record]]:
        """The records of each of the lines of a source, and those that its end completes."""
        yield from map(self.records, lines)
        yield self.finish()

    def records(self, line: Line) -> Sequence[Record]:
        """The records that a line completes; those that are not valid are rejected.

        Raises InputError where the header of a file, or of standard input, does not fit.
        """
        if not line.number and not line.is_pause:  # it says where a source begins, or ends
            is_over = line.end is None and line.position is None
            if not is_over:
                return ()
            pauses = (Line(each, 0, "", end="") for one in self._all_lines for each in one.open_sources)
            ended = [record for pause in [*pauses] for record in self.records(pause)]
            return [*ended, *self._end_of([*self._clocks])]
        if self._name:
            line = line._replace(source=SourceName.of(line.source, self._name))
        records = self._records(line)
        repeats = self._reading.timeline.repeats
        if repeats is not None and records:
            records = self._in_order(line.source, records)
        self.account.take(records)
        if self._is_doubted:
            self._doubt(line.source)
        records = self._numbered(records)
        if self._clock_of is not None:
            records = self._accepted(line.source, records)
            if line.end is None and self._has_parts:
                records = [*records, *self._end_of([line.source])]
        return records

    def _accepted(self, source: str, records: Sequence[Record]) -> Sequence[Record]:
        """The records that are accepted once some of a source have come."""
        clock = self._clock(source if self._has_parts else "")
        if not records or clock.passes(records):
            return records
        return [*chain.from_iterable(clock.judged(records))]

    def _clock(self, source: str) -> InputClock:
        """What judges the times of a source."""
        clock = self._clocks.get(source)
        if clock is None:
            assert self._clock_of is not None
            clock = self._clocks[source] = self._clock_of()
        return clock

    def _end_of(self, sources: Iterable[str]) -> Sequence[Record]:
        """The records that are accepted as sources have ended."""
        clocks = [self._clocks.pop(source) for source in sources if source in self._clocks]
        return [record for clock in clocks for record in clock.finish()]

    def _numbered(self, records: Sequence[Record]) -> Sequence[Record]:
        return [*self._of_run.over(records)] if self._of_run.are_asked else records

    def _doubt(self, source: str) -> None:
        """Warns once if many records came, and no fact of them."""
        account = self.account
        if account.gave_facts:
            self._is_doubted = False
        elif account.records >= DOUBTED:
            self._is_doubted = False
            _log.warning("%s: no fact so far: %s", shown(self._name or source), account.text)

    def _in_order(self, source: str, records: Sequence[Record]) -> Sequence[Record]:
        """Records with the ticks that are meant."""
        order = self._orders.get(source)
        if order is None:
            order = self._reading.order()
            assert order is not None
            self._orders[source] = order
            if self._folder:
                order.partial.begin_file(source, _changed(source), is_known=False)
                found = [*chain.from_iterable(in_order([records], order, self._on_reject))]
                order.partial.begin_file(source, None, is_known=True)  # it may grow for years
                return found
        return [*chain.from_iterable(in_order([records], order, self._on_reject))]

    def _records(self, line: Line) -> Sequence[Record]:
        lines: LiveLines | str | None = self._lines
        if self._folder:
            lines = self._of_files.get(line.source)
            if lines is None:
                lines = self._lines_of(tuple(folder_columns(line.source, self._folder).items()))
                self._of_files[line.source] = lines
        assert lines is not None
        if not isinstance(lines, str):
            return lines.records(line)
        if line.text.strip():
            self._on_reject(Rejected(Origin(line.source, line.number, line.text), lines))
        return ()

    def _lines_of(self, columns: FolderColumns) -> LiveLines | str:
        """What reads lines of files in a folder with columns, or why nothing does."""
        if not columns:
            return self._lines
        found = self._in_folders.get(columns)
        if found is None:
            try:
                found = self._new_lines(self._reading.in_folder(dict(columns)))
            except InputError as error:
                found = str(error)
            self._in_folders[columns] = found
        return found

    @property
    def _all_lines(self) -> Iterator[LiveLines]:
        yield self._lines
        yield from (one for one in self._in_folders.values() if not isinstance(one, str))

    def finish(self) -> Sequence[Record]:
        """The records that the end of the source completes."""
        records = [record for one in self._all_lines for record in one.finish()]
        if self._reading.timeline.repeats is not None:
            sources = [record.origin.source if record.origin is not None else "" for record in records]
            records = [
                one
                for source, record in zip(sources, records, strict=True)
                for one in self._in_order(source, [record])
            ]
        self.account.take(records)
        records = [*self._numbered(records)]
        if self._clock_of is None:
            return records
        sources = [record.origin.source if record.origin is not None else "" for record in records]
        accepted = map(self._accepted, sources, ([record] for record in records))
        return [*chain.from_iterable(accepted), *self.waiting()]

    def waiting(self) -> Sequence[Record]:
        """The records that wait and are accepted if no more come."""
        return self._end_of([*self._clocks])

    @property
    def accounts(self) -> Sequence[Account]:
        """How many records the lines had."""
        return [self.account]

    @property
    def counted(self) -> int:
        """The number of records that were counted, as `#input` has `row()`."""
        return self._numbers.count

    def state(self) -> dict[str, Any]:
        """What later lines are read by, as JSON has it; empty where there is nothing."""
        folders = [
            [dict(columns), one.state()]
            for columns, one in self._in_folders.items()
            if not isinstance(one, str)
        ]
        return self._lines.state() | ({_FOLDERS: folders} if folders else {})

    def orders(self) -> dict[str, Any]:
        """The orders of sources, by which local times are told apart that come twice, as JSON has them.

        The last number of `record()` and the first units stand with them.
        """
        orders: dict[str, Any] = {source: order.state() for source, order in self._orders.items()}
        numbers = {_RECORDS: self._of_run.counted.count} if self._of_run.are_asked else {}
        return orders | numbers | self._reading.units_state()

    def clocks(self) -> dict[str, Any]:
        """The records that wait as their times cannot be right, by their sources, as JSON has them."""
        return {source: clock.state() for source, clock in self._clocks.items()}

    def restore(
        self,
        state: Mapping[str, Any],
        counted: int = 0,
        orders: Mapping[str, Any] | None = None,
        read: Sequence[int] = (),
        clocks: Mapping[str, Any] | None = None,
    ) -> None:
        """Takes over a state, the number of records that were counted, the orders of sources, an account.

        And the records that wait.
        """
        self.account.restore(read)
        for source, kept in (clocks or {}).items():
            self._clock(source).restore(kept)
        orders = dict(orders or {})
        if _RECORDS in orders:
            of_run = self._of_run.counted
            of_run.count = max(of_run.count, orders.pop(_RECORDS))
        self._reading.restore_units(orders)
        for source, known in orders.items():
            order = None if type(known) is list else self._reading.order()
            if order is not None:
                order.restore(known)
                self._orders[source] = order
        self._numbers.count = counted
        for columns, kept in state.get(_FOLDERS, ()):
            lines = self._lines_of(tuple(columns.items()))
            if not isinstance(lines, str):
                lines.restore(kept)
        self._lines.restore({name: kept for name, kept in state.items() if name != _FOLDERS})


def _changed(file: str) -> float | None:
    """When it was changed, in seconds since 1970; None if it is gone."""
    try:
        return Path(file).stat().st_mtime
    except OSError:
        return None


class LiveSource(NamedTuple):
    """A live source, and how it is read.

    Attributes:
        name: what messages call it.
        reading: how it is read.
        is_one_text: whether its lines are those of one text.
        has_parts: whether its connections, or sources, have a watermark each.
        is_recorded: whether it is a file that is read to its end.
        is_judged: whether records that are dated after the machine's clock wait; see MachineTime.
        is_folder: whether it is a folder, of which each source is a file.
    """

    name: str
    reading: Reading
    is_one_text: bool
    has_parts: bool
    is_recorded: bool
    is_judged: bool
    is_folder: bool

    def clock(self, now: Callable[[], int], reading: Reading, on_reject: OnReject) -> InputClock:
        """What judges the times of its records."""
        if self.is_recorded:
            return clock_of(reading, on_reject, has_usual=True)
        return live_clock_of(reading, on_reject, now, judges=self.is_judged)


def reader_of(
    inputs: Iterable[LiveSource],
    arrival: Callable[[], int] | None,
    on_reject: OnReject,
    now: Callable[[], int] | None,
) -> "LiveReader | LiveReaders":
    """What reads the lines of live sources. Raises InputError for formats that are not read live.

    Args:
        inputs: the sources.
        arrival: see Timeline.
        on_reject: takes records that are not valid.
        now: see MachineTime; None: times are not judged.
    """
    given = [*inputs]
    readers = []
    for one in given:
        own = one.reading
        timeline = own.timeline if arrival is None else replace(own.timeline, arrival=arrival)
        is_of_several = len(given) > 1 or one.is_folder or own.is_of_several
        counted = given[0].reading.counted
        reading = replace(own, timeline=timeline, is_of_several=is_of_several, counted=counted)
        called = one.name if len(given) > 1 else ""
        clock = None if now is None or arrival is not None else partial(one.clock, now)
        readers.append(
            LiveReader(
                reading,
                on_reject,
                is_one_text=one.is_one_text,
                name=called,
                clock=clock,
                has_parts=one.has_parts,
                folder=one.name if one.is_folder else "",
            )
        )
    return LiveReaders(readers) if len(readers) > 1 or given[0].has_parts else readers[0]


class LiveReaders:
    """Reads the lines of several live sources, each in its own format; see LiveReader.

    Args:
        readers: those of the inputs, by their numbers.
    """

    def __init__(self, readers: Sequence[LiveReader]) -> None:
        self._readers = readers

    def records(self, line: Line) -> Sequence[Record]:
        """The records that a line completes. Raises what LiveReader raises."""
        return self._readers[line.input].records(line)

    def finish(self) -> Sequence[Record]:
        """The records that the ends of the sources complete."""
        return [record for reader in self._readers for record in reader.finish()]

    def waiting(self) -> Sequence[Record]:
        """The records that wait and are accepted if no more come."""
        return [record for reader in self._readers for record in reader.waiting()]

    @property
    def accounts(self) -> Sequence[Account]:
        """How many records the lines of each had."""
        return [reader.account for reader in self._readers]

    def states(self) -> list[list[Any]]:
        """What later lines of each are read by, and how many records were counted, as JSON has it."""
        return [
            [reader.state(), reader.counted, reader.orders(), reader.account.state(), reader.clocks()]
            for reader in self._readers
        ]

    def restore(self, states: Sequence[Sequence[Any]]) -> None:
        """Takes over states."""
        for reader, state in zip(self._readers, states, strict=True):
            reader.restore(*state)
