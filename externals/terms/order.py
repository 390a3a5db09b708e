"""clingo's order of terms and atoms, for output and comparisons.

`#inf`, numbers, constants (and the empty tuple), negative constants, strings, functions and tuples by sign,
arity, name and arguments, `#sup`.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, cast

from lars2asp.externals.terms.terms import (
    BARE_TERM,
    INFIMUM,
    SUPREMUM,
    GroundAtom,
    Row,
    Term,
    Value,
    columns_of,
)
from lars2asp.syntax.nodes import Signature

_MOST_AT_ONCE = 2**19
"""The number of keys that Python sorts without a pause: it takes half a second."""

_NAMES_FROM = "$"
"""Names of constants are greater; those of `()`, `#inf` and `#sup` are not."""


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


def less_rows(one: Row, other: Row) -> bool:
    """Whether a row stands before another one of its length."""
    for left, right in zip(one, other, strict=True):
        if not same(left, right):
            return less(left, right)
    return False


def same(one: Value, other: Value) -> bool:
    """Whether values are one."""
    return type(one) is type(other) and one == other


def compare(sign: str, one: Value, other: Value) -> bool:
    """Whether a comparison of values is true, as clingo has it."""
    match sign:
        case "=" | "==":
            return same(one, other)
        case "!=":
            return not same(one, other)
        case "<":
            return less(one, other)
        case "<=":
            return not less(other, one)
        case ">":
            return less(other, one)
    return not less(one, other)


def in_order(rows: Iterable[Row]) -> list[Row]:
    """The rows of one predicate, sorted; quick where each place has numbers, strings or constants."""
    found = list(rows)
    if len(found) < 2 or not found[0]:
        return found
    columns = columns_of(found)
    keys = [_keys(column) for column in columns]
    if keys == columns:
        return sorted_in_parts(found)
    return [pair[-1] for pair in sorted_in_parts(zip(*keys, found, strict=True))]


def sorted_in_parts(keys: Iterable[Any]) -> list[Any]:
    """Sorts keys as Python compares them.

    No other thread has a turn while Python sorts: a process that sorts 9,000,000 rows at once hears of no
    signal for ten seconds.
    """
    left = iter(keys)
    found = part = sorted(islice(left, _MOST_AT_ONCE))
    if len(part) < _MOST_AT_ONCE:
        return found
    while part := sorted(islice(left, _MOST_AT_ONCE)):
        found += part
    found.sort()  # merges the parts
    return found


def _keys(column: Sequence[Value]) -> Sequence[Any]:
    """Values of one place as what sorts them."""
    if set(map(type, column)) == {str}:
        return column
    return plain(column) or list(map(value_key, column))


MIXED, _NUMBERS, _CONSTANTS, _STRINGS = 0, 1, 2, 4
"""Of the values of one place: the first part of their keys (`value_key`), MIXED for all others."""

AS_VALUES = (_NUMBERS, _STRINGS)
"""The ranks of values that are sorted as they are."""


def ranked(column: Sequence[Value]) -> tuple[int, Sequence[Any]]:
    """The rank of the values of one place, and what sorts them; where that is MIXED their whole keys."""
    kinds = set(map(type, column))
    if kinds == {int}:
        return _NUMBERS, column
    if kinds == {str}:
        return _STRINGS, column
    names = plain(column)
    return (MIXED, list(map(value_key, column))) if names is None else (_CONSTANTS, names)


def plain(column: Sequence[Value]) -> Sequence[int | str] | None:
    """Numbers as they are, constants by their names: what sorts them, and is their text. None for others."""
    kinds = set(map(type, column))
    if kinds == {int}:
        return cast(Sequence[int], column)
    if kinds == {Term}:
        terms = cast(Sequence[Term], column)
        names = [one.name for one in terms if one.is_positive and not one.arguments]
        if len(names) == len(terms) and min(names) > _NAMES_FROM:
            return names
    return None
