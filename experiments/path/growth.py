"""Windows from 10 to 10,000 ticks: time a fact, and memory for each fact that is held.

Beside them a plain Python loop, whose dictionaries outgrow the processor's caches as well.
"""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count

from experiments.path.group import Figures, Found, Group, Line, some
from experiments.path.plain_loops import LOOPS
from experiments.path.steps import ProductFact, Steps, resident

A_TICK = 100
WINDOWS = (10, 100, 1000, 10_000)
TICKS = 1000
RATIO, BYTES = 1.2, 250
"""What the last window may take over the first, and bytes for each fact that is held."""

US, HELD = "us", "bytes"
LOOP = "plain loop {}"


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
    return [_group(name) for name in WORKS]


def _group(name: str) -> Group:
    measures = {str(n): partial(_measure, name, n) for n in WINDOWS}
    loops = {LOOP.format(n): partial(_measure_loop, name, n) for n in (WINDOWS[0], WINDOWS[-1])}
    return Group(name, measures | loops, partial(_lines, name))


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


def _measure_loop(name: str, n: int, scale: float) -> Figures:
    window, stream = some(n, scale), WORKS[name][1]()
    step, ticks = LOOPS[name](window), some(TICKS, scale)
    for tick in range(window + 10):
        step(tick, [(x, y) for _, x, y in next(stream)])
    spent = 0.0
    for tick in range(window + 10, window + 10 + ticks):
        rows = [(x, y) for _, x, y in next(stream)]
        began = time.process_time()
        step(tick, rows)
        spent += time.process_time() - began
    return {US: spent * 1e6 / (ticks * A_TICK)}


def _lines(name: str, found: Found) -> Sequence[Line]:
    times = [found[str(n)][US] for n in WINDOWS]
    beside = ", ".join(f"[{n}] {time:.3g} us" for n, time in zip(WINDOWS, times, strict=True))
    first, last = WINDOWS[0], WINDOWS[-1]
    loop = found[LOOP.format(last)][US] / found[LOOP.format(first)][US]
    beside += f"; plain loop {loop:.2g} times"
    return [
        Line(f"{name}, [{last}] over [{first}]", times[-1] / times[0], "times", RATIO, beside),
        Line(f"{name}, memory a fact held in [{last}]", found[str(last)][HELD], "bytes", BYTES),
    ]
