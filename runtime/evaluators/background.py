"""Background data: the facts of a program, which hold always."""

from clingo import Control, Symbol

from lars2asp.planning.asp_program import AspProgram
from lars2asp.runtime.errors import EvaluationError
from lars2asp.runtime.evaluators.messages import NO_MEMORY


def background_atoms(program: AspProgram) -> tuple[Symbol, ...]:
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
    return tuple(atom.symbol for atom in control.symbolic_atoms)
