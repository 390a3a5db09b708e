"""What does reading a large file cost a row, beside pandas, pyarrow and DuckDB, and does memory stay flat?

Temperatures are written as CSV as people have it (`;`, a decimal comma, German times), as JSON lines, as a
log of text, and as Parquet: files of one size. The product makes records of them, and runs a small program on
them; the others read a file as a whole into a table and go no further. Each has a process of its own, and
what counts is CPU time. It takes some ten minutes, of small files half of one:

    python -m experiments tables
    python -m experiments tables --quick
"""

import math
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from experiments.failures import FailedProcessError, reason_of
from experiments.kept_results import FOLDER, QUICK_FOLDER, write_rows
from experiments.measuring.machine import Machine
from experiments.timing.table_ways import (
    EARLY,
    LOG_FORMAT,
    OTHERS,
    TIME_FORMAT,
    Cost,
    Form,
    Way,
    measured,
    reads,
)

PROGRAM = """
#tick 1 min.
#timezone "Europe/Vienna".
#input reading(raum, {temp}*10){line} at zeit{form}.
hot(R)   :- reading(R, T), T > 250.
alarm(R) :- hot(R) always in [2 min].
#show alarm/1.
"""
PROGRAMS = {
    Form.CSV: PROGRAM.format(temp='number(temp, ",")', line="", form=f' "{TIME_FORMAT}"'),
    Form.JSON: PROGRAM.format(temp="temp", line="", form=""),
    Form.LOG: PROGRAM.format(
        temp="temp", line=' from "^{zeit} INFO {raum:text}: temp={temp:number} ok$"', form=f' "{LOG_FORMAT}"'
    ),
    Form.PARQUET: PROGRAM.format(temp="temp", line="", form=""),
}

ROOMS = [f"Zimmer {number}" for number in range(1, 21)]
BEGIN, BETWEEN = datetime(2026, 1, 1), timedelta(seconds=10)
"""The time of the first readings, one of each room, and the time to the next ones."""

ROWS_AT_ONCE = 100_000
"""The number of rows of a group in the Parquet file."""

HEADING = ("form", "way", "rows", "megabytes", "us a row", "MiB early", "MiB in the end")

Reading = tuple[datetime, str, float]
Costs = Mapping[Form, Mapping[Way, Cost]]


def readings(number: int) -> Iterator[Reading]:
    """Temperatures of all rooms in turn: warm by day and cool by night, each room by itself."""
    choose = random.Random(1)
    for row in range(number):
        turn, room = divmod(row, len(ROOMS))
        day = turn * BETWEEN / timedelta(days=1)
        warmth = 24 + 3 * math.sin(2 * math.pi * (day + room / len(ROOMS)))
        yield BEGIN + turn * BETWEEN, ROOMS[room], round(choose.gauss(warmth, 0.2), 1)


def line_of(form: Form, reading: Reading) -> str:
    """A reading as a line of a form."""
    moment, room, temperature = reading
    match form:
        case Form.CSV:
            comma = str(temperature).replace(".", ",")
            return f"{moment:{TIME_FORMAT}};{room};{comma}\n"
        case Form.JSON:
            return f'{{"zeit": "{moment.isoformat()}", "raum": "{room}", "temp": {temperature}}}\n'
        case _:
            return f"{moment:{LOG_FORMAT}} INFO {room}: temp={temperature} ok\n"


def write_file(path: Path, form: Form, *, size: float = math.inf, rows: int = 10**12) -> int:
    """Writes a file of so many bytes, or a few more, and of so many rows at most; gives their number."""
    number, given = 0, readings(rows)
    if form is not Form.PARQUET:
        with path.open("w") as lines:
            written = lines.write("zeit;raum;temp\n" if form is Form.CSV else "")
            while written < size and number < rows:
                written += lines.write(line_of(form, next(given)))
                number += 1
        return number
    types = {"zeit": pa.timestamp("ms"), "raum": pa.string(), "temp": pa.float64()}
    how: dict[str, Any] = {"compression": "none", "use_dictionary": ["raum"]}
    with path.open("wb") as file, parquet.ParquetWriter(file, pa.schema(types), **how) as writer:
        while file.tell() < size and number < rows:
            columns = zip(*islice(given, ROWS_AT_ONCE if size > 10**7 else 1000), strict=True)
            table = pa.table(dict(zip(types, map(list, columns), strict=True)), writer.schema)
            writer.write_table(table)
            number += table.num_rows
    return number


def costs(
    size: int,
    say: Callable[[str], object] = lambda _: None,
    measure: Callable[..., Cost] = measured,
    failed: Callable[[str], object] = lambda _: None,
) -> Costs:
    """The cost of each way for a file of each form.

    Args:
        size: the bytes of a file.
        say: is called with the progress.
        measure: measures a way.
        failed: is called with the reason if another system fails; the rest are measured all the same.
    """
    found: dict[Form, dict[Way, Cost]] = {}
    for form in Form:
        with tempfile.TemporaryDirectory() as name:
            path, program = Path(name) / f"table.{form}", Path(name) / "program.lars"
            program.write_text(PROGRAMS[form])
            say(f"{form}: writing the file")
            rows = write_file(path, form, size=size)
            found[form] = {}
            for way in filter(lambda way: reads(way, form), Way):
                say(f"{form}, {way}")
                try:
                    found[form][way] = measure(way, path, program, rows)
                except FailedProcessError as error:
                    if way not in OTHERS:
                        raise
                    failed(f"{form}, {way} failed: {reason_of(error)}")
    return found


@click.command()
@click.option("--megabytes", type=click.IntRange(1), help="The size of each file.  [default: 200]")
@click.option("--quick", is_flag=True, help="Use files of 5 MB.")
def main(megabytes: int | None, quick: bool) -> None:
    """Measure CPU time for a row, and memory early and late, while reading large files."""
    size = megabytes or (5 if quick else 200)
    machine = Machine.here()
    failures: list[str] = []
    with Console(stderr=True).status("") as status:
        found = costs(size * 10**6, status.update, failed=failures.append)
    rows = [
        (
            form,
            way,
            cost.rows_of_file,
            size,
            f"{cost.microseconds:.3f}",
            cost.early and round(cost.early),
            round(cost.late),
        )
        for form, ways in found.items()
        for way, cost in ways.items()
    ]
    Console().print(table_of(found))
    if failures:
        raise click.ClickException("; ".join([*failures, "nothing is kept"]))
    write_rows(QUICK_FOLDER if size < 200 else FOLDER, "tables", HEADING, rows, machine)


def table_of(found: Costs) -> Table:
    """What each way took a row, and beside others."""
    table = Table(title="microseconds of CPU time a row, and MiB")
    for heading in ("file", "rows", "what"):
        table.add_column(heading)
    for heading in ("us", "/ pandas", "/ DuckDB", f"MiB at {EARLY:.0%}", "in the end"):
        table.add_column(heading, justify="right")
    for form, ways in found.items():
        for way, cost in ways.items():
            beside = [
                f"{cost.seconds / ways[other].seconds:.2f}" if other in ways else "failed"
                for other in (Way.PANDAS, Way.DUCKDB)
            ]
            early = "" if cost.early is None else f"{cost.early:.0f}"
            took = f"{cost.microseconds:.2f}"
            table.add_row(form, f"{cost.rows_of_file:,}", way, took, *beside, early, f"{cost.late:.0f}")
    return table
