"""A program that uses Spark as this project does; a test runs it where no Java is installed.

    python -m tests.runtime.spark.session.without_java FOLDER

It prints the version of Java, and then what was read back from Spark.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyspark.sql import Row

from lars2asp.runtime.spark.query.waiting import wait_for_end
from lars2asp.spark import local_session
from tests.runtime.spark.session.running_counts import running_counts


def doubled(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Twice each number."""
    return (frame * 2 for frame in frames)


def first_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The first row of each batch."""
    return (batch.slice(0, 1) for batch in batches)


def main(folder: Path) -> None:
    """Counts, calls Python for rows, and runs a query with state over files."""
    spark = local_session("local[1]")
    assert spark.sparkContext._jvm is not None
    print("java", spark.sparkContext._jvm.java.lang.System.getProperty("java.specification.version"))
    print("count", spark.range(3).count())
    print("pandas", [row.id for row in spark.range(3).mapInPandas(doubled, "id long").collect()])
    print("arrow", [row.id for row in spark.range(3).mapInArrow(first_rows, "id long").collect()])
    (folder / "words").mkdir()
    (folder / "words" / "1.csv").write_text("a\nb\na\n")
    words = spark.readStream.schema("word string").csv(str(folder / "words"))
    rows: list[Row] = []
    writer = running_counts(words).writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect()))
    writer = writer.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True)
    wait_for_end(writer.start())
    print("stream", sorted(map(tuple, rows)))
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
