"""Atoms that hold only at ticks at which something arrives, by the rules that derive them.

    paid(C,A)   :- payment(C,A,"approved").
    alarm(C)    :- paid(C,A), A > 100, not notice(C) in [7 day].

`paid` and `alarm` hold only while an atom of `payment` does, or one of their own that is input.
"""

from collections.abc import Iterable, Mapping

from lars2asp.analysis.windows import Sliding
from lars2asp.planning.lookups import LookupKind
from lars2asp.planning.plan import Component
from lars2asp.planning.rows.row_rules import LookupPart, RowRule
from lars2asp.syntax.nodes import Sign, Signature

Arrivals = Mapping[Signature, frozenset[Signature]]
"""By predicates those of which the input must have an atom where one of theirs holds; none where none must.

Predicates of the input alone may be left out.
"""

_OF_THE_TICK = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT)
"""Kinds of lookups that ask for the current tick, where the window has no other."""


def arrivals(components: Iterable[Component], lasting: Iterable[Signature] = ()) -> Arrivals:
    """What must arrive for atoms of predicates to hold.

    Args:
        components: the components of the program, lowest first.
        lasting: the predicates of background data and of the calendar, for which nothing need arrive.
    """
    found: dict[Signature, frozenset[Signature]] = dict.fromkeys(lasting, frozenset())
    always = frozenset(found)
    for component in components:
        found |= dict.fromkeys(component.derives, frozenset())
        needed: dict[Signature, list[frozenset[Signature]]] = {}
        for rule in component.delta_rules.rules:
            needed.setdefault(rule.derives, []).append(needs_one_of(rule, found))
        for signature, of_rules in needed.items():
            if signature not in always and all(of_rules):
                found[signature] = frozenset({signature}).union(*of_rules)
    return found


def needs_one_of(rule: RowRule, known: Arrivals) -> frozenset[Signature]:
    """Predicates of which the input must have an atom where a rule fires; none where it may fire without."""
    needed = [
        known.get(signature, frozenset({signature}))
        for part in rule.body
        if isinstance(part, LookupPart) and part.sign is Sign.POSITIVE
        if (signature := part.lookup.signature) is not None
        if part.lookup.kind is LookupKind.NOW
        or (part.lookup.kind in _OF_THE_TICK and part.lookup.window == Sliding(0))
    ]
    return min(filter(None, needed), key=len, default=frozenset())
