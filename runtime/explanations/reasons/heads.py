"""Rules that may derive an atom: which atoms their heads may be, and what must be true for that.

That is a true body, then a true condition of the element of the head. The variables of an element are others
than those of the same name within aggregates of the body.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from lars2asp.analysis.predicates import HeadAtom, offset_from_now
from lars2asp.externals.terms.arithmetic import negated
from lars2asp.externals.terms.terms import Row, Term, Value
from lars2asp.runtime.explanations.past.terms import Binding, Terms, is_number
from lars2asp.runtime.explanations.reasons.search import Search, chained, outer_names
from lars2asp.runtime.explanations.words.instances import INTEGERS, Bound, Numbers
from lars2asp.syntax import nodes
from lars2asp.syntax.traversal import variable_names
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True, eq=False)
class HeadRule:
    """A statement that may derive atoms of a predicate.

    Attributes:
        number: which statement of the program it is.
        statement: the rule, or an `#external`.
        head: the atom that it may derive.
        local: the variables of elements of the head: in the body these names are others.
        is_passing: whether it is an `#external` of a predicate that no rule derives.
        numbers: what integers stand for in the program.
    """

    number: int
    statement: nodes.Rule | nodes.External
    head: HeadAtom
    is_passing: bool = False
    numbers: Numbers = INTEGERS

    @cached_property
    def local(self) -> frozenset[str]:
        return frozenset(variable_names(self.statement).difference(*map(outer_names, self.body)))

    def in_body(self, binding: Binding) -> Binding:
        """The values that the variables of the body have."""
        return {name: value for name, value in binding.items() if name not in self.local}

    @cached_property
    def literals(self) -> nodes.Body:
        """What must be true for it to derive the atom: its body, then the condition of the head's element."""
        return (*self.body, *self.head.condition)

    def known_at(self, place: int, binding: Binding) -> Binding:
        """The values that the variables of one of its literals have."""
        return self.in_body(binding) if place < len(self.body) else binding

    def standing(self, place: int) -> tuple[int, int | None]:
        """The position of a literal in the body, or in a condition, and the element of the head of that."""
        position = place - len(self.body)
        return (place, None) if position < 0 else (position, self.head.element)

    def numbers_at(self, place: int) -> Numbers:
        """What integers stand for in one of its literals."""
        return self._body_numbers if place < len(self.body) else self._condition_numbers

    def bound(self, binding: Binding, told: Iterable[int] = ()) -> Bound:
        """The values of an instance, of which some literals are told: one of a condition says of which."""
        has_condition = any(place >= len(self.body) for place in told)
        return Bound(binding, self._condition_numbers if has_condition else self._head_numbers)

    @cached_property
    def _body_numbers(self) -> Numbers:
        return self.numbers.of_rule(self.statement)

    @cached_property
    def _head_numbers(self) -> Numbers:
        return self.numbers.of_rule(self.statement, self.head.atom.signature)

    @cached_property
    def _condition_numbers(self) -> Numbers:
        return self.numbers.of_rule(self.statement, self.head.atom.signature, self.head.element)

    @property
    def body(self) -> nodes.Body:
        """Its body, without the condition of the head's element."""
        return self.statement.body

    @property
    def is_temporary(self) -> bool:
        """Whether what it derives is not kept: so with `#temp`, and `#external` of what no rule derives."""
        return self.is_passing or (isinstance(self.statement, nodes.Rule) and self.statement.is_temporary)

    @property
    def is_open(self) -> bool:
        """Whether it leaves it open whether the atom holds: a choice, a disjunction, a free `#external`."""
        is_free = isinstance(self.statement, nodes.External) and self.statement.value != nodes.Function(
            "true"
        )
        return self.head.is_chosen or is_free

    def evaluations_after(self, now: int, tick: int, numbers: Mapping[str, int]) -> tuple[int, ...]:
        """The tick of evaluation after now at which it may derive atoms at a tick, if `@now` says which."""
        offset = None if self.head.tick is None else offset_from_now(self.head.tick, numbers)
        return (tick + offset,) if offset is not None and tick + offset > now else ()


