"""Background data: the facts of a program, which hold always."""

from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import EvaluationError
from lars2asp.syntax.nodes import Signature


def background_atoms(facts: str) -> list[AtomRows]:
    """The atoms of a program's facts, which are ASP text. Raises EvaluationError if clingo refuses them."""
    if not facts:
        return []
    # ruff: noqa: PLC0415 - programs without background data start sooner
    from clingo import Control

    from lars2asp.externals.grounding import NewAtoms
    from lars2asp.externals.terms.symbols import argument_rows
    from lars2asp.runtime.evaluators.clingo.messages import NO_MEMORY

    messages: list[str] = []
    try:
        control = Control([], logger=lambda code, message: messages.append(message))
        control.add("base", [], facts)
        control.ground([("base", [])])
    except RuntimeError as error:
        raise EvaluationError("\n".join(messages) or str(error)) from error
    except MemoryError as error:
        raise EvaluationError(NO_MEMORY) from error
    signatures = [Signature(*one) for one in control.symbolic_atoms.signatures]
    return [AtomRows(one, argument_rows(NewAtoms(control, one).keys())) for one in signatures]
