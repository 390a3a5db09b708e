"""Constants that are defined by many others."""

from lars2asp.analysis.passes.declarations import check_constants
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Constant, Function, Number, Program
from tests.support.programs import said


def test_many_constants_are_no_matter() -> None:
    chain = "#const c0 = 1." + "".join(f"#const c{i} = c{i - 1}." for i in range(1, 1200))
    assert said(f"{chain} a :- b in [c1199].") == "\n"
    doubling = "#const c0 = 1." + "".join(f"#const c{i} = c{i - 1}+c{i - 1}-c{i - 1}." for i in range(1, 60))
    assert said(f"{doubling} a :- b in [c59].") == "\n"


def test_long_chains_of_constants() -> None:
    """In time that grows with the length: with its square this would take a minute."""
    constants = [Constant(f"c{i}", Function(f"c{i + 1}")) for i in range(10_000)]
    for last, errors in ((Number(1), 0), (Function("c5000"), 5001)):
        diagnostics = Diagnostics()
        program = Program((*constants, Constant("c10000", last)), ())
        check_constants(ProgramAnalysis(program), diagnostics)
        assert len(diagnostics) == errors
