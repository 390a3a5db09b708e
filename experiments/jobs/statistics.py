"""What statistics cost: the jobs as whole processes, with `--stats` and without it, in turns."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from experiments.jobs.five import FIVE
from experiments.jobs.part import Settings, Table
from experiments.jobs.processes import cpu_seconds
from experiments.jobs.whole import OPTIONS, Way, Work

ROWS = 200_000
"""The most rows of a stream."""


def tables(settings: Settings) -> Iterator[Table]:
    """One table."""
    cells = []
    for name, job in FIVE.items():
        if settings.only in name:
            rows = settings.some(min(job.rows, ROWS), 1000)
            without, with_them = measured(name, rows, settings)
            cells.append(
                [name, f"{rows:,}", f"{without:.2f}", f"{with_them:.2f}", f"{with_them / without:.3f}"]
            )
    headings = ["job", "rows", "without, s", "with --stats, s", "with / without"]
    yield Table(
        "Statistics of components and rules: CPU seconds of whole processes, the least", headings, cells
    )


def measured(name: str, rows: int, settings: Settings) -> tuple[float, float]:
    """The CPU seconds of a job without statistics and with them, each the least of several runs in turns."""
    with tempfile.TemporaryDirectory() as folder:
        work = Work.made(name, FIVE[name], Path(folder), rows)
        program, target = str(work.folder / f"{name}.lars"), str(work.folder / f"{name}.answers")
        options = [
            "--complete-windows",
            "--input",
            str(work.source),
            "--output",
            target,
            *OPTIONS[Way.DELTA],
        ]
        command = [sys.executable, "-m", "lars2asp", "run", program, *options]
        found: dict[bool, list[float]] = {False: [], True: []}
        for turn in range(settings.runs):
            for is_on, took in found.items():
                settings.say(f"{name}: {'with' if is_on else 'without'} statistics, turn {turn + 1}")
                seconds = cpu_seconds([*command, *(["--stats"] if is_on else [])])
                assert seconds is not None
                took.append(seconds)
    return min(found[False]), min(found[True])
