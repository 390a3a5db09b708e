"""What held by rules with `#temp` alone, of predicates that others derive as well.

Later ticks see none of it.
"""

from collections.abc import Callable, Collection, Iterator

from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import Rows
from lars2asp.runtime.explanations.past.holding import Index, Interval
from lars2asp.runtime.explanations.past.older import Looks
from lars2asp.syntax.nodes import Signature


class Fleeting:
    """Keeps when atoms held that did not last.

    Args:
        signatures: the predicates.
        recorded: gives the atoms of one of them that later ticks see.
    """

    def __init__(
        self, signatures: Collection[Signature], recorded: Callable[[Signature], Collection[Row]]
    ) -> None:
        self._recorded = recorded
        self._known = {signature: Index() for signature in signatures}
        self.placed: dict[int, set[tuple[Signature, Row]]] = {}
        """What rules without `#temp` placed at ticks that are not over."""

    def lasts(self, signature: Signature, row: Row, tick: int) -> None:
        """Takes an atom that a rule placed at a tick that is not over, where later ones see it."""
        if signature in self._known:
            self.placed.setdefault(tick, set()).add((signature, row))

    def answered(self, tick: int, held: Callable[[], Rows], *, satisfiable: bool) -> None:
        """Takes what holds at a tick that is over."""
        placed = {one for at in [at for at in self.placed if at <= tick] for one in self._taken(at, tick)}
        for signature, index in self._known.items():
            passing = set(held().get(signature, ())) if satisfiable else set()
            if passing:
                passing.difference_update(self._recorded(signature))
                passing = {row for row in passing if (signature, row) not in placed}
            for row in index.open.keys() - passing:
                index.end(row, tick)
            for row in passing:
                index.begin(row, tick, "", 0)

    def _taken(self, at: int, tick: int) -> set[tuple[Signature, Row]]:
        """What was placed at a tick that is over; of use if it is the one that is over now."""
        found = self.placed.pop(at)
        return found if at == tick else set()

    def has(self, signature: Signature, row: Row, tick: int) -> bool:
        """Whether an atom that held at a tick did not last."""
        index = self._known.get(signature)
        return index is not None and any(one.covers(tick) for one in index.held.of(row))

    def intervals(self) -> Iterator[tuple[Signature, Interval]]:
        """The atoms that did not last, and when they held."""
        for signature, index in self._known.items():
            for interval in index.held.arrivals():
                yield signature, interval

    def add(self, signature: Signature, interval: Interval) -> None:
        """Adds an interval; its first tick is no earlier than those before."""
        index = self._known.get(signature)
        if index is not None:
            index.held.add(interval)
            if interval.last is None:
                index.open[interval.row] = interval

    def forget_before(self, tick: int, looks: Looks) -> None:
        """Forgets what no tick from one on looks at."""
        known = [*self.intervals()]
        self._known = {signature: Index() for signature in self._known}
        for signature, one in known:
            if one.last is None or one.last >= tick or looks.see(signature, one.first, one.last):
                self.add(signature, one)
