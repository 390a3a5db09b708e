"""Makes the abstract syntax of a statement from its parse tree."""

from collections.abc import Callable
from typing import Any

from lark import Token, Transformer_NonRecursive, v_args
from lark.tree import Meta

from lars2asp import syntax
from lars2asp.diagnostics import Diagnostics
from lars2asp.source import Location

LONGEST_NUMBER = 40
"""In characters: 32 bits in any notation."""

CONVERSIONS = ("text", "int", "constant")
"""What `#input` can make of a column: `text(c)` a string, `int(c)` an integer, `constant(c)` a constant."""

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
class SyntaxBuilder(Transformer_NonRecursive[Token, Any]):
    """Makes nodes of one statement's tree; what the grammar is too wide for is reported."""

    def __init__(self, located: Callable[[int, int], Location], diagnostics: Diagnostics) -> None:
        super().__init__()
        self._located = located
        self._diagnostics = diagnostics

    def _at(self, meta: Meta) -> Location:
        return self._located(meta.start_pos, meta.end_pos)

    def _integer(self, token: Token) -> int:
        value = int(token, 0) if len(token) <= LONGEST_NUMBER else syntax.LARGEST_INTEGER + 1
        if value > syntax.LARGEST_INTEGER:
            self._diagnostics.error(
                self._located(token.start_pos or 0, token.end_pos or 0),
                f"the number {token[:20]} is too large",
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
