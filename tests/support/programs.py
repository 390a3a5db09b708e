"""Programs as texts."""

from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.compiler import Overrides, check, read_program
from lars2asp.syntax.nodes import Program
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source


def said(text: str, **constants: str) -> str:
    """All diagnostics of a program."""
    found = check(Source("x.lars", text), overrides=Overrides(constants))
    return "\n".join(map(str, found)) + "\n"


def parse_text(text: str, name: str = "<text>") -> Program:
    """The program in a text, with its pools. Raises ProgramError."""
    return parse(Source(name, text))


def analysed(text: str) -> ProgramAnalysis:
    """The program in a text, not checked; raises ProgramError for syntax errors."""
    return ProgramAnalysis(read_program(Source("x.lars", text)))
