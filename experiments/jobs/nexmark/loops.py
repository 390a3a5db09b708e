"""The queries as plain Python loops: events in, intervals of answers out.

python -m experiments.jobs.nexmark.loops QUERY INPUT OUTPUT
"""

import csv
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from heapq import nlargest
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson

Event = tuple[int, dict[str, Any]]
"""A tick, and what happened."""

Pieces = Iterator[tuple[int, int | str, str]]
"""The first tick at which an atom holds, the last one (empty: to the end), the atom."""

NEAR = frozenset({"OR", "ID", "CA"})
LONGEST, GAP = 20, 10


def q0(events: Iterable[Event]) -> Pieces:
    """All bids."""
    for tick, bid in _bids(events):
        yield tick, tick, f"q0({bid['bid']},{bid['on']},{bid['bidder']},{bid['price']})"


def q1(events: Iterable[Event]) -> Pieces:
    """Prices in euros."""
    for tick, bid in _bids(events):
        yield tick, tick, f"q1({bid['bid']},{bid['on']},{bid['bidder']},{bid['price'] * 908 // 1000})"


def q2(events: Iterable[Event]) -> Pieces:
    """Bids on some auctions."""
    for tick, bid in _bids(events):
        if bid["on"] % 123 == 0:
            yield tick, tick, f"q2({bid['bid']},{bid['on']},{bid['price']})"


def q3(events: Iterable[Event]) -> Pieces:
    """Auctions of a category by persons of three states."""
    persons: dict[int, dict[str, Any]] = {}
    for tick, event in events:
        if "person" in event:
            persons[event["person"]] = event
        elif "auction" in event and event["category"] == 10:
            by = persons.get(event["seller"])
            if by is not None and by["state"] in NEAR:
                texts = f'"{by["name"]}","{by["city"]}","{by["state"]}"'
                yield tick, tick, f"q3({event['seller']},{texts},{event['auction']})"


def q4(events: Iterable[Event]) -> Pieces:
    """Average price by category, of auctions that were over within a minute."""
    changes: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    """By categories and ticks: what is added to the sum, and to the number."""
    for tick, auction, winner in _won(events):
        for at, sign in ((tick, 1), (tick + 61, -1)):
            change = changes[auction["category"]][at]
            change[0] += sign * winner["price"]
            change[1] += sign
    for category, by_ticks in changes.items():
        total = number = 0
        ticks = sorted(by_ticks)
        for tick, following in zip(ticks, [*ticks[1:], ticks[-1] + 1], strict=True):
            total += by_ticks[tick][0]
            number += by_ticks[tick][1]
            if number:
                yield tick, following - 1, f"q4({category},{total // number})"


def q5(events: Iterable[Event]) -> Pieces:
    """Auctions with the most bids of ten seconds, every two seconds."""
    recent: deque[tuple[int, Counter[int]]] = deque()
    numbers: Counter[int] = Counter()
    following = 0

    def steps(until: int) -> Pieces:
        """What holds from the even ticks before a tick on, and at it."""
        nonlocal following
        while following <= until:
            while recent and recent[0][0] < following - 10:
                numbers.subtract(recent.popleft()[1])
            most = max(numbers.values(), default=0)
            if most:
                for auction, number in numbers.items():
                    if number == most:
                        yield following, following + 1, f"q5({auction},{number})"
            following += 2

    tick = 0
    for tick, bids in groupby(_bids(events), lambda event: event[0]):
        following = following or tick + tick % 2
        yield from steps(tick)
        counted = Counter(bid["on"] for _, bid in bids)
        recent.append((tick, counted))
        numbers.update(counted)
    yield from steps(tick)


def q7(events: Iterable[Event]) -> Pieces:
    """The highest bids of ten seconds."""
    for end, bids in _blocks(_bids(events), 10):
        highest = max(bid["price"] for bid in bids)
        for bid in bids:
            if bid["price"] == highest:
                yield end, end + 9, f"q7({bid['bid']},{bid['on']},{highest})"


