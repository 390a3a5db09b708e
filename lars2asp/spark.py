"""Stream reasoning on Spark (`pip install 'lars2asp[spark]'`).

from lars2asp.spark import answers, local_session

spark = local_session("local[4]")
rows = spark.readStream.schema("time long, atom string").json("events")
changes = answers(rows, "seen(X) :- p(X) in [3].")  # a streaming DataFrame like any other

Without Spark's Python packages, `RowAccount`, `answers`, `answers_of` and `write_answers` raise
SparkSetupError when they are imported.
"""

from typing import TYPE_CHECKING, Any

from lars2asp.runtime.spark.query.clock_folder import ClockFolder
from lars2asp.runtime.spark.query.waiting import wait_for_end
from lars2asp.runtime.spark.session.chatter import without_chatter
from lars2asp.runtime.spark.session.local_session import local_session
from lars2asp.runtime.spark.spark_errors import SparkError, SparkSetupError, plain_errors, spark_module
from lars2asp.runtime.spark.spark_settings import Partitioning, RowForm, SparkOptions, split_of

if TYPE_CHECKING:
    from lars2asp.runtime.spark.answers import answers, answers_of, write_answers
    from lars2asp.runtime.spark.carrier.row_account import RowAccount
else:

    def __getattr__(name: str) -> Any:
        if name in ("answers", "answers_of", "write_answers"):
            return getattr(spark_module("lars2asp.runtime.spark.answers"), name)
        if name == "RowAccount":
            return spark_module("lars2asp.runtime.spark.carrier.row_account").RowAccount
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "ClockFolder",
    "Partitioning",
    "RowAccount",
    "RowForm",
    "SparkError",
    "SparkOptions",
    "SparkSetupError",
    "answers",
    "answers_of",
    "local_session",
    "plain_errors",
    "split_of",
    "wait_for_end",
    "without_chatter",
    "write_answers",
]
