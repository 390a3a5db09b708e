"""Eight rules about fraud over payments of cards, and their stream."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

from experiments.jobs.fraud_loop import DAY, HOUR, MINUTE
from experiments.jobs.job import Job
from experiments.jobs.streams import BEGIN, stamp

PROGRAM = """
#tick 1 sec.
#input payment(payment, card, cents, merchant, country, status) at ts.
#input notice(notice) at ts.

% more than five payments of a card within an hour
velocity(P) :- payment(P,C,_,_,_,_), #count { Q : payment(Q,C,_,_,_,_) in [1 hour] } > 5.
% in two countries within an hour
travel(P) :- payment(P,C,_,_,L,_), payment(_,C,_,_,K,_) in [1 hour], K != L.
% three that are declined, then one that is not
probing(P) :- payment(P,C,_,_,_,"ok"), #count { Q : payment(Q,C,_,_,_,"declined") in [10 min] } >= 3.
% nothing for 30 days, then a large one
dormant(P) :- payment(P,C,A,_,_,_) at N in [0], A >= 50000,
  payment(_,C,_,_,_,_) at T in [2 # by C], N-T > 2592000.
% more than five times the average of 30 days
unusual(P) :- payment(P,C,A,_,_,_), N = #count { Q : payment(Q,C,_,_,_,_) in [30 day] }, N >= 5,
  S = #sum { B,Q : payment(Q,C,B,_,_,_) in [30 day] }, A*N > 5*S.
% ten at a merchant within five minutes
burst(P) :- payment(P,_,_,M,_,_), #count { Q : payment(Q,_,_,M,_,_) in [5 min] } >= 10.
% at a merchant on a list
on_list("m3"). on_list("m17"). on_list("m40").
listed(P) :- payment(P,_,_,M,_,_), on_list(M).
% a very large one, without notice of the card's holder
large(P) :- payment(P,C,A,_,_,_), A >= 100000, not notice(C) in [7 day].
#show velocity/1. #show travel/1. #show probing/1. #show dormant/1.
#show unusual/1. #show burst/1. #show listed/1. #show large/1.
"""

CARDS, MERCHANTS, COUNTRIES = 500, 300, ("at", "de", "it", "us")
BETWEEN = 194
"""Seconds between two payments on average: 40,000 take 90 days."""


def payments(path: Path, rows: int) -> int:
    """Payments by chance, and a few of each kind that is remarkable; no card has two at a tick."""
    choose = random.Random(6)
    cards = max(20, min(CARDS, rows // 80))
    seconds = max(rows * BETWEEN, 90 * DAY)
    events: dict[tuple[int, str], dict[str, object]] = {}
    while len(events) < rows:
        tick, number = BEGIN + choose.randrange(seconds), choose.randrange(cards)
        is_rare = number % 10 == 0  # and then for something large
        if is_rare and choose.random() < 0.95:
            continue
        card = f"c{number}"
        if choose.random() < 0.01:
            events[tick, f"notice of {card}"] = {"notice": card}
        for later, changes in [(0, {"cents": 60_000})] if is_rare else _case(choose):
            on = changes.pop("card", card)
            usual: dict[str, object] = {
                "card": on,
                "cents": min(150_000, round(choose.lognormvariate(7.5, 1))),
                "merchant": f"m{choose.randrange(MERCHANTS)}",
                "country": COUNTRIES[number % 4],
                "status": "ok" if choose.random() < 0.97 else "declined",
            }
            events[tick + later, str(on)] = usual | changes
    kept = sorted(events.items(), key=lambda event: event[0])[:rows]
    with path.open("w") as file:
        for number, ((tick, _), event) in enumerate(kept):
            identity = {} if "notice" in event else {"payment": number}
            file.write(json.dumps({"ts": stamp(tick), **identity, **event}) + "\n")
    return kept[-1][0][0]


def _case(choose: random.Random) -> Sequence[tuple[int, dict[str, object]]]:
    """What happens at a time: seconds later, and what is not as usual."""
    match choose.random():
        case chance if chance < 0.004:
            return [(choose.randrange(HOUR), {}) for _ in range(7)]
        case chance if chance < 0.01:
            return [(0, {}), (choose.randrange(1, HOUR), {"country": choose.choice(COUNTRIES)})]
        case chance if chance < 0.014:
            declined: list[tuple[int, dict[str, object]]] = [
                (turn * MINUTE, {"status": "declined"}) for turn in range(3)
            ]
            return [*declined, (4 * MINUTE, {"status": "ok"})]
        case chance if chance < 0.03:
            return [(0, {"cents": choose.randrange(50_000, 200_000)})]
        case chance if chance < 0.032:
            merchant = f"m{choose.randrange(MERCHANTS)}"
            return [
                (choose.randrange(5 * MINUTE), {"merchant": merchant, "card": f"c{choose.randrange(CARDS)}"})
                for _ in range(12)
            ]
        case _:
            return [(0, {})]


FRAUD = Job("eight rules about fraud", PROGRAM, 40_000, ".jsonl", payments)
