"""What parts of the measurement are handed, and the tables that they give."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How much is measured.

    Attributes:
        scale: the part of the sizes; 1 is all.
        is_full: whether the large sizes are measured as well.
        runs: of each measurement; medians are given.
        only: only what has this in its name.
        peers: an interpreter of Python that has other systems.
        say: is told what is going on.
    """

    scale: float = 1.0
    is_full: bool = False
    runs: int = 3
    only: str = ""
    peers: str = sys.executable
    say: Callable[[str], None] = lambda _: None

    @property
    def most(self) -> int:
        """In CPU seconds: a process that takes longer is ended."""
        return 600 if self.is_full else 10

    @property
    def is_all(self) -> bool:
        """Whether everything is measured in full size: results that are kept are of that."""
        return self.scale == 1 and not self.only

    def some(self, whole: int, least: int = 1) -> int:
        """The part of a number that the scale says, but no less than `least`."""
        return max(least, round(whole * self.scale))


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        title: what it has.
        headings: of its columns.
        rows: its cells as text.
    """

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]

    def text(self) -> str:
        """The table as Markdown; all columns but the first are numbers."""
        lines = [self.headings, ["---", *["---:"] * (len(self.headings) - 1)], *self.rows]
        return "\n".join([f"### {self.title}", "", *(f"| {' | '.join(cells)} |" for cells in lines), ""])


Part = Callable[[Settings], Iterator[Table]]
"""Measures, and gives tables as they are found."""


def number(value: float) -> str:
    """A result in three digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"
