"""What streaming queries have done, batch by batch."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition
from time import monotonic

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as it is named everywhere
from pyspark.sql.streaming.listener import (
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)

LONGEST_WAIT = 10.0
"""In seconds: so long it is waited for the last events of a query that has ended."""

REJECTED = "rejected"
"""What the column `change` says of a row that was not taken."""


@dataclass
class Counts:
    """What was done since counting began; a batch that is interrupted does not count before it is done.

    Attributes:
        rows: of the input.
        rejected: rows of the output that say that something was rejected.
        batches: how many there were.
        seconds: how long it took.
    """

    rows: int = 0
    rejected: int = 0
    batches: int = 0
    seconds: float = 0.0


def with_rejected_counted(changes: DataFrame) -> DataFrame:
    """The output, such that what is rejected in it is counted by `counting`."""
    is_rejected = F.when(F.col("change") == REJECTED, 1)
    return changes.observe(REJECTED, F.count(is_rejected).alias(REJECTED))


@contextmanager
def counting(
    spark: SparkSession, clock: str, levels: int, tell: Callable[[Counts], None]
) -> Iterator[Counts]:
    """Counts what the queries do that are started within the context.

    Args:
        spark: the session.
        clock: part of the name of sources whose rows do not count.
        levels: so often each row of the input is read.
        tell: is called, in another thread, after each batch.
    """
    listener = _Listener(clock, levels, tell)
    spark.streams.addListener(listener)
    try:
        yield listener.counts
        listener.wait()
    finally:
        spark.streams.removeListener(listener)


class _Listener(StreamingQueryListener):
    def __init__(self, clock: str, levels: int, tell: Callable[[Counts], None]) -> None:
        self._init_listener_id()
        self._clock = clock
        self._levels = levels
        self._tell = tell
        self._began = monotonic()
        self._running = 0
        self._has_ended = Condition()
        self.counts = Counts()

    def wait(self) -> None:
        """Waits until all is known of queries that have ended."""
        with self._has_ended:
            self._has_ended.wait_for(lambda: self._running == 0, LONGEST_WAIT)

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802 - Spark's name
        with self._has_ended:
            self._running += 1

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802 - Spark's name
        progress, counts = event.progress, self.counts
        read = sum(one.numInputRows for one in progress.sources if self._clock not in one.description)
        counts.rows += read // self._levels
        observed = progress.observedMetrics.get(REJECTED)
        counts.rejected += observed[REJECTED] if observed is not None else 0
        counts.batches += 1
        counts.seconds = monotonic() - self._began
        self._tell(counts)

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802 - Spark's name
        with self._has_ended:
            self._running -= 1
            self._has_ended.notify_all()
