"""Instances of rules by substitution, with streaming atoms written out over the ticks of their windows."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from lars2asp.syntax.nodes import (
    Aggregate,
    AtLeast,
    AtMost,
    Atom,
    AtTick,
    Boolean,
    Box,
    Comparison,
    ConditionalLiteral,
    Count,
    Diamond,
    Disjunction,
    Guard,
    Literal,
    Node,
    Rule,
    SetAggregate,
    Sign,
    Term,
    TupleWindow,
    Variable,
    Window,
)
from lars2asp.syntax.traversal import children, walk
from tests.oracle.interpretation import (
    FALSE,
    TRUE,
    Formula,
    Interpretation,
    Predicate,
    Threshold,
    name_of,
    predicate_in,
    predicate_of,
)
from tests.oracle.rules import Bounds, Condition, GroundRule
from tests.oracle.stream import Pair
from tests.oracle.values import (
    INFIMUM,
    Binding,
    Ground,
    Value,
    compare,
    evaluate,
    evaluate_all,
    has_anonymous,
    in_arithmetic,
    interval,
    match,
    total,
    variables,
)
from tests.oracle.windows import Timeline

Streaming = Diamond | Box | AtTick | AtLeast | AtMost | Count
_STREAMING = (Diamond, Box, AtTick, AtLeast, AtMost, Count)
_FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEVER = Threshold(1, frozenset())

BodyLiteral = Literal | ConditionalLiteral


class UnstratifiedError(Exception):
    """An aggregate, a count or a condition depends on the head of its own rule: not what the oracle knows."""


class Grounder:
    """Instantiates rules whose predicates depend on each other and on what is decided already.

    Aggregates, counts and conditions are worked out on what is decided.

    Args:
        timeline: the ticks up to now.
        domain: the values of variables that no literal binds.
        decided: what holds of the predicates on which the rules depend, and surely holds of their own.
    """

    def __init__(self, timeline: Timeline, domain: Sequence[Value], decided: Iterable[Pair]) -> None:
        self._timeline = timeline
        self._domain = domain
        self._decided = Interpretation(decided)
        self._possible = Interpretation(self._decided)

    def ground(self, rules: Sequence[Rule]) -> tuple[list[GroundRule], list[Bounds]]:
        """The instances whose bodies may be true, and what choices demand. Raises UnstratifiedError."""
        while True:
            instances = [instance for rule in rules for instance in self._instances(rule)]
            ground = [instance for instance in instances if isinstance(instance, GroundRule)]
            size = len(self._possible)
            for instance in ground:
                self._possible.update(instance.heads)
            if len(self._possible) == size:
                break
        self._check_stratified(rules)
        return ground, [instance for instance in instances if isinstance(instance, Bounds)]

    def _check_stratified(self, rules: Iterable[Rule]) -> None:
        undecided = {
            (predicate_of(atom), tick) for atom, tick in self._possible if (atom, tick) not in self._decided
        }
        for rule in rules:
            parts: list[Node] = [node for node in walk(rule) if isinstance(node, Count | Aggregate)]
            parts += [n for part in rule.body for n in walk(part) if isinstance(n, SetAggregate)]
            for node in walk(rule):
                if isinstance(node, ConditionalLiteral):
                    parts += node.condition
            if any(lookup in undecided for part in parts for lookup in self._lookups(part)):
                raise UnstratifiedError

    def _lookups(self, node: Node) -> Iterator[tuple[Predicate, int]]:
        """The predicates that a node looks at, and the ticks."""
        if isinstance(node, _STREAMING):
            if not isinstance(node.window, TupleWindow):
                yield from ((predicate_in(node.atom), tick) for tick in self._ticks(node, {}))
        elif isinstance(node, Atom):
            yield predicate_in(node), self._timeline.now
        else:
            for child in children(node):
                yield from self._lookups(child)

    # --- instances ------------------------------------------------------------------------------------

    def _instances(self, rule: Rule) -> Iterator[GroundRule | Bounds]:
        for binding in self._substitutions(rule.body, set(_global_variables(rule)), {}, self._possible):
            body = self._body(rule.body, binding)
            if body is not None:
                yield from self._heads(rule, body, binding)

    def _body(self, literals: Iterable[BodyLiteral], binding: Binding) -> tuple[Condition, ...] | None:
        """The conditions that a body comes to; None where it cannot be true or does not exist."""
        body: list[Condition] = []
        for literal in literals:
            if isinstance(literal, ConditionalLiteral):
                for solution in self._solutions(literal.condition, binding):
                    body += self._any_of(literal, solution)
            else:
                conditions = self._literal(literal, binding)
                if conditions is None:
                    return None
                body += conditions
        is_possible = all(
            c.is_true(self._possible, self._decided, ()) for c in body if c.sign is not Sign.NOT_NOT
        )
        return tuple(body) if is_possible else None

    def _any_of(self, literal: ConditionalLiteral, binding: Binding) -> tuple[Condition, ...]:
        """What an instance of a conditional literal comes to: one of the alternatives of a pool is true."""
        found = [self._literal(one, binding) for one in literal.alternatives]
        defined = [conditions for conditions in found if conditions is not None]
        if len(found) == 1:
            return defined[0] if defined else ()
        if not defined:
            return (_settled(False),)
        first = defined[0][0]
        formulas = tuple(condition.formula for (condition,) in defined)
        return (Condition(first.sign, formulas[0], formulas[1:]),)

    def _heads(
        self, rule: Rule, body: tuple[Condition, ...], binding: Binding
    ) -> Iterator[GroundRule | Bounds]:
        match rule.head:
            case None | Boolean(False):
                yield GroundRule(frozenset(), body)
            case Boolean(True):
                return
            case Comparison():
                if self._comparison(rule.head, binding) is False:
                    yield GroundRule(frozenset(), body)
            case Atom() | AtTick():
                pair = self._pair(rule.head, binding)
                if pair is not None:
                    yield GroundRule(frozenset({pair}), body, is_temporary=rule.is_temporary)
            case SetAggregate(elements, left, right):
                pairs = {pair for _, pair in self._head_elements(elements, binding) if pair}
                for pair in pairs:
                    yield GroundRule(frozenset({pair}), body, True, rule.is_temporary)
                guards = self._guards(left, right, binding)
                if guards:
                    yield Bounds(body, frozenset(pairs), guards)
            case Disjunction(elements):
                # (a, b) ; c is the same as a ; c and b ; c
                for found in product(*self._disjuncts(elements, binding)):
                    if any(pair is None for _, pair in found):
                        return  # clingo leaves the whole instance out where an element has no value
                    heads = frozenset(pair for sign, pair in found if pair and sign is Sign.POSITIVE)
                    # `not a ; b :- body` is the same as `b :- body, not not a` (Lifschitz, Tang, Turner 1999)
                    opposite = {Sign.NOT: Sign.NOT_NOT, Sign.NOT_NOT: Sign.NOT}
                    negated = tuple(
                        Condition(opposite[sign], (Threshold(1, frozenset({pair})),))
                        for sign, pair in found
                        if pair and sign in opposite
                    )
                    yield GroundRule(heads, (*body, *negated), is_temporary=rule.is_temporary)
            case _:
                raise TypeError(type(rule.head))

    def _head_elements(
        self, elements: Iterable[ConditionalLiteral], binding: Binding
    ) -> Iterator[tuple[Sign, Pair | None]]:
        """The literals of a head whose condition is true; without a pair where one has no value."""
        for element in elements:
            assert isinstance(element.literal.atom, Atom | AtTick)
            for solution in self._solutions(element.condition, binding):
                yield element.literal.sign, self._pair(element.literal.atom, solution)

    def _disjuncts(
        self, elements: Iterable[ConditionalLiteral], binding: Binding
    ) -> list[list[tuple[Sign, Pair | None]]]:
        """The literals of a disjunction whose condition is true, each with all alternatives of its pool."""
        found = []
        for element in elements:
            for solution in self._solutions(element.condition, binding):
                pairs = []
                for literal in element.alternatives:
                    assert isinstance(literal.atom, Atom | AtTick)
                    pairs.append((literal.sign, self._pair(literal.atom, solution)))
                found.append(pairs)
        return found

    def _pair(self, head: Atom | AtTick, binding: Binding) -> Pair | None:
        """Atom and tick of a head; None where a term has no value or the tick is no number."""
        if isinstance(head, AtTick):
            tick = evaluate(head.tick, binding, self._timeline.now)
            atom = self._ground(head.atom, binding)
            return (atom, tick) if atom is not None and isinstance(tick, int) else None
        atom = self._ground(head, binding)
        return None if atom is None else (atom, self._timeline.now)

    def _ground(self, atom: Atom, binding: Binding) -> Ground | None:
        values = evaluate_all(atom.arguments, binding, self._timeline.now)
        return None if values is None else (name_of(atom), values)

    def _value(self, term: Term, binding: Binding) -> Value | None:
        return evaluate(term, binding, self._timeline.now)

    def _values(self, term: Term, binding: Binding) -> Sequence[Value] | None:
        """The values of a term, several for an interval; None while it has none."""
        numbers = interval(term, binding, self._timeline.now)
        value = self._value(term, binding) if numbers is None else None
        return [value] if value is not None else numbers

    # --- substitutions --------------------------------------------------------------------------------

    def _solutions(self, condition: Sequence[Literal], binding: Binding) -> Iterator[Binding]:
        """The ways to bind the local variables of a condition that make it true in what is decided."""
        decided = self._decided
        for solution in self._substitutions(condition, set(variables(*condition)), binding, decided):
            literals = [self._literal(literal, solution) for literal in condition]
            if all(c is not None and all(d.is_true(decided, decided, decided) for d in c) for c in literals):
                yield solution

    def _substitutions(
        self, literals: Sequence[BodyLiteral], names: set[str], binding: Binding, pairs: Interpretation
    ) -> Iterator[Binding]:
        """The ways to bind variables under which positive literals may be true in an interpretation.

        A literal that can bind variables is matched; where there is none, the whole domain is tried.
        """
        for i, literal in enumerate(literals):
            extensions = self._bound_by(literal, names, binding, pairs)
            if extensions is not None:
                for extended in extensions:
                    yield from self._substitutions(
                        [*literals[:i], *literals[i + 1 :]], names, extended, pairs
                    )
                return
        free = sorted(names - binding.keys())
        if not free:
            yield binding
            return
        for value in self._domain:
            yield from self._substitutions(literals, names, binding | {free[0]: value}, pairs)

    def _bound_by(
        self, literal: BodyLiteral, names: set[str], binding: Binding, pairs: Interpretation
    ) -> list[Binding] | None:
        """The extensions of a binding that a literal gives; None if it gives none (yet)."""
        if isinstance(literal, ConditionalLiteral) or literal.sign is not Sign.POSITIVE:
            return None
        atom = literal.atom
        match atom:
            case Comparison(term, (Guard("=", other), *_)):
                for one, side in ((term, other), (other, term)):
                    values = self._values(side, binding)
                    left = set(variables(one)) - binding.keys()
                    if values is not None and left and left.isdisjoint(in_arithmetic(one)):
                        now = self._timeline.now
                        matched = (match(one, value, binding, now) for value in values)
                        return [extended for extended in matched if extended is not None]
                return None
            case Aggregate(_, _, left, right) | SetAggregate(_, left, right):
                inside = set(variables(*atom.elements)) & names
                for guard in (left, right):
                    if guard and guard.comparison == "=" and isinstance(guard.term, Variable):
                        name = guard.term.name
                        if name not in binding and inside <= binding.keys():
                            return [binding | {name: self._total(atom, binding)}]
                return None
            case Atom() | Diamond() | Box() | AtTick() | AtLeast() | Count():
                return self._matches(atom, binding, pairs)
            case _:
                return None

    def _matches(
        self, atom: Atom | Streaming, binding: Binding, pairs: Interpretation
    ) -> list[Binding] | None:
        """The ways to match an atom; None while arithmetic in it has variables that are not bound."""
        plain = atom if isinstance(atom, Atom) else atom.atom
        terms = list(plain.arguments)
        if isinstance(atom, AtTick):
            terms.append(atom.tick)
        elif isinstance(atom, Count):
            terms.append(atom.number)
        if any(name not in binding for term in terms for name in in_arithmetic(term)):
            return None
        found: dict[frozenset[tuple[str, Value]], Binding] = {}
        now = self._timeline.now
        for values in self._candidates(atom, plain, binding, pairs):
            matched: Binding | None = binding
            for term, value in zip(terms, values, strict=True):
                matched = None if matched is None else match(term, value, matched, now)
            if matched is not None:
                found[frozenset(matched.items())] = matched
        return list(found.values())

    def _candidates(
        self, atom: Atom | Streaming, plain: Atom, binding: Binding, pairs: Interpretation
    ) -> set[tuple[Value, ...]]:
        """Values for the arguments of an atom (then its tick, or its count) for which it may be true."""
        at_ticks = {
            (ground, tick)
            for tick in self._ticks(atom, binding)
            for ground in pairs.atoms(predicate_in(plain), tick)
        }
        if isinstance(atom, AtTick):
            return {(*ground[1], tick) for ground, tick in at_ticks}
        atoms = {ground for ground, _ in at_ticks}
        if isinstance(atom, Count):
            return {(*ground[1], self._count(atom, ground)) for ground in atoms}
        return {ground[1] for ground in atoms}

    def _ticks(self, atom: Atom | Streaming, binding: Binding) -> Iterable[int]:
        """The ticks at which an atom is looked at."""
        if isinstance(atom, Atom):
            return [self._timeline.now]
        if isinstance(atom.window, TupleWindow):
            return self._timeline.ticks(None)
        ticks = self._timeline.ticks(atom.window)
        tick = self._value(atom.tick, binding) if isinstance(atom, AtTick) else None
        return ticks if tick is None else [tick for each in ticks if each == tick]

    # --- what literals come to ------------------------------------------------------------------------

    def _literal(self, literal: Literal, binding: Binding) -> tuple[Condition, ...] | None:
        """What must be true for a literal to be; None (no such instance) where a term has no value."""
        sign = literal.sign
        truth: bool | None
        match literal.atom:
            case Boolean(value):
                truth = value
            case Comparison():
                truth = self._comparison(literal.atom, binding)
            case Aggregate(_, _, left, right) | SetAggregate(_, left, right):
                guards = self._guards(left, right, binding)
                found = self._total(literal.atom, binding)
                truth = None if guards is None else all(compare(s, found, other) for s, other in guards)
            case Count():
                truth = self._is_count(literal.atom, binding)
            case AtMost():
                return self._at_most(literal.atom, sign, binding)
            case atom:
                formula = self._formula(atom, binding)
                return None if formula is None else (Condition(sign, formula),)
        return None if truth is None else (_settled(truth is not (sign is Sign.NOT)),)

    def _at_most(self, atom: AtMost, sign: Sign, binding: Binding) -> tuple[Condition, ...] | None:
        """`a at most K` is `K >= 0, not a at least K+1`."""
        most = self._value(atom.number, binding)
        grounds = self._grounds(atom, binding)
        if most is None or grounds is None:
            return None
        if not isinstance(most, int) and most != INFIMUM:
            return None
        if not isinstance(most, int) or most < 0:
            return (_settled(sign is Sign.NOT),)
        more = tuple(self._at_least(atom.atom, ground, atom.window, most + 1) for ground in grounds)
        return (Condition(Sign.NOT_NOT if sign is Sign.NOT else Sign.NOT, more),)

    def _formula(self, atom: Node, binding: Binding) -> Formula | None:
        """An atom or streaming atom as thresholds over pairs, one for each value of `_`."""
        assert isinstance(atom, Atom | Diamond | Box | AtTick | AtLeast)
        grounds = self._grounds(atom, binding)
        if grounds is None:
            return None
        now = self._timeline.now
        match atom:
            case Atom():
                return tuple(Threshold(1, frozenset({(ground, now)})) for ground in grounds)
            case Diamond(plain, window):
                return tuple(self._at_least(plain, ground, window, 1) for ground in grounds)
            case AtLeast(plain, number, window):
                least = self._value(number, binding)
                if least is None:
                    return None
                if not isinstance(least, int) or least < 1:
                    return FALSE
                return tuple(self._at_least(plain, ground, window, least) for ground in grounds)
            case AtTick(plain, Variable("_"), window):
                return tuple(self._at_least(plain, ground, window, 1) for ground in grounds)
            case AtTick(plain, term, window):
                tick = self._value(term, binding)
                return None if tick is None else tuple(self._at(plain, g, window, tick) for g in grounds)
            case Box(plain, window):
                return tuple(self._always(plain, ground, window) for ground in grounds)

    def _grounds(self, atom: Atom | Streaming, binding: Binding) -> list[Ground] | None:
        """The ground atoms that an atom stands for: one, but for `_`. None where a term has no value."""
        plain = atom if isinstance(atom, Atom) else atom.atom
        if not has_anonymous(plain):
            ground = self._ground(plain, binding)
            return None if ground is None else [ground]
        terms = [term for term in plain.arguments if not has_anonymous(term)]
        if any(self._value(term, binding) is None for term in terms):
            return None
        candidates = {
            ground
            for tick in self._ticks(atom, binding)
            for ground in self._possible.atoms(predicate_in(plain), tick)
        }
        pattern = plain.arguments
        return [ground for ground in candidates if self._fits(pattern, ground[1], binding)]

    def _fits(self, pattern: Sequence[Term], values: Sequence[Value], binding: Binding) -> bool:
        return all(
            match(term, value, binding, self._timeline.now) == binding
            for term, value in zip(pattern, values, strict=True)
        )

    def _at_least(self, pattern: Atom, ground: Ground, window: Window | None, least: int) -> Threshold:
        if isinstance(window, TupleWindow):
            covered = self._timeline.covered(window, pattern, ground)
            return TRUE[0] if len(covered) >= least else _NEVER
        return Threshold(least, frozenset((ground, tick) for tick in self._timeline.ticks(window)))

    def _at(self, pattern: Atom, ground: Ground, window: Window | None, tick: Value) -> Threshold:
        if isinstance(window, TupleWindow):
            return TRUE[0] if tick in self._timeline.covered(window, pattern, ground) else _NEVER
        if isinstance(tick, int) and tick in self._timeline.ticks(window):
            return Threshold(1, frozenset({(ground, tick)}))
        return _NEVER

    def _always(self, pattern: Atom, ground: Ground, window: Window) -> Threshold:
        if isinstance(window, TupleWindow):
            span = self._timeline.span(window, pattern, ground)
            covered = self._timeline.covered(window, pattern, ground)
            return TRUE[0] if span and set(span) <= set(covered) else _NEVER
        ticks = self._timeline.box_ticks(window)
        return Threshold(len(ticks), frozenset((ground, tick) for tick in ticks)) if ticks else _NEVER

    # --- what is worked out on what is decided --------------------------------------------------------

    def _comparison(self, comparison: Comparison, binding: Binding) -> bool | None:
        match comparison:
            case Comparison(one, (Guard("=", other),)):
                for term, side in ((one, other), (other, one)):
                    numbers, value = interval(side, binding, self._timeline.now), self._value(term, binding)
                    if numbers is not None and value is not None:
                        return value in numbers
        terms = [comparison.term, *(guard.term for guard in comparison.guards)]
        values = evaluate_all(terms, binding, self._timeline.now)
        if values is None:
            return None
        signs = [guard.comparison for guard in comparison.guards]
        return all(compare(sign, values[i], values[i + 1]) for i, sign in enumerate(signs))

    def _guards(
        self, left: Guard | None, right: Guard | None, binding: Binding
    ) -> tuple[tuple[str, Value], ...] | None:
        """Guards as signs and values, read from the aggregate outwards; None where one has no value."""
        guards = []
        for guard, signs in ((left, _FLIPPED), (right, {sign: sign for sign in _FLIPPED})):
            if guard is not None:
                value = self._value(guard.term, binding)
                if value is None:
                    return None
                guards.append((signs[guard.comparison], value))
        return tuple(guards)

    def _is_count(self, atom: Count, binding: Binding) -> bool | None:
        grounds = self._grounds(atom, binding)
        wanted = self._value(atom.number, binding)
        if grounds is None or (wanted is None and not has_anonymous(atom.number)):
            return None
        counts = [self._count(atom, ground) for ground in grounds]
        return any(count >= 1 and wanted in (None, count) for count in counts)

    def _count(self, atom: Count, ground: Ground) -> int:
        if isinstance(atom.window, TupleWindow):
            return len(self._timeline.covered(atom.window, atom.atom, ground))
        return sum((ground, tick) in self._decided for tick in self._timeline.ticks(atom.window))

    def _total(self, aggregate: Aggregate | SetAggregate, binding: Binding) -> Value:
        if isinstance(aggregate, SetAggregate):
            return len(
                {
                    self._identity(element.literal, solution)
                    for element in aggregate.elements
                    for solution in self._solutions((element.literal, *element.condition), binding)
                }
            )
        tuples = set()
        for element in aggregate.elements:
            for solution in self._solutions(element.condition, binding):
                values = evaluate_all(element.terms, solution, self._timeline.now)
                if values is not None:
                    tuples.add(values)
        return total(aggregate.function, tuples)

    def _identity(self, literal: Literal, binding: Binding) -> object:
        """What tells a ground literal from others."""
        atom = literal.atom
        match atom:
            case AtTick(plain, term) | AtLeast(plain, term) | AtMost(plain, term) | Count(plain, term):
                rest: object = (atom.window, self._value(term, binding))
            case Diamond(plain, window) | Box(plain, window):
                rest = window
            case Atom():
                plain, rest = atom, None
            case _:
                return literal.sign, atom
        return literal.sign, type(atom), self._ground(plain, binding), rest


def _settled(truth: bool) -> Condition:
    return Condition(Sign.POSITIVE, TRUE if truth else FALSE)


def _global_variables(rule: Rule) -> Iterator[str]:
    """The variables that stand outside of aggregates, conditional literals and elements of heads."""
    nodes: list[Node] = [rule.head] if isinstance(rule.head, Atom | AtTick | Comparison) else []
    if isinstance(rule.head, SetAggregate):
        nodes += [guard for guard in (rule.head.left, rule.head.right) if guard]
    for literal in rule.body:
        if isinstance(literal, ConditionalLiteral):
            continue
        if isinstance(literal.atom, Aggregate | SetAggregate):
            nodes += [guard for guard in (literal.atom.left, literal.atom.right) if guard]
        else:
            nodes.append(literal)
    return variables(*nodes)
