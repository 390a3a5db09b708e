"""Formulas in brackets under a window need that what held at earlier ticks is in the stream."""

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Semantics


def check_formulas(analysis: ProgramAnalysis, semantics: Semantics, diagnostics: Diagnostics) -> None:
    """Reports formulas in a program with strict semantics."""
    if semantics is Semantics.STRICT:
        for atom in analysis.formulas.values():
            diagnostics.error(
                atom.location,
                "with #semantics strict, windows cannot look back at a formula in brackets",
                "write #semantics recorded., or a rule in place of the formula",
                code=codes.STRICT_FORMULA,
            )
