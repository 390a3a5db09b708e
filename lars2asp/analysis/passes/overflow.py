"""The pass that warns of arithmetic over constants whose result has more than 32 bits."""

from lars2asp.analysis.constants import exact_value, integer_value
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import LARGEST_INTEGER, BinaryOperation
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import shown, shown_number
from lars2asp.syntax.traversal import every

_RANGE = 2 * (LARGEST_INTEGER + 1)


def check_overflow(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of such terms; of those with variables evaluators say it when it happens."""
    constants = analysis.constants
    for term in every(BinaryOperation, *analysis.program.but_plain_facts):
        if integer_value(term, constants) is not None:
            continue
        number = exact_value(term, constants)
        if number is not None:
            wrapped = (number + LARGEST_INTEGER + 1) % _RANGE - LARGEST_INTEGER - 1
            diagnostics.warning(
                term.location,
                f"{shown(to_text(term))} is {shown_number(number)}, which has more than 32 bits: "
                f"it wraps around to {wrapped}",
                f"integers go from -{LARGEST_INTEGER + 1} to {LARGEST_INTEGER}: take a larger unit",
            )
