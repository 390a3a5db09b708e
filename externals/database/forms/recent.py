"""The atoms that held lately: for diamonds over sliding windows."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence

from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import Ended, Stretch
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.terms import Row


class Recent:
    """The rows that held at some tick of a sliding window.

    A row is listed under each tick at which it held as a point, or last held on, as long as that tick is in
    the window; not so where it is listed under the next one, or held on from that. Most rows of most streams
    are listed once, so that what leaves the window is what one tick has.

    What must hold: `_ticks` is in the order of ticks, and the agenda has for each the one at which the rows
    leave, if somebody looks. `_members` has the rows that are listed, and may have others that hold on.
    `_again` has rows of these, all that are listed more than once, or hold on besides, among them: with the
    last tick under which they are listed, or with OPEN_END while they hold on.

    Args:
        size: of the window.
        stream: the stream of the predicate.

    Attributes:
        tick: see Form.
        watched: who looks at it.
        lag: the number of ticks from a row's last one to that at which it leaves the window.
        came: the rows that are in the window and were not at the tick of the news before.
        gone: the rows that were in the window then and are not now.
    """

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.lag = size + 1
        self.watched: list[Watched] = []
        self._agenda = stream.agenda
        self.came: Sequence[Row] = ()
        self.gone: Sequence[Row] = ()
        self._held: Mapping[Row, int] = stream.held
        self._ticks: OrderedDict[int, Sequence[Row]] = OrderedDict()
        self._newest: set[Row] = set()
        """What is listed under the current tick."""
        self._members: set[Row] = set()
        self._again: dict[Row, int] = {}
        self.tick = stream.tick

    def __len__(self) -> int:
        """The number of rows that held and do not hold on."""
        return len(self._members)

    @property
    def rows(self) -> list[Row]:
        """The rows that held, some more than once."""
        return [*self._members, *self._held]

    @property
    def has_rows(self) -> bool:
        """Whether there are any."""
        return bool(self._members or self._held)

    def turns(self) -> Iterator[int]:
        """The ticks at which rows may leave the window."""
        return (tick + self.lag for tick in self._ticks)

    def is_due(self, tick: int) -> bool:
        """Whether rows leave the window at a tick."""
        return bool(self._last(tick - self.lag))

    def _call(self, tick: int) -> None:
        """What is listed under a tick will leave the window."""
        for watched in self.watched:
            self._agenda.call(tick + self.lag, watched)

    def _last(self, tick: int) -> Sequence[Row]:
        """The rows that are listed under a tick and under no later one, and do not hold on."""
        rows, latest = self._ticks.get(tick, ()), self._again.get
        return [row for row in rows if latest(row, tick) == tick] if self._again else rows

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        if began or ended or self._again or not self._members.isdisjoint(here):
            self._take_more(tick, points, here, began, ended)
        else:  # as at most ticks: nothing of it was there
            self.came = points
            self._members |= here
        ticks, out = self._ticks, tick - self.size - 1
        if here:
            ticks[tick] = points
            for watched in self.watched:
                self._agenda.call(tick + self.lag, watched)
        self.tick, self._newest, self.gone = tick, here, ()
        while (first := next(iter(ticks), tick)) <= out:
            gone = self._leave(first)
            self.gone = [*self.gone, *gone] if self.gone else gone

    def _take_more(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes news among which there are rows that hold on or did, or that the window has already."""
        members, ticks, newest, again = self._members, self._ticks, self._newest, self._again
        before, out = tick - 1, tick - self.size - 1
        if self.tick < before:
            newest = set()
        for last, rows, _ in ended:
            if last in ticks:
                ticks[last] = [*ticks[last], *rows]
            else:
                is_later = not ticks or last > next(reversed(ticks))
                ticks[last] = rows
                if not is_later:
                    ticks = self._ticks = OrderedDict(sorted(ticks.items()))
            if last >= out:
                self._call(last)
            members.update(rows)
            if again:
                again.update((row, last) for row in rows if row in again)
            if last == before:
                newest = newest.union(rows)
        now = here.union(began) if began else here
        if newest.isdisjoint(now):
            fresh = now
            known = recurring = members & fresh
        else:
            going_on = newest & now
            ticks[before] = [*(newest - going_on)] if len(going_on) < len(newest) else ()
            fresh = now - going_on if len(going_on) < len(now) else set()
            known = members & fresh
            recurring = known | (going_on & again.keys()) if again else known
        if recurring:
            again.update(dict.fromkeys(recurring, tick))
            if began:
                again.update(dict.fromkeys(recurring.intersection(began), OPEN_END))
        self.came = [*(fresh - known)] if known or fresh is not here else points
        members |= here if fresh is now else fresh

    def _leave(self, tick: int) -> Sequence[Row]:
        """The rows that last held at a tick, which leave the window."""
        rows, again = self._ticks.pop(tick), self._again
        if again:
            rows = [row for row in rows if again.get(row, tick) == tick]
            for row in rows:
                again.pop(row, None)
        self._members.difference_update(rows)
        return rows

    def known(self) -> Iterator[Stretch]:
        """Ticks at which rows held, the last ones of those that do not hold on among them."""
        return (Stretch(tick, tick, rows) for tick, rows in self._ticks.items())

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self.tick = tick
        for _, last, rows in sorted(stretches, key=lambda stretch: -stretch.end):
            if last >= tick - self.size:
                fresh = [row for row in rows if row not in self._members and row not in self._held]
                self._ticks[last] = [*self._ticks.get(last, ()), *fresh]
                self._members.update(fresh)
        self._ticks = OrderedDict(sorted(self._ticks.items()))
        self._newest = set(self._ticks.get(tick, ()))

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert all(tick <= self.tick for tick in self._ticks)
        assert list(self._ticks) == sorted(self._ticks)
        assert self._newest == set(self._ticks.get(self.tick, ()))
        listed: dict[Row, list[int]] = {}
        for tick in sorted(self._ticks):
            for row in self._ticks[tick]:
                listed.setdefault(row, []).append(tick)
        assert listed.keys() <= self._members
        assert self._members - listed.keys() <= self._held.keys()
        assert self._again.keys() <= self._members
        for row, ticks in listed.items():
            assert len({*ticks}) == len(ticks), row
            if row in self._again or len(ticks) > 1 or row in self._held:
                assert self._again[row] == (OPEN_END if row in self._held else ticks[-1]), row
