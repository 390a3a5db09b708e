"""Background data: the facts of a program, which hold always."""

from typing import TYPE_CHECKING

from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import EvaluationError
from lars2asp.syntax.nodes import LARGEST_INTEGER, Signature

if TYPE_CHECKING:
    from lars2asp.planning.asp.asp_program import WideText


def background_atoms(facts: str, wide: "WideText | None" = None) -> list[AtomRows]:
    """The atoms of a program's facts, which are ASP text. Raises EvaluationError if clingo refuses them.

    Args:
        facts: the text.
        wide: in place of it text in which numbers may have any size, if they need it.
    """
    if not facts:
        return []
    # ruff: noqa: PLC0415 - programs without background data start sooner
    from clingo import Control

    from lars2asp.externals.grounding import KeyFunctions, NewAtoms
    from lars2asp.externals.terms.symbols import argument_rows
    from lars2asp.runtime.evaluators.clingo.messages import NO_MEMORY
    from lars2asp.runtime.evaluators.clingo.wide_functions import WideFunctions

    messages: list[str] = []
    try:
        control = Control([], logger=lambda code, message: messages.append(message))
        control.add("base", [], facts if wide is None else wide.text)
        functions = {} if wide is None else WideFunctions(wide, lambda *_: None, LARGEST_INTEGER).functions
        KeyFunctions(functions).ground(control, [("base", [])])
    except RuntimeError as error:
        raise EvaluationError("\n".join(messages) or str(error)) from error
    except MemoryError as error:
        raise EvaluationError(NO_MEMORY) from error
    signatures = [Signature(*one) for one in control.symbolic_atoms.signatures]
    return [AtomRows(one, argument_rows(NewAtoms(control, one).keys())) for one in signatures]
