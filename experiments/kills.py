"""Is the output of a run that is killed again and again that of a run that is never interrupted?

A run over a file with checkpoints is killed (SIGKILL) at random moments, started again each time, and at last
left to its end. Its answers and rejected records must be, byte for byte, those of one run of the same options
that nobody kills. The program has windows, intervals, heads ahead and a choice; the file has late and broken
records:

    python -m experiments.kills --ticks 100000 --kills 200
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PROGRAM = """
hot(R) :- temp(R,V) in [3], V > 80.
heating(R) :- on(R) always in [20].
busy(R,N) :- temp(R,_) count N in [15], N > 3.
check(R) at T+40 :- temp(R,V) at T in [2], V > 97.
quiet(R) :- room(R), not temp(R,_) in [12].
1 { guard(R,G) : guard(G) } 1 :- check(R).
tired(G) :- guard(_,G) in [10], guard(G), not guard(_,G).
last(R) :- temp(R,_) in [5 #].
alarm(R) :- hot(R), heating(R), not alarm(R) in {1,2,3}.
room(1..9). guard(a;b;c).
"""
LATENESS = 4


def lines(ticks: int, seed: int) -> Iterator[str]:
    """The records, some of them late, too late or broken."""
    choose = random.Random(seed)
    opened: set[int] = set()
    tick = 0
    while tick < ticks:
        told: dict[str, object] = {"time": max(0, tick - choose.choice([0, 0, 0, 1, 3, 6]))}
        told["facts"] = [
            f"temp({choose.randint(1, 9)},{choose.randint(40, 99)})" for _ in range(choose.randint(0, 2))
        ]
        room = choose.randint(1, 9)
        if choose.random() < 0.05:
            told = {"time": tick, "end" if room in opened else "begin": [f"on({room})"]}
            opened ^= {room}
        line = json.dumps(told)
        yield line[: choose.randint(1, 20)] if choose.random() < 0.01 else line
        tick += choose.choice([0, 1, 1, 1, 2, 25]) if choose.random() < 0.9 else 1


def command(folder: Path, name: str, every: int) -> list[str]:
    """The command of a run, with files of its own."""
    return [
        *(sys.executable, "-m", "lars2asp", "run", str(folder / "program.lars")),
        *("--input", str(folder / "input.jsonl"), "--lateness", str(LATENESS)),
        *("--output", str(folder / f"{name}.jsonl"), "--rejects", str(folder / f"{name}.rejects")),
        *("--checkpoint", str(folder / f"{name}.checkpoints"), "--checkpoint-every", str(every)),
    ]


def main() -> None:
    """Runs the experiment and prints what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ticks", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--every", type=int, default=200, help="ticks between checkpoints")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    choose = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.lars").write_text(PROGRAM)
        (folder / "input.jsonl").write_text(
            "".join(f"{line}\n" for line in lines(options.ticks, options.seed))
        )
        begin = time.perf_counter()
        subprocess.run(command(folder, "whole", options.every), check=False)
        whole = time.perf_counter() - begin
        kept = command(folder, "killed", options.every)
        begin, kills = time.perf_counter(), 0
        for _ in range(options.kills):
            with subprocess.Popen(kept) as run:
                try:  # it takes some time to start
                    run.wait(0.55 + choose.expovariate(1 / (0.7 * whole / options.kills)))
                except subprocess.TimeoutExpired:
                    run.kill()
                    kills += 1
        subprocess.run(kept, check=False)
        killed = time.perf_counter() - begin
        sys.stdout.write(f"{options.ticks} ticks: {whole:.1f} s, {killed:.1f} s with {kills} kills\n")
        for suffix in ("jsonl", "rejects"):
            one, other = ((folder / f"{run}.{suffix}").read_bytes() for run in ("whole", "killed"))
            verdict = "the same" if one == other else "NOT the same"
            sys.stdout.write(f"{suffix}: {verdict}, {len(one)} bytes, {one.count(10)} lines\n")
            if one != other:
                sys.exit(1)


if __name__ == "__main__":
    main()
