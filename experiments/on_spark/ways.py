"""Ways of running a work, each in a process of its own: one reasoner alone, and modes of Spark."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import groupby
from pathlib import Path
from statistics import median
from threading import Thread
from time import perf_counter, process_time, sleep, time
from typing import Any
from zlib import crc32

import click
import pyarrow as pa
import pyarrow.parquet as pq

from experiments.on_spark.processor_time import ProcessorTime
from experiments.on_spark.works import CALIBRATIONS, WORKS, Work
from lars2asp import Answer, Reasoner
from lars2asp.compiler import compile_program
from lars2asp.externals.terms.text import atom_texts
from lars2asp.runtime.evaluators.evaluator_names import EvaluatorName
from lars2asp.runtime.reasoning.memory import collecting_for_rows
from lars2asp.syntax.nodes import Input
from lars2asp.syntax.source import Source

MOST_FAILURES = 4
"""How often Spark tries a task."""

_STARTER = re.compile(rb"\0-m\0(pyspark\.daemon|lars2asp\.\S+\.worker_daemon)\0")
"""In the command of the process that starts workers, and of these; Spark's own has it as a setting."""


@dataclass(frozen=True)
class Way:
    """A way of running a work.

    Attributes:
        partition: the mode of Spark; None for one reasoner alone.
        cores: how many cores Spark has.
        in_blocks: whether the one reasoner gets a table at a time, and evaluates it in blocks of ticks.
        config: settings of Spark besides those of `local_session`.
    """

    partition: str | None = None
    cores: int = 1
    in_blocks: bool = False
    config: Mapping[str, str] = field(default_factory=dict)


WAYS = {
    "in process": Way(),
    "blocks in process": Way(in_blocks=True),
    "driver": Way("driver", 2),
    "shards, 1 core": Way("auto", 1),
    "shards, 2 cores": Way("auto", 2),
    "shards, 4 workers": Way("auto", 4),
    "shards, 2 cores, Spark's daemon": Way(
        "auto", 2, config={"spark.python.daemon.module": "pyspark.daemon"}
    ),
    "shards, 2 cores, without generated code": Way(
        "auto",
        2,
        config={"spark.sql.codegen.factoryMode": "NO_CODEGEN", "spark.sql.codegen.wholeStage": "false"},
    ),
}


@dataclass
class Measured:
    """What a run took.

    Attributes:
        seconds: from the start of the query to its end, the start of Spark left out.
        processor: processor time of all processes meanwhile.
        batches: for each batch seconds and processor time.
        changes: how many there were.
        digest: the sum of the changes' checksums; 0 where texts are not made.
        rebuilds: for each batch, how many reasoners were made from their states.
        first: from the start of the process to the first batch's end, processor time of all processes.
    """

    seconds: float
    processor: float
    batches: list[tuple[float, float]]
    changes: int
    digest: int
    rebuilds: list[int] = field(default_factory=list)
    first: float = 0.0

    @property
    def steady(self) -> tuple[float, float]:
        """The medians of seconds and processor time over the batches behind the first two."""
        later = self.batches[2:] or self.batches[-1:]
        return median(one for one, _ in later), median(one for _, one in later)


def measured(
    work: str,
    way: str,
    folder: Path,
    last: int,
    *,
    has_texts: bool,
    kills: int = 0,
    is_shard: bool = False,
) -> Measured:
    """Runs a work over the files of a folder in a process, and a session, of its own; see `main`."""
    command = [sys.executable, "-m", "experiments.on_spark.ways", work, way, str(folder), str(last)]
    command += ["--texts"] if has_texts else []
    command += ["--kills", str(kills)] if kills else []
    command += ["--as-shard"] if is_shard else []
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, start_new_session=True).stdout
    return Measured(**json.loads(output.splitlines()[-1]))


def _facts(table: pa.Table, declared: Sequence[Input]) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """The facts of a table, tick by tick, as declarations say."""
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    times = columns[declared[0].time]
    made = [
        [
            (one.predicate, *arguments)
            for arguments in zip(*(columns[column.name] for column in one.columns), strict=True)
        ]
        for one in declared
    ]
    for tick, here in groupby(range(len(times)), times.__getitem__):
        places = [*here]
        yield tick, [fact for facts in made for fact in facts[places[0] : places[-1] + 1]]


def in_process(work: Work, way: Way, folder: Path, *, has_texts: bool, is_shard: bool = False) -> Measured:
    """One reasoner, which gets tuples tick by tick, or tables, and hands out rows.

    Python's garbage collector is as it is in a process of your own, or as it is beside a shard.
    """
    evaluator = EvaluatorName.FLOW if way.in_blocks else EvaluatorName.AUTO
    reasoner = Reasoner.from_text(work.program, evaluator=evaluator)
    declared = compile_program(Source("text", work.program)).inputs

    def answers_to(table: pa.Table) -> Iterator[Answer]:
        if way.in_blocks:
            yield from reasoner.run(table)
        else:
            yield from (reasoner.step(tick, facts) for tick, facts in _facts(table, declared))

    batches, changes, digest = [], 0, 0
    begin, cpu = perf_counter(), process_time()
    for path in sorted(folder.glob("*.parquet")):
        start = perf_counter(), process_time()
        with collecting_for_rows() if is_shard else nullcontext():
            for answer in answers_to(pq.read_table(path)):
                for signature, (began, ended) in answer.row_changes:
                    changes += len(began) + len(ended)
                    if has_texts:
                        for change, rows in (("began", began), ("ended", ended)):
                            for text in atom_texts(signature, rows):
                                digest += crc32(f"{answer.tick} {change} {text}".encode())
        batches.append((perf_counter() - start[0], process_time() - start[1]))
    return Measured(perf_counter() - begin, process_time() - cpu, batches, changes, digest)


