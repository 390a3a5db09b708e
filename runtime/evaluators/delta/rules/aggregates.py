"""Aggregates as relations: of the groups for which bounds are met, or of groups and values."""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from lars2asp.externals.terms.order import value_key
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM
from lars2asp.externals.terms.terms import Value as GroundValue
from lars2asp.planning.lookups import LookupKind
from lars2asp.planning.rows.row_rules import AggregatePart, BodyPart, ConditionPart, LookupPart
from lars2asp.planning.rows.row_terms import bindings, has_several_values, terms_of, variables_of_parts
from lars2asp.runtime.evaluators.delta.rules.bodies import NormalRule
from lars2asp.runtime.evaluators.delta.rules.term_forms import variables_in
from lars2asp.syntax.values import dataclass

_EMPTY: dict[str, GroundValue] = {"#count": 0, "#sum": 0, "#sum+": 0, "#min": SUPREMUM, "#max": INFIMUM}


@dataclass(frozen=True, slots=True)
class RowAggregate:
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

    aggregate: RowAggregate
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

    aggregate: RowAggregate


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


def variables_of_elements(part: AggregatePart) -> list[str]:
    """The variables of elements, each once; `_` is none."""
    several = (one for element in part.elements for one in (element.terms, *map(terms_of, element.body)))
    names = (name for terms in several for term in terms for name in variables_in(term))
    return [name for name in dict.fromkeys(names) if name != "_"]


def context(group: Sequence[str], own: Sequence[BodyPart], outer: Sequence[BodyPart]) -> tuple[BodyPart, ...]:
    """The parts of a rule that an element needs besides its own to bind the variables of the group."""
    known = set(bound_by(own))
    missing = [name for name in group if name not in known]
    if not missing:
        return ()
    binding = bound_by(outer)
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


def tests_of(
    group: Sequence[str], chosen: Sequence[BodyPart], outer: Sequence[BodyPart]
) -> tuple[BodyPart, ...]:
    """The other parts of a rule that say for which groups its body may be true.

    An element with intervals has them, too: for other groups no number is enumerated.
    """
    known, ids = {*group, *variables_of_parts(chosen)}, set(map(id, chosen))
    return tuple(
        part
        for part in outer
        if id(part) not in ids
        and variables_of_parts((part,)) <= known
        and (
            (isinstance(part, LookupPart) and part.lookup.kind is not LookupKind.OWN)
            or (isinstance(part, ConditionPart) and not any(map(has_several_values, terms_of(part))))
        )
    )


def bound_by(parts: Sequence[BodyPart]) -> dict[str, tuple[BodyPart, set[str]]]:
    """The variables that parts bind: for each the first part that does, and the variables that it needs."""
    found: dict[str, tuple[BodyPart, set[str]]] = {}
    everywhere = variables_of_parts(parts)
    waiting = [(part, *binding) for part in parts for binding in bindings(part, everywhere)]
    waiting.sort(key=lambda one: (not isinstance(one[0], LookupPart), isinstance(one[0], AggregatePart)))
    while True:
        for part, provided, needed in waiting:
            if needed <= found.keys() and not provided <= found.keys():
                found |= {name: (part, needed) for name in provided if name not in found}
                break
        else:
            return found
