"""The pass that warns of arithmetic over constants whose result has more than 32 bits."""

from lars2asp.analysis.constants import exact_value, integer_value
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.wrapping import wrapped, wrapping_message
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER, BinaryOperation
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every


def check_overflow(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of such terms; of those with variables evaluators say it when it happens."""
    constants = analysis.constants
    for term in every(BinaryOperation, *analysis.program.but_plain_facts):
        if integer_value(term, constants) is not None:
            continue
        number = exact_value(term, constants)
        if number is not None:
            diagnostics.warning(
                term.location,
                wrapping_message(to_text(term), number, wrapped(number)),
                f"integers go from {SMALLEST_INTEGER} to {LARGEST_INTEGER}: take a larger unit",
            )
