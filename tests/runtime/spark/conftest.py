"""One session of Spark for all tests; it starts with the first test that asks for it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, Row, SparkSession

from runtime.spark.session import local_session
from runtime.spark.waiting import wait_for_end

FAST_START = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.memory": "640m",
    "spark.sql.shuffle.partitions": "1",
}
"""Small and soon there; tests that need more partitions set them."""

Collect = Callable[[DataFrame], list[Row]]
"""Runs a query over the files that are there and gives its rows; the next call goes on from there."""


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A session on two cores; Java ends with the tests."""
    session = local_session("local[2]", app_name="tests", config=FAST_START)
    yield session
    session.stop()
    end_java()


def end_java() -> None:
    """Ends the Java that a stopped session leaves behind."""
    gateway = SparkContext._gateway
    assert gateway is not None
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    SparkContext._gateway = SparkContext._jvm = None


@pytest.fixture
def collect(spark: SparkSession, tmp_path: Path) -> Collect:
    """Runs a streaming query until all is read."""
    checkpoint = tmp_path / "checkpoint"

    def run(frame: DataFrame) -> list[Row]:
        rows: list[Row] = []
        query = (
            frame.writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect()))
            .outputMode("append")
            .option("checkpointLocation", str(checkpoint))
            .trigger(availableNow=True)
            .start()
        )
        wait_for_end(query)
        return rows

    return run
