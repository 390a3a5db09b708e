"""Streams that several benchmarks have."""

import random
from collections.abc import Iterator, Sequence

from experiments.engines.engine import Fact

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


def chain(facts: int, name: str = "p") -> Stream:
    """Facts p(c0,c1), p(c1,c2), ... over constants that are new in every window."""
    while True:
        for tick in range(FRESH_FOR):
            first = tick * facts
            yield [(name, first + i, first + i + 1) for i in range(facts)]


def chains(number: int, facts: int) -> Stream:
    """So many predicates `p0`, `p1`, ... with a chain each, of so many facts a tick."""
    for each in zip(*[chain(facts, f"p{one}") for one in range(number)], strict=True):
        yield [fact for told in each for fact in told]


def lasting(facts: int, least: int, most: int) -> Stream:
    """So many facts p(a,b) at each tick, each there for so many ticks before another takes its place."""
    choose = random.Random(3)
    left = [choose.randint(1, most) for _ in range(facts)]
    told: list[Fact] = [("p", i, 0) for i in range(facts)]
    while True:
        yield list(told)
        for i in range(facts):
            left[i] -= 1
            if not left[i]:
                left[i] = choose.randint(least, most)
                told[i] = ("p", i, (told[i][2] + 1) % FRESH_FOR)
