"""Whether all numbers that rules make of others stay within the 32 bits that clingo's have.

What numbers come from outside is known when they are there: the largest of them, in how many rows they stand,
and the tick. From these follow ranges for the arguments of all predicates, and for each operation; where they
end beyond 32 bits, clingo is not given the text. A predicate that depends on itself by arithmetic has no
range: it is taken to stay within one of GROWTH, and rules say where it does not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.arithmetic.linear_bounds import Range as OpenRange
from lars2asp.analysis.arithmetic.linear_bounds import bounded, inequalities, linear, linear_variable
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import LARGEST_INTEGER, SMALLEST_INTEGER, Node, Sign, Signature, Statement, Term
from lars2asp.syntax.traversal import body_of, children, every

Range = tuple[int, int]
"""The least and the greatest number."""

_END = 2**70
"""Stands for no end."""

_ALL: Range = (-_END, _END)
_NARROW: Range = (SMALLEST_INTEGER, LARGEST_INTEGER)

GROWTH = (2**24, 2**20, 2**15, 2**10)
"""Up to which size the numbers of predicates are looked at that depend on themselves by arithmetic."""

RESULTS = (LARGEST_INTEGER, 2**24, 2**20, 2**15, 2**10)
"""Up to which size those are looked at that a user's functions give."""

MOST_COUNTED = 2**27
"""No machine has memory for as many instances in a tick."""

_TICKS = 2**20
"""Ticks for which limits are the same."""

_ROWS_BITS = 8
"""Limits are looked for in steps of so many bits of the number of rows first."""

_ROUNDS = 12
"""After as many rounds ranges that still grow have no end."""

_WITH_TICKS = (LookupKind.AT, LookupKind.SCHEDULED, LookupKind.COUNT, LookupKind.COUNT_BEFORE)

Place = tuple[Signature, int]


class Outside(NamedTuple):
    """What comes from outside.

    Attributes:
        largest: the size of the largest number.
        rows: the number of rows.
        tick: the current tick.
    """

    largest: int
    rows: int
    tick: int


class Grown(NamedTuple):
    """An argument that grows by arithmetic on which it depends, in text that says so.

    Attributes:
        signature: the predicate.
        place: the argument.
        most: up to which size it is looked at.
    """

    signature: Signature
    place: int
    most: int


