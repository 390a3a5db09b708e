"""Steps of a reasoner, timed by the CPU time of this process."""

import gc
import time
from collections.abc import Iterable, Sequence
from itertools import count, islice
from typing import Any

import psutil

from experiments.engine import Fact
from experiments.engines.product import product_fact
from lars2asp import Reasoner

ProductFact = tuple[Any, ...]


class Steps:
    """A reasoner that is handed the facts of tick after tick; changes are handed out as rows.

    Args:
        program: its text.
    """

    def __init__(self, program: str) -> None:
        self.reasoner = Reasoner.from_text(program)
        self._ticks = count()

    def warm_up(self, stream: Iterable[Sequence[ProductFact]], ticks: int) -> None:
        """Takes ticks that are not timed."""
        self.timed(stream, ticks)
        gc.collect()

    def timed(self, stream: Iterable[Sequence[ProductFact]], ticks: int) -> float:
        """Microseconds for each tick of some more, from `step` to changes."""
        step, clock, spent = self.reasoner.step, time.process_time_ns, 0
        for facts in islice(stream, ticks):
            tick = next(self._ticks)
            began = clock()
            changes = step(tick, facts).row_changes
            spent += clock() - began
            del changes
        return spent / 1000 / ticks

    @property
    def by_clingo(self) -> int:
        """The number of components that clingo evaluates."""
        return sum(one.evaluator != "delta" for one in self.reasoner.statistics.components)


def as_product(stream: Iterable[Sequence[Fact]]) -> Iterable[list[ProductFact]]:
    """The facts of a benchmark's stream as the product takes them."""
    return ([*map(product_fact, facts)] for facts in stream)


def resident() -> int:
    """The bytes of main memory that this process has."""
    return int(psutil.Process().memory_info().rss)
