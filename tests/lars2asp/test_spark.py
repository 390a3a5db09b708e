"""The public face of Spark."""

import sys

import pytest

import lars2asp.spark


def test_all_names_are_there() -> None:
    pytest.importorskip("pyspark")
    assert all(hasattr(lars2asp.spark, name) for name in lars2asp.spark.__all__)
    with pytest.raises(AttributeError, match="no attribute 'answer'"):
        _ = lars2asp.spark.answer  # type: ignore[attr-defined]


def test_without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """The face itself is there."""
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    monkeypatch.delitem(sys.modules, "lars2asp.runtime.spark.answers", raising=False)
    with pytest.raises(
        lars2asp.spark.SparkSetupError,
        match=r"^Spark: the package pyspark is needed: pip install 'lars2asp\[spark\]'$",
    ):
        from lars2asp.spark import answers  # noqa: F401, PLC0415
