"""Cycles of the stream dependency graph, and whether one leaves open which answer stream there is."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from lars2asp.analysis.dependencies import Dependency, DependencyKind, dependencies
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Node, Signature, StreamingAtom
from lars2asp.syntax.traversal import atoms_in

MOST_STEPS = 20
"""The number of steps of a cycle that a message lists."""

Graph = Mapping[Signature, Sequence[Dependency]]
"""Dependencies by the predicates that are derived."""


def on_cycles(edges: Iterable[Dependency]) -> Graph:
    """Those of dependencies that lie on a cycle."""
    edges = list(edges)
    successors: dict[Signature, list[Signature]] = {}
    for edge in edges:
        successors.setdefault(edge.derived, []).append(edge.needed)
        successors.setdefault(edge.needed, [])
    together = {node: group for group in strongly_connected(successors) for node in group}
    graph: dict[Signature, list[Dependency]] = {}
    for edge in edges:
        if together[edge.derived] is together[edge.needed]:
            graph.setdefault(edge.derived, []).append(edge)
    return graph


def cycle_of(graph: Graph, edge: Dependency) -> list[Dependency]:
    """A shortest cycle through a dependency that lies on one."""
    begin, end = edge.needed, edge.derived
    reached: dict[Signature, Dependency | None] = {begin: None}  # by which edge
    waiting = deque([begin])
    while end not in reached:
        for other in graph[waiting.popleft()]:
            if other.needed not in reached:
                reached[other.needed] = other
                waiting.append(other.needed)
    path: list[Dependency] = []
    last = reached[end]
    while last is not None:
        path.append(last)
        last = reached[last.derived]
    return [edge, *path[::-1]]


def cycle_text(analysis: ProgramAnalysis, cycle: Sequence[Dependency]) -> str:
    """The steps of a cycle, for messages."""
    steps = [
        f"{named(analysis, edge.derived)} {edge.kind} {named(analysis, edge.needed)} "
        f"(line {edge.location.line})"
        for edge in cycle[:MOST_STEPS]
    ]
    if len(cycle) > MOST_STEPS:
        steps.append(f"and {len(cycle) - MOST_STEPS} more")
    return ", ".join(steps)


def named(analysis: ProgramAnalysis, signature: Signature) -> str:
    """A predicate, or the formula in brackets for which it stands, for messages."""
    formula = analysis.formulas.get(signature)
    return str(signature) if formula is None else formula.text


def why_several(analysis: ProgramAnalysis) -> str | None:
    """Why a tick may have several answer streams; None if it has at most one, whatever the stream is.

    What a head derives for a later tick changes nothing at its own, so that a cycle through it leaves nothing
    open. A cycle through `not`, a count or an aggregate may.
    """
    for external in analysis.program.every(nodes.External):
        return f"#external may make {external.atom.signature} true (line {external.location.line})"
    for rule, head in analysis.heads:
        if head.is_chosen:
            return f"a head may choose {head.atom.signature} (line {rule.location.line})"
    aggregated = {
        (head.atom.signature, atom.signature)
        for rule in analysis.rules
        for literal in rule.body
        if not is_plain(literal)
        for atom in atoms_in(literal)
        for head in head_atoms(rule)
    }
    graph = on_cycles(dependencies(analysis, at_one_tick=True))
    for edge in (edge for edges in graph.values() for edge in edges):
        if edge.kind is not DependencyKind.POSITIVE or (edge.derived, edge.needed) in aggregated:
            return cycle_text(analysis, cycle_of(graph, edge))
    return None


def is_plain(literal: Node) -> bool:
    """Whether a literal of a body is neither an aggregate nor conditional."""
    plain = nodes.Atom | StreamingAtom | nodes.Comparison | nodes.Boolean
    return isinstance(literal, nodes.Literal) and isinstance(literal.atom, plain)
