"""How many facts a second go through Spark, what a batch costs, and from what load on Spark pays.

Each way of running a program has a process of its own: the reasoner alone (`in process`), driver mode,
partitioned with one and two cores, pipelined. They read the same files, and their changes are compared before
anything is printed. Times are from the start of the query to its end, without the start of Spark itself:

    python -m experiments spark-rates
    python -m experiments spark-rates --work caching --batches 20
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

import examples.flights
from examples.flights.data import data_folder, events
from lars2asp import Reasoner, Timeline
from lars2asp.externals.terms.text import atom_texts

FLIGHTS = Path(examples.flights.__file__).parent / "flights.lars"

CACHING = """
    #const n = 20.
    high(I) :- alpha(I,V), V >= 18.
    mid(I)  :- alpha(I,V), V >= 12, V < 18.
    low(I)  :- alpha(I,V), V < 12.
    lfu(I)  :- high(I) always in [n].
    lru(I)  :- mid(I) always in [n].
    fifo(I) :- low(I) always in [n].
    done(I) :- lfu(I).
    done(I) :- lru(I).
    done(I) :- fifo(I).
    random(I) :- alpha(I,_), not done(I).
    #show lfu/1. #show lru/1. #show fifo/1. #show random/1.
"""
"""The strategies of Ticker's content caching (Beck, Eiter, Folie 2017), for each item apart."""

OVERALL = CACHING + "calm :- #count { I : done(I) } > 250. #show calm/0."
"""And what all items say together, which asks for a level above."""

ITEMS = 500

RecordLine = dict[str, Any]


