"""The arguments of predicates as columns: what they are called, and which are always integers."""

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from lars2asp.analysis.arithmetic.constants import constant_values
from lars2asp.analysis.predicates import head_atoms
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import NOW, Body, Program, Rule, Sign, Signature, Term, Variable

Position = tuple[Signature, int]
"""A predicate and the place of one of its arguments, counted from 0."""


class ArgumentColumn(NamedTuple):
    """An argument of a predicate: its name, and whether it is always an integer."""

    name: str
    is_integer: bool


def argument_columns(
    program: Program, signature: Signature, integer_columns: Iterable[tuple[nodes.Input, nodes.Column]] = ()
) -> list[ArgumentColumn]:
    """The arguments of a predicate that rules derive or `#input` declares.

    An argument is called as the variable that all heads, or as the column that `#input`, have in its place,
    or a1, a2, ... An integer is what rules, or the columns that are given, make nothing else of; input atoms
    that are no rows of `#input` do not count.
    """
    return columns_by_predicate(program, [signature], integer_columns)[signature]


def columns_by_predicate(
    program: Program,
    signatures: Iterable[Signature],
    integer_columns: Iterable[tuple[nodes.Input, nodes.Column]] = (),
) -> dict[Signature, list[ArgumentColumn]]:
    """The same of several predicates."""
    integers = _integer_places(program, integer_columns)
    return {signature: _columns(program, signature, integers) for signature in signatures}


def _columns(program: Program, signature: Signature, integers: Collection[Position]) -> list[ArgumentColumn]:
    heads = [head.atom.arguments for rule in program.every(Rule) for head in head_atoms(rule)
             if head.atom.signature == signature]  # fmt: skip
    declared = [
        one.columns
        for one in program.every(nodes.Input)
        if Signature(one.predicate, len(one.columns)) == signature
    ]
    found = list[ArgumentColumn]()
    for place in range(signature.arity):
        names = {_name(terms[place]) for terms in heads} or {columns[place].name for columns in declared}
        [name] = names if len(names) == 1 else [None]
        if name is None or name.casefold() in {column.name.casefold() for column in found}:
            name = f"a{place + 1}"
        found.append(ArgumentColumn(name, (signature, place) in integers))
    return found


def _name(term: Term) -> str | None:
    return term.name if isinstance(term, Variable) and not term.is_anonymous else None


def _integer_places(
    program: Program, integer_columns: Iterable[tuple[nodes.Input, nodes.Column]]
) -> set[Position]:
    """The greatest set of places such that each head, and each declaration, has an integer there."""
    constants = constant_values(program)
    heads = [
        (head.atom, (*rule.body, *head.condition))
        for rule in program.every(Rule)
        for head in head_atoms(rule)
    ]
    given = list(integer_columns)
    places = {(head.signature, place) for head, _ in heads for place in range(head.signature.arity)}
    for one in program.every(nodes.Input):
        signature = Signature(one.predicate, len(one.columns))
        for place, column in enumerate(one.columns):
            is_integer_column = column.conversion == "row" or (one, column) in given
            (places.add if is_integer_column else places.discard)((signature, place))

    def is_integer(term: Term, body: Body) -> bool:
        match term:
            case nodes.UnaryOperation("-", argument):  # that of a constant is another constant
                return is_integer(argument, body)
            case nodes.Function(name, (), False):
                return name in constants
            case Variable():
                return any(_binds_integer(literal, term, places) for literal in body)
        return _is_number(term)

    while True:
        others = {
            (head.signature, place)
            for head, body in heads
            for place, term in enumerate(head.arguments)
            if (head.signature, place) in places and not is_integer(term, body)
        }
        if not others:
            return places
        places -= others


def _binds_integer(
    literal: nodes.Literal | nodes.ConditionalLiteral, variable: Variable, places: set[Position]
) -> bool:
    """Whether a literal is true for integers as the value of a variable only."""
    match literal:
        case nodes.Literal(nodes.Comparison() as comparison, Sign.POSITIVE):
            sides = [comparison.term, *(guard.term for guard in comparison.guards)]
            signs = [guard.comparison for guard in comparison.guards]
            return any(
                sign == "=" and variable in pair and any(map(_is_number, pair))
                for sign, pair in zip(signs, pairwise(sides), strict=True)
            )
        case nodes.Literal(nodes.Aggregate(function, _, left, right), Sign.POSITIVE):
            guards = [guard for guard in (left, right) if guard is not None]
            is_sum = function.startswith(("#count", "#sum"))
            return is_sum and any(guard.comparison == "=" and guard.term == variable for guard in guards)
        case nodes.Literal(nodes.Count(number=number), Sign.POSITIVE) if number == variable:
            return True
        case nodes.Literal(nodes.AtTick(tick=tick), Sign.POSITIVE) if tick == variable:
            return True
        case nodes.Literal(atom, Sign.POSITIVE):
            return any(
                argument == variable and (one.signature, place) in places
                for one in _atoms(atom)
                for place, argument in enumerate(one.arguments)
            )
    return False


def _atoms(atom: nodes.LiteralAtom) -> Iterator[nodes.Atom]:
    match atom:
        case nodes.Atom():
            yield atom
        case nodes.Diamond() | nodes.Box() | nodes.AtTick() | nodes.AtLeast() | nodes.Count():
            yield atom.atom


def _is_number(term: Term) -> bool:
    """Whether a term can be an integer only, whatever its variables are."""
    is_sign = isinstance(term, nodes.UnaryOperation) and term.operator == "-"
    numbers = nodes.Number | nodes.UnaryOperation | nodes.Absolute | nodes.BinaryOperation
    return term == NOW or (isinstance(term, numbers) and not is_sign)
