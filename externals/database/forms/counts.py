"""At how many ticks atoms held: for `count` and `at least` over sliding windows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, repeat
from operator import add, sub

from lars2asp.externals.database.form import Ended, Stretch, followed_by
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import Interval
from lars2asp.externals.terms.terms import Row

_NONE: set[Row] = set()


class Counts:
    """The number of ticks of a sliding window at which each row held.

    From tick to tick a row has one more if it holds at the new tick, and one less if it held at the tick that
    left the window. Which rows that hold on have one more, or less, changes only when they begin and end, and
    when that leaves the window.

    What must hold: `counts` has the rows that held in the window, with their numbers, 1 or more. `_points`
    has the points of its ticks. `_started` has the rows that began to hold on at its ticks, by these, and
    `_stopped` those that last held on at its ticks or the one before, with the first tick of that. `_growing`
    has the rows that hold on now and did not at the tick before the window; `_shrinking` those that did and
    do not.

    Args:
        size: of the window.
        stream: the stream of the predicate.

    Attributes:
        counts: the numbers.
        changed: the rows whose number is another than at the tick before.
        before: their numbers at the tick before, 0 for rows that had none.
        after: their numbers now, 0 for rows that have none.
        lag: the number of ticks from a row's last one to that at which its number may change by that.
    """

    lag = 1

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.counts: dict[Row, int] = {}
        self.changed: Sequence[Row] = ()
        self.before: Sequence[int] = ()
        self.after: Sequence[int] = ()
        self._stream = stream
        self._held: Mapping[Row, int] = stream.held
        self._tick = stream.tick
        self._points: dict[int, set[Row]] = {}
        self._started: dict[int, Sequence[Row]] = {}
        self._stopped: dict[int, dict[Row, int]] = {}
        self._growing: set[Row] = set()
        self._shrinking: set[Row] = set()

    @property
    def is_empty(self) -> bool:
        """Whether the passing of time changes nothing."""
        return not (self.counts or self.changed)

    def __len__(self) -> int:
        """The number of points, and of rows that held on."""
        return sum(map(len, self._points.values())) + sum(map(len, self._stopped.values()))

    @property
    def rows(self) -> list[Row]:
        """The rows that held in the window, followed by their numbers."""
        return _numbered(self.counts, list(self.counts.values()))

    @property
    def came(self) -> list[Row]:
        """Rows whose number changed, followed by the one now."""
        return _numbered(self.changed, self.after)

    @property
    def gone(self) -> list[Row]:
        """The same, followed by the number at the tick before."""
        return _numbered(self.changed, self.before)

    @property
    def is_growing(self) -> bool:
        """Whether a row that holds on has more from tick to tick."""
        return bool(self._growing)

    def next_leaving(self, now: int) -> int | None:
        """The first tick after the current one at which numbers change as ticks leave the window."""
        if self._shrinking:
            return now + 1
        first = now - self.size
        leaving = [tick for tick in self._points if tick >= first]
        for last, rows in self._stopped.items():  # those that left in part hold on again
            leaving += (begin if begin >= first else last + 1 for begin in rows.values())
        return min(leaving) + self.size + 1 if leaving else None

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        is_next = tick == self._tick + 1
        self._tick = tick
        for last, rows, begins in ended:
            self._stopped.setdefault(last, {}).update(zip(rows, begins, strict=True))
        if began:
            self._started[tick] = began
        if here:
            self._points[tick] = here
        if is_next:
            self._step(here, began, [row for _, rows, _ in ended for row in rows])
        else:
            self._count_anew()

    def _step(self, here: set[Row], began: Sequence[Row], ended: Sequence[Row]) -> None:
        """Counts from the tick before to the current one."""
        out = self._tick - self.size - 1
        self._move(ended, self._growing, self._shrinking)
        self._move(began, self._shrinking, self._growing)
        self._move(self._stopped.pop(out - 1, ()), self._shrinking, self._growing)
        self._move(self._started.pop(out, ()), self._growing, self._shrinking)
        more, less = here, self._points.pop(out, _NONE)
        if self._growing or self._shrinking:
            more, less = more | self._growing, less | self._shrinking
        both = more & less
        if both:
            more, less = more - both, less - both
        counts = self.counts
        had = list(map(counts.get, more, repeat(0)))
        have = list(map(add, had, repeat(1)))
        counts.update(zip(more, have, strict=True))
        self.changed, self.before, self.after = list(more), had, have
        if less:
            had = list(map(counts.pop, less))
            have = list(map(sub, had, repeat(1)))
            counts.update(compress(zip(less, have, strict=True), have))
            self.changed += less
            self.before += had
            self.after += have

    @staticmethod
    def _move(rows: Sequence[Row] | Mapping[Row, int], source: set[Row], goal: set[Row]) -> None:
        """Takes rows out of a set, and puts those that were not there into another one."""
        if not source:
            goal.update(rows)
            return
        for row in rows:
            if row in source:
                source.remove(row)
            else:
                goal.add(row)

    def _count_anew(self) -> None:
        """Counts without the numbers before; for ticks that were passed over."""
        first = self._tick - self.size
        self._points = {tick: rows for tick, rows in self._points.items() if tick >= first}
        self._started = {tick: rows for tick, rows in self._started.items() if tick >= first}
        self._stopped = {last: rows for last, rows in self._stopped.items() if last >= first - 1}
        before, self.counts = self.counts, {}
        for row, (begin, end) in self.spans():
            number = min(end, self._tick) - max(begin, first) + 1
            if number > 0:
                self.counts[row] = self.counts.get(row, 0) + number
        everything = before | self.counts
        self.changed = [row for row in everything if before.get(row, 0) != self.counts.get(row, 0)]
        self.before = [before.get(row, 0) for row in self.changed]
        self.after = [self.counts.get(row, 0) for row in self.changed]
        leaving = {row for row, begin in self._held.items() if begin < first}
        for last, rows in self._stopped.items():
            leaving.update(row for row, begin in rows.items() if begin < first <= last + 1)
        self._growing, self._shrinking = self._held.keys() - leaving, leaving - self._held.keys()

    def spans(self) -> Iterator[tuple[Row, Interval]]:
        """The rows and the ticks at which they hold, in the window and before it."""
        for begin, end, rows in self.known():
            for row in rows:
                yield row, Interval(begin, end)
        for row, begin in self._held.items():
            yield row, Interval(begin, self._stream.end_of(row))

    def known(self) -> Iterator[Stretch]:
        """The points, and the ticks at which rows held on that do so no more."""
        for tick, points in self._points.items():
            yield Stretch(tick, tick, [*points])
        for last, stopped in self._stopped.items():
            for row, begin in stopped.items():
                yield Stretch(begin, last, [row])

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self._tick = tick
        started: dict[int, Sequence[Row]] = {}
        for row, begin in self._held.items():
            started[begin] = [*started.get(begin, ()), row]
        for begin, end, rows in stretches:
            if begin == end:
                self._points.setdefault(end, set()).update(rows)
            else:
                self._stopped.setdefault(end, {}).update(dict.fromkeys(rows, begin))
                started[begin] = [*started.get(begin, ()), *rows]
        self._started = started
        self._count_anew()
        self.changed, self.before, self.after = (), (), ()

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        first = self._tick - self.size
        counts: dict[Row, int] = {}
        leaving: set[Row] = set()
        for row, (begin, end) in self.spans():
            number = min(end, self._tick) - max(begin, first) + 1
            if number > 0:
                counts[row] = counts.get(row, 0) + number
            if begin < first <= end + 1:
                leaving.add(row)
        assert counts == self.counts
        assert self._growing == self._held.keys() - leaving
        assert self._shrinking == leaving - self._held.keys()
        assert all(first <= tick <= self._tick for tick in (*self._points, *self._started))
        assert all(first - 1 <= last <= self._tick for last in self._stopped)


def _numbered(rows: Iterable[Row], numbers: Sequence[int]) -> list[Row]:
    """Rows, followed by their numbers, but for those whose number is 0."""
    if not all(numbers):
        rows, numbers = compress(rows, numbers), list(filter(None, numbers))
    return list(map(followed_by, rows, zip(numbers, strict=True)))
