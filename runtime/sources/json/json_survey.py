"""A look at JSON records with fields of their own: the fields that most have, as the columns of a table."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, islice
from typing import Any

from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.json.data_objects import lists_in, object_cell, object_of, objects_of
from lars2asp.runtime.sources.json.json_documents import LOOKED_AT, is_json_line
from lars2asp.runtime.sources.json.json_fields import (
    OWN_FIELDS,
    cells_of,
    exact_json,
    has_facts,
    leaves,
    value_at,
)
from lars2asp.runtime.sources.json.json_lists import MISSING, each_of
from lars2asp.runtime.sources.json.json_texts import (
    flattened,
    has_named_rows,
    named_rows,
    names_fields,
    parts_of,
)
from lars2asp.runtime.sources.records import TruncatedRecord
from lars2asp.runtime.sources.survey.column_kinds import EachField, column_text
from lars2asp.runtime.sources.survey.table_survey import FIRST_ROWS
from lars2asp.runtime.sources.survey.time_columns import TableTimes, times_of
from lars2asp.runtime.sources.survey.wide_columns import ObjectField
from lars2asp.runtime.sources.text.text_files import is_utf8
from lars2asp.syntax.values import dataclass

MOST_SHAPES = 1000
"""The number of records with different fields, or with different kinds of values, that are looked at."""

MOST_FIELDS = 100
"""The number of fields that not all records have, and are declared: those that most have."""

MOST_NAMED = 10
"""The number of fields that are named where they are left out."""

_FEWEST_ALIKE = 3
"""So many objects with the same fields are records."""

_SENML = {"bt", "bn"}, {"v", "vs", "vb", "vd"}
MOST_KEPT = 4 * 2**20
"""The number of characters of records that are kept, and not read again."""

_EACH_READS = "write each in front of a list to read its elements"

_Shape = tuple[tuple[str, type], ...]


@dataclass
class _Shapes:
    """Records that differ in their fields, or in what kind of value stands in them.

    Attributes:
        unread: the number of lines, and of elements of arrays, that are no records.
        records: one of each shape, by its fields with the kinds of their values.
        counts: for each shape the number of its records.
        objects: the fields with objects whose keys are data.
    """

    unread: int = 0
    records: dict[_Shape, Mapping[str, Any]] = field(default_factory=dict)
    counts: Counter[_Shape] = field(default_factory=Counter)
    objects: Sequence[ObjectField] = ()

    def add(self, found: Mapping[str, Any]) -> None:
        """Looks at a record."""
        shape = tuple((name, tuple if value == [] else type(value)) for name, value in leaves(found))
        if shape in self.records or len(self.records) < MOST_SHAPES:
            self.records.setdefault(shape, found)
            self.counts[shape] += 1

    def differing(self) -> list[str]:
        """The fields with an object in some records and a value in others: no declaration reads both."""
        names = {name for shape in self.records for name, _ in shape}
        above = {name[:at] for name in names for at, sign in enumerate(name) if sign == "."}
        found = []
        for name in sorted(names & above):
            values = [value_at(one, name) for one in self.records.values()]
            if any(isinstance(one, dict) for one in values) and any(
                isinstance(one, str | bool) for one in values
            ):
                found.append(name)
        return found

    def common(self) -> tuple[list[str], dict[str, int], list[str]]:
        """The fields that have a value in every record, those that have one in some, and those with lists.

        For those in some it has the number of records. What stands in null is null.
        """
        everywhere: list[str] = []
        partly: dict[str, int] = {}
        lists: list[str] = []
        within = tuple(f"{name}." for one in self.objects for name in one.names or [one])
        for name in dict.fromkeys(name for shape in self.records for name, _ in shape):
            if f"{name}.".startswith(within):
                continue
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


@dataclass
class JsonRows:
    """Records as a table.

    Attributes:
        header: the fields that all of them have, and those that most have.
        rows: their texts; where a record has no such field, an empty one.
        partial: of those that not all have, the number of records that do.
        said: what is to be said of other fields, and of what is not a record.
        records: the field with a list of which each element is a row, empty where each record is.
        is_whole: whether all lines were looked at.
    """

    header: list[str]
    rows: Iterator[Sequence[str]]
    partial: Mapping[str, int]
    said: str
    records: str = ""
    is_whole: bool = True


class _Kept:
    """Records, kept while their lines are short enough, so that they are read once.

    Attributes:
        records: those records.
        is_over: whether they were too long.
    """

    def __init__(self) -> None:
        self.records: list[Mapping[str, Any]] = []
        self.is_over = False
        self._length = 0

    def noted(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines, as they are."""
        for line in lines:
            self._length += len(line)
            yield line

    def add(self, record: Mapping[str, Any]) -> None:
        """Keeps a record."""
        self.is_over = self.is_over or self._length > MOST_KEPT
        if not self.is_over:
            self.records.append(record)
        elif self.records:
            self.records.clear()


