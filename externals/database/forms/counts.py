"""At how many ticks atoms held: for `count` and `at least` over sliding windows."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress, islice, repeat
from operator import add, sub

from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import Ended, Stretch, View, followed_by
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
        tick: see Form.
        views: the views that are watched, and how many ticks they ask for, 0 for those that give the numbers.
        watched: who looks at them.
    """

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.counts: dict[Row, int] = {}
        self.changed: Sequence[Row] = ()
        self.before: Sequence[int] = ()
        self.after: Sequence[int] = ()
        self._stream = stream
        self._held: Mapping[Row, int] = stream.held
        self.tick = stream.tick
        self.views: list[tuple[View, int]] = []
        self.watched: list[Watched] = []
        self._agenda = stream.agenda
        self._points: OrderedDict[int, set[Row]] = OrderedDict()
        self._started: OrderedDict[int, Sequence[Row]] = OrderedDict()
        self._stopped: OrderedDict[int, dict[Row, int]] = OrderedDict()
        self._growing: set[Row] = set()
        self._shrinking: set[Row] = set()
        self._is_restless = True
        """Whether numbers changed from tick to tick when it last called for ticks."""
        stream.readers.append(self.read_back)

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
    def has_rows(self) -> bool:
        """Whether there are any."""
        return bool(self.counts)

    @property
    def is_growing(self) -> bool:
        """Whether a row that holds on has more from tick to tick."""
        return bool(self._growing)

    def turns(self, least: int) -> Iterator[int]:
        """The ticks at which numbers change as ticks leave the window, or may cross the one needed."""
        yield from (tick + self.size + 1 for tick in self._points)
        for last, rows in self._stopped.items():
            yield from (begin + self.size + 1 for begin in rows.values())
            yield last + self.size + 2
        yield from self._steady(least)

    def _steady(self, least: int) -> Iterator[int]:
        """The ticks at which rows with one more, or one less, at each tick cross a number; 0 for the next."""
        if not least:
            if self._shrinking:
                yield self.tick + 1
            return
        for row in self._growing:
            missing = least - self.counts.get(row, 0)
            full = self._held.get(row, self.tick) + self.size
            if missing > 0 and self.tick + missing <= full:
                yield self.tick + missing
        for row in self._shrinking:
            spare = self.counts.get(row, 0) - least
            if spare >= 0:
                yield self.tick + spare + 1

    def is_due(self, tick: int, least: int = 0) -> bool:
        """Whether numbers may change at a tick for which it is called, or cross one."""
        if any(each <= tick for each in self._steady(least)) or (self._growing and not least):
            return True
        out = tick - self.size - 1
        if any(each <= out for each in (*islice(self._points, 1), *islice(self._started, 1))):
            return True
        return any(last < out for last in islice(self._stopped, 1))

    def _call_for(self, ticks: Iterable[int]) -> None:
        """Numbers change at ticks as others leave the window."""
        for watched in self.watched:
            for tick in ticks:
                self._agenda.call(tick + self.size + 1, watched)

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        before, self.tick = self.tick, tick
        for last, rows, begins in ended:
            is_later = not self._stopped or last >= next(reversed(self._stopped))
            self._stopped.setdefault(last, {}).update(zip(rows, begins, strict=True))
            if not is_later:
                self._stopped = OrderedDict(sorted(self._stopped.items()))
            self._call_for({last + 1, *(begin for begin in begins if begin + self.size >= tick)})
        if began:
            self._started[tick] = began
        if here:
            self._points[tick] = here
            self._call_for((tick,))
        if ended and any(last < tick - 1 for last, _, _ in ended):
            self._count_anew()
        else:
            passed = self._pass(before, tick) if tick - before > 1 else None
            self._step(tick, here, began, [row for _, rows, _ in ended for row in rows] if ended else ())
            if passed:
                self._join(passed)
        if self._is_restless or self._growing or self._shrinking:
            self._call()

    def _call(self) -> None:
        """Calls for the ticks at which numbers go on to change."""
        self._is_restless = bool(self._growing or self._shrinking)
        for view, least in self.views:
            if not least:
                view.grow(self.is_growing)
            for tick in {*self._steady(least)}:
                self._agenda.call(tick, view)

    def _pass(self, tick: int, now: int) -> dict[Row, int]:
        """Goes over the ticks after one and before the current one, at which nothing came.

        Gives the rows whose number changed, with the one before.
        """
        found: dict[Row, int] = {}
        size = self.size
        while True:
            turn = now
            for ticks, lag in (
                (self._points, size + 1),
                (self._started, size + 1),
                (self._stopped, size + 2),
            ):
                if ticks:
                    turn = min(turn, next(iter(ticks)) + lag)
            self._grow(turn - 1 - tick, found)
            if turn == now:
                return found
            self._step(turn, _NONE, (), ())
            for row, number in zip(self.changed, self.before, strict=True):
                found.setdefault(row, number)
            tick = turn

    def _grow(self, ticks: int, found: dict[Row, int]) -> None:
        """At some ticks nothing came, and nothing began or ceased to leave the window."""
        if not ticks:
            return
        counts = self.counts
        for rows, more in ((self._growing, ticks), (self._shrinking, -ticks)):
            for row in rows:
                number = counts.get(row, 0)
                found.setdefault(row, number)
                counts[row] = number + more
                if not counts[row]:
                    del counts[row]

    def _join(self, passed: Mapping[Row, int]) -> None:
        """Puts what changed at ticks that were passed over to what changed now."""
        before = {**dict(zip(self.changed, self.before, strict=True)), **passed}
        after = {row: self.counts.get(row, 0) for row in before}
        self.changed = [row for row, number in before.items() if number != after[row]]
        self.before = [before[row] for row in self.changed]
        self.after = [after[row] for row in self.changed]

    def _step(self, tick: int, here: set[Row], began: Sequence[Row], ended: Sequence[Row]) -> None:
        """Counts from the tick before to a tick."""
        out = tick - self.size - 1
        if ended:
            self._move(ended, self._growing, self._shrinking)
        if began:
            self._move(began, self._shrinking, self._growing)
        if self._stopped:
            self._move(self._stopped.pop(out - 1, ()), self._shrinking, self._growing)
        if self._started:
            self._move(self._started.pop(out, ()), self._growing, self._shrinking)
        more, less = here, self._points.pop(out, _NONE)
        if self._growing or self._shrinking:
            more, less = more | self._growing, less | self._shrinking
        if not more.isdisjoint(less):
            more, less = more - less, less - more
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
        first = self.tick - self.size
        self._points = OrderedDict(one for one in self._points.items() if one[0] >= first)
        self._started = OrderedDict(one for one in self._started.items() if one[0] >= first)
        self._stopped = OrderedDict(one for one in self._stopped.items() if one[0] >= first - 1)
        before, self.counts = self.counts, {}
        for row, (begin, end) in self.spans():
            number = min(end, self.tick) - max(begin, first) + 1
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

    def read_back(self, stretches: Sequence[Stretch]) -> None:
        """Goes on like one that takes what was known: of points that follow one another it is a stretch."""
        self.restore(self.tick, stretches)
        for view, least in self.views:
            for tick in self.turns(least):
                if tick > self.tick:
                    self._agenda.call(tick, view)

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self.tick = tick
        self._points, self._stopped = OrderedDict(), OrderedDict()
        started: dict[int, Sequence[Row]] = {}
        for row, begin in self._held.items():
            started[begin] = [*started.get(begin, ()), row]
        for begin, end, rows in stretches:
            if begin == end:
                self._points.setdefault(end, set()).update(rows)
            else:
                self._stopped.setdefault(end, {}).update(dict.fromkeys(rows, begin))
                started[begin] = [*started.get(begin, ()), *rows]
        self._points = OrderedDict(sorted(self._points.items()))
        self._started = OrderedDict(sorted(started.items()))
        self._stopped = OrderedDict(sorted(self._stopped.items()))
        self._count_anew()
        self.changed, self.before, self.after = (), (), ()

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        first = self.tick - self.size
        counts: dict[Row, int] = {}
        leaving: set[Row] = set()
        for row, (begin, end) in self.spans():
            number = min(end, self.tick) - max(begin, first) + 1
            if number > 0:
                counts[row] = counts.get(row, 0) + number
            if begin < first <= end + 1:
                leaving.add(row)
        assert counts == self.counts
        assert all(list(each) == sorted(each) for each in (self._points, self._started, self._stopped))
        assert self._growing == self._held.keys() - leaving
        assert self._shrinking == leaving - self._held.keys()
        assert all(first <= tick <= self.tick for tick in (*self._points, *self._started))
        assert all(first - 1 <= last <= self.tick for last in self._stopped)


def _numbered(rows: Iterable[Row], numbers: Sequence[int]) -> list[Row]:
    """Rows, followed by their numbers, but for those whose number is 0."""
    if not all(numbers):
        rows, numbers = compress(rows, numbers), list(filter(None, numbers))
    return list(map(followed_by, rows, zip(numbers, strict=True)))
