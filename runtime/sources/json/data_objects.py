"""Which objects of JSON records have keys that are data, as the names of sensors are."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lars2asp.runtime.sources.json.json_fields import cells_of, leaves, value_at
from lars2asp.runtime.sources.survey.column_kinds import kind_of
from lars2asp.runtime.sources.survey.wide_columns import (
    FEWEST_COLUMNS,
    FEWEST_THINGS,
    ObjectCell,
    ObjectField,
    has_pattern,
    pattern_of,
)

MANY_KEYS = 20
"""So many keys with numbers are data, whatever they are called."""

_OFTEN = 0.9
"""The share of objects that have a key which is a field."""


def objects_of(records: Sequence[Mapping[str, Any]], header: Sequence[str]) -> Sequence[ObjectField]:
    """The fields with such objects, the outer ones first; those with one that is a column of text are none.

    Args:
        records: some of the records, of all shapes.
        header: the fields that were found in them.
    """
    found: list[ObjectField] = []
    given: dict[str, list[Any]] = defaultdict(list)
    for record in records:
        for path, value in _values(record):
            given[path].append(value)
    names = [path for path in given if "." not in path and path not in header]
    root = _of_root(records, names)
    found += [] if root is None else [root]
    for path, values in given.items():
        if root is not None and path.partition(".")[0] in root.names:
            continue
        if path.startswith(tuple(f"{one}." for one in found)) or path in header:
            continue
        objects = [value for value in values if value]
        if objects and all(isinstance(value, dict) for value in objects):
            parts = _parts(objects)
            if parts:
                found.append(ObjectField.of(path, parts))
    return found


def _of_root(records: Sequence[Mapping[str, Any]], names: Sequence[str]) -> ObjectField | None:
    """The fields of records with equal objects, if a pattern matches their names and no others."""
    shapes: dict[frozenset[str], list[str]] = defaultdict(list)
    for name in names:
        values = [one[name] for one in records if isinstance(one.get(name), dict)]
        fields = {
            frozenset(inner for inner, some in leaves(one) if not isinstance(some, dict)) for one in values
        }
        if len(fields) == 1:
            shapes[fields.pop()].append(name)
    others = [*dict.fromkeys(name for one in records for name in one)]
    for fields_of, alike in shapes.items():
        is_many = len(alike) >= FEWEST_COLUMNS or (len(alike) >= FEWEST_THINGS and has_pattern(alike))
        pattern = pattern_of(alike, others, ()) if is_many and fields_of else None
        objects = [{name: one[name] for name in alike if name in one} for one in records]
        parts = _parts(objects) if pattern is not None else []
        if pattern is not None and parts:
            return ObjectField.of(pattern, parts, alike)
    return None


def object_of(record: Mapping[str, Any], field: ObjectField) -> Any:
    """What stands in such a field."""
    if field.names:
        return {name: record[name] for name in field.names if name in record}
    return value_at(record, field)


def lists_in(value: Any, field: ObjectField) -> Iterator[str]:
    """The fields with lists in such an object, which are not read."""
    for one in value.values() if isinstance(value, dict) else ():
        inner = leaves(one) if isinstance(one, dict) else ()
        yield from (f"{field}.*.{name}" for name, some in inner if isinstance(some, list))


def object_cell(value: Any, field: ObjectField) -> str:
    """The cell of an object: what its keys say."""
    if not isinstance(value, dict):
        return ""
    things = {}
    for key, one in value.items():
        inner = dict(leaves(one)) if isinstance(one, dict) else {"": one}
        cells = [_text(inner.get(part)) for part in field.parts]
        if any(cells):
            things[key] = cells
    return ObjectCell.of(repr(things) if things else "", things)


def _values(record: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The fields with objects, or with null, and all within them."""
    for name, value in record.items():
        if "." in name or not (value is None or isinstance(value, dict)):
            continue
        yield before + name, value
        if value:
            yield from _values(value, f"{before}{name}.")


def _text(value: Any) -> str:
    return "" if isinstance(value, dict | list) else cells_of({"": value}, [""])[0] or ""


def _parts(objects: Sequence[Mapping[str, Any]]) -> Sequence[str]:
    """The fields of what stands behind the keys, an empty one for values; none if the keys are no data."""
    counts = Counter(key for one in objects for key in one)
    values = [value for one in objects for value in one.values() if value is not None]
    often = sum(number >= _OFTEN * len(objects) for number in counts.values())
    differ = len(counts) >= FEWEST_THINGS and 2 * often < len(counts)
    if values and all(isinstance(value, dict) for value in values):
        fields = [{name for name, one in leaves(value) if not isinstance(one, dict)} for value in values]
        shared = set[str].intersection(*fields)
        are_equal = all(one == fields[0] for one in fields)
        are_many, are_named = len(counts) >= FEWEST_THINGS, has_pattern([*counts])
        is_data = shared and (differ or (are_equal and (are_many or are_named)) or (are_many and are_named))
        order = {
            name: None for value in values for name, one in leaves(value) if not isinstance(one, dict | list)
        }
        return [*order] if is_data else []
    if any(isinstance(value, dict | list) for value in values):
        return []
    cells = {key: {_text(one[key]) for one in objects if key in one} for key in counts}
    are_numbers = kind_of("x", set[str]().union(*cells.values())).is_number
    are_texts = all(kind_of("x", some).is_text for some in cells.values())
    is_many = len(counts) >= MANY_KEYS or (len(counts) >= FEWEST_COLUMNS and has_pattern([*counts]))
    return [""] if (are_numbers and (is_many or differ)) or (are_texts and differ) else []
