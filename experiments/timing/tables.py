"""What does reading a large table cost a row, beside pandas and pyarrow, and does memory stay flat?

A table of temperatures is written as CSV as people have it (`;`, a decimal comma, German times), and as
Parquet. The product makes records of it, and runs a small program on it; pandas and pyarrow read it as a
whole and go no further. Each has a process of its own, and what counts is CPU time:

    python -m experiments tables --rows 3000000
"""

import math
import random
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import click
import pyarrow as pa
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from experiments.timing.table_ways import EARLY, TIME_FORMAT, Cost, Way, measured

PROGRAM = """
#tick 1 min.
#timezone "Europe/Vienna".
#input reading(raum, {temp}*10) at zeit{form}.
hot(R)   :- reading(R, T), T > 250.
alarm(R) :- hot(R) always in [2 min].
#show alarm/1.
"""
CSV = PROGRAM.format(temp='number(temp, ",")', form=f' "{TIME_FORMAT}"')
PARQUET = PROGRAM.format(temp="temp", form="")
FORMS = ("csv", "parquet")

ROOMS = [f"Zimmer {number}" for number in range(1, 21)]
BEGIN, BETWEEN = datetime(2026, 1, 1), timedelta(seconds=10)
"""The time of the first readings, one of each room, and the time to the next ones."""

ROWS_AT_ONCE = 100_000
"""The number of rows of a group in the Parquet file."""

Reading = tuple[datetime, str, float]


def readings(number: int) -> Iterator[Reading]:
    """Temperatures of all rooms in turn: warm by day and cool by night, each room by itself."""
    choose = random.Random(1)
    for row in range(number):
        turn, room = divmod(row, len(ROOMS))
        day = turn * BETWEEN / timedelta(days=1)
        warmth = 24 + 3 * math.sin(2 * math.pi * (day + room / len(ROOMS)))
        yield BEGIN + turn * BETWEEN, ROOMS[room], round(choose.gauss(warmth, 0.2), 1)


def write_tables(folder: Path, rows: int) -> None:
    """Writes the table in both forms, and the programs that read them."""
    (folder / "csv.lars").write_text(CSV)
    (folder / "parquet.lars").write_text(PARQUET)
    columns: list[list[object]] = [[], [], []]
    types = {"zeit": pa.timestamp("ms"), "raum": pa.string(), "temp": pa.float64()}
    with (
        (folder / "table.csv").open("w") as file,
        parquet.ParquetWriter(folder / "table.parquet", pa.schema(types)) as writer,
    ):
        file.write("zeit;raum;temp\n")
        for row in readings(rows):
            moment, room, temperature = row
            comma = str(temperature).replace(".", ",")
            file.write(f"{moment:{TIME_FORMAT}};{room};{comma}\n")
            for column, value in zip(columns, row, strict=True):
                column.append(value)
            if len(columns[0]) == ROWS_AT_ONCE:
                writer.write_table(pa.table(dict(zip(types, columns, strict=True)), writer.schema))
                columns = [[], [], []]
        writer.write_table(pa.table(dict(zip(types, columns, strict=True)), writer.schema))


def costs(rows: int, say: Callable[[str], object] = lambda _: None) -> dict[str, dict[Way, Cost]]:
    """What each way takes with each form of the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        say("writing the tables")
        write_tables(folder, rows)
        found: dict[str, dict[Way, Cost]] = {}
        for form in FORMS:
            found[form] = {}
            for way in Way:
                say(f"{form}, {way}")
                path, program = folder / f"table.{form}", folder / f"{form}.lars"
                found[form][way] = measured(way, path, program, rows)
    return found


@click.command()
@click.option("--rows", type=click.IntRange(1000), default=3_000_000, help="Rows of each table.")
def main(rows: int) -> None:
    """Measures CPU time a row, and memory early and late, of reading large tables."""
    with Console(stderr=True).status("") as status:
        found = costs(rows, status.update)
    Console().print(table_of(found, rows))


def table_of(found: dict[str, dict[Way, Cost]], rows: int) -> Table:
    """What each way took a row, and beside others."""
    table = Table(title=f"{rows} rows: microseconds of CPU time a row, and MiB")
    for heading in ("table", "what"):
        table.add_column(heading)
    for heading in ("us", "/ pandas", "/ pyarrow", f"MiB at {EARLY:.0%}", "in the end"):
        table.add_column(heading, justify="right")
    for form, ways in found.items():
        for way, cost in ways.items():
            beside = [f"{cost.seconds / ways[other].seconds:.1f}" for other in (Way.PANDAS, Way.PYARROW)]
            early = "" if cost.early is None else f"{cost.early:.0f}"
            took = f"{cost.seconds * 1e6 / rows:.2f}"
            table.add_row(form, way, took, *beside, early, f"{cost.late:.0f}")
    return table
