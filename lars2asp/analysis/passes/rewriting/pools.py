"""Writes pools out: `p(1;2)` becomes two rules, two elements, two conditions, wherever it stands.

The alternatives of a pool make rules of their own, but inside the elements of an aggregate or choice and in
the conditions of conditional literals more of these. The literal before the colon of a conditional literal
stays one: in a body each of its instances is one of the alternatives, in a disjunction all of them. That is
what clingo does.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Any, NamedTuple, TypeVar

from lars2asp.syntax import nodes
from lars2asp.syntax.node import FIELDS
from lars2asp.syntax.nodes import Node, Signature, Statement
from lars2asp.syntax.traversal import children, every, walk

NodeT = TypeVar("NodeT", bound=Node)

MOST_WRITTEN = 100_000
"""The number of nodes to which pools may multiply a statement; a long one, to ten times its own nodes."""


class _Extent(NamedTuple):
    """The number of alternatives, and the size of the largest one in nodes."""

    alternatives: int
    size: int

    @property
    def side_by_side(self) -> "_Extent":
        """The extent of one node that holds all of the alternatives."""
        return _Extent(1, self.alternatives * self.size)


def is_multiplied_too_much(statement: Statement) -> bool:
    """Whether a statement with pools stands for too many nodes to write them out."""
    if not any(every(nodes.Pool, statement)):
        return False
    extent = _extent(statement)
    written = sum(1 for _ in walk(statement))
    return extent.alternatives * extent.size > max(MOST_WRITTEN, 10 * written)


def _extent(node: Node) -> _Extent:
    match node:
        case nodes.Pool(alternatives):
            each = [_extent(alternative) for alternative in alternatives]
            return _Extent(sum(extent.alternatives for extent in each), max(extent.size for extent in each))
        case nodes.ConditionalLiteral(literal, condition):
            conditions = _together(map(_extent, condition))
            before = _extent(literal)
            return _together((before.side_by_side, conditions)).side_by_side
        case nodes.Disjunction(elements):
            return _together(_extent(one if one.condition else one.literal) for one in elements)
        case nodes.SetAggregate():
            parts = ((child, _extent(child)) for child in children(node))
            return _together(
                extent.side_by_side if isinstance(child, nodes.ConditionalLiteral) else extent
                for child, extent in parts
            )
        case nodes.AggregateElement() | nodes.HeadAggregateElement():
            return _together(map(_extent, children(node))).side_by_side
        case _:
            return _together(map(_extent, children(node)))


def _together(parts: Iterable[_Extent]) -> _Extent:
    """The extent of a node that consists of parts."""
    extents = list(parts)
    alternatives = prod(extent.alternatives for extent in extents)
    return _Extent(alternatives, 1 + sum(extent.size for extent in extents))


def write_out(statement: Statement) -> tuple[Statement, ...]:
    """The statements, without pools, that a statement with pools stands for."""
    if not any(every(nodes.Pool, statement)):
        return (statement,)
    return tuple(_alternatives(statement))


def _alternatives(node: NodeT) -> Iterator[NodeT]:
    if isinstance(node, nodes.Pool):
        for alternative in node.alternatives:
            yield from _alternatives(alternative)  # type: ignore[misc]  # of the kind that may stand here
        return
    fields = FIELDS[type(node)].saying
    values = [list(_values(getattr(node, name), node)) for name in fields]
    for chosen in product(*values):
        yield dataclasses.replace(node, **dict(zip(fields, chosen, strict=True)))


def _values(value: Any, parent: Node | None = None) -> Iterator[Any]:
    if isinstance(value, Node):
        yield from _alternatives(value)
    elif isinstance(value, tuple) and not isinstance(value, Signature):
        for chosen in product(*(list(_items(item, parent)) for item in value)):
            yield tuple(item for items in chosen for item in items)
    else:
        yield value


def _items(item: Any, parent: Node | None) -> Iterator[tuple[Any, ...]]:
    """The items that can stand in place of one item of a tuple: several where it is an element."""
    if isinstance(item, nodes.AggregateElement | nodes.HeadAggregateElement) or (
        isinstance(item, nodes.ConditionalLiteral) and isinstance(parent, nodes.SetAggregate)
    ):
        yield tuple(_alternatives(item))
    elif isinstance(item, nodes.ConditionalLiteral) and (
        item.condition or not isinstance(parent, nodes.Disjunction)
    ):
        literal = nodes.pooled(list(_written_literals(item.literal)))
        yield tuple(
            dataclasses.replace(item, literal=literal, condition=condition)
            for condition in _values(item.condition)
        )
    elif isinstance(item, Node):
        yield from ((alternative,) for alternative in _alternatives(item))
    else:
        yield (item,)


def _written_literals(literal: nodes.Literal) -> Iterator[nodes.Literal]:
    """The literals without pools that one with pools stands for."""
    for one in _alternatives(literal):
        yield from nodes.alternatives_of(one)
