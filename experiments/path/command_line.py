"""The command line as a whole process: JSON lines of fresh facts in, `--changes` out to a file.

Beside it a plain Python loop on the same lines.
"""

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from experiments.path.group import Figures, Found, Group, Line, some
from experiments.path.plain_loops import Pair

FACTS = 240_000
A_TICK = 800
WINDOW = 80
PROGRAMS = {
    "diamond": "q(X,Y) :- p(X,Y) in [{n}].",
    "box": "q(X,Y) :- p(X,Y) always in [{n}].",
    "join": "q(X,Z) :- p(X,Y) in [{n}], p(Y,Z) in [{n}].",
}
MOST = {"diamond": 4.0, "box": 3.0, "join": 20.0}
"""Microseconds a fact, of the whole process."""

SIDE = 6
"""So many facts on each side of a value that joins: 36 answers for 12 facts."""

OURS, LOOP = "lars2asp", "plain loop"
US = "us"


def groups() -> Sequence[Group]:
    """A group for each program."""
    return [
        Group(
            name,
            {way: partial(_measure, name, way) for way in (OURS, LOOP)},
            partial(_lines, name),
        )
        for name in PROGRAMS
    ]


def facts(name: str, number: int) -> Iterator[Pair]:
    """Facts p/2 of which none comes twice; for the join with three answers a fact."""
    for i in range(number):
        if name == "join":
            group, place = divmod(i, 2 * SIDE)
            yield (number + i, group) if place < SIDE else (group, number + i)
        else:
            yield i, i % A_TICK


def write_lines(path: Path, name: str, number: int) -> None:
    """Writes the facts as JSON lines, a tick each."""
    texts = [f"p({x},{y})" for x, y in facts(name, number)]
    with path.open("w") as file:
        for tick, first in enumerate(range(0, number, A_TICK)):
            file.write(json.dumps({"time": tick, "facts": texts[first : first + A_TICK]}) + "\n")


def run(name: str, way: str, source: Path, target: Path) -> None:
    """Runs a program, or the loop in its place, in a process of its own."""
    if way == LOOP:
        command = ["experiments.path.plain_loops", name, str(WINDOW), str(source), str(target)]
    else:
        program = target.with_suffix(".lars")
        program.write_text(PROGRAMS[name].format(n=WINDOW))
        options = ["--input", str(source), "--output", str(target), "--changes"]
        command = ["lars2asp", "run", str(program), *options]
    subprocess.run([sys.executable, "-m", *command], check=True)


def _measure(name: str, way: str, scale: float) -> Figures:
    number = some(FACTS, scale, A_TICK)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "input.jsonl", Path(folder) / "changes.jsonl"
        write_lines(source, name, number)
        before = _cpu_of_others()
        run(name, way, source, target)
        return {US: (_cpu_of_others() - before) * 1e6 / number}


def _cpu_of_others() -> float:
    """Seconds of CPU time of the processes that this one has made and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _lines(name: str, found: Found) -> Sequence[Line]:
    ours, loop = found[OURS][US], found[LOOP][US]
    beside = f"{LOOP} {loop:.3g}, {ours / loop:.2g} times that"
    return [Line(f"{name} [{WINDOW}], whole process", ours, "us a fact", MOST[name], beside)]
