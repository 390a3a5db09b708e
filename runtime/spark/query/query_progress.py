"""The progress of streaming queries, batch by batch: counted, and shown on standard error.

On a terminal a line of it is kept up to date; elsewhere a line is written now and then.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import field
from threading import Condition
from time import monotonic
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from lars2asp.runtime.runs.progress_bar import Progress, ProgressBar, is_to_be_shown
from lars2asp.runtime.sinks.rates import rate_text
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.spark.carrier.packet_frames import ACCOUNTS, METRICS, accounts_in
from lars2asp.runtime.spark.carrier.row_account import ROWS, total_of
from lars2asp.runtime.spark.session.events import EventListener
from lars2asp.syntax.values import dataclass

LAST_EVENTS_WAIT = 10.0
"""In seconds: the longest wait for the last events of a query that has ended."""

REPORT_EVERY = 5.0
"""In seconds: how often standard error gets a line, where it is not a terminal."""


@dataclass
class RunResult:
    """The counts of a run since it was last started; an interrupted batch counts when it is done.

    Attributes:
        rows: how many rows, or files with tables, were read.
        account: what became of the rows, or of the records in files.
        batches: how many batches were done.
        seconds: how long it took, the start of Spark left out.
        partitions: how many reasoners there are.
        noun: what these are.
    """

    rows: int = 0
    account: Account = field(default_factory=Account)
    batches: int = 0
    seconds: float = 0.0
    partitions: int = 1
    noun: str = "row"

    @property
    def rejected(self) -> int:
        """How many rows, or records in files, were rejected, late ones among them."""
        return self.account.rejected + self.account.late

    def __str__(self) -> str:
        """One line."""
        rows, batches = (self.rows, self.noun, "s"), (self.batches, "batch", "es")
        numbers = rows, batches, (self.partitions, "partition", "s")
        counted = [f"{number} {noun}{'' if number == 1 else ending}" for number, noun, ending in numbers]
        return f"{', '.join(counted)}, {self.rejected} rejected, {self.seconds:.1f} s"


def with_rows_counted(packets: DataFrame) -> DataFrame:
    """Packets of the output, such that `counting` has the account of the rows."""
    return packets.observe(ROWS, accounts_in())


@contextmanager
def counting(
    spark: SparkSession, clock: str, levels: int, name: str = "", *, is_quiet: bool = False
) -> Iterator[RunResult]:
    """Counts what the queries do that are started within the context.

    Args:
        spark: the session.
        clock: part of the name of sources whose rows do not count.
        levels: how often each row of the input is read.
        name: what is read, as a terminal shows it.
        is_quiet: whether nothing is shown meanwhile.
    """
    has_bar = is_to_be_shown((), is_quiet=is_quiet)
    listener = _ProgressListener(clock, levels, writes_lines=not (has_bar or is_quiet))
    bar = ProgressBar(name, listener.progress) if has_bar else nullcontext()
    spark.streams.addListener(listener)
    try:
        with bar:
            yield listener.result
            listener.wait()
    finally:
        spark.streams.removeListener(listener)


class _Reasoners:
    """What the reasoners of shards took so far, from a query's observed metrics."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._memory: dict[int, int] = {}
        self._blocks: dict[int, int] = {}
        self._late = self._rebuilds = 0

    def add(self, metrics: dict[str, Any]) -> None:
        """Adds a batch."""
        self._late += metrics.get("late") or 0
        self._rebuilds += metrics.get("rebuilds") or 0
        for shard in metrics["shards"]:
            number = shard["shard"]
            self._seconds[number] = self._seconds.get(number, 0.0) + shard["seconds"]
            self._memory[number] = shard["memory"]
            self._blocks[number] = shard["blocks"]

    def __str__(self) -> str:
        """The end of a line; empty where there are none."""
        if not self._seconds:
            return ""
        each, memory = [*self._seconds.values()], max([*self._memory.values()]) / 2**20
        busiest = f", the busiest {max(each):.0f} s" if len(each) > 1 else ""
        return (
            f"; reasoners: {sum(each):.0f} s{busiest}, {memory:.0f} MiB at most, "
            f"{self._rebuilds} rebuilt, {self._late} facts late, {sum(self._blocks.values())} in blocks"
        )


class _ProgressListener(EventListener):
    def __init__(self, clock: str, levels: int, *, writes_lines: bool) -> None:
        self._clock = clock
        self._levels = levels
        self._writes_lines = writes_lines
        self._began = self._reported = monotonic()
        self._running = 0
        self._has_ended = Condition()
        self._reasoners = _Reasoners()
        self.result = RunResult()

    def wait(self) -> None:
        """Waits for the last events of queries that have ended."""
        with self._has_ended:
            self._has_ended.wait_for(lambda: self._running == 0, LAST_EVENTS_WAIT)

    def progress(self) -> Progress:
        """How far the queries are; called by another thread."""
        result = self.result
        rate = rate_text(result.rows / result.seconds if result.seconds else None)
        done = f"read {result.rows}, batch {result.batches}, {rate} {result.noun}s/s"
        return Progress(place=f"{done}{self._reasoners}")

    def onQueryStarted(self, event: Any) -> None:  # noqa: N802 - Spark's name
        with self._has_ended:
            self._running += 1

    def onQueryProgress(self, event: Any) -> None:  # noqa: N802 - Spark's name
        progress, result, now = json.loads(event.progress().json()), self.result, monotonic()
        sources, observed = progress["sources"], progress.get("observedMetrics", {})
        read = sum(one["numInputRows"] for one in sources if self._clock not in one["description"])
        result.rows += read // self._levels
        result.account += total_of(observed.get(ROWS, {}).get(ACCOUNTS) or ())
        result.batches += 1
        result.seconds = now - self._began
        for name, metrics in observed.items():
            if name.startswith(METRICS):
                self._reasoners.add(metrics)
        if self._writes_lines and now - self._reported >= REPORT_EVERY and sys.stderr is not None:
            self._reported = now
            done = f"read {result.rows}, batch {result.batches}, {result.seconds:.0f} s"
            sys.stderr.write(f"{done}{self._reasoners}\n")
            sys.stderr.flush()

    def onQueryTerminated(self, event: Any) -> None:  # noqa: N802 - Spark's name
        with self._has_ended:
            self._running -= 1
            self._has_ended.notify_all()
