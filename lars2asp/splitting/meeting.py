"""The input dependency graph: which predicates of the input meet in the derivation of something.

Pham, Ali, Mileo (2019): atoms of predicates in different components of the graph never need to be in one
place. Predicates of background data are everywhere and not in the graph.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

from lars2asp.analysis.graphs import strongly_connected
from lars2asp.splitting.overview import Overview, head_of
from lars2asp.syntax.nodes import Rule, Signature


class Meeting(NamedTuple):
    """Two predicates of the input, and the first rule in whose body they meet, by way of others or not."""

    one: Signature
    other: Signature
    rule: Rule


def meetings(overview: Overview) -> Iterator[Meeting]:
    """The edges of the input dependency graph."""
    below = _below(overview)
    seen: set[frozenset[Signature]] = set()
    for rule in overview.rules:
        found = dict.fromkeys(s for named in overview.named(rule) for s in below.get(named, {named: None}))
        for one, other in combinations(sorted(found.keys() - overview.background), 2):
            if frozenset((one, other)) not in seen:
                seen.add(frozenset((one, other)))
                yield Meeting(one, other, rule)


def input_components(overview: Overview, edges: list[Meeting]) -> list[frozenset[Signature]]:
    """The connected components of the input dependency graph, in the order of the program."""
    derived = frozenset(overview.derived)
    named = dict.fromkeys(s for rule in overview.rules for s in overview.named(rule))
    graph: dict[Signature, dict[Signature, None]] = {
        s: {} for s in named if s not in derived and s not in overview.background
    }
    for edge in edges:
        graph[edge.one][edge.other] = graph[edge.other][edge.one] = None
    return strongly_connected(graph)


def _below(overview: Overview) -> Mapping[Signature, dict[Signature, None]]:
    """For each derived predicate the predicates of the input that it depends on."""
    derived = frozenset(overview.derived)
    graph: dict[Signature, dict[Signature, None]] = {signature: {} for signature in overview.derived}
    for rule in overview.rules:
        graph[head_of(rule).signature] |= overview.named(rule)
    below: dict[Signature, dict[Signature, None]] = {}
    inner = {s: [named for named in graph[s] if named in derived] for s in graph}
    for members in strongly_connected(inner):  # those below come first
        found: dict[Signature, None] = {}
        for signature in sorted(members, key=overview.places.__getitem__):
            for named in graph[signature]:
                found |= below.get(named, {} if named in derived else {named: None})
        below |= dict.fromkeys(members, found)
    return below
