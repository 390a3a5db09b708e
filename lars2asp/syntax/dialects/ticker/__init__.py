"""The language of Ticker (Beck, Eiter, Folie 2017), in its last and in its older spelling."""

import re
from collections.abc import Iterator, Sequence

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.dialects.program_dialect import ProgramDialect, Translated
from lars2asp.syntax.parsing.formulas import Formulas
from lars2asp.syntax.source import Location, Source

_OWN = re.compile(r"(?m)^[^%\n\"]*\[ *t +\d+ *\]|^[ \t]*import +[\w.()]+ +as +\w+[ \t]*$")
"""A window in the older spelling, or a window that is imported."""


def _translated(source: Source, diagnostics: Diagnostics, formulas: Formulas) -> Iterator[Translated]:
    from lars2asp.syntax.dialects.ticker.translation import translated  # noqa: PLC0415 - most need no grammar

    return translated(source, diagnostics)


def _declarations(source: Source) -> Sequence[nodes.Declaration]:
    at = Location(source, 0, 0)
    second = nodes.Duration(nodes.Number(1, location=at), "sec", location=at)
    return nodes.SemanticsChoice(nodes.Semantics.STRICT, location=at), nodes.Tick(second, location=at)


TICKER = ProgramDialect(
    "ticker",
    "Ticker",
    _translated,
    _declarations,
    endings=(".ticker",),
    recognises=lambda text: _OWN.search(text) is not None,
    log_format="ticker",
    has_anonymous_variables=False,
)
