"""Bodies of many members, joined in parts: Python nests no more than 20 loops."""

from collections.abc import Sequence
from dataclasses import replace

from lars2asp.runtime.evaluators.delta.rules.bodies import (
    Conjunct,
    Member,
    NormalRule,
    RowBody,
    Test,
    variables_of,
)
from lars2asp.runtime.evaluators.delta.rules.term_forms import variables_in
from lars2asp.syntax.values import dataclass

MOST_JOINED = 12
"""The number of rows that must hold which are joined at once."""


@dataclass(frozen=True, slots=True)
class PartialJoin:
    """A part of a body as a relation.

    Attributes:
        body: the part.
        variables: those that make the rows.
    """

    body: RowBody
    variables: tuple[str, ...]


def split(rule: NormalRule) -> NormalRule:
    """The rule with partial joins in place of members that are too many."""
    while True:
        parts = rule.body.parts
        members = [part for part in parts if isinstance(part, Member) and not part.is_negative]
        if len(members) <= MOST_JOINED:
            return rule
        chosen = _connected(members)
        known = {name for part in chosen for name in part.variables}
        tests = [part for part in parts if isinstance(part, Test) and known.issuperset(variables_of(part))]
        own: list[Conjunct] = [*chosen, *tests]
        rest = [part for part in parts if part not in own]
        needed = {name for part in rest for name in variables_of(part)}
        needed.update(name for term in rule.terms for name in variables_in(term))
        kept = dict.fromkeys(name for part in chosen for name in part.variables if name in needed)
        body, names = RowBody(tuple(own), rule.body.location).canonical()
        canonical = {name: found for found, name in names.items()}
        partial = PartialJoin(body, tuple(canonical[name] for name in kept))
        rule = replace(rule, body=replace(rule.body, parts=(Member(partial, tuple(kept)), *rest)))


def _connected(members: Sequence[Member]) -> list[Member]:
    """As many members as are joined at once; each has variables of others where there is such a one."""
    chosen, waiting = [members[0]], list(members[1:])
    known = set(members[0].variables)
    while len(chosen) < MOST_JOINED:
        member = max(waiting, key=lambda one: len(known.intersection(one.variables)))
        waiting.remove(member)
        chosen.append(member)
        known.update(member.variables)
    return chosen
