"""Queries with state, as simple as they can be: what the set-up must make work."""

from pathlib import Path

from pyspark.sql import SparkSession

from tests.runtime.spark.conftest import Collect
from tests.runtime.spark.running_counts import running_counts


def test_state_goes_on_from_the_checkpoint(spark: SparkSession, collect: Collect, tmp_path: Path) -> None:
    files = tmp_path / "words"
    files.mkdir()
    words = spark.readStream.schema("word string").csv(str(files))

    (files / "1.csv").write_text("a\nb\na\n")
    assert sorted(collect(running_counts(words))) == [("a", 2), ("b", 1)]
    (files / "2.csv").write_text("c\na\n")
    assert sorted(collect(running_counts(words))) == [("a", 3), ("c", 1)]
