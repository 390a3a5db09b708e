"""Windows from 10 to 10,000 ticks: time a fact, and memory for each fact that is held."""

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count

from experiments.path.group import Figures, Found, Group, Line, some
from experiments.path.steps import ProductFact, Steps, resident

A_TICK = 100
WINDOWS = (10, 100, 1000, 10_000)
TICKS = 1000
RATIO, BYTES = 1.2, 250
"""What the last window may take over the first, and bytes for each fact that is held."""

US, HELD = "us", "bytes"


def _fresh_pairs() -> Iterator[list[ProductFact]]:
    return ([("p", i, i % A_TICK) for i in _numbers(tick)] for tick in count())


def _chain() -> Iterator[list[ProductFact]]:
    return ([("p", i, i + 1) for i in _numbers(tick)] for tick in count())


def _numbers(tick: int) -> range:
    return range(tick * A_TICK, (tick + 1) * A_TICK)


WORKS: dict[str, tuple[str, Callable[[], Iterator[list[ProductFact]]]]] = {
    "diamond": ("q(X,Y) :- p(X,Y) in [{n}].", _fresh_pairs),
    "join": ("q(X,Z) :- p(X,Y) in [{n}], p(Y,Z) in [{n}].", _chain),
}
"""Programs and their streams."""


def groups() -> Sequence[Group]:
    """A group for each program."""
    return [
        Group(name, {str(n): partial(_measure, name, n) for n in WINDOWS}, partial(_lines, name))
        for name in WORKS
    ]


def _measure(name: str, n: int, scale: float) -> Figures:
    program, make = WORKS[name]
    window = some(n, scale)
    steps, stream = Steps(program.format(n=window)), make()
    steps.warm_up(stream, 1)
    gc.collect()
    before = resident()
    steps.warm_up(stream, window + 10)
    held = (resident() - before) / ((window + 1) * A_TICK)
    return {US: steps.timed(stream, some(TICKS, scale)) / A_TICK, HELD: held}


def _lines(name: str, found: Found) -> Sequence[Line]:
    times = [found[str(n)][US] for n in WINDOWS]
    beside = ", ".join(f"[{n}] {time:.3g} us" for n, time in zip(WINDOWS, times, strict=True))
    last = WINDOWS[-1]
    return [
        Line(f"{name}, [{last}] over [{WINDOWS[0]}]", times[-1] / times[0], "times", RATIO, beside),
        Line(f"{name}, memory a fact held in [{last}]", found[str(last)][HELD], "bytes", BYTES),
    ]
