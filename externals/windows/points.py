"""Windows over facts of the input, which hold at single ticks."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from operator import itemgetter
from typing import Any

from lars2asp.analysis.window_edges import FOR_EVER, Edges, SlidingEdges
from lars2asp.externals.operators import Batch, Handed, Operator, net
from lars2asp.externals.terms.terms import Row, Value

_FEW = 8
"""The number of rows up to which a loop takes less time than what Python makes of a comprehension."""


class Moment(Operator):
    """The facts of the current tick: each begins at its tick and ends at the next one.

    Laser 2017, definition 1: a stream maps each tick to the atoms that hold then. O(1) a fact.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[Row] = ()

    def advance(self, frontier: int) -> Handed:
        """Each tick ends the facts of the one before."""
        out: Batch = []
        points, before, end = self.inputs[0], self._rows, self.due
        for tick, rows in points:
            if end == tick:
                net(tick, before, rows, out)
            else:
                if end < tick:
                    out.append((end, before, ()))
                out.append((tick, (), rows))
            before, end = rows, tick + 1
        points.clear()
        if end < frontier:
            out.append((end, before, ()))
            before, end = (), FOR_EVER
        self._rows, self.due = before, end
        return ((self.readers, out),) if out else ()


class Chosen(Operator):
    """The facts that have one of some values at a place: those that nobody asks for are in no window. O(1).

    Args:
        place: the place.
        values: the values.
    """

    def __init__(self, place: int, values: Iterable[Value]) -> None:
        super().__init__()
        self._place = place
        self._values = frozenset(values)

    def advance(self, frontier: int) -> Handed:
        """Leaves out the others."""
        place, values, out = self._place, self._values, []
        for segment in self.inputs[0]:
            tick, rows = segment
            if len(rows) == 1:  # as in most streams
                if rows[0][place] in values:
                    out.append(segment)
                continue
            if len(rows) > _FEW:
                some = [row for row in rows if row[place] in values]
            else:
                some = []
                for row in rows:
                    if row[place] in values:
                        some.append(row)
            if some:
                out.append((tick, some))
        self.inputs[0].clear()
        return ((self.readers, out),) if out else ()


class Stamped(Operator):
    """`a at T in [0]`: facts of the current tick, followed by it. O(1) a fact."""

    def advance(self, frontier: int) -> Handed:
        """Each fact with its tick."""
        out = [(tick, [(*row, tick) for row in rows]) for tick, rows in self.inputs[0]]
        self.inputs[0].clear()
        return ((self.readers, out),) if out else ()


