"""Bodies of many members, joined in parts: the code of a body grows with the square of its parts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakValueDictionary

from lars2asp.runtime.evaluators.delta.rules.bodies import (
    Choice,
    Conjunct,
    Equation,
    GroupValue,
    Member,
    NormalRule,
    RowBody,
    variables_of,
)
from lars2asp.runtime.evaluators.delta.rules.term_forms import is_solvable, variables_in
from lars2asp.syntax.values import dataclass

MOST_JOINED = 12
"""The number of rows that must hold which are joined at once."""

MOST_PARTS = 40
"""The number of parts of a body that is not split."""

_AT_ONCE = 16
"""The number of parts that are joined at once where there are more."""


@dataclass(frozen=True, eq=False)
class PartialJoin:
    """A part of a body as a relation; parts that say the same are one object, as they nest deeply.

    Attributes:
        body: the part.
        variables: those that make the rows.
    """

    body: RowBody
    variables: tuple[str, ...]


_KNOWN: WeakValueDictionary[tuple[RowBody, tuple[str, ...]], PartialJoin] = WeakValueDictionary()


def split(rule: NormalRule) -> NormalRule:
    """The rule with partial joins in place of parts that are too many."""
    while True:
        parts = rule.body.parts
        if len(_rows(parts)) <= MOST_JOINED and len(parts) <= MOST_PARTS:
            return rule
        own = _together(parts)
        if len(own) < 2:
            return rule
        inner = [parts[place] for place in own]
        rest = [part for place, part in enumerate(parts) if place not in own]
        needed = {name for part in rest for name in variables_of(part)}
        needed.update(name for term in rule.terms for name in variables_in(term))
        kept = dict.fromkeys(name for part in inner for name in variables_of(part) if name in needed)
        body, names = RowBody(tuple(inner), rule.body.location).canonical()
        canonical = {name: found for found, name in names.items()}
        columns = tuple(canonical[name] for name in kept)
        partial = _KNOWN.setdefault((body, columns), PartialJoin(body, columns))
        rule = replace(rule, body=replace(rule.body, parts=(Member(partial, tuple(kept)), *rest)))


def _rows(parts: Sequence[Conjunct]) -> list[int]:
    """The places of members that must hold."""
    return [place for place, part in enumerate(parts) if isinstance(part, Member) and not part.is_negative]


def _together(parts: Sequence[Conjunct]) -> list[int]:
    """The places of parts that are joined at once, in the order of the body."""
    chosen = dict.fromkeys(_connected(parts))
    known = {name for place in chosen for name in variables_of(parts[place])}
    rows = {*_rows(parts)}
    waiting = [place for place in range(len(parts)) if place not in rows]
    is_more = True
    while is_more and len(chosen) < _AT_ONCE:
        is_more = False
        for place in waiting[:]:
            if len(chosen) < _AT_ONCE and _has_values(parts[place], known):
                waiting.remove(place)
                chosen[place] = None
                known.update(variables_of(parts[place]))
                is_more = True
    return sorted(chosen)


def _has_values(part: Conjunct, known: set[str]) -> bool:
    """Whether the variables of a part have values once others have."""
    match part:
        case Equation(variable, term):
            names = {*variables_in(term)}  # `_` is another variable wherever it is
            is_solved = known >= names or (variable in known and is_solvable(term))
            return is_solved and "_" not in names
        case Choice(_, term):
            return known.issuperset(variables_in(term))
        case GroupValue(_, group):
            return known.issuperset(group)
        case _:
            return known.issuperset(variables_of(part))


def _connected(parts: Sequence[Conjunct]) -> list[int]:
    """The places of members that are joined at once; mostly each has variables of others."""
    waiting = dict.fromkeys(_rows(parts))
    if not waiting:
        return []
    having: dict[str, list[int]] = {}
    for place in waiting:
        for name in dict.fromkeys(variables_of(parts[place])):
            having.setdefault(name, []).append(place)
    chosen, shared, known = list[int](), Counter[int](), set[str]()
    while waiting and len(chosen) < MOST_JOINED:
        common = sorted(filter(waiting.__contains__, shared))  # of equal ones the first is taken
        place = max(common, key=shared.__getitem__, default=next(iter(waiting)))
        if not chosen:
            place = next(iter(waiting))
        del waiting[place]
        chosen.append(place)
        for name in set(variables_of(parts[place])) - known:
            known.add(name)
            shared.update(having[name])
    return chosen
