"""What optimisation says of an atom, in words."""

from collections.abc import Sequence

from lars2asp.runtime.explanations.tree import Weighed


def cost_words(weighed: Weighed, other: str) -> str:
    """What the answer stream costs, and the best other one.

    Args:
        weighed: the costs.
        other: how the other one is other: "without take(a)", say.
    """
    words = f"cost {_costs(weighed.cost)}"
    if not weighed.is_compared:
        return words
    if weighed.other is None:
        return f"{words}; there is no answer stream {other}"
    return f"{words}; the best answer stream {other}: {_costs(weighed.other)}"


def _costs(costs: Sequence[tuple[int, int | str]]) -> str:
    """Costs by priority, as weak constraints have them: 10@2, 3@1."""
    is_plain = all(level == 0 for level, _ in costs)
    return ", ".join(f"{cost}" if is_plain else f"{cost}@{level}" for level, cost in costs) or "0"
