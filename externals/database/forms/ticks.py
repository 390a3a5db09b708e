"""The atoms and the ticks at which they held: for `at T` over sliding windows."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat, takewhile

from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import NEVER, Ended, Stretch, View, followed_by
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.terms.terms import Row


class Ticks:
    """The ticks of a sliding window, and the rows that held at each, followed by it.

    What must hold: `_rows` has each tick of the window at which a row held, in their order, with these rows,
    and the agenda the one at which these leave, if somebody looks.

    Args:
        size: of the window.
        stream: the stream of the predicate.

    Attributes:
        tick: see Form.
        views: the views that are watched.
        watched: who looks at them.
        lag: the number of ticks from a row's last one to that at which it leaves the window.
        came: the rows of ticks that are in the window since the current tick.
        gone: the rows of ticks that were in the window until the tick before.
    """

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.lag = size + 1
        self.views: list[View] = []
        self.watched: list[Watched] = []
        self._agenda = stream.agenda
        self.came: Sequence[Row] = ()
        self.gone: Sequence[Row] = ()
        self._held: Mapping[Row, int] = stream.held
        self._rows: OrderedDict[int, list[Row]] = OrderedDict()
        self._dropped = NEVER
        """The last tick of which rows were not called for again, as they hold on."""
        self.tick = stream.tick
        self._is_restless = True
        """Whether the answer changed from tick to tick when it last said so."""

    def __len__(self) -> int:
        """The number of rows, each with one tick."""
        return sum(map(len, self._rows.values()))

    @property
    def rows(self) -> list[Row]:
        """The rows of all ticks."""
        return [row for rows in self._rows.values() for row in rows]

    @property
    def has_rows(self) -> bool:
        """Whether there are any."""
        return bool(self._rows)

    def turns(self) -> Iterator[int]:
        """The ticks at which rows leave the window."""
        return (tick + self.lag for tick in self._rows)

    def is_due(self, tick: int) -> bool:
        """Whether rows leave the window at a tick that do not hold on; it is called for again as they end."""
        held, out = self._held, tick - self.lag
        if any(not held or row[:-1] not in held for row in self._rows.get(out, ())):
            return True
        self._dropped = max(self._dropped, out)
        return False

    @property
    def is_growing(self) -> bool:
        """Whether the answer changes from tick to tick."""
        return bool(self._held)

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        before, self.tick = self.tick, tick
        fresh = []
        if tick - before > 1 and (ended or len(self._held) > len(began)):
            new = set(began)
            going_on = [row for row in self._held if row not in new]
            for passed in range(max(before + 1, tick - self.size), tick):
                over = (row for last, rows, _ in ended if last >= passed for row in rows)
                fresh.append(self._add(passed, [*going_on, *over]))
        fresh.append(self._add(tick, [*points, *self._held] if self._held else points))
        self.came = fresh[0] if len(fresh) == 1 else [row for rows in fresh for row in rows]
        out = tick - self.size - 1
        if ended:
            self._call_again()
        if tick - before == 1:
            self.gone = self._rows.pop(out, ())
        else:
            gone: list[Row] = []
            while self._rows and (old := next(iter(self._rows))) <= out:
                gone += self._rows.pop(old)
            self.gone = gone
        if self._held or ended or self._is_restless:
            self._is_restless = self.is_growing
            for view in self.views:
                view.grow(self._is_restless)

    def _call_again(self) -> None:
        """Rows hold on no more."""
        dropped, self._dropped = self._dropped, NEVER
        for tick in takewhile(lambda each: each <= dropped, self._rows):
            if tick + self.lag > self.tick:
                for watched in self.watched:
                    self._agenda.call(tick + self.lag, watched)

    def _add(self, tick: int, rows: Sequence[Row]) -> list[Row]:
        """Rows held at a tick; gives them with the tick."""
        if not rows:
            return []
        found = self._rows[tick] = list(map(followed_by, rows, repeat((tick,))))
        for watched in self.watched:
            self._agenda.call(tick + self.lag, watched)
        return found

    def known(self) -> Iterator[Stretch]:
        """The ticks at which rows held, but for those since which they hold on."""
        for tick, rows in self._rows.items():
            cut = (row[:-1] for row in rows)
            yield Stretch(tick, tick, [row for row in cut if self._held.get(row, tick + 1) > tick])

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick."""
        self.tick = tick
        found: dict[int, dict[Row, None]] = {}
        for begin, end, rows in [*stretches, *(Stretch(one, tick, [row]) for row, one in self._held.items())]:
            for each in range(max(begin, tick - self.size), min(end, tick) + 1):
                found.setdefault(each, {}).update(dict.fromkeys(rows))
        for each in sorted(found):
            self._add(each, [*found[each]])

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert list(self._rows) == sorted(self._rows)
        for tick, rows in self._rows.items():
            assert self.tick - self.size <= tick <= self.tick
            assert rows
            assert len(set(rows)) == len(rows)
            assert {row[-1] for row in rows} == {tick}