class RecentPoints(Operator):
    """`a in [m..n]`: the facts of some tick between n and m ticks ago.

    Laser 2017, definition 3 (time-based windows). O(1) a fact: the last tick of each row, and
    under the tick at which rows may leave those that did not come again. A row that did leaves later.

    Args:
        nearest: m.
        furthest: n.
    """

    def __init__(self, nearest: int, furthest: int) -> None:
        super().__init__()
        self.is_delayed = nearest > 0
        self._delay, self._lag = nearest, furthest - nearest + 1
        self._last: dict[Row, int] = {}
        self._waiting: deque[tuple[int, Sequence[Row]]] = deque()
        """Facts that enter later."""
        self._leaving: deque[tuple[int, Sequence[Row]]] = deque()
        self._again: dict[int, list[Row]] = {}
        """By the ticks at which they may leave: rows that came again."""
        self._again_at: list[int] = []
        self._leaves_at = FOR_EVER
        """The first tick at which rows may leave."""

    def advance(self, frontier: int) -> Handed:
        """Rows enter with their ticks and leave when they have not come again."""
        points, waiting = self.inputs[0], self._waiting
        if self._delay:
            waiting.extend([(tick + self._delay, rows) for tick, rows in points])
            points.clear()
            while waiting and waiting[0][0] < frontier:
                points.append(waiting.popleft())
        out: Batch = []
        last, leaving, lag, leaves_at = self._last, self._leaving, self._lag, self._leaves_at
        for tick, rows in points:
            if leaves_at < tick:
                leaves_at = self._leave_before(tick, out)
            came: Sequence[Row] = rows
            known: list[Row] | None = None
            for row in rows:
                if row in last:
                    if known is None:
                        known = [row]
                    else:
                        known.append(row)
                last[row] = tick
            if known is not None:
                again = {*known}
                came = [row for row in rows if row not in again] if len(again) < len(rows) else ()
            gone: Sequence[Row] = ()
            if leaves_at == tick:
                gone = self._leave(tick)
                leaves_at = self._leaves_at
            if came:
                leaving.append((tick + lag, came))
                if tick + lag < leaves_at:
                    leaves_at = self._leaves_at = tick + lag
                out.append((tick, gone, came))
            elif gone:
                out.append((tick, gone, ()))
        points.clear()
        if leaves_at < frontier:
            leaves_at = self._leave_before(frontier, out)
        self.due = min(leaves_at, waiting[0][0]) if waiting else leaves_at
        return ((self.readers, out),) if out else ()

    def _leave_before(self, end: int, out: Batch) -> int:
        """Rows leave at the ticks before one; gives the first tick behind these at which rows may."""
        last, leaving, again, lag = self._last, self._leaving, self._again_at, self._lag
        while self._leaves_at < end:
            if again or len(leaving[0][1]) > 1:
                tick = self._leaves_at
                gone = self._leave(tick)
                if gone:
                    out.append((tick, gone, ()))
                continue
            tick, rows = leaving.popleft()  # as in most streams
            [row] = rows
            if last[row] == tick - lag:
                del last[row]
                out.append((tick, rows, ()))
                self._leaves_at = leaving[0][0] if leaving else FOR_EVER
            else:
                self._put_again(row, last[row] + lag)
                self._leaves_at = min(leaving[0][0] if leaving else FOR_EVER, again[0])
        return self._leaves_at

    def _leave(self, tick: int) -> Sequence[Row]:
        """The rows that leave at a tick, at which rows may."""
        last, leaving, again, at = self._last, self._leaving, self._again_at, tick - self._lag
        rows: Sequence[Row] = ()
        if leaving and leaving[0][0] == tick:
            rows = leaving.popleft()[1]
        if again and again[0] == tick:
            heappop(again)
            rows = [*rows, *self._again.pop(tick)]
        gone, have_left = rows, True
        for row in rows:
            if last[row] == at:
                del last[row]
            else:
                self._put_again(row, last[row] + self._lag)
                have_left = False
        if not have_left:
            gone = [row for row in rows if row not in last]
        self._leaves_at = leaving[0][0] if leaving else FOR_EVER
        if again and again[0] < self._leaves_at:
            self._leaves_at = again[0]
        return gone

    def _put_again(self, row: Row, tick: int) -> None:
        rows = self._again.get(tick)
        if rows is None:
            self._again[tick] = [row]
            heappush(self._again_at, tick)
        else:
            rows.append(row)


