"""Where results are kept, and on what machines they were measured."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from experiments.measuring.machine import Machine

FOLDER = Path(__file__).parent / "results"
QUICK_FOLDER = Path(__file__).parent / "results-quick"


def write_machines(folder: Path, name: str, machines: Sequence[Machine]) -> None:
    """Writes the file of machines that stands beside `name.csv`."""
    (folder / f"{name}.json").write_text(json.dumps([asdict(one) for one in machines], indent=2) + "\n")


def read_machines(folder: Path, name: str) -> Sequence[Machine]:
    """Reads it."""
    noted = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return [Machine(**one) for one in (noted if isinstance(noted, list) else [noted])]
