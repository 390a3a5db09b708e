"""Rows come back from JSON as the very same, whatever the names of their terms are."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.terms.table import TermReader, TermTable
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Row, Value, constant, function, tuple_term
from tests.support.symbols import NAMES, TEXTS

VALUES: st.SearchStrategy[Value] = st.recursive(
    st.one_of(
        st.integers(-(2**31), 2**31 - 1),
        TEXTS,
        st.sampled_from([INFIMUM, SUPREMUM, tuple_term(())]),
        st.builds(lambda name, sign: constant(name, is_positive=sign), NAMES, st.booleans()),
    ),
    lambda inner: st.builds(
        lambda name, arguments, sign: function(name, tuple(arguments), is_positive=sign),
        st.one_of(st.just(""), NAMES),
        st.lists(inner, min_size=1, max_size=3),
        st.booleans(),
    ),
    max_leaves=8,
)


def there_and_back(rows: list[Row]) -> list[Row]:
    table = TermTable()
    written, entries = json.loads(json.dumps([table.write(rows), table.table]))
    return TermReader(entries).read(written)


@given(st.lists(st.lists(VALUES, max_size=3).map(tuple), max_size=6))
def test_rows_come_back(rows: list[Row]) -> None:
    assert there_and_back(rows) == rows


def test_what_is_written_alike_is_kept_apart() -> None:
    alike = (
        *(1, constant("1"), "1", function("f", (1,)), constant("f(1)"), function("f", (constant("1"),))),
        *(function("f", (1, 2)), function("f", (constant("1,2"),)), tuple_term((1,)), constant("(1,)")),
        *(constant("-a"), constant("a", is_positive=False), INFIMUM, constant("#inf"), constant("#sup")),
        *(SUPREMUM, "a", constant('"a"')),
    )
    assert there_and_back([alike]) == [alike]
    assert len(set(there_and_back([alike])[0])) == len(alike)


def test_equal_values_have_one_entry_and_arguments_stand_first() -> None:
    table = TermTable()
    term = function("f", (7, function("g", (7,), is_positive=False), "7"))
    assert table.write([(term,), (7, term)]) == [[3], [table.table.index(7), 3]]
    assert sorted(map(str, table.table[:2])) == ["7", "7"]
    assert len(table.table) == 4


def test_a_term_may_be_nested_deep() -> None:
    term: Value = 0
    for _ in range(20_000):
        term = function("f", (term,))
    assert there_and_back([(term,)])[0][0] is term


@pytest.mark.parametrize(
    "entry", [True, 10**4000, 1.5, None, [], ["f"], [2], ["f", 2], [1, 1], ["f", 1, 0], {}]
)
def test_what_is_no_table_is_refused(entry: Any) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        TermReader([entry])
