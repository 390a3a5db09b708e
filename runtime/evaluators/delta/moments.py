"""Rules that fire only at ticks at which an atom arrives: what they look at besides may wait for these.

    large(P) :- payment(P,C,A), A >= 100000, not notice(C) in [7 day].

derives something only at a tick that has a payment. When a notice leaves the window without one, nothing
that is derived changes, and the tick needs no evaluation; nor does the tick after a payment, if nothing was
derived.
"""

from collections.abc import Collection, Iterable, Sequence

from lars2asp.analysis.windows import Sliding
from lars2asp.externals.views import Changes
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.rows.row_rules import LookupPart, RowRule, all_parts
from lars2asp.syntax.nodes import Sign, Signature

_OF_THE_TICK = (LookupKind.IN, LookupKind.ALWAYS, LookupKind.AT)
"""Kinds of lookups that ask for the current tick, where the window has no other."""


class Moments:
    """Those of some rules of a component that fire only at such ticks.

    Args:
        rules: the rules, but for those that only rename atoms: these hand on what they look at at once.
        derived: the predicates that the program derives.

    Attributes:
        guards: the predicates of the atoms that must arrive.
        lookups: those that no other rules look at.
        number: of the atoms of the predicates that such rules derive.
    """

    def __init__(self, rules: Sequence[RowRule], derived: Collection[Signature]) -> None:
        self._derived = derived
        guards = {rule: self._guard(rule) for rule in rules}
        momentary = [rule for rule, guard in guards.items() if guard is not None]
        others = [rule for rule, guard in guards.items() if guard is None]
        self.guards = frozenset(guard for guard in guards.values() if guard is not None)
        self.lookups = _lookups(momentary) - _lookups(others)
        self.number = 0
        self._heads = frozenset(rule.derives for rule in momentary)

    def _guard(self, rule: RowRule) -> Signature | None:
        """The predicate of an atom of the input that must hold at the current tick; None if there is none."""
        for part in rule.body:
            if isinstance(part, LookupPart) and part.sign is Sign.POSITIVE:
                kind, signature, window = part.lookup.kind, part.lookup.signature, part.lookup.window
                is_of_tick = kind is LookupKind.NOW or (kind in _OF_THE_TICK and window == Sliding(0))
                if is_of_tick and signature is not None and signature not in self._derived:
                    return signature
        return None

    def follow(self, changes: Iterable[tuple[Signature, Changes]]) -> None:
        """Takes the changes of what the component derives, all of those by these rules among them."""
        for signature, (began, ended) in changes:
            if signature in self._heads:
                self.number += len(began) - len(ended)


def _lookups(rules: Iterable[RowRule]) -> frozenset[Lookup]:
    """What the bodies of rules look at."""
    parts = (part for rule in rules for part in all_parts(rule.body))
    return frozenset(part.lookup for part in parts if isinstance(part, LookupPart))
