"""Rules that fire only at ticks at which an atom arrives: what they look at besides may wait for these.

    large(P) :- payment(P,C,A), A >= 100000, not notice(C) in [7 day].

derives something only at a tick that has a payment. When a notice leaves the window without one, nothing
that is derived changes, and the tick needs no evaluation; nor does the tick after a payment, if nothing was
derived.
"""

from collections.abc import Iterable, Sequence

from lars2asp.externals.views import Changes
from lars2asp.planning.arrivals import Arrivals, needs_one_of
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.rows.row_rules import LookupPart, RowRule, all_parts
from lars2asp.syntax.nodes import Signature


class Moments:
    """Those of some rules of a component that fire only at such ticks.

    Args:
        rules: the rules, but for those that only rename atoms: these hand on what they look at at once.
        arrivals: for the predicates that the program derives, what must arrive for their atoms to hold.

    Attributes:
        guards: the predicates of the input of which some must arrive.
        lookups: those that no other rules look at.
        number: of the atoms of the predicates that such rules derive.
    """

    def __init__(self, rules: Sequence[RowRule], arrivals: Arrivals) -> None:
        needed = {rule: needs_one_of(rule, arrivals) for rule in rules}
        momentary = [rule for rule, guards in needed.items() if guards]
        others = [rule for rule, guards in needed.items() if not guards]
        self.guards = frozenset[Signature]().union(*needed.values())
        self.lookups = _lookups(momentary) - _lookups(others)
        self.number = 0
        self._heads = frozenset(rule.derives for rule in momentary)

    def follow(self, changes: Iterable[tuple[Signature, Changes]]) -> None:
        """Takes the changes of what the component derives, all of those by these rules among them."""
        for signature, (began, ended) in changes:
            if signature in self._heads:
                self.number += len(began) - len(ended)


def _lookups(rules: Iterable[RowRule]) -> frozenset[Lookup]:
    """What the bodies of rules look at."""
    parts = (part for rule in rules for part in all_parts(rule.body))
    return frozenset(part.lookup for part in parts if isinstance(part, LookupPart))