class _Moving(Operator):
    """Facts that enter windows and leave them at ticks that follow from theirs, and never go back.

    Args:
        edges: those of each window.
    """

    def __init__(self, edges: Sequence[Edges]) -> None:
        super().__init__()
        self.is_delayed = not any(one.has_now for one in edges)
        self._edges = edges
        self._entering: list[deque[tuple[int, int, Sequence[Row]]]] = [deque() for _ in edges]
        self._leaving: list[deque[tuple[int, int, Sequence[Row]]]] = [deque() for _ in edges]

    def advance(self, frontier: int) -> Handed:
        """Goes from tick to tick at which facts enter or leave."""
        out: Batch = []
        points, entering, leaving = self.inputs[0], self._entering, self._leaving
        for edges, coming, going in zip(self._edges, entering, leaving, strict=True):
            when_last, when_first = edges.when_last, edges.when_first
            for tick, rows in points:
                first, after = when_last(tick), when_first(tick)
                if first < after:  # some windows leap over ticks
                    coming.append((first, tick, rows))
                    if after < FOR_EVER:
                        going.append((after, tick, rows))
        points.clear()
        queues = [*entering, *leaving]
        if len(queues) == 2:
            [coming], [going] = entering, leaving
            while True:
                tick = coming[0][0] if coming else FOR_EVER
                if going and going[0][0] < tick:
                    tick = going[0][0]
                if tick >= frontier:
                    break
                came: Sequence[tuple[int, Sequence[Row]]] = ()
                gone: Sequence[tuple[int, Sequence[Row]]] = ()
                if coming and coming[0][0] == tick:
                    came = _taken(coming, tick)
                if going and going[0][0] == tick:
                    gone = _taken(going, tick)
                self.step(tick, came, gone, out)
        else:
            while (tick := min((one[0][0] for one in queues if one), default=FOR_EVER)) < frontier:
                came = [each for one in entering for each in _taken(one, tick)]
                gone = [each for one in leaving for each in _taken(one, tick)]
                self.step(tick, came, gone, out)
        self.due = min((one[0][0] for one in queues if one), default=FOR_EVER)
        return ((self.readers, out),) if out else ()

    def step(
        self,
        tick: int,
        came: Iterable[tuple[int, Sequence[Row]]],
        gone: Iterable[tuple[int, Sequence[Row]]],
        out: Batch,
    ) -> None:
        """Facts enter and leave at a tick, by the ticks at which they hold."""
        raise NotImplementedError


def _taken(queue: deque[tuple[int, int, Sequence[Row]]], tick: int) -> list[tuple[int, Sequence[Row]]]:
    """What a queue has for a tick."""
    found = []
    while queue and queue[0][0] == tick:
        found.append(queue.popleft()[1:])
    return found


class CountedPoints(_Moving):
    """`a at least K in W` and `a count N in W`; with K = 1 also `a in W`. O(1) a fact that enters or leaves.

    Over a time-based window (Laser 2017, definition 3): the number of ticks of W at which a row holds.

    Args:
        edges: those of the window, or of each stretch of its offsets.
        least: K; None where rows are followed by their numbers.
    """

    def __init__(self, edges: Sequence[Edges], least: int | None) -> None:
        super().__init__(edges)
        self._least = least
        self._numbers: dict[Row, int] = {}
        self._lag: int | None = None
        match edges:
            case [SlidingEdges(_, 0, int(first))] if least is not None:
                self._lag = first + 1

    def advance(self, frontier: int) -> Handed:
        """Windows that slide with the current tick are the most frequent ones: they need one queue."""
        lag, least = self._lag, self._least
        if lag is None or least is None:
            return super().advance(frontier)
        out: Batch = []
        numbers, points, [leaving] = self._numbers, self.inputs[0], self._leaving
        leaves_at = leaving[0][0] if leaving else FOR_EVER
        ended: list[Row]
        for tick, rows in points:
            while leaves_at < tick:
                ended = self._leave(leaving.popleft()[2], least)
                if ended:
                    out.append((leaves_at, ended, ()))
                leaves_at = leaving[0][0] if leaving else FOR_EVER
            began = []
            for row in rows:
                numbers[row] = number = numbers.get(row, 0) + 1
                if number == least:
                    began.append(row)
            leaving.append((tick + lag, tick, rows))
            if leaves_at == tick:
                ended = self._leave(leaving.popleft()[2], least)
                leaves_at = leaving[0][0]
                if began and ended:
                    _net_of_turns(tick, ended, began, out)
                elif began or ended:
                    out.append((tick, ended, began))
            else:
                if began:
                    out.append((tick, (), began))
                if leaves_at == FOR_EVER:
                    leaves_at = leaving[0][0]
        points.clear()
        while leaves_at < frontier:
            ended = self._leave(leaving.popleft()[2], least)
            if ended:
                out.append((leaves_at, ended, ()))
            leaves_at = leaving[0][0] if leaving else FOR_EVER
        self.due = leaves_at
        return ((self.readers, out),) if out else ()

    def _leave(self, rows: Sequence[Row], least: int) -> list[Row]:
        """Facts leave: gives the rows that fall below the number."""
        numbers, ended = self._numbers, []
        for row in rows:
            number = numbers[row]
            if number == least:
                ended.append(row)
            if number == 1:
                del numbers[row]
            else:
                numbers[row] = number - 1
        return ended

    def step(
        self,
        tick: int,
        came: Iterable[tuple[int, Sequence[Row]]],
        gone: Iterable[tuple[int, Sequence[Row]]],
        out: Batch,
    ) -> None:
        """Counts."""
        numbers, least = self._numbers, self._least
        if least is None:
            self._count(tick, came, gone, out)
            return
        began: list[Row] = []
        ended: list[Row] = []
        for _, rows in came:
            for row in rows:
                numbers[row] = number = numbers.get(row, 0) + 1
                if number == least:
                    began.append(row)
        for _, rows in gone:
            ended += self._leave(rows, least)
        if began and ended:
            _net_of_turns(tick, ended, began, out)
        elif began or ended:
            out.append((tick, ended, began))

    def _count(
        self,
        tick: int,
        came: Iterable[tuple[int, Sequence[Row]]],
        gone: Iterable[tuple[int, Sequence[Row]]],
        out: Batch,
    ) -> None:
        numbers, before = self._numbers, dict[Row, int]()
        for rows, by in (*((rows, 1) for _, rows in came), *((rows, -1) for _, rows in gone)):
            for row in rows:
                number = numbers.get(row, 0)
                before.setdefault(row, number)
                if number + by:
                    numbers[row] = number + by
                else:
                    del numbers[row]
        now = numbers.get
        changed = [(row, was, number) for row, was in before.items() if (number := now(row, 0)) != was]
        if changed:
            ended = [(*row, was) for row, was, _ in changed if was]
            out.append((tick, ended, [(*row, number) for row, _, number in changed if number]))


