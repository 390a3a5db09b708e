"""Data frames at places with decimals: read as the table with the same numbers is."""

from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp import InputError, Reading, Reasoner, Rejected, read_frame
from lars2asp.externals.terms.terms import Row
from lars2asp.runtime.sources.reading import Format
from lars2asp.runtime.sources.records import Record
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.parser import parse_input_declaration

PROGRAM = """
    #input reading(room, temp) at time.
    #decimals reading(_,1).
    hot(R,T) :- reading(R,T), T > 25.5.
"""

NUMBERS = st.decimals(-(2**31), 2**31, places=3, allow_nan=False, allow_infinity=False) | st.sampled_from(
    [Decimal(text) for text in ("24.100", "-0.500", "214748364.700", "26.000", "0.000")]
)
WORDS = st.sampled_from([" 24.1 ", "2.41e1", "+5", "007", ".5", "24,1", "hall", "1e99", "-7", "24.110"])

KINDS: dict[str, pa.DataType] = {
    "long": pa.int64(),
    "short": pa.int16(),
    "float": pa.float64(),
    "decimal": pa.decimal128(20, 3),
    "large decimal": pa.decimal256(50, 3),
    "whole decimal": pa.decimal128(12, 0),
    "text": pa.string(),
}


@st.composite
def columns(draw: st.DrawFn) -> pa.Array:
    """Numbers as one of the types, some of them missing; they may be a part of a column, or a dictionary."""
    name = draw(st.sampled_from([*KINDS]))
    values: list[object] = []
    for number in draw(st.lists(NUMBERS, max_size=5)):
        if name == "text":
            values.append(draw(WORDS | st.just(str(number))))
        elif name == "float":
            values.append(float(number))
        elif "decimal" in name:
            values.append(Decimal(int(number)) if name.startswith("whole") else number)
        else:
            values.append(int(number) % 2**15 if name == "short" else int(number))
    if draw(st.booleans()):
        values.append(None)
    column = pa.array(values, KINDS[name]).slice(draw(st.integers(0, 1)))
    return column.dictionary_encode() if draw(st.booleans()) and name != "large decimal" else column


def as_written(value: object) -> str:
    """A value as a table has it: without a point where it is whole."""
    if isinstance(value, float | Decimal):
        return str(int(value)) if value == int(value) else str(value)
    return "" if value is None else str(value)


@settings(max_examples=100)
@given(
    columns(), st.integers(0, 4), st.sampled_from(["v", "int(v)", "v*10", "v*7", "text(v)", "constant(v)"])
)
def test_a_frame_is_read_as_the_table(column: pa.Array, decimals: int, declared: str) -> None:
    if declared == "text(v)" and not pa.types.is_integer(column.type):
        declared = "v"  # numbers that may have fractions have a point as text, others are stripped
    reading = Reading(
        Format.CSV,
        declarations=[parse_input_declaration(f"p({declared})")],
        decimals={Signature("p", 1): (decimals,)} if decimals else {},
    )
    table = pa.table({"time": pa.array(range(len(column))), "v": column})
    cells = (as_written(value).replace('"', '""') for value in column.to_pylist())
    lines = ["time,v", *(f'{time},"{cell}"' for time, cell in enumerate(cells))]
    rejected: list[list[int]] = [[], []]

    def found(records: list[Record]) -> list[tuple[int, list[Row]]]:
        return [(one.tick, [row for atoms in one.events.facts for row in atoms.rows]) for one in records]

    def reject(one: Rejected) -> None:
        is_table = one.origin.source == "table"
        assert one.reason.startswith("column v: ")
        rejected[is_table].append(one.origin.line - is_table)

    assert found([*read_frame(table, reading, reject)]) == found([*reading.records(lines, "table", reject)])
    assert rejected[0] == rejected[1]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"time": [1, 2, 3], "room": "k", "temp": [24.1, 26.0, None]}),
        pl.DataFrame({"time": [1, 2, 3], "room": ["k"] * 3, "temp": [24.1, 26.0, None]}).with_columns(
            pl.col("temp").cast(pl.Decimal(10, 2))
        ),
        pa.table({"time": [1, 2, 3], "room": ["k"] * 3, "temp": ["24.1", "26", None]}),
        pa.table({"time": [1, 2], "room": ["k"] * 2, "temp": [24, 26]}),
    ],
)
def test_numbers_of_frames_are_what_they_say(frame: object) -> None:
    answers = Reasoner.from_text(PROGRAM).run(frame, emit=None)  # type: ignore[call-overload]
    assert [(one.tick, one.holds.texts) for one in answers][:1] == [(2, ('hot("k",26.0)',))]


def test_digits_that_the_place_does_not_have_are_refused() -> None:
    frame = pd.DataFrame({"time": [1, 2], "room": "k", "temp": [24.1, 24.15]})
    with pytest.raises(InputError, match=r"<frame>:2: error: column temp: 24\.15 has more than 1 decimal"):
        [*Reasoner.from_text(PROGRAM).run(frame, emit="every", on_reject="stop")]
    rejected: list[Rejected] = []
    found = [
        *Reasoner.from_text(PROGRAM).run(
            frame.assign(temp=[3.05, 26]), on_reject=rejected.append, emit="every"
        )
    ]
    assert [one.origin.line for one in rejected] == [1]
    assert found[-1].holds.texts == ('hot("k",26.0)',)


@pytest.mark.parametrize("kind", ["decimal32", "decimal64"])
def test_small_decimals(kind: str) -> None:
    column = pa.array([Decimal("26.1"), None], getattr(pa, kind)(5, 1))
    table = pa.table({"time": [1, 2], "room": ["k", "k"], "temp": column})
    assert [one.holds.texts for one in Reasoner.from_text(PROGRAM).run(table, emit="every")] == [
        ('hot("k",26.1)',),
        (),
    ]
    other = PROGRAM.replace("temp)", "temp*3)").replace("T > 25.5", "T > 0")
    assert [one.holds.texts for one in Reasoner.from_text(other).run(table, emit="every")] == [
        ('hot("k",7.8)',),
        (),
    ]
