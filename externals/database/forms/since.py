"""The answers to lookups about windows that begin with an atom, `[since b]` and `[after b]`.

A window has a key: the values that the atom shares with b. Of each row are kept the ticks from the beginning
of its window on, and nothing of rows whose window never began; a new beginning forgets what lies before it.
So a row costs what comes and goes of it, and a beginning costs what it ends.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush

from lars2asp.analysis.windows import Since
from lars2asp.externals.database.agenda import Watched
from lars2asp.externals.database.form import NEVER, Ended, Stretch, View, runs_by_row
from lars2asp.externals.database.forms.begins import Begins
from lars2asp.externals.database.forms.spans import change
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import Interval, canonical
from lars2asp.externals.terms.places import picking
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import BEFORE
from lars2asp.externals.views import NO_CHANGES, Changes
from lars2asp.planning.lookups import Lookup, LookupKind

_COUNTS = (LookupKind.COUNT, LookupKind.COUNT_BEFORE)
_BOXES = (LookupKind.ALWAYS, LookupKind.ALWAYS_BEFORE)


class _Spells:
    """The ticks at which a row held in its window, but for those since which it holds on.

    Attributes:
        runs: as runs, the earliest first.
        number: of ticks.
    """

    __slots__ = ("number", "runs")

    def __init__(self) -> None:
        self.runs: deque[Interval] = deque()
        self.number = 0

    def add(self, begin: int, end: int) -> None:
        """The row held from a tick to another, no earlier than the last run begins."""
        if self.runs and begin <= self.runs[-1].end + 1:
            run = self.runs.pop()
            self.number -= run.end - run.begin + 1
            begin, end = min(begin, run.begin), max(end, run.end)
        self.runs.append(Interval(begin, end))
        self.number += end - begin + 1

    def cut(self, first: int) -> None:
        """Forgets the ticks before one."""
        runs = self.runs
        while runs and runs[0].begin < first:
            begin, end = runs.popleft()
            self.number -= end - begin + 1
            if end >= first:
                runs.appendleft(Interval(first, end))
                self.number += end - first + 1


class SinceView(View):
    """The answer to a lookup about a window `[since b]` or `[after b]`, and the form that it reads.

    What must hold: `_open` has the rows that hold on by their keys, `_spells` the ticks of rows whose windows
    began, `_rows` these rows by their keys. The answer has `_numbers`, or for ticks `_told`, but for what is
    in `_touched`, and for rows that go on to hold, which are in `_growing`.

    Args:
        lookup: the lookup.
        window: its window.
        begins: when windows begin.
        stream: of the predicate.
    """

    def __init__(self, lookup: Lookup, window: Since, begins: Begins, stream: Stream) -> None:
        self.tick = stream.tick
        self._kind, self._least = lookup.kind, lookup.least or 1
        self._lag = int(lookup.kind in BEFORE)
        self._is_box, self._is_count = lookup.kind in _BOXES, lookup.kind in _COUNTS
        self._is_listed = lookup.kind is LookupKind.AT
        self._keeps_one = self._is_box or lookup.kind is LookupKind.IN
        self._after = int(window.is_after)
        self._key = picking(window.positions)
        self._begins, self._stream = begins, stream
        self._open: dict[Row, dict[Row, int]] = {}
        self._spells: dict[Row, _Spells] = {}
        self._rows: dict[Row, dict[Row, None]] = {}
        self._points: list[Sequence[Row]] = []
        """The rows that hold at the current tick alone."""
        self._points_of: dict[Row, list[Row]] | None = None
        """The same by their keys, once somebody asked for it."""
        self._numbers: dict[Row, int] = {}
        self._before: dict[Row, int] = {}
        """The rows that have another number than at the last look, and that."""
        self._told: dict[Row, deque[int]] = {}
        self._came: set[Row] = set()
        self._gone: set[Row] = set()
        self._touched: dict[Row, None] = {}
        self._growing: dict[Row, None] = {}
        self._later: dict[int, dict[Row, None]] = {}
        """Rows that are others by time alone, by the tick."""
        self._later_ticks: list[int] = []
        self._known: dict[Row, Sequence[Interval]] = {}
        """When rows held, until it is known when their windows began: `load`."""

    # --- the news -------------------------------------------------------------------------------------

    def take(
        self, tick: int, points: Sequence[Row], here: set[Row], began: Sequence[Row], ended: Sequence[Ended]
    ) -> None:
        """Takes the news of a tick."""
        if self._begins.stream is not self._stream:
            self._begins.stream.settle_before(tick)
        if tick != self.tick:
            self.tick, self._points, self._points_of = tick, [], None
        if not (points or began or ended):
            return
        key_of, firsts = self._key, self._begins.ticks
        for last, rows, begins in ended:
            for row, begin in zip(rows, begins, strict=True):
                key = key_of(row)
                opened = self._open.get(key, {})
                first = min(begin, opened.pop(row, begin))
                if not opened:
                    self._open.pop(key, None)
                if key in firsts:
                    self._add(key, row, first, last)
                self._forget(key)
        if points:
            self._points.append(points)
            self._points_of = None
            for row in points:
                key = key_of(row)
                if key in firsts:
                    self._add(key, row, tick, tick)
                else:
                    self._begins.expect_at(tick, key, self)
        for row in began:
            key = key_of(row)
            if key not in self._open:
                self._open[key] = {}
                self._begins.expect(key, self)
            self._open[key][row] = tick
            if key in firsts:
                self._touched[row] = None

    def _add(self, key: Row, row: Row, begin: int, last: int) -> None:
        """A row with a window held from a tick to another one."""
        self._touched[row] = None
        begin = max(begin, self._begins.ticks[key] + self._after)
        if begin > last:
            return
        spells = self._spells.get(row)
        if spells is None:
            spells = self._spells[row] = _Spells()
            if key not in self._rows:
                self._rows[key] = {}
                self._begins.expect(key, self)
            self._rows[key][row] = None
        spells.add(begin, last)
        if self._keeps_one and len(spells.runs) > 1:
            spells.cut(spells.runs[-1].begin)

    def begin(self, key: Row, tick: int) -> None:
        """A window begins anew at a tick."""
        rows, first = self._rows.pop(key, {}), tick + self._after
        self._touched |= rows
        for row in rows:
            spells = self._spells[row]
            spells.cut(first)
            if spells.number:
                self._rows.setdefault(key, {})[row] = None
            else:
                del self._spells[row]
        self._touched |= dict.fromkeys(self._open.get(key, ()))
        if self.tick == tick and self._points and not self._after:
            for row in self._points_with(key):
                if row not in self._spells:
                    self._add(key, row, tick, tick)
        self._forget(key)
        if self._touched and self.watched is not None:
            self.watched.rouse()

    def _forget(self, key: Row) -> None:
        """What has nothing of a window need not be told when it begins anew."""
        if key not in self._rows and key not in self._open:
            self._begins.forget(key, self)

    def _points_with(self, key: Row) -> Sequence[Row]:
        """The points of the current tick that have a key."""
        if self._points_of is None:
            self._points_of = {}
            for row in (row for rows in self._points for row in rows):
                self._points_of.setdefault(self._key(row), []).append(row)
        return self._points_of.get(key, ())

    # --- the answer -----------------------------------------------------------------------------------

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on."""
        super().watch(watched, now)
        self._stream.watch(watched, late=True)
        for tick in self._later_ticks:
            self._call(tick)
        self._grow()

    def _call(self, tick: int) -> None:
        agenda = self._stream.agenda
        if self.watched is not None and tick > agenda.now:
            agenda.call(tick, self)

    def _grow(self) -> None:
        """Says whether the answer changes as rows go on to hold."""
        growing = self._stream.agenda.growing
        if self.watched is not None and bool(self._growing) is not (self in growing):
            if self in growing:
                del growing[self]
            else:
                growing[self] = None

    def _look_again(self, row: Row, tick: int) -> None:
        """A row is another one by a tick, by time alone."""
        rows = self._later.get(tick)
        if rows is None:
            rows = self._later[tick] = {}
            heappush(self._later_ticks, tick)
            self._call(tick)
        rows[row] = None

    def _settle(self, now: int) -> None:
        """Works out what the news and the time have changed."""
        self._begins.stream.settle(now)
        self._stream.settle(now)
        if self.tick != now:
            self.take(now, (), set(), (), ())
        touched, self._touched = self._touched, {}
        while self._later_ticks and self._later_ticks[0] <= now:
            touched |= self._later.pop(heappop(self._later_ticks))
        touched |= self._growing
        work_out = self._list if self._is_listed else self._count
        for row in touched:
            work_out(row, now)
        if touched:
            self._grow()

    def _follow_growth(self, row: Row, is_growing: bool) -> None:
        if is_growing:
            self._growing[row] = None
        else:
            self._growing.pop(row, None)

    def _count(self, row: Row, now: int) -> None:
        """Works out the number that the answer has of a row."""
        key = self._key(row)
        begin = self._begins.ticks.get(key)
        if begin is None:
            self._note(row, 0)
            return
        first, last = begin + self._after, now - self._lag
        number, end = 0, NEVER
        spells = self._spells.get(row)
        if spells is not None:
            number, end = spells.number, spells.runs[-1].end
            number -= max(0, end - last)  # a point of the current tick
        opened = self._open.get(key, {}).get(row)
        if opened is not None:
            opened = max(opened, first, end + 1)
            number += max(0, last - opened + 1)
        if self._is_count:
            self._follow_growth(row, opened is not None)
            self._note(row, number)
        else:
            needed = max(last - first + 1, 1) if self._is_box else self._least
            is_enough = number >= needed
            self._note(row, int(is_enough))
            if self._is_box and is_enough is (opened is None):  # else it stays so
                if is_enough or (opened is not None and opened <= first):
                    self._look_again(row, max(now, first + self._lag - 1) + 1)
            elif opened is not None and not is_enough:
                self._look_again(row, max(now, opened + self._lag - 1) + needed - number)
        if self._lag and end >= now:
            self._look_again(row, now + 1)

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

    def _list(self, row: Row, now: int) -> None:
        """Works out the ticks that the answer has of a row."""
        key = self._key(row)
        begin = self._begins.ticks.get(key)
        told = self._told.get(row)
        if told is None:
            told = self._told[row] = deque()
        runs = self._spells[row].runs if row in self._spells else deque[Interval]()
        opened = None if begin is None else self._open.get(key, {}).get(row)
        if begin is not None:
            first = begin + self._after
            self._follow_growth(row, opened is not None)
            came: list[int] = []
            last = told[-1] if told else NEVER
            if opened is not None:
                came += range(now, max(opened, first, last + 1) - 1, -1)
            for run in reversed(runs):
                if run.end <= last:
                    break
                came += (tick for tick in range(run.end, max(run.begin, last + 1) - 1, -1))
            gone = []
            while told and told[0] < first:
                gone.append(told.popleft())
            fresh = [*dict.fromkeys(came)][::-1]
            told += fresh
            change({(*row, tick) for tick in gone}, self._gone, self._came)
            change({(*row, tick) for tick in fresh}, self._came, self._gone)
        if not told:
            del self._told[row]

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        self._settle(now)
        if self._is_listed:
            return [(*row, tick) for row, ticks in self._told.items() for tick in ticks]
        return self._answers(self._numbers.items())

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        self._settle(now)
        return bool(self._told or self._numbers)

    def _answers(self, numbers: Iterable[tuple[Row, int]]) -> list[Row]:
        """Rows with numbers as the answer has them, but for those with 0."""
        if self._is_count:
            return [(*row, number) for row, number in numbers if number]
        return [row for row, number in numbers if number]

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        self._settle(now)
        if self._came or self._gone:
            changes = Changes([*self._came], [*self._gone])
            self._came, self._gone = set(), set()
            return changes
        if not self._before:
            return NO_CHANGES
        before, self._before = self._before, {}
        numbers = self._numbers
        return Changes(
            self._answers((row, numbers.get(row, 0)) for row in before), self._answers(before.items())
        )

    def is_pending(self, now: int) -> bool:
        """Whether something has changed since the last look."""
        self._settle(now)
        return bool(self._before or self._came or self._gone)

    def next_growth(self, now: int) -> int | None:
        """The next tick if rows go on to hold."""
        self._settle(now)
        return now + 1 if self._growing else None

    # --- states ---------------------------------------------------------------------------------------

    @property
    def kept(self) -> int:
        """The number of runs that are kept, those that have no end yet included."""
        return len(self) + len(self._stream.held)

    def __len__(self) -> int:
        """The number of runs that are kept."""
        return sum(len(spells.runs) for spells in self._spells.values())

    def known(self) -> Iterator[Stretch]:
        """The times in the window at which rows held that do not hold on, and those before for others."""
        self._begins.stream.settle(self.tick)  # what rules derived at the tick may have begun windows
        found: dict[Interval, list[Row]] = {}
        for row, spells in self._spells.items():
            for run in spells.runs:
                found.setdefault(run, []).append(row)
        return (Stretch(*run, rows) for run, rows in found.items())

    def restore(self, tick: int, stretches: Sequence[Stretch]) -> None:
        """Takes what was known at a tick; `load` follows, when it is known when windows began."""
        self.tick = tick
        self._known = {row: canonical(runs) for row, runs in runs_by_row(stretches).items()}
        for row, begin in self._stream.held.items():
            self._open.setdefault(self._key(row), {})[row] = begin
        for key in self._open:
            self._begins.expect(key, self)

    def load(self) -> None:
        """The stream is another one."""
        known, self._known = self._known, {}
        for row, runs in known.items():
            key = self._key(row)
            if key in self._begins.ticks:
                for run in runs:
                    self._add(key, row, *run)
        self._touched |= dict.fromkeys(self._spells)
        for rows in self._open.values():
            self._touched |= dict.fromkeys(rows)

    def check(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        ticks = self._begins.ticks
        for row, spells in self._spells.items():
            key = self._key(row)
            assert row in self._rows[key]
            assert spells.number == sum(end - begin + 1 for begin, end in spells.runs)
            assert spells.runs
            assert spells.runs[0].begin >= ticks[key] + self._after
            assert tuple(spells.runs) == canonical(spells.runs)
        assert sum(map(len, self._rows.values())) == len(self._spells)
        opened = {row: begin for rows in self._open.values() for row, begin in rows.items()}
        assert opened.keys() == self._stream.held.keys()