def _net_of_turns(tick: int, ended: list[Row], began: list[Row], out: Batch) -> None:
    """Adds a segment, if rows may begin and end at its tick by turns."""
    if len(began) > 1 or len(ended) > 1:
        balance = Counter(began)
        balance.subtract(ended)
        began = [row for row, number in balance.items() if number > 0]
        ended = [row for row, number in balance.items() if number < 0]
        if began or ended:
            out.append((tick, ended, began))
    elif began != ended:
        out.append((tick, ended, began))


class PointTicks(_Moving):
    """`a at T in W`: rows followed by the ticks of the window at which they hold. O(1) a fact.

    Exact time reference (Laser 2017, section 2).
    """

    def step(
        self,
        tick: int,
        came: Iterable[tuple[int, Sequence[Row]]],
        gone: Iterable[tuple[int, Sequence[Row]]],
        out: Batch,
    ) -> None:
        """Each fact with its tick."""
        ended = [(*row, at) for at, rows in gone for row in rows]
        began = [(*row, at) for at, rows in came for row in rows]
        if ended or began:
            out.append((tick, ended, began))


class LastArrival(Operator):
    """`a in [1 # by X]`: the last arrival of each group. O(1) an arrival.

    Laser 2017, definition 4 (tuple-based windows), and partition-based windows.

    Args:
        group: the places of the values of X.
    """

    def __init__(self, group: Sequence[int]) -> None:
        super().__init__()
        self._group = group
        self._key: Callable[[Row], Any] = itemgetter(*group) if group else lambda row: ()
        self._last: dict[Any, tuple[int, Row]] = {}

    @property
    def arrived(self) -> Mapping[Row, Sequence[tuple[int, Row]]]:
        """By groups the arrival in the window, with its tick."""
        is_one = len(self._group) == 1
        return {(key,) if is_one else key: [one] for key, one in self._last.items()}

    def advance(self, frontier: int) -> Handed:
        """Each arrival pushes one out."""
        out: Batch = []
        last, key_of = self._last, self._key
        for tick, rows in self.inputs[0]:
            if len(rows) == 1:  # as in most streams
                [row] = rows
                key = key_of(row)
                before = last.get(key)
                last[key] = tick, row
                if before is None:
                    out.append((tick, (), rows))
                elif before[1] != row:
                    out.append((tick, [before[1]], rows))
                continue
            ended, began, is_again = [], [], False
            for row in rows:
                key = key_of(row)
                before = last.get(key)
                last[key] = tick, row
                if before is None:
                    began.append(row)
                elif before[1] != row:
                    ended.append(before[1])
                    began.append(row)
                    is_again = is_again or before[0] == tick
            if is_again:
                _net_of_turns(tick, ended, began, out)
            elif began:
                out.append((tick, ended, began))
        self.inputs[0].clear()
        return ((self.readers, out),) if out else ()

    def restore(self, arrived: Iterable[tuple[Row, Sequence[tuple[int, Row]]]]) -> list[Row]:
        """Takes over arrivals; gives the rows of the answer."""
        for _, some in arrived:
            self._last[self._key(some[-1][1])] = some[-1]
        return [row for _, row in self._last.values()]


