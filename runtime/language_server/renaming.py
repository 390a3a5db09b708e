"""Where a predicate is named, and other names for it."""

import re
from collections.abc import Iterator, Sequence

from lars2asp.runtime.language_server.statements import Occurrence, StatementReader
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.source import Location, Source, shown

_NAME = re.compile(r"[_']*[a-z][A-Za-z0-9_']*")

Named = frozenset[tuple[str, int]]
"""Predicates, by name and arity."""


class RenameError(Exception):
    """A predicate cannot have another name."""


def occurrence_at(reader: StatementReader, source: Source, offset: int) -> Occurrence | None:
    """The predicate whose name is at an offset of a text, or ends there."""
    for statement in reader.statements(source, Diagnostics()):
        for one in statement.occurrences:
            if one.begin <= offset <= one.end:
                return one
    return None


def alike(one: Occurrence) -> Named:
    """The predicate of an occurrence."""
    return frozenset({(one.name, one.arity)})


def occurrences_of(
    reader: StatementReader, source: Source, predicates: Named
) -> Iterator[tuple[Location, Occurrence]]:
    """Where a text names predicates."""
    for statement in reader.statements(source, Diagnostics()):
        for one in statement.occurrences:
            if (one.name, one.arity) in predicates:
                yield Location(source, one.begin, one.end), one


def renamed(reader: StatementReader, sources: Sequence[Source], offset: int, name: str) -> list[Location]:
    """The places at which the predicate at an offset of the first text gets another name.

    Raises RenameError where the name is none, or is that of another predicate of the program, and where a
    statement has mistakes: what it names is not known.
    """
    if _NAME.fullmatch(name) is None or name == "not":
        raise RenameError(f"{shown(name)} is no name of a predicate: it begins with a small letter")
    for source in sources:
        diagnostics = Diagnostics()
        reader.statements(source, diagnostics)
        if diagnostics.has_errors:
            raise RenameError(f"the program has mistakes: {diagnostics.found[0].location}")
    one = occurrence_at(reader, sources[0], offset)
    if one is None:
        raise RenameError("no predicate is named here")
    predicates = _written_together(reader, sources, one)
    for source in sources:
        others = frozenset((name, arity) for _, arity in predicates)
        for place, _ in occurrences_of(reader, source, others):
            raise RenameError(f"{shown(name)}/{one.arity} is there already: {place}")
    places = [
        place
        for source in sources
        for place in dict.fromkeys(place for place, _ in occurrences_of(reader, source, predicates))
    ]
    for source in sources:
        _check_read(reader, source, [place for place in places if place.source is source], name)
    return places


def _check_read(reader: StatementReader, source: Source, places: Sequence[Location], name: str) -> None:
    """Raises RenameError where a text cannot be read with another name at some places: `or(X)` in a body."""
    pieces, end = [], 0
    for place in sorted(places, key=lambda one: one.begin):
        pieces += [source.text[end : place.begin], name]
        end = place.end
    diagnostics = Diagnostics()
    reader.statements(Source(source.name, "".join([*pieces, source.text[end:]]), source.folder), diagnostics)
    if diagnostics.has_errors:
        raise RenameError(f"{shown(name)} is a word of the language: {diagnostics.found[0].location}")


def _written_together(reader: StatementReader, sources: Sequence[Source], one: Occurrence) -> Named:
    """The predicate, and those that a pool such as `p(1;2,3)` names with the same word, and so on."""
    arities = {one.arity}
    while True:
        found = set(arities)
        for source in sources:
            for statement in reader.statements(source, Diagnostics()):
                places: dict[int, set[int]] = {}
                for other in statement.occurrences:
                    if other.name == one.name:
                        places.setdefault(other.begin, set()).add(other.arity)
                found.update(*(here for here in places.values() if here & found))
        if found == arities:
            return frozenset((one.name, arity) for arity in arities)
        arities = found
