"""Cuts a program text into statements, so that one mistake does not hide the next."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lars2asp.diagnostics import Diagnostics
from lars2asp.source import Location, Source

_MARK = re.compile(r'%\*|%[^\n]*|"(?:\\.|[^"\\\n])*"|\.\.|\.')
_BLOCK_COMMENT_MARK = re.compile(r"%\*|\*%")
_NOT_A_LINE_END = re.compile(r"[^\n]")


class StatementText(NamedTuple):
    """A statement's text, comments blanked out, and the offset at which it begins."""

    text: str
    begin: int


def cut_statements(source: Source, diagnostics: Diagnostics) -> Iterator[StatementText]:
    """The statements of a source, each up to and with its dot.

    What follows the last dot comes as a statement of its own unless it is blank. A dot in a string, a
    comment or `..` ends nothing. Comments run from `%` to the end of the line or, nested, from `%*` to `*%`.
    """
    text = source.text
    if (null := text.find("\0")) >= 0:
        diagnostics.error(Location(source, null, null + 1), "the text contains a null character")
        text = text.replace("\0", " ")
    pieces: list[str] = []  # of the current statement: text and blanked comments
    begin = at = 0
    while mark := _MARK.search(text, at):
        found = mark.group()
        if found.startswith("%"):
            end = mark.end() if found != "%*" else _end_of_block_comment(source, mark.start(), diagnostics)
            pieces += text[at : mark.start()], _NOT_A_LINE_END.sub(" ", text[mark.start() : end])
            at = end
        else:
            pieces.append(text[at : mark.end()])
            at = mark.end()
            if found == ".":
                yield from _statement("".join(pieces), begin)
                pieces, begin = [], at
    yield from _statement("".join([*pieces, text[at:]]), begin)


def _statement(text: str, begin: int) -> Iterator[StatementText]:
    body = text.lstrip()
    if body:
        yield StatementText(body.rstrip(), begin + len(text) - len(body))


def _end_of_block_comment(source: Source, begin: int, diagnostics: Diagnostics) -> int:
    depth = 0
    for mark in _BLOCK_COMMENT_MARK.finditer(source.text, begin):
        depth += 1 if mark.group() == "%*" else -1
        if depth == 0:
            return mark.end()
    diagnostics.error(Location(source, begin, begin + 2), "this comment is never closed", "close it with *%")
    return len(source.text)
