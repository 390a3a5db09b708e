"""Windows whose answers grow while rows hold on: the ticks at which they hold, and how many these are.

Such an answer may change at each tick, however far apart the facts are. So the rules say at which ticks they
can use it: at those at which every other literal of a body that must hold has a row. There it is *observed*.
The operator hands on each change between observed ticks that follow each other, and behind others the
difference. At each observed tick the sum of what it handed on is the answer. Nothing is said of other ticks.
"""

from collections import deque
from collections.abc import Collection, Sequence
from typing import Any

from lars2asp.analysis.window_edges import FOR_EVER, Edges, SlidingEdges
from lars2asp.externals.operators import Batch, Handed, Operator, Segment, net
from lars2asp.externals.terms.terms import Row


class Growing(Operator):
    """An operator over rows that hold for a while, which is told when it is observed.

    Its first input has the segments of the rows. The next ones may have what begins windows. The others have
    what observes it: segments of lookups, or facts that hold at single ticks.

    Args:
        bodies: by bodies of rules the inputs that must have rows; none of a body that always observes.
        own: the number of inputs that do not observe it.
        late: those of them that have what is known of a tick when it is over: it counts from the next one on.
    """

    def __init__(self, bodies: Sequence[Sequence[int]], own: int = 1, late: Collection[int] = ()) -> None:
        self.own, self.late = own, late
        self._bodies = bodies if all(bodies) else [()]
        super().__init__(max((place for body in self._bodies for place in body), default=own - 1) + 1)
        self._numbers = [0] * len(self.inputs)
        """By inputs the number of rows that observe it."""
        self._is_observed = not all(self._bodies)
        self._next = FOR_EVER
        """The first tick behind the last one that was looked at, at which the answer may be another."""
        self._over: list[tuple[int, int, int]] = []
        """What observes it no more, from a tick on that is not over: the tick, the input, the number."""

    def advance(self, frontier: int) -> Handed:
        """Goes through the ticks at which rows begin and end or it is observed anew, and those in between."""
        out: Batch = []
        observing, segments = self._observing(frontier), self.inputs[0]
        begun, known = self._beginning()
        if not observing and not begun and len(segments) == 1:
            events: Batch = segments
        else:
            ticks: dict[int, Any] = {tick: (tick, ()) for tick in (*observing, *begun)}
            ticks |= {one[0]: one for one in segments}
            events = [ticks[tick] for tick in sorted(ticks)]
        for segment in events:
            tick = segment[0]
            self._look_before(tick, out)
            if tick in observing:
                for place, by in observing[tick]:
                    self._numbers[place] += by
                self._observe()
            self._take(segment)
            if tick in begun:
                self.begin(tick, begun[tick])
            if not self._is_observed:
                continue
            is_late = 0 in self.late or not any(segment[1:])
            if self.late and is_late and tick not in observing and tick not in known:
                self._next = min(self._next, tick + 1)
            else:
                self._look(tick, out)
        segments.clear()
        self._look_before(frontier, out)
        if not self._is_observed:
            self.pass_over(frontier - 1, out)
        self.due = self._next if self._is_observed else FOR_EVER
        return ((self.readers, out),) if out else ()

    def waits_for(self, place: int) -> bool:
        """See Operator."""
        return place not in self.late and super().waits_for(place)

    def _observing(self, frontier: int) -> dict[int, list[tuple[int, int]]]:
        """By ticks, the inputs that have more rows or fewer, and how many."""
        found: dict[int, list[tuple[int, int]]] = {}
        over, self._over = self._over, []
        for place, batch in enumerate(self.inputs[self.own :], self.own):
            for segment in batch:
                if len(segment) == 2:  # facts of the tick alone
                    tick, rows = segment
                    found.setdefault(tick, []).append((place, len(rows)))
                    over.append((tick + 1, place, -len(rows)))
                else:
                    tick, ended, began = segment
                    if len(ended) != len(began):
                        found.setdefault(tick, []).append((place, len(began) - len(ended)))
            batch.clear()
        for tick, place, by in over:
            if tick < frontier:
                found.setdefault(tick, []).append((place, by))
            else:
                self._over.append((tick, place, by))
        return found

    def _beginning(self) -> tuple[dict[int, list[Row]], set[int]]:
        """By ticks, what begins windows; and the ticks of which some is known before they are over."""
        found: dict[int, list[Row]] = {}
        known = set[int]()
        for place in range(1, self.own):
            for segment in self.inputs[place]:
                found.setdefault(segment[0], []).extend(segment[1 if len(segment) == 2 else 2])
                if place not in self.late:
                    known.add(segment[0])
            self.inputs[place].clear()
        return found, known

    def _observe(self) -> None:
        numbers = self._numbers
        self._is_observed = any(all(numbers[place] for place in body) for body in self._bodies)

    def _look_before(self, end: int, out: Batch) -> None:
        while self._is_observed and self._next < end:
            self._look(self._next, out)

    def _look(self, tick: int, out: Batch) -> None:
        self.look(tick, out)
        self._next = self.next_after(tick)

    @property
    def is_free(self) -> bool:
        """Whether it is observed always."""
        return not all(self._bodies)

    def observed_by(self, place: int, number: int, now: int, *, are_points: bool) -> None:
        """So many rows observe it at a tick that was over when it was made; points do at it alone."""
        self._numbers[place] = number
        if number and are_points:
            self._over.append((now + 1, place, -number))

    def restore(self, now: int) -> Sequence[Row]:
        """Takes the rows that came up to a tick; gives the answer at it, if it is observed there."""
        out: Batch = []
        for segment in self.inputs[0]:
            self._take(segment)
        self.inputs[0].clear()
        self._observe()
        if self._is_observed:
            self._look(now, out)
            self.due = self._next
        return out[0][2] if out else ()

    def _take(self, segment: Any) -> None:
        if len(segment) == 2:
            tick, rows = segment
            if rows:
                self.take(tick, (), rows)
        else:
            self.take(*segment)

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Rows begin and end; or points come."""
        raise NotImplementedError

    def begin(self, tick: int, rows: Sequence[Row]) -> None:
        """Rows begin windows."""
        raise NotImplementedError

    def look(self, tick: int, out: Batch) -> None:
        """Adds the difference between what was handed on and the answer at a tick."""
        raise NotImplementedError

    def next_after(self, tick: int) -> int:
        """The next tick at which the answer may be another if no rows come: not later than it is."""
        raise NotImplementedError

    def pass_over(self, tick: int, out: Batch) -> None:
        """Forgets what no answer behind a tick needs, at which nobody observes it."""
        raise NotImplementedError


class ThisTick(Growing):
    """`@now`: the row of the current tick, at the ticks at which it is observed. O(1) a tick.

    Args:
        bodies: see Growing.
        start: the first tick of the timeline.
    """

    def __init__(self, bodies: Sequence[Sequence[int]], start: int) -> None:
        super().__init__(bodies)
        self._told: list[Row] = []
        self._next = start
        if self.is_free:
            self.due = start

    def look(self, tick: int, out: Batch) -> None:
        """It is another one."""
        row: list[Row] = [(tick, tick)]
        if row != self._told:
            out.append((tick, self._told, row))
            self._told = row

    def next_after(self, tick: int) -> int:
        """The next tick."""
        return tick + 1

    def pass_over(self, tick: int, out: Batch) -> None:
        """Nothing: the last row stays until it is observed again."""


class _OverEdges(Growing):
    """A window that follows from the current tick.

    Args:
        edges: those of the window, or of each stretch of its offsets.
        bodies: see Growing.
    """

    def __init__(self, edges: Sequence[Edges], bodies: Sequence[Sequence[int]]) -> None:
        super().__init__(bodies)
        self.is_delayed = not any(one.has_now for one in edges)
        self.edges = edges


class _Edge:
    """One end of a window on its way over the rows.

    Attributes:
        rows: those that hold at the tick that it has reached.
        segments: those behind it.
    """

    __slots__ = ("rows", "segments")

    def __init__(self) -> None:
        self.rows: dict[Row, None] = {}
        self.segments: deque[Segment] = deque()

    def reach(self, tick: int) -> None:
        """Goes on to a tick."""
        rows, segments = self.rows, self.segments
        while segments and segments[0][0] <= tick:
            _, ended, began = segments.popleft()
            for row in ended:
                del rows[row]
            for row in began:
                rows[row] = None

    def over(self, first: int, last: int) -> list[Row]:
        """The rows at each tick from one to another, with the ticks: it goes on to the latter."""
        found: list[Row] = []
        while first <= last:
            self.reach(first)
            end = min(self.segments[0][0], last + 1) if self.segments else last + 1
            for row in self.rows:
                found += [(*row, tick) for tick in range(first, end)]
            first = end
        return found

    def next_row(self, tick: int) -> int:
        """The first tick, not before one that it has reached, at which a row holds or one changes."""
        return tick if self.rows else self.segments[0][0] if self.segments else FOR_EVER


class _Emitted:
    """What was handed on of a window or a stretch of offsets: the ticks from one to another.

    Attributes:
        edges: those of the window.
        first: the first tick.
        last: the last one, before the first if there are none.
        behind: the end of the window at its first tick.
        ahead: that at its last one.
    """

    __slots__ = ("ahead", "behind", "edges", "first", "last")

    def __init__(self, edges: Edges) -> None:
        self.edges = edges
        self.first, self.last = 0, -1
        self.behind, self.ahead = _Edge(), _Edge()


class RunTicks(_OverEdges):
    """`a at T in W`: rows followed by the ticks of the window at which they hold. O(1) a pair of both.

    Exact time reference (Laser 2017, section 2). A pair that comes and goes between two observed ticks costs
    nothing.
    """

    def __init__(self, edges: Sequence[Edges], bodies: Sequence[Sequence[int]]) -> None:
        super().__init__(edges, bodies)
        self._emitted = [_Emitted(one) for one in edges]

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Each end of a window meets them on its way."""
        for one in self._emitted:
            one.behind.segments.append((tick, ended, began))
            one.ahead.segments.append((tick, ended, began))

    def look(self, tick: int, out: Batch) -> None:
        """What lies between where the ends of a window were and where they are leaves and comes."""
        less: list[Row] = []
        more: list[Row] = []
        for one in self._emitted:
            first, last = one.edges.at(tick)
            less += one.behind.over(one.first, min(one.last, first - 1))
            more += one.ahead.over(max(one.last + 1, first), last)
            one.first, one.last = max(one.first, first), max(one.last, last)
            one.behind.reach(one.first)
        net(tick, less, more, out)

    def next_after(self, tick: int) -> int:
        """When a row enters or leaves."""
        found = FOR_EVER
        for one in self._emitted:
            enters, leaves = one.ahead.next_row(one.last + 1), one.behind.next_row(one.first)
            if enters < FOR_EVER:
                found = min(found, one.edges.when_last(enters))
            if leaves < FOR_EVER:
                found = min(found, one.edges.when_first(leaves))
        return max(found, tick + 1)

    def pass_over(self, tick: int, out: Batch) -> None:
        """Takes back what has left the window wholly, and forgets the rows before it."""
        less: list[Row] = []
        for one in self._emitted:
            first = one.edges.at(tick)[0]
            if first > one.last:
                less += one.behind.over(one.first, one.last)
                one.first, one.last = max(one.first, first), max(one.last, first - 1)
                one.behind.reach(first)
                one.ahead.reach(first - 1)
        net(tick, less, (), out)


