"""The four jobs as plain Python loops."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from datetime import datetime
from heapq import nlargest
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import orjson

Changes = Iterator[tuple[int, list[str], list[str]]]
"""Atoms that begin and atoms that end to hold at a tick; a tick may come twice in a row."""

NOTHING: list[str] = []
HOSTS, MOST, APART, SPAN = 2000, 10, 30, 40


def absence(source: Path) -> Changes:
    """Hosts that are known and were not heard of within 180 seconds, or not since the start."""
    span = 181
    latest: dict[int, int] = {}
    silent: set[int] = set()
    waiting: deque[tuple[int, int]] = deque()
    tick = 0

    def due(before: int) -> Changes:
        while waiting and waiting[0][0] + span < before:
            heard, host = waiting.popleft()
            if latest[host] == heard:
                silent.add(host)
                yield heard + span, [f"silent({host})"], NOTHING

    for tick, record in _records(source):
        if not latest:
            latest = dict.fromkeys(range(HOSTS), tick - 1)
            waiting.extend((tick - 1, host) for host in latest)
        yield from due(tick)
        host = record["host"]
        latest[host] = tick
        waiting.append((tick, host))
        if host in silent:
            silent.remove(host)
            yield tick, NOTHING, [f"silent({host})"]
    yield from due(tick + 1)


def topten(source: Path) -> Changes:
    """The ten items that each shop sold most often within ten minutes."""
    span = 10
    arrived: deque[tuple[int, list[tuple[int, int]]]] = deque()
    totals: defaultdict[int, Counter[int]] = defaultdict(Counter)
    top: defaultdict[int, set[int]] = defaultdict(set)

    def moved(tick: int, sales: list[tuple[int, int]]) -> Changes:
        gone = arrived.popleft()[1] if arrived and arrived[0][0] + span == tick else []
        for shop, item in gone:
            total = totals[shop]
            total[item] -= 1
            if not total[item]:
                del total[item]
        for shop, item in sales:
            totals[shop][item] += 1
        began, ended = [], []
        for shop in {shop for shop, _ in gone} | {shop for shop, _ in sales}:
            total, before = totals[shop], top[shop]
            now = top[shop] = {*nlargest(MOST, total, key=lambda item: (total[item], item))}
            began += [f"top({shop},{item})" for item in now - before]
            ended += [f"top({shop},{item})" for item in before - now]
        if began or ended:
            yield tick, began, ended

    minutes = ((tick // 60, record) for tick, record in _records(source))
    for tick, records in groupby(minutes, itemgetter(0)):
        sales = [(record["shop"], record["item"]) for _, record in records]
        while arrived and arrived[0][0] + span < tick:
            yield from moved(arrived[0][0] + span, [])
        yield from moved(tick, sales)
        arrived.append((tick, sales))


def sessions(source: Path) -> Changes:
    """Visits that are over: the first and the last click, and how many there were."""
    visits: dict[int, tuple[int, int, int]] = {}
    waiting: deque[tuple[int, int]] = deque()
    tick = 0

    def due(before: int) -> Changes:
        while waiting and waiting[0][0] + APART < before:
            clicked, user = waiting.popleft()
            begin, end, number = visits[user]
            if end == clicked:
                del visits[user]
                visit = [f"visit({user},{begin},{end},{number})"]
                yield end + APART, visit, NOTHING
                yield end + APART + 1, NOTHING, visit

    for second, record in _records(source):
        tick, user = second // 60, record["user"]
        yield from due(tick)
        begin, _, number = visits.get(user, (tick, tick, 0))
        visits[user] = begin, tick, number + 1
        waiting.append((tick, user))
    yield from due(tick + 1)


def closure(source: Path) -> Changes:
    """The pairs of nodes of which one is reached from the other over the links of 40 seconds."""
    arrived: deque[tuple[int, list[tuple[int, int]]]] = deque()
    seen: Counter[tuple[int, int]] = Counter()
    paths: set[tuple[int, int]] = set()

    def moved(tick: int, links: list[tuple[int, int]]) -> Changes:
        nonlocal paths
        if arrived and arrived[0][0] + SPAN == tick:
            for link in arrived.popleft()[1]:
                seen[link] -= 1
                if not seen[link]:
                    del seen[link]
        seen.update(links)
        now = _reachable(seen)
        began = [f"path({one},{other})" for one, other in now - paths]
        ended = [f"path({one},{other})" for one, other in paths - now]
        paths = now
        if began or ended:
            yield tick, began, ended

    for tick, records in groupby(_records(source), itemgetter(0)):
        links = [(record["from"], record["to"]) for _, record in records]
        while arrived and arrived[0][0] + SPAN < tick:
            yield from moved(arrived[0][0] + SPAN, [])
        yield from moved(tick, links)
        arrived.append((tick, links))


def _reachable(links: Counter[tuple[int, int]]) -> set[tuple[int, int]]:
    """By a search from every node."""
    next_to: defaultdict[int, list[int]] = defaultdict(list)
    for one, other in links:
        next_to[one].append(other)
    found: set[tuple[int, int]] = set()
    for begin in [*next_to]:
        reached: set[int] = set()
        going = [begin]
        while going:
            for node in next_to.get(going.pop(), ()):
                if node not in reached:
                    reached.add(node)
                    going.append(node)
        found.update((begin, node) for node in reached)
    return found


def _records(source: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with source.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            yield int(datetime.fromisoformat(record["ts"]).timestamp()), record
