"""Finds the next tick at which rules may fire as atoms go on to hold.

Answers to `at T` and to counts change from tick to tick while atoms hold on. Where the rules that ask for
them cannot fire, since other atoms of their bodies do not hold, such ticks need no evaluation.
"""

from collections.abc import Collection, Iterable, Iterator

from lars2asp.externals.database import IntervalDatabase
from lars2asp.externals.timer import GROWING, turns_by_itself
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.rows.delta_rules import DeltaRules
from lars2asp.planning.rows.row_rules import AggregatePart, BodyPart, LookupPart
from lars2asp.syntax.nodes import Sign


class Growth:
    """Finds that tick for the rules of one component.

    Args:
        rules: the rules.
        lookups: those that the evaluator looks at.
    """

    def __init__(self, rules: DeltaRules, lookups: Collection[Lookup]) -> None:
        self._growing = [one for one in lookups if one.signature is not None and one.kind in GROWING]
        self._turning = [one for one in lookups if turns_by_itself(one)]
        self.is_possible = bool(self._growing or self._turning)
        """Whether there may be such a tick."""
        changing = {*self._growing, *self._turning}
        self._bodies: list[tuple[frozenset[Lookup], tuple[Lookup, ...]]] = []
        """Of each rule the lookups that may grow, and those without an answer to which it cannot fire."""
        for rule in rules.rules if self.is_possible else ():
            growing = changing.intersection(_lookups(rule.body))
            if growing:
                self._bodies.append((frozenset(growing), tuple(_needed(rule.body))))

    def next_change(self, database: IntervalDatabase, now: int) -> int | None:
        """The first tick after now at which a rule may fire, or cease to, by that; None for none."""
        is_growing = bool(self._growing and database.agenda.growing)
        if not self._turning and not is_growing:
            return None
        ticks = {lookup: database.next_turn(lookup, now) for lookup in self._turning}
        if is_growing:
            ticks |= {lookup: database.next_growth(lookup, now) for lookup in self._growing}
        restless = {lookup: tick for lookup, tick in ticks.items() if tick is not None}
        if not restless:
            return None
        found = [
            min(restless[lookup] for lookup in growing if lookup in restless)
            for growing, needed in self._bodies
            if not growing.isdisjoint(restless)
            and all(lookup in restless or _goes_on(lookup, database, now) for lookup in needed)
        ]
        return min(found, default=None)


def _goes_on(lookup: Lookup, database: IntervalDatabase, now: int) -> bool:
    """Whether there may be an answer after the current tick."""
    if lookup.kind is LookupKind.NOW and lookup.signature is not None:
        return database.holds_on(lookup.signature)
    return database.has_answer(lookup, now)


def _needed(body: Iterable[BodyPart]) -> Iterator[Lookup]:
    """The lookups that must have an answer."""
    for part in body:
        match part:
            case LookupPart(lookup, _, Sign.POSITIVE) if lookup.kind is not LookupKind.OWN:
                yield lookup


def _lookups(body: Iterable[BodyPart]) -> Iterator[Lookup]:
    """All lookups of a body."""
    for part in body:
        match part:
            case LookupPart(lookup):
                yield lookup
            case AggregatePart(_, elements):
                for element in elements:
                    yield from _lookups(element.body)
