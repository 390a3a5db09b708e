"""Streams that several benchmarks have."""

import random
from collections.abc import Iterator, Sequence

from experiments.engine import Fact

FRESH_FOR = 250
"""Ticks for which constants do not come back: more than the windows have, and less than memory is full."""

Stream = Iterator[Sequence[Fact]]
"""The facts of tick after tick, without end."""


def fresh_pairs(facts: int) -> Stream:
    """Facts p(a,b) that are new in every window."""
    while True:
        for tick in range(FRESH_FOR):
            first = tick * facts
            yield [("p", first + i, i) for i in range(facts)]


def chain(facts: int) -> Stream:
    """Facts p(c0,c1), p(c1,c2), ... over constants that are new in every window."""
    while True:
        for tick in range(FRESH_FOR):
            first = tick * facts
            yield [("p", first + i, first + i + 1) for i in range(facts)]


def drawn(facts: int) -> Stream:
    """Facts p(x), drawn `facts` times from a third as many; those that are drawn twice are one."""
    choose = random.Random(3)
    while True:
        yield list(dict.fromkeys(("p", choose.randint(0, facts // 3 + 1)) for _ in range(facts)))
