"""Random streams of two predicates, what the definition says of them, and databases that follow them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from lars2asp.analysis.windows import TimeWindow
from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.timer import GROWING, turns_by_itself
from lars2asp.externals.views import Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Published
from lars2asp.syntax.nodes import Signature
from tests.support.naive_stream import NaiveInput, naive_answer

P, Q = Signature("p", 1), Signature("q", 1)
"""What the input tells, and what rules derive besides. Their rows are the same ones."""


def rows(values: Iterable[int]) -> list[Row]:
    return [(value,) for value in values]


@dataclass(frozen=True)
class Tick:
    """What happens at a tick.

    Attributes:
        events: of the input, for each of which rows that are not open may be named as ended.
        derived: what rules derive from here on; None for the same as before.
        placed: rows and ticks, counted from this one, for which rules derive them at this tick.
        is_restored: whether another database takes over when the tick is over.
        is_passed: whether the tick may be passed over.
        lasts: whether what is recorded from here on may last.
    """

    events: tuple[tuple[Signature, Events], ...]
    derived: frozenset[int] | None
    placed: tuple[tuple[int, int], ...]
    is_restored: bool
    is_passed: bool
    lasts: bool


values = st.lists(st.integers(0, 3), max_size=4)


@st.composite
def events(draw: st.DrawFn) -> tuple[Signature, Events]:
    """Events for one predicate; rows may be named twice."""
    signature = draw(st.sampled_from([P, P, Q]))

    def atoms(named: st.SearchStrategy[list[int]]) -> tuple[AtomRows, ...]:
        found = rows(draw(named))
        return (AtomRows(signature, found),) if found else ()

    few: st.SearchStrategy[list[int]] = st.one_of(st.just([]), st.just([]), values)
    until = draw(st.sampled_from([None, None, None, 0, 1, 5]))
    return signature, Events(atoms(values), atoms(few), atoms(few), until)


ticks = st.builds(
    Tick,
    st.lists(events(), max_size=3).map(tuple),
    st.one_of(st.none(), st.frozensets(st.integers(0, 3), max_size=3)),
    st.lists(st.tuples(st.integers(0, 3), st.integers(-4, 4)), max_size=2).map(tuple),
    st.sampled_from([False, False, False, True]),
    st.booleans(),
    st.sampled_from([False, True, True, True]),
)
quiet = st.just(Tick((), None, (), False, True, True))


class Model:
    """The streams as sets of ticks.

    Args:
        how: how what rules derive of q enters its stream.
        background: the rows that hold always, by predicates.
        start: the first tick.
    """

    def __init__(self, how: str, background: Mapping[Signature, list[Row]], start: int) -> None:
        self.how = how
        self._background = background
        self._start = start
        self._told = {P: NaiveInput(), Q: NaiveInput()}
        self._streams: dict[Signature, dict[Row, set[int]]] = {P: {}, Q: {}}
        self._derived: set[Row] = set()
        self._at_once: dict[int, set[Row]] = {}
        """What rules derived at each tick, where that enters the stream at once."""
        self._future: dict[int, set[Row]] = {}

    @property
    def open(self) -> dict[Signature, set[Row]]:
        """The rows that are open."""
        return {signature: told.open for signature, told in self._told.items()}

    def take(self, now: int, signature: Signature, events: Events) -> None:
        """Events of a tick, for a predicate."""
        self._told[signature].take(now, events)

    def close(self, now: int) -> None:
        """The input of a tick is complete."""
        placed = self._future.pop(now, set())
        for signature, told in self._told.items():
            if signature == Q and placed:
                told.take(now, Events((AtomRows(Q, [*placed]),)))
            for row in told.close(now).union(self._background.get(signature, ())):
                self._hold(signature, row, now)

    def derive(self, now: int, derived: set[Row]) -> None:
        """What rules derive at the tick is handed on."""
        self._derived = derived
        if self.how == "at once":
            self._at_once[now] = derived

    def become_whole(self, now: int, *, with_derived: bool) -> None:
        """What was derived before a tick is in the stream, or is not; from here on it is recorded."""
        self.how = "recorded"
        self._at_once = {
            tick: derived for tick, derived in self._at_once.items() if with_derived and tick < now
        }

    def record(self, now: int, placed: Iterable[tuple[Row, int]]) -> None:
        """What rules derive enters the stream as the tick is over."""
        for row in self._derived:
            self._hold(Q, row, now)
        for row, tick in placed:
            if tick > now:
                self._future.setdefault(tick, set()).add(row)
            elif tick >= self._start:
                self._hold(Q, row, tick)

    def _hold(self, signature: Signature, row: Row, tick: int) -> None:
        self._streams[signature].setdefault(row, set()).add(tick)

    def holds(self, lookup: Lookup, now: int) -> dict[Row, set[int]]:
        """What a lookup looks at."""
        signature = lookup.signature
        if signature is None:
            return {}
        always = {row: {now} for row in self._background.get(signature, ())}
        told = self._told[signature].ticks
        if lookup.kind is LookupKind.INPUT:
            counts_all = signature == Q and self.how == "at once"
            return {row: held for row, held in told.items() if counts_all or row not in always}
        if lookup.kind is not LookupKind.NOW:
            found = {row: {*held} for row, held in self._streams[signature].items()}
            for tick, derived in self._at_once.items() if signature == Q else ():
                for row in derived:
                    found.setdefault(row, set()).add(tick)
            return found
        is_handed_on = signature == Q and self.how != "recorded"
        handed_on = {row: {now} for row in self._derived} if is_handed_on else {}
        if signature == Q and self.how == "apart":
            always = {}
        return {
            row: told.get(row, set()) | handed_on.get(row, set()) | always.get(row, set())
            for row in (*told, *handed_on, *always)
        }


@dataclass(frozen=True)
class Made:
    """What a database is made of besides its lookups.

    Attributes:
        how: how what rules derive of q enters its stream: "at once", "apart", which is recorded besides, or
            only "recorded".
        background: the rows that hold always, by predicates.
        start: the first tick.
        complete: whether boxes need windows that lie wholly on the timeline.
        keeps_input: whether another database may take over the input alone.
    """

    how: str
    background: Mapping[Signature, list[Row]]
    start: int
    complete: bool
    keeps_input: bool = False

    def database(self, asked: tuple[Lookup, ...]) -> IntervalDatabase:
        """Such a database."""
        late = [Q] if self.how != "at once" else []
        published = Published(*(frozenset([Q] if self.how == how else ()) for how in ("at once", "apart")))
        return IntervalDatabase(
            self.start,
            asked,
            {P: None, Q: None},
            [AtomRows(*one) for one in self.background.items()],
            placed=late,
            recorded=late,
            published=published,
            complete_windows=self.complete,
            keeps_input=self.keeps_input,
        )


class Followed:
    """A database, the sets that the changes of its lookups come to, and the definition.

    Args:
        asked: the lookups.
        made: what the database is made of.
    """

    def __init__(self, asked: tuple[Lookup, ...], made: Made) -> None:
        self._asked = asked
        self._made = made
        self._database = made.database(asked)
        self._watch()
        self._members: dict[Lookup, set[Row]] = {lookup: set() for lookup in asked}
        self._derived: set[Row] = set()
        self._recorded: set[Row] | None = None
        """What was recorded last, if that lasts."""
        self._model = Model(made.how, made.background, made.start)
        self._is_new = False
        """Whether changes do not count from the tick before."""
        self._is_first = True
        """Whether nothing was looked at."""

    def _watch(self) -> None:
        self._inbox = self._database.agenda.inbox(0)
        self._watched = dict(zip(self._asked, self._database.watch(self._asked, self._inbox), strict=True))

    def tell(self, now: int, tick: Tick) -> None:
        """A tick comes, with its input, or is passed over if it has none."""
        for signature, told in tick.events:
            is_open = self._model.open[signature]
            ended = [row for group in told.end for row in dict.fromkeys(group.rows) if row in is_open]
            until = None if told.until is None else now + told.until
            events = Events(told.facts, told.begin, (AtomRows(signature, ended),) if ended else (), until)
            self._database.check(now, events)
            self._database.gather(now, events)
            self._model.take(now, signature, events)
        self._model.close(now)
        self._model.derive(now, self._derived)

    def derive(self, now: int, tick: Tick) -> None:
        """The tick is committed, and rules derive what they do, some of them from ticks before."""
        self._database.commit(now)
        for lookup in self._asked[::2]:
            if _is_about_before(lookup):
                self._database.changes(lookup, now)
        here = self._derived if tick.derived is None else set(rows(tick.derived))
        if self._made.how != "recorded":
            self._database.publish(now, Q, list(here - self._derived), list(self._derived - here))
        self._derived = here
        self._model.derive(now, here)

    def look(self, now: int) -> None:
        """Takes the changes of a tick."""
        due = self._inbox.taken()
        self._database.agenda.active.clear()
        for lookup in self._asked:
            changes, members = self._database.changes(lookup, now), self._members.setdefault(lookup, set())
            looks = self._is_new, self._is_first, self._watched[lookup] in due, _sways(lookup)
            if not any(looks):
                assert not any(changes), (now, lookup)
            answer = set(self._database.answer(lookup, now))
            if self._is_new:
                self._members[lookup] = answer
            else:
                apply(changes, members)
                assert members == answer, (now, lookup)
        self._is_new = self._is_first = False

    def check(self, now: int) -> None:
        """What was followed is what the definition says."""
        for lookup in self._asked:
            holds = self._model.holds(lookup, now)
            expected = naive_answer(lookup, holds, now, self._made.start, complete=self._made.complete)
            assert self._members[lookup] == expected, (now, lookup)

    def record(self, now: int, tick: Tick) -> None:
        """The tick is over: what rules derive enters the stream if it has not yet."""
        if self._made.how != "at once":
            placed = [((value,), now + ticks) for value, ticks in tick.placed]
            self._record(now, tick)
            for row, at in placed:
                self._database.place(now, at, Q, row)
            self._model.record(now, placed)

    def _record(self, now: int, tick: Tick) -> None:
        """Records what rules derive, or its changes, where what was recorded lasts."""
        here, before = self._derived, self._recorded
        if before is None:
            self._database.record(now, Q, list(here))
        else:
            self._database.record_changes(now, Q, Changes(list(here - before), list(before - here)))
        self._recorded = here if tick.lasts and self._database.let_last([Q]) else None
        if self._recorded is None:
            self._database.let_pass([Q])

    def next_change(self, now: int) -> int:
        """The first tick at which an answer may change."""
        database = self._database
        found = [database.next_change(now)]
        for lookup in self._asked:
            if lookup.kind in GROWING and lookup.signature is not None:
                found.append(database.next_growth(lookup, now))
            elif turns_by_itself(lookup):
                found.append(database.next_turn(lookup, now))
        return min((tick for tick in found if tick is not None), default=now + 1000)

    def restore(self) -> None:
        """Another database takes over the state, as JSON has it."""
        state = json.loads(json.dumps(self._database.state(lambda found: [list(row) for row in found])))
        self._database = self._made.database(self._asked)
        self._database.restore(state, lambda found: [tuple(row) for row in found])
        self._begin_anew()

    def become_whole(self, now: int, asked: tuple[Lookup, ...], *, with_derived: bool) -> None:
        """From here on rules derive everything at once, when the tick has its input."""
        before, self._asked = self._database, asked
        before.commit(now)
        self._made = replace(self._made, how="recorded")
        self._database = self._made.database(asked)
        self._database.adopt(before, with_derived=with_derived)
        self._model.become_whole(now, with_derived=with_derived)
        self._derived = set()
        self._begin_anew()

    def become_parts(self, how: str, asked: tuple[Lookup, ...]) -> None:
        """From here on rules derive one predicate after the other."""
        before, self._asked = self._database, asked
        self._made = replace(self._made, how=how)
        self._database = self._made.database(asked)
        self._database.adopt(before, is_over=True)
        self._model.how = how
        self._derived = set()
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Changes of the next tick count from this one, and answers are to be asked for."""
        self._recorded = None
        self._watch()
        self._database.prime()
        self._is_new = True


def _sways(lookup: Lookup) -> bool:
    """Whether it leaves the current tick out, and that is in the window at some ticks alone.

    It is looked at with lookups of the window that say so.
    """
    window = lookup.window
    is_leaping = isinstance(window, TimeWindow) and window.leaps
    return lookup.kind.endswith("before") and is_leaping


def _is_about_before(lookup: Lookup) -> bool:
    """Whether the current tick makes no difference."""
    is_over_now = lookup.window is None or lookup.window.includes_now
    return lookup.kind.endswith("before") or not is_over_now


def apply(changes: Changes, members: set[Row]) -> None:
    began, ended = set(changes.began), set(changes.ended)
    assert len(began) == len(changes.began)
    assert len(ended) == len(changes.ended)
    assert not began & members
    assert ended <= members
    members -= ended
    members |= began
