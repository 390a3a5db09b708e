"""What an answer stream costs by weak constraints, by the definition, for the checker of explanations."""

from collections.abc import Mapping
from typing import Any

from lars2asp.analysis.explanation_shapes import Json, are_runs, need
from lars2asp.analysis.ground_terms import row, written_out
from lars2asp.analysis.naive_stream import NaiveStream
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program


def check_costs(program: Program, stream: NaiveStream, node: Json, at: int) -> None:
    """Checks the costs in a node about an atom that was chosen at a tick, or was not.

    The best other answer stream is not looked for: it must be no better than the one that was followed.
    """
    need(("cost" in node) is any(program.every(nodes.WeakConstraint)), "costs, where answers are optimised")
    if "cost" in node:
        found, other = stream_cost(program, stream, at), node.get("other")
        need(_levels(node["cost"]) == found, f"the answer stream of tick {at} costs {found}")
        need(other is None or not _is_less(_levels(other), found), "the other answer stream is better")


def stream_cost(program: Program, stream: NaiveStream, at: int) -> dict[int, int]:
    """What the answer stream of a tick costs, by priority; nothing where that is 0."""
    tuples = set()
    for one in program.every(nodes.WeakConstraint):
        for known in stream.bodies.solutions(one.body, stream.bindings(at)):
            terms = nodes.Tuple((one.weight, one.priority, *one.terms))
            for instance in written_out(terms, known, stream.functions):
                tuples.add(row(instance.arguments, known))
    costs: dict[int, int] = {}
    for found in tuples:
        if found is not None and isinstance(found[0], int) and isinstance(found[1], int):
            costs[found[1]] = costs.get(found[1], 0) + found[0]
    return {level: cost for level, cost in costs.items() if cost}


def _levels(costs: Any) -> dict[int, int]:
    """The costs that a node tells, by priority."""
    need(are_runs(costs), "a cost is no list of pairs of numbers")
    need(len({level for level, _ in costs}) == len(costs), "a priority has two costs")
    return {level: cost for level, cost in costs if cost}


def _is_less(costs: Mapping[int, int], others: Mapping[int, int]) -> bool:
    """Whether costs are less at the highest priority at which they differ."""
    differing = [one for one in {*costs, *others} if costs.get(one, 0) != others.get(one, 0)]
    return bool(differing) and costs.get(max(differing), 0) < others.get(max(differing), 0)
