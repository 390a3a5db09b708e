"""Tuple windows, drawn as timelines of arrivals."""

from lars2asp.analysis.windows import LastArrivals, Step
from lars2asp.externals.database.arrivals import Arrivals
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
