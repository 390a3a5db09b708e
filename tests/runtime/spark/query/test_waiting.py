"""Waiting for queries."""

from typing import cast

import pytest
from pyspark.sql.streaming.query import StreamingQuery

from lars2asp.runtime.spark.query.waiting import wait_for_end


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
