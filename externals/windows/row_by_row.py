"""Growing windows that work out single rows: rows that something touched, that grow, or that are due."""

from collections.abc import Collection, Sequence
from heapq import heappop, heappush

from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.windows.growing import Growing
from lars2asp.planning.lookups import Lookup, LookupKind


class RowByRow(Growing):
    """A window that looks at a row only if something touched it, if it grows, or if it is due.

    Args:
        lookup: the lookup.
        bodies: see Growing.
        own: see Growing.
        late: see Growing.
    """

    def __init__(
        self, lookup: Lookup, bodies: Sequence[Sequence[int]], own: int = 1, late: Collection[int] = ()
    ) -> None:
        super().__init__(bodies, own, late)
        self._kind, self._least = lookup.asks, lookup.least or 1
        self._is_counted = self._kind is LookupKind.COUNT
        self._grows = self._kind in (LookupKind.AT, LookupKind.COUNT)
        self._touched: dict[Row, None] = {}
        self._growing: dict[Row, None] = {}
        self._later: dict[int, dict[Row, None]] = {}
        """The rows that are due, by their ticks."""
        self._ticks: list[int] = []
        """A heap of these ticks."""

    def _taken(self, tick: int) -> dict[Row, None]:
        """Takes the rows to look at."""
        touched, self._touched = self._touched | self._growing, {}
        return touched | self._due(tick)

    def _due(self, tick: int) -> dict[Row, None]:
        """Takes the rows that are due up to a tick."""
        due: dict[Row, None] = {}
        while self._ticks and self._ticks[0] <= tick:
            due |= self._later.pop(heappop(self._ticks))
        return due

    def _look_again(self, row: Row, tick: int) -> None:
        """Looks at a row again at a later tick."""
        rows = self._later.get(tick)
        if rows is None:
            if tick >= FOR_EVER:
                return
            rows = self._later[tick] = {}
            heappush(self._ticks, tick)
        rows[row] = None

    def _grow(self, row: Row, *, grows: bool) -> None:
        """Notes whether the answer about a row changes with each tick."""
        if grows:
            self._growing[row] = None
        else:
            self._growing.pop(row, None)

    def _tell(self, row: Row, before: int, number: int, less: list[Row], more: list[Row]) -> None:
        """Replaces a row in the answer if its number is another one; 0 if the answer has no such row."""
        if number == before:
            return
        if before:
            less.append((*row, before) if self._is_counted else row)
        if number:
            more.append((*row, number) if self._is_counted else row)

    def next_after(self, tick: int) -> int:
        """The next tick if a row grows; otherwise the first tick at which a row is due."""
        return tick + 1 if self._growing else self._ticks[0] if self._ticks else FOR_EVER
