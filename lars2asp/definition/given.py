"""What is given of a stream: what the input tells, and background data, which holds at all ticks."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lars2asp.analysis.calendar_atoms import CalendarPredicate
from lars2asp.definition.terms import Bindings, Functions, Row, row, written_out
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Signature


class Told(NamedTuple):
    """An atom of the input with the first and the last tick at which it holds."""

    tick: int
    last: float
    signature: Signature
    row: Row

    def covers(self, tick: int) -> bool:
        """Whether the atom holds at a tick by this arrival."""
        return self.tick <= tick <= self.last


def background(
    rules: Iterable[nodes.Rule], constants: Bindings, functions: Functions
) -> dict[Signature, set[Row]]:
    """What facts say, by predicate."""
    found: dict[Signature, set[Row]] = {}
    for atom in (one for rule in rules for one in written_out(rule.head, constants, functions)):
        arguments = row(atom.arguments, constants)
        found.setdefault(atom.signature, set()).update(() if arguments is None else [arguments])
    return found


def shown_at(predicate: CalendarPredicate, tick: int) -> Iterator[Row]:
    """The atoms of the calendar that hold at a tick: what the clock shows when the tick begins."""
    for found in predicate.rows(tick):
        yield tuple(one if isinstance(one, int) else ('"', one) for one in found)


class Given:
    """Input, background and calendar.

    Args:
        arrivals: the input in order of arrival; an atom arrives once at a tick.
        facts: the background by predicate.
        calendar: the predicates of the calendar; their atoms do not arrive.

    Attributes:
        told: the input by predicate, and all of it under None, in order of arrival.
        facts: the background by predicate.
        calendar: the predicates of the calendar.
    """

    def __init__(
        self,
        arrivals: Iterable[Told],
        facts: Mapping[Signature, set[Row]],
        calendar: Iterable[CalendarPredicate] = (),
    ) -> None:
        self.calendar = {one.signature: one for one in calendar}
        self.told: dict[Signature | None, list[Told]] = {None: [*arrivals]}
        self.facts = facts
        self._points: dict[tuple[Signature, int], set[Row]] = {}
        self._spans: dict[Signature, list[Told]] = {}
        for one in self.told[None]:
            self.told.setdefault(one.signature, []).append(one)
            if one.tick == one.last:
                self._points.setdefault((one.signature, one.tick), set()).add(one.row)
            else:
                self._spans.setdefault(one.signature, []).append(one)

    def rows(self, signature: Signature, tick: int) -> frozenset[Row]:
        """What holds of a predicate at a tick."""
        spans = (one.row for one in self._spans.get(signature, ()) if one.covers(tick))
        found = frozenset(self._points.get((signature, tick), ())).union(self.facts.get(signature, ()), spans)
        if signature in self.calendar:
            return found.union(shown_at(self.calendar[signature], tick))
        return found
