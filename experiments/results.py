"""Results as CSV files: one a benchmark, a row for each setting and engine; beside it the machine as JSON."""

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from experiments.benchmark import EngineName, Measured, Measurement
from experiments.measuring.machine import Machine
from experiments.measuring.runner import Row

FOLDER = Path(__file__).parent / "results"
QUICK_FOLDER = Path(__file__).parent / "results-quick"

_NUMBERS = [field.name for field in fields(Measurement) if field.name != "counts"]
_HEADING = ["setting", "x", "series", "window", "engine", *_NUMBERS, "counts", "checked", "remark"]


@dataclass(frozen=True)
class Result:
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
    """

    setting: str
    x: float
    series: str
    window: int
    engine: EngineName
    measurement: Measurement | None
    checked: int
    remark: str


@dataclass(frozen=True)
class Results:
    """What was found for a benchmark, and on which machine."""

    rows: Sequence[Result]
    machine: Machine

    @property
    def measured(self) -> Measured:
        """The measurements by setting and engine."""
        return {
            (row.setting, row.engine): row.measurement for row in self.rows if row.measurement is not None
        }


def write(folder: Path, name: str, rows: Sequence[Row], machine: Machine) -> None:
    """Writes the files of a benchmark."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(_HEADING)
        for row in rows:
            setting, one = row.setting, row.measurement
            numbers = [""] * len(_NUMBERS)
            counts = ""
            if one is not None:
                numbers = [f"{getattr(one, name):g}" for name in _NUMBERS]
                counts = json.dumps(one.counts) if one.counts else ""
            place = [setting.name, f"{setting.x:g}", setting.series, setting.window, row.engine]
            table.writerow([*place, *numbers, counts, row.checked, row.remark])
    (folder / f"{name}.json").write_text(json.dumps(asdict(machine), indent=2) + "\n")


def read(folder: Path, name: str) -> Results | None:
    """What the files of a benchmark have; None if there are none."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return None
    with path.open(newline="") as file:
        rows = [_result(row) for row in csv.DictReader(file)]
    return Results(rows, Machine(**json.loads((folder / f"{name}.json").read_text())))


def _result(row: dict[str, str]) -> Result:
    measurement = None
    if row["time"]:
        numbers = {name: float(row[name]) for name in _NUMBERS if name not in ("runs", "ticks")}
        counts = json.loads(row["counts"] or "{}")
        measurement = Measurement(**numbers, runs=int(row["runs"]), ticks=int(row["ticks"]), counts=counts)
    return Result(
        row["setting"],
        float(row["x"]),
        row["series"],
        int(row["window"]),
        EngineName(row["engine"]),
        measurement,
        int(row["checked"]),
        row["remark"],
    )
