"""Why a program must be evaluated by one reasoner: it may have several answer streams, or none."""

from lars2asp.analysis.dependencies import DependencyKind, dependencies
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import all_predicates, head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.components import components_of
from lars2asp.splitting.parts import Remark
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Rule, Semantics, Signature, Statement

_REASONS: dict[type[Statement], str] = {
    nodes.WeakConstraint: "the program optimizes: answer streams are compared as wholes",
    nodes.ShowTerm: "terms are shown that may come together from any part",
    nodes.External: "#external leaves atoms open",
    nodes.ProjectSignature: "#project speaks of answer streams as wholes",
    nodes.ProjectAtom: "#project speaks of answer streams as wholes",
    nodes.Heuristic: "#heuristic speaks of answer streams as wholes",
    nodes.Edge: "#edge speaks of answer streams as wholes",
}


def why_whole(analysis: ProgramAnalysis) -> tuple[Remark, ...]:
    """The reasons why no reasoner can evaluate a part of a checked program: its answer streams are wholes."""
    program = analysis.program
    found = [
        Remark(_REASONS[type(statement)], statement.location)
        for statement in program.but_plain_facts
        if not isinstance(statement, Rule | nodes.Declaration)
    ]
    for signature, location in all_predicates(program).items():
        if not signature.is_positive:
            pair = f"{signature} and {signature._replace(is_positive=True)}"
            found.append(Remark(f"{pair} exclude each other: a tick may have no answer stream", location))
    return tuple(found)


def why_uncertain(analysis: ProgramAnalysis, semantics: Semantics) -> tuple[Remark, ...]:
    """The reasons why a program may have several answer streams for some input, or none."""
    found = [remark for rule in analysis.rules if (remark := _choice(rule)) is not None]
    if not found and not all(one.is_certain for one in components_of(analysis, semantics).rules):
        found = _loops(analysis) or [Remark("there may be several answer streams, or none")]
    return tuple(found)


def why_later_ticks_see_it(analysis: ProgramAnalysis) -> tuple[Remark, ...]:
    """The reasons why ticks depend on what was derived at others, where a tick may have no answer stream.

    Such a tick leaves nothing of what rules derive, in all of the program.
    """
    found = [
        Remark(f"{head.atom.signature} is derived for another tick", head.atom.location)
        for _, head in analysis.heads
        if head.tick is not None
    ]
    found += [
        Remark(f"{streaming.atom.signature} is derived, and seen through a window", streaming.location)
        for streaming in analysis.streaming_atoms
        if streaming.atom.signature in analysis.derived
    ]
    return tuple(found)


def _choice(rule: Rule) -> Remark | None:
    heads = list(head_atoms(rule))
    if not heads:
        return Remark("a constraint leaves a tick without answer stream for all parts", rule.location)
    if any(head.is_chosen for head in heads):
        return Remark("the head leaves a choice", rule.location)
    return None


def _loops(analysis: ProgramAnalysis) -> list[Remark]:
    """The rules that need the contrary of what depends on them, or sum up or quantify over it."""
    edges = list(dependencies(analysis))
    graph: dict[Signature, dict[Signature, None]] = {}
    for edge in edges:
        graph.setdefault(edge.derived, {})[edge.needed] = None
        graph.setdefault(edge.needed, {})
        if edge.is_mutual:
            graph[edge.needed][edge.derived] = None
    of = {signature: members for members in strongly_connected(graph) for signature in members}
    inner = [edge for edge in edges if of[edge.derived] is of[edge.needed]]
    negative = [edge for edge in inner if edge.kind is not DependencyKind.POSITIVE]
    if negative:
        return [
            Remark(
                f"{edge.derived} {edge.kind} {edge.needed}, which "
                + ("heads place at other ticks" if edge.needed in analysis.placed else "depends on it"),
                edge.location,
            )
            for edge in negative
        ]
    return [
        Remark(f"{edge.derived} and {edge.needed} depend on each other through aggregates", edge.location)
        for edge in inner[:1]
    ]
