"""Passes that tell of arithmetic over constants whose result has more than 32 bits."""

from lars2asp.analysis.arithmetic.constants import exact_value, integer_value
from lars2asp.analysis.arithmetic.linear_bounds import linear, linear_variable
from lars2asp.analysis.arithmetic.wrapping import wrapped, wrapping_message
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER, BinaryOperation
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every

_RANGE = f"integers go from {SMALLEST_INTEGER} to {LARGEST_INTEGER}: take a larger unit"


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
                _RANGE,
            )


def check_factors(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports products such as `X*65536*65536`, which are the same for each X in 32 bits.

    clingo would divide by the factor, which is 0 then, and that would end the process.
    """
    constants = analysis.constants
    for term in every(BinaryOperation, *analysis.program.but_plain_facts):
        variable, expression = linear_variable(term, constants), linear(term, constants)
        if term.operator != "*" or variable is None or expression is None:
            continue
        [factor] = expression.factors.values()
        if not wrapped(factor):
            product = f"{factor}*{variable.name}"
            diagnostics.error(
                term.location,
                f"{to_text(term)} is {product}, and the factor has more than 32 bits: it wraps around to 0",
                _RANGE,
            )
