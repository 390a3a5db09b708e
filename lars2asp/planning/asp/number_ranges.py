"""Whether all numbers that rules make of others stay within the 32 bits that clingo's have.

What numbers come from outside is known when they are there: the largest of them, in how many rows they stand,
and the tick. From these follow ranges for the arguments of all predicates, and for each operation; where they
end beyond 32 bits, clingo is not given the text. A predicate that depends on itself by arithmetic has no
range: it is taken to stay within one of GROWTH, and rules say where it does not.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.planning.asp.computed_rules import (
    ComputedRules,
    Place,
    Range,
    head_atoms_of,
    head_signatures,
)
from lars2asp.planning.asp.statement_ranges import END, Outside, StatementRanges
from lars2asp.planning.lookups import Lookup
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import LARGEST_INTEGER, Node, Sign, Signature, Statement
from lars2asp.syntax.traversal import body_of, every

GROWTH = (2**24, 2**20, 2**15, 2**10)
"""Up to which size the numbers of predicates are looked at that depend on themselves by arithmetic."""

RESULTS = (LARGEST_INTEGER, 2**24, 2**20, 2**15, 2**10)
"""Up to which size those are looked at that a user's functions give."""

_TICKS = 2**20
"""Ticks for which limits are the same."""

_ROWS_BITS = 8
"""Limits are looked for in steps of so many bits of the number of rows first."""

