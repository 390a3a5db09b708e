"""Driver mode, without Spark."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lars2asp.runtime.spark.carrier.driver
from lars2asp.compiler import checked_program
from lars2asp.runtime.sharding.layout import Layout
from lars2asp.runtime.sharding.shard import ShardSettings
from lars2asp.runtime.sources.timeline import Timeline
from lars2asp.runtime.spark.carrier.driver import CLOCK, DriverReasoner
from lars2asp.runtime.spark.carrier.rows import rows_reader
from lars2asp.runtime.spark.carrier.sharded_program import EventTime, ShardedProgram
from lars2asp.splitting.parts import Split
from lars2asp.splitting.split import whole
from lars2asp.syntax.source import Source


class Frame:
    """Rows of a batch; is its own session, which hands back tables as they are."""

    def __init__(self, rows: list[tuple[str, str]]) -> None:
        times, atoms = ([*column] for column in zip(*rows, strict=True))
        clock: list[str | None] = [None] * len(rows)
        self._table = pa.table([pa.array(times), pa.array(atoms), pa.array(clock, pa.string())], self.names)
        self.sparkSession = self

    names = ("time", "atom", CLOCK)

    def toArrow(self) -> pa.Table:  # noqa: N802 - Spark's name
        return self._table

    def createDataFrame(self, table: pa.Table) -> pa.Table:  # noqa: N802 - Spark's name
        return table


def test_the_timeline_starts_with_a_record_without_atoms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lars2asp.runtime.spark.carrier.driver, "as_changes", lambda table: table)
    checked = checked_program(Source("text", "a :- not p."))
    layout = Layout(Split((whole(checked.program),)), (1,))
    reader = rows_reader(["time", "atom"], (), Timeline())
    job = ShardedProgram(layout, ShardSettings(checked.semantics), reader, EventTime(), (0,))
    lines: list[str] = []

    def sink(table: Any, batch: int) -> None:
        lines.extend("\n".join(table.column("text").to_pylist()).split("\n"))

    reasoner: Any = DriverReasoner(job, tmp_path, 0, sink)
    reasoner(Frame([("3", ""), ("8", "p"), ("10", "")]), 0)
    assert [line for line in lines if line] == ["3 + a", "8 - a", "9 + a"]
