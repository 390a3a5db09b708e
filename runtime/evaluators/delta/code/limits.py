"""The limits that the rest of a body sets to a variable which is about to take the numbers of an interval."""

from collections.abc import Collection, Iterable, Iterator

from lars2asp.analysis.arithmetic.limits import Ends, Limit, limits
from lars2asp.analysis.arithmetic.linear_bounds import Linear, inequalities, linear
from lars2asp.runtime.evaluators.delta.rules.bodies import Choice, Conjunct, Equation, Test
from lars2asp.runtime.evaluators.delta.rules.term_forms import is_interval
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import BinaryOperation, Sign


def limits_of(variable: str, known: Collection[str], waiting: Iterable[Conjunct]) -> Iterator[Limit]:
    """The limits that follow from linear comparisons of this variable with others that have a value."""
    parts = [*waiting]
    equal: dict[str, Linear] = {}
    ends: dict[str, Ends] = {}
    for part in parts:
        match part:
            case Equation(name, term) if name not in known and name != variable:
                found = linear(term, {})
                if found is not None and name not in found.factors:
                    equal.setdefault(name, found)
            case Choice(name, BinaryOperation() as interval) if name != variable and is_interval(interval):
                ends.setdefault(name, (linear(interval.left, {}), linear(interval.right, {})))
    return limits(variable, known, (one for part in parts for one in _inequalities(part)), equal, ends)


def _inequalities(part: Conjunct) -> Iterator[Linear]:
    """The inequalities that a test states, each as an expression that is 0 or more."""
    match part:
        case Test(comparisons, is_negative) if not is_negative or len(comparisons) == 1:
            for left, sign, right in comparisons:
                comparison = nodes.Comparison(left, (nodes.Guard(sign, right),))
                literal = nodes.Literal(comparison, Sign.NOT if is_negative else Sign.POSITIVE)
                yield from inequalities(literal, {})
