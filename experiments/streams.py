"""Streams that several benchmarks have."""

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


def the_same(facts: int) -> Stream:
    """The same facts at every tick."""
    told = [("p", i, i) for i in range(facts)]
    while True:
        yield told
