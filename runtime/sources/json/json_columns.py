"""JSON records with fields of their own in columns: many lines are read at once where all of them are plain.

In a plain line no field has a list, an object or a number with a fraction, and nothing is escaped.
"""

import re
from collections.abc import Sequence
from typing import Any

import orjson

from lars2asp.runtime.sources.json.json_fields import OWN_LISTS, DeclaredFields
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import Origin
from lars2asp.runtime.sources.tables.row_blocks import RowBlocks

MOST_SHAPES = 16
"""The number of different sets of fields that lines may have together."""

_NEGATIVE_ZERO = re.compile(rb":[ \t]*-0[ \t\r\n,}]")

_PLAIN = frozenset({str, int, type(None)})


class JsonColumns:
    """Reads plain lines.

    Args:
        fields: how records become facts.
    """

    def __init__(self, fields: DeclaredFields) -> None:
        self._fields = fields
        self._names = [*dict.fromkeys(name for one in fields.declared for name in one.names)]
        self._times = {name for one in fields.declared for name in one.times}
        self._blocks = None
        if not any(one.each or one.is_stamped for one in fields.declared):
            self._blocks = RowBlocks([one.reader(self._names) for one in fields.declared])

    def read(self, lines: Sequence[bytes], origins: Sequence[Origin]) -> RecordColumns | None:
        """The records of lines in columns; None where one of them is not plain, or is rejected."""
        if self._blocks is None or not {bytes}.issuperset(map(type, lines)):
            return None
        together = b"".join(lines)
        if b"\\" in together:
            return None
        try:
            found = [*map(orjson.loads, lines)]
        except ValueError:
            return None
        if not {dict}.issuperset(map(type, found)):
            return None
        shapes = {*map(tuple, found)}
        if len(shapes) > MOST_SHAPES or not all(map(self._is_told, shapes)):
            return None
        columns = []
        for name in self._names:
            cells: list[Any] = [one.get(name) for one in found]
            kinds = {*map(type, cells)}
            if not kinds <= _PLAIN or (int in kinds and 0 in cells and _NEGATIVE_ZERO.search(together)):
                return None
            if type(None) in kinds:
                cells = ["" if cell is None else cell for cell in cells]
            if int in kinds and name in self._times:
                cells = [*map(str, cells)]
            columns.append(cells)
        return self._blocks.columns(columns, len(found), origins)

    def _is_told(self, names: Sequence[str]) -> bool:
        """Whether a record with such fields gives a fact, whatever stands in them."""
        if not {*OWN_LISTS}.isdisjoint(names) or not self._times.issubset(names):
            return False
        return self._fields.fitting(dict.fromkeys(names, "")) is not None
