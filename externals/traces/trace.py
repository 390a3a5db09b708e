"""Traces: when rows held, as far back as windows look.

Runs have a first tick and the tick behind their last one. A trace is what a state has of a relation: the
operators are made again of it.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import chain
from operator import itemgetter

from lars2asp.externals.intervals import Runs, merged
from lars2asp.externals.operators import Batch, Handed, Operator, PointSegment, Segment
from lars2asp.externals.terms.terms import Row
from lars2asp.syntax.values import dataclass

_MANY = 16
"""So many facts of a tick, or more, are cut out together."""

HeldRows = dict[Row, Runs]


class Trace(Operator):
    """When rows of a relation held that hold for a while.

    Its second input has rows that held at a tick that is over, their last value.

    Args:
        reach: how many ticks back windows look; None without end.
    """

    is_passive = True

    def __init__(self, reach: int | None) -> None:
        super().__init__(2)
        self._reach = reach
        self._open: dict[Row, int] = {}
        self._ended: deque[tuple[int, int, Row]] = deque()
        self._late: dict[int, set[Row]] = {}

    @property
    def size(self) -> int:
        """The number of runs."""
        self.advance(0)
        return len(self._open) + len(self._ended) + sum(map(len, self._late.values()))

    def advance(self, frontier: int) -> Handed:
        """Takes runs that begin and end, and forgets those that no window reaches."""
        opened, over = self._open, self._ended
        keeps = self._reach != 0
        for tick, ended, began in self.inputs[0]:
            for row in ended:
                begin = opened.pop(row)
                if keeps:
                    over.append((tick, begin, row))
            for row in began:
                opened[row] = tick
        self.inputs[0].clear()
        for _, _, late in self.inputs[1]:
            for row in late:
                self._late.setdefault(row[-1], set()).add(row[:-1])
        self.inputs[1].clear()
        if self._reach is not None:
            first = frontier - self._reach
            while over and over[0][0] < first:
                over.popleft()
            for tick in [tick for tick in self._late if tick + 1 < first]:
                del self._late[tick]
        return ()

    def held(self, now: int, end_of: Callable[[Row], int]) -> HeldRows:
        """The runs; those of rows that hold on end where they are known to.

        Args:
            now: the last tick that is over.
            end_of: gives the tick behind the last one of a row that holds then.
        """
        self.advance(0)
        found: HeldRows = {}
        first = -1 if self._reach is None else now + 1 - self._reach
        for end, begin, row in self._ended:
            if end >= first:
                found.setdefault(row, []).extend((begin, end))
        for row, begin in self._open.items():
            found.setdefault(row, []).extend((begin, end_of(row)))
        for tick, rows in self._late.items():
            for row in rows if tick + 1 >= first else ():
                found[row] = merged([*found.get(row, ()), tick, tick + 1])
        return found

    def restore(self, held: Mapping[Row, Runs], now: int) -> None:
        """Takes over runs up to a tick."""
        over = [
            (end, begin, row)
            for row, runs in held.items()
            for begin, end in zip(runs[::2], runs[1::2], strict=True)
            if end <= now
        ]
        self._ended = deque(sorted(over, key=itemgetter(0)))
        self._open = {row: runs[-2] for row, runs in held.items() if runs[-2] <= now < runs[-1]}


class PointTrace(Operator):
    """The facts of a relation of the input, which hold at single ticks.

    Args:
        reach: how many ticks back windows look; None without end.
    """

    is_passive = True

    def __init__(self, reach: int | None) -> None:
        super().__init__()
        self._reach = reach
        self._batches: deque[Sequence[PointSegment]] = deque()
        self._first = 0
        """The first tick that windows reach."""

    @property
    def size(self) -> int:
        """The number of facts that windows reach."""
        self.advance(0)
        if not self._batches:
            return 0
        first, *others = self._batches
        reached = first[bisect_left(first, self._first, key=itemgetter(0)) :]
        return sum([len(rows) for batch in (reached, *others) for _, rows in batch])

    def advance(self, frontier: int) -> Handed:
        """Takes facts, and forgets batches that no window reaches."""
        [batch] = self.inputs
        self.inputs = [[]]
        if batch:
            self._batches.append(batch)
        if self._reach is not None:
            batches, first = self._batches, frontier - 1 - self._reach
            while batches and batches[0][-1][0] < first:
                batches.popleft()
            self._first = max(first, self._first)
        return ()

    def held(self, now: int) -> HeldRows:
        """The runs of rows: consecutive ticks are one."""
        self.advance(0)
        ticks: HeldRows = {}
        first = -1 if self._reach is None else now - self._reach
        for tick, rows in chain.from_iterable(self._batches):
            if tick >= first:
                for row in rows:
                    ticks.setdefault(row, []).append(tick)
        return {row: runs_of(some) for row, some in ticks.items()}

    def restore(self, held: Mapping[Row, Runs], now: int) -> None:
        """Takes over runs up to a tick."""
        batch = points_of(held, now)
        self._batches = deque([batch] if batch else [])


def runs_of(ticks: Iterable[int]) -> Runs:
    """The runs of ticks that ascend."""
    found: Runs = []
    end = None
    for tick in ticks:
        if tick == end:
            found[-1] = end = tick + 1
        else:
            end = tick + 1
            found += (tick, end)
    return found


def segments_of(held: Mapping[Row, Runs], now: int) -> list[Segment]:
    """What begins and ends at the ticks up to one."""
    found: dict[int, tuple[list[Row], list[Row]]] = {}
    for row, runs in held.items():
        for place, tick in enumerate(runs):
            if tick <= now:
                found.setdefault(tick, ([], []))[1 - place % 2].append(row)
    return [(tick, *found[tick]) for tick in sorted(found)]


def points_of(held: Mapping[Row, Runs], now: int) -> list[PointSegment]:
    """The rows that hold at each tick up to one."""
    found: dict[int, list[Row]] = {}
    for row, runs in held.items():
        for begin, end in zip(runs[::2], runs[1::2], strict=True):
            for tick in range(begin, min(end, now + 1)):
                found.setdefault(tick, []).append(row)
    return sorted(found.items())


@dataclass(slots=True)
class Points:
    """Facts of one predicate, in the order in which they came: the ticks ascend.

    Attributes:
        may_repeat: whether some of a tick may be equal.
    """

    rows: list[Row]
    ticks: list[int]
    may_repeat: bool = field(default=True, compare=False)

    def cut(self, last: int) -> "Points":
        """Cuts off, and gives, those behind a tick."""
        end = bisect_right(self.ticks, last)
        rest = Points(self.rows[end:], self.ticks[end:], self.may_repeat)
        del self.rows[end:], self.ticks[end:]
        return rest

    def by_tick(self) -> Batch:
        """The facts of each tick; equal ones may be there more than once.

        Lists are cut out of many facts a tick, few are added one by one.
        """
        rows, ticks = self.rows, self.ticks
        found: list[tuple[int, list[Row]]] = []
        begin, number = 0, len(ticks)
        some = ticks[::_MANY]
        if len({*some}) > len(some) // 2:  # few facts a tick
            last = -1
            for tick, row in zip(ticks, rows, strict=True):
                if tick == last:
                    found[-1][1].append(row)
                else:
                    found.append((tick, [row]))
                    last = tick
            return found
        while begin < number:
            tick, end = ticks[begin], begin + 1
            if end < number and ticks[end] == tick:
                end = bisect_right(ticks, tick, end)
            found.append((tick, rows[begin:end]))
            begin = end
        return found


@dataclass(slots=True)
class Stretches:
    """What is told of one predicate, in the order in which it came: the ticks ascend.

    Attributes:
        rows: the rows.
        ticks: the first ticks at which they hold.
        ends: the ticks behind the last ones, or what stands for them (`told_of`).
    """

    rows: list[Row]
    ticks: list[int]
    ends: list[int]

    def add(self, rows: Sequence[Row], tick: int, end: int) -> None:
        """Adds rows from a tick on."""
        self.rows.extend(rows)
        self.ticks.extend([tick] * len(rows))
        self.ends.extend([end] * len(rows))

    def cut(self, last: int) -> "Stretches":
        """Cuts off, and gives, those that begin behind a tick."""
        end = bisect_right(self.ticks, last)
        rest = Stretches(self.rows[end:], self.ticks[end:], self.ends[end:])
        del self.rows[end:], self.ticks[end:], self.ends[end:]
        return rest

    def by_tick(self) -> list[tuple[int, list[tuple[Row, int]]]]:
        """The facts of each tick, with the ticks behind their last ones."""
        found: dict[int, list[tuple[Row, int]]] = {}
        for tick, row, end in zip(self.ticks, self.rows, self.ends, strict=True):
            found.setdefault(tick, []).append((row, end))
        return [*found.items()]
