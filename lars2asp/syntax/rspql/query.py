"""Reads a query of RSP-QL or C-SPARQL, of its basic form: patterns, filters, windows, aggregates."""

import re
from dataclasses import field
from typing import NamedTuple, NoReturn

from lars2asp.syntax.diagnostics import Lars2aspError
from lars2asp.syntax.rdf_terms import RDF_TYPE, is_iri, literal_of, number_of
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

_TOKEN = re.compile(
    r"""(?P<blank>(?:\s+|\#[^\n]*)+)|(?P<iri><[^\x00-\x20<>"{}|^`\\]*>)|(?P<variable>[?$][A-Za-z_]\w*)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)"""
    r"""|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![A-Za-z0-9]))|(?P<duration>[0-9]+(?:ms|[smhd])\b)"""
    r"""|(?P<name>[A-Za-z][\w-]*:[\w-]*|:[\w-]*|_:\w+)|(?P<word>[A-Za-z]\w*)"""
    r"""|(?P<sign>\^\^|&&|\|\||<=|>=|!=|[{}()\[\].;,=<>!*/+-])"""
)
_UNESCAPED_QUOTE = re.compile(r'\\.|["\r]')
_ISO = re.compile(r"P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+(?:\.[0-9]{1,3})?)S)?)?")
_UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
STREAMS = ("RSTREAM", "ISTREAM", "DSTREAM")
AGGREGATES = ("COUNT", "SUM", "MIN", "MAX")


def _with_backslash(found: re.Match[str]) -> str:
    """A quote, or the end of a line, as they stand in double quotes."""
    return {'"': '\\"', "\r": "\\r"}.get(found[0], found[0])


class Window(NamedTuple):
    """`[RANGE r STEP s]`, in milliseconds."""

    size: int
    step: int


class Pattern(NamedTuple):
    """A triple pattern: terms of RDF, names of variables behind `?`; the name of its window, or nothing."""

    subject: str
    relation: str
    other: str
    window: str


class Expression(NamedTuple):
    """An operator and its operands; of a term, `term` and itself."""

    operator: str
    operands: tuple["Expression", ...] = ()
    term: str = ""


@dataclass
class Query:
    """A query.

    Attributes:
        form: `SELECT`, `ASK` or `CONSTRUCT`.
        stream: which of STREAMS.
        windows: the windows, by their names; of C-SPARQL by the IRIs of the streams.
        are_named: whether patterns say in which window they are.
        background: the files of background.
        selected: the variables, or expressions with the variables that they are called; none for all.
        template: the triples of CONSTRUCT.
        patterns, filters, groups, having: the rest.
    """

    form: str = "SELECT"
    stream: str = "RSTREAM"
    windows: dict[str, Window] = field(default_factory=dict)
    are_named: bool = False
    background: list[str] = field(default_factory=list)
    selected: list[tuple[str, Expression | None]] = field(default_factory=list)
    template: list[Pattern] = field(default_factory=list)
    patterns: list[Pattern] = field(default_factory=list)
    filters: list[Expression] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    having: list[Expression] = field(default_factory=list)


def read_query(text: str, name: str = "query") -> Query:
    """The query that a text is. Raises Lars2aspError, with the line, for what is not of the basic form."""
    return _Reader(text, name).query()


