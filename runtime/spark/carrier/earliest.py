"""The smallest time of a bounded DataFrame, where it decides when tick 0 begins."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

from lars2asp.analysis.tick_moments import EPOCH, LARGEST_TICK, MICROSECOND, TickMoments
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.sharding.blocks import Block
from lars2asp.runtime.sharding.packets import PacketSign
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.sharding.row_counts import RowCounts
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.spark.carrier.boundary import selected
from lars2asp.runtime.spark.carrier.rows import RowsReader
from lars2asp.runtime.spark.carrier.table_files import TableFiles
from lars2asp.runtime.spark.spark_errors import said_first
from lars2asp.syntax.nodes import Signature

_ORIGIN = datetime(1, 1, 1, tzinfo=UTC)
"""So long before our time that no number of ticks is as large as those of moments."""

_EPOCH = (EPOCH - _ORIGIN) // MICROSECOND


def first_moment(df: DataFrame, reader: RowsReader) -> int | None:
    """The smallest time, in microseconds since the Unix epoch; None where rows have none but ticks."""
    timeline = reader.timeline
    moments = TickMoments(1, _ORIGIN, timeline.zone)
    looking: RowsReader = replace(reader, timeline=replace(timeline, tick_length=1, ticks_by=moments))

    def look(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        with said_first():
            router = _Earliest()
            for batch in batches:
                if isinstance(looking, TableFiles):
                    for _ in looking.parts(batch, router):
                        pass
                else:
                    looking.route(batch, router)
            if router.earliest is not None:
                yield pa.record_batch([pa.array([router.earliest], pa.int64())], ["first"])

    found = selected(df, reader).mapInArrow(look, "first long").agg(F.min("first")).first()
    first = None if found is None else found[0]
    return None if first is None or first < _EPOCH else first - _EPOCH


class _Earliest(Router):
    """Takes the smallest tick of what comes, and nothing else."""

    def __init__(self) -> None:
        self.last_tick = LARGEST_TICK
        self.earliest: int | None = None
        self.counts = RowCounts(None, is_asked=False)

    def reach(self, tick: int) -> None:
        self.earliest = tick if self.earliest is None else min(self.earliest, tick)

    def add(self, record: Record) -> None:
        self.reach(record.tick)

    def add_atoms(
        self, tick: int, sign: PacketSign, atoms: Iterable[AtomRows], until: int | None = None
    ) -> None:
        self.reach(tick)

    def add_block(self, block: Block) -> None:
        self.reach(pc.min(block.columns.column(0)).as_py())

    def end_at(self, tick: int) -> None:
        """Where an interval ends does not matter."""

    def takes(self, signature: Signature) -> bool:
        return True

    def tell(self, records: Sequence[Record]) -> None:
        """Nothing is counted."""

    def reject(self, rejected: Rejected) -> None:
        """The row is rejected when it is read."""
