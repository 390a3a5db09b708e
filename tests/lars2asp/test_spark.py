"""The public face of Spark."""

import sys

import pytest

import lars2asp.spark
from lars2asp.runtime.spark.spark_errors import SparkSetupError

MOST_NAMES = 7


def test_all_names_are_there() -> None:
    pytest.importorskip("pyspark")
    assert len(lars2asp.spark.__all__) <= MOST_NAMES
    assert all(hasattr(lars2asp.spark, name) for name in lars2asp.spark.__all__)
    with pytest.raises(AttributeError, match="no attribute 'answer'"):
        _ = lars2asp.spark.answer  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("wait_for_end", "write `with plain_errors()"),
        ("SparkError", "catch lars2asp.Lars2aspError"),
        ("Partitioning", "takes text"),
        ("SparkOptions", "keywords"),
        ("split_of", "lars2asp compile --split"),
        ("without_chatter", "lars2asp.runtime.spark.session.chatter"),
    ],
)
def test_names_that_are_gone_say_what_to_write(name: str, instead: str) -> None:
    with pytest.raises(ImportError, match=rf"^{name} is not a name of lars2asp.spark any more: .*{instead}"):
        getattr(lars2asp.spark, name)


def test_without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """The face itself is there."""
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    monkeypatch.delitem(sys.modules, "lars2asp.runtime.spark.answers", raising=False)
    with pytest.raises(
        SparkSetupError,
        match=r"^Spark: the package pyspark is missing: pip install 'lars2asp\[spark\]'$",
    ):
        from lars2asp.spark import answers  # noqa: F401, PLC0415
