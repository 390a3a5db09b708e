"""Python code that is written by the program: its lines, and the names that they use."""

import linecache
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from types import CodeType
from typing import Any

_PIECE = 1000
"""The number of lines from which on a piece of code ends before the next function."""

_MOST_COMPILED = 8
"""The number of texts that are kept compiled."""


class CodeLines:
    """Lines of Python code, in blocks."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "".join(f"{line}\n" for line in self.lines)

    def line(self, text: str = "") -> None:
        """Adds a line."""
        self.lines.append("    " * self._depth + text if text else "")

    def add(self, other: "CodeLines") -> None:
        """Adds the lines of another one."""
        for line in other.lines:
            self.line(line)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The lines added within are the block of a compound statement; without any it has `pass`."""
        self.line(head)
        self._depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._depth -= 1


def run(text: str, scope: Mapping[str, Any]) -> dict[str, Any]:
    """The names that a text defines when it is run with others.

    Its lines are known to `linecache` under a file name that no other text has, so that tracebacks and
    debuggers show them.
    """
    names = dict(scope)
    for piece in _compiled(text):
        exec(piece, names)
    return names


@lru_cache(maxsize=_MOST_COMPILED)
def _compiled(text: str) -> tuple[CodeType, ...]:
    """The pieces of a text; evaluators that are made anew have the same one."""
    file = f"<lars2asp delta {hash(text) % 2**64:x}>"
    lines = text.splitlines(keepends=True)
    linecache.cache[file] = len(text), None, lines, file
    return tuple(
        compile("\n" * first + "".join(lines[first:end]), file, "exec")
        for first, end in pairwise([*_beginnings(lines), len(lines)])
    )


def _beginnings(lines: Sequence[str]) -> Iterator[int]:
    """The first lines of pieces that are compiled apart: the tree of all would take much memory at once."""
    yield 0
    last = 0
    for number, line in enumerate(lines):
        if number - last >= _PIECE and line.startswith("def "):
            last = number
            yield number
