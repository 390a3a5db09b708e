"""Terms by number, as snapshots have them: rows are lists of numbers of entries of a table.

    7                       the number 7
    "x"                     the string "x"
    ["f", 1, 0, 3]          f(...), with the terms of the entries 0 and 3 as arguments
    ["f", 0]                -f
    ["", 1, 0]              the tuple of entry 0 alone
    [-1], [1]               #inf, #sup

Arguments stand before what they are arguments of.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, AtomRows, Row, Term, Value, function
from lars2asp.syntax.nodes import LARGEST_NUMBER, Signature

TermEntry = int | str | list[Any]

WriteRows = Callable[[Iterable[Row]], list[Any]]
"""Gives rows in the form that a state has them in."""

ReadRows = Callable[[list[Any]], list[Row]]
"""Gives the rows that a state has in that form."""

same_rows: Callable[[Iterable[Row]], list[Row]] = list
"""In a state that stays in this process rows stand for themselves; it writes and reads them."""


def written_atoms(atoms: Iterable[tuple[Signature, Iterable[Row]]], write: WriteRows) -> list[Any]:
    """Atoms by predicates as a state has them."""
    return [[[*signature], write(rows)] for signature, rows in atoms]


def read_atoms(state: Iterable[Any], read: ReadRows) -> tuple[AtomRows, ...]:
    """The atoms that a state has."""
    return tuple(AtomRows(Signature(*signature), read(rows)) for signature, rows in state)


class _Numbers(dict[Value, int]):
    """The numbers of values; those that are new are added to a table."""

    def __init__(self, table: list[TermEntry]) -> None:
        self._table = table

    def __missing__(self, value: Value) -> int:
        waiting = [value]
        while waiting:  # no recursion: a term may be nested as deep as it likes
            here = waiting[-1]
            entry: TermEntry
            if here in self:
                waiting.pop()
                continue
            if not isinstance(here, Term):
                entry = here
            elif here is INFIMUM or here is SUPREMUM:
                entry = [-1 if here is INFIMUM else 1]
            else:
                unknown = [one for one in here.arguments if one not in self]
                if unknown:
                    waiting += unknown
                    continue
                entry = [here.name, int(here.is_positive), *map(self.__getitem__, here.arguments)]
            self._table.append(entry)
            self[here] = len(self._table) - 1
            waiting.pop()
        return self[value]


class TermTable:
    """Writes rows.

    Attributes:
        table: the entries, in the order of their numbers.
    """

    def __init__(self) -> None:
        self.table: list[TermEntry] = []
        self._number = _Numbers(self.table).__getitem__

    def write(self, rows: Iterable[Row]) -> list[list[int]]:
        """The rows as lists of the numbers of their values."""
        number = self._number
        return [list(map(number, row)) for row in rows]


class TermReader:
    """Reads rows that were written with a table. Raises ValueError for what is not a table."""

    def __init__(self, table: Sequence[TermEntry]) -> None:
        self._values: list[Value] = []
        for entry in table:
            self._values.append(self._value(entry))

    def read(self, rows: Iterable[Iterable[int]]) -> list[Row]:
        """The rows that were written."""
        value = self._values.__getitem__
        return [tuple(map(value, row)) for row in rows]

    def _value(self, entry: TermEntry) -> Value:
        match entry:
            case str():
                return entry
            case int() if type(entry) is int and -LARGEST_NUMBER <= entry <= LARGEST_NUMBER:
                return entry
            case [-1]:
                return INFIMUM
            case [1]:
                return SUPREMUM
            case [str() as name, 0 | 1 as sign, *numbers]:
                arguments = tuple(map(self._values.__getitem__, numbers))
                return function(name, arguments, is_positive=bool(sign))
        raise ValueError("the table of terms contains an entry that is no term")
