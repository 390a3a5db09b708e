"""Waiting for queries."""

from typing import cast

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql.streaming.query import StreamingQuery

from lars2asp.runtime.spark.query.waiting import STARTS, run_to_end, wait_for_end
from lars2asp.runtime.spark.spark_errors import NotConnectedError


class Failing:
    """A query that fails."""

    stopped = False

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    def awaitTermination(self) -> None:  # noqa: N802 - Spark's name
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        self.stopped = True


def test_a_query_fails() -> None:
    query = Failing(ValueError("a batch failed"))
    with pytest.raises(ValueError, match="a batch failed"):
        wait_for_end(cast(StreamingQuery, query))
    assert query.stopped


@pytest.mark.parametrize("failures", [0, 1, STARTS])
def test_a_query_whose_python_does_not_start_is_started_again(failures: int) -> None:
    error = StreamingQueryException(
        "Task 0 failed: Python worker failed to connect back. at org.apache.spark"
    )
    queries = [Failing(error if number < failures else None) for number in range(STARTS)]
    started = iter(queries)

    def run() -> None:
        run_to_end(lambda: cast(StreamingQuery, next(started)))

    if failures == STARTS:
        with pytest.raises(NotConnectedError, match="did not start in time: start the query again"):
            run()
    else:
        run()
    assert [query.stopped for query in queries] == [n <= failures for n in range(STARTS)]
