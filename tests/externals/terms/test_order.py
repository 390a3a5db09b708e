"""Rows sorted, and as text in that order, as clingo has them."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.terms import order, text
from lars2asp.externals.terms.order import in_order, less_rows, row_key
from lars2asp.externals.terms.symbols import atom_symbol
from lars2asp.externals.terms.terms import (
    BARE_TERM,
    INFIMUM,
    SUPREMUM,
    Row,
    Value,
    columns_of,
    constant,
    function,
    tuple_term,
)
from lars2asp.externals.terms.text import atom_texts, texts_in_order
from lars2asp.syntax.nodes import Signature

NUMBERS: list[Value] = [0, 1, -1, 10, 9, 2**31 - 1, -(2**31)]
CONSTANTS: list[Value] = [constant(name) for name in ("a", "b", "ab", "_a", "'a", "aB", "New York", "")]
STRINGS: list[Value] = ["", "a", "ab", "B", "!", 'a"', "a\n", "a\\", "\u00e4"]
OTHERS: list[Value] = [
    *(INFIMUM, SUPREMUM, tuple_term(()), constant("a", is_positive=False)),
    *(function("f", (1,)), function("f", (constant("a"),)), function("f", (1,), is_positive=False)),
    *(function("a", (1, 2)), function("g", (1,)), tuple_term((1,)), tuple_term((1, "x"))),
]
COLUMNS = st.sampled_from(
    [NUMBERS, CONSTANTS, STRINGS, [*NUMBERS, *CONSTANTS], [*NUMBERS, *CONSTANTS, *STRINGS, *OTHERS]]
)


@st.composite
def rows_of_a_predicate(draw: st.DrawFn) -> tuple[Signature, list[Row]]:
    """Rows, each place with values of some kinds."""
    columns = draw(st.lists(COLUMNS, max_size=3))
    rows = draw(st.lists(st.tuples(*map(st.sampled_from, columns)), unique=True))
    return Signature("p", len(columns), draw(st.booleans())), rows


@given(rows_of_a_predicate())
def test_rows_are_in_the_order_of_their_symbols(atoms: tuple[Signature, list[Row]]) -> None:
    signature, rows = atoms
    symbols = sorted(atom_symbol(signature, row) for row in rows)
    found = in_order(rows)
    assert [atom_symbol(signature, row) for row in found] == symbols
    texts = [str(symbol) for symbol in symbols]
    assert atom_texts(signature, found) == texts
    assert texts_in_order(signature, rows) == texts


@pytest.mark.parametrize("number", [0, 1, 3, 4, 9, 10])
def test_many_keys_are_sorted_in_parts(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "_MOST_AT_ONCE", 3)
    keys = [one * 7 % 10 for one in range(number)]
    assert order.sorted_in_parts(keys) == sorted(keys)


def test_columns_of_many_rows_are_taken_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """An iterator for each of 9,000,000 rows took 47 seconds, in which the process heard of no signal."""
    asked: list[int] = []

    def counted(rows: Sequence[Row]) -> list[tuple[Value, ...]]:
        asked.append(len(rows))
        return columns_of(rows)

    for module in (order, text):
        monkeypatch.setattr(module, "columns_of", counted)
    rows: list[Row] = [(constant("a"), 3 - one) for one in range(3)]
    assert in_order(rows) == rows[::-1]
    assert texts_in_order(Signature("p", 2), rows) == ["p(a,1)", "p(a,2)", "p(a,3)"]
    assert asked == [3, 3]


@given(st.lists(st.sampled_from([*NUMBERS, *CONSTANTS[-1:], *STRINGS, *OTHERS[:3]]), unique=True))
def test_terms_that_are_no_atoms(values: list[Value]) -> None:
    rows: list[Row] = [(value,) for value in values]
    symbols = sorted(atom_symbol(BARE_TERM, row) for row in rows)
    assert texts_in_order(BARE_TERM, rows) == [str(symbol) for symbol in symbols]


@given(rows_of_a_predicate())
def test_rows_are_compared_in_the_order_of_their_keys(atoms: tuple[Signature, list[Row]]) -> None:
    _, rows = atoms
    for one in rows:
        for other in rows:
            assert less_rows(one, other) == (row_key(one) < row_key(other))
