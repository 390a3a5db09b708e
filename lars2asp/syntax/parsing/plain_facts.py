"""Facts over plain constants and functions of these, which a regular expression reads."""

import re

from lars2asp.syntax import nodes
from lars2asp.syntax.parsing.statement_texts import StatementText
from lars2asp.syntax.source import Location, Source

_DEEPEST = 4
"""Functions in more functions than these are left to the grammar."""


def _arguments(depth: int) -> str:
    """The pattern of arguments in which functions stand in one another so deep."""
    function = rf"(?:\({_arguments(depth - 1)}\))?+" if depth else ""
    argument = rf"""\s*(?:[0-9]{{1,9}}(?:\.[0-9]{{1,9}})?|[a-z][A-Za-z0-9_]*+{function}|"[^"\\\n]*")\s*"""
    return rf"(?:{argument}(?:,(?!\s*\))|(?=\))))++"


PLAIN_FACT = re.compile(rf"([a-z][A-Za-z0-9_]*)\(({_arguments(_DEEPEST)})\)\s*\.")
PLAIN_PART = re.compile(r'[0-9]+(?:\.[0-9]+)?|[a-z][A-Za-z0-9_]*\(?|"[^"]*"|\)')


def plain_fact(source: Source, statement: StatementText) -> nodes.Rule | None:
    """The fact that a statement is if its arguments are plain constants, or functions of these; else None.

    Background data comes in many thousands of such facts; a regular expression reads them thirty times
    faster than the grammar, to the same nodes (a test holds the two together).
    """
    match = PLAIN_FACT.fullmatch(statement.text)
    if match is None or match[1] == "not":
        return None
    arguments: list[nodes.Term] = []
    outer: list[tuple[str, int, list[nodes.Term]]] = []  # functions that are open, and what stands before
    begin = statement.begin
    for found in PLAIN_PART.finditer(statement.text, *match.span(2)):
        text = found.group()
        location = Location(source, begin + found.start(), begin + found.end())
        if text[0] == '"':
            arguments.append(nodes.String(text[1:-1], location=location))
        elif text[0].isdigit():
            if text[0] == "0" and text[1:2].isdigit():
                return None
            is_whole = "." not in text
            arguments.append(
                nodes.Number(int(text), location=location)
                if is_whole
                else nodes.Decimal(text, location=location)
            )
        elif text in ("not", "not("):
            return None
        elif text[-1] == "(":
            outer.append((text[:-1], location.begin, arguments))
            arguments = []
        elif text == ")":
            name, function_begin, before = outer.pop()
            location = Location(source, function_begin, location.end)
            before.append(nodes.Function(name, tuple(arguments), location=location))
            arguments = before
        else:
            arguments.append(nodes.Function(text, location=location))
    atom_end = begin + match.end(2) + 1
    atom = nodes.Atom(match[1], tuple(arguments), location=Location(source, begin, atom_end))
    return nodes.Rule(atom, location=Location(source, begin, begin + len(statement.text)))
