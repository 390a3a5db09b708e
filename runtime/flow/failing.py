"""Ticks without an answer stream: which they are, and that windows do not see what is derived at them."""

from collections.abc import Collection

from lars2asp.externals.operators import Batch, Handed, Operator
from lars2asp.externals.terms.terms import Row

Turn = tuple[int, bool]
"""A tick from which on there is no answer stream (True), or there is one again (False)."""


class Failed(Operator):
    """The relation of the ticks without an answer stream, as its input says.

    Attributes:
        turns: what changes at ticks of the last batch.
        holds: whether the last tick has no answer stream.
    """

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []
        self.holds = False

    def advance(self, frontier: int) -> Handed:
        """Notes the ticks, and hands them on."""
        batch, self.inputs[0] = self.inputs[0], []
        self.turns += [(tick, bool(began)) for tick, _, began in batch]
        if batch:
            self.holds = self.turns[-1][1]
        return ((self.readers, batch),) if batch else ()


class Recorded(Operator):
    """What rules derive of a predicate, without the ticks that have no answer stream. O(1) a row.

    Windows see what was derived at earlier ticks if these have an answer stream (Calimeri et al. 2021). A row
    that holds on ends at such a tick, and begins again behind the last one: O(rows), at these ticks alone.

    The first input has the rows, the second the relation `Failed`.
    """

    def __init__(self) -> None:
        super().__init__(2)
        self._rows: set[Row] = set()
        self._has_failed = False

    def advance(self, frontier: int) -> Handed:
        """Hands on what is derived, as long as there is an answer stream."""
        derived, failed = self.inputs
        if not derived and not failed:
            return ()
        self.inputs = [[], []]
        rows = self._rows
        if not failed:
            for _, ended, began in derived:
                rows.difference_update(ended)
                rows.update(began)
            return () if self._has_failed else ((self.readers, derived),)
        out: Batch = []
        changed = {tick: (ended, began) for tick, ended, began in derived}
        turns = {tick: bool(began) for tick, _, began in failed}
        for tick in sorted(changed.keys() | turns):
            before = [] if self._has_failed or not turns.get(tick) else [*rows]
            ended, began = changed.get(tick, ((), ()))
            rows.difference_update(ended)
            rows.update(began)
            if tick in turns:
                self._has_failed = turns[tick]
                ended, began = before, () if self._has_failed else [*rows]
            elif self._has_failed:
                continue
            if ended or began:
                out.append((tick, ended, began))
        return ((self.readers, out),) if out else ()

    def restore(self, rows: Collection[Row], *, has_failed: bool) -> None:
        """Goes on from what holds at a tick that is over."""
        self._rows, self._has_failed = {*rows}, has_failed
