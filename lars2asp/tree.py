"""Makes the abstract syntax of a statement from its parse tree."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lark import Token, Transformer_NonRecursive, v_args
from lark.tree import Meta

from lars2asp import syntax
from lars2asp.diagnostics import Diagnostics
from lars2asp.source import Location
from lars2asp.syntax import Pool

LONGEST_NUMBER = 40
"""In characters: 32 bits in any notation."""

MOST_ARGUMENTS = 10_000
"""Of a signature, for which as many variables are written."""

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


class Include(NamedTuple):
    """`#include "path".`: the statements of another file stand here."""

    path: str
    location: Location


class Part(NamedTuple):
    """`#program name.`: what follows belongs to a part of that name."""

    name: str
    location: Location


# What a piece means is known only where it stands: the same text is an atom in a body and an offset in
# braces, an aggregate in a body and another in a head. Until then the pieces are:


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
    left: syntax.Guard | None
    right: syntax.Guard | None
    location: Location


@dataclass(frozen=True)
class _Raw:
    """A literal in braces."""

    sign: syntax.Sign
    atom: Any
    meta: Meta


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
    left: Any
    relation: Any
    right: syntax.Guard | None
    location: Location


def _is_like_an_atom(term: Any) -> bool:
    """Whether a term in an atom's place is one."""
    if isinstance(term, syntax.UnaryOperation) and term.operator == "-":
        term = term.argument
    return isinstance(term, Pool) or (isinstance(term, syntax.Function) and not term.is_external)


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

    def _pool(self, meta: Meta, alternatives: list[Any]) -> Any:
        """The one alternative, or the pool of several."""
        return (
            alternatives[0] if len(alternatives) == 1 else Pool(tuple(alternatives), location=self._at(meta))
        )

    def arguments(self, meta: Meta, children: list[Any]) -> list[tuple[syntax.Term, ...]]:
        return [terms or () for terms in children]

    def function(self, meta: Meta, children: list[Any]) -> Any:
        name, alternatives = children
        location = self._at(meta)
        return self._pool(
            meta, [syntax.Function(str(name), arguments, location=location) for arguments in alternatives]
        )

    def external(self, meta: Meta, children: list[Any]) -> Any:
        alternatives = children[1] if len(children) > 1 else [()]
        name, location = str(children[0]), self._at(meta)
        return self._pool(
            meta, [syntax.Function(name, arguments, True, location=location) for arguments in alternatives]
        )

    def absolute(self, meta: Meta, children: list[Any]) -> Any:
        return self._pool(meta, [syntax.Absolute(term, location=self._at(meta)) for term in children])

    def members(self, meta: Meta, children: list[Any]) -> Any:
        return syntax.Tuple(()) if children[0] is None else children[0]

    def several_members(self, meta: Meta, children: list[Any]) -> syntax.Tuple:
        return syntax.Tuple(tuple(child for child in children if not isinstance(child, Token | None)))

    def no_members(self, meta: Meta, children: list[Any]) -> syntax.Tuple:
        return syntax.Tuple(())

    def tuple_term(self, meta: Meta, children: list[Any]) -> Any:
        location = self._at(meta)
        return self._pool(meta, [dataclasses.replace(member, location=location) for member in children])

    def unary(self, meta: Meta, children: list[Any]) -> syntax.UnaryOperation:
        return syntax.UnaryOperation(str(children[0]), children[1], location=self._at(meta))

    def operator(self, meta: Meta, children: list[Token]) -> str:
        return str(children[0])

    def operation(self, meta: Meta, children: list[Any]) -> Any:
        """The tree of `t1 o1 t2 o2 t3 ...`, stronger operators below weaker ones."""
        operands, operators = [children[0]], list[str]()

        def join() -> None:
            right, left = operands.pop(), operands.pop()
            location = Location(left.location.source, left.location.begin, right.location.end)
            operands.append(syntax.BinaryOperation(operators.pop(), left, right, location=location))

        for operator, operand in zip(children[1::2], children[2::2], strict=True):
            level = syntax.OPERATOR_LEVELS[operator]
            is_right_associative = operator == "**"
            while operators and syntax.OPERATOR_LEVELS[operators[-1]] >= level + is_right_associative:
                join()
            operators.append(operator)
            operands.append(operand)
        while operators:
            join()
        return operands[0]

    def terms(self, meta: Meta, children: list[Any]) -> tuple[syntax.Term, ...]:
        return tuple(children)

    # windows

    def duration(self, meta: Meta, children: list[Any]) -> syntax.Duration:
        return syntax.Duration(children[0], str(children[1] or ""), location=self._at(meta))

    def sliding_window(self, meta: Meta, children: list[Any]) -> syntax.SlidingWindow:
        return syntax.SlidingWindow(children[0], location=self._at(meta))

    def hopping_window(self, meta: Meta, children: list[Any]) -> syntax.HoppingWindow:
        return syntax.HoppingWindow(*children, location=self._at(meta))

    def tumbling_window(self, meta: Meta, children: list[Any]) -> syntax.TumblingWindow:
        return syntax.TumblingWindow(children[0], location=self._at(meta))

    def offset_window(self, meta: Meta, children: list[Any]) -> syntax.OffsetWindow:
        return syntax.OffsetWindow(children[0], location=self._at(meta))

    def tuple_window(self, meta: Meta, children: list[Any]) -> syntax.TupleWindow:
        return syntax.TupleWindow(children[0], location=self._at(meta))

    def predicate_window(self, meta: Meta, children: list[Any]) -> syntax.TupleWindow:
        return syntax.TupleWindow(children[0], children[1], location=self._at(meta))

    def group(self, meta: Meta, children: list[Token]) -> tuple[syntax.Variable, ...]:
        return tuple(
            syntax.Variable(str(token), location=self._located(token.start_pos or 0, token.end_pos or 0))
            for token in children
        )

    def group_window(self, meta: Meta, children: list[Any]) -> syntax.TupleWindow:
        return syntax.TupleWindow(children[0], None, children[1], location=self._at(meta))

    # atoms and literals

    def _atom(self, term: Any) -> Any:
        """The atom that a term in an atom's place stands for; reports a term that is none."""
        if isinstance(term, Pool):
            return Pool(tuple(map(self._atom, term.alternatives)), location=term.location)
        inner, is_positive = term, True
        if isinstance(term, syntax.UnaryOperation) and term.operator == "-":
            inner, is_positive = term.argument, False
        if isinstance(inner, Pool):
            parts: Any = inner.alternatives
            negated = [syntax.UnaryOperation("-", part, location=term.location) for part in parts]
            return Pool(tuple(map(self._atom, negated)), location=term.location)
        if isinstance(inner, syntax.Function) and not inner.is_external:
            return syntax.Atom(inner.name, inner.arguments, is_positive, location=term.location)
        self._diagnostics.error(
            term.location, "an atom is expected here, not a term", "an atom is a name or name(term,...,term)"
        )
        return syntax.Atom("error", location=term.location)

    def plain_atom(self, meta: Meta, children: list[Any]) -> _Plain:
        return _Plain(children[0])

    def boolean(self, meta: Meta, children: list[Token]) -> syntax.Boolean:
        return syntax.Boolean(children[0] == "#true", location=self._at(meta))

    def relation(self, meta: Meta, children: list[Token]) -> str:
        sign = str(children[0])
        return {"==": "=", "<>": "!="}.get(sign, sign)

    def guard(self, meta: Meta, children: list[Any]) -> syntax.Guard:
        return syntax.Guard(children[0], children[1], location=self._at(meta))

    def comparison(self, meta: Meta, children: list[Any]) -> syntax.Comparison:
        return syntax.Comparison(children[0], tuple(children[1:]), location=self._at(meta))

    def diamond(self, meta: Meta, children: list[Any]) -> syntax.Diamond:
        return syntax.Diamond(self._atom(children[0]), children[1], location=self._at(meta))

    def box(self, meta: Meta, children: list[Any]) -> syntax.Box:
        return syntax.Box(self._atom(children[0]), children[1], location=self._at(meta))

    def at_tick(self, meta: Meta, children: list[Any]) -> syntax.AtTick:
        window = children[2] if len(children) > 2 else None
        return syntax.AtTick(self._atom(children[0]), children[1], window, location=self._at(meta))

    def at_least(self, meta: Meta, children: list[Any]) -> syntax.AtLeast:
        atom, number, window = children
        return syntax.AtLeast(self._atom(atom), number, window, location=self._at(meta))

    def at_most(self, meta: Meta, children: list[Any]) -> syntax.AtMost:
        atom, number, window = children
        return syntax.AtMost(self._atom(atom), number, window, location=self._at(meta))

    def count(self, meta: Meta, children: list[Any]) -> syntax.Count:
        atom, number, window = children
        return syntax.Count(self._atom(atom), number, window, location=self._at(meta))

    def nots(self, meta: Meta, children: list[Any]) -> syntax.Sign:
        return syntax.Sign.NOT if children[1] is None else syntax.Sign.NOT_NOT

    def literal(self, meta: Meta, children: list[Any]) -> syntax.Literal:
        sign, atom = children
        if isinstance(atom, _Plain):
            atom = self._atom(atom.term)
        elif isinstance(atom, _Set):
            atom = self._body_set(atom)
        elif isinstance(atom, _Aggregate):
            atom = self._body_aggregate(atom)
        return syntax.Literal(atom, sign or syntax.Sign.POSITIVE, location=self._at(meta))

    head_literal = literal

    def conditions(self, meta: Meta, children: list[Any]) -> Any:
        return tuple(children)

    literals = elements = columns = conditions

    def conditional(self, meta: Meta, children: list[Any]) -> syntax.ConditionalLiteral:
        literal, condition = children
        return syntax.ConditionalLiteral(literal, condition or (), location=self._at(meta))

    def separated(self, meta: Meta, children: list[Any]) -> Any:
        return (*(children[0] or ()), *children[1:])

    body = separated

    # aggregates

    def right_guard(self, meta: Meta, children: list[Any]) -> syntax.Guard:
        relation, term = children if len(children) == 2 else ("<=", children[0])
        return syntax.Guard(relation, term, location=self._at(meta))

    def _left_guard(self, term: Any, relation: str) -> syntax.Guard:
        return syntax.Guard(relation, term, location=term.location)

    def element(self, meta: Meta, children: list[Any]) -> _Element:
        condition = children[1] if len(children) > 1 and children[1] else ()
        return _Element(children[0] or (), None, condition, self._at(meta))

    def head_element(self, meta: Meta, children: list[Any]) -> _Element:
        terms, literals, condition = children
        return _Element(terms or (), literals, condition or (), self._at(meta))

    def aggregate(self, meta: Meta, children: list[Any]) -> _Aggregate:
        function, elements, right = children
        return _Aggregate(str(function), elements or (), None, right, self._at(meta))

    def guarded_aggregate(self, meta: Meta, children: list[Any]) -> _Aggregate:
        term, relation, function, elements, right = children
        left = self._left_guard(term, relation)
        return _Aggregate(str(function), elements or (), left, right, self._at(meta))

    def bounded_aggregate(self, meta: Meta, children: list[Any]) -> _Aggregate:
        return self.guarded_aggregate(meta, [children[0], "<=", *children[1:]])

    def _body_aggregate(self, aggregate: _Aggregate) -> syntax.Aggregate:
        for element in aggregate.elements:
            if element.literals is not None:
                self._diagnostics.error(
                    element.location,
                    "an aggregate in a body has one condition",
                    "write terms : condition, with commas between the literals of the condition",
                )
        elements = tuple(
            syntax.AggregateElement(element.terms, element.condition, location=element.location)
            for element in aggregate.elements
        )
        return syntax.Aggregate(
            aggregate.function, elements, aggregate.left, aggregate.right, location=aggregate.location
        )

    def head_aggregate(self, meta: Meta, children: list[Any]) -> syntax.HeadAggregate:
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
                    syntax.HeadAggregateElement(
                        element.terms, literals[0], condition, location=element.location
                    )
                )
        return syntax.HeadAggregate(
            aggregate.function,
            tuple(elements),
            aggregate.left,
            aggregate.right,
            location=aggregate.location,
        )

    # braces: sets, choices, offsets

    def raw_literal(self, meta: Meta, children: list[Any]) -> _Raw:
        sign, atom = children
        return _Raw(sign or syntax.Sign.POSITIVE, atom, meta)

    raw_literals = conditions

    def brace(self, meta: Meta, children: list[Any]) -> _Brace:
        return _Brace(children[0], None, self._at(meta))

    def conditional_brace(self, meta: Meta, children: list[Any]) -> _Brace:
        return _Brace(children[0], children[1] or (), self._at(meta))

    def braces(self, meta: Meta, children: list[Any]) -> _Braces:
        return _Braces([child for child in children if child is not None], self._at(meta))

    def set(self, meta: Meta, children: list[Any]) -> _Set:
        braces, right = children
        return _Set(braces, None, None, right, self._at(meta))

    def guarded_set(self, meta: Meta, children: list[Any]) -> _Set:
        term, relation, braces, right = children
        return _Set(braces, term, relation, right, self._at(meta))

    def bounded_set(self, meta: Meta, children: list[Any]) -> Any:
        term, braces, right = children
        offsets = self._offsets(braces) if right is None else None
        if offsets is not None:
            window = syntax.OffsetWindow(offsets, location=braces.location)
            return syntax.Diamond(self._atom(term), window, location=self._at(meta))
        return _Set(braces, term, "<=", right, self._at(meta))

    def _offsets(self, braces: _Braces) -> tuple[syntax.Term, ...] | None:
        """The terms of `{1,2}` or `{n,m}`; None for braces with literals, which a single name may be."""
        if len(braces.elements) != 1 or braces.elements[0].condition is not None:
            return None
        terms = []
        for raw in braces.elements[0].literals:
            if raw.sign is not syntax.Sign.POSITIVE or not isinstance(raw.atom, _Plain):
                return None
            terms.append(raw.atom.term)
        if len(terms) == 1 and _is_like_an_atom(terms[0]):
            return None
        return tuple(terms)

    def _elements(self, braces: _Braces) -> tuple[syntax.ConditionalLiteral, ...]:
        elements = []
        for brace in braces.elements:
            literals = [self.literal(raw.meta, [raw.sign, raw.atom]) for raw in brace.literals]
            if len(literals) > 1:
                self._diagnostics.error(
                    literals[1].location,
                    "unexpected ',' between the elements of a set",
                    "elements are separated by ';', conditions follow a ':'",
                )
            elements.append(
                syntax.ConditionalLiteral(literals[0], brace.condition or (), location=brace.location)
            )
        return tuple(elements)

    def _body_set(self, found: _Set) -> syntax.SetAggregate:
        left = self._left_guard(found.left, found.relation) if found.left is not None else None
        return syntax.SetAggregate(self._elements(found.braces), left, found.right, location=found.location)

    # heads

    def head_choice(self, meta: Meta, children: list[Any]) -> syntax.SetAggregate:
        found = children[0]
        if isinstance(found, syntax.Diamond):  # p {1,2}
            self._diagnostics.error(
                found.location, "a window cannot stand in a head", "place atoms at a tick with: atom at term"
            )
            return syntax.SetAggregate((), location=found.location)
        return self._body_set(found)

    def plain_alternatives(self, meta: Meta, children: list[Any]) -> Any:
        before, literal = children
        return (*(before or ()), syntax.ConditionalLiteral(literal, location=literal.location))

    def conditional_alternatives(self, meta: Meta, children: list[Any]) -> Any:
        before, literal, condition = children
        return (*(before or ()), syntax.ConditionalLiteral(literal, condition or (), location=self._at(meta)))

    def alternative(self, meta: Meta, children: list[Any]) -> syntax.ConditionalLiteral:
        return syntax.ConditionalLiteral(children[0], children[1] or (), location=self._at(meta))

    def disjunction(self, meta: Meta, children: list[Any]) -> syntax.Disjunction:
        before, last = children
        return syntax.Disjunction((*(before or ()), last), location=self._at(meta))

    # statements

    def fact(self, meta: Meta, children: list[Any]) -> syntax.Rule:
        return self.rule(meta, [*children, ()])

    def rule(self, meta: Meta, children: list[Any]) -> syntax.Rule:
        temp, head, body = children
        body = body or ()
        match head:
            case syntax.Disjunction((syntax.ConditionalLiteral(literal, ()),)):
                if literal.sign is syntax.Sign.POSITIVE:
                    head = literal.atom
                else:  # the same as a constraint on the contrary
                    sign = syntax.Sign.NOT if literal.sign is syntax.Sign.NOT_NOT else syntax.Sign.NOT_NOT
                    head, body = None, (*body, dataclasses.replace(literal, sign=sign))
        return syntax.Rule(head, body, temp is not None, location=self._at(meta))

    def constraint(self, meta: Meta, children: list[Any]) -> syntax.Rule:
        return syntax.Rule(None, children[0] or (), location=self._at(meta))

    def weight(self, meta: Meta, children: list[Any]) -> tuple[syntax.Term, syntax.Term]:
        weight, priority = children
        return weight, syntax.Number(0) if priority is None else priority

    def weak_constraint(self, meta: Meta, children: list[Any]) -> syntax.WeakConstraint:
        body, weight, terms = children
        return syntax.WeakConstraint(body or (), weight[0], weight[1], terms or (), location=self._at(meta))

    def weighted(self, meta: Meta, children: list[Any]) -> syntax.WeakConstraint:
        weight, terms, condition = children
        location = self._at(meta)
        return syntax.WeakConstraint(condition or (), weight[0], weight[1], terms or (), location=location)

    def optimization(self, meta: Meta, children: list[Any]) -> list[syntax.WeakConstraint]:
        token, *elements = children
        elements = [element for element in elements if element is not None]
        if str(token).startswith("#max"):
            elements = [
                dataclasses.replace(
                    element,
                    weight=syntax.UnaryOperation("-", element.weight, location=element.weight.location),
                )
                for element in elements
            ]
        return elements

    def const(self, meta: Meta, children: list[Any]) -> syntax.Constant:
        name, _, value, kind = children
        if kind is not None and kind not in ("default", "override"):
            self._diagnostics.error(
                self._located(kind.start_pos or 0, kind.end_pos or 0),
                f"unexpected {kind}",
                "what stands behind #const is [default] or [override]",
            )
        return syntax.Constant(str(name), value, kind == "override", location=self._at(meta))

    def signature(self, meta: Meta, children: list[Any]) -> syntax.Signature:
        minus, name, _, arity = children
        return self._checked_signature(meta, syntax.Signature(str(name), self._integer(arity), minus is None))

    def _checked_signature(self, meta: Meta, signature: syntax.Signature) -> syntax.Signature:
        """The signature; reports one of an arity that none has."""
        if MOST_ARGUMENTS < signature.arity <= syntax.LARGEST_INTEGER:
            self._diagnostics.error(
                self._at(meta),
                f"no predicate has {signature.arity} arguments",
                f"a signature such as p/2 speaks of at most {MOST_ARGUMENTS}",
            )
        return signature

    def _signature_of(self, term: Any) -> syntax.Signature | None:
        """The signature that a term such as `p/1` spells."""
        match term:
            case syntax.BinaryOperation("/", syntax.Function(name, (), False), syntax.Number(arity)):
                return syntax.Signature(name, arity)
            case syntax.BinaryOperation(
                "/",
                syntax.UnaryOperation("-", syntax.Function(name, (), False)),
                syntax.Number(arity),
            ):
                return syntax.Signature(name, arity, False)
            case _:
                return None

    def show_nothing(self, meta: Meta, children: list[Any]) -> syntax.Show:
        return syntax.Show(location=self._at(meta))

    def show(self, meta: Meta, children: list[Any]) -> syntax.Show | syntax.ShowTerm:
        signature = self._signature_of(children[0])
        if signature is None:
            return syntax.ShowTerm(children[0], location=self._at(meta))
        return syntax.Show(self._checked_signature(meta, signature), location=self._at(meta))

    def show_term(self, meta: Meta, children: list[Any]) -> syntax.ShowTerm:
        return syntax.ShowTerm(children[0], children[1] or (), location=self._at(meta))

    def defined(self, meta: Meta, children: list[Any]) -> syntax.Defined:
        return syntax.Defined(children[0], location=self._at(meta))

    def external_statement(self, meta: Meta, children: list[Any]) -> syntax.External:
        term, body, value = children
        value = syntax.Function("false") if value is None else value
        return syntax.External(self._atom(term), body or (), value, location=self._at(meta))

    def project(self, meta: Meta, children: list[Any]) -> syntax.ProjectSignature | syntax.ProjectAtom:
        signature = self._signature_of(children[0])
        if signature is None:
            return syntax.ProjectAtom(self._atom(children[0]), location=self._at(meta))
        return syntax.ProjectSignature(self._checked_signature(meta, signature), location=self._at(meta))

    def project_atom(self, meta: Meta, children: list[Any]) -> syntax.ProjectAtom:
        return syntax.ProjectAtom(self._atom(children[0]), children[1] or (), location=self._at(meta))

    def heuristic(self, meta: Meta, children: list[Any]) -> syntax.Heuristic:
        term, body, weight, modifier = children
        atom, location = self._atom(term), self._at(meta)
        return syntax.Heuristic(atom, body or (), weight[0], weight[1], modifier, location=location)

    def pair(self, meta: Meta, children: list[Any]) -> tuple[syntax.Term, syntax.Term]:
        return children[0], children[1]

    def edge(self, meta: Meta, children: list[Any]) -> list[syntax.Edge]:
        *pairs, body = children
        return [syntax.Edge(one, other, body or (), location=self._at(meta)) for one, other in pairs]

    def include(self, meta: Meta, children: list[Any]) -> Include:
        return Include(_unquote(children[0]), self._at(meta))

    def include_built_in(self, meta: Meta, children: list[Any]) -> list[syntax.Statement]:
        self._diagnostics.error(
            self._at(meta),
            f"<{children[0]}> is not included",
            "ticks take the place of clingo's incremental steps: write windows",
        )
        return []

    def part(self, meta: Meta, children: list[Any]) -> Part:
        name, parameters = children
        return Part(str(name) if parameters is None else f"{name}({','.join(parameters)})", self._at(meta))

    parameters = conditions

    def tick(self, meta: Meta, children: list[Any]) -> syntax.Tick:
        return syntax.Tick(children[0], location=self._at(meta))

    def timezone(self, meta: Meta, children: list[Token]) -> syntax.TimeZone:
        token = children[0]
        place = self._located(token.start_pos or 0, token.end_pos or 0)
        return syntax.TimeZone(syntax.String(_unquote(token), location=place), location=self._at(meta))

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

    def start(self, meta: Meta, children: list[Any]) -> Any:
        return children[0]
