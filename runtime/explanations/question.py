"""Questions about atoms, as text."""

from lars2asp.runtime.errors import InputError
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.parser import parse
from lars2asp.syntax.source import Source, shown


def parsed_atom(text: str) -> nodes.Atom:
    """The atom that a question is about; it may have variables. Raises InputError."""
    try:
        statements = parse(Source("<question>", f"{text.strip().removesuffix('.')}.")).statements
    except ProgramError as error:
        raise _no_atom(text) from error
    match statements:
        case (nodes.Rule(nodes.Atom() as atom, ()),):
            return atom
        case _:
            raise _no_atom(text)


def _no_atom(text: str) -> InputError:
    return InputError(f"{shown(repr(text))} is no atom such as alarm(kitchen) or alarm(X)")
