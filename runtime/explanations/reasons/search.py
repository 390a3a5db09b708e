"""Instances of rules: the bindings of variables for which bodies are true, and how far others get.

The literals of a body are taken in its order; one whose variables have no values yet, and which cannot give
them any, waits until they have. Where all wait, the first comparison, else the first literal, is taken of
which comparisons bound the variables from both sides, with the integers between.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count, islice
from typing import NamedTuple

from lars2asp.analysis.arithmetic.integer_ranges import (
    Enumerated,
    enumerated,
    has_any,
    without_any,
    without_invented,
)
from lars2asp.analysis.predicates import needs_whole_window
from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.terms.order import compare, row_key
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Row, Value
from lars2asp.runtime.explanations.past.interpretation import (
    Interpretation,
    known_argument,
    number_of_ticks,
    shared,
)
from lars2asp.runtime.explanations.past.terms import (
    Binding,
    Terms,
    is_multiple,
    terms_of,
    with_values,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Body, Sign, Signature, StreamingAtom
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every, rewrite, variable_names, walk

BodyLiteral = nodes.Literal | nodes.ConditionalLiteral
Sets = nodes.Aggregate | nodes.SetAggregate
_Pair = tuple[nodes.Term, str, nodes.Term]


class Part(NamedTuple):
    """An element of an aggregate or of a set.

    Attributes:
        terms: the terms of its tuple; none in a set.
        literals: the literals that its instances rest on.
        body: the same with equations for the intervals and calls of the literal of a set, which stand for a
            literal each.
        counted: the literal of a set, each of its instances by itself; None of a tuple.
    """

    terms: tuple[nodes.Term, ...]
    literals: tuple[nodes.Literal, ...]
    body: tuple[nodes.Literal, ...]
    counted: nodes.Literal | None = None


class Search:
    """Finds instances of bodies at a tick of evaluation."""

    def __init__(self, interpretation: Interpretation) -> None:
        self.interpretation = interpretation
        self.terms = interpretation.terms
        self._orders: dict[tuple[int, frozenset[str]], tuple[Body, list[int]]] = {}
        self._enumerated: dict[tuple[int, int, frozenset[str]], Enumerated | None] = {}
        self._enumerating: set[int] = set()
        self._parts: dict[int, tuple[nodes.Node, Part]] = {}

    # --- bodies ---------------------------------------------------------------------------------------

    def instances(self, body: Body, binding: Binding, now: int) -> Iterator[Binding]:
        """The bindings, extended so that the body is true."""
        return self.instances_of(body, self.order(body, binding), binding, now)

    def instances_of(self, body: Body, order: Sequence[int], binding: Binding, now: int) -> Iterator[Binding]:
        """The bindings, extended so that some literals of the body, taken in an order, are true."""
        return chained(
            binding, len(order), lambda depth, one: self.solutions_at(body, order[depth], one, now)
        )

    def order(self, body: Body, binding: Mapping[str, object]) -> list[int]:
        """The order in which the literals of a body are taken."""
        key = id(body), frozenset(binding)
        known = self._orders.get(key)
        if known is None:
            known = self._orders[key] = body, self._made_order(body, set(binding))
        return known[1]

    def _made_order(self, body: Body, bound: set[str]) -> list[int]:
        names = [global_names(body, place) for place in range(len(body))]
        order: list[int] = []
        waiting = list(range(len(body)))
        while waiting:
            ready = (place for place in waiting if _is_ready(body[place], names[place], bound, self.terms))
            chosen = next(ready, None)
            if chosen is None:
                chosen = self._first_enumerated(body, waiting, names, bound)
            waiting.remove(chosen)
            order.append(chosen)
            bound |= names[chosen]
        return order

    def _first_enumerated(
        self, body: Body, waiting: Sequence[int], names: Sequence[set[str]], bound: set[str]
    ) -> int:
        """The place of the literal that is ready with enumerated variables."""
        for place in sorted(waiting, key=lambda one: not _is_comparison(body[one])):
            if self._enumeration(body, place, names[place], frozenset(bound)) is not None:
                self._enumerating.add(id(body))
                return place
        return waiting[0]

    def _enumeration(
        self, body: Body, place: int, names: set[str], bound: frozenset[str]
    ) -> Enumerated | None:
        """The variables of a literal that are enumerated where others have values; None if none need be."""
        key = id(body), place, bound
        if key not in self._enumerated:
            is_ready, numbers = partial(_is_ready, body[place], names, terms=self.terms), self.terms.numbers
            found = None if is_ready({*bound}) else enumerated(body[place], body, {*bound}, numbers, is_ready)
            self._enumerated[key] = found
        return self._enumerated[key]

    # --- literals -------------------------------------------------------------------------------------

    def is_true(self, literal: BodyLiteral, binding: Binding, now: int) -> bool:
        """Whether a literal is true for some values of the variables that have none."""
        known: Iterable[Binding] = [binding]
        if _is_comparison(literal):
            is_ready = partial(_is_ready, literal, variable_names(literal), terms=self.terms)
            if not is_ready({*binding}):
                found = enumerated(literal, (literal,), {*binding}, self.terms.numbers, is_ready)
                known = known if found is None else found.extended(binding)
        return any(next(self.solutions(literal, one, now), None) is not None for one in known)

    def is_met(self, literal: nodes.ConditionalLiteral, instance: Binding, now: int) -> bool:
        """Whether a conditional literal is true for an instance of its condition."""
        return any(self.is_true(one, instance, now) for one in literal.alternatives)

    def solutions_at(self, body: Body, place: int, binding: Binding, now: int) -> Iterator[Binding]:
        """The bindings, extended so that a literal of a body is true that was put into an order."""
        found = None
        if id(body) in self._enumerating:
            found = self._enumeration(body, place, global_names(body, place), frozenset(binding))
        if found is None:
            return self.solutions(body[place], binding, now)
        return (more for one in found.extended(binding) for more in self.solutions(body[place], one, now))

    def solutions(self, literal: BodyLiteral, binding: Binding, now: int) -> Iterator[Binding]:
        """The bindings, extended so that the literal is true."""
        if isinstance(literal, nodes.ConditionalLiteral):
            instances = self.instances(literal.condition, binding, now)
            if all(self.is_met(literal, one, now) for one in instances):
                yield binding
        elif is_matched(literal):
            yield from self.positive(literal.atom, binding, now)
        elif (equation := _equation(literal)) is not None:
            yield from self.positive(equation, binding, now)
        elif self.deciding(literal, binding, now) is not None:
            yield binding

    def deciding(
        self, literal: nodes.Literal, binding: Binding, now: int
    ) -> tuple[nodes.LiteralAtom, Binding] | None:
        """Of what is not matched, what makes the literal true, with its values; None if it is not."""
        if not self.has_whole_window(literal, binding, now):
            return None
        for atom, one in self.written_out(literal.atom, binding, now):
            holds = next(self.positive(atom, one, now), None) is not None
            if holds is not (literal.sign is Sign.NOT):
                return atom, one
        return None

    def has_whole_window(self, literal: nodes.Literal, binding: Binding, now: int) -> bool:
        """Whether the window of a literal is whole, if it needs that to be true."""
        interpretation, atom = self.interpretation, literal.atom
        if not needs_whole_window(literal) or not isinstance(atom, StreamingAtom):
            return True
        window = interpretation.window(atom)
        return interpretation.is_whole(window, now, shared(self.terms, atom.atom, window, binding, now))

    def written_out(
        self, atom: nodes.LiteralAtom, binding: Binding, now: int
    ) -> Iterator[tuple[nodes.LiteralAtom, Binding]]:
        """What an atom under `not` stands for, with its values: one for each value of an interval or a call.

        Nothing where a term has no value: there is no such instance of the rule.
        """
        if self.undefined(atom, binding, now) is not None:
            return
        places = [] if isinstance(atom, Sets) else [one for one in walk(atom) if is_multiple(one)]
        if not places:
            yield atom, binding
            return
        place, name = places[-1], f"@{len(places)}"  # none is within it

        def changed(one: nodes.Node) -> nodes.Node:
            return nodes.Variable(name) if one is place else one

        inner = rewrite(atom, changed)
        values = self.terms.values(place, binding, now) if isinstance(place, nodes.Term) else ()
        for value in values:
            yield from self.written_out(inner, {**binding, name: value}, now)

    def undefined(self, atom: nodes.LiteralAtom, binding: Binding, now: int) -> nodes.Term | None:
        """A term of an atom, the variables of which have values, that has none: there is no such instance."""
        for term in terms_of(atom):
            is_known = self.terms.is_bound(term, binding)
            if is_known and next(self.terms.values(term, binding, now), None) is None:
                return term
        if isinstance(atom, nodes.AtMost) and self.terms.value(atom.number, binding, now) != INFIMUM:
            more = nodes.BinaryOperation("+", atom.number, nodes.Number(1))
            if self.terms.value(more, binding, now) is None:
                return more
        return None

    def positive(self, atom: nodes.LiteralAtom, binding: Binding, now: int) -> Iterator[Binding]:
        """The bindings, extended so that what stands in a literal is true."""
        match atom:
            case nodes.Boolean(value):
                if value:
                    yield binding
            case nodes.Comparison():
                yield from self._compared(atom, binding, now)
            case nodes.Atom():
                for row, one in self.atoms(atom, binding, now):
                    if self.interpretation.holds(atom.signature, row, now, now):
                        yield one
            case nodes.Aggregate() | nodes.SetAggregate():
                yield from self._aggregated(atom, binding, now)
            case nodes.AtMost():
                yield from self._at_most(atom, binding, now)
            case _:
                yield from (one for _, one in self.streaming(atom, binding, now))

    def atoms(self, atom: nodes.Atom, binding: Binding, now: int) -> Iterator[tuple[Row, Binding]]:
        """The atoms that match one and may hold now, with their bindings."""
        interpretation = self.interpretation
        row = self._ground_row(atom, binding, now)
        if row is not None:
            if interpretation.may_hold(atom.signature, row, now):
                yield row, binding
            return
        place, value = known_argument(self.terms, atom, binding, now)
        for row in interpretation.rows(atom.signature, [(now, now)], now, place, value):
            one = self.terms.match_all(atom.arguments, row, binding, now)
            if one is not None:
                yield row, one

    def _ground_row(self, atom: nodes.Atom, binding: Binding, now: int) -> Row | None:
        """The row of an atom whose arguments have one value each; None where there may be others."""
        if not all(self.terms.is_bound(argument, binding) for argument in atom.arguments):
            return None
        rows = list(islice(self.terms.rows(atom.arguments, binding, now), 2))
        return rows[0] if len(rows) == 1 else None

    def streaming(self, atom: StreamingAtom, binding: Binding, now: int) -> Iterator[tuple[Row, Binding]]:
        """The atoms for which a streaming atom is true, with their bindings."""
        interpretation, inner = self.interpretation, atom.atom
        window, signature = interpretation.window(atom), inner.signature
        place, value = known_argument(self.terms, inner, binding, now)
        tick = self._one_tick(atom, binding, now)
        if tick is None:
            candidates = interpretation.rows_in(window, signature, now, place, value)
        elif type(tick) is int and interpretation.start <= tick <= now:
            candidates = interpretation.rows(signature, [(tick, tick)], now, place, value)
        else:
            return
        for row in candidates:
            one = self.terms.match_all(inner.arguments, row, binding, now)
            if one is None:
                continue
            yield from ((row, found) for found in self._streaming_true(atom, row, one, now))

    def _one_tick(self, atom: StreamingAtom, binding: Binding, now: int) -> Value | None:
        """The tick of `a at T` over the whole timeline; None where there may be others."""
        if not isinstance(atom, nodes.AtTick) or atom.window is not None:
            return None
        ticks = [*islice(self.terms.values(atom.tick, binding, now), 2)]
        return ticks[0] if len(ticks) == 1 else None

    def _streaming_true(self, atom: StreamingAtom, row: Row, binding: Binding, now: int) -> Iterator[Binding]:
        interpretation, signature = self.interpretation, atom.atom.signature
        window = interpretation.window(atom)
        holds_at = interpretation.holds_at(window, signature, row, now)
        match atom:
            case nodes.Box():
                needed = interpretation.box_ticks(window, now, signature, row)
                if needed and self._covers(window, signature, row, needed, now):
                    yield binding
            case nodes.AtTick(_, tick):
                for first, last in reversed(holds_at):
                    for each in range(last, first - 1, -1):
                        one = self.terms.match(tick, each, binding, now)
                        if one is not None:
                            yield one
            case nodes.AtLeast(_, number):
                least = self.terms.value(number, binding, now)
                if type(least) is int and 1 <= least <= number_of_ticks(holds_at):
                    yield binding
            case nodes.Count(_, number):
                if holds_at:
                    one = self.terms.match(number, number_of_ticks(holds_at), binding, now)
                    if one is not None:
                        yield one
            case _:
                if holds_at:
                    yield binding

    def _covers(
        self,
        window: object,
        signature: Signature,
        row: Row,
        needed: Sequence[tuple[int, int]],
        now: int,
    ) -> bool:
        interpretation = self.interpretation
        if isinstance(window, LastArrivals):
            found = interpretation.holds_at(window, signature, row, now)
            found = [(max(a, needed[0][0]), b) for a, b in found if b >= needed[0][0]]
        else:
            found = interpretation.runs(signature, row, needed, now)
        return number_of_ticks(found) == number_of_ticks(needed)

    def _at_most(self, atom: nodes.AtMost, binding: Binding, now: int) -> Iterator[Binding]:
        most = self.terms.value(atom.number, binding, now)
        if type(most) is not int or most < 0:
            return
        more = nodes.AtLeast(atom.atom, nodes.Number(most + 1), atom.window)
        if next(self.streaming(more, binding, now), None) is None:
            yield binding

    def _compared(self, atom: nodes.Comparison, binding: Binding, now: int) -> Iterator[Binding]:
        within = chain.from_iterable(walk(guard.term) for guard in atom.guards[:-1])
        several = [one for one in within if is_multiple(one) and self.terms.is_bound(one, binding)]
        if several:  # in the middle of a chain: both comparisons are of one value
            yield from self._compared_each(atom, several, binding, now)
            return
        for whole in without_any(atom, binding, self.terms.numbers):
            waiting, found, bound = _pairs(whole), [binding], {*binding}
            while waiting:
                chosen = next((one for one in waiting if _is_pair_ready(one, bound, self.terms)), waiting[0])
                waiting.remove(chosen)
                found = [one for each in found for one in self._pair(*chosen, each, now)]
                bound |= variable_names(chosen[0], chosen[2])
            if found:
                yield from map(without_invented, found)
                return

    def _compared_each(
        self, atom: nodes.Comparison, several: Sequence[nodes.Node], binding: Binding, now: int
    ) -> Iterator[Binding]:
        """As `_compared`, for each value of the last interval or call of some in it."""
        place, name, seen = several[-1], f"@{len(several)}", list[Binding]()  # none is within it

        def changed(one: nodes.Node) -> nodes.Node:
            return nodes.Variable(name) if one is place else one

        whole = rewrite(atom, changed)
        values = self.terms.values(place, binding, now) if isinstance(place, nodes.Term) else ()
        for value in values:
            for one in self._compared(whole, {**binding, name: value}, now):
                found = {other: known for other, known in one.items() if other != name}
                if found not in seen:
                    seen.append(found)
                    yield found

    def _pair(
        self, left: nodes.Term, sign: str, right: nodes.Term, binding: Binding, now: int
    ) -> Iterator[Binding]:
        bound_left, bound_right = (self.terms.is_bound(side, binding) for side in (left, right))
        if bound_left and bound_right:
            if any(
                compare(sign, one, other)
                for one in self.terms.values(left, binding, now)
                for other in self.terms.values(right, binding, now)
            ):
                yield binding
        elif sign in ("=", "==") and (bound_left or bound_right):
            known, unknown = (left, right) if bound_left else (right, left)
            for value in self.terms.values(known, binding, now):
                one = self.terms.match(unknown, value, binding, now)
                if one is not None:
                    yield one

    # --- aggregates -----------------------------------------------------------------------------------

    def elements(self, atom: Sets, binding: Binding, now: int) -> Iterator[tuple[Row, Part, Binding]]:
        """The elements that count: their tuples, what they are instances of, and their bindings.

        A tuple comes once. In a set of literals each literal is a tuple of its own.
        """
        seen: set[object] = set()
        for part in map(self._part, atom.elements):
            for one in self.instances(part.body, binding, now):
                if part.counted is None:
                    for row in self.terms.rows(part.terms, one, now):
                        if row not in seen:
                            seen.add(row)
                            yield row, part, one
                    continue
                key = to_text(with_values(part.counted, one))
                if key not in seen:
                    seen.add(key)
                    yield (), part, one

    def _part(self, element: nodes.AggregateElement | nodes.ConditionalLiteral) -> Part:
        """An element; what it says of it is worked out once."""
        known = self._parts.get(id(element))
        if known is None:
            known = self._parts[id(element)] = element, _part_of(element)
        return known[1]

    def total(self, atom: Sets, rows: Sequence[Row]) -> Value:
        """The value of an aggregate over tuples."""
        function = "#count" if isinstance(atom, nodes.SetAggregate) else atom.function
        weights = [row[0] for row in rows if row and type(row[0]) is int]
        firsts = sorted((row for row in ((one[0],) for one in rows if one)), key=row_key)
        match function:
            case "#count":
                return len(rows)
            case "#sum":
                return sum(weights)
            case "#sum+":
                return sum(weight for weight in weights if weight > 0)
            case "#min":
                return firsts[0][0] if firsts else SUPREMUM
            case _:
                return firsts[-1][0] if firsts else INFIMUM

    def is_guarded(self, atom: Sets, rows: Sequence[Row], binding: Binding, now: int) -> bool:
        """Whether an aggregate would be true if it were of some tuples alone."""
        return next(self._guarded(atom, rows, binding, now), None) is not None

    def _aggregated(self, atom: Sets, binding: Binding, now: int) -> Iterator[Binding]:
        yield from self._guarded(atom, [row for row, _, _ in self.elements(atom, binding, now)], binding, now)

    def _guarded(self, atom: Sets, rows: Sequence[Row], binding: Binding, now: int) -> Iterator[Binding]:
        value = self.total(atom, rows)
        found = [binding]
        given = [
            (one, is_left) for one, is_left in ((atom.left, True), (atom.right, False)) if one is not None
        ]
        given.sort(key=lambda one: one[0].comparison not in ("=", "=="))  # these give values to others
        for guard, is_left in given:
            kept = []
            for each in found:
                if self.terms.is_bound(guard.term, each):
                    values = list(self.terms.values(guard.term, each, now))
                    pairs = [(one, value) if is_left else (value, one) for one in values]
                    if any(compare(guard.comparison, *pair) for pair in pairs):
                        kept.append(each)
                elif guard.comparison in ("=", "=="):
                    one = self.terms.match(guard.term, value, each, now)
                    if one is not None:
                        kept.append(one)
            found = kept
        yield from found


def _part_of(element: nodes.AggregateElement | nodes.ConditionalLiteral) -> Part:
    """An element; intervals, calls and `_` in the literal of a set become variables."""
    condition = element.condition
    if isinstance(element, nodes.AggregateElement):
        return Part(element.terms, condition, condition)
    literal = element.literal
    if isinstance(literal.atom, nodes.Comparison | nodes.Boolean):
        return Part((), (*condition, literal), (*condition, literal), literal)
    equations: list[nodes.Literal] = []
    names = (nodes.Variable(f"@@{number}") for number in count())

    def changed(one: nodes.Node) -> nodes.Node:
        if isinstance(one, nodes.Term) and is_multiple(one):
            name = next(names)
            equations.append(nodes.Literal(nodes.Comparison(name, (nodes.Guard("=", one),))))
            return name
        is_any = isinstance(one, nodes.Variable) and one.is_anonymous
        return next(names) if is_any and literal.sign is Sign.POSITIVE else one

    counted = rewrite(literal, changed)
    literals = (*condition, counted)
    return Part((), literals, (*literals, *equations), counted)


def chained(
    binding: Binding, length: int, solutions: Callable[[int, Binding], Iterator[Binding]]
) -> Iterator[Binding]:
    """The bindings, extended by one literal after the other; a long body costs no stack.

    Args:
        binding: the values before the first one.
        length: the number of literals.
        solutions: gives the ways to extend a binding so that a literal is true.
    """
    if not length:
        yield binding
        return
    waiting = [solutions(0, binding)]
    while waiting:
        one = next(waiting[-1], None)
        if one is None:
            waiting.pop()
        elif len(waiting) == length:
            yield one
        else:
            waiting.append(solutions(len(waiting), one))


def is_matched(literal: nodes.Literal) -> bool:
    """Whether a literal binds variables; under `not`, and of `at most`, each value is one of its own."""
    return literal.sign is Sign.POSITIVE and not isinstance(literal.atom, nodes.AtMost)


# --- which variables a literal needs -------------------------------------------------------------------


def global_names(body: Body, place: int) -> set[str]:
    """The variables of a literal of a body that are not its own, in conditions or elements."""
    literal = body[place]
    outside = set(chain.from_iterable(outer_names(one) for n, one in enumerate(body) if n != place))
    own = outer_names(literal)
    return own | (variable_names(literal) & outside)


def outer_names(literal: BodyLiteral) -> set[str]:
    """The variables of a literal outside of conditions and elements."""
    if isinstance(literal, nodes.ConditionalLiteral):
        return set()
    if isinstance(literal.atom, nodes.Aggregate | nodes.SetAggregate):
        guards = [guard.term for guard in (literal.atom.left, literal.atom.right) if guard is not None]
        return variable_names(*guards)
    return variable_names(literal)


def _is_ready(literal: BodyLiteral, names: set[str], bound: set[str], terms: Terms) -> bool:
    """Whether a literal can be taken, some variables having values."""
    if isinstance(literal, nodes.Literal):
        equation = literal.atom if literal.sign is Sign.POSITIVE else _equation(literal)
        if isinstance(equation, nodes.Comparison) and not has_any(equation):
            return _are_ready(_pairs(equation), bound, terms)
    return _needs(literal, names, terms) <= bound


def _equation(literal: nodes.Literal) -> nodes.Comparison | None:
    """The equation that `not X != Y` is."""
    match literal:
        case nodes.Literal(nodes.Comparison(left, (nodes.Guard("!=", right),)), Sign.NOT):
            return nodes.Comparison(left, (nodes.Guard("=", right),))
    return None


def _is_comparison(literal: BodyLiteral) -> bool:
    return isinstance(literal, nodes.Literal) and isinstance(literal.atom, nodes.Comparison)


def _pairs(comparison: nodes.Comparison) -> list[_Pair]:
    """The comparisons of a chain."""
    sides = [comparison.term, *(guard.term for guard in comparison.guards)]
    return [
        (left, guard.comparison, right)
        for left, guard, right in zip(sides, comparison.guards, sides[1:], strict=False)
    ]


def _are_ready(pairs: Sequence[_Pair], bound: set[str], terms: Terms) -> bool:
    """Whether comparisons can be taken one after the other, in any order."""
    waiting, known = list(pairs), {*bound}
    while waiting:
        chosen = next((one for one in waiting if _is_pair_ready(one, known, terms)), None)
        if chosen is None:
            return False
        waiting.remove(chosen)
        known |= variable_names(chosen[0], chosen[2])
    return True


def _is_pair_ready(pair: _Pair, bound: set[str], terms: Terms) -> bool:
    left, sign, right = pair
    if sign in ("=", "=="):
        return any(
            variable_names(known) | _needed_by_terms([unknown], terms) <= bound
            and not any(one.is_anonymous for one in every(nodes.Variable, known))
            for known, unknown in ((left, right), (right, left))
        )
    return variable_names(left, right) <= bound


def _needs(literal: BodyLiteral, names: set[str], terms: Terms) -> set[str]:
    """The variables that must have values before a literal is taken."""
    if isinstance(literal, nodes.ConditionalLiteral) or literal.sign is not Sign.POSITIVE:
        return names
    match literal.atom:
        case nodes.Atom():
            return _needed_by_terms(literal.atom.arguments, terms)
        case nodes.AtTick(atom, tick) | nodes.Count(atom, tick, _):
            needed = _needed_by_terms(atom.arguments, terms)
            is_given = isinstance(tick, nodes.Variable)
            return needed if is_given else needed | (variable_names(tick) - variable_names(atom))
        case nodes.AtLeast(atom, number, _):
            needed = _needed_by_terms(atom.arguments, terms)
            return needed | (variable_names(number) - variable_names(atom))
        case nodes.AtMost():
            return names
        case nodes.Diamond(atom) | nodes.Box(atom):
            return _needed_by_terms(atom.arguments, terms)
        case nodes.Aggregate(left=left, right=right) | nodes.SetAggregate(left=left, right=right):
            assigned = {
                name
                for guard in (left, right)
                if guard is not None and guard.comparison in ("=", "==")
                for name in variable_names(guard.term)
                if not isinstance(guard.term, nodes.BinaryOperation)
            }
            return names - (assigned - _inside_names(literal.atom))
        case _:
            return names


def _inside_names(atom: Sets) -> set[str]:
    return variable_names(*atom.elements)


def _needed_by_terms(within: Sequence[nodes.Term], terms: Terms) -> set[str]:
    """The variables in arithmetic that matching cannot find out."""
    given: set[str] = set()
    needed: set[str] = set()
    waiting = list(within)
    arithmetic: list[nodes.Term] = []
    while waiting:
        term = waiting.pop()
        match term:
            case nodes.Variable(name):
                given.add(name)
            case nodes.Function(_, arguments, False) | nodes.Tuple(arguments):
                waiting += arguments
            case nodes.UnaryOperation("-", argument):
                waiting.append(argument)
            case _:
                arithmetic.append(term)
    for term in arithmetic:
        if terms.unknown(term, {}) is None:
            needed.update(one.name for one in every(nodes.Variable, term) if one.name not in given)
    return needed
