"""What is known of a term before there are values for its variables."""

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from lars2asp.externals.terms.arithmetic import negated, operation
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Value, function
from lars2asp.syntax.nodes import (
    Absolute,
    BinaryOperation,
    Extremum,
    Function,
    Node,
    Number,
    String,
    Term,
    Tuple,
    UnaryOperation,
    Variable,
)
from lars2asp.syntax.traversal import rewrite, walk


def variables_in(term: Term) -> Iterable[str]:
    """The names of the variables of a term, as often as they stand there."""
    if isinstance(term, Variable):
        return (term.name,)
    return (part.name for part in walk(term) if isinstance(part, Variable))


def substituted(term: Term, terms: Mapping[str, Term]) -> Term:
    """The term with others in place of some variables."""

    def replaced(node: Node) -> Node:
        return terms.get(node.name, node) if isinstance(node, Variable) else node

    return rewrite(term, replaced) if terms else term


def is_interval(term: Term) -> TypeGuard[BinaryOperation]:
    """Whether a term is `a..b`."""
    return isinstance(term, BinaryOperation) and term.operator == ".."


def is_call(term: Term) -> TypeGuard[Function]:
    """Whether a term is `@f(...)`."""
    return isinstance(term, Function) and term.is_external


def is_structure(term: Term) -> TypeGuard[Function | Tuple]:
    """Whether a term is a function or tuple with arguments."""
    return isinstance(term, Function | Tuple) and bool(term.arguments) and not is_call(term)


def ground_value(term: Term) -> Value | None:
    """The value of a term without variables, intervals and calls; None for others, and where undefined."""
    match term:
        case Number(number):
            return number
        case String(text):
            return text
        case Extremum(name):
            return INFIMUM if name == "#inf" else SUPREMUM
        case Function(_, arguments, False) | Tuple(arguments):
            values = [ground_value(argument) for argument in arguments]
            row = tuple(value for value in values if value is not None)
            name = term.name if isinstance(term, Function) else ""
            return function(name, row) if len(row) == len(values) else None
        case UnaryOperation(operator, argument):
            value = ground_value(argument)
            if operator == "-":
                return None if value is None else negated(value)
            return ~value if type(value) is int else None
        case Absolute(argument):
            value = ground_value(argument)
            return operation("*", value, -1 if value < 0 else 1) if type(value) is int else None
        case BinaryOperation(operator, left, right) if operator != "..":
            one, other = ground_value(left), ground_value(right)
            return None if one is None or other is None else operation(operator, one, other)
        case _:
            return None
