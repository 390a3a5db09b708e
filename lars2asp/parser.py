"""Reads program text: statements, then for each the grammar, then the abstract syntax."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer_NonRecursive, UnexpectedCharacters, UnexpectedInput, v_args
from lark.exceptions import UnexpectedToken
from lark.tree import Meta

from lars2asp import syntax
from lars2asp.diagnostics import Diagnostics, Lars2aspError
from lars2asp.source import Location, Source
from lars2asp.statements import StatementText, cut_statements

CONVERSIONS = ("text", "int", "constant")
"""What `#input` can make of a column: `text(c)` a string, `int(c)` an integer, `constant(c)` a constant."""


def read_sources(paths: Iterable[str | Path]) -> tuple[Source, ...]:
    """The program files as sources.

    Raises Lars2aspError naming the file where one cannot be read or is not UTF-8.
    """
    sources = []
    for path in paths:
        try:
            sources.append(Source(str(path), Path(path).read_text(encoding="utf-8-sig")))
        except OSError as error:
            raise Lars2aspError(f"{path}: cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise Lars2aspError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    return tuple(sources)


def parse(*sources: Source, diagnostics: Diagnostics | None = None) -> syntax.Program:
    """The program that the sources say together.

    Syntax errors go to `diagnostics` when it is given, and the statements that are right are returned; else
    ProgramError is raised with all of them.
    """
    collected = Diagnostics() if diagnostics is None else diagnostics
    statements: list[syntax.Statement] = []
    for source in sources:
        for text in cut_statements(source, collected):
            statement = _plain_fact(source, text) or _parse_statement(source, text, collected)
            if statement is not None:
                statements.append(statement)
    if diagnostics is None:
        collected.raise_errors()
    return syntax.Program(tuple(statements), sources)


def parse_text(text: str, name: str = "<text>") -> syntax.Program:
    """The program in a text. Raises ProgramError."""
    return parse(Source(name, text))


def parse_input_declaration(text: str, name: str = "--map") -> syntax.Input:
    """An input declaration without `#input` and the dot: `reading(room, temp*10) at time`.

    Raises ProgramError.
    """
    keyword = "#input "
    stripped = text.strip().removeprefix(keyword).removesuffix(".")
    program = parse(Source(name, f"{keyword}{stripped}."))
    [statement] = program.statements
    if not isinstance(statement, syntax.Input):
        raise Lars2aspError(f"{name}: expected one declaration such as reading(room, temp*10) at time")
    return statement


@cache
def _grammar() -> Lark:
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=True,
    )


def _parse_statement(
    source: Source, statement: StatementText, diagnostics: Diagnostics
) -> syntax.Statement | None:
    def located(begin: int, end: int) -> Location:
        return Location(source, statement.begin + begin, statement.begin + end)

    try:
        tree = _grammar().parse(statement.text)
    except UnexpectedInput as error:
        _report(error, statement.text, located, diagnostics)
        return None
    built: syntax.Statement = _Builder(located, diagnostics).transform(tree)
    too_deep = syntax.first_deeper_than(built, syntax.MOST_NESTED)
    if too_deep is not None:
        diagnostics.error(
            built.location,
            f"this is nested more than {syntax.MOST_NESTED} levels deep",
            "name parts of it, with rules or constants of their own",
        )
        return None
    return built


# --- syntax errors --------------------------------------------------------------------------------

_WORDS = {
    "_DOT": "'.'",
    "_IF": "':-'",
    "COMMA": "','",
    "SEMICOLON": "';'",
    "COLON": "':'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "VBAR": "'|'",
    "SLASH": "'/'",
    "EQUAL": "'='",
    "_IN": "'in'",
    "_AT": "'at'",
    "NUMBER": "a number",
    "IDENTIFIER": "a name",
    "AGGREGATE": "an aggregate",
    "UNIT": "a time unit (msec, sec, min, hour, day)",
}
_DIRECTIVE = re.compile(r"#[A-Za-z_+]+")
_DIRECTIVES = ("#const", "#show", "#defined", "#tick", "#semantics", "#input")
_NOT_YET = {
    "{": "choices are",
    ";": "disjunctions and pools are",
    "least": "counting over windows is",
    "most": "counting over windows is",
    "count": "counting over windows is",
    "#": "tuple windows are",
    "step": "hopping windows are",
}
_TERM_TOKENS = {"NUMBER", "IDENTIFIER", "VARIABLE", "STRING", "LPAR"}
_OPERATORS = {
    *("DOTS", "POWER", "STAR", "SLASH", "BACKSLASH", "PLUS", "MINUS", "CARET", "QUESTION", "AMPERSAND"),
    *("LESS_EQUAL", "GREATER_EQUAL", "LESS", "GREATER", "UNEQUAL", "EQUAL", "AGGREGATE"),
}


def _report(
    error: UnexpectedInput, text: str, located: Callable[[int, int], Location], diagnostics: Diagnostics
) -> None:
    expected: set[str] = set()
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        begin, shown, expected = error.token.start_pos or 0, str(error.token), set(error.accepts or ())
    elif isinstance(error, UnexpectedCharacters):
        begin, shown = error.pos_in_stream or 0, text[error.pos_in_stream or 0]
    else:
        diagnostics.error(
            located(max(0, len(text) - 1), len(text)),
            "the text ends within a statement",
            "a statement ends with '.'",
        )
        return
    message, hint = f"unexpected {shown}", ""
    is_first_of_its_line = text[:begin].rpartition("\n")[2].strip() == ""
    if is_first_of_its_line and "_DOT" in expected:
        hint = "is a '.' missing at the end of the line before?"
    elif shown == '"':
        message, hint = "this string is never closed", 'close it with " on the same line'
    elif _DIRECTIVE.match(text, begin):
        shown = (_DIRECTIVE.match(text, begin) or [shown])[0]
        message, hint = f"unexpected {shown}", f"directives so far are {', '.join(_DIRECTIVES)}"
    elif shown in _NOT_YET:
        hint = f"{_NOT_YET[shown]} not supported yet"
    elif wanted := _describe(expected):
        message += f", expected {wanted}"
    diagnostics.error(located(begin, begin + len(shown)), message, hint)


def _describe(expected: set[str]) -> str:
    if expected >= _TERM_TOKENS:
        return "a term" if "NOT" not in expected else "an atom or a literal"
    words = [_WORDS[token] for token in _WORDS if token in expected - _OPERATORS]
    return ", ".join(words[:-1]) + " or " + words[-1] if len(words) > 1 else "".join(words)


# --- from trees to the abstract syntax ------------------------------------------------------------

_ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


def _unquote(token: str) -> str:
    body, result, at = token[1:-1], [], 0
    while at < len(body):
        step = 2 if body[at] == "\\" else 1
        piece = body[at : at + step]
        result.append(_ESCAPES.get(piece, piece))
        at += step
    return "".join(result)


@v_args(meta=True)
class _Builder(Transformer_NonRecursive[Token, Any]):
    """Makes nodes of one statement's tree; what the grammar is too wide for is reported."""

    def __init__(self, located: Callable[[int, int], Location], diagnostics: Diagnostics) -> None:
        super().__init__()
        self._located = located
        self._diagnostics = diagnostics

    def _at(self, meta: Meta) -> Location:
        return self._located(meta.start_pos, meta.end_pos)

    def _integer(self, token: Token) -> int:
        value = int(token, 0)
        if value > syntax.LARGEST_INTEGER:
            self._diagnostics.error(
                self._located(token.start_pos or 0, token.end_pos or 0),
                f"the number {token} is too large",
                f"integers go up to {syntax.LARGEST_INTEGER} (32 bits)",
            )
        return value

    # terms

    def number(self, meta: Meta, children: list[Token]) -> syntax.Number:
        return syntax.Number(self._integer(children[0]), location=self._at(meta))

    def string(self, meta: Meta, children: list[Token]) -> syntax.String:
        return syntax.String(_unquote(children[0]), location=self._at(meta))

    def extremum(self, meta: Meta, children: list[Token]) -> syntax.Extremum:
        return syntax.Extremum(str(children[0])[:4], location=self._at(meta))

    def variable(self, meta: Meta, children: list[Token]) -> syntax.Variable:
        return syntax.Variable(str(children[0]), location=self._at(meta))

    def constant(self, meta: Meta, children: list[Token]) -> syntax.Function:
        return syntax.Function(str(children[0]), location=self._at(meta))

    def function(self, meta: Meta, children: list[Any]) -> syntax.Function:
        return syntax.Function(str(children[0]), children[1] or (), location=self._at(meta))

    def external(self, meta: Meta, children: list[Any]) -> syntax.Function:
        arguments = children[1] if len(children) > 1 and children[1] else ()
        return syntax.Function(str(children[0]), arguments, True, location=self._at(meta))

    def absolute(self, meta: Meta, children: list[Any]) -> syntax.Absolute:
        return syntax.Absolute(children[0], location=self._at(meta))

    def empty_tuple(self, meta: Meta, children: list[Any]) -> syntax.Tuple:
        return syntax.Tuple((), location=self._at(meta))

    def parentheses(self, meta: Meta, children: list[Any]) -> syntax.Term:
        term: syntax.Term = children[0]
        return term

    def tuple_term(self, meta: Meta, children: list[Any]) -> syntax.Tuple:
        return syntax.Tuple(children[0], location=self._at(meta))

    def unary(self, meta: Meta, children: list[Any]) -> syntax.UnaryOperation:
        return syntax.UnaryOperation(str(children[0]), children[1], location=self._at(meta))

    def binary(self, meta: Meta, children: list[Any]) -> syntax.BinaryOperation:
        left, operator, right = children
        return syntax.BinaryOperation(str(operator), left, right, location=self._at(meta))

    def terms(self, meta: Meta, children: list[Any]) -> tuple[syntax.Term, ...]:
        return tuple(children)

    terms_comma = terms

    # windows

    def duration(self, meta: Meta, children: list[Any]) -> syntax.Duration:
        return syntax.Duration(children[0], str(children[1] or ""), location=self._at(meta))

    def sliding_window(self, meta: Meta, children: list[Any]) -> syntax.SlidingWindow:
        return syntax.SlidingWindow(children[0], location=self._at(meta))

    def offset_window(self, meta: Meta, children: list[Any]) -> syntax.OffsetWindow:
        return syntax.OffsetWindow(children[0], location=self._at(meta))

    # atoms and literals

    def _atom(self, term: syntax.Term) -> syntax.Atom:
        """The atom that a term in an atom's place stands for; reports a term that is none."""
        inner, is_positive = term, True
        if isinstance(term, syntax.UnaryOperation) and term.operator == "-":
            inner, is_positive = term.argument, False
        if isinstance(inner, syntax.Function) and not inner.is_external:
            return syntax.Atom(inner.name, inner.arguments, is_positive, location=term.location)
        self._diagnostics.error(
            term.location, "an atom is expected here, not a term", "an atom is a name or name(term,...,term)"
        )
        return syntax.Atom("error", location=term.location)

    def boolean(self, meta: Meta, children: list[Token]) -> syntax.Boolean:
        return syntax.Boolean(children[0] == "#true", location=self._at(meta))

    def relation(self, meta: Meta, children: list[Token]) -> str:
        return "=" if children[0] == "==" else str(children[0])

    def guard(self, meta: Meta, children: list[Any]) -> syntax.Guard:
        return syntax.Guard(children[0], children[1], location=self._at(meta))

    def comparison(self, meta: Meta, children: list[Any]) -> syntax.Comparison:
        return syntax.Comparison(children[0], tuple(children[1:]), location=self._at(meta))

    def plain_atom(self, meta: Meta, children: list[Any]) -> syntax.Atom:
        return self._atom(children[0])

    head_atom = plain_atom

    def diamond(self, meta: Meta, children: list[Any]) -> syntax.Diamond:
        return syntax.Diamond(self._atom(children[0]), children[1], location=self._at(meta))

    def box(self, meta: Meta, children: list[Any]) -> syntax.Box:
        return syntax.Box(self._atom(children[0]), children[1], location=self._at(meta))

    def at_tick(self, meta: Meta, children: list[Any]) -> syntax.AtTick:
        window = children[2] if len(children) > 2 else None
        return syntax.AtTick(self._atom(children[0]), children[1], window, location=self._at(meta))

    head_at = at_tick

    def right_guard(self, meta: Meta, children: list[Any]) -> syntax.Guard:
        relation, term = children if len(children) == 2 else ("<=", children[0])
        return syntax.Guard(relation, term, location=self._at(meta))

    def conditions(self, meta: Meta, children: list[Any]) -> Any:
        return tuple(children)

    elements = conditions

    def element(self, meta: Meta, children: list[Any]) -> syntax.AggregateElement:
        condition = children[1] if len(children) > 1 and children[1] else ()
        return syntax.AggregateElement(children[0], condition, location=self._at(meta))

    def empty_element(self, meta: Meta, children: list[Any]) -> syntax.AggregateElement:
        return syntax.AggregateElement((), children[0] or (), location=self._at(meta))

    def aggregate(self, meta: Meta, children: list[Any]) -> syntax.Aggregate:
        function, elements, right = children
        return syntax.Aggregate(str(function), elements or (), None, right, location=self._at(meta))

    def guarded_aggregate(self, meta: Meta, children: list[Any]) -> syntax.Aggregate:
        term, relation, function, elements, right = children
        left = syntax.Guard(relation, term, location=term.location)
        return syntax.Aggregate(str(function), elements or (), left, right, location=self._at(meta))

    def bounded_aggregate(self, meta: Meta, children: list[Any]) -> syntax.Aggregate:
        return self.guarded_aggregate(meta, [children[0], "<=", *children[1:]])

    def literal(self, meta: Meta, children: list[Any]) -> syntax.Literal:
        return syntax.Literal(children[-1], syntax.Sign(len(children) - 1), location=self._at(meta))

    # statements

    def head(self, meta: Meta, children: list[Any]) -> syntax.Head:
        head: syntax.Head = children[0]
        return head

    body = conditions

    def fact(self, meta: Meta, children: list[Any]) -> syntax.Rule:
        return syntax.Rule(children[0], location=self._at(meta))

    def rule(self, meta: Meta, children: list[Any]) -> syntax.Rule:
        return syntax.Rule(children[0], children[1] or (), location=self._at(meta))

    def constraint(self, meta: Meta, children: list[Any]) -> syntax.Rule:
        return syntax.Rule(None, children[0] or (), location=self._at(meta))

    def const(self, meta: Meta, children: list[Any]) -> syntax.Constant:
        return syntax.Constant(str(children[0]), children[2], location=self._at(meta))

    def signature(self, meta: Meta, children: list[Any]) -> syntax.Signature:
        minus, name, _, arity = children
        return syntax.Signature(str(name), self._integer(arity), minus is None)

    def show_nothing(self, meta: Meta, children: list[Any]) -> syntax.Show:
        return syntax.Show(location=self._at(meta))

    def show(self, meta: Meta, children: list[Any]) -> syntax.Show:
        return syntax.Show(children[0], location=self._at(meta))

    def defined(self, meta: Meta, children: list[Any]) -> syntax.Defined:
        return syntax.Defined(children[0], location=self._at(meta))

    def tick(self, meta: Meta, children: list[Any]) -> syntax.Tick:
        return syntax.Tick(children[0], location=self._at(meta))

    def column_name(self, meta: Meta, children: list[Token]) -> str:
        token = children[0]
        return _unquote(token) if token.type == "STRING" else str(token)

    def column(self, meta: Meta, children: list[Any]) -> syntax.Column:
        return syntax.Column(children[0], location=self._at(meta))

    def scaled_column(self, meta: Meta, children: list[Any]) -> syntax.Column:
        return syntax.Column(children[0], scale=self._integer(children[2]), location=self._at(meta))

    def converted_column(self, meta: Meta, children: list[Any]) -> syntax.Column:
        conversion, name = children
        if conversion not in CONVERSIONS:
            self._diagnostics.error(
                self._located(conversion.start_pos or 0, conversion.end_pos or 0),
                f"{conversion} is no conversion of a column",
                f"conversions are {', '.join(CONVERSIONS)}",
            )
        return syntax.Column(name, conversion=str(conversion), location=self._at(meta))

    columns = conditions

    def input(self, meta: Meta, children: list[Any]) -> syntax.Input:
        name, columns, time = children
        return syntax.Input(str(name), columns, time or "time", location=self._at(meta))

    def semantics(self, meta: Meta, children: list[Token]) -> syntax.SemanticsChoice:
        token = children[0]
        known = [choice.value for choice in syntax.Semantics]
        if str(token) not in known:
            self._diagnostics.error(
                self._located(token.start_pos or 0, token.end_pos or 0),
                f"{token} is no semantics",
                f"write #semantics {' or '.join(known)}.",
            )
            token = Token("IDENTIFIER", known[0])
        return syntax.SemanticsChoice(syntax.Semantics(str(token)), location=self._at(meta))

    def start(self, meta: Meta, children: list[Any]) -> syntax.Statement:
        statement: syntax.Statement = children[0]
        return statement


