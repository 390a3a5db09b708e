"""What a rule needs to derive an atom: a true body, then a true condition of the element of its head.

The variables of an element are others than those of the same name within aggregates of the body.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from lars2asp.runtime.explanations.past.terms import Binding
from lars2asp.runtime.explanations.reasons.heads import HeadRule
from lars2asp.runtime.explanations.reasons.search import Search, chained, outer_names


class Furthest(NamedTuple):
    """The instance of a rule that gets furthest.

    Attributes:
        binding: its values.
        place: the first literal that is not true, among those of the rule; None where all are.
        before: the literals that are true before it, in the order in which they are taken.
    """

    binding: Binding
    place: int | None
    before: Sequence[int]

    def gets_further_than(self, other: "Furthest") -> bool:
        """Whether more is true in it; an instance of which all is true gets furthest."""
        return (self.place is None, len(self.before)) > (other.place is None, len(other.before))


class Requirements:
    """Finds instances of rules; a literal is told by its place in `HeadRule.literals`."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def order(self, rule: HeadRule, binding: Binding) -> list[int]:
        """The order in which the literals are taken."""
        body = self._search.order(rule.body, rule.in_body(binding))
        if not rule.head.condition:
            return body
        known = binding | dict.fromkeys(set[str]().union(*map(outer_names, rule.body)), 0)
        condition = self._search.order(rule.head.condition, known)
        return [*body, *(len(rule.body) + place for place in condition)]

    def instances(self, rule: HeadRule, binding: Binding, now: int) -> Iterator[Binding]:
        """The bindings, extended so that all is true."""
        return self.instances_of(rule, self.order(rule, binding), binding, now)

    def instances_of(
        self, rule: HeadRule, places: Sequence[int], binding: Binding, now: int
    ) -> Iterator[Binding]:
        """The bindings, extended so that some literals, taken in an order, are true."""
        return chained(
            binding, len(places), lambda depth, one: self._solutions(rule, places[depth], one, now)
        )

    def is_true(self, rule: HeadRule, place: int, binding: Binding, now: int) -> bool:
        """Whether a literal is true for some values of the variables that have none."""
        return next(self._solutions(rule, place, binding, now), None) is not None

    def _solutions(self, rule: HeadRule, place: int, binding: Binding, now: int) -> Iterator[Binding]:
        known, position = rule.known_at(place, binding), place - len(rule.body)
        literals, there = (rule.body, place) if position < 0 else (rule.head.condition, position)
        return (binding | one for one in self._search.solutions_at(literals, there, known, now))

    def furthest(
        self, rule: HeadRule, binding: Binding, now: int, is_meant: Callable[[Binding], bool]
    ) -> Furthest:
        """The instance that gets furthest, in the order in which literals are taken.

        Args:
            rule: the rule.
            binding: values of variables.
            now: the tick of evaluation.
            is_meant: whether an instance with some values is looked at.
        """
        order = self.order(rule, binding)
        best, depth = binding, 0
        waiting: list[tuple[int, Iterator[Binding]]] = []
        current, level = binding, 0
        while True:
            if level == len(order):
                return Furthest(current, None, order)
            found = self._solutions(rule, order[level], current, now)
            waiting.append((level, filter(is_meant, found)))
            while waiting:
                level, found = waiting[-1]
                following = next(found, None)
                if following is not None:
                    break
                waiting.pop()
            else:
                return Furthest(best, order[depth], order[:depth])
            current, level = following, level + 1
            if level > depth:
                best, depth = current, level
