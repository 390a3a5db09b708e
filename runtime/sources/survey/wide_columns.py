"""Columns that have the same of several things, as `TI100`, `TI101`, ...: each of them gives a fact."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from lars2asp.runtime.sources.survey.column_kinds import ColumnKind, EachField, column_text
from lars2asp.syntax.column_places import ColumnPlace
from lars2asp.syntax.nodes import Spread
from lars2asp.syntax.string_escapes import quoted

FEWEST_COLUMNS = 6
"""So many columns of numbers whose names differ in digits alone are those of things."""

FEWEST_WORDS = 8
"""So many are, if their names differ in a word."""

FEWEST_THINGS = 3
"""So many things have several columns each, of the same names."""

KEY_NAMES = ("tag", "key", "column_name", "name_of_column")
OBJECT_NAMES = ("key", "tag", "field_name", "name_of_field")
VALUE_NAMES = ("value", "x", "cell", "value_of_column")

_DIGITS = re.compile("[0-9]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_BETWEEN = " _.-:/|"
_SIGNS = re.compile(f"[{re.escape(_BETWEEN)}]")


class ObjectField(str):
    """A field with an object whose keys are data: each of them gives a fact.

    Attributes:
        parts: the fields of what stands behind the keys; an empty one for values.
        names: the fields of the record with such objects, if it is a pattern of their names.
    """

    parts: Sequence[str]
    names: Sequence[str]

    @classmethod
    def of(cls, name: str, parts: Sequence[str], names: Sequence[str] = ()) -> "ObjectField":
        """The field with a name."""
        found = cls(name)
        found.parts, found.names = parts, names
        return found


class ObjectCell(str):
    """The text of such an object.

    Attributes:
        things: for each key the texts of the parts.
    """

    things: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, text: str, things: Mapping[str, Sequence[str]]) -> "ObjectCell":
        """The cell with a text, and what it says."""
        found = cls(text)
        found.things = things
        return found


class Wide(NamedTuple):
    """Columns, each of which gives a fact, or an object, each of whose keys does.

    Attributes:
        source: the field of the object, or what their names have in common; empty if nothing is.
        spread: how a declaration says so; None if each thing needs one of its own.
        things: the names of columns, or the things that have several; those of the parts of each.
        key: what the declaration calls the name of a column.
        parts: what it calls the value, or the fields of it.
    """

    source: str
    spread: Spread | None
    things: Mapping[str, Sequence[str]]
    key: str
    parts: Sequence[str]

    @property
    def columns(self) -> Collection[str]:
        """The columns that it has."""
        return {name for names in self.things.values() for name in names}

    @property
    def clause(self) -> str:
        """What stands behind the time in a declaration."""
        if self.spread is None:
            return ""
        key, value, source, is_of_columns = self.spread
        told = f"columns {quoted(source)}" if is_of_columns else column_text(source)
        return f" each {key}, {value} of {told}"

    def melted(
        self, header: Sequence[str], rows: Iterable[Sequence[str]]
    ) -> Iterator[tuple[int, str, Sequence[str]]]:
        """The facts of rows: the place of the row, the thing, and the texts of its parts, one at least."""
        places = {thing: [header.index(name) for name in names] for thing, names in self.things.items()}
        is_object = isinstance(self.source, ObjectField)
        for number, row in enumerate(rows):
            if is_object:
                cell = row[header.index(self.source)]
                found = cell.things if isinstance(cell, ObjectCell) else {}
                yield from ((number, thing, cells) for thing, cells in found.items() if any(cells))
                continue
            for thing, some in places.items():
                cells = [row[place].strip() for place in some]
                if any(cells):
                    yield number, thing, cells

    def gives(self, header: Sequence[str]) -> Callable[[Sequence[str]], bool]:
        """Whether a row has such facts."""
        places = [header.index(name) for names in self.things.values() for name in names]
        return lambda row: any(row[place].strip() for place in places)

    @property
    def word(self) -> str:
        """A word for its predicate."""
        found = re.sub(r"[^a-z0-9]+", "_", self.source.lower()).strip("_")
        return found or ("of_thing" if self.spread is None else "value")


def things_of(header: Sequence[str], kinds: Iterable[ColumnKind]) -> Iterator[Wide]:
    """The things of a table that have columns of the same names, as `T1.value`, `T1.quality`."""
    plain = _plain(kinds)
    key = free_name(KEY_NAMES, header)
    used: set[str] = set()
    for parts, things in _of_things(plain):
        columns = {name for names in things.values() for name in names}
        if used.isdisjoint(columns):
            used |= columns
            are_free = len({*parts}) == len(parts) and {key, *header}.isdisjoint(parts)
            yield Wide(
                _beginning([*things]), None, things, key, parts if are_free else next(iter(things.values()))
            )


def object_of(header: Sequence[str], field: ObjectField) -> Wide:
    """An object of JSON records whose keys are data."""
    key, value = free_name(OBJECT_NAMES, header), free_name(VALUE_NAMES, header)
    parts = [f"{value}.{part}" if part else value for part in field.parts]
    spread = Spread(key, value, field, is_of_columns=bool(field.names))
    return Wide(field, spread, {field: (field,)}, key, parts)


def pattern_of(names: Sequence[str], header: Sequence[str], named: Collection[str]) -> str | None:
    """A pattern that matches names, and no others in a header but those that are named elsewhere."""
    for pattern in _patterns(names):
        found = Spread("", "", pattern, is_of_columns=True).chosen(header, named)
        if {header[place] for place in found} == {*names}:
            return pattern
    return None


def alike_columns(
    header: Sequence[str], kinds: Iterable[ColumnKind], named: Collection[str], doubled: Collection[str]
) -> Iterator[Wide]:
    """The columns of numbers of a table that are those of things.

    Args:
        header: the names of all columns.
        kinds: the columns that are not of the time, and are no keys.
        named: the columns that the declaration names elsewhere.
        doubled: the names that several columns have.
    """
    plain = _plain(kinds)
    key, value = free_name(KEY_NAMES, header), free_name(VALUE_NAMES, header)
    used: set[str] = set()
    left = [*named, *(one.name for one in plain if not one.has_values)]
    for names in _alike([one for one in plain if one.is_number]):
        pattern = pattern_of(names, header, left) if used.isdisjoint(names) else None
        spread = Spread(key, value, pattern or "", is_of_columns=True)
        if pattern is not None and not spread.chosen(doubled):
            used.update(names)
            yield Wide(pattern, spread, {name: (name,) for name in names}, key, (value,))


def _plain(kinds: Iterable[ColumnKind]) -> Sequence[ColumnKind]:
    """The columns that have names, and are no fields of lists and objects."""
    return [
        one for one in kinds if one.name and not isinstance(one.name, ColumnPlace | EachField | ObjectField)
    ]


def free_name(names: Iterable[str], taken: Collection[str]) -> str:
    """The first name that is no column, whatever its case."""
    folded = {one.casefold() for one in taken}
    return next((one for one in names if one not in folded), "each_value")


def has_pattern(names: Collection[str]) -> bool:
    """Whether names differ in digits alone."""
    return len({*map(_template, names)}) == 1 and len(names) > 1 and any(map(_DIGITS.search, names))


def _beginning(names: Sequence[str]) -> str:
    """What all names begin with."""
    first, last = min(names), max(names)
    same = (one == other for one, other in zip(first, last, strict=False))
    return first[: sum(1 for _ in takewhile(bool, same))]


def _template(name: str) -> str:
    return _DIGITS.sub("#", name)


def _shape(name: str) -> str:
    return _LETTERS.sub("a", _template(name))


def _alike(kinds: Sequence[ColumnKind]) -> Iterator[Sequence[str]]:
    """Columns of numbers whose names have something in common, largest first for each way to look."""
    by_template: dict[str, list[str]] = defaultdict(list)
    by_shape: dict[str, list[str]] = defaultdict(list)
    by_word: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for one in kinds:
        if _DIGITS.search(one.name):
            by_template[_template(one.name)].append(one.name)
            by_shape[_shape(one.name)].append(one.name)
        for side, word in _words(one.name):
            by_word[side, word, one.decimals > 0].append(one.name)
    ways = (by_template, FEWEST_COLUMNS), (by_shape, FEWEST_COLUMNS), (by_word, FEWEST_WORDS)
    for groups, fewest in ways:
        yield from sorted((one for one in groups.values() if len(one) >= fewest), key=len, reverse=True)


def _words(name: str) -> Iterator[tuple[str, str]]:
    """How a name begins, up to a sign, and how it ends."""
    if found := [*_SIGNS.finditer(name)]:
        yield "begins", name[: found[0].end()]
        yield "ends", name[found[-1].start() :]


def _patterns(names: Sequence[str]) -> Iterator[str]:
    """Patterns that match names, narrow ones first."""
    before = _beginning(names)
    after = _beginning([name[len(before) :][::-1] for name in names])[::-1]
    templates = {_template(name) for name in names}
    if len(templates) == 1:
        yield re.sub(r"\*+", "*", templates.pop().replace("*", "#").replace("#", "*"))
    yield f"{before}*{after}"
    stem = _DIGITS.sub("", before)
    if stem != before:
        yield f"{before}*"
    yield "*"


def _of_things(kinds: Sequence[ColumnKind]) -> Iterator[tuple[Sequence[str], Mapping[str, Sequence[str]]]]:
    """Things that have several columns each, of the same names: what these are called, and they by things."""
    names = {one.name: one for one in kinds}
    order = [*names]
    for split in (_behind_sign, _before_sign, _digits):
        parts: dict[str, dict[str, str]] = defaultdict(dict)
        for name in names:
            stem, part = split(name)
            if stem and part and stem != name:
                parts[part][stem] = name
                if stem in names:
                    parts[""][stem] = stem
        alike: dict[frozenset[str], list[str]] = defaultdict(list)
        for part, columns in parts.items():
            alike[frozenset(columns)].append(part)
        for stems, some in alike.items():
            is_few = len(stems) < FEWEST_THINGS or len(some) < 2 or len(stems) * len(some) < FEWEST_COLUMNS
            columns_of = [[names[parts[part][stem]] for stem in stems] for part in some]
            of_values = [{one.is_number for one in column if one.has_values} for column in columns_of]
            if is_few or any(len(kinds) != 1 for kinds in of_values) or {True} not in of_values:
                continue
            first = next(iter(parts[some[0]]))
            some.sort(key=lambda part: order.index(parts[part][first]))
            things = {stem: [parts[part][stem] for part in some] for stem in parts[some[0]]}
            yield [part.strip("#" + _BETWEEN) or "value" for part in some], things


def _behind_sign(name: str) -> tuple[str, str]:
    """A thing and what is behind the last sign, as in `TI100.value`."""
    found = [*_SIGNS.finditer(name)]
    return (name[: found[-1].start()], name[found[-1].start() :]) if found else ("", "")


def _before_sign(name: str) -> tuple[str, str]:
    """The same for what stands before the first sign, as in `value_TI100`."""
    found = _SIGNS.search(name)
    return (name[found.end() :], name[: found.end()]) if found else ("", "")


def _digits(name: str) -> tuple[str, str]:
    """The same for a number, as in `value1`; capitals alone are those of a thing, as in `TI1`."""
    found = _DIGITS.findall(name)
    word = "".join(_LETTERS.findall(name))
    return (
        (found[0], _template(name))
        if len(found) == 1 and (len(word) == 1 or not word.isupper())
        else ("", "")
    )
