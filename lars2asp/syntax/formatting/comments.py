"""What stands between the tokens of a program: comments, and how far they are from what is before them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_PIECE = re.compile(r"\n|[^\S\n]+|%\*|%[^\n]*|#![^\n]*|[^\n]+?(?=\s*(?:\n|\Z))")
_BLOCK_MARK = re.compile(r"%\*|\*%|%[^\n]*")


class Comment(NamedTuple):
    """A comment as it is written, without blanks behind it.

    Attributes:
        text: the comment.
        ends_of_line: the number of line ends between it and what stands before it.
        column: where it begins in its line, counted from 0.
    """

    text: str
    ends_of_line: int
    column: int

    @property
    def is_inline(self) -> bool:
        """Whether something can go on behind it in its line."""
        return self.text.startswith("%*") and "\n" not in self.text


class Gap(NamedTuple):
    """What stands between two tokens, or two statements.

    Attributes:
        comments: the comments in it.
        ends_of_line: the number of line ends between the last of them and what follows.
    """

    comments: tuple[Comment, ...]
    ends_of_line: int


def gap_in(text: str, begin: int, end: int) -> Gap:
    """The gap between two offsets of a text.

    A `#show p/n` without its dot, which is left out of programs, counts as a comment.
    """
    comments = []
    ends = 0
    for piece, at in _pieces(text, begin, end):
        if piece == "\n":
            ends += 1
        elif piece.strip():
            comments.append(Comment(piece.rstrip(), ends, at - text.rfind("\n", 0, at) - 1))
            ends = 0
    return Gap(tuple(comments), ends)


def _pieces(text: str, begin: int, end: int) -> Iterator[tuple[str, int]]:
    at = begin
    while at < end:
        found = _PIECE.match(text, at, end)
        assert found is not None
        stop = _end_of_block(text, at, end) if found[0] == "%*" else found.end()
        yield text[at:stop], at
        at = stop


def _end_of_block(text: str, begin: int, end: int) -> int:
    """Where a comment ends that other ones may be nested in."""
    depth = 0
    for mark in _BLOCK_MARK.finditer(text, begin, end):
        depth += {"%*": 1, "*%": -1}.get(mark[0], 0)
        if depth == 0:
            return mark.end()
    return end
