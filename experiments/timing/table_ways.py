"""One way of reading a large table, in a process of its own that says as JSON what it took.

    python -m experiments.timing.table_ways WAY FILE PROGRAM ROWS

is what `python -m experiments tables` starts.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from time import process_time
from typing import Any

import click

from experiments.endurance.soak import memory_of
from experiments.failures import FailedProcessError
from lars2asp import Reading, Reasoner, Timeline, read_file

EARLY = 0.2
"""The part of the rows after which memory is looked at first; then it is at the end."""

TIME_FORMAT = "%d.%m.%Y %H:%M:%S"
LOG_FORMAT = "%Y-%m-%d %H:%M:%S"
LOG_LINE = r"^(.{19}) INFO (.*): temp=([0-9.]+) ok$"


class Form(StrEnum):
    """The forms of files, by their endings."""

    CSV = "csv"
    JSON = "jsonl"
    LOG = "log"
    PARQUET = "parquet"


class Way(StrEnum):
    """What reads the table."""

    RECORDS = "records"
    RUN = "whole run"
    PANDAS = "pandas"
    PYARROW = "pyarrow"
    DUCKDB = "DuckDB"


OTHERS = frozenset({Way.PANDAS, Way.PYARROW, Way.DUCKDB})
"""Other systems: if one fails, the rest are measured all the same."""


def reads(way: Way, form: Form) -> bool:
    """Whether a way has a reader for a form."""
    return (way, form) != (Way.PYARROW, Form.LOG)


@dataclass(frozen=True)
class Cost:
    """What a way took.

    Attributes:
        seconds: of CPU time, of all threads; with the start of the process for the whole run alone.
        rows: the number of rows, or of records, that were seen; of the whole run the number of answers.
        early: in MiB, the memory after a part of the rows; None for what reads all of them at once.
        late: in MiB, the memory at the end.
        rows_of_file: the number of rows that there are.
    """

    seconds: float
    rows: int
    early: float | None
    late: float
    rows_of_file: int

    @property
    def microseconds(self) -> float:
        """CPU time a row."""
        return self.seconds * 1e6 / self.rows_of_file


def records(path: Path, program: Path, rows: int) -> Cost:
    """The product makes a record of each row, and they are let go."""
    plan = Reasoner.from_file(program).plan
    timeline = Timeline.of(plan)
    reading = Reading(timeline=timeline, declarations=plan.inputs, decimals=plan.decimals)
    early, number, early_rows = 0.0, 0, round(rows * EARLY)
    began = process_time()
    for number, _ in enumerate(read_file(path, reading), start=1):
        if number == early_rows:
            early = own_memory()
    return Cost(process_time() - began, number, early, own_memory(), rows)


def whole_run(path: Path, program: Path, rows: int) -> Cost:
    """`lars2asp run` with its changes written as JSON lines."""
    memory = []
    command = [sys.executable, "-m", "lars2asp", "run", str(program), "--input", str(path), "--changes"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as run:
        for _ in run.stdout or ():
            memory.append(memory_of(run.pid) / 2**20)
    if run.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {run.returncode}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    answers = len(memory)
    memory = [one for one in memory if one]  # at the last lines the process may have ended
    return Cost(used.ru_utime + used.ru_stime, answers, memory[round(len(memory) * EARLY)], memory[-1], rows)


def in_pandas(path: Path, program: Path, rows: int) -> Cost:
    """A data frame of pandas."""
    import pandas as pd  # noqa: PLC0415 - what is not measured takes no memory

    began = process_time()
    match Form(path.suffix[1:]):
        case Form.CSV:
            frame = pd.read_csv(path, sep=";", decimal=",", parse_dates=["zeit"], date_format=TIME_FORMAT)
        case Form.JSON:
            frame = pd.read_json(path, lines=True, convert_dates=["zeit"])
        case Form.LOG:
            frame = pd.Series(path.read_text().splitlines()).str.extract(LOG_LINE)
            frame[0], frame[2] = pd.to_datetime(frame[0], format=LOG_FORMAT), frame[2].astype(float)
        case Form.PARQUET:
            frame = pd.read_parquet(path)
    return Cost(process_time() - began, len(frame), None, own_memory(), rows)


def in_pyarrow(path: Path, program: Path, rows: int) -> Cost:
    """A table of Arrow."""
    from pyarrow import csv, dataset, json, parquet  # noqa: F401, PLC0415 - read_table imports dataset

    began = process_time()
    table: Any
    match Form(path.suffix[1:]):
        case Form.CSV:
            cells = csv.ConvertOptions(decimal_point=",", timestamp_parsers=[TIME_FORMAT])
            table = csv.read_csv(path, parse_options=csv.ParseOptions(delimiter=";"), convert_options=cells)
        case Form.JSON:
            table = json.read_json(path)
        case _:
            table = parquet.read_table(path)
    return Cost(process_time() - began, table.num_rows, None, own_memory(), rows)


def in_duckdb(path: Path, program: Path, rows: int) -> Cost:
    """A table of DuckDB, in memory."""
    import duckdb  # noqa: PLC0415 - likewise

    types = "{zeit: 'timestamp', raum: 'varchar', temp: 'double'}"
    times = f"delim = ';', decimal_separator = ',', timestampformat = '{TIME_FORMAT}'"
    parts = f"regexp_extract(line, '{LOG_LINE}', ['zeit', 'raum', 'temp'])"
    source = {
        Form.CSV: f"from read_csv('{path}', {times}, columns = {types})",
        Form.JSON: f"from read_json('{path}', format = 'newline_delimited', columns = {types})",
        Form.LOG: f"select p.zeit::timestamp, p.raum, p.temp::double from (select {parts} as p from read_csv("
        f"'{path}', delim = '\x01', header = false, quote = '', columns = {{line: 'varchar'}}))",
        Form.PARQUET: f"from read_parquet('{path}')",
    }[Form(path.suffix[1:])]
    began = process_time()
    database = duckdb.connect()
    database.execute(f"create table t as {source}")
    [number] = database.execute("select count(*) from t").fetchone() or (0,)
    return Cost(process_time() - began, number, None, own_memory(), rows)


WAYS: dict[Way, Callable[[Path, Path, int], Cost]] = {
    Way.RECORDS: records,
    Way.RUN: whole_run,
    Way.PANDAS: in_pandas,
    Way.PYARROW: in_pyarrow,
    Way.DUCKDB: in_duckdb,
}


def own_memory() -> float:
    """The memory of this process, in MiB."""
    return memory_of(os.getpid()) / 2**20


def measured(way: Way, path: Path, program: Path, rows: int) -> Cost:
    """What a way takes, in a process of its own."""
    command = [sys.executable, "-m", "experiments.timing.table_ways", way, str(path), str(program), str(rows)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode != 0:
        raise FailedProcessError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return Cost(**json.loads(done.stdout))


@click.command()
@click.argument("way", type=click.Choice([way.value for way in Way]))
@click.argument("path", type=click.Path(path_type=Path))
@click.argument("program", type=click.Path(path_type=Path))
@click.argument("rows", type=int)
def main(way: str, path: Path, program: Path, rows: int) -> None:
    """Prints what a way took."""
    json.dump(asdict(WAYS[Way(way)](path, program, rows)), sys.stdout)


if __name__ == "__main__":
    main()
