"""From text to triples, in each of the formats of RDF; pyoxigraph reads it, many triples at once."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, repeat
from typing import Any, NamedTuple
from zlib import crc32

from lars2asp.runtime.extras import needed
from lars2asp.runtime.sources.records import Origin, Rejected, TruncatedRecord, made_of
from lars2asp.runtime.sources.text.numbered_lines import text_of
from lars2asp.runtime.sources.text.text_files import is_utf8
from lars2asp.syntax.patterns import pattern

Quad = tuple[str, str, str, str]
"""Subject, property, object and graph, as N-Quads has them; the graph is empty for a triple of none."""

_LINE = pattern(
    r'^(<[^>]*>|_:\S+) (<[^>]*>) (<[^>]*>|_:\S+|"(?:[^"\\\n]|\\.)*+"(?:@\S+|\^\^<[^>]*>)?)'
    r"(?: (<[^>]*>|_:\S+))? \.$",
    re.MULTILINE,
)
_BLANK_NODE = pattern(r"_:[^\s,;\])}<\"']*[^\s,;\])}<\"'.]")
_PLACE = pattern(r"^Parser error (?:at|between) .*?: |\s*\(line \d+\)$")
_TIMED = pattern(r"\s*([0-9][^<\"]*?)\s*:\s*(?=<|_:|\Z)")
_END_WITHIN = pattern(r'("(?:[^"\\\n]|\\.)*+"|<[^>\n]*>)|\.(?=\s|<|\Z)')


class Triples(NamedTuple):
    """Some triples, one after the other.

    Attributes:
        quads: the triples.
        origins: for each of them where it stands; of none with a time where this does.
        time: the text of the time of all; None where they have none of their own.
        is_whole: whether nothing behind them speaks of the same nodes.
    """

    quads: Sequence[Quad]
    origins: Sequence[Origin]
    time: str | None = None
    is_whole: bool = False


Part = Triples | Rejected


class Parser:
    """Reads text. Raises InputError where the package is missing.

    Args:
        name: that of what is read.
        form: the format, as pyoxigraph calls it.

    Attributes:
        form_name: the format, as people call it.
        prefixes: those that the last text declares.
        base: the IRI from which relative ones of it count; empty where there is none.
    """

    def __init__(self, name: str, form: str) -> None:
        self._ox: Any = needed("pyoxigraph", "rdf", name)
        self._form = getattr(self._ox.RdfFormat, form)
        self.form_name = str(self._form)
        self._written = self._ox.RdfFormat.N_QUADS
        self._beginning = f"_:{crc32(name.encode(errors='surrogateescape')):08x}n"
        self._unnamed = 0
        self._named = (self._ox.RdfFormat.N_TRIPLES, self._ox.RdfFormat.N_QUADS)
        """Formats in which all blank nodes have names."""
        self.prefixes: dict[str, str] = {}
        self.base = ""

    def quads(self, text: str | bytes) -> Sequence[Quad]:
        """The triples of a text, in canonical form. Raises SyntaxError.

        Prefixes and the base that it declares are noted. Blank nodes without a name get one, by their order.
        """
        parsed = self._ox.parse(text, format=self._form)
        written = self._ox.serialize(parsed, format=self._written).decode()
        self.prefixes, self.base = parsed.prefixes, parsed.base_iri or ""
        found: Sequence[Quad] = _LINE.findall(written)
        if len(found) != written.count("\n"):
            raise SyntaxError("a triple inside a triple cannot be a value")
        if "_:" in written and self._form not in self._named:
            found = self._with_names(found, text if isinstance(text, str) else text.decode())
        return found

    def _with_names(self, quads: Sequence[Quad], text: str) -> Sequence[Quad]:
        """The same with names for blank nodes that have none: pyoxigraph makes up others each time."""
        said = set(_BLANK_NODE.findall(text))
        names: dict[str, str] = {}
        for term in chain.from_iterable(quads):
            if term.startswith("_:") and term not in said and term not in names:
                self._unnamed += 1
                names[term] = f"{self._beginning}{self._unnamed}"
        if not names:
            return quads
        return [
            (names.get(one, one), relation, names.get(other, other), names.get(graph, graph))
            for one, relation, other, graph in quads
        ]


def reason_of(error: SyntaxError) -> str:
    """Why a text is not read, without the place, which the record has."""
    return _PLACE.sub("", _PLACE.sub("", str(error.msg)))


class LineTriples:
    """Reads N-Triples or N-Quads.

    A line may begin with a time and a colon, and then have several triples, or none: `7: <s> <p> <o> .`

    Args:
        name: that of what is read.
        form: the format, as pyoxigraph calls it.
    """

    def __init__(self, name: str, form: str) -> None:
        self._name = name
        self._parser = Parser(name, form)

    def parts(self, lines: Sequence[bytes], first: int) -> Iterator[Part]:
        """The triples of lines, the first of which has this number, and the lines that are rejected."""
        with suppress(SyntaxError):
            quads = self._parser.quads(b"".join(lines))
            numbers: Sequence[int] = range(first, first + len(lines))
            if len(quads) != len(lines):
                kept = [*map(_has_triple, lines)]
                numbers = [number for number, is_kept in zip(numbers, kept, strict=True) if is_kept]
                lines = [line for line, is_kept in zip(lines, kept, strict=True) if is_kept]
            if len(quads) == len(lines):
                yield Triples(quads, [*made_of(Origin, repeat(self._name), numbers, lines)])
                return
        for number, line in enumerate(lines, start=first):
            yield from self.line(text_of(line), Origin(self._name, number, line))

    def line(self, text: str, origin: Origin) -> Iterator[Part]:
        """The triples of a line, none of one that is blank."""
        if isinstance(text, TruncatedRecord):
            yield Rejected(origin, text.reason)
            return
        if not is_utf8(text):
            yield Rejected(origin, "the line is not UTF-8 text")
            return
        time, timed = None, _TIMED.match(text)
        if timed is not None:
            time, text = timed[1], _END_WITHIN.sub(lambda found: found[1] or ".\n", text[timed.end() :])
        try:
            quads = self._parser.quads(text)
        except SyntaxError as error:
            yield Rejected(origin, f"no line of {self._parser.form_name}: {reason_of(error)}")
            return
        if quads or time is not None:
            yield Triples(quads, [origin] * max(len(quads), 1), time)

    def end(self) -> Iterator[Part]:
        """What the end completes: nothing."""
        return iter(())


def _has_triple(line: bytes) -> bool:
    begin = line.lstrip()[:1]
    return begin not in (b"", b"#")


class StatementTriples:
    """Reads Turtle or TriG: statements, up to a dot or the bracket that closes a graph.

    Args:
        name: that of what is read.
        form: the format, as pyoxigraph calls it.
        most: in bytes, the length of a statement.
    """

    def __init__(self, name: str, form: str, most: int) -> None:
        self._name = name
        self._most = most
        self._parser = Parser(name, form)
        self._left = ""
        """The beginning of a statement that is not whole, from a line that has this number:"""
        self._line = 1
        self._head = ""

    def parts(self, lines: Sequence[bytes], first: int) -> Iterator[Part]:
        """The triples of the statements that lines end, and the statements that are rejected."""
        if not self._left:
            self._line = first
        text = self._left + "".join(map(text_of, lines))
        statements, end = _statements(text, self._line)
        self._left = text[end:]
        self._line += text.count("\n", 0, end)
        yield from self._read(statements)
        if len(self._left) > self._most:
            reason = f"the statement is too long: the limit is {self._most} bytes (--largest-record)"
            yield Rejected(
                Origin(self._name, self._line, TruncatedRecord.cut(self._left, self._most)), reason
            )
            self._left = ""

    def end(self) -> Iterator[Part]:
        """What the end of the text completes."""
        left, self._left = self._left, ""
        begin = _lead(left)
        if left[begin:].strip():
            yield from self._read([_Statement(left, self._line + left.count("\n", 0, begin), begin)])

    def _read(self, statements: "Sequence[_Statement]") -> Iterator[Part]:
        if not statements:
            return
        try:
            yield self._together(statements)
        except SyntaxError:
            for one in statements:
                try:
                    yield self._together([one])
                except SyntaxError as error:
                    yield self._rejected(one, error)

    def _rejected(self, one: "_Statement", error: SyntaxError) -> Rejected:
        before, own = one.text.count("\n", 0, one.lead), one.text.count("\n", one.lead)
        line = one.line + min(max((error.lineno or 1) - 1 - before, 0), own)
        origin = Origin(self._name, line, one.text[one.lead :])
        reason = reason_of(error) if is_utf8(one.text) else "the statement is not UTF-8 text"
        return Rejected(origin, f"no {self._parser.form_name}: {reason}")

    def _together(self, statements: "Sequence[_Statement]") -> Triples:
        """The triples of statements, between which marks tell where these stand. Raises SyntaxError."""
        text = _MARK.join([*(one.text for one in statements), ""])
        if not is_utf8(text):
            raise SyntaxError("it is not UTF-8 text")
        found = self._parser.quads(self._head + text)
        origins = [Origin(self._name, one.line, one.text[one.lead :]) for one in statements]
        quads, at, begin = list[Quad](), list[Origin](), 0
        ends = [place for place, quad in enumerate(found) if quad[0] == _MARKED]
        for origin, end in zip(origins, ends, strict=True):
            quads += found[begin:end]
            at += repeat(origin, end - begin)
            begin = end + 1
        parser = self._parser
        self._head = "".join(f"@prefix {name}: <{iri}> . " for name, iri in parser.prefixes.items())
        if parser.base:
            self._head += f"@base <{parser.base}> . "
        return Triples(quads, at)


class _Statement(NamedTuple):
    """A statement.

    Attributes:
        text: its text, with what stands before it.
        line: that in which it begins.
        lead: where it begins, behind blanks, comments, and declarations that have no dot.
    """

    text: str
    line: int
    lead: int


_MARKED = "<lars2asp:>"
_MARK = f"\n{_MARKED} {_MARKED} {_MARKED} .\n"
"""Stands behind each statement."""

_LEAD = pattern(r"(?:\s++|#[^\n]*+|(?i:prefix)\s++[^\s<]*+\s*+<[^>\n]*+>|(?i:base)\s++<[^>\n]*+>)*+")
_UP_TO_END = pattern(
    r'(?:[^"\'<#.{}\\]++'
    r'|"""(?:[^"\\]++|\\.|"(?!""))*+"""|"(?!"")(?:[^"\\\n]++|\\.)*+"|""(?!")'
    r"|'''(?:[^'\\]++|\\.|'(?!''))*+'''|'(?!'')(?:[^'\\\n]++|\\.)*+'|''(?!')"
    r"|<[^>\s]*+>|#[^\n]*+|\\.|\.(?![\s<\"'\[(@#{}\])]|\Z)|[\"'](?![\"']{2})|[<\\])*+([.{}])",
    re.DOTALL,
)
"""What stands before the next sign that may end a statement; a quote that its line does not close is none."""


def _lead(text: str, begin: int = 0) -> int:
    found = _LEAD.match(text, begin)
    return found.end() if found is not None else begin


def _statements(text: str, line: int) -> tuple[list[_Statement], int]:
    """The whole statements of a text that begins in a line, and where the last one ends."""
    found, at, depth, begin, counted = list[_Statement](), 0, 0, 0, 0
    while (end := _UP_TO_END.match(text, at)) is not None:
        at, sign = end.end(), end[1]
        if sign != ".":
            depth = depth + 1 if sign == "{" else max(depth - 1, 0)
        if depth or sign == "{":
            continue
        first = _lead(text, begin)
        line += text.count("\n", counted, first)
        counted = first
        found.append(_Statement(text[begin:at], line, first - begin))
        begin = at
    return found, begin


class DocumentTriples:
    """Reads JSON-LD: each line is a document by itself."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._parser = Parser(name, "JSON_LD")

    def parts(self, lines: Sequence[bytes], first: int) -> Iterator[Part]:
        """The triples of lines, the first of which has this number, and the lines that are rejected."""
        for number, line in enumerate(lines, start=first):
            yield from self.line(text_of(line), Origin(self._name, number, line))

    def line(self, text: str, origin: Origin) -> Iterator[Part]:
        """The triples of a line, none of one that is blank."""
        if isinstance(text, TruncatedRecord):
            yield Rejected(origin, text.reason)
        elif not is_utf8(text):
            yield Rejected(origin, "the line is not UTF-8 text")
        elif text.strip():
            try:
                quads = self._parser.quads(text)
            except SyntaxError as error:
                yield Rejected(origin, f"no JSON-LD: {_document_reason(error)}")
            else:
                yield Triples(quads, [origin] * len(quads), is_whole=True)

    def end(self) -> Iterator[Part]:
        """What the end completes: nothing."""
        return iter(())


def _document_reason(error: SyntaxError) -> str:
    reason = reason_of(error)
    if "LoadDocumentCallback" in reason:
        return "lars2asp does not load a remote @context: write the context into the file"
    return reason
