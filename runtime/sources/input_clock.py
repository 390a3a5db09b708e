"""Records of an input whose times cannot be right: they wait until others confirm or contradict them."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import accumulate
from operator import sub
from typing import Any

from lars2asp.analysis.late_moments import UNSET, LateMoments
from lars2asp.analysis.tick_moments import DAY, HOUR, TickMoments
from lars2asp.externals.events import Events
from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import UNKNOWN, OnReject, Origin, Record, WrongClock, refusal_of
from lars2asp.runtime.sources.reordering import record_state, restored_record
from lars2asp.syntax.source import visible
from lars2asp.syntax.values import dataclass

_log = logging.getLogger("lars2asp")

USUAL_GAP = HOUR
"""In microseconds: that of timestamps, where nothing says another one."""

MANY = 10
"""If one of so many records lies ahead of the others, these are out of order, and no clock is wrong."""

ENOUGH = 3
"""So many records confirm another one, or contradict it."""

MOST_UNSET = 10_000
"""The number of records that are held as their clocks may never have been set: more are a stream of then."""

MOST_UNSET_LIVE = 100
"""The same of live input, where answers wait for them."""

NEVER = 2**63
"""A tick behind all others."""

_PART = 512
"""So many ticks are looked at together, and one by one only if the latest of them lies far ahead."""

_Come = tuple[int, Record]
"""A record, and its number in the order of arrival."""


@dataclass(slots=True)
class _Waiting:
    """A record that lies far ahead.

    Attributes:
        number: that of the record, in the order of arrival.
        record: the record.
        confirmed: the number of later records that confirm it.
        contradicted: the number of those that contradict it.
        is_ahead: whether it was dated after the machine's clock when it came.
    """

    number: int
    record: Record
    confirmed: int = 0
    contradicted: int = 0
    is_ahead: bool = False


@dataclass(frozen=True)
class MachineTime:
    """Where ticks lie by the clock of the machine when a record of live input comes.

    Attributes:
        now: gives the arrival of the record, in microseconds since the Unix epoch.
        moments: when ticks begin.
        ahead: in microseconds, how much later a record may be dated; None: it does not matter.
        judges: whether later ones wait; not on standard input.
    """

    now: Callable[[], int]
    moments: TickMoments
    ahead: int | None
    judges: bool

    @property
    def last(self) -> int:
        """The last tick that is not too late after now."""
        return NEVER if self.ahead is None else self.moments.first_from(self.now() + self.ahead + 1) - 1

    def is_near(self, tick: int, most: int | None = None) -> bool:
        """Whether a tick lies so near to now; by default as `ahead` says."""
        most = self.ahead if most is None else most
        if most is None:
            return False
        now, begin_of = self.now(), self.moments.begin_of
        return begin_of(tick) <= now + most and begin_of(tick + 1) > now - most


@dataclass(eq=False)
class InputClock:
    """Judges the times of the records of one input.

    A record is far ahead if it lies more than lateness and gap after the latest accepted one. It waits. A
    later record contradicts it if it lies more than the lateness before it, and confirms it otherwise. Three
    confirm a record, or contradict it, for good. The first record is rejected only if it lies so far after
    each of the next three. A clock was never set if the next accepted record is more than a year later.

    Of live input the first record is accepted at once, and none waits that lies near the machine's clock. If
    the first one lies within a day of that clock, a record that is dated too late after it waits as well.

    Attributes:
        lateness: in ticks, by how much records may come late.
        gap: gives the most ticks from one record to the next, besides the lateness; None for any number.
        on_reject: takes the records that are rejected.
        named: gives the words for a tick.
        never_set: whether a tick lies where clocks begin that were never set.
        plain_from: gives a tick from which on none does.
        year: the number of ticks in a year.
        machine: gives where ticks lie by the clock of the machine, if the input is live and has times.
        is_live: whether the input is live.
        late: the moments of ticks, if a record decides when tick 0 begins.
        has_times: whether records had times so far, and not ticks alone: `gap` and `plain_from` stay then.
    """

    lateness: int
    gap: Callable[[], int | None]
    on_reject: OnReject
    named: Callable[[int], str] = str
    never_set: Callable[[int], bool] = lambda _: False
    plain_from: Callable[[], int] = lambda: 0
    year: int = 0
    machine: Callable[[], MachineTime | None] = lambda: None
    is_live: bool = False
    late: LateMoments | None = None
    has_times: Callable[[], bool] = lambda: False
    _latest: int | None = field(default=None, init=False)
    """The tick of the latest accepted record."""
    _first: list[_Come] = field(default_factory=list, init=False)
    """The first record and those behind it, until it is judged."""
    _waiting: list[_Waiting] = field(default_factory=list, init=False)
    """Those that lie far ahead, in the order of their arrival."""
    _unset: list[_Come] = field(default_factory=list, init=False)
    """Those of clocks that may never have been set."""
    _number: int = field(default=0, init=False)
    """The number of records that were looked at by themselves."""
    _goes_by_machine: bool | None = field(default=None, init=False)
    """Whether the first record lies within a day of the machine's clock; None before it."""
    _counted_from: int = field(default=0, init=False)
    """How many ticks lay between 1970 and tick 0 when a record was looked at last."""
    _sure_to: int = field(default=-1, init=False)
    """A tick up to which none lies ahead of that clock."""
    _has_warned: bool = field(default=False, init=False)
    _low: int = field(default=0, init=False)
    _high: int = field(default=-1, init=False)
    """Records from one tick to another are accepted as they are; none while some wait."""

    def judged(self, block: Sequence[Record]) -> Iterator[Sequence[Record]]:
        """The records that are accepted once some have come: these themselves if none of them can wait."""
        if not block or self.passes(block):
            yield block
        elif isinstance(block, RecordColumns):
            yield from self._parts(block)
        else:
            for record in block:
                yield self.taken(record)

    def passes(self, block: Sequence[Record]) -> bool:
        """Whether all of some records are accepted as they are."""
        if len(block) == 1 and self._low <= (tick := block[0][0]) <= self._high:
            if tick > (self._latest or 0):
                self._latest = +tick
            return True
        if self._first or self._waiting or self._unset:
            return False
        ticks = block.ticks if isinstance(block, RecordColumns) else [+record[0] for record in block]
        low, top = min(ticks), max(ticks)
        if (low < self._low or top > self._high) and not self._are_plain(ticks, low, top):
            return False
        if self._latest is None or top > self._latest:
            self._latest = top
        return True

    def _parts(self, block: RecordColumns) -> Iterator[Sequence[Record]]:
        """The records of a block that are accepted, where some may not be."""
        ticks, ends = block.ticks, len(block) - ENOUGH
        if ends > 0 and self.gap() is not None and block.is_in_order and ticks[0] >= self.plain_from():
            latest = ticks[0] if self._latest is None else self._latest
            earlier = [*self._first, *((one.number, one.record) for one in self._waiting)]
            if all(ticks[0] >= one - self.lateness for one in (latest, *(come[1].tick for come in earlier))):
                self._first, self._waiting = [], []  # each has three behind it that confirm it
                earlier.append((self._next_number(), block[0]))
                yield [one for come in earlier for one in self._accepted(come)]
                yield block[1:ends]
                self._latest = max(self._latest or 0, ticks[ends - 1])
                block = block[ends:]
        for record in block:
            yield self.taken(record)

    def _are_plain(self, ticks: Sequence[int], low: int, top: int) -> bool:
        """Whether none of these ticks, of which `low` and `top` are the extremes, has to be judged."""
        if low < self.plain_from():
            return False
        gap, latest = self.gap(), self._latest
        if self.is_live:
            if latest is None and (gap is not None or self._is_ahead(ticks[0])):
                return False
            most = NEVER if gap is None or latest is None else latest + gap + self.lateness
            if top > most or (top > self._sure_to and self._is_ahead(top)):
                return False
            self._low, self._high = self.plain_from(), min(most, self._sure_to)
            return True
        if gap is not None and not self._has_no_gap(ticks, top, gap + self.lateness):
            return False
        if latest is not None and self.has_times():
            reached = max(latest, top)
            self._low, self._high = self.plain_from(), NEVER if gap is None else reached + gap + self.lateness
        return True

    def _has_no_gap(self, ticks: Sequence[int], top: int, most: int) -> bool:
        """Whether each tick lies at most so far after the latest one before it."""
        latest = self._latest
        if latest is None:  # of the first record the next ones decide
            if len(ticks) <= ENOUGH or ticks[0] - max(ticks[1 : ENOUGH + 1]) > most:
                return False
            latest = ticks[0]
        if top - latest <= most:
            return True
        for begin in range(0, len(ticks), _PART):
            part = ticks[begin : begin + _PART]
            if (reached := max(part)) - latest > most:
                steps = [*accumulate(part, max, initial=latest)]
                if max(map(sub, steps[1:], steps)) > most:
                    return False
            latest = max(latest, reached)
        return True

    def _is_ahead(self, tick: int) -> bool:
        """Whether a record of live input is dated too late after the machine's clock."""
        machine = self.machine()
        if machine is None:
            return False
        if self._goes_by_machine is None:
            self._goes_by_machine = machine.judges and machine.is_near(tick, DAY)
        self._sure_to = machine.last if self._goes_by_machine else NEVER
        return tick > self._sure_to

    def taken(self, record: Record) -> list[Record]:
        """The records that are accepted once another one has come."""
        self._count_anew()
        come = self._next_number(), record
        self._high = -1
        if self.never_set(record.tick):
            self._unset.append(come)
            if len(self._unset) <= (MOST_UNSET_LIVE if self.is_live else MOST_UNSET):
                return []
            self._count_anew(is_over=True)
            found, self._unset = [one for _, one in self._unset], []
            self._latest = max(self._latest or 0, *(+one.tick for one in found))
            return found
        gap = self.gap()
        if self._latest is None and gap is not None and not self.is_live:
            self._first.append(come)
            return [*self._judged_first(gap + self.lateness)]
        return [*self._later(come)]

    def _count_anew(self, *, is_over: bool = False) -> None:
        """Times of clocks that may never have been set were ticks before it was known when tick 0 begins.

        If nothing else has decided that, these count from 1970.
        """
        late = self.late
        if late is None:
            return
        if is_over and self._unset and not late.is_known:
            late.begin_at(0)
        if moved := late.tick_of_1970 - self._counted_from:
            self._counted_from += moved
            self._unset = [(at, one._replace(tick=one.tick - moved)) for at, one in self._unset]

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    def _judged_first(self, most: int, *, is_over: bool = False) -> Iterator[Record]:
        """The first records, once it is known which of them are right."""
        while self._first:
            first, *others = self._first
            tick = first[1].tick
            are_far = all(tick - one.tick > most for _, one in others)
            if not is_over and len(others) < ENOUGH and are_far:
                return
            self._first = []
            if len(others) >= ENOUGH and are_far:
                self._reject(first[1], others[0][1].tick)
                self._first = others
                continue
            yield from self._accepted(first)
            for come in others:
                yield from self._later(come)

    def _later(self, come: _Come) -> Iterator[Record]:
        """The records that are accepted once one has come that is not the first."""
        tick = come[1].tick
        for one in self._waiting:
            if tick < one.record.tick - self.lateness:
                one.contradicted += 1
            else:
                one.confirmed += 1
        for one in [one for one in self._waiting if one.contradicted >= ENOUGH]:
            self._waiting.remove(one)
            self._reject(one.record, self._latest, is_ahead=one.is_ahead)
        is_ahead = self.is_live and self._is_ahead(tick)
        is_far = is_ahead or (self._is_far(tick) and not self._is_near(tick))
        if is_far:
            self._waiting.append(_Waiting(*come, is_ahead=is_ahead))
        found = next((one for one in self._waiting if one.confirmed >= ENOUGH), None)
        while found is not None:
            self._waiting.remove(found)
            if found.is_ahead and not self._has_warned:
                self._has_warned = True
                _log.warning(
                    "%s: records are dated after the clock of this machine; each waits for %s others: "
                    "--ahead off (in Python ahead=None) if that is right, as of forecasts",
                    *(visible(str((found.record.origin or UNKNOWN).source)), ENOUGH),
                )
            yield from self._accepted((found.number, found.record))
            near = (one for one in self._waiting if not self._waits(one))
            sure = (one for one in self._waiting if one.confirmed >= ENOUGH)
            found = next(near, None) or next(sure, None)
        if not is_far:
            yield from self._accepted(come)

    def _is_far(self, tick: int) -> bool:
        gap = self.gap()
        return gap is not None and self._latest is not None and tick - self._latest > gap + self.lateness

    def _waits(self, one: _Waiting) -> bool:
        """Whether a record that waits lies far ahead as before."""
        return one.is_ahead or self._is_far(one.record.tick)

    def _is_near(self, tick: int) -> bool:
        """Whether a record of live input lies near the machine's clock."""
        machine = self.machine()
        return machine is not None and machine.is_near(tick)

    def _accepted(self, come: _Come) -> Iterator[Record]:
        """A record that is accepted, behind those before it whose clocks were set."""
        number, record = come
        tick = +record.tick
        unset = [one for before, one in self._unset if before < number]
        if unset:
            self._unset = [one for one in self._unset if one[0] > number]
        for one in unset:
            if tick - one.tick > self.year:
                self._say(one, f"tick {self.named(one.tick)} is of a clock that was never set: set it")
            else:
                self._latest = max(self._latest or 0, +one.tick)
                yield one
        self._latest = tick if self._latest is None else max(self._latest, tick)
        yield record

    def finish(self) -> list[Record]:
        """The records that are accepted as no more come."""
        gap = self.gap()
        self._count_anew(is_over=True)
        found: list[Record] = []
        if gap is not None or self._first:
            found += self._judged_first((gap or 0) + self.lateness, is_over=True)
        while self._waiting:
            one = self._waiting.pop(0)
            has_none = one.confirmed == one.contradicted == 0
            if has_none or one.confirmed > one.contradicted or not self._waits(one):
                found += self._accepted((one.number, one.record))
            else:
                self._reject(one.record, self._latest, is_ahead=one.is_ahead)
        found += (one for _, one in self._unset)
        self._unset = []
        return found

    def _reject(self, record: Record, latest: int | None, *, is_ahead: bool = False) -> None:
        cure = "allow larger gaps with --largest-gap (#largest_gap in the program; in Python largest_gap)"
        behind = "" if latest is None else f", more than {self.gap()} ticks after {self.named(latest)}"
        if is_ahead:
            cure = "allow later times with --ahead (off for forecasts; in Python ahead)"
            behind = " of this machine's clock"
        self._say(
            record,
            f"tick {self.named(record.tick)}: its clock is ahead{behind}, and later records contradict it: "
            f"set the clock, or {cure}",
        )

    def _say(self, record: Record, reason: str) -> None:
        rejected = refusal_of(record, reason, WrongClock)
        if rejected.counted_as:  # else it is another time of a record
            self.on_reject(rejected)

    @property
    def is_waiting(self) -> bool:
        """Whether records wait."""
        return bool(self._first or self._waiting or self._unset)

    def state(self, ready: Iterable[Record] = ()) -> dict[str, Any]:
        """The records that wait, and others that are accepted and were not given yet, as JSON has them."""
        self._count_anew()
        terms = TermTable()

        def kept(come: Iterable[_Come]) -> list[list[Any]]:
            return [[number, record_state(one, terms.write)] for number, one in come]

        return {
            "latest": self._latest,
            "number": self._number,
            "first": kept(self._first),
            "far": [
                [*kept([(one.number, one.record)])[0], one.confirmed, one.contradicted, one.is_ahead]
                for one in self._waiting
            ],
            "unset": kept(self._unset),
            "by_machine": self._goes_by_machine,
            "ready": [record_state(one, terms.write) for one in ready],
            "terms": terms.table,
        }

    def restore(self, state: Mapping[str, Any]) -> list[Record]:
        """Takes over a state; gives the records that are accepted and were not given."""
        read = TermReader(state["terms"]).read
        self._counted_from = 0 if self.late is None else self.late.tick_of_1970

        def kept(come: Iterable[Any]) -> list[_Come]:
            return [(number, restored_record(one, read)) for number, one in come]

        self._latest, self._number = state["latest"], state["number"]
        self._first, self._unset = kept(state["first"]), kept(state["unset"])
        self._waiting = [
            _Waiting(number, restored_record(one, read), *counts) for number, one, *counts in state["far"]
        ]
        self._goes_by_machine = state["by_machine"]
        return [restored_record(one, read) for one in state["ready"]]


def wrong_clocks(moments: Sequence[int]) -> frozenset[int]:
    """The places of moments, in microseconds, that a run rejects; none if they are out of order."""
    found: set[int] = set()
    begins = [(begin, begin + DAY - 1) for begin in UNSET]
    clock = InputClock(
        0,
        lambda: USUAL_GAP,
        lambda one: found.add(one.origin.line),
        never_set=lambda moment: any(first <= moment <= last for first, last in begins),
        plain_from=lambda: begins[-1][1] + 1,
        year=365 * DAY,
    )
    records = [Record(moment, Events(), Origin("", place)) for place, moment in enumerate(moments)]
    for _ in clock.judged(records):
        pass
    clock.finish()
    return frozenset(found if MANY * len(found) <= len(moments) else ())
