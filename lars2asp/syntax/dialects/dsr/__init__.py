"""The language of Distributed-SR (Eiter, Ogris, Schekotihin 2019), as its parser reads it."""

from collections.abc import Iterator, Sequence

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.dialects.program_dialect import ProgramDialect, Translated
from lars2asp.syntax.parsing.formulas import Formulas
from lars2asp.syntax.source import Source


def _translated(source: Source, diagnostics: Diagnostics, formulas: Formulas) -> Iterator[Translated]:
    from lars2asp.syntax.dialects.dsr.translation import translated  # noqa: PLC0415 - most need no grammar

    return translated(source, diagnostics, formulas)


def _declarations(source: Source) -> Sequence[nodes.Declaration]:
    from lars2asp.syntax.dialects.dsr.translation import declarations  # noqa: PLC0415

    return declarations(source)


DSR = ProgramDialect("dsr", "Distributed-SR", _translated, _declarations, endings=(".dsr",), log_format="dsr")
