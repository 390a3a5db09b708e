"""The novelty of the answers to a component's lookups: whether keeping rule instances pays.

Where clingo grounds for the evaluator `delta`, the cost is that of the answers that are new; with the other
evaluators it is that of all that hold. If most answers that hold are new, as with facts that never come twice
in short windows, it is cheaper to evaluate each tick from scratch.
"""

from collections.abc import Sequence

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.views import NO_CHANGES
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.tuning import Tuning

HIGH = 3
"""`delta` is given up where fewer answers hold than this number of times those that are new."""

LOW = 5
"""`delta` comes back where as many answers hold as this number of times those that are new."""

ENOUGH_SEEN = 4096
"""The number of answers that are remembered as seen, however few hold."""

MOST_SEEN = 4
"""The number of times as many answers as hold that are remembered as seen besides."""


class Novelty:
    """Watches how many answers to lookups are new.

    Args:
        lookups: the lookups.
        database: answers them.
        tuning: the thresholds.
        is_late: whether the stream has gone on before.

    Attributes:
        is_high: whether too much is new for `delta`.
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
        self.is_high = False

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
            factor = LOW if self.is_high else HIGH
            self.is_high = much and self._held < factor * self._new
            self._ticks = self._held = self._new = 0