# --- plain facts ----------------------------------------------------------------------------------

_ARGUMENT = r"""\s*(?:[0-9]{1,9}|[a-z][A-Za-z0-9_]*|"[^"\\\n]*")\s*"""
_PLAIN_FACT = re.compile(rf"([a-z][A-Za-z0-9_]*)\(({_ARGUMENT}(?:,{_ARGUMENT})*)\)\s*\.")
_PLAIN_ARGUMENT = re.compile(r'[0-9]+|[a-z][A-Za-z0-9_]*|"[^"]*"')


def _plain_fact(source: Source, statement: StatementText) -> syntax.Rule | None:
    """The fact that a statement is if its arguments are plain constants, else None.

    Background data comes in many thousands of such facts; a regular expression reads them thirty times
    faster than the grammar, to the same nodes (a test holds the two together).
    """
    match = _PLAIN_FACT.fullmatch(statement.text)
    if match is None or match[1] == "not":
        return None
    arguments: list[syntax.Term] = []
    begin = statement.begin
    for found in _PLAIN_ARGUMENT.finditer(statement.text, *match.span(2)):
        text = found.group()
        location = Location(source, begin + found.start(), begin + found.end())
        if text[0] == '"':
            arguments.append(syntax.String(text[1:-1], location=location))
        elif text[0].isdigit():
            if text[0] == "0" and text != "0":
                return None
            arguments.append(syntax.Number(int(text), location=location))
        elif text == "not":
            return None
        else:
            arguments.append(syntax.Function(text, location=location))
    atom_end = begin + match.end(2) + 1
    atom = syntax.Atom(match[1], tuple(arguments), location=Location(source, begin, atom_end))
    return syntax.Rule(atom, location=Location(source, begin, begin + len(statement.text)))
