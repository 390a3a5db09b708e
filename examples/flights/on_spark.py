"""Runs flights.lars on a year of departures and weather, on Spark and in process, and compares the two."""

import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import unified_diff
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from examples.flights.__main__ import NEW_YORK, PROGRAM
from examples.flights.data import data_folder, events, number_of_facts
from lars2asp import InputError, Lars2aspError, Reasoner, Record
from lars2asp.compiler import checked_program
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.sources.times.timeline import Timeline
from lars2asp.runtime.spark.query.waiting import wait_for_end
from lars2asp.runtime.spark.session.chatter import without_chatter
from lars2asp.runtime.spark.spark_settings import Partitioning, split_of
from lars2asp.spark import ClockFolder, local_session, plain_errors
from lars2asp.splitting.split_text import split_text
from lars2asp.syntax.source import Source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = "time long, atom string, until long"
"""The columns of the stream: a tick, an atom, and for wind the last tick at which the report holds."""

MOST_SHOWN = 20
"""The most lines of a difference that are shown."""

Change = tuple[int, str, str]
"""A tick, what changes (`began` or `ended`), and the situation."""


@dataclass(frozen=True)
class Run:
    """The changes of a run, and the seconds that it took."""

    changes: list[Change]
    seconds: float

    @property
    def text(self) -> str:
        """A line for each change, in their order."""
        return "".join(f"{tick:07} {change} {atom}\n" for tick, change, atom in sorted(self.changes))

    def situations(self) -> str:
        """How many of each kind there were."""
        kinds = Counter(atom.partition("(")[0] for _, change, atom in self.changes if change == "began")
        return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "none"


def in_process(stream: list[Record]) -> Run:
    """One reasoner, which gets all of the input."""
    reasoner = Reasoner.from_file(PROGRAM, complete_windows=True)
    start = time.perf_counter()
    changes: list[Change] = []
    for answer in reasoner.run(stream, emit=None):
        for signature, (began, ended) in answer.row_changes:
            for change, rows in (("ended", ended), ("began", began)):
                changes += [(answer.tick, change, text) for text in atom_texts(signature, rows)]
    return Run(changes, time.perf_counter() - start)


def on_spark(
    spark: "SparkSession", folder: Path, last: int, partition: str, *, at_once: bool = False
) -> tuple[Run, int]:
    """A streaming query over the files of a folder, up to a tick; also the number of its batches.

    Args:
        spark: the session.
        folder: has the folder with the files, and gets those of the output and of the checkpoint.
        last: the tick.
        partition: how the program is spread over reasoners.
        at_once: whether the first batch reads all files, and time moves on with it; else each reads one.
    """
    from pyspark.sql.streaming.query import StreamingQuery  # noqa: PLC0415 - the demo starts without Spark

    from lars2asp.spark import answers  # noqa: PLC0415

    began = time.perf_counter()
    reader = spark.readStream.schema(ROWS)
    if not at_once:
        reader = reader.option("maxFilesPerTrigger", 1)
    rows = reader.json(str(folder / "events"))
    clock = ClockFolder(folder / "clock")
    found = answers(rows, PROGRAM, clock=clock.times(spark), split=partition, complete_windows=True)
    writer = (
        found.select("time", "change", "atom")
        .writeStream.format("json")
        .option("path", str(folder / "changes"))
    )
    writer = writer.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True)

    def finished(query: StreamingQuery) -> int:
        wait_for_end(query)
        progress = query.lastProgress
        return progress.batchId + 1 if progress is not None else 0

    if not at_once:
        finished(writer.start())
    clock.move_to(last + 1)
    batches = finished(writer.start())
    written = [json.loads(line) for line in lines_in(folder / "changes")]
    changes = [(row["time"], row["change"], row["atom"]) for row in written]
    return Run(changes, time.perf_counter() - began), batches