def on_spark(work: Work, way: Way, folder: Path, last: int, *, has_texts: bool, kills: int) -> Measured:
    """A query over all files, and one more over the end of time."""
    processor = ProcessorTime(os.getsid(0))
    processor.start()
    from pyspark.sql import Column, DataFrame  # noqa: PLC0415
    from pyspark.sql import functions as F  # noqa: N812, PLC0415

    from lars2asp.runtime.spark.query.waiting import wait_for_end  # noqa: PLC0415
    from lars2asp.runtime.spark.session.chatter import without_chatter  # noqa: PLC0415
    from lars2asp.spark import ClockFolder, answers, answers_of, local_session, write_answers  # noqa: PLC0415

    with without_chatter():
        spark = local_session(
            f"local[{way.cores},{MOST_FAILURES}]",
            config={"spark.sql.streaming.numRecentProgressUpdates": "10000", **way.config},
        )
    files = sorted(folder.glob("*.parquet"))
    reader = spark.readStream.schema(spark.read.parquet(str(files[0])).schema)
    frame = reader.option("maxFilesPerTrigger", 1).parquet(str(folder))

    def counted(atom: str | Column) -> Sequence[Column]:
        digest = F.crc32(F.concat_ws(" ", "time", "change", atom)) if has_texts else F.lit(0)
        return F.count("*").alias("changes"), F.sum(digest).alias("digest")

    found: list[Any] = []
    queries: list[Any] = []
    with tempfile.TemporaryDirectory() as name:
        checkpoint = Path(name)
        clock = ClockFolder(checkpoint / "clock")
        times = clock.times(spark)

        def run() -> None:
            if way.partition == "driver":

                def sink(changes: DataFrame, batch: int) -> None:
                    found.append(changes.agg(*counted("atom")).collect()[0])

                trigger = {"availableNow": True}
                query = write_answers(
                    frame, work.program, sink, checkpoint / "state", clock=times, trigger=trigger
                )
            else:
                atom: str | Column = "atom"
                if work.predicate is None:
                    changes = answers(frame, work.program, clock=times)
                    rows = changes.select("time", "change", "atom" if has_texts else "arguments", "predicate")
                else:
                    rows = answers_of(frame, work.program, work.predicate, clock=times)
                    arguments = F.concat_ws(",", *(column for column in rows.columns[2:]))
                    atom = F.concat(F.lit(work.predicate.split("/")[0] + "("), arguments, F.lit(")"))
                writer = rows.observe("totals", *counted(atom)).writeStream.format("noop")
                writer = writer.option("checkpointLocation", str(checkpoint / "state"))
                query = writer.trigger(availableNow=True).start()
            queries.append(query)
            wait_for_end(query)

        begin, cpu = time(), processor.sample()
        if kills:
            Thread(target=_kill_workers, args=(kills,), daemon=True).start()
        run()
        clock.move_to(str(last + 1))
        run()
        end, total = time(), processor.sample()
    progress = [one for query in queries for one in query.recentProgress]
    found += [
        observed["totals"] for one in progress if (observed := one.observedMetrics) and "totals" in observed
    ]
    batches, rebuilds = [], []
    for one in queries[0].recentProgress:
        start = datetime.fromisoformat(one.timestamp).timestamp()
        seconds = one.durationMs["triggerExecution"] / 1000
        batches.append((seconds, processor.until(start + seconds) - processor.until(start)))
        observed = [metrics for name, metrics in one.observedMetrics.items() if name.startswith("lars2asp")]
        rebuilds.append(sum(metrics.rebuilds or 0 for metrics in observed))
    first = datetime.fromisoformat(queries[0].recentProgress[0].timestamp).timestamp() + batches[0][0]
    changes, digest = sum(one.changes or 0 for one in found), sum(one.digest or 0 for one in found)
    spark.stop()
    return Measured(end - begin, total - cpu, batches, changes, digest, rebuilds, processor.until(first))


def _kill_workers(count: int) -> None:
    """Kills workers of Spark, one every few seconds."""
    killed = 0
    while killed < count:
        sleep(5)
        for worker in _workers()[:1]:
            os.kill(worker, signal.SIGKILL)
            killed += 1


def _workers() -> list[int]:
    """The worker processes of Spark in this session: children of the process that starts them."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            status = (path / "stat").read_text()
            command = (path / "cmdline").read_bytes()
        except OSError:
            continue
        parent, _, session, *_ = status[status.rindex(")") + 4 :].split()
        if int(session) == os.getsid(0) and _STARTER.search(command):
            parents[int(path.name)] = int(parent)
    return [process for process, parent in parents.items() if parent in parents]


@click.command()
@click.argument("work", type=click.Choice([*WORKS, *CALIBRATIONS]))
@click.argument("way", type=click.Choice([*WAYS]))
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("last", type=int)
@click.option("--texts", is_flag=True, help="Make the texts of atoms, and compare them.")
@click.option("--kills", default=0, help="How many workers are killed meanwhile.")
@click.option("--as-shard", is_flag=True, help="In process, look for garbage as beside a shard.")
def main(work: str, way: str, folder: Path, last: int, *, texts: bool, kills: int, as_shard: bool) -> None:
    """One run; writes what was measured as a line of JSON."""
    done = {**WORKS, **CALIBRATIONS}[work]
    if WAYS[way].partition is None:
        found = in_process(done, WAYS[way], folder, has_texts=texts, is_shard=as_shard)
    else:
        found = on_spark(done, WAYS[way], folder, last, has_texts=texts, kills=kills)
    sys.stdout.write(json.dumps(asdict(found)) + "\n")


if __name__ == "__main__":
    main()
