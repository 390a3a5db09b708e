"""Values of terms that a program has."""

from lars2asp.externals.terms.arithmetic import negated, operation
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Value, function
from lars2asp.syntax.nodes import (
    Absolute,
    BinaryOperation,
    Extremum,
    Function,
    Number,
    String,
    Term,
    Tuple,
    UnaryOperation,
)


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
