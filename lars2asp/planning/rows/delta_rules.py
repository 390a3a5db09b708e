"""Rules for the evaluator `delta`: rules over rows in place of a rule, or the reason why there are none.

    busy(A) :- airport(A), #count { F : left(A,F) in [60] } >= 20.

becomes (the tests have every case)

    busy/1(A) :- now airport/1(A), #count { F : in sliding(60) left/2(A,F) } >= 20.

Conditional literals and sets become counts. As in clingo, `a : b` says that each instance of b has an
instance of a, and a set counts its literals, each once.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, product
from math import prod
from typing import NamedTuple, NoReturn, assert_never

from lars2asp.analysis.arithmetic.constants import integer_term, integer_value
from lars2asp.analysis.arithmetic.intervals import are_few, intervals, size_of
from lars2asp.analysis.arithmetic.linear_bounds import CONTRARY, Linear, Range, bounded, inequalities
from lars2asp.analysis.predicates import window_of
from lars2asp.analysis.windows import LastArrivals, Since, Sliding, Unbounded
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.planning.names import Names
from lars2asp.planning.rows.row_rules import (
    AggregatePart,
    BodyPart,
    ConditionPart,
    ElementPart,
    LookupPart,
    RowRule,
    all_parts,
    recursive_predicates,
)
from lars2asp.planning.rows.row_terms import (
    ANY,
    RowTerms,
    bound_variables,
    has_several_values,
    is_computed,
    terms_of,
    variables_of_parts,
    variables_of_terms,
    variables_outside,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import MIRRORED, Sign, Signature, Term
from lars2asp.syntax.source import NOWHERE, Location
from lars2asp.syntax.traversal import rewrite, walk
from lars2asp.syntax.values import dataclass

MOST_ALTERNATIVES = 64
"""The number of rules that one rule may become: negated chains `not a < b < c` multiply them."""

_OPPOSITE = {Sign.POSITIVE: Sign.NOT, Sign.NOT: Sign.NOT_NOT, Sign.NOT_NOT: Sign.NOT}
_ZERO, _ONE = nodes.Number(0), nodes.Number(1)
_NOTHING: tuple[tuple[str, Term], ...] = (("=", _ZERO),)
THIS_TICK = Lookup(LookupKind.SPAN, None, Sliding(0))
"""Its one answer is the current tick as a pair: what `@now` is a value of."""

Parts = list[BodyPart]


class NotForDeltaError(ValueError):
    """The reason why the evaluator `delta` cannot serve a rule."""


@dataclass(frozen=True)
class RestOfProgram:
    """The findings about the rest of the program on which the rules for `delta` depend.

    Attributes:
        constants: the values of integer constants.
        values: the terms for all constants.
        hidden: the derived predicates whose atoms of the current tick are not in the stream yet.
        late: those of which more may become known of ticks that are over.
    """

    constants: Mapping[str, int]
    values: Mapping[str, Term]
    hidden: Collection[Signature]
    late: Collection[Signature] = frozenset()


@dataclass(frozen=True)
class DeltaRules:
    """The rules of a component for `delta`.

    Attributes:
        refusal: why `delta` cannot serve the component; None where it can. If it cannot, there are no rules.
        rules: the rules.
        own: the predicates that they derive.
        separates_input: whether what recursive predicates derive is to be told apart from their input.
    """

    refusal: str | None = None
    rules: tuple[RowRule, ...] = ()
    own: frozenset[Signature] = frozenset()
    separates_input: bool = False

    @property
    def lookups(self) -> tuple[Lookup, ...]:
        """All lookups that may be made, each once; also for the input of own predicates."""
        made = (part.lookup for part in self._parts if isinstance(part, LookupPart))
        as_input = (Lookup(LookupKind.INPUT, signature) for signature in sorted(self.own))
        asked = (lookup for lookup in made if lookup.kind is not LookupKind.OWN)
        return tuple(dict.fromkeys((*asked, *as_input)))

    @property
    def recursive(self) -> frozenset[Signature]:
        """The predicates that depend on themselves at the current tick."""
        return recursive_predicates(self.rules)

    @property
    def functions(self) -> frozenset[str]:
        """The names of the user's `@`-functions that the rules call."""
        terms = (part for one in self._parts for term in terms_of(one) for part in walk(term))
        return frozenset(one.name for one in terms if isinstance(one, nodes.Function) and one.is_external)

    def enumerating(self, most: int) -> Iterator[RowRule]:
        """The rules whose intervals may have more values than an interval may, or together."""
        for rule in self.rules:
            found = (one for part in all_parts(rule.body) for one in intervals(*terms_of(part)))
            sizes = (size_of(one, {}) for one in found if one.location is not NOWHERE)
            if not are_few(sizes, most):
                yield rule

    @property
    def _parts(self) -> Iterable[BodyPart]:
        return (part for rule in self.rules for part in all_parts(rule.body))


