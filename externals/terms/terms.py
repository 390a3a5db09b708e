"""Ground terms as Python values, and atoms as rows of them.

A number is an `int`, a string a `str`; a constant, a function or a tuple is a Term, of which there is one
object for equal terms, so that its hash is its identity. An atom of p/k is a predicate and a row: a tuple of
k values. Terms are let go when nothing holds them any more.
"""

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple
from weakref import ref

from lars2asp.syntax.nodes import Signature

MOST_CONSTANTS = 65536
"""The number of constants that are found by name without the table of all terms."""


class Term:
    """A constant, a function term, a tuple (its name is empty), or one of `#inf` and `#sup`.

    Equal terms are one object: they are made by `constant`, `function` and `tuple_term` alone.

    Attributes:
        name: its name; empty for tuples, "#inf" and "#sup" for these.
        arguments: its arguments; none for constants.
        is_positive: false for classical negation, as in `-a`.
        key: clingo's integer for it, 0 as long as it was not asked for (lars2asp.externals.terms.symbols).
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


class GroundAtom(NamedTuple):
    """An atom: its predicate and its arguments."""

    signature: Signature
    row: Row


class AtomRows(NamedTuple):
    """Atoms of one predicate, by their arguments, in some order."""

    signature: Signature
    rows: Sequence[Row]


BARE_TERM = Signature("", 1)
"""Stands for the predicate of terms that are shown and are no atoms, such as numbers."""

INFIMUM, SUPREMUM = Term("#inf", (), True), Term("#sup", (), True)

MOST_GONE = 65536
"""The number of terms that are gone and still take place, or half of those held if these are more."""


class _Terms(dict[tuple[str, Row, bool], "ref[Term]"]):
    """All terms that something holds, and some that are gone.

    Now and then those that are gone are looked for, as it takes longer to be told of each.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._most = MOST_GONE

    def of(self, key: tuple[str, Row, bool]) -> Term:
        """The term with a name, arguments and a sign, which is made if need be."""
        with self._lock:
            known = self.get(key)
            found = None if known is None else known()
            if found is None:
                found = Term(*key)
                self[key] = ref(found)
                if len(self) > self._most:
                    self._sweep()
            return found

    def count(self) -> int:
        """The number of terms that something holds, but for those that stood in one that is just gone."""
        with self._lock:
            self._sweep()
            return len(self)

    def _sweep(self) -> None:
        """Drops terms that are gone; those that stood in them are gone for the next time."""
        for key in [key for key, known in self.items() if known() is None]:
            del self[key]
        self._most = len(self) + max(len(self) // 2, MOST_GONE)


_terms = _Terms()


class _Constants(dict[str, Term]):
    """Constants by their names: those that were used lately."""

    def __missing__(self, name: str) -> Term:
        found = _term(name, (), True)
        if len(self) >= MOST_CONSTANTS:
            self.clear()
        self[name] = found
        return found


CONSTANTS = _Constants()
"""Gives the constant of a name, by `CONSTANTS[name]`; the fastest way."""


def constant(name: str, *, is_positive: bool = True) -> Term:
    """The constant of a name."""
    return CONSTANTS[name] if is_positive else _term(name, (), False)


def function(name: str, arguments: Row, *, is_positive: bool = True) -> Term:
    """The function term of a name and arguments, the constant if there are none."""
    return _term(name, arguments, is_positive)


def tuple_term(arguments: Row) -> Term:
    """The term `(a, b, ...)`, of any number of arguments."""
    return _term("", arguments, True)


def _term(name: str, arguments: Row, is_positive: bool) -> Term:
    key = name, arguments, is_positive
    known = _terms.get(key)
    return (None if known is None else known()) or _terms.of(key)


def _made(name: str, arguments: Row, is_positive: bool) -> Term:
    """What pickle makes: the one object of this process."""
    if name == "#inf":
        return INFIMUM
    return SUPREMUM if name == "#sup" else _term(name, arguments, is_positive)


def number_of_terms() -> int:
    """The number of terms that something holds, but for those that stood in one that is just gone."""
    return _terms.count()
