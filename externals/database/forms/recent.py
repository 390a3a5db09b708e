"""The atoms that held lately: for diamonds over sliding windows."""

from collections.abc import Iterator, Mapping, Sequence

from lars2asp.externals.database.forms.form import Ended, Stretch
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import earliest
from lars2asp.externals.views import NO_CHANGES, Changes


class Recent:
    """The rows that held at some tick of a sliding window.

    A row is listed under each tick at which it held as a point, or last held on, as long as that tick is in
    the window. Most rows of most streams are listed once, so that what leaves the window is what one tick
    has.

    What must hold: `_members` has the rows that are listed, and may have others that hold on. `_again` has
    rows of these, all that are listed more than once among them: with the last tick under which they are
    listed, or with OPEN_END while they hold on. Members that hold on are in it.

    Args:
        size: of the window.
        stream: the stream of the predicate.

    Attributes:
        came: the rows that are in the window since the current tick.
        gone: the rows that were in the window until the tick before.
    """

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.came: Sequence[Row] = ()
        self.gone: Sequence[Row] = ()
        self._held: Mapping[Row, int] = stream.held
        self._ticks: dict[int, Sequence[Row]] = {}
        self._members: set[Row] = set()
        self._again: dict[Row, int] = {}
        self._tick = stream.tick

    @property
    def is_empty(self) -> bool:
        """Whether the passing of time changes nothing."""
        return not (self._ticks or self.came or self.gone)

    def __len__(self) -> int:
        """The number of rows that held and do not hold on."""
        return len(self._members)

    @property
    def rows(self) -> list[Row]:
        """The rows that held, some more than once."""
        return [*self._members, *self._held]

    @property
    def next_leaving(self) -> int | None:
        """The next tick at which rows leave the window."""
        listed = (tick for tick in sorted(self._ticks) if self._is_listed(tick))
        return next((tick + self.size + 1 for tick in listed), None)

    def _is_listed(self, tick: int) -> bool:
        """Whether a row last held at a tick."""
        return any(self._again.get(row, tick) == tick for row in self._ticks[tick])

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        members, again = self._members, self._again
        out = tick - self.size - 1
        if tick - self._tick > 1:  # what left the window at ticks that were passed over
            for old in [old for old in self._ticks if old < out]:
                self._leave(old)
        came: Sequence[Row] = ()
        self._tick = tick
        for last, rows, _ in ended:
            if last >= out:
                self._list(last, rows)
            else:
                members.difference_update(rows)
                for row in rows:
                    again.pop(row, None)
        if here:
            known = members & here
            if known:
                again.update(dict.fromkeys(known, tick))
                came = [row for row in points if row not in known]
            else:
                came = points
            members |= here
            self._ticks[tick] = points
        if began:
            known = members.intersection(began)
            if known:
                again.update(dict.fromkeys(known, OPEN_END))
                came = [*came, *(row for row in began if row not in known)]
            else:
                came = [*came, *began] if came else began
        self.came = came
        self.gone = self._leave(out)

    def _list(self, last: int, rows: Sequence[Row]) -> None:
        """Lists rows that held on until a tick, which is in the window, or leaves it now."""
        number = len(self._members)
        self._members.update(rows)
        if len(self._members) < number + len(rows):
            self._again.update((row, last) for row in rows if row in self._again)
        self._ticks[last] = [*self._ticks[last], *rows] if last in self._ticks else rows

    def _leave(self, tick: int) -> Sequence[Row]:
        """The rows that last held at a tick, which leave the window."""
        rows = self._ticks.pop(tick, ())
        if self._again and rows:
            again = self._again
            rows = list(dict.fromkeys(row for row in rows if again.get(row, tick) == tick))
            for row in rows:
                again.pop(row, None)
        self._members.difference_update(rows)
        return rows

    def known(self) -> Iterator[Stretch]:
        """The last ticks of the rows that do not hold on."""
        for tick, rows in self._ticks.items():
            yield Stretch(tick, tick, [row for row in rows if self._again.get(row, tick) == tick])

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self._tick = tick
        for _, last, rows in sorted(stretches, key=lambda stretch: -stretch.end):
            if last >= tick - self.size:
                fresh = [row for row in rows if row not in self._members and row not in self._held]
                self._ticks[last] = [*self._ticks.get(last, ()), *fresh]
                self._members.update(fresh)

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        listed: dict[Row, list[int]] = {}
        for tick in sorted(self._ticks):
            assert self._tick - self.size <= tick <= self._tick, (tick, self._tick)
            for row in self._ticks[tick]:
                listed.setdefault(row, []).append(tick)
        assert listed.keys() <= self._members
        assert self._members - listed.keys() <= self._held.keys()
        for row, ticks in listed.items():
            last = self._again.get(row)
            assert last in (
                [OPEN_END] if row in self._held else [ticks[-1], None][: 3 - len(set(ticks[:2]))]
            ), row
        assert self._again.keys() <= self._members


class DiamondView:
    """The answer to `in` over a sliding window."""

    def __init__(self, recent: Recent, stream: Stream) -> None:
        self._recent = recent
        self._stream = stream

    def answer(self, now: int) -> list[Row]:
        """The rows that hold at some tick of the window."""
        self._stream.settle(now)
        return self._recent.rows

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
        came, gone = self._recent.came, self._recent.gone
        return Changes(came, gone) if came or gone else NO_CHANGES

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which the answer may change without input."""
        self._stream.settle(now)
        after = self._recent.size + 1
        return earliest([self._recent.next_leaving, *(last + after for last in self._stream.known_ends())])

    def next_growth(self, now: int) -> int | None:
        """None: it does not grow."""
        return None
