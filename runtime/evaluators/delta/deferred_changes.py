"""Changes that are deferred while nothing can be derived from them.

As long as one of the atoms of a rule's positive body has no instance that holds, no instance of the rule can
fire, whatever else changes. (Impossible derivations: Laser2, Bazoobandi, Bal, van Harmelen, Urbani 2020.)
"""

from collections.abc import Iterable, Sequence

from lars2asp.externals.views import Changes, together
from lars2asp.planning.lookups import Lookup
from lars2asp.runtime.evaluators.protocol import Task

LookupChanges = list[tuple[Lookup, Changes]]


class ChangeFilter:
    """Hands on the changes of lookups, but defers them while no rule can fire.

    Of a lookup no more changes are kept than answers held before, and some; where more come, all is
    forgotten, and the answers are handed on as if they began when a rule can fire again.

    Args:
        bodies: the lookups of each rule that must have answers.
        lookups: all lookups.
        task: the database, and the rest that an evaluator needs.
    """

    def __init__(self, bodies: Sequence[Sequence[Lookup]], lookups: Iterable[Lookup], task: Task) -> None:
        self._database = task.database
        self._bodies = bodies
        self._least = task.tuning.deferred_least
        self._holding = dict.fromkeys(lookups, 0)
        """The number of answers that hold now."""
        self._guards: frozenset[Lookup] = frozenset()
        """While changes are deferred: for each rule a positive lookup without an answer."""
        self._deferred: dict[Lookup, list[Changes]] = {}
        self._room: dict[Lookup, int] | None = {}
        """How many more changes are deferred, by lookup; None where all is forgotten."""

    @property
    def is_deferring(self) -> bool:
        """Whether no rule can fire."""
        return bool(self._guards)

    @property
    def size(self) -> int:
        """The number of changes that are deferred."""
        return sum(len(one.began) + len(one.ended) for several in self._deferred.values() for one in several)

    def handed_on(self, changed: LookupChanges, tick: int) -> tuple[LookupChanges, bool]:
        """The changes that are handed on at a tick, and whether they are all that holds, from nothing."""
        holding, guards, is_open = self._holding, self._guards, False
        for lookup, changes in changed:
            holding[lookup] += len(changes.began) - len(changes.ended)
            if guards and lookup in guards and changes.began:
                is_open = True
        if not guards:
            return changed, False
        room = self._room
        if room is not None:
            for lookup, changes in changed:
                left = room.get(lookup)
                if left is None:
                    before = holding[lookup] - len(changes.began) + len(changes.ended)
                    left = self._least + before
                room[lookup] = left = left - len(changes.began) - len(changes.ended)
                if left < 0:
                    self._room = None
                    self._deferred.clear()
                    break
                self._deferred.setdefault(lookup, []).append(changes)
        if not is_open:
            return [], False
        if self._room is None:
            answers = ((lookup, Changes(self._database.answer(lookup, tick))) for lookup in holding)
            return [one for one in answers if one[1].began], True
        found = [(lookup, together(several)) for lookup, several in self._deferred.items()]
        return [one for one in found if one[1].began or one[1].ended], False

    def defer_if_possible(self) -> None:
        """Defers the changes to come if each rule has a positive lookup without an answer.

        To be called after each tick at which changes were handed on.
        """
        if 0 not in self._holding.values() and not self._guards:
            return
        self._deferred = {}
        self._room = {}
        guards = []
        for body in self._bodies:
            guard = next((lookup for lookup in body if not self._holding[lookup]), None)
            if guard is None:
                self._guards = frozenset()
                return
            guards.append(guard)
        self._guards = frozenset(guards)
