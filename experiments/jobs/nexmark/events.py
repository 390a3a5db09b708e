"""Persons, auctions and bids, made with a fixed seed: of fifty events one, three and forty-six."""

import random
from collections.abc import Iterator
from pathlib import Path

from experiments.jobs.streams import BEGIN, stamp, write_lines

A_SECOND = 100
"""Events in a second."""

LONGEST = 20
"""Seconds for which an auction is open at most."""

STATES = ("OR", "ID", "CA", "WA", "AZ", "WY")
CITIES = ("Phoenix", "Palo Alto", "Seattle", "Boise", "Portland", "Bend")
CHANNELS = ("Google", "Facebook", "Baidu", "Apple")


def write(path: Path, rows: int) -> int:
    """Writes so many events, and gives the last tick."""
    write_lines(path, _events(rows))
    return BEGIN + (rows - 1) // A_SECOND


def _events(rows: int) -> Iterator[dict[str, object]]:
    choose = random.Random(11)
    persons = auctions = bids = 0
    for number in range(rows):
        tick = BEGIN + number // A_SECOND
        place = number % 50
        event: dict[str, object] = {"ts": stamp(tick)}
        if place == 0:
            where = choose.randrange(len(CITIES))
            event |= {"person": persons, "name": f"p{persons}", "city": CITIES[where]}
            event |= {"state": choose.choice(STATES)}
            persons += 1
        elif place <= 3:
            event |= {"auction": auctions, "seller": _recent(choose, persons, 50)}
            event |= {"category": choose.randrange(8, 13), "expires": tick + choose.randint(3, LONGEST)}
            auctions += 1
        else:
            hot = auctions - 1 - auctions % 20 if auctions > 20 else 0
            event |= {"bid": bids, "on": hot if choose.random() < 0.3 else _recent(choose, auctions, 100)}
            event |= {"bidder": _recent(choose, persons, 100)}
            event |= {"price": int(choose.lognormvariate(10, 2.5)) + 1, "channel": choose.choice(CHANNELS)}
            bids += 1
        yield event


def _recent(choose: random.Random, number: int, among: int) -> int:
    """One of the last ones."""
    return choose.randrange(max(0, number - among), number)
