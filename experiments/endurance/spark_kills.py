"""Is the output on Spark that is killed again and again that of a run in process that nobody interrupts?

`lars2asp spark` runs over many small files with a checkpoint. It and its Java are killed (SIGKILL) at random
moments and started again each time, and at last left to their end. What came out must be what `lars2asp run`
gives, change for change:

    python -m experiments spark-kills --kills 50
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
from pathlib import Path

import click

PROGRAM = """
hot(R) :- temp(R,V) in [3], V > 80.
heating(R) :- on(R) always in [20].
busy(R,N) :- temp(R,_) count N in [15], N > 3.
check(R) at T+40 :- temp(R,V) at T in [2], V > 97.
quiet(R) :- room(R), not temp(R,_) in [12].
alarm(R) :- hot(R), heating(R), not alarm(R) in {1,2,3}.
many :- #count { R : hot(R) } > 4.
room(1..9).
"""
"""All but the last rule agree on the room, so that the last one is a part, or a level, of its own."""

CHOOSING = PROGRAM + "1 { guard(R,G) : guard(G) } 1 :- check(R). guard(a;b;c)."
"""A program that only driver mode and one partition serve, with one of several answer streams followed."""

RUNS = {"auto": PROGRAM, "pipelined": PROGRAM, "driver": CHOOSING, "none": CHOOSING}
"""Programs by how they are spread over reasoners."""

ChangeRow = tuple[int, str, str]


def lines(ticks: int, seed: int) -> list[str]:
    """The records, in time order."""
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
            record = {"time": tick, "end" if room in opened else "begin": [f"on({room})"]}
            opened ^= {room}
        found.append(json.dumps(record))
        tick += choose.choice([1, 1, 1, 2, 25])
    return found


def in_process(folder: Path, name: str, last: int) -> list[ChangeRow]:
    """The changes that `lars2asp run` gives."""
    output = folder / f"{name}.jsonl"
    run = [
        *(sys.executable, "-m", "lars2asp", "run", str(folder / f"{name}.lars"), "--changes"),
        *("--input", str(folder / "all.jsonl"), "--output", str(output)),
        *("--start", "0", "--until", str(last)),
    ]
    subprocess.run(run, check=True)
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


def command(folder: Path, name: str, last: int, partition: str) -> list[str]:
    """The command of a run."""
    return [
        *(sys.executable, "-m", "lars2asp", "spark", str(folder / f"{name}.lars")),
        *("--input", str(folder / "input"), "--output", str(folder / f"{name}.output")),
        *("--checkpoint", str(folder / f"{name}.checkpoint"), "--files-per-batch", "1"),
        *("--master", "local[2]", "--partition", partition, "--start", "0", "--until", str(last)),
    ]


@click.command()
@click.option("--ticks", default=6000, help="Ticks of each run.")
@click.option("--files", default=60, help="Files that Spark reads one by one.")
@click.option("--kills", "total", default=50, help="Kills in all.")
@click.option("--seed", default=1, help="Another seed makes another stream and other moments.")
@click.option(
    "--ways", multiple=True, type=click.Choice([*RUNS]), default=[*RUNS], help="May be given several times."
)
def main(ticks: int, files: int, total: int, seed: int, ways: tuple[str, ...]) -> None:
    """Kills runs on Spark again and again, and compares what came out with a run in process.

    Exit status 1 if it differs.
    """
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "input").mkdir()
        records = lines(ticks, seed)
        last = json.loads(records[-1])["time"] + 50
        (folder / "all.jsonl").write_text("".join(f"{line}\n" for line in records))
        each = -(-len(records) // files)
        for number in range(files):
            path = folder / "input" / f"{number:04d}.jsonl"
            path.write_text("".join(f"{line}\n" for line in records[number * each : (number + 1) * each]))
            os.utime(path, (1e9 + number, 1e9 + number))
        runs = [(way, program) for way, program in RUNS.items() if way in ways]
        for number, (way, program) in enumerate(runs):
            (folder / f"{way}.lars").write_text(program)
            share = total * (number + 1) // len(runs) - total * number // len(runs)
            kills = killed(command(folder, way, last, way), share, choose)
            expected, got = (
                in_process(folder, way, last),
                on_spark(folder / f"{way}.output"),
            )
            verdict = "the same" if got == expected else "NOT the same"
            sys.stdout.write(f"{way}: {kills} kills, {len(expected)} changes: {verdict}\n")
            sys.stdout.flush()
            if got != expected:
                missing, more = Counter(expected) - Counter(got), Counter(got) - Counter(expected)
                sys.exit(f"missing {sorted(missing)[:5]}, too many {sorted(more)[:5]}")


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
