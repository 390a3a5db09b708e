"""Ground terms as Python values, and atoms as rows of them.

A number is an `int`, a string a `str`. A constant, a function or a tuple is a Term. Equal terms are one
object, whose hash is its identity. An atom of p/k is a predicate and a row: a tuple of
k values. Terms are let go when nothing holds them any more.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Any, NamedTuple, Self, cast
from weakref import WeakValueDictionary, ref

from lars2asp.syntax.nodes import Signature

MOST_CONSTANTS = 65536
"""The number of unused constants to keep, or half of the used ones if more."""

LONGEST_NAME = 64
"""In characters: constants of longer names are let go at once."""

MANY_ROWS = 2000
"""From so many rows on their columns are taken one by one (`run streamrule-positive`)."""


class Term:
    """A constant, a function term, a tuple, `#inf` or `#sup`.

    Equal terms are one object. Use `constant` and `function` to make them.

    Attributes:
        name: Its name; empty for tuples.
        arguments: Its arguments; none for constants.
        is_positive: False for classical negation, as in `-a`.
        key: clingo's integer for it, for internal use.
    """

    __slots__ = ("__weakref__", "arguments", "is_positive", "key", "name")

    def __init__(self, name: str, arguments: "Row", is_positive: bool) -> None:
        self.name = name
        self.arguments = arguments
        self.is_positive = is_positive
        self.key = 0

    def __repr__(self) -> str:
        return f"<Term {self.name}/{len(self.arguments)}>"

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self.name, self.arguments, self.is_positive)


Value = int | str | Term
"""A ground term."""

Row = tuple[Value, ...]
"""The arguments of an atom, or of an answer to a lookup."""


def columns_of(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The columns of rows. Raises ValueError for rows of several lengths.

    As many iterators side by side as there are many rows would not stay in the processor's caches.
    """
    if len(rows) < MANY_ROWS:
        return [*zip(*rows, strict=True)]
    [length] = set(map(len, rows))
    return [tuple(map(itemgetter(place), rows)) for place in range(length)]


class GroundAtom(NamedTuple):
    """An atom: its predicate and its arguments."""

    signature: Signature
    row: Row


class AtomRows(NamedTuple):
    """Atoms of one predicate, by their arguments.

    Attributes:
        signature: The predicate.
        rows: A tuple of arguments for each atom.
    """

    signature: Signature
    rows: Sequence[Row]


atoms_of = cast(Callable[[tuple[Signature, Sequence[Row]]], AtomRows], partial(tuple.__new__, AtomRows))
"""Makes atoms of a predicate and rows, in less time than `AtomRows` by itself."""


class InTurns(tuple[AtomRows, ...]):
    """Atoms by predicate, if atoms of several predicates take turns.

    Attributes:
        order: The predicate of each atom, in the order of arrival.
    """

    order: Callable[[], Iterable[Signature]]

    @classmethod
    def of(cls, atoms: Iterable[AtomRows], order: Callable[[], Iterable[Signature]]) -> Self:
        """The atoms, grouped by predicate, and their order."""
        found = cls(atoms)
        found.order = order
        return found


def turns_of(atoms: Iterable[AtomRows]) -> Iterable[AtomRows]:
    """Atoms in the order of arrival: neighbours of one predicate together."""
    if not isinstance(atoms, InTurns):
        return atoms
    rows = {signature: iter(rows) for signature, rows in atoms}
    return (
        AtomRows(signature, [next(rows[signature]) for _ in here])
        for signature, here in groupby(atoms.order())
    )


BARE_TERM = Signature("", 1)
"""Stands for the predicate of terms that are shown and are no atoms, such as numbers."""

INFIMUM, SUPREMUM = Term("#inf", (), True), Term("#sup", (), True)

_table: WeakValueDictionary[tuple[str, Row, bool], Term] = WeakValueDictionary()
_lock = Lock()


