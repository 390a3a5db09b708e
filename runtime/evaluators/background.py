"""Background data: the facts of a program, which hold always."""

from clingo import Control

from lars2asp.externals.grounding import NewAtoms
from lars2asp.externals.terms.symbols import rows_of_atoms
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.planning.asp_program import AspProgram
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.messages import NO_MEMORY


def background_atoms(program: AspProgram) -> list[AtomRows]:
    """The atoms of a program's facts. Raises EvaluationError if clingo refuses them."""
    messages: list[str] = []
    try:
        control = Control([], logger=lambda code, message: messages.append(message))
        control.add("base", [], program.facts)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EvaluationError("\n".join(messages) or str(error)) from error
    except MemoryError as error:
        raise EvaluationError(NO_MEMORY) from error
    return [AtomRows(*one) for one in rows_of_atoms(NewAtoms(control).keys()).items()]
