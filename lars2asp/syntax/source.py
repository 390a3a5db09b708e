"""Places of program text: sources and ranges in them."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

LONGEST_SHOWN = 80
"""The number of characters of a text that a message shows at most."""

LONGEST_NAME = 5000
"""Longer than the path of any file."""

STEERING = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Characters above the blank that steer a terminal, or change lines and order of a text."""

_HIDDEN = r"[\xad\u180e\u200b-\u200d\u2060-\u2064\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
"""Characters that nobody sees, and halves of surrogate pairs."""

_UNSEEN = re.compile(rf"[\x00-\x08\x0b-\x1f]|{STEERING.pattern}|{_HIDDEN}")


def visible(text: str) -> str:
    """A text of any length and several lines, with all characters that hide or steer escaped."""
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def shown(text: str, most: int = LONGEST_SHOWN) -> str:
    """A text for a message: one line, cut off if it is long, without characters that steer a terminal."""
    kept = text[: most + 1]
    if not kept.isprintable():
        kept = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in kept)
    return kept if len(kept) <= most else f"{kept[:most]} ..."


def shown_number(number: int) -> str:
    """A number for a message: rounded if it is long, because Python refuses to print 4300 digits."""
    bits = number.bit_length()
    return str(number) if bits <= 100 else f"{'-' if number < 0 else ''}~1e{int(bits * 0.30103)}"


@dataclass(frozen=True, eq=False)
class Source:
    """The text of a program and its name in messages.

    Attributes:
        name: The path of the file, or another name.
        text: The program.
        folder: The folder of the file; None for text that is not from a file.
        dialect: The language and its settings, as in `--dialect`; empty for lars2asp.
        is_dialect_found: Whether lars2asp found the dialect by itself.
    """

    name: str
    text: str
    folder: Path | None = None
    dialect: str = ""
    is_dialect_found: bool = False

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(i + 1 for i, character in enumerate(self.text) if character == "\n"))

    @cached_property
    def _lowered(self) -> str:
        return self.text.lower()

    def mentions(self, text: str) -> bool:
        """Whether the text contains a text in small letters, in any case."""
        return text in self._lowered

    def position(self, offset: int) -> tuple[int, int]:
        """Returns line and column of an offset, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Returns the text of a line, counted from 1, without its end."""
        starts = self._line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")


class Location(NamedTuple):
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
        return f"{shown(self.source.name, LONGEST_NAME)}:{line}:{column}-{end}"


NOWHERE = Location(Source("<generated>", ""), 0, 0)
"""The location of nodes without text, which a program built."""
