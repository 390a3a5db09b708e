"""Facts of the input that are held, `#held p(X,_) by X for 5.`, by definition.

A fact holds from its tick to the tick before that of the next one with the same key; no longer than its
record says, or where that says nothing no longer than the declaration. Of several with the same key at a tick
the last one in order of arrival is the one that arrives; the others do not.
"""

from collections.abc import Iterator, Mapping, Sequence

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.definition.given import Told
from lars2asp.definition.terms import Row
from lars2asp.syntax.nodes import Signature


def as_held(told: Sequence[Told], held: Mapping[Signature, HeldBy]) -> Iterator[tuple[int, float]]:
    """Which arrivals there are of what is told, by their places, each with the last tick at which it holds.

    Args:
        told: in order of arrival; a fact that is held has no end if its record says nothing of that.
        held: the predicates whose facts are held.
    """
    following: dict[tuple[Signature, Row], int] = {}
    found: list[tuple[int, float]] = []
    for place in range(len(told) - 1, -1, -1):
        tick, last, signature, row = told[place]
        if signature not in held:
            found.append((place, last))
            continue
        by = held[signature]
        key = signature, by.key_of(row)
        own = last if last < float("inf") or by.longest is None else tick + by.longest
        if key not in following:
            found.append((place, own))
        elif following[key] > tick:
            found.append((place, min(own, following[key] - 1)))
        following[key] = tick
    return reversed(found)