def json_rows(lines: Callable[[], Iterable[str]], name: str, most: int) -> JsonRows:
    """Records as a table of the fields that most of them have.

    Where these have no time, and the elements of a list have, each element is a row; else a list with objects
    gives rows beside that of the record.

    Args:
        lines: gives the lines, twice or more.
        name: what the file is called.
        most: the number of lines that are looked at.

    Raises InputError where no record has a field of its own, or all have none in common.
    """
    shapes, rest, kept = _Shapes(), iter(lines()), _Kept()
    for found in _records(kept.noted(islice(rest, most))):
        if found is None:
            shapes.unread += 1
        elif _has_fields(found):
            shapes.add(found)
            kept.add(found)
    is_whole = next(rest, None) is None
    if not shapes.records and any(
        line.lstrip()[:1] == "[" and is_json_line(line) for line in islice(lines(), LOOKED_AT)
    ):
        raise InputError(
            f"{name}: these arrays lack field names: put them into one array that begins with the "
            'names, such as [["ts", "x"], [5, 1]] (jq -s . FILE joins lines into one array)'
        )
    if not shapes.records:
        raise InputError(
            f"{name}: no line is a JSON record with fields, and this is no table. For a table add "
            "--input-format csv. For lines of text add --input-format log and a program with a "
            "pattern, such as '#input failed(user) from \"^Invalid user {user:text} from {:ip} "
            "port {:int}$\".' For plain facts add a program"
        )

    names = {name for shape in shapes.records for name, _ in shape}
    if not any(map(names.isdisjoint, _SENML)):
        raise InputError(
            f"{name}: this is SenML, and #input does not apply bn and bt to the records after them: "
            "resolve the records first (RFC 8428, section 4.6)"
        )

    def records() -> Iterator[Mapping[str, Any]]:
        if not kept.is_over:
            return iter(kept.records)
        return (one for one in _records(islice(lines(), most)) if one is not None and _has_fields(one))

    rows = _rows_of(shapes, records)
    if shapes.counts.total() == 1 and (path := _records_under(next(records()), rows)) is not None:
        field_path = "".join(f'."{one}"' for one in path) or "."
        raise InputError(
            f"{name}: the records are values of an object: make a list of them with jq '[{field_path} "
            "| to_entries[] | {key} + .value]' FILE, each with its key"
        )
    rows = _with_objects(rows, shapes, records)
    if rows is None:
        lists = _lists_of(shapes, dict)
        if lists:
            raise InputError(
                f"{name}: the only fields that all records share are lists, and their elements have "
                f"no times: write 'records each {column_text(lists[0])}' at the end of an #input that "
                "names fields of the elements, such as '#input reading(name) at ts records each "
                "stations.'"
            )
        raise InputError(f"{name}: the records share no field: write one #input for each kind of record")
    return replace(rows, is_whole=is_whole)


_Given = Callable[[], Iterator[Mapping[str, Any]]]
"""Gives records, as often as it is called."""


def _rows_of(shapes: _Shapes, records: _Given, *, are_elements: bool = False) -> JsonRows | None:
    """The rows of the fields of records, or of what is in their lists; None where they have none in common.

    Times that are the same in all records, as when a document was made, yield to those of lists.

    Args:
        shapes: the records, by their fields.
        records: gives them.
        are_elements: whether they are those of a list, whose elements' lists give no records again.
    """
    plain = _plain_rows(shapes, records)
    times = None if plain is None else _times(plain)
    if plain is not None and times is not None and not times.is_one:
        return _with_list(plain, shapes, records) or plain
    for found in _of_lists(shapes, records, plain, are_elements=are_elements):
        inner = _times(found)
        if inner is None or not (found.records or any(isinstance(one, EachField) for one in inner.columns)):
            continue
        if times is None or not (inner.is_one or inner.are_ticks):
            return replace(found, partial=found.partial if found.records else {})
    if plain is None or times is None:
        return plain
    return _with_list(plain, shapes, records) or plain


def _of_lists(
    shapes: _Shapes, records: _Given, plain: JsonRows | None, *, are_elements: bool
) -> Iterator[JsonRows]:
    """What lists give, that with the fields beside them first if several records have these.

    One document is a record for each of its elements, unless it has a time.
    """
    are_several = shapes.counts.total() > 1
    if plain is not None and (are_elements or are_several or _times(plain) is not None):
        beside = _with_list(plain, shapes, records)
        yield from () if beside is None else (beside,)
    if not are_elements:
        yield from _of_elements(shapes, records)
    yield from _of_rows(shapes, records)
    yield from _side_by_side(shapes, records)


