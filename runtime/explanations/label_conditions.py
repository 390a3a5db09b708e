"""Conditions of labels in programs with decimals: numbers in them are what they say, as in rules."""

from collections.abc import Sequence

from lars2asp.analysis.passes.decimals import write_decimals
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax.diagnostics import Diagnostics, ProgramError
from lars2asp.syntax.nodes import Decimals, Program, Rule
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source


def in_integers(declared: Sequence[Decimals], literals: Sequence[str]) -> list[str] | None:
    """The literals with the integers that stand for their numbers; None for what cannot be read so.

    Args:
        declared: the decimals of places.
        literals: an atom, and comparisons of its variables.
    """
    diagnostics = Diagnostics()
    try:
        read = parse(Source("<label>", f":- {', '.join(literals)}."))
        program = Program((*declared, *read.statements))
        written = write_decimals(ProgramAnalysis(program), diagnostics) or program
        diagnostics.raise_errors()
    except ProgramError:
        return None
    match written.statements[-1]:
        case Rule(None, body) if len(body) == len(literals):
            return [to_text(literal) for literal in body]
        case _:
            return None