class NumberRanges:
    """The ranges of numbers in the statements of one program.

    Args:
        statements: all of them, those with lookups as `lookups` has them.
        constants: the integers that constants stand for.
        values: the terms that constants stand for.
        now: the name of the parameter that is the tick.
        lookup_of: gives the lookup of a literal that makes one.

    Attributes:
        is_free: whether nothing is computed, so that no number from outside matters but those of which
            clingo has none.
        grown: the arguments that have no range.
        results: up to which size the numbers are looked at that a user's functions give.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        constants: Mapping[str, int],
        values: Mapping[str, Term],
        now: str,
        lookup_of: Any,
    ) -> None:
        facts: list[Statement] = []
        self._rules: list[Statement] = []
        for one in statements:
            if not isinstance(one, nodes.Declaration):
                (facts if nodes.is_plain_fact(one) else self._rules).append(one)
        self._constants = constants
        self._values = values
        self._now = now
        self._lookup_of = lookup_of
        self._limits: dict[tuple[int, int], Range] = {}
        self._known_sizes: dict[int, dict[Signature, int]] = {}
        self._facts, self._facts_number = _facts(facts), len(facts)
        self.is_free = not any(map(self._computes, self._rules))
        self.relevant = self._relevant()
        self.grown: tuple[Grown, ...] = ()
        self.results = LARGEST_INTEGER
        if not self.is_free:
            self._find_grown()
            if self._calls_functions():
                self._find_results()

    def fits(self, largest: int, rows: int, tick: int) -> bool:
        """Whether nothing leaves 32 bits.

        Args:
            largest: the size of the largest number from outside with which something is computed.
            rows: in how many rows there are numbers from outside, at most.
            tick: the current tick.
        """
        bits, block = rows.bit_length(), tick // _TICKS
        coarse = -(-bits // _ROWS_BITS) * _ROWS_BITS
        return self._fits_within(largest, (coarse, block)) or (
            bits < coarse and self._fits_within(largest, (bits, block), largest)
        )

    def _fits_within(self, largest: int, key: tuple[int, int], *more: int) -> bool:
        """The same for all numbers of rows with so many bits, and all ticks of a block.

        Args:
            largest: the size of the largest number.
            key: how many bits, and which block.
            more: which limits are tried after those of many bits.
        """
        least, most = self._limits.get(key, (-1, LARGEST_INTEGER + 1))
        if least < largest < most:
            rows, tick = (1 << key[0]) - 1, min((key[1] + 1) * _TICKS, LARGEST_INTEGER - 1)
            rounded = (4 << largest.bit_length()) - 1
            for one in (LARGEST_INTEGER, min(rounded, LARGEST_INTEGER), *more):
                if least < one < most:
                    if self._are_within(Outside(one, rows, tick)):
                        least = one
                    else:
                        most = one
            self._limits[key] = least, most
        return largest <= least

    def _are_within(self, outside: Outside) -> bool:
        return self._has_narrow_numbers() and (self.is_free or self._fits(outside))

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates that rules derive."""
        return frozenset(chain.from_iterable(map(_head_signatures, self._rules)))

    def is_relevant(self, lookup: Lookup, place: int) -> bool:
        """Whether something is computed with an argument of what a lookup gives."""
        return (lookup, place) in self.relevant

    # --- what matters ---------------------------------------------------------------------------------

    def _has_narrow_numbers(self) -> bool:
        names = {one.name for one in every(nodes.Function, *self._rules) if not one.arguments}
        values = [term for name, term in self._values.items() if name in names]
        ranges = self._facts.values()
        return all(
            one.value <= LARGEST_INTEGER for one in every(nodes.Number, *self._rules, *values)
        ) and all(low >= -LARGEST_INTEGER and high <= LARGEST_INTEGER for low, high in ranges)

    def _computes(self, statement: Statement) -> bool:
        for node in _nodes(statement):
            if isinstance(node, nodes.Aggregate | nodes.HeadAggregate):
                if node.function in ("#sum", "#sum+"):
                    return True
            elif isinstance(node, nodes.BinaryOperation | nodes.UnaryOperation | nodes.Absolute) and (
                integer_value(node, self._constants) is None or not _is_narrow(node, self._constants)
            ):
                return True
        return isinstance(statement, nodes.WeakConstraint | nodes.Heuristic)

    def _relevant(self) -> frozenset[tuple[Lookup, int]]:
        """The arguments of lookups with which something is computed."""
        places: set[Place] = set()
        found: set[tuple[Lookup, int]] = set()
        is_changed = not self.is_free
        while is_changed:
            is_changed = False
            for statement in self._rules:
                names = self._relevant_names(statement, places)
                for node in _nodes(statement):
                    if isinstance(node, nodes.Atom):
                        for place, term in enumerate(node.arguments):
                            if (node.signature, place) not in places and _has_any(term, names):
                                places.add((node.signature, place))
                                is_changed = True
                    elif isinstance(node, nodes.Literal) and (lookup := self._lookup_of(node)) is not None:
                        for place, term in enumerate(_pattern(node)):
                            if _has_any(term, names):
                                found.add((lookup, place))
        return frozenset(found)

    def _relevant_names(self, statement: Statement, places: set[Place]) -> set[str]:
        names: set[str] = set()
        equated: list[set[str]] = []
        asked = {id(one.atom) for one in every(nodes.Literal, statement) if self._lookup_of(one) is not None}
        for node in _nodes(statement):
            match node:
                case nodes.BinaryOperation() | nodes.UnaryOperation() | nodes.Absolute():
                    names |= {one.name for one in every(nodes.Variable, node)}
                case nodes.Aggregate(_, elements, left, right) | nodes.HeadAggregate(
                    _, elements, left, right
                ):
                    terms = [one.terms[0] for one in elements if one.terms]
                    guards = [one.term for one in (left, right) if one is not None]
                    equated.append({one.name for one in every(nodes.Variable, *terms, *guards)})
                    if node.function in ("#sum", "#sum+"):
                        names |= {one.name for one in every(nodes.Variable, *terms)}
                case nodes.Comparison() if id(node) not in asked:
                    equated.append({one.name for one in every(nodes.Variable, node)})
                case nodes.WeakConstraint(_, weight, priority):
                    names |= {one.name for one in every(nodes.Variable, weight, priority)}
                case nodes.Heuristic(_, _, weight, priority):
                    names |= {one.name for one in every(nodes.Variable, weight, priority)}
                case nodes.Atom(_, arguments):
                    for place, term in enumerate(arguments):
                        if (node.signature, place) in places:
                            names |= {one.name for one in every(nodes.Variable, term)}
        while any(one & names and not one <= names for one in equated):
            for one in equated:
                if one & names:
                    names |= one
        return names

    # --- ranges ---------------------------------------------------------------------------------------

    def _find_grown(self) -> None:
        """Finds the arguments without range, and up to which size it does to look at them."""
        smallest = Outside(1, 1, 1)
        endless = self._endless(self._ranges(smallest))
        if not endless or any(
            isinstance(part, nodes.Function | nodes.Tuple)
            and part.arguments  # numbers in it are not looked at
            for rule in self._rules
            for atom in _head_atoms(rule)
            for place, term in enumerate(atom.arguments)
            if (atom.signature, place) in endless
            for part in every(Node, term)
        ):
            return
        for most in GROWTH:
            self.grown = tuple(Grown(*place, most) for place in endless)
            if self._fits(smallest):
                return
        self.grown = ()

    def _calls_functions(self) -> bool:
        """Whether users' functions are called."""
        literals = every(nodes.Literal, *self._rules)
        asked = {id(guard.term) for one in literals if self._lookup_of(one) for guard in one.atom.guards}  # type: ignore[union-attr]
        return any(one.is_external and id(one) not in asked for one in every(nodes.Function, *self._rules))

    def _find_results(self) -> None:
        """Finds up to which size it does to look at what functions give."""
        for most in RESULTS:
            self.results = most
            if self._fits(Outside(1, 1, 1)):
                return

    def _endless(self, ranges: Mapping[Place, Range]) -> list[Place]:
        return sorted(place for place, (low, high) in ranges.items() if low <= -_END or high >= _END)

    def _fits(self, outside: Outside) -> bool:
        ranges = self._ranges(outside)
        state = _Ranges(self, outside, ranges, self._sizes(outside.rows))
        for rule in self._rules:
            state.statement(rule, {})
        return state.is_within and not self._endless(ranges)

    def _ranges(self, outside: Outside) -> dict[Place, Range]:
        ranges = dict(self._facts)
        sizes = self._sizes(outside.rows)
        grown: dict[Place, Range] = {(one.signature, one.place): (-one.most, one.most) for one in self.grown}
        ranges |= grown
        for number in range(4 * _ROUNDS):
            state = _Ranges(self, outside, ranges, sizes)
            found: dict[Place, Range] = {}
            for rule in self._rules:
                state.statement(rule, found)
            is_changed = False
            for place, ends in found.items():
                before = ranges.get(place, ends)
                low, high = min(ends[0], before[0]), max(ends[1], before[1])
                if place in grown or ranges.get(place) == (low, high):
                    continue
                is_changed = True
                if number >= _ROUNDS:
                    low = -_END if low < before[0] else low
                    high = _END if high > before[1] else high
                ranges[place] = low, high
            if not is_changed:
                break
        for _ in range(3):  # comparisons may bound what has no end by now
            found = {}
            state = _Ranges(self, outside, ranges, sizes)
            for rule in self._rules:
                state.statement(rule, found)
            for place, (low, high) in found.items():
                if place not in grown:
                    own = self._facts.get(place, (low, high))
                    ranges[place] = min(low, own[0]), max(high, own[1])
        return ranges

    def _sizes(self, rows: int) -> dict[Signature, int]:
        """How many atoms predicates have at most."""
        if rows not in self._known_sizes:
            self._known_sizes[rows] = self._sizes_with(rows)
        return self._known_sizes[rows]

    def _sizes_with(self, rows: int) -> dict[Signature, int]:
        total = rows + self._facts_number
        shapes = [_Shape.of(rule, self._lookup_of) for rule in self._rules]
        widest = max((head.arity for shape in shapes for head in shape.heads), default=0) + 1
        sizes: dict[Signature, int] = {}
        for number in range(_ROUNDS):
            found: dict[Signature, int] = {}
            for shape in shapes:
                size = _END if shape.is_open else 1
                for signature in shape.body:
                    size = min(size * (total if signature is None else sizes.get(signature, total)), _END)
                for head in shape.heads:
                    found[head] = min(found.get(head, 0) + size, _END)
            if number >= _ROUNDS - 2:  # what depends on itself has each combination of values at most
                found = {
                    one: size if size == sizes.get(one) else min((widest * total + 64) ** one.arity, _END)
                    for one, size in found.items()
                }
            if found == sizes:
                break
            sizes = found
        return sizes


