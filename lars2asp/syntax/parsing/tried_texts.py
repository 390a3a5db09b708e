"""Tries whether a text can be read with something else written in it, for messages that propose that."""

from collections.abc import Mapping

from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.parsing.formulas import marked
from lars2asp.syntax.parsing.parse_tables import UnexpectedTextError, tables
from lars2asp.syntax.parsing.prefixed_names import with_names
from lars2asp.syntax.parsing.statement_texts import cut_statements
from lars2asp.syntax.parsing.tree import SyntaxBuilder
from lars2asp.syntax.source import Location, Source


def first_mistake(text: str, begin: int, end: int, prefixes: Mapping[str, str]) -> int | None:
    """Where a text with something new from `begin` to `end` cannot go on; None if it is right as far as that.

    It is right if the statements up to there can be read, or a mistake stands at least one token behind.
    """
    behind = len(text) - len(text[end:].lstrip())
    for statement in cut_statements(Source("", text), Diagnostics()):
        if statement.begin >= end:
            break
        first = statement.begin
        diagnostics = Diagnostics()

        def located(here: int, there: int, first: int = first) -> Location:
            return Location(Source("", text), first + here, first + there)

        try:
            builder = SyntaxBuilder(located, diagnostics, prefixes=prefixes)
            tables().parse(marked(with_names(statement.text, prefixes)), builder.made)
        except UnexpectedTextError as error:
            place = first + error.begin
            return None if place > behind or not error.found else place
        for found in diagnostics.found:
            if found.location.begin < end and found.location.end > begin:
                return found.location.begin
    return None
