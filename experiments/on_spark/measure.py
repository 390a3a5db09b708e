"""What the product costs on Spark: steady batches, small ones, and what it takes when workers are killed;
bounded frames, beside Spark SQL.

    python -m experiments spark
    python -m experiments spark --only steady --facts 20000
    python -m experiments spark --only steady --batches 50 --way "shards, 2 cores"
    python -m experiments spark --only year --only capacity --batches 6

Changes are compared with those of one reasoner in process before anything is measured. Processor time is that
of all processes; wall time has no meaning where something else runs on the machine.
"""

import subprocess
import sys
from collections.abc import Sequence
from time import perf_counter

import click

from experiments.on_spark.bounded import bounded
from experiments.on_spark.capacity import capacity
from experiments.on_spark.processor_time import ProcessorTime
from experiments.on_spark.tables import (
    DRIVER,
    IN_BLOCKS,
    IN_PROCESS,
    INTERPRETED,
    SHARDS,
    SMALL,
    stream_of_work,
    write_head,
    write_row,
)
from experiments.on_spark.ways import WAYS, Measured, measured
from experiments.on_spark.works import WORKS
from experiments.on_spark.year import year

FIRST_ANSWER = """
from lars2asp.spark import answers_of, local_session
PROGRAM = "#tick 1 min. #input reading(room, temperature*10) at at. hot(R,T) :- reading(R,T), T > 250."
spark = local_session("local[2]")
rows = spark.sql("select timestamp '2026-01-01 00:01:00Z' at, 'hall' room, 26.5D temperature")
answers_of(rows, PROGRAM, "hot/2").show()
"""


def _check(found: Measured, expected: Measured, what: str) -> None:
    """Raises SystemExit where changes differ."""
    if (found.changes, found.digest) != (expected.changes, expected.digest):
        sys.exit(f"{what}: {found.changes} changes, {expected.changes} in process, and not the same")


def compare(works: Sequence[str]) -> None:
    """Compares changes on small streams."""
    for work in works:
        with stream_of_work(work, 3, 6000) as (folder, last):
            alone = measured(work, IN_PROCESS, folder, last, has_texts=True)
            for way in (IN_BLOCKS, DRIVER, SHARDS, INTERPRETED):
                found = measured(work, way, folder, last, has_texts=True)
                _check(found, alone, f"{work}, {way}")


def steady(works: Sequence[str], ways: Sequence[str], batches: int, facts: int) -> None:
    """Batches of many facts, in process (tick by tick, and in blocks) and in other ways."""
    write_head(
        f"{batches} batches of {facts} facts; us a fact, of the batches behind the second and of all",
        *("work", "way", "wall", "processor", "against in process", "against blocks"),
        *("all, wall", "all, against in process", "all, against blocks"),
    )
    for work in works:
        with stream_of_work(work, batches, facts) as (folder, last):
            alone: list[Measured] = []
            for way in dict.fromkeys((IN_PROCESS, IN_BLOCKS, *ways)):
                found = measured(work, way, folder, last, has_texts=False)
                alone += [found] if way in {IN_PROCESS, IN_BLOCKS} else []
                _check(found, alone[0], f"{work}, {way}")
                wall, processor = (1e6 * seconds / facts for seconds in found.steady)
                steady_ratios = [f"{one.steady[0] / found.steady[0]:.2f} x faster" for one in alone]
                ratios = [f"{one.seconds / found.seconds:.2f} x faster" for one in alone]
                if len(alone) == 1:  # blocks come next
                    steady_ratios, ratios = [*steady_ratios, ""], [*ratios, ""]
                all_of_it = f"{1e6 * found.seconds / facts / batches:.1f}"
                write_row(work, way, f"{wall:.1f}", f"{processor:.1f}", *steady_ratios, all_of_it, *ratios)


def small(works: Sequence[str], batches: int) -> None:
    """Batches of ten facts."""
    write_head(f"{batches} batches of {SMALL} facts; seconds a batch", "work", "way", "wall", "processor")
    for work in works:
        with stream_of_work(work, batches, SMALL) as (folder, last):
            for way in (DRIVER, SHARDS, INTERPRETED):
                wall, processor = measured(work, way, folder, last, has_texts=False).steady
                write_row(work, way, f"{wall:.2f}", f"{processor:.2f}")


def residents(work: str, batches: int, kills: int) -> None:
    """Whether reasoners are found again."""
    write_head(
        f"{batches} batches of 500 facts", "work", "way", "workers killed", "rebuilds behind the first batch"
    )
    with stream_of_work(work, batches, 500) as (folder, last):
        alone = measured(work, IN_PROCESS, folder, last, has_texts=True)
        for way, killed in ((SHARDS, 0), ("shards, 4 workers", 0), (SHARDS, kills)):
            found = measured(work, way, folder, last, has_texts=True, kills=killed)
            _check(found, alone, f"{way}, {killed} workers killed")
            write_row(work, way, killed, sum(found.rebuilds[1:]))


def first_answer() -> None:
    """The documented example, from the start of Python."""
    write_head("the first answer, with the start and the end of Spark; seconds", "way", "wall", "processor")
    begin = perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", FIRST_ANSWER],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    times = ProcessorTime(process.pid)
    times.start()
    if process.wait():
        sys.exit(f"the first answer: exit status {process.returncode}")
    write_row("as installed", f"{perf_counter() - begin:.1f}", f"{times.sample():.1f}")


_TABLES = ["steady", "small", "residents", "first", "year", "bounded", "capacity"]


@click.command()
@click.option(
    "--work", "works", type=click.Choice([*WORKS]), multiple=True, default=[*WORKS], help="The works."
)
@click.option(
    "--only",
    type=click.Choice(_TABLES),
    multiple=True,
    default=_TABLES,
    help="The tables.",
)
@click.option("--way", "ways", type=click.Choice([*WAYS]), multiple=True, default=[*WAYS], help="The ways.")
@click.option("--batches", default=10, help="Batches of many facts.")
@click.option("--facts", default=100_000, help="The facts of a batch.")
@click.option("--events", default=3_000_000, help="The events of a bounded frame.")
@click.option("--small-batches", default=30, help="Batches of ten facts.")
@click.option("--resident-batches", default=200, help="The batches whose rebuilds are counted.")
@click.option("--kills", default=3, help="The number of workers to kill.")
def main(
    works: tuple[str, ...],
    only: tuple[str, ...],
    ways: tuple[str, ...],
    batches: int,
    facts: int,
    events: int,
    small_batches: int,
    resident_batches: int,
    kills: int,
) -> None:
    """Measure steady and small batches on Spark, and one reasoner; exit status 1 if changes differ."""
    if {"steady", "small", "residents"}.intersection(only):
        compare(works)
    if "steady" in only:
        steady(works, ways, batches, facts)
    if "small" in only:
        small(works, small_batches)
    if "residents" in only:
        residents(works[0], resident_batches, kills)
    if "first" in only:
        first_answer()
    if "year" in only:
        year()
    if "bounded" in only:
        bounded(events)
    if "capacity" in only:
        capacity(works, batches, facts, small_batches)
