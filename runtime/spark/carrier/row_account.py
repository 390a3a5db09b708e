"""Counts of the rows of a DataFrame: workers count, and observed metrics bring the counts to the driver."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic, sleep
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sharding.row_counts import judged
from lars2asp.runtime.sharding.shard import Refused
from lars2asp.runtime.sources.account import Account
from lars2asp.runtime.spark.carrier.packet_frames import ACCOUNTS, accounts_in
from lars2asp.runtime.spark.session.events import EventListener
from lars2asp.runtime.spark.spark_errors import SparkSetupError

ROWS = "rows-of-lars2asp"
"""The prefix of the metrics' names."""

LONGEST_WAIT = 10.0
"""In seconds: how long the metrics of an action that is over may take."""

_LOOKS_EVERY = 0.01


class RowAccount:
    """Counts the rows of `answers`, `answers_of` or `write_answers`. Pass it as `account`.

    For a bounded DataFrame it contains the counts of the first action. For a stream it adds up all finished
    batches of this session. The counts of several DataFrames are added. A row counts once if Spark repeats a
    task. Actions on a part of the rows, such as `show` and `limit`, still count the whole DataFrame, except
    rows that are rejected at their tick.

    Args:
        needs_facts: True to raise an InputError if no row gave a fact.
    """

    def __init__(self, *, needs_facts: bool = False) -> None:
        self.needs_facts = needs_facts
        self._observed: dict[str, list[Observation]] = {}
        self._batches: list[_Batches] = []
        self._on_driver: list[dict[int, Account]] = []

    @property
    def counts(self) -> Account:
        """The counts so far.

        Raises:
            InputError: If facts are needed and no row gave one.
            RuntimeError: If no action on the DataFrame has finished.
        """
        found = sum((_total(some) for some in self._observed.values()), Account())
        found = sum((one.total() for one in self._batches), found)
        found = sum((one for batches in self._on_driver for one in [*batches.values()]), found)
        if self.needs_facts:
            check_facts(found)
        return found

    def of_batches(self, spark: SparkSession) -> Callable[[int, Account], None]:
        """Takes the numbers and the accounts of batches that a reasoner on the driver has done.

        Raises SparkSetupError for Spark Connect in another process.
        """
        _check_classic(spark)
        self._on_driver.append({})
        return self._on_driver[-1].__setitem__

    def observing(self, packets: DataFrame, name: str) -> DataFrame:
        """Packets of a DataFrame by name, whose accounts are observed, also several times.

        Raises SparkSetupError for a stream of Spark Connect.
        """
        if not packets.isStreaming:
            here = self._observed.setdefault(name, [])
            here.append(Observation(f"{ROWS}-{name}-{len(here)}"))
            return packets.observe(here[-1], accounts_in())
        _check_classic(packets.sparkSession)
        batches = _Batches(packets.sparkSession, f"{ROWS}-{name}")
        self._batches.append(batches)
        return packets.observe(batches.name, accounts_in())


def _check_classic(spark: SparkSession) -> None:
    if not hasattr(spark, "_jsparkSession"):
        raise SparkSetupError("lars2asp cannot count the rows of a stream with Spark Connect")


def total_of(accounts: Iterable[Sequence[int]]) -> Account:
    """The sum of the rows of accounts; a task that was done again has given the same row again."""
    by_number = {number: judged(numbers, None) for number, *numbers in accounts}
    return sum(by_number.values(), Account())


def check_facts(account: Account) -> None:
    """Raises InputError if no row gave a fact."""
    if not account.gave_facts:
        raise InputError(f"no row gave a fact: {account.text}")


def refused_numbers(refused: Refused) -> list[int]:
    """The numbers of an account for atoms that are rejected at their tick, whose rows counted before."""
    rejected, late = refused
    return Account(gave_facts=-rejected - late, rejected=rejected, late=late).state()


def _total(observed: Iterable[Observation]) -> Account:
    """The sum of the counts from several places of a DataFrame. Raises RuntimeError before the first action
    is over."""
    end = monotonic() + LONGEST_WAIT
    accounts: list[Sequence[int]] = []
    for one in observed:
        java: Any = getattr(one, "_jo", None)
        while java is not None and not java.future().isCompleted():
            if monotonic() > end:
                raise RuntimeError(
                    "the rows are not counted yet: run an action on the DataFrame first, such as collect()"
                )
            sleep(_LOOKS_EVERY)
        accounts += one.get.get(ACCOUNTS) or ()
    return total_of(accounts)


class _Batches(EventListener):
    """Adds up the accounts of the batches of a stream."""

    def __init__(self, spark: Any, name: str) -> None:
        self.name = name
        self._spark = spark
        self._open = set[str]()
        self._total = Account()
        spark.streams.addListener(self)

    def total(self) -> Account:
        """The sum, once Spark has told the ends of queries that are over."""
        end = monotonic() + LONGEST_WAIT
        while self._open - {query.runId for query in self._spark.streams.active} and monotonic() < end:
            sleep(_LOOKS_EVERY)
        return self._total + Account()

    def onQueryStarted(self, event: Any) -> None:  # noqa: N802 - Spark's name
        self._open.add(event.runId().toString())

    def onQueryProgress(self, event: Any) -> None:  # noqa: N802 - Spark's name
        observed: Mapping[str, Any] = json.loads(event.progress().json()).get("observedMetrics", {})
        if self.name in observed:
            self._total += total_of(observed[self.name].get(ACCOUNTS) or ())

    def onQueryTerminated(self, event: Any) -> None:  # noqa: N802 - Spark's name
        self._open.discard(event.runId().toString())
