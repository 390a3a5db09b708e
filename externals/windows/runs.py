"""Windows over rows that hold for a while: derived ones, facts with an end, facts that are held."""

from collections.abc import Sequence
from typing import Any

from lars2asp.analysis.window_edges import FOR_EVER, Edges
from lars2asp.externals.operators import Batch, Timed
from lars2asp.externals.terms.terms import Row


class _Run:
    """A run of a row in a window: it is in the answer from a tick on, and before another.

    Attributes:
        row: the row.
        enters: the first of the two.
        leaves: the second; FOR_EVER as long as the row holds on.
    """

    __slots__ = ("enters", "leaves", "row")

    def __init__(self, row: Row, enters: int) -> None:
        self.row = row
        self.enters = enters
        self.leaves = FOR_EVER


class _RunWindow(Timed):
    """Rows that are in the answer while one of their runs is: from when to when follows from its ends."""

    def __init__(self, edges: Sequence[Edges]) -> None:
        super().__init__()
        self.is_delayed = not any(one.has_now for one in edges)
        self._edges = edges
        self._open: dict[Row, list[_Run]] = {}
        self._numbers: dict[Row, int] = {}
        self._before: dict[Row, int] = {}
        """The rows of which the number of runs has changed at the current tick, with the one before."""

    def enters(self, edges: Edges, begin: int) -> int:
        """The tick from which on a run that begins at a tick is in the answer."""
        raise NotImplementedError

    def leaves(self, edges: Edges, end: int) -> int:
        """The tick from which on a run that ends at a tick is in it no more: not before the end."""
        raise NotImplementedError

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Runs begin and end."""
        for row in ended:
            for edges, run in zip(self._edges, self._open.pop(row), strict=True):
                run.leaves = self.leaves(edges, tick)
                if run.enters < run.leaves:
                    self.call(run.leaves, (-1, run))
        for row in began:
            runs = self._open[row] = []
            for edges in self._edges:
                run = _Run(row, self.enters(edges, tick))
                runs.append(run)
                if run.enters < FOR_EVER:
                    self.call(run.enters, (1, run))

    def turn(self, act: tuple[int, _Run]) -> None:
        """A run enters or leaves."""
        by, run = act
        if run.leaves <= run.enters:
            return
        row, numbers = run.row, self._numbers
        number = numbers.get(row, 0)
        self._before.setdefault(row, number)
        if number + by:
            numbers[row] = number + by
        else:
            del numbers[row]

    def hand_out(self, tick: int, out: Batch) -> None:
        """The rows that have a run, and had none, and the other way round."""
        if not self._before:
            return
        before, self._before, numbers = self._before, {}, self._numbers
        began = [row for row, was in before.items() if not was and row in numbers]
        ended = [row for row, was in before.items() if was and row not in numbers]
        if began or ended:
            out.append((tick, ended, began))


class RecentRuns(_RunWindow):
    """`a in W`: rows that hold at some tick of the window. O(1) a run.

    Diamond (Laser 2017, section 2).
    """

    def enters(self, edges: Edges, begin: int) -> int:
        """When its first tick is in the window."""
        return edges.when_last(begin)

    def leaves(self, edges: Edges, end: int) -> int:
        """When its last tick is not in the window."""
        return edges.when_first(end - 1)


class Throughout(_RunWindow):
    """`a always in W`: rows that hold at each tick of a window that has ticks. O(1) a run.

    Box (Laser 2017, section 2). This is the place that decides when `p always in [3]` ends: `leaves`.

    Args:
        edges: those of the window.
        start: the first tick of the timeline.
        complete: whether the window must lie wholly on it.
    """

    def __init__(self, edges: Edges, start: int, *, complete: bool) -> None:
        super().__init__((edges,))
        self._start = start
        self._least = edges.when_last(start)
        if complete and edges.when_whole is not None:
            self._least = max(self._least, edges.when_whole)

    def enters(self, edges: Edges, begin: int) -> int:
        """When no tick before its first one is in the window."""
        if begin <= self._start:
            return self._least
        return max(self._least, edges.when_first(begin - 1), edges.when_last(begin))

    def leaves(self, edges: Edges, end: int) -> int:
        """When the tick behind its last one is in the window."""
        return edges.when_last(end)


class SpanCounts(Timed):
    """`a at least K in W` over rows that hold for a while. O(1) a run: the number is linear in between.

    Of each row a line is kept: `number + at_last * last - at_first * first` is at how many ticks of the
    window it holds, by the first and the last tick of the window.

    Args:
        edges: those of the window.
        least: K.
    """

    def __init__(self, edges: Edges, least: int) -> None:
        super().__init__()
        self.is_delayed = not edges.has_now
        self._edges, self._least = edges, least
        self._lines: dict[Row, tuple[int, int, int]] = {}
        self._holds: set[Row] = set()
        self._touched: dict[Row, None] = {}

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Runs begin and end, at both edges of the window."""
        for rows, by in ((ended, -1), (began, 1)):
            if rows:
                self.call(self._edges.when_last(tick), (rows, tick, by, True))
                self.call(self._edges.when_first(tick), (rows, tick, by, False))

    def turn(self, act: tuple[Any, ...]) -> None:
        """Runs begin or end at an edge, or a row may cross the number that is needed."""
        if len(act) == 1:
            self._touched[act[0]] = None
            return
        rows, tick, by, is_last = act
        lines = self._lines
        for row in rows:
            number, at_last, at_first = lines.get(row, (0, 0, 0))
            if is_last:
                lines[row] = number - by * (tick - 1), at_last + by, at_first
            else:
                lines[row] = number + by * tick, at_last, at_first + by
            self._touched[row] = None

    def hand_out(self, tick: int, out: Batch) -> None:
        """The rows that cross the number, and when others may."""
        if not self._touched:
            return
        touched, self._touched = self._touched, {}
        lines, holds, edges = self._lines, self._holds, self._edges
        first, last = edges.at(tick)
        began, ended = [], []
        for row in touched:
            number, at_last, at_first = lines.get(row, (0, 0, 0))
            if not number and not at_last and not at_first:
                lines.pop(row, None)
            more = number + at_last * last - at_first * first - self._least
            if (more >= 0) is not (row in holds):
                if more >= 0:
                    holds.add(row)
                    began.append(row)
                else:
                    holds.discard(row)
                    ended.append(row)
            if at_last or at_first:
                crossing = edges.crossing(tick, more, at_last, at_last - at_first)
                if crossing is not None:
                    self.call(crossing, (row,))
        if began or ended:
            out.append((tick, ended, began))
