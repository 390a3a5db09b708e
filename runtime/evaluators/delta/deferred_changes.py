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

    Attributes:
        is_deferring: whether no rule can fire.
    """

    def __init__(
        self,
        bodies: Sequence[Sequence[Lookup]],
        lookups: Iterable[Lookup],
        answer: Callable[[Lookup], list[Row]],
        least: int,
    ) -> None:
        self._answer = answer
        self._least = least
        self._holding = dict.fromkeys(lookups, 0)
        """The number of answers that hold now."""
        self._needing: dict[Lookup, list[int]] = {lookup: [] for lookup in self._holding}
        """By lookups the rules, as numbers, that need an answer to them."""
        for number, body in enumerate(bodies):
            for lookup in set(body):
                self._needing[lookup].append(number)
        self._missing = [len(set(body)) for body in bodies]
        """How many of the lookups that a rule needs have no answer."""
        self._possible = self._missing.count(0)
        """The number of rules that have answers to all."""
        self._has_rules = bool(bodies)
        self.is_deferring = False
        self._deferred: dict[Lookup, list[Changes]] = {}
        self._room: dict[Lookup, int] | None = {}
        """How many more changes are deferred, by lookup; None where all is forgotten."""

    @property
    def size(self) -> int:
        """The number of changes that are deferred."""
        return sum(len(one.began) + len(one.ended) for several in self._deferred.values() for one in several)

    def handed_on(self, changed: LookupChanges) -> tuple[LookupChanges, bool]:
        """The changes handed on at a tick, and whether all that was before is to be forgotten first."""
        holding, forgets = self._holding, False
        for lookup, changes in changed:
            before = holding[lookup]
            holding[lookup] = number = before + len(changes.began) - len(changes.ended)
            if not before or not number:
                self._count(lookup, bool(number) - bool(before))
        if not self.is_deferring:
            return changed, False
        room = self._room
        if room is not None:
            for lookup, changes in changed:
                left = room.get(lookup)
                if left is None:
                    left = self._least + holding[lookup] - len(changes.began) + len(changes.ended)
                room[lookup] = left = left - len(changes.began) - len(changes.ended)
                if left < 0:
                    self._room = None
                    self._deferred.clear()
                    forgets = True
                    break
                self._deferred.setdefault(lookup, []).append(changes)
        if not self._possible:
            return [], forgets
        if self._room is None:
            answers = ((lookup, Changes(self._answer(lookup))) for lookup in holding)
            return [one for one in answers if one[1].began], forgets
        found = [(lookup, together(several)) for lookup, several in self._deferred.items()]
        return [one for one in found if one[1].began or one[1].ended], False

    def _count(self, lookup: Lookup, more: int) -> None:
        """A lookup has answers that had none, or the other way round."""
        missing = self._missing
        for number in self._needing[lookup] if more else ():
            if not missing[number]:
                self._possible -= 1
            missing[number] -= more
            if not missing[number]:
                self._possible += 1

    def defer_if_possible(self) -> None:
        """Defers the changes to come if no rule has answers to all lookups that it needs.

        To be called after each tick at which changes were handed on.
        """
        is_deferring = not self._possible and self._has_rules
        if is_deferring or self.is_deferring:
            self.is_deferring = is_deferring
            self._deferred, self._room = {}, {}
