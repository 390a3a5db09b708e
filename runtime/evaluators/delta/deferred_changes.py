"""Changes that are put off while nothing can be derived from them.

As long as one of the atoms of a rule's positive body has no instance that holds, no instance of the rule can
fire, whatever else changes. (Impossible derivations: Laser2, Bazoobandi, Bal, van Harmelen, Urbani 2020.)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.views import NO_CHANGES, Changes, together
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.tuning import Tuning


class DeferredChanges:
    """The changes to the answers of lookups, together, over ticks.

    What is kept is no more than what held before; where more has changed, the answer at the end is asked for.

    Args:
        holding: for each lookup what held when the first changes were put off, by the keys of atoms or pairs.
        least: how many changes are kept of each lookup, however few atoms held before.
    """

    def __init__(self, holding: Mapping[Lookup, AbstractSet[int]], least: int) -> None:
        self._holding = holding
        self._changes: dict[Lookup, list[Changes]] = {}
        self._room = {lookup: least + len(held) for lookup, held in holding.items()}

    def add(self, lookup: Lookup, changes: Changes) -> None:
        """What changed by a tick."""
        room = self._room[lookup]
        if room < 0:
            return
        room -= len(changes.began) + len(changes.ended)
        self._room[lookup] = room
        kept = self._changes.setdefault(lookup, [])
        if room < 0:
            kept.clear()
        else:
            kept.append(changes)

    def taken(self, answer: Callable[[Lookup], Iterable[int]]) -> Iterable[tuple[Lookup, Changes]]:
        """What has changed of each lookup, whose answers now are given."""
        for lookup, kept in self._changes.items():
            if self._room[lookup] < 0:
                held, holds = self._holding[lookup], set(answer(lookup))
                yield lookup, Changes(list(holds - held), list(held - holds))
            else:
                yield lookup, together(kept)


class ChangeFilter:
    """Watches lookups; their changes pass, but are put off while no rule can fire.

    Args:
        database: answers the lookups.
        bodies: of each rule the lookups of which something must hold.
        holding: the lookups, and what holds of each by the changes that passed.
        tuning: the thresholds.
    """

    def __init__(
        self,
        database: IntervalDatabase,
        bodies: Sequence[Sequence[Lookup]],
        holding: Mapping[Lookup, AbstractSet[int]],
        tuning: Tuning,
    ) -> None:
        self._database = database
        self._bodies = bodies
        self._holding = holding
        self._least = tuning.deferred_least
        self._watched = list(zip(database.watch(holding), holding, strict=True))
        self._guards: frozenset[Lookup] = frozenset()
        """While changes are put off: for each rule a lookup that has no answer, but would have to."""
        self._put_off: DeferredChanges | None = None
        """What was put off so far, if anything was."""

    def load(self, tick: int) -> list[tuple[Lookup, Changes]]:
        """What holds at the first tick, which is not the first one of the stream."""
        for watched, _ in self._watched:
            watched.changes(tick)
        return [(lookup, Changes(list(set(self._database.answer(lookup, tick))))) for lookup in self._holding]

    def step(self, tick: int) -> list[tuple[Lookup, Changes]]:
        """What passes at a tick."""
        changed, guards, is_open = [], self._guards, False
        for watched, lookup in self._watched:
            changes = watched.changes(tick)
            if changes is not NO_CHANGES:
                changed.append((lookup, changes))
                is_open = is_open or (lookup in guards and bool(changes.began))
        if not guards or not changed:
            return changed
        put_off = self._put_off = self._put_off or DeferredChanges(self._holding, self._least)
        for lookup, changes in changed:
            put_off.add(lookup, changes)
        return list(put_off.taken(partial(self._database.answer, now=tick))) if is_open else []

    def close_if_possible(self) -> None:
        """Puts off what comes if no rule can fire before one of the guards has an answer.

        To be called after each tick at which something has passed.
        """
        self._put_off = None
        guards = []
        for body in self._bodies:
            guard = next((lookup for lookup in body if not self._holding[lookup]), None)
            if guard is None:
                self._guards = frozenset()
                return
            guards.append(guard)
        self._guards = frozenset(guards)
