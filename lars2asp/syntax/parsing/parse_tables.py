"""Parses a statement by tables that Lark has made of a grammar, and hands its parts to a builder.

A start of the command line is too short to make the tables, or to import Lark: they are kept in
`parse_tables.json` beside each `grammar.lark`, which `python -m lars2asp.syntax.parsing.grammar` writes. The
table of a state (LALR) has the number of the lexer that reads the next token there (so a word is a keyword
only where it can stand), and what is done with it: s >= 0 goes on to the state s, r < 0 reduces by the rule
~r.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lars2asp.syntax.values import dataclass

HERE = Path(__file__).parent
TABLES = "parse_tables.json"
"""The file beside a grammar that has its tables."""

END = "$END"
"""Stands for the end of the text among the terminals."""


class Token(str):
    """A token: its text, its terminal, and its place in the statement."""

    __slots__ = ("begin", "end", "terminal")

    begin: int
    end: int
    terminal: str


class Span(NamedTuple):
    """A part of the text of a statement."""

    begin: int
    end: int


Build = Callable[[str, Span | None, list[Any]], Any]
"""Makes something of a part: of its rule's name, its place (None if it has no text) and its children, which
are tokens, what was made of parts, and None for what is left out."""


class UnexpectedTextError(Exception):
    """The text is not a statement.

    Attributes:
        begin: where it could go on no more.
        found: what stands there; nothing at the end of the text.
        expected: the terminals with which it could go on, if what stands there is one.
    """

    def __init__(self, begin: int, found: str, expected: frozenset[str] = frozenset()) -> None:
        super().__init__(found)
        self.begin = begin
        self.found = found
        self.expected = expected


class Rule(NamedTuple):
    """A rule of the grammar.

    Attributes:
        origin: the nonterminal.
        length: the number of its symbols.
        name: the method of the builder; None where the children belong to the part around.
        is_passed_on: whether an only child stands for the part.
        kept: which of the symbols are children, each with the number of None before it, and whether its own
            children stand for it.
        left_out: the number of None behind them.
    """

    origin: str
    length: int
    name: str | None
    is_passed_on: bool
    kept: Sequence[Sequence[int]]
    left_out: int


_ALONE = [[0, 0, False]]
"""The only symbol of a rule, as it is: the rule makes nothing of it."""


@dataclass(frozen=True)
class Tables:
    """The tables.

    Attributes:
        terminals: the name of each, its pattern, and the characters with which its texts begin, None for any.
        lexers: the numbers of terminals, in the order in which they are tried; the last lexer reads all.
        ignored: the terminals that are left out.
        states: the number of the lexer of each state, what is done with terminals, and the states behind
            nonterminals; the first one is that of a statement that begins.
        rules: the rules.
        last: the state of a statement that is whole.
    """

    terminals: Sequence[tuple[str, str, str | None]]
    lexers: Sequence[Sequence[int]]
    ignored: Sequence[str]
    states: Sequence[tuple[int, dict[str, int], dict[str, int]]]
    rules: Sequence[Rule]
    last: int
    _compiled: dict[tuple[int, str], re.Pattern[str]] = field(default_factory=dict)

    def parse(self, text: str, build: Build) -> Any:
        """What `build` makes of a statement. Raises UnexpectedTextError before it is called."""
        return self._built(self._steps(text), build)

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a statement. Raises UnexpectedTextError."""
        return [step for step in self._steps(text) if isinstance(step, Token)]

    def _steps(self, text: str) -> list[Token | Rule]:
        """The tokens of a text, and the rules by which they are reduced, in the order of that."""
        steps: list[Token | Rule] = []
        stack = [0]
        at = 0
        while at < len(text):
            number, first = self.states[stack[-1]][0], text[at]
            match = (self._compiled.get((number, first)) or self._lexer(number, first)).match(text, at)
            if match is None:
                raise self._unexpected(text, at, stack)
            at = match.end()
            terminal = str(match.lastgroup)
            if terminal in self.ignored:
                continue
            begin = match.start()
            if not self._reduce(stack, terminal, steps):
                raise self._unexpected(text, begin, stack)
            token = Token(match[0])
            token.begin, token.end, token.terminal = begin, at, terminal
            steps.append(token)
        self._reduce(stack, END, steps)
        if stack[-1] != self.last:
            raise UnexpectedTextError(len(text), "")
        return steps

    def _reduce(self, stack: list[int], terminal: str, steps: list[Token | Rule]) -> bool:
        """Reduces as far as a terminal says, and goes on with it; whether that is possible."""
        while True:
            action = self.states[stack[-1]][1].get(terminal)
            if action is None:
                return False
            if action >= 0:
                stack.append(action)
                return True
            rule = self.rules[~action]
            if rule.length:
                del stack[-rule.length :]
            stack.append(self.states[stack[-1]][2][rule.origin])
            if not (rule.is_passed_on and rule.length == 1 and rule.kept == _ALONE):
                steps.append(rule)

    def _lexer(self, number: int, first: str) -> re.Pattern[str]:
        """The pattern of the tokens that a lexer reads and that begin with a character."""
        if (found := self._compiled.get((number, first))) is None:
            read = (self.terminals[terminal] for terminal in self.lexers[number])
            ways = (
                f"(?P<{name}>{pattern})"
                for name, pattern, begins in read
                if begins is None or first in begins
            )
            found = self._compiled[number, first] = re.compile("|".join(ways) or "(?!)")
        return found

    def _unexpected(self, text: str, at: int, stack: list[int]) -> UnexpectedTextError:
        """The error where no token fits: the one that stands there elsewhere, or a character."""
        match = self._lexer(-1, text[at]).match(text, at)
        if match is None:
            return UnexpectedTextError(at, text[at])
        return UnexpectedTextError(at, match[0], self._expected(stack))

    def _expected(self, stack: list[int]) -> frozenset[str]:
        """The terminals with which the text can go on."""
        return frozenset(one for one in self.states[stack[-1]][1] if self._reduce([*stack], one, []))

    def _built(self, steps: list[Token | Rule], build: Build) -> Any:
        values: list[Any] = []
        spans: list[Span | None] = []
        for step in steps:
            if isinstance(step, Token):
                values.append(step)
                spans.append(Span(step.begin, step.end))
                continue
            first = len(values) - step.length
            parts, places = values[first:], [place for place in spans[first:] if place is not None]
            del values[first:], spans[first:]
            children: list[Any] = []
            for index, left_out, is_inlined in step.kept:
                children += [None] * left_out
                if is_inlined:
                    children += parts[index]
                else:
                    children.append(parts[index])
            children += [None] * step.left_out
            place = Span(places[0].begin, places[-1].end) if places else None
            if step.name is None:
                values.append(children)
            elif step.is_passed_on and len(children) == 1:
                [only] = children
                values.append(only)
                if isinstance(only, Token):
                    place = Span(only.begin, only.end)
            else:
                values.append(build(step.name, place, children))
            spans.append(place)
        [value] = values
        return value


@cache
def tables(folder: Path = HERE) -> Tables:
    """The kept tables of the grammar in a folder, by default that of lars2asp."""
    kept = json.loads((folder / TABLES).read_bytes())
    kept["rules"] = [Rule(*rule) for rule in kept["rules"]]
    return Tables(**kept)
