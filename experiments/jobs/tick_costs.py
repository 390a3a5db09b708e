"""What ticks cost in systems with rules, and its file: a row for each job and system, in pairs."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.kept_results import write_machines
from experiments.measuring.machine import Machine

NAME = "asp"
"""That of the file."""

_HEADING = ("job", "rows", "ticks", "system", "CPU s", "start-up, CPU s", "MiB", "lines")


@dataclass(frozen=True)
class TickCost:
    """A row.

    Attributes:
        job: the name of the job.
        rows: those of its stream.
        ticks: those that answers are given for.
        system: what does it.
        whole: CPU seconds of the process.
        start: of a process that is given nothing.
        memory: bytes.
        lines: those that a user writes for it.
    """

    job: str
    rows: int
    ticks: int
    system: str
    whole: float
    start: float
    memory: float
    lines: int

    @property
    def a_tick(self) -> float:
        """Milliseconds a tick, without the start."""
        return max(self.whole - self.start, 0) * 1e3 / self.ticks

    @property
    def cells(self) -> list[str]:
        """What tables show."""
        times = [f"{self.whole:.2f}", f"{self.start:.2f}", f"{self.a_tick:.3g}", f"{self.memory / 2**20:.0f}"]
        return [self.job, f"{self.rows:,}", f"{self.ticks:,}", self.system, *times, str(self.lines)]


def write(folder: Path, found: Sequence[TickCost], machine: Machine) -> None:
    """Writes what was measured, and on what."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{NAME}.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(_HEADING)
        for one in found:
            numbers = [f"{one.whole:.3f}", f"{one.start:.3f}", f"{one.memory / 2**20:.0f}"]
            table.writerow([one.job, one.rows, one.ticks, one.system, *numbers, one.lines])
    write_machines(folder, NAME, [machine])


def read(folder: Path) -> Sequence[TickCost]:
    """Reads what was measured; nothing if there is no file."""
    path = folder / f"{NAME}.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return [
            TickCost(
                *(job, int(number), int(ticks), system),
                *(float(whole), float(start), float(memory) * 2**20, int(lines)),
            )
            for job, number, ticks, system, whole, start, memory, lines in rows
        ]
