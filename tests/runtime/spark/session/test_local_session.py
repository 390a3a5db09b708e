"""The session of this machine."""

import os
import signal
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from lars2asp.runtime.spark.session.local_session import ROCKSDB, STATE_STORE, local_session, session_config
from lars2asp.runtime.spark.spark_errors import SparkSetupError
from tests.runtime.spark.collecting import Collect
from tests.runtime.spark.session.running_counts import running_counts
from tests.runtime.spark.session.worker_daemons import worker_daemons


def test_settings(spark: SparkSession) -> None:
    """The caller's settings come before what is set by default."""
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


@pytest.mark.parametrize(
    ("given", "is_serial"), [({}, True), ({"spark.driver.extraJavaOptions": "-Xss4m -XX:+UseG1GC"}, False)]
)
def test_java_has_one_collector(given: dict[str, str], is_serial: bool) -> None:
    options = session_config("local[1]", given, reports_failures=True)
    java = f"{options['spark.driver.defaultJavaOptions']} {options.get('spark.driver.extraJavaOptions', '')}"
    assert ("-XX:+UseSerialGC" in java) is is_serial
    assert java.count("GC") == 1


@pytest.mark.usefixtures("spark")
def test_the_process_is_as_before() -> None:
    """Neither its environment nor what Ctrl-C does is changed."""
    assert "lars2asp" not in os.environ.get("JAVA_HOME", "")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.core.context", None)
    with pytest.raises(
        SparkSetupError, match=r"package pyspark is missing: pip install 'lars2asp\[spark\]'$"
    ):
        local_session()


def test_all_workers_are_copies_of_one_process(spark: SparkSession, collect: Collect, tmp_path: Path) -> None:
    """Each such process imports for seconds what workers need."""
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "1.csv").write_text("a\n")
    words = spark.readStream.schema("word string").csv(str(tmp_path / "words"))
    assert len(set(collect(worker_daemons(words)))) == 1


def test_state_goes_on_from_the_checkpoint(spark: SparkSession, collect: Collect, tmp_path: Path) -> None:
    """A query with state, as simple as it can be: the session must make it work."""
    files = tmp_path / "words"
    files.mkdir()
    words = spark.readStream.schema("word string").csv(str(files))

    (files / "1.csv").write_text("a\nb\na\n")
    assert sorted(collect(running_counts(words))) == [("a", 2), ("b", 1)]
    (files / "2.csv").write_text("c\na\n")
    assert sorted(collect(running_counts(words))) == [("a", 3), ("c", 1)]
