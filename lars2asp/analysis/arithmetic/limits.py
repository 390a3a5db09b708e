"""The limits that linear comparisons set to a variable which is about to take the numbers of an interval."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from lars2asp.analysis.arithmetic.linear_bounds import Linear

Ends = tuple[Linear | None, Linear | None]
"""The ends of an interval, None for such as are not linear."""


class Limit(NamedTuple):
    """A limit of a variable.

    Attributes:
        is_upper: whether it is the greatest value; else the least one.
        factor: the size of the variable's factor, by which the rest is divided.
        rest: the rest of the expression, which is to be 0 or more together with the variable.
    """

    is_upper: bool
    factor: int
    rest: Linear

    def narrowed(self, low: int, high: int, values: Mapping[str, object]) -> tuple[int, int]:
        """The ends of an interval within this limit; it limits nothing if a value is no integer."""
        total = self.rest.constant
        for name, factor in self.rest.factors.items():
            value = values[name]
            if type(value) is not int:
                return low, high
            total += factor * value
        found = total // self.factor
        return (low, min(high, found)) if self.is_upper else (max(low, -found), high)


def limits(
    variable: str,
    known: Collection[str],
    expressions: Iterable[Linear],
    equal: Mapping[str, Linear],
    ends: Mapping[str, Ends],
) -> Iterator[Limit]:
    """The limits of a variable that follow from expressions which are 0 or more.

    Args:
        variable: the variable.
        known: the variables that have a value.
        expressions: the expressions.
        equal: for other variables what they equal, by which they are replaced.
        ends: for others the ends of their intervals: the one replaces them with which an expression is most
            easily 0 or more.
    """
    for expression in expressions:
        found = _replaced(expression, variable, known, equal, ends)
        factor = 0 if found is None else found.factors.get(variable, 0)
        if found is not None and factor:
            yield Limit(factor < 0, abs(factor), found.plus(Linear({variable: factor}, 0), -1))


def _replaced(
    expression: Linear,
    variable: str,
    known: Collection[str],
    equal: Mapping[str, Linear],
    ends: Mapping[str, Ends],
) -> Linear | None:
    """The expression over variables with a value and a given one; None if there is none."""
    for _ in range(1 + len(equal) + len(ends)):
        other = next((one for one in expression.factors if one not in known and one != variable), None)
        if other is None:
            return expression
        factor = expression.factors[other]
        by = equal.get(other) or ends.get(other, (None, None))[factor > 0]
        if by is None:
            return None
        expression = expression.plus(Linear({other: factor}, 0), -1).plus(by, factor)
    return None
