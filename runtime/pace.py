"""How fast the stream changes what a component looks at: whether keeping rule instances pays.

The evaluator `delta` works for every change, others for everything that holds. Where windows are as short as
what is in them lasts, as with facts that are never told twice and no window at all, it is cheaper to work it
all out anew.
"""

from collections.abc import Sequence

from externals.database import IntervalDatabase
from lars2asp.lookups import Lookup

PERIOD = 16
"""In ticks: how long is watched before anything is concluded."""

FAST = 1.5
"""Too fast for `delta`: not so many times as much holds as changes at a tick."""

SLOW = 2.5
"""Slow enough again."""

LITTLE = 64
"""So few changes at a tick are never too fast."""


class Pace:
    """Watches lookups.

    Args:
        lookups: what is asked.
        database: answers it.
        now: the current tick, where the stream has gone on before.

    Attributes:
        is_fast: whether the stream changes too fast for `delta`.
    """

    def __init__(self, lookups: Sequence[Lookup], database: IntervalDatabase, now: int | None) -> None:
        self._lookups = lookups
        self._database = database
        self._is_late = now is not None
        self._holding = 0
        self._ticks = self._held = self._changed = 0
        self.is_fast = False
        database.watch(lookups, now)

    def step(self, tick: int) -> None:
        """Takes the changes of a tick."""
        for lookup in self._lookups:
            changes = self._database.changes(lookup, tick)
            if self._is_late:
                self._holding += len(self._database.answer(lookup, tick))
                continue
            self._holding += len(changes.began) - len(changes.ended)
            self._changed += len(changes.began) + len(changes.ended)
        self._is_late = False
        self._held += self._holding
        self._ticks += 1
        if self._ticks >= PERIOD:
            much = self._changed > LITTLE * self._ticks
            factor = SLOW if self.is_fast else FAST
            self.is_fast = much and self._held < factor * self._changed
            self._ticks = self._held = self._changed = 0
