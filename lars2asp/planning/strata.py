"""Strata: predicates that depend on each other, and whether they have exactly one answer stream."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from itertools import islice, pairwise

from lars2asp.analysis.dependencies import Dependency, DependencyKind, dependencies
from lars2asp.analysis.dependency_cycles import is_plain
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import head_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.planning.heads_in_flow import HeadsInFlow
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Rule, Signature, Statement, StreamingAtom
from lars2asp.syntax.traversal import atoms_in, walk
from lars2asp.syntax.values import dataclass


@dataclass(eq=False)
class Stratum:
    """Predicates that depend on each other, and the findings about them.

    Attributes:
        members: the predicates.
        rules: the rules that derive them.
        is_certain: whether they have exactly one answer stream, whatever holds below.
        below: the strata that they depend on.
        delta_rules: the rules for `delta`.
        stage: strata of lower stages are evaluated before.
    """

    members: frozenset[Signature]
    rules: list[Rule]
    is_certain: bool = True
    below: "set[Stratum]" = field(default_factory=set)
    delta_rules: DeltaRules = field(default_factory=DeltaRules)
    stage: int = 0

    @property
    def is_by_delta(self) -> bool:
        """Whether `delta` serves it."""
        return self.delta_rules.refusal is None


def strata_of(analysis: ProgramAnalysis, heads: HeadsInFlow) -> list[Stratum]:
    """The strongly connected parts of a program, each after those that it depends on.

    Args:
        analysis: the program.
        heads: says what rules derive.
    """
    derived = frozenset(analysis.derived)
    if any(analysis.program.every(nodes.External)):
        rules = [rule for rule, _ in analysis.heads]
        return [Stratum(derived, rules, False)] if derived else []
    found = dependencies(analysis, derives=heads.of, apart=heads.placed, late=heads.late)
    edges = [edge for edge in found if edge.needed in derived]
    members = derived.union(heads.of(rule, head) for rule, head in analysis.heads)
    members = members.union(*heads.needs())
    graph: dict[Signature, dict[Signature, None]] = {signature: {} for signature in sorted(members)}
    for one, other in heads.needs():
        graph[one][other] = None
    for edge in edges:
        graph[edge.derived][edge.needed] = None
        if edge.is_mutual:
            graph[edge.needed][edge.derived] = None
    for rule in analysis.rules:
        several = [heads.of(rule, head) for head in head_atoms(rule)]
        for one, other in pairwise(several):
            graph[one][other] = graph[other][one] = None
    strata = [Stratum(members, []) for members in strongly_connected(graph)]
    of = {signature: stratum for stratum in strata for signature in stratum.members}
    for rule in analysis.rules:
        for head in islice(head_atoms(rule), 1):  # the others are of the same stratum
            of[heads.of(rule, head)].rules.append(rule)
    needs = [(edge.derived, edge.needed) for edge in edges]
    for one, other in (*needs, *heads.needs()):
        if of[one] is not of[other]:
            of[one].below.add(of[other])
    _find_uncertain(analysis, strata, of, edges, heads)
    return strata


def spread(strata: Iterable[Stratum]) -> None:
    """Strata that depend on strata that are not certain become uncertain."""
    for stratum in strata:  # those below come first
        if any(not lower.is_certain for lower in stratum.below):
            stratum.is_certain = False


def statements_without_head(analysis: ProgramAnalysis) -> list[Statement]:
    """The statements that derive nothing and say something of answer streams as wholes."""
    without_head = {id(rule) for rule in analysis.rules} - {id(rule) for rule, _ in analysis.heads}
    return [
        s
        for s in analysis.program.statements
        if (id(s) in without_head if isinstance(s, Rule) else not isinstance(s, nodes.Declaration))
    ]


def named_in(statements: Iterable[Statement]) -> set[Signature]:
    """The predicates of the atoms of statements."""
    return {atom.signature for atom in atoms_in(*statements)}


def _find_uncertain(
    analysis: ProgramAnalysis,
    strata: list[Stratum],
    of: Mapping[Signature, Stratum],
    edges: list[Dependency],
    heads: HeadsInFlow,
) -> None:
    inner = [edge for edge in edges if of[edge.derived] is of[edge.needed]]
    recursive = {of[edge.derived] for edge in inner}
    for edge in inner:
        if edge.kind is not DependencyKind.POSITIVE:
            of[edge.derived].is_certain = False
    for rule, head in analysis.heads:
        stratum = of[heads.of(rule, head)]
        if head.is_chosen or (stratum in recursive and not all(map(is_plain, rule.body))):
            stratum.is_certain = False
    for statement in statements_without_head(analysis):
        for node in walk(statement):
            if isinstance(node, StreamingAtom) and node.atom.signature in analysis.placed - heads.placed:
                of[node.atom.signature].is_certain = False
    spread(strata)
