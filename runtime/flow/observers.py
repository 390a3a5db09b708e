"""Which lookups say at which ticks rules can use answers that grow while rows hold on."""

from collections.abc import Collection, Iterable, Iterator

from lars2asp.planning.lookups import Lookup
from lars2asp.planning.rows.row_rules import BodyPart, LookupPart, RowRule, all_parts
from lars2asp.syntax.nodes import Sign


def observers(lookup: Lookup, rules: Iterable[RowRule], known: Collection[Lookup]) -> list[list[Lookup]]:
    """By the bodies that ask for such a lookup: others that must have answers there for the body to be true.

    Args:
        lookup: the lookup.
        rules: the rules of a component.
        known: the lookups whose answers do not grow so, and those that come first (`in_turn`).
    """
    asking = [rule.body for rule in rules if lookup in _lookups(all_parts(rule.body))]
    return [[one for one in dict.fromkeys(_needed(body)) if one in known] for body in asking]


def in_turn(growing: Iterable[Lookup], rules: Collection[RowRule]) -> list[Lookup]:
    """Lookups whose answers grow so, each before those that it observes.

    Bodies need the answers of the first ones; `@now` is the last one, as it grows at every tick.
    """
    needed = {one for rule in rules for one in _needed(rule.body)}
    return sorted(growing, key=lambda one: (one.signature is None, one not in needed))


def _needed(body: Iterable[BodyPart]) -> Iterator[Lookup]:
    """The lookups that must have an answer."""
    return _lookups(part for part in body if isinstance(part, LookupPart) and part.sign is Sign.POSITIVE)


def _lookups(parts: Iterable[BodyPart]) -> Iterator[Lookup]:
    return (part.lookup for part in parts if isinstance(part, LookupPart))
