"""Lines of text that end with a JSON object."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lars2asp.runtime.sources.survey.column_kinds import column_text
from lars2asp.runtime.sources.survey.line_form import LineForm, LineKind

_HEADS = (
    (
        re.compile(
            r"(?:<\d+>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [^\s\[\]]+(?:\[\d+\])?: (?:@cee: ?)?"
        ),
        "^{host:word} ({program:word}[{pid:int}]: |{program:word}: )(@cee:( )?)?",
        ("host", "program", "pid or 0"),
        '"%b %d %H:%M:%S"',
    ),
    (
        re.compile(r"\S+ \S+ [^\s\[\]]+(?:\[\d+\])?: (?:@cee: ?)?"),
        "^{host:word} ({program:word}[{pid:int}]: |{program:word}: )(@cee:( )?)?",
        ("host", "program", "pid or 0"),
        "",
    ),
)
_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?\s+")
_MOST_WORDS = 6
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class _Found(NamedTuple):
    """A line with an object.

    Attributes:
        head: the text in front of it.
        text: its own text.
        fields: its fields.
    """

    head: str
    text: str
    fields: Mapping[str, Any]


def json_texts(lines: Sequence[str]) -> Iterator[LineForm]:
    """Lines with a time and words in front of an object: its fields, if all have the same in one order."""
    found = [one for one in map(_found, lines) if one is not None]
    if not found or 10 * len(found) < 9 * len(lines):
        return
    for matches, begin, columns, at in _HEADS:
        if all(matches.fullmatch(one.head) for one in found):
            yield from _forms(found, begin, columns, at)
    heads = [_ISO_TIME.match(one.head) for one in found]
    if all(heads):
        words = {len(one.head[time.end() :].split()) for one, time in zip(found, heads, strict=True) if time}
        if len(words) == 1 and max(words) <= _MOST_WORDS:
            names = [f"word{number}" for number in range(1, max(words) + 1)]
            yield from _forms(found, "^" + "".join(f"{{{name}:word}} " for name in names), names, "")


def _found(line: str) -> _Found | None:
    at = line.find("{")
    if at < 0:
        return None
    try:
        fields = json.loads(line[at:])
    except ValueError:
        return None
    return _Found(line[:at], line[at:].rstrip(), fields)


def _forms(found: Sequence[_Found], begin: str, columns: Sequence[str], at: str) -> Iterator[LineForm]:
    """With the fields, if they can be told; else with the text of the object."""
    flat = _flat(found)
    if flat is not None:
        pattern, names = flat
        fields = [column_text(name) for name in names]
        kind = LineKind("logged", ", ".join([*columns, *fields]), begin + pattern, at)
        said = "texts of fields keep the backslashes that JSON has in them"
        yield LineForm("JSON in lines of text", (kind,), said=(said,))
    kind = LineKind("logged", ", ".join([*columns, "object"]), begin + "{object:rest}", at)
    said = "object: the text of the JSON object, as its fields differ"
    yield LineForm("JSON in lines of text", (kind,), said=(said,))


def _flat(found: Sequence[_Found]) -> tuple[str, Sequence[str]] | None:
    """A pattern for objects of the same plain fields, and their names; None for others."""
    shapes = Counter(tuple((name, _kind_of(value)) for name, value in one.fields.items()) for one in found)
    shape, count = shapes.most_common(1)[0]
    taken = {"host", "program", "pid", *(f"word{number}" for number in range(_MOST_WORDS + 1))}
    names = [name for name, _ in shape]
    if 10 * count < 9 * len(found) or not all(kind for _, kind in shape) or taken & {*names}:
        return None
    if not shape or not all(map(_NAME.fullmatch, names)):
        return None
    colon, comma = (": ", ", ") if '": ' in found[0].text else (":", ",")
    parts = [f'"{name}"{colon}{kind.format(name=name)}' for name, kind in shape]
    return f"\\{{{comma.join(parts)}\\}}$", names


def _kind_of(value: Any) -> str:
    """The place of a value; empty for what has none."""
    if isinstance(value, str):
        return '"{{{name}:quoted}}"'
    return "{{{name}:int}}" if isinstance(value, int) and not isinstance(value, bool) else ""
