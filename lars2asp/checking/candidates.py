"""The instances of rules that may derive an atom at a tick, as far as their heads say."""

from collections.abc import Iterator

from lars2asp.analysis.predicates import HeadAtom, head_atoms
from lars2asp.definition.matching import match, match_all
from lars2asp.definition.stream import NaiveStream
from lars2asp.definition.terms import Bindings, is_multiple, row, value, written_out
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Rule
from lars2asp.syntax.traversal import every, walk

Candidate = tuple[int, HeadAtom, Bindings]
"""An instance of a rule that may derive an atom: the tick of evaluation, the head, and what it binds."""


def candidates_for(
    stream: NaiveStream, rule: Rule, atom: nodes.Atom, tick: int, now: int
) -> Iterator[Candidate]:
    """The ticks of evaluation at which a head of a rule can be the atom at its tick, and what it binds."""
    for head in head_atoms(rule):
        is_lasting = stream.is_recorded and not rule.is_temporary
        ticks = range(stream.start if is_lasting else now, now + 1)
        for at in ticks if head.tick is not None else [tick] if tick in ticks else []:
            known = unified(stream, head, atom, tick, stream.bindings(at))
            if known is not None:
                yield at, head, known


def unified(
    stream: NaiveStream, head: HeadAtom, atom: nodes.Atom, tick: int, known: Bindings
) -> Bindings | None:
    """What a head binds if it is to be the atom at a tick; None if it cannot be."""
    if head.atom.signature != atom.signature:
        return None
    full = nodes.AtTick(head.atom, head.tick or nodes.NOW)
    is_ground = all(variable.name in known for variable in every(nodes.Variable, full))
    several = [part for part in walk(full) if is_multiple(part)]
    is_known = all(variable.name in known for variable in every(nodes.Variable, *several))
    for one in written_out(full, known, stream.functions) if is_known else [full]:
        found = match(one.tick, tick, known)
        before = None
        while found is not None and found != before:  # an argument may not fit what a later one binds
            before = found
            for term, wanted in zip(one.atom.arguments, atom.arguments, strict=True):
                found = None if found is None else meet(term, wanted, found)
        found = None if found is None else match(one.tick, tick, found)  # with what the atom binds
        values = row(one.atom.arguments, known)
        if is_ground and (values is None or match_all(atom.arguments, values, {}) is None):
            continue  # what has no value is not an instance
        if found and not is_ground and all(one.name in found for one in every(nodes.Variable, full)):
            found = unified(stream, head, atom, tick, found)  # what is bound on the way may not fit
        if found:
            return found
    return None


def meet(term: nodes.Term, wanted: nodes.Term, known: Bindings) -> Bindings | None:
    """What a term binds if it is to be another one, whose variables stand for anything."""
    here, there = value(term, known), value(wanted, {})
    if there is not None:
        return match(term, there, known)
    if here is not None:
        return None if match(wanted, here, {}) is None else known
    match term, wanted:
        case (nodes.Function(_, one, False), nodes.Function(_, two, False)) | (
            nodes.Tuple(one),
            nodes.Tuple(two),
        ):
            is_alike = getattr(term, "name", "") == getattr(wanted, "name", "") and len(one) == len(two)
            found: Bindings | None = known if is_alike else None
            for inner, other in zip(one, two, strict=False):
                found = None if found is None else meet(inner, other, found)
            return found
        case (nodes.Function(is_external=False), nodes.Tuple()) | (
            nodes.Tuple(),
            nodes.Function(is_external=False),
        ):
            return None
    return known
