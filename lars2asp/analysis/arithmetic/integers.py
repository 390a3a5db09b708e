"""Arithmetic over integers of any size, as programs have it.

What is undefined is None: a division by zero, `0 ** n` for negative n, and a result of more than
`nodes.MOST_DIGITS` digits.
"""

from lars2asp.analysis.arithmetic import division
from lars2asp.syntax.nodes import LARGEST_NUMBER

_MOST_BITS = LARGEST_NUMBER.bit_length()


def within(number: int) -> int | None:
    """The number if it has no more digits than numbers may have."""
    return number if -LARGEST_NUMBER <= number <= LARGEST_NUMBER else None


def quotient(one: int, other: int) -> int | None:
    """`one / other`, rounded towards zero."""
    return division.quotient(one, other) if other else None


def remainder(one: int, other: int) -> int | None:
    r"""`one \\ other`; it has the sign of `one`."""
    return division.remainder(one, other) if other else None


def power(one: int, other: int) -> int | None:
    """`one ** other`; 0 for negative exponents, also of 1."""
    if other < 0:
        return 0 if one else None
    if (abs(one).bit_length() - 1) * other > _MOST_BITS:
        return None
    found: int = one**other
    return within(found)


def calculated(operator: str, one: int, other: int) -> int | None:
    """The value of an operation with two operands. Raises ValueError for other operators."""
    match operator:
        case "+":
            return within(one + other)
        case "-":
            return within(one - other)
        case "*":
            return within(one * other)
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
