"""A run in wall time: ticks pass as time does, and answers change on time without any input.

A tick is over when it begins, plus the lateness. A record without a time belongs to the next tick that
begins. One with a time comes when its tick has begun: where no lateness is given a tick is waited for, unless
only records without times have come. While the reasoner is behind it goes by the arrivals of the waiting
records, so that none is late.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Protocol

from lars2asp.analysis.tick_moments import LARGEST_TICK
from lars2asp.runtime.connectors.clock import Clock
from lars2asp.runtime.connectors.inbox import ArrivedLine
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.given_ticks import next_given
from lars2asp.runtime.reasoning.session import Session
from lars2asp.runtime.runs.run import Run
from lars2asp.runtime.runs.table_rows import LOOK_SECONDS
from lars2asp.runtime.sources.lateness import LatenessWords
from lars2asp.runtime.sources.live_reader import LiveReader, LiveReaders
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.records import Line, Record
from lars2asp.runtime.sources.reordering import WaitingRecords
from lars2asp.syntax.values import dataclass


class ArrivalSource(Protocol):
    """A source of lines with their arrivals."""

    def take(self, until: int | None) -> ArrivedLine | None:
        """The next line; None if there is none before a time (microseconds since the Unix epoch)."""
        ...


@dataclass(eq=False)
class WallTimeRun(Run):
    """A run by the clock; see Run. Where the reasoner has no start the timeline begins now.

    Attributes:
        reading: how lines are read, with the timeline.
        clock: the clock.
        reader_of: makes what reads the lines, of how they are read.

    Raises:
        InputError: if now is not a tick of the timeline.
    """

    reading: Reading = field(kw_only=True)
    clock: Clock = field(kw_only=True)
    reader_of: Callable[[Reading], LiveReader | LiveReaders] = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.session.gaps.is_judging = False
        self._timeline = self.reading.timeline
        stamping = replace(self.reading, timeline=replace(self._timeline, arrival=self._arrival))
        self.reader = self.reader_of(stamping)
        self.words = self.words or LatenessWords(self._timeline)
        self.records = WaitingRecords(self.on_reject, self.words)
        self._begun = self._start()
        self._over = self._begun - 1
        self._arrived = 0
        self._has_times: bool | None = None
        """Whether a record with a time of its own has come; None before the first record."""
        self._is_stamped = False
        """Whether the line that is read has a record without one."""
        self._change: int | None = None
        """The next change, if it is known."""
        self._is_change_known = False

    def over(self, arrivals: ArrivalSource, until: int | None) -> None:
        """Runs until a tick is over, or the source has ended and the ticks of its records are over.

        Raises what `DataTimeRun.over` raises.
        """
        has_ended = False
        with self.session:
            self._go_on()
            while not (until is not None and self._over >= until):
                self._look()
                has_begun = self.session.now is not None
                if has_ended and until is None and not self.records and has_begun:
                    return
                deadline = self._deadline(until)
                arrived = arrivals.take(deadline)
                if arrived is None:
                    self._pass(self._tick_over(self.clock.microseconds()), until)
                elif arrived.line is None:
                    has_ended = True
                    self._take_all(self.reader.finish())
                else:
                    self._pass(self._tick_over(arrived.at - 1), until)
                    self._arrived = arrived.at
                    self._take_line(arrived.line)

    @property
    def _waits(self) -> int:
        """For how many ticks late records are waited for."""
        if self.lateness is not None:
            return self.lateness
        return 0 if self._has_times is False else 1

    def _take_line(self, line: Line) -> None:
        """Takes a line of the source."""
        self._is_stamped = False
        records = self.reader.records(line)
        if records and not self._has_times:
            self._has_times = not self._is_stamped
            self._is_change_known = False
        self._take_all(records)

    def _start(self) -> int:
        """The first tick, by default now. Raises InputError if now is not a tick."""
        start = self.session.start
        if start is None:
            if self._timeline.late is not None:
                self._timeline.late.wait_for(self.lateness or 0)
            start = self._timeline.tick_at(self.clock.microseconds()) - (self.lateness or 0)
            if not 0 <= start <= LARGEST_TICK:
                raise InputError(
                    f"now is tick {start}, which is too large: choose a later --origin or a longer #tick"
                )
            self.session.start_at(start)
        return start

    def _deadline(self, until: int | None) -> int | None:
        """The time in microseconds at which the next tick is over that has something to do."""
        due = [] if self.records.first is None else [self.records.first]
        if not self._is_change_known:
            self._change, self._is_change_known = self.session.next_change(), True
        if self._change is not None:
            due.append(self._change)
        if self.given_ticks is not None:
            due.append(next_given(self.given_ticks, self._over))
        if until is not None:
            due.append(until)
        if self._has_other_rows:
            due.append(self._over + 1)
        at = self._timeline.begin_of(max(min(due), self._over + 1) + self._waits) if due else None
        if self.tables is None:
            return at
        look = self.clock.microseconds() + int(LOOK_SECONDS * 1e6)
        return look if at is None else min(at, look)

    def _tick_over(self, now: int) -> int:
        """The last tick that is over at a time, in microseconds since the Unix epoch."""
        return self._timeline.tick_at(now) - self._waits

    def _arrival(self) -> int:
        """The tick of a record without a time: the first that begins after its arrival."""
        self._is_stamped = True
        return max(self._timeline.tick_at(self._arrived - 1) + 1, self._over + 1)

    def _take_all(self, records: Sequence[Record]) -> None:
        """Keeps records until their ticks are over, or rejects them."""
        for record in records:
            if record.tick <= self._over:
                waiting = self._waits + self._over - record.tick + 1
                assert self.words is not None
                now = self._timeline.tick_at(self.clock.microseconds())
                self.records.reject_late(record, self.words.over(record.tick, waiting, self._begun, now))
            else:
                self.records.add(record.tick, record)

    def _pass(self, tick: int, until: int | None) -> None:
        """Evaluates the ticks up to one, which are over."""
        last = tick if until is None else min(tick, until)
        if last <= self._over:
            return
        for record in self.records.up_to(last):
            self._take(record)
        self._finish(last)
        self._over = last
        self._is_change_known = False
        self._keep()

    @property
    def tick(self) -> int:
        """The last tick that is over by the clock."""
        return max(self._over, self._tick_over(self.clock.microseconds()))

    def restore(self, state: Mapping[str, Any], warmed: Session | None = None) -> None:
        """See Run."""
        super().restore(state, warmed)
        self._over = state["waiting"]["over"]
        self._has_times = state["waiting"].get("has_times")

    def _state(self) -> dict[str, Any]:
        state, now = super()._state(), self.session.now
        state["waiting"]["over"] = self._over if now is None else max(self._over, now)
        if self.lateness is None and self._has_times is not None:
            state["waiting"]["has_times"] = self._has_times
        return state
