"""When the atoms of one predicate hold: what the input tells and what rules derive come together here.

A stream sorts what happens at a tick into news, and hands these to its forms when the tick is looked at, or
when a later one comes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from lars2asp.externals.database.form import NEVER, Ended, Form, Stretch
from lars2asp.externals.database.invariants import checked
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import Row


@dataclass(slots=True)
class _Told:
    """What the input tells of a row that holds on by it.

    Attributes:
        until: the last tick by facts.
        is_open: whether it was begun and not ended by events.
        is_more: whether it holds on for another reason as well.
    """

    until: int
    is_open: bool
    is_more: bool


class Stream:
    """The atoms of a predicate and the ticks at which they hold, as far as forms keep that.

    What must hold: the rows of `_told` and of `_passing` are in `held`, but for those that are ignored. Each
    row of `_told` is open or told until a tick that is not over; under that tick `_ends` has it, among others
    that were told anew. No news but those of the tick `_at` wait.

    Args:
        start: the first tick of the timeline.
        background: the rows that hold always.
        ignored: rows of the input that do not count.
        takes_more: whether its forms take news of a tick that was looked at.

    Attributes:
        held: the rows that hold on, each with the tick from which on it does: by background data, by rules,
            by what was begun, and by facts that hold until a tick that is to come.
        tick: the tick whose news the forms have.
        forms: the forms.
    """

    def __init__(
        self,
        start: int,
        background: Iterable[Row] = (),
        ignored: frozenset[Row] = frozenset(),
        *,
        takes_more: bool = False,
    ) -> None:
        self.held: dict[Row, int] = dict.fromkeys(background, start)
        self.tick = start - 1
        self._background = frozenset(self.held)
        self._ignored = ignored
        self._takes_more = takes_more
        self.forms: list[Form] = []
        self._told: dict[Row, _Told] = {}
        self._ends: dict[int, list[Row]] = {}
        self._passing: dict[Row, None] = {}
        """The rows that hold until the tick before the next one that comes, or on, if they last."""
        self.lasts = False
        """Whether rows that were recorded hold on until `record_changes` says otherwise."""
        self._at = start
        self._points: list[Sequence[Row]] = []
        """What the input tells at the tick, for it alone."""
        self.has_points = False
        """Whether there are any."""
        self._began: list[Row] = list(self.held)
        self._ended: list[Ended] = []
        self._is_new = bool(self.held)
        """Whether news wait."""
        self._here: set[Row] = set()
        """The points of the tick that the forms have."""
        self._is_idle = True
        """Whether time changes nothing in the forms."""

    def add_form(self, form: Form) -> None:
        """Adds a form; to be called before anything happens."""
        self.forms.append(form)

    # --- what happens ---------------------------------------------------------------------------------

    def add_points(self, rows: Sequence[Row], tick: int) -> None:
        """Rows hold at the current tick by facts, and at no other one by these."""
        self._turn_to(tick)
        self._points.append(rows)
        self.has_points = self._is_new = True

    def tell(self, row: Row, tick: int, until: int | None, is_open: bool) -> None:
        """Takes the events of a tick for a row, taken together.

        Args:
            row: the row.
            tick: the current tick.
            until: the last tick by facts, not before the current one; None without a fact.
            is_open: whether it is begun and not ended after the tick's events.
        """
        self._turn_to(tick)
        told = self._told.get(row)
        last = max(NEVER if until is None else until, NEVER if told is None else told.until)
        if not is_open and last <= tick:
            if told is not None:
                self._untell([row], tick - 1)
            if last == tick:
                self.add_points([row], tick)
            return
        if told is None:
            told = self._told[row] = _Told(NEVER, is_open, row in self.held)
            if not told.is_more and row not in self._ignored:
                self._begin([row], tick)
        if last > max(told.until, tick):
            self._ends.setdefault(last, []).append(row)
        told.until, told.is_open = last, is_open

    def derive(self, rows: Sequence[Row], tick: int) -> None:
        """Rules derive rows from the current tick on, which they did not before."""
        if rows:
            self._turn_to(tick)
            if self._told or self._background:
                for told in filter(None, map(self._told.get, rows)):
                    told.is_more = True
                rows = [row for row in rows if row not in self.held]
            self._begin(rows, tick)

    def underive(self, rows: Sequence[Row], tick: int) -> None:
        """Rules derived rows until the tick before the current one."""
        if rows:
            self._turn_to(tick)
            if self._told or self._background:
                for row in rows:
                    if row in self._told:
                        self._told[row].is_more = row in self._background
                rows = [row for row in rows if row not in self._told and row not in self._background]
            self._end(rows, tick - 1)

    def record(self, rows: Iterable[Row], tick: int) -> None:
        """Rules derived rows for the current tick, and for those that are passed over after it."""
        self._turn_to(tick)
        fresh = []
        for row in dict.fromkeys(rows):
            told = self._told.get(row)
            if told is not None and not told.is_more:
                told.is_more = True
                self._passing[row] = None
            elif row not in self.held:
                fresh.append(row)
        self._passing.update(dict.fromkeys(fresh))
        self._begin(fresh, tick)

    def record_changes(self, began: Iterable[Row], ended: Sequence[Row], tick: int) -> None:
        """Rules derived what was recorded at the tick before but for some rows, and others besides.

        For a stream that lasts.
        """
        self._turn_to(tick)
        ended = [row for row in ended if row in self._passing]
        for row in ended:
            del self._passing[row]
        self._pass(ended, tick - 1)
        self.record(began, tick)

    def _pass(self, rows: Sequence[Row], last: int) -> None:
        """Rows that were recorded hold no more by that."""
        for told in filter(None, map(self._told.get, rows)):
            told.is_more = False
        self._end([row for row in rows if row not in self._told], last)

    def _begin(self, rows: Sequence[Row], tick: int) -> None:
        """Rows hold on from the current tick on."""
        self.held.update(zip(rows, repeat(tick)))
        self._began += rows
        self._is_new = True

    def _end(self, rows: Sequence[Row], last: int) -> None:
        """Rows hold on no more; by that they last held at a tick before the current one."""
        if not rows:
            return
        begins = list(map(self.held.pop, rows))
        if max(begins) > last:  # they never held, or hold at the current tick if that was looked at
            unseen = set(self._began)
            for row in (row for row, begin in zip(rows, begins, strict=True) if begin > last):
                if row in unseen:
                    self._began.remove(row)
                else:
                    self.held[row] = last + 1
                    self._passing[row] = None
            ended = [(row, begin) for row, begin in zip(rows, begins, strict=True) if begin <= last]
            rows, begins = [row for row, _ in ended], [begin for _, begin in ended]
        if rows:
            self._ended.append(Ended(last, rows, begins))
            self._is_new = True

    def _untell(self, rows: Iterable[Row], last: int) -> None:
        """Rows hold on by the input no more."""
        self._end([row for row in rows if not self._told.pop(row).is_more and row not in self._ignored], last)

    # --- the tick goes on -----------------------------------------------------------------------------

    def settle(self, now: int) -> None:
        """Sees to it that the forms have the news of the current tick."""
        if now != self._at:
            self._turn_to(now)
        if self._is_new or (self.tick != now and not self._is_idle):
            self._hand_on()

    def wake(self) -> None:
        """Time may change something again: a form was told of earlier ticks."""
        self._is_idle = False

    def _turn_to(self, tick: int) -> None:
        """From here on a tick is the current one."""
        if tick == self._at:
            return
        if self._is_new:
            self._hand_on()
        self._at = tick
        self._points, self.has_points = [], False
        if self._ends:
            for last in sorted(last for last in self._ends if last < tick):
                rows = dict.fromkeys(row for row in self._ends.pop(last) if self._is_told_until(row, last))
                self._untell(rows, last)
        if self._passing and not self.lasts:
            passing, self._passing = self._passing, {}
            self._pass([*passing], tick - 1)

    def _is_told_until(self, row: Row, last: int) -> bool:
        """Whether the input tells that a row last holds at a tick."""
        told = self._told.get(row)
        return told is not None and told.until == last and not told.is_open

    @checked
    def _hand_on(self) -> None:
        tick = self._at
        if self.tick == tick and not self._takes_more:
            raise ValueError(f"tick {tick} was looked at before all was known of it")
        points: Sequence[Row] = ()
        here: set[Row] = set()
        if self._points:
            points = self._points[0] if len(self._points) == 1 else list(chain.from_iterable(self._points))
            if self.held or self._ignored or self.tick == tick:
                out = self._ignored | self._here if self.tick == tick else self._ignored
                points = [row for row in points if row not in self.held and row not in out]
            here = set(points)
            if len(here) < len(points):
                points = list(dict.fromkeys(points))
        began, ended = self._began, self._ended
        for form in self.forms:
            form.take(tick, points, here, began, ended)
        self._here = here if self.tick != tick else self._here | here
        self.tick = tick
        if began:
            self._began = []
        if ended:
            self._ended = []
        self._is_new = False
        self._is_idle = True
        for form in self.forms:
            if not form.is_empty:
                self._is_idle = False
                break

    # --- what is known --------------------------------------------------------------------------------

    def known_ends(self) -> list[int]:
        """The ticks, the current one or later, at which rows last hold as far as the input tells."""
        return [
            last for last, rows in self._ends.items() if any(self._is_told_until(row, last) for row in rows)
        ]

    def end_of(self, row: Row) -> int:
        """The last tick of a row that holds on, as far as the input tells; OPEN_END otherwise."""
        told = self._told.get(row)
        return OPEN_END if told is None or told.is_open or told.is_more else told.until

    @property
    def last_end(self) -> int:
        """The last tick at which a row holds on as far as the input tells; -1 for none."""
        return max(self._ends, default=-1)

    def rows(self) -> set[Row]:
        """The rows of which something is known."""
        return {*self.held, *_known([self], self._at)}

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        return len(self.held) + sum(map(len, self.forms))

    # --- states ---------------------------------------------------------------------------------------

    def state(self, write: WriteRows) -> dict[str, Any]:
        """All that later ticks depend on but background data, as JSON has it; rows as they are written."""
        self.settle(self._at)
        held = {row: begin for row, begin in self.held.items() if row not in self._background}
        return {
            "tick": self._at,
            "has_points": self.has_points,
            "held": [write(held), list(held.values())],
            "told": [
                write(self._told),
                [[one.until, one.is_open, one.is_more] for one in self._told.values()],
            ],
            "passing": write([*self._passing]),
            "forms": [
                [[begin, end, write(rows)] for begin, end, rows in form.known()] for form in self.forms
            ],
        }

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state of a stream made alike; there is nothing but background data yet."""
        rows, begins = state["held"]
        self.held.update(zip(read(rows), begins, strict=True))
        rows, told = state["told"]
        for row, (until, is_open, is_more) in zip(read(rows), told, strict=True):
            self._told[row] = _Told(until, is_open, is_more)
        self._passing = dict.fromkeys(read(state["passing"]))
        self.has_points = state["has_points"]
        known = [
            [Stretch(begin, end, read(rows)) for begin, end, rows in stretches]
            for stretches in state["forms"]
        ]
        self._go_on(state["tick"], known)

    def adopt(self, others: Sequence["Stream"], now: int, *, is_over: bool) -> None:
        """Goes on from the current tick of streams with the same rows.

        Args:
            others: the streams.
            now: the current tick.
            is_over: whether it is over. If not, the rows that rules derive there hold until the tick before.
        """
        first = others[0]
        first.settle(now)
        self.has_points, self._passing = first.has_points, {**first._passing} if is_over else {}
        more = self._background.union(self._passing)
        for row, told in first._told.items():
            self._told[row] = _Told(told.until, told.is_open, row in more)
        for row in chain(self._told, self._passing):
            if row not in self._ignored:
                self.held.setdefault(row, first.held.get(row, now))
        runs = _known(others, now)
        for row, begin in first.held.items():
            if row not in self.held:
                runs.setdefault(row, []).append(Interval(begin, now - 1))
        for row in chain.from_iterable(first._points):
            if row not in self.held:
                runs.setdefault(row, []).append(Interval(now, now))
        for row in self._ignored & runs.keys():
            del runs[row]
        self._go_on(now, repeat(_apart(runs)))

    @checked
    def _go_on(self, tick: int, known: Iterable[Sequence[Stretch]]) -> None:
        """Goes on from a tick that is over or looked at, with what each form is to know."""
        for row, told in self._told.items():
            if told.until >= tick:
                self._ends.setdefault(told.until, []).append(row)
        self._at = self.tick = tick
        self._began, self._is_new, self._is_idle = [], False, False
        for form, stretches in zip(self.forms, known, strict=False):
            form.restore(tick, stretches)

    def check_invariants(self) -> None:
        """Raises AssertionError where an invariant does not hold; forms are checked where no news wait."""
        held, told = self.held, self._told
        assert self._background <= held.keys()
        assert held.keys() >= told.keys() - self._ignored
        assert held.keys() >= self._passing.keys()
        for row, one in told.items():
            assert one.is_open or one.until >= self._at, (row, one)
            if one.until > self._at or not one.is_open:
                assert row in self._ends[one.until], (row, one)
        assert held.keys() >= set(self._began), self._began
        assert all(begin <= self._at for begin in held.values())
        assert held.keys().isdisjoint(row for ended in self._ended for row in ended.rows) or self._began
        for form in self.forms if not self._is_new else ():
            form.check()


def _known(streams: Iterable[Stream], now: int) -> dict[Row, list[Interval]]:
    """What the forms of streams know together of the times at which rows held, before they hold on."""
    found: dict[Row, list[Interval]] = {}
    for stream in streams:
        stream.settle(now)
        for form in stream.forms:
            for begin, end, rows in form.known():
                for row in rows:
                    found.setdefault(row, []).append(Interval(begin, end))
    return found


def _apart(runs: Mapping[Row, Iterable[Interval]]) -> list[Stretch]:
    """Runs as stretches that lie apart, in the order of their last ticks."""
    found: dict[Interval, list[Row]] = {}
    for row, intervals in runs.items():
        for interval in canonical(intervals):
            found.setdefault(interval, []).append(row)
    in_order = sorted(found, key=lambda interval: (interval.end, interval.begin))
    return [Stretch(*interval, found[interval]) for interval in in_order]