def q8(events: Iterable[Event]) -> Pieces:
    """New persons who opened auctions in the same ten seconds."""
    for end, some in _blocks(events, 10):
        sellers = {event["seller"] for event in some if "auction" in event}
        for event in some:
            if "person" in event and event["person"] in sellers:
                yield end, end + 9, f'q8({event["person"]},"{event["name"]}")'


def q9(events: Iterable[Event]) -> Pieces:
    """The bids that win."""
    for tick, auction, winner in _won(events):
        number = auction["auction"]
        yield tick, tick, f"q9({number},{winner['bid']},{winner['bidder']},{winner['price']})"


def q11(events: Iterable[Event]) -> Pieces:
    """How often somebody bids before ten seconds without a bid."""
    sessions: dict[int, tuple[int, int, int]] = {}
    for tick, bid in _bids(events):
        bidder = bid["bidder"]
        first, last, number = sessions.get(bidder, (tick, tick, 0))
        if last + GAP < tick:
            yield last + GAP, last + GAP, f"q11({bidder},{first},{last},{number})"
            first, number = tick, 0
        sessions[bidder] = first, tick, number + 1
    for bidder, (first, last, number) in sessions.items():
        yield last + GAP, last + GAP, f"q11({bidder},{first},{last},{number})"


def q13(events: Iterable[Event]) -> Pieces:
    """Bids with what a table says."""
    side = {number: f"s{number}" for number in range(10)}
    for tick, bid in _bids(events):
        value = side.get(bid["on"] % 20)
        if value is not None:
            yield tick, tick, f'q13({bid["bid"]},{bid["on"]},{bid["bidder"]},{bid["price"]},"{value}")'


def q15(events: Iterable[Event]) -> Pieces:
    """Bids, bidders and auctions of a minute, by ranks of prices."""
    for end, bids in _blocks(_bids(events), 60):
        low = sum(bid["price"] < 10_000 for bid in bids)
        high = sum(bid["price"] >= 1_000_000 for bid in bids)
        ranks = f"{low},{len(bids) - low - high},{high}"
        yield end, end + 59, f"q15({len(bids)},{ranks},{_different(bids, 'bidder')},{_different(bids, 'on')})"


def q16(events: Iterable[Event]) -> Pieces:
    """Bids, bidders and auctions of a minute, by channels."""
    for end, bids in _blocks(_bids(events), 60):
        for channel, some in _grouped(bids, "channel").items():
            numbers = f"{len(some)},{_different(some, 'bidder')},{_different(some, 'on')}"
            yield end, end + 59, f'q16("{channel}",{numbers})'


def q17(events: Iterable[Event]) -> Pieces:
    """Bids of a minute, by auctions: number, least, greatest, average and sum of prices."""
    for end, bids in _blocks(_bids(events), 60):
        for auction, some in _grouped(bids, "on").items():
            prices = [bid["price"] for bid in some]
            total = sum(prices)
            numbers = f"{len(prices)},{min(prices)},{max(prices)},{total // len(prices)},{total}"
            yield end, end + 59, f"q17({auction},{numbers})"


def q18(events: Iterable[Event]) -> Pieces:
    """The last bid of each bidder on each auction."""
    latest: dict[tuple[int, int], tuple[int, str]] = {}
    for tick, bid in _bids(events):
        key = bid["on"], bid["bidder"]
        before = latest.get(key)
        if before is not None:
            yield before[0], tick - 1, before[1]
        latest[key] = tick, f"q18({bid['bid']},{bid['on']},{bid['bidder']},{bid['price']})"
    for tick, atom in latest.values():
        yield tick, "", atom


