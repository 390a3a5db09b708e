"""Reads program text: statements, then for each the grammar, then the abstract syntax."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from lark import Lark, UnexpectedInput

from lars2asp import syntax
from lars2asp.diagnostics import Diagnostics, Lars2aspError
from lars2asp.source import Location, Source
from lars2asp.statements import StatementText, cut_statements
from lars2asp.syntax_errors import report_syntax_error
from lars2asp.traversal import first_deeper_than
from lars2asp.tree import SyntaxBuilder


def read_sources(paths: Iterable[str | Path]) -> tuple[Source, ...]:
    """The program files as sources.

    Raises Lars2aspError naming the file where one cannot be read or is not UTF-8.
    """
    sources = []
    for path in paths:
        try:
            sources.append(Source(str(path), Path(path).read_text(encoding="utf-8-sig")))
        except OSError as error:
            raise Lars2aspError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise Lars2aspError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    return tuple(sources)


def parse(*sources: Source, diagnostics: Diagnostics | None = None) -> syntax.Program:
    """The program that the sources say together.

    Syntax errors go to `diagnostics` when it is given, and the statements that are right are returned; else
    ProgramError is raised with all of them.
    """
    collected = Diagnostics() if diagnostics is None else diagnostics
    statements: list[syntax.Statement] = []
    for source in sources:
        for text in cut_statements(source, collected):
            statement = _plain_fact(source, text) or _parse_statement(source, text, collected)
            if statement is not None:
                statements.append(statement)
    if diagnostics is None:
        collected.raise_errors()
    return syntax.Program(tuple(statements), sources)


def parse_text(text: str, name: str = "<text>") -> syntax.Program:
    """The program in a text. Raises ProgramError."""
    return parse(Source(name, text))


def parse_input_declaration(text: str, name: str = "--map") -> syntax.Input:
    """An input declaration without `#input` and the dot: `reading(room, temp*10) at time`.

    Raises Lars2aspError.
    """
    keyword = "#input "
    stripped = text.strip().removeprefix(keyword).removesuffix(".")
    program = parse(Source(name, f"{keyword}{stripped}."))
    match program.statements:
        case (syntax.Input() as declaration,):
            return declaration
        case _:
            raise Lars2aspError(f"{name}: expected one declaration such as reading(room, temp*10) at time")


@cache
def _grammar() -> Lark:
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _parse_statement(
    source: Source, statement: StatementText, diagnostics: Diagnostics
) -> syntax.Statement | None:
    def located(begin: int, end: int) -> Location:
        return Location(source, statement.begin + begin, statement.begin + end)

    try:
        tree = _grammar().parse(statement.text)
    except UnexpectedInput as error:
        report_syntax_error(error, statement.text, located, diagnostics)
        return None
    found_before = len(diagnostics)
    built: syntax.Statement = SyntaxBuilder(located, diagnostics).transform(tree)
    if len(diagnostics) > found_before:
        return None
    too_deep = first_deeper_than(built, syntax.MOST_NESTED)
    if too_deep is not None:
        diagnostics.error(
            built.location,
            f"this is nested more than {syntax.MOST_NESTED} levels deep",
            "name parts of it, with rules or constants of their own",
        )
        return None
    return built


# --- plain facts ----------------------------------------------------------------------------------

_ARGUMENT = r"""\s*(?:[0-9]{1,9}|[a-z][A-Za-z0-9_]*|"[^"\\\n]*")\s*"""
_PLAIN_FACT = re.compile(rf"([a-z][A-Za-z0-9_]*)\(({_ARGUMENT}(?:,{_ARGUMENT})*)\)\s*\.")
_PLAIN_ARGUMENT = re.compile(r'[0-9]+|[a-z][A-Za-z0-9_]*|"[^"]*"')


def _plain_fact(source: Source, statement: StatementText) -> syntax.Rule | None:
    """The fact that a statement is if its arguments are plain constants, else None.

    Background data comes in many thousands of such facts; a regular expression reads them thirty times
    faster than the grammar, to the same nodes (a test holds the two together).
    """
    match = _PLAIN_FACT.fullmatch(statement.text)
    if match is None or match[1] == "not":
        return None
    arguments: list[syntax.Term] = []
    begin = statement.begin
    for found in _PLAIN_ARGUMENT.finditer(statement.text, *match.span(2)):
        text = found.group()
        location = Location(source, begin + found.start(), begin + found.end())
        if text[0] == '"':
            arguments.append(syntax.String(text[1:-1], location=location))
        elif text[0].isdigit():
            if text[0] == "0" and text != "0":
                return None
            arguments.append(syntax.Number(int(text), location=location))
        elif text == "not":
            return None
        else:
            arguments.append(syntax.Function(text, location=location))
    atom_end = begin + match.end(2) + 1
    atom = syntax.Atom(match[1], tuple(arguments), location=Location(source, begin, atom_end))
    return syntax.Rule(atom, location=Location(source, begin, begin + len(statement.text)))
