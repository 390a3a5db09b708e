"""The streams of the four jobs, as those of the five (`streams.py`)."""

import random
from collections.abc import Iterator
from pathlib import Path

from experiments.jobs.streams import BEGIN, stamp, write_lines

HOSTS, BEAT = 2000, 60
SHOPS, ITEMS, SALES_A_MINUTE = 20, 60, 100
VISITORS, APART = 1000, 30
"""The number of users, and the minutes without a click that end a visit."""

NODES, LINKS_A_SECOND = 60, 1


def beats_of_some(path: Path, rows: int) -> int:
    """Each host is heard of once in a minute; some begin late, some pause, and a few are never heard of."""
    choose = random.Random(7)
    found = set(_beats(choose, max(1, -(-rows // HOSTS)) + 4))
    beats = sorted(found)[:rows]
    write_lines(path, ({"ts": stamp(tick), "host": host} for tick, host in beats))
    return beats[-1][0]


def _beats(choose: random.Random, each: int) -> Iterator[tuple[int, int]]:
    for host in range(HOSTS):
        if host % 50 == 7:
            continue
        first = BEGIN + choose.randrange(BEAT) + (300 if host % 20 == 3 else 0)
        pause, length = choose.randrange(4 * each), choose.randint(2, 10)
        for turn in range(each):
            if not pause <= turn < pause + length:
                yield first + turn * BEAT + choose.randint(0, 1), host


def sales(path: Path, rows: int) -> int:
    """Sales of items by chance, low numbers more often; a hundred a minute, some minutes without any."""
    choose = random.Random(8)
    minutes = max(1, rows // SALES_A_MINUTE)
    seconds = sorted(BEGIN + choose.randrange(60 * minutes) for _ in range(rows))
    kept = [tick for tick in seconds if tick // 60 % 30 != 0] or seconds
    write_lines(
        path,
        (
            {
                "ts": stamp(tick),
                "sale": number,
                "shop": choose.randrange(SHOPS),
                "item": int(ITEMS * choose.random() ** 2),
            }
            for number, tick in enumerate(kept)
        ),
    )
    return kept[-1] // 60


def clicks(path: Path, rows: int) -> int:
    """Users click for a while, and then not for a while; no user twice in a minute."""
    choose = random.Random(9)
    users = max(2, min(VISITORS, rows // 20))
    first = BEGIN // 60
    found: set[tuple[int, int]] = set()
    for user in range(users):
        tick = first + choose.randrange(60)
        for _ in range(-(-rows // users) + 10):
            found.add((tick, user))
            tick += choose.randint(1, APART) if choose.random() < 0.85 else choose.randint(APART, 400)
    kept = sorted(found)[:rows]
    write_lines(path, ({"ts": stamp(60 * tick), "user": user} for tick, user in kept))
    return kept[-1][0]


def links(path: Path, rows: int) -> int:
    """Links between nodes by chance, one a second on average, none from a node to itself."""
    choose = random.Random(10)
    found: set[tuple[int, int, int]] = set()
    while len(found) < rows:
        one, other = choose.sample(range(NODES), 2)
        found.add((BEGIN + choose.randrange(max(1, rows // LINKS_A_SECOND)), one, other))
    kept = sorted(found)
    write_lines(path, ({"ts": stamp(tick), "from": one, "to": other} for tick, one, other in kept))
    return kept[-1][0]
