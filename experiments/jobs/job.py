"""A job: what it is, its program, its stream."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """A job.

    Attributes:
        what: it in a few words.
        program: its LARS program.
        rows: the rows, or facts, of its stream in full size.
        suffix: that of the file of the stream.
        write: writes a stream of so many rows, and gives its last tick.
    """

    what: str
    program: str
    rows: int
    suffix: str
    write: Callable[[Path, int], int]
