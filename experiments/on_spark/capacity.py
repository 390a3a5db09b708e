"""A capacity model of Spark: made of three works that do next to nothing, held to the others."""

from collections.abc import Sequence
from typing import NamedTuple

from experiments.on_spark.tables import (
    IN_PROCESS,
    SHARDS,
    SMALL,
    stream_of_shard,
    stream_of_work,
    write_head,
    write_row,
)
from experiments.on_spark.ways import Measured, measured
from experiments.on_spark.works import WORKS

CORES = 2
"""Those of the measurements."""

IMBALANCE, DRIVER_SECONDS = 1.3, 0.004
"""Assumed of large clusters: what the busiest core has more than its share, what a core costs the driver."""

SECONDS = 10
"""The length of a batch there."""


class Costs(NamedTuple):
    """What Spark takes besides evaluation.

    Attributes:
        overhead: seconds a batch, whatever is in it.
        fixed: processor time of a batch, in seconds, whatever is in it.
        fact: processor time of a fact, in us: reading, routing, packets.
        change: that of a change as `answers` gives it.
        row: that of a change as `answers_of` gives it.
    """

    overhead: float
    fixed: float
    fact: float
    change: float
    row: float

    def processor(self, evaluate: float, changes: float, *, is_table: bool) -> float:
        """Processor time of a fact, in us, besides that of its batch.

        Args:
            evaluate: what it takes in a shard.
            changes: how many it has.
            is_table: whether they are given as a table.
        """
        return evaluate + self.fact + changes * (self.row if is_table else self.change)

    def seconds(self, facts: int, processor: float, cores: int, imbalance: float = 1.0) -> float:
        """How long a batch takes, where a fact takes so much processor time."""
        return self.overhead + facts * processor * imbalance / cores / 1e6


def _evaluated(work: str, batches: int, facts: int) -> float:
    """Processor time of a fact in us, in a reasoner that has the keys of one shard."""
    with stream_of_shard(work, batches, facts, CORES) as (folder, last, share):
        found = measured(work, IN_PROCESS, folder, last, has_texts=False, is_shard=True)
    return 1e6 * found.steady[1] / share


def _in_shards(work: str, batches: int, facts: int) -> Measured:
    with stream_of_work(work, batches, facts) as (folder, last):
        return measured(work, SHARDS, folder, last, has_texts=False)


def calibrated(batches: int, facts: int, small_batches: int) -> Costs:
    """The costs, by the works that do next to nothing."""
    overhead, fixed = _in_shards("carried", small_batches, SMALL).steady
    more: dict[str, float] = {}
    for work in ("carried", "written", "tabled"):
        found = _in_shards(work, batches, facts)
        changes = found.changes / (batches * facts)
        beside = 1e6 * (found.steady[1] - fixed) / facts - _evaluated(work, batches, facts)
        more[work] = (beside - more["carried"]) / changes if changes else beside
    return Costs(overhead, fixed, more["carried"], more["written"], more["tabled"])


def capacity(works: Sequence[str], batches: int, facts: int, small_batches: int) -> None:
    """Makes the model, holds it to works, and says what it gives for more cores."""
    costs = calibrated(batches, facts, small_batches)
    write_head(
        "what Spark takes besides evaluation",
        *("seconds a batch", "processor time of it", "us a fact", "us a change", "us a row"),
    )
    write_row(*(f"{one:.2f}" for one in costs[:2]), *(f"{one:.1f}" for one in costs[2:]))
    write_head(
        f"batches of {facts} facts on {CORES} cores, seconds; processor time in us a fact",
        *("work", "in a shard's reasoner", "processor, by the model", "measured"),
        *("batch, by the model", "measured", "model / measured"),
    )
    for work in works:
        found, evaluate = _in_shards(work, batches, facts), _evaluated(work, batches, facts)
        changes = found.changes / (batches * facts)
        processor = costs.processor(evaluate, changes, is_table=WORKS[work].predicate is not None)
        seconds = costs.seconds(facts, processor, CORES)
        write_row(
            *(work, f"{evaluate:.1f}", f"{processor + 1e6 * costs.fixed / facts:.1f}"),
            f"{1e6 * found.steady[1] / facts:.1f}",
            *(f"{seconds:.2f}", f"{found.steady[0]:.2f}", f"{seconds / found.steady[0]:.2f}"),
        )
    write_head(
        f"calculated: facts a second, in batches of {SECONDS} s with few changes",
        *("cores", "overhead, s", "at 10 us a fact", "at 30 us", "at 180 us"),
    )
    for cores in (10, 100, 1000):
        more = costs._replace(overhead=costs.overhead + DRIVER_SECONDS * cores)
        rates = [
            (SECONDS - more.overhead) * cores * 1e6 / (evaluate + costs.fact) / IMBALANCE / SECONDS
            for evaluate in (10, 30, 180)
        ]
        write_row(cores, f"{more.overhead:.1f}", *(f"{rate:,.0f}" for rate in rates))
