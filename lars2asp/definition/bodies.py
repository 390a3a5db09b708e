"""Which bindings make literals and bodies true by the definition, and what heads derive with them.

Literals of a body are looked at one after the other, always the first one in the order of the body that is
ready: a positive (streaming) atom once the variables are bound that it cannot bind itself, an equation once
one side is bound that binds the other, an aggregate or a conditional literal once the variables are bound
that stand in it and outside such literals, all others once all their variables are bound. Where none is, it
is the first comparison, else the first literal, that is ready with integers for variables that comparisons
bound from both sides.
"""

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple, Self, TypeVar, assert_never

from lars2asp.analysis.arithmetic.integer_ranges import (
    Enumerated,
    enumerated,
    has_any,
    without_any,
    without_invented,
)
from lars2asp.analysis.predicates import HeadAtom, head_atoms, needs_whole_window
from lars2asp.definition.matching import binding, compared, match_exactly, names_bound, pairs_of
from lars2asp.definition.terms import (
    Bindings,
    Functions,
    Row,
    Value,
    instance_text,
    row,
    total,
    value,
    value_text,
    written_out,
)
from lars2asp.definition.windows import Look, Seen, parts_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Sign, Signature
from lars2asp.syntax.traversal import children, every, rewrite, variable_names


def outer_names(literals: Iterable[nodes.Node]) -> set[str]:
    """The variables that stand outside of conditional literals and the elements of aggregates."""
    names: set[str] = set()
    for one in literals:
        atom = getattr(one, "atom", None)
        if isinstance(atom, nodes.Aggregate | nodes.SetAggregate):
            names |= variable_names(*(guard for guard in (atom.left, atom.right) if guard))
        elif not isinstance(one, nodes.ConditionalLiteral):
            names |= variable_names(one)
    return names


def in_body(rule: nodes.Rule, known: Bindings) -> Bindings:
    """The values in a body: those of variables of elements of the head are left out, which are others."""
    local = variable_names(rule) - outer_names(rule.body)
    return {name: one for name, one in known.items() if name not in local}


Step = TypeVar("Step")


def backtracked(
    steps: Sequence[Step], known: Bindings, extend: Callable[[Step, Bindings], Iterator[Bindings]]
) -> Iterator[Bindings]:
    """The ways to bind variables step by step."""
    if not steps:
        yield known
        return
    waiting = [extend(steps[0], known)]
    while waiting:  # a stack, as bodies may be long
        found = next(waiting[-1], None)
        if found is None:
            waiting.pop()
        elif len(waiting) == len(steps):
            yield found
        else:
            waiting.append(extend(steps[len(waiting)], found))


class Demand(NamedTuple):
    """What a (streaming) atom asks of an instance of its atom: to hold at some ticks, or more of them.

    Attributes:
        row: the arguments of the instance.
        least: the number of ticks.
        ticks: the ticks that count at which it holds.
        known: the values of variables if it is met.
    """

    row: Row
    least: int
    ticks: Sequence[int]
    known: Bindings


