"""Plans of random programs."""

from hypothesis import assume

from lars2asp.compiler import Overrides, compile_program
from lars2asp.planning.plan import Plan
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.nodes import Semantics
from lars2asp.syntax.source import Source
from tests.strategies import Case


def compiled(case: Case, semantics: Semantics | None = None) -> Plan:
    """The plan of a case, with its semantics or another one; programs with errors are passed over."""
    try:
        overrides = Overrides(semantics=semantics or Semantics(case.semantics))
        return compile_program(Source("random.lars", case.program), overrides=overrides)
    except ProgramError:
        assume(False)
        raise
