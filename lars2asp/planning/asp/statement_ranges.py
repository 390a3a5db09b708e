"""What ranges the numbers have that a statement computes, for ranges of those that come to it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL, intervals
from lars2asp.analysis.arithmetic.linear_bounds import Range as OpenRange
from lars2asp.analysis.arithmetic.linear_bounds import bounded, inequalities, linear, linear_variable
from lars2asp.planning.asp.computed_rules import ComputedRules, Place, Range, pattern_of
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER, Node, Sign, Signature, Statement, Term
from lars2asp.syntax.traversal import body_of, children, every

END = 2**70
"""Stands for no end."""

_ALL: Range = (-END, END)
_NARROW: Range = (SMALLEST_INTEGER, LARGEST_INTEGER)

MOST_COUNTED = 2**27
"""No machine has memory for as many instances in a tick."""

_WITH_TICKS = (LookupKind.AT, LookupKind.SCHEDULED, LookupKind.COUNT, LookupKind.COUNT_BEFORE)


class Outside(NamedTuple):
    """What comes from outside.

    Attributes:
        largest: the size of the largest number.
        rows: the number of rows.
        tick: the current tick.
        largest_interval: the number of values that an interval may have.
    """

    largest: int
    rows: int
    tick: int
    largest_interval: int = LARGEST_INTERVAL


class StatementRanges:
    """Looks at statements with ranges for arguments.

    Args:
        rules: the rules.
        outside: what comes from outside.
        places: the ranges of the arguments of predicates.
        sizes: how many atoms predicates have at most.
        results: up to which size the numbers are looked at that a user's functions give.

    Attributes:
        is_within: whether all that was computed has 32 bits.
    """

    def __init__(
        self,
        rules: ComputedRules,
        outside: Outside,
        places: Mapping[Place, Range],
        sizes: Mapping[Signature, int],
        results: int,
    ) -> None:
        self._rules, self._results = rules, results
        self._constants = rules.constants
        self._outside = outside
        self._places = places
        self._sizes = sizes
        self._total = outside.rows + rules.facts_number
        self.is_within = True

    def statement(self, statement: Statement, found: dict[Place, Range]) -> None:
        """Adds what a statement gives the arguments of what it derives."""
        known = self._body(body_of(statement), {})
        if known is None:
            return
        self._check_together(statement, known)
        match statement:
            case nodes.Rule(head) if head is not None:
                self._head(head, known, found)
            case nodes.External(atom):
                self._give(atom, known, found)
        for node in children(statement):
            if not isinstance(node, nodes.Literal | nodes.ConditionalLiteral | nodes.Rule):
                if isinstance(node, nodes.Disjunction | nodes.SetAggregate | nodes.HeadAggregate):
                    continue
                self._all(node, known)

    def _head(self, head: Any, known: dict[str, Range], found: dict[Place, Range]) -> None:
        match head:
            case nodes.Atom():
                self._give(head, known, found)
            case (
                nodes.Disjunction(elements) | nodes.SetAggregate(elements) | nodes.HeadAggregate(_, elements)
            ):
                total = 0
                for one in elements:
                    inner = self._body(one.condition, known)
                    if inner is None:
                        continue
                    for atom in every(nodes.Atom, one.literal):
                        self._give(atom, inner, found)
                    self._all(one.literal, inner)
                    if isinstance(one, nodes.HeadAggregateElement) and one.terms:
                        low, high = self._tuple(one.terms, inner)
                        total += max(-low, high, 0) * self._size(one.condition)
                if isinstance(head, nodes.HeadAggregate) and head.function in ("#sum", "#sum+"):
                    self._check((-total, total))
                for guard in filter(None, (getattr(head, "left", None), getattr(head, "right", None))):
                    self._all(guard, known)

    def _give(self, atom: nodes.Atom, known: Mapping[str, Range], found: dict[Place, Range]) -> None:
        for place, term in enumerate(atom.arguments):
            low, high = self.value(term, known)
            if low > high:
                continue
            key = atom.signature, place
            before = found.get(key)
            found[key] = (low, high) if before is None else (min(low, before[0]), max(high, before[1]))

    def _body(self, body: Iterable[Any], outer: Mapping[str, Range]) -> dict[str, Range] | None:
        """The ranges of variables; None where nothing can be true."""
        known = dict(outer)
        parts = [*body]
        literals = [one for one in parts if isinstance(one, nodes.Literal)]
        for literal in literals:
            if literal.sign is not Sign.POSITIVE:
                continue
            lookup = self._rules.lookup_of(literal)
            if lookup is not None:
                for place, term in enumerate(pattern_of(literal)):
                    self._match(term, self._of_lookup(lookup, place), known)
            elif isinstance(literal.atom, nodes.Atom):
                for place, term in enumerate(literal.atom.arguments):
                    found = self._places.get((literal.atom.signature, place), (1, 0))
                    self._match(term, found, known)
        self._equations(literals, known)
        self._compare(literals, known)
        self._equations(literals, known)
        for part in parts:
            if isinstance(part, nodes.ConditionalLiteral):
                inner = self._body(part.condition, known)
                if inner is not None:
                    if part.literal.sign is Sign.POSITIVE:
                        inner = self._body((part.literal,), inner) or inner
                    self._all(part.literal, inner)
            elif not isinstance(part.atom, nodes.Aggregate | nodes.SetAggregate):
                if isinstance(part.atom, nodes.Atom) and part.sign is Sign.POSITIVE:
                    self._computed_in(part.atom.arguments, known)
                elif self._rules.lookup_of(part) is None:
                    self._all(part, known)
            else:
                self._aggregate(part.atom, known)
        return known

    def _of_lookup(self, lookup: Lookup, place: int) -> Range:
        if lookup.signature is None:
            return 0, self._outside.tick + 1
        if lookup.kind in _WITH_TICKS and lookup.signature is not None and place == lookup.signature.arity:
            return 0, LARGEST_INTEGER if lookup.kind is LookupKind.SCHEDULED else self._outside.tick + 1
        if (lookup, place) not in self._rules.relevant:
            return _NARROW
        return -self._outside.largest, self._outside.largest

    def _match(self, term: Term, found: Range, known: dict[str, Range]) -> None:
        if integer_value(term, self._constants) is not None:
            return  # a number is compared, not computed
        match term:
            case nodes.Variable(name):
                if not term.is_anonymous:
                    _narrow(name, found, known)
                return
            case nodes.Function(_, arguments) | nodes.Tuple(arguments):
                for one in arguments:
                    self._match(one, found, known)
                return
            case nodes.UnaryOperation("-", nodes.Function() | nodes.Tuple() as argument):
                self._match(argument, found, known)
                return
            case nodes.UnaryOperation("-", argument) if not isinstance(argument, nodes.BinaryOperation):
                self._match(argument, _checked((-found[1], -found[0]), self), known)
                return
        variable, expression = linear_variable(term, self._constants), linear(term, self._constants)
        if variable is not None and expression is not None:
            shift = abs(expression.constant)
            ends = (found[0] - shift, found[1] + shift) if found[0] <= found[1] else found
            self._check(ends)
            [factor] = expression.factors.values()
            size = max(map(abs, ends))
            size = -(-size // abs(factor)) if abs(factor) > 1 else size
            if not variable.is_anonymous:
                _narrow(variable.name, (-size, size) if found[0] <= found[1] else found, known)

    def _equations(self, literals: Iterable[nodes.Literal], known: dict[str, Range]) -> None:
        pending: list[tuple[Any, Any]] = []
        for literal in literals:
            atom: Any = literal.atom
            if isinstance(atom, nodes.Comparison) and self._rules.lookup_of(literal) is None:
                sides = [atom.term, *(guard.term for guard in atom.guards)]
                signs = [guard.comparison for guard in atom.guards]
                is_equal = ["!=" if literal.sign is Sign.NOT else "="]
                pending += [
                    pair for pair, sign in zip(pairwise(sides), signs, strict=True) if [sign] == is_equal
                ]
            elif isinstance(atom, nodes.Aggregate | nodes.SetAggregate) and literal.sign is Sign.POSITIVE:
                for guard in filter(None, (atom.left, atom.right)):
                    if guard.comparison == "=":
                        pending.append((guard.term, atom))
        equal = [
            (left, right, _names(left), is_aggregate, set() if is_aggregate else _names(right))
            for pair in pending
            for left, right in (pair, pair[::-1])
            if not isinstance(left, nodes.Aggregate | nodes.SetAggregate)
            for is_aggregate in (isinstance(right, nodes.Aggregate | nodes.SetAggregate),)
        ]
        for _ in range(len(pending) + 1):
            before = dict(known)
            for left, right, names, is_aggregate, needed in equal:
                if names <= known.keys() or not needed <= known.keys():
                    continue
                found = self._aggregate(right, known) if is_aggregate else self.value(right, known)
                self._match(left, found, known)
            if known == before:
                return

    def _compare(self, literals: Iterable[nodes.Literal], known: dict[str, Range]) -> None:
        given = [*literals]
        plain = [one for one in given if self._is_plain(one.atom)]  # others may wrap around themselves
        for name, ends in self._bounds(plain, known):
            _narrow(name, ends, known)
        for name, ends in self._bounds(given, known):
            known.setdefault(name, ends)  # clingo has the variable take these numbers alone

    def _bounds(
        self, literals: Iterable[nodes.Literal], known: Mapping[str, Range]
    ) -> Iterator[tuple[str, Range]]:
        """The ranges that comparisons leave to variables."""
        expressions = [one for literal in literals for one in inequalities(literal, self._constants)]
        given: dict[str, OpenRange] = {name: ends for name, ends in known.items() if ends[0] <= ends[1]}
        for name, (low, high) in (bounded(expressions, given)[1] if expressions else {}).items():
            if low is not None and high is not None and low <= high:
                yield name, (low, high)

    def _is_plain(self, atom: Any) -> bool:
        """Whether nothing is computed in a comparison."""
        return isinstance(atom, nodes.Comparison) and all(
            isinstance(term, nodes.Variable) or integer_value(term, self._constants) is not None
            for term in (atom.term, *(guard.term for guard in atom.guards))
        )

    def _aggregate(self, aggregate: Any, known: Mapping[str, Range]) -> Range:
        """The range of the value of an aggregate, the parts of which are looked at."""
        low, high, total, count = 1, 0, 0, 0
        for element in aggregate.elements:
            condition = element.condition
            if isinstance(element, nodes.ConditionalLiteral):
                condition = (element.literal, *condition)
            inner = self._body(condition, known)
            if inner is None:
                continue
            size = self._size(condition)
            count += size
            if isinstance(element, nodes.AggregateElement):
                ends = self._tuple(element.terms, inner)
                if ends[0] <= ends[1]:
                    low, high = (min(low, ends[0]), max(high, ends[1])) if low <= high else ends
                    total += max(-ends[0], ends[1], 0) * size
        for guard in filter(None, (aggregate.left, aggregate.right)):
            if _names(guard) <= known.keys():
                self._all(guard, known)
        if isinstance(aggregate, nodes.SetAggregate) or aggregate.function == "#count":
            return 0, count
        if aggregate.function in ("#sum", "#sum+"):
            self._check((-total, total))
            return -min(total, END), min(total, END)
        return low, high

    def _tuple(self, terms: Sequence[Term], known: Mapping[str, Range]) -> Range:
        ends = [self.value(term, known) for term in terms]
        return ends[0] if ends else (1, 0)

    def _size(self, condition: Iterable[nodes.Literal]) -> int:
        """How many tuples a condition gives at most."""
        size = 1
        for literal in condition:
            if literal.sign is Sign.POSITIVE and isinstance(literal.atom, nodes.Atom):
                size *= max(1, self._sizes.get(literal.atom.signature, self._total))
            if any(node.operator == ".." for node in every(nodes.BinaryOperation, literal)) or any(
                node.is_external and node != nodes.NOW for node in every(nodes.Function, literal)
            ):
                return MOST_COUNTED
        return min(size, MOST_COUNTED)

    def _all(self, node: Node, known: Mapping[str, Range]) -> None:
        """Looks at all terms of a node."""
        for child in children(node) if not isinstance(node, nodes.Term) else (node,):
            if isinstance(child, nodes.Term):
                self.value(child, known)
            else:
                self._all(child, known)

    def _computed_in(self, terms: Iterable[Term], known: Mapping[str, Range]) -> None:
        """Looks at what is computed, and not solved for a variable, in the arguments of an atom."""
        for term in terms:
            match term:
                case nodes.Function(_, arguments, False) | nodes.Tuple(arguments):
                    self._computed_in(arguments, known)
                case _ if linear_variable(term, self._constants) is None:
                    self.value(term, known)

    def _check_together(self, statement: Statement, known: Mapping[str, Range]) -> None:
        """Looks at how many combinations of values intervals may have; clingo heeds bounds of variables."""
        if sum(1 for _ in intervals(statement)) < 2:
            return
        number, literals = 1, [one for one in body_of(statement) if isinstance(one, nodes.Literal)]
        bounds = dict(self._bounds(literals, known))
        head = statement.head if isinstance(statement, nodes.Rule) else None
        for part in (*body_of(statement), *filter(None, (head,))):
            for interval in intervals(part):
                size = self._size_of(interval, self._value(interval, known), known)
                match part:
                    case nodes.Literal(nodes.Comparison(nodes.Variable(name), (nodes.Guard("=", term),))) if (
                        term is interval and name in bounds
                    ):
                        size = min(size, bounds[name][1] - bounds[name][0] + 1)
                number *= max(size, 1)
        if number > self._outside.largest_interval:
            self.is_within = False

    def _check_size(self, interval: nodes.BinaryOperation, ends: Range, known: Mapping[str, Range]) -> None:
        """Looks at how many values an interval may have."""
        if self._size_of(interval, ends, known) > self._outside.largest_interval:
            self.is_within = False

    def _size_of(self, interval: nodes.BinaryOperation, ends: Range, known: Mapping[str, Range]) -> int:
        """How many values an interval may have."""
        size, low = ends[1] - ends[0] + 1, linear(interval.left, self._constants)
        high = linear(interval.right, self._constants)
        if low is not None and high is not None:
            difference = high.plus(low, -1)
            ranges = [(factor, known.get(one, _NARROW)) for one, factor in difference.factors.items()]
            found = 1 + difference.constant + sum(max(factor * one for one in two) for factor, two in ranges)
            size = min(size, found)
        return size

    def _check(self, ends: Range) -> None:
        if ends[0] <= ends[1] and (ends[0] < SMALLEST_INTEGER or ends[1] > LARGEST_INTEGER):
            self.is_within = False

    def value(self, term: Term, known: Mapping[str, Range]) -> Range:
        """The range of the numbers in the value of a term."""
        found = self._value(term, known)
        if found[0] <= found[1]:
            self._check(found)
            return max(found[0], -END), min(found[1], END)
        return found

    def _value(self, term: Any, known: Mapping[str, Range]) -> Range:
        match term:
            case nodes.Number(number):
                return number, number
            case nodes.Variable(name):
                return known.get(name, _NARROW) if not term.is_anonymous else (1, 0)
            case nodes.Function(name, (), False) if name == self._rules.now:
                return 0, self._outside.tick
            case nodes.Function(name, (), False):
                constant = self._rules.values.get(name)
                return (1, 0) if constant is None or constant == term else self.value(constant, known)
            case nodes.Function() | nodes.Tuple():
                found = _joined([self.value(one, known) for one in term.arguments])
                is_called = isinstance(term, nodes.Function) and term.is_external
                return (-self._results, self._results) if is_called else found
            case nodes.UnaryOperation("-", argument):
                low, high = self.value(argument, known)
                return (-high, -low) if low <= high else (low, high)
            case nodes.UnaryOperation(_, argument):
                low, high = self.value(argument, known)
                return (~high, ~low) if low <= high else (low, high)
            case nodes.Absolute(argument):
                low, high = self.value(argument, known)
                return (0, max(-low, high)) if low <= high else (low, high)
            case nodes.BinaryOperation(operator, left, right):
                found = self._operated(operator, self.value(left, known), self.value(right, known))
                if operator == ".." and found[0] <= found[1]:
                    self._check_size(term, found, known)
                return found
            case nodes.Pool(alternatives):
                terms: Any = alternatives
                return _joined([self.value(one, known) for one in terms])
        return 1, 0

    def _operated(self, operator: str, one: Range, other: Range) -> Range:
        if one[0] > one[1] or other[0] > other[1]:
            return 1, 0
        (a, b), (c, d) = one, other
        size, more = max(abs(a), abs(b)), max(abs(c), abs(d))
        match operator:
            case "+":
                return a + c, b + d
            case "-":
                return a - d, b - c
            case "*":
                products = [x * y for x in one for y in other]
                return min(products), max(products)
            case "/" | "\\":
                return -size, size
            case "**":
                if d <= 0:
                    return -1, 1
                bits = size.bit_length() * d
                return (-(size**d), size**d) if bits <= 70 else _ALL
            case "..":
                return a, d
        power = (1 << max(size, more).bit_length()) - 1  # bits
        return -power - 1, power


def _checked(ends: Range, ranges: StatementRanges) -> Range:
    ranges._check(ends)
    return ends


def _joined(ranges: Iterable[Range]) -> Range:
    known = [one for one in ranges if one[0] <= one[1]]
    return (min(low for low, _ in known), max(high for _, high in known)) if known else (1, 0)


def _narrow(name: str, found: Range, known: dict[str, Range]) -> None:
    """A variable has no other numbers than those of a range."""
    before = known.get(name)
    if before is None:
        known[name] = found
    elif before[0] <= before[1] and found[0] <= found[1]:
        known[name] = max(before[0], found[0]), min(before[1], found[1])
    else:
        known[name] = 1, 0


def _names(term: Any) -> set[str]:
    """The names of the variables of a term; `_` has no value and is among them."""
    return {variable.name for variable in every(nodes.Variable, term)}