class _Shape(NamedTuple):
    """What says how many atoms a rule derives at most.

    Attributes:
        heads: the predicates that it derives.
        body: those of the positive atoms of its body; None for lookups.
        is_open: whether intervals, pools or calls give more.
    """

    heads: tuple[Signature, ...]
    body: tuple[Signature | None, ...]
    is_open: bool

    @classmethod
    def of(cls, rule: Statement, lookup_of: Any) -> "_Shape":
        """That of a rule."""
        body: list[Signature | None] = []
        has_lookup = False
        for literal in body_of(rule):
            if isinstance(literal, nodes.Literal) and literal.sign is Sign.POSITIVE:
                if lookup_of(literal) is not None:
                    has_lookup = True
                    body.append(None)
                elif isinstance(literal.atom, nodes.Atom):
                    body.append(literal.atom.signature)
        is_open = any(
            (isinstance(node, nodes.BinaryOperation) and node.operator == "..")
            or (not has_lookup and isinstance(node, nodes.Pool))
            or (
                not has_lookup and isinstance(node, nodes.Function) and node.is_external and node != nodes.NOW
            )
            for node in every(Node, rule)
        )
        return cls(tuple(_head_signatures(rule)), tuple(body), is_open)


class _Ranges:
    """Looks at statements with ranges for arguments.

    Attributes:
        is_within: whether all that was computed has 32 bits.
    """

    def __init__(
        self,
        whole: NumberRanges,
        outside: Outside,
        places: Mapping[Place, Range],
        sizes: Mapping[Signature, int],
    ) -> None:
        self._whole = whole
        self._constants = whole._constants
        self._outside = outside
        self._places = places
        self._sizes = sizes
        self._total = outside.rows + whole._facts_number
        self.is_within = True

    def statement(self, statement: Statement, found: dict[Place, Range]) -> None:
        """Adds what a statement gives the arguments of what it derives."""
        known = self._body(body_of(statement), {})
        if known is None:
            return
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
            lookup = self._whole._lookup_of(literal)
            if lookup is not None:
                for place, term in enumerate(_pattern(literal)):
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
                elif self._whole._lookup_of(part) is None:
                    self._all(part, known)
            else:
                self._aggregate(part.atom, known)
        return known

    def _of_lookup(self, lookup: Lookup, place: int) -> Range:
        if lookup.signature is None:
            return 0, self._outside.tick + 1
        if lookup.kind in _WITH_TICKS and lookup.signature is not None and place == lookup.signature.arity:
            return 0, LARGEST_INTEGER if lookup.kind is LookupKind.SCHEDULED else self._outside.tick + 1
        if not self._whole.is_relevant(lookup, place):
            return _NARROW
        return -self._outside.largest, self._outside.largest

    def _match(self, term: Term, found: Range, known: dict[str, Range]) -> None:
        match term:
            case nodes.Variable(name):
                if not term.is_anonymous:
                    _narrow(name, found, known)
                return
            case nodes.Function(_, arguments) | nodes.Tuple(arguments):
                for one in arguments:
                    self._match(one, found, known)
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
            if isinstance(atom, nodes.Comparison) and self._whole._lookup_of(literal) is None:
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
        for _ in range(len(pending) + 1):
            for one, other in pending:
                for left, right in ((one, other), (other, one)):
                    if isinstance(left, nodes.Aggregate | nodes.SetAggregate):
                        continue
                    unknown = {v.name for v in every(nodes.Variable, left)} - known.keys()
                    if not unknown:
                        continue
                    if isinstance(right, nodes.Aggregate | nodes.SetAggregate):
                        self._match(left, self._aggregate(right, known), known)
                    elif {v.name for v in every(nodes.Variable, right)} <= known.keys():
                        self._match(left, self.value(right, known), known)

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
            if {v.name for v in every(nodes.Variable, guard)} <= known.keys():
                self._all(guard, known)
        if isinstance(aggregate, nodes.SetAggregate) or aggregate.function == "#count":
            return 0, count
        if aggregate.function in ("#sum", "#sum+"):
            self._check((-total, total))
            return -min(total, _END), min(total, _END)
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

    def _check(self, ends: Range) -> None:
        if ends[0] <= ends[1] and (ends[0] < SMALLEST_INTEGER or ends[1] > LARGEST_INTEGER):
            self.is_within = False

    def value(self, term: Term, known: Mapping[str, Range]) -> Range:
        """The range of the numbers in the value of a term."""
        found = self._value(term, known)
        if found[0] <= found[1]:
            self._check(found)
            return max(found[0], -_END), min(found[1], _END)
        return found

    def _value(self, term: Any, known: Mapping[str, Range]) -> Range:
        match term:
            case nodes.Number(number):
                return number, number
            case nodes.Variable(name):
                return known.get(name, _NARROW) if not term.is_anonymous else (1, 0)
            case nodes.Function(name, (), False) if name == self._whole._now:
                return 0, self._outside.tick
            case nodes.Function(name, (), False):
                constant = self._whole._values.get(name)
                return (1, 0) if constant is None or constant == term else self.value(constant, known)
            case nodes.Function() | nodes.Tuple():
                found = _joined([self.value(one, known) for one in term.arguments])
                is_called = isinstance(term, nodes.Function) and term.is_external
                return (-self._whole.results, self._whole.results) if is_called else found
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
                return self._operated(operator, self.value(left, known), self.value(right, known))
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


