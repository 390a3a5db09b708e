"""Eight rules about fraud as a plain Python loop."""

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

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
        before: the tick of the one before it.
        noticed: the tick at which its holder gave notice of large payments.
    """

    month: deque[Payment] = field(default_factory=deque)
    total: int = 0
    latest: int | None = None
    before: int | None = None
    noticed: int | None = None

    def take(self, payment: Payment) -> None:
        """A payment more; those of more than 30 days ago are forgotten."""
        self.before, self.latest = self.latest, payment.tick
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
    for tick, records in groupby(_records(source), itemgetter(0)):
        payments = []
        for _, record in records:
            if "notice" in record:
                cards[record["notice"]].noticed = tick
            else:
                card, merchant = cards[record["card"]], merchants[record["merchant"]]
                card.take(Payment(tick, record["cents"], record["country"], record["status"] == "declined"))
                merchant.append(tick)
                payments.append((record, card, merchant))
        found = [
            f"{remark}({record['payment']})"
            for record, card, merchant in payments
            for remark in remarkable(tick, record, card, merchant)
        ]
        if found:
            yield tick, found, []
            yield tick + 1, [], found


def _records(source: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with source.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            yield int(datetime.fromisoformat(record["ts"]).timestamp()), record


def remarkable(tick: int, record: dict[str, Any], card: Card, merchant: deque[int]) -> Iterator[str]:
    """What is remarkable about a payment, when all of its tick have been taken."""
    cents, country = record["cents"], record["country"]
    while merchant[0] < tick - 5 * MINUTE:
        merchant.popleft()
    hour = [*card.within(tick - HOUR)]
    if len(hour) > 5:
        yield "velocity"
    if any(other.country != country for other in hour):
        yield "travel"
    if record["status"] == "ok":
        declined = sum(other.is_declined for other in card.within(tick - 10 * MINUTE))
        if declined >= 3:
            yield "probing"
    if cents >= 50_000 and card.before is not None and tick - card.before > 30 * DAY:
        yield "dormant"
    if len(card.month) >= 5 and cents * len(card.month) > 5 * card.total:
        yield "unusual"
    if len(merchant) >= 10:
        yield "burst"
    if record["merchant"] in LISTED:
        yield "listed"
    if cents >= 100_000 and (card.noticed is None or card.noticed < tick - 7 * DAY):
        yield "large"
