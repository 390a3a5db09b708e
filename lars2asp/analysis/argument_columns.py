"""The arguments of predicates as columns: what they are called, and which are always integers."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from lars2asp.analysis.argument_types.type_table import Types
from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Rule, Signature, Term, Variable


class ArgumentColumn(NamedTuple):
    """An argument of a predicate: its name, and whether it is always an integer.

    Attributes:
        variable: the variable that all heads have in its place; empty if there is none.
    """

    name: str
    is_integer: bool
    variable: str = ""


def argument_columns(program: Program, signature: Signature, types: Types) -> list[ArgumentColumn]:
    """The arguments of a predicate that rules derive or `#input` declares.

    An argument is called as the variable that all heads, or as the column that `#input`, have in its place,
    or a1, a2, ... It is an integer where its type is a number, and it is never `#inf` or `#sup`; what the
    input tells of predicates that rules derive does not count.
    """
    heads = [head.atom.arguments for rule in program.every(Rule) for head in head_atoms(rule)
             if head.atom.signature == signature]  # fmt: skip
    declared = [
        one.columns
        for one in program.every(nodes.Input)
        if Signature(one.predicate, len(one.columns)) == signature
    ]
    places = types.get(signature)
    found = list[ArgumentColumn]()
    for place in range(signature.arity):
        names = {_name(terms[place]) for terms in heads} or {
            None if columns[place].is_fixed else columns[place].name for columns in declared
        }
        [name] = names if len(names) == 1 else [None]
        variable = name or "" if heads else ""
        if name is None or name.casefold() in {column.name.casefold() for column in found}:
            name = f"a{place + 1}"
        is_integer = places is not None and places[place].is_always_number
        found.append(ArgumentColumn(name, is_integer, variable))
    return found


def types_with_integers(
    program: Program, integer_columns: Iterable[tuple[nodes.Input, nodes.Column]]
) -> Types:
    """The types of a program of whose input some columns are known to give integers alone."""
    given = [*integer_columns]

    def changed(one: nodes.Input) -> nodes.Input:
        columns = (
            replace(column, conversion="int") if (one, column) in given and column.scale is None else column
            for column in one.columns
        )
        return replace(one, columns=tuple(columns))

    statements = (changed(one) if isinstance(one, nodes.Input) else one for one in program.statements)
    return ProgramAnalysis(Program(tuple(statements), program.sources)).types.table


def _name(term: Term) -> str | None:
    return term.name if isinstance(term, Variable) and not term.is_anonymous else None
