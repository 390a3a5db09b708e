"""All intervals at which atoms hold, as far back as they are looked at: for windows without another form.

The latest interval of each row stands by itself; earlier ones are in an interval tree.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence

from lars2asp.externals.database.form import Ended, Stretch, runs_by_row
from lars2asp.externals.database.forms.past import Past
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.terms import Row


class Pinned:
    """The intervals at which the rows of a predicate hold.

    What must hold: `_latest` has the last interval of each row, without end while the row holds on;
    `_earlier` those before. The intervals of a row lie apart, with ticks in between.
    `_ending` lists, by the last tick, the rows of all intervals of `_latest` that have an end, and other
    rows.

    Args:
        stream: the stream of the predicate.
        reach: how many ticks back it is looked at; older intervals are forgotten. None: without end.
        pinned: ticks that are looked at without end.
        sweep_after: see Past.
    """

    def __init__(
        self,
        stream: Stream,
        reach: int | None,
        *,
        pinned: frozenset[int] = frozenset(),
        sweep_after: int = 0,
    ) -> None:
        self._stream = stream
        self._reach = reach
        self._pinned = pinned
        self._latest: dict[Row, tuple[int, int]] = {}
        self._ending: OrderedDict[int, list[Row]] = OrderedDict()
        self._earlier = Past(sweep_after)
        self.tick = stream.tick

    def __len__(self) -> int:
        """The number of intervals that have an end."""
        return sum(end != OPEN_END for _, end in self._latest.values()) + len(self._earlier)

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        latest = self._latest
        for last, rows, _ in ended:
            for row in rows:
                latest[row] = (latest[row][0], last)
            self._ending.setdefault(last, []).extend(rows)
        self._extend(points, tick, tick)
        if points:
            self._ending.setdefault(tick, []).extend(points)
        self._extend(began, tick, OPEN_END)
        if tick != self.tick:
            self.tick = tick
            self._forget()

    def _extend(self, rows: Iterable[Row], tick: int, end: int) -> None:
        """Rows hold from the current tick to another one, the current one or later than all."""
        latest = self._latest
        fresh = (tick, end)
        for row in rows:
            known = latest.get(row)
            if known is None:
                latest[row] = fresh
            elif known[1] >= tick - 1:
                latest[row] = (known[0], end)
            else:
                self._earlier.add(*known, row)
                latest[row] = fresh

    def _forget(self) -> None:
        """Drops what no window can reach."""
        if self._reach is None:
            self._ending.clear()
            return
        horizon = self.tick - self._reach - 1
        while self._ending and (tick := next(iter(self._ending))) < horizon:
            for row in self._ending.pop(tick):
                begin, end = self._latest.get(row, (0, OPEN_END))
                if end == tick and not any(begin <= pinned <= end for pinned in self._pinned):
                    del self._latest[row]
        self._earlier.sweep(horizon, self._pinned)

    def place(self, row: Row, tick: int) -> bool:
        """A row holds at a tick before the current one as well; gives whether that is new and of interest."""
        known = self._latest.get(row)
        is_reached = self._reach is None or tick >= self.tick - self._reach or tick in self._pinned
        if self.holds_at(row, tick) or not is_reached:
            return False
        begin = end = tick
        for first, last, rows in list(self._earlier.overlap(tick - 1, tick + 1)):
            if row in rows:
                begin, end = min(begin, first), max(end, last)
                self._earlier.remove(first, last, row)
        if known is not None and known[0] <= end + 1 and begin <= known[1] + 1:
            begin, end = min(begin, known[0]), max(end, known[1])
        elif known is not None and known[1] > end:
            self._earlier.add(begin, end, row)
            return True
        elif known is not None:
            self._earlier.add(*known, row)
        self._latest[row] = (begin, end)
        if end != OPEN_END:
            self._ending.setdefault(end, []).append(row)
        return True

    # --- what is known --------------------------------------------------------------------------------

    def holds_at(self, row: Row, tick: int) -> bool:
        """Whether a row holds at a tick, as far as is kept."""
        begin, end = self._latest.get(row, (OPEN_END, OPEN_END))
        return begin <= tick <= end or any(row in rows for _, _, rows in self._earlier.overlap(tick, tick))

    def throughout(self, first: int, last: int) -> list[Row]:
        """The rows that hold at every tick from `first` to `last`."""
        found = [row for row, (begin, end) in self._latest.items() if begin <= first and end >= last]
        for begin, end, rows in self._earlier.overlap(last, last):
            if begin <= first and end >= last:
                found += rows
        return found

    def spans(self, first: int, last: int) -> Iterator[tuple[Row, Interval]]:
        """The rows and intervals that have a tick in `first` ... `last`, cut to these."""
        for row, (begin, end) in self._latest.items():
            if begin <= last and end >= first:
                yield row, Interval(max(begin, first), min(end, last))
        for begin, end, rows in self._earlier.overlap(first, last):
            yield from ((row, Interval(max(begin, first), min(end, last))) for row in rows)

    def known(self) -> Iterator[Stretch]:
        """The intervals that have an end, and the part of the others that was before the rows held on."""
        runs: dict[tuple[int, int], list[Row]] = {}
        for row, (begin, end) in self._latest.items():
            last = end if end != OPEN_END else self._stream.held[row] - 1
            if begin <= last:
                runs.setdefault((begin, last), []).append(row)
        yield from (Stretch(begin, end, rows) for (begin, end), rows in runs.items())
        yield from (Stretch(begin, end, [*rows]) for begin, end, rows in self._earlier.all())

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self.tick = tick
        runs = runs_by_row(stretches)
        for row, begin in self._stream.held.items():
            runs.setdefault(row, []).append(Interval(begin, OPEN_END))
        for row, intervals in runs.items():
            *earlier, latest = canonical(intervals)
            self._latest[row] = latest
            if latest.end != OPEN_END:
                self._ending.setdefault(latest.end, []).append(row)
            for interval in earlier:
                self._earlier.add(*interval, row)

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        runs: dict[Row, list[Interval]] = {row: [Interval(*known)] for row, known in self._latest.items()}
        for begin, end, rows in self._earlier.all():
            for row in rows:
                runs.setdefault(row, []).append(Interval(begin, end))
        for row, intervals in runs.items():
            assert canonical(intervals) == tuple(sorted(intervals)), row
            assert max(intervals) == self._latest.get(row, max(intervals)), row
            assert (max(intervals).end == OPEN_END) is (row in self._stream.held), row
        if self._reach is not None:
            for row, (_, end) in self._latest.items():
                assert end == OPEN_END or end < self.tick - self._reach - 1 or row in self._ending[end], row
