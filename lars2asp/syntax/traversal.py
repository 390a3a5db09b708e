"""Traversal of the abstract syntax: visiting the nodes of a program, and rewriting them."""

import dataclasses
import operator
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from lars2asp.syntax.node import FIELDS, Node
from lars2asp.syntax.nodes import Body, Signature, Statement, Variable

NodeT = TypeVar("NodeT", bound=Node)


def children(node: Node) -> list[Node]:
    """The nodes directly below a node, in the order of their fields."""
    found: list[Node] = []
    for name in FIELDS[type(node)].inner:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(item for item in value if isinstance(item, Node))
    return found


def walk(node: Node) -> Iterator[Node]:
    """The node and all nodes below it, parents first."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        below = children(current)
        below.reverse()
        pending += below


def every(kind: type[NodeT], *within: Node) -> Iterator[NodeT]:
    """The nodes of a kind among nodes and those below them, parents first."""
    return (node for one in within for node in walk(one) if isinstance(node, kind))


def variable_names(*within: Node) -> set[str]:
    """The names of the variables in nodes but for `_`."""
    return {variable.name for variable in every(Variable, *within) if not variable.is_anonymous}


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

    def rewritten(value: Any) -> Any:
        if isinstance(value, Node):
            return rewrite(value, change)
        if isinstance(value, tuple) and not isinstance(value, Signature):
            items = tuple(map(rewritten, value))
            return value if all(map(operator.is_, items, value)) else items
        return value

    values = {name: getattr(node, name) for name in FIELDS[type(node)].saying}
    new = {name: rewritten(value) for name, value in values.items()}
    if any(new[name] is not values[name] for name in new):
        node = dataclasses.replace(node, **new)
    changed: Any = change(node)
    return changed  # type: ignore[no-any-return]