def _records_under(found: Mapping[str, Any], rows: JsonRows | None) -> Sequence[str] | None:
    """The path to an object whose values are alike objects, if no other field of a document has a time."""
    inner = [((), found), *(((name,), one) for name, one in found.items() if isinstance(one, dict))]
    for path, value in inner:
        objects = Counter(tuple(one) for one in value.values() if isinstance(one, dict))
        shape, count = max(objects.items(), key=lambda one: one[1], default=((), 0))
        if count < _FEWEST_ALIKE or 2 * count < len(value) or not shape:
            continue
        times = None if rows is None else _times(rows)
        begin = "".join(f"{name}." for name in path)
        within = {f"{begin}{key}" for key, one in value.items() if isinstance(one, dict)}
        if times is None or all(any(name.startswith(f"{one}.") for one in within) for name in times.columns):
            return path
    return None


def _has_lists(found: JsonRows) -> bool:
    """Whether elements of lists are rows."""
    return bool(found.records) or any(isinstance(one, EachField) for one in found.header)


def _with_objects(found: JsonRows | None, shapes: _Shapes, records: _Given) -> JsonRows | None:
    """The rows with a column for each object whose keys are data, if their times stay."""
    if found is None or _has_lists(found):
        return found
    shapes.objects = objects_of([*shapes.records.values()], found.header)
    times, apart = _times(found), _plain_rows(shapes, records) if shapes.objects else None
    return found if apart is None or times is None or _times(apart) != times else apart


def _plain_rows(shapes: _Shapes, records: _Given) -> JsonRows | None:
    """The rows of the fields that are no lists; None where the records have none in common."""
    everywhere, partly, lists = shapes.common()
    if not everywhere:
        return None
    usual = dict(sorted(partly.items(), key=lambda one: -one[1])[:MOST_FIELDS])
    usual = {one: count for one, count in partly.items() if one in usual}
    objects = shapes.objects
    rows = (
        [*cells, *(object_cell(object_of(record, one), one) for one in objects)]
        for record in records()
        if (cells := _cells(record, everywhere, usual)) or not objects
    )
    said = [f"without {_named(lists)}: {_EACH_READS}"] if lists else []
    inner = {
        name
        for one in objects
        for record in shapes.records.values()
        for name in lists_in(object_of(record, one), one)
    }
    if inner:
        said.append(f"without {_named(sorted(inner))}: no declaration reads lists within such objects")
    if others := [one for one in partly if one not in usual]:
        said.append(f"without {_named(others)}: an #input of its own reads records with it")
    if differing := shapes.differing():
        said.append(f"without {_named(differing)}: a value in some records, and an object in others")
    if shapes.unread:
        said.append(f"without {shapes.unread} that are no JSON records")
    return JsonRows([*everywhere, *usual, *objects], rows, usual, "; ".join(said))


def _times(found: JsonRows) -> TableTimes | None:
    """The columns with times; the rows are given once more."""
    first = [*islice(found.rows, FIRST_ROWS)]
    found.rows = chain(first, found.rows)
    return times_of(found.header, [row for row in first if len(row) == len(found.header)])


def _lists_of(shapes: _Shapes, kind: type) -> list[str]:
    """The fields that have in all records a list whose elements are objects, or are none.

    Some lists of objects may be empty, null or absent.
    """
    given = [*shapes.records.values()]
    found = []
    for name in shapes.common()[2]:
        values = [value_at(one, name) for one in given]
        lists = [value for value in values if isinstance(value, list) and value]
        others = [value for value in values if not isinstance(value, list) or not value]
        may_lack = kind is dict and lists and all(one in (None, []) or one is MISSING for one in others)
        are_alike = all(isinstance(one, dict) == (kind is dict) for value in lists for one in value)
        if are_alike and (may_lack or not others):
            found.append(name)
    return found