class _Token(NamedTuple):
    kind: str
    text: str
    begin: int

    @property
    def word(self) -> str:
        return self.text.upper() if self.kind == "word" else ""


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._prefixes: dict[str, str] = {}
        self._tokens: list[_Token] = []
        self._place = 0
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                self._refuse(f"unexpected {shown(text[at : at + 20])}", at)
            if found.lastgroup != "blank":
                self._tokens.append(_Token(str(found.lastgroup), found[0], at))
            at = found.end()
        self._tokens.append(_Token("end", "the end", len(text)))

    # --- tokens ---------------------------------------------------------------------------------

    def _refuse(self, message: str, at: int | None = None) -> NoReturn:
        begin = self._next.begin if at is None else at
        line = self._text.count("\n", 0, begin) + 1
        raise Lars2aspError(f"{self._name}:{line}: {message}")

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _take(self) -> _Token:
        token = self._next
        self._place += token.kind != "end"
        return token

    def _has(self, *texts: str) -> bool:
        """Takes the next token if it is one of these words or signs."""
        if self._next.word in texts or (self._next.kind == "sign" and self._next.text in texts):
            self._place += 1
            return True
        return False

    def _need(self, text: str) -> None:
        if not self._has(text):
            self._refuse(f"expected {text} and not {shown(self._next.text)}")

    # --- parts ----------------------------------------------------------------------------------

    def query(self) -> Query:
        query = Query()
        while self._has("PREFIX"):
            self._prefix()
        if self._has("REGISTER"):
            while not self._has("AS"):
                if self._take().kind == "end":
                    self._refuse("REGISTER ... AS has no AS")
            while self._has("PREFIX"):
                self._prefix()
        form = self._take()
        if form.word in STREAMS:
            query.stream, form = form.word, self._take()
        if form.word not in ("SELECT", "ASK", "CONSTRUCT"):
            self._refuse(f"expected SELECT, CONSTRUCT or ASK and not {shown(form.text)}", form.begin)
        query.form = form.word
        if query.form == "SELECT":
            self._has("DISTINCT")
            if self._has(*STREAMS):
                query.stream = self._tokens[self._place - 1].word
            self._select(query)
        elif query.form == "CONSTRUCT":
            if self._has(*STREAMS):
                query.stream = self._tokens[self._place - 1].word
            self._need("{")
            while not self._has("}"):
                self._triples(query.template, "")
        while self._has("FROM"):
            self._from(query)
        self._has("WHERE")
        self._need("{")
        self._group(query, "")
        if self._has("GROUP"):
            self._need("BY")
            while self._next.kind == "variable":
                query.groups.append(self._take().text[1:])
        if self._has("HAVING"):
            query.having.append(self._parenthesis())
        if self._next.kind != "end":
            self._refuse(f"{shown(self._next.text)} is not of the basic form that is translated")
        return query

    def _prefix(self) -> None:
        """What stands behind PREFIX: `ex: <http://ex/>`."""
        name, iri = self._take(), self._take()
        if name.kind != "name" or not name.text.endswith(":") or iri.kind != "iri":
            self._refuse("a prefix is written PREFIX ex: <http://example.org/>", name.begin)
        self._prefixes[name.text] = iri.text[1:-1]

    def _select(self, query: Query) -> None:
        if self._has("*"):
            return
        while True:
            if self._next.kind == "variable":
                query.selected.append((self._take().text[1:], None))
            elif self._has("("):
                value = self._expression()
                self._need("AS")
                if self._next.kind != "variable":
                    self._refuse(f"expected a variable and not {shown(self._next.text)}")
                query.selected.append((self._take().text[1:], value))
                self._need(")")
            else:
                return

    def _from(self, query: Query) -> None:
        is_named = self._has("NAMED")
        if self._has("WINDOW"):
            name = self._iri()
            self._need("ON")
            self._take()
            query.windows[name], query.are_named = self._window(), True
        elif self._has("STREAM"):
            name = self._iri()
            query.windows[name] = self._window()
        elif is_named:
            self._refuse("named graphs are not of the basic form that is translated")
        else:
            query.background.append(self._iri()[1:-1])

    def _window(self) -> Window:
        self._need("[")
        self._need("RANGE")
        size = self._duration()
        is_hopping = not self._has("TUMBLING") and self._has("STEP", "SLIDE")
        step = self._duration() if is_hopping else size
        self._need("]")
        return Window(size, step)

    def _duration(self) -> int:
        token = self._take()
        if token.kind == "duration":
            number = token.text.rstrip("mshd")
            return int(number) * _UNITS[token.text[len(number) :]]
        iso = _ISO.fullmatch(token.text.strip("\"'"))
        if self._has("^^"):
            self._take()
        if iso is None or len(token.text) < 3:
            self._refuse(f"{shown(token.text)} is no duration: write 3s or PT3S", token.begin)
        day, hour, minute, second = (float(part or 0) for part in iso.groups())
        return int((((day * 24 + hour) * 60 + minute) * 60 + second) * 1000)

    def _group(self, query: Query, window: str) -> None:
        """What stands up to the bracket that closes."""
        while not self._has("}"):
            if self._has("{"):
                self._group(query, window)
            elif self._has("WINDOW"):
                name = self._iri()
                if name not in query.windows:
                    self._refuse(f"the window {shown(name)} is not declared")
                self._need("{")
                self._group(query, name)
            elif self._has("FILTER"):
                query.filters.append(self._parenthesis())
            elif self._next.kind == "word" and self._next.text != "a":
                self._refuse(f"{self._next.word} is not of the basic form that is translated")
            elif not self._has("."):
                self._triples(query.patterns, window)
            if self._next.word == "UNION":
                self._refuse("UNION is not of the basic form that is translated")

    def _triples(self, patterns: list[Pattern], window: str) -> None:
        """A subject with its properties and objects."""
        subject = self._term()
        while True:
            relation = RDF_TYPE if self._next.text == "a" and self._take() else self._term()
            while True:
                patterns.append(Pattern(subject, relation, self._term(), window))
                if not self._has(","):
                    break
            if not self._has(";"):
                break
            if self._next.text in (".", "}"):
                break
        self._has(".")

    def _iri(self) -> str:
        token = self._take()
        if token.kind == "iri":
            return token.text
        if token.kind != "name":
            self._refuse(f"expected an IRI and not {shown(token.text)}", token.begin)
        prefix, _, local = token.text.partition(":")
        if f"{prefix}:" not in self._prefixes:
            self._refuse(f"the prefix {shown(prefix)}: is not declared", token.begin)
        return f"<{self._prefixes[f'{prefix}:']}{local}>"

    def _term(self) -> str:
        """A term of RDF, or a variable with its `?`; a blank node is a variable as well."""
        token = self._next
        if token.kind == "variable":
            return f"?{self._take().text[1:]}"
        if token.kind == "name" and token.text.startswith("_:"):
            return f"?{self._take().text[2:]}_node"
        if token.kind in ("iri", "name"):
            iri = self._iri()
            if not is_iri(iri):
                self._refuse(f"{shown(iri)} has no scheme: write the whole IRI", token.begin)
            return iri
        if token.kind == "number":
            return number_of(self._take().text) or token.text
        if token.kind == "string":
            text = f'"{_UNESCAPED_QUOTE.sub(_with_backslash, self._take().text[1:-1])}"'
            if self._next.kind == "language":
                text += self._take().text
            elif self._has("^^"):
                text += f"^^{self._iri()}"
            if literal_of(text) is None:
                self._refuse(f"{shown(token.text)} is not a literal: an escape in it is none", token.begin)
            return text
        if token.word not in ("TRUE", "FALSE"):
            self._refuse(f"expected a term and not {shown(token.text)}")
        self._take()
        return f'"{token.text.lower()}"^^<http://www.w3.org/2001/XMLSchema#boolean>'

    # --- expressions ----------------------------------------------------------------------------

    def _parenthesis(self) -> Expression:
        self._need("(")
        value = self._expression()
        self._need(")")
        return value

    def _expression(self, level: int = 0) -> Expression:
        """An expression of operators that bind at least so strongly."""
        if level == len(_LEVELS):
            return self._operand()
        left = self._expression(level + 1)
        while self._next.kind == "sign" and self._next.text in _LEVELS[level]:
            operator = self._take().text
            left = Expression(operator, (left, self._expression(level + 1)))
        return left

    def _operand(self) -> Expression:
        if self._has("("):
            value = self._expression()
            self._need(")")
            return value
        if self._has("!"):
            return Expression("!", (self._operand(),))
        if self._has("-"):
            return Expression("-", (Expression("term", term="0"), self._operand()))
        if self._next.word in AGGREGATES:
            name = self._take().word
            self._need("(")
            name += " DISTINCT" if self._has("DISTINCT") else ""
            term = "*" if self._has("*") else self._term()
            self._need(")")
            return Expression(name, (Expression("term", term=term),))
        if self._next.kind == "word" and self._next.word not in ("TRUE", "FALSE"):
            self._refuse(f"{self._next.word} is not of the basic form that is translated")
        return Expression("term", term=self._term())


_LEVELS = (("||",), ("&&",), ("=", "!=", "<", ">", "<=", ">="), ("+", "-"), ("*", "/"))
