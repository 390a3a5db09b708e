"""Writes pools out: `p(1;2)` becomes two rules, two elements, two conditions, wherever it stands.

The alternatives of a pool make rules of their own, but inside the elements of an aggregate or choice and in
the conditions of conditional literals more of these: what clingo does.
"""

import dataclasses
from collections.abc import Iterator
from itertools import product
from typing import Any, TypeVar

from lars2asp.syntax import (
    AggregateElement,
    ConditionalLiteral,
    HeadAggregateElement,
    Node,
    Pool,
    SetAggregate,
    Signature,
    Statement,
)
from lars2asp.traversal import walk

NodeT = TypeVar("NodeT", bound=Node)


def write_out(statement: Statement) -> tuple[Statement, ...]:
    """The statements, without pools, that a statement with pools stands for."""
    if not any(isinstance(node, Pool) for node in walk(statement)):
        return (statement,)
    return tuple(_alternatives(statement))


def _alternatives(node: NodeT) -> Iterator[NodeT]:
    if isinstance(node, Pool):
        for alternative in node.alternatives:
            yield from _alternatives(alternative)  # type: ignore[misc]  # of the kind that may stand here
        return
    fields = [part.name for part in dataclasses.fields(node) if part.name != "location"]
    values = [list(_values(getattr(node, name), isinstance(node, SetAggregate))) for name in fields]
    for chosen in product(*values):
        yield dataclasses.replace(node, **dict(zip(fields, chosen, strict=True)))


def _values(value: Any, is_in_set: bool) -> Iterator[Any]:
    if isinstance(value, Node):
        yield from _alternatives(value)
    elif isinstance(value, tuple) and not isinstance(value, Signature):
        for chosen in product(*(list(_items(item, is_in_set)) for item in value)):
            yield tuple(item for items in chosen for item in items)
    else:
        yield value


def _items(item: Any, is_in_set: bool) -> Iterator[tuple[Any, ...]]:
    """What can stand in place of one item of a tuple: several items where it is an element."""
    if isinstance(item, AggregateElement | HeadAggregateElement) or (
        isinstance(item, ConditionalLiteral) and is_in_set
    ):
        yield tuple(_alternatives(item))
    elif isinstance(item, ConditionalLiteral):
        conditions = list(_values(item.condition, is_in_set=False))
        for literal in _alternatives(item.literal):
            yield tuple(
                dataclasses.replace(item, literal=literal, condition=condition) for condition in conditions
            )
    elif isinstance(item, Node):
        yield from ((alternative,) for alternative in _alternatives(item))
    else:
        yield (item,)
