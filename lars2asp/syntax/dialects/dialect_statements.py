"""Statements of other languages, parsed by tables of their own."""

from collections.abc import Callable
from typing import Any

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parsing.parse_tables import Build, Tables, UnexpectedTextError
from lars2asp.syntax.parsing.statement_texts import StatementText
from lars2asp.syntax.parsing.syntax_errors import report_syntax_error
from lars2asp.syntax.source import Location, Source

Located = Callable[[int, int], Location]
"""The place of a span of a statement's text."""


def places_in(source: Source, statement: StatementText) -> Located:
    """What gives the place of a span of a statement's text."""

    def located(begin: int, end: int) -> Location:
        return Location(source, statement.begin + begin, statement.begin + end)

    return located


def built(text: str, tables: Tables, build: Build, located: Located, diagnostics: Diagnostics) -> list[Any]:
    """What a builder makes of a statement, one thing or several; nothing where something is wrong with it."""
    found_before = len(diagnostics)
    try:
        made = tables.parse(text, build)
    except UnexpectedTextError as error:
        place = located(error.begin, error.begin + len(error.found))
        error.found = place.source.text[place.begin : place.end]  # the text may have other signs
        report_syntax_error(error, text, located, diagnostics, None)
        return []
    if len(diagnostics) > found_before:
        return []
    return made if isinstance(made, list) else [made]
