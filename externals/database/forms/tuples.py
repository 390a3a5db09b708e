"""The answers to lookups about tuple windows, kept up to date as arrivals come and leave."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence

from lars2asp.externals.database.agenda import Agenda, Watched
from lars2asp.externals.database.arrivals import Arrival, Arrivals
from lars2asp.externals.database.form import View
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.terms import Row
from lars2asp.externals.views import NO_CHANGES, Changes, changes_of
from lars2asp.planning.lookups import Lookup, LookupKind


class TupleView(View):
    """The answer to a lookup about the atoms of a predicate in a tuple window.

    What must hold: `_numbers` has the rows with arrivals in the window, and how many these are. `_came` has
    the rows that are among them and were not at the last look, `_gone` those that were and are not.

    Args:
        lookup: the lookup.
        arrivals: those that are kept.
        agenda: says what is due when.
    """

    def __init__(self, lookup: Lookup, arrivals: Arrivals, agenda: Agenda) -> None:
        assert lookup.signature is not None
        self._signature = lookup.signature
        self._agenda = agenda
        self._window = arrivals.window(lookup)
        self._numbers: dict[Row, int] = {}
        self._came: dict[Row, None] = {}
        self._gone: dict[Row, None] = {}
        self._window.views.append(self)

    @property
    def kept(self) -> int:
        """The number of arrivals in the windows."""
        return sum(map(len, self._window.groups.values()))

    def move(self, came: Sequence[Arrival], left: Sequence[Arrival]) -> None:
        """Arrivals are in the window, and others are not any more."""
        numbers, signature, begun, ended = self._numbers, self._signature, self._came, self._gone
        for arrival in came:
            if arrival.signature == signature:
                row = arrival.row
                number = numbers.get(row, 0)
                numbers[row] = number + 1
                if not number:
                    if row in ended:
                        del ended[row]
                    else:
                        begun[row] = None
        for arrival in left:
            if arrival.signature == signature:
                row = arrival.row
                number = numbers[row]
                if number > 1:
                    numbers[row] = number - 1
                else:
                    del numbers[row]
                    if row in begun:
                        del begun[row]
                    else:
                        ended[row] = None
        if (begun or ended) and self.watched is not None:
            self.watched.rouse()

    def end(self, arrival: Arrival) -> None:
        """An arrival is not open any more."""

    def load(self) -> None:
        """The window has other arrivals than before."""
        self._numbers.clear()
        self.move([*self._window.arrivals()], ())

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        return [*self._numbers]

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        return bool(self._numbers)

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        came, gone = self._came, self._gone
        if not came and not gone:
            return NO_CHANGES
        self._came, self._gone = {}, {}
        return changes_of(([*came], [*gone]))


class TupleTicksView(View):
    """The answer to a lookup about the ticks at which atoms hold in a tuple window.

    What must hold: `_arrivals` has the arrivals of each row in the window, oldest first, and `_spanning` the
    number of those that hold at more than one tick, or may. `_answers` has what the answer had of each row at
    the last look; it still has in those that are not in `_touched`. Rows that hold after the current tick
    are in `_touched`, but for those of boxes: these come to hold where one arrived at the first tick of the
    window, which `_firsts` has for each group, and cease to as they end.

    Args:
        lookup: the lookup.
        arrivals: those that are kept.
        agenda: says what is due when.
        start: the first tick of the timeline.
        complete: whether boxes need windows with as many arrivals as they take.
    """

    def __init__(
        self, lookup: Lookup, arrivals: Arrivals, agenda: Agenda, start: int, *, complete: bool
    ) -> None:
        assert lookup.signature is not None
        self._kind, self._least, self._signature = lookup.kind, lookup.least, lookup.signature
        self._is_box = lookup.kind is LookupKind.ALWAYS
        self._start = start
        self._complete = complete
        self._agenda = agenda
        self._window = arrivals.window(lookup)
        self._arrivals: dict[Row, deque[Arrival]] = {}
        self._spanning: dict[Row, int] = {}
        self._answers: dict[Row, set[Row]] = {}
        self._touched: dict[Row, None] = {}
        self._firsts: dict[Row, int] = {}
        self._window.views.append(self)

    # --- arrivals -------------------------------------------------------------------------------------

    @property
    def kept(self) -> int:
        """The number of arrivals in the windows."""
        return sum(map(len, self._window.groups.values()))

    def watch(self, watched: Watched, now: int) -> None:
        """Somebody looks at it from here on."""
        super().watch(watched, now)
        for arrival in self._window.arrivals():
            self._follow(arrival, now)

    def wake(self, tick: int) -> None:
        """Rows may have ceased to hold."""
        if self._is_box:
            self._touched |= dict.fromkeys(self._answers)
        super().wake(tick)

    def _follow(self, arrival: Arrival, now: int) -> None:
        """What an arrival changes by time alone: boxes end after it, other answers grow while it holds."""
        if self.watched is None or arrival.end < now:
            return
        if not self._is_box:
            if arrival.end > now:
                self._agenda.growing[self] = None
        elif arrival.end < OPEN_END:
            self._agenda.call(arrival.end + 1, self)

    def move(self, came: Sequence[Arrival], left: Sequence[Arrival]) -> None:
        """Arrivals are in the window, and others are not any more."""
        for arrival in came:
            if arrival.signature == self._signature:
                row = arrival.row
                self._arrivals.setdefault(row, deque()).append(arrival)
                if arrival.begin != arrival.end:
                    self._span(row, 1)
                if not self._is_box or row in self._answers:
                    self._touched[row] = None
                self._follow(arrival, arrival.begin)
        for arrival in left:
            if arrival.signature == self._signature:
                row = arrival.row
                arrivals = self._arrivals[row]
                arrivals.popleft()
                if not arrivals:
                    del self._arrivals[row]
                if arrival.begin != arrival.end:
                    self._span(row, -1)
                self._touched[row] = None
        if self._is_box:
            for arrival in came:
                self._see_first(arrival)
        if self._touched and self.watched is not None:
            self.watched.rouse()

    def _see_first(self, came: Arrival) -> None:
        """Sees which rows may hold throughout the window from an arrival on: those of its first tick."""
        key = self._window.key(came.row)
        if self._complete and not self._window.is_whole(key):
            return
        first = self._window.first(key, self._start)
        arrivals: Iterable[Arrival] = (came,)
        if self._firsts.get(key) != first:
            self._firsts[key], arrivals = first, self._window.groups[key]
        for arrival in arrivals:
            if arrival.begin > first:
                break
            if arrival.signature == self._signature:
                self._touched[arrival.row] = None

    def _span(self, row: Row, by: int) -> None:
        number = self._spanning.get(row, 0) + by
        if number:
            self._spanning[row] = number
        else:
            self._spanning.pop(row, None)

    def end(self, arrival: Arrival) -> None:
        """An arrival is not open any more."""
        if arrival.signature != self._signature or arrival.row not in self._arrivals:
            return
        if arrival.begin == arrival.end and any(one is arrival for one in self._arrivals[arrival.row]):
            self._span(arrival.row, -1)
        self._touched[arrival.row] = None
        if self.watched is not None:
            self.watched.rouse()
            self._follow(arrival, arrival.end + 1)

    def load(self) -> None:
        """The window has other arrivals than before."""
        self._arrivals.clear()
        self._spanning.clear()
        self._firsts.clear()
        self.move([*self._window.arrivals()], ())

    # --- the answer -----------------------------------------------------------------------------------

    def answer(self, now: int) -> list[Row]:
        """The answer at the current tick."""
        return [found for row in self._arrivals for found in self._of(row, now)]

    def has_answer(self, now: int) -> bool:
        """Whether the answer at the current tick has a row."""
        if self._kind in (LookupKind.AT, LookupKind.COUNT):
            return bool(self._arrivals)
        return any(self._of(row, now) for row in self._arrivals)

    def _of(self, row: Row, now: int) -> Collection[Row]:
        """What the answer has of a row."""
        arrivals = self._arrivals.get(row)
        if arrivals is None:
            return ()
        if self._is_box:
            return self._boxed(row, arrivals, now)
        if row not in self._spanning:  # each at a tick of its own
            if self._kind is LookupKind.AT:
                return [(*row, arrival.begin) for arrival in arrivals]
            number = len(arrivals)
        else:
            runs = self._runs(arrivals, now)
            if self._kind is LookupKind.AT:
                return [(*row, tick) for begin, end in runs for tick in range(begin, end + 1)]
            number = sum(end - begin + 1 for begin, end in runs)
        if self._least is None:
            return [(*row, number)] if number else ()
        return [row] if number >= self._least else ()

    def _boxed(self, row: Row, arrivals: deque[Arrival], now: int) -> Collection[Row]:
        """The row, if it holds throughout the window."""
        key = self._window.key(row)
        if not self._last_from(row, now) or (self._complete and not self._window.is_whole(key)):
            return ()
        first = self._window.first(key, self._start)
        if row not in self._spanning:
            return [row] if len(arrivals) == now - first + 1 else ()
        is_there = any(begin <= first and end >= now for begin, end in self._runs(arrivals, now))
        return [row] if is_there else ()

    def _last_from(self, row: Row, now: int) -> list[Arrival]:
        """The arrivals of a row that hold at the current tick, or may later."""
        arrivals = self._arrivals.get(row)
        if arrivals is None:
            return []
        if row not in self._spanning:
            return [arrivals[-1]] if arrivals[-1].end >= now else []
        return [one for one in arrivals if one.end >= now]

    @staticmethod
    def _runs(arrivals: deque[Arrival], now: int) -> tuple[Interval, ...]:
        """The ticks at which a row holds in the window."""
        return canonical(Interval(one.begin, min(one.end, now)) for one in arrivals)

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        if not self._touched:
            return NO_CHANGES
        began: list[Row] = []
        ended: list[Row] = []
        for row in [*self._touched]:
            here, before = set(self._of(row, now)), self._answers.pop(row, None)
            if before is None:
                began += here
            else:
                began += here - before
                ended += before - here
            if here:
                self._answers[row] = here
                if self._is_box:
                    for arrival in self._last_from(row, now):
                        self._follow(arrival, now)
            if self._is_box or row not in self._spanning or not self._goes_on(row, now):
                del self._touched[row]
        if not self._is_box and self in self._agenda.growing and self.next_growth(now) is None:
            del self._agenda.growing[self]
        return Changes(began, ended) if began or ended else NO_CHANGES

    def next_growth(self, now: int) -> int | None:
        """The next tick if an arrival in the window holds then."""
        return now + 1 if any(self._goes_on(row, now) for row in self._touched) else None

    def _goes_on(self, row: Row, now: int) -> bool:
        """Whether a row holds after the current tick."""
        return any(one.end > now for one in self._arrivals.get(row, ()))

    def is_due(self, tick: int) -> bool:
        """Whether a row ceases to hold that held throughout the window."""
        return any(True for _ in self._ending(tick - 1))

    def _ending(self, last: int) -> Iterator[Row]:
        return (row for row in self._answers if any(one.end == last for one in self._arrivals.get(row, ())))


def tuple_view(lookup: Lookup, arrivals: Arrivals, agenda: Agenda, start: int, *, complete: bool) -> View:
    """The answer to a lookup about a predicate in a tuple window."""
    if lookup.kind is LookupKind.IN:
        return TupleView(lookup, arrivals, agenda)
    return TupleTicksView(lookup, arrivals, agenda, start, complete=complete)
