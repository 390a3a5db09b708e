"""Made-up payments: everyday ones, with what the rules look for now and then."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import NamedTuple

BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
COLUMNS = ("time", "card", "amount", "merchant", "country", "outcome")

_COUNTRIES = ("AT", "DE", "IT", "FR", "US")
_MERCHANTS = ("canteen", *(f"m{number}" for number in range(1, 300)))
_EVERY = timedelta(minutes=2)
"""Between two payments, on average."""


Fact = tuple[str, int, str, str, str]
"""Card, cents, merchant, country, outcome."""


class Payment(NamedTuple):
    """A payment.

    Attributes:
        time: when, to the second.
        card: the card.
        cents: the amount.
        merchant: the merchant.
        country: of the merchant.
        outcome: `approved` or `declined`.
    """

    time: datetime
    card: str
    cents: int
    merchant: str
    country: str
    outcome: str

    @property
    def fact(self) -> Fact:
        """What it is but for its time."""
        return self.card, self.cents, self.merchant, self.country, self.outcome

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of its row."""
        time = f"{self.time:%Y-%m-%d %H:%M:%S}"
        amount = f"{self.cents // 100}.{self.cents % 100:02}"
        return time, self.card, amount, self.merchant, self.country, self.outcome


def payments(number: int, seed: int = 1) -> Iterator[Payment]:
    """So many payments, in the order of time; the same ones each time."""
    return _Shop(number, Random(seed)).payments()


class _Shop:
    """Who pays what.

    Args:
        number: how many payments there are.
        choose: makes the choices.
    """

    def __init__(self, number: int, choose: Random) -> None:
        self._number = number
        self._choose = choose
        self._cards = [f"c{card}" for card in range(max(20, number // 40))]
        self._asleep: set[str] = set()
        """Cards that are not used for now."""

    def payments(self) -> Iterator[Payment]:
        made: list[Payment] = []
        time = BEGIN
        while len(made) < self._number:
            time += timedelta(seconds=int(self._choose.expovariate(1 / _EVERY.total_seconds())))
            made += self._episode(time)
        made.sort(key=lambda one: one.time)
        yield from made[: self._number]

    def _episode(self, time: datetime) -> list[Payment]:
        choose = self._choose
        card = choose.choice(self._cards)
        if choose.random() < 0.02:
            self._asleep.symmetric_difference_update([card])
        if card in self._asleep:
            return []
        usual = self._payment(time, card)
        kind = choose.random()
        if kind < 0.003:  # many in a row
            return [self._payment(self._soon(time, 500), card) for _ in range(choose.randint(4, 9))]
        if kind < 0.006:  # refused until it works
            tries = [
                self._payment(self._soon(time, 300), card, "declined") for _ in range(choose.randint(2, 5))
            ]
            return [*tries, usual._replace(time=time + timedelta(seconds=choose.randint(200, 700)))]
        if kind < 0.009:  # a crowd at a merchant
            guests = choose.sample(self._cards, choose.randint(3, 6))
            return [
                self._payment(self._soon(time, 80), guest)._replace(merchant=usual.merchant)
                for guest in guests
            ]
        if kind < 0.014:  # abroad
            abroad = self._payment(self._soon(time, 5000), card)._replace(country=choose.choice(_COUNTRIES))
            return [usual, abroad]
        if kind < 0.02:  # much
            return [usual._replace(cents=usual.cents * choose.randint(3, 12))]
        return [usual]

    def _soon(self, time: datetime, seconds: int) -> datetime:
        return time + timedelta(seconds=self._choose.randint(0, seconds))

    def _payment(self, time: datetime, card: str, outcome: str = "") -> Payment:
        choose = self._choose
        cents = int(100 * choose.lognormvariate(3, 0.7))
        home = _COUNTRIES[int(card[1:]) % 3]
        refused = "declined" if choose.random() < 0.05 else "approved"
        return Payment(time, card, cents, choose.choice(_MERCHANTS), home, outcome or refused)
