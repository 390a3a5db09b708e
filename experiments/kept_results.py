"""Where results are kept, and on what machines they were measured."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from experiments.measuring.machine import Machine

FOLDER = Path(__file__).parent / "results"
QUICK_FOLDER = Path(__file__).parent / "results-quick"


def write_rows(
    folder: Path, name: str, heading: Sequence[str], rows: Iterable[Sequence[object]], machine: Machine
) -> None:
    """Writes `name.csv`, and on what machine its rows were measured."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(heading)
        table.writerows(rows)
    write_machines(folder, name, [machine])


def read_rows(folder: Path, name: str) -> Sequence[Mapping[str, str]]:
    """Reads its rows, by the names of columns; nothing if there is no file."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [*csv.DictReader(file)]


def write_machines(folder: Path, name: str, machines: Sequence[Machine]) -> None:
    """Writes the file of machines that stands beside `name.csv`."""
    (folder / f"{name}.json").write_text(json.dumps([asdict(one) for one in machines], indent=2) + "\n")


def read_machines(folder: Path, name: str) -> Sequence[Machine]:
    """Reads it."""
    noted = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return [Machine(**one) for one in (noted if isinstance(noted, list) else [noted])]
