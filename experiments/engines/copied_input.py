"""Parts of a program whose input is connected: what connects them is copied to several.

Pham, Ali, Mileo (2019) split the input where its dependency graph is connected: cliques of predicates that
meet are found, and merged where they have much in common, by a threshold on the ratio between the predicates
in common and the different ones. A predicate in several cliques is copied to each. The threshold is not said
there. Here a derived predicate is given by one part, which has all of the input that it depends on.
"""

from collections.abc import Collection, Iterator, Mapping

from experiments.engine import RefusedError
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.splitting.input_graph import input_components, input_dependencies
from lars2asp.splitting.parts import Part, Split
from lars2asp.splitting.splittable_program import SplittableProgram, head_of
from lars2asp.splitting.wholeness import why_uncertain, why_whole
from lars2asp.syntax.nodes import Program, Semantics, Signature

THRESHOLD = 0.5
"""Cliques are merged where they have at least so many predicates in common for each different one."""

Predicates = frozenset[Signature]


def parts_by_cliques(program: Program, semantics: Semantics) -> Split:
    """The parts of a checked program.

    Raises:
        RefusedError: if it cannot be split, or may have several answer streams.
    """
    analysis = ProgramAnalysis(program)
    reasons = why_whole(analysis) or why_uncertain(analysis, semantics)
    if reasons:
        raise RefusedError(str(reasons[0]))
    splittable = SplittableProgram(analysis, semantics)
    if splittable.shown - set(splittable.derived):
        raise RefusedError("no part can show the input")
    if any(map(splittable.counts_all, splittable.rules)):
        raise RefusedError("no part can count the arrivals of the whole input")
    graph: dict[Signature, set[Signature]] = {}
    edges = list(input_dependencies(splittable))
    for component in input_components(splittable, edges):
        graph |= {signature: set() for signature in component}
    for edge in edges:
        graph[edge.one].add(edge.other)
        graph[edge.other].add(edge.one)
    inputs = {derived: _below(splittable, derived) & graph.keys() for derived in splittable.derived}
    cliques = merged([*maximal_cliques(graph)], inputs.values())
    return Split(tuple(_parts(splittable, cliques, inputs)))


def maximal_cliques(graph: Mapping[Signature, set[Signature]]) -> Iterator[Predicates]:
    """The sets of nodes of a graph that are all connected, and that no other node can be added to.

    By Bron and Kerbosch (1973): graphs are small.
    """

    def extended(clique: Predicates, may: set[Signature], were: set[Signature]) -> Iterator[Predicates]:
        if not may and not were:
            yield clique
        for node in sorted(may):
            yield from extended(clique | {node}, may & graph[node], were & graph[node])
            may = may - {node}
            were = were | {node}

    yield from extended(frozenset(), set(graph), set())


def merged(cliques: list[Predicates], whole: Collection[Predicates]) -> list[Predicates]:
    """Cliques that have much in common as one, and so that each of some sets lies in one of them."""
    found = sorted(cliques, key=sorted)
    while (pair := _alike(found)) is not None:
        one, other = pair
        found = [clique for clique in found if clique not in pair] + [one | other]
    for needed in whole:
        if not any(needed <= clique for clique in found):
            touched = [clique for clique in found if clique & needed]
            found = [clique for clique in found if clique not in touched]
            found.append(frozenset().union(*touched))
    return sorted(found, key=sorted)


def _alike(cliques: list[Predicates]) -> tuple[Predicates, Predicates] | None:
    for place, one in enumerate(cliques):
        for other in cliques[place + 1 :]:
            if len(one & other) >= THRESHOLD * len(one ^ other):
                return one, other
    return None


def _below(splittable: SplittableProgram, derived: Signature) -> Predicates:
    """All predicates that a derived one depends on, itself included."""
    found, pending = {derived}, [derived]
    while pending:
        for named in splittable.looks_at.get(pending.pop(), ()):
            if named not in found:
                found.add(named)
                pending.append(named)
    return frozenset(found)


def _parts(
    splittable: SplittableProgram, cliques: list[Predicates], inputs: Mapping[Signature, Predicates]
) -> Iterator[Part]:
    left = dict.fromkeys(splittable.derived)
    number = 0
    for clique in cliques:
        given = [derived for derived in left if inputs[derived] <= clique]
        left = {derived: None for derived in left if derived not in given}
        outputs = frozenset(given) & splittable.shown
        needed = frozenset[Signature]().union(*(_below(splittable, derived) for derived in given))
        if not outputs:
            continue
        rules = [rule for rule in splittable.rules if head_of(rule).signature in needed]
        reads = needed - splittable.made
        program = splittable.part_of(rules, reads, outputs, frozenset())
        yield Part(number, 0, program, reads, False, frozenset(), {}, outputs, frozenset())
        number += 1
