"""The number of values of intervals `L..U`, which is bounded."""

from collections.abc import Iterable, Iterator, Mapping
from math import prod

from lars2asp.analysis.arithmetic.linear_bounds import linear
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Node
from lars2asp.syntax.traversal import every

LARGEST_INTERVAL = 1_000_000
"""The number of values that one interval may have at a tick, if nothing else is said.

So many combinations of values the intervals of a rule may have together, for one instance of the rest.
"""

CURE = "raise the limit with --largest-interval (in Python: largest_interval)"


def intervals(*within: Node) -> Iterator[nodes.BinaryOperation]:
    """The intervals in nodes."""
    return (one for one in every(nodes.BinaryOperation, *within) if one.operator == "..")


def size_of(interval: nodes.BinaryOperation, constants: Mapping[str, int]) -> int | None:
    """How many values an interval has, whatever its variables are; None if that depends on them."""
    low, high = linear(interval.left, constants), linear(interval.right, constants)
    difference = None if low is None or high is None else high.plus(low, -1)
    return None if difference is None or difference.factors else max(0, difference.constant + 1)


def are_few(sizes: Iterable[int | None], most: int) -> bool:
    """Whether intervals have few enough values, each and together, for one instance of the rest of a body."""
    given = [*sizes]
    known = [one for one in given if one is not None]
    return len(known) == len(given) and max(known, default=0) <= most and prod(known) <= most


def too_many(text: str, size: str, most: int) -> str:
    """What is said of an interval with more values than it may have."""
    return f"the interval {text} contains {size} values, more than {most}"
