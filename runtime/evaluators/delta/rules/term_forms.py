"""What is known of a term before there are values for its variables."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeGuard

from lars2asp.analysis.linear_bounds import linear
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
from lars2asp.syntax.printer import to_text
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


class LinearForm(NamedTuple):
    """`factor * variable + constant`; the factor is not 0.

    Attributes:
        factor: the factor.
        variable: the variable.
        constant: the constant.
        is_as_written: whether the variable stands once in the term, so that clingo computes it at once.
    """

    factor: int
    variable: str
    constant: int
    is_as_written: bool

    def code(self, name: str) -> str:
        """Python code for it; `name` is that of the variable."""
        product = name if self.factor == 1 else f"{self.factor} * {name}"
        if not self.constant:
            return product
        return f"{product} {'+' if self.constant > 0 else '-'} {abs(self.constant)}"


def linear_form(term: Term) -> LinearForm | None:
    """The linear form of arithmetic over one variable; None for other terms."""
    if not isinstance(term, BinaryOperation | UnaryOperation):
        return None
    names = list(variables_in(term))
    if len(set(names)) != 1:
        return None
    if isinstance(term, UnaryOperation) and not isinstance(term.argument, BinaryOperation):
        return None  # `-X` is defined for functions as well
    found = linear(term, {})
    if found is None or not found.factors:
        return None
    [(variable, factor)] = found.factors.items()
    return LinearForm(factor, variable, found.constant, len(names) == 1)


def in_messages(term: Term) -> str:
    """A term as clingo writes it in its messages."""
    form = linear_form(term)
    if form is not None and form.is_as_written:
        factor = "" if form.factor == 1 else f"{form.factor}*"
        is_product = isinstance(term, BinaryOperation) and term.operator == "*" and not form.constant
        return f"({factor}{form.variable}{'' if is_product else f'+{form.constant}'})"
    match term:
        case BinaryOperation("..", left, right):
            return f"{in_messages(left)}..{in_messages(right)}"
        case BinaryOperation(operator, left, right):
            return f"({in_messages(left)}{operator}{in_messages(right)})"
        case UnaryOperation(operator, argument):
            return f"({operator}{in_messages(argument)})"
        case Absolute(argument):
            return f"|{in_messages(argument)}|"
        case Function(name, arguments, is_external) if arguments:
            return f"{'@' * is_external}{name}({','.join(map(in_messages, arguments))})"
        case _:
            return to_text(term)
