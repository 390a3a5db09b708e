"""Checks of what an explanation says of the head of a rule: other atoms, `@`-calls, and later evaluations."""

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import Any

from lars2asp.analysis.predicates import HeadAtom, head_atoms, offset_from_now
from lars2asp.checking.candidates import Candidate, unified
from lars2asp.checking.claim_checks import checked_statement, places_of
from lars2asp.checking.explanation_shapes import FaultError, Json, bare, need, shaped
from lars2asp.checking.rule_instances import Required, named_by, required_by, solve
from lars2asp.definition.stream import NaiveStream
from lars2asp.definition.terms import Bindings, Value, instance_text, read_atom, read_row, value, written_out
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Program, Rule
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import children, variable_names

Asked = tuple[nodes.Atom, int]
"""An atom and its tick."""


def other_heads(
    stream: NaiveStream,
    rule: Rule,
    failed: Json,
    candidates: Iterable[Candidate],
    asked: Asked,
    known_of: Callable[[Json], Bindings],
) -> Iterator[tuple[Any, Required, Bindings]]:
    """Checks instances whose head is another atom than the one that is asked about.

    Args:
        stream: what holds when.
        rule: the rule.
        failed: what is said of it.
        candidates: its instances that may derive the atom.
        asked: the atom, and its tick.
        known_of: the values of an instance.

    Yields:
        The literals that are said to be true, with the literals of the rule and the values of the instance.
    """
    others, here = failed.get("others", []), [one for one in candidates if one[0] == failed["at"]]
    if not (others or "more" in failed):
        return
    need(failed["failed"] is not None, "only where a literal failed there are other heads")
    last = named_by(rule, failed["failed"])
    prefixes = []
    for _, head, bound in here:
        planned = required_by(stream, rule, head, bound)
        if last in planned:
            prefixes.append((planned[: planned.index(last) + 1], bound))
    for other in others:
        known = known_of(shaped(other, "other")["bindings"])
        made = (one for prefix, _ in prefixes for one in solve(stream, rule, prefix, known))
        need(any(one.keys() == known.keys() for one in made), "an instance with another head is none")
        need(
            any(_is_other(stream, head, asked, other, known) for _, head, _ in here),
            f"the instance has not the head `{other['atom']}`, or it may be the atom that is asked about",
        )
        for literal in other["body"]:
            part = named_by(rule, literal)
            if part is None or not any(part in prefix for prefix, _ in prefixes):
                raise FaultError("a literal was not looked at")
            yield literal, part, known
    if failed.get("more"):
        found = {
            frozenset(one.items()) for prefix, bound in prefixes for one in solve(stream, rule, prefix, bound)
        }
        need(len(found) > len(others), "there are no more instances with other heads")


def _is_other(stream: NaiveStream, head: HeadAtom, asked: Asked, other: Json, known: Bindings) -> bool:
    """Whether an instance has a head that is said, and not the one that is asked about."""
    told = read_atom(other["atom"])
    is_head = head.atom.signature == told.signature and _is_head(stream, head, told, other, known)
    return is_head and unified(stream, head, *asked, known) is None


def _is_head(stream: NaiveStream, head: HeadAtom, told: nodes.Atom, other: Json, known: Bindings) -> bool:
    pairs = [*zip(head.atom.arguments, told.arguments, strict=True)]
    counts = []
    for term, one in pairs:
        if variable_names(term) <= known.keys():
            values = _values(stream, term, known)
            counts.append(len(values))
            if values and value(one, {}) not in values:
                return False
            if values:
                continue
        (meant,) = read_atom(f"v({instance_text(term, known)})").arguments
        if bare(to_text(meant)) != bare(to_text(one)):
            return False
    tick: nodes.Term = head.tick or nodes.NOW
    if variable_names(tick) <= known.keys():
        ticks = _values(stream, tick, known)
        counts.append(len(ticks))
    else:
        ticks = set()
    is_tick = other["tick"] in ticks if ticks else other["tick"] is None
    return is_tick and other.get("count", 1) == prod(counts)


def _values(stream: NaiveStream, term: nodes.Term, known: Bindings) -> set[Value]:
    """The values of a term: intervals and calls may have several."""
    found = (value(one, known) for one in written_out(term, known, stream.functions))
    return {one for one in found if one is not None}


def check_calls(stream: NaiveStream, rule: Rule, claim: Json, known: Bindings) -> None:
    """Checks what the calls of `@`-functions in a head are said to give."""
    calls: dict[str, set[Value]] = {}
    for head in head_atoms(rule):
        for call in _calls(nodes.AtTick(head.atom, head.tick or nodes.NOW)):
            if variable_names(call) <= known.keys():
                calls[bare(instance_text(call, known))] = _values(stream, call, known)
    for one in claim.get("calls", ()):
        call, given = shaped(one, "call")["call"], read_row(f"v({one['value']})")
        need(bare(call) in calls, f"`{call}` is not called in the head")
        need(len(given) == 1 and given[0] in calls[bare(call)], f"`{call}` does not give {one['value']}")


def _calls(node: nodes.Node) -> Iterator[nodes.Function]:
    """The calls of `@`-functions in a node that are within no other call."""
    if isinstance(node, nodes.Function) and node.is_external:
        yield from [] if node == nodes.NOW else [node]
        return
    for child in children(node):
        yield from _calls(child)


def check_later(program: Program, stream: NaiveStream, claim: Json, atom: nodes.Atom) -> None:
    """Checks which rules are said to place an atom at its tick only when they are evaluated later."""
    told = {}
    for one in claim.get("later", ()):
        number = checked_statement(program, shaped(one, "late")["statement"])
        need(number not in told, "a statement is listed twice")
        told[number] = one["at"]
    numbers = {name: one for name, one in stream.bindings(claim["tick"]).items() if isinstance(one, int)}
    found: dict[int, int] = {}
    for number, rule in stream.rules.items():
        for head in head_atoms(rule):
            offset = None if head.tick is None else offset_from_now(head.tick, numbers)
            at = claim["tick"] + (offset or 0)
            is_late = offset is not None and at > claim["seen_at"]
            if is_late and unified(stream, head, atom, claim["tick"], stream.bindings(at)) is not None:
                found.setdefault(number, at)
    need(told == found, f"the rules that are evaluated later are {places_of(program, found)}")