_ROUNDS = 12
"""After as many rounds ranges that still grow have no end."""


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
        computed: the statements, and what is computed in them.

    Attributes:
        is_free: whether nothing is computed, so that no number from outside matters but those of which
            clingo has none.
        grown: the arguments that have no range.
        results: up to which size the numbers are looked at that a user's functions give.
    """

    def __init__(self, computed: ComputedRules) -> None:
        self._computed = computed
        self._limits: dict[tuple[int, int], Range] = {}
        self._largest_interval = LARGEST_INTERVAL
        self._known_sizes: dict[int, dict[Signature, int]] = {}
        self.is_free = self._computed.is_free
        self.relevant = self._computed.relevant
        self.grown: tuple[Grown, ...] = ()
        self.results = LARGEST_INTEGER
        if not self.is_free:
            self._find_grown()
            if self._calls_functions():
                self._find_results()

    def fits(self, largest: int, rows: int, tick: int, *, largest_interval: int = LARGEST_INTERVAL) -> bool:
        """Whether nothing leaves 32 bits, and no interval has too many values.

        Args:
            largest: the size of the largest number from outside with which something is computed.
            rows: in how many rows there are numbers from outside, at most.
            tick: the current tick.
            largest_interval: the number of values that an interval may have.
        """
        if largest_interval != self._largest_interval:
            self._limits.clear()
            self._largest_interval = largest_interval
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
            rows, tick = (1 << key[0]) - 1, (key[1] + 1) * _TICKS
            if tick - _TICKS < LARGEST_INTEGER:
                tick = min(tick, LARGEST_INTEGER - 1)
            rounded = (4 << largest.bit_length()) - 1
            for one in (LARGEST_INTEGER, min(rounded, LARGEST_INTEGER), *more):
                if least < one < most:
                    if self._are_within(Outside(one, rows, tick, self._largest_interval)):
                        least = one
                    else:
                        most = one
            self._limits[key] = least, most
        return largest <= least

    def _are_within(self, outside: Outside) -> bool:
        return self._computed.has_narrow_numbers and (self.is_free or self._fits(outside))

    @property
    def signatures(self) -> frozenset[Signature]:
        """The predicates that rules derive."""
        return frozenset(chain.from_iterable(map(head_signatures, self._computed.rules)))

    def is_relevant(self, lookup: Lookup, place: int) -> bool:
        """Whether something is computed with an argument of what a lookup gives."""
        return (lookup, place) in self.relevant

    def _find_grown(self) -> None:
        """Finds the arguments without range, and up to which size it does to look at them."""
        smallest = Outside(1, 1, 1)
        endless = self._endless(self._ranges(smallest))
        if not endless or any(
            isinstance(part, nodes.Function | nodes.Tuple)
            and part.arguments  # numbers in it are not looked at
            for rule in self._computed.rules
            for atom in head_atoms_of(rule)
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
        rules, lookup_of = self._computed.rules, self._computed.lookup_of
        atoms: list[Any] = [one.atom for one in every(nodes.Literal, *rules) if lookup_of(one)]
        asked = {id(guard.term) for atom in atoms for guard in atom.guards}
        return any(one.is_external and id(one) not in asked for one in every(nodes.Function, *rules))

    def _find_results(self) -> None:
        """Finds up to which size it does to look at what functions give."""
        for most in RESULTS:
            self.results = most
            if self._fits(Outside(1, 1, 1)):
                return

    def _endless(self, ranges: Mapping[Place, Range]) -> list[Place]:
        return sorted(place for place, (low, high) in ranges.items() if low <= -END or high >= END)

    def _fits(self, outside: Outside) -> bool:
        ranges = self._ranges(outside)
        state = StatementRanges(self._computed, outside, ranges, self._sizes(outside.rows), self.results)
        for rule in self._computed.rules:
            state.statement(rule, {})
        return state.is_within and not self._endless(ranges)

    def _ranges(self, outside: Outside) -> dict[Place, Range]:
        ranges = dict(self._computed.facts)
        sizes = self._sizes(outside.rows)
        grown: dict[Place, Range] = {(one.signature, one.place): (-one.most, one.most) for one in self.grown}
        ranges |= grown
        for number in range(4 * _ROUNDS):
            state = StatementRanges(self._computed, outside, ranges, sizes, self.results)
            found: dict[Place, Range] = {}
            for rule in self._computed.rules:
                state.statement(rule, found)
            is_changed = False
            for place, ends in found.items():
                before = ranges.get(place, ends)
                low, high = min(ends[0], before[0]), max(ends[1], before[1])
                if place in grown or ranges.get(place) == (low, high):
                    continue
                is_changed = True
                if number >= _ROUNDS:
                    low = -END if low < before[0] else low
                    high = END if high > before[1] else high
                ranges[place] = low, high
            if not is_changed:
                break
        for _ in range(3):  # comparisons may bound what has no end by now
            found = {}
            state = StatementRanges(self._computed, outside, ranges, sizes, self.results)
            for rule in self._computed.rules:
                state.statement(rule, found)
            for place, (low, high) in found.items():
                if place not in grown:
                    own = self._computed.facts.get(place, (low, high))
                    ranges[place] = min(low, own[0]), max(high, own[1])
        return ranges

    def _sizes(self, rows: int) -> dict[Signature, int]:
        """How many atoms predicates have at most."""
        if rows not in self._known_sizes:
            self._known_sizes[rows] = self._sizes_with(rows)
        return self._known_sizes[rows]

    def _sizes_with(self, rows: int) -> dict[Signature, int]:
        total = rows + self._computed.facts_number
        shapes = [_Shape.of(rule, self._computed.lookup_of) for rule in self._computed.rules]
        widest = max((head.arity for shape in shapes for head in shape.heads), default=0) + 1
        sizes: dict[Signature, int] = {}
        for number in range(_ROUNDS):
            found: dict[Signature, int] = {}
            for shape in shapes:
                size = END if shape.is_open else 1
                for signature in shape.body:
                    size = min(size * (total if signature is None else sizes.get(signature, total)), END)
                for head in shape.heads:
                    found[head] = min(found.get(head, 0) + size, END)
            if number >= _ROUNDS - 2:  # what depends on itself has each combination of values at most
                found = {
                    one: size if size == sizes.get(one) else min((widest * total + 64) ** one.arity, END)
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
        return cls(tuple(head_signatures(rule)), tuple(body), is_open)
