"""What ticks cost in systems with rules, and its file: a row for each job and system, in pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.kept_results import read_rows, write_rows
from experiments.measuring.machine import Machine

NAME = "asp"
"""That of the file."""

_HEADING = ("job", "rows", "ticks", "system", "CPU s", "start-up, CPU s", "MiB", "lines", "runs")


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
        lines: the lines that a user writes for it.
        runs: the number of runs; 0 if a file does not note it.
    """

    job: str
    rows: int
    ticks: int
    system: str
    whole: float
    start: float
    memory: float
    lines: int
    runs: int = 0

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
    rows = (
        (
            *(one.job, one.rows, one.ticks, one.system),
            *(f"{one.whole:.3f}", f"{one.start:.3f}", f"{one.memory / 2**20:.0f}", one.lines),
            one.runs,
        )
        for one in found
    )
    write_rows(folder, NAME, _HEADING, rows, machine)


def read(folder: Path) -> Sequence[TickCost]:
    """Reads what was measured; nothing if there is no file."""
    return [
        TickCost(
            row["job"],
            int(row["rows"]),
            int(row["ticks"]),
            row["system"],
            float(row["CPU s"]),
            float(row["start-up, CPU s"]),
            float(row["MiB"]) * 2**20,
            int(row["lines"]),
            int(row.get("runs") or 0),
        )
        for row in read_rows(folder, NAME)
    ]
