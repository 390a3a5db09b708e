"""The session of this machine, and waiting for its queries."""

import os
import signal
import sys
from typing import cast

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from lars2asp.runtime.spark.query.waiting import wait_for_end
from lars2asp.runtime.spark.session.local_session import ROCKSDB, STATE_STORE, local_session
from lars2asp.runtime.spark.spark_errors import SparkSetupError


def test_settings(spark: SparkSession) -> None:
    """What is asked for comes before what is set by default."""
    assert spark.sparkContext.master == "local[2]"
    assert spark.conf.get("spark.sql.shuffle.partitions") == "1"
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    assert spark.conf.get(STATE_STORE) == ROCKSDB


def test_the_session_that_runs_is_taken(spark: SparkSession) -> None:
    """Only what the caller asks for is set on it."""
    spark.conf.set("spark.sql.session.timeZone", "Europe/Vienna")
    try:
        assert local_session("local[7]", config={"spark.lars2asp.test": "x"}) is spark
        assert spark.conf.get("spark.lars2asp.test") == "x"
        assert spark.conf.get("spark.sql.session.timeZone") == "Europe/Vienna"
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.mark.usefixtures("spark")
def test_the_process_is_as_before() -> None:
    """Neither its environment nor what Ctrl-C does is changed."""
    assert "lars2asp" not in os.environ.get("JAVA_HOME", "")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.core.context", None)
    with pytest.raises(SparkSetupError, match=r"^Spark is needed: pip install 'lars2asp\[spark\]' "):
        local_session()


class Failing:
    """A query that fails."""

    stopped = False

    def awaitTermination(self) -> None:  # noqa: N802 - Spark's name
        raise ValueError("a batch failed")

    def stop(self) -> None:
        self.stopped = True


def test_a_query_fails() -> None:
    query = Failing()
    with pytest.raises(ValueError, match="a batch failed"):
        wait_for_end(cast(StreamingQuery, query))
    assert query.stopped
