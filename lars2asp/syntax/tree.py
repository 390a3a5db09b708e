"""Makes the abstract syntax of a statement from its parse tree."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lars2asp.syntax import nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Pool
from lars2asp.syntax.parse_tables import Span, Token
from lars2asp.syntax.source import Location

LONGEST_NUMBER = 40
"""The number of characters of a number that are read at most: enough for 32 bits in any notation."""

MOST_ARGUMENTS = 10_000
"""The largest arity of a signature: as many variables are written for it."""

CONVERSIONS = ("text", "int", "constant")
"""The conversions of an `#input` column: `text(c)` to a string, `int(c)` to an integer, `constant(c)`."""

_ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


def _unquote(token: str) -> str:
    body, result, at = token[1:-1], [], 0
    while at < len(body):
        step = 2 if body[at] == "\\" else 1
        piece = body[at : at + step]
        result.append(_ESCAPES.get(piece, piece))
        at += step
    return "".join(result)


class Include(NamedTuple):
    """`#include "path".`: the statements of another file stand here."""

    path: str
    location: Location


class ProgramPart(NamedTuple):
    """`#program name.`: what follows belongs to a part of that name."""

    name: str
    location: Location


# The same text is an atom in a body and an offset in braces, or an aggregate in a body and another one in a
# head. Until the builder reaches the node above, which decides, these stand for it:


@dataclass(frozen=True)
class _Plain:
    """A term in an atom's place."""

    term: Any


@dataclass(frozen=True)
class _Element:
    """An element of an aggregate; with two colons, `literals` stand between them."""

    terms: Any
    literals: Any
    condition: Any
    location: Location


@dataclass(frozen=True)
class _Aggregate:
    function: str
    elements: Any
    left: nodes.Guard | None
    right: nodes.Guard | None
    location: Location


@dataclass(frozen=True)
class _Raw:
    """A literal in braces."""

    sign: nodes.Sign
    atom: Any
    span: Span


@dataclass(frozen=True)
class _Brace:
    """An element in braces; `condition` is None where there is no colon."""

    literals: Any
    condition: Any
    location: Location


@dataclass(frozen=True)
class _Braces:
    elements: Any
    location: Location


@dataclass(frozen=True)
class _Set:
    braces: _Braces
    left: nodes.Guard | None
    right: nodes.Guard | None
    location: Location


def _is_like_an_atom(term: Any) -> bool:
    """Whether a term in an atom's place is one."""
    if isinstance(term, nodes.UnaryOperation) and term.operator == "-":
        term = term.argument
    return isinstance(term, Pool) or (isinstance(term, nodes.Function) and not term.is_external)


def _of_children(
    kind: Callable[..., nodes.Node], *, has_atom: bool = False
) -> Callable[["SyntaxBuilder", Span, list[Any]], nodes.Node]:
    """The method that makes a node of its children; of the first, which is a term, the atom if it has one."""

    def made(self: "SyntaxBuilder", span: Span, children: list[Any]) -> nodes.Node:
        fields = [self._atom(children[0]), *children[1:]] if has_atom else children
        return kind(*fields, location=self._at(span))

    return made


