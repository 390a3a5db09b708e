"""Aggregates as relations: of the groups for which bounds are met, or of groups and values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lars2asp.externals.terms.order import value_key
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM
from lars2asp.externals.terms.terms import Value as GroundValue
from lars2asp.planning.row_rules import AggregatePart, BodyPart, ConditionPart, LookupPart
from lars2asp.runtime.evaluators.delta.rules.bodies import NormalRule
from lars2asp.runtime.evaluators.delta.rules.term_forms import (
    is_call,
    is_interval,
    is_structure,
    linear_form,
    variables_in,
)
from lars2asp.syntax.nodes import Sign, Term, UnaryOperation, Variable

_EMPTY: dict[str, GroundValue] = {"#count": 0, "#sum": 0, "#sum+": 0, "#min": SUPREMUM, "#max": INFIMUM}


@dataclass(frozen=True, slots=True)
class Aggregate:
    """An aggregate, by what it is about.

    Attributes:
        function: `#count`, `#sum`, `#sum+`, `#min` or `#max`.
        canonical: for each element a rule that derives the variables of the group, and the tuple; its
            variables are named by their order.
        size: the number of variables of the group.
        occurrence: how many equal ones stand before in a body that asks for their values.
        elements: the same rules as they were written first.
    """

    function: str
    canonical: tuple[NormalRule, ...]
    size: int
    occurrence: int = 0
    elements: tuple[NormalRule, ...] = field(default=(), compare=False, repr=False)

    @property
    def empty(self) -> GroundValue:
        """The value of an empty group."""
        return _EMPTY[self.function]

    @property
    def is_number(self) -> bool:
        """Whether values are numbers for certain."""
        return self.function not in ("#min", "#max")


@dataclass(frozen=True, slots=True)
class Bounded:
    """The groups that meet bounds, or those that do not if empty groups do.

    Attributes:
        aggregate: the aggregate.
        guards: the bounds, each to be read as `value comparison bound`.
    """

    aggregate: Aggregate
    guards: tuple[tuple[str, GroundValue], ...]

    @property
    def is_met_by_empty(self) -> bool:
        """Whether empty groups meet the bounds."""
        key = value_key(self.aggregate.empty)
        return all(_compared(key, comparison, value_key(bound)) for comparison, bound in self.guards)


@dataclass(frozen=True, slots=True)
class Valued:
    """The groups and their values.

    Attributes:
        aggregate: the aggregate.
    """

    aggregate: Aggregate


def _compared(one: tuple[Any, ...], comparison: str, other: tuple[Any, ...]) -> bool:
    match comparison:
        case "=":
            return one == other
        case "!=":
            return one != other
        case "<":
            return one < other
        case "<=":
            return one <= other
        case ">":
            return one > other
        case _:
            return one >= other


def outer_variables(terms: Sequence[Term], parts: Sequence[BodyPart]) -> set[str]:
    """The variables that stand outside of elements."""
    found = {name for term in terms for name in variables_in(term)}
    for part in parts:
        found.update(name for term in _outer_terms(part) for name in variables_in(term))
    return found - {"_"}


def group_of(part: AggregatePart, everywhere: set[str]) -> tuple[str, ...]:
    """The variables of elements that stand outside as well."""
    return tuple(name for name in variables_of_elements(part) if name in everywhere)


def variables_of_elements(part: AggregatePart) -> list[str]:
    """The variables of elements, each once; `_` is none."""
    names: dict[str, None] = {}
    for element in part.elements:
        for term in element.terms:
            names |= dict.fromkeys(variables_in(term))
        for inner in element.body:
            names |= dict.fromkeys(name for term in _outer_terms(inner) for name in variables_in(term))
    names.pop("_", None)
    return list(names)


def context(group: Sequence[str], own: Sequence[BodyPart], outer: Sequence[BodyPart]) -> tuple[BodyPart, ...]:
    """The parts of a rule that an element needs besides its own to bind the variables of the group."""
    known = set(_bound(own))
    missing = [name for name in group if name not in known]
    if not missing:
        return ()
    binding = _bound(outer)
    chosen: dict[int, BodyPart] = {}
    while missing:
        name = missing.pop()
        if name in known or name not in binding:
            continue
        known.add(name)
        part, needed = binding[name]
        chosen[id(part)] = part
        missing += needed
    return tuple(part for part in outer if id(part) in chosen)


def _bound(parts: Sequence[BodyPart]) -> dict[str, tuple[BodyPart, tuple[str, ...]]]:
    """The variables that parts bind: for each the first part that does, and the variables that it needs."""
    found: dict[str, tuple[BodyPart, tuple[str, ...]]] = {}
    everywhere = outer_variables((), parts)
    waiting = [(part, *arc) for part in parts for arc in _arcs(part, everywhere)]
    waiting.sort(key=lambda one: (not isinstance(one[0], LookupPart), isinstance(one[0], AggregatePart)))
    while True:
        for part, provided, needed in waiting:
            if found.keys() >= set(needed) and not found.keys() >= set(provided):
                found |= {name: (part, needed) for name in provided if name not in found}
                break
        else:
            return found


def _arcs(part: BodyPart, everywhere: set[str]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Variables that a part binds, once others are bound."""
    match part:
        case LookupPart(_, terms, Sign.POSITIVE):
            return [(tuple(name for term in terms for name in _matched(term)), ())]
        case ConditionPart(left, "=", right):
            sides = ((left, right), (right, left))
            return [(tuple(_matched(one)), tuple(variables_in(other))) for one, other in sides]
        case AggregatePart(_, _, guards, Sign.POSITIVE):
            group = group_of(part, everywhere)
            return [(tuple(_matched(term)), group) for comparison, term in guards if comparison == "="]
        case _:
            return []


def _matched(term: Term) -> list[str]:
    """The variables that are bound when a term is matched with a value."""
    if isinstance(term, Variable):
        return [term.name] if term.name != "_" else []
    if is_interval(term) or is_call(term):
        return []
    if is_structure(term):
        return [name for argument in term.arguments for name in _matched(argument)]
    form = linear_form(term)
    if form is not None:
        return [form.variable]
    if isinstance(term, UnaryOperation) and term.operator == "-":
        return _matched(term.argument)
    return []


def _outer_terms(part: BodyPart) -> list[Term]:
    match part:
        case LookupPart(_, terms):
            return list(terms)
        case ConditionPart(left, _, right):
            return [left, right]
        case AggregatePart(_, _, guards):
            return [term for _, term in guards]
