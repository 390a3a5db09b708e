"""Does a long run take more and more memory, or time, where no constant ever comes twice?

Every fact has constants of its own; those that clingo is given it keeps for ever. The run gets them from a
file, or over TCP as fast as it takes them. Measured are the memory of all its processes together (what they
share counts once) and the CPU time a fact took, in the first, the fifth and the last tenth of the run; and
whether every fact was accepted or rejected:

    python -m experiments soak --facts 5000000 --source tcp --program windows
"""

import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import click

PROGRAMS = {
    "windows": """
seen(X) :- arrived(X) in [10].
slow(X,Y) :- started(X,Y) in [20], not done(X) in [20].
took(X,Y) :- done(X), started(X,Y) in [20].
still(X,T) :- started(X,_) at T in [4], not done(X) in [4], arrived(X).
busy(N) :- started(_,_) count N in [5].
""",
    "joins": """
took(X,Y) :- done(X) in [5], started(X,Y) in [20].
pair(X,Z) :- took(X,Y), started(Z,W) in [1], W = Y.
late(X) :- started(X,_) in [20], not took(X,_), not arrived(X).
""",
    "tuples": """
last(X) :- arrived(X) in [50 #].
of(X,Y) :- started(X,Y) in [40 # started/2].
gone(X) :- of(X,_), not last(X), done(X).
""",
    "choice": """
{ take(X) : arrived(X) } <= 2.
busy(N) :- N = #count { X : take(X) in [3] }.
chain(X+1) :- started(_,X). chain(X+1) :- chain(X), started(_,X).
""",
}
A_TICK = 10
"""Facts a tick."""

SHARE_OF_BAD = 0.001
"""The share of lines that are broken."""

BROKEN = '{"time": 1, "facts": ["p("]}'

TENTHS = (1, 5, 10)


def lines(facts: int, seed: int) -> Iterator[str]:
    """Records of a tick each, now and then a broken line with nothing in it."""
    choose = random.Random(seed)
    for first in range(0, facts, A_TICK):
        facts_of_tick = []
        for number in range(first, min(first + A_TICK, facts)):
            match number % 3:
                case 0:
                    facts_of_tick.append(f"arrived(item{number})")
                case 1:
                    facts_of_tick.append(f"started(job{number},{number})")
                case _:
                    facts_of_tick.append(f"done(job{max(1, number - choose.choice([1, 1, 31, 61]))})")
        yield json.dumps({"time": first // A_TICK, "facts": facts_of_tick})
        if choose.random() < SHARE_OF_BAD:
            yield BROKEN


def send(port: int, facts: int, seed: int) -> None:
    """Sends the lines to a port of this machine."""
    while True:
        try:
            connection = socket.create_connection(("127.0.0.1", port))
            break
        except ConnectionRefusedError:
            time.sleep(0.05)
    with connection, connection.makefile("w") as stream:
        for line in lines(facts, seed):
            stream.write(f"{line}\n")
        stream.write(
            json.dumps({"time": facts // A_TICK + 1}) + "\n"
        )  # what comes after the end ends the run


def memory_of(process: int) -> int:
    """The bytes in memory of a process and of those that it made; what they share counts once."""
    found = 0
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                found += int(line.split()[1]) * 1024
        for thread in Path(f"/proc/{process}/task").iterdir():
            found += sum(memory_of(int(child)) for child in (thread / "children").read_text().split())
    except (OSError, ValueError):  # it has just ended
        return found
    return found


def cpu_of(process: int) -> float:
    """The seconds of CPU time of a process and of those that it made, those that have ended as well."""
    try:
        found = sum(map(int, Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]))
        seconds = found / os.sysconf("SC_CLK_TCK")
        for thread in Path(f"/proc/{process}/task").iterdir():
            seconds += sum(cpu_of(int(child)) for child in (thread / "children").read_text().split())
    except (OSError, ValueError):  # it has just ended
        return 0.0
    return seconds


@click.command()
@click.option("--facts", default=5_000_000, help="Facts in all.")
@click.option("--program", type=click.Choice([*PROGRAMS]), default="windows", help="The program.")
@click.option(
    "--source", "kind", type=click.Choice(["file", "tcp"]), default="file", help="The source of facts."
)
@click.option("--port", default=19283, help="The port of the source tcp.")
@click.option("--seed", default=1, help="Another seed makes another stream.")
def main(facts: int, program: str, kind: str, port: int, seed: int) -> None:
    """Measure memory and CPU time early and late in a run with new constants in every fact.

    The exit status is 1 if a fact is neither accepted nor rejected.
    """
    ticks = facts // A_TICK
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.lars").write_text(PROGRAMS[program])
        source = f"tcp:{port}"
        last = ["--until", str(ticks - 1)]
        if kind == "file":
            source, last = str(folder / "input.jsonl"), []
            with Path(source).open("w") as file:
                file.writelines(f"{line}\n" for line in lines(facts, seed))
        else:
            threading.Thread(target=send, args=(port, facts, seed), daemon=True).start()
        command = [
            *(sys.executable, "-m", "lars2asp", "run", str(folder / "program.lars"), "--input", source),
            *("--emit", str(max(1, ticks // 1000)), "--rejects", str(folder / "rejects.jsonl"), *last),
            *("--stats-json", str(folder / "stats.json")),
        ]
        memory: list[int] = []
        begin, times = time.perf_counter(), [0.0]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as run:
            for _ in run.stdout or ():
                memory.append(memory_of(run.pid))
                times.append(max(times[-1], cpu_of(run.pid)))
        seconds = time.perf_counter() - begin
        run_statistics = json.loads((folder / "stats.json").read_text())
    accepted, rejected = run_statistics["facts"], run_statistics["records"]["rejected"]
    broken = sum(line == BROKEN for line in lines(facts, seed))
    size = len(memory) // 10
    sys.stdout.write(
        f"{program}: {facts} facts and {broken} broken lines from {kind} in "
        f"{seconds:.0f} s: {accepted} accepted, {rejected} rejected\n"
    )
    for tenth in TENTHS:
        here = memory[(tenth - 1) * size : tenth * size]
        spent = times[tenth * size] - times[(tenth - 1) * size]
        sys.stdout.write(
            f"up to {10 * tenth} %: {spent / (facts / 10) * 1e6:.1f} us of CPU a fact, "
            f"memory {statistics.mean(here) / 2**20:.1f} MiB on average, {max(here) / 2**20:.1f} at most\n"
        )
    if (accepted, rejected) != (facts, broken):
        sys.exit("not all facts are accounted for")
