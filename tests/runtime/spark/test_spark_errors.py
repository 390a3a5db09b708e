"""The errors in Spark's exceptions."""

import pytest
from pyspark.sql import GroupedData

from lars2asp.runtime.errors import EvaluationError, SnapshotError
from lars2asp.runtime.spark.spark_errors import SparkError, SparkSetupError, check_streams, plain_error
from lars2asp.syntax.diagnostics import Lars2aspError

WORKER = """\
[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: [PYTHON_EXCEPTION] \
An exception was thrown from the Python worker: Traceback (most recent call last):
  File "worker.py", line 4327, in invoke_udf
    run_process()
{raised}
 SQLSTATE: 38000
\tat org.apache.spark.api.python.BasePythonRunner.handle(PythonRunner.scala:1097)

Driver stacktrace: SQLSTATE: XXKST
=== Streaming Query ===
Identifier: [id = 1]
"""


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            WORKER.format(
                raised="lars2asp.runtime.errors.EvaluationError: p.lars:1:1-2: error: no\n  | a :- b."
            ),
            EvaluationError,
            "p.lars:1:1-2: error: no\n  | a :- b.",
        ),
        (
            WORKER.format(
                raised='ValueError: x\n\nThe above exception was the direct cause:\n\n  File "a.py"\n'
                "lars2asp.runtime.errors.SnapshotError: the checkpoint is of another program"
            ),
            SnapshotError,
            "the checkpoint is of another program",
        ),
        (
            WORKER.format(raised="ModuleNotFoundError: No module named 'clingo'"),
            SparkError,
            "a Python process of Spark failed: ModuleNotFoundError: No module named 'clingo'",
        ),
        (
            "[PATH_NOT_FOUND] Path does not exist: file:/x. SQLSTATE: 42K03;\n'Project",
            SparkError,
            "Spark failed: [PATH_NOT_FOUND] Path does not exist: file:/x.",
        ),
        (
            "An error occurred while calling o582.parquet.\n: java.io.IOException: disk full\n\tat java.io.X",
            SparkError,
            "Spark failed: disk full",
        ),
    ],
)
def test_the_error_in_an_exception(text: str, error: type[Lars2aspError], message: str) -> None:
    found = plain_error(text)
    assert type(found) is error
    assert str(found) == message


def test_a_spark_without_state_for_streams_is_refused() -> None:
    class Old:
        """Groups of rows, as pyspark 4.0 has them."""

    check_streams(GroupedData)
    with pytest.raises(
        SparkSetupError, match="this version of pyspark supports only bounded DataFrames: for streams"
    ):
        check_streams(Old)
