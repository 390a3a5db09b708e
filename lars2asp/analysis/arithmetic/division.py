"""Division of integers as clingo has it; the divisor is not 0."""


def quotient(one: int, other: int) -> int:
    """`one / other`, rounded towards zero."""
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found


def remainder(one: int, other: int) -> int:
    r"""`one \\ other`; it has the sign of `one`."""
    found = abs(one) % abs(other)
    return -found if one < 0 else found
