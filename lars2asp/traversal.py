"""Ways through the abstract syntax: looking at all nodes of a program, and changing some."""

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from lars2asp.syntax import Aggregate, Literal, Node, Rule, Signature


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node, in the order of their fields."""
    for part in dataclasses.fields(node):
        value = getattr(node, part.name)
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


def first_deeper_than(node: Node, most: int) -> Node | None:
    """A node that has more than so many nodes above it below the given one, if there is any."""
    pending = [(node, 0)]
    while pending:
        current, depth = pending.pop()
        if depth > most:
            return current
        pending.extend((child, depth + 1) for child in children(current))
    return None


def literals_of(rule: Rule) -> Iterator[Literal]:
    """The literals of a body, those in the conditions of its aggregates included."""
    for literal in rule.body:
        yield literal
        if isinstance(literal.atom, Aggregate):
            for element in literal.atom.elements:
                yield from element.condition


def map_literals(literals: tuple[Literal, ...], change: Callable[[Literal], Literal]) -> tuple[Literal, ...]:
    """The literals with `change` applied to each that is no aggregate, inside aggregates too."""
    changed: list[Literal] = []
    for literal in literals:
        if isinstance(literal.atom, Aggregate):
            elements = tuple(
                dataclasses.replace(element, condition=map_literals(element.condition, change))
                for element in literal.atom.elements
            )
            atom = dataclasses.replace(literal.atom, elements=elements)
            changed.append(dataclasses.replace(literal, atom=atom))
        else:
            changed.append(change(literal))
    return tuple(changed)


NodeT = TypeVar("NodeT", bound=Node)


def replace_term(node: NodeT, old: Node, new: Node) -> NodeT:
    """The node with `new` in every place below it where `old` stood."""

    def replaced(value: Any) -> Any:
        if value == old:
            return new
        if isinstance(value, Node):
            return replace_term(value, old, new)
        if isinstance(value, tuple) and not isinstance(value, Signature):
            return tuple(map(replaced, value))
        return value

    fields = {part.name: replaced(getattr(node, part.name)) for part in dataclasses.fields(node)}
    return dataclasses.replace(node, **fields)
