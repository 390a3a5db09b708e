"""The answers to lookups about windows of offsets, and to `at T` without a window, by the news of ticks."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, repeat

from lars2asp.analysis.windows import Offsets
from lars2asp.externals.database.form import NEVER, View, followed_by
from lars2asp.externals.database.forms.news import News
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import BEFORE, earliest
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind

_BOXES = (LookupKind.ALWAYS, LookupKind.ALWAYS_BEFORE)
_COUNTS = (LookupKind.COUNT, LookupKind.COUNT_BEFORE)


class OffsetsView(View):
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
        self._news = news
        self._stream = stream
        self._start = start
        self._complete = complete
        self._counts: dict[Row, int] = {}
        self._before: dict[Row, int] = {}
        self._least_before = self._least
        news.add_follower(self)

    # --- the news -------------------------------------------------------------------------------------

    @property
    def reach(self) -> int:
        """The greatest offset."""
        return self._window.reach

    @property
    def is_still(self) -> bool:
        """True: numbers change as rows come and go."""
        return True

    def advance(self, before: int, now: int) -> None:
        """Another tick is the current one."""
        for offset in self._offsets:
            for came, gone in self._news.between(before - offset, now - offset):
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
        self._stream.settle(now)
        if self._is_count:
            return [(*row, number) for row, number in self._counts.items()]
        least = self._least_at(now)
        if least == 1:
            return list(self._counts)
        return [row for row, number in self._counts.items() if number >= least]

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
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

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which a row comes or goes that did so an offset before."""
        self._stream.settle(now)
        return earliest(_next_turnovers(self._news, self._stream, self._offsets, now))


