"""The command `lars2asp spark`; Spark itself is imported when it runs."""

from typing import TYPE_CHECKING

from lars2asp.compiler import CheckedProgram
from lars2asp.runtime.spark.query.spark_query import SparkQuery
from lars2asp.runtime.spark.spark_errors import spark_module
from lars2asp.runtime.spark.spark_settings import SparkSettings

if TYPE_CHECKING:
    from lars2asp.runtime.spark.query.query_progress import RunResult


def run(program: CheckedProgram, settings: SparkSettings, query: SparkQuery) -> "RunResult":
    """Runs a program on Spark.

    Raises:
        SparkSetupError: where Spark, a Java or a library is missing.
        SparkError: where Spark fails.
        InputError: for input, columns and times that cannot be read.
        EvaluatorError: if the evaluator cannot serve the program.
        SnapshotError: for a checkpoint of another run.
        EvaluationError: if clingo refuses the program, or a function of the user's fails.
    """
    runner = spark_module("lars2asp.runtime.spark.query.query_run")
    result: RunResult = runner.QueryRun(program, settings, query).done()
    return result
