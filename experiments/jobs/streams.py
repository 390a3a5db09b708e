"""The streams of the five jobs, made with fixed seeds; each function writes a file and gives its last tick.

A tick is a second since 1970. No key comes twice at a tick, so that counts of ticks are counts of events.
"""

import json
import math
import random
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/Vienna")
BEGIN = int(datetime(2026, 1, 10, tzinfo=ZONE).timestamp())
TIME_FORMAT = "%d.%m.%Y %H:%M:%S"
ROOMS = ("Küche", "Büro", "Gästezimmer", "Bad")
BETWEEN, LATEST = 4, 60
"""Seconds between two readings, and what none of them is late by."""

SENSORS, A_TICK = 1000, 100
USERS = 2000
HOSTS, BEAT = 2000, 60
ITEMS, ORDERS_AND_PAYMENTS = 200, 4
"""The number of items, and of orders and payments together in a second."""


def german_readings(path: Path, rows: int) -> int:
    """Temperatures of four rooms: warm by day and cool by night; every fifth row is late."""
    choose = random.Random(1)
    arriving = []
    for row in range(rows):
        tick, room = BEGIN + row * BETWEEN, row % len(ROOMS)
        day = (tick - BEGIN) / timedelta(days=1).total_seconds()
        celsius = choose.gauss(23.6 + 2 * math.sin(2 * math.pi * (day + room / len(ROOMS))), 0.15)
        delay = choose.random() * LATEST if choose.random() < 0.2 else 0
        arriving.append((tick + delay, tick, ROOMS[room], f"{celsius:.1f}".replace(".", ",")))
    with path.open("w", encoding="cp1252") as file:
        file.write("zeit;raum;temperatur\n")
        for _, tick, room_name, temperature in sorted(arriving):
            file.write(f"{datetime.fromtimestamp(tick, ZONE):{TIME_FORMAT}};{room_name};{temperature}\n")
    return BEGIN + (rows - 1) * BETWEEN


def sensor_readings(path: Path, rows: int) -> int:
    """A line of facts each second, of a hundred sensors by chance."""
    choose = random.Random(2)
    ticks = range(BEGIN, BEGIN + max(1, rows // A_TICK))
    with path.open("w") as file:
        for tick in ticks:
            facts = [f"reading(s{s},{choose.randrange(100)})" for s in choose.sample(range(SENSORS), A_TICK)]
            file.write(json.dumps({"time": tick, "facts": facts}) + "\n")
    return ticks[-1]


def logins(path: Path, rows: int) -> int:
    """Logins of users, two a second, and now and then a few failed ones with one that succeeds."""
    choose = random.Random(3)
    seconds = max(1, rows // 2)
    events: dict[tuple[int, str], str] = {}
    while len(events) < rows:
        tick, user = BEGIN + choose.randrange(seconds), f"u{choose.randrange(USERS)}"
        if choose.random() < 0.04:
            for _ in range(choose.randint(2, 5)):
                events[tick, user] = "failed"
                tick += choose.randint(5, 100)
            events[tick, user] = "ok"
        else:
            events[tick, user] = "failed" if choose.random() < 0.1 else "ok"
    kept = sorted(events.items())[:rows]
    records = ({"ts": stamp(tick), "user": user, "result": result} for (tick, user), result in kept)
    write_lines(path, records)
    return kept[-1][0][0]


def heartbeats(path: Path, rows: int) -> int:
    """Each host is heard of once in a minute, and half of them are silent once for some minutes."""
    choose = random.Random(4)
    beats = sorted(_beats(choose, max(1, -(-rows // HOSTS))))[:rows]
    with path.open("w") as file:
        file.write("time,host\n")
        for tick, host in beats:
            file.write(f"{stamp(tick)},{host}\n")
    return beats[-1][0]


def _beats(choose: random.Random, each: int) -> Iterator[tuple[int, str]]:
    silent_for = 10
    for host in range(HOSTS):
        first = BEGIN + choose.randrange(BEAT)
        silent = choose.randrange(each) if choose.random() < 0.5 else each + silent_for
        length = choose.randint(2, silent_for)
        for turn in range(each + silent_for):  # enough rows although some are left out
            if not silent <= turn < silent + length:
                yield first + turn * BEAT + choose.randint(-1, 1), f"h{host}"


def orders_and_payments(path: Path, rows: int) -> int:
    """Orders and payments by chance, each with its number and an item."""
    choose = random.Random(5)
    kinds = "order", "payment"
    ticks = sorted(choose.randrange(max(1, rows // ORDERS_AND_PAYMENTS)) for _ in range(rows))
    write_lines(
        path,
        (
            {"ts": stamp(BEGIN + tick), choose.choice(kinds): number, "item": f"i{choose.randrange(ITEMS)}"}
            for number, tick in enumerate(ticks)
        ),
    )
    return BEGIN + ticks[-1]


def stamp(tick: int) -> str:
    """The time at which a tick begins."""
    return f"{datetime.fromtimestamp(tick, UTC):%Y-%m-%dT%H:%M:%SZ}"


def write_lines(path: Path, records: Iterable[object]) -> None:
    """Records as JSON lines."""
    with path.open("w") as file:
        file.writelines(f"{json.dumps(record)}\n" for record in records)
