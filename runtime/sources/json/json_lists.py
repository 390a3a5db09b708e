"""Lists in JSON records: one record tells a fact for each element."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from lars2asp.runtime.errors import InputError

_MOST_DIGITS = 9

MISSING = object()
"""What stands in a field that a record does not have."""

Place = tuple[Any, str | None]
"""A value and the path that leads on from it; None behind the last field."""


def reached(value: Any, path: str | None) -> Place:
    """Where a path leads: to its end, or to the first list on it.

    The name `a.b` is that of a field, or else the path to the field `b` of the object in `a`. What stands in
    null is null.
    """
    while path is not None and not isinstance(value, list):
        if value is None:
            return None, None
        if not isinstance(value, dict):
            return MISSING, None
        if path in value:
            value, path = value[path], None
            continue
        first, dot, rest = path.partition(".")
        if not dot or first not in value:
            return MISSING, None
        value, path = value[first], rest
    return value, path


def reached_in(value: Any, path: str | None) -> Place:
    """The same from an element of a list: what is a list itself has places, counted from 1, as `values.2`."""
    value, path = reached(value, path)
    while path is not None and isinstance(value, list):
        number, _, rest = path.partition(".")
        if not number.isdecimal():
            break
        place = int(number[:_MOST_DIGITS])
        if not 0 < place <= len(value):
            return MISSING, None
        value, path = reached(value[place - 1], rest or None)
    return value, path


def elements_at(found: Any, path: str) -> list[Any] | None:
    """The elements of the lists to which a path leads, through those on it; None where there are none.

    An object in place of a list is its only element.
    """
    value, rest = reached(found, path)
    if rest is None or not isinstance(value, list):
        return value if isinstance(value, list) else [value] if isinstance(value, dict) else None
    several = [elements_at(one, rest) for one in value]
    if several and all(one is None for one in several):
        return None
    return [element for one in several for element in one or ()]


def each_of(found: Mapping[str, Any], names: Sequence[str], each: Collection[str]) -> Iterator[Sequence[Any]]:
    """What stands in fields, once for each element of the lists that some of them name.

    Fields that lead through the same list go along with it. Different lists are gone through together, and so
    are those within their elements. Where no field names it a list has places.

    Raises InputError for lists that are gone through together and are not equally long.
    """
    yield from _each([reached(found, name) for name in names], names, each)


def _each(places: Sequence[Place], names: Sequence[str], each: Collection[str]) -> Iterator[Sequence[Any]]:
    lists = {
        id(value): (name, value)
        for name, (value, _) in zip(names, places, strict=True)
        if name in each and isinstance(value, list)
    }
    if not lists:
        yield [reached_in(value, path)[0] for value, path in places]
        return
    (first, longest), *others = lists.values()
    for name, other in others:
        if len(other) != len(longest):
            raise InputError(
                f"the list {first} has {len(longest)} elements, but {name} has {len(other)}: write "
                "one #input for each list"
            )
    for place in range(len(longest)):
        yield from _each(
            [
                reached_in(value[place], path) if id(value) in lists else (value, path)
                for value, path in places
            ],
            names,
            each,
        )
