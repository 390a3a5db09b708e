"""Aggregates over windows by group: a fact costs the same, whatever the window."""

from collections.abc import Iterator, Sequence
from functools import partial

from experiments.path.group import Figures, Found, Group, Line, some
from experiments.path.steps import ProductFact, Steps

A_TICK = 800
AIRPORTS = 40
WINDOWS = (10, 100, 1000)
MOST = 3.0
"""Microseconds a fact."""

TICKS = 100
PROGRAMS = {
    "count": "busy(A) :- airport(A), #count { F : left(A,F,_) in [{n}] } >= 20.",
    "sum": "late(A) :- airport(A), #sum { D,F : left(A,F,D) in [{n}] } >= 1000.",
    "min": "least(A,M) :- airport(A), M = #min { D,F : left(A,F,D) in [{n}] }, M < #sup.",
    "max": "most(A,M) :- airport(A), M = #max { D,F : left(A,F,D) in [{n}] }, M > #inf.",
}
US, BY_CLINGO = "us", "components that clingo evaluates"


def groups() -> Sequence[Group]:
    """A group for each function."""
    return [
        Group(
            function,
            {str(n): partial(_measure, function, n) for n in WINDOWS},
            partial(_lines, function),
        )
        for function in PROGRAMS
    ]


def _measure(function: str, n: int, scale: float) -> Figures:
    window = some(n, scale)
    program = PROGRAMS[function].replace("{n}", str(window))
    steps, stream = Steps(f"{program} airport(0..{AIRPORTS - 1})."), _departures()
    steps.warm_up(stream, window + 10)
    return {US: steps.timed(stream, some(TICKS, scale)) / A_TICK, BY_CLINGO: steps.by_clingo}


def _departures() -> Iterator[list[ProductFact]]:
    """Fresh flights, each with a delay that changes from one to the next."""
    flight = 0
    while True:
        flights = range(flight, flight + A_TICK)
        yield [("left", i % AIRPORTS, i, i * 7919 % 241) for i in flights]
        flight += A_TICK


def _lines(function: str, found: Found) -> Sequence[Line]:
    times = {n: found[str(n)][US] for n in WINDOWS}
    first, last = times[WINDOWS[0]], times[WINDOWS[-1]]
    lines = [
        Line(f"{function} by group in [{n}]", time, "us a fact", MOST, _beside(found[str(n)]))
        for n, time in times.items()
    ]
    return [*lines, Line(f"{function}, last over first", last / first, "times", 1.2)]


def _beside(figures: Figures) -> str:
    by_clingo = round(figures[BY_CLINGO])
    return f"{by_clingo} components need clingo" if by_clingo else ""
