"""Ticks with little in them: the flights, a tick at which nothing happens, a tick of one fact."""

from collections.abc import Sequence
from itertools import count, repeat

from experiments.benchmarks.flights import DAY, WINDOW, flights, program
from experiments.path.group import Figures, Found, Group, Line, some
from experiments.path.steps import Steps, as_product

DAYS = 7
TICKS = 20_000
HELD = 800
US, BY_CLINGO = "us", "components that clingo evaluates"


def groups() -> Sequence[Group]:
    """Three groups."""
    return [
        Group("flights", {"auto": _flights}, _lines_of_flights),
        Group("idle", {"auto": _idle}, lambda found: [_line(found, "a tick at which nothing happens", 5)]),
        Group("one fact", {"auto": _one_fact}, lambda found: [_line(found, "a tick of one fact", 30)]),
    ]


def _flights(scale: float) -> Figures:
    steps, stream = Steps(program()), iter(as_product(flights(DAYS)))
    steps.warm_up(stream, WINDOW)
    time = steps.timed(stream, some(DAYS * DAY - WINDOW, scale))
    return {US: time, BY_CLINGO: steps.by_clingo}


def _idle(scale: float) -> Figures:
    """Facts are held, and none begins or ends."""
    steps = Steps(f"q(X,Y) :- p(X,Y) in [{10 * TICKS}].")
    steps.warm_up([[("p", i, i) for i in range(HELD)], *[[]] * 100], 101)
    return {US: steps.timed(repeat([]), some(TICKS, scale))}


def _one_fact(scale: float) -> Figures:
    """One fact begins and one ends to hold."""
    steps, stream = Steps("q(X,Y) :- p(X,Y) in [80]."), ([("p", i, i)] for i in count())
    steps.warm_up(stream, 100)
    return {US: steps.timed(stream, some(TICKS, scale))}


def _line(found: Found, what: str, most: float) -> Line:
    return Line(what, found["auto"][US], "us", most)


def _lines_of_flights(found: Found) -> Sequence[Line]:
    by_clingo = round(found["auto"][BY_CLINGO])
    beside = f"{by_clingo} components need clingo"
    return [Line("flights, 7 days", found["auto"][US], "us a tick", 100, beside)]
