"""Instances of statements that clingo computes by itself in text in which numbers may have any size.

One wide number at a tick is no reason to compute all else by `@`-calls. A statement becomes several that have
no instance in common: in the first one all numbers with which it computes are small enough for clingo, in
each other one the first that is not is another variable. So it is with the conditions of aggregates.

    a(X+Y) :- p(X), q(Y), X < Y.

becomes

    a(X+Y) :- p(X), q(Y), X < Y, (-S,) <= (X,) <= (S,), (-S,) <= (Y,) <= (S,).
    ...    :- ..., not (-S,) <= (X,) <= (S,).                              by calls
    ...    :- ..., (-S,) <= (X,) <= (S,), not (-S,) <= (Y,) <= (S,).                by calls

clingo's order has what is no number above S, wide numbers among it. It may look at guards last, and say of
wide numbers that something is undefined, which is not handed on: operations are left alone that have no value
for some numbers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from lars2asp.analysis.arithmetic.constants import integer_term
from lars2asp.analysis.arithmetic.linear_bounds import linear
from lars2asp.planning.asp.computed_rules import ComputedRules, Place, Range
from lars2asp.planning.asp.safe_arithmetic import made_safe
from lars2asp.planning.asp.statement_ranges import Outside, StatementRanges
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import LARGEST_INTEGER, Literal, Node, Sign, Statement, Term
from lars2asp.syntax.traversal import every, rewrite, walk
from lars2asp.syntax.values import dataclass

SIZES = (2**30, 2**28, 2**24, 2**20, 2**15, 2**10)
"""How large numbers are at most with which clingo computes; the first is taken that suits a statement."""

_MOST_GUARDED = 4
"""Statements that compute with more variables are not divided."""

_PARTIAL = frozenset(("/", "\\", "**"))

_ORDERED = frozenset(("<", "<=", ">", ">="))


class _UpTo(dict[Place, Range]):
    """Arguments up to a size; those that are larger bind no variable that keeps its guard."""

    def __init__(self, size: int) -> None:
        self._size = size

    def get(self, key: Place, default: Any = None) -> Range:
        return -self._size, self._size


@dataclass(frozen=True)
class Divided:
    """A statement that is divided.

    Attributes:
        tame: it for small numbers, as clingo computes it.
        others: what is to be added to the body for all other instances, case by case.
    """

    tame: Statement
    others: tuple[tuple[Literal, ...], ...]


def divided(
    statement: Statement, constants: Mapping[str, int], values: Mapping[str, Term], names: Names
) -> Divided | None:
    """The parts of a statement; None if it computes nothing, or cannot be divided."""
    if not isinstance(statement, nodes.Rule | nodes.WeakConstraint) or not _is_plain(statement):
        return None
    given = _with_values(statement, constants, values)
    guarded = [*dict.fromkeys(_computed_with(given, names.now))]
    if not 0 < len(guarded) <= _MOST_GUARDED or any(
        (isinstance(one, nodes.Number) and one.value > LARGEST_INTEGER)
        or (one in guarded and isinstance(one, nodes.Variable) and one.is_anonymous)
        for one in chain(guarded, walk(given))
    ):
        return None
    for size in SIZES:
        tests = [up_to(size, one) for one in guarded]
        ranges = (_ranged(-size, one, size) for one in guarded)
        if _is_within(replace(given, body=(*given.body, *ranges)), size, names.now):
            tame: Statement = replace(given, body=(*given.body, *tests))
            others = ((*tests[:place], replace(test, sign=Sign.NOT)) for place, test in enumerate(tests))
            return Divided(made_safe(tame, {}, names).statement, tuple(others))
    return None


def _is_plain(statement: nodes.Rule | nodes.WeakConstraint) -> bool:
    """Whether only variables of the whole statement are computed with, and what is added up is no matter."""
    inner: list[Node] = [one for one in statement.body if not _is_literal(one)]
    head = statement.head if isinstance(statement, nodes.Rule) else None
    if head is not None and not isinstance(head, nodes.Atom):
        inner.append(head)
    return not any(
        isinstance(one, nodes.Aggregate | nodes.HeadAggregate)
        or _computes(one)
        or (isinstance(one, nodes.SetAggregate) and (one.left or one.right))
        for one in chain.from_iterable(map(walk, inner))
    ) and not any(
        (isinstance(one, nodes.Function) and one.is_external)
        or (isinstance(one, nodes.BinaryOperation) and one.operator == "..")
        or isinstance(one, nodes.Pool)
        or (isinstance(one, nodes.BinaryOperation) and one.operator in _PARTIAL and not _is_total(one))
        for one in walk(statement)
    )


def _is_total(operation: nodes.BinaryOperation) -> bool:
    """Whether the second operand is a number with which each number has a value."""
    return isinstance(operation.right, nodes.Number) and operation.right.value > 0


def _is_literal(part: Node) -> bool:
    return isinstance(part, Literal) and isinstance(part.atom, nodes.Atom | nodes.Comparison | nodes.Boolean)


def _computes(node: Node) -> bool:
    match node:
        case nodes.UnaryOperation("-", nodes.Function(_, _, False) | nodes.Tuple()):
            return False
        case nodes.BinaryOperation() | nodes.UnaryOperation() | nodes.Absolute():
            return True
        case nodes.Comparison(_, guards):
            return any(one.comparison in _ORDERED for one in guards)
    return False


def _with_values(statement: Any, constants: Mapping[str, int], values: Mapping[str, Term]) -> Any:
    """The statement with what constants stand for, which wide text does not define."""

    def valued(node: Node) -> Node:
        match node:
            case nodes.Function(name, (), False) if name in constants:
                return integer_term(constants[name])
            case nodes.Function(name, (), False) if name in values and values[name] != node:
                return _with_values(values[name], constants, values)  # type: ignore[no-any-return]
        return node

    return rewrite(statement, valued)


def _computed_with(statement: Statement, now: str) -> Iterator[Term]:
    """The variables that are computed with, and the tick."""
    for part in filter(_computes, walk(statement)):
        for one in walk(part):
            if isinstance(one, nodes.Variable) or (isinstance(one, nodes.Function) and one.name == now):
                yield replace(one, location=statement.location)


def up_to(size: int, term: Term) -> Literal:
    """Whether a term is a number of such a size; in tuples, of which clingo makes no bounds for variables.

    It would step through them: by `X = Y, X < Y` from one end to the other.
    """
    return _ranged(*((nodes.Tuple((one,))) for one in (integer_term(-size), term, integer_term(size))))


def _ranged(low: Term | int, term: Term, high: Term | int) -> Literal:
    low, high = (integer_term(one) if isinstance(one, int) else one for one in (low, high))
    return Literal(nodes.Comparison(low, (nodes.Guard("<=", term), nodes.Guard("<=", high))))


def _is_within(statement: Any, size: int, now: str) -> bool:
    """Whether clingo computes all with numbers up to a size, and takes no other number for one of them.

    It solves `p(X+3)` with 32 bits: what goes beyond them is none of these, but with a factor it may be.
    """
    for atom in every(nodes.Atom, *statement.body):
        for term in atom.arguments:
            for part in walk(term):
                expression = linear(part, {}) if isinstance(part, nodes.Term) else None
                if expression is not None and any(abs(factor) > 1 for factor in expression.factors.values()):
                    return False
    rules = ComputedRules((), {}, {}, now, lambda _: None)
    ranges = StatementRanges(rules, Outside(LARGEST_INTEGER, 0, size), _UpTo(size), {}, LARGEST_INTEGER)
    ranges.statement(statement, {})
    return ranges.is_within
