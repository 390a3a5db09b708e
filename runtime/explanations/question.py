"""Questions about atoms, as text."""

import re
from collections.abc import Sequence

from lars2asp.runtime.errors import InputError
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source, shown

MOST_CHARACTERS = 300
"""Of what to ask instead."""

_LEADING_ZERO = re.compile(r"(?<![\w\".])0[0-9]+")


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
            raise _no_atom(text, statements)


def _no_atom(text: str, statements: Sequence[nodes.Statement] = ()) -> InputError:
    instead = shown(_instead(text, statements), MOST_CHARACTERS)
    return InputError(f"{shown(repr(text))} is no atom such as alarm(kitchen) or alarm(X){instead}")


def _instead(text: str, statements: Sequence[nodes.Statement]) -> str:
    """What to ask instead."""
    match statements:
        case (nodes.Rule(nodes.AtTick(atom=atom), ()),):
            return f": ask about {to_text(atom)}, and give the tick beside it"
        case _ if text.strip().startswith("not "):
            return f": ask about {text.strip()[4:].strip()}; of an atom that does not hold it is said why not"
        case _ if text.endswith((".lars", ".lp")):
            return ": the atom is named behind the programs"
        case _ if zeros := _LEADING_ZERO.search(text):
            return f': put text into quotes, as in "{zeros[0]}"'
        case _:
            return ""
