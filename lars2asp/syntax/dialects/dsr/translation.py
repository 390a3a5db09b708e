"""Programs of Distributed-SR in our syntax: statement by statement, by its grammar (`grammar.lark`).

a not in [3 s]        not a in [3 sec]
X % 2, X^2            X \\ 2, X**2
// ..., /* ... */     comments
"""

import dataclasses
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.dialects.dialect_statements import built, places_in
from lars2asp.syntax.dialects.program_dialect import Translated
from lars2asp.syntax.nodes import Sign
from lars2asp.syntax.parsing.formulas import Formulas, marked
from lars2asp.syntax.parsing.parse_tables import Token, tables
from lars2asp.syntax.parsing.plain_facts import plain_fact
from lars2asp.syntax.parsing.statement_texts import cut_statements
from lars2asp.syntax.parsing.tree import SyntaxBuilder
from lars2asp.syntax.source import Location, Source

_COMMENT = re.compile(r'"[^"\n]*"|(//[^\n]*|/\*.*?(?:\*/|\Z))|(%)', re.DOTALL)
_BUT_LINE_ENDS = re.compile(r"[^\n]")
REMAINDER = "\x1f"


def declarations(source: Source) -> Sequence[nodes.Declaration]:
    """The length of a tick, and the zone of timestamps: they name none, and mean no other."""
    place = Location(source, 0, 0)
    second = nodes.Duration(nodes.Number(1, location=place), "sec", location=place)
    return (
        nodes.Tick(second, location=place),
        nodes.TimeZone(nodes.String("UTC", location=place), location=place),
    )


def translated(source: Source, diagnostics: Diagnostics, formulas: Formulas) -> Iterator[Translated]:
    """The statements of a program."""
    own = tables(Path(__file__).parent)
    for statement in cut_statements(source, diagnostics, text=_COMMENT.sub(_masked, source.text)):
        fact = plain_fact(source, statement)
        if fact is not None:
            yield fact
            continue
        located = places_in(source, statement)
        builder = _Builder(located, diagnostics, formulas)
        yield from built(marked(statement.text), own, builder.made, located, diagnostics)


def _masked(found: re.Match[str]) -> str:
    """Blanks for a comment, and another sign for that of remainders."""
    if found[2]:
        return REMAINDER
    return _BUT_LINE_ENDS.sub(" ", found[1]) if found[1] else found[0]


class _Builder(SyntaxBuilder):
    """Makes the nodes of one statement."""

    def operation(self, at: Location, *parts: Any) -> Any:
        """`t1 o1 t2 ...`, where `^` is a power and binds to the left."""
        joined = [parts[0]]
        for operator, right in zip(parts[1::2], parts[2::2], strict=True):
            if operator == "^":
                left = joined.pop()
                place = left.location._replace(end=right.location.end)
                joined.append(nodes.BinaryOperation("**", left, right, location=place))
            else:
                joined += ["\\" if operator == REMAINDER else operator, right]
        return super().operation(at, *joined)

    def not_diamond(self, at: Location, term: Any, _: Token, window: Any) -> nodes.Literal:
        return self._contrary(self.diamond(at, term, window))

    def not_box(self, at: Location, term: Any, _: Token, window: Any) -> nodes.Literal:
        return self._contrary(self.box(at, term, window))

    def not_at_tick(self, at: Location, term: Any, tick: Any, _: Token, window: Any) -> nodes.Literal:
        return self._contrary(self.at_tick(at, term, tick, window))

    def _contrary(self, atom: Any) -> nodes.Literal:
        return nodes.Literal(atom, Sign.NOT, location=atom.location)

    def literal(self, at: Location, sign: Sign | None, atom: Any) -> nodes.Literal:
        if isinstance(atom, nodes.Literal):  # of `not in`
            return dataclasses.replace(atom, sign=Sign.NOT_NOT if sign is Sign.NOT else Sign.NOT, location=at)
        return super().literal(at, sign, atom)

    head_literal = literal
