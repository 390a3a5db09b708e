"""What came and what went at each of the last ticks: for windows that have no form of their own."""

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from lars2asp.externals.database.form import Ended, Stretch
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.terms import Row


class Turnover(NamedTuple):
    """The rows that hold from a tick on, and did not before, and those that did, and hold no more."""

    came: set[Row]
    gone: set[Row]


class Follower(Protocol):
    """What goes through the news, as late as its offsets are great."""

    @property
    def reach(self) -> int:
        """The greatest offset."""
        ...

    def call(self, tick: int, now: int) -> None:
        """Rows come or go at a tick: calls for the ticks at which that matters, later than now."""
        ...

    def advance(self, before: int, now: int) -> None:
        """A tick is the current one, and another one was it before."""
        ...

    def correct(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows hold at a tick up to the current one after all, if `by` is 1, or do not, if it is -1."""
        ...


class News:
    """The rows that came and went at each of the last ticks, as far back as its followers look.

    What must hold: `_turnovers` has the ticks later than `reach` ticks ago at which a row came or went, and
    the one after the current tick, at which the points of this one go; it has none without rows. `_ticks`
    has these ticks in their order.

    Args:
        stream: the stream of the predicate.

    Attributes:
        reach: how many ticks back its followers look; 1 at least, so that the current tick is within, and
            OPEN_END if one of them looks at all.
        tick: the current one.
    """

    def __init__(self, stream: Stream) -> None:
        self.reach = 1
        self._stream = stream
        self._turnovers: dict[int, Turnover] = {}
        self._ticks: list[int] = []
        self._first = 0
        """The place of the first of them that is not forgotten."""
        self._followers: list[Follower] = []
        self.tick = self._now = stream.tick

    def add_follower(self, follower: Follower) -> None:
        """Adds what goes through the news; to be called before anything happens."""
        self._followers.append(follower)
        self.reach = max(self.reach, follower.reach)

    def __len__(self) -> int:
        """The number of intervals that have an end."""
        return sum(len(turnover.gone) for turnover in self._turnovers.values())

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        before, self._now = self.tick, tick
        for last, rows, _ in ended:
            self._log(last + 1, rows, -1)
            if last + 1 <= before:
                self._correct(last + 1, rows, -1)
        fresh = here.union(began) if began else here
        if tick == before and tick + 1 in self._turnovers:
            known = fresh & self._turnovers[tick + 1].gone  # they are points of the tick already
            if known:
                fresh, here = fresh - known, here - known
                self._log(tick + 1, known.intersection(began), 1)
        self._log(tick, fresh, 1)
        self._log(tick + 1, here, -1)
        if tick == before:
            self._correct(tick, fresh, 1)
        else:
            self._advance(before, tick)

    def _log(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows came at a tick, if `by` is 1, or went; those that did the opposite stay as they were."""
        if not rows:
            return
        turnover = self._turnovers.get(tick)
        if turnover is None:
            turnover = self._turnovers[tick] = Turnover(set(), set())
            if len(self._ticks) > self._first and tick < self._ticks[-1]:
                insort(self._ticks, tick, self._first)
            else:
                self._ticks.append(tick)
        same, opposite = turnover if by > 0 else (turnover.gone, turnover.came)
        if opposite:
            back = opposite.intersection(rows)
            opposite -= back
            rows = [row for row in rows if row not in back] if back else rows
        same.update(rows)
        if not same and not opposite:
            del self._turnovers[tick]
            del self._ticks[self._place_after(tick) - 1]
        for follower in self._followers:
            follower.call(tick, self._now)

    def _place_after(self, tick: int) -> int:
        """The place in `_ticks` of the first tick after another one."""
        return bisect_right(self._ticks, tick, self._first)

    def _correct(self, tick: int, rows: Collection[Row], by: int) -> None:
        for follower in self._followers if rows else ():
            follower.correct(tick, rows, by)

    def _advance(self, before: int, tick: int) -> None:
        """Another tick is the current one; forgets what nobody will look at."""
        self.tick = tick
        for follower in self._followers:
            follower.advance(before, tick)
        old = self._place_after(tick - self.reach)
        for each in self._ticks[self._first : old]:
            del self._turnovers[each]
        self._first = old
        if 2 * old > len(self._ticks):
            del self._ticks[:old]
            self._first = 0

    def place(self, row: Row, tick: int, now: int) -> bool:
        """A row holds at a tick before the current one as well; gives whether that is new and of interest."""
        self._now = now
        if self.tick < now:  # nothing came or went since
            self._advance(self.tick, now)
        if tick <= self.tick - self.reach or self._holds_at(row, tick):
            return False
        self._log(tick, [row], 1)
        self._log(tick + 1, [row], -1)
        self._correct(tick, [row], 1)
        return True

    def _holds_at(self, row: Row, tick: int) -> bool:
        """Whether a row holds at a tick within reach: whether it goes at its next turnover, or holds now."""
        for each in self._ticks[self._place_after(tick) :]:
            came, gone = self._turnovers[each]
            if row in came or row in gone:
                return row in gone
        return row in self._stream.held

    def between(self, after: int, last: int) -> Iterable[tuple[int, Turnover]]:
        """The turnovers at the ticks after one, up to another one, in their order."""
        if last - after == 1:
            turnover = self._turnovers.get(last)
            return () if turnover is None else ((last, turnover),)
        ticks = self._ticks[self._place_after(after) : self._place_after(last)]
        return [(tick, self._turnovers[tick]) for tick in ticks]

    def next_after(self, tick: int) -> int | None:
        """The first tick after another one at which a row came or went."""
        found = self._place_after(tick)
        return self._ticks[found] if found < len(self._ticks) else None

    def has(self, tick: int) -> bool:
        """Whether rows came or went at a tick."""
        return tick in self._turnovers

    def is_new_at(self, tick: int, rows: Collection[Row]) -> bool:
        """Whether some of rows that hold at a tick did not at the one before."""
        turnover = self._turnovers.get(tick)
        return turnover is not None and not turnover.came.isdisjoint(rows)

    def gone_at(self, tick: int) -> set[Row]:
        """The rows that went at a tick."""
        return self._turnovers[tick].gone if tick in self._turnovers else set()

    def known(self) -> Iterator[Stretch]:
        """The intervals within reach that have an end, and the parts of others before the rows held on."""
        ends = {row: begin - 1 for row, begin in self._stream.held.items()}
        runs: dict[tuple[int, int], list[Row]] = {}
        for tick in reversed(self._ticks[self._first :]):
            came, gone = self._turnovers[tick]
            for row in came:
                if (end := ends.pop(row)) >= tick:
                    runs.setdefault((tick, end), []).append(row)
            ends.update(dict.fromkeys(gone, tick - 1))
        first = self.tick - self.reach
        for row, end in ends.items():
            if end >= first:
                runs.setdefault((first, end), []).append(row)
        return (Stretch(begin, end, rows) for (begin, end), rows in runs.items())

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self._now = tick
        begins = (begin for begin, _, _ in stretches)
        first = max(tick - self.reach, min((*begins, *self._stream.held.values()), default=tick))
        runs: dict[Row, list[Interval]] = {}
        for begin, end, rows in stretches:
            for row in rows if end >= first else ():
                runs.setdefault(row, []).append(Interval(max(begin, first), end))
        for row, begin in self._stream.held.items():
            runs.setdefault(row, []).append(Interval(max(begin, first), OPEN_END))
        turnovers: defaultdict[int, Turnover] = defaultdict(lambda: Turnover(set(), set()))
        for row, intervals in runs.items():
            for begin, end in canonical(intervals):
                turnovers[begin].came.add(row)
                if end != OPEN_END:
                    turnovers[end + 1].gone.add(row)
        self._ticks = sorted(turnovers)
        self._turnovers = {each: turnovers[each] for each in self._ticks}
        for follower in self._followers:
            self.calls(follower, tick)
        self._advance(first - 1, tick)

    def calls(self, follower: Follower, now: int) -> None:
        """Calls for all ticks at which something matters to a follower."""
        for tick in self._ticks[self._first :]:
            follower.call(tick, now)

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        ticks = self._ticks[self._first :]
        assert ticks == sorted(self._turnovers)
        assert all(self.tick - self.reach < tick <= self.tick + 1 for tick in ticks)
        assert all((came or gone) and came.isdisjoint(gone) for came, gone in self._turnovers.values())
        held = self._stream.held
        last: dict[Row, bool] = {}
        for tick in ticks:
            came, gone = self._turnovers[tick]
            for rows, is_here in ((came, True), (gone, False)):
                assert all(last.get(row) is not is_here for row in rows), tick
                last.update(dict.fromkeys(rows, is_here))
        assert all((row in held) is is_here for row, is_here in last.items())
