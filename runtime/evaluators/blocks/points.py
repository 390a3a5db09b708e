"""Facts, which hold at single ticks: columns of rows and ticks, and by rows the ticks at which they hold."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import field
from operator import itemgetter

from lars2asp.externals.terms.terms import Row
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, Runs, settle
from lars2asp.syntax.values import dataclass

RowTicks = dict[Row, list[int]]
"""By rows: the ticks at which they hold; these ascend."""


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

    def since(self, first: int) -> "Points":
        """Those from a tick on: the same object, where these are all."""
        begin = bisect_left(self.ticks, first)
        return Points(self.rows[begin:], self.ticks[begin:]) if begin else self

    def add(self, more: "Points") -> None:
        """Adds facts of later ticks; none of them are equal, as those that are there are not."""
        self.rows.extend(more.rows)
        self.ticks.extend(more.ticks)

    def forget(self, before: int) -> None:
        """Forgets those before a tick."""
        end = bisect_right(self.ticks, before - 1)
        if end:
            del self.rows[:end], self.ticks[:end]

    def with_more(self, more: Iterable[tuple[int, Row]]) -> "Points":
        """These and others, which may be equal to them, in the order of ticks."""
        found = sorted([*zip(self.ticks, self.rows, strict=True), *more], key=itemgetter(0))
        return Points([row for _, row in found], [tick for tick, _ in found])

    def distinct(self) -> "Points":
        """Of those of a tick that are equal the first one."""
        if not self.may_repeat:
            return self
        found = dict.fromkeys(zip(self.ticks, self.rows, strict=True))
        if len(found) == len(self.rows):
            return self
        return Points([row for _, row in found], [tick for tick, _ in found])

    def by_row(self) -> RowTicks:
        """The ticks of each row; no two facts are equal."""
        found: RowTicks = {}
        for row, tick in zip(self.rows, self.ticks, strict=True):
            some = found.get(row)
            if some is None:
                found[row] = [tick]
            else:
                some.append(tick)
        return found

    def held(self) -> HeldRows:
        """When each row holds."""
        return {row: runs_of(some) for row, some in self.by_row().items()}


@dataclass(slots=True)
class Stretches:
    """Facts of one predicate that hold for a while, in the order in which they came: the ticks ascend.

    Attributes:
        rows: the facts.
        ticks: the first ticks at which they hold.
        ends: the ticks after the last ones.
    """

    rows: list[Row]
    ticks: list[int]
    ends: list[int]

    def add(self, rows: Sequence[Row], tick: int, end: int) -> None:
        """Adds facts from a tick on."""
        self.rows.extend(rows)
        self.ticks.extend([tick] * len(rows))
        self.ends.extend([end] * len(rows))

    def cut(self, last: int) -> "Stretches":
        """Cuts off, and gives, those that begin behind a tick."""
        end = bisect_right(self.ticks, last)
        rest = Stretches(self.rows[end:], self.ticks[end:], self.ends[end:])
        del self.rows[end:], self.ticks[end:], self.ends[end:]
        return rest


def runs_of(ticks: Iterable[int]) -> Runs:
    """The intervals of ticks that ascend."""
    found: Runs = []
    end = None
    for tick in ticks:
        if tick == end:
            found[-1] = end = tick + 1
        else:
            end = tick + 1
            found += (tick, end)
    return found


def points_in(held: HeldRows) -> tuple[Points, HeldRows]:
    """The rows that held at single ticks alone, and the others; intervals may be in any order."""
    settle(held)
    ticks: list[tuple[int, Row]] = []
    others: HeldRows = {}
    for row, runs in held.items():
        if sum(runs[1::2]) - sum(runs[::2]) > len(runs) // 2:
            others[row] = runs
        else:
            ticks.extend((begin, row) for begin in runs[::2])
    ticks.sort(key=itemgetter(0))
    return Points([row for _, row in ticks], [tick for tick, _ in ticks]), others