class NaiveBodies:
    """Bodies of rules at the ticks of evaluation, `@now` in the bindings.

    Args:
        constants: the values of constants.
        functions: the `@`-functions.
        look: gives what a (streaming) atom sees from a tick.
    """

    def __init__(self, constants: Bindings, functions: Functions, look: Callable[[Any, int], Look]) -> None:
        self._base, self._functions, self._look = constants, functions, look
        self._plans: dict[tuple[tuple[int, ...], frozenset[str]], tuple[Any, ...]] = {}
        self._named: dict[int, tuple[nodes.Node, nodes.Literal]] = {}
        self._enumerated: dict[tuple[tuple[int, ...], int, frozenset[str]], Enumerated | None] = {}
        self._enumerating: set[tuple[int, ...]] = set()
        self._integers = {name: one for name, one in constants.items() if isinstance(one, int)}

    def over(self, look: Callable[[Any, int], Look]) -> Self:
        """The same, where (streaming) atoms see something else."""
        other = copy.copy(self)
        other._look = look
        return other

    def plan(self, literals: Sequence[Any], known: Bindings) -> tuple[Any, ...]:
        """The literals in the order in which they are looked at; see the module."""
        key = tuple(map(id, literals)), frozenset(known)
        if key not in self._plans:
            outer, bound, waiting, found = outer_names(literals), set(known), list(literals), []
            while waiting:
                ready = ((one, self._ready(one, bound, outer)) for one in waiting)
                one, names = next(((o, n) for o, n in ready if n is not None), (None, bound))
                if one is None:
                    one, names = self._enumerate(waiting, literals, bound, outer)
                bound = names
                waiting = [other for other in waiting if other is not one]
                found.append(one)
            self._plans[key] = tuple(found)
        return self._plans[key]

    def _enumerate(
        self, waiting: Sequence[Any], literals: Sequence[Any], bound: set[str], outer: set[str]
    ) -> tuple[Any, set[str]]:
        """The literal that is ready with enumerated variables, and the variables bound after it."""
        first = sorted(waiting, key=lambda one: not isinstance(getattr(one, "atom", None), nodes.Comparison))
        for one in first:
            found = self._enumeration(one, literals, frozenset(bound), outer)
            if found is not None:
                self._enumerating.add(tuple(map(id, literals)))
                return one, self._ready(one, bound.union(found.names), outer) or bound
        return waiting[0], bound

    def _enumeration(
        self, literal: Any, among: Sequence[Any], bound: frozenset[str], outer: set[str]
    ) -> Enumerated | None:
        """The variables of a literal that are enumerated where others are bound; None if none need be."""
        key = tuple(map(id, among)), id(literal), bound
        if key not in self._enumerated:
            values = {*bound}

            def is_ready(known: set[str]) -> bool:
                return self._ready(literal, known, outer) is not None

            found = None if is_ready(values) else enumerated(literal, among, values, self._integers, is_ready)
            self._enumerated[key] = found
        return self._enumerated[key]

    def _ready(self, literal: Any, bound: set[str], outer: set[str]) -> set[str] | None:
        """The variables that are bound once a literal was looked at; None while it has to wait."""
        if isinstance(literal, nodes.ConditionalLiteral):
            return bound if variable_names(literal) & outer <= bound else None
        atom, is_positive, gives = literal.atom, literal.sign is Sign.POSITIVE, set[str]()
        match atom:
            case nodes.Aggregate() | nodes.SetAggregate():
                needs = variable_names(*atom.elements) & outer
                for guard in (one for one in (atom.left, atom.right) if one):
                    is_equation = guard.comparison == "=" and is_positive
                    more = (
                        binding([guard.term], self._base) if is_equation else (set(), variable_names(guard))
                    )
                    gives, needs = gives | more[0], needs | more[1]
            case nodes.Comparison():
                pairs = pairs_of(atom, literal.sign)
                is_equation = pairs[0][1] == "=" != atom.guards[0].comparison
                if (is_positive and not has_any(atom)) or is_equation:
                    return names_bound(pairs, bound, self._base)
                needs = variable_names(atom)
            case _ if is_positive and not isinstance(atom, nodes.AtMost | nodes.Boolean):
                extra: Any = getattr(atom, "tick", None) or getattr(atom, "number", None)
                is_bound = isinstance(extra, nodes.Variable) and not isinstance(atom, nodes.AtLeast)
                gives, needs = binding(
                    [*parts_of(atom)[0].arguments, *([extra] if is_bound else [])], self._base
                )
                needs = needs | (variable_names(extra) - gives if extra else set())
            case _:
                needs = variable_names(literal)
        return bound | gives if needs <= bound else None

    def solutions(self, literals: Sequence[Any], known: Bindings) -> Iterator[Bindings]:
        """The ways to bind variables that make all literals true."""
        return backtracked(
            self.plan(literals, known), known, lambda literal, found: self.extend(literal, found, literals)
        )

    def extend(self, literal: Any, known: Bindings, among: Sequence[Any] = ()) -> Iterator[Bindings]:
        """The ways to bind the variables of a literal that make it true.

        Args:
            literal: the literal.
            known: the values of variables.
            among: the literals that it was planned with.
        """
        found = None
        if self._enumerating and tuple(map(id, among)) in self._enumerating:
            found = self._enumeration(literal, among, frozenset(known), outer_names(among))
        for one in [known] if found is None else found.extended(known):
            yield from self._extended(literal, one)

    def _extended(self, literal: Any, known: Bindings) -> Iterator[Bindings]:
        if isinstance(literal, nodes.ConditionalLiteral):
            instances = self.solutions(literal.condition, known)
            if all(any(self.holds(one, each) for one in literal.alternatives) for each in instances):
                yield known
            return
        if needs_whole_window(literal) and not self.is_whole(literal.atom, known):
            return
        is_whole = isinstance(literal.atom, nodes.Aggregate | nodes.SetAggregate)
        is_matched = literal.sign is Sign.POSITIVE and not isinstance(
            literal.atom, nodes.Comparison | nodes.AtMost
        )
        atoms = (
            [literal.atom] if is_whole or is_matched else written_out(literal.atom, known, self._functions)
        )
        for atom in atoms:
            if isinstance(atom, nodes.Comparison):
                pairs = pairs_of(atom, literal.sign)
                is_flipped = pairs[0][1] != atom.guards[0].comparison
                whole = without_any(atom, known, self._integers)
                each = (compared(pairs_of(one, literal.sign), known) for one in whole)
                found = next((one for one in each if one is not None), None)
                true: Iterator[Bindings] = iter(() if found is None else (without_invented(found),))
            else:
                is_flipped, true = False, self._true(atom, known)
            if literal.sign is Sign.POSITIVE or is_flipped:
                yield from true
                continue
            if not self.undefined(atom, known) and (next(true, None) is None) is (literal.sign is Sign.NOT):
                yield known

    def is_whole(self, atom: Any, known: Bindings) -> bool:
        """Whether the window of a streaming atom is whole, or need not be: `[since b]` is if b ever began."""
        if self._look(atom, known["@now"]).is_whole:  # type: ignore[arg-type]
            return True
        if not isinstance(atom.window, nodes.SinceWindow):
            return False
        begun = atom.window.atom
        return next(self._true(nodes.Diamond(begun, nodes.SinceWindow(begun)), known), None) is not None

    def undefined(self, atom: Any, known: Bindings) -> list[nodes.Term]:
        """The terms of an atom, all variables of which are known, that have no value: it has no instance."""
        terms = [term for term in _terms(atom) if _is_known(term, known)]
        if isinstance(atom, nodes.AtMost) and value(atom.number, known) != ("#inf", ()):  # not below 0
            terms.append(nodes.BinaryOperation("+", atom.number, nodes.Number(1)))
        return [
            term
            for term in terms
            if all(value(one, known) is None for one in written_out(term, known, self._functions))
        ]

    def holds(self, literal: Any, known: Bindings) -> bool:
        """Whether a literal is true for some values of the variables that have none."""
        if isinstance(getattr(literal, "atom", None), nodes.Comparison):
            return next(self.solutions((literal,), known), None) is not None
        return next(self.extend(literal, known), None) is not None

    def _true(self, atom: Any, known: Bindings) -> Iterator[Bindings]:
        if isinstance(atom, nodes.Boolean):
            yield from [known] if atom.value else []
            return
        if isinstance(atom, nodes.Aggregate | nodes.SetAggregate):
            yield from self.guarded(atom, known)
            return
        met = (one.known for one in self.demands(atom, known) if len(one.ticks) >= one.least)
        if not isinstance(atom, nodes.AtMost):
            yield from met
        elif self.is_limit(atom, known) and next(met, None) is None:
            yield known

    def is_limit(self, atom: nodes.AtMost, known: Bindings) -> bool:
        """Whether the number of `a at most K` is 0 or more; else it is false."""
        most = value(atom.number, known)
        return isinstance(most, int) and most >= 0

    def demands(self, atom: Any, known: Bindings) -> Iterator[Demand]:
        """What an atom or a streaming atom asks of each of its instances that holds somewhere in its window.

        It is true if one of these is met; `a at most K` is `K >= 0, not a at least K+1`, and asks what that
        `at least` asks.
        """
        for one, seen in self._look(atom, known["@now"]).rows.items():  # type: ignore[arg-type]
            found = match_exactly(parts_of(atom)[0].arguments, one, known, self._functions)
            if found is not None:
                for least, ticks, bound in self._asked(atom, seen, found):
                    yield Demand(one, least, ticks, bound)

    def _asked(
        self, atom: nodes.Atom | nodes.StreamingAtom, seen: Seen, known: Bindings
    ) -> Iterator[tuple[int, Sequence[int], Bindings]]:
        """At how many ticks an instance must hold, at which of them it does, and what is bound then."""
        match atom:
            case nodes.Atom() | nodes.Diamond():
                yield 1, seen.ticks, known
            case nodes.Box():
                if seen.span:
                    yield len(seen.span), sorted({*seen.span}.intersection(seen.ticks)), known
            case nodes.AtTick():
                for tick in seen.ticks:
                    matched = match_exactly([atom.tick], (tick,), known, self._functions)
                    if matched is not None:
                        yield 1, [tick], matched
            case nodes.AtLeast():
                least = self._least(atom, known)
                if least is not None:
                    yield least, seen.ticks, known
            case nodes.AtMost():
                most = value(atom.number, known)
                if isinstance(most, int):
                    yield most + 1, seen.ticks, known
            case nodes.Count():
                matched = match_exactly([atom.number], (len(seen.ticks),), known, self._functions)
                if matched is not None:
                    yield len(seen.ticks), seen.ticks, matched
            case _:
                assert_never(atom)

    def _least(self, atom: nodes.AtLeast, known: Bindings) -> int | None:
        """The smallest number of ticks that makes an atom true; None for none."""
        values = (value(one, known) for one in written_out(atom.number, known, self._functions))
        return min((one for one in values if isinstance(one, int) and one >= 1), default=None)

    def counted(self, aggregate: nodes.Aggregate | nodes.SetAggregate, known: Bindings) -> dict[Any, str]:
        """What counts in an aggregate, each once, and its text."""
        return {key: text for key, text, _, _ in self._counted(aggregate, known)}

    def elements(
        self, literal: nodes.Literal | nodes.ConditionalLiteral, known: Bindings
    ) -> Iterator[tuple[str, Sequence[nodes.Literal], Bindings]]:
        """The elements that count in an aggregate, and the instances of a conditional literal.

        Each with its text, the literals that it rests on, and the values of the variables.
        """
        if isinstance(literal, nodes.ConditionalLiteral):
            for one in self.solutions(literal.condition, known):
                yield instance_text(literal.literal, one), literal.alternatives, one
        else:
            for _, text, literals, one in self._counted(literal.atom, known):
                yield text, literals, one

    def _counted(
        self, aggregate: Any, known: Bindings
    ) -> Iterator[tuple[object, str, Sequence[nodes.Literal], Bindings]]:
        for element in aggregate.elements:
            if isinstance(element, nodes.ConditionalLiteral):
                for literal, one in self._instances(element, known):
                    text = instance_text(literal, one)
                    yield text, text, (*element.condition, literal), one
                continue
            for one in self.solutions(element.condition, known):
                for terms in written_out(nodes.Tuple(element.terms), one, self._functions):
                    values = row(terms.arguments, one)
                    if values is not None:
                        yield values, ",".join(map(value_text, values)), element.condition, one

    def _instances(
        self, element: nodes.ConditionalLiteral, known: Bindings
    ) -> Iterator[tuple[nodes.Literal, Bindings]]:
        """The true literals of an element of a set: one for each value of `_`, intervals and calls."""
        if id(element) not in self._named:
            is_compared = isinstance(element.literal.atom, nodes.Comparison)
            named = element.literal if is_compared else _named(element.literal)
            self._named[id(element)] = element, named
        literal = self._named[id(element)][1]
        for one in self.solutions((literal, *element.condition), known):
            if isinstance(literal.atom, nodes.Comparison):
                yield literal, one
                continue
            for instance in written_out(literal, one, self._functions):
                if self.holds(instance, one):
                    yield instance, one

    def total(self, aggregate: nodes.Aggregate | nodes.SetAggregate, known: Bindings) -> Value:
        """The value of an aggregate."""
        found = self.counted(aggregate, known)
        return total(aggregate.function, found) if isinstance(aggregate, nodes.Aggregate) else len(found)

    def is_true_of(self, aggregate: Any, known: Bindings, counts: Callable[[str], bool]) -> bool:
        """Whether an aggregate would be true if some of its elements, told by their texts, did not count."""
        found = [key for key, text in self.counted(aggregate, known).items() if counts(text)]
        number = total(aggregate.function, found) if isinstance(aggregate, nodes.Aggregate) else len(found)
        return next(self.guarded(aggregate, known, number), None) is not None

    def guarded(self, aggregate: Any, known: Bindings, number: Value | None = None) -> Iterator[Bindings]:
        """The ways to bind the variables of the bounds of an aggregate that make it true.

        Args:
            aggregate: the aggregate, or the set of a choice.
            known: the values of variables.
            number: its value, if it has another one than what holds gives it.
        """
        number, found = self.total(aggregate, known) if number is None else number, known
        for guard, is_left in ((aggregate.left, True), (aggregate.right, False)):
            if guard is not None:
                term, total_ = guard.term, nodes.Variable("@total")
                pair = (term, guard.comparison, total_) if is_left else (total_, guard.comparison, term)
                new = compared([pair], {**found, "@total": number})
                if new is None:
                    return
                found = {name: one for name, one in new.items() if name != "@total"}
        yield found

    def heads(self, rule: nodes.Rule, known: Bindings) -> Iterator[tuple[Signature, Row, int]]:
        """The atoms that an instance may derive, and their ticks."""
        for head in head_atoms(rule):
            yield from self.derived(head, known)

    def derived(self, head: HeadAtom, known: Bindings) -> Iterator[tuple[Signature, Row, int]]:
        """The atoms that an instance may derive by one atom of its head, and their ticks."""
        for local in self.solutions(head.condition, known):
            at = nodes.AtTick(head.atom, head.tick or nodes.NOW)
            for one in written_out(at, local, self._functions):
                found, tick = row(one.atom.arguments, local), value(one.tick, local)
                if found is not None and isinstance(tick, int):
                    yield one.atom.signature, found, tick


def _named(literal: nodes.Literal) -> nodes.Literal:
    """A literal with variables in place of each `_`, unless it stands under `not`."""
    names = (nodes.Variable(f"@{number}") for number in count())

    def changed(one: nodes.Node) -> nodes.Node:
        return next(names) if isinstance(one, nodes.Variable) and one.is_anonymous else one

    return rewrite(literal, changed) if literal.sign is Sign.POSITIVE else literal


def _terms(node: nodes.Node) -> Iterator[nodes.Term]:
    """The terms in an atom of any kind that are within no other term, nor in elements."""
    for child in children(node):
        if not isinstance(child, nodes.AggregateElement | nodes.ConditionalLiteral):
            yield from [child] if isinstance(child, nodes.Term) else _terms(child)


def _is_known(term: nodes.Term, known: Bindings) -> bool:
    return all(one.name in known and not one.is_anonymous for one in every(nodes.Variable, term))