@dataclass(frozen=True)
class Wanted:
    """An atom that a head is to be.

    Attributes:
        terms: what terms stand for.
        head: the head.
        arguments: the arguments of the atom; None for those that may be anything.
        tick: the tick at which the atom is to hold.
        at: the tick of evaluation.
        is_meant: whether an atom with these arguments is one that the head is to be.
        pattern: the arguments as terms, where some may be anything: what is known of these is within them.
        known: the values of the variables of the pattern.
    """

    terms: Terms
    head: HeadAtom
    arguments: Sequence[Value | None]
    tick: int
    at: int
    is_meant: Callable[[Row], bool] = lambda _: True
    pattern: Sequence[nodes.Term] = ()
    known: Mapping[str, Value] = field(default_factory=dict)

    def start(self) -> Binding | None:
        """The values that variables must have for the head to be the atom; None if it cannot be."""
        binding: Binding | None = {}
        pairs = [*zip(self.head.atom.arguments, self.arguments, strict=True)]
        if self.head.tick is not None:
            pairs.append((self.head.tick, self.tick))
        for matches in (lambda term: not is_number(term), is_number):  # what binds goes before arithmetic
            for term, value in pairs:
                if value is None or not matches(term) or binding is None:
                    continue
                if self.terms.is_found_by_matching(term, binding):
                    binding = self.terms.match(term, value, binding, self.at)
        for term, other in zip(self.head.atom.arguments, self.pattern, strict=False):
            binding = None if binding is None else self._met(term, other, binding)
        return binding if binding is not None and self.may_be_met(binding) else None

    def _met(self, term: nodes.Term, other: nodes.Term, binding: Binding) -> Binding | None:
        """The binding with what the known parts of a term of the pattern say of a term of the head."""
        if self.terms.is_bound(other, self.known):
            values = [*islice(self.terms.values(other, self.known, self.at), 2)]
            if len(values) != 1 or not self.terms.is_found_by_matching(term, binding):
                return binding
            return self.terms.match(term, values[0], binding, self.at)
        for one, another in _inner_pairs(term, other) or ():
            found = self._met(one, another, binding)
            if found is None:
                return None
            binding = found
        return binding

    def _may_be_like(self, term: nodes.Term, other: nodes.Term, binding: Binding) -> bool:
        """Whether a term of the head may be one of the pattern."""
        if self.terms.is_bound(term, binding):
            known = {**self.known}
            values = self.terms.values(term, binding, self.at)
            return any(self.terms.match(other, value, known, self.at) is not None for value in values)
        pairs = _inner_pairs(term, other)
        return pairs is None or all(self._may_be_like(*pair, binding) for pair in pairs)

    def has_form_of(self, atom: nodes.Atom, binding: Binding) -> bool:
        """Whether the head's terms can be those of an atom of which not all variables have values."""
        known: Binding | None = binding
        for term, other in zip(self.head.atom.arguments, atom.arguments, strict=True):
            known = None if known is None else self._matched(term, other, known)
        return known is not None

    def _matched(self, term: nodes.Term, other: nodes.Term, binding: Binding) -> Binding | None:
        """The binding with what a term of the head says of variables of the atom; None if it cannot be."""
        if self.terms.is_bound(term, {}):
            values = self.terms.values(term, {}, self.at)
            found = (self.terms.match(other, value, binding, self.at) for value in values)
            return next((one for one in found if one is not None), None)
        match term, other:
            case nodes.Function(name, (_, *_) as inner, False), nodes.Function(
                other_name, (_, *_) as others, False
            ):
                is_alike = name == other_name
            case nodes.Tuple(inner), nodes.Tuple(others):
                is_alike = True
            case (nodes.Function(_, (_, *_), False), nodes.Tuple()) | (
                nodes.Tuple(),
                nodes.Function(_, (_, *_), False),
            ):
                return None
            case _:
                return binding
        if not is_alike or len(inner) != len(others):
            return None
        known: Binding | None = binding
        for one, another in zip(inner, others, strict=True):
            known = None if known is None else self._matched(one, another, known)
        return known

    def may_be_met(self, binding: Binding) -> bool:
        """Whether the head may be the atom by the values that variables have; it is, if all have one."""
        if self.head.tick is not None and not self._may_be(self.head.tick, self.tick, binding):
            return False
        pairs = zip(self.head.atom.arguments, self.arguments, strict=True)
        if not all(value is None or self._may_be(term, value, binding) for term, value in pairs):
            return False
        patterns = zip(self.head.atom.arguments, self.pattern, strict=False)
        if not all(self._may_be_like(term, other, binding) for term, other in patterns):
            return False
        if None not in self.arguments or not self.terms.is_bound(self.head.atom, binding):
            return True
        return any(map(self.is_meant, self.terms.rows(self.head.atom.arguments, binding, self.at)))

    def _may_be(self, term: nodes.Term, value: Value, binding: Binding) -> bool:
        if not self.terms.is_bound(term, binding):
            return self._may_have_form(term, value, binding)
        found = self.terms.values(term, binding, self.at)
        return any(one == value and type(one) is type(value) for one in found)

    def _may_have_form(self, term: nodes.Term, value: Value, binding: Binding) -> bool:
        """Whether a term of which not all variables have values may come to a value."""
        match term:
            case nodes.Function(_, (_, *_) as inner, False) | nodes.Tuple((_, *_) as inner):
                name = term.name if isinstance(term, nodes.Function) else ""
                if not isinstance(value, Term) or not value.is_positive or value.name != name:
                    return False
                is_alike = len(inner) == len(value.arguments)
                return is_alike and all(
                    self._may_be(one, other, binding)
                    for one, other in zip(inner, value.arguments, strict=True)
                )
            case nodes.UnaryOperation("-", argument):
                contrary = negated(value)
                return contrary is not None and self._may_be(argument, contrary, binding)
            case _:
                return True


def _inner_pairs(term: nodes.Term, other: nodes.Term) -> list[tuple[nodes.Term, nodes.Term]] | None:
    """The terms within two functions or tuples that are alike; None where they are not both such."""
    match term, other:
        case (
            nodes.Function(name, (_, *_) as inner, False),
            nodes.Function(another, (_, *_) as others, False),
        ):
            is_alike = name == another
        case (nodes.Tuple(inner), nodes.Tuple(others)):
            is_alike = True
        case _:
            return None
    return [*zip(inner, others, strict=True)] if is_alike and len(inner) == len(others) else None


# --- instances ------------------------------------------------------------------------------------------


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
