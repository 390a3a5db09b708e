"""Derived instances, with the ticks until which they are sure to hold."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from experiments.native.native_program import FOREVER

Instance = tuple[Any, ...]
"""An instance of a formula: a predicate's name, arguments, and the tick of an `at`."""

Batches = list[tuple[int, list[Instance]]]
"""Instances with their horizons, those of one horizon together."""


class Conclusions:
    """Derived instances with their horizons; consideration times are the ticks at which they are added.

    Generated joins write to `horizons`, `fresh` and `began` themselves. What has run out of its horizon is
    removed at the end of a tick only: what is derived again by then has not ended.

    Attributes:
        horizons: the last tick at which an instance is sure to hold.
        fresh: what got a new or longer annotation since the last `advance`, by horizon.
        began: what was not there before.
        batches: what got one at this tick.
    """

    def __init__(self) -> None:
        self.horizons: dict[Instance, int] = {}
        self.fresh: defaultdict[int, list[Instance]] = defaultdict(list)
        self.began: list[Instance] = []
        self.batches: Batches = []
        self._leaving: dict[int, list[list[Instance]]] = {}

    def add(self, instances: Iterable[Instance], horizon: int) -> None:
        """Adds instances that hold from now to a horizon."""
        horizons, fresh = self.horizons, self.fresh[horizon]
        for one in instances:
            known = horizons.get(one)
            if known is None:
                self.began.append(one)
            elif known >= horizon:
                continue
            horizons[one] = horizon
            fresh.append(one)

    def advance(self) -> Batches:
        """The batches that are new since the last call."""
        batches = [(horizon, instances) for horizon, instances in self.fresh.items() if instances]
        self.fresh.clear()
        self.batches += batches
        return batches

    @property
    def number_of_new(self) -> int:
        """The number of annotations that were added at this tick."""
        return sum(len(instances) for _, instances in self.batches)

    def end_tick(self, tick: int) -> tuple[list[Instance], list[Instance]]:
        """The instances that began at a tick, and those that held at the tick before and ended."""
        leaving = self._leaving
        for horizon, instances in self.batches:
            if horizon < FOREVER:
                leaving.setdefault(horizon, []).append(instances)
        self.batches = []
        ended = []
        horizons, last = self.horizons, tick - 1
        for instances in leaving.pop(last, ()):
            for one in instances:
                if horizons.get(one) == last:
                    del horizons[one]
                    ended.append(one)
        began = self.began.copy()
        self.began.clear()
        return began, ended

    def holding(self, tick: int) -> list[Instance]:
        """The instances that hold at a tick."""
        return [one for one, horizon in self.horizons.items() if horizon >= tick]
