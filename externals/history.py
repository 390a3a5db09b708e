"""When the atoms of one predicate hold: a canonical interval stream, kept in three forms.

The latest interval of each atom decides sliding diamonds and boxes, which are looked up at every tick
(figures: `experiments/timing/window_queries.py`). An atom that held at one tick only, as in most streams, is
just one of the points of that tick; it gets a HeldInterval when more is known of it.
Runs before the latest go to an interval tree, for the windows that look at single ticks of the past; where no
window does, they are dropped. Atoms stand as their rows.

Points and intervals are listed by the ticks at which they begin and end, as far back as windows look: from
these lists follow the changes of a window from tick to tick (lars2asp.externals.views).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.past import Past
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.timer import Alarms, Timer

NEVER = -(2**62)
"""Earlier than every tick."""


class Points:
    """The atoms whose latest interval is one and the same tick.

    Attributes:
        begin: the tick.
        end: the tick.
        rows: the atoms.
    """

    __slots__ = ("begin", "end", "rows")
    is_open = False

    def __init__(self, tick: int) -> None:
        self.begin = self.end = tick
        self.rows: set[Row] = set()


class HeldInterval:
    """One interval at which an atom holds.

    Attributes:
        row: the atom.
        history: the history of its predicate.
        begin: the first tick.
        end: the last tick as far as is known; OPEN_END while it is open or derived.
        input_end: the last tick by facts of the input, which an end event does not take back.
        is_open: whether it was begun and not ended by events.
        is_derived: whether rules derive it.
        before: the last tick of the atom's interval before, NEVER if none is known.
        is_latest: whether the atom has no later interval.
    """

    __slots__ = (
        "before",
        "begin",
        "end",
        "history",
        "input_end",
        "is_derived",
        "is_latest",
        "is_open",
        "row",
    )

    def __init__(self, row: Row, history: "History", begin: int, end: int, before: int) -> None:
        self.row = row
        self.history = history
        self.begin = begin
        self.end = self.input_end = end
        self.before = before
        self.is_open = self.is_derived = False
        self.is_latest = True

    @property
    def is_background(self) -> bool:
        """Whether it is of an atom of the background data."""
        return self.input_end == OPEN_END

    def extend(self, until: int, *, goes_on: bool = False) -> None:
        """It holds until a tick at least; `goes_on` says that it may hold on by itself."""
        if until > self.input_end:
            self.input_end = until
            if until > self.end:
                self.end = until
                if until != OPEN_END:
                    self.history.ends_at(self, until, goes_on=goes_on)

    def settle(self, last: int) -> None:
        """Sets the end anew; where it is neither open nor derived, it holds to `last`, or longer by facts."""
        end = OPEN_END if self.is_open or self.is_derived else max(self.input_end, last)
        if end != self.end:
            self.end = end
            if end != OPEN_END:
                self.history.ends_at(self, end)


class History:
    """The intervals of one predicate's atoms.

    Args:
        reach: how many ticks back the predicate is looked at; older ones are forgotten. None: without end.
        keeps_earlier: whether intervals before the latest of an atom are looked up.
        pinned: ticks that are looked at without end.
        alarms: get what begins and ends.
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
        alarms: Alarms | None = None,
        sweep_after: int = 0,
    ) -> None:
        self._reach = reach
        self._keeps_earlier = keeps_earlier
        self._pinned = pinned
        self._latest: dict[Row, HeldInterval | Points] = {}
        self._intervals: dict[Row, HeldInterval] = {}
        self._points: dict[int, Points] = {}
        self._holding: dict[Row, HeldInterval] = {}
        self._begun: dict[int, list[HeldInterval]] = {}
        self._ending: dict[int, list[HeldInterval]] = {}
        self._remembered = 0
        self._earlier = Past(sweep_after)
        self._now = self.before = NEVER
        self._recorded: dict[Row, HeldInterval] = {}
        """The intervals that were recorded at the current tick."""
        self._recorded_before: dict[Row, HeldInterval] = {}
        """The intervals that were recorded at the tick before, as long as they may have ended then."""
        self.alarms = alarms or Alarms(Timer())

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        points = sum(len(points.rows) for points in self._points.values())
        return len(self._intervals) + points + len(self._earlier)

    def rows(self) -> set[Row]:
        """The atoms of which intervals are kept."""
        points = (points.rows for points in self._points.values())
        return self._earlier.rows().union(self._intervals, *points)

    # --- input and derived atoms ----------------------------------------------------------------------

    def is_open(self, row: Row) -> bool:
        """Whether the atom was begun and not ended."""
        latest = self._latest.get(row)
        return latest is not None and latest.is_open

    def open_rows(self) -> list[Row]:
        """The atoms that were begun and not ended."""
        return [row for row, interval in self._intervals.items() if interval.is_open]

    def points_at(self, tick: int) -> Points:
        """The points of a tick; whoever adds an atom to them enters them as its latest as well."""
        points = self._points.get(tick)
        if points is None:
            points = self._points[tick] = Points(tick)
            self.alarms.begun(tick)
            self.alarms.ended(tick)
        return points

    def interval_at(self, row: Row, tick: int) -> HeldInterval:
        """The atom's interval that has a tick or that the tick continues; a new one if there is none."""
        latest = self._latest.get(row)
        if latest is None:
            return self._begin(row, tick, NEVER)
        if isinstance(latest, Points):
            latest.rows.remove(row)
            if latest.end < tick - 1:
                if self._keeps_earlier:
                    self._earlier.add(latest.begin, latest.end, row)
                return self._begin(row, tick, latest.end)
            interval = HeldInterval(row, self, latest.begin, latest.end, NEVER)
            self._latest[row] = self._intervals[row] = interval
            self._begun.setdefault(interval.begin, []).append(interval)
            self.ends_at(interval, interval.end)
            self._holding[row] = interval
            return interval
        if latest.end >= tick - 1:
            self._holding[row] = latest
            return latest
        self._supersede(latest)
        return self._begin(row, tick, latest.end)

    def _begin(self, row: Row, tick: int, before: int) -> HeldInterval:
        interval = HeldInterval(row, self, tick, tick - 1, before)
        self._latest[row] = self._intervals[row] = self._holding[row] = interval
        self._have_begun([interval], tick)
        return interval

    def _have_begun(self, intervals: Sequence[HeldInterval], tick: int) -> None:
        if intervals:
            self.alarms.begun(tick)
            self._begun.setdefault(tick, []).extend(intervals)

    def ending_at(self, tick: int) -> list[HeldInterval]:
        """The list of intervals that end at a tick, as far as is known, to add others to."""
        self.alarms.ended(tick)
        return self._ending.setdefault(tick, [])

    def ends_at(self, interval: HeldInterval, tick: int, *, goes_on: bool = False) -> None:
        """Notes that an interval ends at a tick, as far as is known now; it may go on by itself."""
        if not goes_on:
            self.alarms.ended(tick)
        ending = self._ending.get(tick)
        if ending is None:
            self._ending[tick] = [interval]
        else:
            ending.append(interval)
        if tick < self._now:
            self._holding.pop(interval.row, None)
            self.alarms.passed(interval.begin, tick)

    def add_input(self, row: Row, tick: int, until: int | None, is_open: bool) -> None:
        """Takes the events of a tick for an atom, taken together.

        Args:
            row: the atom.
            tick: the current tick; no call goes back behind an earlier one.
            until: the last tick by facts, not before the current one; None without a fact.
            is_open: whether it is begun and not ended after the tick's events.
        """
        if not (is_open or until is not None or self.is_open(row)):
            return
        interval = self.interval_at(row, tick)
        interval.is_open = is_open
        if until is not None:
            interval.extend(until)
        interval.settle(tick - 1)

    def hold(self, rows: Iterable[Row], tick: int) -> None:
        """Facts of the input: atoms hold at the current tick."""
        latest, intervals, holding, last = self._latest, self._intervals, self._holding, tick - 1
        begun: list[HeldInterval] = []
        going_on: list[HeldInterval] = []
        here: Points | None = None
        for row in rows:
            known = latest.get(row)
            if known is None:
                if here is None:
                    here = self.points_at(tick)
                here.rows.add(row)
                latest[row] = here
            elif type(known) is not HeldInterval:
                if known.end != tick:
                    self.interval_at(row, tick).extend(tick)
            elif known.end == last and known.input_end == last:
                known.end = known.input_end = tick
                going_on.append(known)
            elif known.end < last:
                interval = HeldInterval(row, self, tick, tick, known.end)
                self._supersede(known)
                latest[row] = intervals[row] = holding[row] = interval
                begun.append(interval)
            else:
                known.extend(tick)
        self._have_begun(begun, tick)
        if begun or going_on:
            self.ending_at(tick).extend(begun + going_on)

    def keep(self, row: Row, tick: int) -> None:
        """The atom is background data: it holds from this tick, the start, for ever."""
        self.interval_at(row, tick).extend(OPEN_END)

    def derive(self, rows: Iterable[Row], tick: int) -> None:
        """Rules derive the atoms from the current tick on."""
        latest, intervals, holding, last = self._latest, self._intervals, self._holding, tick - 1
        begun: list[HeldInterval] = []
        for row in rows:
            known = latest.get(row)
            if known is None:
                interval = HeldInterval(row, self, tick, last, NEVER)
            elif type(known) is HeldInterval and known.end < last:
                interval = HeldInterval(row, self, tick, last, known.end)
                self._supersede(known)
            else:
                interval = self.interval_at(row, tick)
                interval.is_derived = True
                interval.settle(tick)
                continue
            interval.end = OPEN_END
            interval.is_derived = True
            latest[row] = intervals[row] = holding[row] = interval
            begun.append(interval)
        self._have_begun(begun, tick)

    def underive(self, rows: Iterable[Row], tick: int) -> None:
        """Rules derived the atoms until the tick before the current one."""
        intervals, holding, last = self._intervals, self._holding, tick - 1
        ended: list[HeldInterval] = []
        for row in rows:
            interval = intervals[row]
            interval.is_derived = False
            if interval.is_open or interval.input_end > last:
                interval.settle(last)
                continue
            interval.end = last
            holding.pop(row, None)
            ended.append(interval)
        if ended:
            self.ending_at(last).extend(ended)
            if self.alarms.has_stretches:
                for interval in ended:
                    self.alarms.passed(interval.begin, last)

    def _supersede(self, interval: HeldInterval) -> None:
        """Notes that its atom has a later interval."""
        interval.is_latest = False
        if self._keeps_earlier:
            self._earlier.add(interval.begin, interval.end, interval.row)

    def record(self, row: Row, tick: int) -> None:
        """Rules derive the atom for the current tick and those that are passed over after it."""
        interval = self.interval_at(row, tick)
        interval.extend(tick, goes_on=True)
        self._recorded[row] = interval

    def settle(self) -> None:
        """Notes the end of atoms recorded at the tick before, when those of the current tick are recorded."""
        before, self._recorded_before = self._recorded_before, {}
        for row, interval in before.items():
            if row not in self._recorded:
                self.alarms.ended(interval.end)
                self.alarms.passed(interval.begin, interval.end)

    def go_on(self, last: int) -> None:
        """The recorded atoms of the current tick hold up to a later one; to be called before its events."""
        for interval in self._recorded.values():
            interval.extend(last, goes_on=True)

    def place(self, row: Row, tick: int) -> None:
        """The atom holds at a past tick as well; only for histories that keep earlier intervals."""
        if self._reach is not None and tick < self._now - self._reach and tick not in self._pinned:
            return
        latest = self._latest.get(row)
        if latest is None:
            self._begin(row, tick, NEVER).extend(tick)
            return
        interval = self.interval_at(row, latest.end) if isinstance(latest, Points) else latest
        if tick > interval.end + 1:
            self._earlier.add(interval.begin, interval.end, interval.row)
            interval.is_latest = False
            self._begin(row, tick, interval.end).extend(tick)
        elif tick > interval.end:
            interval.extend(tick)
        elif tick < interval.begin:
            begin = end = tick
            near = list(self._earlier.overlap(tick - 1, tick + 1))
            for first, last, rows in near:
                if row in rows:
                    begin, end = min(begin, first), max(end, last)
                    self._earlier.remove(first, last, row)
            self.alarms.begun(begin)
            if end == interval.begin - 1:
                interval.begin = begin
            else:
                self.alarms.ended(end)
                self._earlier.add(begin, end, interval.row)

    def adopt(self, other: "History") -> None:
        """Takes all intervals of a history; those that rules derive there end before the current tick."""
        now = self._now = other._now
        for interval in other._intervals.values():
            own = self._begin(interval.row, interval.begin, interval.before)
            own.is_open = interval.is_open
            ended = min(interval.end, max(interval.input_end, now - 1))
            own.extend(interval.input_end if interval.is_open else ended)
            own.settle(interval.begin - 1)
            if own.end < now:
                self._holding.pop(interval.row, None)
        for tick, points in other._points.items():
            self.points_at(tick).rows.update(points.rows)
            self._latest.update(dict.fromkeys(points.rows, self._points[tick]))
        for begin, end, rows in other._earlier.all():
            for row in rows:
                self._earlier.add(begin, end, row)

    def state(self, write: Callable[[Iterable[Row]], list[Any]]) -> dict[str, Any]:
        """All that later ticks depend on but background data, as JSON has it; rows as they are written."""
        runs = [
            interval
            for interval in self._intervals.values()
            if not interval.is_background or interval.is_open
        ]
        return {
            "now": self._now,
            "before": self.before,
            "rows": write([interval.row for interval in runs]),
            "runs": [
                (
                    interval.begin,
                    interval.end,
                    interval.input_end,
                    interval.is_open,
                    interval.is_derived,
                    interval.before,
                )
                for interval in runs
            ],
            "points": [[tick, write(points.rows)] for tick, points in self._points.items()],
            "earlier": [[begin, end, write(rows)] for begin, end, rows in self._earlier.all()],
            "recorded": write(self._recorded),
        }

    def restore(self, state: Mapping[str, Any], read: Callable[[list[Any]], list[Row]]) -> None:
        """Takes over a state; only background data may be there before."""
        now = self._now = state["now"]
        self.before = state["before"]
        runs = zip(read(state["rows"]), state["runs"], strict=True)
        for row, (begin, end, input_end, is_open, is_derived, before) in runs:
            interval = self._intervals.get(row)
            if interval is None or input_end != OPEN_END:
                interval = HeldInterval(row, self, begin, end, before)
                self._latest[row] = self._intervals[row] = interval
            interval.input_end, interval.is_open, interval.is_derived = input_end, is_open, is_derived
            if end >= now:
                self._holding[row] = interval
            if end != OPEN_END and (self._reach is not None or end >= now - 1):
                self._ending.setdefault(end, []).append(interval)
        for tick, rows in state["points"]:
            points = self._points[tick] = Points(tick)
            points.rows.update(read(rows))
            self._latest.update(dict.fromkeys(points.rows, points))
        for begin, end, rows in state["earlier"]:
            for row in read(rows):
                self._earlier.add(begin, end, row)
        self._recorded = {row: self._intervals[row] for row in read(state["recorded"])}

    def remember(self, ticks: int) -> None:
        """From now on `begun` and `ended` reach this number of ticks back."""
        if ticks > self._remembered:
            self._remembered = ticks
            self._begun.clear()
            for interval in self._intervals.values():
                if interval.begin >= self._now - ticks:
                    self._begun.setdefault(interval.begin, []).append(interval)
                if self._now - ticks - 1 <= interval.end < self._now:
                    self._ending.setdefault(interval.end, []).append(interval)

    def advance(self, now: int) -> None:
        """Makes a tick the current one, whose input is complete, and drops what no window can reach.

        The cost is that of what ended and what is dropped. Ticks may be passed over.
        """
        last, self._now = self._now, now
        self.before = last
        if not (self._intervals or self._points or self._begun or self._ending or self._recorded_before):
            return  # earlier intervals that are left are swept when there is something again
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
        """Ends the intervals that were to end at a past tick and were not extended since."""
        ending = self._ending.get(tick)
        if ending:
            self._ending[tick] = ended = [interval for interval in ending if interval.end == tick]
            for interval in ended:
                if interval.is_latest:  # else it has begun again after ticks that were passed over
                    self._holding.pop(interval.row, None)
            if self.alarms.has_stretches:
                for interval in ended:
                    if interval.row not in self._recorded_before:
                        self.alarms.passed(interval.begin, interval.end)

    def _drop(self, tick: int) -> None:
        """Forgets the intervals and points that ended at a tick."""
        intervals = self._ending.pop(tick, ())
        if self._reach is None or tick in self._pinned:
            return
        points = self._points.pop(tick, None)
        if points is not None:
            for row in points.rows:
                del self._latest[row]
        for interval in intervals:
            if interval.is_latest and interval.end == tick and not self._has_pinned(interval.begin, tick):
                row = interval.row
                if self._intervals.pop(row, None):
                    del self._latest[row]

    def alarm(self) -> None:
        """Passes all intervals to the alarms, which watch one more lookup.

        No more than they get as the stream goes on, so that a state that is taken over adds no ticks.
        """
        for row, interval in self._intervals.items():
            if row in self._recorded and interval.end <= self._now:
                self.alarms.begun(interval.begin)  # it may go on by itself
            else:
                self._alarm(interval.begin, interval.end)
        for tick in self._points:
            self._alarm(tick, tick)
        for begin, end, _ in self._earlier.all():
            self._alarm(begin, end)

    def _alarm(self, begin: int, end: int) -> None:
        self.alarms.begun(begin)
        if end != OPEN_END:
            self.alarms.ended(end)
            if begin < end < self._now:  # points are never passed, others when they are over
                self.alarms.passed(begin, end)

    def _has_pinned(self, begin: int, end: int) -> bool:
        return any(begin <= tick <= end for tick in self._pinned)

    # --- what changed ---------------------------------------------------------------------------------

    @property
    def is_quiet(self) -> bool:
        """Whether nothing holds, and nothing began or ended within the ticks that are remembered."""
        return not (self._intervals or self._points or self._begun or self._ending)

    def begun(self, tick: int) -> Sequence[HeldInterval]:
        """The intervals that began at a tick, but for points and atoms placed later."""
        return self._begun.get(tick, ())

    def ended(self, tick: int) -> Sequence[HeldInterval]:
        """The intervals that ended at a past tick, each once; but for points."""
        intervals = self._ending.get(tick)
        return (
            list(dict.fromkeys(interval for interval in intervals if interval.end == tick))
            if intervals
            else ()
        )

    def points(self, tick: int) -> Iterable[Row]:
        """The atoms whose latest interval, and the only one known, is this tick alone."""
        points = self._points.get(tick)
        return points.rows if points is not None else ()

    # --- lookups --------------------------------------------------------------------------------------

    def holds_at(self, row: Row, tick: int) -> bool:
        """Whether an atom holds at a tick, as far as is kept."""
        latest = self._latest.get(row)
        if latest is None or latest.begin <= tick <= latest.end:
            return latest is not None
        return any(row in rows for _, _, rows in self._earlier.overlap(tick, tick))

    def is_growing(self, since: int) -> bool:
        """Whether an atom holds now whose interval began after a tick."""
        return self._now in self._points or any(interval.begin > since for interval in self._holding.values())

    def now(self, *, with_background: bool) -> list[Row]:
        """The atoms that hold at the current tick."""
        intervals = self._holding.values()
        held = [interval.row for interval in intervals if with_background or not interval.is_background]
        return [*held, *self.points(self._now)]

    def since(self, first: int) -> list[Row]:
        """The atoms that hold at some tick from `first` to now."""
        found = [interval.row for interval in self._intervals.values() if interval.end >= first]
        for tick, points in self._points.items():
            if tick >= first:
                found += points.rows
        return found

    def between(self, first: int, last: int) -> list[Row]:
        """The atoms that hold at some tick from `first` to `last`, each once or more."""
        return [row for row, _ in self.spans(first, last)]

    def throughout(self, first: int, last: int) -> list[Row]:
        """The atoms that hold at every tick from `first` to `last`."""
        intervals = self._intervals.values()
        found = [interval.row for interval in intervals if interval.begin <= first and interval.end >= last]
        if first == last:
            found += self.points(first)
        for begin, end, rows in self._earlier.overlap(last, last):
            if begin <= first and end >= last:
                found += rows
        return found

    def counts(self, first: int, last: int) -> dict[Row, int]:
        """The number of ticks from `first` to `last` at which each atom holds; 1 or more."""
        counts: dict[Row, int] = {}
        for row, interval in self.spans(first, last):
            counts[row] = counts.get(row, 0) + interval.end - interval.begin + 1
        return counts

    def next_count(self, size: int | None, least: int, now: int, *, shift: int) -> int | None:
        """The first tick after now at which an atom's ticks in a window reach a number, or fall below it.

        For the case that every interval goes on as is known now.

        Args:
            size: of the window, which slides; None for one that begins with the timeline.
            least: the number.
            now: the current tick.
            shift: the number of ticks by which the window ends before the current one.
        """
        turns: dict[Row, list[tuple[int, int]]] = {}
        counts: dict[Row, int] = {}
        first = NEVER if size is None else now - size
        for row, (begin, last) in self.spans(first - 1, OPEN_END):
            end = OPEN_END if last >= now and row in self._recorded else last
            held = min(end, now - shift) - max(begin, first) + 1
            counts[row] = counts.get(row, 0) + max(held, 0)
            # from these ticks on the window has one more, or one less, at each tick
            of_atom = turns.setdefault(row, [])
            of_atom.append((begin + shift, 1))
            if size is not None:
                of_atom.append((begin + size + 1, -1))
            if end < OPEN_END:
                of_atom.append((end + shift + 1, -1))
                if size is not None:
                    of_atom.append((end + size + 2, 1))
        found = (_next_crossing(counts[row], of_atom, least, now) for row, of_atom in turns.items())
        return min((tick for tick in found if tick is not None), default=None)

    def spans(self, first: int, last: int) -> Iterator[tuple[Row, Interval]]:
        """The atoms and intervals that have a tick in `first` ... `last`, cut to these."""
        for interval in self._intervals.values():
            if interval.begin <= last and interval.end >= first:
                yield interval.row, Interval(max(interval.begin, first), min(interval.end, last))
        for tick, points in self._points.items():
            if first <= tick <= last:
                yield from ((row, Interval(tick, tick)) for row in points.rows)
        for begin, end, rows in self._earlier.overlap(first, last):
            yield from ((row, Interval(max(begin, first), min(end, last))) for row in rows)

    def intervals(self, row: Row) -> tuple[Interval, ...]:
        """The canonical intervals of an atom, as far as they are kept."""
        latest = self._latest.get(row)
        if latest is None:
            return ()
        earlier = (Interval(begin, end) for begin, end in self._earlier.intervals_of(row))
        return canonical([*earlier, Interval(latest.begin, latest.end)])


def _next_crossing(count: int, turns: list[tuple[int, int]], least: int, now: int) -> int | None:
    """The first tick after now at which a count reaches a number, or falls below it.

    Args:
        count: the count now.
        turns: ticks, and the amount by which the count changes more at each tick from there on.
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
