"""The input dependency graph: which predicates of the input meet in the derivation of something.

Pham, Ali, Mileo (2019): atoms of predicates in different components of the graph never need to be in one
place. Predicates of background data are everywhere and not in the graph.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.splitting.splittable_program import SplittableProgram
from lars2asp.syntax.nodes import Rule, Signature


class InputDependency(NamedTuple):
    """Two predicates of the input that meet in the body of a rule, themselves or as what others depend on.

    Attributes:
        rule: the first such rule.
    """

    one: Signature
    other: Signature
    rule: Rule


def input_dependencies(splittable: SplittableProgram) -> Iterator[InputDependency]:
    """The edges of the input dependency graph."""
    below = _below(splittable)
    seen: set[frozenset[Signature]] = set()
    for rule in splittable.rules:
        found = dict.fromkeys(s for named in splittable.named(rule) for s in below.get(named, {named: None}))
        for one, other in combinations(sorted(found.keys() - splittable.background), 2):
            if frozenset((one, other)) not in seen:
                seen.add(frozenset((one, other)))
                yield InputDependency(one, other, rule)


def input_components(
    splittable: SplittableProgram, edges: list[InputDependency]
) -> list[frozenset[Signature]]:
    """The connected components of the input dependency graph, in the order of the program."""
    derived = frozenset(splittable.derived)
    named = dict.fromkeys(s for rule in splittable.rules for s in splittable.named(rule))
    graph: dict[Signature, dict[Signature, None]] = {
        s: {} for s in named if s not in derived and s not in splittable.background
    }
    for edge in edges:
        graph[edge.one][edge.other] = graph[edge.other][edge.one] = None
    return strongly_connected(graph)


def _below(splittable: SplittableProgram) -> Mapping[Signature, dict[Signature, None]]:
    """For each derived predicate the predicates of the input that it depends on."""
    derived = frozenset(splittable.derived)
    graph = splittable.looks_at
    below: dict[Signature, dict[Signature, None]] = {}
    inner = {s: [named for named in graph[s] if named in derived] for s in splittable.derived}
    for members in strongly_connected(inner):  # those below come first
        found: dict[Signature, None] = {}
        for signature in sorted(members, key=splittable.places.__getitem__):
            for named in graph[signature]:
                found |= below.get(named, {} if named in derived else {named: None})
        below |= dict.fromkeys(members, found)
    return below
