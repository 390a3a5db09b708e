"""Changes that are deferred while nothing can be derived from them.

As long as one of the atoms of a rule's positive body has no instance that holds, no instance of the rule can
fire, whatever else changes. (Impossible derivations: Laser2, Bazoobandi, Bal, van Harmelen, Urbani 2020.)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from lars2asp.externals.views import NO_CHANGES, Changes, together
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.protocol import Task


class DeferredChanges:
    """The changes of the answers to lookups over several ticks, taken together.

    Of a lookup no more changes are kept than answers held before; where more come, the answer is looked up.

    Args:
        holding: for each lookup the keys of the answers that held before the first deferred changes.
        least: the number of changes of a lookup that are kept besides as many as held.
    """

    def __init__(self, holding: Mapping[Lookup, AbstractSet[int]], least: int) -> None:
        self._holding = holding
        self._changes: dict[Lookup, list[Changes]] = {}
        self._room = {lookup: least + len(held) for lookup, held in holding.items()}

    def add(self, lookup: Lookup, changes: Changes) -> None:
        """Defers the changes of a tick."""
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
        """The changes of each lookup together; `answer` gives its answer now."""
        for lookup, kept in self._changes.items():
            if self._room[lookup] < 0:
                held, holds = self._holding[lookup], set(answer(lookup))
                yield lookup, Changes(list(holds - held), list(held - holds))
            else:
                yield lookup, together(kept)


class ChangeFilter:
    """Watches lookups; hands on their changes, but defers them while no rule can fire.

    Args:
        bodies: the positive lookups of each rule.
        holding: for each lookup the answers that hold by the changes handed on.
        task: the database, and the rest that an evaluator needs.
    """

    def __init__(
        self, bodies: Sequence[Sequence[Lookup]], holding: Mapping[Lookup, AbstractSet[int]], task: Task
    ) -> None:
        self._database = task.database
        self._bodies = bodies
        self._holding = holding
        self._least = task.tuning.deferred_least
        self._watched = list(zip(task.database.watch(holding), holding, strict=True))
        self._guards: frozenset[Lookup] = frozenset()
        """While changes are deferred: for each rule a positive lookup without an answer."""
        self._deferred: DeferredChanges | None = None
        """The changes deferred so far, if there are any."""

    def load(self, tick: int) -> list[tuple[Lookup, Changes]]:
        """The answers at the first tick of a filter that is made while the stream goes on, as changes."""
        for watched, _ in self._watched:
            watched.changes(tick)
        return [(lookup, Changes(list(set(self._database.answer(lookup, tick))))) for lookup in self._holding]

    def step(self, tick: int) -> list[tuple[Lookup, Changes]]:
        """The changes that are handed on at a tick."""
        changed, guards, is_open = [], self._guards, False
        for watched, lookup in self._watched:
            changes = watched.changes(tick)
            if changes is not NO_CHANGES:
                changed.append((lookup, changes))
                is_open = is_open or (lookup in guards and bool(changes.began))
        if not guards or not changed:
            return changed
        deferred = self._deferred = self._deferred or DeferredChanges(self._holding, self._least)
        for lookup, changes in changed:
            deferred.add(lookup, changes)
        return list(deferred.taken(partial(self._database.answer, now=tick))) if is_open else []

    def defer_if_possible(self) -> None:
        """Defers the changes to come if each rule has a positive lookup without an answer.

        To be called after each tick at which changes were handed on.
        """
        self._deferred = None
        guards = []
        for body in self._bodies:
            guard = next((lookup for lookup in body if not self._holding[lookup]), None)
            if guard is None:
                self._guards = frozenset()
                return
            guards.append(guard)
        self._guards = frozenset(guards)
