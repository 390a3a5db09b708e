"""What is known of a term before there are values for its variables."""

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from lars2asp.analysis.arithmetic.linear_forms import linear_form
from lars2asp.syntax.nodes import (
    BinaryOperation,
    Function,
    Node,
    Term,
    Tuple,
    UnaryOperation,
    Variable,
)
from lars2asp.syntax.traversal import rewrite, walk


def variables_in(term: Term) -> Iterable[str]:
    """The names of the variables of a term, as often as they stand there."""
    if isinstance(term, Variable):
        return (term.name,)
    return (part.name for part in walk(term) if isinstance(part, Variable))


def substituted(term: Term, terms: Mapping[str, Term]) -> Term:
    """The term with others in place of some variables."""

    def replaced(node: Node) -> Node:
        return terms.get(node.name, node) if isinstance(node, Variable) else node

    return rewrite(term, replaced) if terms else term


def is_interval(term: Term) -> TypeGuard[BinaryOperation]:
    """Whether a term is `a..b`."""
    return isinstance(term, BinaryOperation) and term.operator == ".."


def is_call(term: Term) -> TypeGuard[Function]:
    """Whether a term is `@f(...)`."""
    return isinstance(term, Function) and term.is_external


def is_structure(term: Term) -> TypeGuard[Function | Tuple]:
    """Whether a term is a function or tuple with arguments."""
    return isinstance(term, Function | Tuple) and bool(term.arguments) and not is_call(term)


def is_solvable(term: Term) -> bool:
    """Whether those variables of a term that have no values get some by its value."""
    if isinstance(term, Variable) or is_structure(term) or linear_form(term) is not None:
        return True
    return isinstance(term, UnaryOperation) and term.operator == "-"
