"""The output of the command: files of a folder, a table of Delta, or a topic of Kafka."""

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere
from pyspark.sql.streaming.readwriter import DataStreamWriter

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sinks.json_lines import json_line
from lars2asp.runtime.sources.text.text_files import write_whole
from lars2asp.runtime.spark.query.spark_query import (
    KAFKA,
    QueryOutputFormat,
    SparkQuery,
    is_kafka,
    needing_source,
    place_of,
    topic_of,
)

IN_JSON = ("time", "atom", "change", "partition", "reason")
"""The columns of answers that JSON has; Parquet and Delta have all."""


def check_output(query: SparkQuery, *, on_driver: bool) -> None:
    """Raises InputError for an output that the way of running has not."""
    if is_kafka(query.output):
        topic_of(query.output)
        if query.output_format is not QueryOutputFormat.JSONL:
            raise InputError(f"a topic receives lines of JSON: remove --output-format {query.output_format}")
    if on_driver and query.output_format is QueryOutputFormat.DELTA:
        raise InputError("--split driver writes files: jsonl or parquet")


def check_sink(spark: SparkSession, query: SparkQuery) -> None:
    """Raises SparkSetupError where Spark lacks the package for the output."""
    name = KAFKA if is_kafka(query.output) else query.output_format.value
    if name in (KAFKA, QueryOutputFormat.DELTA.value):
        sources = spark._jvm.org.apache.spark.sql.execution.datasources.DataSource  # type: ignore[union-attr]
        with needing_source(name, spark.version):
            sources.lookupDataSource(name, spark._jsparkSession.sessionState().conf())


def written(changes: DataFrame, query: SparkQuery) -> DataStreamWriter:
    """The writer of changes to the output, without checkpoint."""
    if is_kafka(query.output):
        servers, topic, options = topic_of(query.output)
        line = F.to_json(F.struct(*IN_JSON)).alias("value")
        writer = changes.select(F.col("atom").alias("key"), line).writeStream.format(KAFKA)
        return writer.options(**{"kafka.bootstrap.servers": servers, "topic": topic, **options})
    is_json = query.output_format is QueryOutputFormat.JSONL
    rows = changes.select(*IN_JSON) if is_json else changes
    kind = "json" if is_json else query.output_format.value
    return rows.writeStream.format(kind).option("path", place_of(query.output))


class BatchFiles:
    """Writes the changes of each batch to a file of its own; a batch that comes again overwrites it.

    In Parquet it is a folder `batch=N`, so that the number is a column for who reads the folder.
    """

    def __init__(self, folder: Path, form: QueryOutputFormat) -> None:
        self._folder = folder
        self._form = form

    def __call__(self, changes: DataFrame, batch: int) -> None:
        if self._form is QueryOutputFormat.PARQUET:
            place = place_of(str(self._folder / f"batch={batch}"))
            changes.coalesce(1).write.mode("overwrite").parquet(place)
            return
        rows = changes.select(*IN_JSON).collect()
        known = ({name: value for name, value in row.asDict().items() if value is not None} for row in rows)
        text = "".join(json_line(row, (",", ":")) for row in known)
        write_whole(self._folder / f"batch-{batch:08}.json", text.encode())