class OffsetTicksView(View):
    """The answer to `at T` over a window of offsets.

    What must hold: the offsets are those of `_runs`, each with its number in a run of offsets that follow one
    another. At the first one of a run `_here` has the rows that hold; `_rows` has each tick of a run at which
    a row holds, with these rows, followed by it. `_came` and `_gone` are what the answer has now and did not
    at the last look, and the other way round.

    Args:
        window: the window.
        news: of the predicate.
        stream: of the predicate.
    """

    def __init__(self, window: Offsets, news: News, stream: Stream) -> None:
        self._offsets = window.offsets
        self._runs = _runs(window.offsets)
        self._news = news
        self._stream = stream
        self._here: list[set[Row]] = [set() for _ in self._runs]
        self._rows: list[dict[int, set[Row]]] = [{} for _ in self._runs]
        self._came: set[Row] = set()
        self._gone: set[Row] = set()
        news.add_follower(self)

    # --- the news -------------------------------------------------------------------------------------

    @property
    def reach(self) -> int:
        """The greatest offset."""
        return self._offsets[-1]

    @property
    def is_still(self) -> bool:
        """Whether no row holds in the window, or at the first tick of a run."""
        return not any(self._rows) and not any(self._here)

    def advance(self, before: int, now: int) -> None:
        """Another tick is the current one."""
        for (offset, size), here, rows in zip(self._runs, self._here, self._rows, strict=True):
            at, out = before - offset, now - offset - size
            for tick in range(max(at, out) + 1, now - offset + 1):
                for came, gone in self._news.between(at, tick):
                    here.difference_update(gone)
                    here.update(came)
                at = tick
                if here:
                    self._enter(rows, tick, here)
            for tick in [tick for tick in rows if tick <= out]:
                _change(rows.pop(tick), self._gone, self._came)

    def correct(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows hold at a tick after all, or do not."""
        back = self._news.tick - tick
        for (offset, size), here, known in zip(self._runs, self._here, self._rows, strict=True):
            if not offset <= back < offset + size:
                continue
            if by > 0:
                self._enter(known, tick, rows)
                here.update(rows if back == offset else ())
            else:
                self._leave(known, tick, rows)
                here.difference_update(rows if back == offset else ())

    def _enter(self, known: dict[int, set[Row]], tick: int, rows: Collection[Row]) -> None:
        fresh = set(map(followed_by, rows, repeat((tick,))))
        known.setdefault(tick, set()).update(fresh)
        _change(fresh, self._came, self._gone)

    def _leave(self, known: dict[int, set[Row]], tick: int, rows: Collection[Row]) -> None:
        old = set(map(followed_by, rows, repeat((tick,))))
        known[tick] -= old
        if not known[tick]:
            del known[tick]
        _change(old, self._gone, self._came)

    # --- the answer -----------------------------------------------------------------------------------

    def answer(self, now: int) -> Sequence[Row]:
        """The answer at the current tick."""
        self._stream.settle(now)
        return [row for of_run in self._rows for rows in of_run.values() for row in rows]

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
        if not self._came and not self._gone:
            return NO_CHANGES
        changes = Changes(list(self._came), list(self._gone))
        self._came, self._gone = set(), set()
        return changes

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which rows enter that did not hold, or leave."""
        self._stream.settle(now)
        first = [offset for offset, _ in self._runs]
        found = [*_next_turnovers(self._news, self._stream, first, now)]
        for (offset, size), rows in zip(self._runs, self._rows, strict=True):
            found += [tick + offset + size for tick in rows]
        return earliest(found)

    def next_growth(self, now: int) -> int | None:
        """The next tick if a row goes on to hold at the first tick of a run."""
        self._stream.settle(now)
        for (offset, _), here in zip(self._runs, self._here, strict=True):
            if not here <= self._news.gone_at(now + 1 - offset):
                return now + 1
        return None


class AllTicksView(View):
    """The answer to `at T` without a window: each row that held, with each tick at which it did.

    It grows by the rows of each tick. What it has is worked out from the news, if it is asked for whole.

    What must hold: `_here` has the rows that hold at the current tick. `_came` and `_gone` are what the
    answer has now and did not at the last look, and the other way round.

    Args:
        news: of the predicate.
        stream: of the predicate.
    """

    reach = OPEN_END

    def __init__(self, news: News, stream: Stream) -> None:
        self._news = news
        self._stream = stream
        self._here: set[Row] = set()
        self._came: set[Row] = set()
        self._gone: set[Row] = set()
        news.add_follower(self)

    # --- the news -------------------------------------------------------------------------------------

    @property
    def is_still(self) -> bool:
        """Whether no row holds."""
        return not self._here

    def advance(self, before: int, now: int) -> None:
        """Another tick is the current one."""
        here, tick = self._here, before
        while tick < now:
            following = tick + 1 if here else self._news.next_after(tick)
            if following is None or following > now:
                return
            for came, gone in self._news.between(tick, following):
                here.difference_update(gone)
                here.update(came)
            tick = following
            _change(set(map(followed_by, here, repeat((tick,)))), self._came, self._gone)

    def correct(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows hold at a tick after all, or do not."""
        found = set(map(followed_by, rows, repeat((tick,))))
        if by > 0:
            _change(found, self._came, self._gone)
            self._here.update(rows if tick == self._news.tick else ())
        else:
            _change(found, self._gone, self._came)
            self._here.difference_update(rows if tick == self._news.tick else ())

    # --- the answer -----------------------------------------------------------------------------------

    def answer(self, now: int) -> Sequence[Row]:
        """The answer at the current tick."""
        self._stream.settle(now)
        runs = [(begin, end, row) for begin, end, rows in self._news.known() for row in rows]
        runs += [(begin, now, row) for row, begin in self._stream.held.items()]
        return [(*row, tick) for begin, end, row in runs for tick in range(begin, end + 1)]

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        self._stream.settle(now)
        return bool(self._here) or self._news.next_after(NEVER) is not None

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._stream.settle(now)
        if not self._came and not self._gone:
            return NO_CHANGES
        changes = Changes(list(self._came), list(self._gone))
        self._came, self._gone = set(), set()
        return changes

    def next_change(self, now: int) -> int | None:
        """The first tick after the current one at which a row comes or goes."""
        self._stream.settle(now)
        return earliest(_next_turnovers(self._news, self._stream, (0,), now))

    def next_growth(self, now: int) -> int | None:
        """The next tick if a row goes on to hold."""
        self._stream.settle(now)
        return None if self._here <= self._news.gone_at(now + 1) else now + 1


def _change(rows: set[Row], same: set[Row], opposite: set[Row]) -> None:
    """Rows came, or went, after those of `same`; those that did the opposite are as they were."""
    back = rows & opposite
    opposite -= back
    same |= rows - back


def _runs(offsets: Sequence[int]) -> list[tuple[int, int]]:
    """The runs of offsets that follow one another, each by its first one and its size."""
    starts = [offsets[0], *(two for one, two in pairwise(offsets) if two > one + 1)]
    ends = [*(one for one, two in pairwise(offsets) if two > one + 1), offsets[-1]]
    return [(start, end - start + 1) for start, end in zip(starts, ends, strict=True)]


def _next_turnovers(news: News, stream: Stream, offsets: Sequence[int], now: int) -> Iterator[int]:
    """Ticks after the current one to which an offset leads from a turnover, the first one among them."""
    known = [last + 1 for last in stream.known_ends()]
    if stream.has_points:  # which may be recorded besides
        known += (now, now + 1)
    for offset in offsets:
        if (tick := news.next_after(now - offset)) is not None:
            yield tick + offset
        yield from (tick + offset for tick in known if tick + offset > now)
