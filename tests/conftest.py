"""One session of Spark for all tests; it starts with the first test that asks for it."""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from runtime.spark.session import local_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAST_START = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.memory": "640m",
    "spark.sql.shuffle.partitions": "1",
}
"""Small and soon there; tests that need more partitions set them."""


@pytest.fixture(scope="session")
def spark() -> "Iterator[SparkSession]":
    """A session on two cores; Java ends with the tests."""
    session = local_session("local[2]", app_name="tests", config=FAST_START)
    yield session
    session.stop()
    end_java()


def end_java() -> None:
    """Ends the Java that a stopped session leaves behind."""
    context = import_module("pyspark").SparkContext
    gateway = context._gateway
    assert gateway is not None
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    context._gateway = context._jvm = None
