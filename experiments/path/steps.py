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

AT_ONCE = 50
"""The facts of so many ticks are made at once: to read the clock takes half a microsecond."""


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
        """Microseconds for each tick of some more, from `step` to changes; making facts does not count."""
        step, spent, coming = self.reasoner.step, 0, islice(stream, ticks)
        while some := [*zip(islice(coming, AT_ONCE), self._ticks, strict=False)]:
            began = time.process_time_ns()
            for facts, tick in some:
                step(tick, facts).row_changes  # noqa: B018 - it is worked out when it is asked for
            spent += time.process_time_ns() - began
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
