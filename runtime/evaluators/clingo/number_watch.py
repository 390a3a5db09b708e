"""Whether the numbers of a tick are such that clingo computes with them as they are."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any

from clingo import Symbol, SymbolType

from lars2asp.analysis.arithmetic.intervals import LARGEST_INTERVAL
from lars2asp.externals.terms.symbols import is_wide_name
from lars2asp.externals.terms.terms import Row, Term
from lars2asp.planning.asp.asp_program import AspProgram
from lars2asp.planning.lookups import Lookup


class LeftRangeError(Exception):
    """A number has left the range in which clingo computes with it."""


class NumberWatch:
    """Looks at the numbers that answers to lookups bring.

    Args:
        program: the program.
        largest_interval: the number of values that one interval may have.
    """

    def __init__(self, program: AspProgram, largest_interval: int = LARGEST_INTERVAL) -> None:
        self._ranges = ranges = program.ranges
        self._largest_interval = largest_interval
        self._places: dict[Lookup, tuple[int, ...]] = {}
        for lookup, place in sorted(ranges.relevant, key=lambda one: one[1]):
            has_all = lookup.signature is not None and place < lookup.signature.arity
            if has_all:  # others are ticks, and numbers of ticks
                self._places[lookup] = (*self._places.get(lookup, ()), place)
        self._largest = 0

    def take(self, lookup: Lookup, rows: Iterable[Row]) -> None:
        """Takes rows that began to be in the answer to a lookup."""
        places = self._places.get(lookup)
        if places is not None:
            for row in rows:
                for place in places:
                    value = row[place]
                    size = (value if value >= 0 else -value) if type(value) is int else _size(value)
                    self._largest = max(self._largest, size)

    def is_narrow(self, tick: int, answers: Mapping[Lookup, Collection[Row]]) -> bool:
        """Whether nothing that the program computes of these answers leaves 32 bits, or has too many values.

        Numbers with which nothing is computed are for who gives them to clingo.
        """
        most, rows = self._largest_interval, sum(map(len, answers.values()))
        fits = partial(self._ranges.fits, rows=rows, tick=tick, largest_interval=most)
        if fits(self._largest):
            return True
        self._largest = 0
        for lookup, found in answers.items():
            self.take(lookup, found)
        return fits(self._largest)


def _size(value: object) -> int:
    """The size of the largest number in a value."""
    if type(value) is int:
        return abs(value)
    return max(map(_size, value.arguments), default=0) if isinstance(value, Term) else 0


def within_range(function: Callable[..., Any], most: int) -> Callable[..., Any]:
    """A user's function; raises LeftRangeError if it gives a number of a larger size."""

    def call(*arguments: Symbol) -> Any:
        found = function(*arguments)
        for symbol in (found,) if isinstance(found, Symbol) else found:
            _check(symbol, most)
        return found

    return call


def _check(symbol: Symbol, most: int) -> None:
    if symbol.type is SymbolType.Number:
        if not -most <= symbol.number <= most:
            raise LeftRangeError
    elif symbol.type is SymbolType.Function:
        if is_wide_name(symbol.name):
            raise LeftRangeError
        for argument in symbol.arguments:
            _check(argument, most)
