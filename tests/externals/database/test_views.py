"""Changes from tick to tick, added up, are what the database answers."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.windows import LastArrivals, Offsets, Sliding, TimeWindow, Unbounded
from lars2asp.externals.database import Inbox, IntervalDatabase
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.plan import Published
from lars2asp.syntax.nodes import Signature
from tests.externals.database.streams import apply
from tests.strategies.windows import SPANS

P, Q = Signature("p", 1), Signature("q", 1)
WINDOWS: tuple[TimeWindow, ...] = (*SPANS, Offsets((1, 2)))
WINDOW_KINDS = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT)
LOOKUPS = tuple(
    lookup
    for signature in (P, Q)
    for lookup in (
        Lookup(LookupKind.INPUT, signature),
        Lookup(LookupKind.NOW, signature),
        *(Lookup(kind, signature, window) for kind in WINDOW_KINDS for window in WINDOWS),
        *(Lookup(LookupKind.LEAST, signature, window, least) for window in WINDOWS for least in (1, 2)),
    )
)


def atoms(signature: Signature, *values: int) -> AtomRows:
    return AtomRows(signature, [(value,) for value in values])


class Followed:
    """The sets that changes come to."""

    def __init__(self, database: IntervalDatabase, lookups: Sequence[Lookup]) -> None:
        self._database = database
        self._sets: dict[Lookup, set[Row]] = {lookup: set() for lookup in lookups}
        database.watch(lookups, Inbox())

    def load(self, tick: int) -> None:
        for lookup in self._sets:
            self._database.changes(lookup, tick)
            self._sets[lookup] = set(self._database.answer(lookup, tick))

    def check(self, tick: int) -> None:
        for lookup, members in self._sets.items():
            changes = self._database.changes(lookup, tick)
            apply(changes, members)
            assert members == set(self._database.answer(lookup, tick)), (tick, lookup)


values = st.lists(st.integers(0, 3), max_size=3, unique=True)
steps = st.lists(
    st.fixed_dictionaries(
        {"facts": values, "begin": values, "end": values, "until": st.integers(0, 3), "derived": values}
    ),
    min_size=1,
    max_size=14,
)


@given(
    steps,
    st.booleans(),
    st.sampled_from(["at once", "apart", "recorded"]),
    st.sampled_from([(), (atoms(P, 3),), (atoms(P, 1), atoms(Q, 0))]),
    st.sampled_from([0, len(LOOKUPS) // 2]),
    st.lists(st.booleans(), min_size=14, max_size=14),
)
def test_changes_add_up(
    stream: list[Mapping[str, list[int]]],
    complete: bool,
    how: str,
    background: tuple[AtomRows, ...],
    always: int,
    is_left_out: list[bool],
) -> None:
    """Random events of p and q, and q derived besides in each of the ways to publish.

    Of all lookups but so many, changes are not asked for at some ticks, and these are not watched before the
    first at which they are.
    """
    published = Published(
        frozenset([Q] if how == "at once" else ()), frozenset([Q] if how == "apart" else ())
    )
    database = IntervalDatabase(
        2,
        LOOKUPS,
        {P: None, Q: None},
        background,
        recorded=[] if how == "at once" else [Q],
        published=published,
        complete_windows=complete,
    )
    followed, derived, opened = (
        Followed(database, LOOKUPS[:always]),
        set[Row](),
        dict[Signature, set[int]]({P: set(), Q: set()}),
    )
    late: Followed | None = None
    for tick, told in enumerate(stream, start=2):
        for signature in (P, Q):
            begin = set(told["begin"])
            end = set(told["end"]) & opened[signature]
            opened[signature] = (opened[signature] - end) | begin
            facts = atoms(signature, *told["facts"])
            until = tick + int(told["until"]) if told["until"] else None  # type: ignore[call-overload]
            events = Events((facts,), (atoms(signature, *begin),), (atoms(signature, *end),), until)
            database.check(tick, events)
            database.gather(tick, events)
        database.commit(tick)
        if late is None and not is_left_out[tick - 2]:
            late = Followed(database, LOOKUPS[always:])
        now: set[Row] = {(value,) for value in told["derived"]}
        if how != "recorded":
            database.publish(tick, Q, list(now - derived), list(derived - now))
            derived = now
        followed.check(tick)
        if late is not None and not is_left_out[tick - 2]:
            if tick > 2 and is_left_out[tick - 3]:
                late.load(tick)
            else:
                late.check(tick)
        if how != "at once":
            database.record(tick, Q, list(now))


@pytest.mark.parametrize("kind", [LookupKind.IN, LookupKind.ALWAYS])
@pytest.mark.parametrize("forgetful", [0, 3])
def test_views_of_a_window_see_no_further_than_is_remembered(kind: LookupKind, forgetful: int) -> None:
    """The reach is the window's alone, and runs are dropped as soon as may be."""
    lookup = Lookup(kind, P, Sliding(3))
    database = IntervalDatabase(0, [lookup], {P: 3 + forgetful})
    database.watch([lookup], Inbox())
    members: set[Row] = set()
    for tick in range(60):
        facts = [value for value in range(5) if tick % (value + 2) or value == 4]
        database.gather(tick, Events((atoms(P, *facts, 100 + tick),)))
        database.commit(tick)
        apply(database.changes(lookup, tick), members)
        assert members == set(database.answer(lookup, tick))
    assert len(database) < 20


def test_a_window_that_is_first_watched_after_all_was_told() -> None:
    """What is kept for ever is not listed by the ticks at which it ended until a view asks for that."""
    in_window = Lookup(LookupKind.IN, P, Sliding(3))
    database = IntervalDatabase(0, [in_window, Lookup(LookupKind.AT, P, Unbounded())], {P: None})
    database.gather(0, Events((), (atoms(P, 1),)))
    database.commit(0)
    database.gather(1, Events((), (), (atoms(P, 1),)))
    for tick in range(1, 4):
        database.commit(tick)
    database.watch([in_window], Inbox())
    ended: list[Row] = []
    for tick in (4, 5):
        database.advance(tick)
        ended += database.changes(in_window, tick).ended
    assert ended == [(1,)]


def test_the_timer_knows_of_boxes_over_arrivals_that_were_told_before() -> None:
    """A box over a tuple window that is first watched after its atom was told ends on time."""
    box = Lookup(LookupKind.ALWAYS, P, LastArrivals(1))
    database = IntervalDatabase(0, [box], {})
    database.gather(0, Events((atoms(P, 1),), until=40))
    database.commit(0)
    assert database.next_change(0) is None
    database.watch([box], Inbox())
    assert database.changes(box, 0).began == [(1,)]
    assert database.next_change(0) == 41
