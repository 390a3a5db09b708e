"""What flows of bytewax keep for a key, in the time of the events."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush, nlargest
from itertools import takewhile
from typing import Any

from bytewax.operators import StatefulBatchLogic

Pieces = Iterable[tuple[int, int | None, str]]
"""Intervals of a key: the first tick, the last one (None: to the end), what the atom has besides the key."""


class Logic(StatefulBatchLogic[Any, tuple[int, int | None, str], None]):
    """What is kept for a key; nothing is recovered."""

    def take(self, value: Any) -> Pieces:
        """Takes an event."""
        raise NotImplementedError

    def close(self) -> Pieces:
        """The stream is over."""
        return ()

    def on_batch(self, values: list[Any]) -> tuple[Pieces, bool]:
        """Takes events that come together."""
        return [piece for value in values for piece in self.take(value)], False

    def on_eof(self) -> tuple[Pieces, bool]:
        """The stream is over."""
        return [*self.close()], True

    def snapshot(self) -> None:
        """Nothing is recovered."""


@dataclass
class Alarm(Logic):
    """The last value of a room was above 24.5 for ten minutes; events may be a minute late."""

    held: list[tuple[int, float]] = field(default_factory=list)
    newest: int = 0
    since: int | None = None

    def take(self, value: tuple[int, float]) -> Pieces:
        heappush(self.held, value)
        self.newest = max(self.newest, value[0])
        while self.held[0][0] < self.newest - 60:
            yield from self._in_order(*heappop(self.held))

    def close(self) -> Pieces:
        while self.held:
            yield from self._in_order(*heappop(self.held))
        if self.since is not None:
            yield self.since + 600, None, ""

    def _in_order(self, tick: int, celsius: float) -> Pieces:
        if celsius > 24.5:
            if self.since is None:
                self.since = tick
        elif self.since is not None:
            if self.since + 600 < tick:
                yield self.since + 600, tick - 1, ""
            self.since = None


@dataclass
class Counts(Logic):
    """How many readings a sensor has within 60 seconds, where they are 12 and more."""

    times: deque[int] = field(default_factory=deque)
    since: int = 0

    def take(self, tick: int) -> Pieces:
        yield from self._until(tick)
        gone = bool(self.times) and self.times[0] + 61 == tick
        if gone:
            self.times.popleft()
        else:
            yield from self._over(tick)
        self.times.append(tick)

    def close(self) -> Pieces:
        while self.times:
            yield from self._over(self.times[0] + 61)
            self.times.popleft()

    def _until(self, tick: int) -> Pieces:
        while self.times and self.times[0] + 61 < tick:
            yield from self._over(self.times[0] + 61)
            self.times.popleft()

    def _over(self, tick: int) -> Pieces:
        if len(self.times) >= 12:
            yield self.since, tick - 1, str(len(self.times))
        self.since = tick


@dataclass
class Logins(Logic):
    """Three failed logins of a user, and one that succeeds within five minutes."""

    failed: deque[int] = field(default_factory=deque)

    def take(self, value: tuple[int, bool]) -> Pieces:
        tick, is_ok = value
        if not is_ok:
            self.failed.append(tick)
            return
        while self.failed and self.failed[0] < tick - 300:
            self.failed.popleft()
        if len(self.failed) >= 3:
            yield tick, tick, ""


@dataclass
class Heartbeats(Logic):
    """A host was heard of, and not within 180 seconds."""

    latest: int | None = None

    def take(self, tick: int) -> Pieces:
        if self.latest is not None and self.latest + 181 < tick:
            yield self.latest + 181, tick - 1, ""
        self.latest = tick

    def close(self) -> Pieces:
        if self.latest is not None:
            yield self.latest + 181, None, ""


@dataclass
class Join(Logic):
    """Orders and payments of an item within 30 seconds."""

    orders: deque[tuple[int, int]] = field(default_factory=deque)
    payments: deque[tuple[int, int]] = field(default_factory=deque)

    def take(self, value: tuple[int, bool, int]) -> Pieces:
        tick, is_order, number = value
        own, others = (self.orders, self.payments) if is_order else (self.payments, self.orders)
        own.append((tick, number))
        while others and others[0][0] < tick - 30:
            others.popleft()
        for before, other in others:
            yield tick, before + 30, f"{number},{other}" if is_order else f"{other},{number}"


@dataclass
class Card(Logic):
    """Remarkable payments of a card: those of a tick, when all of it have come."""

    tick: int = 0
    held: list[dict[str, Any]] = field(default_factory=list)
    month: deque[tuple[int, dict[str, Any]]] = field(default_factory=deque)
    total: int = 0
    before: int | None = None
    noticed: int | None = None

    def take(self, value: tuple[int, dict[str, Any]]) -> Pieces:
        tick, record = value
        if tick > self.tick:
            yield from self.close()
            self.tick = tick
        if "notice" in record:
            self.noticed = tick
        else:
            self.held.append(record)

    def close(self) -> Pieces:
        for record in self.held:
            self.month.append((self.tick, record))
            self.total += record["cents"]
        while self.month and self.month[0][0] < self.tick - 2_592_000:
            self.total -= self.month.popleft()[1]["cents"]
        for record in self.held:
            for remark in self._remarks(record):
                yield self.tick, self.tick, f"{remark}({record['payment']})"
        if self.held:
            self.before = self.tick
            self.held = []

    def _remarks(self, record: dict[str, Any]) -> Iterator[str]:
        cents = record["cents"]
        hour = self._within(3600)
        if len(hour) > 5:
            yield "velocity"
        if any(other["country"] != record["country"] for other in hour):
            yield "travel"
        if record["status"] == "ok":
            declined = sum(other["status"] == "declined" for other in self._within(600))
            if declined >= 3:
                yield "probing"
        if cents >= 50_000 and self.before is not None and self.tick - self.before > 2_592_000:
            yield "dormant"
        if len(self.month) >= 5 and cents * len(self.month) > 5 * self.total:
            yield "unusual"
        if record["merchant"] in ("m3", "m17", "m40"):
            yield "listed"
        if cents >= 100_000 and (self.noticed is None or self.noticed < self.tick - 604_800):
            yield "large"

    def _within(self, span: int) -> list[dict[str, Any]]:
        return [
            record for _, record in takewhile(lambda one: one[0] >= self.tick - span, reversed(self.month))
        ]


@dataclass
class Merchant(Logic):
    """Ten payments at a merchant within five minutes: those of a tick, when all of it have come."""

    tick: int = 0
    held: list[int] = field(default_factory=list)
    times: deque[int] = field(default_factory=deque)

    def take(self, value: tuple[int, int]) -> Pieces:
        tick, payment = value
        if tick > self.tick:
            yield from self.close()
            self.tick = tick
        self.held.append(payment)

    def close(self) -> Pieces:
        self.times.extend(self.tick for _ in self.held)
        while self.times and self.times[0] < self.tick - 300:
            self.times.popleft()
        if len(self.times) >= 10:
            for payment in self.held:
                yield self.tick, self.tick, f"burst({payment})"
        self.held = []


@dataclass
class TopTen(Logic):
    """The ten items that a shop sold most often within ten minutes."""

    sold: deque[tuple[int, int]] = field(default_factory=deque)
    totals: Counter[int] = field(default_factory=Counter)
    since: dict[int, int] = field(default_factory=dict)
    tick: int = 0

    def take(self, value: tuple[int, int]) -> Pieces:
        tick, item = value
        if tick > self.tick:
            yield from self._until(tick)
            self.tick = tick
        self.sold.append(value)
        self.totals[item] += 1

    def close(self) -> Pieces:
        yield from self._until(self.tick + 11)

    def _until(self, tick: int) -> Pieces:
        """Sees to all ticks before one."""
        yield from self._ranked(self.tick)
        while self.sold and self.sold[0][0] + 10 <= tick:
            gone = self.sold[0][0] + 10
            while self.sold and self.sold[0][0] + 10 == gone:
                item = self.sold.popleft()[1]
                self.totals[item] -= 1
                if not self.totals[item]:
                    del self.totals[item]
            if gone < tick:
                yield from self._ranked(gone)

    def _ranked(self, tick: int) -> Pieces:
        top = {*nlargest(10, self.totals, key=lambda item: (self.totals[item], item))}
        for item in [item for item in self.since if item not in top]:
            yield self.since.pop(item), tick - 1, str(item)
        for item in top:
            self.since.setdefault(item, tick)


@dataclass
class Visits(Logic):
    """Visits of a user that are over: the first and the last click, and how many there were."""

    begin: int = 0
    end: int = 0
    number: int = 0

    def take(self, tick: int) -> Pieces:
        if tick > self.end + 30:
            yield from self.close()
            self.begin, self.number = tick, 0
        self.end, self.number = tick, self.number + 1

    def close(self) -> Pieces:
        if self.number:
            yield self.end + 30, self.end + 30, f"{self.begin},{self.end},{self.number}"


@dataclass
class Closure(Logic):
    """Which nodes are reached from which others over the links of 40 seconds; all have one key."""

    seen: deque[tuple[int, tuple[int, int]]] = field(default_factory=deque)
    since: dict[tuple[int, int], int] = field(default_factory=dict)
    tick: int = 0

    def take(self, value: tuple[int, tuple[int, int]]) -> Pieces:
        tick = value[0]
        if tick > self.tick:
            yield from self._until(tick)
            self.tick = tick
        self.seen.append(value)

    def close(self) -> Pieces:
        yield from self._until(self.tick + 41)

    def _until(self, tick: int) -> Pieces:
        """Sees to all ticks before one."""
        yield from self._reached(self.tick)
        while self.seen and self.seen[0][0] + 40 <= tick:
            gone = self.seen[0][0] + 40
            while self.seen and self.seen[0][0] + 40 == gone:
                self.seen.popleft()
            if gone < tick:
                yield from self._reached(gone)

    def _reached(self, tick: int) -> Pieces:
        now = reachable({link for _, link in self.seen})
        for pair in [pair for pair in self.since if pair not in now]:
            yield self.since.pop(pair), tick - 1, f"{pair[0]},{pair[1]}"
        for pair in now:
            self.since.setdefault(pair, tick)


def reachable(links: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """By a search from every node."""
    following: defaultdict[int, list[int]] = defaultdict(list)
    for one, other in links:
        following[one].append(other)
    found: set[tuple[int, int]] = set()
    for begin in [*following]:
        reached: set[int] = set()
        going = [begin]
        while going:
            for node in following.get(going.pop(), ()):
                if node not in reached:
                    reached.add(node)
                    going.append(node)
        found.update((begin, node) for node in reached)
    return found
