"""Makes the abstract syntax of a statement from its parse tree."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from lars2asp.syntax import codes, nodes
from lars2asp.syntax.argument_type import ANY, TYPE_WORDS, ArgumentType
from lars2asp.syntax.codes import Code
from lars2asp.syntax.column_places import WORD, ColumnPlace
from lars2asp.syntax.diagnostics import Diagnostics, Edit
from lars2asp.syntax.nodes import Pool, Sign
from lars2asp.syntax.parsing.background_tables import CONVERSIONS as TABLE_CONVERSIONS
from lars2asp.syntax.parsing.formulas import Formulas, global_names
from lars2asp.syntax.parsing.parse_tables import Span, Token
from lars2asp.syntax.parsing.prefixed_names import iri_of
from lars2asp.syntax.parsing.statement_texts import LONGEST_NUMBER, cut_statements
from lars2asp.syntax.rdf_terms import XSD, Literal, is_iri, string_of
from lars2asp.syntax.sheet_addresses import path_in, sheet_at
from lars2asp.syntax.source import NOWHERE, Location, Source, shown, shown_number
from lars2asp.syntax.string_escapes import clingo_string, is_held, on_one_line, unquoted, with_characters
from lars2asp.syntax.time_units import NAMES, UNIT_NAMES
from lars2asp.syntax.traversal import every

MOST_ARGUMENTS = 10_000
"""The largest arity of a signature: as many variables are written for it."""

CONVERSIONS = ("text", "int", "constant", "number", "any", "time", "duration")
"""The conversions of an `#input` column: `text(c)` to a string, `int(c)` to an integer, `constant(c)`,
`number(c, ",", ".", unit "kB")` of a number that is written so, `any(c)`, which takes every cell,
`time(c "%d.%m.%Y")` to the tick of a moment, `duration(c "min")` to the ticks of a stretch of time, which
plain numbers count in this unit."""

NUMBER_SIGNS = (",", ".", " ", "'", "_")
"""What may stand before the decimals of a number, or between its thousands."""

_MARK = re.compile(r"[^\s0-9](?:.*\S)?")
"""A unit, or what stands behind a number in place of its sign."""

_OF_RDF = ("IRI", "PREFIXED")


def _value(number: str) -> int:
    """The value of a number; of one of too many digits another one that is too large."""
    return int(number, 0) if len(number) <= LONGEST_NUMBER else nodes.LARGEST_NUMBER + 1


class _Each(str):
    """The name of a field with a list, each of whose elements gives a fact."""

    __slots__ = ()


def _plain(name: str) -> str:
    """The name of a field without what says that it has a list."""
    return str(name) if isinstance(name, _Each) else name


def _without_each(column: nodes.Column) -> nodes.Column:
    """A column with plain names."""
    joined = tuple(map(_plain, column.joined))
    return dataclasses.replace(column, name=_plain(column.name), joined=joined)


DEFAULT_TIME = nodes.InputTime(("time",))


class _Mark(NamedTuple):
    """`unit "kB"`, `plus "CR"` or `minus "DR"`: the word, and the text that stands at numbers."""

    word: Token
    text: Token


class _Spread(NamedTuple):
    """`K, V of S` behind `each`: where it stands, and the field as it is named."""

    location: Location
    spread: nodes.Spread
    field: str = ""


class _Otherwise(NamedTuple):
    """`or missing`, or what stands in place of a missing cell: the text of a string, or of a number."""

    location: Location
    text: str | None = None
    is_number: bool = False


class Include(NamedTuple):
    """`#include "path".`: the statements of another file stand here."""

    path: str
    location: Location


class Prefix(NamedTuple):
    """`#prefix name: <iri>.`: names that begin so are IRIs that begin with this one, without brackets."""

    name: str
    iri: str
    location: Location


class ProgramPart(NamedTuple):
    """`#program name.`: what follows belongs to a part of that name."""

    name: str
    location: Location


# The same text is an atom in a body and an offset in braces, or an aggregate in a body and another one in a
# head. Until the builder reaches the node above, which decides, a term may stand in an atom's place, and
# aggregates and sets have these elements:


class _Element(NamedTuple):
    """An element of an aggregate: what stands before, between and behind its colons."""

    location: Location
    terms: tuple[Any, ...]
    literals: tuple[Any, ...] = ()
    condition: tuple[Any, ...] | None = None


class _Brace(NamedTuple):
    """An element in braces; `condition` is None where there is no colon."""

    location: Location
    literals: tuple[Any, ...]
    condition: tuple[Any, ...] | None = None


def _is_like_an_atom(term: Any) -> bool:
    """Whether a term in an atom's place is one."""
    if isinstance(term, nodes.UnaryOperation) and term.operator == "-":
        term = term.argument
    return isinstance(term, Pool) or (isinstance(term, nodes.Function) and not term.is_external)


def _without_unit(term: Any) -> tuple[Any, str]:
    """A term without the unit that its last number has, and that unit; empty where it has none."""
    match term:
        case nodes.DurationTerm(number, unit):
            return number, unit
        case nodes.UnaryOperation(_, argument):
            inner, unit = _without_unit(argument)
            return (dataclasses.replace(term, argument=inner), unit) if unit else (term, "")
        case nodes.BinaryOperation(_, _, right):
            inner, unit = _without_unit(right)
            return (dataclasses.replace(term, right=inner), unit) if unit else (term, "")
        case _:
            return term, ""


def _ends(duration: nodes.Duration) -> tuple[nodes.Duration | None, nodes.Duration]:
    """The ends of `5..10`, one of which may take the unit of the other one; of `10` the second alone."""
    match duration.size:
        case nodes.BinaryOperation("..", left, right):
            end = right.location._replace(end=duration.location.end)
            size, unit = _without_unit(left)
            nearest = nodes.Duration(size, unit, location=left.location)
            return _alike(nearest, nodes.Duration(right, duration.unit, location=end))
        case _:
            return None, duration


def _alike(nearest: nodes.Duration, furthest: nodes.Duration) -> tuple[nodes.Duration, nodes.Duration]:
    """The bounds of a window: one without a unit takes that of the other one."""
    one, other = nearest.unit, furthest.unit
    if not one and other:
        nearest = dataclasses.replace(nearest, unit=other, taken=other)
    elif not other and one:
        furthest = dataclasses.replace(furthest, unit=one, taken=one)
    return nearest, furthest


def _unit_within(term: nodes.Term) -> str:
    """The last unit in a term; empty where it has none."""
    units = [one.unit for one in every(nodes.DurationTerm, term)]
    return units[-1] if units else ""


