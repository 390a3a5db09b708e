"""What is in a file of triples, and the declarations that read it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field

from lars2asp.runtime.sources.rdf.triple_files import Texts
from lars2asp.runtime.sources.rdf.triple_texts import Triples
from lars2asp.runtime.sources.text.numbered_lines import FileLines
from lars2asp.syntax.rdf_terms import GENERATED_AT, XSD, literal_of
from lars2asp.syntax.terms import MOST_PROPOSED
from lars2asp.syntax.values import dataclass

MOST_TRIPLES = 1_000_000
"""The number of triples that are looked at."""

_LOCAL = re.compile(r"[A-Za-z0-9_]*>$")
_TIMES = (GENERATED_AT, "<http://www.w3.org/ns/sosa/resultTime>")
_MOMENTS = (f"{XSD}dateTime", f"{XSD}dateTimeStamp")


@dataclass
class _Property:
    """What the objects of a property are."""

    kinds: Counter[str] = field(default_factory=Counter)
    digits: int = 0
    subjects: set[str] = field(default_factory=set)

    def take(self, subject: str, term: str) -> None:
        """One more."""
        self.subjects.add(subject)
        literal = literal_of(term) if term[0] == '"' else None
        number = None if literal is None else literal.number
        if number is not None:
            self.kinds["number"] += 1
            self.digits = max(self.digits, len(number.partition(".")[2]))
        else:
            self.kinds["time" if literal is not None and literal.datatype in _MOMENTS else "term"] += 1

    @property
    def column(self) -> str:
        """The column of its objects."""
        if len(self.kinds) > 1 or self.digits > MOST_PROPOSED:
            return "any(V)"
        return "time(V)" if "time" in self.kinds else "V"


def triple_proposal(name: str, lines: FileLines, texts: Texts) -> Iterator[str]:
    """What is in lines of triples, as comments, and the declarations with which a program can read them."""
    found: dict[str, _Property] = {}
    count, rejected, is_whole = 0, 0, True
    for part in _parts(lines, texts):
        if not isinstance(part, Triples):
            rejected += 1
            continue
        for subject, relation, other, _ in part.quads:
            found.setdefault(relation, _Property()).take(subject, other)
        count += len(part.quads)
        if count >= MOST_TRIPLES:
            is_whole = False
            break
    extent = "all of them" if is_whole else "only the beginning was read"
    yield f"% {name}: {count} triples, {extent}"
    if rejected:
        yield f"% {rejected} of its lines or statements are not valid: they are rejected"
    at = _time(found)
    if at is None:
        yield "% no property has times: name one after at, or include the file as background"
    else:
        yield f"% {at} says the times of {len(found[at].subjects)} nodes"
        yield "#tick 1 sec."
    names: Counter[str] = Counter()
    for relation, one in found.items():
        if relation != at:
            yield from _declaration(relation, one, at, names)


def _parts(lines: FileLines, texts: Texts) -> Iterator[object]:
    while given := lines.several():
        yield from texts.parts(given, lines.number + 1 - len(given))
    yield from texts.end()


def _time(found: dict[str, _Property]) -> str | None:
    """The property that says the times: a usual one, else that of times which most nodes have."""
    usual = [one for one in _TIMES if one in found]
    of_times = [one for one, told in found.items() if [*told.kinds] == ["time"]]
    return next(iter(usual), None) or max(of_times, key=lambda one: len(found[one].subjects), default=None)


def _declaration(relation: str, one: _Property, at: str | None, names: Counter[str]) -> Iterable[str]:
    local = _LOCAL.search(relation)
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", local[0][:-1] if local else "").lower().strip("_")
    stem = stem if stem[:1].isalpha() and stem != "not" else f"of_{stem}" if stem else "told"
    names[stem] += 1
    name = stem if names[stem] == 1 else f"{stem}_{names[stem]}"
    if one.column == "V" and one.digits:
        yield f"#decimals {name}(_,{one.digits})."
    time = "" if at is None or at == GENERATED_AT else f" at {at}"
    yield f"#input {name}(S, {one.column}) from {relation}{time}."
