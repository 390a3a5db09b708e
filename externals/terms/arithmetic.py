"""Arithmetic over values: integers of any size.

What is undefined, such as `a + 1`, a division by zero or a number of too many digits, is None.
"""

from lars2asp.analysis.arithmetic.integers import calculated, power, quotient, remainder
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Term, Value, function

__all__ = ["negated", "operation", "power", "quotient", "remainder"]


def operation(operator: str, one: Value, other: Value) -> int | None:
    """The value of an operation with two operands, None where it is undefined."""
    if type(one) is not int or type(other) is not int:
        return None
    return calculated(operator, one, other)


def negated(value: Value) -> Value | None:
    """`-value`: of functions, constants and tuples the contrary."""
    if type(value) is int:
        return -value
    if isinstance(value, Term) and value is not INFIMUM and value is not SUPREMUM:
        return function(value.name, value.arguments, is_positive=not value.is_positive)
    return None