def _with_unit(term: Any, unit: str) -> Any:
    """A term without a unit as so many of a unit."""
    if not unit or _unit_within(term):
        return term
    if isinstance(term, nodes.Number):
        return nodes.DurationTerm(term, unit, True, location=term.location)
    one = nodes.DurationTerm(nodes.Number(1), unit, True, location=term.location)
    return nodes.BinaryOperation("*", term, one, location=term.location)


def _in_unit(term: Any, unit: str) -> Any:
    """An offset as a whole in the unit behind it, which its last number may have: `{n+1 hour}`."""
    if not unit and isinstance(term, nodes.UnaryOperation | nodes.BinaryOperation):
        term, unit = _without_unit(term)
    return _with_unit(term, unit)


def _offset(term: nodes.Term) -> nodes.Term | nodes.OffsetRange:
    match term:
        case nodes.BinaryOperation("..", left, right):
            return nodes.OffsetRange(left, right, location=term.location)
        case _:
            return term


def _of_children(kind: type[nodes.Node], *, has_atom: bool = False) -> Callable[..., nodes.Node]:
    """The method that makes a node of its children; of the first, which is a term, the atom if it has one.

    What is left out is the default of its field, or an empty tuple.
    """
    said = [each for each in dataclasses.fields(kind) if each.compare]
    left_out = [() if each.default is dataclasses.MISSING else each.default for each in said]

    def made(self: "SyntaxBuilder", at: Location, *children: Any) -> nodes.Node:
        values = [
            default if child is None else str(child) if isinstance(child, Token) else child
            for child, default in zip(children, left_out, strict=False)
        ]
        if has_atom:
            values[0] = self._atom(values[0])
        return kind(*values, location=at)

    return made


