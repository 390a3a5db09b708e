"""The pass that reports counts which depend on themselves."""

from collections import deque
from collections.abc import Mapping

from lars2asp.analysis.dependencies import Dependency, DependencyKind, dependencies
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Signature

MOST_STEPS = 20
"""The number of steps of a cycle that a message lists."""


_OPEN = {
    DependencyKind.COUNT: (
        "{} is counted where it depends on the count: {}",
        "the meaning of such a cycle is open: count over the past alone, as in {1,2}, or ask for `at least`",
    ),
    DependencyKind.BEGINNING: (
        "a window begins with {}, which depends on it: {}",
        "let it begin with what was derived at the tick before: begun(X) :- b(X) in {1}",
    ),
}
"""Ways to need a predicate that no predicate that depends on it may have, with messages and cures."""


def check_cycles(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports counts and beginnings of windows that depend on themselves; the cycle is spelled out."""
    derived = frozenset(analysis.derived)
    edges = [edge for edge in dependencies(analysis) if edge.needed in derived]
    successors: dict[Signature, list[Signature]] = {}
    for edge in edges:
        successors.setdefault(edge.derived, []).append(edge.needed)
        successors.setdefault(edge.needed, [])
    together = {node: group for group in strongly_connected(successors) for node in group}
    graph: dict[Signature, list[Dependency]] = {}  # what lies on some cycle
    for edge in edges:
        if together[edge.derived] is together[edge.needed]:
            graph.setdefault(edge.derived, []).append(edge)
    cycles: dict[Dependency, tuple[list[Dependency], int]] = {}  # with the place of the edge in it, one each
    for edge in (edge for edges in graph.values() for edge in edges):
        if edge.kind in _OPEN:
            if edge not in cycles:  # one that lies on a cycle that was found has that, if not the shortest
                cycle = [edge, *_path(graph, edge.needed, edge.derived)]
                for index, step in enumerate(cycle):
                    cycles.setdefault(step, (cycle, index))
            _report(edge, *cycles[edge], diagnostics)


def _path(graph: Mapping[Signature, list[Dependency]], begin: Signature, end: Signature) -> list[Dependency]:
    """A shortest path from one predicate to another that it depends on."""
    reached: dict[Signature, Dependency | None] = {begin: None}  # by which edge
    waiting = deque([begin])
    while end not in reached:
        for edge in graph[waiting.popleft()]:
            if edge.needed not in reached:
                reached[edge.needed] = edge
                waiting.append(edge.needed)
    path: list[Dependency] = []
    last = reached[end]
    while last is not None:
        path.append(last)
        last = reached[last.derived]
    return path[::-1]


def _report(count: Dependency, cycle: list[Dependency], begin: int, diagnostics: Diagnostics) -> None:
    shown = [cycle[(begin + step) % len(cycle)] for step in range(min(len(cycle), MOST_STEPS))]
    steps = [f"{edge.derived} {edge.kind} {edge.needed} (line {edge.location.line})" for edge in shown]
    if len(cycle) > MOST_STEPS:
        steps.append(f"and {len(cycle) - MOST_STEPS} more")
    message, hint = _OPEN[count.kind]
    diagnostics.error(count.location, message.format(count.needed, ", ".join(steps)), hint)
