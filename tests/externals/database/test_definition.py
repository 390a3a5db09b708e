"""Every answer, and the changes that come to it, against the definition: streams as sets of ticks."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.windows import Fixed, Hopping, Offsets, Sliding, TickWindow, Tumbling, Unbounded
from lars2asp.externals.database import IntervalDatabase, turns_by_itself
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.timer import GROWING
from lars2asp.externals.views import Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Published
from lars2asp.syntax.nodes import Signature
from tests.support.naive_stream import NaiveInput, naive_answer

EXAMPLES = int(os.environ.get("LARS2ASP_EXAMPLES", "300"))

P, Q = Signature("p", 1), Signature("q", 1)
"""What the input tells, and what rules derive besides. Their rows are the same ones."""

WINDOWS: tuple[TickWindow, ...] = (
    *(Sliding(size) for size in (0, 1, 2, 4, 7)),
    *(Offsets((1,)), Offsets((0, 2)), Offsets((2, 5))),
    *(Hopping(3, 2), Hopping(1, 3), Tumbling(1), Tumbling(3)),
    *(Unbounded(), Fixed(6)),
)
KINDS = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT)
BEFORE = (LookupKind.ALWAYS_BEFORE, LookupKind.COUNT_BEFORE)
LOOKUPS = (
    *(Lookup(kind, signature) for signature in (P, Q) for kind in (LookupKind.INPUT, LookupKind.NOW)),
    *(
        Lookup(kind, signature, window)
        for signature in (P, Q)
        for window in WINDOWS
        for kind in (*KINDS, *BEFORE)
    ),
    *(
        Lookup(kind, signature, window, least)
        for signature in (P, Q)
        for window in WINDOWS
        for kind in (LookupKind.LEAST, LookupKind.LEAST_BEFORE)
        for least in (1, 2, 4)
    ),
    *(
        Lookup(kind, None, window)
        for window in WINDOWS
        for kind in (LookupKind.NOTHING_BEFORE, LookupKind.HAS_NOW, LookupKind.TICKS, LookupKind.BOX_TICKS)
    ),
)
SLIDING = tuple(lookup for lookup in LOOKUPS if lookup.window is None or isinstance(lookup.window, Sliding))


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
    """

    events: tuple[tuple[Signature, Events], ...]
    derived: frozenset[int] | None
    placed: tuple[tuple[int, int], ...]
    is_restored: bool
    is_passed: bool


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
)
quiet = st.just(Tick((), None, (), False, True))


class Model:
    """The streams as sets of ticks.

    Args:
        how: how what rules derive of q enters its stream.
        background: the rows that hold always, by predicates.
        start: the first tick.
    """

    def __init__(self, how: str, background: dict[Signature, list[Row]], start: int) -> None:
        self._how = how
        self._background = background
        self._start = start
        self._told = {P: NaiveInput(), Q: NaiveInput()}
        self._streams: dict[Signature, dict[Row, set[int]]] = {P: {}, Q: {}}
        self._derived: set[Row] = set()
        self._future: dict[int, set[Row]] = {}

    @property
    def open(self) -> dict[Signature, set[Row]]:
        """The rows that are open."""
        return {signature: told.open for signature, told in self._told.items()}

    def take(self, now: int, happened: Iterable[tuple[Signature, Events]]) -> None:
        """Events of a tick."""
        for signature, one in happened:
            self._told[signature].take(now, one)

    def close(self, now: int) -> None:
        """The input of a tick is complete."""
        placed = self._future.pop(now, set())
        for signature, told in self._told.items():
            if signature == Q and placed:
                told.take(now, Events((AtomRows(Q, [*placed]),)))
            for row in told.close(now).union(self._background.get(signature, ())):
                self._hold(signature, row, now)

    def derive(self, now: int, derived: set[Row]) -> None:
        """What rules derive is handed on."""
        self._derived = derived
        if self._how == "at once":
            for row in derived:
                self._hold(Q, row, now)

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
            counts_all = signature == Q and self._how == "at once"
            return {row: held for row, held in told.items() if counts_all or row not in always}
        if lookup.kind is not LookupKind.NOW:
            return self._streams[signature]
        is_handed_on = signature == Q and self._how != "recorded"
        derived = {row: {now} for row in self._derived} if is_handed_on else {}
        if signature == Q and self._how == "apart":
            always = {}
        return {
            row: told.get(row, set()) | derived.get(row, set()) | always.get(row, set())
            for row in (*told, *derived, *always)
        }