class SyntaxBuilder:
    """Makes nodes of one statement; what the grammar is too wide for is reported.

    It has a method for each rule of the grammar, which takes the place of the part and its children: tokens,
    what such methods have made, and None for what is left out.
    """

    def __init__(
        self,
        located: Callable[[int, int], Location],
        diagnostics: Diagnostics,
        formulas: Formulas | None = None,
        prefixes: Mapping[str, str] | None = None,
    ) -> None:
        self._prefixes = prefixes or {}
        self._located = located
        self._diagnostics = diagnostics
        self._formulas = Formulas() if formulas is None else formulas

    def made(self, rule: str, span: Span | None, children: list[Any]) -> Any:
        """What the method for a rule makes of its children."""
        return getattr(self, rule)(NOWHERE if span is None else self._located(*span), *children)

    def _error(
        self, place: Location | Token, message: str, hint: str, written: str | None = None, *, code: Code
    ) -> None:
        """An error at a place, where an editor can write something else, if that is given."""
        if isinstance(place, Token):
            place = self._located(place.begin, place.end)
        self._diagnostics.error(
            place, message, hint, edit=None if written is None else Edit(place, written), code=code
        )

    def _integer(self, token: Token) -> int:
        """A number that counts something: arguments, digits, or what a column is multiplied by."""
        value = _value(token)
        if value > nodes.LARGEST_INTEGER:
            hint = f"use at most {nodes.LARGEST_INTEGER}"
            self._error(token, f"the number {token[:20]} is too large", hint, code=codes.NOT_A_WHOLE_NUMBER)
        return value

    # terms

    def number(self, at: Location, token: Token) -> nodes.Number:
        value = _value(token)
        if value > nodes.LARGEST_NUMBER:
            self._report_long(token)
        return nodes.Number(min(value, nodes.LARGEST_NUMBER), location=at)

    def _report_long(self, token: Token) -> None:
        hint = f"use at most {nodes.MOST_DIGITS} digits"
        self._error(token, f"the number {token[:20]}... is too long", hint, code=codes.NOT_A_WHOLE_NUMBER)

    def decimal(self, at: Location, token: Token) -> nodes.Decimal:
        if len(token) > LONGEST_NUMBER:
            self._report_long(token)
        return nodes.Decimal(str(token), location=at)

    def duration_term(self, at: Location, token: Token, unit: Token) -> nodes.DurationTerm:
        place = self._located(token.begin, token.end)
        number = (
            self.decimal(place, token) if "." in token else nodes.Number(self._integer(token), location=place)
        )
        return nodes.DurationTerm(number, NAMES[unit], location=at)

    def string(self, at: Location, token: Token) -> nodes.String:
        return nodes.String(self._string_text(at, token), location=at)

    def _string_text(self, at: Location, token: str) -> str:
        """The text of a string that clingo gets."""
        text = unquoted(token)
        if not is_held(text):
            self._error(
                at,
                f"{shown(token)} contains a character that texts of programs cannot have",
                "remove null characters and unpaired surrogates",
                code=codes.WRONG_ESCAPE,
            )
        return text

    def iri(self, at: Location, token: Token) -> nodes.String:
        return nodes.String(self._iri(token), location=at)

    def _iri(self, token: Token) -> str:
        return iri_of(token, self._prefixes)

    def literal_of_rdf(self, at: Location, token: Token) -> nodes.Term:
        end = token.rindex('"') + 1
        text, behind = self._string_text(at, token[:end]), token[end:]
        if behind.startswith("@"):
            return nodes.String(string_of(Literal(text, behind[1:].lower())), location=at)
        literal = Literal(text, "", iri_of(behind[2:], self._prefixes)[1:-1])
        literal = literal._replace(datatype="") if literal.datatype == f"{XSD}string" else literal
        number = literal.number
        if number is None:
            return nodes.String(string_of(literal), location=at)
        value = number.removeprefix("-")
        term: nodes.Term = (
            nodes.Decimal(value, location=at)
            if "." in value
            else nodes.Number(min(int(value), nodes.LARGEST_NUMBER), location=at)
        )
        return nodes.UnaryOperation("-", term, location=at) if number.startswith("-") else term

    def extremum(self, at: Location, token: Token) -> nodes.Extremum:
        return nodes.Extremum(str(token)[:4], location=at)

    variable = _of_children(nodes.Variable)

    def _pool(self, at: Location, alternatives: list[Any]) -> Any:
        """The one alternative, or the pool of several."""
        return alternatives[0] if len(alternatives) == 1 else Pool(tuple(alternatives), location=at)

    def arguments(self, at: Location, *alternatives: Any) -> list[tuple[nodes.Term, ...]]:
        return [terms or () for terms in alternatives]

    def function(self, at: Location, token: Token, pool: Any = ((),), is_external: bool = False) -> Any:
        name = str(token)
        return self._pool(at, [nodes.Function(name, terms, is_external, location=at) for terms in pool])

    constant = function

    def external(self, at: Location, token: Token, pool: Any = ((),)) -> Any:
        return self.function(at, token, pool, True)

    def absolute(self, at: Location, *terms: Any) -> Any:
        return self._pool(at, [nodes.Absolute(term, location=at) for term in terms])

    def members(self, at: Location, term: Any) -> Any:
        return nodes.Tuple(()) if term is None else term

    def several_members(self, at: Location, *terms: Any) -> nodes.Tuple:
        return nodes.Tuple(terms)

    def tuple_term(self, at: Location, *members: Any) -> Any:
        return self._pool(at, [dataclasses.replace(member, location=at) for member in members])

    def unary(self, at: Location, operator: Token, argument: Any) -> nodes.UnaryOperation:
        return nodes.UnaryOperation(str(operator), argument, location=at)

    def operation(self, at: Location, *parts: Any) -> Any:
        """The tree of `t1 o1 t2 o2 t3 ...`, stronger operators below weaker ones."""
        operands, operators = [parts[0]], list[str]()

        def join() -> None:
            right, left = operands.pop(), operands.pop()
            location = Location(left.location.source, left.location.begin, right.location.end)
            operands.append(nodes.BinaryOperation(operators.pop(), left, right, location=location))

        for operator, operand in zip(parts[1::2], parts[2::2], strict=True):
            level = nodes.OPERATOR_LEVELS[operator]
            is_right_associative = operator == "**"
            while operators and nodes.OPERATOR_LEVELS[operators[-1]] >= level + is_right_associative:
                join()
            operators.append(str(operator))
            operands.append(operand)
        while operators:
            join()
        return operands[0]

    def terms(self, at: Location, *terms: Any) -> tuple[Any, ...]:
        return terms

    body = conditions = elements = columns = raw_literals = pair = parameters = group = offsets = terms

    # windows

    def duration(self, at: Location, size: Any, unit: Token | None) -> nodes.Duration:
        name = "" if unit is None else NAMES[unit]
        if unit is None:
            size, name = _without_unit(size)
        return nodes.Duration(size, name, location=at)

    def sliding_window(self, at: Location, duration: Any) -> nodes.SlidingWindow | nodes.LaggedWindow:
        nearest, furthest = _ends(duration)
        if nearest is None:
            return nodes.SlidingWindow(duration, location=at)
        return nodes.LaggedWindow(nearest, furthest, location=at)

    def lagged_window(self, at: Location, nearest: Any, dots: Token, furthest: Any) -> nodes.LaggedWindow:
        return nodes.LaggedWindow(*_alike(nearest, furthest), location=at)

    def hopping_window(self, at: Location, duration: Any, step: Any, base: Any) -> nodes.HoppingWindow:
        nearest, furthest = _ends(duration)
        return nodes.HoppingWindow(furthest, step, nearest, base, location=at)

    def lagged_hopping_window(
        self, at: Location, nearest: Any, dots: Token, furthest: Any, step: Any, base: Any
    ) -> nodes.HoppingWindow:
        nearest, furthest = _alike(nearest, furthest)
        return nodes.HoppingWindow(furthest, step, nearest, base, location=at)

    tumbling_window = _of_children(nodes.TumblingWindow)

    def offset(self, at: Location, term: Any, unit: Token | None) -> Any:
        """An offset; of a range the unit is that of its end."""
        name = "" if unit is None else NAMES[unit]
        match term:
            case nodes.BinaryOperation("..", left, right):
                return dataclasses.replace(term, left=_in_unit(left, ""), right=_in_unit(right, name))
            case _:
                return _in_unit(term, name)

    def offset_window(self, at: Location, offsets: Any) -> nodes.OffsetWindow:
        return nodes.OffsetWindow(tuple(map(_offset, self._in_units(offsets))), location=at)

    def _in_units(self, offsets: Sequence[Any]) -> Sequence[Any]:
        """Offsets with units: one without takes that of the next one, of the other end of its range first."""
        if not any(isinstance(one, nodes.Term) and _unit_within(one) for one in offsets):
            return offsets
        found, unit = list[Any](), ""
        for offset in reversed(offsets):
            match offset:
                case nodes.BinaryOperation("..", left, right):
                    unit = _unit_within(right) or _unit_within(left) or unit
                    right = _with_unit(right, unit)
                    unit = _unit_within(left) or unit
                    found.append(dataclasses.replace(offset, left=_with_unit(left, unit), right=right))
                case _:
                    unit = _unit_within(offset) or unit
                    found.append(_with_unit(offset, unit))
            if not unit:
                source, begin, end = offset.location
                text = source.text[begin:end]
                hint = f"write {text} tick, or {text} with a unit"
                self._error(
                    offset.location,
                    f"{text} needs a unit, because another offset has one",
                    hint,
                    code=codes.UNIT_OF_OTHER_NUMBER,
                )
        return found[::-1]

    tuple_window = predicate_window = _of_children(nodes.TupleWindow)

    def group_window(self, at: Location, size: Any, group: Any) -> nodes.TupleWindow:
        return nodes.TupleWindow(size, None, group, location=at)

    def since_window(self, at: Location, term: Any) -> nodes.SinceWindow:
        return nodes.SinceWindow(self._atom(term), location=at)

    def after_window(self, at: Location, term: Any) -> nodes.SinceWindow:
        return nodes.SinceWindow(self._atom(term), True, location=at)

    # atoms and literals

    conjunction = terms

    def formula(self, at: Location, *alternatives: tuple[nodes.Literal, ...]) -> nodes.FormulaAtom:
        names = set(global_names([one for part in alternatives for one in part]))
        for part in alternatives:
            missing = sorted(names - set(global_names(part)))
            if missing:
                place = part[0].location._replace(end=part[-1].location.end)
                hint = "write one rule for each alternative, and use their head in the window"
                self._error(
                    place,
                    f"this alternative of `or` does not use {missing[0]}",
                    hint,
                    code=codes.UNSAFE_VARIABLE,
                )
        text = at.source.text[at.begin : at.end]
        if "%" in text:
            text = next(cut_statements(Source("", f"{text}."), Diagnostics())).text[:-1]
        return self._formulas.atom(alternatives, on_one_line(text), at)

    def _atom(self, term: Any) -> Any:
        """The atom that a term in an atom's place stands for; reports a term that is none."""
        if isinstance(term, nodes.FormulaAtom):
            return term
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
        from lars2asp.syntax.parsing.syntax_errors import atom_hint  # noqa: PLC0415 - most programs need none

        self._error(term.location, "expected an atom, not a term", atom_hint(term), code=codes.ATOM_EXPECTED)
        return nodes.Atom("error", location=term.location)

    def boolean(self, at: Location, token: Token) -> nodes.Boolean:
        return nodes.Boolean(token == "#true", location=at)

    def relation(self, at: Location, sign: Token) -> str:
        return {"==": "=", "<>": "!="}.get(sign, str(sign))

    guard = _of_children(nodes.Guard)

    def comparison(self, at: Location, term: Any, *guards: Any) -> nodes.Comparison:
        return nodes.Comparison(term, guards, location=at)

    _window_atom = _of_children(nodes.Diamond, has_atom=True)

    def diamond(self, at: Location, term: Any, window: Any) -> nodes.Node:
        if isinstance(term, nodes.Variable) and isinstance(window, nodes.OffsetWindow):
            from lars2asp.syntax.parsing.syntax_errors import member_hint  # noqa: PLC0415 - most programs need none

            self._error(
                at,
                "`in` needs an atom and a window",
                member_hint(term, window),
                code=codes.FOREIGN_WINDOW,
            )
            term = nodes.Function("error", location=term.location)
        return self._window_atom(at, term, window)

    box = _of_children(nodes.Box, has_atom=True)
    at_tick = _of_children(nodes.AtTick, has_atom=True)
    at_least = _of_children(nodes.AtLeast, has_atom=True)
    at_most = _of_children(nodes.AtMost, has_atom=True)
    count = _of_children(nodes.Count, has_atom=True)

    def nots(self, at: Location, _: Token, again: Token | None) -> Sign:
        return Sign.NOT if again is None else Sign.NOT_NOT

    def raw_literal(self, at: Location, sign: Sign | None, atom: Any) -> nodes.Literal:
        return nodes.Literal(atom, sign or Sign.POSITIVE, location=at)

    def literal(self, at: Location, sign: Sign | None, atom: Any) -> nodes.Literal:
        if isinstance(atom, nodes.Term | Pool):
            atom = self._atom(atom)
        elif isinstance(atom, nodes.SetAggregate):
            atom = self._set_aggregate(atom)
        elif isinstance(atom, nodes.Aggregate):
            atom = dataclasses.replace(atom, elements=tuple(map(self._in_body, atom.elements)))
        return self.raw_literal(at, sign, atom)

    head_literal = literal
    conditional = alternative = _of_children(nodes.ConditionalLiteral)

    # aggregates

    def left_guard(self, at: Location, term: Any, relation: str) -> nodes.Guard:
        return nodes.Guard(relation, term, location=term.location)

    def right_guard(self, at: Location, *parts: Any) -> nodes.Guard:
        relation, term = parts if len(parts) == 2 else ("<=", *parts)
        return nodes.Guard(relation, term, location=at)

    def element(self, at: Location, terms: Any, condition: Any = None) -> _Element:
        return _Element(at, terms or (), condition or ())

    def head_element(self, at: Location, terms: Any, literals: Any, condition: Any) -> _Element:
        return _Element(at, terms or (), literals, condition or ())

    def aggregate(
        self, at: Location, left: Any, function: Token, elements: Any, right: Any
    ) -> nodes.Aggregate:
        return nodes.Aggregate(str(function), elements or (), left, right, location=at)

    def bounded_aggregate(self, at: Location, term: Any, *parts: Any) -> nodes.Aggregate:
        return self.aggregate(at, self.left_guard(at, term, "<="), *parts)

    def _in_body(self, element: Any) -> nodes.AggregateElement:
        if element.condition is not None:
            self._error(
                element.location,
                "an aggregate in a body cannot have two colons",
                "write terms : condition, and separate the literals by commas",
                code=codes.AGGREGATE_ELEMENT,
            )
        return nodes.AggregateElement(element.terms, element.literals, location=element.location)

    def head_aggregate(self, at: Location, aggregate: nodes.Aggregate) -> nodes.HeadAggregate:
        given: Any = aggregate.elements
        for element in given:
            if len(element.literals) != 1:
                hint = "write terms : atom : condition"
                self._error(
                    element.location,
                    "an element of an aggregate in a head needs one atom",
                    hint,
                    code=codes.AGGREGATE_ELEMENT,
                )
        elements = tuple(
            nodes.HeadAggregateElement(terms, literals[0], condition or (), location=location)
            for location, terms, literals, condition in given
            if literals
        )
        left, right = aggregate.left, aggregate.right
        return nodes.HeadAggregate(aggregate.function, elements, left, right, location=aggregate.location)

    # braces: sets, choices, offsets

    def brace(self, at: Location, literals: Any) -> _Brace:
        return _Brace(at, literals)

    def conditional_brace(self, at: Location, literals: Any, condition: Any) -> _Brace:
        return _Brace(at, literals, condition or ())

    def braces(self, at: Location, *braces: Any) -> tuple[Location, tuple[_Brace, ...]]:
        return at, tuple(filter(None, braces))

    def set(self, at: Location, left: Any, braces: Any, right: Any) -> nodes.SetAggregate:
        return nodes.SetAggregate(braces[1], left, right, location=at)

    def bounded_set(self, at: Location, term: Any, braces: Any, right: Any) -> Any:
        place, elements = braces
        offsets = self._offsets(elements) if right is None else None
        if offsets is not None:
            window = self.offset_window(place, offsets)
            return nodes.Diamond(self._atom(term), window, location=at)
        return self.set(at, self.left_guard(at, term, "<="), braces, right)

    def _offsets(self, braces: tuple[_Brace, ...]) -> tuple[nodes.Term, ...] | None:
        """The terms of `{1,2}` or `{n,m}`; None for braces with literals, which a single name may be."""
        if len(braces) != 1 or braces[0].condition is not None:
            return None
        literals = braces[0].literals
        terms = tuple(literal.atom for literal in literals)
        if any(literal.sign or not isinstance(literal.atom, nodes.Term | Pool) for literal in literals):
            return None
        return None if len(terms) == 1 and _is_like_an_atom(terms[0]) else terms

    def _set_aggregate(self, found: nodes.SetAggregate) -> nodes.SetAggregate:
        """The set with its elements decided."""
        given: Any = found.elements
        elements = []
        for location, raw, condition in given:
            literals = [self.literal(literal.location, literal.sign, literal.atom) for literal in raw]
            if len(literals) > 1:
                self._error(
                    literals[1].location,
                    "unexpected ',' between the elements of a set",
                    "separate elements by ';', and write conditions after ':'",
                    code=codes.AGGREGATE_ELEMENT,
                )
            elements.append(nodes.ConditionalLiteral(literals[0], condition or (), location=location))
        return dataclasses.replace(found, elements=tuple(elements))

    # heads

    def head_choice(self, at: Location, found: Any) -> nodes.SetAggregate:
        if isinstance(found, nodes.Diamond):  # p {1,2}
            hint = "to place an atom at a tick write atom at T"
            self._error(found.location, "a head cannot have a window", hint, code=codes.WINDOW_IN_HEAD)
            return nodes.SetAggregate((), location=found.location)
        return self._set_aggregate(found)

    def disjunction(self, at: Location, *elements: Any) -> nodes.Disjunction:
        return nodes.Disjunction(elements, location=at)

    # statements

    def rule(self, at: Location, temp: Token | None, head: Any, body: Any) -> nodes.Rule:
        body = body or ()
        match head:
            case nodes.Disjunction((nodes.ConditionalLiteral(literal, ()),)):
                if literal.sign is Sign.POSITIVE:
                    head = literal.atom
                else:  # the same as a constraint on the contrary
                    sign = Sign.NOT if literal.sign is Sign.NOT_NOT else Sign.NOT_NOT
                    head, body = None, (*body, dataclasses.replace(literal, sign=sign))
        return nodes.Rule(head, body, temp is not None, location=at)

    def constraint(self, at: Location, body: Any) -> nodes.Rule:
        return nodes.Rule(None, body or (), location=at)

    weak_constraint = _of_children(nodes.WeakConstraint)

    def weighted(self, at: Location, weight: Any, priority: Any, terms: Any, condition: Any) -> Any:
        return self.weak_constraint(at, condition, weight, priority, terms)

    def optimization(self, at: Location, token: Token, *elements: Any) -> list[nodes.WeakConstraint]:
        found = list(filter(None, elements))
        if token.startswith("#max"):
            for number, one in enumerate(found):
                weight = nodes.UnaryOperation("-", one.weight, location=one.weight.location)
                found[number] = dataclasses.replace(one, weight=weight)
        return found

    def const(self, at: Location, name: Token, _: Token, value: Any, kind: Token | None) -> nodes.Constant:
        if kind is not None and kind not in ("default", "override"):
            self._error(
                kind,
                f"unexpected {kind}",
                "after the dot of #const write [default] or [override]",
                code=codes.DIRECTIVE_SYNTAX,
            )
        return nodes.Constant(str(name), value, kind == "override", location=at)

    def signature(self, at: Location, minus: Token | None, name: Token, arity: Token) -> nodes.Signature:
        return self._checked_signature(at, nodes.Signature(str(name), _value(arity), minus is None))

    def _checked_signature(self, at: Location, signature: nodes.Signature) -> nodes.Signature:
        """The signature; reports one of an arity that none has."""
        if signature.arity > MOST_ARGUMENTS:
            hint = f"a signature such as p/2 can have at most {MOST_ARGUMENTS} arguments"
            self._error(
                at, f"no predicate has {shown_number(signature.arity)} arguments", hint, code=codes.TOO_LARGE
            )
        return signature

    def _signature_of(self, at: Location, term: Any) -> nodes.Signature | None:
        """The signature that a term such as `p/1` or `-p/1` spells."""
        match term:
            case nodes.BinaryOperation("/", nodes.UnaryOperation("-", named), nodes.Number(arity)):
                is_positive = False
            case nodes.BinaryOperation("/", named, nodes.Number(arity)):
                is_positive = True
            case _:
                return None
        match named:
            case nodes.Function(name, (), False):
                return self._checked_signature(at, nodes.Signature(name, arity, is_positive))
            case _:
                return None

    show_nothing = _of_children(nodes.Show)
    show_term = _of_children(nodes.ShowTerm)

    def show(self, at: Location, term: Any) -> nodes.Show | nodes.ShowTerm:
        signature = self._signature_of(at, term)
        return nodes.Show(signature, location=at) if signature else nodes.ShowTerm(term, location=at)

    defined = _of_children(nodes.Defined)
    external_statement = _of_children(nodes.External, has_atom=True)
    project_atom = _of_children(nodes.ProjectAtom, has_atom=True)

    def project(self, at: Location, term: Any) -> Any:
        signature = self._signature_of(at, term)
        return nodes.ProjectSignature(signature, location=at) if signature else self.project_atom(at, term)

    def heuristic(
        self, at: Location, term: Any, body: Any, weight: Any, priority: Any, modifier: Any
    ) -> nodes.Heuristic:
        atom, priority = self._atom(term), priority or nodes.Number(0)
        return nodes.Heuristic(atom, body or (), weight, priority, modifier, location=at)

    def edge(self, at: Location, *parts: Any) -> list[nodes.Edge]:
        *pairs, body = parts
        return [nodes.Edge(one, other, body or (), location=at) for one, other in pairs]

    def include(self, at: Location, path: Token) -> Include:
        return Include(unquoted(path), at)

    def prefix(self, at: Location, name: Token, iri: Token) -> Prefix:
        return Prefix(str(name), with_characters(iri[1:-1]), at)

    def include_built_in(self, at: Location, name: Token) -> list[nodes.Statement]:
        hint = "lars2asp has ticks instead of clingo's incremental steps: write windows"
        self._error(at, f"<{name}> is not included", hint, code=codes.UNSUPPORTED_SYNTAX)
        return []

    def part(self, at: Location, name: Token, parameters: Any) -> ProgramPart:
        return ProgramPart(str(name) if parameters is None else f"{name}({','.join(parameters)})", at)

    tick = _of_children(nodes.Tick)
    lateness = _of_children(nodes.Lateness)
    largest_gap = _of_children(nodes.LargestGap)
    timezone = _of_children(nodes.TimeZone)
    origin = _of_children(nodes.Origin)
    complete_windows = _of_children(nodes.CompleteWindows)

    def column_name(self, at: Location, each: Token | None, token: Token) -> str:
        if token.terminal in _OF_RDF:
            if each is not None:
                self._error(
                    token,
                    "a property has no elements",
                    "use `each` with a field of JSON records",
                    code=codes.MISPLACED_EACH,
                )
            return self._iri(token)
        name = unquoted(token) if token.terminal == "STRING" else str(token)
        return name if each is None else _Each(name)

    def column_place(self, at: Location, word: Token, number: Token) -> str:
        if word != WORD:
            self._error(
                word,
                f"{word}({number}) is not a column",
                f"a column by its place is {WORD}({number})",
                code=codes.COLUMN_SYNTAX,
            )
        place = self._integer(number)
        if not place:
            self._error(
                number, "columns are counted from 1", f"the first one is {WORD}(1)", code=codes.COLUMN_SYNTAX
            )
        return ColumnPlace.of(place)

    def fixed_column(self, at: Location, *tokens: Token | None) -> nodes.Column:
        *minus, token = filter(None, tokens)
        name = str(token)
        if token.terminal == "STRING":
            name = clingo_string(unquoted(token))
        elif token.terminal == "NUMBER":
            name = f"{''.join(minus)}{self.number(at, token).value}"
        elif token.terminal != "IDENTIFIER":
            hint = (
                "to read a column write number(x)"
                if token.terminal == "DECIMAL"
                else f'write "{token}" or a name'
            )
            self._error(
                token,
                f"fixed(...) needs a text, an integer or a name, not {token}",
                hint,
                code=codes.COLUMN_SYNTAX,
            )
        return nodes.Column(name, None, "fixed", location=at)

    def input_condition(
        self, at: Location, column: nodes.Column, sign: str, *tokens: Token | None
    ) -> nodes.Condition:
        *minus, token = filter(None, tokens)
        is_text, name = token.terminal == "STRING", column.name
        if not column.is_cell:
            word = "fixed(...)" if column.is_fixed else f"{column.name}()"
            self._error(
                column.location,
                f"{word} is not a column",
                "write a column on the left of a condition",
                code=codes.INPUT_CONDITION,
            )
        elif token.terminal in ("IDENTIFIER", "VARIABLE"):
            hint = f'write "{token}"'
            self._error(
                token,
                "compare with a text in quotes or a number",
                hint,
                f'"{token}"',
                code=codes.INPUT_CONDITION,
            )
        elif is_text and sign not in ("=", "!="):
            hint = "write numbers without quotes; compare texts with = or !="
            self._error(
                token, f"{sign} compares numbers, and {token} is a text", hint, code=codes.INPUT_CONDITION
            )
        elif not is_text and column.conversion in ("text", "constant"):
            written = "".join((*minus, token))
            hint = (
                f'write "{written}"'
                if sign in ("=", "!=")
                else f"compare the number: {name} {sign} {written}"
            )
            self._error(at, f"{column.conversion}({name}) is not a number", hint, code=codes.INPUT_CONDITION)
        if token.terminal in ("NUMBER", "DECIMAL"):
            number = self.or_number(at, minus[0] if minus else None, token).text or ""
            return nodes.Condition(column, sign, number, True, location=at)
        return nodes.Condition(column, sign, unquoted(token) if is_text else str(token), location=at)

    def input_conditions(self, at: Location, *conditions: nodes.Condition) -> tuple[nodes.Condition, ...]:
        return conditions

    def column(self, at: Location, name: str, *others: _Otherwise) -> nodes.Column:
        return self._with(nodes.Column(name, location=at), others)

    def scaled_column(self, at: Location, name: str, scale: Token, *others: _Otherwise) -> nodes.Column:
        return self._with(nodes.Column(name, self._integer(scale), location=at), others)

    def or_missing(self, at: Location, word: Token) -> _Otherwise:
        if word != "missing":
            hint = f'write or "{word}" to use that text for missing cells, or 0, or missing'
            self._error(
                word,
                f"after `or` write a value or missing, not {word}",
                hint,
                f'"{word}"',
                code=codes.MISSING_VALUE,
            )
        return _Otherwise(at)

    def or_text(self, at: Location, token: Token) -> _Otherwise:
        return _Otherwise(at, unquoted(token))

    def or_number(self, at: Location, minus: Token | None, token: Token) -> _Otherwise:
        number = str(token) if token.terminal == "DECIMAL" else str(self.number(at, token).value)
        return _Otherwise(at, f"{minus or ''}{number}", is_number=True)

    def _with(self, column: nodes.Column, others: Sequence[_Otherwise]) -> nodes.Column:
        """A column with what stands behind it: `or missing`, and a value in place of a missing one."""
        are_values = [one.text is not None for one in others]
        if are_values not in ([], [False], [True], [False, True]):
            hint = "for example number(temp) or missing or 0"
            self._error(
                others[-1].location,
                "write at most one `or missing` and one value, in this order",
                hint,
                code=codes.MISSING_VALUE,
            )
        text = others[-1].text if others else None
        if text is not None and others[-1].is_number and column.signs:  # as the cells of the column have it
            text = text.replace(".", column.signs[0])
        return dataclasses.replace(column, or_missing=False in are_values, otherwise=text)

    def converted(
        self, at: Location, conversion: Token, times: nodes.InputTime, *said: Token | _Mark
    ) -> nodes.Column:
        (name, *joined), form = times
        signs = [one for one in said if isinstance(one, Token)]
        marks = [one for one in said if isinstance(one, _Mark)]
        if conversion not in CONVERSIONS:
            hint = f"conversions are {', '.join(CONVERSIONS)}"
            self._error(
                conversion, f"{conversion} is not a conversion of a column", hint, code=codes.CONVERSION
            )
        elif said and conversion != "number":
            self._error(
                at,
                f"{conversion}(...) accepts only a column",
                'write signs as in number(temp, ",", ".")',
                code=codes.CONVERSION,
            )
        elif joined and conversion == "duration":
            self._error(
                at,
                "duration(...) accepts one column",
                'for plain numbers name the unit: duration(took "min")',
                code=codes.CONVERSION,
            )
        elif form and conversion == "duration":
            if form not in UNIT_NAMES:
                units = ", ".join(dict.fromkeys(UNIT_NAMES.values()))
                self._error(
                    at,
                    f'"{shown(form)}" is not a unit of time',
                    f"units are {units}",
                    code=codes.UNKNOWN_UNIT,
                )
        elif (joined or form) and conversion != "time":
            hint = 'write formats and several columns as in time(day + clock "%d.%m.%Y %H:%M")'
            self._error(at, f"{conversion}(...) accepts only a column", hint, code=codes.CONVERSION)
        if conversion != "time":
            joined, form = [], form if conversion == "duration" else ""
        found = nodes.Column(name, None, str(conversion), self._signs(signs), location=at)
        return dataclasses.replace(
            found, joined=tuple(joined), time_format=form, marks=self._marks(marks, found.signs)
        )

    def _marks(self, given: Sequence[_Mark], signs: Sequence[str]) -> nodes.NumberMarks:
        """What stands around the numbers of a column."""
        known = nodes.NumberMarks._fields
        words = [str(one.word) for one in given]
        found: dict[str, str] = {}
        for word, token in given:
            mark = unquoted(token)
            if word not in known:
                hint = 'write number(amount, ",", unit "EUR", plus "CR", minus "DR")'
                self._error(word, f"{word} is not a word for numbers", hint, code=codes.NUMBER_MARK)
            elif not _MARK.fullmatch(mark) or mark in (*signs, *found.values()):
                hint = "use each mark once, with no blanks around it and no digit first"
                self._error(token, f"{token} cannot mark a number", hint, code=codes.NUMBER_MARK)
            elif word == "unit" and mark in ("+", "-"):
                self._error(token, f"{token} is not a unit", f"write minus {token}", code=codes.NUMBER_MARK)
            found[str(word)] = mark
        if {*found} <= {*known} and words != [one for one in known if one in found]:
            hint = 'write number(amount, ",", unit "EUR", plus "CR", minus "DR")'
            self._error(
                given[0].word,
                "write unit, plus and minus in this order, each at most once",
                hint,
                code=codes.NUMBER_MARK,
            )
        return nodes.NumberMarks(**{word: found.get(word, "") for word in known})

    def mark(self, at: Location, word: Token, text: Token) -> _Mark:
        return _Mark(word, text)

    def rounded_name(self, at: Location, name: str, word: Token, *others: _Otherwise) -> nodes.Column:
        return self._rounded(nodes.Column(name, location=at), word, others)

    def rounded_column(
        self, at: Location, column: nodes.Column, word: Token, scale: Token | None, *others: _Otherwise
    ) -> nodes.Column:
        if scale is not None:
            self._error(
                scale,
                "rounded does not go with *N",
                "remove one of them, because both round",
                code=codes.CONVERSION,
            )
        return self._rounded(dataclasses.replace(column, location=at), word, others)

    def _rounded(self, column: nodes.Column, word: Token, others: Sequence[_Otherwise]) -> nodes.Column:
        if word != "rounded":
            hint = "to round to the declared decimals write number(temp) rounded"
            self._error(word, f"{word} is not a word for columns", hint, "rounded", code=codes.CONVERSION)
        elif column.conversion != "number":
            self._error(
                word,
                "use rounded with number(...) only",
                "write number(temp) rounded",
                code=codes.CONVERSION,
            )
        return self._with(dataclasses.replace(column, is_rounded=True), others)

    def _signs(self, tokens: Sequence[Token]) -> tuple[str, ...]:
        signs = tuple(map(unquoted, tokens))
        for token, sign in zip(tokens, signs, strict=True):
            if sign not in NUMBER_SIGNS:
                known = ", ".join(f'"{one}"' for one in NUMBER_SIGNS)
                self._error(
                    token, f"{token} is not a sign in numbers", f"signs are {known}", code=codes.NUMBER_MARK
                )
        if len(signs) > 2 or len(set(signs)) < len(signs):
            hint = 'write number(temp, ","), or with thousands number(temp, ",", ".")'
            self._error(
                tokens[-1],
                "a number needs one decimal sign, and another one between thousands",
                hint,
                code=codes.NUMBER_MARK,
            )
        return signs[:2]

    def sign(self, at: Location, token: Token) -> Token:
        return token

    def converted_column(self, at: Location, column: nodes.Column, *others: _Otherwise) -> nodes.Column:
        return self._with(dataclasses.replace(column, location=at), others)

    def record_column(self, at: Location, name: Token) -> nodes.Column:
        if name not in nodes.RECORD_COLUMNS:
            from difflib import get_close_matches  # noqa: PLC0415 - few misspell them

            meant = next(iter(get_close_matches(name, nodes.RECORD_COLUMNS, 1)), None)
            hint = "use row(), file() or record(); write a column without ()"
            hint = hint if meant is None else f"write {meant}()"
            self._error(name, f"{name}() is not a column of records", hint, meant, code=codes.COLUMN_SYNTAX)
        return nodes.Column(str(name), None, str(name), location=at)

    def scaled_number(
        self, at: Location, column: nodes.Column, scale: Token, *others: _Otherwise
    ) -> nodes.Column:
        if column.conversion != "number":
            self._error(
                at,
                f"{column.conversion}(...) cannot be scaled",
                "scale the column: temp*10",
                code=codes.CONVERSION,
            )
        return self._with(dataclasses.replace(column, scale=self._integer(scale), location=at), others)

    def joined(self, at: Location, *names: str) -> tuple[str, ...]:
        return names

    def times(self, at: Location, names: tuple[str, ...], form: Token | None) -> nodes.InputTime:
        return nodes.InputTime(names, "" if form is None else unquoted(form))

    def input_times(self, at: Location, *times: nodes.InputTime) -> tuple[nodes.InputTime, ...]:
        return times

    def spread_name(self, at: Location, name: Token) -> Token:
        return name

    def spread_columns(self, at: Location, key: Token, value: Token, pattern: Token) -> _Spread:
        return _Spread(at, nodes.Spread(str(key), str(value), unquoted(pattern), is_of_columns=True))

    def spread_field(self, at: Location, key: Token, value: Token, name: str) -> _Spread:
        return _Spread(at, nodes.Spread(str(key), str(value), _plain(name)), name)

    def _spread(self, said: _Spread | None, columns: Iterable[nodes.Column]) -> nodes.Spread | None:
        """What `each K, V of S` says, once it is checked against the columns of its declaration."""
        if said is None:
            return None
        at, spread, name = said
        key, value, source, _ = spread
        names = [name for one in columns if one.is_cell for name in one.names]
        of = f"each {key}, {value}"
        if key == value:
            self._error(
                at,
                f"{key} names both the column and its cell",
                f"write {of}2 of ...",
                code=codes.MISPLACED_EACH,
            )
        elif not any(map(spread.names, names)):
            self._error(
                at,
                f"no argument is {key} or {value}",
                f"write {key} and {value} among the columns",
                code=codes.MISPLACED_EACH,
            )
        if found := next((name for name in names if name.startswith(f"{key}.")), None):
            hint = f"write {value}{found.removeprefix(key)}, because {value} is the cell"
            self._error(
                at,
                f"{key} is the name of a column, and has no field {shown(found)}",
                hint,
                code=codes.MISPLACED_EACH,
            )
        if isinstance(name, _Each):
            self._error(
                at, "an object has no elements", f"write {of} of {shown(source)}", code=codes.MISPLACED_EACH
            )
        elif isinstance(name, ColumnPlace) or is_iri(name) or spread.names(name):
            hint = f'write {of} of columns "TI*", or the name of the field with the object'
            self._error(at, f"{shown(name)} is not a field with an object", hint, code=codes.MISPLACED_EACH)
        return spread

    def _of_key(self, column: nodes.Column, spread: nodes.Spread | None) -> nodes.Column:
        """A column, which is text where it has the name of another one: `"12"` is no number there."""
        is_key = spread is not None and column.names == (spread.key,)
        is_plain = not column.conversion and column.scale is None
        return dataclasses.replace(column, conversion="text") if is_key and is_plain else column

    def input(
        self,
        at: Location,
        name: Token,
        columns: tuple[nodes.Column, ...],
        source: Token | None,
        times: tuple[nodes.InputTime, ...] | None,
        of_spread: Token | None,
        said_spread: _Spread | None,
        records: str | None,
        conditions: tuple[nodes.Condition, ...] | None,
    ) -> nodes.Input:
        conditions = conditions or ()
        self._check_has_cell(columns)
        ((time, *joined), form), *others = times or (DEFAULT_TIME,)
        pattern = None if source is None or source.terminal in _OF_RDF else source
        if pattern is not None and "%" in time and not form and not joined:
            time, form = DEFAULT_TIME.columns[0], time  # the format alone: where it is in the line
        of_times = (time, *joined, *(one for other in others for one in other.columns))
        read = (*columns, *(one.column for one in conditions))
        names = (*of_times, *(one for column in read for one in column.names))
        each = tuple(sorted({str(one) for one in names if isinstance(one, _Each)}))
        spread = self._spread(said_spread, columns)
        if spread is not None and said_spread is not None:
            if each:
                hint = f"write {each[0]} without each, or two declarations"
                self._error(
                    said_spread.location, "a declaration can have one `each`", hint, code=codes.MISPLACED_EACH
                )
            if any(spread.reads_value(_plain(one)) for one in of_times):
                hint = "write the name of the column that has the time"
                self._error(
                    said_spread.location,
                    f"{spread.value} is not a time of the record",
                    hint,
                    code=codes.MISPLACED_EACH,
                )
        columns = tuple(self._of_key(_without_each(one), spread) for one in columns)
        conditions = tuple(dataclasses.replace(one, column=_without_each(one.column)) for one in conditions)
        said = "" if pattern is None else unquoted(pattern)
        of_property = "" if source is None or pattern is not None else self._iri(source)
        rest = tuple(map(_plain, joined)), form, each, str(records or ""), said, of_property
        other_times = tuple(one._replace(columns=tuple(map(_plain, one.columns))) for one in others)
        return nodes.Input(
            str(name), columns, _plain(time), *rest, other_times, spread, conditions, location=at
        )

    def _check_has_cell(self, columns: Sequence[nodes.Column]) -> None:
        if any(one.is_fixed for one in columns) and not any(one.is_cell for one in columns):
            hint = "if the atom always holds, write a fact or a rule"
            self._error(
                columns[0].location, "no argument is read from a column", hint, code=codes.COLUMN_SYNTAX
            )

    def place(self, at: Location, token: Token) -> int | str:
        if token.terminal == "ANONYMOUS":
            return str(token)
        digits = self._integer(token)
        if not 1 <= digits <= nodes.MOST_DECIMALS:
            hint = f"write 1 to {nodes.MOST_DECIMALS}, or _ for an argument without decimals"
            self._error(
                token, f"no argument has {str(token)[:20]} decimals", hint, code=codes.DIRECTIVE_SYNTAX
            )
        return digits

    def predicate_decimals(self, at: Location, name: Token, *places: Any) -> nodes.Decimals:
        decimals = tuple(None if place == "_" else place for place in places)
        return nodes.Decimals(str(name), decimals, location=at)

    def decimals(self, at: Location, *declared: Any) -> list[nodes.Decimals]:
        return list(declared)

    def any_place(self, at: Location, token: Token) -> None:
        return None

    def argument_type(self, at: Location, name: Token, digits: Token | None) -> ArgumentType:
        found = ArgumentType.named(str(name), None if digits is None else self._integer(digits))
        if found is None:
            hint = f"types are {', '.join(TYPE_WORDS)}; k is 1 to {nodes.MOST_DECIMALS}"
            said = f"{name}({digits})" if digits is not None else str(name)
            self._error(name, f"{shown(said)} is not a type", hint, code=codes.DIRECTIVE_SYNTAX)
        return found or ANY

    def predicate_types(self, at: Location, name: Token, *places: ArgumentType | None) -> nodes.Types:
        return nodes.Types(str(name), places, location=at)

    def types(self, at: Location, *declared: nodes.Types) -> list[nodes.Types]:
        return list(declared)

    def semantics(self, at: Location, token: Token) -> nodes.SemanticsChoice:
        for choice in nodes.Semantics:
            if token == choice.value:
                return nodes.SemanticsChoice(choice, location=at)
        self._error(
            token,
            f"{token} is not a semantics",
            f"write #semantics {' or '.join(nodes.Semantics)}.",
            code=codes.DIRECTIVE_SYNTAX,
        )
        return nodes.SemanticsChoice(nodes.Semantics.RECORDED, location=at)

    def calendar_atom(self, at: Location, term: Any, file: Token | None) -> nodes.Calendar:
        atom = self._atom(term)
        if isinstance(atom, Pool):
            self._error(
                atom.location,
                "#calendar does not accept pools",
                "write each atom by itself",
                code=codes.CALENDAR,
            )
            atom = nodes.Atom("error", location=atom.location)
        return nodes.Calendar(
            atom.signature,
            atom.arguments,
            None if file is None else unquoted(file),
            () if file is None else None,
            location=at,
        )

    def calendar(self, at: Location, *atoms: nodes.Calendar) -> list[nodes.Calendar]:
        return list(atoms)

    def table(
        self,
        at: Location,
        name: Token,
        columns: tuple[nodes.Column, ...],
        file: Token,
        of_spread: Token | None,
        said_spread: _Spread | None,
        conditions: tuple[nodes.Condition, ...] | None,
    ) -> nodes.Table:
        self._check_has_cell(columns)
        for one in (*columns, *(condition.column for condition in conditions or ())):
            is_plain = one.is_fixed or (one.conversion in TABLE_CONVERSIONS and one.scale is None)
            if not is_plain or isinstance(one.name, _Each):
                known = ", ".join(f"{word}(...)" for word in TABLE_CONVERSIONS if word)
                hint = f"write the name of a column, or {known}"
                self._error(
                    one.location, "#table does not support this conversion", hint, code=codes.CONVERSION
                )
        spread = self._spread(said_spread, columns)
        if said_spread is not None and not said_spread.spread.is_of_columns:
            hint = 'write each tag, x of columns "TI*"'
            self._error(
                said_spread.location, "rows of a #table have no objects", hint, code=codes.MISPLACED_EACH
            )
        columns = tuple(self._of_key(one, spread) for one in columns)
        path = unquoted(file)
        sheet = sheet_at(path)
        return nodes.Table(
            str(name),
            columns,
            path_in(path),
            None if sheet is None else sheet.sheet,
            spread=spread,
            conditions=conditions or (),
            location=at,
        )

    def held(self, at: Location, term: Any, group: Any, duration: Any) -> nodes.Held:
        atom = self._atom(term)
        if isinstance(atom, Pool):
            self._error(
                atom.location,
                "#held does not accept pools",
                "write one #held for each predicate",
                code=codes.HELD_ARGUMENT,
            )
            atom = nodes.Atom("error", location=atom.location)
        return nodes.Held(atom.signature, atom.arguments, group or (), duration, location=at)
