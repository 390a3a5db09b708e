"""Windows over rows that hold for a while: derived ones, facts with an end, facts that are held."""

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from lars2asp.analysis.window_edges import FOR_EVER, Edges, SlidingEdges
from lars2asp.externals.operators import Batch, Handed, Operator, Segment, Timed
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


class Delayed(Operator):
    """`a in {n}`: the rows that held n ticks ago. O(1) a segment.

    A window of one offset (I-DLV-sr 2021, section 2).

    Args:
        delay: n.
    """

    def __init__(self, delay: int) -> None:
        super().__init__()
        self.is_delayed = delay > 0
        self._delay = delay
        self._waiting: deque[Segment] = deque()

    def advance(self, frontier: int) -> Handed:
        """Hands on each segment n ticks later."""
        waiting, delay, out = self._waiting, self._delay, []
        for tick, ended, began in self.inputs[0]:
            waiting.append((tick + delay, ended, began))
        self.inputs[0].clear()
        while waiting and waiting[0][0] < frontier:
            out.append(waiting.popleft())
        self.due = waiting[0][0] if waiting else FOR_EVER
        return ((self.readers, out),) if out else ()


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


class ThroughoutPast(Throughout):
    """`a always in W` at the ticks that W does not have, if W leaps; or `a in W`, if W has one tick.

    O(1) a run, and a row at each leap.

    For rows that are derived by who reads it: at the other ticks it is not known whether they hold.

    Args:
        edges: those of the window.
        start: the first tick of the timeline.
        complete: whether the window must lie wholly on it.
    """

    def __init__(self, edges: Edges, start: int, *, complete: bool) -> None:
        super().__init__(edges.before(), start, complete=complete)
        self._whole = edges
        self._is_hidden = False
        self._turn_at = -1
        """The tick at which rows are hidden, or are to be seen again, that was called for last."""

    def turn(self, act: tuple[int, _Run] | tuple[()]) -> None:
        """A run enters or leaves, or the window turns."""
        if act:
            super().turn(act)

    def hand_out(self, tick: int, out: Batch) -> None:
        """The rows that are to be seen now, or no more."""
        is_hidden, was_hidden = self._whole.at(tick)[1] == tick, self._is_hidden
        before, self._before, self._is_hidden = self._before, {}, is_hidden
        numbers = self._numbers
        if was_hidden:
            ended: list[Row] = []
        elif is_hidden:
            ended = [row for row, was in before.items() if was]
            ended += [row for row in numbers if row not in before]
        else:
            ended = [row for row, was in before.items() if was and row not in numbers]
        if is_hidden:
            began: list[Row] = []
        elif was_hidden:
            began = [*numbers]
        else:
            began = [row for row, was in before.items() if not was and row in numbers]
        if ended or began:
            out.append((tick, ended, began))
        if numbers and self._turn_at <= tick:
            self._turn_at = tick + 1 if is_hidden else self._whole.next_move(tick)
            self.call(self._turn_at, ())


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


class OffsetCounts(Timed):
    """`a at least K in {m..n, ...}` and `a always in {m..n, ...}`. O(1) a run and stretch of offsets.

    The ticks at which a row holds in the window (I-DLV-sr 2021, section 2) are counted as in SpanCounts. All
    ends of stretches move with each tick, so what is counted is linear between runs.

    Args:
        edges: those of each stretch.
        least: K; None for all ticks of the window.
        start: the first tick of the timeline.
        complete: whether the window must lie wholly on it, if all ticks are asked for.
    """

    def __init__(
        self, edges: Sequence[SlidingEdges], least: int | None, start: int, *, complete: bool
    ) -> None:
        super().__init__()
        self.is_delayed = not any(one.has_now for one in edges)
        self._edges, self._least = edges, least
        self._whole = max(one.first or 0 for one in edges) + start if complete and least is None else start
        self._lines: dict[Row, tuple[int, int]] = {}
        """Of each row what is added to the number of its ticks at tick 0, and by how much it rises."""
        self._holds: set[Row] = set()
        self._touched: dict[Row, None] = {}
        if least is None:  # the window has more ticks as time goes on
            for tick in sorted({start + one for edge in edges for one in (edge.last, edge.first or 0)}):
                self.call(tick, ())
            self.due = start

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Runs begin and end, at both ends of each stretch."""
        for rows, by in ((ended, -1), (began, 1)):
            for edge in self._edges if rows else ():
                self.call(edge.when_last(tick), (rows, edge.when_last(tick) - 1, by))
                self.call(edge.when_first(tick), (rows, edge.when_first(tick) - 1, -by))

    def turn(self, act: tuple[Any, ...]) -> None:
        """Runs begin or end at an end of a stretch, or rows may cross the number that is needed."""
        if len(act) < 3:
            self._touched |= dict.fromkeys(act or self._lines)
            return
        rows, before, by = act
        for row in rows:
            number, slope = self._lines.get(row, (0, 0))
            self._lines[row] = number - by * before, slope + by
            self._touched[row] = None

    def _needed(self, tick: int) -> tuple[int, int]:
        """How many ticks are needed, and by how much that rises."""
        if self._least is not None:
            return self._least, 0
        ends = [one.at(tick) for one in self._edges]
        later = [one.at(tick + 1) for one in self._edges]
        number = sum(max(last - first + 1, 0) for first, last in ends)
        return max(number, 1), sum(max(last - first + 1, 0) for first, last in later) - number

    def hand_out(self, tick: int, out: Batch) -> None:
        """The rows that cross the number, and when others may."""
        if not self._touched:
            return
        touched, self._touched = self._touched, {}
        lines, holds = self._lines, self._holds
        needed, rise = self._needed(tick)
        began, ended = [], []
        for row in touched:
            number, slope = lines.get(row, (0, 0))
            if not number and not slope:
                lines.pop(row, None)
            more = number + slope * tick - needed
            is_enough = more >= 0 and tick >= self._whole
            if is_enough is not (row in holds):
                if is_enough:
                    holds.add(row)
                    began.append(row)
                else:
                    holds.discard(row)
                    ended.append(row)
            slope -= rise
            if slope < 0 <= more or more < 0 < slope:
                self.call(tick + (more // -slope + 1 if more >= 0 else -(more // slope)), (row,))
        if began or ended:
            out.append((tick, ended, began))


class HeldAt(Operator):
    """`a at 37`: the rows that hold at a tick, from it on. O(1) a row.

    Exact time reference (Laser 2017, section 2).

    Args:
        tick: the tick.
        start: the first tick of the timeline.
        lag: whether it is known only when the tick is over.
    """

    def __init__(self, tick: int, start: int, *, lag: bool = False) -> None:
        super().__init__()
        self._tick, self._from = tick, tick + lag
        self.is_delayed = lag
        self.rows: dict[Row, None] = {}
        self._is_over = tick < start
        self.due = FOR_EVER if self._is_over else self._from

    def advance(self, frontier: int) -> Handed:
        """Follows the rows up to the tick."""
        segments = self.inputs[0]
        if self._is_over:
            segments.clear()
            return ()
        for tick, ended, began in segments:
            if tick <= self._tick:
                for row in ended:
                    del self.rows[row]
                self.rows.update(dict.fromkeys(began))
        segments.clear()
        if frontier <= self._from:
            return ()
        self._is_over, self.due = True, FOR_EVER
        return ((self.readers, [(self._from, (), [*self.rows])]),) if self.rows else ()

    def known(self, now: int) -> Iterable[tuple[Row, list[int]]]:
        """The rows, with the tick, once it is over."""
        return ((row, [self._tick, self._tick + 1]) for row in self.rows if self._tick <= now)
