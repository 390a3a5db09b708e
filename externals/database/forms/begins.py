"""When atoms last began, for windows `[since b]` and `[after b]`."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Protocol

from lars2asp.analysis.windows import Since
from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import Ended, Stretch, View
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.externals.windows.beginnings import Beginnings
from lars2asp.planning.lookups import LookupKind


class Follower(Protocol):
    """Is told when a window begins anew."""

    def begin(self, key: Row, tick: int) -> None:
        """The window with a key begins at a tick, which is the current one, or will be."""
        ...


class Begins:
    """The last beginning of each window of a kind, which has the values that its atoms share as its key.

    What must hold: `ticks` has the last tick at which an atom with a key began. `_expecting` has those that
    have something to lose or to see with a new beginning, so that no others are asked.

    Args:
        window: the kind.
        stream: the stream of the predicate that begins.

    Attributes:
        ticks: by key.
        tick: see Form.
        stream: the stream.
        followers: those that are told of all beginnings.
    """

    def __init__(self, window: Since, stream: Stream) -> None:
        self.ticks: dict[Row, int] = {}
        self.tick = stream.tick
        self.stream = stream
        self.followers: list[Follower] = []
        self._expecting: dict[Row, dict[Follower, None]] = {}
        self._passing: dict[Row, dict[Follower, None]] = {}
        """The same for the current tick alone."""
        self._passing_at = stream.tick
        self._beginnings = Beginnings(window)
        self._here: set[Row] = set()
        """The points of the current tick."""
        self._before: set[Row] = set()
        """The rows that held at the tick before it, of those that do not hold on; as far as that matters."""

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        if tick != self.tick:
            self._before = self._here if tick == self.tick + 1 else set()
            self._here = set()
            self.tick = tick
        for last, rows, _ in ended:
            if last == tick - 1:
                self._before.update(rows)
        self._here.update(points)
        fresh = (row for row in began if row not in self._before)
        self._begin(chain(self.stream.arrived, fresh))

    def _begin(self, rows: Iterable[Row]) -> None:
        keys, tick = self._beginnings.keys(rows), self.tick
        if keys:
            self.ticks.update(dict.fromkeys(keys, tick))
            for key in keys:
                told = dict.fromkeys(self.followers)
                if key in self._expecting:
                    told |= self._expecting[key]
                if key in self._passing and self._passing_at == tick:
                    told |= self._passing[key]
                for follower in told:
                    follower.begin(key, tick)

    def expect(self, key: Row, follower: Follower) -> None:
        """Somebody is to be told when the window with a key begins."""
        self._expecting.setdefault(key, {})[follower] = None

    def expect_at(self, tick: int, key: Row, follower: Follower) -> None:
        """The same, if it is at a tick."""
        if self._passing_at != tick:
            self._passing, self._passing_at = {}, tick
        self._passing.setdefault(key, {})[follower] = None

    def forget(self, key: Row, follower: Follower) -> None:
        """Somebody need not be told any more."""
        followers = self._expecting.get(key)
        if followers is not None:
            followers.pop(follower, None)
            if not followers:
                del self._expecting[key]

    def __len__(self) -> int:
        """The number of windows."""
        return len(self.ticks)

    def known(self) -> Iterator[Stretch]:
        """The points of the current tick, on which it depends what begins at the next one."""
        if self._here:
            yield Stretch(self.tick, self.tick, [*self._here])

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick; `ticks` come by themselves."""
        self.tick = tick
        self._here = {row for _, end, rows in stretches if end == tick for row in rows}
        before = (rows for begin, end, rows in stretches if begin < tick <= end + 1)
        self._before = set(chain.from_iterable(before))

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        assert all(tick <= self.tick for tick in self.ticks.values())


class KeysView(View):
    """The answer to a lookup about windows that begin with an atom: the keys of those that are as is asked.

    HAS_NOW: those that have the current tick. NOTHING_BEFORE: those that have it alone.

    Args:
        kind: the kind of the lookup.
        window: the kind of windows.
        begins: when they begin.
    """

    def __init__(self, kind: LookupKind, window: Since, begins: Begins) -> None:
        self._is_alone = kind is LookupKind.NOTHING_BEFORE
        self._after = int(window.is_after)
        self._begins = begins
        self._keys: dict[Row, None] = {}
        self._touched: dict[Row, None] = {}
        begins.followers.append(self)

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on."""
        super().watch(watched, now)
        for key in self._touched:
            self._call(self._begins.ticks[key])

    def begin(self, key: Row, tick: int) -> None:
        """A window begins at a tick."""
        self._touched[key] = None
        self._call(tick)
        if self.watched is not None:
            self.watched.rouse()

    def _call(self, tick: int) -> None:
        agenda = self._begins.stream.agenda
        for later in (tick + 1, tick + 2) if self.watched is not None else ():
            if later > agenda.now:
                agenda.call(later, self)

    def load(self) -> None:
        """The stream is another one."""
        self._touched = dict.fromkeys(self._begins.ticks)

    def _has(self, key: Row, now: int) -> bool:
        first = self._begins.ticks[key] + self._after
        return first == now if self._is_alone else first <= now

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._begins.stream.settle(now)
        return [key for key in self._begins.ticks if self._has(key, now)]

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._begins.stream.settle(now)
        if not self._touched:
            return NO_CHANGES
        came, gone = [], []
        for key in [*self._touched]:
            if self._has(key, now):
                if key not in self._keys:
                    self._keys[key] = None
                    came.append(key)
            elif key in self._keys:
                del self._keys[key]
                gone.append(key)
            if self._begins.ticks[key] + 2 <= now:
                del self._touched[key]
        return Changes(came, gone) if came or gone else NO_CHANGES

    def is_pending(self, now: int) -> bool:
        """Whether windows began late."""
        return any(self._has(key, now) is not (key in self._keys) for key in self._touched)
