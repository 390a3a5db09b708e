"""The language of Laser (Bazoobandi, Beck, Urbani 2017): a rule a line, with windows as functions."""

import re
from collections.abc import Iterator, Sequence

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.dialects.program_dialect import ProgramDialect, Translated
from lars2asp.syntax.parsing.formulas import Formulas
from lars2asp.syntax.source import Location, Source

_FUNCTION = r"(?:\b(?:time_win|tuple_win|MATH|COMP) *\(|\) +and )"
_OWN = re.compile(rf"""(?m)^[ \t]*["']?[^%\n."]*:-[^\n."]*{_FUNCTION}[^\n."]*"?,?[ \t]*$""")
"""A rule without a dot in which a function of Laser stands, or `and`."""


def _translated(source: Source, diagnostics: Diagnostics, formulas: Formulas) -> Iterator[Translated]:
    from lars2asp.syntax.dialects.laser.translation import translated  # noqa: PLC0415 - most need no grammar

    return translated(source, diagnostics)


def _declarations(source: Source) -> Sequence[nodes.Declaration]:
    return (nodes.SemanticsChoice(nodes.Semantics.STRICT, location=Location(source, 0, 0)),)


LASER = ProgramDialect(
    "laser",
    "Laser",
    _translated,
    _declarations,
    endings=(".laser",),
    recognises=lambda text: _OWN.search(text) is not None,
    log_format="laser",
    has_anonymous_variables=False,
)
