"""Rows that are read and turned into facts: CSV, Parquet, JSON with fields, facts one a line."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from statistics import median

from experiments.jobs.part import Settings, Table, number
from experiments.jobs.reading_ways import WAYS, ZONE
from experiments.timing.table_ways import Form
from experiments.timing.tables import PROGRAMS, readings, write_file

ROWS = 300_000
FORMS = {
    "csv": "CSV (`;`, decimal commas, German times)",
    "parquet": "Parquet",
    "fields": "JSON with fields",
    "facts": "facts, one a line",
}


def tables(settings: Settings) -> Iterator[Table]:
    """One table."""
    rows = settings.some(ROWS, 1000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings.say("writing the tables")
        write(folder, rows)
        cells = []
        for form, what in FORMS.items():
            found = []
            for way in WAYS:
                settings.say(f"{form}, {way}")
                took = [seconds(folder, form, way, rows) for _ in range(settings.runs)]
                found.append(None if None in took else median(one for one in took if one is not None))
            ours, loop = found[0] or 0, found[1] or 1
            us = ["" if one is None else number(one * 1e6 / rows) for one in found]
            cells.append([what, *us, f"{ours / loop:.2f}"])
    yield Table(
        f"{rows:,} rows read and turned into facts: us a row", ["", *WAYS, "lars2asp / plain loop"], cells
    )


def write(folder: Path, rows: int) -> None:
    """The same readings in each form."""
    for form in (Form.CSV, Form.PARQUET):
        write_file(folder / f"table.{form}", form, rows=rows)
        (folder / f"{form}.lars").write_text(PROGRAMS[form])
    with (folder / "table.fields").open("w") as fields, (folder / "table.facts").open("w") as facts:
        for moment, room, temperature in readings(rows):
            fields.write(json.dumps({"zeit": f"{moment}", "raum": room, "temp": temperature}) + "\n")
            tick = _minute(moment)
            atom = f'reading("{room}",{round(temperature * 10)})'
            facts.write(json.dumps({"time": tick, "facts": [atom]}) + "\n")


def _minute(moment: datetime) -> int:
    return int(moment.replace(tzinfo=ZONE).timestamp()) // 60


def seconds(folder: Path, form: str, way: str, rows: int) -> float | None:
    """What a way takes with a form, in a process of its own; None if it does not read it."""
    command = [sys.executable, "-m", "experiments.jobs.reading_ways", form, way, str(folder), str(rows)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    found: float | None = json.loads(done.stdout)
    return found
