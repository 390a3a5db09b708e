"""A look at JSON records with fields of their own: the fields that all have, as the columns of a table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.json_fields import (
    MISSING,
    OWN_FIELDS,
    cells_of,
    exact_json,
    has_facts,
    leaves,
    value_at,
)
from lars2asp.runtime.sources.records import TruncatedRecord
from lars2asp.runtime.sources.text_files import is_utf8

MOST_SHAPES = 1000
"""The number of records with different fields, or with different kinds of values, that are looked at."""

MOST_NAMED = 10
"""The number of fields that are named where they are left out."""


@dataclass
class _Shapes:
    """Records that differ in their fields, or in what kind of value stands in them.

    Attributes:
        unread: the number of lines, and of elements of arrays, that are no records.
        records: one of each shape, by its fields with the kinds of their values.
    """

    unread: int = 0
    records: dict[tuple[tuple[str, type], ...], Mapping[str, Any]] = field(default_factory=dict)

    def add(self, found: Mapping[str, Any]) -> None:
        """Looks at a record."""
        if len(self.records) < MOST_SHAPES:
            self.records.setdefault(tuple((name, type(value)) for name, value in leaves(found)), found)

    def common(self) -> tuple[list[str], list[str], list[str]]:
        """The fields that have a value in every record, those that have one in some, and those with lists.

        What stands in null is null.
        """
        everywhere: list[str] = []
        partly: list[str] = []
        lists: list[str] = []
        for name in dict.fromkeys(name for shape in self.records for name, _ in shape):
            values = [value_at(record, name) for record in self.records.values()]
            if any(isinstance(value, list) for value in values):
                lists.append(name)
            elif not any(isinstance(value, dict) for value in values):
                (partly if MISSING in values else everywhere).append(name)
        return everywhere, partly, lists


def json_rows(
    lines: Callable[[], Iterable[str]], name: str, most: int
) -> tuple[list[str], Iterator[Sequence[str]], str]:
    """Records as a table of the fields that all of them have, and what is to be said of the others.

    Args:
        lines: gives the lines, twice.
        name: what the file is called.
        most: the number of lines that are looked at.

    Raises InputError where no record has a field of its own, or all have none in common.
    """
    shapes = _Shapes()
    for found in _records(islice(lines(), most)):
        if found is None:
            shapes.unread += 1
        elif _has_fields(found):
            shapes.add(found)
    if not shapes.records:
        raise InputError(
            f"{name}: no line is a JSON record with fields of its own, and it is no table (.csv, .tsv, "
            ".parquet, .feather); for input that needs no #input give a program as well"
        )
    header, others, lists = shapes.common()
    if not header:
        raise InputError(
            f"{name}: its records have no field in common; #input declarations of your own read each kind"
        )
    records = (one for one in _records(islice(lines(), most)) if one is not None and _has_fields(one))
    rows = (_cells(record, header) for record in records)
    said = [f"without {_named(lists)}: a list is no value"] if lists else []
    if others:
        said.append(f"without {_named(others)}: not in all records, an #input of its own reads those with it")
    if shapes.unread:
        said.append(f"without {shapes.unread} that are no JSON records")
    return header, rows, "; ".join(said)


def _records(lines: Iterable[str]) -> Iterator[dict[str, Any] | None]:
    """The objects in lines; None for what is none."""
    for line in lines:
        if line.isspace():
            continue
        try:
            found = exact_json(line) if is_utf8(line) and not isinstance(line, TruncatedRecord) else None
        except (RecursionError, ValueError):
            found = None
        for one in found if isinstance(found, list) else [found]:
            yield one if isinstance(one, dict) else None


def _cells(found: Mapping[str, Any], header: Sequence[str]) -> Sequence[str]:
    """The texts of the fields; none where there are too many shapes, and one lacks a field."""
    try:
        return cells_of(found, header)
    except InputError:
        return ()


def _has_fields(found: Mapping[str, Any]) -> bool:
    """Whether a record is none of the product's own form."""
    return not has_facts(found) and not OWN_FIELDS.issuperset(found)


def _named(names: Iterable[str]) -> str:
    listed = [*names]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return ", ".join(listed[:MOST_NAMED]) + more