class _Constants(dict[str, Term]):
    """Constants by their names, as far as they were used lately.

    Constants in use are in a weak table. It drops the others now and then, which costs less than a callback
    for each.
    """

    def __init__(self) -> None:
        self._all: dict[str, ref[Term]] = {}
        self._most = MOST_CONSTANTS

    def __missing__(self, name: str) -> Term:
        if len(name) > LONGEST_NAME:
            return _term(name, (), True)
        with _lock:  # another thread may make it as well
            known = self._all.get(name)
            found = None if known is None else known()
            if found is None:
                found = Term(name, (), True)
                self._all[name] = ref(found)
                if len(self._all) > self._most:
                    self._sweep()
        if len(self) >= MOST_CONSTANTS:
            self.clear()
        self[name] = found
        return found

    def count(self) -> int:
        """The number of constants in use, except long names."""
        with _lock:
            self._sweep()
            return len(self._all)

    def _sweep(self) -> None:
        for name in [name for name, known in self._all.items() if known() is None]:
            del self._all[name]
        self._most = len(self._all) + max(len(self._all) // 2, MOST_CONSTANTS)


CONSTANTS = _Constants()
"""Gives the constant of a name, by `CONSTANTS[name]`; the fastest way."""


def constant(name: str, *, is_positive: bool = True) -> Term:
    """Returns the constant of a name, for facts given as tuples.

    A text in a tuple is a string: `("hot", "hall")` is `hot("hall")`.

    >>> from lars2asp import Reasoner, constant
    >>> Reasoner.from_text("alarm(R) :- hot(R).").step(0, [("hot", constant("hall"))]).holds.texts
    ('alarm(hall)',)

    Args:
        name: The name, such as `kitchen`.
        is_positive: False for `-name`.

    Raises:
        TypeError: For a name that is not text.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a constant is text, not {name!r}: numbers and strings need no constant")
    return function(name, (), is_positive=is_positive)


def function(name: str, arguments: Row, *, is_positive: bool = True) -> Term:
    """Returns the function term of a name and arguments, for facts given as tuples.

    >>> from lars2asp import Reasoner, function
    >>> Reasoner.from_text("at(P) :- seen(P).").step(0, [("seen", function("point", (1, 2)))]).holds.texts
    ('at(point(1,2))',)

    Args:
        name: The name.
        arguments: A tuple of integers, strings and Terms; an empty tuple makes a constant.
        is_positive: False for `-name(...)`.

    Raises:
        TypeError: For arguments that are not a tuple, and for values of other types.
    """
    if not isinstance(arguments, tuple):
        raise TypeError(f"the arguments of a function are a tuple, such as (1, 2), not {arguments!r}")
    return _term(name, arguments, is_positive) if arguments or not is_positive else CONSTANTS[name]


def tuple_term(arguments: Row) -> Term:
    """The term `(a, b, ...)`, of any number of arguments."""
    return function("", arguments)


def _term(name: str, arguments: Row, is_positive: bool) -> Term:
    key = name, arguments, is_positive
    found = _table.get(key)
    if found is None:
        with _lock:  # another thread may have made it meanwhile
            found = _table.get(key)
            if found is None:
                _check(arguments)
                found = _table[key] = Term(name, arguments, is_positive)
    return found


def _check(arguments: Row) -> None:
    """Raises TypeError unless all are values: 1.0 and True would mean 1 from then on."""
    for one in arguments:
        if type(one) is not int and type(one) is not str and not isinstance(one, Term):
            cure = 'give decimals in a fact, as in ("temp", 20.5)'
            raise TypeError(f"an argument of a term is an int, a str or a Term, not {one!r}: {cure}")


def _made(name: str, arguments: Row, is_positive: bool) -> Term:
    """Makes the object of this process, for pickle."""
    if name == "#inf":
        return INFIMUM
    if name == "#sup":
        return SUPREMUM
    return function(name, arguments, is_positive=is_positive)


def number_of_terms() -> int:
    """The number of terms that something holds."""
    return len(_table) + CONSTANTS.count()
