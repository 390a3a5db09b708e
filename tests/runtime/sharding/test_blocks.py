"""Blocks give back the very rows that they were made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.terms.terms import (
    INFIMUM,
    SUPREMUM,
    AtomRows,
    Value,
    constant,
    function,
    tuple_term,
)
from lars2asp.runtime.sharding.blocks import atoms_of, block_of
from lars2asp.syntax.nodes import Signature

names = st.sampled_from(["a", "b", "New York", "1", "#inf", "line\nbreak", "é"])
plain: st.SearchStrategy[Value] = st.one_of(
    st.integers(-(2**31), 2**31 - 1),
    st.text(st.characters(exclude_categories=["Cs"])),
    names.map(constant),
    names.map(lambda name: constant(name, is_positive=False)),
    st.sampled_from([INFIMUM, SUPREMUM]),
)
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple).map(tuple_term)
        | st.builds(function, names, st.lists(inner, min_size=1, max_size=2).map(tuple))
    ),
    max_leaves=6,
)
columns = st.sampled_from([st.integers(0, 9), st.text('xy\n"', max_size=3), names.map(constant), values])


@st.composite
def atoms(draw: st.DrawFn) -> AtomRows:
    arguments = draw(st.lists(columns, max_size=3))
    rows = draw(st.lists(st.tuples(*arguments), min_size=1, max_size=5 if arguments else 1))
    return AtomRows(Signature("p", len(arguments), draw(st.booleans())), rows)


@given(atoms())
def test_rows_come_back(given_atoms: AtomRows) -> None:
    block = block_of(given_atoms)
    assert "\n" not in block
    assert atoms_of(block) == given_atoms


@pytest.mark.parametrize(
    ("rows", "block"),
    [
        ([(1, "x", constant("a")), (2, "y", constant("b"))], '["p",1,"isc",[1,2],["x","y"],["a","b"]]'),
        ([()], '["p",1,""]'),
        ([(tuple_term(()),)], '["p",1,"t",[["",1]],[[0]]]'),
        ([(1,), ("x",), (1,)], '["p",1,"t",[1,"x"],[[0],[1],[0]]]'),
    ],
)
def test_columns_of_one_kind_stand_as_they_are(rows: list[tuple[Value, ...]], block: str) -> None:
    assert block_of(AtomRows(Signature("p", len(rows[0])), rows)) == block
