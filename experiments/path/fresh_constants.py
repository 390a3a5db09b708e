"""Facts with constants never seen before, in one process: memory and time early and late."""

from collections.abc import Iterator, Sequence

from experiments.path.group import Figures, Found, Group, Line, some
from experiments.path.steps import ProductFact, Steps, resident
from lars2asp import constant

FACTS = 5_000_000
A_TICK = 800
PROGRAM = "q(X,Y) :- p(X,Y) in [10]."
SHARES = (10, 50, 100)
"""Per cent of the facts."""

MIB, US = "MiB at {}", "us at {}"
RATIO = 1.1
"""What the end may take over the first tenth."""


def groups() -> Sequence[Group]:
    """One group."""
    return [Group("facts", {"auto": _measure}, _lines)]


def _measure(scale: float) -> Figures:
    steps, stream = Steps(PROGRAM), _fresh()
    ticks = some(FACTS // A_TICK, scale, 100)
    timed = ticks // 20
    found: dict[str, float] = {}
    done = 0
    for share in SHARES:
        end = ticks * share // 100
        steps.timed(stream, end - timed - done)
        found[US.format(share)] = steps.timed(stream, timed) / A_TICK
        found[MIB.format(share)] = resident() / 2**20
        done = end
    return found


def _fresh() -> Iterator[list[ProductFact]]:
    number = 0
    while True:
        yield [("p", constant(f"c{i}"), i % A_TICK) for i in range(number, number + A_TICK)]
        number += A_TICK


def _lines(found: Found) -> Sequence[Line]:
    return [
        _line(found["auto"], MIB, "memory of the process"),
        _line(found["auto"], US, "time a fact"),
    ]


def _line(figures: Figures, name: str, what: str) -> Line:
    values = [figures[name.format(share)] for share in SHARES]
    unit = name.partition(" ")[0]
    beside = ", ".join(f"{share} % {value:.3g} {unit}" for share, value in zip(SHARES, values, strict=True))
    return Line(
        f"{FACTS:,} facts, {what}, end over first tenth", values[-1] / values[0], "times", RATIO, beside
    )
