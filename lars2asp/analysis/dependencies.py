"""The stream dependency graph: which predicates rules need now to derive others.

Eiter, Ogris, Schekotihin (2019), definitions 7 to 9: a streaming atom depends on its predicate as far as its
window sees what is derived at the current evaluation. The past is settled, and arrivals are input alone.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, assert_never

from lars2asp.analysis.predicates import HeadAtom, head_atoms, offset_from_now, window_of
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


def dependencies(
    analysis: ProgramAnalysis,
    *,
    at_one_tick: bool = False,
    derives: Callable[[Rule, HeadAtom], Signature] = lambda rule, head: head.atom.signature,
    apart: Collection[Signature] = (),
    late: Collection[Signature] = (),
) -> Iterator[Dependency]:
    """The edges of the stream dependency graph, in the order of the rules.

    Args:
        analysis: the program.
        at_one_tick: whether heads `at @now + k` with k > 0 are left out: they derive nothing that their own
            evaluation looks at.
        derives: gives the predicate that a rule derives for its head.
        apart: predicates of which the atoms that heads place are derived as those of other predicates.
        late: such predicates of which atoms may be placed at ticks up to the current one.
    """
    constants, placed = analysis.constants, analysis.placed
    if at_one_tick:
        placed = frozenset(
            head.atom.signature
            for _, head in analysis.heads
            if head.tick is not None and not _is_ahead(head, constants)
        )
    for rule in analysis.rules:
        heads = {
            derives(rule, head): None
            for head in head_atoms(rule)
            if not (at_one_tick and _is_ahead(head, constants))
        }
        for needed, kind, location, is_mutual in _needs(rule, analysis, placed.difference(apart), late):
            yield from (Dependency(head, needed, kind, location, is_mutual) for head in heads)


def _is_ahead(head: HeadAtom, constants: Mapping[str, int]) -> bool:
    """Whether a head derives its atom for a later tick, however late it is."""
    return head.tick is not None and (offset_from_now(head.tick, constants) or 0) < 0


def _needs(
    rule: Rule, analysis: ProgramAnalysis, placed: Collection[Signature], late: Collection[Signature]
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
                if not (node.atom.signature in late or _sees_now(node, analysis, placed)):
                    continue
                yield (
                    node.atom.signature,
                    _own_kind(node) or kind,
                    node.location,
                    node.atom.signature in placed,
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


def _sees_now(streaming: StreamingAtom, analysis: ProgramAnalysis, placed: Collection[Signature]) -> bool:
    """Whether the window may hold what rules derive at this evaluation."""
    window = window_of(streaming, analysis.constants)
    if isinstance(window, LastArrivals):
        return False
    if isinstance(window, Since):
        return True
    return streaming.atom.signature in placed or window.includes_now
