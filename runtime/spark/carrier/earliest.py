"""The smallest time of a bounded DataFrame, where it decides when tick 0 begins."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere

from lars2asp.analysis.tick_moments import EPOCH, MICROSECOND, TickMoments
from lars2asp.runtime.sharding.layout import Routes
from lars2asp.runtime.sharding.routing import Router
from lars2asp.runtime.spark.carrier.boundary import selected
from lars2asp.runtime.spark.carrier.packet_frames import routed
from lars2asp.runtime.spark.carrier.rows import RowsReader
from lars2asp.runtime.spark.spark_errors import said_first

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
            router = Router(Routes((), of_input=True))
            for _ in routed(batches, looking, router):
                pass
            if router.first is not None:
                yield pa.record_batch([pa.array([router.first], pa.int64())], ["first"])

    found = selected(df, reader).mapInArrow(look, "first long").agg(F.min("first")).first()
    first = None if found is None else found[0]
    return None if first is None or first < _EPOCH else first - _EPOCH