def caching_lines(ticks: int) -> Iterator[RecordLine]:
    """One reading an item and tick, of one mode for a while."""
    choose = random.Random(9)
    modes = [(18, 30), (12, 17), (0, 11), (0, 30)]
    mode = [choose.choice(modes) for _ in range(ITEMS)]
    for tick in range(1, ticks + 1):
        for item in choose.sample(range(ITEMS), ITEMS // 40):
            mode[item] = choose.choice(modes)
        yield {"time": tick, "facts": [f"alpha({i},{choose.randint(*mode[i])})" for i in range(ITEMS)]}


def flights_lines(days: int) -> Iterator[RecordLine]:
    """Departures, landings and weather of the first days of 2013."""
    timeline = Timeline(5 * 60 * 1_000_000)
    begin = datetime(2013, 1, 1, 5, tzinfo=UTC)
    end = datetime.fromtimestamp(begin.timestamp() + days * 86400, UTC)
    for record in events(data_folder(), timeline, begin, end):
        facts = [text for atoms in record.events.facts for text in atom_texts(*atoms)]
        line: RecordLine = {"time": record.tick, "facts": facts}
        yield line if record.events.until is None else line | {"until": record.events.until}


@dataclass(frozen=True)
class Work:
    """A program, and how large its stream is by default."""

    program: str
    tick: str | None
    size: int


WORKS = {
    "flights": Work(FLIGHTS.read_text(), None, 365),
    "caching": Work(CACHING, "1 sec", 200),
    "overall": Work(OVERALL, "1 sec", 200),
}

WAYS: dict[str, tuple[str, int] | None] = {
    "in process": None,
    "driver": ("driver", 2),
    "partitioned, 1 core": ("auto", 1),
    "partitioned, 2 cores": ("auto", 2),
    "pipelined, 2 cores": ("pipelined", 2),
}
"""By the ways of running: the mode of Spark, and the number of cores."""


def write(folder: Path, name: str, size: int, batches: int) -> int:
    """Writes the stream as one file for the reasoner alone and as one file a batch; gives how many facts."""
    lines = list(flights_lines(size) if name == "flights" else caching_lines(size))
    (folder / "all.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    parts = folder / "parts"
    parts.mkdir()
    each = -(-len(lines) // batches)
    for number in range(batches):
        rows = [
            json.dumps({"time": line["time"], "atom": fact, "until": line.get("until")})
            for line in lines[number * each : (number + 1) * each]
            for fact in line["facts"]
        ]
        path = parts / f"{number:05d}.json"
        path.write_text("".join(f"{row}\n" for row in rows))
    (folder / "last").write_text(str(max(line["time"] for line in lines)))
    return sum(len(line["facts"]) for line in lines)


def digest(changes: list[tuple[int, str, str]]) -> str:
    """Tells changes apart."""
    return f"{len(changes)} {sha256(repr(sorted(changes)).encode()).hexdigest()[:16]}"


def run_in_process(work: Work, folder: Path) -> RecordLine:
    """The reasoner alone."""
    begin = time.perf_counter()
    reasoner = Reasoner.from_text(work.program, tick=work.tick)
    changes = []
    for answer in reasoner.run(folder / "all.jsonl", every=None):
        for signature, (began, ended) in answer.row_changes:
            for change, rows in (("began", began), ("ended", ended)):
                changes += [(answer.tick, text, change) for text in atom_texts(signature, rows)]
    return {"seconds": time.perf_counter() - begin, "digest": digest(changes), "batches": []}


_COMPARED = ("time", "atom", "change")


def run_on_spark(work: Work, folder: Path, mode: str, cores: int) -> RecordLine:
    """One query over all files, and one more over the end of time."""
    from lars2asp.spark import (  # noqa: PLC0415
        SparkOptions,
        answers,
        local_session,
        wait_for_end,
        write_answers,
    )

    spark = local_session(f"local[{cores}]")
    columns = "time long, atom string, until long"
    last = int((folder / "last").read_text())
    rows: list[Any] = []
    times: list[tuple[int, float]] = []
    checkpoint = folder / f"checkpoint {mode} {cores}"
    (checkpoint / "clock").mkdir(parents=True)
    clock = spark.readStream.schema("time long").json(str(checkpoint / "clock"))
    frame = spark.readStream.schema(columns).option("maxFilesPerTrigger", 1).json(str(folder / "parts"))
    spark.range(10).count()
    options: SparkOptions = {"tick": work.tick} if work.tick else {}
    if mode != "driver":
        options["partition"] = mode
    begin = time.perf_counter()
    for turn in range(2):
        if turn:
            (checkpoint / "clock" / "end.json").write_text(json.dumps({"time": last + 1}))
        if mode == "driver":
            timed = frame.unionByName(clock, allowMissingColumns=True)
            query = write_answers(
                timed,
                work.program,
                lambda changes, _: rows.extend(changes.select(*_COMPARED).collect()),
                checkpoint / "state",
                trigger={"availableNow": True},
                **options,
            )
        else:
            changes = answers(
                frame,
                work.program,
                clock=clock,
                **options,
            )
            writer = changes.select(*_COMPARED).writeStream.foreachBatch(
                lambda batch, _: rows.extend(batch.collect())
            )
            writer = writer.option("checkpointLocation", str(checkpoint / "state"))
            query = writer.trigger(availableNow=True).start()
        wait_for_end(query)
        times += [(p["numInputRows"], p["durationMs"]["triggerExecution"]) for p in query.recentProgress]
    seconds = time.perf_counter() - begin
    changed = [(row.time, row.atom, row.change) for row in rows if row.change != "rejected"]
    return {"seconds": seconds, "digest": digest(changed), "batches": times}


@click.command()
@click.option(
    "--work", "works", type=click.Choice([*WORKS]), multiple=True, default=[*WORKS], help="Which programs."
)
@click.option(
    "--way", "ways", type=click.Choice([*WAYS]), multiple=True, default=[*WAYS], help="Which ways to run."
)
@click.option("--size", type=int, help="Days of flights, ticks of caching.")
@click.option("--batches", default=12, help="Files that Spark reads one by one.")
@click.option("--one", nargs=3, hidden=True, help="WORK WAY FOLDER: one run, in this process.")
def main(
    works: tuple[str, ...],
    ways: tuple[str, ...],
    size: int | None,
    batches: int,
    one: tuple[str, str, str] | None,
) -> None:
    """Measures facts a second in process and on Spark; --work and --way may be given several times."""
    if one:
        name, way, folder = one
        run = WAYS[way]
        work = WORKS[name]
        found = run_on_spark(work, Path(folder), *run) if run else run_in_process(work, Path(folder))
        sys.stdout.write(json.dumps(found) + "\n")
        return
    for name in works:
        compare(name, ways, size or WORKS[name].size, batches)


def compare(name: str, ways: Sequence[str], size: int, batches: int) -> None:
    """Runs a program in all ways; raises SystemExit where they differ."""
    with tempfile.TemporaryDirectory() as folder:
        facts = write(Path(folder), name, size, batches)
        sys.stdout.write(f"\n{name}: {facts} facts in {batches} batches\n\n")
        sys.stdout.write("| way | s | facts/s | ratio | facts/s after the first batch | a batch, ms |\n")
        sys.stdout.write("| --- | --- | --- | --- | --- | --- |\n")
        alone: RecordLine = {}
        for way in ways:
            command = [sys.executable, "-m", "experiments", "spark-rates", "--one", name, way, folder]
            output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            found = json.loads(output.splitlines()[-1])
            alone = alone or found
            if found["digest"] != alone["digest"]:
                sys.exit(f"{way} differs: {found['digest']}, not {alone['digest']}")
            steady = found["batches"][1:]
            rate = facts / found["seconds"]
            words = [
                way,
                f"{found['seconds']:.1f}",
                f"{rate:.0f}",
                f"{alone['seconds'] / found['seconds']:.2f}",
            ]
            if steady:
                rows = sum(count for count, _ in steady)
                seconds = sum(took for _, took in steady) / 1000
                words += [f"{rows / seconds:.0f}", f"{statistics.median(took for _, took in steady):.0f}"]
            else:
                words += ["", ""]
            sys.stdout.write(f"| {' | '.join(words)} |\n")
            sys.stdout.flush()
