"""The atoms that hold now, and since when: for the current tick alone, and for boxes over sliding windows.

What holds at one tick only is not kept longer than that: no box can come of it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from lars2asp.externals.database.forms.form import NEVER, Ended, Stretch
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import earliest
from lars2asp.externals.views import NO_CHANGES, Changes


class Runs:
    """The rows that hold at the current tick, and the first ticks of their runs.

    A run is a longest sequence of ticks at which a row holds. A row that holds on has a run that began with
    that, or earlier: when it was a point, or held on, at the tick before.

    What must hold: `here` has the points of the current tick. Where a box is asked for, `_since` has the
    points whose run did not begin now, and `_earlier` the rows that hold on whose run began before that, both
    with the first tick of the run. `_begun` lists under the first tick of their run the rows that hold in a
    run of two or more ticks, or hold on, if that tick lies not too far back for a box to begin; others as
    well.

    Args:
        size: of the largest box; 0 if none is asked for.
        stream: the stream of the predicate.

    Attributes:
        here: the points of the current tick.
        came: the rows that hold now and not at the tick before.
        went: the rows that held at the tick before and do not now.
        stopped: those of them whose run had two or more ticks, with its first tick; for boxes.
    """

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.tick = stream.tick
        self.here: set[Row] = set()
        self.came: Collection[Row] = ()
        self.went: Collection[Row] = ()
        self.stopped: dict[Row, int] = {}
        self._points: Sequence[Row] = ()
        self._held: Mapping[Row, int] = stream.held
        self._since: dict[Row, int] = {}
        self._earlier: dict[Row, int] = {}
        self._begun: dict[int, list[Row]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether the passing of time changes nothing."""
        return not (self.here or self.came or self.went)

    @property
    def is_still(self) -> bool:
        """Whether no box begins or ends at the current tick."""
        return not (self.came or self.went or self._begun)

    def __len__(self) -> int:
        """The number of points."""
        return len(self.here)

    @property
    def rows(self) -> list[Row]:
        """The rows that hold now."""
        return [*self._points, *self._held]

    def since(self, row: Row) -> int | None:
        """The first tick of the run of a row that holds now; None for others. To be asked for boxes alone."""
        if row in self.here:
            return self._since.get(row, self.tick)
        return self._earlier.get(row, self._held.get(row))

    def begun(self, first: int) -> list[Row]:
        """The rows whose run began at a tick before the current one from which a box may count."""
        return [row for row in dict.fromkeys(self._begun.get(first, ())) if self.since(row) == first]

    def next_begin(self, size: int, now: int) -> int | None:
        """The first tick after now at which a box begins over rows that hold on."""
        firsts = (first for first in self._begun if first + size > now and self._has_held(first))
        return earliest(first + size for first in firsts)

    def _has_held(self, first: int) -> bool:
        """Whether a row holds on whose run began at a tick."""
        return any(row in self._held and self.since(row) == first for row in self._begun[first])

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        is_next = tick == self.tick + 1
        before: set[Row] = self.here if is_next else set()
        points_before: Sequence[Row] = self._points if is_next else ()
        if not is_next:
            self._since.clear()
        self.tick, self.here, self._points, self.stopped = tick, here, points, {}
        going_on = before & here
        if not (began or ended):
            self.came = here - going_on if going_on else points
            self.went = before - going_on if going_on else points_before
        else:
            stopped = self._stopped(ended)
            hold_on = set(began)
            self.came = [row for row in chain(points, began) if row not in before and row not in stopped]
            self.went = [
                row for row in chain(points_before, stopped) if row not in here and row not in hold_on
            ]
            if self.size:
                self._hold_on(began, before, stopped)
                self._since.update((row, stopped.pop(row)) for row in here.intersection(stopped))
                self.stopped = stopped
        if self.size:
            self._count_on(going_on)

    def _stopped(self, ended: Iterable[tuple[int, Sequence[Row], Sequence[int]]]) -> dict[Row, int]:
        """The rows that held on until the tick before, with the first ticks of their runs."""
        stopped: dict[Row, int] = {}
        earlier = self._earlier
        for last, rows, begins in ended:
            if last == self.tick - 1:
                stopped.update(zip(rows, begins, strict=True))
            for row in rows if earlier else ():
                first = earlier.pop(row, None)
                if first is not None and last == self.tick - 1:
                    stopped[row] = first
        return stopped

    def _hold_on(self, began: Sequence[Row], before: set[Row], stopped: dict[Row, int]) -> None:
        """Notes the runs of rows that hold on from the current tick on.

        Args:
            began: the rows.
            before: the points of the tick before.
            stopped: the rows that held on until the tick before; those that go on are taken out.
        """
        if before.isdisjoint(began) and stopped.keys().isdisjoint(began):
            if began:
                self._begun.setdefault(self.tick, []).extend(began)
            return
        for row in began:
            if row in before:
                if row not in self._since:
                    self._begun.setdefault(self.tick - 1, []).append(row)
                self._earlier[row] = self._since.pop(row, self.tick - 1)
            elif row in stopped:
                self._earlier[row] = stopped.pop(row)
            else:
                self._begun.setdefault(self.tick, []).append(row)

    def _count_on(self, going_on: set[Row]) -> None:
        """Notes the runs of points: of those that stopped, and those that were points at the tick before."""
        since, here, last = self._since, self.here, self.tick - 1
        if since:
            over = [row for row in since if row not in here]
            self.stopped.update(zip(over, map(since.pop, over), strict=True))
        if going_on:
            longer = [row for row in going_on if row not in since]
            if longer:
                since.update(dict.fromkeys(longer, last))
                self._begun.setdefault(last, []).extend(longer)
        if self._begun:
            for first in [first for first in self._begun if first < self.tick - self.size]:
                del self._begun[first]

    def known(self) -> Iterator[Stretch]:
        """The runs of points, and the part of the other runs that was before the rows held on."""
        runs: dict[tuple[int, int], list[Row]] = {}
        for row in self._points:
            runs.setdefault((self._since.get(row, self.tick), self.tick), []).append(row)
        for row, first in self._earlier.items():
            runs.setdefault((first, self._held[row] - 1), []).append(row)
        return (Stretch(begin, end, rows) for (begin, end), rows in runs.items())

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self.tick = tick
        firsts: dict[Row, int] = {}
        for begin, end, rows in stretches:
            for row in rows:
                if end == self._held.get(row, tick + 1) - 1:
                    firsts[row] = min(begin, firsts.get(row, begin))
        self._points = [row for row in firsts if row not in self._held]
        self.here = set(self._points)
        if self.size:
            self._since = {row: firsts[row] for row in self._points if firsts[row] < tick}
            self._earlier = {row: first for row, first in firsts.items() if row in self._held}
            for row, first in chain(self._held.items(), self._earlier.items(), self._since.items()):
                if first >= tick - self.size:
                    self._begun.setdefault(first, []).append(row)

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert self.here == set(self._points)
        assert self.here.isdisjoint(self._held)
        assert self._since.keys() <= self.here
        assert self._earlier.keys() <= self._held.keys()
        assert all(first < self.tick for first in self._since.values())
        assert all(first < self._held[row] for row, first in self._earlier.items())
        if self.size:
            for row in chain(self._since, self._held):
                first = self.since(row)
                assert first is not None
                assert first < self.tick - self.size or row in self._begun[first], row


