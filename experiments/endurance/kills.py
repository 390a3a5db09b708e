"""Is the output of a run that is interrupted again and again that of a run that nothing interrupts?

Runs with checkpoints are ended at random moments (SIGTERM, SIGINT and SIGKILL in turn), started again each
time, and at last left to their end. There are programs of each kind, and each source there is: files, folders
and files that grow, which can be read again, and standard input and TCP, which cannot. Answers and rejected
records must be, byte for byte, those of one run that nobody interrupts; where the source cannot be read
again, of one from which the very lines are left out that the runs have said to be missing. An end that was
asked for must have its exit status (143, 130).

    python -m experiments kills --kills 200
"""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from experiments.endurance.kill_sources import SOURCES, LineSource

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


@dataclass(frozen=True)
class Kind:
    """A kind of program.

    Attributes:
        name: its name.
        text: the program.
        options: of the command line, besides those of all.
    """

    name: str
    text: str
    options: tuple[str, ...] = ()


KINDS = (
    Kind("everything", PROGRAM),
    Kind("joins", "pair(R,S) :- temp(R,V) in [8], temp(S,V) in [3], R < S. hot(R) :- pair(R,_), on(R)."),
    Kind(
        "counts",
        "busy(R,N) :- temp(R,_) count N in [9]. warm(R) :- temp(R,_) at least 3 in [12]. "
        "high(M) :- M = #max { V : temp(_,V) in [5] }.",
    ),
    Kind(
        "stamped",
        "near(X,Y) :- X = 1..60, Y = X-1..X+1. at(R,X) :- temp(R,X) in [4]. "
        "close(R,S) :- at(R,X), near(X,Y), at(S,Y), R < S. now(@now) :- on(_).",
        ("--evaluator", "stamped"),
    ),
    Kind(
        "external",
        "reach(R,S) :- link(R,S), on(R) in [9]. reach(R,T) :- reach(R,S), link(S,T), not temp(T,_) in [2]. "
        "link(X,X+1) :- X = 1..9. link(9,1).",
    ),
    Kind(
        "choice",
        "{ guard(R,G) : guard(G) } = 1 :- temp(R,_) in [4]. tired(G) :- guard(_,G) in [3], guard(G). "
        ":- guard(R,G), guard(S,G), R+1 = S. guard(a;b;c).",
    ),
    Kind("ahead", "check(R) at T+9 :- temp(R,V) at T in [2], V > 90. due(R) :- check(R) in [3]."),
    Kind(
        "tuples",
        "last(R) :- temp(R,_) in [4 #]. of(R,V) :- temp(R,V) in [2 # by R]. "
        "still(R) :- on(R) always in [3 # temp/2].",
    ),
)
"""All with records that come late."""

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
STATUSES = {signal.SIGTERM: {143}, signal.SIGINT: {130}, signal.SIGKILL: {-9}}


def lines(ticks: int, seed: int) -> Iterator[str]:
    """The records, some of them late, too late or broken."""
    choose = random.Random(seed)
    opened: set[int] = set()
    tick = 0
    while tick < ticks:
        record: dict[str, object] = {"time": max(0, tick - choose.choice([0, 0, 0, 1, 3, 6]))}
        record["facts"] = [
            f"temp({choose.randint(1, 9)},{choose.randint(40, 99)})" for _ in range(choose.randint(0, 2))
        ]
        room = choose.randint(1, 9)
        if choose.random() < 0.05:
            record = {"time": tick, "end" if room in opened else "begin": [f"on({room})"]}
            opened ^= {room}
        line = json.dumps(record)
        yield line[: choose.randint(1, 20)] if choose.random() < 0.01 else line
        tick += choose.choice([0, 1, 1, 1, 2, 25]) if choose.random() < 0.9 else 1


def command(folder: Path, kind: Kind, name: str, source: list[str], every: int, until: int) -> list[str]:
    """The command of a run, with files of its own."""
    return [
        *(sys.executable, "-m", "lars2asp", "run", str(folder / "program.lars"), *source, *kind.options),
        *("--lateness", str(LATENESS), "--until", str(until)),
        *("--output", str(folder / f"{name}.jsonl"), "--rejects", str(folder / f"{name}.rejects")),
        *("--checkpoint", str(folder / f"{name}.checkpoints"), "--checkpoint-every", str(every)),
    ]