def delta_rule(
    rule: nodes.Rule,
    own: Collection[Signature],
    names: Names,
    rest: RestOfProgram,
    derives: Signature | None = None,
) -> tuple[RowRule, ...]:
    """The rules for `delta` that together stand for a rule; none where it cannot fire.

    Args:
        rule: a rule that derives atoms of `own`.
        own: the predicates that are derived together with its head.
        names: gives names to variables.
        rest: the rest of the program.
        derives: the predicate that the rule derives in place of that of its head; the tick of a head `a at T`
            is the last argument then.

    Raises:
        NotForDeltaError: if there are none.
    """
    return _DeltaRuleMaker(rule, own, names, rest).made(derives)


def _refuse(node: nodes.Node, what: str) -> NoReturn:
    raise NotForDeltaError(f"{what} (line {node.location.line})")


class _Meaning(NamedTuple):
    """What a literal means.

    Attributes:
        alternatives: conjunctions of parts of which one is true where the literal is.
        about: what kind of literal it is, for sets: None where it equals no other one.
        terms: distinguish its instances.
    """

    alternatives: list[Parts]
    about: object = None
    terms: tuple[Term, ...] = ()


_TRUE, _FALSE = _Meaning([[]]), _Meaning([])


class _DeltaRuleMaker:
    def __init__(
        self, rule: nodes.Rule, own: Collection[Signature], names: Names, rest: RestOfProgram
    ) -> None:
        self._rule = rule
        self._own = own
        self._rest = rest
        self._terms = RowTerms(names, rest.constants, rest.values)
        self._now = nodes.Variable(names.variable(0))
        """Stands for `@now`; variables that are new otherwise count from 1."""
        self._asked_for_now: list[Location] = []
        """The places of `@now` as a value."""
        self._everywhere = variables_outside(rule) | {self._now.name}
        literals = [part for part in rule.body if isinstance(part, nodes.Literal)]
        self._ranges = bounded(self._inequalities(literals))[1]

    def made(self, derives: Signature | None) -> tuple[RowRule, ...]:
        rule, head = self._rule, self._rule.head
        ticks: tuple[Term, ...] = ()
        if derives is not None and isinstance(head, nodes.AtTick):
            ticks, head = (head.tick,), head.atom
        if not isinstance(head, nodes.Atom):
            _refuse(rule, "a head that is not one atom")
        before: Parts = []
        terms = tuple(self._value(argument, before) for argument in (*head.arguments, *ticks))
        meanings = [
            self._conditional(part) if isinstance(part, nodes.ConditionalLiteral) else self._outer(part)
            for part in rule.body
        ]
        if self._asked_for_now:
            before.append(LookupPart(THIS_TICK, (self._now, self._now), location=self._asked_for_now[0]))
        rules = []
        for found in self._products(meanings, rule):
            parts = [*found, *before]
            everywhere = variables_of_terms(terms) | variables_of_parts(parts)
            parts = self._with_ranges(parts, everywhere, frozenset(), everywhere, self._ranges, rule)
            rules.append(RowRule(derives or head.signature, terms, tuple(parts), rule.location))
        return tuple(rules)

    # --- literals -------------------------------------------------------------------------------------

    def _outer(self, literal: nodes.Literal) -> _Meaning:
        """The meaning of a literal that does not stand in a condition."""
        match literal.atom:
            case nodes.Aggregate() | nodes.SetAggregate():
                return self._aggregate(literal, literal.atom)
            case nodes.AtLeast() as streaming if literal.sign is not Sign.POSITIVE:
                return self._not_at_least(literal, streaming)
            case _:
                return self._literal(literal)

    def _literal(self, literal: nodes.Literal) -> _Meaning:
        match literal.atom:
            case nodes.Boolean(value):
                return _TRUE if value is (literal.sign is not Sign.NOT) else _FALSE
            case nodes.Comparison() as comparison:
                return self._comparison(literal, comparison)
            case nodes.Atom() as atom:
                kind = LookupKind.OWN if atom.signature in self._own else LookupKind.NOW
                return self._looked_up(literal, Lookup(kind, atom.signature), atom.arguments)
            case nodes.AtLeast() as streaming if self._least(streaming) is None:
                if literal.sign is not Sign.POSITIVE:
                    _refuse(literal, "a negated `at least` with a number that varies, in a condition")
                return self._at_least(streaming)
            case nodes.Aggregate() | nodes.SetAggregate():
                _refuse(literal, "an aggregate in a condition")
            case streaming:
                return self._looked_up(literal, *self._lookup(streaming))

    def _looked_up(self, literal: nodes.Literal, lookup: Lookup, written: tuple[Term, ...]) -> _Meaning:
        parts: Parts = []
        about = (
            literal.sign,
            isinstance(literal.atom, nodes.AtLeast),
            lookup,
        )  # `at least 1` is not `in` in sets
        if literal.sign is Sign.POSITIVE:
            terms = tuple(self._pattern(term, parts) for term in written)
            parts.append(LookupPart(lookup, terms, location=literal.location))
            return _Meaning([parts], about, terms)
        terms = tuple(self._value(term, parts, keeps_any=True) for term in written)
        parts.append(LookupPart(lookup, terms, literal.sign, literal.location))
        bound = tuple(rewrite(term, lambda node: _ZERO if node == ANY else node) for term in terms)
        return _Meaning([parts], about, bound)

    def _lookup(self, streaming: nodes.StreamingAtom) -> tuple[Lookup, tuple[Term, ...]]:
        """The lookup for a streaming atom, and the terms for its answers."""
        signature, arguments = streaming.atom.signature, streaming.atom.arguments
        window = window_of(streaming, self._rest.constants)
        if not isinstance(window, LastArrivals) and (window.includes_now or signature in self._rest.late):
            if signature in self._own:
                _refuse(streaming, "recursion through a window")
            if signature in self._rest.hidden:
                _refuse(streaming, "a window over what rules derive, which is not recorded at once")
            if isinstance(window, Since) and window.signature in self._rest.hidden:
                _refuse(streaming, "a window since what rules derive, which is not recorded at once")
        match streaming:
            case nodes.Box():
                return Lookup(LookupKind.ALWAYS, signature, window), arguments
            case nodes.AtTick(_, tick, written) if written is not None or isinstance(window, Unbounded):
                return Lookup(LookupKind.AT, signature, window), (*arguments, tick)
            case nodes.Diamond() | nodes.AtTick():
                return Lookup(LookupKind.IN, signature, window), arguments
            case nodes.Count(_, number):
                return Lookup(LookupKind.COUNT, signature, window), (*arguments, number)
            case nodes.AtLeast():
                least = self._least(streaming)
                if least is None:
                    return Lookup(LookupKind.COUNT, signature, window), arguments
                if least <= 1:
                    return Lookup(LookupKind.IN, signature, window), arguments
                return Lookup(LookupKind.LEAST, signature, window, least), arguments
            case nodes.AtMost():
                _refuse(streaming, "`at most`")
            case _:
                assert_never(streaming)

    def _least(self, streaming: nodes.AtLeast) -> int | None:
        """The number of `at least`; None where it varies."""
        return integer_value(streaming.number, self._rest.constants)

    def _at_least(self, streaming: nodes.AtLeast) -> _Meaning:
        """`at least K` where K varies: the atom has a count, and 1 <= K <= count."""
        lookup, arguments = self._lookup(streaming)
        parts: Parts = []
        terms = tuple(self._pattern(term, parts) for term in arguments)
        number = self._value(streaming.number, parts)
        parts += self._counted(lookup, terms, number, streaming)
        return _Meaning([parts], ("at least", lookup), (*terms, number))

    def _not_at_least(self, literal: nodes.Literal, streaming: nodes.AtLeast) -> _Meaning:
        """The negation of that: a count of nothing."""
        if self._least(streaming) is not None:
            return self._literal(literal)
        lookup, arguments = self._lookup(streaming)
        parts: Parts = []
        values = (self._value(term, parts, keeps_any=True) for term in arguments)
        terms = [self._terms.named(self._terms.matchable(v, parts, keeps_linear=False)) for v in values]
        number = self._terms.matchable(self._value(streaming.number, parts), parts, keeps_linear=False)
        element = ElementPart((), tuple(self._counted(lookup, tuple(terms), number, streaming)))
        sign = "=" if literal.sign is Sign.NOT else "!="
        parts.append(AggregatePart("#count", (element,), ((sign, _ZERO),), location=literal.location))
        return _Meaning([parts])

    def _counted(self, lookup: Lookup, terms: tuple[Term, ...], number: Term, node: nodes.Node) -> Parts:
        count = self._terms.fresh()
        return [
            LookupPart(lookup, (*terms, count), location=node.location),
            ConditionPart(number, ">=", _ONE, node.location),
            ConditionPart(number, "<=", count, node.location),
        ]

    def _comparison(self, literal: nodes.Literal, comparison: nodes.Comparison) -> _Meaning:
        guards, location = comparison.guards, comparison.location
        is_negated = literal.sign is Sign.NOT
        if len(guards) == 1:
            sign = CONTRARY[guards[0].comparison] if is_negated else guards[0].comparison
            return self._compared(comparison.term, sign, guards[0].term, comparison)
        parts: Parts = []
        terms = [self._value(term, parts) for term in (comparison.term, *(guard.term for guard in guards))]
        if not is_negated:
            for left, guard, right in zip(terms, guards, terms[1:], strict=False):
                parts.append(self._condition(left, right, guard.comparison, parts, location))
            return _Meaning([parts], None, tuple(terms))
        if any(map(is_computed, terms)):  # where that is undefined, the chain is false, and its negation true
            _refuse(comparison, "arithmetic in a negated chain of comparisons")
        alternatives = []
        for left, guard, right in zip(terms, guards, terms[1:], strict=False):
            own = [*parts]
            own.append(self._condition(left, right, CONTRARY[guard.comparison], own, location))
            alternatives.append(own)
        return _Meaning(alternatives, None, tuple(terms))

    def _compared(self, left: Term, sign: str, right: Term, node: nodes.Comparison) -> _Meaning:
        """One comparison; an interval or call may stay as one side of `=`."""
        parts: Parts = []
        left, right = self._at_now(left), self._at_now(right)
        for one, other in ((left, right), (right, left)):
            if sign == "=" and has_several_values(other):
                self._value(other, parts)
                values = parts.pop()
                assert isinstance(values, ConditionPart)
                pattern = self._terms.side(self._value(one, parts), parts)
                parts.append(ConditionPart(pattern, "=", values.right, node.location))
                return _Meaning([parts], None, (pattern,))
        terms = self._value(left, parts), self._value(right, parts)
        parts.append(self._condition(*terms, sign, parts, node.location))
        return _Meaning([parts], None, terms)

    def _condition(
        self, left: Term, right: Term, sign: str, parts: Parts, location: Location
    ) -> ConditionPart:
        if sign == "=":
            left, right = self._terms.side(left, parts), self._terms.side(right, parts)
        return ConditionPart(left, sign, right, location)

    # --- aggregates -----------------------------------------------------------------------------------

    def _aggregate(self, literal: nodes.Literal, aggregate: nodes.Aggregate | nodes.SetAggregate) -> _Meaning:
        if aggregate.left is None and aggregate.right is None:
            return _TRUE if literal.sign is not Sign.NOT else _FALSE
        parts: Parts = []
        guards = []
        if aggregate.left is not None:
            guards.append((MIRRORED[aggregate.left.comparison], aggregate.left.term))
        if aggregate.right is not None:
            guards.append((aggregate.right.comparison, aggregate.right.term))
        after: Parts = []
        bounds = tuple(
            (sign, self._bound(self._value(term, parts), sign, literal.sign, parts, after))
            for sign, term in guards
        )
        if isinstance(aggregate, nodes.Aggregate):
            function = aggregate.function
            elements = [part for element in aggregate.elements for part in self._element(element)]
        else:
            function, elements = "#count", self._set_elements(aggregate)
        made = AggregatePart(function, tuple(elements), bounds, literal.sign, literal.location)
        return _Meaning([[*parts, made, *after]])

    def _bound(self, term: Term, comparison: str, sign: Sign, before: Parts, after: Parts) -> Term:
        """A guard's term, without arithmetic."""
        if (
            comparison == "="
            and sign is Sign.POSITIVE
            and not isinstance(term, nodes.Variable | nodes.Number)
        ):
            variable = self._terms.fresh()
            after.append(ConditionPart(self._terms.side(term, after), "=", variable, term.location))
            return variable
        return self._terms.matchable(term, before, keeps_linear=False)

    def _element(self, element: nodes.AggregateElement) -> Iterable[ElementPart]:
        before: Parts = []
        terms = tuple(self._value(term, before) for term in element.terms)
        meanings = map(self._literal, element.condition)
        yield from self._elements(terms, before, meanings, element.condition, element)

    def _set_elements(self, aggregate: nodes.SetAggregate) -> list[ElementPart]:
        """The elements of a set: each instance of a literal counts once, a comparison in each place."""
        kinds: dict[object, int] = {}
        found: list[ElementPart] = []
        for place, element in enumerate(aggregate.elements):
            meaning = self._literal(element.literal)
            about = place if meaning.about is None else (meaning.about,)
            number = kinds.setdefault(about, len(kinds))
            literals = (*element.condition, element.literal)
            meanings = [*map(self._literal, element.condition), meaning]
            terms = (nodes.Number(number), *meaning.terms)
            found += self._elements(terms, [], meanings, literals, element)
        return found

    def _elements(
        self,
        terms: tuple[Term, ...],
        before: Parts,
        meanings: Iterable[_Meaning],
        literals: Iterable[nodes.Literal],
        node: nodes.Node,
    ) -> Iterable[ElementPart]:
        """The elements with a tuple, one for each of the alternatives of their condition."""
        ranges = bounded(self._inequalities(literals), self._ranges)[1]
        for found in self._products(list(meanings), node):
            parts = [*found, *before]
            used = variables_of_terms(terms) | variables_of_parts(parts)
            parts = self._with_ranges(parts, used, self._everywhere, frozenset(), ranges, node)
            yield ElementPart(terms, tuple(parts))

    # --- conditional literals -------------------------------------------------------------------------

    def _conditional(self, part: nodes.ConditionalLiteral) -> _Meaning:
        """`a : b`: as many instances of b as there are have an instance of a, which may be a pool."""
        meanings, conditions = (
            [*map(self._literal, part.alternatives)],
            list(map(self._literal, part.condition)),
        )
        contraries = [
            self._contrary(literal, meaning, conditions)
            for literal, meaning in zip(part.alternatives, meanings, strict=True)
        ]
        if None not in contraries:
            known = [contrary for contrary in contraries if contrary is not None]
            missing = tuple(self._elements((), [], [*conditions, *known], part.condition, part))
            count = AggregatePart("#count", missing, _NOTHING, location=part.location)
            return _Meaning([[count]]) if missing else _TRUE
        shared = (_variables_of(meanings) & _variables_of(conditions)) - self._everywhere
        terms = tuple(nodes.Variable(name) for name in sorted(shared))
        both = [
            element
            for literal, meaning in zip(part.alternatives, meanings, strict=True)
            for element in self._elements(terms, [], [*conditions, meaning], (*part.condition, literal), part)
        ]
        guards = (("=", self._terms.fresh()),)
        counts: Parts = [
            AggregatePart("#count", tuple(elements), guards, location=part.location)
            for elements in (self._elements(terms, [], conditions, part.condition, part), both)
        ]
        return _Meaning([counts])

    def _contrary(
        self, literal: nodes.Literal, meaning: _Meaning, conditions: Iterable[_Meaning]
    ) -> _Meaning | None:
        """The meaning of the contrary of the literal before the colon.

        None where that has no instance for each instance without the literal: it binds variables, or may be
        undefined.
        """
        parts = [part for parts in meaning.alternatives for part in parts]
        is_comparison = isinstance(literal.atom, nodes.Comparison)
        if any(is_computed(term) for part in parts for term in terms_of(part)):
            return None
        if any(isinstance(part, ConditionPart) for part in parts) and not is_comparison:
            return None
        contrary = self._literal(
            nodes.Literal(literal.atom, _OPPOSITE[literal.sign], location=literal.location)
        )
        known = self._everywhere | _variables_of(conditions)
        return contrary if _variables_of([contrary]) <= known else None

    # --- bodies ---------------------------------------------------------------------------------------

    def _products(self, meanings: Collection[_Meaning], node: nodes.Node) -> Iterable[Parts]:
        """The conjunctions of alternatives, one of each meaning."""
        if prod(len(meaning.alternatives) for meaning in meanings) > MOST_ALTERNATIVES:
            _refuse(node, "too many negated chains of comparisons")
        for chosen in product(*(meaning.alternatives for meaning in meanings)):
            yield list(chain.from_iterable(chosen))

    def _with_ranges(
        self,
        parts: Parts,
        used: Collection[str],
        known: Collection[str],
        shared: Collection[str],
        ranges: Mapping[str, Range],
        node: nodes.Node,
    ) -> Parts:
        """The parts, with ranges for the variables that comparisons alone bind, as clingo has them."""
        found = [*parts]
        while unbound := set(used) - bound_variables(found, known, shared):
            limits = {name: ranges.get(name, (None, None)) for name in sorted(unbound)}
            limited = [(name, low, high) for name, (low, high) in limits.items() if None not in (low, high)]
            if not limited:
                _refuse(node, "`_` in comparisons that are never true")
            name, low, high = min(limited, key=lambda one: (one[2] or 0) - (one[1] or 0))
            values = nodes.BinaryOperation("..", integer_term(low or 0), integer_term(high or 0))
            found.append(ConditionPart(nodes.Variable(name), "=", values, node.location))
        return found

    def _inequalities(self, literals: Iterable[nodes.Literal]) -> Iterable[Linear]:
        return chain.from_iterable(inequalities(literal, self._rest.constants) for literal in literals)

    def _pattern(self, term: Term, parts: Parts) -> Term:
        return self._terms.matchable(self._value(term, parts), parts)

    def _value(self, term: Term, parts: Parts, *, keeps_any: bool = False) -> Term:
        return self._terms.value(self._at_now(term), parts, keeps_any=keeps_any)

    def _at_now(self, term: Term) -> Term:
        """The term with a variable for `@now`, which the rule is to bind then."""
        asked = [one.location for one in walk(term) if one == nodes.NOW]
        if not asked:
            return term
        self._asked_for_now += asked
        return rewrite(term, lambda node: self._now if node == nodes.NOW else node)


def _variables_of(meanings: Iterable[_Meaning]) -> set[str]:
    """The names of the variables in meanings of literals."""
    return variables_of_parts(part for one in meanings for parts in one.alternatives for part in parts)
