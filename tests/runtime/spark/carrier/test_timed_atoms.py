"""Rows of timed atoms become blocks by columns: what each of them says by itself."""

from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from lars2asp.analysis.argument_types.required import RequiredTypes
from lars2asp.runtime.sharding.blocks import read
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.packets import OUTPUT
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sources.facts.fact_reader import FactReader
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.timed_atoms import TimedAtoms
from lars2asp.splitting.parts import Split
from lars2asp.syntax.argument_type import INTEGER, Required
from lars2asp.syntax.nodes import Signature
from tests.runtime.sharding.packet_texts import texts_of
from tests.runtime.sharding.test_sharded_answers import EXAMPLES
from tests.support.spark_rows import EVERYTHING

LAST_TICK = 50
ATOMS = [
    "p(1)",
    "p(a)",
    'p("x(",2)',
    "p(1,2)",
    "p",
    "-p(3)",
    "q(-4)",
    "q(x)",
    "p(",
    "p(X)",
    "",
    " p(7)",
    "(1)",
]
READERS = [
    FactReader(),
    FactReader(decimals={Signature("p", 1): (1,)}),
]

Found = tuple[list[tuple[int, str, str]], list[tuple[str, str]], int]
"""Atoms with their ticks and signs, rejected rows with the reasons, and the latest tick."""


def of_batches(rows: TimedAtoms, batches: list[pa.RecordBatch]) -> Found:
    """What comes of batches, each with a router of its own."""
    atoms, rejected, latest = list[tuple[int, str, str]](), list[tuple[str, str]](), -1
    for batch in batches:
        router = Router(Layout(Split((EVERYTHING,)), (1,)).input_routes(0), last_tick=LAST_TICK)
        rows.route(batch, router)
        for packet in router.packets():
            latest = max(latest, packet.tick)
            if packet.target == OUTPUT:
                rejected += [(str(a), str(b)) for block in read(packet.data) for a, b in block.rows]
            else:
                atoms += [(tick, sign, text) for tick, sign, [text] in texts_of(packet.data)]
    return sorted(atoms), sorted(rejected), latest


times = st.sampled_from([3, 4, 50, 51, -1]) | st.integers(0, 60)
untils = st.none() | st.integers(0, 70)


@st.composite
def batches(draw: st.DrawFn) -> pa.RecordBatch:
    """Rows; times are integers or texts."""
    count = draw(st.integers(0, 60))

    def column(values: st.SearchStrategy[Any], kind: pa.DataType) -> pa.Array:
        return pa.array(draw(st.lists(values, min_size=count, max_size=count)), kind)

    is_text = draw(st.booleans())
    found = {
        "time": column(times.map(str) | st.sampled_from(["", "x"]), pa.string())
        if is_text
        else column(times | st.none(), pa.int64()),
        "atom": column(st.sampled_from(ATOMS[:5]) | st.sampled_from(ATOMS) | st.none(), pa.string()),
    }
    if draw(st.booleans()):
        changes = ["", "", "began", "ended", "rejected", "lost", None]
        found["change"] = column(st.sampled_from(changes), pa.string())
    if draw(st.booleans()):
        found["until"] = (
            column(untils.map(lambda one: "" if one is None else str(one)) | st.just("x"), pa.string())
            if is_text
            else column(untils, pa.int64())
        )
    return pa.record_batch(found)


@settings(max_examples=10 * EXAMPLES, deadline=None)
@given(batches(), st.sampled_from(READERS))
def test_rows_say_by_columns_what_they_say_alone(batch: pa.RecordBatch, facts: FactReader) -> None:
    rows = TimedAtoms(tuple(batch.schema.names), Timeline(), facts)
    alone = [batch.slice(place, 1) for place in range(batch.num_rows)]
    assert of_batches(rows, [batch]) == of_batches(rows, alone)


def test_arguments_that_are_not_what_is_required_are_rejected_alone() -> None:
    required: RequiredTypes = {Signature("p", 1): (Required(INTEGER),)}
    texts = [f"p({number})" for number in range(40)] + ["p(a)"]
    batch = pa.record_batch({"time": pa.array([3] * 41), "atom": pa.array(texts)})
    rows = TimedAtoms(("time", "atom"), Timeline(), FactReader(required=required))
    atoms, rejected, _ = of_batches(rows, [batch])
    assert len(atoms) == 40
    assert [text for _, text in rejected] == ["3 p(a)"]
