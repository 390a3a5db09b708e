"""The stream dependency graph: which predicates rules need now to derive others.

Eiter, Ogris, Schekotihin (2019), definitions 7 to 9: a streaming atom depends on its predicate as far as its
window sees what is derived at the current evaluation. The past is settled, and arrivals are input alone.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple, assert_never

from lars2asp.analysis.predicates import head_atoms, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Atom, Literal, Node, Rule, Sign, Signature, StreamingAtom
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import children


class DependencyKind(StrEnum):
    """How a rule needs a predicate."""

    POSITIVE = "needs"
    NEGATIVE = "excludes"
    COUNT = "counts"
    BEGINNING = "looks since"


class Dependency(NamedTuple):
    """A rule for the predicate `derived` needs what holds now of the predicate `needed`.

    The two must be evaluated together if the dependency `is_mutual`: a window looks at atoms that heads place
    at ticks, and sees what is placed in this evaluation.
    """

    derived: Signature
    needed: Signature
    kind: DependencyKind
    location: Location
    is_mutual: bool = False


def dependencies(analysis: ProgramAnalysis) -> Iterator[Dependency]:
    """The edges of the stream dependency graph, in the order of the rules."""
    for rule in analysis.rules:
        heads = list(dict.fromkeys(head.atom.signature for head in head_atoms(rule)))
        for needed, kind, location, is_mutual in _needs(rule, analysis):
            yield from (Dependency(head, needed, kind, location, is_mutual) for head in heads)


def _needs(
    rule: Rule, analysis: ProgramAnalysis
) -> Iterator[tuple[Signature, DependencyKind, Location, bool]]:
    """The predicates in a body and in the conditions of a head."""
    pending: list[tuple[Node, bool]] = [(node, False) for node in rule.body]
    for head in head_atoms(rule):
        pending += ((literal, False) for literal in head.condition)
    while pending:
        node, is_negated = pending.pop()
        kind = DependencyKind.NEGATIVE if is_negated else DependencyKind.POSITIVE
        match node:
            case Literal(atom, sign):
                pending.append((atom, is_negated or sign is not Sign.POSITIVE))
            case Atom():
                yield node.signature, kind, node.location, False
            case _ if isinstance(node, StreamingAtom):
                if isinstance(node.window, nodes.SinceWindow):
                    begun = node.window.atom
                    yield begun.signature, DependencyKind.BEGINNING, begun.location, False
                if not _sees_now(node, analysis):
                    continue
                yield (
                    node.atom.signature,
                    _own_kind(node) or kind,
                    node.location,
                    node.atom.signature in analysis.placed,
                )
            case _:
                pending += ((child, is_negated) for child in children(node))


def _own_kind(streaming: StreamingAtom) -> DependencyKind | None:
    """How a streaming atom needs its predicate wherever it stands; None where more atoms keep it true."""
    match streaming:
        case nodes.Count():
            return DependencyKind.COUNT
        case nodes.AtMost():
            return DependencyKind.NEGATIVE
        case nodes.Diamond() | nodes.Box() | nodes.AtTick() | nodes.AtLeast():
            return None
        case _:
            assert_never(streaming)


def _sees_now(streaming: StreamingAtom, analysis: ProgramAnalysis) -> bool:
    """Whether the window may hold what rules derive at this evaluation."""
    window = window_of(streaming, analysis.constants)
    if isinstance(window, LastArrivals):
        return False
    if isinstance(window, Since):
        return True
    return streaming.atom.signature in analysis.placed or window.includes_now
