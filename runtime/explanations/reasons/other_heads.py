"""Heads with terms that are worked out: other atoms than the one that is asked about, and `@`-calls."""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import Any, NamedTuple

from lars2asp.analysis.predicates import HeadAtom
from lars2asp.externals.terms.terms import Value
from lars2asp.runtime.explanations.past.terms import Binding, Terms, with_values
from lars2asp.runtime.explanations.reasons.growing_tree import Spot
from lars2asp.runtime.explanations.reasons.heads import Furthest, HeadRule, Requirements, Wanted
from lars2asp.runtime.explanations.reasons.literals import Literals
from lars2asp.runtime.explanations.words.claims import Called, OtherHead
from lars2asp.runtime.explanations.words.instances import ClaimedAtom, Instance
from lars2asp.syntax import nodes
from lars2asp.syntax.traversal import children, variable_names

MOST_INSTANCES = 1000
"""The number of instances among which the nearest are looked for."""

MOST_SHOWN = 3
"""The number of instances that are shown."""

_FAR = 1 << 40
"""The distance of values that are not both numbers."""


class _Head(NamedTuple):
    """The head of an instance; of several that it has, the one nearest to the atom that is asked about."""

    arguments: tuple[Value | nodes.Term, ...]
    tick: int | None
    number: int
    distance: tuple[int, ...]


def other_heads(
    requirements: Requirements,
    literals: Literals,
    wanted: Wanted,
    rule: HeadRule,
    furthest: Furthest,
    spot: Spot,
) -> tuple[tuple[OtherHead, ...], bool]:
    """The nearest instances for which the literal that failed is true, and whether there are more.

    There are none if it is not true with the values of the instance that got furthest.

    Args:
        requirements: finds instances of rules.
        literals: explains literals.
        wanted: the atom that is asked about, and the head that was to be it.
        rule: the rule.
        furthest: its instance that got furthest.
        spot: where in the tree.
    """
    start, failed = wanted.start(), furthest.place
    if start is None or failed is None:
        return (), False
    if not requirements.is_true(rule, failed, furthest.binding, wanted.at):
        return (), False
    places = [*furthest.before, failed]
    heads: dict[frozenset[tuple[str, Value]], tuple[_Head, Binding]] = {}
    for binding in islice(requirements.instances_of(rule, places, start, wanted.at), MOST_INSTANCES):
        heads.setdefault(frozenset(binding.items()), (_head(wanted, binding), binding))
    names = variable_names(wanted.head.atom, *([] if wanted.head.tick is None else [wanted.head.tick]))
    shown = [
        place for place in sorted(places) if place == failed or variable_names(rule.literals[place]) & names
    ]
    found = []
    for head, binding in sorted(heads.values(), key=lambda one: one[0].distance)[:MOST_SHOWN]:
        parts = {place: literals.true(rule, place, binding, spot, rests=False) for place in shown}
        told = {place: part for place, part in parts.items() if part is not None}
        of = rule.numbers.atom(wanted.head.atom.signature, head.arguments)
        bound = rule.bound(binding, told)
        found.append(OtherHead(of, head.tick, bound, tuple(told.values()), head.number))
    return tuple(found), len(heads) > len(found)


def _head(wanted: Wanted, binding: Binding) -> _Head:
    """The nearest head of an instance; of one that has none, such as `e(4/0)`, its text."""
    terms, head, at = wanted.terms, wanted.head, wanted.at
    ticks: Sequence[Value | None] = [at]
    if head.tick is not None:
        is_known = terms.is_bound(head.tick, binding)
        ticks = [*terms.values(head.tick, binding, at)] if is_known else [None]
    columns: list[list[Value | None]] = [list(dict.fromkeys(ticks))]
    for term in head.atom.arguments:
        is_known = terms.is_bound(term, binding)
        columns.append([*dict.fromkeys(terms.values(term, binding, at))] if is_known else [None])
    meant = (wanted.tick, *wanted.arguments)
    nearest = [
        min(column, key=lambda value, to=to: _distance(value, to), default=None)  # type: ignore[misc]
        for column, to in zip(columns, meant, strict=True)
    ]
    tick, *row = nearest
    arguments: tuple[Any, ...] = tuple(
        with_values(term, binding) if value is None else value
        for term, value in zip(head.atom.arguments, row, strict=True)
    )
    distances = tuple(
        _distance(value, to) if column else _FAR
        for column, value, to in zip(columns, nearest, meant, strict=True)
    )
    return _Head(arguments, tick if type(tick) is int else None, prod(map(len, columns)), distances)


def _distance(value: Value | None, to: Value | None) -> int:
    if value is None or to is None or (value == to and type(value) is type(to)):
        return 0
    return abs(value - to) if type(value) is int and type(to) is int else _FAR


def called_in(
    terms: Terms, head: HeadAtom, binding: Binding, atom: ClaimedAtom, at: int
) -> tuple[Called, ...]:
    """The calls of `@`-functions in a head, and what they gave; of several values, the one in the atom.

    Args:
        terms: what terms stand for.
        head: the head.
        binding: the values of the instance.
        atom: the atom.
        at: the tick of evaluation.
    """
    calls = [call for term in (*head.atom.arguments, head.tick) if term for call in _outer_calls(term)]
    if not calls:
        return ()
    arguments = head.atom.arguments
    row = next((one for one in terms.rows(arguments, binding, at) if one == atom.row), ())
    known = {id(term): value for term, value in zip(arguments, row, strict=False)}
    found = []
    for call in calls:
        values = list(islice(terms.values(call, binding, at), 2))
        value = known.get(id(call), values[0] if len(values) == 1 else None)
        if value is not None:
            found.append(Called(Instance(call, binding), value))
    return tuple({(one.call, one.result): one for one in found}.values())


def _outer_calls(term: nodes.Node) -> Iterator[nodes.Function]:
    """The calls in a term that are within no other call."""
    if isinstance(term, nodes.Function) and term.is_external:
        if term != nodes.NOW:
            yield term
        return
    for child in children(term):
        yield from _outer_calls(child)