class RunCounts(_OverEdges):
    """`a count N in W`: rows followed by the number of ticks of the window at which they hold.

    O(1) a run, and for each row that has another number at an observed tick. Of each row a line is kept for
    the window, or for each stretch of its offsets: `number + at_last * last - at_first * first` by its ends.
    """

    def __init__(self, edges: Sequence[Edges], bodies: Sequence[Sequence[int]]) -> None:
        super().__init__(edges, bodies)
        self._waiting = [(one.when_last, True, deque[tuple[int, Segment]]()) for one in edges]
        self._waiting += [(one.when_first, False, deque[tuple[int, Segment]]()) for one in edges]
        """By ends of windows when rows begin and end there."""
        self._lines: dict[Row, list[tuple[int, int, int]]] = {}
        self._touched: dict[Row, None] = {}
        self._growing: dict[Row, None] = {}
        """The rows whose numbers are others as the window goes on."""
        self._told: dict[Row, int] = {}
        self._slides = all(isinstance(one, SlidingEdges) for one in edges)

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Rows begin and end, at both ends of the window."""
        for when, _, waiting in self._waiting:
            at = when(tick)
            if at < FOR_EVER:
                waiting.append((at, (tick, ended, began)))

    def look(self, tick: int, out: Batch) -> None:
        """The rows that have another number."""
        self._reach(tick)
        ends = [one.at(tick) for one in self.edges]
        lines, told, growing = self._lines, self._told, self._growing
        touched, self._touched = self._touched | growing, {}
        less: list[Row] = []
        more: list[Row] = []
        for row in touched:
            number, goes_on = 0, False
            for (base, at_last, at_first), (first, last) in zip(lines.get(row, ()), ends, strict=False):
                number += base + at_last * last - at_first * first
                goes_on = goes_on or (at_last != at_first if self._slides else bool(at_last or at_first))
            if goes_on:
                growing[row] = None
            else:
                growing.pop(row, None)
            before = told.get(row, 0)
            if number != before:
                if before:
                    less.append((*row, before))
                if number:
                    told[row] = number
                    more.append((*row, number))
                else:
                    del told[row]
            if not number and not goes_on and row in lines and not any(map(any, lines[row])):
                del lines[row]
        if less or more:
            out.append((tick, less, more))

    def _reach(self, tick: int) -> None:
        """The ends of the window go on to a tick."""
        lines, touched, number = self._lines, self._touched, len(self.edges)
        for place, (_, is_last, waiting) in enumerate(self._waiting):
            while waiting and waiting[0][0] <= tick:
                at, ended, began = waiting.popleft()[1]
                for rows, by in ((ended, -1), (began, 1)):
                    for row in rows:
                        line = lines.get(row)
                        if line is None:
                            line = lines[row] = [(0, 0, 0)] * number
                        base, at_last, at_first = line[place % number]
                        if is_last:
                            line[place % number] = base - by * (at - 1), at_last + by, at_first
                        else:
                            line[place % number] = base + by * at, at_last, at_first + by
                        touched[row] = None

    def next_after(self, tick: int) -> int:
        """When a row begins or ends at an end of the window, or a number is another as it moves."""
        found = min((waiting[0][0] for _, _, waiting in self._waiting if waiting), default=FOR_EVER)
        if self._growing:
            found = min(found, *(one.next_move(tick) for one in self.edges))
        return max(found, tick + 1)

    def pass_over(self, tick: int, out: Batch) -> None:
        """What has reached the ends of the window is part of the lines."""
        self._reach(tick)
