"""What the tables of measurements on Spark share: the streams of works, and rows of Markdown."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from experiments.on_spark.works import CALIBRATIONS, WORKS

IN_PROCESS, DRIVER, SHARDS = "in process", "driver", "shards, 2 cores"
SMALL = 10
"""The facts of a small batch."""


@contextmanager
def stream_of_work(work: str, batches: int, facts: int) -> Iterator[tuple[Path, int]]:
    """The files of a stream, and its last tick."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield folder, {**WORKS, **CALIBRATIONS}[work].write(folder, batches, facts)


def write_row(*cells: object) -> None:
    """Writes a row of a table."""
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def write_head(title: str, *cells: str) -> None:
    """Writes the title and the head of a table."""
    sys.stdout.write(f"\n{title}\n\n")
    write_row(*cells)
    write_row(*("---" for _ in cells))
