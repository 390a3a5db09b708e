"""Tuple windows, drawn as timelines of arrivals."""

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.windows import LastArrivals, Step
from lars2asp.externals.database.answering import arrivals_view
from lars2asp.externals.database.arrivals import Arrivals
from lars2asp.externals.database.form import View
from lars2asp.externals.intervals import Interval
from lars2asp.externals.terms.terms import GroundAtom, Row, constant, function
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

P, T = Signature("p", 1), Signature("t", 2)
Q = GroundAtom(Signature("q", 0), ())


def p(number: int) -> GroundAtom:
    return GroundAtom(P, (number,))


def intervals(arrivals: Arrivals, lookup: Lookup, now: int) -> list[tuple[int, dict[Row, list[Interval]]]]:
    """The first tick and the intervals of each of the lookup's windows."""
    return [
        (contents.first, {row: list(runs) for row, runs in contents.intervals.items()})
        for contents in arrivals.contents(lookup, now, start=0)
    ]


def of_all(size: int) -> Lookup:
    return Lookup(LookupKind.AT, P, LastArrivals(size))


#   tick       1     2     3
#   arrivals   p(1)  q     p(1)
#   [2 #]      |---------|          at 2: both, from 1 on
#                    |---------|    at 3: q and p(1), from 2 on
def test_the_last_arrivals_of_the_input() -> None:
    arrivals = Arrivals([of_all(2)])
    arrivals.add_input(p(1), 1, 1, False)
    assert intervals(arrivals, of_all(2), 1) == [(0, {(1,): [Interval(1, 1)]})]
    arrivals.add_input(Q, 2, 2, False)
    assert intervals(arrivals, of_all(2), 2) == [(1, {(1,): [Interval(1, 1)]})]
    arrivals.add_input(p(1), 3, 3, False)
    assert intervals(arrivals, of_all(2), 3) == [(2, {(1,): [Interval(3, 3)]})]


def test_the_last_arrivals_of_a_predicate_pass_over_the_others() -> None:
    lookup = Lookup(LookupKind.AT, P, LastArrivals(1, P))
    arrivals = Arrivals([lookup])
    arrivals.add_input(p(1), 1, 1, False)
    arrivals.add_input(Q, 2, 2, False)
    assert intervals(arrivals, lookup, 3) == [(1, {(1,): [Interval(1, 1)]})]


def test_each_group_has_a_window_of_its_own() -> None:
    lookup = Lookup(LookupKind.AT, T, LastArrivals(1, None, (0,)))
    arrivals = Arrivals([lookup])
    for tick, (room, value) in enumerate([(1, 5), (2, 6), (1, 7)]):
        arrivals.add_input(GroundAtom(T, (room, value)), tick, tick, False)
    assert intervals(arrivals, lookup, 3) == [
        (2, {(1, 7): [Interval(2, 2)]}),
        (1, {(2, 6): [Interval(1, 1)]}),
    ]


def test_a_group_is_of_all_places_where_its_variable_stands() -> None:
    """`t(X,f(X))` by X: arrivals with other values there, or another function, are in no group."""
    inside = (Step(None, 1), Step(Signature("f", 1), 0))
    lookup = Lookup(LookupKind.AT, T, LastArrivals(1, None, (0,), ((0, inside),)))
    arrivals = Arrivals([lookup])
    alike = function("f", (1,))
    others: Row = function("f", (2,)), function("g", (1,)), constant("f"), 1, "f"
    for tick, value in enumerate((alike, *others)):
        arrivals.add_input(GroundAtom(T, (1, value)), tick, tick, False)
    assert intervals(arrivals, lookup, 4) == [(0, {(1, alike): [Interval(0, 0)]})]


#   tick       1     2     3     4     5
#   p(1)       begin             end
#   p(1)             until 5
def test_an_arrival_covers_its_interval() -> None:
    arrivals = Arrivals([of_all(2)])
    arrivals.add_input(p(1), 1, None, True)
    assert intervals(arrivals, of_all(2), 3) == [(0, {(1,): [Interval(1, 3)]})]
    arrivals.end(p(1), 4)
    assert intervals(arrivals, of_all(2), 6) == [(0, {(1,): [Interval(1, 3)]})]
    arrivals.add_input(p(1), 2, 5, False)
    assert intervals(arrivals, of_all(2), 6) == [(1, {(1,): [Interval(1, 5)]})]
    arrivals.end(p(1), 7)  # nothing is open any more


def test_without_tuple_windows_nothing_is_kept() -> None:
    assert Arrivals([Lookup(LookupKind.INPUT, P)]).is_idle


rooms = st.tuples(st.integers(0, 2), st.integers(0, 2))
told = st.tuples(rooms, st.sampled_from([None, 0, 0, 0, 2]), st.booleans())
"""A row, until how many ticks later it holds, and whether it is begun."""


@given(
    st.lists(
        st.tuples(st.lists(told, max_size=3), st.lists(rooms, max_size=2), st.sampled_from("nnnnnprg")),
        min_size=1,
        max_size=14,
    ),
    st.sampled_from([LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT, LookupKind.COUNT]),
    st.integers(1, 3),
    st.booleans(),
)
def test_changes_of_groups_lead_from_answer_to_answer(
    stream: list[tuple[list[tuple[Row, int | None, bool]], list[Row], str]],
    kind: LookupKind,
    size: int,
    complete: bool,
) -> None:
    """Ticks are passed over (p) that nobody looks at; others take over (g) or go on from a state (r)."""
    lookup = Lookup(kind, T, LastArrivals(size, None, (0,)))

    def made() -> tuple[Arrivals, View]:
        arrivals = Arrivals([lookup])
        return arrivals, arrivals_view(lookup, arrivals, 0, complete=complete)

    arrivals, view = made()
    held: set[Row] = set()
    opened: set[Row] = set()
    for now, (begun, ended, then) in enumerate(stream):
        for row in opened.intersection(ended):
            arrivals.end(GroundAtom(T, row), now)
        opened.difference_update(ended)
        for row, until, is_open in begun:
            is_begun = is_open and row not in opened
            if is_begun or until is not None:
                last = None if until is None else now + until
                arrivals.add_input(GroundAtom(T, row), now, last, is_begun)
                opened |= {row} if is_begun else set()
        if then == "p":
            continue
        began, over = view.changes(now)
        assert held.issuperset(over)
        assert held.isdisjoint(began)
        held = (held - set(over)) | set(began)
        assert held == set(view.answer(now))
        if then in "rg":
            before = arrivals
            arrivals, view = made()
            if then == "g":
                arrivals.go_on(before)
            else:
                arrivals.restore(before.state(list), list)
            held = set()
