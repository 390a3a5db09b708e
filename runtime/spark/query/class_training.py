"""A program that has Spark do what it does for most users, so that Java writes which classes it loads.

    python -m lars2asp.runtime.spark.query.class_training LIST

It prints Java's class path at last.
"""

import json
import sys
import tempfile
from pathlib import Path

from lars2asp.compiler import checked_program
from lars2asp.runtime.spark.answers import answers, answers_of
from lars2asp.runtime.spark.query.query_run import QueryRun
from lars2asp.runtime.spark.query.spark_query import FileFormat, QueryOutputFormat, SparkInput, SparkQuery
from lars2asp.runtime.spark.session.chatter import without_chatter
from lars2asp.runtime.spark.session.local_session import local_session
from lars2asp.runtime.spark.spark_settings import Partitioning, SparkSettings
from lars2asp.syntax.source import Source

PROGRAM = """
#tick 1 min.
#input reading(room, temperature*10) at time.
warm(R,T) :- reading(R,T) in [1 # by R], T > 250.
stays(R) :- warm(R,_) always in [3 min].
"""

MINUTES = 10

QUERIES = (
    (FileFormat.JSONL, QueryOutputFormat.JSONL, Partitioning.AUTO),
    (FileFormat.PARQUET, QueryOutputFormat.PARQUET, Partitioning.AUTO),
    (FileFormat.CSV, QueryOutputFormat.JSONL, Partitioning.DRIVER),
)


def main(classes: Path) -> None:
    """Runs bounded DataFrames and streams."""
    with without_chatter():
        spark = local_session(
            "local[2]", config={"spark.driver.extraJavaOptions": f'"-XX:DumpLoadedClassList={classes}"'}
        )
    readings = [
        {"time": f"2026-01-01T00:{minute:02}:00Z", "room": room, "temperature": 20.5 + minute}
        for minute in range(MINUTES)
        for room in ("hall", "kitchen")
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = folder / FileFormat.JSONL / "readings.jsonl"
        lines.parent.mkdir()
        lines.write_text("".join(f"{json.dumps(reading)}\n" for reading in readings))
        rows = spark.read.schema("time timestamp, room string, temperature double").json(str(lines.parent))
        answers(rows, PROGRAM).collect()
        answers_of(rows, PROGRAM, "warm/2").toArrow()
        rows.write.parquet(str(folder / FileFormat.PARQUET))
        rows.write.option("header", True).csv(str(folder / FileFormat.CSV))
        for number, (read, written, partition) in enumerate(QUERIES):
            source = SparkInput(str(folder / read), read)
            settings = SparkSettings.of({"split": partition, "input_format": source.form})
            query = SparkQuery(
                source,
                str(folder / f"output{number}"),
                folder / f"checkpoint{number}",
                until=str(readings[-1]["time"]),
                output_format=written,
                is_quiet=True,
            )
            QueryRun(checked_program(Source("training", PROGRAM)), settings, query).done()
    assert spark.sparkContext._jvm is not None
    class_path = spark.sparkContext._jvm.java.lang.System.getProperty("java.class.path")
    spark.stop()
    sys.stdout.write(f"\n{class_path}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
