"""Waiting for queries, so that Ctrl-C ends them in order."""

from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

from lars2asp.runtime.spark.spark_errors import NotConnectedError, plain_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql.streaming.query import StreamingQuery


STARTS = 3
"""How often a query is started whose Python processes do not start."""


def wait_for_end(query: "StreamingQuery") -> None:
    """Waits until a query ends; an exception meanwhile stops the query.

    The error of a query that failed is raised as `plain_errors` does, not as Spark's StreamingQueryException.

    The query's own `awaitTermination` must not be interrupted: a KeyboardInterrupt in the midst of a call to
    Spark writes a long trace to standard error. So another thread calls it.
    """
    failures: list[Exception] = []

    def wait() -> None:
        try:
            query.awaitTermination()
        except Exception as error:
            failures.append(error)

    thread = Thread(target=wait, daemon=True)
    thread.start()
    try:
        thread.join()
    finally:
        query.stop()
        thread.join()
    with plain_errors():
        for failure in failures:
            raise failure


def run_to_end(start: "Callable[[], StreamingQuery]") -> None:
    """Starts a query and waits for its end; where Python processes of Spark do not start, once and again."""
    for _ in range(STARTS - 1):
        with suppress(NotConnectedError):
            return wait_for_end(start())
    return wait_for_end(start())
