"""Ways through the abstract syntax: looking at all nodes of a program, and changing some."""

import dataclasses
import operator
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from lars2asp.syntax import Body, Node, Signature, Statement

_FIELD_NAMES: dict[str, tuple[str, ...]] = {}


def _field_names(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a kind of node that say something: not where it stands."""
    names = _FIELD_NAMES.get(kind.__name__)
    if names is None:
        names = tuple(field.name for field in dataclasses.fields(kind) if field.name != "location")
        _FIELD_NAMES[kind.__name__] = names
    return names


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in the order of their fields."""
    for name in _field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))


def walk(node: Node) -> Iterator[Node]:
    """The node and all nodes below it, parents first."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(list(children(current))))


def body_of(statement: Statement) -> Body:
    """The body of a statement that may have one, else nothing."""
    body: Body = getattr(statement, "body", ())
    return body


def with_body(statement: Statement, body: Body) -> Statement:
    """The statement, which is of a kind that may have a body, with another one."""
    changes: Any = {"body": body}
    return dataclasses.replace(statement, **changes)


def first_deeper_than(node: Node, most: int) -> Node | None:
    """A node that has more than so many nodes above it below the given one, if there is any."""
    pending = [(node, 0)]
    while pending:
        current, depth = pending.pop()
        if depth > most:
            return current
        pending.extend((child, depth + 1) for child in children(current))
    return None


NodeT = TypeVar("NodeT", bound=Node)


def rewrite(node: NodeT, change: Callable[[Node], Node]) -> NodeT:
    """The node with `change` applied to every node of it, the innermost first."""

    def rewritten(value: Any) -> Any:
        if isinstance(value, Node):
            return rewrite(value, change)
        if isinstance(value, tuple) and not isinstance(value, Signature):
            items = tuple(map(rewritten, value))
            return value if all(map(operator.is_, items, value)) else items
        return value

    values = {name: getattr(node, name) for name in _field_names(type(node))}
    new = {name: rewritten(value) for name, value in values.items()}
    if any(new[name] is not values[name] for name in new):
        node = dataclasses.replace(node, **new)
    changed: Any = change(node)
    return changed  # type: ignore[no-any-return]