class NowView:
    """The answer to lookups of the current tick."""

    def __init__(self, runs: Runs, stream: Stream) -> None:
        self._runs = runs
        self._stream = stream

    def answer(self, now: int) -> list[Row]:
        """The rows that hold now."""
        self._stream.settle(now)
        return self._runs.rows

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
        came, went = self._runs.came, self._runs.went
        return Changes([*came], [*went]) if came or went else NO_CHANGES

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer may change without input."""
        self._stream.settle(now)
        return now + 1 if self._runs.here else earliest(last + 1 for last in self._stream.known_ends())

    def next_growth(self, now: int) -> int | None:
        """None: it does not grow."""
        return None


class BoxView:
    """The answer to `always` over a sliding window.

    Args:
        runs: of the predicate.
        stream: of the predicate.
        size: of the window, 1 or more.
        start: the first tick of the timeline.
        complete: whether the window must not reach before it.
    """

    def __init__(self, runs: Runs, stream: Stream, size: int, start: int, *, complete: bool) -> None:
        self._runs = runs
        self._stream = stream
        self._size = size
        self._start = start
        self._complete = complete

    def answer(self, now: int) -> list[Row]:
        """The rows that hold at every tick of the window."""
        self._stream.settle(now)
        first, since = self._first(now), self._runs.since
        return [row for row in self._runs.rows if (begin := since(row)) is not None and begin <= first]

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
        runs = self._runs
        if runs.is_still:
            return NO_CHANGES
        first, first_before = self._first(now), self._first(now - 1)
        began: Collection[Row] = ()
        if first == now:
            began = runs.came
        elif first != first_before:  # else the window began where it begins: it has grown, or there is none
            began = runs.begun(first)
        if first_before == now - 1:
            ended: Collection[Row] = runs.went
        else:
            ended = [row for row, begin in runs.stopped.items() if begin <= first_before]
        return Changes([*began], [*ended]) if began or ended else NO_CHANGES

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer may change without input."""
        self._stream.settle(now)
        if self._runs.here:
            return now + 1
        ends = (last + 1 for last in self._stream.known_ends())
        return earliest([self._runs.next_begin(self._size, now), *ends])

    def next_growth(self, now: int) -> int | None:
        """None: it does not grow."""
        return None

    def _first(self, now: int) -> int:
        """The first tick of the window, NEVER where there is none."""
        if now < self._start:
            return NEVER
        first = now - self._size
        if first >= self._start:
            return first
        return NEVER if self._complete else self._start
