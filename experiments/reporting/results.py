"""Results as CSV files: one a benchmark, a row for each setting and engine.

Beside it is a JSON file with the machines and versions that they were measured on; a row has the number of
its own among them.
"""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from experiments.benchmark import EngineName, Measured, Measurement
from experiments.kept_results import read_machines, write_machines
from experiments.measuring.machine import Machine
from experiments.measuring.runner import EngineResult

_NUMBERS = [field.name for field in fields(Measurement) if field.name != "counts"]
_HEADING = [
    *("setting", "x", "series", "window", "engine"),
    *_NUMBERS,
    *("counts", "checked", "remark", "seconds", "machine"),
]


Profiles = Mapping[tuple[str, str], Mapping[str, float]]
"""By benchmark and setting: microseconds for each fact or tick by what they go to."""


@dataclass(frozen=True)
class ResultRow:
    """A row of a file.

    Attributes:
        setting: the name of the setting.
        x: where it stands on the x-axis.
        series: which curves it is on.
        window: the size of its largest window, in ticks.
        engine: the engine.
        measurement: what was measured; None where the engine was not run.
        checked: for how many ticks its answers were compared with those of the first engine.
        remark: why it was not run.
        machine: the machine, and the version of the program.
        seconds: how long all runs took together; 0 where that was not noted.
    """

    setting: str
    x: float
    series: str
    window: int
    engine: EngineName
    measurement: Measurement | None
    checked: int
    remark: str
    machine: Machine
    seconds: float = 0.0


@dataclass(frozen=True)
class Results:
    """The results of a benchmark."""

    rows: Sequence[ResultRow]

    @property
    def machines(self) -> Sequence[Machine]:
        """The machines and versions that rows were measured on, each once."""
        return list(dict.fromkeys(row.machine for row in self.rows))

    def by_setting(self) -> Mapping[str, Mapping[EngineName, ResultRow]]:
        """The rows by their settings, in order."""
        found: dict[str, dict[EngineName, ResultRow]] = {}
        for row in self.rows:
            found.setdefault(row.setting, {})[row.engine] = row
        return found

    @property
    def measured(self) -> Measured:
        """The measurements by setting and engine."""
        return {
            (row.setting, row.engine): row.measurement for row in self.rows if row.measurement is not None
        }


def of(rows: Sequence[EngineResult], machine: Machine) -> Results:
    """Results in the form in which files have them."""
    return Results(
        [
            ResultRow(
                row.setting.name,
                row.setting.x,
                row.setting.series,
                row.setting.window,
                row.engine,
                row.measurement,
                row.checked,
                row.remark,
                machine,
                row.seconds,
            )
            for row in rows
        ]
    )


def write(folder: Path, name: str, results: Results) -> None:
    """Writes the files of a benchmark."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(_HEADING)
        for row in results.rows:
            one = row.measurement
            numbers = [""] * len(_NUMBERS)
            counts = ""
            if one is not None:
                numbers = [f"{getattr(one, name):g}" for name in _NUMBERS]
                counts = json.dumps(one.counts) if one.counts else ""
            place = [row.setting, f"{row.x:g}", row.series, row.window, row.engine]
            seconds = f"{row.seconds:.1f}" if row.seconds else ""
            number = results.machines.index(row.machine)
            table.writerow([*place, *numbers, counts, row.checked, row.remark, seconds, number])
    write_machines(folder, name, results.machines)


def read(folder: Path, name: str) -> Results | None:
    """Reads the files of a benchmark; None if there are none."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return None
    machines = read_machines(folder, name)
    with path.open(newline="") as file:
        return Results([_result(row, machines) for row in csv.DictReader(file)])


PROFILES = "profiles.csv"


def write_profiles(folder: Path, profiles: Profiles) -> None:
    """Writes where the time of `auto` goes."""
    with (folder / PROFILES).open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["benchmark", "setting", "what", "microseconds"])
        for (benchmark, setting), found in profiles.items():
            table.writerows([benchmark, setting, what, f"{time:.4g}"] for what, time in found.items())


def read_profiles(folder: Path) -> Profiles:
    """Where the time of `auto` goes, in those settings where it was asked for."""
    profiles: dict[tuple[str, str], dict[str, float]] = {}
    path = folder / PROFILES
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                found = profiles.setdefault((row["benchmark"], row["setting"]), {})
                found[row["what"]] = float(row["microseconds"])
    return profiles


def _result(row: dict[str, str], machines: Sequence[Machine]) -> ResultRow:
    measurement = None
    if row["time"]:
        numbers = {name: float(row[name]) for name in _NUMBERS if name not in ("runs", "ticks")}
        counts = json.loads(row["counts"] or "{}")
        measurement = Measurement(**numbers, runs=int(row["runs"]), ticks=int(row["ticks"]), counts=counts)
    return ResultRow(
        row["setting"],
        float(row["x"]),
        row["series"],
        int(row["window"]),
        EngineName(row["engine"]),
        measurement,
        int(row["checked"]),
        row["remark"],
        machines[int(row.get("machine") or 0)],
        float(row.get("seconds") or 0),
    )
