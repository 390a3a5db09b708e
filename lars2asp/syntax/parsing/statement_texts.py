"""Cuts a program text into statements, so that one mistake does not hide the next."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parsing.prefixed_names import IRI_TEXT
from lars2asp.syntax.source import Location, Source
from lars2asp.syntax.terms import MOST_DIGITS

# Repeated groups are possessive (`*+`): otherwise each repetition is kept, 100 bytes or so for a character.
_MARK = re.compile(
    rf'{IRI_TEXT}|%\*|%[^\n]*|#![^\n]*|//|/\*|#(?=[#\s]|\Z)|#script\b|#show\b|"(?:[^"\\\n]++|\\.)*+("?)|\.\.|\.'
)
_MARK_BUT_QUOTE = re.compile(
    rf"{IRI_TEXT}|%\*|%[^\n]*|#![^\n]*|//|/\*|#(?=[#\s]|\Z)|#script\b|#show\b|\.\.|\."
)
_MARK_IN_TAIL = re.compile(r'%\*|%[^\n]*|#![^\n]*|"(?:[^"\\\n]++|\\.)*+("?)|\]')
_MARK_IN_TAIL_BUT_QUOTE = re.compile(r"%\*|%[^\n]*|#![^\n]*|\]")
_BLOCK_COMMENT_MARK = re.compile(r"%\*|\*%|%[^\n]*")
_DIGITS = re.compile(r"[0-9]+(\s*\{)?")
_NUMBER_AT_END = re.compile(r"(?<![A-Za-z0-9_'])(?:0|[1-9][0-9]*)\Z")
_IN_PATH = re.compile(r"[A-Za-z0-9_']\.[_']*[A-Za-z]")
_BLANK = re.compile(r"\s*")
_WITHOUT_LINE_END = re.compile(r"[^\n]+")
_END_OF_SCRIPT = re.compile(r"#end\s*\.")
_PART_OF_NOW = re.compile(r"@now(?P<part>\.([A-Za-z]++))(?!\s*(?:\(|:-))")
_CALENDAR = {
    **dict.fromkeys(("year", "month", "day", "date"), "date(Y,M,D)"),
    **dict.fromkeys(("weekday", "dayofweek"), "weekday(D)"),
    **dict.fromkeys(("minute", "minutes"), "minute_of_day(M)"),
    "week": "week(W)",
}
"""What the calendar has for parts of `@now`."""
_UNENDED_SHOW = re.compile(r"#show\s+-?_*[a-z][A-Za-z0-9_']*\s*/\s*[0-9]+[ \t]*(?=\r?\n|\Z)")
_SHOW_OF_A_LINE = re.compile(r"#show\s+-?_*[a-z][A-Za-z0-9_']*\s*/\s*[0-9]+(?=[ \t]*(?:%|\r?\n|\Z))")
_STATEMENT_START = re.compile(r"[#A-Za-z_'{%]|:-|:~|\Z")


_OTHER_COMMENTS = ("//", "/*", "#")

LONGEST_NUMBER = MOST_DIGITS
"""The number of characters of a number that are read at most."""


class StatementText(NamedTuple):
    """A statement's text, comments blanked out, and the offset at which it begins."""

    text: str
    begin: int


def cut_statements(
    source: Source, diagnostics: Diagnostics, *, text: str | None = None, ends_shows: bool = False
) -> Iterator[StatementText]:
    """The statements of a source, each up to and with its dot and what stands in brackets behind it.

    What follows the last dot comes as a statement of its own unless it is blank. A dot in a string, an IRI, a
    comment, a decimal, a path of `#input` or `..` ends nothing. Comments run from `%` or `#!` to the end of
    the line or, nested, from `%*` to `*%`. A script runs from `#script` to `#end.`. Where no `#show p/n` of
    the source has a dot, as in some programs of I-DLV-sr, these lines are left out with a warning; with
    `ends_shows` each such line is a statement, and gets a dot.

    Another `text` of the same length may be given that stands for that of the source.
    """
    text = source.text if text is None else text
    if (null := text.find("\0")) >= 0:
        diagnostics.error(
            Location(source, null, null + 1), "the text contains a null character", code=codes.NOT_A_PROGRAM
        )
        text = text.replace("\0", " ")
    yield from _StatementCutter(source, text, diagnostics, ends_shows).statements()