def write_files(stream: Iterable[Record], folder: Path, ticks: int) -> None:
    """Writes the stream as files of JSON lines, each of `ticks` ticks; the earlier ones look older."""
    folder.mkdir()
    for number, records in groupby(stream, lambda record: record.tick // ticks):
        path = folder / f"{number}.json"
        path.write_text("".join(json.dumps(row) + "\n" for record in records for row in rows_of(record)))
        os.utime(path, (number, number))  # Spark takes the oldest file first


def rows_of(record: Record) -> Iterator[dict[str, object]]:
    """A row for each fact."""
    for signature, rows in record.events.facts:
        for text in atom_texts(signature, rows):
            row = {"time": record.tick, "atom": text}
            yield row if record.events.until is None else {**row, "until": record.events.until}


def lines_in(folder: Path) -> Iterator[str]:
    """The lines of the files that Spark wrote."""
    for path in sorted(folder.glob("*.json")):
        yield from path.read_text().splitlines()


def difference(one: Path, other: Path) -> list[str]:
    """The first lines in which two files differ; none where they are the same, byte for byte."""
    if one.read_bytes() == other.read_bytes():
        return []
    texts = (one.read_text().splitlines(), other.read_text().splitlines())
    found = list(unified_diff(*texts, one.name, other.name, n=0, lineterm=""))
    return [*found[:MOST_SHOWN], f"... {len(found)} lines in all"]


@click.command()
@click.option("--from", "first", type=click.DateTime(["%Y-%m-%d"]), default="2013-01-01", show_default=True)
@click.option("--days", type=click.IntRange(1, 366), default=365, show_default=True)
@click.option("--master", default="local[2]", show_default=True, help="Where Spark runs.")
@click.option(
    "--split",
    "partition",
    type=click.Choice([Partitioning.AUTO, Partitioning.NONE, Partitioning.PIPELINED]),
    default=Partitioning.AUTO,
    show_default=True,
    help="How the program is spread over reasoners.",
)
def main(first: datetime, days: int, master: str, partition: Partitioning) -> None:
    """Run flights.lars on DAYS days of New York's departures and weather in 2013, on Spark and in process.

    The changes of the two are compared byte for byte; exit status 1 if they differ.
    """
    try:
        program = checked_program(Source(PROGRAM.name, PROGRAM.read_text()))
        click.echo(f"{PROGRAM.name} on New York's flights and weather, {days} days from {first:%Y-%m-%d}\n")
        click.echo(split_text(split_of(program, partition)))
        with tempfile.TemporaryDirectory(prefix="lars2asp-") as name, plain_errors():
            differs = _compared(stream_of(first, days), Path(name), days, master, partition)
    except Lars2aspError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(1 if differs else 0)


def stream_of(first: datetime, days: int) -> list[Record]:
    """What happened on some days. Raises InputError if nothing did."""
    begin, end = (moment.replace(tzinfo=NEW_YORK) for moment in (first, first + timedelta(days=days)))
    timeline = Timeline(Reasoner.from_file(PROGRAM).plan.tick_length)
    stream = events(data_folder(), timeline, begin.astimezone(UTC), end.astimezone(UTC))
    if not stream:
        raise InputError("the data has flights of 2013 only")
    return stream


def _compared(stream: list[Record], folder: Path, days: int, master: str, partition: Partitioning) -> bool:
    """Runs both, says what they did, and whether they differ."""
    ticks = 288 * max(1, days // 12)  # of 5 minutes
    write_files(stream, folder / "events", ticks)
    with without_chatter():
        spark = local_session(master, app_name="flights", reports_failures=False)
    try:
        distributed, batches = on_spark(spark, folder, stream[-1].tick, partition)
    finally:
        spark.stop()
    count = number_of_facts(stream)
    click.echo(f"on Spark ({master}): {_pace(count, distributed)}, {batches} batches")
    alone = in_process(stream)
    click.echo(f"in process: {_pace(count, alone)}")
    click.echo(f"situations: {distributed.situations()}")
    files = folder / "in process", folder / "on Spark"
    for path, run in zip(files, (alone, distributed), strict=True):
        path.write_text(run.text)
    found = difference(*files)
    click.echo("\n".join(["the two differ:", *found]) if found else f"the same {_size(files[0])} in both")
    return bool(found)


def _pace(count: int, run: Run) -> str:
    return f"{count} facts in {run.seconds:.1f} s, {count / run.seconds:.0f} a second"


def _size(path: Path) -> str:
    """How large a file of changes is."""
    data = path.read_bytes()
    lines = data.count(b"\n")
    return f"{lines} changes, {len(data)} bytes,"


if __name__ == "__main__":
    main()
