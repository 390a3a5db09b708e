"""When the atoms of one predicate hold: a canonical interval stream, kept in three forms.

The latest run of each atom decides sliding diamonds and boxes, which are asked at every tick
(figures: `experiments/timing/window_queries.py`). Of an atom that held at one tick only, as in most streams,
no more is kept than its place among the points of that tick; it gets a run of its own when more is told.
Runs before the latest go to an interval tree, for the windows that look at single ticks of the past; where no
window does, they are dropped. Atoms stand as the integers that clingo has for them.

Points and runs are listed by the ticks at which they begin and end, as far back as windows look: from these
lists follows what changes in a window by a tick, whatever else is in it (lars2asp.externals.views).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.past import Past
from lars2asp.externals.timer import Alarms, Timer

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

    def told(self, until: int, *, goes_on: bool = False) -> None:
        """It holds until a tick at least; says whether it does so until told otherwise."""
        if until > self.told_end:
            self.told_end = until
            if until > self.end:
                self.end = until
                if until != OPEN_END:
                    self.history.ends_at(self, until, goes_on=goes_on)

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
        alarms: are told what begins and ends.
        sweep_after: see Past.

    Attributes:
        before: the tick that was the current one before.
    """

    def __init__(
        self,
        reach: int | None,
        *,
        keeps_earlier: bool,
        pinned: frozenset[int] = frozenset(),
        latest: dict[int, Run | Points] | None = None,
        alarms: Alarms | None = None,
        sweep_after: int = 0,
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
        self._earlier = Past(sweep_after)
        self._now = self.before = NEVER
        self._recorded: dict[int, Run] = {}
        """What was recorded at the current tick."""
        self._recorded_before: dict[int, Run] = {}
        """What was recorded at the tick before, as long as it may have ended then."""
        self.alarms = alarms or Alarms(Timer())

    def __len__(self) -> int:
        """The number of runs that are kept."""
        points = sum(len(points.keys) for points in self._points.values())
        return len(self._runs) + points + len(self._earlier)

    def keys(self) -> set[int]:
        """The atoms of which runs are kept."""
        points = (points.keys for points in self._points.values())
        return self._earlier.keys().union(self._runs, *points)

    # --- telling --------------------------------------------------------------------------------------

    def is_open(self, key: int) -> bool:
        """Whether the atom was begun and not ended."""
        latest = self._latest.get(key)
        return latest is not None and latest.is_open

    def open_keys(self) -> list[int]:
        """The atoms that were begun and not ended."""
        return [key for key, run in self._runs.items() if run.is_open]

    def points_at(self, tick: int) -> Points:
        """The points of a tick; their atoms must be entered as the latest there is of them as well."""
        points = self._points.get(tick)
        if points is None:
            points = self._points[tick] = Points(self, tick)
            self.alarms.begun(tick)
            self.alarms.ended(tick)
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
        self._supersede(latest)
        return self._begin(key, tick, latest.end)

    def _begin(self, key: int, tick: int, before: int) -> Run:
        run = Run(key, self, tick, tick - 1, before)
        self._latest[key] = self._runs[key] = self._holding[key] = run
        self._have_begun([run], tick)
        return run

    def _have_begun(self, runs: Sequence[Run], tick: int) -> None:
        if runs:
            self.alarms.begun(tick)
            self._begun.setdefault(tick, []).extend(runs)

    def ending_at(self, tick: int) -> list[Run]:
        """The runs that end at a tick, as far as is known; for more of them."""
        self.alarms.ended(tick)
        return self._ending.setdefault(tick, [])

    def ends_at(self, run: Run, tick: int, *, goes_on: bool = False) -> None:
        """Notes that a run ends at a tick, as far as is known now; it may go on by itself."""
        if not goes_on:
            self.alarms.ended(tick)
        ending = self._ending.get(tick)
        if ending is None:
            self._ending[tick] = [run]
        else:
            ending.append(run)
        if tick < self._now:
            self._holding.pop(run.key, None)
            self.alarms.passed(run.begin, tick)

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

    def hold(self, keys: Iterable[int], tick: int) -> None:
        """Facts tell that atoms, of which something is known, hold at a tick, the current one."""
        latest, runs, holding, last = self._latest, self._runs, self._holding, tick - 1
        begun: list[Run] = []
        going_on: list[Run] = []
        for key in keys:
            known = latest[key]
            if type(known) is not Run:
                if known.end != tick:
                    self.run_at(key, tick).told(tick)
            elif known.end == last and known.told_end == last:
                known.end = known.told_end = tick
                going_on.append(known)
            elif known.end < last:
                run = Run(key, self, tick, tick, known.end)
                self._supersede(known)
                latest[key] = runs[key] = holding[key] = run
                begun.append(run)
            else:
                known.told(tick)
        self._have_begun(begun, tick)
        if begun or going_on:
            self.ending_at(tick).extend(begun + going_on)

    def keep(self, key: int, tick: int) -> None:
        """The atom is background data: it holds from this tick, the start, for ever."""
        self.run_at(key, tick).told(OPEN_END)

    def derive(self, keys: Iterable[int], tick: int) -> None:
        """Rules derive the atoms from this tick, the current one, until told otherwise."""
        latest, runs, holding, last = self._latest, self._runs, self._holding, tick - 1
        begun: list[Run] = []
        for key in keys:
            known = latest.get(key)
            if known is None:
                run = Run(key, self, tick, last, NEVER)
            elif type(known) is Run and known.end < last:
                run = Run(key, self, tick, last, known.end)
                self._supersede(known)
            else:
                run = self.run_at(key, tick)
                run.is_derived = True
                run.settle(tick)
                continue
            run.end = OPEN_END
            run.is_derived = True
            latest[key] = runs[key] = holding[key] = run
            begun.append(run)
        self._have_begun(begun, tick)

    def underive(self, keys: Iterable[int], tick: int) -> None:
        """Rules derived the atoms until the tick before this one, the current one."""
        runs, holding, last = self._runs, self._holding, tick - 1
        ended: list[Run] = []
        for key in keys:
            run = runs[key]
            run.is_derived = False
            if run.is_open or run.told_end > last:
                run.settle(last)
                continue
            run.end = last
            holding.pop(key, None)
            ended.append(run)
        if ended:
            self.ending_at(last).extend(ended)
            if self.alarms.has_stretches:
                for run in ended:
                    self.alarms.passed(run.begin, last)

    def _supersede(self, run: Run) -> None:
        """There is a later run of its atom."""
        run.is_latest = False
        if self._keeps_earlier:
            self._earlier.add(run.begin, run.end, run.key)

    def record(self, key: int, tick: int) -> None:
        """Rules derive the atom for this tick, the current one, and those that are passed over after it."""
        run = self.run_at(key, tick)
        run.told(tick, goes_on=True)
        self._recorded[key] = run

    def settle(self) -> None:
        """All that rules derive for the current tick is recorded: what is not has ended."""
        before, self._recorded_before = self._recorded_before, {}
        for key, run in before.items():
            if key not in self._recorded:
                self.alarms.ended(run.end)
                self.alarms.passed(run.begin, run.end)

    def go_on(self, last: int) -> None:
        """What was recorded at the current tick goes on up to a later one; to be told before what follows."""
        for run in self._recorded.values():
            run.told(last, goes_on=True)

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
            self.alarms.begun(begin)
            if end == run.begin - 1:
                run.begin = begin
            else:
                self.alarms.ended(end)
                self._earlier.add(begin, end, run.key)

    def adopt(self, other: "History") -> None:
        """Takes all runs of a history; what rules derive there has ended before the current tick."""
        now = self._now = other._now
        for run in other._runs.values():
            own = self._begin(run.key, run.begin, run.before)
            own.is_open = run.is_open
            own.told(run.told_end if run.is_open else min(run.end, max(run.told_end, now - 1)))
            own.settle(run.begin - 1)
            if own.end < now:
                self._holding.pop(run.key, None)
        for tick, points in other._points.items():
            self.points_at(tick).keys.update(points.keys)
            self._latest.update(dict.fromkeys(points.keys, self._points[tick]))
        for begin, end, keys in other._earlier.all():
            for key in keys:
                self._earlier.add(begin, end, key)

    def state(self, number: Callable[[int], int]) -> dict[str, Any]:
        """All that the future depends on but for background data, as JSON has it; atoms as their numbers."""
        return {
            "now": self._now,
            "before": self.before,
            "runs": [
                (
                    number(run.key),
                    run.begin,
                    run.end,
                    run.told_end,
                    run.is_open,
                    run.is_derived,
                    run.before,
                )
                for run in self._runs.values()
                if not run.is_background or run.is_open
            ],
            "points": [[tick, [*map(number, points.keys)]] for tick, points in self._points.items()],
            "earlier": [[begin, end, [*map(number, keys)]] for begin, end, keys in self._earlier.all()],
            "recorded": [*map(number, self._recorded)],
        }

    def restore(self, state: Mapping[str, Any], key: Callable[[int], int]) -> None:
        """Takes over a state; nothing but background data was kept before."""
        now = self._now = state["now"]
        self.before = state["before"]
        for number, begin, end, told_end, is_open, is_derived, before in state["runs"]:
            run = self._runs.get(key(number))
            if run is None or told_end != OPEN_END:
                run = Run(key(number), self, begin, end, before)
                self._latest[run.key] = self._runs[run.key] = run
            run.told_end, run.is_open, run.is_derived = told_end, is_open, is_derived
            if end >= now:
                self._holding[run.key] = run
            if end != OPEN_END and (self._reach is not None or end >= now - 1):
                self._ending.setdefault(end, []).append(run)
        for tick, numbers in state["points"]:
            points = self._points[tick] = Points(self, tick)
            points.keys.update(map(key, numbers))
            self._latest.update(dict.fromkeys(points.keys, points))
        for begin, end, numbers in state["earlier"]:
            for number in numbers:
                self._earlier.add(begin, end, key(number))
        self._recorded = {key(number): self._runs[key(number)] for number in state["recorded"]}

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
        self.before = last
        if not (self._runs or self._points or self._begun or self._ending or self._recorded_before):
            return  # earlier runs that are left are swept when there is something again
        if self._recorded or self._recorded_before:
            self.settle()
            self._recorded_before, self._recorded = self._recorded, {}
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
                if run.is_latest:  # else it has begun again after ticks that were passed over
                    self._holding.pop(run.key, None)
            if self.alarms.has_stretches:
                for run in ended:
                    if run.key not in self._recorded_before:
                        self.alarms.passed(run.begin, run.end)

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

    def alarm(self) -> None:
        """Tells the alarms all that is known, because more is asked for."""
        for run in self._runs.values():
            self._alarm(run.begin, run.end)
        for tick in self._points:
            self._alarm(tick, tick)
        for begin, end, _ in self._earlier.all():
            self._alarm(begin, end)

    def _alarm(self, begin: int, end: int) -> None:
        self.alarms.begun(begin)
        if end != OPEN_END:
            self.alarms.ended(end)
            self.alarms.passed(begin, end)

    def _has_pinned(self, begin: int, end: int) -> bool:
        return any(begin <= tick <= end for tick in self._pinned)

    # --- what changed ---------------------------------------------------------------------------------

    @property
    def is_quiet(self) -> bool:
        """Whether nothing holds, and nothing began or ended as long ago as is remembered."""
        return not (self._runs or self._points or self._begun or self._ending)

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

    def holds_at(self, key: int, tick: int) -> bool:
        """Whether an atom holds at a tick, as far as is kept."""
        latest = self._latest.get(key)
        if latest is None or latest.history is not self or latest.begin <= tick <= latest.end:
            return latest is not None and latest.history is self
        return any(key in keys for _, _, keys in self._earlier.overlap(tick, tick))

    def is_growing(self, since: int) -> bool:
        """Whether something holds now that began after a tick."""
        return self._now in self._points or any(run.begin > since for run in self._holding.values())

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

    def next_count(self, size: int | None, least: int, now: int, *, shift: int) -> int | None:
        """The first tick after now at which an atom holds at so many ticks of a window, or no more does.

        If all that holds now goes on as is known.

        Args:
            size: of the window, which slides; None for one that begins with the timeline.
            least: how many ticks.
            now: the current tick.
            shift: how many ticks before the current one the window ends.
        """
        turns: dict[int, list[tuple[int, int]]] = {}
        counts: dict[int, int] = {}
        first = NEVER if size is None else now - size
        for key, (begin, last) in self.spans(first - 1, OPEN_END):
            end = OPEN_END if last >= now and key in self._recorded else last
            held = min(end, now - shift) - max(begin, first) + 1
            counts[key] = counts.get(key, 0) + max(held, 0)
            # from these ticks on the window has one more, or one less, at each tick
            of_atom = turns.setdefault(key, [])
            of_atom.append((begin + shift, 1))
            if size is not None:
                of_atom.append((begin + size + 1, -1))
            if end < OPEN_END:
                of_atom.append((end + shift + 1, -1))
                if size is not None:
                    of_atom.append((end + size + 2, 1))
        found = (_next_crossing(counts[key], of_atom, least, now) for key, of_atom in turns.items())
        return min((tick for tick in found if tick is not None), default=None)

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


def _next_crossing(count: int, turns: list[tuple[int, int]], least: int, now: int) -> int | None:
    """The first tick after now at which a count reaches a number, or falls below it.

    Args:
        count: the count now.
        turns: ticks from which on the count changes by so much more at each tick.
        least: the number.
        now: the current tick.
    """
    slope, tick = 0, now + 1
    for turn, more in [*sorted(turns), (OPEN_END, 0)]:
        if turn > tick:
            missing = least - count if count < least else least - 1 - count
            if slope and missing * slope > 0 and abs(missing) <= turn - tick:
                return tick + abs(missing) - 1
            count += slope * (turn - tick)
            tick = turn
        slope += more
    return None
