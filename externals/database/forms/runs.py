"""The atoms that hold now, and since when: for the current tick alone, and for boxes over sliding windows.

What holds at one tick only is not kept longer than that: no box can come of it.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import Ended, Stretch
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.terms.terms import Row


class Runs:
    """The rows that hold at the current tick, and the first ticks of their runs.

    A run is a longest sequence of ticks at which a row holds. A row that holds on has a run that began with
    that, or earlier: when it was a point, or held on, at the tick before.

    What must hold: `here` has the points of the current tick. Where a box is asked for, `_fresh` has those
    whose run began now, and `_since` has all others with the first tick of their run, and the rows that hold
    on whose run began before that. `_begun` lists under the first tick of their run the rows that hold in a
    run of two or more ticks, or hold on, if that tick lies not too far back for a box to begin; others as
    well.

    Args:
        size: of the largest box; 0 if none is asked for.
        stream: the stream of the predicate.

    Attributes:
        tick: see Form.
        watched: who looks at it, and the sizes of their boxes, 0 for what holds now.
        here: the points of the current tick.
        came: the rows that hold now and did not at the tick of the news before.
        gone: the rows that held then and do not now.
        stopped: those of them that were not fresh, with the first tick of their run; for boxes.
    """

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.tick = stream.tick
        self.watched: list[tuple[Watched, int]] = []
        self._agenda = stream.agenda
        self.here: set[Row] = set()
        self.came: set[Row] = set()
        self.gone: set[Row] = set()
        self.stopped: dict[Row, int] = {}
        self._held: Mapping[Row, int] = stream.held
        self._fresh: set[Row] = set()
        self._since: dict[Row, int] = {}
        self._begun: OrderedDict[int, list[Row]] = OrderedDict()

    def __len__(self) -> int:
        """The number of points."""
        return len(self.here)

    @property
    def rows(self) -> list[Row]:
        """The rows that hold now."""
        return [*self.here, *self._held]

    def since(self, row: Row) -> int | None:
        """The first tick of the run of a row that holds now; None for others. To be asked for boxes alone."""
        if row in self._since:
            return self._since[row]
        return self._held.get(row, self.tick if row in self.here else None)

    @property
    def has_rows(self) -> bool:
        """Whether there are any."""
        return bool(self.here or self._held)

    def begun(self, first: int) -> list[Row]:
        """The rows whose run began at a tick before the current one from which a box may count."""
        return [row for row in self._begun.get(first, ()) if self.since(row) == first]

    def turns(self, size: int) -> Iterator[int]:
        """The ticks at which points end, and at which boxes of a size may begin."""
        if self.here:
            yield self.tick + 1
        if size:
            yield from (first + size for first in self._begun)

    def are_over(self, tick: int, first: int) -> bool:
        """Whether points end with a tick that held at every tick since another one."""
        if self.tick != tick or not self.here:
            return False
        since = self._since
        return first == tick or any(begin <= first and row in self.here for row, begin in since.items())

    def is_begun(self, first: int) -> bool:
        """Whether a row holds on whose run began at a tick; else the box is called for when one does."""
        return any(row in self._held and self.since(row) == first for row in self._begun.get(first, ()))

    def _call(self, first: int) -> None:
        """Boxes may begin over the run that began at a tick."""
        for watched, size in self.watched:
            if size and first + size > self.tick:
                self._agenda.call(first + size, watched)

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        last, before, was = tick - 1, self.here, self.tick
        self.tick = tick
        now = here.union(began) if began else here
        if was < last:
            seen = before.union(*(rows for _, rows, _ in ended))
            self._forget(before)
            before = self._fresh = set()
            while self._begun and (first := next(iter(self._begun))) < last - self.size:
                del self._begun[first]
        stopped: dict[Row, int] = {}
        for end, rows, begins in ended:
            if end == last:
                stopped.update(zip(rows, begins, strict=True))
            else:
                self._forget(rows)
        then = before.union(stopped) if stopped else before
        if then.isdisjoint(now):
            came, gone = now, then
        else:
            came, gone = now - then, then - now
        if self.size:
            if len(gone) < len(then):
                self._go_on(now, last, stopped)
            over = self._since.keys() & gone if self._since else ()
            stopped.update((row, self._since.pop(row)) for row in over)
            self._fresh = came & here if began else came
            self._begun.pop(last - self.size, None)
            self._list(tick, [row for row in began if row in came])
            if len(came) < len(now):
                self._go_on_holding(began)
        if here:
            for watched, _ in self.watched:
                self._agenda.call(tick + 1, watched)
        if was < last:
            came, gone = now - seen, seen - now
        self.here, self.came, self.gone, self.stopped = here, came, gone, stopped

    def _forget(self, rows: Iterable[Row]) -> None:
        """Rows do not hold at the tick before the one that comes."""
        for row in rows if self._since else ():
            self._since.pop(row, None)

    def _go_on(self, now: set[Row], last: int, stopped: dict[Row, int]) -> None:
        """Notes the runs that go on from points, and from rows that held on; these are taken out."""
        longer = self._fresh & now
        self._since.update(dict.fromkeys(longer, last))
        self._list(last, longer)
        for row in stopped.keys() & now:
            self._since.setdefault(row, stopped.pop(row))

    def _go_on_holding(self, began: Iterable[Row]) -> None:
        """Boxes may begin over points that hold on from here on."""
        for row in began:
            if row in self._since:
                self._call(self._since[row])

    def _list(self, first: int, rows: Collection[Row]) -> None:
        """Lists rows under the first tick of their run."""
        if rows:
            self._begun.setdefault(first, []).extend(rows)
            self._call(first)

    def known(self) -> Iterator[Stretch]:
        """The runs of points, and the part of the other runs that was before the rows held on."""
        runs: dict[tuple[int, int], list[Row]] = {}
        for row in self.here | self._since.keys():
            end = self._held.get(row, self.tick + 1) - 1
            runs.setdefault((self._since.get(row, self.tick), end), []).append(row)
        return (Stretch(begin, end, rows) for (begin, end), rows in runs.items())

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self.tick = tick
        firsts: dict[Row, int] = {}
        for begin, end, rows in stretches:
            for row in rows:
                if end == self._held.get(row, tick + 1) - 1:
                    firsts[row] = min(begin, firsts.get(row, begin))
        self.here = firsts.keys() - self._held.keys()
        if self.size:
            self._fresh = {row for row in self.here if firsts[row] == tick}
            self._since = {row: first for row, first in firsts.items() if row not in self._fresh}
            firsts_of = sorted(chain(self._held.items(), self._since.items()), key=lambda one: one[1])
            for row, first in firsts_of:
                if first >= tick - self.size:
                    self._list(first, [row])

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert self.here.isdisjoint(self._held)
        if self.size:
            assert self._fresh == self.here - self._since.keys()
            assert self._since.keys() <= self.here | self._held.keys()
            for row, first in self._since.items():
                assert first < self._held.get(row, self.tick), (row, first)
            for row in chain(self._since, self._held):
                one = self.since(row)
                assert one is not None
                assert one < self.tick - self.size or row in self._begun[one], row