class _StatementCutter:
    def __init__(self, source: Source, text: str, diagnostics: Diagnostics, ends_shows: bool) -> None:
        self._source = source
        self._ends_shows = ends_shows
        self._text = text
        self._diagnostics = diagnostics
        self._pieces: list[str] = []  # of the current statement: text and blanked comments
        self._is_begun = False  # whether any of them is not blank
        self._open = 0  # how many more brackets they open than they close
        self._at = 0
        self._unclosed = 0  # no quote before this offset is closed
        shows = [show.end() for show in _UNENDED_SHOW.finditer(text)]
        self._shows_without_dots = len(shows) == text.count("#show")

    def statements(self) -> Iterator[StatementText]:
        begin = 0
        while mark := self._next(_MARK, _MARK_BUT_QUOTE):
            found = mark.group()
            if found.startswith(("%", "#!")):
                self._comment(mark)
                continue
            if found.startswith("<"):
                self._keep(mark.end())
                continue
            if found in _OTHER_COMMENTS:
                if self._is_other_comment(mark):
                    self._other_comment(mark)
                else:
                    self._keep(mark.end())
                continue
            if found.startswith("#") and not self._begins(mark.start()):
                self._keep(mark.end())
                continue
            if found == "#show":
                form = _SHOW_OF_A_LINE if self._ends_shows else _UNENDED_SHOW
                show = form.match(self._text, mark.start())
                is_ended = show is not None and (self._ends_shows or self._shows_without_dots)
                if show is None or not (is_ended and self._is_statement_next(show.end())):
                    self._keep(mark.end())
                    continue
                if self._ends_shows:
                    yield StatementText(f"{show[0]}.", mark.start())
                    self._at = begin = show.end()
                    self._start()
                    continue
                place = Location(self._source, mark.start(), show.end())
                self._diagnostics.warning(
                    place,
                    "missing dot: this line is ignored",
                    "end it with '.' to choose the output",
                    code=codes.MISSING_DOT,
                )
                self._at = begin = show.end()
                self._start()
                continue
            elif found == "#script":
                end = _END_OF_SCRIPT.search(self._text, mark.end())
                if end is None:
                    place = Location(self._source, mark.start(), mark.end())
                    self._diagnostics.error(
                        place, "this script has no end", "end it with #end.", code=codes.NEVER_CLOSED
                    )
                self._keep(end.end() if end else len(self._text))
            else:
                if (part := _PART_OF_NOW.match(self._text, max(0, mark.start() - len("@now")))) is not None:
                    self._part_of_now(part)
                    continue
                self._keep(mark.end())
                if found != "." or self._is_decimal(mark.start()) or self._is_in_path(mark.start()):
                    continue
                self._tail()
            yield from _statement("".join(self._pieces), begin)
            begin = self._at
            self._start()
        yield from _statement("".join([*self._pieces, self._text[self._at :]]), begin)

    def _part_of_now(self, found: re.Match[str]) -> None:
        """Says of `@now.hour`, as in I-DLV-sr, what is written here; a statement would end within it."""
        self._keep(found.start("part"))
        known = _CALENDAR.get(found[2].lower(), "hour(H)")
        self._diagnostics.error(
            Location(self._source, *found.span()),
            "@now is a tick and has no parts",
            f"declare #calendar {known}. and #timezone, and write {known} in the body",
            code=codes.NOW_IS_NO_TICK,
        )
        self._pieces.append(" " * len(found["part"]))
        self._at = found.end()

    def _next(self, pattern: re.Pattern[str], but_quotes: re.Pattern[str]) -> re.Match[str] | None:
        """The next mark; a quote is one if it is closed, which is found out once for all quotes of a line."""
        at = self._at
        while True:
            if at < self._unclosed:
                mark = but_quotes.search(self._text, at, self._unclosed)
                if mark is not None:
                    return mark
                at = self._unclosed
            mark = pattern.search(self._text, at)
            if mark is None or mark[1] != "":
                return mark
            at, self._unclosed = mark.start() + 1, mark.end()

    def _is_decimal(self, dot: int) -> bool:
        """Whether a dot is a point: it stands between digits, and the statement does not end with the first.

        In `1 {a; b} 1.1 {c; d}.` it does: the second statement begins with a number and a brace.
        """
        behind = _DIGITS.match(self._text, dot + 1)
        if behind is None or not self._text[dot - 1 : dot].isdigit():
            return False
        if self._open > 0:
            return True
        before = _NUMBER_AT_END.search(self._text[max(0, dot - LONGEST_NUMBER) : dot])
        return before is not None and behind[1] is None

    def _is_in_path(self, dot: int) -> bool:
        """Whether a dot stands within a path such as `sensor.id`, as `#input` has them."""
        if not _IN_PATH.match(self._text, dot - 1):
            return False
        return "".join(self._pieces).lstrip().startswith("#input")

    def _begins(self, at: int) -> bool:
        """Whether nothing of the current statement stands before."""
        return not self._is_begun and not self._text[self._at : at].strip()

    def _is_statement_next(self, at: int) -> bool:
        blank = _BLANK.match(self._text, at)
        return bool(_STATEMENT_START.match(self._text, blank.end() if blank else at))

    def _start(self) -> None:
        self._pieces, self._is_begun, self._open = [], False, 0

    def _keep(self, end: int) -> None:
        piece = self._text[self._at : end]
        self._pieces.append(piece)
        self._is_begun = self._is_begun or bool(piece.strip())
        self._open += piece.count("(") + piece.count("[") - piece.count(")") - piece.count("]")
        self._at = end

    def _comment(self, mark: re.Match[str]) -> None:
        self._keep(mark.start())
        end = mark.end() if mark.group() != "%*" else self._end_of_block_comment(mark.start())
        self._pieces.append(_WITHOUT_LINE_END.sub(_blanks, self._text[mark.start() : end]))
        self._at = end

    def _is_other_comment(self, mark: re.Match[str]) -> bool:
        """Whether a comment of another language begins: where no operator and no window can go on."""
        at = mark.start()
        if mark.group() == "/*" or self._begins(at):
            return True
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at].rstrip()
        if mark.group() == "//":
            return not line or line[-1] in ".,;-{(["
        before = self._text[self._at : at]
        brackets = before.count("(") + before.count("[") - before.count(")") - before.count("]")
        return not line and self._open + brackets <= 0

    def _other_comment(self, mark: re.Match[str]) -> None:
        """Takes a comment of another language as one, and says how it is written here."""
        self._keep(mark.start())
        leader = mark.group()
        end = self._text.find("*/" if leader == "/*" else "\n", mark.end())
        end = len(self._text) if end < 0 else end + 2 * (leader == "/*")
        self._diagnostics.error(
            Location(self._source, mark.start(), mark.end()),
            f"{leader} does not start a comment",
            "write %* and *% around it" if leader == "/*" else f"write % instead of {leader}",
            is_shared=True,
            code=codes.FOREIGN_COMMENT,
        )
        self._pieces.append(_WITHOUT_LINE_END.sub(_blanks, self._text[mark.start() : end]))
        self._at = end

    def _end_of_block_comment(self, begin: int) -> int:
        depth = 0
        for mark in _BLOCK_COMMENT_MARK.finditer(self._text, begin):
            depth += {"%*": 1, "*%": -1}.get(mark.group(), 0)
            if depth == 0:
                return mark.end()
        place = Location(self._source, begin, begin + 2)
        self._diagnostics.error(
            place, "this comment is never closed", "close it with *%", code=codes.NEVER_CLOSED
        )
        return len(self._text)

    def _tail(self) -> None:
        """Takes what stands in brackets behind a dot: `[weight@priority]`, say."""
        pieces, at = list(self._pieces), self._at
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._keep(blank.end() if blank else self._at)
            if self._text.startswith(("%", "#!"), self._at) and (mark := _MARK.match(self._text, self._at)):
                self._comment(mark)
            else:
                break
        if self._text.startswith("[", self._at):
            while mark := self._next(_MARK_IN_TAIL, _MARK_IN_TAIL_BUT_QUOTE):
                if mark.group().startswith(("%", "#!")):
                    self._comment(mark)
                    continue
                self._keep(mark.end())
                if mark.group() == "]":
                    return
            self._keep(len(self._text))
        else:
            self._pieces, self._at = pieces, at


def _blanks(found: re.Match[str]) -> str:
    """A blank for each character."""
    return " " * len(found[0])


def _statement(text: str, begin: int) -> Iterator[StatementText]:
    body = text.lstrip()
    if body:
        yield StatementText(body.rstrip(), begin + len(text) - len(body))