class Followed:
    """A database, and the sets that the changes of its lookups come to.

    Args:
        asked: the lookups.
        options: what the database is made of.
    """

    def __init__(self, asked: tuple[Lookup, ...], options: dict[str, Any]) -> None:
        self._asked = asked
        self._options = options
        self.database = self._made()
        self.members: dict[Lookup, set[Row]] = {lookup: set() for lookup in asked}
        self._is_restored = False

    def _made(self) -> IntervalDatabase:
        database = IntervalDatabase(lookups=self._asked, **self._options)
        database.watch(self._asked)
        return database

    def look(self, now: int) -> None:
        """Takes the changes of a tick."""
        for lookup in self._asked:
            changes, members = self.database.changes(lookup, now), self.members[lookup]
            answer = set(self.database.answer(lookup, now))
            if self._is_restored:
                self.members[lookup] = answer
            else:
                apply(changes, members)
                assert members == answer, (now, lookup)
        self._is_restored = False

    def restore(self) -> None:
        """Another database takes over the state, as JSON has it."""
        state = json.loads(json.dumps(self.database.state(lambda found: [list(row) for row in found])))
        self.database = IntervalDatabase(lookups=self._asked, **self._options)
        self.database.restore(state, lambda found: [tuple(row) for row in found])
        self.database.watch(self._asked)
        self.database.prime()
        self._is_restored = True

    def next_change(self, now: int) -> int:
        """The first tick at which an answer may change."""
        database = self.database
        found = [database.next_change(now)]
        for lookup in self._asked:
            if lookup.kind in GROWING and lookup.signature is not None:
                found.append(database.next_growth(lookup, now))
            elif turns_by_itself(lookup):
                found.append(database.next_turn(lookup, now))
        return min((tick for tick in found if tick is not None), default=now + 1000)


def apply(changes: Changes, members: set[Row]) -> None:
    began, ended = set(changes.began), set(changes.ended)
    assert len(began) == len(changes.began)
    assert len(ended) == len(changes.ended)
    assert not began & members
    assert ended <= members
    members -= ended
    members |= began


@settings(max_examples=EXAMPLES)
@given(
    st.lists(st.one_of(ticks, ticks, quiet), min_size=1, max_size=16),
    st.one_of(
        st.lists(st.sampled_from(LOOKUPS), min_size=1, max_size=6, unique=True),
        st.lists(st.sampled_from(SLIDING), min_size=1, max_size=12, unique=True),
    ).map(tuple),
    st.sampled_from(["at once", "at once", "apart", "recorded"]),
    st.sampled_from([{}, {}, {P: rows([3])}, {P: rows([1]), Q: rows([0])}]),
    st.sampled_from([0, 2]),
    st.booleans(),
)
def test_answers_and_changes_are_as_defined(
    stream: list[Tick],
    asked: tuple[Lookup, ...],
    how: str,
    background: dict[Signature, list[Row]],
    start: int,
    complete: bool,
) -> None:
    """The ticks of a stream, one after the other.

    Some are passed over where nothing is due. None are where what is asked of the current tick, and of those
    before, changes while both together stay: for atoms that enter the stream late, and over blocks.
    """
    model = Model(how, background, start)
    is_late = how != "at once"
    followed = Followed(
        asked,
        {
            "start": start,
            "reach": {P: None, Q: None},
            "background": [AtomRows(*one) for one in background.items()],
            "placed": [Q] if is_late else [],
            "recorded": [Q] if is_late else [],
            "published": Published(
                frozenset([Q] if how == "at once" else ()), frozenset([Q] if how == "apart" else ())
            ),
            "complete_windows": complete,
        },
    )
    derived: set[Row] = set()
    due = start
    may_pass = not is_late and not any(
        one.kind.endswith("before") and isinstance(one.window, Hopping | Tumbling) for one in asked
    )
    for now, tick in enumerate(stream, start):
        database = followed.database
        is_passed = may_pass and tick.is_passed and not tick.events and now < due
        for signature, told in tick.events:
            is_open = model.open[signature]
            ended = [row for group in told.end for row in dict.fromkeys(group.rows) if row in is_open]
            until = None if told.until is None else now + told.until
            one = Events(told.facts, told.begin, (AtomRows(signature, ended),) if ended else (), until)
            database.check(now, one)
            database.gather(now, one)
            model.take(now, [(signature, one)])
        model.close(now)
        if not is_passed:
            database.commit(now)
            here = derived if tick.derived is None else set(rows(tick.derived))
            if how != "recorded":
                database.publish(now, Q, list(here - derived), list(derived - here))
            derived = here
        model.derive(now, derived)
        if not is_passed:
            followed.look(now)
        for lookup in asked:
            expected = naive_answer(lookup, model.holds(lookup, now), now, start, complete=complete)
            assert followed.members[lookup] == expected, (now, lookup, is_passed)
        if is_passed:
            continue
        if is_late:
            placed = [((value,), now + ticks) for value, ticks in tick.placed]
            database.record(now, Q, list(derived))
            for row, at in placed:
                database.place(now, at, Q, row)
            model.record(now, placed)
        due = followed.next_change(now)
        if tick.is_restored:
            followed.restore()
            assert followed.next_change(now) == due
