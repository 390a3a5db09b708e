"""Waiting for queries, so that Ctrl-C ends them in order."""

from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery


def wait_for_end(query: "StreamingQuery") -> None:
    """Waits until a query ends, and raises its error if it failed; an exception meanwhile stops the query.

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
    for failure in failures:
        raise failure
