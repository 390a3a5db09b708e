"""The answers to lookups about windows of offsets, and to `at T` without a window, by the news of ticks."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import repeat

from lars2asp.analysis.windows import Offsets
from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import NEVER, followed_by
from lars2asp.externals.database.forms.news import News
from lars2asp.externals.database.forms.spans import ListedTicksView, NewsView, change
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import BEFORE
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind

_BOXES = (LookupKind.ALWAYS, LookupKind.ALWAYS_BEFORE)
_COUNTS = (LookupKind.COUNT, LookupKind.COUNT_BEFORE)


class OffsetsView(NewsView):
    """The answer to a lookup that asks at how many ticks of a window of offsets each row holds.

    What must hold: `_counts` has the number of ticks of the window at which each row holds, 1 or more, and
    `_before` the number that there was at the last look for each row for which it was another one.

    Args:
        lookup: the lookup.
        window: its window.
        news: of the predicate.
        stream: of the predicate.
        start: the first tick of the timeline.
        complete: whether boxes need windows that lie wholly on it.
    """

    def __init__(
        self, lookup: Lookup, window: Offsets, news: News, stream: Stream, start: int, *, complete: bool
    ) -> None:
        self._is_count = lookup.kind in _COUNTS
        self._is_box = lookup.kind in _BOXES
        self._least = lookup.least or 1
        self._window = window
        self._offsets = tuple(one for one in window.offsets if one or lookup.kind not in BEFORE)
        super().__init__(news, stream)
        self._start = start
        self._complete = complete
        self._counts: dict[Row, int] = {}
        self._before: dict[Row, int] = {}
        self._least_before = self._least
        self._turns: set[int] = set()
        """The ticks at which boxes change as the timeline starts at one of the window."""
        news.add_follower(self)

    # --- the news -------------------------------------------------------------------------------------

    @property
    def reach(self) -> int:
        """The greatest offset."""
        return self._window.reach

    @property
    def sees_now(self) -> bool:
        """Whether the current tick is in the window."""
        return not self._offsets[0] if self._offsets else False

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on; boxes need more ticks as the window comes onto the timeline."""
        super().watch(watched, now)
        if self._is_box:
            self._turns.update(self._start + offset for offset in self._window.offsets)
            for tick in self._turns:
                self._call(tick, now)

    def call(self, tick: int, now: int) -> None:
        """Rows come or go at a tick."""
        if self.watched is not None:
            for offset in self._offsets:
                self._call(tick + offset, now)

    def is_due(self, tick: int) -> bool:
        """Whether rows came or went an offset before, or the window is on more of the timeline."""
        if self.watched is None:
            return False
        return tick in self._turns or any(self._news.has(tick - offset) for offset in self._offsets)

    def advance(self, before: int, now: int) -> None:
        """Another tick is the current one."""
        for offset in self._offsets:
            for _, (came, gone) in self._news.between(before - offset, now - offset):
                self._count(gone, -1)
                self._count(came, 1)

    def correct(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows hold at a tick after all, or do not."""
        if self._news.tick - tick in self._offsets:
            self._count(rows, by)

    def _count(self, rows: Iterable[Row], by: int) -> None:
        counts, before = self._counts, self._before
        for row in rows:
            number = counts.get(row, 0)
            if number + by:
                counts[row] = number + by
            else:
                del counts[row]
            if before.setdefault(row, number) == number + by:
                del before[row]

    # --- the answer -----------------------------------------------------------------------------------

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._settle(now)
        if self._is_count:
            return [(*row, number) for row, number in self._counts.items()]
        least = self._least_at(now)
        if least == 1:
            return list(self._counts)
        return [row for row, number in self._counts.items() if number >= least]

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._settle(now)
        least, least_before = self._least_at(now), self._least_before
        changed: Mapping[Row, int] = self._before
        if least != least_before:
            changed, self._least_before = {**self._counts, **changed}, least
        elif not changed:
            return NO_CHANGES
        self._before = {}
        after = self._counts.get
        if self._is_count:
            ended = [(*row, number) for row, number in changed.items() if number]
            return Changes([(*row, number) for row in changed if (number := after(row, 0))], ended)
        began = [row for row, number in changed.items() if number < least_before and after(row, 0) >= least]
        ended = [row for row, number in changed.items() if number >= least_before and after(row, 0) < least]
        return Changes(began, ended) if began or ended else NO_CHANGES

    def _least_at(self, now: int) -> int:
        """At how many ticks of the window a row must hold."""
        if not self._is_box:
            return self._least
        if self._complete and not self._window.is_whole(now, self._start):
            return OPEN_END
        return sum(now - offset >= self._start for offset in self._offsets) or 1

    def is_pending(self, now: int) -> bool:
        """Whether something has changed since the last look."""
        return bool(self._before)


class AllTicksView(ListedTicksView):
    """The answer to `at T` without a window: each row that held, with each tick at which it did.

    It grows by the rows of each tick. What it has is worked out from the news, if it is asked for whole.

    What must hold: `_here` has the rows that hold at the current tick.

    Args:
        news: of the predicate.
        stream: of the predicate.
    """

    reach = OPEN_END

    def __init__(self, news: News, stream: Stream) -> None:
        super().__init__(news, stream)
        self._here: set[Row] = set()
        news.add_follower(self)

    # --- the news -------------------------------------------------------------------------------------

    def call(self, tick: int, now: int) -> None:
        """Rows come or go at a tick."""
        self._call(tick, now)

    def is_due(self, tick: int) -> bool:
        """Whether rows come or go at a tick."""
        return self.watched is not None and self._news.has(tick)

    @property
    def is_growing(self) -> bool:
        """Whether rows go on to hold."""
        return bool(self._here) and not self._here <= self._news.gone_at(self._news.tick + 1)

    def advance(self, before: int, now: int) -> None:
        """Another tick is the current one."""
        here, tick = self._here, before
        while tick < now:
            following = tick + 1 if here else self._news.next_after(tick)
            if following is None or following > now:
                break
            for _, (came, gone) in self._news.between(tick, following):
                here.difference_update(gone)
                here.update(came)
            tick = following
            change(set(map(followed_by, here, repeat((tick,)))), self._came, self._gone)
        self._grow()

    def correct(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows hold at a tick after all, or do not."""
        self._note_late(tick, rows, by)
        found = set(map(followed_by, rows, repeat((tick,))))
        if by > 0:
            change(found, self._came, self._gone)
            self._here.update(rows if tick == self._news.tick else ())
        else:
            change(found, self._gone, self._came)
            self._here.difference_update(rows if tick == self._news.tick else ())
        self._grow()

    # --- the answer -----------------------------------------------------------------------------------

    def answer(self, now: int) -> Sequence[Row]:
        """The answer at the current tick."""
        self._settle(now)
        runs = [(begin, end, row) for begin, end, rows in self._news.known() for row in rows]
        runs += [(begin, now, row) for row, begin in self._stream.held.items()]
        return [(*row, tick) for begin, end, row in runs for tick in range(begin, end + 1)]

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        self._settle(now)
        return bool(self._here) or self._news.next_after(NEVER) is not None

    def next_growth(self, now: int) -> int | None:
        """The next tick if a row goes on to hold."""
        self._settle(now)
        return None if self._here <= self._news.gone_at(now + 1) else now + 1
