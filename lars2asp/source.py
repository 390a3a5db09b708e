"""Where a piece of program text stands: sources and ranges in them."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Source:
    """One program text and the name under which messages speak of it."""

    name: str
    text: str

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(i + 1 for i, character in enumerate(self.text) if character == "\n"))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1 as clingo does."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its end."""
        starts = self._line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Location:
    """The half-open range of offsets `begin <= i < end` in a source."""

    source: Source
    begin: int
    end: int

    @property
    def line(self) -> int:
        """The line of the first character, counted from 1."""
        return self.source.position(self.begin)[0]

    def __str__(self) -> str:
        """`file:line:column-column`, or `-line:column` for a range of several lines."""
        line, column = self.source.position(self.begin)
        end_line, end_column = self.source.position(max(self.end, self.begin))
        end = str(end_column) if end_line == line else f"{end_line}:{end_column}"
        return f"{self.source.name}:{line}:{column}-{end}"


NOWHERE = Location(Source("<generated>", ""), 0, 0)
"""The location of nodes that no text stands behind (built by a program, not read)."""
