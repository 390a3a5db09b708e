"""When the atoms of one predicate hold: a canonical interval stream, kept in three forms.

The latest run of each atom decides sliding diamonds and boxes, which are asked at every tick
(`experiments/window_queries.py` has the figures). Of an atom that held at one tick only, as in most streams,
no more is kept than its place among the points of that tick; it gets a run of its own when more is told.
Runs before the latest go to an interval tree, for the windows that look at single ticks of the past; where no
window does, they are dropped. Atoms stand as the integers that clingo has for them.

Points and runs are listed by the ticks at which they begin and end, as far back as windows look: from these
lists follows what changes in a window by a tick, whatever else is in it (externals.views).
"""

from collections.abc import Iterable, Iterator, Sequence

from externals.intervals import OPEN_END, Interval, canonical
from externals.past import Past

NEVER = -(2**62)
"""Earlier than every tick."""


class Points:
    """The atoms whose latest run is one tick.

    Attributes:
        history: the history of their predicate.
        begin: the tick.
        end: the tick.
        keys: the atoms, by their keys.
    """

    __slots__ = ("begin", "end", "history", "keys")
    is_open = False

    def __init__(self, history: "History", tick: int) -> None:
        self.history = history
        self.begin = self.end = tick
        self.keys: set[int] = set()


class Run:
    """The ticks of one interval at which an atom holds.

    Attributes:
        key: the key of the atom.
        history: the history of its predicate.
        begin: the first tick.
        end: the last tick as far as is known; OPEN_END while it is open in one way or the other.
        told_end: the last tick that facts tell of themselves, which an end event does not take back.
        is_open: whether it was begun and not ended by events.
        is_derived: whether rules derive it until told otherwise.
        before: the last tick of the atom's run before, NEVER without one that is known.
        is_latest: whether the atom has no later run.
    """

    __slots__ = (
        "before",
        "begin",
        "end",
        "history",
        "is_derived",
        "is_latest",
        "is_open",
        "key",
        "told_end",
    )

    def __init__(self, key: int, history: "History", begin: int, end: int, before: int) -> None:
        self.key = key
        self.history = history
        self.begin = begin
        self.end = self.told_end = end
        self.before = before
        self.is_open = self.is_derived = False
        self.is_latest = True

    @property
    def is_background(self) -> bool:
        """Whether it is of an atom of the background data."""
        return self.told_end == OPEN_END

    def told(self, until: int) -> None:
        """It holds until a tick at least."""
        if until > self.told_end:
            self.told_end = until
            if until > self.end:
                self.end = until
                if until != OPEN_END:
                    self.history.ends_at(self, until)

    def settle(self, last: int) -> None:
        """What makes it open has changed; without anything it holds to `last` or to what facts told."""
        end = OPEN_END if self.is_open or self.is_derived else max(self.told_end, last)
        if end != self.end:
            self.end = end
            if end != OPEN_END:
                self.history.ends_at(self, end)


