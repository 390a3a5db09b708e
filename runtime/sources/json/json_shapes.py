"""JSON records with fields of their own that are written alike: their values are read by columns.

Lines of one source mostly have the same fields in the same order. Such a shape is a pattern, which gives the
values of many lines as they are written; lines of other shapes are for who reads each line by itself.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import orjson

from lars2asp.runtime.sources.json.json_fields import DeclaredFields, value_at
from lars2asp.runtime.sources.records import Origin, Record, Rejected
from lars2asp.runtime.sources.tables.row_blocks import ReadBlock, RowBlocks
from lars2asp.syntax.values import dataclass

MOST_SHAPES = 16
"""The number of shapes that are known at a time."""

_STRING = r'"[^"\\\x00-\x1f]*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]{0,17}+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]{1,3}+)?"
_VALUE = rf"(?:{_STRING}|{_NUMBER}|true|false|null)"
_TOKEN = re.compile(rf"[ \t]+|[{{}}:,]|(?P<value>{_VALUE})(?=[ \t{{}}:,])")
_TEXT = r'"([^"\\\x00-\x1f]*+)"'


class JsonShapes:
    """Reads lines by the shapes of those before them.

    Args:
        fields: how records become facts.
    """

    def __init__(self, fields: DeclaredFields) -> None:
        self._fields = fields
        self._shapes: list[_Shape] = []
        """Those used last come first."""
        self._blocks = MOST_SHAPES**2
        """To look for the shape of a line is worth MOST_SHAPES blocks; these were not spent so."""

    def read(self, lines: Sequence[bytes], origins: Sequence[Origin]) -> ReadBlock | None:
        """What lines tell that all have the shape that was used last; None where some have others."""
        self._blocks = min(self._blocks + 1, MOST_SHAPES**2)
        if not self._shapes and not self._learnt(lines[0]):
            return None
        shape = self._shapes[0]
        text = _text_of(b"".join(lines))
        rows = [] if text is None else shape.pattern.findall(text)
        return shape.read(rows, origins) if len(rows) == len(lines) else None

    def read_each(self, lines: Sequence[bytes], origins: Sequence[Origin]) -> list[Record | Rejected | None]:
        """What each of some lines tells; None for one that has no shape."""
        found: list[Record | Rejected | None] = [None] * len(lines)
        if not self._shapes:
            return found
        places: dict[_Shape, list[int]] = {}
        rows: dict[_Shape, list[Any]] = {}
        for place, line in enumerate(lines):
            text = _text_of(line)
            shape, row = (None, None) if text is None else self._row_of(text, line)
            if shape is not None:
                places.setdefault(shape, []).append(place)
                rows.setdefault(shape, []).append(row)
        for shape, here in places.items():
            read = shape.read(rows[shape], [origins[place] for place in here])
            for place, item in zip(here, read.items, strict=True):
                found[place] = item
        return found

    def _row_of(self, text: str, line: bytes) -> "tuple[_Shape | None, Any]":
        """The shape of a line, and its values."""
        for place, shape in enumerate(self._shapes):
            rows = shape.pattern.findall(text)
            if rows:
                if place:
                    self._shapes.insert(0, self._shapes.pop(place))
                return shape, rows[0]
        if self._learnt(line):
            rows = self._shapes[0].pattern.findall(text)
            if rows:
                return self._shapes[0], rows[0]
        return None, None

    def _learnt(self, line: bytes) -> bool:
        """Whether a line has a shape, which is known from now on."""
        if self._blocks < MOST_SHAPES:
            return False
        self._blocks -= MOST_SHAPES
        shape = _shape_of(line, self._fields)
        if shape is not None:
            self._shapes = [shape, *self._shapes[: MOST_SHAPES - 1]]
        return shape is not None


class _Shape:
    """Lines with the same fields in the same order.

    Attributes:
        pattern: finds the values in a text of such lines, and nothing in other lines.
    """

    def __init__(self, pattern: str, blocks: RowBlocks) -> None:
        self.pattern = re.compile(pattern, re.MULTILINE)
        self._blocks = blocks

    def read(self, rows: Sequence[Any], origins: Iterable[Origin]) -> ReadBlock:
        """What the values of lines tell."""
        columns = [*zip(*rows, strict=True)] if self.pattern.groups > 1 else [rows]
        return self._blocks.read(columns, len(rows), origins)


def _text_of(line: bytes) -> str | None:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return None


def _shape_of(line: bytes, fields: DeclaredFields) -> _Shape | None:
    """The shape of a line; None where it is not a record of plain values, or is to be read by itself."""
    text = _text_of(line)
    outline = None if text is None else _outline(text.rstrip("\r\n"))
    fitting = None if outline is None else fields.fitting(outline.found)
    if outline is None or fitting is None:
        return None
    names = [*dict.fromkeys(name for one in fitting for name in one.names)]
    places = [value_at(outline.found, name) for name in names]
    if any(type(place) is not int for place in places) or len({*places}) < len(names):
        return None
    times = {name for one in fitting for name in one.times}
    parts = [*outline.parts]
    for place, name in zip(places, names, strict=True):
        parts[place] = f"({_VALUE})"
        if name in times:
            if outline.values[place] in ("null", "true", "false"):
                return None
            parts[place] = _TEXT if outline.values[place].startswith('"') else f"({_NUMBER})"
    header = [name for _, name in sorted(zip(places, names, strict=True))]
    blocks = RowBlocks([one.reader(header) for one in fitting], _cell_of)
    return _Shape(rf"^{''.join(parts)}(?:\r?\n|\Z)", blocks) if blocks.have_one_time else None


def _cell_of(value: str) -> str | None:
    """The text of a value, as it is written: what a cell of a table would have; None for null."""
    if value[0] == '"':
        return value[1:-1]
    return None if value == "null" else value


@dataclass(frozen=True)
class _Outline:
    """What stands in a line.

    Attributes:
        found: the record, with numbers for values: the places of their patterns.
        parts: the patterns of all that stands in the line, one after the other.
        values: the values as they are written, by these places.
    """

    found: dict[str, Any]
    parts: list[str]
    values: dict[int, str]


def _outline(text: str) -> _Outline | None:
    """What stands in a line; None where it is not an object of JSON, has lists, escapes, or a field twice."""
    try:
        if type(orjson.loads(text)) is not dict:
            return None
    except ValueError:
        return None
    whole: dict[str, Any] = {}
    outline, end = _Outline(whole, [], {}), 0
    within: list[dict[str, Any]] = []
    key: str | None = None
    while end < len(text):
        token = _TOKEN.match(text, end)
        if token is None:
            return None
        part, end = token[0], token.end()
        pattern = re.escape(part)
        if part == "{" and not within:
            within.append(whole)
        elif part == "}":
            within.pop()
        elif part == "{" or (token["value"] and key is not None):
            assert key is not None  # as it is an object of JSON
            if key in within[-1]:
                return None
            inner: Any = {} if part == "{" else len(outline.parts)
            within[-1][key] = inner
            if isinstance(inner, dict):
                within.append(inner)
            else:
                outline.values[inner], pattern = part, _VALUE
            key = None
        elif token["value"] and part.startswith('"'):
            key = part[1:-1]
        elif token["value"]:
            return None
        outline.parts.append(pattern)
    return outline
