"""The alerts of fraud.lars in plain Python, written for these rules alone; to hold the rules to."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from examples.fraud.payments import Fact, Payment

MINUTE, HOUR, DAY = 60, 3600, 86_400
MOST, TIMES, CARDS = 5, 5, 4
NEIGHBOURS = {frozenset({"AT", "DE"}), frozenset({"AT", "IT"})}
BLOCKED = frozenset({"c13"})
TRUSTED = frozenset({"canteen"})

Alerts = set[tuple[str, str]]
"""Pairs of card and reason."""


def alerts(payments: Iterable[Payment], most: int = MOST) -> Iterator[tuple[int, Alerts]]:
    """The seconds since 1970 at which there are payments, and the alerts then.

    Args:
        payments: the payments, in the order of time.
        most: the most payments of a card in ten minutes.
    """
    ledger = _Ledger(most)
    for time, some in groupby(payments, lambda one: int(one.time.timestamp())):
        yield time, ledger.take(time, {one.fact for one in some})


def changes(payments: Iterable[Payment], most: int = MOST) -> Iterator[tuple[int, Alerts]]:
    """The seconds at which there are other alerts than a second before, and these."""
    last, before = 0, Alerts()
    for time, found in alerts(payments, most):
        if before and time > last + 1:
            yield last + 1, set()
            before = set()
        if found != before:
            yield time, found
        last, before = time, found


class _Ledger:
    """What is known of cards and merchants."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._asked: dict[str, list[tuple[int, Fact]]] = defaultdict(list)
        """By cards the payments of 400 days, with their times."""
        self._at: dict[str, list[tuple[int, str]]] = defaultdict(list)
        """By merchants the cards of a minute."""

    def take(self, time: int, facts: set[Fact]) -> Alerts:
        """The alerts at a second at which there are payments."""
        for card in {fact[0] for fact in facts}:
            known = self._asked[card]
            while known and known[0][0] < time - 400 * DAY:
                del known[0]
        for fact in facts:
            self._asked[fact[0]].append((time, fact))
            if fact[4] == "approved":
                guests = self._at[fact[2]] = [one for one in self._at[fact[2]] if one[0] >= time - MINUTE]
                guests.append((time, fact[0]))
        found: Alerts = set()
        for card in {fact[0] for fact in facts}:
            own = [fact for fact in facts if fact[0] == card]
            reasons = set(self._reasons(time, card, own))
            if any(merchant in TRUSTED for _, _, merchant, _, _ in own):
                reasons &= {"blocked"}
            found |= {(card, reason) for reason in reasons}
        return found

    def _reasons(self, time: int, card: str, own: Sequence[Fact]) -> Iterator[str]:
        past = list(self._asked[card])
        recent = [(then, fact) for then, fact in past if then >= time - 10 * MINUTE]
        if len({(then, merchant, cents) for then, (_, cents, merchant, _, _) in recent}) > self._most:
            yield "velocity"
        where = {fact[3] for then, fact in past if then >= time - HOUR}
        if any(
            here != there and frozenset({here, there}) not in NEIGHBOURS
            for here in {fact[3] for fact in own}
            for there in where
        ):
            yield "travel"
        paid = [fact for fact in own if fact[4] == "approved"]
        declined = {then for then, fact in recent if fact[4] == "declined" and then < time}
        if paid and len(declined) >= 3:
            yield "tried"
        before = [then for then, _ in past if then < time]
        if before and before[-1] < time - 90 * DAY:
            yield "dormant"
        month = {
            (then, merchant, cents)
            for then, (_, cents, merchant, _, outcome) in past
            if outcome == "approved" and time - 30 * DAY <= then < time
        }
        total = sum(cents for _, _, cents in month)
        if len(month) >= 3 and any(cents * len(month) > TIMES * total for _, cents, _, _, _ in paid):
            yield "amount"
        if any(len({guest for _, guest in self._at[merchant]}) >= CARDS for _, _, merchant, _, _ in paid):
            yield "crowd"
        if card in BLOCKED:
            yield "blocked"
