"""Recorded input whose times are judged: see `InputClock`."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import length_hint
from typing import Any

from lars2asp.analysis.late_moments import UNSET
from lars2asp.analysis.tick_moments import DAY
from lars2asp.runtime.sources.input_clock import USUAL_GAP, InputClock, MachineTime
from lars2asp.runtime.sources.reading import Reading
from lars2asp.runtime.sources.recorded_input import PassedInput, RecordedFile
from lars2asp.runtime.sources.records import OnReject, Record
from lars2asp.runtime.sources.times.timeline import TimesMet


class ClockedFile(RecordedFile, PassedInput):
    """A file of which the records are judged by their times.

    Args:
        source: the file.
        clock: judges them.
    """

    def __init__(self, source: RecordedFile, clock: InputClock) -> None:
        self._file = source
        super().__init__(source, iter)
        self._clock = clock
        self._ready: deque[Sequence[Record]] = deque()
        """Records that are accepted and not given yet, and not read again."""
        self._given: Sequence[Record] | None = None
        """Those of them that are given now; None if they are a block of the file."""
        self.rest: Iterator[Record] = iter(())

    @property
    def in_columns(self) -> bool:
        """See RecordedFile."""
        return self._file.in_columns

    @in_columns.setter
    def in_columns(self, value: bool) -> None:
        self._file.in_columns = value

    @property
    def how(self) -> Any:
        """See RecordedFile."""
        return self._file.how

    def parts(self) -> Iterator[Sequence[Record]]:
        """See RecordedFile."""
        yield from self._giving()
        for block in self._file.parts():
            if not block or self._clock.passes(block):
                self.rest = self._file.rest
                yield block
                continue
            self._file.take_whole()
            self._ready.extend(self._clock.judged(block))
            yield from self._giving()
        self._ready.append(self._clock.finish())
        yield from self._giving()

    def _giving(self) -> Iterator[Sequence[Record]]:
        """What is ready."""
        while self._ready:
            given = self._given = self._ready.popleft()
            self.rest = iter(given)
            if given:
                yield given
        self._given = None

    def waiting(self) -> Iterable[Record]:
        """See RecordedInput."""
        left = () if self._given is None else self.rest
        ready = [*left, *chain.from_iterable(self._ready), *self._clock.finish()]
        self._ready.clear()
        return ready

    def take_whole(self) -> None:
        """See RecordedFile."""
        if self._given is None:
            self._file.take_whole()
        self.rest = iter(())

    @property
    def keeps_last(self) -> bool:
        """See RecordedFile."""
        return self._given is not None

    def state(self, *, without_last: bool = False) -> dict[str, Any]:
        """See RecordedInput; the records that wait, or are ready, are in it."""
        given = self._given
        left = () if given is None else given[len(given) - length_hint(self.rest) - without_last :]
        read = self._file.state(without_last=without_last and given is None)
        return read | {"clock": self._clock.state([*left, *chain.from_iterable(self._ready)])}

    def restore(self, state: Mapping[str, Any]) -> None:
        """See RecordedInput; an earlier version has no records that wait."""
        self._file.restore(state)
        self._ready.clear()
        self._given, self.rest = None, iter(())
        if "clock" in state:
            self._ready.append(self._clock.restore(state["clock"]))


def with_clock(reading: Reading) -> Reading:
    """How one input is read: its times are its own."""
    return replace(reading, timeline=replace(reading.timeline, met=TimesMet()))


def judged(blocks: Iterable[Sequence[Record]], clock: InputClock) -> Iterator[Sequence[Record]]:
    """The records of a frame, some at a time, that are accepted."""
    for block in blocks:
        yield from clock.judged(block)
    yield clock.finish()


def clock_of(reading: Reading, on_reject: OnReject, *, has_usual: bool) -> InputClock:
    """What judges the times of a recorded input.

    Args:
        reading: how it is read.
        on_reject: takes the records that are rejected.
        has_usual: whether it has the usual largest gap where nothing says another one.
    """
    return _clock_of(reading, on_reject, USUAL_GAP if has_usual else None)


def live_clock_of(
    reading: Reading, on_reject: OnReject, now: Callable[[], int], *, judges: bool
) -> InputClock:
    """What judges the times of a live input.

    Args:
        reading: how it is read.
        on_reject: takes the records that are rejected.
        now: see MachineTime.
        judges: see MachineTime.
    """
    machine = MachineTime(now, reading.timeline.moments, reading.ahead, judges)
    return _clock_of(reading, on_reject, None, machine, is_live=True)


def _clock_of(
    reading: Reading,
    on_reject: OnReject,
    usual_gap: int | None,
    machine: MachineTime | None = None,
    *,
    is_live: bool = False,
) -> InputClock:
    timeline, lateness = reading.timeline, reading.lateness
    length, met = timeline.tick_length, timeline.met
    if length is None:
        return InputClock(lateness, lambda: reading.largest_gap, on_reject, is_live=is_live)
    usual = None if usual_gap is None else -(-usual_gap // length)
    moments, late = timeline.moments, timeline.late
    if late is not None:
        late.is_judged = True

    def last_before(moment: int) -> int:
        return moments.first_from(moment) - 1  # no time of a record, which may decide when tick 0 begins

    def never_set(tick: int) -> bool:
        return any(last_before(begin + 1) <= tick <= last_before(begin + DAY) for begin in UNSET)

    def gap() -> int | None:
        return reading.largest_gap if reading.largest_gap is not None or not met.moments else usual

    return InputClock(
        lateness,
        gap,
        on_reject,
        timeline.named,
        lambda tick: bool(met.moments) and never_set(tick),
        lambda: last_before(UNSET[-1] + DAY) + 1 if met.moments else 0,
        365 * DAY // length,
        lambda: machine if met.moments else None,
        is_live,
        late,
        lambda: bool(met.moments),
    )
