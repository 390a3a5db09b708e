"""The runs and the sessions that numbers are from, as texts state them.

A session is the time at one machine, with one kernel and one revision of the program. Numbers of two sessions
cannot be compared with each other as those of one can.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from experiments.benchmark import EngineName, Measurement
from experiments.benchmarks import BENCHMARKS
from experiments.measuring.machine import Machine
from experiments.reporting.results import ResultRow, Results

MEDIAN = 3
"""The least number of runs whose median is worth the name."""

_RUNS = re.compile(
    r"\b(?P<single>[Ss]ingle runs)\b|\b[Mm]edians of (?P<same>\d+) runs"
    r"|\b(?P<least>\d+) to (?P<most>\d+) runs"
)
_SESSION = re.compile(r"Linux (?P<kernel>\S+); [^;]*?; revision (?P<commit>\w+)")


def machine_text(machine: Machine) -> str:
    """A machine, versions, and the revision, in a line."""
    return (
        f"{machine.processor}, {machine.cores} cores, {machine.memory_gib:g} GiB, {machine.system}; "
        f"{machine.versions}; revision {machine.commit.removesuffix('+')}"
        f"{' with changes' if machine.commit.endswith('+') else ''}, {machine.date}"
    )


def short_text(machine: Machine) -> str:
    """A session in a few words."""
    return f"{machine.system}, revision {machine.commit}"


def runs_text(runs: Sequence[int]) -> str:
    """The numbers of runs, as a text states them."""
    least, most = min(runs), max(runs)
    if most == 1:
        return "single runs"
    return f"medians of {most} runs" if least == most >= MEDIAN else f"{least} to {most} runs"


def sessions(rows: Sequence[ResultRow]) -> Sequence[Machine]:
    """The sessions of rows, in their order."""
    return list(dict.fromkeys(row.machine for row in rows))


def measured_text(rows: Sequence[ResultRow]) -> str:
    """The runs and the sessions of rows, in full."""
    of = runs_text([row.measurement.runs for row in rows if row.measurement is not None])
    found = sessions(rows)
    if len(found) == 1:
        return f"{of[0].upper()}{of[1:]}, one session: {machine_text(found[0])}."
    numbered = "; ".join(f"({number}) {machine_text(one)}" for number, one in enumerate(found, 1))
    return f"{of[0].upper()}{of[1:]}, {len(found)} sessions, whose numbers cannot be compared: {numbered}."


def faults(text: str, rows: Sequence[ResultRow]) -> Sequence[str]:
    """What a text states wrongly about the runs and sessions of the rows it shows."""
    runs = [row.measurement.runs for row in rows if row.measurement is not None]
    found = []
    stated = [*_stated_runs(text)]
    if not stated:
        found.append("it does not state the number of runs")
    found += [
        f"it states {least} to {most} runs, there are {min(runs)} to {max(runs)}"
        for least, most in stated
        if (least, most) != (min(runs), max(runs))
    ]
    if re.search(r"\b[Mm]edian", text) and min(runs) < MEDIAN:
        found.append(f"it speaks of medians, but some rows have {min(runs)} runs")
    said = {(one["kernel"], one["commit"]) for one in _SESSION.finditer(text)}
    there = {(row.machine.system.split()[-1], row.machine.commit.removesuffix("+")) for row in rows}
    if said != there:
        found.append(f"it names the sessions {sorted(said)}, there are {sorted(there)}")
    return found


def _stated_runs(text: str) -> Iterator[tuple[int, int]]:
    for one in _RUNS.finditer(text):
        if one["single"]:
            yield 1, 1
        elif one["same"]:
            yield int(one["same"]), int(one["same"])
        else:
            yield int(one["least"]), int(one["most"])


@dataclass(frozen=True)
class Stale:
    """Rows that a benchmark would measure with another window now.

    Attributes:
        benchmark: its name.
        more: by how many ticks the windows of the rows are longer.
    """

    benchmark: str
    more: int


def stale(name: str, rows: Sequence[ResultRow]) -> Stale | None:
    """Whether rows have longer or shorter windows than the benchmark of this name has now."""
    now = {setting.name: setting.window for setting in BENCHMARKS[name].settings(False)}
    others = {row.window - now[row.setting] for row in rows if row.setting in now} - {0}
    return Stale(name, others.pop()) if others else None


def stale_text(found: Stale) -> str:
    """A note on rows with other windows."""
    ticks = "one tick" if abs(found.more) == 1 else f"{abs(found.more)} ticks"
    return (
        f"the windows of these rows are {ticks} {'longer' if found.more > 0 else 'shorter'} than the paper's"
    )


class LookedAt(Mapping[tuple[str, EngineName], Measurement]):
    """The measurements of results, which notes the rows that were looked at."""

    def __init__(self, results: Results) -> None:
        self._rows = {(row.setting, row.engine): row for row in results.rows if row.measurement is not None}
        self.rows: dict[tuple[str, EngineName], ResultRow] = {}

    def __getitem__(self, pair: tuple[str, EngineName]) -> Measurement:
        row = self._rows[pair]
        assert row.measurement is not None
        self.rows[pair] = row
        return row.measurement

    def __iter__(self) -> Iterator[tuple[str, EngineName]]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
