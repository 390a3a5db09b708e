"""Integer bounds that comparisons give variables: `1 <= X, X + Y < 9, Y > 2` bounds both X and Y.

Clingo enumerates variables that linear comparisons bound from both sides, so that these are safe. Bounds are
propagated until nothing changes, as in clingo's grounder.
"""

from collections.abc import Iterable, Iterator, Mapping

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import LARGEST_NUMBER, Sign, Term, Variable
from lars2asp.syntax.traversal import every
from lars2asp.syntax.values import dataclass

MOST_ROUNDS = 1000
"""The number of rounds after which bounds that still change (`X < Y, Y < X, X > 0`) count as none."""

CONTRARY = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

Range = tuple[int | None, int | None]
"""The least and the greatest value, None where there is no bound."""


def key_of(variable: Variable) -> str:
    """The key of a variable: its name; for `_`, which is another variable in each place, the place."""
    return f"_{variable.location.begin}" if variable.is_anonymous else variable.name


@dataclass(frozen=True)
class Linear:
    """A sum of variables times integers, and an integer."""

    factors: Mapping[str, int]
    constant: int

    def plus(self, other: "Linear", factor: int) -> "Linear":
        """The sum of this and `factor` times the other."""
        names = {*self.factors, *other.factors}
        factors = {n: self.factors.get(n, 0) + factor * other.factors.get(n, 0) for n in names}
        left = {name: number for name, number in factors.items() if number}
        return Linear(left, self.constant + factor * other.constant)


def linear(term: Term, constants: Mapping[str, int]) -> Linear | None:
    """The linear expression that a term is, None for other terms."""
    value = integer_value(term, constants)
    if value is not None:
        return Linear({}, value)
    match term:
        case Variable():
            return Linear({key_of(term): 1}, 0)
        case nodes.UnaryOperation("-", argument):
            inner = linear(argument, constants)
            return inner and Linear({}, 0).plus(inner, -1)
        case nodes.BinaryOperation("+" | "-" as operator, left, right):
            one, other = linear(left, constants), linear(right, constants)
            return one and other and one.plus(other, 1 if operator == "+" else -1)
        case nodes.BinaryOperation("*", left, right):
            one, other = linear(left, constants), linear(right, constants)
            if one is None or other is None or (one.factors and other.factors):
                return None
            expression, number = (one, other) if one.factors else (other, one)
            return Linear({}, 0).plus(expression, number.constant)
        case _:
            return None


def linear_variable(term: Term, constants: Mapping[str, int]) -> Variable | None:
    """The variable of a term a*X+b with a != 0, in which it stands once; None for other terms."""
    expression, variables = linear(term, constants), list(every(Variable, term))
    return variables[0] if expression and expression.factors and len(variables) == 1 else None


def inequalities(literal: nodes.Literal, constants: Mapping[str, int]) -> Iterator[Linear]:
    """The inequalities that a comparison of integers states, each as an expression that is 0 or more."""
    comparison = literal.atom
    if not isinstance(comparison, nodes.Comparison):
        return
    if literal.sign is Sign.NOT and len(comparison.guards) > 1:
        return
    left = comparison.term
    for guard in comparison.guards:
        sign = guard.comparison if literal.sign is not Sign.NOT else CONTRARY[guard.comparison]
        yield from _compared(left, sign, guard, constants)
        left = guard.term


def _compared(left: Term, sign: str, guard: nodes.Guard, constants: Mapping[str, int]) -> Iterator[Linear]:
    right = guard.term
    for one, other in ((left, right), (right, left)):
        match other:
            case nodes.BinaryOperation("..", low, high) if sign == "=":
                value, least, greatest = (linear(term, constants) for term in (one, low, high))
                if value and least:
                    yield value.plus(least, -1)
                if value and greatest:
                    yield greatest.plus(value, -1)
    first, second = linear(left, constants), linear(right, constants)
    if first is None or second is None:
        return
    if sign in ("<=", "=", "<"):
        yield Linear({}, -1 if sign == "<" else 0).plus(second, 1).plus(first, -1)
    if sign in (">=", "=", ">"):
        yield Linear({}, -1 if sign == ">" else 0).plus(first, 1).plus(second, -1)


def can_be_met(known: Iterable[Linear]) -> bool:
    """Whether expressions may all be 0 or more; no, if bounds or pairs such as `X < Y, Y < X` forbid it."""
    expressions = list(known)
    least: dict[frozenset[tuple[str, int]], int] = {}
    for one in expressions:
        key = frozenset(one.factors.items())
        least[key] = min(one.constant, least.get(key, one.constant))
    for key, constant in least.items():
        contrary = frozenset((name, -factor) for name, factor in key)
        if contrary in least and constant + least[contrary] < 0:
            return False
    ranges: dict[str, Range] = {}
    for _ in range(MOST_ROUNDS):
        outcomes = [_refine(expression, ranges) for expression in expressions]
        if None in outcomes:
            return False
        if True not in outcomes:
            break
    return True


def bounded(
    known: Iterable[Linear], inherited: Mapping[str, Range] | None = None
) -> tuple[frozenset[str], dict[str, Range]]:
    """The variables that are bounded from both sides, and all bounds; where nothing is possible, all are."""
    ranges = dict(inherited or {})
    expressions = list(known)
    names = frozenset(name for one in expressions for name in one.factors)
    for _ in range(MOST_ROUNDS):
        changed = False
        for expression in expressions:
            outcome = _refine(expression, ranges)
            if outcome is None:  # it cannot be met
                return names, dict.fromkeys(names, (0, -1))
            changed = changed or outcome
        if not changed:
            break
    else:
        return frozenset(), dict(inherited or {})
    return frozenset(n for n in names if None not in ranges.get(n, (None, None))), ranges


def names_between(known: Iterable[Linear], given: Iterable[str]) -> frozenset[str]:
    """The variables that get bounds from both sides once others have values, whatever these are."""
    expressions = list(known)
    sides = {(name, sign) for name in given for sign in (1, -1)}
    while True:
        found = {
            (name, -_sign(factor))  # the others, as great as they may be, leave it a rest
            for one in expressions
            for name, factor in one.factors.items()
            if all((n, _sign(f)) in sides for n, f in one.factors.items() if n != name)
        }
        if found <= sides:
            return frozenset(name for name, sign in sides if (name, -sign) in sides)
        sides |= found


def _sign(number: int) -> int:
    return 1 if number > 0 else -1


def _refine(expression: Linear, ranges: dict[str, Range]) -> bool | None:
    """Narrows the ranges so that the expression may be 0 or more.

    None if it cannot, else whether any range changed.
    """
    most: dict[str, int | None] = {}  # what each variable may add at most
    for name, factor in expression.factors.items():
        if factor:
            low, high = ranges.get(name, (None, None))
            limit = high if factor > 0 else low
            most[name] = None if limit is None else factor * limit
    open_ones = [name for name, value in most.items() if value is None]
    total = expression.constant + sum(value for value in most.values() if value is not None)
    if not open_ones and total < 0:
        return None
    if len(open_ones) > 1:
        return False
    changed = False
    for name in open_ones or most:
        factor = expression.factors[name]
        rest = total - (most[name] or 0)
        low, high = ranges.get(name, (None, None))
        if factor > 0:
            least = -(rest // factor)
            if low is None or least > low:
                low, changed = least, True
        else:
            greatest = rest // -factor
            if high is None or greatest < high:
                high, changed = greatest, True
        ranges[name] = (low, high)
        if max(abs(low or 0), abs(high or 0)) > LARGEST_NUMBER:
            return False
    return changed
