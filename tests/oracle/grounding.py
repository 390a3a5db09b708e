"""Instances of rules by the definition, with streaming atoms written out over the ticks of their windows."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from lars2asp.analysis.predicates import HeadAtom, head_atoms, needs_whole_window
from lars2asp.definition.bodies import NaiveBodies
from lars2asp.definition.terms import Bindings, Row, value, written_out
from lars2asp.definition.windows import Look, NaiveWindows, parts_of
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import ConditionalLiteral, Literal, Node, Rule, Sign, Signature
from lars2asp.syntax.traversal import children, every
from tests.oracle.interpretation import FALSE, TRUE, Formula, Interpretation, Threshold
from tests.oracle.rules import Bounds, Condition, GroundRule, TooManyError
from tests.oracle.stream import Pair, ground

WindowsOf = Callable[[Callable[[Signature, int, int], set[Row]]], NaiveWindows]
"""Makes what windows see of what holds of a predicate at a tick."""

_DECIDED = nodes.Comparison | nodes.Boolean | nodes.Aggregate | nodes.SetAggregate | nodes.Count
"""Atoms that are worked out when instances are made."""

_OPPOSITE = {Sign.POSITIVE: Sign.NOT, Sign.NOT: Sign.NOT_NOT, Sign.NOT_NOT: Sign.NOT}


class UnstratifiedError(Exception):
    """An aggregate, a count or a condition depends on the head of its own rule: not what the oracle knows."""


MOST_ROUNDS = 50
"""After so many rounds, each of which goes through all instances, rules are given up that count on and on."""


class Grounder:
    """Instantiates rules whose predicates depend on each other and on what is decided already.

    All is matched with what may hold. Where aggregates, counts and conditions look, that is decided.

    Args:
        windows_of: makes what windows see.
        bodies: which bindings make bodies true.
        now: the tick of evaluation.
        decided: what holds of the predicates on which the rules depend, and surely holds of their own.
    """

    def __init__(
        self, windows_of: WindowsOf, bodies: NaiveBodies, now: int, decided: frozenset[Pair]
    ) -> None:
        self._decided, self._possible = decided, Interpretation(decided)
        self._windows = windows_of(lambda signature, tick, _: self._possible.rows(signature, tick))
        self._bodies = bodies.over(self._look)
        self._now = now
        self._seen: dict[Any, Look] = {}

    def ground(self, rules: Sequence[Rule]) -> tuple[list[GroundRule], list[Bounds]]:
        """The instances whose bodies may be true, and what choices demand.

        Raises UnstratifiedError, and TooManyError where rules go on deriving from what they derived.
        """
        looking = [one for rule in rules for one in _looking_at_what_is_decided(rule)]
        for _ in range(MOST_ROUNDS):
            instances = [instance for rule in rules for instance in self._instances(rule)]
            found = [instance for instance in instances if isinstance(instance, GroundRule)]
            size = len(self._possible)
            self._possible.update(pair for instance in found for pair in instance.heads)
            if len(self._possible) == size:
                return found, [instance for instance in instances if isinstance(instance, Bounds)]
            self._seen.clear()
            places = (place for one in looking for place in self._places(one))
            if any(pair not in self._decided for place in places for pair in self._possible.at(*place)):
                raise UnstratifiedError
        raise TooManyError

    def _places(self, node: Node) -> Iterator[tuple[Signature, int]]:
        """The predicates that a node looks at, and the ticks; what arrived is decided anyway."""
        if isinstance(node, nodes.Atom | nodes.StreamingAtom):
            plain, window = parts_of(node)
            if isinstance(window, nodes.SinceWindow):
                yield window.atom.signature, self._now
            if not isinstance(window, nodes.TupleWindow):
                at = value(node.tick, {"@now": self._now}) if isinstance(node, nodes.AtTick) else None
                ticks = self._look(node, self._now).ticks
                yield from ((plain.signature, tick) for tick in ticks if at in (None, tick))
        else:
            for child in children(node):
                yield from self._places(child)

    def _look(self, atom: Any, now: int) -> Look:
        plain, window = parts_of(atom)
        is_of_atom = isinstance(window, nodes.TupleWindow | nodes.SinceWindow)
        key = plain if is_of_atom else plain.signature, window
        if key not in self._seen:
            self._seen[key] = self._windows.look(plain, window, now)
        return self._seen[key]

    # --- instances ------------------------------------------------------------------------------------

    def _instances(self, rule: Rule) -> Iterator[GroundRule | Bounds]:
        matched = tuple(filter(_is_matched, rule.body))
        solutions = self._bodies.solutions(matched, {"@now": self._now})
        for known in {frozenset(one.items()): one for one in solutions}.values():
            body = self._body(rule.body, known)
            if body is not None:
                yield from self._heads(rule, body, known)

    def _body(
        self, literals: Iterable[Literal | ConditionalLiteral], known: Bindings
    ) -> tuple[Condition, ...] | None:
        """The conditions that a body comes to; None where it cannot be true or does not exist."""
        body: list[Condition] = []
        for literal in literals:
            if isinstance(literal, ConditionalLiteral):
                instances = self._bodies.solutions(literal.condition, known)
                body += (self._any_of(literal.alternatives, one) or _settled(False) for one in instances)
            elif not isinstance(literal.atom, _DECIDED):
                condition = self._any_of((literal,), known)
                if condition is None:
                    return None
                body.append(condition)
        is_possible = all(
            one.is_true(self._possible, self._decided, ()) for one in body if one.sign is not Sign.NOT_NOT
        )
        return tuple(body) if is_possible else None

    def _any_of(self, literals: Sequence[Literal], known: Bindings) -> Condition | None:
        """What literals with other terms each come to, one of which is true; None if none has a value."""
        sign, atoms = literals[0].sign, [literal.atom for literal in literals]
        defined = [
            one
            for atom in atoms
            for one in written_out(atom, known, {})
            if not self._bodies.undefined(one, known)
        ]
        if not defined:
            return None
        if isinstance(defined[0], _DECIDED):
            return _settled(any(self._bodies.holds(Literal(one, sign), known) for one in defined))
        defined = [
            one
            for one in defined
            if not needs_whole_window(Literal(one, sign)) or self._bodies.is_whole(one, known)
        ]
        if not defined:
            return _settled(False)
        formulas = tuple(self._formula(one, known) for one in defined)
        return Condition(_OPPOSITE[sign] if isinstance(defined[0], nodes.AtMost) else sign, formulas)

    def _formula(self, atom: Any, known: Bindings) -> Formula:
        """When a (streaming) atom is true, or more than its number for `at most`."""
        if isinstance(atom, nodes.AtMost) and not self._bodies.is_limit(atom, known):
            return TRUE
        signature = parts_of(atom)[0].signature
        return tuple(
            Threshold(one.least, frozenset((ground(signature, one.row), tick) for tick in one.ticks))
            for one in self._bodies.demands(atom, known)
        )

    # --- heads ----------------------------------------------------------------------------------------

    def _heads(
        self, rule: Rule, body: tuple[Condition, ...], known: Bindings
    ) -> Iterator[GroundRule | Bounds]:
        head: Any = rule.head
        match head:
            case None | nodes.Boolean(False):
                yield GroundRule(frozenset(), body)
            case nodes.Boolean(True):
                return
            case nodes.Comparison():
                if not (self._bodies.undefined(head, known) or self._bodies.holds(Literal(head), known)):
                    yield GroundRule(frozenset(), body)
            case nodes.Atom() | nodes.AtTick():
                for pair in self._pairs(head_atoms(rule), known):
                    yield GroundRule(frozenset({pair}), body, is_temporary=rule.is_temporary)
            case nodes.SetAggregate(_, left, right):
                pairs = frozenset(self._pairs(head_atoms(rule), known))
                for pair in pairs:
                    yield GroundRule(frozenset({pair}), body, True, rule.is_temporary)
                guards = [guard for guard in (left, right) if guard]
                if guards and all(value(guard.term, known) is not None for guard in guards):
                    numbers = (n for n in range(len(pairs) + 1) if any(self._bodies.guarded(head, known, n)))
                    yield Bounds(body, pairs, frozenset(numbers))
            case nodes.Disjunction(elements):
                # (a, b) ; c is the same as a ; c and b ; c
                for found in product(*self._disjuncts(elements, known)):
                    if any(pair is None for _, pair in found):
                        return  # clingo leaves the whole instance out where an element has no value
                    heads = frozenset(pair for sign, pair in found if pair and sign is Sign.POSITIVE)
                    # `not a ; b :- body` is the same as `b :- body, not not a` (Lifschitz, Tang, Turner 1999)
                    negated = tuple(
                        Condition(_OPPOSITE[sign], ((Threshold(1, frozenset({pair})),),))
                        for sign, pair in found
                        if pair and sign is not Sign.POSITIVE
                    )
                    yield GroundRule(heads, (*body, *negated), is_temporary=rule.is_temporary)
            case _:
                raise TypeError(type(head))

    def _pairs(self, heads: Iterable[HeadAtom], known: Bindings) -> Iterator[Pair]:
        """What heads may derive."""
        for head in heads:
            for signature, arguments, tick in self._bodies.derived(head, known):
                yield ground(signature, arguments), tick

    def _disjuncts(
        self, elements: Iterable[ConditionalLiteral], known: Bindings
    ) -> Iterator[list[tuple[Sign, Pair | None]]]:
        """The literals of a disjunction whose condition is true, each with all alternatives of its pool.

        Without a pair where one has no value.
        """
        for element in elements:
            for solution in self._bodies.solutions(element.condition, known):
                pairs = []
                for literal in element.alternatives:
                    atom: Any = literal.atom
                    head = (
                        HeadAtom(atom.atom, atom.tick) if isinstance(atom, nodes.AtTick) else HeadAtom(atom)
                    )
                    pairs.append((literal.sign, next(self._pairs([head], solution), None)))
                yield pairs


def _settled(truth: bool) -> Condition:
    return Condition(Sign.POSITIVE, (TRUE if truth else FALSE,))


def _is_matched(literal: Literal | ConditionalLiteral) -> bool:
    """Whether a literal is true by what may hold, and binds variables."""
    if isinstance(literal, ConditionalLiteral) or isinstance(literal.atom, nodes.AtMost):
        return False
    return literal.sign is Sign.POSITIVE or isinstance(literal.atom, _DECIDED)


def _looking_at_what_is_decided(rule: Rule) -> Iterator[Node]:
    """The parts of a rule that are worked out when its instances are made."""
    yield from (*every(nodes.Count, rule), *every(nodes.Aggregate, rule))
    yield from (one.atom for one in every(nodes.SinceWindow, rule))
    yield from every(nodes.SetAggregate, *rule.body)
    for one in every(ConditionalLiteral, rule):
        yield from one.condition
