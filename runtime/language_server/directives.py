"""The directive that you point at, or begin to write."""

import re

from lars2asp.syntax.directives import directive_text
from lars2asp.syntax.source import Location, Source

_NAME = re.compile(r"#[a-z_]+")
_BEGUN = re.compile(r"(?:^|[.\]}])[ \t]*(#[a-z_]*)\Z", re.MULTILINE)


def directive_at(source: Source, offset: int) -> tuple[Location, str] | None:
    """The name of a directive at an offset of a text, and what it says in Markdown."""
    line = source.text.rfind("\n", 0, offset) + 1
    comment = source.text.find("%", line, offset)
    for found in _NAME.finditer(source.text, line) if comment < 0 else ():
        if found.start() > offset:
            break
        if offset < found.end() and (text := directive_text(found[0])) is not None:
            return Location(source, *found.span()), text
    return None


def begun_directive(source: Source, offset: int) -> Location | None:
    """Where the directive begins that ends at an offset of a text; None within a statement."""
    line = source.text.rfind("\n", 0, offset) + 1
    found = _BEGUN.search(source.text, line, offset)
    return None if found is None else Location(source, *found.span(1))