class History:
    """The runs of one predicate's atoms.

    Args:
        reach: how many ticks back the predicate is looked at; older runs are forgotten. None: without end.
        keeps_earlier: whether runs before the latest of an atom are asked for.
        pinned: ticks that are looked at however long ago they were.
        latest: what is known of each atom, by the atom's key; histories of several predicates may share it.
    """

    def __init__(
        self,
        reach: int | None,
        *,
        keeps_earlier: bool,
        pinned: frozenset[int] = frozenset(),
        latest: dict[int, Run | Points] | None = None,
    ) -> None:
        self._reach = reach
        self._keeps_earlier = keeps_earlier
        self._pinned = pinned
        self._latest: dict[int, Run | Points] = {} if latest is None else latest
        self._runs: dict[int, Run] = {}
        self._points: dict[int, Points] = {}
        self._holding: dict[int, Run] = {}
        self.is_alone = True
        """Whether no other history is told the same atoms."""
        self._begun: dict[int, list[Run]] = {}
        self._ending: dict[int, list[Run]] = {}
        self._remembered = 0
        self._earlier = Past()
        self._now = NEVER

    def __len__(self) -> int:
        """The number of runs that are kept."""
        points = sum(len(points.keys) for points in self._points.values())
        return len(self._runs) + points + len(self._earlier)

    # --- telling --------------------------------------------------------------------------------------

    def is_open(self, key: int) -> bool:
        """Whether the atom was begun and not ended."""
        latest = self._latest.get(key)
        return latest is not None and latest.is_open

    def points_at(self, tick: int) -> Points:
        """The points of a tick; their atoms must be entered as the latest there is of them as well."""
        points = self._points.get(tick)
        if points is None:
            points = self._points[tick] = Points(self, tick)
        return points

    def run_at(self, key: int, tick: int) -> Run:
        """The atom's run that holds at a tick, or that the tick adds to; a new one where there is none."""
        latest = self._latest.get(key)
        if latest is None:
            return self._begin(key, tick, NEVER)
        if isinstance(latest, Points):
            latest.keys.remove(key)
            if latest.end < tick - 1:
                if self._keeps_earlier:
                    self._earlier.add(latest.begin, latest.end, key)
                return self._begin(key, tick, latest.end)
            run = Run(key, self, latest.begin, latest.end, NEVER)
            self._latest[key] = self._runs[key] = self._holding[key] = run
            self._begun.setdefault(run.begin, []).append(run)
            self.ends_at(run, run.end)
            return run
        if latest.end >= tick - 1:
            self._holding[key] = latest
            return latest
        latest.is_latest = False
        if self._keeps_earlier:
            self._earlier.add(latest.begin, latest.end, latest.key)
        return self._begin(key, tick, latest.end)

    def _begin(self, key: int, tick: int, before: int) -> Run:
        run = Run(key, self, tick, tick - 1, before)
        self._latest[key] = self._runs[key] = self._holding[key] = run
        begun = self._begun.get(tick)
        if begun is None:
            self._begun[tick] = [run]
        else:
            begun.append(run)
        return run

    def ends_at(self, run: Run, tick: int) -> None:
        """Notes that a run ends at a tick, as far as is known now."""
        ending = self._ending.get(tick)
        if ending is None:
            self._ending[tick] = [run]
        else:
            ending.append(run)
        if tick < self._now:
            self._holding.pop(run.key, None)

    def tell(self, key: int, tick: int, until: int | None, is_open: bool) -> None:
        """What the events of a tick come to for an atom.

        Args:
            key: the key of the atom.
            tick: the current tick; no call goes back behind an earlier one.
            until: the last tick, not before the current one, that facts tell it holds at; None for no fact.
            is_open: whether it is begun and not ended after the tick's events.
        """
        if not (is_open or until is not None or self.is_open(key)):
            return
        run = self.run_at(key, tick)
        run.is_open = is_open
        if until is not None:
            run.told(until)
        run.settle(tick - 1)

    def keep(self, key: int, tick: int) -> None:
        """The atom is background data: it holds from this tick, the start, for ever."""
        self.run_at(key, tick).told(OPEN_END)

    def derive(self, key: int, tick: int) -> None:
        """Rules derive the atom from this tick, the current one, until told otherwise."""
        run = self.run_at(key, tick)
        run.is_derived = True
        run.settle(tick)

    def underive(self, key: int, tick: int) -> None:
        """Rules derived the atom until the tick before this one, the current one."""
        run = self._runs[key]
        run.is_derived = False
        run.settle(tick - 1)

    def place(self, key: int, tick: int) -> None:
        """The atom holds at a past tick as well; only for histories that keep earlier runs."""
        if self._reach is not None and tick < self._now - self._reach and tick not in self._pinned:
            return
        latest = self._latest.get(key)
        if latest is None:
            self._begin(key, tick, NEVER).told(tick)
            return
        run = self.run_at(key, latest.end) if isinstance(latest, Points) else latest
        if tick > run.end + 1:
            self._earlier.add(run.begin, run.end, run.key)
            run.is_latest = False
            self._begin(key, tick, run.end).told(tick)
        elif tick > run.end:
            run.told(tick)
        elif tick < run.begin:
            begin = end = tick
            near = list(self._earlier.overlap(tick - 1, tick + 1))
            for first, last, keys in near:
                if key in keys:
                    begin, end = min(begin, first), max(end, last)
                    self._earlier.remove(first, last, key)
            if end == run.begin - 1:
                run.begin = begin
            else:
                self._earlier.add(begin, end, run.key)

    def adopt(self, other: "History") -> None:
        """Takes all runs of a history; what rules derive there has ended before the current tick."""
        now = self._now = other._now
        for run in other._runs.values():
            own = self._begin(run.key, run.begin, run.before)
            own.is_open = run.is_open
            own.told(run.told_end if not run.is_derived else max(run.told_end, now - 1))
            own.settle(run.begin - 1)
            if own.end < now:
                self._holding.pop(run.key, None)
        for tick, points in other._points.items():
            self.points_at(tick).keys.update(points.keys)
            self._latest.update(dict.fromkeys(points.keys, self._points[tick]))
        for begin, end, keys in other._earlier.all():
            for key in keys:
                self._earlier.add(begin, end, key)

    def remember(self, ticks: int) -> None:
        """From now on `begun` and `ended` know what was so many ticks ago."""
        if ticks > self._remembered:
            self._remembered = ticks
            self._begun.clear()
            for run in self._runs.values():
                if run.begin >= self._now - ticks:
                    self._begun.setdefault(run.begin, []).append(run)
                if self._now - ticks - 1 <= run.end < self._now:
                    self._ending.setdefault(run.end, []).append(run)

    def advance(self, now: int) -> None:
        """Makes a tick the current one, at which nothing more is told, and drops what no window can reach.

        Costs what ended and what is dropped. Ticks may be passed over.
        """
        last, self._now = self._now, now
        gone = now - 2 - max(self._remembered, self._reach or 0)
        if now - last == 1:
            self._end(now - 1)
            self._begun.pop(now - 1 - self._remembered, None)
            self._drop(gone)
        else:
            for tick in sorted(tick for tick in self._ending if last - 1 <= tick < now):
                self._end(tick)
            for tick in [tick for tick in self._begun if tick < now - self._remembered]:
                del self._begun[tick]
            for tick in [tick for tick in (*self._ending, *self._points) if tick <= gone]:
                self._drop(tick)
        if self._reach is not None:
            self._earlier.sweep(now - self._reach, self._pinned)

    def _end(self, tick: int) -> None:
        """What was to end at a tick that is past has ended, if nothing was told since."""
        ending = self._ending.get(tick)
        if ending:
            self._ending[tick] = ended = [run for run in ending if run.end == tick]
            for run in ended:
                self._holding.pop(run.key, None)

    def _drop(self, tick: int) -> None:
        """Forgets what ended at a tick."""
        runs = self._ending.pop(tick, ())
        if self._reach is None or tick in self._pinned:
            return
        points = self._points.pop(tick, None)
        if points is not None:
            for key in points.keys:
                del self._latest[key]
        for run in runs:
            if run.is_latest and run.end == tick and not self._has_pinned(run.begin, tick):
                key = run.key
                if self._runs.pop(key, None):
                    del self._latest[key]

    def _has_pinned(self, begin: int, end: int) -> bool:
        return any(begin <= tick <= end for tick in self._pinned)

    # --- what changed ---------------------------------------------------------------------------------

    def begun(self, tick: int) -> Sequence[Run]:
        """The runs that began at a tick, but for points and what was placed later."""
        return self._begun.get(tick, ())

    def ended(self, tick: int) -> Sequence[Run]:
        """The runs that ended at a tick, which is past, each once; but for points."""
        runs = self._ending.get(tick)
        return list(dict.fromkeys(run for run in runs if run.end == tick)) if runs else ()

    def points(self, tick: int) -> Iterable[int]:
        """The atoms whose latest run, and first as far as is known, is this tick alone."""
        points = self._points.get(tick)
        return points.keys if points is not None else ()

    # --- asking ---------------------------------------------------------------------------------------

    def now(self, *, with_background: bool) -> list[int]:
        """The atoms that hold at the current tick."""
        runs = self._holding.values()
        held = [run.key for run in runs if with_background or not run.is_background]
        return [*held, *self.points(self._now)]

    def since(self, first: int) -> list[int]:
        """The atoms that hold at some tick from `first` to now."""
        found = [run.key for run in self._runs.values() if run.end >= first]
        for tick, points in self._points.items():
            if tick >= first:
                found += points.keys
        return found

    def between(self, first: int, last: int) -> list[int]:
        """The atoms that hold at some tick from `first` to `last`, each once or more."""
        return [key for key, _ in self.spans(first, last)]

    def throughout(self, first: int, last: int) -> list[int]:
        """The atoms that hold at every tick from `first` to `last`."""
        found = [run.key for run in self._runs.values() if run.begin <= first and run.end >= last]
        if first == last:
            found += self.points(first)
        for begin, end, keys in self._earlier.overlap(last, last):
            if begin <= first and end >= last:
                found += keys
        return found

    def counts(self, first: int, last: int) -> dict[int, int]:
        """At how many ticks from `first` to `last` atoms hold; 1 or more each."""
        counts: dict[int, int] = {}
        for key, interval in self.spans(first, last):
            counts[key] = counts.get(key, 0) + interval.end - interval.begin + 1
        return counts

    def spans(self, first: int, last: int) -> Iterator[tuple[int, Interval]]:
        """The atoms and intervals that have a tick in `first` ... `last`, cut to these."""
        for run in self._runs.values():
            if run.begin <= last and run.end >= first:
                yield run.key, Interval(max(run.begin, first), min(run.end, last))
        for tick, points in self._points.items():
            if first <= tick <= last:
                yield from ((key, Interval(tick, tick)) for key in points.keys)
        for begin, end, keys in self._earlier.overlap(first, last):
            yield from ((key, Interval(max(begin, first), min(end, last))) for key in keys)

    def intervals(self, key: int) -> tuple[Interval, ...]:
        """The canonical intervals of an atom, as far as they are kept."""
        latest = self._latest.get(key)
        if latest is None or latest.history is not self:
            return ()
        earlier = (Interval(begin, end) for begin, end in self._earlier.runs_of(key))
        return canonical([*earlier, Interval(latest.begin, latest.end)])
