"""What is left to run of a benchmark: results are written setting by setting, and runs may be interrupted."""

from collections.abc import Callable, Sequence
from pathlib import Path

from experiments.benchmark import Benchmark, EngineName, Setting
from experiments.measuring.machine import Machine
from experiments.measuring.runner import DifferentError, Effort, measured, number_of_runs
from experiments.reporting import results
from experiments.reporting.results import ResultRow, Results

A_RUN, A_QUICK_RUN = 1.5, 0.6
"""Seconds that a run takes where nothing is known of it."""


class BenchmarkWork:
    """The settings of a benchmark that are left to run.

    Args:
        benchmark: the benchmark.
        effort: how much is measured.
        folder: where results are, and are written; None: none are kept.
        counts: says of the machine and version of earlier results whether they need not be run again.

    Attributes:
        benchmark: the benchmark.
        left: the settings that were left at first.
    """

    def __init__(
        self, benchmark: Benchmark, effort: Effort, folder: Path | None, counts: Callable[[Machine], bool]
    ) -> None:
        self.benchmark = benchmark
        self._effort = effort
        self._folder = folder
        self._settings = benchmark.settings(effort.is_quick)
        self._rows: dict[str, list[ResultRow]] = {setting.name: [] for setting in self._settings}
        windows = {setting.name: setting.window for setting in self._settings}
        kept = None if folder is None else results.read(folder, benchmark.name)
        for row in kept.rows if kept is not None else ():
            if windows.get(row.setting) == row.window:  # earlier settings, and earlier windows, are dropped
                self._rows[row.setting].append(row)
        engines = set(benchmark.engines) - {EngineName.BY_HAND}
        self.left = [
            setting
            for setting in self._settings
            if not engines <= {row.engine for row in self._rows[setting.name] if counts(row.machine)}
        ]

    @property
    def number_of_settings(self) -> int:
        """How many settings there are, with those that need not be run."""
        return len(self._settings)

    @property
    def number_of_runs(self) -> int:
        """How many runs were left at first, at most."""
        return sum(number_of_runs(self.benchmark, setting, self._effort) for setting in self.left)

    @property
    def seconds(self) -> float:
        """How long they take: as long as the last time, or some seconds for each where that is not known."""
        return sum(map(self._seconds, self.left))

    def _seconds(self, setting: Setting) -> float:
        known = sum(row.seconds for row in self._rows[setting.name])
        a_run = A_QUICK_RUN if self._effort.is_quick else A_RUN
        return known or a_run * number_of_runs(self.benchmark, setting, self._effort)

    @property
    def results(self) -> Results:
        """All results that there are by now, in the order of the settings."""
        return Results([row for setting in self._settings for row in self._rows[setting.name]])

    def run(self, machine: Machine, say: Callable[[str], None]) -> Sequence[DifferentError]:
        """Runs what is left, and writes results after each setting; gives the differences of answers."""
        differences = []
        for setting in self.left:
            try:
                found = measured(
                    self.benchmark, setting, self._effort, lambda text: say(f"{self.benchmark.name}, {text}")
                )
            except DifferentError as error:
                differences.append(error)
                found = []
            self._rows[setting.name] = list(results.of(found, machine).rows)
            if self._folder is not None:
                results.write(self._folder, self.benchmark.name, self.results)
        return differences


def duration_text(works: Sequence[BenchmarkWork]) -> str:
    """How much there is to run, and about how long that takes."""
    left = sum(len(work.left) for work in works)
    if not left:
        return "the same program has measured everything on this machine; --anew measures it again"
    seconds = sum(work.seconds for work in works)
    length = f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{seconds:.0f} s"
    there = sum(work.number_of_settings for work in works) - left
    kept = f" ({there} others are measured)" if there else ""
    return f"{left} settings{kept}, about {length}; you can interrupt and continue"
