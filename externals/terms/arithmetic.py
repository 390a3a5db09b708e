"""Arithmetic over values as clingo has it: integers of 32 bits that wrap around.

What is undefined, such as `a + 1` or a division by zero, is None.
"""

from lars2asp.analysis.arithmetic import division
from lars2asp.analysis.arithmetic.wrapping import wrapped
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Term, Value, function

_RANGE = 2**32


def quotient(one: int, other: int) -> int | None:
    """`one / other`, rounded towards zero."""
    return wrapped(division.quotient(one, other)) if other else None


def remainder(one: int, other: int) -> int | None:
    r"""`one \ other`; it has the sign of `one`."""
    return division.remainder(one, other) if other else None


def power(one: int, other: int) -> int | None:
    """`one ** other`; 0 for negative exponents, also of 1."""
    if other >= 0:
        return wrapped(pow(one, other, _RANGE))
    return 0 if one else None


def operation(operator: str, one: Value, other: Value) -> int | None:
    """The value of an operation with two operands, None where it is undefined."""
    if type(one) is not int or type(other) is not int:
        return None
    match operator:
        case "+":
            return wrapped(one + other)
        case "-":
            return wrapped(one - other)
        case "*":
            return wrapped(one * other)
        case "/":
            return quotient(one, other)
        case "\\":
            return remainder(one, other)
        case "**":
            return power(one, other)
        case "&":
            return one & other
        case "?":
            return one | other
        case "^":
            return one ^ other
    raise ValueError(operator)


def negated(value: Value) -> Value | None:
    """`-value`: of functions, constants and tuples the contrary."""
    if type(value) is int:
        return wrapped(-value)
    if isinstance(value, Term) and value is not INFIMUM and value is not SUPREMUM:
        return function(value.name, value.arguments, is_positive=not value.is_positive)
    return None
