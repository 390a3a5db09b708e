"""Cuts a text into the rules and imports of Ticker."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parsing.statement_texts import StatementText
from lars2asp.syntax.source import Location, Source

_MARK = re.compile(r"//[^\n]*|/\*|%\*|%|\.")
_END_OF_COMMENT = re.compile(r"\*/|\*%")
_LINE = re.compile(r"[^\n]*")
_BLANK = re.compile(r"\s*")
_IMPORT = re.compile(
    r"import[ \t]+(?P<path>[\w.]+)(?:\([^()\n]*\))?[ \t]+as[ \t]+(?P<name>\w+)[ \t]*(?=\r?\n|\Z)"
)
_OPERAND_BEFORE = re.compile(r"(?:[,=<>]|:-)\s*(?:[A-Z][\w#@]*|[0-9]+(?:\.0+)?)\s*\Z")
_OPERAND_BEHIND = re.compile(r"\s*(?:[A-Z][\w#@]*|[0-9]+(?:\.0+)?)\s*(?:[.,=<>]|!=|/[/*]|%\*)")
_WITHOUT_LINE_END = re.compile(r"[^\n]")


class Import(NamedTuple):
    """`import path as name`: a window of this name is that of a class of Ticker."""

    path: str
    name: str
    location: Location


def statement_texts(source: Source, diagnostics: Diagnostics) -> Iterator[StatementText | Import]:
    """The rules, each with its dot, and imports. Comments are blank, within rules too.

    They begin with `//` or `%`, or stand between `/*` or `%*` and `*/` or `*%`. Between two operands `%` is
    an operator.
    """
    text, at = source.text, 0
    begin, pieces = 0, list[str]()
    while True:
        if not "".join(pieces).strip():
            blank = _BLANK.match(text, at)
            begin = at = at if blank is None else blank.end()
            pieces = []
            if (found := _IMPORT.match(text, at)) is not None:
                yield Import(found["path"], found["name"], Location(source, *found.span()))
                at = found.end()
                continue
        mark = _MARK.search(text, at)
        if mark is None:
            pieces.append(text[at:])
            break
        pieces.append(text[at : mark.start()])
        sign, at = mark[0], mark.end()
        if sign == ".":
            pieces.append(".")
            if not (text[at - 2 : at - 1].isdigit() and text[at : at + 1].isdigit()):
                yield StatementText("".join(pieces), begin)
                pieces = []
        elif sign == "%" and _is_operator("".join(pieces), text, at):
            pieces.append(sign)
        else:
            end = _end_of_comment(source, mark, diagnostics)
            pieces.append(_WITHOUT_LINE_END.sub(" ", text[mark.start() : end]))
            at = end
    rest = "".join(pieces)
    if rest.strip():
        yield StatementText(rest.rstrip(), begin)


def _is_operator(before: str, text: str, at: int) -> bool:
    """Whether a per cent sign stands between two operands."""
    return _OPERAND_BEFORE.search(before) is not None and _OPERAND_BEHIND.match(text, at) is not None


def _end_of_comment(source: Source, mark: re.Match[str], diagnostics: Diagnostics) -> int:
    if mark[0] == "%" or mark[0].startswith("//"):
        line = _LINE.match(source.text, mark.end())
        return mark.end() if line is None else line.end()
    end = _END_OF_COMMENT.search(source.text, mark.end())
    if end is not None:
        return end.end()
    diagnostics.error(
        Location(source, *mark.span()),
        "this comment is never closed",
        f"close it with {mark[0][::-1]}",
        code=codes.NEVER_CLOSED,
    )
    return len(source.text)
