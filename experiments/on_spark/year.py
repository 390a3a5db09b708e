"""A year of flights on two cores of Spark, as a batch DataFrame and as a stream, beside one reasoner."""

import sys
import tempfile
from datetime import datetime
from pathlib import Path
from time import perf_counter

from examples.flights.__main__ import PROGRAM
from examples.flights.on_spark import ROWS, Change, in_process, on_spark, stream_of, write_files
from experiments.on_spark.tables import write_head, write_row
from lars2asp.runtime.spark.session.chatter import without_chatter
from lars2asp.runtime.spark.spark_settings import Partitioning
from lars2asp.spark import answers, local_session

DAYS = 365
TICKS = 288 * 30
"""Those of a file: a month."""


def year() -> None:
    """Measures; SystemExit where changes differ."""
    stream = stream_of(datetime(2013, 1, 1), DAYS)
    alone = in_process(stream)
    write_head("a year of flights on two cores; seconds, without the start of Spark", "way", "seconds")
    write_row("in process", f"{alone.seconds:.2f}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(stream, folder / "events", TICKS)
        begin = perf_counter()
        with without_chatter():
            spark = local_session("local[2]")
        spark.range(10).count()
        write_row("start of Spark", f"{perf_counter() - begin:.2f}")
        for way in ("batch DataFrame", "the same again"):
            begin = perf_counter()
            rows = spark.read.schema(ROWS).json(str(folder / "events"))
            found = answers(rows, PROGRAM, complete_windows=True).select("time", "change", "atom").collect()
            write_row(way, f"{perf_counter() - begin:.2f}")
            _check([(row.time, row.change, row.atom) for row in found], alone.changes, way)
        for at_once in (True, False):
            place = folder / ("at once" if at_once else "months")
            place.mkdir()
            (place / "events").symlink_to(folder / "events")
            run, batches = on_spark(spark, place, stream[-1].tick, Partitioning.AUTO, at_once=at_once)
            write_row(f"stream, {batches} batches", f"{run.seconds:.2f}")
            _check(run.changes, alone.changes, "stream")
        spark.stop()


def _check(found: list[Change], expected: list[Change], what: str) -> None:
    """Raises SystemExit where changes differ."""
    if sorted(found) != sorted(expected):
        sys.exit(f"{what}: {len(found)} changes, {len(expected)} in process, and not the same")
