"""Driver mode, without Spark."""

import pickle
from pathlib import Path

import pyarrow as pa
import pytest

from lars2asp.compiler import checked_program, compile_program
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.shard_spec import ShardSettings
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.carrier.driver import CLOCK, DriverReasoner
from lars2asp.runtime.spark.carrier.rows import rows_reader
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, ShardedProgram
from lars2asp.runtime.spark.spark_settings import Partitioning, split_of
from lars2asp.syntax.source import Source


def test_the_timeline_starts_with_a_record_without_atoms(tmp_path: Path) -> None:
    checked = checked_program(Source("text", "a :- not p."))
    layout = Layout(split_of(checked, Partitioning.DRIVER), (1,))
    reader = rows_reader(["time", "atom"], (), Timeline())
    program = ShardedProgram(layout, ShardSettings(checked.semantics), reader, EventTime(), (0,))
    reasoner = DriverReasoner(program, tmp_path, lambda *_: pytest.fail("only packets are asked for"))
    times, atoms = ["3", "8", "10"], ["", "p", ""]
    clock = pa.nulls(len(times), pa.string())
    changes = reasoner.evaluate(pa.table([times, atoms, clock], ["time", "atom", CLOCK]), 0)
    found = [(one["time"], one["change"], one["atom"]) for one in changes.to_pylist()]
    assert sorted(found) == [(3, "began", "a"), (8, "ended", "a"), (9, "began", "a")]


def test_shards_are_the_same_in_each_process() -> None:
    """What tells them apart has nothing that is another there, also where clocks are changed."""
    source = Source("text", '#tick 1 min. #timezone "Europe/Vienna". #input p(x) at at. a :- p(_).')
    checked = checked_program(source)
    layout = Layout(split_of(checked, Partitioning.DRIVER), (1,))
    reader = rows_reader(["time", "atom"], (), Timeline.of(compile_program(source)).refusing)
    program = ShardedProgram(layout, ShardSettings(checked.semantics), reader, EventTime(), (0,))
    there = pickle.loads(program.pickled())
    assert there.specs[0].fingerprint == program.specs[0].fingerprint
