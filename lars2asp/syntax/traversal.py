"""Traversal of the abstract syntax: visiting the nodes of a program, and rewriting them."""

import dataclasses
import operator
from collections.abc import Callable, Collection, Iterator
from typing import Any, TypeVar

from lars2asp.syntax.node import FIELDS, Node
from lars2asp.syntax.nodes import (
    Aggregate,
    Atom,
    Body,
    ConditionalLiteral,
    FormulaAtom,
    Guard,
    SetAggregate,
    Statement,
    Term,
    Variable,
)

NodeT = TypeVar("NodeT", bound=Node)


def children(node: Node) -> list[Node]:
    """The nodes directly below a node, in the order of their fields."""
    found: list[Node] = []
    for name in FIELDS[type(node)].inner:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif type(value) is tuple:
            found += [item for item in value if isinstance(item, Node)]
    return found


def walk(node: Node) -> Iterator[Node]:
    """The node and all nodes below it, parents first."""
    return every(Node, node)


def every(kind: type[NodeT], *within: Node) -> Iterator[NodeT]:
    """The nodes of a kind among nodes and those below them, parents first."""
    pending: list[Node] = [*reversed(within)]
    while pending:
        current = pending.pop()
        if isinstance(current, kind):
            yield current
        for name in FIELDS[type(current)].backwards:
            value = getattr(current, name)
            if isinstance(value, Node):
                pending.append(value)
            elif type(value) is tuple:
                pending += [item for item in reversed(value) if isinstance(item, Node)]


def atoms_in(*within: Node) -> Iterator[Atom]:
    """The atoms among nodes and those below them, parents first; as `every` gives them, but faster."""
    return (one for one in outermost(_ATOMS, *within) if isinstance(one, Atom))


def outermost(kinds: Collection[type[Node]], *within: Node) -> Iterator[Node]:
    """The nodes of exactly these kinds among nodes and those below them, but for those in one another.

    They come in the order of the text. What is within terms is left out.
    """
    pending: list[Node] = [*reversed(within)]
    while pending:
        current = pending.pop()
        kind = type(current)
        if kind in kinds:
            yield current
            continue
        for name in _OUTER_FIELDS[kind]:
            value = getattr(current, name)
            if type(value) is tuple:
                pending += [item for item in reversed(value) if isinstance(item, Node)]
            elif isinstance(value, Node):
                pending.append(value)


_ATOMS = frozenset({Atom, FormulaAtom})


class _OuterFields(dict[type[Node], tuple[str, ...]]):
    """The names of the fields of a kind of node that may hold other nodes than terms, the last first."""

    def __missing__(self, kind: type[Node]) -> tuple[str, ...]:
        self[kind] = found = () if issubclass(kind, Term | Atom | Guard) else FIELDS[kind].backwards
        return found


_OUTER_FIELDS = _OuterFields()


def variable_names(*within: Node) -> set[str]:
    """The names of the variables in nodes but for `_`."""
    return {variable.name for variable in every(Variable, *within) if not variable.is_anonymous}


def outer_variables(statement: Statement) -> frozenset[str]:
    """The names of the variables of a statement outside of elements and conditional literals."""
    found: set[str] = set()
    for part in body_of(statement):
        if isinstance(part, ConditionalLiteral):
            continue
        if isinstance(part.atom, Aggregate | SetAggregate):
            found |= variable_names(*filter(None, (part.atom.left, part.atom.right)))
        else:
            found |= variable_names(part)
    head = getattr(statement, "head", None)
    return frozenset(found | variable_names(head) if isinstance(head, Atom) else found)


def body_of(statement: Statement) -> Body:
    """The body of a statement that may have one, else nothing."""
    body: Body = getattr(statement, "body", ())
    return body


def with_body(statement: Statement, body: Body) -> Statement:
    """The statement, which is of a kind that may have a body, with another one."""
    changes: Any = {"body": body}
    return dataclasses.replace(statement, **changes)


def first_deeper_than(node: Node, most: int) -> Node | None:
    """A node below another one that is nested more than `most` levels deep in it, if there is any."""
    pending = [(node, 0)]
    while pending:
        current, depth = pending.pop()
        if depth > most:
            return current
        pending.extend((child, depth + 1) for child in children(current))
    return None


def rewrite(node: NodeT, change: Callable[[Node], Node]) -> NodeT:
    """The node with `change` applied to every node of it, the innermost first."""
    new: dict[str, Any] = {}
    for name in FIELDS[type(node)].inner:
        value = getattr(node, name)
        if isinstance(value, Node):
            found: Any = rewrite(value, change)
        elif type(value) is tuple:
            found = _rewritten(value, change)
        else:
            continue
        if found is not value:
            new[name] = found
    if new:
        node = dataclasses.replace(node, **new)
    changed: Any = change(node)
    return changed  # type: ignore[no-any-return]


def _rewritten(items: tuple[Any, ...], change: Callable[[Node], Node]) -> tuple[Any, ...]:
    """The items with `change` applied to the nodes among them and in them."""
    found = [
        rewrite(item, change)
        if isinstance(item, Node)
        else _rewritten(item, change)
        if type(item) is tuple
        else item
        for item in items
    ]
    return items if all(map(operator.is_, found, items)) else tuple(found)
