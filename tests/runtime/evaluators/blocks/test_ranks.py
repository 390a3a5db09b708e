"""Ranks that are worked out in one sweep, held to a count of all pairs tick by tick."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.compiler import compile_program
from lars2asp.externals.terms.order import compare, less_rows
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.runtime.evaluators.blocks.block_code import BlockCode
from lars2asp.runtime.evaluators.blocks.held_rows import HeldRows, Runs, sections
from lars2asp.runtime.evaluators.blocks.points import runs_of
from lars2asp.runtime.evaluators.blocks.ranks import Ranking, reached
from lars2asp.runtime.evaluators.delta.rules.bodies import Shape
from lars2asp.syntax.nodes import Signature, Variable
from lars2asp.syntax.source import Source

LOW, END = 3, 14
OF_TOTALS = Shape(
    Lookup(LookupKind.NOW, Signature("total", 3)),
    (Variable("v0"), Variable("v1"), Variable("v2")),
    ("v0", "v1", "v2"),
)
RUNS = st.sets(st.integers(LOW - 2, END + 1), min_size=1).map(sorted).map(runs_of)
ROWS = st.dictionaries(st.tuples(st.integers(0, 1), st.integers(0, 3), st.integers(0, 3)), RUNS, max_size=12)
OTHERS = replace(OF_TOTALS, lookup=Lookup(LookupKind.INPUT, Signature("total", 3)))


def holds(runs: Runs, tick: int) -> bool:
    return bool(sections(runs, tick, tick + 1))


@settings(max_examples=100, deadline=None)
@given(
    counted=ROWS,
    others=st.none() | ROWS,
    order=st.sampled_from([(2,), (2, 1), (1, 2), (2, 0)]),
    group=st.sampled_from([(0,), (), (0, 1)]),
    least=st.integers(1, 4),
    is_descending=st.booleans(),
    is_strict=st.booleans(),
)
def test_ranks_tick_by_tick(
    counted: HeldRows,
    others: HeldRows | None,
    order: tuple[int, ...],
    group: tuple[int, ...],
    least: int,
    is_descending: bool,
    is_strict: bool,
) -> None:
    """Rows with as many others before them, of the same relation and of another one, with ties."""
    shape, asked = (OF_TOTALS, counted) if others is None else (OTHERS, others)
    one = Ranking(
        OF_TOTALS, shape, least, group, group, order, order, is_descending, is_strict, None, (2, 0, 1)
    )

    def is_before(other: Row, row: Row) -> bool:
        values, own = ([some[place] for place in order] for some in (other, row))
        is_less = (
            less_rows(tuple(own), tuple(values)) if is_descending else less_rows(tuple(values), tuple(own))
        )
        return is_less or (not is_strict and values == own)

    found = reached(one, counted, asked, LOW, END)
    assert found is not None
    expected = {
        ((row[2], row[0], row[1]), tick)
        for row, runs in asked.items()
        for tick in range(LOW, END)
        if holds(runs, tick)
        and least
        <= sum(
            holds(counted[other], tick)
            for other in counted
            if all(other[place] == row[place] for place in group) and is_before(other, row)
        )
    }
    assert {
        (row, tick) for row, runs in found.items() for tick in range(LOW - 3, END + 3) if holds(runs, tick)
    } == expected
    assert all(one < other for runs in found.values() for one, other in pairwise(runs))


def test_several_rows_that_count_as_one() -> None:
    """Where they do so at different times only, ranks are worked out by themselves."""
    one = Ranking(OF_TOTALS, OF_TOTALS, 2, (0,), (0,), (2,), (2,), True, True, (0, 1), (0, 1, 2))
    apart: HeldRows = {
        (0, 1, 5): [3, 5, 9, 10],
        (0, 1, 6): [5, 9],
        (0, 2, 7): [3, 10],
        (0, 3, 4): [3, 10],
        (1, 1, 9): [3, 10],
    }
    assert reached(one, apart, apart, LOW, END) == {(0, 3, 4): [3, 10]}
    assert reached(one, apart | {(0, 1, 6): [4, 9]}, apart, LOW, END) is None


def test_numbers_among_other_values() -> None:
    """They are compared pair by pair, which says so; tuples are compared part by part."""
    one = Ranking(OF_TOTALS, OF_TOTALS, 1, (0,), (0,), (2,), (2,), True, True, None, (0, 1, 2))
    mixed: HeldRows = {(0, 1, 5): [3, 5], (0, 2, "five"): [3, 5]}
    assert reached(one, mixed, mixed, LOW, END) is None
    texts: HeldRows = {(0, 1, "four"): [3, 5], (0, 2, "five"): [3, 5]}
    assert compare(">", "four", "five")
    assert reached(one, texts, texts, LOW, END) == {(0, 2, "five"): [3, 5]}
    by_both = replace(one, counted_order=(2, 1), asked_order=(2, 1))
    assert reached(by_both, mixed, mixed, LOW, END) == {(0, 1, 5): [3, 5]}


@pytest.mark.parametrize(
    ("rule", "least", "is_descending", "is_strict"),
    [
        ("top(S,I) :- total(S,I,N), #count { J : total(S,J,M), (M,J) > (N,I) } < 10.", 10, True, True),
        ("top(S,I) :- total(S,I,N), #count { J : total(S,J,M), (N,I) < (M,J) } < 10.", 10, True, True),
        ("top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M >= N } <= 10.", 11, True, False),
        ("last(S,I) :- total(S,I,N), not #count { J : total(S,J,M), M < N } > 2.", 3, False, True),
        ("last(S,I) :- total(S,I,N), #count { J,M : total(S,J,M), M < N } = 0.", 1, False, True),
        ("most(S,I) :- total(S,I,N), N >= M : total(S,_,M).", 1, True, True),
        ("beaten(S,I) :- total(S,I,N), 2 <= #count { J : total(S,J,M) in [5], N <= M }.", 2, True, False),
        ("few(S,I) :- limit(S,N), total(_,I,N), #count { J : total(S,J,M), M > N } < 3.", 3, True, True),
    ],
)
def test_ranks_are_found_in_bodies(rule: str, least: int, is_descending: bool, is_strict: bool) -> None:
    [found] = rankings(rule)
    assert (found.least, found.is_descending, found.is_strict) == (least, is_descending, is_strict)


@pytest.mark.parametrize(
    "rule",
    [
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > N } = 2.",
        "top(S,I) :- total(S,I,N), 1 <= #count { J : total(S,J,M), M > N } <= 2.",
        "top(S,I) :- total(S,I,N), #sum { 1,J : total(S,J,M), M > N } < 2.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M != N } < 2.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > N+1 } < 2.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > (N,I) } < 2.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > (N,) } < 2.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > N, J != I } < 2.",
        "top(S,I) :- total(S,I,N), #count { J+1 : total(S,J,M), M > N } < 2.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), not gone(J), M > N } < 2.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > N ; J : more(S,J,N) } < 2.",
        "top(S,I,N) :- total(S,I,_), N = 1..3, #count { J : total(S,J,M), M > N } < 2.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > N } < 0.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > N } < a.",
        "top(S,I) :- total(S,I,N), #count { J : total(S,J,M), M > J } < N.",
        "top(S,I) :- total(S,I,N), limit(K), #count { J : total(S,J,M), M > N } < K.",
    ],
)
def test_what_says_something_else_of_counts(rule: str) -> None:
    assert not rankings(rule)


def rankings(rule: str) -> list[Ranking]:
    [component] = compile_program(Source("top.lars", rule)).components
    return [*BlockCode(component.delta_rules, lambda place, text: None).rankings.values()]
