"""A look at JSON records with fields of their own: the fields that most have, as the columns of a table."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.json.json_fields import (
    OWN_FIELDS,
    cells_of,
    exact_json,
    has_facts,
    leaves,
    value_at,
)
from lars2asp.runtime.sources.json.json_lists import MISSING
from lars2asp.runtime.sources.records import TruncatedRecord
from lars2asp.runtime.sources.text.text_files import is_utf8

MOST_SHAPES = 1000
"""The number of records with different fields, or with different kinds of values, that are looked at."""

MOST_NAMED = 10
"""The number of fields that are named where they are left out."""


_Shape = tuple[tuple[str, type], ...]


@dataclass
class _Shapes:
    """Records that differ in their fields, or in what kind of value stands in them.

    Attributes:
        unread: the number of lines, and of elements of arrays, that are no records.
        records: one of each shape, by its fields with the kinds of their values.
        counts: for each shape the number of its records.
    """

    unread: int = 0
    records: dict[_Shape, Mapping[str, Any]] = field(default_factory=dict)
    counts: Counter[_Shape] = field(default_factory=Counter)

    def add(self, found: Mapping[str, Any]) -> None:
        """Looks at a record."""
        shape = tuple((name, type(value)) for name, value in leaves(found))
        if shape in self.records or len(self.records) < MOST_SHAPES:
            self.records.setdefault(shape, found)
            self.counts[shape] += 1

    def common(self) -> tuple[list[str], dict[str, int], list[str]]:
        """The fields that have a value in every record, those that have one in some, and those with lists.

        For those in some it has the number of records. What stands in null is null.
        """
        everywhere: list[str] = []
        partly: dict[str, int] = {}
        lists: list[str] = []
        for name in dict.fromkeys(name for shape in self.records for name, _ in shape):
            values = {shape: value_at(record, name) for shape, record in self.records.items()}
            if any(isinstance(value, list) for value in values.values()):
                lists.append(name)
            elif not any(isinstance(value, dict) for value in values.values()):
                having = [shape for shape, value in values.items() if value is not MISSING]
                if len(having) == len(values):
                    everywhere.append(name)
                else:
                    partly[name] = sum(self.counts[shape] for shape in having)
        return everywhere, partly, lists


@dataclass(frozen=True)
class JsonRows:
    """Records as a table.

    Attributes:
        header: the fields that all of them have, and those that most have.
        rows: their texts; where a record has no such field, an empty one.
        partial: of those that not all have, the number of records that do.
        said: what is to be said of other fields, and of what is not a record.
    """

    header: list[str]
    rows: Iterator[Sequence[str]]
    partial: Mapping[str, int]
    said: str


def json_rows(lines: Callable[[], Iterable[str]], name: str, most: int) -> JsonRows:
    """Records as a table of the fields that most of them have.

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
            f"{name}: no line is a JSON record with fields of its own, and it is not a table (.csv, .tsv, "
            ".parquet, .feather, or --format csv); for lines of text give a program with a pattern, such as "
            "'#input failed(user) from \"Failed password for {user} from\".', and --format log; for input "
            "that needs no #input give a program as well"
        )
    everywhere, partly, lists = shapes.common()
    if not everywhere:
        raise InputError(
            f"{name}: its records have no field in common; #input declarations of your own read each kind"
        )
    usual = {one: count for one, count in partly.items() if 2 * count >= shapes.counts.total()}
    records = (one for one in _records(islice(lines(), most)) if one is not None and _has_fields(one))
    rows = (_cells(record, everywhere, usual) for record in records)
    cure = "each before the name of a list reads its elements"
    said = [f"without {_named(lists)}: {cure}"] if lists else []
    if others := [one for one in partly if one not in usual]:
        cure = "not in most records, an #input of its own reads those with it"
        said.append(f"without {_named(others)}: {cure}")
    if shapes.unread:
        said.append(f"without {shapes.unread} that are no JSON records")
    return JsonRows([*everywhere, *usual], rows, usual, "; ".join(said))


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


def _cells(found: Mapping[str, Any], everywhere: Sequence[str], usual: Iterable[str]) -> Sequence[str]:
    """The texts of the fields; none where there are too many shapes, and one lacks a field of all."""
    filled = {one: value_at(found, one) for one in usual}
    try:
        cells = cells_of(found, everywhere)
        return cells + ["" if filled[one] is MISSING else cells_of(found, [one])[0] for one in usual]
    except InputError:
        return ()


def _has_fields(found: Mapping[str, Any]) -> bool:
    """Whether a record is none of the product's own form."""
    return not has_facts(found) and not OWN_FIELDS.issuperset(found)


def _named(names: Iterable[str]) -> str:
    listed = [*names]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return ", ".join(listed[:MOST_NAMED]) + more
