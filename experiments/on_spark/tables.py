"""What the tables of measurements on Spark share: the streams of works, and rows of Markdown."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq

from experiments.on_spark.works import CALIBRATIONS, WORKS

IN_PROCESS, IN_BLOCKS, DRIVER, SHARDS = "in process", "blocks in process", "driver", "shards, 2 cores"
INTERPRETED = f"{SHARDS}, without generated code"
SMALL = 10
"""The facts of a small batch."""


@contextmanager
def stream_of_work(work: str, batches: int, facts: int) -> Iterator[tuple[Path, int]]:
    """The files of a stream, and its last tick."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield folder, {**WORKS, **CALIBRATIONS}[work].write(folder, batches, facts)


@contextmanager
def stream_of_shard(work: str, batches: int, facts: int, shards: int) -> Iterator[tuple[Path, int, float]]:
    """The files with the keys of one of so many shards, the last tick, and the facts of a batch."""
    with stream_of_work(work, batches, facts) as (folder, last):
        kept = rows = 0
        for path in folder.glob("*.parquet"):
            table = pq.read_table(path)
            keys = table.column(1).to_pylist()
            part = table.filter(pa.array([crc32(str(key).encode()) % shards == 0 for key in keys]))
            pq.write_table(part, path)
            kept, rows = kept + part.num_rows, rows + table.num_rows
        yield folder, last, facts * kept / rows


def write_row(*cells: object) -> None:
    """Writes a row of a table."""
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def write_head(title: str, *cells: str) -> None:
    """Writes the title and the head of a table."""
    sys.stdout.write(f"\n{title}\n\n")
    write_row(*cells)
    write_row(*("---" for _ in cells))