def takes_signals(process: int) -> bool:
    """Whether a process has begun to take SIGTERM itself, so that the start of Python is over."""
    status = Path(f"/proc/{process}/status").read_text()
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def interrupted(
    arguments: list[str], folder: Path, source: LineSource, kills: int, choose: random.Random, seconds: float
) -> Counter[str]:
    """Runs to the end with interruptions, checkpoints in a folder; counts them, and what was wrong."""
    found: Counter[str] = Counter()
    for number in range(kills + 1):
        run = subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        source.start(run)
        received = SIGNALS[number % len(SIGNALS)]
        if number < kills:
            while not takes_signals(run.pid):
                time.sleep(0.002)
            source.feed(choose.uniform(0, seconds))
            run.send_signal(received)
        else:
            source.feed(None)
        _, messages = run.communicate()
        source.ended(messages.decode(), any(folder.glob("*.checkpoint")))
        if number < kills and run.returncode not in (0, 1):
            found[received.name] += 1
        if run.returncode not in (STATUSES[received] | {0, 1} if number < kills else {0, 1}):
            found["wrong statuses"] += 1
            sys.stdout.write(f"{received.name}: status {run.returncode}: {messages.decode()[-500:]}\n")
    source.over()
    return found


def written(folder: Path, name: str, source: LineSource) -> list[bytes]:
    """Answers and rejected records; of the latter only the texts, where the source is followed."""
    rejects = (folder / f"{name}.rejects").read_bytes()
    if source.is_followed:
        rejects = json.dumps([json.loads(line)["record"] for line in rejects.splitlines()]).encode()
    return [(folder / f"{name}.jsonl").read_bytes(), rejects]


def compared(
    kind: Kind, make: type[LineSource], kills: int, seed: int, ticks: int, every: int, seconds: float
) -> Counter[str]:
    """One kind of program over one source: counts interruptions, and what was wrong."""
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.lars").write_text(kind.text)
        given = [*lines(ticks, seed), *(f'{{"time": {ticks + late}}}' for late in (60, 90))]
        source, until = make(folder, given), ticks + 50
        arguments = command(folder, kind, "killed", source.arguments(), every, until)
        found = interrupted(arguments, folder / "killed.checkpoints", source, kills, choose, seconds)
        kept = [line for number, line in enumerate(given) if number not in source.missing]
        whole = folder / ("input" if (folder / "input").is_dir() else "input.jsonl")
        if not source.can_be_read_again:
            whole.write_text("".join(f"{line}\n" for line in kept))
        arguments = command(folder, kind, "whole", ["--input", str(whole)], every, until)
        subprocess.run(arguments, check=False, stderr=subprocess.DEVNULL)
        found["lines"], found["missing"] = len(given), len(given) - len(kept)
        if written(folder, "killed", source) != written(folder, "whole", source):
            found["differences"] += 1
    return found


@click.command()
@click.option("--kills", default=200, help="Interruptions in all.")
@click.option("--ticks", default=3000, help="Ticks of each run.")
@click.option("--every", default=150, help="Ticks between checkpoints.")
@click.option("--seconds", default=2.5, help="The longest time before an interruption.")
@click.option("--seed", default=1, help="Another seed makes other streams and moments.")
def main(kills: int, ticks: int, every: int, seconds: float, seed: int) -> None:
    """Interrupt runs of each kind of program over each source, and compare with runs without interruption.

    The exit status is 1 if output differs or an exit status is wrong.
    """
    begin, together = time.perf_counter(), Counter[str]()
    pairs = [(kind, make) for kind in KINDS for make in SOURCES]
    for number, (kind, make) in enumerate(pairs):
        share = (number + 1) * kills // len(pairs) - number * kills // len(pairs)
        found = compared(kind, make, share, seed + number, ticks, every, seconds)
        together += found
        sys.stdout.write(f"{kind.name}, {make.name}: {dict(found)}\n")
        sys.stdout.flush()
    sys.stdout.write(f"in all, in {time.perf_counter() - begin:.0f} s: {dict(together)}\n")
    if together["differences"] or together["wrong statuses"]:
        sys.exit(1)
