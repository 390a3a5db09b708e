"""The ten jobs as dataflows of bytewax: state by key, in the time of the events."""

import csv
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import bytewax.operators as op
import orjson
from bytewax.connectors.files import CSVSource, FileSink, FileSource
from bytewax.dataflow import Dataflow, Stream
from bytewax.inputs import DynamicSource, Source, StatelessSourcePartition
from bytewax.testing import run_main

from experiments.jobs.peers.bytewax_logics import (
    Alarm,
    Card,
    Closure,
    Counts,
    Heartbeats,
    Join,
    Logic,
    Logins,
    Merchant,
    TopTen,
    Visits,
)

_SENSORS = re.compile(r"reading\((\w+),")


class _Piped(DynamicSource[Any], StatelessSourcePartition[Any]):
    """Rows of standard input: the connectors for files ask for their place, which a pipe does not have."""

    def __init__(self, rows: Iterator[Any], at_once: int = 1000) -> None:
        self._rows, self._at_once = rows, at_once

    def build(self, step_id: str, worker_index: int, worker_count: int) -> "_Piped":
        """One worker reads."""
        return self

    def next_batch(self) -> list[Any]:
        """The next rows."""
        if rows := [*islice(self._rows, self._at_once)]:
            return rows
        raise StopIteration


def _lines(source: Path, at_once: int = 1000) -> Source[str]:
    return _Piped(source.open(), at_once) if source.is_fifo() else FileSource(source, batch_size=at_once)


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

    taken: Source[str]
    if source.is_fifo():
        taken = _Piped(islice(source.open(encoding="cp1252"), 1, None))
    else:
        recoded = source.with_suffix(".utf-8.csv")  # its sources read UTF-8 alone
        recoded.write_text(source.read_text(encoding="cp1252").partition("\n")[2])
        taken = FileSource(recoded, batch_size=1000)
    lines = op.input("lines", flow, taken)
    return op.flat_map_batch("read", lines, lambda batch: read([*csv.reader(batch, delimiter=";")]))


def _counts(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> Iterable[tuple[str, int]]:
        record = orjson.loads(line)
        tick = record["time"]
        return [(sensor, tick) for sensor in _SENSORS.findall("\n".join(record["facts"]))]

    return op.flat_map("read", op.input("lines", flow, _lines(source, 10)), read)


def _logins(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> tuple[str, tuple[int, bool]]:
        record = orjson.loads(line)
        return record["user"], (_tick(record["ts"]), record["result"] == "ok")

    return op.map("read", op.input("lines", flow, _lines(source)), read)


def _heartbeats(flow: Dataflow, source: Path) -> Stream[Any]:
    taken = _Piped(csv.DictReader(source.open())) if source.is_fifo() else CSVSource(source, batch_size=1000)
    rows = op.input("rows", flow, taken)
    return op.map("read", rows, lambda row: (row["host"], _tick(row["time"])))


def _join(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> tuple[str, tuple[int, bool, int]]:
        record = orjson.loads(line)
        is_order = "order" in record
        return record["item"], (_tick(record["ts"]), is_order, record["order" if is_order else "payment"])

    return op.map("read", op.input("lines", flow, _lines(source)), read)


def _tick(time: str) -> int:
    return int(datetime.fromisoformat(time).timestamp())


def _fraud(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> tuple[int, dict[str, Any]]:
        record = orjson.loads(line)
        return _tick(record["ts"]), record

    def by_card(event: tuple[int, dict[str, Any]]) -> tuple[str, tuple[int, dict[str, Any]]]:
        return event[1].get("card") or event[1]["notice"], event

    def by_merchant(event: tuple[int, dict[str, Any]]) -> tuple[str, tuple[int, int]] | None:
        tick, record = event
        return None if "notice" in record else (record["merchant"], (tick, record["payment"]))

    events = op.map("read", op.input("lines", flow, _lines(source)), read)
    cards = _kept("cards", op.map("by card", events, by_card), Card)
    merchants = _kept("merchants", op.filter_map("by merchant", events, by_merchant), Merchant)
    return op.merge("both", cards, merchants)


def _absence(flow: Dataflow, source: Path) -> Stream[Any]:
    is_first = True

    def read(line: str) -> Iterable[tuple[str, int]]:
        nonlocal is_first
        record = orjson.loads(line)
        tick = _tick(record["ts"])
        if is_first:
            yield from ((str(host), tick - 1) for host in range(2000))
            is_first = False
        yield str(record["host"]), tick

    return op.flat_map("read", op.input("lines", flow, _lines(source)), read)


def _topten(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> tuple[str, tuple[int, int]]:
        record = orjson.loads(line)
        return str(record["shop"]), (_tick(record["ts"]) // 60, record["item"])

    return op.map("read", op.input("lines", flow, _lines(source)), read)


def _sessions(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> tuple[str, int]:
        record = orjson.loads(line)
        return str(record["user"]), _tick(record["ts"]) // 60

    return op.map("read", op.input("lines", flow, _lines(source)), read)


def _closure(flow: Dataflow, source: Path) -> Stream[Any]:
    def read(line: str) -> tuple[str, tuple[int, tuple[int, int]]]:
        record = orjson.loads(line)
        return "", (_tick(record["ts"]), (record["from"], record["to"]))

    return op.map("read", op.input("lines", flow, _lines(source)), read)


def _kept(name: str, events: Stream[Any], logic: Callable[[], Logic]) -> Stream[Any]:
    return op.stateful_batch(name, events, lambda _: logic())


FLOWS: Mapping[str, tuple[Callable[[Dataflow, Path], Stream[Any]], Callable[[], Logic] | None, str]] = {
    "alarm": (_alarm, Alarm, '"alarm(""{0}"")"'),
    "counts": (_counts, Counts, '"busy({0},{1})"'),
    "logins": (_logins, Logins, '"guessed(""{0}"")"'),
    "heartbeats": (_heartbeats, Heartbeats, '"lost(""{0}"")"'),
    "join": (_join, Join, '"match({1})"'),
    "fraud": (_fraud, None, '"{1}"'),
    "absence": (_absence, Heartbeats, '"silent({0})"'),
    "topten": (_topten, TopTen, '"top({0},{1})"'),
    "sessions": (_sessions, Visits, '"visit({0},{1})"'),
    "closure": (_closure, Closure, '"path({1})"'),
}
"""By jobs: what reads the stream, as pairs of a key and an event; what is kept for a key, where
that is not said with the reading; atoms in CSV."""


def run(name: str, source: Path, target: Path) -> None:
    """Runs a job."""
    read, logic, atom = FLOWS[name]

    def line(found: tuple[str, tuple[int, int | None, str]]) -> tuple[str, str]:
        key, (begin, end, more) = found
        return key, f"{begin},{'' if end is None else end},{atom.format(key, more)}"

    flow = Dataflow(name)
    events = read(flow, source)
    found = events if logic is None else _kept("windows", events, logic)
    op.output("write", op.map("line", found, line), FileSink(target))
    run_main(flow)


if __name__ == "__main__":
    _, job, read_from, written_to = sys.argv
    run(job, Path(read_from), Path(written_to))
