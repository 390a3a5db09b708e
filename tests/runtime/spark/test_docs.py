"""The example of docs/how-to/spark.md."""

from pyspark.sql import SparkSession

from tests.support.pages import BLOCK, DOCS


def test_the_example_runs(spark: SparkSession) -> None:
    [code] = [
        block[2]
        for block in BLOCK.finditer((DOCS / "how-to" / "spark.md").read_text())
        if block[1] == "python hot.py"
    ]
    names: dict[str, object] = {}
    exec(code, names)
    assert names["spark"] is spark
    assert names["hot"].dtypes == [  # type: ignore[attr-defined]
        *[("time", "bigint"), ("at", "timestamp"), ("change", "string")],
        *[("Room", "string"), ("T", "bigint")],
    ]
    rows = names["hot"].collect()  # type: ignore[attr-defined]
    assert sorted((row.change, row.Room, row.T) for row in rows) == [
        ("began", "hall", 265),
        ("ended", "hall", 265),
    ]
