"""Runs fraud.lars over made-up payments, and holds its alerts to those of plain Python."""

import csv
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

import click

from examples.fraud.by_hand import Alerts, changes
from examples.fraud.payments import COLUMNS, Payment, payments

PROGRAM = Path(__file__).parent / "fraud.lars"


def written(some: list[Payment], path: Path) -> Path:
    """Writes payments as a table."""
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        table.writerows(one.cells for one in some)
    return path


def found(path: Path, *options: str) -> dict[int, Alerts]:
    """What the command finds in a table: as `changes` gives it."""
    command = [sys.executable, "-m", "lars2asp", "run", str(PROGRAM), "--input", str(path), *options]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    told = map(json.loads, output.splitlines())
    return {line["time"]: set(map(_alert, line["atoms"])) for line in told}


def _alert(atom: str) -> tuple[str, str]:
    card, reason = atom.removeprefix('alert("').removesuffix(")").split('",')
    return card, reason


@click.command(help=__doc__)
@click.option("--number", default=20_000, show_default=True, help="So many payments.")
@click.option("--evaluator", default="flow", show_default=True, help="As that of lars2asp run.")
@click.option("--write", type=click.Path(path_type=Path), help="Write them to a file, and do nothing else.")
def main(number: int, evaluator: str, write: Path | None) -> None:
    """Compares, and says how long each took."""
    some = list(payments(number))
    if write is not None:
        written(some, write)
        return
    before = time.process_time()
    expected = dict(changes(some))
    by_hand = time.process_time() - before
    with TemporaryDirectory() as folder:
        here = found(written(some, Path(folder) / "payments.csv"), "--evaluator", evaluator)
    own = getrusage(RUSAGE_CHILDREN)
    if here != expected:
        tick = min(one for one in here.keys() | expected.keys() if here.get(one) != expected.get(one))
        sys.exit(f"error: at {tick} the rules say {here.get(tick)}, plain Python says {expected.get(tick)}")
    reasons = Counter(reason for one in here.values() for _, reason in one)
    listed = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    seconds = own.ru_utime + own.ru_stime
    click.echo(
        f"{number} payments: {listed}. The rules took {seconds:.1f} s of CPU, "
        f"reading and start included, plain Python without them {by_hand:.1f} s."
    )


if __name__ == "__main__":
    main()
