"""A program of every kind of rule, and a stream with records that come late, too late or broken."""

import json
import random
from collections.abc import Iterator

PROGRAM = """
hot(R) :- temp(R,V) in [3], V > 80.
heating(R) :- on(R) always in [20].
busy(R,N) :- temp(R,_) count N in [15], N > 3.
check(R) at T+40 :- temp(R,V) at T in [2], V > 97.
quiet(R) :- room(R), not temp(R,_) in [12].
1 { guard(R,G) : guard(G) } 1 :- check(R).
tired(G) :- guard(_,G) in [10], guard(G), not guard(_,G).
last(R) :- temp(R,_) in [5 #].
alarm(R) :- hot(R), heating(R), not alarm(R) in {1,2,3}.
room(1..9). guard(a;b;c).
"""


def lines(ticks: int, seed: int) -> Iterator[str]:
    """The records, some of them late, too late or broken."""
    choose = random.Random(seed)
    opened: set[int] = set()
    tick = 0
    while tick < ticks:
        record: dict[str, object] = {"time": max(0, tick - choose.choice([0, 0, 0, 1, 3, 6]))}
        record["facts"] = [
            f"temp({choose.randint(1, 9)},{choose.randint(40, 99)})" for _ in range(choose.randint(0, 2))
        ]
        room = choose.randint(1, 9)
        if choose.random() < 0.05:
            record = {"time": tick, "end" if room in opened else "begin": [f"on({room})"]}
            opened ^= {room}
        line = json.dumps(record)
        yield line[: choose.randint(1, 20)] if choose.random() < 0.01 else line
        tick += choose.choice([0, 1, 1, 1, 2, 25]) if choose.random() < 0.9 else 1
