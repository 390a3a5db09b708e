"""Tables become blocks of atoms by columns: what is read of them row by row."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from random import Random
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.arrow.arrow_columns import texts_of
from lars2asp.runtime.sources.records import LEFT_OUT
from lars2asp.runtime.sources.tables.row_reader import RowReader
from lars2asp.runtime.sources.tables.table_form import Dialect
from lars2asp.runtime.sources.times.timeline import Timeline, TimeUnit
from lars2asp.runtime.spark.carrier.table_rows import SparkTableRows
from lars2asp.syntax.nodes import COMPARED, Column, Condition, Input, InputTime
from lars2asp.syntax.parser import parse_input_declaration
from tests.support.examples import number_of_examples
from tests.support.spark_rows import routed_by

EXAMPLES = number_of_examples(300)
LAST_TICK = 50_000_000

Found = tuple[set[tuple[int, str]], list[tuple[str, str]], int]
"""Atoms with ticks, rejected rows with reasons, and the latest tick."""

_WORDS = [
    "",
    " ",
    "a",
    "bC",
    "B",
    "12",
    "-3",
    "+4",
    "007",
    "2.5",
    ".5",
    "1e3",
    "3000000000",
    'q"',
    "\\",
    " 7 ",
    "ä",
]
_TIMES = ["1", "3", "-1", "99999999999", "2026-01-01T00:00:01Z", "x", "", "50000001", "7"]
_KINDS: dict[str, tuple[pa.DataType, Callable[[Random], Any]]] = {
    "string": (pa.string(), lambda choose: choose.choice(_WORDS)),
    "plain": (pa.string(), lambda choose: choose.choice(["a", "bC", "_x,y ", "a-1", 'Z"\\'])),
    "times": (pa.string(), lambda choose: choose.choice(_TIMES)),
    "small": (pa.int32(), lambda choose: choose.randint(-9, 9)),
    "positive": (pa.int64(), lambda choose: choose.randint(0, 9)),
    "large": (pa.int64(), lambda choose: choose.choice([2**31 - 1, -(2**31), 2**40, 5])),
    "unsigned": (pa.uint8(), lambda choose: choose.randint(0, 200)),
    "double": (pa.float64(), lambda choose: choose.choice([1.5, -2.25, 0.05, 1e300, float("nan")])),
    "decimal": (pa.decimal128(9, 2), lambda choose: Decimal(4 * choose.randint(-70, 70) + 1) / 4),
    "flag": (pa.bool_(), lambda choose: choose.random() < 0.5),
    "day": (pa.date32(), lambda choose: date(2026, 1, choose.randint(1, 3))),
    "moment": (
        pa.timestamp("us", tz="Europe/Vienna"),
        lambda choose: datetime(2026, 1, 1, 0, 0, choose.randint(0, 9), choose.randint(0, 9), tzinfo=UTC),
    ),
    "early": (
        pa.timestamp("us", tz="UTC"),
        lambda choose: datetime(choose.choice([1960, 2026]), 1, 1, tzinfo=UTC),
    ),
    "local": (pa.timestamp("us"), lambda choose: datetime(2026, 1, 1, 0, 0, choose.randint(0, 9))),
    "nothing": (pa.null(), lambda choose: None),
}
_TIME_KINDS = ["times", "positive", "positive", "small", "large", "moment", "early", "local", "day"]
_CONVERSIONS = [
    (None, ""),
    (10, ""),
    (None, "int"),
    (None, "text"),
    (None, "any"),
    (None, "constant"),
    (3, ""),
    (0, ""),
]
_FIXED = ['"a b"', "-5", "hall"]
_TIMELINES = [
    Timeline(),
    Timeline(1_000_000, origin=datetime(2025, 12, 31, tzinfo=UTC)),
    Timeline(7, origin=datetime(2025, 12, 31, 23, 59, tzinfo=UTC), zone=UTC),
    Timeline(1_000_000, TimeUnit.SEC),
]


def by_rows(rows: SparkTableRows, batch: pa.RecordBatch) -> Found:
    """What a table says, each row by itself."""
    readers = [
        RowReader(one, rows.columns, "the rows", rows.timeline, Dialect(), has_empty_texts=True)
        for one in rows.declarations
    ]
    for reader, one in zip(readers, rows.declarations, strict=True):
        reader.asks_filled = one.asks_filled
    atoms, rejected, latest = set[tuple[int, str]](), list[tuple[str, str]](), 0
    for row in zip(*map(texts_of, batch.columns), strict=True):
        try:
            read = [reader.read(row) for reader in readers]
            timed = [(tick, fact) for tick, fact in read if tick is not None]
            facts = [one for one in timed if one[1] is not LEFT_OUT] or timed[:1]
            for tick, _ in facts:
                if tick > LAST_TICK:
                    raise InputError(
                        f"tick {tick} is later than {LAST_TICK}, the last tick of Spark's event time"
                    )
        except InputError as error:
            rejected.append((str(error), ",".join([cell or "" for cell in row])))
            continue
        for tick, fact in facts:
            latest = max(latest, tick)
            atoms |= {(tick, text) for text in (atom_texts(*fact) if fact is not None else ())}
    return atoms, sorted(rejected), latest


def by_columns(rows: SparkTableRows, batch: pa.RecordBatch) -> Found:
    """What a table says, by its columns."""
    return routed_by(rows, batch, LAST_TICK)[:3]


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_columns_say_what_rows_say(seed: int) -> None:
    choose = Random(seed)
    kinds = [choose.choice(_TIME_KINDS), *(choose.choice([*_KINDS]) for _ in range(choose.randint(1, 3)))]
    missing = choose.choice([0, 0, 0.2])
    count = choose.randint(0, 12)
    columns = [
        pa.array(
            [None if choose.random() < missing else _KINDS[kind][1](choose) for _ in range(count)],
            type=_KINDS[kind][0],
        )
        for kind in kinds
    ]
    batch = pa.record_batch(columns, names=[f"c{place}" for place in range(len(kinds))])

    def column() -> Column:
        return replace(
            Column(f"c{choose.randrange(len(kinds))}", *choose.choice(_CONVERSIONS)),
            otherwise=choose.choice([None, None, "0", "none", ""]),
        )

    def condition() -> Condition:
        if choose.random() < 0.5:
            return Condition(column(), choose.choice(["=", "!="]), choose.choice(["a", "12", "2.5", ""]))
        read = replace(column(), or_missing=choose.random() < 0.5)
        return Condition(read, choose.choice([*COMPARED]), choose.choice(["0", "2.5", "-3"]), True)

    declarations = tuple(
        Input(
            f"p{number}",
            (
                *(column() for _ in range(choose.randint(0, 3))),
                *choose.choice([(), (), (Column("c1"), Column(choose.choice(_FIXED), None, "fixed"))]),
            ),
            choose.choice(["c0", "c0", "c1"]),
            other_times=choose.choice([(), (), (InputTime(("c1",)),)]),
            conditions=tuple(condition() for _ in range(choose.choice([0, 0, 1, 2]))),
        )
        for number in range(choose.randint(1, 2))
    )
    rows = SparkTableRows(tuple(batch.schema.names), declarations, choose.choice(_TIMELINES))
    try:
        found = by_columns(rows, batch)
    except InputError as error:  # `check_columns` refuses it
        assert re.search("contains (timestamps, but|local times: )", str(error))
    else:
        assert found == by_rows(rows, batch)


def test_fractions_are_as_in_frames() -> None:
    """NaN is missing, and a whole number is an integer but for texts."""
    declared = parse_input_declaration("#input p(any(x), text(x)) at ts.")
    batch = pa.record_batch({"ts": [1, 2, 3], "x": pa.array([3.0, float("nan"), 2.5], pa.float32())})
    assert by_columns(SparkTableRows(("ts", "x"), (declared,), Timeline()), batch)[0] == {
        (1, 'p(3,"3.0")'),
        (3, 'p("2.5","2.5")'),
    }


def test_each_column_that_matches() -> None:
    batch = pa.record_batch(
        {"ts": [1, 2, 3], "TI1": [20, None, 7], "TI2": [None, None, 8], "mode": ["a", "a", "b"]}
    )
    declared = parse_input_declaration(
        '#input p(k, x, mode, record()) at ts each k, x of columns "TI*" where x < 20.'
    )
    plain = parse_input_declaration("#input q(record()) at ts.")
    rows = SparkTableRows(tuple(batch.schema.names), (declared, plain), Timeline())
    assert rows.needed == {"ts", "TI1", "TI2", "mode"}
    atoms, rejected, _ = by_columns(rows, batch)
    told = sorted(text.rpartition(",")[0] for _, text in atoms if text.startswith("p"))
    assert told == ['p("TI1",7,"b"', 'p("TI2",8,"b"']
    assert len({text.rpartition(",")[2].rpartition("(")[2] for _, text in atoms}) == len(atoms) == 5
    assert not rejected