def _checked(ends: Range, ranges: _Ranges) -> Range:
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


def _facts(facts: Iterable[Statement]) -> dict[Place, Range]:
    """The ranges of the arguments of plain facts."""
    found: dict[Place, Range] = {}
    for fact in facts:
        atom: Any = fact.head  # type: ignore[union-attr]
        signature = atom.signature
        for place, term in enumerate(atom.arguments):
            if isinstance(term, nodes.Number):
                low, high = found.get((signature, place), (term.value, term.value))
                found[signature, place] = min(low, term.value), max(high, term.value)
    return found


def _nodes(statement: Node) -> Iterator[Node]:
    return every(Node, statement)


def _has_any(term: Term, names: set[str]) -> bool:
    return any(one.name in names for one in every(nodes.Variable, term))


def _pattern(literal: Any) -> list[Term]:
    """The terms of the answer to a lookup: the arguments of atoms, and the tick or number."""
    term = literal.atom.term
    if isinstance(term, nodes.UnaryOperation):
        term = term.argument
    if isinstance(term, nodes.Tuple) and literal.lookup.signature is not None:
        atom, tick = term.arguments
        atom = atom.argument if isinstance(atom, nodes.UnaryOperation) else atom
        return [*getattr(atom, "arguments", ()), tick]
    return [*getattr(term, "arguments", ())]


def _head_signatures(statement: Statement) -> Iterator[Signature]:
    return (atom.signature for atom in _head_atoms(statement))


def _head_atoms(statement: Statement) -> Iterator[nodes.Atom]:
    if isinstance(statement, nodes.External):
        yield statement.atom
    head = getattr(statement, "head", None)
    match head:
        case nodes.Atom():
            yield head
        case nodes.Disjunction(elements) | nodes.SetAggregate(elements) | nodes.HeadAggregate(_, elements):
            for one in elements:
                yield from every(nodes.Atom, one.literal)


def _is_narrow(term: Term, constants: Mapping[str, int]) -> bool:
    """Whether a term of constants, and each in it, has 32 bits."""
    for part in every(Node, term):
        value = integer_value(part, constants) if isinstance(part, nodes.Term) else None
        if value is not None and not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
            return False
    return True
