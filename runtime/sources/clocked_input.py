"""Recorded input whose times are judged: see `InputClock`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from lars2asp.analysis.tick_moments import DAY, EPOCH, HOUR, MICROSECOND
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.runtime.sources.account import judging
from lars2asp.runtime.sources.input_clock import InputClock
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.recorded_input import PassedInput, RecordedInput
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.runtime.sources.reordering import record_state
from lars2asp.runtime.sources.text.text_files import STANDARD
from lars2asp.runtime.sources.times.timeline import TimesMet

USUAL_GAP = HOUR
"""In microseconds: that of timestamps, where nothing says another one."""

_UNSET = [(datetime(year, 1, 1, tzinfo=UTC) - EPOCH) // MICROSECOND for year in (1970, 1980, 2000)]
"""When clocks begin that were never set."""


class ClockedInput(PassedInput):
    """An input of which the records are judged by their times.

    Args:
        source: the input.
        clock: judges them.
    """

    def __init__(self, source: RecordedInput, clock: InputClock) -> None:
        super().__init__(source, self._accepted)
        self._clock = clock
        self._last: Record | None = None

    def _accepted(self, records: Iterator[Record]) -> Iterator[Record]:
        """The records that are accepted; each is kept until the next one is asked for."""
        clock = self._clock
        for record in chain(clock.given(), clock.rows(records), self._ended()):
            self._last = record
            yield record

    def _ended(self) -> Iterator[Record]:
        """The records that are accepted as no more come."""
        self._clock.finish()
        yield from self._clock.given()

    def blocks(self) -> Iterator[Iterable[Record]]:
        """See RecordedInput."""
        clock = self._clock
        yield clock.given()
        yield from clock.blocks(self._source.blocks())
        yield self._ended()

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """See RecordedInput; the records that wait are in it."""
        terms = TermTable()
        clock = self._clock.state(terms.write)
        if without_last and self._last is not None:
            clock["ready"] = [record_state(self._last, terms.write), *clock["ready"]]
        return self._source.state() | {"clock": clock | {"terms": terms.table}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """See RecordedInput; an earlier version has no records that wait."""
        self._source.restore(state)
        if "clock" in state:
            self._clock.restore(state["clock"], TermReader(state["clock"]["terms"]).read)


def with_clock(reading: Reading) -> Reading:
    """How one input is read: its times are its own."""
    return replace(reading, timeline=replace(reading.timeline, met=TimesMet()))


def clocked(source: RecordedInput, reading: Reading, on_reject: OnReject) -> RecordedInput:
    """An input whose times are judged; those of standard input only if something says the largest gap."""
    is_standard = source.name == STANDARD
    if is_standard and reading.largest_gap is None:
        return source
    counted = judging(lambda _: source.accounts[0][1], on_reject)
    return ClockedInput(source, clock_of(reading, counted, has_usual=not is_standard))


def judged(blocks: Iterable[Iterable[Record]], clock: InputClock) -> Iterator[Iterable[Record]]:
    """The records of a frame, some at a time, that are accepted."""
    yield from clock.blocks(blocks)
    clock.finish()
    yield clock.given()


def clock_of(reading: Reading, on_reject: OnReject, *, has_usual: bool) -> InputClock:
    """What judges the times of an input.

    Args:
        reading: how it is read.
        on_reject: takes the records that are rejected.
        has_usual: whether it has the usual largest gap where nothing says another one.
    """
    timeline, lateness = reading.timeline, reading.lateness
    length, met = timeline.tick_length, timeline.met
    if length is None:
        return InputClock(lateness, lambda: reading.largest_gap, on_reject)
    usual = -(-USUAL_GAP // length) if has_usual else None
    tick_at = timeline.moments.tick_since_epoch
    unset = [(tick_at(begin), tick_at(begin + DAY - 1)) for begin in _UNSET]

    def gap() -> int | None:
        return reading.largest_gap if reading.largest_gap is not None or not met.moments else usual

    return InputClock(
        lateness,
        gap,
        on_reject,
        timeline.named,
        lambda tick: bool(met.moments) and any(first <= tick <= last for first, last in unset),
        lambda: unset[-1][1] + 1 if met.moments else 0,
        365 * DAY // length,
    )