class LastPoints(Operator):
    """`a at least K in [n #]`, `a at T in [n # by X]`, ...: the last arrivals of each group. O(1) an arrival.

    Laser 2017, definition 4 (tuple-based windows), and partition-based windows.

    Args:
        size: n.
        group: the places of the values of X.
        with_ticks: whether rows are followed by the ticks at which they arrived.
        least: K; for `in` it is 1. None where rows are followed by their numbers.

    Attributes:
        arrived: by groups the arrivals in the window, with their ticks.
    """

    def __init__(self, size: int, group: Sequence[int], *, with_ticks: bool, least: int | None) -> None:
        super().__init__()
        self._number_kept, self._group, self._with_ticks, self._least = size, group, with_ticks, least
        self.arrived: dict[Row, deque[tuple[int, Row]]] = {}
        self._numbers: dict[Row, int] = {}

    def advance(self, frontier: int) -> Handed:
        """Each arrival may push one out."""
        out: Batch = []
        arrived, numbers, size, with_ticks = self.arrived, self._numbers, self._number_kept, self._with_ticks
        least = self._least
        for tick, rows in self.inputs[0]:
            before: dict[Row, int] = {}
            for row in rows:
                key = tuple([row[place] for place in self._group])
                window = arrived.get(key)
                if window is None:
                    window = arrived[key] = deque()
                window.append((tick, row))
                one = (*row, tick) if with_ticks else row
                number = numbers.get(one, 0)
                before.setdefault(one, number)
                numbers[one] = number + 1
                if len(window) > size:
                    at, old = window.popleft()
                    one = (*old, at) if with_ticks else old
                    number = numbers[one]
                    before.setdefault(one, number)
                    if number == 1:
                        del numbers[one]
                    else:
                        numbers[one] = number - 1
            if least is None:
                changed = [(one, was, numbers.get(one, 0)) for one, was in before.items()]
                began = [(*one, number) for one, was, number in changed if number and number != was]
                ended = [(*one, was) for one, was, number in changed if was and number != was]
            else:
                began = [one for one, was in before.items() if was < least <= numbers.get(one, 0)]
                ended = [one for one, was in before.items() if numbers.get(one, 0) < least <= was]
            if began or ended:
                out.append((tick, ended, began))
        self.inputs[0].clear()
        return ((self.readers, out),) if out else ()

    def restore(self, arrived: Iterable[tuple[Row, Sequence[tuple[int, Row]]]]) -> list[Row]:
        """Takes over arrivals; gives the rows of the answer."""
        for key, some in arrived:
            self.arrived[key] = deque(some[-self._number_kept :])
            for tick, row in self.arrived[key]:
                one = (*row, tick) if self._with_ticks else row
                self._numbers[one] = self._numbers.get(one, 0) + 1
        if self._least is None:
            return [(*row, number) for row, number in self._numbers.items()]
        return [row for row, number in self._numbers.items() if number >= self._least]
