"""JSON records with fields of their own in columns: many lines are read at once where all of them are plain.

In a plain line no field has a list, an object or a long number with a fraction, and nothing is escaped.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import compress
from typing import Any

import orjson

from lars2asp.runtime.sources.json.json_fields import OWN_LISTS, DeclaredFields
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Origin
from lars2asp.runtime.sources.tables.row_blocks import Columns, RowBlocks, Told
from lars2asp.runtime.sources.tables.row_reader import CellValues

MOST_SHAPES = 16
"""The number of different sets of fields that lines may have together."""

MOST_KNOWN = 1000
"""The number of sets of fields of which it is known what takes them."""

_NEGATIVE_ZERO = re.compile(rb":[ \t]*-0[ \t\r\n,}]")

_PLAIN = frozenset({str, int, float, type(None)})

_NUMBERS = bytes(48 if chr(sign) in "0123456789." else 32 for sign in range(256))
_LONG = b"0" * 16
"""Numbers of fewer signs have no more digits than a float keeps (15): it stands for the number as written."""


Plain = Sequence[Mapping[str, Any]]
"""Plain records, as orjson gives them."""


class JsonColumns:
    """Reads plain lines.

    Args:
        fields: how records become facts.
    """

    def __init__(self, fields: DeclaredFields) -> None:
        self._fields = fields
        self._names = [*dict.fromkeys(name for one in fields.declared for name in one.names)]
        self._times = {name for one in fields.declared for name in one.times}
        self._optional = frozenset().union(*(one.optional for one in fields.declared))
        self._fractions = {*self._names} - self._times
        """The fields in which numbers may have fractions."""
        self._told: dict[tuple[str, ...], frozenset[int] | None] = {}
        """The declarations that take records of a shape, by their numbers; see `_taking`."""
        self._blocks = None
        if not any(one.each or one.spread or one.is_stamped for one in fields.declared):
            readers = [one.reader(self._names) for one in fields.declared]
            self._blocks = RowBlocks(readers)
            self._fractions -= {
                name
                for reader in readers
                for column, cells in zip(reader.columns, reader.cells, strict=True)
                if column.is_cell and not (isinstance(cells, CellValues) and cells.takes_fractions)
                for name in column.names
            } | {
                self._names[place]
                for reader in readers
                for places, cells in reader.conditions
                for place in places
                if not cells.takes_fractions
            }

    def read(self, lines: Sequence[bytes], origins: Sequence[Origin]) -> RecordColumns | None:
        """The records of lines in columns; None where one of them is not plain, or is rejected."""
        if self._blocks is None or not {bytes}.issuperset(map(type, lines)):
            return None
        together = b"".join(lines)
        if b"\\" in together:
            return None
        try:
            found = _objects(lines, together)
        except ValueError:
            return None
        if not {dict}.issuperset(map(type, found)):
            return None
        shape_of_each = [*map(tuple, found)]
        number_of = {shape: number for number, shape in enumerate(dict.fromkeys(shape_of_each))}
        if len(number_of) > MOST_SHAPES:
            return None
        takers = [taking for shape in number_of if (taking := self._taking(shape)) is not None]
        if len(takers) < len(number_of):
            return None
        shape_numbers = bytes(map(number_of.__getitem__, shape_of_each)) if len(number_of) > 1 else b""
        times = self._columns(self._times, found, together)
        if times is None:
            return None
        told = []
        for number, one in enumerate(self._fields.declared):
            is_taken = [number in taking for taking in takers]
            some, places = found, None
            if not all(is_taken):
                taken = shape_numbers.translate(bytes(is_taken).ljust(256))
                some, places = [*compress(found, taken)], [*compress(range(len(found)), taken)]
            columns = self._columns(one.names, some, together)
            if columns is None:
                return None
            told.append(Told(columns, len(some), places))
        return self._blocks.columns(times, len(found), origins, told)

    def _columns(self, names: Collection[str], found: Plain, together: bytes) -> Columns | None:
        """What stands in these fields, by columns, those of others empty; None where it is not plain."""
        columns: list[Sequence[Any]] = [()] * len(self._names)
        for place, name in enumerate(self._names):
            if name not in names:
                continue
            cells: list[Any] = (
                [one.get(name) for one in found] if name in self._optional else [one[name] for one in found]
            )
            kinds = {*map(type, cells)}
            if not kinds <= _PLAIN or (int in kinds and 0 in cells and _NEGATIVE_ZERO.search(together)):
                return None
            if float in kinds and (name not in self._fractions or _LONG in together.translate(_NUMBERS)):
                return None
            if name in self._times and (type(None) in kinds or int in kinds):
                cells = ["" if cell is None else str(cell) for cell in cells]
            columns[place] = cells
        return columns

    def _taking(self, shape: tuple[str, ...]) -> frozenset[int] | None:
        """The declarations that take records with such fields; None where that depends on their values."""
        if shape not in self._told:
            fitting = None
            if {*OWN_LISTS}.isdisjoint(shape) and self._times.issubset(shape):
                fitting = self._fields.fitting(dict.fromkeys(shape, ""))
            numbers = (number for number, one in enumerate(self._fields.declared) if one in (fitting or ()))
            if len(self._told) >= MOST_KNOWN:
                self._told.clear()
            self._told[shape] = None if fitting is None else frozenset(numbers)
        return self._told[shape]


def _objects(lines: Sequence[bytes], together: bytes) -> list[Any]:
    """What lines stand for, each by itself. Raises ValueError.

    They are read as one array where that is the same: each of them begins as an object does, and none has a
    list, so that what separates two of them stands within no object; and so many objects come of them.
    """
    if b"[" not in together and together[:1] == b"{" and together.count(b"\n{") == len(lines) - 1:
        found: list[Any] = orjson.loads(b"[%b]" % b",".join(lines))
        if len(found) == len(lines):
            return found
    return [*map(orjson.loads, lines)]
