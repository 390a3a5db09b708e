"""Blocks give back the very rows that they were made of."""

from itertools import compress

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lars2asp.externals.terms.terms import (
    INFIMUM,
    SUPREMUM,
    AtomRows,
    Row,
    Value,
    constant,
    function,
    tuple_term,
)
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.sharding.blocks import Block, read, written
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


@given(
    st.lists(st.tuples(atoms(), st.sampled_from("fbe"), st.none() | st.integers(0, 9)), max_size=3), st.data()
)
def test_atoms_come_back(given_atoms: list[tuple[AtomRows, str, int | None]], data: st.DataObject) -> None:
    made = []
    for one, sign, until in given_atoms:
        number = len(one.rows)
        ticks = data.draw(st.lists(st.integers(0, 2**31), min_size=number, max_size=number))
        last = None if until is None else [*range(until, until + number)]
        block = Block.of(sign, one, ticks, last)
        made.append((sign, last, one, ticks))
        mask = data.draw(st.lists(st.booleans(), min_size=number, max_size=number))
        some = block.where(pa.array(mask))
        assert some.rows == [*compress(one.rows, mask)]
        assert some.ticks == [*compress(ticks, mask)]
        assert some.until == (None if last is None else [*compress(last, mask)])
        for place in range(one.signature.arity):
            values, numbers = some.distinct(place)
            assert [values[n] for n in numbers.to_pylist()] == [row[place] for row in some.rows]
            assert len({*map(text_of, values)}) == len(values)
    found = read(written(Block.of(sign, one, ticks, until) for sign, until, one, ticks in made))
    assert [(b.sign, b.until, AtomRows(b.signature, b.rows), b.ticks) for b in found] == made


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (
            [(1, "x", constant("a")), (2, "y", constant("b"))],
            {"i0": [1, 2], "s1": ["x", "y"], "c2": ["a", "b"]},
        ),
        ([()], {}),
        ([(tuple_term(()),)], {"t0": [0]}),
        ([(1,), ("x",), (1,)], {"t0": [0, 1, 0]}),
    ],
)
def test_columns_of_one_kind_stand_as_they_are(rows: list[Row], columns: dict[str, list[object]]) -> None:
    block = Block.of("f", AtomRows(Signature("p", len(rows[0])), rows), [7] * len(rows))
    assert block.columns.to_pydict() == {"tick": [7] * len(rows)} | columns


@pytest.mark.parametrize(
    ("column", "integers"),
    [
        ([3, -(2**31)], [3, -(2**31)]),
        ([3, 2**31, -(2**63)], [3, 2**31, -(2**63)]),
        ([3, 2**63], [3, None]),
        (
            ["12", " -7 ", "+1", "x", "", "1.0", "3000000000", "9" * 19, "00000000012"],
            [12, -7, 1, *[None] * 3, 3000000000, None, 12],
        ),
        ([1, "2", constant("a"), function("f", (1,))], [1, 2, None, None]),
    ],
)
def test_integers_among_arguments(column: list[Value], integers: list[int | None]) -> None:
    atoms = AtomRows(Signature("p", 1), [(value,) for value in column])
    assert Block.of("f", atoms, [1] * len(column)).integers(0).to_pylist() == integers


@pytest.mark.parametrize(("name", "ranks"), [("rank", [5, -5]), ("moment", [5000, -5])])
def test_blocks_of_0_3_0_have_times(name: str, ranks: list[int]) -> None:
    """A journal that was kept by it is read."""
    block = Block.of("f", AtomRows(Signature("p", 1), [(1,), (2,)]), [3, 3], [4, 4], [5, -5])
    renamed = block.columns.rename_columns([*block.columns.schema.names[:2], name, "until"])
    assert Block(block.sign, block.signature, renamed).ranks == ranks
    assert Block.of("f", AtomRows(Signature("p", 1), [(1,)]), [3]).ranks is None
