"""Arithmetic over one variable, and how clingo writes terms in its messages."""

from typing import NamedTuple

from lars2asp.analysis.arithmetic.linear_bounds import linear
from lars2asp.syntax.nodes import Absolute, BinaryOperation, Function, Term, UnaryOperation, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every


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
    names = [variable.name for variable in every(Variable, term)]
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
