"""Changes that are deferred while nothing can be derived from them.

As long as one of the atoms of a rule's positive body has no instance that holds, no instance of the rule can
fire, whatever else changes. (Impossible derivations: Laser2, Bazoobandi, Bal, van Harmelen, Urbani 2020.)
"""

from collections.abc import Callable, Iterable, Sequence

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import Changes, together
from lars2asp.planning.lookups import Lookup

LookupChanges = list[tuple[Lookup, Changes]]


class ChangeFilter:
    """Hands on the changes of lookups, but defers them while no rule can fire.

    Of a lookup no more changes are kept than answers held before, and some; where more come, all is to be
    forgotten, and the answers are handed on as if they began when a rule can fire again.

    Args:
        bodies: the lookups of each rule that must have answers.
        lookups: all lookups.
        answer: the answer to a lookup now, each row once.
        least: the number of changes of a lookup that are kept besides as many as held.
    """

    def __init__(
        self,
        bodies: Sequence[Sequence[Lookup]],
        lookups: Iterable[Lookup],
        answer: Callable[[Lookup], list[Row]],
        least: int,
    ) -> None:
        self._answer = answer
        self._bodies = bodies
        self._least = least
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

    def handed_on(self, changed: LookupChanges) -> tuple[LookupChanges, bool]:
        """The changes handed on at a tick, and whether all that was before is to be forgotten first."""
        holding, guards, is_open, forgets = self._holding, self._guards, False, False
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
                    forgets = True
                    break
                self._deferred.setdefault(lookup, []).append(changes)
        if not is_open:
            return [], forgets
        if self._room is None:
            answers = ((lookup, Changes(self._answer(lookup))) for lookup in holding)
            return [one for one in answers if one[1].began], forgets
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