class SyntaxBuilder:
    """Makes nodes of one statement; what the grammar is too wide for is reported.

    It has a method for each rule of the grammar, which takes the place of the part and its children: tokens,
    what such methods have made, and None for what is left out.
    """

    def __init__(self, located: Callable[[int, int], Location], diagnostics: Diagnostics) -> None:
        self._located = located
        self._diagnostics = diagnostics

    def _at(self, place: Span) -> Location:
        return self._located(*place)

    def _place(self, token: Token) -> Location:
        return self._located(token.begin, token.end)

    def _integer(self, token: Token) -> int:
        value = int(token, 0) if len(token) <= LONGEST_NUMBER else nodes.LARGEST_INTEGER + 1
        if value > nodes.LARGEST_INTEGER:
            self._diagnostics.error(
                self._place(token),
                f"the number {token[:20]} is too large",
                f"integers go up to {nodes.LARGEST_INTEGER} (32 bits)",
            )
        return value

    # terms

    def number(self, span: Span, children: list[Token]) -> nodes.Number:
        return nodes.Number(self._integer(children[0]), location=self._at(span))

    def string(self, span: Span, children: list[Token]) -> nodes.String:
        return nodes.String(_unquote(children[0]), location=self._at(span))

    def extremum(self, span: Span, children: list[Token]) -> nodes.Extremum:
        return nodes.Extremum(str(children[0])[:4], location=self._at(span))

    def variable(self, span: Span, children: list[Token]) -> nodes.Variable:
        return nodes.Variable(str(children[0]), location=self._at(span))

    def _pool(self, span: Span, alternatives: list[Any]) -> Any:
        """The one alternative, or the pool of several."""
        return (
            alternatives[0] if len(alternatives) == 1 else Pool(tuple(alternatives), location=self._at(span))
        )

    def arguments(self, span: Span, children: list[Any]) -> list[tuple[nodes.Term, ...]]:
        return [terms or () for terms in children]

    def function(self, span: Span, children: list[Any], is_external: bool = False) -> Any:
        alternatives = children[1] if len(children) > 1 else [()]
        name, location = str(children[0]), self._at(span)
        found = [
            nodes.Function(name, arguments, is_external, location=location) for arguments in alternatives
        ]
        return self._pool(span, found)

    constant = function

    def external(self, span: Span, children: list[Any]) -> Any:
        return self.function(span, children, True)

    def absolute(self, span: Span, children: list[Any]) -> Any:
        return self._pool(span, [nodes.Absolute(term, location=self._at(span)) for term in children])

    def members(self, span: Span, children: list[Any]) -> Any:
        return nodes.Tuple(()) if children[0] is None else children[0]

    def several_members(self, span: Span, children: list[Any]) -> nodes.Tuple:
        return nodes.Tuple(tuple(child for child in children if not isinstance(child, Token | None)))

    def tuple_term(self, span: Span, children: list[Any]) -> Any:
        location = self._at(span)
        return self._pool(span, [dataclasses.replace(member, location=location) for member in children])

    def unary(self, span: Span, children: list[Any]) -> nodes.UnaryOperation:
        return nodes.UnaryOperation(str(children[0]), children[1], location=self._at(span))

    def operator(self, span: Span, children: list[Token]) -> str:
        return str(children[0])

    def operation(self, span: Span, children: list[Any]) -> Any:
        """The tree of `t1 o1 t2 o2 t3 ...`, stronger operators below weaker ones."""
        operands, operators = [children[0]], list[str]()

        def join() -> None:
            right, left = operands.pop(), operands.pop()
            location = Location(left.location.source, left.location.begin, right.location.end)
            operands.append(nodes.BinaryOperation(operators.pop(), left, right, location=location))

        for operator, operand in zip(children[1::2], children[2::2], strict=True):
            level = nodes.OPERATOR_LEVELS[operator]
            is_right_associative = operator == "**"
            while operators and nodes.OPERATOR_LEVELS[operators[-1]] >= level + is_right_associative:
                join()
            operators.append(operator)
            operands.append(operand)
        while operators:
            join()
        return operands[0]

    def terms(self, span: Span, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    conditions = literals = elements = columns = raw_literals = pair = parameters = terms

    # windows

    def duration(self, span: Span, children: list[Any]) -> nodes.Duration:
        return nodes.Duration(children[0], str(children[1] or ""), location=self._at(span))

    sliding_window = _of_children(nodes.SlidingWindow)
    hopping_window = _of_children(nodes.HoppingWindow)
    tumbling_window = _of_children(nodes.TumblingWindow)
    offset_window = _of_children(nodes.OffsetWindow)
    tuple_window = predicate_window = _of_children(nodes.TupleWindow)

    def group(self, span: Span, children: list[Token]) -> tuple[nodes.Variable, ...]:
        return tuple(nodes.Variable(str(token), location=self._place(token)) for token in children)

    def group_window(self, span: Span, children: list[Any]) -> nodes.TupleWindow:
        return nodes.TupleWindow(children[0], None, children[1], location=self._at(span))

    # atoms and literals

    def _atom(self, term: Any) -> Any:
        """The atom that a term in an atom's place stands for; reports a term that is none."""
        if isinstance(term, Pool):
            return Pool(tuple(map(self._atom, term.alternatives)), location=term.location)
        inner, is_positive = term, True
        if isinstance(term, nodes.UnaryOperation) and term.operator == "-":
            inner, is_positive = term.argument, False
        if isinstance(inner, Pool):
            parts: Any = inner.alternatives
            negated = [nodes.UnaryOperation("-", part, location=term.location) for part in parts]
            return Pool(tuple(map(self._atom, negated)), location=term.location)
        if isinstance(inner, nodes.Function) and not inner.is_external:
            return nodes.Atom(inner.name, inner.arguments, is_positive, location=term.location)
        self._diagnostics.error(
            term.location, "an atom is expected here, not a term", "an atom is a name or name(term,...,term)"
        )
        return nodes.Atom("error", location=term.location)

    def plain_atom(self, span: Span, children: list[Any]) -> _Plain:
        return _Plain(children[0])

    def boolean(self, span: Span, children: list[Token]) -> nodes.Boolean:
        return nodes.Boolean(children[0] == "#true", location=self._at(span))

    def relation(self, span: Span, children: list[Token]) -> str:
        sign = str(children[0])
        return {"==": "=", "<>": "!="}.get(sign, sign)

    guard = _of_children(nodes.Guard)

    def comparison(self, span: Span, children: list[Any]) -> nodes.Comparison:
        return nodes.Comparison(children[0], tuple(children[1:]), location=self._at(span))

    diamond = _of_children(nodes.Diamond, has_atom=True)
    box = _of_children(nodes.Box, has_atom=True)
    at_tick = _of_children(nodes.AtTick, has_atom=True)
    at_least = _of_children(nodes.AtLeast, has_atom=True)
    at_most = _of_children(nodes.AtMost, has_atom=True)
    count = _of_children(nodes.Count, has_atom=True)

    def nots(self, span: Span, children: list[Any]) -> nodes.Sign:
        return nodes.Sign.NOT if children[1] is None else nodes.Sign.NOT_NOT

    def literal(self, span: Span, children: list[Any]) -> nodes.Literal:
        sign, atom = children
        if isinstance(atom, _Plain):
            atom = self._atom(atom.term)
        elif isinstance(atom, _Set):
            atom = self._body_set(atom)
        elif isinstance(atom, _Aggregate):
            atom = self._body_aggregate(atom)
        return nodes.Literal(atom, sign or nodes.Sign.POSITIVE, location=self._at(span))

    head_literal = literal

    def conditional(self, span: Span, children: list[Any]) -> nodes.ConditionalLiteral:
        literal, condition = children
        return nodes.ConditionalLiteral(literal, condition or (), location=self._at(span))

    alternative = conditional

    def separated(self, span: Span, children: list[Any]) -> Any:
        return (*(children[0] or ()), *children[1:])

    body = separated

    # aggregates

    def right_guard(self, span: Span, children: list[Any]) -> nodes.Guard:
        relation, term = children if len(children) == 2 else ("<=", children[0])
        return nodes.Guard(relation, term, location=self._at(span))

    def _left_guard(self, term: Any, relation: str) -> nodes.Guard:
        return nodes.Guard(relation, term, location=term.location)

    def element(self, span: Span, children: list[Any]) -> _Element:
        condition = children[1] if len(children) > 1 and children[1] else ()
        return _Element(children[0] or (), None, condition, self._at(span))

    def head_element(self, span: Span, children: list[Any]) -> _Element:
        terms, literals, condition = children
        return _Element(terms or (), literals, condition or (), self._at(span))

    def aggregate(self, span: Span, children: list[Any]) -> _Aggregate:
        function, elements, right = children
        return _Aggregate(str(function), elements or (), None, right, self._at(span))

    def guarded_aggregate(self, span: Span, children: list[Any]) -> _Aggregate:
        term, relation, function, elements, right = children
        left = self._left_guard(term, relation)
        return _Aggregate(str(function), elements or (), left, right, self._at(span))

    def bounded_aggregate(self, span: Span, children: list[Any]) -> _Aggregate:
        return self.guarded_aggregate(span, [children[0], "<=", *children[1:]])

    def _body_aggregate(self, aggregate: _Aggregate) -> nodes.Aggregate:
        for element in aggregate.elements:
            if element.literals is not None:
                self._diagnostics.error(
                    element.location,
                    "an aggregate in a body has one condition",
                    "write terms : condition, with commas between the literals of the condition",
                )
        elements = tuple(
            nodes.AggregateElement(element.terms, element.condition, location=element.location)
            for element in aggregate.elements
        )
        return nodes.Aggregate(
            aggregate.function, elements, aggregate.left, aggregate.right, location=aggregate.location
        )

    def head_aggregate(self, span: Span, children: list[Any]) -> nodes.HeadAggregate:
        aggregate: _Aggregate = children[0]
        elements = []
        for element in aggregate.elements:
            literals, condition = element.literals, element.condition
            if literals is None:
                literals, condition = condition, ()
            if len(literals) != 1:
                self._diagnostics.error(
                    element.location,
                    "an element of an aggregate in a head has one atom",
                    "write terms : atom : condition",
                )
            if literals:
                elements.append(
                    nodes.HeadAggregateElement(
                        element.terms, literals[0], condition, location=element.location
                    )
                )
        return nodes.HeadAggregate(
            aggregate.function,
            tuple(elements),
            aggregate.left,
            aggregate.right,
            location=aggregate.location,
        )

    # braces: sets, choices, offsets

    def raw_literal(self, span: Span, children: list[Any]) -> _Raw:
        sign, atom = children
        return _Raw(sign or nodes.Sign.POSITIVE, atom, span)

    def brace(self, span: Span, children: list[Any]) -> _Brace:
        return _Brace(children[0], None, self._at(span))

    def conditional_brace(self, span: Span, children: list[Any]) -> _Brace:
        return _Brace(children[0], children[1] or (), self._at(span))

    def braces(self, span: Span, children: list[Any]) -> _Braces:
        return _Braces([child for child in children if child is not None], self._at(span))

    def set(self, span: Span, children: list[Any]) -> _Set:
        braces, right = children
        return _Set(braces, None, right, self._at(span))

    def guarded_set(self, span: Span, children: list[Any]) -> _Set:
        term, relation, braces, right = children
        return _Set(braces, self._left_guard(term, relation), right, self._at(span))

    def bounded_set(self, span: Span, children: list[Any]) -> Any:
        term, braces, right = children
        offsets = self._offsets(braces) if right is None else None
        if offsets is not None:
            window = nodes.OffsetWindow(offsets, location=braces.location)
            return nodes.Diamond(self._atom(term), window, location=self._at(span))
        return self.guarded_set(span, [term, "<=", braces, right])

    def _offsets(self, braces: _Braces) -> tuple[nodes.Term, ...] | None:
        """The terms of `{1,2}` or `{n,m}`; None for braces with literals, which a single name may be."""
        if len(braces.elements) != 1 or braces.elements[0].condition is not None:
            return None
        terms = []
        for raw in braces.elements[0].literals:
            if raw.sign is not nodes.Sign.POSITIVE or not isinstance(raw.atom, _Plain):
                return None
            terms.append(raw.atom.term)
        if len(terms) == 1 and _is_like_an_atom(terms[0]):
            return None
        return tuple(terms)

    def _elements(self, braces: _Braces) -> tuple[nodes.ConditionalLiteral, ...]:
        elements = []
        for brace in braces.elements:
            literals = [self.literal(raw.span, [raw.sign, raw.atom]) for raw in brace.literals]
            if len(literals) > 1:
                self._diagnostics.error(
                    literals[1].location,
                    "unexpected ',' between the elements of a set",
                    "elements are separated by ';', conditions follow a ':'",
                )
            elements.append(
                nodes.ConditionalLiteral(literals[0], brace.condition or (), location=brace.location)
            )
        return tuple(elements)

    def _body_set(self, found: _Set) -> nodes.SetAggregate:
        elements = self._elements(found.braces)
        return nodes.SetAggregate(elements, found.left, found.right, location=found.location)

    # heads

    def head_choice(self, span: Span, children: list[Any]) -> nodes.SetAggregate:
        found = children[0]
        if isinstance(found, nodes.Diamond):  # p {1,2}
            self._diagnostics.error(
                found.location, "a window cannot stand in a head", "place atoms at a tick with: atom at term"
            )
            return nodes.SetAggregate((), location=found.location)
        return self._body_set(found)

    def plain_alternatives(self, span: Span, children: list[Any]) -> Any:
        before, literal = children
        return (*(before or ()), nodes.ConditionalLiteral(literal, location=literal.location))

    def conditional_alternatives(self, span: Span, children: list[Any]) -> Any:
        before, literal, condition = children
        return (*(before or ()), nodes.ConditionalLiteral(literal, condition or (), location=self._at(span)))

    def disjunction(self, span: Span, children: list[Any]) -> nodes.Disjunction:
        before, last = children
        return nodes.Disjunction((*(before or ()), last), location=self._at(span))

    # statements

    def fact(self, span: Span, children: list[Any]) -> nodes.Rule:
        return self.rule(span, [*children, ()])

    def rule(self, span: Span, children: list[Any]) -> nodes.Rule:
        temp, head, body = children
        body = body or ()
        match head:
            case nodes.Disjunction((nodes.ConditionalLiteral(literal, ()),)):
                if literal.sign is nodes.Sign.POSITIVE:
                    head = literal.atom
                else:  # the same as a constraint on the contrary
                    sign = nodes.Sign.NOT if literal.sign is nodes.Sign.NOT_NOT else nodes.Sign.NOT_NOT
                    head, body = None, (*body, dataclasses.replace(literal, sign=sign))
        return nodes.Rule(head, body, temp is not None, location=self._at(span))

    def constraint(self, span: Span, children: list[Any]) -> nodes.Rule:
        return nodes.Rule(None, children[0] or (), location=self._at(span))

    def weight(self, span: Span, children: list[Any]) -> tuple[nodes.Term, nodes.Term]:
        weight, priority = children
        return weight, nodes.Number(0) if priority is None else priority

    def weak_constraint(self, span: Span, children: list[Any]) -> nodes.WeakConstraint:
        body, weight, terms = children
        return self.weighted(span, [weight, terms, body])

    def weighted(self, span: Span, children: list[Any]) -> nodes.WeakConstraint:
        weight, terms, condition = children
        location = self._at(span)
        return nodes.WeakConstraint(condition or (), weight[0], weight[1], terms or (), location=location)

    def optimization(self, span: Span, children: list[Any]) -> list[nodes.WeakConstraint]:
        token, *elements = children
        elements = [element for element in elements if element is not None]
        if str(token).startswith("#max"):
            elements = [
                dataclasses.replace(
                    element,
                    weight=nodes.UnaryOperation("-", element.weight, location=element.weight.location),
                )
                for element in elements
            ]
        return elements

    def const(self, span: Span, children: list[Any]) -> nodes.Constant:
        name, _, value, kind = children
        if kind is not None and kind not in ("default", "override"):
            self._diagnostics.error(
                self._place(kind),
                f"unexpected {kind}",
                "what stands behind #const is [default] or [override]",
            )
        return nodes.Constant(str(name), value, kind == "override", location=self._at(span))

    def signature(self, span: Span, children: list[Any]) -> nodes.Signature:
        minus, name, _, arity = children
        return self._checked_signature(span, nodes.Signature(str(name), self._integer(arity), minus is None))

    def _checked_signature(self, span: Span, signature: nodes.Signature) -> nodes.Signature:
        """The signature; reports one of an arity that none has."""
        if MOST_ARGUMENTS < signature.arity <= nodes.LARGEST_INTEGER:
            self._diagnostics.error(
                self._at(span),
                f"no predicate has {signature.arity} arguments",
                f"a signature such as p/2 speaks of at most {MOST_ARGUMENTS}",
            )
        return signature

    def _signature_of(self, term: Any) -> nodes.Signature | None:
        """The signature that a term such as `p/1` spells."""
        match term:
            case nodes.BinaryOperation("/", nodes.Function(name, (), False), nodes.Number(arity)):
                return nodes.Signature(name, arity)
            case nodes.BinaryOperation(
                "/",
                nodes.UnaryOperation("-", nodes.Function(name, (), False)),
                nodes.Number(arity),
            ):
                return nodes.Signature(name, arity, False)
            case _:
                return None

    show_nothing = _of_children(nodes.Show)

    def show(self, span: Span, children: list[Any]) -> nodes.Show | nodes.ShowTerm:
        signature = self._signature_of(children[0])
        if signature is None:
            return nodes.ShowTerm(children[0], location=self._at(span))
        return nodes.Show(self._checked_signature(span, signature), location=self._at(span))

    def show_term(self, span: Span, children: list[Any]) -> nodes.ShowTerm:
        return nodes.ShowTerm(children[0], children[1] or (), location=self._at(span))

    defined = _of_children(nodes.Defined)

    def external_statement(self, span: Span, children: list[Any]) -> nodes.External:
        term, body, value = children
        value = nodes.Function("false") if value is None else value
        return nodes.External(self._atom(term), body or (), value, location=self._at(span))

    def project(self, span: Span, children: list[Any]) -> nodes.ProjectSignature | nodes.ProjectAtom:
        signature = self._signature_of(children[0])
        if signature is None:
            return nodes.ProjectAtom(self._atom(children[0]), location=self._at(span))
        return nodes.ProjectSignature(self._checked_signature(span, signature), location=self._at(span))

    def project_atom(self, span: Span, children: list[Any]) -> nodes.ProjectAtom:
        return nodes.ProjectAtom(self._atom(children[0]), children[1] or (), location=self._at(span))

    def heuristic(self, span: Span, children: list[Any]) -> nodes.Heuristic:
        term, body, weight, modifier = children
        atom, location = self._atom(term), self._at(span)
        return nodes.Heuristic(atom, body or (), weight[0], weight[1], modifier, location=location)

    def edge(self, span: Span, children: list[Any]) -> list[nodes.Edge]:
        *pairs, body = children
        return [nodes.Edge(one, other, body or (), location=self._at(span)) for one, other in pairs]

    def include(self, span: Span, children: list[Any]) -> Include:
        return Include(_unquote(children[0]), self._at(span))

    def include_built_in(self, span: Span, children: list[Any]) -> list[nodes.Statement]:
        self._diagnostics.error(
            self._at(span),
            f"<{children[0]}> is not included",
            "ticks take the place of clingo's incremental steps: write windows",
        )
        return []

    def part(self, span: Span, children: list[Any]) -> ProgramPart:
        name, parameters = children
        return ProgramPart(
            str(name) if parameters is None else f"{name}({','.join(parameters)})", self._at(span)
        )

    tick = _of_children(nodes.Tick)

    def timezone(self, span: Span, children: list[Token]) -> nodes.TimeZone:
        token = children[0]
        name = nodes.String(_unquote(token), location=self._place(token))
        return nodes.TimeZone(name, location=self._at(span))

    def column_name(self, span: Span, children: list[Token]) -> str:
        token = children[0]
        return _unquote(token) if token.terminal == "STRING" else str(token)

    column = _of_children(nodes.Column)

    def scaled_column(self, span: Span, children: list[Any]) -> nodes.Column:
        return nodes.Column(children[0], scale=self._integer(children[2]), location=self._at(span))

    def converted_column(self, span: Span, children: list[Any]) -> nodes.Column:
        conversion, name = children
        if conversion not in CONVERSIONS:
            self._diagnostics.error(
                self._place(conversion),
                f"{conversion} is no conversion of a column",
                f"conversions are {', '.join(CONVERSIONS)}",
            )
        return nodes.Column(name, conversion=str(conversion), location=self._at(span))

    def input(self, span: Span, children: list[Any]) -> nodes.Input:
        name, columns, time = children
        return nodes.Input(str(name), columns, time or "time", location=self._at(span))

    def semantics(self, span: Span, children: list[Token]) -> nodes.SemanticsChoice:
        token = children[0]
        known = [choice.value for choice in nodes.Semantics]
        if str(token) not in known:
            self._diagnostics.error(
                self._place(token),
                f"{token} is no semantics",
                f"write #semantics {' or '.join(known)}.",
            )
        chosen = str(token) if str(token) in known else known[0]
        return nodes.SemanticsChoice(nodes.Semantics(chosen), location=self._at(span))

    def start(self, span: Span, children: list[Any]) -> Any:
        return children[0]
