"""The relations of Ticker, which are written like atoms: `incr(X,Y)` says that Y is X+1."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lars2asp.syntax.nodes import BinaryOperation, Comparison, Guard, Number, Term
from lars2asp.syntax.source import Location


class Relation(NamedTuple):
    """A relation between so many terms, what it says of X, Y and Z, and what says it here."""

    arity: int
    meaning: str
    of: Callable[[Sequence[Term], Location], Comparison]


def _ordered(*signs: str) -> Relation:
    def of(terms: Sequence[Term], at: Location) -> Comparison:
        first, *others = terms
        guards = (Guard(sign, term, location=at) for sign, term in zip(signs, others, strict=True))
        return Comparison(first, tuple(guards), location=at)

    meaning = "X" + "".join(f" {sign} {name}" for sign, name in zip(signs, "YZ", strict=False))
    return Relation(len(signs) + 1, meaning, of)


def _calculated(operator: str) -> Relation:
    def of(terms: Sequence[Term], at: Location) -> Comparison:
        left, right, result = terms
        operation = BinaryOperation(operator, left, right, location=at)
        return Comparison(result, (Guard("=", operation, location=at),), location=at)

    return Relation(3, f"Z = X {operator} Y", of)


def _successor(terms: Sequence[Term], at: Location) -> Comparison:
    term, result = terms
    operation = BinaryOperation("+", term, Number(1, location=at), location=at)
    return Comparison(result, (Guard("=", operation, location=at),), location=at)


RELATIONS = {
    "eq": _ordered("="),
    "neq": _ordered("!="),
    "leq": _ordered("<="),
    "geq": _ordered(">="),
    "lt": _ordered("<"),
    "gt": _ordered(">"),
    "leqleq": _ordered("<=", "<="),
    "leqlt": _ordered("<=", "<"),
    "ltleq": _ordered("<", "<="),
    "ltlt": _ordered("<", "<"),
    "plus": _calculated("+"),
    "minus": _calculated("-"),
    "times": _calculated("*"),
    "divide": _calculated("/"),
    "modulo": _calculated("\\"),
    "power": _calculated("**"),
    "incr": Relation(2, "Y = X+1", _successor),
}
"""All of them."""