def _objects_in(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects in a list; none if it is absent."""
    value = value_at(record, name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _with_list(plain: JsonRows, shapes: _Shapes, records: _Given) -> JsonRows | None:
    """The rows with those of the elements of the first list of objects; None where there is none."""
    for name in _lists_of(shapes, dict):
        inner = _Shapes()
        for record in records():
            for one in _objects_in(record, name):
                inner.add(one)
        everywhere, partly, lists = inner.common()
        fields = [EachField(f"{name}.{one}") for one in (*everywhere, *[*partly][:MOST_FIELDS])]
        if everywhere:
            header = [*plain.header, *fields]
            partial = {**plain.partial, **dict.fromkeys(map(str, fields), inner.counts.total())}
            said = [_but_for(plain.said, name)]
            said += [f"without {_named(f'{name}.{one}' for one in lists)}: {_EACH_READS}"] if lists else []
            return JsonRows(header, _each_row(records, header), partial, "; ".join(said))
    return None


def _but_for(said: str, name: str) -> str:
    """What is said of a file, of whose lists one is read."""
    return said.replace(f"without {name}: each", "each").replace(f"{name}, ", "").replace(f", {name}:", ":")


def _of_elements(shapes: _Shapes, records: _Given) -> Iterator[JsonRows]:
    """The elements of a list of objects as the records."""
    for field_name in _lists_of(shapes, dict):

        def elements(at: str = field_name) -> Iterator[Mapping[str, Any]]:
            return (one for record in records() for one in _objects_in(record, at))

        inner = _Shapes()
        for one in elements():
            inner.add(one)
        found = _with_objects(_rows_of(inner, elements, are_elements=True), inner, elements)
        if found is None or _times(found) is None:
            for deeper in _of_elements(inner, elements):
                yield replace(deeper, records=f"{field_name}.{deeper.records}")
        if found is not None:
            beside = [one for one in chain(*shapes.common()[::2]) if one != field_name]
            said = f"without {_named(beside)}, which {field_name} does not contain" if beside else ""
            yield replace(found, records=field_name, said="; ".join(filter(None, (found.said, said))))


def _of_rows(shapes: _Shapes, records: _Given) -> Iterator[JsonRows]:
    """The rows that stand as lists in a list, as `[[1769868300, "5"]]`."""
    for name in _lists_of(shapes, object):
        rows = [row for record in shapes.records.values() for row in value_at(record, name)]
        if not all(isinstance(row, list) for row in rows) or len({*map(len, rows)}) != 1:
            continue
        if any(isinstance(cell, dict | list) for row in rows for cell in row):
            continue
        header = [*shapes.common()[0], *(EachField(f"{name}.{place + 1}") for place in range(len(rows[0])))]
        left = [*shapes.common()[1], *(one for one in shapes.common()[2] if one != name)]
        said = f"without {_named(left)}, which {name} does not contain" if left else ""
        yield JsonRows(header, _each_row(records, header), {}, said)


def _side_by_side(shapes: _Shapes, records: _Given) -> Iterator[JsonRows]:
    """The rows of lists of values that stand side by side, and go together."""
    given = [*shapes.records.values()]
    lists = [
        one
        for one in _lists_of(shapes, object)
        if not any(isinstance(value, list) for record in given for value in value_at(record, one))
    ]
    for parent in dict.fromkeys(one.rpartition(".")[0] for one in lists):
        along = [one for one in lists if one.rpartition(".")[0] == parent]
        if any(len({len(value_at(record, one)) for one in along}) > 1 for record in given):
            continue
        header = [*shapes.common()[0], *map(EachField, along)]
        left = [one for one in shapes.common()[2] if one not in along]
        said = f"without {_named(left)}: {_EACH_READS}" if left else ""
        yield JsonRows(header, _each_row(records, header), {}, said)


def _each_row(records: _Given, header: Sequence[str]) -> Iterator[Sequence[str]]:
    each = {str(one) for one in header if isinstance(one, EachField)}
    shared = [one for one in header if not isinstance(one, EachField)]
    blank = [None] * len(each)
    for record in records():
        rows = [*each_of(record, header, each)] or [[*next(each_of(record, shared, ())), *blank]]
        for values in rows:
            cells = (None if value is MISSING else value for value in values)
            yield [cell or "" for cell in cells_of(dict(zip(header, cells, strict=True)), header)]


def _records(lines: Iterable[str]) -> Iterator[dict[str, Any] | None]:
    """The objects in lines; None for what is none."""
    for line in lines:
        if line.isspace():
            continue
        try:
            found = exact_json(line) if is_utf8(line) and not isinstance(line, TruncatedRecord) else None
        except (RecursionError, ValueError):
            found = None
        is_named = isinstance(found, list) and has_named_rows(found) and _has_names(line)
        for one in named_rows(found or []) if is_named else flattened([found]):
            yield one if isinstance(one, dict) else None


def _has_names(line: str) -> bool:
    """Whether the first one of an array of arrays has texts: `exact_json` has texts for numbers, too."""
    return names_fields(json.loads(parts_of(line.lstrip())[0]))


def _cells(found: Mapping[str, Any], everywhere: Sequence[str], usual: Iterable[str]) -> Sequence[str]:
    """The texts of the fields; none where there are too many shapes, and one lacks a field of all."""
    filled = {one: value_at(found, one) for one in usual}
    try:
        cells = cells_of(found, everywhere)
        cells += [None if filled[one] is MISSING else cells_of(found, [one])[0] for one in usual]
        return [cell or "" for cell in cells]
    except InputError:
        return ()


def _has_fields(found: Mapping[str, Any]) -> bool:
    """Whether a record is none of the product's own form."""
    return not has_facts(found) and not OWN_FIELDS.issuperset(found)


def _named(names: Iterable[str]) -> str:
    listed = [*names]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return ", ".join(listed[:MOST_NAMED]) + more
