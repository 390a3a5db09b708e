"""What is wrong with a program while it is written: at once what can be said at once, the rest in a pause.

At a key the statements that changed are read, and checked together with the directives; what was found in the
others moves with them. To check the whole program takes longer: that is done when nothing was typed for a
while, elsewhere, and replaces what was said.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from lars2asp.compiler import check
from lars2asp.runtime.language_server.statements import PlacedStatement, StatementReader
from lars2asp.syntax.diagnostics import Diagnostic, Diagnostics, Severity
from lars2asp.syntax.directives import with_part
from lars2asp.syntax.source import Location, Source
from lars2asp.syntax.values import dataclass

MOST_CHANGED = 30
"""The number of statements up to which those that changed are checked at once."""

_NO_LINE_END = re.compile(r"[^\n]")
_OF_OTHER_FILES = tuple(one.name for one in with_part("file"))


@dataclass
class _Found:
    """What a whole check has found in a statement."""

    text: str
    begin: int
    diagnostic: Diagnostic


@dataclass
class Findings:
    """The findings in one text.

    Attributes:
        reader: reads statements.
    """

    reader: StatementReader
    _checked: frozenset[str] = frozenset()
    """The texts of the statements that the whole check has seen, or was asked to."""
    _found: list[_Found] = field(default_factory=list)

    def at_once(self, source: Source) -> list[Diagnostic]:
        """What is known of a text that has just changed."""
        diagnostics = Diagnostics()
        statements = self.reader.statements(source, diagnostics)
        changed = [one for one in statements if one.known and one.text.text not in self._checked]
        found = [*diagnostics.found, *self._moved(source, statements)]
        if 0 < len(changed) <= MOST_CHANGED:
            found += _errors_in(source, statements, changed)
        if not self._checked:  # just opened: what changes from here on is what somebody writes
            self._checked = frozenset(one.text.text for one in statements)
        return list(dict.fromkeys(found))

    def settle(self, source: Source, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Takes what a whole check of the program has found; returns what of that is in the text."""
        statements = self.reader.statements(source, Diagnostics())
        self._checked = frozenset(one.text.text for one in statements)
        here = [one for one in found if one.location.source is source]
        self._found = [
            _Found(statement.text.text, statement.text.begin, one)
            for one in here
            if one.subject != "syntax" and (statement := _statement_at(statements, one.location.begin))
        ]
        return here

    def _moved(self, source: Source, statements: Sequence[PlacedStatement]) -> list[Diagnostic]:
        """What was found in statements that did not change, where these are now."""
        begins: dict[str, list[int]] = {}
        for one in statements:
            begins.setdefault(one.text.text, []).append(one.text.begin)
        moved = []
        for found in self._found:
            places = begins.get(found.text)
            if places:
                begin = min(places, key=lambda place: abs(place - found.begin))
                moved.append(_at(found.diagnostic, source, begin - found.begin))
        return moved


def _statement_at(statements: Sequence[PlacedStatement], offset: int) -> PlacedStatement | None:
    for one in reversed(statements):
        if one.text.begin <= offset:
            return one if offset <= one.text.begin + len(one.text.text) else None
    return None


def _at(diagnostic: Diagnostic, source: Source, more: int) -> Diagnostic:
    """A finding in another text, some places further on; other places are left out."""

    def moved(place: Location) -> Location:
        return Location(source, place.begin + more, place.end + more)

    edit = diagnostic.edit
    if edit is not None:
        edit = replace(edit, location=moved(edit.location))
    return replace(diagnostic, location=moved(diagnostic.location), also=(), notes=(), edit=edit)


def _errors_in(
    source: Source, statements: Sequence[PlacedStatement], changed: Sequence[PlacedStatement]
) -> list[Diagnostic]:
    """The errors of statements that can be told from these and the directives alone.

    Where the program has more files, constants may come from there: then only the whole check says more.
    """
    if any(one.text.text.startswith(_OF_OTHER_FILES) for one in statements):
        return []
    kept = {one.text.begin for one in changed}
    text = source.text
    pieces, end = [], 0
    for one in statements:
        if one.known and (one.text.begin in kept or one.text.text.startswith("#")):
            pieces += [_NO_LINE_END.sub(" ", text[end : one.text.begin]), one.text.text]
            end = one.text.begin + len(one.text.text)
    part = Source(source.name, "".join(pieces), source.folder)
    found = []
    for error in check(part):
        statement = _statement_at(changed, error.location.begin)
        if error.severity is Severity.ERROR and error.subject != "syntax" and statement is not None:
            found.append(_at(error, source, 0))
    return found
