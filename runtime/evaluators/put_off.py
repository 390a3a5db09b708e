"""Changes that are put off while nothing can be derived from them.

As long as one of the atoms of a rule's positive body has no instance that holds, no instance of the rule can
fire, whatever else changes. (Impossible derivations: Laser2, Bazoobandi, Bal, van Harmelen, Urbani 2020.)
"""

from collections.abc import Callable, Iterable

from externals.views import Changes, together
from lars2asp.lookups import Lookup

LEAST = 1000
"""So many changes are kept, however few atoms held before."""


class PutOff:
    """The changes to the answers of lookups, together, over ticks.

    What is kept is no more than what held before; where more has changed, the answer at the end is asked for.

    Args:
        holding: for each lookup what held when the first changes were put off, by the keys of atoms or pairs.
    """

    def __init__(self, holding: dict[Lookup, set[int]]) -> None:
        self._holding = holding
        self._changes: dict[Lookup, list[Changes]] = {}
        self._room = {lookup: LEAST + len(held) for lookup, held in holding.items()}

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
