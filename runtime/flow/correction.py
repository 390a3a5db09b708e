"""What other rules derive than those that derived it before, for readers who know that."""

from collections.abc import Collection

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.operators import Batch, Handed, Operator, net
from lars2asp.externals.terms.terms import Row


class Correction(Operator):
    """Hands on its input, and at one tick the difference to what readers know. O(rows) at that tick.

    Args:
        tick: the tick, which is the first one of its input.
        here: the rows that held at the tick before, by its input.
        before: those that held by what readers know.
    """

    def __init__(self, tick: int, here: Collection[Row], before: Collection[Row]) -> None:
        super().__init__()
        self.due = tick
        self._ended = [row for row in before if row not in here]
        self._began = [row for row in here if row not in before]

    def advance(self, frontier: int) -> Handed:
        """Hands on what changes."""
        batch, self.inputs[0] = self.inputs[0], []
        if self.due < frontier:
            out: Batch = []
            tick, self.due = self.due, FOR_EVER
            first = batch.pop(0) if batch and batch[0][0] == tick else (tick, (), ())
            net(tick, [*self._ended, *first[1]], [*self._began, *first[2]], out)
            batch = out + batch
        return ((self.readers, batch),) if batch else ()
