"""The texts of what stands within JSON, as they are written there."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from lars2asp.runtime.sources.records import Origin, WrittenBlock
from lars2asp.syntax.values import dataclass

_DECODER = json.JSONDecoder()
_BLANKS = " \t,:\r\n"


@dataclass(frozen=True)
class Elements:
    """The elements of an array, in place of arrays in it theirs, or of the one in a field of an object.

    Attributes:
        written: the text of the array, or where the record stands that has it in a field.
        path: the field, or the path to it; empty for the array itself.
    """

    written: str | Origin
    path: str = ""

    @cached_property
    def texts(self) -> list[str]:
        """Each as it is written; what is no array is its only one. Raises ValueError without JSON."""
        text = self.written if isinstance(self.written, str) else self.written.text
        if not self.path:
            return [text[begin:end] for begin, end in _flat_parts(text, text.index("["))]
        found = list[str]()
        for at in _fields(text, _next(text, 0), self.path):
            if text[at] == "[":
                found += [text[begin:end] for begin, end in _parts(text, at)]
            elif text[at] == "{":
                found.append(text[at : _DECODER.raw_decode(text, at)[1]])
        return found


@dataclass(frozen=True)
class Element(WrittenBlock):
    """An element by itself, counted from 0."""

    elements: Elements
    place: int

    def text_of(self, line: int) -> str:
        """Its text."""
        try:
            return self.elements.texts[self.place]
        except (ValueError, IndexError):  # the record was made of an object, not of text
            written = self.elements.written
            return written if isinstance(written, str) else written.text


def _fields(text: str, at: int, path: str) -> Iterator[int]:
    """Where the values of a field begin, of the object or the objects in the array that begins at a place.

    Names may have dots.
    """
    parts = [*_parts(text, at)] if text[at] in "{[" else []
    if text[at] == "[":
        for begin, _ in parts:
            yield from _fields(text, begin, path)
        return
    named = {
        json.loads(text[begin:end]): value
        for (begin, end), (value, _) in zip(parts[::2], parts[1::2], strict=True)
    }
    first, _, rest = path.partition(".")
    if path in named:
        yield named[path]
    elif rest and first in named:
        yield from _fields(text, named[first], rest)


def _parts(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Where elements of an array, or names and values of an object, begin and end."""
    at = _next(text, at + 1)
    while text[at] not in "]}":
        end = _DECODER.raw_decode(text, at)[1]
        yield at, end
        at = _next(text, end)


def _flat_parts(text: str, at: int) -> Iterator[tuple[int, int]]:
    """The same of an array, in place of arrays in it."""
    for begin, end in _parts(text, at):
        if text[begin] == "[":
            yield from _flat_parts(text, begin)
        else:
            yield begin, end


def flattened(array: Sequence[Any]) -> list[Any]:
    """The elements of an array, in place of arrays in it theirs."""
    found: list[Any] = []
    for one in array:
        found += flattened(one) if isinstance(one, list) else [one]
    return found


def parts_of(text: str) -> list[str]:
    """The elements of the array that a text is, each as it is written. Raises ValueError or IndexError."""
    return [text[begin:end] for begin, end in _parts(text, 0)]


def names_fields(array: Any) -> bool:
    """Whether something is an array of names, which the first one of several arrays may be."""
    return isinstance(array, list) and bool(array) and all(isinstance(one, str) for one in array)


def has_named_rows(array: Sequence[Any]) -> bool:
    """Whether an array has arrays alone, of which the first names the fields of the others."""
    return names_fields(array[0] if array else None) and all(isinstance(one, list) for one in array)


def named_rows(array: Sequence[Any]) -> list[Any]:
    """The arrays behind the first one as objects; those with more or fewer values stay arrays."""
    names, *rows = array
    return [dict(zip(names, row, strict=True)) if len(row) == len(names) else row for row in rows]


def _next(text: str, at: int) -> int:
    """The place of the next sign that is no blank, and not between parts."""
    while text[at] in _BLANKS:
        at += 1
    return at
