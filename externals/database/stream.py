"""When the atoms of one predicate hold: what the input tells and what rules derive come together here.

A stream sorts what happens at a tick into news, rouses those who look at it, and hands the news to its forms
when the tick is looked at, or when a later one comes.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain, repeat
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Protocol

from lars2asp.externals.database.agenda import Agenda, Watched
from lars2asp.externals.database.form import NEVER, Ended, Form, Stretch
from lars2asp.externals.database.invariants import checked
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import Row
from lars2asp.syntax.values import dataclass


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


NOTHING_BEGUN: Mapping[str, Mapping[Row, int]] = MappingProxyType({})
"""Stands for no windows that begin with an atom."""


NOTHING_OPEN: Mapping[Row, tuple[int, int]] = MappingProxyType({})
"""Stands for no rows that hold on until they end."""


class Beginning(Protocol):
    """Knows when the atoms with a key last began."""

    ticks: dict[Row, int]


class Stream:
    """The atoms of a predicate and the ticks at which they hold, as far as forms keep that.

    What must hold: the rows of `_told` and of `_passing` are in `held`, but for those that are ignored. Each
    row of `_told` is open or told until a tick that is not over; under that tick `_ends` has it, among others
    that were told anew, and the agenda has the tick after it. No news but those of the tick `_at` wait.

    Args:
        agenda: says what is due when.
        start: the first tick of the timeline.
        background: the rows that hold always.
        ignored: rows of the input that do not count.
        takes_more: whether its forms take news of a tick that was looked at.

    Attributes:
        held: the rows that hold on, each with the tick from which on it does: by background data, by rules,
            by what was begun, and by facts that hold until a tick that is to come.
        tick: the last tick of which the forms have news.
        forms: the forms.
        begins: those of them that know when atoms last began, by what makes them differ.
        arrived: for these, the rows of the input that arrive with the news that are handed on.
        watchers: the lookups that are watched and look at the current tick of it.
        followers: those that follow its news, as late as they come.
        readers: are told what is known when it is written.
        agenda: says what is due when.
        is_new: whether news wait.
    """

    def __init__(
        self,
        agenda: Agenda,
        start: int,
        background: Iterable[Row] = (),
        ignored: frozenset[Row] = frozenset(),
        *,
        takes_more: bool = False,
    ) -> None:
        self.agenda = agenda
        self.held: dict[Row, int] = dict.fromkeys(background, start)
        self.tick = start - 1
        self.watchers: list[Watched] = []
        self.followers: list[Watched] = []
        self.readers: list[Callable[[Sequence[Stretch]], None]] = []
        self._background = frozenset(self.held)
        self._ignored = ignored
        self._takes_more = takes_more
        self.forms: list[Form] = []
        self.begins: dict[str, Beginning] = {}
        self.arrived: list[Row] = []
        self._told: dict[Row, _Told] = {}
        self._ends: dict[int, list[Row]] = {}
        self._end_ticks: list[int] = []
        """The ticks of these, as a heap."""
        self._passing: dict[Row, None] = {}
        """The rows that hold until the tick before the next one that comes, or on, if they last."""
        self._unrecorded: list[Row] = []
        """Such rows of a state that was taken over, which come when the tick was looked at."""
        self.lasts = False
        """Whether rows that were recorded hold on until `record_changes` says otherwise."""
        self._at = start
        self._points: list[Sequence[Row]] = []
        """What the input tells at the tick, for it alone."""
        self._began: list[Row] = list(self.held)
        self._ended: list[Ended] = []
        self.is_new = bool(self.held)
        self._is_handing_on = False
        self._here: set[Row] = set()
        """The points of the tick that the forms have."""
        self._merged = 0
        """The number of points that were equal to another of their tick, but for those that still wait."""

    def add_form(self, form: Form) -> None:
        """Adds a form; to be called before anything happens."""
        self.forms.append(form)

    def watch(self, watched: Watched, *, now: bool = True, late: bool = False) -> None:
        """A lookup looks at it from here on: at what holds at the current tick, at what comes late."""
        if now:
            self.watchers.append(watched)
        if late:
            self.followers.append(watched)
        for last in self._end_ticks:  # nobody looked, so they may have been passed over
            self.agenda.call(last + 1, self)

    # --- what happens ---------------------------------------------------------------------------------

    def add_points(self, rows: Sequence[Row], tick: int) -> None:
        """Rows hold at the current tick by facts, and at no other one by these."""
        if tick != self._at:
            self._turn_to(tick)
        self._points.append(rows)
        if not self.is_new:
            self._rouse()

    def tell(self, row: Row, tick: int, until: int | None, is_open: bool, *, is_ended: bool = False) -> None:
        """Takes the events of a tick for a row, taken together.

        Args:
            row: the row.
            tick: the current tick.
            until: the last tick by facts, not before the current one; None without a fact.
            is_open: whether it is begun and not ended after the tick's events.
            is_ended: whether these end what was open before.
        """
        self._turn_to(tick)
        told = self._told.get(row)
        if is_ended and told is not None and told.until < tick and not told.is_more:
            self._untell([row], tick - 1)  # what follows is told anew
            told = None
        last = max(NEVER if until is None else until, NEVER if told is None else told.until)
        if not is_open and last <= tick and (told is None or told.until < tick):
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
            self._ends_at(last, row)
        elif told.is_open and not is_open:
            self.agenda.call(last + 1, self)
        told.until, told.is_open = last, is_open

    def arrive(self, rows: Sequence[Row], tick: int) -> None:
        """Rows arrive at the current tick, of those that hold on by the input."""
        if self.begins:
            self._turn_to(tick)
            self.arrived += rows
            if not self.is_new:
                self._rouse()

    def hold(self, rows: Sequence[Row], tick: int) -> None:
        """Rows that the input did not tell hold by it from the current tick on, until they are let go."""
        self._turn_to(tick)
        for row in rows:
            self._told[row] = _Told(NEVER, True, row in self.held)
        self._begin([row for row in rows if row not in self.held and row not in self._ignored], tick)

    def let_go(self, rows: Sequence[Row], last: int, tick: int) -> None:
        """Rows that were held hold by the input no more; by that they last held at a tick before now."""
        self._turn_to(tick)
        self._untell(rows, last)

    def is_told(self, row: Row) -> bool:
        """Whether a row holds on by the input."""
        return row in self._told

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
        """Rules derived rows for the current tick, and for those that are passed over after it.

        This comes when the tick was looked at, and so does `record_changes`.
        """
        self._turn_to(tick)
        self._note_late()
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
        self._follow_passing()

    def record_changes(self, began: Iterable[Row], ended: Sequence[Row], tick: int) -> None:
        """Rules derived what was recorded at the tick before but for some rows, and others besides.

        For a stream that lasts.
        """
        self._turn_to(tick)
        self._note_late()
        ended = [row for row in ended if row in self._passing]
        for row in ended:
            del self._passing[row]
        self._pass(ended, tick - 1)
        self.record(began, tick)

    def let_last(self, lasts: bool) -> None:
        """What is recorded holds on, or not, until `record_changes` says otherwise; between two ticks."""
        self.lasts = lasts
        self._follow_passing()

    def _follow_passing(self) -> None:
        """What passes with the tick is seen to when the next one comes."""
        if self._passing and not self.lasts:
            self.agenda.passing[self._turn_to] = None

    def _pass(self, rows: Sequence[Row], last: int) -> None:
        """Rows that were recorded hold no more by that."""
        for told in filter(None, map(self._told.get, rows)):
            told.is_more = False
        self._end([row for row in rows if row not in self._told], last)

    def _begin(self, rows: Sequence[Row], tick: int) -> None:
        """Rows hold on from the current tick on."""
        if rows:
            self.held.update(zip(rows, repeat(tick)))
            self._began += rows
            if not self.is_new:
                self._rouse()

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
            self._follow_passing()
            ended = [(row, begin) for row, begin in zip(rows, begins, strict=True) if begin <= last]
            rows, begins = [row for row, _ in ended], [begin for _, begin in ended]
        if rows:
            self._ended.append(Ended(last, rows, begins))
            if len(self._ended) > 1 and self._ended[-2].last > last:  # what passed with the tick came first
                self._ended.sort(key=attrgetter("last"))
            if last < self._at - 1:  # nobody looked when they ended: windows of the past may have lost them
                for watched in self.followers:
                    watched.rouse()
            if not self.is_new:
                self._rouse()

    def _rouse(self) -> None:
        """There are news of the tick that is to be looked at."""
        self.is_new = True
        if self.begins:
            self.agenda.beginning[self] = None
        for watched in self.watchers:
            watched.rouse()
        if self.followers:
            self.agenda.late.append(self)

    def _note_late(self) -> None:
        """There are news of a tick that was looked at."""
        if not self.is_new:
            self.is_new = True
            self.agenda.late.append(self)

    def note_placed(self) -> None:
        """A form was told of earlier ticks."""
        self.agenda.late.append(self)

    def settle_late(self, now: int) -> None:
        """The tick is over: those look at what came late whose answers are others by it."""
        self.settle(now)
        for watched in self.followers:
            if watched.view.is_pending(now):
                watched.rouse()

    def _ends_at(self, last: int, row: Row) -> None:
        """A row last holds at a tick, as far as is known."""
        if last not in self._ends:
            self._ends[last] = []
            heappush(self._end_ticks, last)
            self.agenda.call(last + 1, self)
        self._ends[last].append(row)

    def _untell(self, rows: Iterable[Row], last: int) -> None:
        """Rows hold on by the input no more."""
        self._end([row for row in rows if not self._told.pop(row).is_more and row not in self._ignored], last)

    # --- the tick goes on -----------------------------------------------------------------------------

    def settle(self, now: int) -> None:
        """Sees to it that the forms have the news of the current tick, if there are any."""
        if now != self._at:
            self._turn_to(now)
        if self.is_new:
            self._hand_on()

    def settle_before(self, tick: int) -> None:
        """Sees to it that the forms have the news of a tick, before those of another stream take theirs."""
        if self._at <= tick and not self._is_handing_on:
            self.settle(tick)

    def settle_forms(self, now: int) -> None:
        """The same, and all forms are at the current tick."""
        self.settle(now)
        for form in self.forms:
            if form.tick != now:
                form.take(now, (), set(), (), ())

    @property
    def is_patient(self) -> bool:
        """Whether all who look at it are."""
        return all(watched.is_patient for watched in chain(self.watchers, self.followers))

    def is_due(self, tick: int) -> bool:
        """Whether rows last hold at the tick before as far as the input tells, and somebody looks."""
        last = tick - 1
        is_watched = self.watchers or self.followers
        return bool(is_watched) and any(self._is_told_until(row, last) for row in self._ends.get(last, ()))

    def wake(self, tick: int) -> None:
        """What the input tells ends."""
        self._turn_to(tick)

    def _turn_to(self, tick: int) -> None:
        """From here on a tick is the current one."""
        if tick == self._at:
            return
        if self.is_new:
            self._hand_on()
        self._at = tick
        if self._points:
            self._points = []
        while self._end_ticks and self._end_ticks[0] < tick:
            last = heappop(self._end_ticks)
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
            if self.begins:
                self.arrived += points
            if self.held or self._ignored or self.tick == tick:
                out = self._ignored | self._here if self.tick == tick else self._ignored
                points = [row for row in points if row not in self.held and row not in out]
            here = set(points)
            if len(here) < len(points):
                self._merged += len(points) - len(here)
                points = list(dict.fromkeys(points))
        began, ended = self._began, self._ended
        self._is_handing_on = True
        for form in self.forms:
            form.take(tick, points, here, began, ended)
        self._is_handing_on = False
        self._here = here if self.tick != tick else self._here | here
        self.tick = tick
        if self.arrived:
            self.arrived = []
        if began:
            self._began = []
        if ended:
            self._ended = []
        self.is_new = False

    # --- what is known --------------------------------------------------------------------------------

    def end_of(self, row: Row) -> int:
        """The last tick of a row that holds on, as far as the input tells; OPEN_END otherwise."""
        told = self._told.get(row)
        return OPEN_END if told is None or told.is_open or told.is_more else told.until

    @property
    def holds_told(self) -> bool:
        """Whether rows hold on by the input."""
        return bool(self._told)

    @property
    def last_end(self) -> int:
        """The last tick at which a row holds on as far as the input tells; -1 for none."""
        return max(self._ends, default=-1)

    @property
    def merged(self) -> int:
        """The number of facts since it was made that were equal to another one of their tick."""
        if not self.is_new:
            return self._merged
        out = self._ignored | self._here if self.tick == self._at else self._ignored
        waiting = [row for rows in self._points for row in rows if row not in self.held and row not in out]
        return self._merged + len(waiting) - len(set(waiting))

    def rows(self) -> set[Row]:
        """The rows of which something is known."""
        return {*self.held, *_known([self], self._at)}

    def __len__(self) -> int:
        """The number of intervals that are kept."""
        return len(self.held) + sum(map(len, self.forms))

    # --- states ---------------------------------------------------------------------------------------

    def state(self, write: WriteRows, now: int) -> dict[str, Any]:
        """All that ticks after the current one depend on but background data, as JSON has it.

        Rows are as they are written. From here on the same ticks are due as where it is restored.
        """
        known = _apart(_known([self], now))
        for read in self.readers:
            read(known)
        held = {row: begin for row, begin in self.held.items() if row not in self._background}
        begins = [[name, write(one.ticks), [*one.ticks.values()]] for name, one in self.begins.items()]
        return {
            "tick": self._at,
            "held": [write(held), list(held.values())],
            "told": [
                write(self._told),
                [[one.until, one.is_open, one.is_more] for one in self._told.values()],
            ],
            "passing": write([*self._passing]),
            "forms": [[[begin, end, write(rows)] for begin, end, rows in known]],
            **({"begins": begins} if begins else {}),
        }

    def state_of(
        self,
        held: Mapping[Row, Sequence[int]],
        now: int,
        *,
        is_told: bool = False,
        passes: bool = False,
        current: Collection[Row] | None = None,
        begun: Mapping[str, Mapping[Row, int]] = NOTHING_BEGUN,
        opened: Mapping[Row, tuple[int, int]] = NOTHING_OPEN,
    ) -> dict[str, Any]:
        """The state at the end of a tick, by when rows held: begins and the ticks after ends, in turns.

        Those that hold still do by rules, or as the input tells, until it is said when they end, or they were
        recorded and pass. Of a predicate whose facts are held the current ones do until they are let go. It
        is told when windows last began, by what makes them differ and their keys.
        """
        always = self._background | self._ignored if is_told else self._background
        stretches = [
            [begin, end - 1, [row]]
            for row, runs in held.items()
            if row not in always
            for begin, end in zip(runs[::2], runs[1::2], strict=True)
            if end <= now
        ]
        on = {row: runs[-2] for row, runs in held.items() if runs[-1] > now and row not in always}
        told = [[*on], [[held[row][-1] - 1, False, False] for row in on]] if is_told else [[], []]
        if opened:
            others = [row for row in on if row not in opened]
            lasts: list[Any] = [[held[row][-1] - 1, False, False] for row in others]
            for row, (until, _) in opened.items():
                lasts.append([until - 1 if until else NEVER, True, row in self._background])
            told = [[*others, *opened], lasts]
        if current is not None:
            told = [[*current], [[NEVER, True, row in self._background] for row in current]]
        return {
            "tick": now,
            "held": [[*on], [*on.values()]],
            "told": told,
            "passing": [*on] if passes else [],
            "forms": [stretches],
            "begins": [
                [name, [*ticks], [*ticks.values()]] for name in self.begins if (ticks := begun.get(name))
            ],
        }

    def state_with(
        self,
        held: Mapping[Row, Sequence[int]],
        now: int,
        opened: Mapping[Row, tuple[int, int]],
        told: Mapping[Row, tuple[int, bool]],
        *,
        passes: bool = False,
        begun: Mapping[str, Mapping[Row, int]] = NOTHING_BEGUN,
    ) -> dict[str, Any]:
        """The same of a predicate that rules derive, of which some rows hold by the input.

        Args:
            held: as above.
            now: as above.
            opened: the rows that are open, with the ticks behind the last ones of facts first.
            told: the rows that hold by the input, with the ticks behind the last ones, and whether they hold
                as rules derive them as well.
            passes: as above.
            begun: as above.
        """
        state = self.state_of(held, now, passes=passes, begun=begun)
        rows, begins = state["held"]
        on = dict(zip(rows, begins, strict=True))
        known: dict[Row, list[Any]] = {}
        for row, (end, is_more) in told.items():
            begin = on.get(row, now)
            if end > now + 1 or row in opened:
                until = opened[row][0] if row in opened else end
                more = is_more or row in self._background
                known[row] = [until - 1 if until else NEVER, row in opened, more]
                if row not in self._background and row not in self._ignored:
                    on[row] = begin
            elif not is_more and row not in self._background:
                on.pop(row, None)
                state["forms"][0].append([begin, now, [row]])
        passing = [row for row in state["passing"] if row not in told or told[row][1]]
        return state | {
            "held": [[*on], [*on.values()]],
            "told": [[*known], [*known.values()]],
            "passing": passing,
        }

    def when_held(
        self, now: int, last: int, current: Mapping[Row, int], *, passes: bool = False
    ) -> dict[Row, list[int]] | None:
        """When rows but background data held, as `state_of` has them, in any order.

        Those that hold on by rules do up to a last tick, at which nothing has changed since the current one;
        others as long as the input tells. None where it does not tell how long, or where rows hold in another
        way.

        Args:
            now: the current tick.
            last: the last one.
            current: the rows that are held until they are let go, and until when that is at the latest.
            passes: whether rows may hold on as they were recorded.
        """
        if self._passing and not passes:
            return None
        found: dict[Row, list[int]] = {}
        for row, begin in self.held.items():
            if row in self._background:
                continue
            told, until = self._told.get(row), current.get(row)
            if told is not None and (told.is_more or (told.is_open and until is None)):
                return None
            if until is None:
                until = last if told is None else told.until
            found[row] = [begin, until + 1]
        for row, intervals in _known([self], now).items():
            runs = found.setdefault(row, [])
            for begin, end in intervals:
                runs += (begin, end + 1)
        return found

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state of a stream made alike; there is nothing but background data yet.

        What rules derived for its tick was not there when that was looked at: it comes with `record_again`.
        """
        for text, keys, ticks in state.get("begins", ()):
            name = text.removesuffix(" True").removesuffix(" False")  # of earlier versions
            if name in self.begins:  # else a changed program has no such windows
                self.begins[name].ticks.update(zip(read(keys), ticks, strict=True))
        rows, begins = state["held"]
        held = dict(zip(read(rows), begins, strict=True))
        rows, told = state["told"]
        for row, (until, is_open, is_more) in zip(read(rows), told, strict=True):
            self._told[row] = _Told(until, is_open, is_more)
        self._unrecorded = list(read(state["passing"]))
        runs: dict[Row, list[Interval]] = {}
        for row in self._unrecorded:
            if row in self._told:
                self._told[row].is_more = False
            else:
                begin = held.pop(row)
                if begin < state["tick"]:
                    runs[row] = [Interval(begin, state["tick"] - 1)]
        self.held.update(held)
        for stretches in state["forms"]:  # states of earlier versions have a list for each form
            for begin, end, some in stretches:
                for row in read(some):
                    runs.setdefault(row, []).append(Interval(begin, end))
        self._go_on(state["tick"], _apart(runs))

    def record_again(self) -> None:
        """What rules derived for the tick of the state comes now."""
        unrecorded, self._unrecorded = self._unrecorded, []
        if unrecorded:
            self.record(unrecorded, self._at)

    def adopt(self, others: Sequence["Stream"], now: int, *, is_over: bool) -> None:
        """Goes on from the current tick of streams with the same rows.

        Args:
            others: the streams.
            now: the current tick.
            is_over: whether it is over. If not, the rows that rules derive there hold until the tick before.
        """
        first = others[0]
        for other in others:
            other.settle(now)
            for name, one in other.begins.items():
                if name in self.begins:
                    self.begins[name].ticks.update(one.ticks)
        self._passing = {**first._passing} if is_over else {}
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
        for row in self._ignored.intersection(runs):
            del runs[row]
        self._go_on(now, _apart(runs))

    @checked
    def _go_on(self, tick: int, known: Sequence[Stretch]) -> None:
        """Goes on from a tick that is over or looked at, with what the forms are to know."""
        for row, told in self._told.items():
            if told.until >= tick:
                self._ends_at(told.until, row)
        self._at = self.tick = tick
        self._began, self.is_new = [], False
        self._follow_passing()
        for form in self.forms:
            form.restore(tick, known)

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
        for form in self.forms if not self.is_new else ():
            form.check()


def _known(streams: Iterable[Stream], now: int) -> dict[Row, list[Interval]]:
    """What the forms of streams know together of the times at which rows held, before they hold on."""
    found: dict[Row, list[Interval]] = {}
    for stream in streams:
        stream.settle_forms(now)
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
