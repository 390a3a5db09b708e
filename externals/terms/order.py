"""clingo's order of terms and atoms, for output and comparisons.

`#inf`, numbers, constants (and the empty tuple), negative constants, strings, functions and tuples by sign,
arity, name and arguments, `#sup`.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from lars2asp.externals.terms.terms import BARE_TERM, INFIMUM, SUPREMUM, GroundAtom, Row, Term, Value
from lars2asp.syntax.nodes import Signature


def value_key(value: Value) -> tuple[Any, ...]:
    """Sorts values as clingo does."""
    if type(value) is int:
        return (1, value)
    if type(value) is str:
        return (4, value)
    assert isinstance(value, Term)
    if not value.arguments:
        if value is INFIMUM:
            return (0,)
        if value is SUPREMUM:
            return (6,)
        return (2, value.name) if value.is_positive else (3, value.name)
    return (5, not value.is_positive, len(value.arguments), value.name, row_key(value.arguments))


def row_key(row: Row) -> tuple[Any, ...]:
    """Sorts rows of one length as clingo does."""
    return tuple(map(value_key, row))


def signature_key(signature: Signature) -> tuple[Any, ...]:
    """Sorts predicates as clingo sorts their atoms; not for BARE_TERM."""
    name, arity, is_positive = signature
    if not arity:
        return (2 if is_positive else 3, name)
    return (5, not is_positive, arity, name)


def atom_key(atom: GroundAtom) -> tuple[Any, ...]:
    """Sorts atoms, and terms that are shown, as clingo does."""
    signature, row = atom
    if signature == BARE_TERM:
        return value_key(row[0])
    return (*signature_key(signature), row_key(row)) if row else signature_key(signature)


def less(one: Value, other: Value) -> bool:
    """Whether a value stands before another one."""
    if type(one) is type(other) is int or type(one) is type(other) is str:
        return one < other  # type: ignore[operator]
    return value_key(one) < value_key(other)


def in_order(rows: Iterable[Row]) -> list[Row]:
    """The rows of one predicate, sorted; quick where each place has values of one kind."""
    found = list(rows)
    if len(found) < 2 or not found[0]:
        return found
    kinds = set(map(type, chain.from_iterable(found)))
    if kinds in ({int}, {str}):
        found.sort()
        return found
    if kinds == {Term}:
        found.sort(key=row_key)
        return found
    columns = [set(map(type, column)) for column in zip(*found, strict=True)]
    if all(kinds in ({int}, {str}) for kinds in columns):
        found.sort()
    else:
        found.sort(key=row_key)
    return found
