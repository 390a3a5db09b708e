"""Random cases whose numbers lie around 2**31, 2**32, 2**63 and beyond, made of those with small numbers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from lars2asp.compiler import read_program
from lars2asp.syntax import nodes
from lars2asp.syntax.node import FIELDS, Node
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Source
from tests.oracle import Ground, Item, Value
from tests.strategies.streams import Case

EDGES = [
    *(2**15, 46340, 46341, 65536, 2**30, 2**31 - 2, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1),
    *(3 * 10**9, 10**10, 2**62, 2**63 - 1, 2**63, 2**64, 10**20, 123456789012345678901234567890),
]
NUMBERS = st.sampled_from([*EDGES, *(-one for one in EDGES)]) | st.integers(-(2**70), 2**70)

_UNTOUCHED = (nodes.Duration, nodes.OffsetWindow, nodes.Declaration)
"""What has other numbers than values."""

_STEPS = 1000
"""How many steps from one number to another there may be, as each may be an atom."""


@st.composite
def widened(draw: DrawFn, case: Case) -> Case:
    """The case with some numbers in place of 0, 1, 2, 3 and those below 0; the same one for each."""
    shift = draw(NUMBERS)
    one_by_one = {number: draw(NUMBERS | st.just(number)) for number in (0, 1, 2, 3)}
    change = draw(
        st.sampled_from(
            [
                lambda number: number + shift,
                lambda number: number * shift,
                lambda number: one_by_one.get(number, number) if number >= 0 else -one_by_one.get(-number, 1),
                lambda number: one_by_one.get(number, number) if number != 1 else 1,
            ]
        )
    )
    program = read_program(Source("random.lars", case.program))
    lines = [to_text(_changed(statement, change)) for statement in program.statements]
    return replace(case, program="\n".join(lines), records=tuple(_item(one, change) for one in case.records))


def _changed(node: Any, change: Callable[[int], int]) -> Any:
    """A node with other numbers, and sums in place of intervals, which would have no end."""
    if isinstance(node, tuple):
        return tuple(_changed(one, change) for one in node)
    if not isinstance(node, Node) or isinstance(node, _UNTOUCHED):
        return node
    match node:
        case nodes.Comparison(_, (_, _)) if not _has_few_steps(change):
            return node
        case nodes.Number(value):
            return _number(change(value))
        case nodes.UnaryOperation("-", nodes.Number(value)):
            return _number(change(-value))
        case nodes.BinaryOperation("..", left, right):
            return nodes.BinaryOperation("+", _changed(left, change), _changed(right, change))
        case nodes.AtLeast(atom, number) | nodes.AtMost(atom, number) if isinstance(number, nodes.Number):
            return replace(node, atom=_changed(atom, change))
        case nodes.SetAggregate(elements):
            return replace(node, elements=_changed(elements, change))
    fields = {name: _changed(getattr(node, name), change) for name in FIELDS[type(node)].inner}
    return replace(node, **fields) if fields else node


def _has_few_steps(change: Callable[[int], int]) -> bool:
    """Whether sums of numbers soon leave changed bounds, as `b(X+1) :- b(X), X <= 2**32` does not."""
    sizes = [abs(change(number)) or 1 for number in (1, 2)]
    return max(sizes) <= _STEPS * min(sizes)


def _number(value: int) -> nodes.Term:
    return nodes.Number(value) if value >= 0 else nodes.UnaryOperation("-", nodes.Number(-value))


def _item(item: Item, change: Callable[[int], int]) -> Item:
    facts, begin, end = (
        tuple(_ground(atom, change) for atom in atoms) for atoms in (item.facts, item.begin, item.end)
    )
    return replace(item, facts=facts, begin=begin, end=end)


def _ground(atom: Ground, change: Callable[[int], int]) -> Ground:
    return atom[0], tuple(_value(one, change) for one in atom[1])


def _value(value: Value, change: Callable[[int], int]) -> Value:
    if isinstance(value, int):
        return change(value)
    name, rest = value
    return value if isinstance(rest, str) else (name, tuple(_value(one, change) for one in rest))
