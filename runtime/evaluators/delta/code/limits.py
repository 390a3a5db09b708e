"""The limits that the rest of a body sets to a variable which is about to take the numbers of an interval."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from lars2asp.analysis.arithmetic.linear_bounds import Linear, inequalities, linear
from lars2asp.runtime.evaluators.delta.rules.bodies import Choice, Conjunct, Equation, Test
from lars2asp.runtime.evaluators.delta.rules.term_forms import is_interval
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import BinaryOperation, Sign


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


def limits_of(variable: str, known: Collection[str], waiting: Iterable[Conjunct]) -> Iterator[Limit]:
    """The limits that follow from linear comparisons of this variable with others that have a value.

    Others are replaced: by what they equal, or by the end of their own interval at which a comparison is
    most easily true.
    """
    parts = [*waiting]
    equal: dict[str, Linear] = {}
    ends: dict[str, tuple[Linear | None, Linear | None]] = {}
    for part in parts:
        match part:
            case Equation(name, term) if name not in known and name != variable:
                found = linear(term, {})
                if found is not None and name not in found.factors:
                    equal.setdefault(name, found)
            case Choice(name, BinaryOperation() as interval) if name != variable and is_interval(interval):
                ends.setdefault(name, (linear(interval.left, {}), linear(interval.right, {})))
    for expression in (one for part in parts for one in _inequalities(part)):
        found = _replaced(expression, variable, known, equal, ends)
        factor = 0 if found is None else found.factors.get(variable, 0)
        if found is not None and factor:
            yield Limit(factor < 0, abs(factor), found.plus(Linear({variable: factor}, 0), -1))


def _inequalities(part: Conjunct) -> Iterator[Linear]:
    """The inequalities that a test states, each as an expression that is 0 or more."""
    match part:
        case Test(comparisons, is_negative) if not is_negative or len(comparisons) == 1:
            for left, sign, right in comparisons:
                comparison = nodes.Comparison(left, (nodes.Guard(sign, right),))
                literal = nodes.Literal(comparison, Sign.NOT if is_negative else Sign.POSITIVE)
                yield from inequalities(literal, {})


def _replaced(
    expression: Linear,
    variable: str,
    known: Collection[str],
    equal: dict[str, Linear],
    ends: dict[str, tuple[Linear | None, Linear | None]],
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
