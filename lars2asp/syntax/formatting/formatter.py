"""Writes a program in one style.

A statement keeps its tokens and comments; what is between them is written anew. A statement that would then
be read otherwise, as a word is a keyword only before a blank, say, stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.formatting.comments import Comment, gap_in
from lars2asp.syntax.formatting.layout import WIDTH, lines_of, pieces_of
from lars2asp.syntax.parser import read_statements
from lars2asp.syntax.parsing.formulas import marked
from lars2asp.syntax.parsing.parse_tables import Token, UnexpectedTextError, tables
from lars2asp.syntax.parsing.plain_facts import PLAIN_FACT, PLAIN_PART
from lars2asp.syntax.parsing.prefixed_names import with_names
from lars2asp.syntax.parsing.statement_texts import StatementText, cut_statements
from lars2asp.syntax.parsing.tree import Prefix
from lars2asp.syntax.source import Source
from lars2asp.syntax.string_escapes import with_escapes
from lars2asp.syntax.time_units import NAMES
from lars2asp.syntax.values import dataclass

_BEHIND = ("COMMA", "SEMICOLON", "_DOT", "_IF")
"""Before these no comment stays: it comes behind them."""


def formatted(source: Source) -> str:
    """The text of a program file in one style. Raises ProgramError where it cannot be read."""
    diagnostics = Diagnostics()
    read = list(read_statements(source, diagnostics))
    diagnostics.raise_errors()
    prefixes = {one.name: one.iri for _, found in read for one in found if isinstance(one, Prefix)}
    writer = _Writer()
    end = 0
    for statement, _ in read:
        _write_gap(writer, source.text, end, statement.begin)
        end = statement.begin + len(statement.text)
        _write_statement(writer, source, statement, prefixes)
    _write_gap(writer, source.text, end, len(source.text))
    return writer.text()


def _write_gap(writer: "_Writer", text: str, begin: int, end: int) -> None:
    gap = gap_in(text, begin, end)
    for comment in gap.comments:
        writer.comment(comment)
    writer.go_on(gap.ends_of_line)


def _write_statement(
    writer: "_Writer", source: Source, statement: StatementText, prefixes: Mapping[str, str]
) -> None:
    written = source.text[statement.begin : statement.begin + len(statement.text)]
    if statement.text.startswith("#script"):
        writer.statement([written], is_short=False)
        return
    fact = PLAIN_FACT.fullmatch(written)
    if fact is not None and fact[1] != "not" and "(" not in fact[2]:
        arguments = with_escapes(",".join(PLAIN_PART.findall(fact[2])))
        writer.statement([f"{fact[1]}({arguments})."], is_short=True)
        return
    tokens = tables().tokens(marked(with_names(statement.text, prefixes)))
    comments, left = _comments(written, tokens)
    texts = [_written(written[token.begin : token.end], token.terminal) for token in tokens]
    lines = lines_of(pieces_of(tokens, texts, comments))
    if not _is_read_as(lines, texts, tokens, prefixes):
        writer.statement([written], is_short=False)
        return
    is_short = len(lines) == 1 and not any(token.terminal in ("_IF", "_WEAK") for token in tokens)
    writer.statement(lines, is_short=is_short)
    for comment in left:
        writer.comment(comment)


def _written(text: str, terminal: str) -> str:
    """The text of a token: a unit that is written out, `minutes`, by its name."""
    text = with_escapes(text)
    name = NAMES[text] if terminal in ("UNIT", "LONG_UNIT") else text
    return name if len(name) < len(text) else text


def _comments(text: str, tokens: Sequence[Token]) -> tuple[list[tuple[Comment, ...]], tuple[Comment, ...]]:
    """The comments before each token of a statement, and those behind the last one."""
    found: list[tuple[Comment, ...]] = []
    waiting: tuple[Comment, ...] = ()
    end = 0
    for token in tokens:
        here = (*waiting, *gap_in(text, end, token.begin).comments) if token.begin > end else waiting
        waiting = here if token.terminal in _BEHIND else ()
        found.append(() if waiting else here)
        end = token.end
    return found, waiting


def _is_read_as(
    lines: Sequence[str], texts: Sequence[str], tokens: Sequence[Token], prefixes: Mapping[str, str]
) -> bool:
    """Whether lines are one statement with these tokens."""
    text = "\n".join(lines)
    found = list(cut_statements(Source("", text), Diagnostics()))
    if len(found) != 1:
        return False
    try:
        again = tables().tokens(marked(with_names(found[0].text, prefixes)))
    except UnexpectedTextError:
        return False
    begin = found[0].begin
    said = [(text[begin + one.begin : begin + one.end], one.terminal) for one in again]
    return said == [(text, one.terminal) for text, one in zip(texts, tokens, strict=True)]


@dataclass
class _Line:
    """A line of code, or the lines of a statement that does not fit into one, and the comment behind it."""

    code: str
    comment: str = ""
    is_short: bool = False
    column: int = -1
    """Where the comment began before, in its line."""
    is_ended: bool = False
    """Whether no comment can stand behind."""


@dataclass
class _Writer:
    """Puts statements and comments together: blank lines, and what shares a line."""

    _lines: list[_Line] = field(default_factory=list)
    _ends: int = 0
    """The number of line ends behind what was written last."""

    def go_on(self, ends_of_line: int) -> None:
        """Says how many line ends are before what comes next."""
        self._ends = ends_of_line

    def statement(self, lines: Sequence[str], *, is_short: bool) -> None:
        """Writes a statement; a short one may share the line of another one, if it did."""
        *before, last = lines
        previous = self._lines[-1] if self._lines else None
        if (
            previous is not None
            and is_short
            and not self._ends
            and previous.is_short
            and not previous.comment
            and len(previous.code) + 1 + len(last) <= WIDTH
        ):
            previous.code += f" {last}"
        else:
            self._blank()
            self._lines += [*map(_Line, before), _Line(last, is_short=is_short)]
        self._ends = 0

    def comment(self, comment: Comment) -> None:
        """Writes a comment: behind the line before if it was there, or below another one there."""
        previous = self._lines[-1] if self._lines else None
        if previous is not None and not comment.ends_of_line and not previous.is_ended:
            previous.comment += f"{' ' * bool(previous.comment)}{comment.text}"
            previous.column = comment.column if previous.column < 0 else previous.column
            previous.is_ended = not comment.is_inline
        elif previous is not None and comment.ends_of_line == 1 and comment.column == previous.column:
            self._lines.append(_Line("", comment.text, column=comment.column, is_ended=True))
        else:
            self._ends = comment.ends_of_line
            self._blank()
            self._lines.append(_Line(comment.text, is_ended=True))
        self._ends = 0

    def _blank(self) -> None:
        if self._ends > 1 and self._lines:
            self._lines.append(_Line("", is_ended=True))

    def text(self) -> str:
        """The whole text."""
        written: list[str] = []
        begin = 0
        while begin < len(self._lines):
            end = begin
            while end < len(self._lines) and self._lines[end].comment:
                end += 1
            written += _commented(self._lines[begin:end])
            if end < len(self._lines):
                written.append(self._lines[end].code)
            begin = end + 1
        return "".join(f"{line}\n" for line in written)


def _commented(lines: Sequence[_Line]) -> list[str]:
    """Lines that follow each other with comments behind them, which begin in one column if that fits."""
    if not lines:
        return []
    shared = max(_width(line.code) for line in lines) + 2
    fits = all(shared + len(line.comment) <= WIDTH for line in lines)
    written, column = [], shared
    for line in lines:
        if line.code and not fits:
            column = _width(line.code) + 2
        written.append(f"{line.code}{' ' * (column - _width(line.code))}{line.comment}")
    return written


def _width(code: str) -> int:
    """The number of characters of the last line."""
    return len(code) - code.rfind("\n") - 1
