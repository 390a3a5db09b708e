"""The language of I-DLV-sr (Calimeri et al. 2021): ASP-Core-2 with streaming and external atoms."""

import re
from collections.abc import Iterator, Sequence

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.dialects.program_dialect import ProgramDialect, Translated
from lars2asp.syntax.parsing.formulas import Formulas
from lars2asp.syntax.source import Source

UNITS = ("sec", "msec", "min", "hrs")

_EXTERNAL = r"(?:[,;]|:-|\bnot)\s*&[a-z]\w*\([^();\n]*;[^()\n]*\)"
_OWN = re.compile(rf"(?m)^[^%\n\"]*(?:#trigger_frequency\b|{_EXTERNAL}|@now\.[a-z])")


def _translated(source: Source, diagnostics: Diagnostics, formulas: Formulas) -> Iterator[Translated]:
    from lars2asp.syntax.dialects.idlvsr.translation import translated  # noqa: PLC0415 - most need no grammar

    return translated(source, diagnostics, formulas)


def _declarations(source: Source) -> Sequence[nodes.Declaration]:
    from lars2asp.syntax.dialects.idlvsr.translation import declarations  # noqa: PLC0415

    return declarations(source)


IDLVSR = ProgramDialect(
    "idlvsr",
    "I-DLV-sr",
    _translated,
    _declarations,
    endings=(".idlvsr",),
    recognises=lambda text: _OWN.search(text) is not None,
    log_format="idlvsr",
    settings={
        "t-unit": UNITS,
        "windows-unit": UNITS,
        "now-format": ("datetime", "sec", "min", "hrs"),
    },
    has_python_values=True,
)
