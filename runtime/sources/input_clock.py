"""Records of an input whose times cannot be right: they wait until others confirm or contradict them."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import accumulate
from operator import sub
from typing import Any

from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import OnReject, Record, refusal_of
from lars2asp.runtime.sources.reordering import record_state, restored_record
from lars2asp.syntax.nodes import LARGEST_INTEGER
from lars2asp.syntax.values import dataclass

ENOUGH = 3
"""So many records confirm another one, or contradict it."""

MOST_UNSET = 10_000
"""The number of records that are held as their clocks may never have been set: more are a stream of then."""


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
    """

    number: int
    record: Record
    confirmed: int = 0
    contradicted: int = 0


@dataclass(eq=False)
class InputClock:
    """Judges the times of the records of one input.

    A record is far ahead if it lies more than lateness and gap after the latest accepted one. It waits. A
    later record contradicts it if it lies more than the lateness before it, and confirms it otherwise. Three
    confirm a record, or contradict it, for good. The first record is rejected only if it lies so far after
    each of the next three. A clock was never set if the next accepted record is more than a year later.

    Attributes:
        lateness: in ticks, by how much records may come late.
        gap: gives the most ticks from one record to the next, besides the lateness; None for any number.
        on_reject: takes the records that are rejected.
        named: gives the words for a tick.
        never_set: whether a tick lies where clocks begin that were never set.
        plain_from: gives a tick from which on none does.
        year: the number of ticks in a year.
        ready: the records that are accepted and are not given yet, some at a time.
    """

    lateness: int
    gap: Callable[[], int | None]
    on_reject: OnReject
    named: Callable[[int], str] = str
    never_set: Callable[[int], bool] = lambda _: False
    plain_from: Callable[[], int] = lambda: 0
    ready: deque[Sequence[Record]] = field(default_factory=deque, init=False)
    year: int = 0
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

    def rows(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records that are accepted; `ready` has those that are, and are not given yet."""
        ready = self.ready
        low, high, most = self._bounds()
        for record in records:
            tick = record[0]
            if low <= tick <= high:
                if tick > high - most:
                    self._latest = +tick
                    high = tick + most
                yield record
                continue
            ready.extend([one] for one in self.taken(record))
            yield from self.given()
            low, high, most = self._bounds()

    def blocks(self, blocks: Iterable[Iterable[Record]]) -> Iterator[Iterable[Record]]:
        """The same, some at a time; those in columns stay so, unless some of them wait."""
        for block in blocks:
            if isinstance(block, RecordColumns):
                if self._is_plain(block.ticks):
                    top = max(block.ticks)
                    self._latest = top if self._latest is None else max(self._latest, top)
                    yield block
                else:
                    self.ready.extend(self._parts(block))
                    yield from self._given_parts()
            else:
                yield self.rows(block)

    def given(self) -> Iterator[Record]:
        """Those that are ready, each for the last time."""
        for some in self._given_parts():
            yield from some

    def _given_parts(self) -> Iterator[Sequence[Record]]:
        while self.ready:
            yield self.ready.popleft()

    def _bounds(self) -> tuple[int, int, int]:
        """Between which ticks records are accepted at once, and how far these go behind the latest."""
        gap = self.gap()
        if self.is_waiting or self._latest is None:
            return 1, 0, 0
        most = LARGEST_INTEGER if gap is None else gap + self.lateness
        return self.plain_from(), self._latest + most, most

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

    def _is_plain(self, ticks: Sequence[int]) -> bool:
        """Whether nothing waits, and none of these ticks lies far ahead."""
        if self.is_waiting or min(ticks) < self.plain_from():
            return False
        gap, latest = self.gap(), self._latest
        if gap is None:
            return True
        most = gap + self.lateness
        if latest is None:  # of the first record the next ones decide
            if len(ticks) <= ENOUGH or ticks[0] - max(ticks[1 : ENOUGH + 1]) > most:
                return False
            latest = ticks[0]
        if max(ticks) - latest <= most:
            return True
        reached = [*accumulate(ticks, max, initial=latest)]
        steps: Iterable[int] = map(sub, reached[1:], reached)
        return max(steps) <= most

    def taken(self, record: Record) -> list[Record]:
        """The records that are accepted once another one has come."""
        come = self._next_number(), record
        if self.never_set(record.tick):
            self._unset.append(come)
            if len(self._unset) <= MOST_UNSET:
                return []
            found, self._unset = [one for _, one in self._unset], []
            self._latest = max(self._latest or 0, *(+one.tick for one in found))
            return found
        gap = self.gap()
        if self._latest is None and gap is not None:
            self._first.append(come)
            return [*self._judged_first(gap + self.lateness)]
        return [*self._later(come)]

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
            self._reject(one.record, self._latest)
        is_far = self._is_far(tick)
        if is_far:
            self._waiting.append(_Waiting(*come))
        found = next((one for one in self._waiting if one.confirmed >= ENOUGH), None)
        while found is not None:
            self._waiting.remove(found)
            yield from self._accepted((found.number, found.record))
            near = (one for one in self._waiting if not self._is_far(one.record.tick))
            sure = (one for one in self._waiting if one.confirmed >= ENOUGH)
            found = next(near, None) or next(sure, None)
        if not is_far:
            yield from self._accepted(come)

    def _is_far(self, tick: int) -> bool:
        gap = self.gap()
        return gap is not None and self._latest is not None and tick - self._latest > gap + self.lateness

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
        found: list[Record] = []
        if gap is not None or self._first:
            found += self._judged_first((gap or 0) + self.lateness, is_over=True)
        while self._waiting:
            one = self._waiting.pop(0)
            has_none = one.confirmed == one.contradicted == 0
            if has_none or one.confirmed > one.contradicted or not self._is_far(one.record.tick):
                found += self._accepted((one.number, one.record))
            else:
                self._reject(one.record, self._latest)
        found += (one for _, one in self._unset)
        self._unset = []
        self.ready.extend([one] for one in found)
        return found

    def _reject(self, record: Record, latest: int | None) -> None:
        gap = self.gap()
        behind = "" if latest is None else f", more than {gap} ticks after {self.named(latest)}"
        self._say(
            record,
            f"tick {self.named(record.tick)}: its clock is ahead{behind}, and later records contradict it: "
            "set the clock, or give a larger --largest-gap (#largest_gap; in Python largest_gap)",
        )

    def _say(self, record: Record, reason: str) -> None:
        rejected = refusal_of(record, reason)
        if rejected.counted_as:  # else it is another time of a record
            self.on_reject(rejected)

    @property
    def is_waiting(self) -> bool:
        """Whether records wait."""
        return bool(self._first or self._waiting or self._unset)

    def state(self, write: WriteRows) -> dict[str, Any]:
        """The records that wait, as JSON has it but for rows, which are written so."""
        return {
            "latest": self._latest,
            "number": self._number,
            "first": [[number, record_state(one, write)] for number, one in self._first],
            "far": [
                [one.number, record_state(one.record, write), one.confirmed, one.contradicted]
                for one in self._waiting
            ],
            "unset": [[number, record_state(one, write)] for number, one in self._unset],
            "ready": [record_state(one, write) for some in self.ready for one in some],
        }

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state."""
        self._latest, self._number = state["latest"], state["number"]
        self._first = [(number, restored_record(one, read)) for number, one in state["first"]]
        self._waiting = [
            _Waiting(number, restored_record(one, read), *counts) for number, one, *counts in state["far"]
        ]
        self._unset = [(number, restored_record(one, read)) for number, one in state["unset"]]
        self.ready.extend([restored_record(one, read)] for one in state["ready"])
