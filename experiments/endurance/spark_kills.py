"""Is the output on Spark that is killed again and again that of a run in process that nobody interrupts?

`lars2asp spark` runs over many small files with a checkpoint. It and its Java are killed (SIGKILL) at random
moments and started again each time, and at last left to their end. What came out must be what `lars2asp run`
gives, change for change. There are programs in all ways of spreading them, one that shards evaluate in blocks
of ticks, which `delta` confirms in process, and random ones that split by a key:

    python -m experiments spark-kills --kills 50
    python -m experiments spark-kills --ways blocks --random 3
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from experiments.endurance.spark_programs import RUNS, Run, random_run

ChangeRow = tuple[int, str, str]


def lines(ticks: int, seed: int, *, has_lasting: bool) -> list[str]:
    """The records, in time order; of facts alone, if nothing is to last."""
    choose = random.Random(seed)
    opened: set[int] = set()
    tick, found = 0, []
    while tick < ticks:
        record: dict[str, object] = {"time": tick}
        record["facts"] = sorted(
            {f"temp({choose.randint(1, 9)},{choose.randint(40, 99)})" for _ in range(choose.randint(0, 2))}
        )
        room = choose.randint(1, 9)
        if choose.random() < 0.05:
            change = "facts" if not has_lasting else "end" if room in opened else "begin"
            record = {"time": tick, change: [f"on({room})"]}
            opened ^= {room}
        found.append(json.dumps(record))
        tick += choose.choice([1, 1, 1, 2, 25])
    return found


def in_process(folder: Path, run: Run, stream: Path, last: int) -> list[ChangeRow]:
    """The changes that `lars2asp run` gives."""
    output = folder / "whole.jsonl"
    command = [
        *(sys.executable, "-m", "lars2asp", "run", str(folder / "program.lars"), "--changes"),
        *("--input", str(stream / "all.jsonl"), "--output", str(output), "--evaluator", run.beside),
        *("--start", "0", "--until", str(last)),
    ]
    subprocess.run(command, check=True)
    found: list[ChangeRow] = []
    for line in output.read_text().splitlines():
        answer = json.loads(line)
        found += [(answer["time"], atom, "began") for atom in answer["began"]]
        found += [(answer["time"], atom, "ended") for atom in answer["ended"]]
    return sorted(found)


def on_spark(output: Path) -> list[ChangeRow]:
    """The changes in the folder of the output; of Spark's files only those that its log lists."""
    log = output / "_spark_metadata"
    paths = sorted(output.glob("*.json"))
    if log.exists():
        from lars2asp.spark import local_session  # noqa: PLC0415

        rows = local_session("local[2]").read.json(str(output)).collect()
        return sorted((row.time, row.atom, row.change) for row in rows)
    changes = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
    return sorted((change["time"], change["atom"], change["change"]) for change in changes)


def command(folder: Path, run: Run, stream: Path, last: int) -> list[str]:
    """The command of a run."""
    return [
        *(sys.executable, "-m", "lars2asp", "spark", str(folder / "program.lars")),
        *("--input", str(stream / "input"), "--output", str(folder / "output")),
        *("--checkpoint", str(folder / "checkpoint"), "--max-files-per-trigger", "1"),
        *("--master", "local[2]", "--split", run.partition, "--evaluator", run.evaluator),
        *("--start", "0", "--until", str(last)),
    ]


def write_stream(stream: Path, records: Sequence[str], files: int) -> None:
    """Writes records to one file, and to many in a folder."""
    (stream / "input").mkdir(parents=True)
    (stream / "all.jsonl").write_text("".join(f"{line}\n" for line in records))
    each = -(-len(records) // files)
    for number in range(files):
        path = stream / "input" / f"{number:04d}.jsonl"
        path.write_text("".join(f"{line}\n" for line in records[number * each : (number + 1) * each]))
        os.utime(path, (1e9 + number, 1e9 + number))


def compare(name: str, run: Run, stream: Path, last: int, count: int, choose: random.Random) -> None:
    """Runs a program with kills and without; SystemExit where changes differ."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "program.lars").write_text(run.program)
        kills = killed(command(folder, run, stream, last), count, choose)
        expected, got = in_process(folder, run, stream, last), on_spark(folder / "output")
    verdict = "the same" if got == expected else "NOT the same"
    sys.stdout.write(f"{name}: {kills} kills, {len(expected)} changes: {verdict}\n")
    sys.stdout.flush()
    if got != expected:
        missing, more = Counter(expected) - Counter(got), Counter(got) - Counter(expected)
        sys.exit(f"{run.program}missing {sorted(missing)[:5]}, too many {sorted(more)[:5]}")


@click.command()
@click.option("--ticks", default=6000, help="Ticks of each run.")
@click.option("--files", default=60, help="Files that Spark reads one by one.")
@click.option("--kills", "total", default=50, help="Kills in all.")
@click.option("--seed", default=1, help="Another seed makes another stream and other moments.")
@click.option(
    "--ways",
    multiple=True,
    type=click.Choice([*RUNS]),
    default=[*RUNS],
    help="A way to run; repeat for more.",
)
@click.option("--random", "number_of_random", default=3, help="The number of random programs.")
def main(ticks: int, files: int, total: int, seed: int, ways: tuple[str, ...], number_of_random: int) -> None:
    """Kill runs on Spark again and again, and compare their output with a run in process.

    The exit status is 1 if the output differs.
    """
    choose = random.Random(seed)
    runs = {name: run for name, run in RUNS.items() if name in ways}
    runs.update((f"random {number}", random_run(choose, number)) for number in range(number_of_random))
    with tempfile.TemporaryDirectory() as made:
        last = 0
        for has_lasting in (False, True):
            records = lines(ticks, seed, has_lasting=has_lasting)
            write_stream(Path(made) / str(has_lasting), records, files)
            last = max(last, json.loads(records[-1])["time"] + 50)
        for number, (name, run) in enumerate(runs.items()):
            share = total * (number + 1) // len(runs) - total * number // len(runs)
            compare(name, run, Path(made) / str(run.has_lasting), last, share, choose)


def killed(run: list[str], count: int, choose: random.Random) -> int:
    """Runs a command to its end, after it was killed so often; how often it was."""
    kills, mean = 0, 12.0
    while kills < count:
        with subprocess.Popen(run, start_new_session=True) as process:
            begin = time.monotonic()
            try:
                process.wait(choose.uniform(0.5, 1.5) * mean)
            except subprocess.TimeoutExpired:
                kills += 1
                os.killpg(process.pid, signal.SIGKILL)
                continue
        mean = 0.7 * (time.monotonic() - begin)  # it had come to its end
        if kills < count:
            sys.stdout.write(f"came to its end after {kills} kills: take more --files\n")
            break
    subprocess.run(run, check=True)
    return kills
