"""Questions about atoms, as text."""

import dataclasses
import re
from collections.abc import Mapping, Sequence

from lars2asp.analysis.decimal_numbers import NotScaledError, scaled
from lars2asp.runtime.errors import InputError
from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import ProgramError
from lars2asp.syntax.parser import parse
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source, shown
from lars2asp.syntax.traversal import every

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


def asked_atom(atom: nodes.Atom, decimals: Mapping[nodes.Signature, tuple[int, ...]]) -> nodes.Atom:
    """The atom of a question with the integers of the program: numbers in it are what they say.

    Raises InputError.
    """
    places = decimals.get(atom.signature, (0,) * len(atom.arguments))
    try:
        arguments = tuple(map(_integer, atom.arguments, places))
    except NotScaledError as error:
        raise InputError(f"{shown(to_text(atom))}: {error}") from error
    asked = dataclasses.replace(atom, arguments=arguments)
    for found in every(nodes.Decimal, asked):
        raise InputError(f"{shown(to_text(atom))}: nothing says how many decimals {found.text} has there")
    return asked


def _integer(term: nodes.Term, decimals: int) -> nodes.Term:
    match term:
        case nodes.Number() | nodes.Decimal() if decimals:
            return nodes.Number(scaled(to_text(term), decimals), location=term.location)
        case nodes.UnaryOperation("-", nodes.Number() | nodes.Decimal() as number):
            return dataclasses.replace(term, argument=_integer(number, decimals))
        case _:
            return term
