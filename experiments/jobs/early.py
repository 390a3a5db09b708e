"""What answers at once cost: the jobs with `--revise` and without it, in turns."""

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

LATENESS = 60
"""In ticks."""

WITH_LATE_ROWS = "alarm"
"""A job whose rows come late, one in six."""

MANY_LATE = 50_000
"""The most rows of it."""


def tables(settings: Settings) -> Iterator[Table]:
    """One table."""
    cells = []
    for name, job in FIVE.items():
        if settings.only in name:
            most = MANY_LATE if name == WITH_LATE_ROWS else ROWS
            rows = settings.some(min(job.rows, most), 1000)
            waiting, early = measured(name, rows, settings)
            late = "one in six" if name == WITH_LATE_ROWS else "none"
            cells.append(
                [name, f"{rows:,}", late, f"{waiting:.2f}", f"{early:.2f}", f"{early / waiting:.3f}"]
            )
    headings = ["job", "rows", "late", "waiting, s", "with --revise, s", "early / waiting"]
    yield Table(
        f"Answers at once, --lateness {LATENESS}: CPU seconds of whole processes, the least",
        headings,
        cells,
    )


def measured(name: str, rows: int, settings: Settings) -> tuple[float, float]:
    """The CPU seconds of a job that waits and of one that does not, each the least of several runs."""
    with tempfile.TemporaryDirectory() as folder:
        work = Work.made(name, FIVE[name], Path(folder), rows)
        program, target = str(work.folder / f"{name}.lars"), str(work.folder / f"{name}.answers")
        options = ["--complete-windows", "--input", str(work.source), "--output", target]
        late = ["--lateness", str(LATENESS), *OPTIONS[Way.DELTA]]
        command = [sys.executable, "-m", "lars2asp", "run", program, *options, *late]
        found: dict[bool, list[float]] = {False: [], True: []}
        for turn in range(settings.runs):
            for is_early, took in found.items():
                settings.say(f"{name}: {'at once' if is_early else 'waiting'}, turn {turn + 1}")
                seconds = cpu_seconds([*command, *(["--revise"] if is_early else [])])
                assert seconds is not None
                took.append(seconds)
    return min(found[False]), min(found[True])
