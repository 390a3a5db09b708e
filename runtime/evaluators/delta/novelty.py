"""How fast the stream brings new things to a component: whether keeping rule instances pays.

Where clingo grounds for the evaluator `delta`, that works for everything that it has not seen lately, others
for everything that holds.
Where most of what holds was never seen before, as with facts that are never told twice and no window to keep
them in, it is cheaper to work it all out anew.
"""

from collections.abc import Sequence

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.views import NO_CHANGES
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.tuning import Tuning

FAST = 3
"""Too fast for `delta`: not so many times as much holds as is new at a tick."""

SLOW = 5
"""Slow enough again."""

ENOUGH_SEEN = 4096
"""So many answers are always remembered as seen."""

MOST_SEEN = 4
"""So many times as much as holds is remembered as seen."""


class Novelty:
    """Watches lookups.

    Args:
        lookups: what is asked.
        database: answers it.
        tuning: the thresholds.
        is_late: whether the stream has gone on before.

    Attributes:
        is_fast: whether the stream changes too fast for `delta`.
    """

    def __init__(
        self, lookups: Sequence[Lookup], database: IntervalDatabase, tuning: Tuning, *, is_late: bool
    ) -> None:
        self._watched = list(zip(database.watch(lookups), lookups, strict=True))
        self._database = database
        self._tuning = tuning
        self._is_late = is_late
        self._holding = 0
        self._seen: set[int] = set()
        self._ticks = self._held = self._new = 0
        self.is_fast = False

    def step(self, tick: int) -> None:
        """Takes the changes of a tick."""
        for watched, lookup in self._watched:
            changes = watched.changes(tick)
            if self._is_late:
                answers = self._database.answer(lookup, tick)
                self._holding += len(answers)
                self._seen.update(answers)
                continue
            if changes is NO_CHANGES:
                continue
            self._holding += len(changes.began) - len(changes.ended)
            before = len(self._seen)
            self._seen.update(changes.began)
            self._new += len(self._seen) - before
        self._is_late = False
        if len(self._seen) > ENOUGH_SEEN + MOST_SEEN * self._holding:
            self._seen.clear()
        self._held += self._holding
        self._ticks += 1
        if self._ticks >= self._tuning.novelty_period:
            much = self._new > self._tuning.novelty_least * self._ticks
            factor = SLOW if self.is_fast else FAST
            self.is_fast = much and self._held < factor * self._new
            self._ticks = self._held = self._new = 0
