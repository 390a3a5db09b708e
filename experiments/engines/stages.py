"""Stages of a program that leaves choices: components one behind the other, each closed before the next.

Eiter, Ogris, Schekotihin (2019), definitions 7 to 9, give each component to a solver of its own, which hands
on the answer that it found. The product does not do that where there may be several answers, since one that a
component finds may belong to none of the whole program. Here that is taken on trust: what stages give
together is an answer stream of the program if each of them has one whatever those below it choose.
"""

from collections.abc import Iterable, Mapping

from experiments.engine import RefusedError
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import head_atoms, is_fact, streaming_atoms
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.splitting.parts import Part, Split
from lars2asp.syntax.nodes import (
    Atom,
    Constant,
    Defined,
    Program,
    Rule,
    SemanticsChoice,
    Show,
    Signature,
)
from lars2asp.syntax.traversal import walk

_SHARED = (Constant, Defined, SemanticsChoice)

_Graph = Mapping[Signature, Iterable[Signature]]


class StagesError(RefusedError):
    """A program cannot be cut into stages."""


def stages(program: Program) -> Split:
    """The stages of a checked program with recorded semantics.

    Raises StagesError where more is needed than when atoms of lower stages begin and end to hold.
    """
    rules = [s for s in program.statements if isinstance(s, Rule) and not is_fact(s)]
    _check(program, rules)
    graph: dict[Signature, dict[Signature, None]] = {s: {} for s in ProgramAnalysis(program).derived}
    for rule in rules:
        for head in _heads(rule):
            graph[head] |= dict.fromkeys(sorted(_named(rule) & graph.keys()))
    members = _joined(strongly_connected(graph), graph, rules)
    of = {signature: number for number, here in enumerate(members) for signature in here}
    levels = _levels(graph, members)
    homes: dict[int, list[Rule]] = {}
    for rule in rules:
        homes.setdefault(_home(rule, of, levels), []).append(rule)
    order = sorted(range(len(members)), key=lambda number: (levels[number], number))
    found = [_part(program, members[number], levels[number], homes[number], graph) for number in order]
    listened = {signature for part in found for signature in part.listens}
    shown = ProgramAnalysis(program).shown
    return Split(
        tuple(
            _numbered(number, part, own & shown, own & listened)
            for number, (part, own) in enumerate(zip(found, map(members.__getitem__, order), strict=True))
        )
    )


def _check(program: Program, rules: Iterable[Rule]) -> None:
    for statement in program.statements:
        if not isinstance(statement, (Rule, Show, *_SHARED)):
            raise StagesError(f"no stage can have a {type(statement).__name__}")
    for rule in rules:
        if rule.is_temporary or any(head.tick is not None for head in head_atoms(rule)):
            raise StagesError("what is derived for one tick or another one is not handed on")
        if any(streaming_atoms(Program((rule,)))):
            raise StagesError("only plain atoms are looked at from stage to stage")


def _heads(rule: Rule) -> set[Signature]:
    return {head.atom.signature for head in head_atoms(rule)}


def _named(rule: Rule) -> set[Signature]:
    """All predicates of a rule: those of a head with several depend on each other."""
    return {node.signature for node in walk(rule) if isinstance(node, Atom)}


def _joined(
    components: Iterable[frozenset[Signature]], graph: _Graph, rules: Iterable[Rule]
) -> list[frozenset[Signature]]:
    """Components, lowest first, together with what is only read off the answer of a single one.

    So a stage hands on what others look at, and not all that they could read that off from.
    """
    chosen = {head.atom.signature for rule in rules for head in head_atoms(rule) if head.is_chosen}
    found: list[frozenset[Signature]] = []
    for component in components:
        needed = {named for signature in component for named in graph[signature]} - component
        below = [number for number, other in enumerate(found) if other & needed]
        if len(below) == 1 and not component & chosen:
            found[below[0]] |= component
        else:
            found.append(component)
    return found


def _levels(graph: _Graph, members: Iterable[frozenset[Signature]]) -> list[int]:
    """For each component, lowest first, how many lie below it, one below the other."""
    level: dict[Signature, int] = {}
    found = []
    for here in members:
        below = {other for signature in here for other in graph[signature]} - here
        found.append(max((level[other] + 1 for other in below), default=0))
        level |= dict.fromkeys(here, found[-1])
    return found


def _home(rule: Rule, of: Mapping[Signature, int], levels: list[int]) -> int:
    """The component of a rule; that of a constraint is the highest that it speaks of."""
    heads = _heads(rule)
    named = {of[signature] for signature in (heads or _named(rule)) if signature in of}
    highest = max((levels[number] for number in named), default=0)
    homes = [number for number in named if levels[number] == highest]
    if len(homes) != 1:
        raise StagesError("a constraint speaks of no stage, or of several side by side")
    return homes[0]


def _part(
    program: Program, members: frozenset[Signature], level: int, rules: Iterable[Rule], graph: _Graph
) -> Part:
    kept = {id(rule) for rule in rules}
    named = members.union(*map(_named, rules))
    listens = frozenset(s for s in named if s in graph and s not in members)
    reads = named - listens
    statements = [
        s
        for s in program.statements
        if id(s) in kept
        or isinstance(s, _SHARED)
        or (isinstance(s, Rule) and is_fact(s) and isinstance(s.head, Atom) and s.head.signature in reads)
    ]
    body = Program(tuple(statements), program.sources)
    return Part(0, level, body, reads, False, listens, {}, frozenset(), frozenset())


def _numbered(number: int, part: Part, outputs: frozenset[Signature], hands_on: frozenset[Signature]) -> Part:
    shows = tuple(map(Show, sorted(outputs | hands_on))) or (Show(),)
    program = Program((*part.program.statements, *shows), part.program.sources)
    return Part(number, part.level, program, part.reads, False, part.listens, {}, outputs, hands_on)
