"""What whole processes cost, and its file: a row for each job and system."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from experiments.jobs.processes import Used
from experiments.kept_results import read_rows, write_rows
from experiments.measuring.machine import Machine

HEADING = ("job", "system", "rows", "CPU s", "start-up, CPU s", "wall s", "MiB", "lines", "runs", "failed")
"""The columns of a file."""


@dataclass(frozen=True)
class Cost:
    """What whole processes took, medians.

    Attributes:
        whole: CPU seconds of a run; None if it was ended or failed.
        start: of a run on a stream of one row.
        wall: seconds of a run.
        memory: bytes of a run, at most.
        runs: the number of runs; 0 if a file does not note it.
        failed: why the system failed; empty if it did not.
    """

    whole: float | None
    start: float
    wall: float = 0.0
    memory: float = 0.0
    runs: int = 0
    failed: str = ""

    @property
    def net(self) -> float | None:
        """Without the start."""
        return None if self.whole is None else max(self.whole - self.start, 1e-6)

    @classmethod
    def of(cls, whole: Sequence[Used], start: Sequence[Used], failed: str = "") -> "Cost":
        """The medians of runs, or the reason why a system failed."""
        began = median(one.cpu for one in start) if start else 0.0
        if not whole or failed:
            return cls(None, began, failed=failed)
        return cls(
            median(one.cpu for one in whole),
            began,
            median(one.wall for one in whole),
            median(one.memory for one in whole),
            len(whole),
        )

    @property
    def without_time(self) -> str:
        """The text of a cell if there is no time."""
        return f"failed: {self.failed}" if self.failed else "too long"


@dataclass(frozen=True)
class JobCost:
    """A row of a file.

    Attributes:
        job: the name of the job.
        system: what does it.
        rows: those of its stream.
        cost: what it took.
        lines: those that a user writes for it.
    """

    job: str
    system: str
    rows: int
    cost: Cost
    lines: int


def write(folder: Path, name: str, found: Sequence[JobCost], machine: Machine) -> None:
    """Writes what was measured, and on what."""
    rows = (
        [one.job, one.system, one.rows, *_cells(one.cost), one.lines, one.cost.runs or "", one.cost.failed]
        for one in found
    )
    write_rows(folder, name, HEADING, rows, machine)


def read(folder: Path, name: str) -> Sequence[JobCost]:
    """Reads what was measured; nothing if there is no file."""
    return [
        JobCost(row["job"], row["system"], int(row["rows"]), _cost(row), int(row["lines"]))
        for row in read_rows(folder, name)
    ]


def machine_with(python: str, packages: Sequence[str]) -> Machine:
    """This machine, now, with the versions of packages of another interpreter of Python."""
    code = "import importlib.metadata as a, sys\nfor one in a.distributions():\n" + (
        " if one.name in sys.argv: print(one.name, one.version)"
    )
    done = subprocess.run([python, "-c", code, *packages], stdout=subprocess.PIPE, check=False, text=True)
    here = Machine.here()
    return replace(here, versions=", ".join([here.versions, *sorted(done.stdout.splitlines())]))


def _cells(cost: Cost) -> Sequence[str]:
    if cost.whole is None:
        return ["", f"{cost.start:.2f}", "", ""]
    return [f"{cost.whole:.2f}", f"{cost.start:.2f}", f"{cost.wall:.2f}", f"{cost.memory / 2**20:.0f}"]


def _cost(row: Mapping[str, str]) -> Cost:
    start, runs = float(row["start-up, CPU s"]), int(row.get("runs") or 0)
    if not row["CPU s"]:
        return Cost(None, start, failed=row.get("failed") or "")
    return Cost(float(row["CPU s"]), start, float(row["wall s"]), float(row["MiB"]) * 2**20, runs)
