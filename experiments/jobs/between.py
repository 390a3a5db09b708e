"""What comes between blocks of ticks: checkpoints, the rest of a run, and records that no block can have."""

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from shutil import rmtree

from experiments.jobs.five import FIVE
from experiments.jobs.part import Settings, Table
from experiments.jobs.processes import cpu_seconds
from experiments.jobs.whole import OPTIONS, Way, Work

JOB = "logins"
"""The job: a row is a fact."""

ROWS = 200_000
"""Those of the stream."""

OTHER = 5000
"""So many records after each other are plain."""

Lines = Iterable[str]


def plain(lines: Lines) -> Lines:
    """The stream as it is."""
    return lines


def as_records(lines: Lines) -> Iterator[str]:
    """The stream as records of facts, of which some tell more than that."""
    for number, line in enumerate(lines):
        row = json.loads(line)
        time = row.pop("ts")
        values = ",".join(json.dumps(value) for value in row.values())
        told: dict[str, object] = {"time": time, "facts": [f"login({values})"]}
        if number % OTHER in (OTHER - 2, OTHER - 1):
            told["end" if number % OTHER == OTHER - 1 else "begin"] = ["other"]
        yield json.dumps(told) + "\n"


SHAPES: Mapping[str, Callable[[Lines], Lines]] = {
    "rows": plain,
    f"records, two of {OTHER} begin and end an atom": as_records,
}


WAYS = {
    "in one go": ("", 1),
    "twenty checkpoints": ("5000", 1),
    "in ten runs, each from a checkpoint on": ("2000", 10),
}
"""How many ticks checkpoints are apart, if there are any, and the number of runs."""


def tables(settings: Settings) -> Iterator[Table]:
    """One table."""
    rows = settings.some(ROWS, 5000)
    cells = []
    for (shape, written), (way, (every, parts)) in product(SHAPES.items(), WAYS.items()):
        if settings.only in way:
            settings.say(f"{shape}, {way}")
            delta, auto = measured(rows, written, every, parts, settings.runs)
            cells.append([f"{shape}; {way}", f"{delta:.2f}", f"{auto:.2f}", f"{auto / delta:.2f}"])
    headings = ["stream; run", "delta, s", "auto, s", "auto / delta"]
    yield Table(f"{JOB}, {rows:,} rows: CPU seconds of whole processes, the least", headings, cells)


def measured(
    rows: int, written: Callable[[Lines], Lines], every: str, parts: int, runs: int
) -> tuple[float, float]:
    """The CPU seconds with `delta` and as `auto` chooses, each the least of several times, in turns."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        work = Work.made(JOB, FIVE[JOB], folder, rows)
        with work.source.open() as source:
            lines = [*written(source)]
        found: dict[Way, list[float]] = {Way.DELTA: [], Way.CHANGES: []}
        for _, way in product(range(runs), found):
            found[way].append(sum(_seconds(work, way, lines, every, parts)))
        targets = [(folder / way.name).read_bytes() for way in found]
        assert targets[0] == targets[1], "different answers"
    return min(found[Way.DELTA]), min(found[Way.CHANGES])


def _seconds(work: Work, way: Way, lines: Sequence[str], every: str, parts: int) -> Iterator[float]:
    """Those of each of several runs over a file that grows in between."""
    folder = work.folder
    source, target, kept = folder / "grows.jsonl", folder / way.name, folder / "kept"
    source.write_text("")
    target.unlink(missing_ok=True)
    rmtree(kept, ignore_errors=True)
    options = [*OPTIONS[way], "--input", str(source), "--output", str(target)]
    if every:
        options += ["--checkpoint", str(kept), "--checkpoint-every", every]
    size = len(lines) // parts + 1
    for first in range(0, len(lines), size):
        with source.open("a") as grown:
            grown.writelines(lines[first : first + size])
        command = [sys.executable, "-m", "lars2asp", "run", str(folder / f"{work.name}.lars"), *options]
        seconds = cpu_seconds(command)
        assert seconds is not None
        yield seconds
