"""The demo on Spark finds what it finds in process."""

from datetime import datetime
from functools import cache
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from examples.flights.data import number_of_facts
from examples.flights.on_spark import difference, in_process, on_spark, stream_of, write_files
from lars2asp import Record


@cache
def some_days(number: int) -> list[Record]:
    """What happened from a stormy day on."""
    return stream_of(datetime(2013, 3, 8), number)


@pytest.mark.parametrize("at_once", [False, True])
def test_a_day(at_once: bool, spark: SparkSession, tmp_path: Path) -> None:
    """In two files; two buckets of keys. In one batch, what is read is answered in the next."""
    stream = some_days(1)
    write_files(stream, tmp_path / "events", 288)
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    try:
        distributed, batches = on_spark(spark, tmp_path, stream[-1].tick, "auto", at_once=at_once)
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", "1")
    alone = in_process(stream)
    assert distributed.text == alone.text
    assert "disrupted" in distributed.situations()
    assert batches == 2 if at_once else batches > 2


def test_a_difference_is_shown(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("1 began a\n2 ended a\n")
    other.write_text("1 began a\n3 ended a\n")
    assert difference(one, one) == []
    assert difference(one, other)[-3:] == ["-2 ended a", "+3 ended a", "... 5 lines in all"]


@pytest.mark.parametrize("days", [1, 2])
def test_the_files_hold_the_stream(days: int, tmp_path: Path) -> None:
    stream = some_days(days)
    write_files(stream, tmp_path / "events", 288)
    paths = sorted((tmp_path / "events").iterdir(), key=lambda path: path.stat().st_mtime)
    assert sum(len(path.read_text().splitlines()) for path in paths) == number_of_facts(stream)
    assert paths == sorted(paths)
