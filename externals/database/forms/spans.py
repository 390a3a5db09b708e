"""The answers to lookups about windows whose ticks follow one another, by the news of ticks.

Two edges go through the news, that of the last tick of the window and that of the first one. Between two
turnovers at its edges the number of ticks of the window at which a row holds is linear, so that what a row
costs are its turnovers, however long the window is and whatever it holds.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from heapq import heappop, heappush
from itertools import repeat

from lars2asp.analysis.window_edges import Edges
from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import NEVER, View, followed_by
from lars2asp.externals.database.forms.news import News
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import BEFORE
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind

_BOXES = (LookupKind.ALWAYS, LookupKind.ALWAYS_BEFORE)
_COUNTS = (LookupKind.COUNT, LookupKind.COUNT_BEFORE)


class NewsView(View):
    """An answer that goes through the news.

    Args:
        news: of the predicate.
        stream: of the predicate.
    """

    def __init__(self, news: News, stream: Stream) -> None:
        self._news = news
        self._stream = stream
        self._is_late = False
        """Whether rows came late that had not been there, since the last look."""

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on."""
        super().watch(watched, now)
        self._stream.watch(watched, now=self.sees_now, late=True)
        self._news.calls(self, now)  # type: ignore[arg-type]
        self._grow()

    @property
    def sees_now(self) -> bool:
        """Whether the current tick may be in the window."""
        return True

    @property
    def kept(self) -> int:
        """The number of intervals that are kept for it, those that have no end yet included."""
        return len(self._news) + len(self._stream.held)

    def _settle(self, now: int) -> None:
        """Sees to it that the news of the current tick are known."""
        self._stream.settle(now)
        if self._news.tick != now:
            self._news.take(now, (), set(), (), ())

    @property
    def is_growing(self) -> bool:
        """Whether the answer changes as rows go on to hold."""
        return False

    def _note_late(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows hold at a tick after all, or do not; that rows go on to hold at the current one was known."""
        is_past = tick < self._news.tick
        self._is_late = self._is_late or by < 0 or is_past or self._news.is_new_at(tick, rows)

    def _grow(self) -> None:
        """Says whether it does."""
        growing = self._stream.agenda.growing
        if self.watched is not None and self.is_growing is not (self in growing):
            if self in growing:
                del growing[self]
            else:
                growing[self] = None

    def _call(self, tick: int, now: int) -> None:
        """The answer may change at a tick, if that is to come."""
        if tick > now and self.watched is not None:
            self._stream.agenda.call(tick, self)


class SpanView(NewsView):
    """The answer to a lookup that asks at how many ticks of a window rows hold, or whether at enough of them.

    What must hold: `_lines` has for each row a number, and whether it holds at the last tick of the window
    and at the tick before the first one. By these, and the first and the last tick, the row holds at `number
    + holds at last * last - held before * first` ticks of the window. It has no rows for which these are 0.
    `_numbers` has the numbers of the rows of counts, and 1 for all others that hold at enough ticks.
    `_before` has the rows of which that is another one than at the last look, with the number then.

    Args:
        lookup: the lookup.
        edges: those of its window.
        news: of the predicate.
        stream: of the predicate.
        complete: whether boxes need windows that lie wholly on the timeline.
    """

    def __init__(self, lookup: Lookup, edges: Edges, news: News, stream: Stream, *, complete: bool) -> None:
        super().__init__(news, stream)
        self._edges = edges.before() if lookup.kind in BEFORE else edges
        self._lasts = self._edges.move_together or self._edges.varies
        """Whether what a leap of the window changes lasts, and is not of the tick alone that is left out."""
        self._is_box, self._is_count = lookup.kind in _BOXES, lookup.kind in _COUNTS
        self._least = lookup.least or 1
        self._hidden_until = edges.when_whole if complete and self._is_box else None
        """The tick before which a box does not lie wholly on the timeline."""
        self._is_hidden = self._hidden_until is not None
        self._first, self._last = self._edges.at(news.tick)
        self._lines: dict[Row, tuple[int, int, int]] = {}
        self._numbers: dict[Row, int] = {}
        self._before: dict[Row, int] = {}
        self._sloping: set[Row] = set()
        """Of counts: the rows whose number changes as the window goes on."""
        self._swaying: set[Row] = set()
        """Where the current tick is left out: those whose number depends on whether the window had it.

        Of all others those that were found to cross for that reason alone. Nobody is told, as what looks at
        the current tick says the same; the next tick that is evaluated works them out.
        """
        self._crossings: dict[int, dict[Row, None]] = {}
        """Of all others: the rows that reach the number they need, or fall below it, as time goes on."""
        self._crossing_ticks: list[int] = []
        news.add_follower(self)

    @property
    def sees_now(self) -> bool:
        """Whether the current tick may be in the window."""
        return self._edges.has_now

    @property
    def reach(self) -> int:
        """How many ticks back it looks."""
        return self._edges.reach + 2

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on."""
        super().watch(watched, now)
        for tick in self._crossing_ticks:
            self._call(tick, now)
        if self._hidden_until is not None:
            self._call(self._hidden_until, now)

    # --- the news -------------------------------------------------------------------------------------

    def call(self, tick: int, now: int) -> None:
        """Rows come or go at a tick: calls for those at which it enters and leaves the window."""
        if self.watched is not None:
            self._call(self._edges.when_last(tick), now)
            self._call(self._edges.when_first(tick), now)

    def advance(self, before: int, now: int) -> None:
        """Another tick is the current one."""
        first, last = self._first, self._last
        self._first, self._last = self._edges.at(now)
        touched: dict[Row, None] = {}
        for tick, (came, gone) in self._news.between(last, self._last) if self._last > last else ():
            self._turn_last(tick, came, 1, touched)
            self._turn_last(tick, gone, -1, touched)
        for tick, (came, gone) in (
            self._news.between(first - 1, self._first - 1) if self._first > first else ()
        ):
            self._turn_first(tick, came, 1, touched)
            self._turn_first(tick, gone, -1, touched)
        while self._crossing_ticks and self._crossing_ticks[0] <= now:
            touched.update(self._crossings.pop(heappop(self._crossing_ticks)))
        for rows in (self._sloping, self._swaying):
            touched.update(dict.fromkeys(rows))
        self._work_out(touched, now)

    def correct(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows hold at a tick after all, or do not."""
        self._note_late(tick, rows, by)
        touched: dict[Row, None] = {}
        for each, more in ((tick, by), (tick + 1, -by)):
            if each <= self._last:
                self._turn_last(each, rows, more, touched)
            if each < self._first:
                self._turn_first(each, rows, more, touched)
        self._work_out(touched, self._news.tick)

    def _turn_last(self, tick: int, rows: Iterable[Row], by: int, touched: dict[Row, None]) -> None:
        """Rows came, or went, at a tick up to the last one of the window."""
        lines = self._lines
        for row in rows:
            number, at_last, at_first = lines.get(row, (0, 0, 0))
            lines[row] = number - by * (tick - 1), at_last + by, at_first
            touched[row] = None

    def _turn_first(self, tick: int, rows: Iterable[Row], by: int, touched: dict[Row, None]) -> None:
        """Rows came, or went, at a tick before the first one of the window."""
        lines = self._lines
        for row in rows:
            number, at_last, at_first = lines.get(row, (0, 0, 0))
            lines[row] = number + by * tick, at_last, at_first + by
            touched[row] = None

    def _work_out(self, touched: Iterable[Row], now: int) -> None:
        """Works out the answer for rows."""
        lines, first, last = self._lines, self._first, self._last
        needed = self._needed(first, last)
        for row in touched:
            number, at_last, at_first = lines.get(row, (0, 0, 0))
            if not number and not at_last and not at_first:
                lines.pop(row, None)
            count = number + at_last * last - at_first * first
            if self._is_count:
                slopes = at_last != at_first or (self._edges.varies and at_last)
                (self._sloping.add if slopes else self._sloping.discard)(row)
                sways = not self._edges.move_together and at_last and at_first
                (self._swaying.add if sways else self._swaying.discard)(row)
                self._note(row, count)
                continue
            self._swaying.discard(row)
            self._note(row, int(count >= needed))
            self._expect(row, count - needed, at_last, at_first, now)
        if self._is_count:
            self._grow()

    def _needed(self, first: int, last: int) -> int:
        """At how many ticks a row is to hold, of those from one to another."""
        return max(last - first + 1, 1) if self._is_box else self._least

    def _expect(self, row: Row, more: int, at_last: int, at_first: int, now: int) -> None:
        """A row holds at so many more ticks than it needs: sees when that may be otherwise."""
        crossing = self._crossing(more, at_last, at_first, now)
        if crossing is not None:
            self._cross(crossing, row, now, is_called=at_last != at_first or self._lasts)

    def _crossing(self, more: int, at_last: int, at_first: int, now: int) -> int | None:
        """The first tick at which that may be otherwise, if no row comes or goes at an edge; None: never."""
        slope = at_last - at_first
        slopes = (at_last - 1, slope) if self._is_box else (at_last, slope)
        return None if slopes == (0, 0) else self._edges.crossing(now, more, *slopes)

    def _note(self, row: Row, number: int) -> None:
        """What the answer has of a row."""
        known = self._numbers.get(row, 0)
        if known == number:
            return
        if self._before.setdefault(row, known) == number:
            del self._before[row]
        if number:
            self._numbers[row] = number
        else:
            del self._numbers[row]

    def _cross(self, tick: int, row: Row, now: int, *, is_called: bool) -> None:
        """A row may be in the answer, or out of it, from a tick on."""
        rows = self._crossings.get(tick)
        if rows is None:
            self._crossings[tick] = {row: None}
            heappush(self._crossing_ticks, tick)
        else:
            rows[row] = None
        if is_called:
            self._call(tick, now)

    # --- the answer -----------------------------------------------------------------------------------

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._settle(now)
        if self._is_hidden_at(now):
            return []
        return self._rows(self._numbers.items())

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        self._settle(now)
        return bool(self._numbers) and not self._is_hidden_at(now)

    def _rows(self, numbers: Iterable[tuple[Row, int]]) -> list[Row]:
        """Rows with numbers as the answer has them, but for those with 0."""
        if self._is_count:
            return [(*row, number) for row, number in numbers if number]
        return [row for row, number in numbers if number]

    def _is_hidden_at(self, now: int) -> bool:
        return self._hidden_until is not None and now < self._hidden_until

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._settle(now)
        if self._is_hidden:
            if self._is_hidden_at(now):
                return NO_CHANGES
            self._is_hidden = False
            self._before.clear()
            return Changes(self._rows(self._numbers.items())) if self._numbers else NO_CHANGES
        self._is_late = False
        if not self._before:
            return NO_CHANGES
        before, self._before = self._before, {}
        numbers = self._numbers
        return Changes(self._rows((row, numbers.get(row, 0)) for row in before), self._rows(before.items()))

    def is_pending(self, now: int) -> bool:
        """Whether something has changed since the last look."""
        if not self._before or self._is_hidden_at(now) or (self._is_count and not self._is_late):
            return False
        first, _ = self._edges.at(now + 1)
        return first <= now or any(self._before.values())  # else nothing up to now is in the window then

    def is_due(self, tick: int) -> bool:
        """Whether rows come or go at an edge of the window by a tick, or cross the number that they need."""
        if self.watched is None:
            return False
        first, last = self._edges.at(tick)
        at_last, at_first = self._news.next_after(self._last), self._news.next_after(self._first - 1)
        if (at_last is not None and at_last <= last) or (at_first is not None and at_first < first):
            return True
        return tick == self._hidden_until or self._crosses(tick, first, last)

    def _crosses(self, tick: int, first: int, last: int) -> bool:
        """Whether a row does so of which it was expected; if none does, sees when they may do so after that.

        No row comes or goes at an edge of the window up to the tick. Windows that vary are looked at where a
        row may have crossed, so that nobody goes from one to another where none of them has the size.
        """
        needed, ticks = self._needed(first, last), self._crossing_ticks
        while ticks and ticks[0] <= tick:
            later = []
            for row in self._crossings[ticks[0]]:
                number, at_last, at_first = self._lines.get(row, (0, 0, 0))
                more = number + at_last * last - at_first * first - needed
                is_across = (more >= 0) is not (row in self._numbers)
                if is_across and (at_last != at_first or self._lasts):
                    return True
                if self._edges.varies:
                    before = self._edges.at(tick - 1)
                    known = number + at_last * before[1] - at_first * before[0] - self._needed(*before)
                    if self._crossing(known, at_last, at_first, tick - 1) == tick:
                        return True
                if is_across:
                    self._swaying.add(row)
                later.append((row, more, at_last, at_first))
            del self._crossings[heappop(ticks)]
            for one in later:
                self._expect(*one, tick)
        return False

    @property
    def is_growing(self) -> bool:
        """Whether numbers change as the window goes on."""
        return bool(self._sloping)

    def next_growth(self, now: int) -> int | None:
        """The next tick at which the window moves, if numbers change then."""
        self._settle(now)
        return self._edges.next_move(now) if self._sloping else None


class ListedTicksView(NewsView):
    """An answer that lists ticks at which rows hold.

    What must hold: `_came` and `_gone` are what the answer has now and did not at the last look, and the
    other way round.
    """

    def __init__(self, news: News, stream: Stream) -> None:
        super().__init__(news, stream)
        self._came: set[Row] = set()
        self._gone: set[Row] = set()

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._settle(now)
        self._is_late = False
        if not self._came and not self._gone:
            return NO_CHANGES
        changes = Changes(list(self._came), list(self._gone))
        self._came, self._gone = set(), set()
        return changes

    def is_pending(self, now: int) -> bool:
        """Whether something has changed since the last look, and not by rows that go on to hold."""
        return self._is_late and bool(self._came or self._gone)


class _Run:
    """The ticks of a window that follow one another, and the rows that hold at each.

    Attributes:
        edges: the first and the last tick.
        here: the rows that hold at the last tick.
        rows: for each tick at which a row holds, in their order, these rows, followed by it.
        dropped: the last tick for which rows were called and not told to leave, as they hold on.
    """

    def __init__(self, edges: Edges, now: int) -> None:
        self.edges = edges
        self.dropped = NEVER
        self.here: set[Row] = set()
        self.rows: OrderedDict[int, set[Row]] = OrderedDict()
        self.first, self.last = edges.at(now)


class SpanTicksView(ListedTicksView):
    """The answer to `at T` over windows whose ticks follow one another, or of several runs of such ticks.

    Args:
        edges: those of each run.
        news: of the predicate.
        stream: of the predicate.
    """

    def __init__(self, edges: Sequence[Edges], news: News, stream: Stream) -> None:
        super().__init__(news, stream)
        self._runs = [_Run(one, news.tick) for one in edges]
        news.add_follower(self)

    @property
    def sees_now(self) -> bool:
        """Whether the current tick may be in the window."""
        return any(run.edges.has_now for run in self._runs)

    @property
    def reach(self) -> int:
        """How many ticks back it looks."""
        return max(run.edges.reach for run in self._runs) + 1

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on."""
        super().watch(watched, now)
        for run in self._runs:
            self._call_for_leaving(run, OPEN_END, now)

    # --- the news -------------------------------------------------------------------------------------

    def call(self, tick: int, now: int) -> None:
        """Rows come or go at a tick."""
        if self.watched is not None:
            for run in self._runs:
                self._call(run.edges.when_last(tick), now)

    def _call_for_leaving(self, run: _Run, until: int, now: int) -> None:
        """Calls for the ticks up to one at which rows leave."""
        for leaving in map(run.edges.when_first, run.rows):
            if leaving > until:
                return
            self._call(leaving, now)

    def advance(self, before: int, now: int) -> None:
        """Another tick is the current one."""
        for run in self._runs:
            at = run.last
            run.first, run.last = run.edges.at(now)
            while at < run.last:
                following = self._news.next_after(at)
                if run.here:
                    least = max(at + 1, run.first)
                    following = least if following is None else min(following, least)
                if following is None or following > run.last:
                    break
                for _, (came, gone) in self._news.between(following - 1, following):
                    run.here.difference_update(gone)
                    run.here.update(came)
                    if gone:
                        dropped, run.dropped = run.dropped, NEVER
                        self._call_for_leaving(run, dropped, now)
                at = following
                if run.here and at >= run.first:
                    self._enter(run, at, run.here)
            while run.rows and (tick := next(iter(run.rows))) < run.first:
                change(run.rows.pop(tick), self._gone, self._came)
        self._grow()

    def correct(self, tick: int, rows: Collection[Row], by: int) -> None:
        """Rows hold at a tick after all, or do not."""
        self._note_late(tick, rows, by)
        for run in self._runs:
            if not run.first <= tick <= run.last:
                continue
            if by > 0:
                self._enter(run, tick, rows)
                run.here.update(rows if tick == run.last else ())
            else:
                self._leave(run, tick, rows)
                run.here.difference_update(rows if tick == run.last else ())
        self._grow()

    def _enter(self, run: _Run, tick: int, rows: Collection[Row]) -> None:
        fresh = set(map(followed_by, rows, repeat((tick,))))
        known = run.rows.get(tick)
        if known is None:
            is_later = not run.rows or tick > next(reversed(run.rows))
            run.rows[tick] = {*fresh}
            if not is_later:
                run.rows = OrderedDict(sorted(run.rows.items()))
        else:
            known |= fresh
        change(fresh, self._came, self._gone)
        self._call(run.edges.when_first(tick), self._news.tick)

    def _leave(self, run: _Run, tick: int, rows: Collection[Row]) -> None:
        old = set(map(followed_by, rows, repeat((tick,))))
        run.rows[tick] -= old
        if not run.rows[tick]:
            del run.rows[tick]
        change(old, self._gone, self._came)

    # --- the answer -----------------------------------------------------------------------------------

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._settle(now)
        return [row for run in self._runs for rows in run.rows.values() for row in rows]

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        self._settle(now)
        return any(run.rows for run in self._runs)

    def is_due(self, tick: int) -> bool:
        """Whether rows come or go at the last tick of a run by a tick, or leave that do not hold on."""
        return self.watched is not None and any(self._is_due(run, tick) for run in self._runs)

    def _is_due(self, run: _Run, now: int) -> bool:
        first, last = run.edges.at(now)
        following = self._news.next_after(run.last)
        if following is not None and following <= last:
            return True
        for tick, rows in run.rows.items():
            if tick >= first:
                break
            if not run.here or any(row[:-1] not in run.here for row in rows):
                return True
        run.dropped = max(run.dropped, now)
        return False

    @property
    def is_growing(self) -> bool:
        """Whether rows go on to hold at the last tick of a run."""
        return any(run.here and not run.here <= self._news.gone_at(run.last + 1) for run in self._runs)

    def next_growth(self, now: int) -> int | None:
        """The next tick at which the window moves, if rows go on to hold at its last tick."""
        self._settle(now)
        if not self.is_growing:
            return None
        return min(run.edges.next_move(now) for run in self._runs if run.here)


def change(rows: set[Row], same: set[Row], opposite: set[Row]) -> None:
    """Rows came, or went, after those of `same`; those that did the opposite are as they were."""
    back = rows & opposite
    opposite -= back
    same |= rows - back