def q19(events: Iterable[Event]) -> Pieces:
    """The ten highest bids on each auction, of twenty seconds."""
    for auction, bids in _by_auction(events).items():
        ticks = sorted({*bids} | {tick + LONGEST + 1 for tick in bids})
        recent: deque[tuple[int, list[tuple[int, int]]]] = deque()
        for tick, following in zip(ticks, [*ticks[1:], ticks[-1]], strict=True):
            while recent and recent[0][0] < tick - LONGEST:
                recent.popleft()
            if tick in bids:
                recent.append((tick, bids[tick]))
            for price, number in nlargest(10, (bid for _, some in recent for bid in some)):
                yield tick, following - 1, f"q19({auction},{number},{price})"


def q20(events: Iterable[Event]) -> Pieces:
    """Bids with their auctions, of a category."""
    sellers: dict[int, int] = {}
    for tick, some in groupby(events, lambda event: event[0]):
        held = [event for _, event in some]
        sellers.update((event["auction"], event["seller"]) for event in held if event.get("category") == 10)
        for bid in held:
            if "bid" in bid and bid["on"] in sellers:
                numbers = f"{bid['bid']},{bid['on']},{bid['bidder']},{bid['price']},{sellers[bid['on']]}"
                yield tick, tick, f"q20({numbers})"


def _bids(events: Iterable[Event]) -> Iterator[Event]:
    return (event for event in events if "bid" in event[1])


def _won(events: Iterable[Event]) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """Auctions when they are over, with the bids that win: the first of the highest."""
    open_ones: dict[int, dict[str, Any]] = {}
    best: dict[int, dict[str, Any]] = {}
    ending: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for tick, some in groupby(events, lambda event: event[0]):
        for _, event in some:
            if "auction" in event:
                open_ones[event["auction"]] = event
                ending[event["expires"]].append(event)
            elif "bid" in event and event["on"] in open_ones:
                before = best.get(event["on"])
                if before is None or event["price"] > before["price"]:
                    best[event["on"]] = event
        for auction in ending.pop(tick, ()):
            del open_ones[auction["auction"]]
            winner = best.pop(auction["auction"], None)
            if winner is not None:
                yield tick, auction, winner


def _blocks(events: Iterable[Event], span: int) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """What happened in blocks of ticks, each with its last tick."""
    for block, some in groupby(events, lambda event: event[0] // span):
        yield block * span + span - 1, [event for _, event in some]


def _grouped(events: Iterable[dict[str, Any]], column: str) -> Mapping[Any, list[dict[str, Any]]]:
    found: defaultdict[Any, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        found[event[column]].append(event)
    return found


def _different(events: Iterable[dict[str, Any]], column: str) -> int:
    return len({event[column] for event in events})


def _by_auction(events: Iterable[Event]) -> Mapping[int, Mapping[int, list[tuple[int, int]]]]:
    """By auctions and ticks: prices and numbers of bids."""
    found: defaultdict[int, defaultdict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for tick, bid in _bids(events):
        found[bid["on"]][tick].append((bid["price"], bid["bid"]))
    return found


LOOPS: Mapping[str, Callable[[Iterable[Event]], Pieces]] = {
    "q0": q0,
    "q1": q1,
    "q2": q2,
    "q3": q3,
    "q4": q4,
    "q5": q5,
    "q7": q7,
    "q8": q8,
    "q9": q9,
    "q11": q11,
    "q13": q13,
    "q15": q15,
    "q16": q16,
    "q17": q17,
    "q18": q18,
    "q19": q19,
    "q20": q20,
}
"""By the names of queries."""


def read(source: Path) -> Iterator[Event]:
    """The events of a file."""
    with source.open("rb") as lines:
        for line in lines:
            event = orjson.loads(line)
            yield int(datetime.fromisoformat(event["ts"]).timestamp()), event


if __name__ == "__main__":
    _, name, read_from, written_to = sys.argv
    with Path(written_to).open("w", newline="") as table:
        csv.writer(table).writerows(LOOPS[name](read(Path(read_from))))
