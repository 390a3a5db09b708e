"""Which columns of a table stand in one declaration: one that is sometimes empty stands apart."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lars2asp.runtime.sources.survey.column_kinds import ColumnKind, EachField
from lars2asp.runtime.sources.survey.record_types import types_of
from lars2asp.runtime.sources.survey.time_columns import is_identifier

RECORD = ColumnKind("", "record()", 0, "the number of the record")
"""What keeps equal facts of a tick apart."""


class Group(NamedTuple):
    """The columns of a declaration.

    Attributes:
        predicate: that of its facts.
        kinds: the columns.
        equal: the number of its facts that would be equal to another one of their tick.
        where: which rows it takes; empty for all.
    """

    predicate: str
    kinds: Sequence[ColumnKind]
    equal: int = 0
    where: str = ""

    @property
    def conditions(self) -> Sequence[str]:
        """What is to hold of the rows that it takes, as it stands behind `where`."""
        return [one for kind in self.kinds for one in kind.conditions]


class Rows(NamedTuple):
    """The rows of a table whose times are read.

    Attributes:
        header: the names of the columns.
        rows: their cells.
        ticks: their times.
        is_steady: whether they are readings at a steady pace.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    ticks: Sequence[int]
    is_steady: bool

    @property
    def cells(self) -> Mapping[str, Sequence[str]]:
        """The cells of each column."""
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.header)
        return dict(zip(self.header, columns, strict=True))

    def taken(self, places: Sequence[int]) -> "Rows":
        """Some of the rows."""
        return self._replace(
            rows=[self.rows[place] for place in places], ticks=[self.ticks[place] for place in places]
        )

    def filled(self, kind: ColumnKind) -> bytes:
        """Which rows have a value in a column; for a field of elements those without an element do."""
        place = self.header.index(kind.name)
        missing = {"", *(kind.missing if not kind.is_text else ()), *kind.excluded}
        filled = bytes(row[place].strip() not in missing for row in self.rows)
        if not isinstance(kind.name, EachField):
            return filled
        return bytes(one or not has_any for one, has_any in zip(filled, self.has_elements(), strict=True))

    def has_elements(self) -> bytes:
        """Which rows are those of an element of a list."""
        places = [place for place, name in enumerate(self.header) if isinstance(name, EachField)]
        return bytes(not places or any(row[place].strip() for place in places) for row in self.rows)

    def equal(self, kinds: Sequence[ColumnKind]) -> int:
        """The number of facts of columns that are equal to another one of their tick."""
        places = [self.header.index(kind.name) for kind in kinds]
        has_each = any(isinstance(kind.name, EachField) for kind in kinds)
        there = [
            *zip(
                *(self.filled(kind) for kind in kinds if not kind.is_text),
                *([self.has_elements()] if has_each else []),
                strict=True,
            )
        ]
        told = [
            (tick, *map(row.__getitem__, places))
            for number, (tick, row) in enumerate(zip(self.ticks, self.rows, strict=True))
            if not there or all(there[number])
        ]
        return len(told) - len({*told})


def groups_of(
    predicate: str,
    kinds: Sequence[ColumnKind],
    table: Rows,
    key: str | None,
    *,
    has_fields: bool,
    taken: Collection[str] = (),
) -> Iterator[Group]:
    """The declarations of a table.

    The first one has the columns that are always filled, and the texts that are sometimes empty. Another
    column that is sometimes empty has a declaration of its own, with the keys, and so have JSON fields that
    occur together. If a column with types says which others are filled, each type with such columns has one.

    Args:
        predicate: that of the first one.
        kinds: the columns that have values.
        table: the rows.
        key: the column whose values have readings at a steady pace.
        has_fields: whether the columns are fields of JSON records.
        taken: the predicates of others.
    """
    filled = {kind.name: table.filled(kind) for kind in kinds}
    types = types_of(kinds, filled, table.cells)
    if types is not None:
        of_types = kinds
        kinds = [kind for kind in kinds if kind.name not in types.columns]
        table = table._replace(is_steady=False)
    always = [kind for kind in kinds if all(filled[kind.name])]
    together: dict[object, list[ColumnKind]] = {}
    for kind in kinds:
        if kind not in always:
            together.setdefault(filled[kind.name] if has_fields else kind.name, []).append(kind)
    own = [some for some in together.values() if len(some) > 1 or not some[0].is_text]
    alone = {kind.name for some in own for kind in some}
    main = [kind if kind in always else _or_empty(kind) for kind in kinds if kind.name not in alone]
    shared = [kind for kind in main if not isinstance(kind.name, EachField)]
    if shared and len(shared) < len(main):
        yield Group(predicate, shared)
    if main or not own:
        yield _numbered(predicate, main, table)
    keys, used = _keys(always, main, table, key), {*taken, predicate}

    def named(word: str) -> str:
        stem = f"{predicate}_{re.sub(r'[^a-z0-9]+', '_', word.lower()).strip('_')}".rstrip("_")
        name, number = stem, 2
        while name in used:
            name, number = f"{stem}_{number}", number + 1
        used.add(name)
        return name

    if types is not None:
        for value, fields in types.own.items():
            columns = {kind.name: kind if is_always else _or_empty(kind) for kind, is_always in fields}
            columns |= {kind.name: kind for kind in always if kind is not types.column}
            group = [columns[kind.name] for kind in of_types if kind.name in columns]
            yield _numbered(named(value), group, table.taken(types.rows[value]))._replace(
                where=types.condition(value)
            )
    for some in own:
        if not main and len(own) == 1:
            yield _numbered(predicate, some, table)
            return
        yield _numbered(named(some[0].name), [*keys, *some], table)


def _or_empty(kind: ColumnKind) -> ColumnKind:
    return replace(kind, argument=f'{kind.argument} or ""')


def _numbered(predicate: str, kinds: Sequence[ColumnKind], table: Rows) -> Group:
    """A declaration, with the number of the record if facts would be equal to another one of their tick.

    Readings that hold until the next one need none.
    """
    is_held = table.is_steady and any(kind.is_number for kind in kinds)
    equal = 0 if is_held else table.equal(kinds)
    return Group(predicate, [RECORD, *kinds] if equal else kinds, equal)


def _keys(
    always: Sequence[ColumnKind], main: Sequence[ColumnKind], table: Rows, key: str | None
) -> Sequence[ColumnKind]:
    """The columns by which what stands in another declaration belongs to a row: all if none are keys."""
    if key is not None:
        return [kind for kind in main if kind.name == key]

    def is_key(kind: ColumnKind) -> bool:
        cells = {row[table.header.index(kind.name)] for row in table.rows}
        return is_identifier(kind.name) or (kind.is_text and 2 * len(cells) <= len(table.rows))

    return [kind for kind in always if is_key(kind) and not kind.decimals] or always
