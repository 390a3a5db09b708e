"""Tuple windows, drawn as timelines of arrivals."""

from hypothesis import given
from hypothesis import strategies as st

from lars2asp.analysis.windows import LastArrivals, Step
from lars2asp.externals.database.agenda import Agenda, Watched
from lars2asp.externals.database.arrivals import Arrivals
from lars2asp.externals.database.form import View
from lars2asp.externals.database.forms.tuples import tuple_view
from lars2asp.externals.terms.terms import AtomRows, GroundAtom, Row, constant, function
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

P, T = Signature("p", 1), Signature("t", 2)
Q = GroundAtom(Signature("q", 0), ())


def p(number: int) -> GroundAtom:
    return GroundAtom(P, (number,))


class Told:
    """Arrivals, and the answer to `at T`: rows, each with a tick of the window at which it holds."""

    def __init__(self, lookup: Lookup) -> None:
        self.arrivals = Arrivals([lookup])
        self._view = tuple_view(lookup, self.arrivals, Agenda(0), 0, complete=False)

    def add(self, atom: GroundAtom, tick: int) -> None:
        """An atom arrives that holds for a tick."""
        self.arrivals.add_input(atom, tick, tick, False)

    def at(self, now: int) -> set[Row]:
        return set(self._view.answer(now))


def of_all(size: int) -> Lookup:
    return Lookup(LookupKind.AT, P, LastArrivals(size))


#   tick       1     2     3
#   arrivals   p(1)  q     p(1)
#   [2 #]      |---------|          at 2: both, from 1 on
#                    |---------|    at 3: q and p(1), from 2 on
def test_the_last_arrivals_of_the_input() -> None:
    told = Told(of_all(2))
    told.add(p(1), 1)
    assert told.at(1) == {(1, 1)}
    told.add(Q, 2)
    assert told.at(2) == {(1, 1)}
    told.add(p(1), 3)
    assert told.at(3) == {(1, 3)}


def test_points_of_a_tick_arrive_once_each_in_their_order() -> None:
    told = Told(of_all(3))
    told.arrivals.add_points([AtomRows(P, [(1,), (2,), (2,)]), AtomRows(Q.signature, [()])], 1)
    assert told.at(1) == {(1, 1), (2, 1)}
    told.arrivals.add_points(
        [AtomRows(P, [(3,)]), AtomRows(Q.signature, [()]), AtomRows(P, [(4,), (4,), (3,)])], 2
    )
    assert told.at(2) == {(3, 2), (4, 2)}


def test_the_last_arrivals_of_a_predicate_pass_over_the_others() -> None:
    lookup = Lookup(LookupKind.AT, P, LastArrivals(1, P))
    told = Told(lookup)
    told.add(p(1), 1)
    told.add(Q, 2)
    assert told.at(3) == {(1, 1)}


def test_each_group_has_a_window_of_its_own() -> None:
    lookup = Lookup(LookupKind.AT, T, LastArrivals(1, None, (0,)))
    told = Told(lookup)
    for tick, (room, value) in enumerate([(1, 5), (2, 6), (1, 7)]):
        told.add(GroundAtom(T, (room, value)), tick)
    assert told.at(3) == {(1, 7, 2), (2, 6, 1)}


def test_a_group_is_of_all_places_where_its_variable_stands() -> None:
    """`t(X,f(X))` by X: arrivals with other values there, or another function, are in no group."""
    inside = (Step(None, 1), Step(Signature("f", 1), 0))
    lookup = Lookup(LookupKind.AT, T, LastArrivals(1, None, (0,), ((0, inside),)))
    told = Told(lookup)
    alike = function("f", (1,))
    others: Row = function("f", (2,)), function("g", (1,)), constant("f"), 1, "f"
    for tick, value in enumerate((alike, *others)):
        told.add(GroundAtom(T, (1, value)), tick)
    assert told.at(4) == {(1, alike, 0)}


#   tick       1     2     3     4     5
#   p(1)       begin             end
#   p(1)             until 5
def test_an_arrival_covers_its_interval() -> None:
    told, first = Told(of_all(2)), {(1, 1), (1, 2), (1, 3)}
    told.arrivals.add_input(p(1), 1, None, True)
    assert told.at(3) == first
    told.arrivals.end(p(1), 4)
    assert told.at(6) == first
    told.arrivals.add_input(p(1), 2, 5, False)
    assert told.at(6) == {*first, (1, 4), (1, 5)}
    told.arrivals.end(p(1), 7)  # nothing is open any more


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

    def made(now: int) -> tuple[Arrivals, Agenda, View]:
        arrivals, agenda = Arrivals([lookup]), Agenda(0)
        agenda.now = now
        view = tuple_view(lookup, arrivals, agenda, 0, complete=complete)
        view.watch(Watched(view), now)
        return arrivals, agenda, view

    arrivals, agenda, view = made(0)
    held: set[Row] = set()
    opened: set[Row] = set()
    for now, (begun, ended, then) in enumerate(stream):
        agenda.turn(now)
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
            arrivals, agenda, view = made(now)
            if then == "g":
                arrivals.go_on(before)
            else:
                arrivals.restore(before.state(list), list)
            held = set()


def test_arrivals_go_on_in_their_own_window_whatever_the_order_of_lookups() -> None:
    lookups = [of_all(1), Lookup(LookupKind.AT, P, LastArrivals(1, P))]
    one, other = Arrivals(lookups), Arrivals(lookups[::-1])
    one.add_input(p(1), 1, 1, False)
    one.add_input(Q, 2, 2, False)
    other.go_on(one)
    views = [tuple_view(lookup, other, Agenda(0), 0, complete=False) for lookup in lookups]
    assert [[*view.answer(2)] for view in views] == [[], []]  # made after that
    other.go_on(one)
    assert [[*view.answer(2)] for view in views] == [[], [(1, 1)]]
