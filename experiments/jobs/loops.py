"""The jobs as plain Python loops: a stream in, changes as JSON lines out.

    python -m experiments.jobs.loops JOB INPUT OUTPUT

They show what a job costs without a language, reading and writing included.
"""

import csv
import re
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from heapq import heappop, heappush
from pathlib import Path
from zoneinfo import ZoneInfo

import orjson

from experiments.jobs.four_loops import absence, closure, sessions, topten
from experiments.jobs.fraud_loop import fraud

Added = list[str]
Removed = list[str]
Changes = Iterator[tuple[int, Added, Removed]]
"""Atoms that begin and atoms that end to hold at a tick; a tick may come twice in a row."""

NOTHING: list[str] = []
_SENSORS = re.compile(r"reading\((\w+),")


def alarm(source: Path) -> Changes:
    """The last value of a room was above 24.5 for ten minutes."""
    lateness, span = 60, 600
    since: dict[str, int] = {}
    alarms: set[str] = set()
    waiting: deque[tuple[int, str]] = deque()
    """When rooms became hot, in the order of time."""
    tick = 0

    def due(before: int) -> Changes:
        while waiting and waiting[0][0] + span < before:
            begin, room = waiting.popleft()
            if since.get(room) == begin:
                alarms.add(room)
                yield begin + span, [f'alarm("{room}")'], NOTHING

    for tick, room, celsius in _in_order(_german_rows(source), lateness):
        yield from due(tick)
        if celsius > 24.5:
            if room not in since:
                since[room] = tick
                waiting.append((tick, room))
        elif since.pop(room, None) is not None and room in alarms:
            alarms.remove(room)
            yield tick, NOTHING, [f'alarm("{room}")']
    yield from due(tick + 1)


def _german_rows(source: Path) -> Iterator[tuple[int, str, float]]:
    zone = ZoneInfo("Europe/Vienna")
    hours: dict[str, int] = {}
    with source.open(encoding="cp1252", newline="") as file:
        rows = csv.reader(file, delimiter=";")
        next(rows)
        for time, room, celsius in rows:
            hour = hours.get(time[:13])
            if hour is None:
                begin = datetime.strptime(time[:13], "%d.%m.%Y %H").replace(tzinfo=zone)
                hour = hours[time[:13]] = int(begin.timestamp())
            tick = hour + 60 * int(time[14:16]) + int(time[17:19])
            yield tick, room, float(celsius.replace(",", "."))


def _in_order(rows: Iterator[tuple[int, str, float]], lateness: int) -> Iterator[tuple[int, str, float]]:
    held: list[tuple[int, str, float]] = []
    newest = 0
    for row in rows:
        heappush(held, row)
        newest = max(newest, row[0])
        while held[0][0] < newest - lateness:
            yield heappop(held)
    while held:
        yield heappop(held)


def counts(source: Path) -> Changes:
    """Sensors with 12 readings and more within 60 seconds, and how many they are."""
    span, least = 61, 12
    arrived: deque[tuple[int, list[str]]] = deque()
    number: Counter[str] = Counter()

    def moved(tick: int, sensors: list[str]) -> Changes:
        gone = arrived.popleft()[1] if arrived and arrived[0][0] + span == tick else NOTHING
        before = {sensor: number[sensor] for sensor in gone}
        number.subtract(gone)
        for sensor in sensors:
            before.setdefault(sensor, number[sensor])
            number[sensor] += 1
        began, ended = [], []
        for sensor, old in before.items():
            new = number[sensor]
            if new != old:
                if new >= least:
                    began.append(f"busy({sensor},{new})")
                if old >= least:
                    ended.append(f"busy({sensor},{old})")
        if began or ended:
            yield tick, began, ended

    with source.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            tick, sensors = record["time"], _SENSORS.findall("\n".join(record["facts"]))
            while arrived and arrived[0][0] + span < tick:
                yield from moved(arrived[0][0] + span, NOTHING)
            yield from moved(tick, sensors)
            arrived.append((tick, sensors))


def logins(source: Path) -> Changes:
    """Three failed logins, and one that succeeds within five minutes."""
    span = 300
    failed: defaultdict[str, deque[int]] = defaultdict(deque)
    guessed: list[str] = []
    last = 0
    with source.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            tick, user = int(datetime.fromisoformat(record["ts"]).timestamp()), record["user"]
            if guessed and tick > last:
                yield last, guessed, NOTHING
                yield last + 1, NOTHING, guessed
                guessed = []
            last = tick
            if record["result"] == "failed":
                failed[user].append(tick)
            elif user in failed:
                times = failed[user]
                while times and times[0] < tick - span:
                    times.popleft()
                if len(times) >= 3:
                    guessed.append(f'guessed("{user}")')
                elif not times:
                    del failed[user]
    if guessed:
        yield last, guessed, NOTHING


def heartbeats(source: Path) -> Changes:
    """Hosts that were heard of, and not within 180 seconds."""
    span = 181
    latest: dict[str, int] = {}
    lost: set[str] = set()
    waiting: deque[tuple[int, str]] = deque()
    tick = 0

    def due(before: int) -> Changes:
        while waiting and waiting[0][0] + span < before:
            heard, host = waiting.popleft()
            if latest[host] == heard:
                lost.add(host)
                yield heard + span, [f'lost("{host}")'], NOTHING

    with source.open(newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for time, host in rows:
            tick = int(datetime.fromisoformat(time).timestamp())
            yield from due(tick)
            latest[host] = tick
            waiting.append((tick, host))
            if host in lost:
                lost.remove(host)
                yield tick, NOTHING, [f'lost("{host}")']
    yield from due(tick + 1)


def join(source: Path) -> Changes:
    """Orders and payments of one item within 30 seconds."""
    span = 30
    orders: defaultdict[str, deque[tuple[int, int]]] = defaultdict(deque)
    payments: defaultdict[str, deque[tuple[int, int]]] = defaultdict(deque)
    ending: list[tuple[int, str]] = []
    with source.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            tick, item = int(datetime.fromisoformat(record["ts"]).timestamp()), record["item"]
            while ending and ending[0][0] <= tick:
                end, atom = heappop(ending)
                yield end, NOTHING, [atom]
            number = record.get("order")
            is_order = number is not None
            own, others = (orders, payments) if is_order else (payments, orders)
            if not is_order:
                number = record["payment"]
            own[item].append((tick, number))
            partners = others[item]
            while partners and partners[0][0] < tick - span:
                partners.popleft()
            atoms = []
            for before, other in partners:
                atom = f"match({number},{other})" if is_order else f"match({other},{number})"
                atoms.append(atom)
                heappush(ending, (before + span + 1, atom))
            if atoms:
                yield tick, atoms, NOTHING


LOOPS: Mapping[str, Callable[[Path], Changes]] = {
    "alarm": alarm,
    "counts": counts,
    "logins": logins,
    "heartbeats": heartbeats,
    "join": join,
    "fraud": fraud,
    "absence": absence,
    "topten": topten,
    "sessions": sessions,
    "closure": closure,
}


def write(changes: Changes, target: Path) -> None:
    """Writes changes as JSON lines."""
    with target.open("wb") as output:
        for tick, began, ended in changes:
            output.write(orjson.dumps({"time": tick, "began": began, "ended": ended}) + b"\n")


if __name__ == "__main__":
    _, name, read, written = sys.argv
    write(LOOPS[name](Path(read)), Path(written))
