"""The five jobs as dataflows of bytewax: state by key, in the time of the events."""

import csv
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from heapq import heappop, heappush
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import bytewax.operators as op
import orjson
from bytewax.connectors.files import CSVSource, FileSink, FileSource
from bytewax.dataflow import Dataflow, Stream
from bytewax.operators import StatefulBatchLogic
from bytewax.testing import run_main

Pieces = Iterable[tuple[int, int | None, str]]
"""Intervals of a key: the first tick, the last one (None: to the end), what the atom has besides the key."""

_SENSORS = re.compile(r"reading\((\w+),")


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


def _alarm(flow: Dataflow, source: Path) -> Stream[Any]:
    zone = ZoneInfo("Europe/Vienna")
    hours: dict[str, int] = {}

    def read(rows: list[list[str]]) -> Iterable[tuple[str, tuple[int, float]]]:
        for time, room, celsius in rows:
            hour = hours.get(time[:13])
            if hour is None:
                begin = datetime.strptime(time[:13], "%d.%m.%Y %H").replace(tzinfo=zone)
                hour = hours[time[:13]] = int(begin.timestamp())
            tick = hour + 60 * int(time[14:16]) + int(time[17:19])
            yield room, (tick, float(celsius.replace(",", ".")))

    recoded = source.with_suffix(".utf-8.csv")  # its sources read UTF-8 alone
    recoded.write_text(source.read_text(encoding="cp1252").partition("\n")[2])
    lines = op.input("lines", flow, FileSource(recoded, batch_size=1000))
    return op.flat_map_batch("read", lines, lambda batch: read([*csv.reader(batch, delimiter=";")]))


def _counts(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> Iterable[tuple[str, int]]:
        record = orjson.loads(line)
        tick = record["time"]
        return [(sensor, tick) for sensor in _SENSORS.findall("\n".join(record["facts"]))]

    return op.flat_map("read", op.input("lines", flow, FileSource(source, batch_size=10)), read)


def _logins(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> tuple[str, tuple[int, bool]]:
        record = orjson.loads(line)
        return record["user"], (_tick(record["ts"]), record["result"] == "ok")

    return op.map("read", op.input("lines", flow, FileSource(source, batch_size=1000)), read)


def _heartbeats(flow: Dataflow, source: Path) -> Stream[Any]:
    rows = op.input("rows", flow, CSVSource(source, batch_size=1000))
    return op.map("read", rows, lambda row: (row["host"], _tick(row["time"])))


def _join(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> tuple[str, tuple[int, bool, int]]:
        record = orjson.loads(line)
        is_order = "order" in record
        return record["item"], (_tick(record["ts"]), is_order, record["order" if is_order else "payment"])

    return op.map("read", op.input("lines", flow, FileSource(source, batch_size=1000)), read)


def _tick(time: str) -> int:
    return int(datetime.fromisoformat(time).timestamp())


FLOWS: Mapping[str, tuple[Callable[[Dataflow, Path], Stream[Any]], Callable[[], Logic], str]] = {
    "alarm": (_alarm, Alarm, '"alarm(""{0}"")"'),
    "counts": (_counts, Counts, '"busy({0},{1})"'),
    "logins": (_logins, Logins, '"guessed(""{0}"")"'),
    "heartbeats": (_heartbeats, Heartbeats, '"lost(""{0}"")"'),
    "join": (_join, Join, '"match({1})"'),
}
"""By jobs: what reads the stream, as pairs of a key and an event; what is kept for a key; atoms in CSV."""


def run(name: str, source: Path, target: Path) -> None:
    """Runs a job."""
    read, logic, atom = FLOWS[name]

    def line(found: tuple[str, tuple[int, int | None, str]]) -> tuple[str, str]:
        key, (begin, end, more) = found
        return key, f"{begin},{'' if end is None else end},{atom.format(key, more)}"

    flow = Dataflow(name)
    found = op.stateful_batch("windows", read(flow, source), lambda _: logic())
    op.output("write", op.map("line", found, line), FileSink(target))
    run_main(flow)


if __name__ == "__main__":
    _, job, read_from, written_to = sys.argv
    run(job, Path(read_from), Path(written_to))
