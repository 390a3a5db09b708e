"""Records of a live stream come late now and then: they wait so long that they can be sorted in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import Any

from clingo import Symbol

from externals.events import Events
from externals.symbols import key_of, symbol_of
from runtime.records import UNKNOWN, OnReject, Origin, Record, Rejected


class Order:
    """Puts records into time order; those of one tick stay in the order of their arrival.

    Args:
        lateness: for how many ticks records wait for others: so far behind the latest one a record may come.
            The watermark is the tick so many ticks before the latest one.
        on_reject: takes records that come later than that.

    Attributes:
        late: how many did.
    """

    def __init__(self, lateness: int, on_reject: OnReject) -> None:
        if lateness < 0:
            raise ValueError("the lateness is a number of ticks, 0 or more")
        self._lateness = lateness
        self._on_reject = on_reject
        self._waiting: list[tuple[int, int, Record]] = []
        self._number = 0
        self._latest: int | None = None
        self.late = 0

    def __len__(self) -> int:
        """How many records wait."""
        return len(self._waiting)

    def take(self, record: Record) -> None:
        """A record arrives."""
        tick = record.tick
        if self._latest is not None and self._lateness and tick < self._latest - self._lateness:
            self.late += 1
            reason = f"late: tick {tick} came after {self._latest}, more than {self._lateness} ticks before"
            self._on_reject(Rejected(record.origin or UNKNOWN, reason))
            return
        if self._latest is None or tick > self._latest:
            self._latest = tick
        # without lateness nothing waits, and the reasoner judges
        heappush(self._waiting, (tick if self._lateness else 0, self._number, record))
        self._number += 1

    def ready(self) -> Iterator[Record]:
        """The records that wait no longer, in time order; each waits until the next one is asked for."""
        watermark = 0 if self._latest is None else self._latest - self._lateness
        while self._waiting and (not self._lateness or self._waiting[0][0] <= watermark):
            yield self._waiting[0][2]
            heappop(self._waiting)

    def rest(self) -> Iterator[Record]:
        """All that still wait, as no more come."""
        while self._waiting:
            yield self._waiting[0][2]
            heappop(self._waiting)

    def state(self, number: Callable[[int], int]) -> dict[str, Any]:
        """What waits, as JSON has it; atoms as their numbers, which are given by their keys."""

        def numbers(symbols: Iterable[Symbol]) -> list[int]:
            return [number(key_of(symbol)) for symbol in symbols]

        waiting = []
        for _, _, record in sorted(self._waiting, key=lambda entry: entry[:2]):
            events, origin = record.events, record.origin
            told = [numbers(events.facts), numbers(events.begin), numbers(events.end), events.until]
            waiting.append([record.tick, told, origin and [origin.source, origin.line, origin.text]])
        return {"waiting": waiting, "latest": self._latest, "late": self.late}

    def restore(self, state: Mapping[str, Any], key: Callable[[int], int]) -> None:
        """Takes over a state."""

        def symbols(numbers: Iterable[int]) -> tuple[Symbol, ...]:
            return tuple(symbol_of(key(number)) for number in numbers)

        for tick, (facts, begin, end, until), origin in state["waiting"]:
            events = Events(symbols(facts), symbols(begin), symbols(end), until)
            self.take(Record(tick, events, origin and Origin(*origin)))
        self._latest, self.late = state["latest"], state["late"]


def in_order(records: Iterable[Record], lateness: int, on_reject: OnReject) -> Iterator[Record]:
    """The records in time order; see Order."""
    if not lateness:
        yield from records
        return
    order = Order(lateness, on_reject)
    for record in records:
        order.take(record)
        yield from order.ready()
    yield from order.rest()
