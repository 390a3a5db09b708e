"""Eight rules about fraud as a plain Python loop."""

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import orjson

MINUTE, HOUR, DAY = 60, 3600, 86_400
LISTED = frozenset({"m3", "m17", "m40"})


class Payment(NamedTuple):
    """A payment of a card, as its history has it."""

    tick: int
    cents: int
    country: str
    is_declined: bool


@dataclass
class Card:
    """What is known of a card.

    Attributes:
        month: its payments of the last 30 days.
        total: the cents of these.
        latest: the tick of its last payment.
        noticed: the tick at which its holder gave notice of large payments.
    """

    month: deque[Payment] = field(default_factory=deque)
    total: int = 0
    latest: int | None = None
    noticed: int | None = None

    def take(self, payment: Payment) -> None:
        """A payment more; those of more than 30 days ago are forgotten."""
        self.month.append(payment)
        self.total += payment.cents
        while self.month[0].tick < payment.tick - 30 * DAY:
            self.total -= self.month.popleft().cents

    def within(self, since: int) -> Iterator[Payment]:
        """Its payments since a tick, the last one first."""
        for payment in reversed(self.month):
            if payment.tick < since:
                return
            yield payment


def fraud(source: Path) -> Iterator[tuple[int, list[str], list[str]]]:
    """What is remarkable about payments, each at its tick alone."""
    cards: defaultdict[str, Card] = defaultdict(Card)
    merchants: defaultdict[str, deque[int]] = defaultdict(deque)
    found: list[str] = []
    last = 0
    with source.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            tick = int(datetime.fromisoformat(record["ts"]).timestamp())
            if found and tick > last:
                yield last, found, []
                yield last + 1, [], found
                found = []
            last = tick
            if "notice" in record:
                cards[record["notice"]].noticed = tick
            else:
                remarks = remarkable(tick, record, cards[record["card"]], merchants[record["merchant"]])
                found += [f"{remark}({record['payment']})" for remark in remarks]
    if found:
        yield last, found, []


def remarkable(tick: int, record: dict[str, str | int], card: Card, merchant: deque[int]) -> Iterator[str]:
    """What is remarkable about a payment; takes it into what is known of its card and its merchant."""
    cents, country, is_declined = int(record["cents"]), str(record["country"]), record["status"] == "declined"
    before, card.latest = card.latest, tick
    card.take(Payment(tick, cents, country, is_declined))
    merchant.append(tick)
    while merchant[0] < tick - 5 * MINUTE:
        merchant.popleft()
    hour = [*card.within(tick - HOUR)]
    if len(hour) > 5:
        yield "velocity"
    if any(other.country != country for other in hour):
        yield "travel"
    if not is_declined:
        declined = sum(other.is_declined for other in card.within(tick - 10 * MINUTE))
        if declined >= 3:
            yield "probing"
    if cents >= 50_000 and before is not None and tick - before > 30 * DAY:
        yield "dormant"
    if len(card.month) >= 5 and cents * len(card.month) > 5 * card.total:
        yield "unusual"
    if len(merchant) >= 10:
        yield "burst"
    if record["merchant"] in LISTED:
        yield "listed"
    if cents >= 100_000 and (card.noticed is None or card.noticed < tick - 7 * DAY):
        yield "large"
