"""Stream reasoning on Spark (`pip install 'lars2asp[spark]'`).

from lars2asp.spark import answers, local_session

spark = local_session("local[4]")
rows = spark.readStream.schema("time long, atom string").json("events")
changes = answers(rows, "seen(X) :- p(X) in [3].")  # a streaming DataFrame like any other

Without Spark's Python packages, `RowAccount`, `answers`, `answers_of` and `write_answers` raise a
Lars2aspError when they are imported: it says what to install.
"""

from typing import TYPE_CHECKING, Any

from lars2asp import gone
from lars2asp.runtime.spark.query.clock_folder import ClockFolder
from lars2asp.runtime.spark.session.local_session import local_session
from lars2asp.runtime.spark.spark_errors import plain_errors, spark_module

_ELSEWHERE = {
    "Partitioning RowForm SparkOptions": "answers has keywords, and takes text, such as split='pipelined'",
    "SparkError SparkSetupError": "catch lars2asp.Lars2aspError",
    "split_of": "lars2asp compile --split prints it",
    "wait_for_end": "write `with plain_errors(): query.awaitTermination()`",
    "without_chatter": "it is in lars2asp.runtime.spark.session.chatter",
}
"""Earlier names, and what to write."""

if TYPE_CHECKING:
    from lars2asp.runtime.spark.answers import answers, answers_of, write_answers
    from lars2asp.runtime.spark.carrier.row_account import RowAccount
else:

    def __getattr__(name: str) -> Any:
        if name in ("answers", "answers_of", "write_answers"):
            return getattr(spark_module("lars2asp.runtime.spark.answers"), name)
        if name == "RowAccount":
            return spark_module("lars2asp.runtime.spark.carrier.row_account").RowAccount
        raise gone(name, __name__, _ELSEWHERE)


__all__ = [
    "ClockFolder",
    "RowAccount",
    "answers",
    "answers_of",
    "local_session",
    "plain_errors",
    "write_answers",
]
