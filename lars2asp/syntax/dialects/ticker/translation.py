"""Rules of Ticker in our syntax: windows without `in`, `not` behind the atom, relations as atoms."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.dialects.dialect_statements import Located, built, places_in
from lars2asp.syntax.dialects.foreign_names import predicate_name, value, variable_name
from lars2asp.syntax.dialects.ticker.relations import RELATIONS
from lars2asp.syntax.dialects.ticker.statement_texts import Import, statement_texts
from lars2asp.syntax.nodes import Atom, AtTick, Box, Comparison, Diamond, Literal, Sign, Term
from lars2asp.syntax.parsing.parse_tables import Span, Token, tables
from lars2asp.syntax.source import NOWHERE, Location, Source, shown

_UNITS = {"msec": "msec", "sec": "sec", "min": "min", "h": "hour"}
_LONG = f"use at most {nodes.MOST_DIGITS} digits"
_OPERATORS = {"%": "\\", "^": "**"}
_TIME_WINDOW, _TUPLE_WINDOW = "SlidingTimeWindowFactory", "SlidingTupleWindowFactory"
_OLD = {"t": _TIME_WINDOW, "#": _TUPLE_WINDOW}
"""What the windows of its older spelling are: `[t 300]`, `[# 10]`."""


def translated(source: Source, diagnostics: Diagnostics) -> Iterator[nodes.Rule]:
    """The rules of a text."""
    own = tables(Path(__file__).parent)
    imported: dict[str, Import] = {}
    for statement in statement_texts(source, diagnostics):
        if isinstance(statement, Import):
            imported[statement.name] = statement
            continue
        located = places_in(source, statement)
        builder = _RuleBuilder(located, diagnostics, imported)
        yield from built(statement.text, own, builder.made, located, diagnostics)


class _RuleBuilder:
    """Makes a rule of its parts: a method for each rule of the grammar."""

    def __init__(self, located: Located, diagnostics: Diagnostics, imported: Mapping[str, Import]) -> None:
        self._located = located
        self._diagnostics = diagnostics
        self._imported = imported

    def made(self, rule: str, span: Span | None, children: list[Any]) -> Any:
        """What the method for a rule of the grammar makes of its children."""
        return getattr(self, rule)(NOWHERE if span is None else self._located(*span), *children)

    def _error(self, place: Location | Token, message: str, hint: str) -> None:
        where = self._located(place.begin, place.end) if isinstance(place, Token) else place
        self._diagnostics.error(where, message, hint, code=codes.DIALECT_RULE)

    # rules

    def start(self, at: Location, head: Atom | AtTick, body: Any) -> nodes.Rule:
        return nodes.Rule(head, body or (), location=at)

    def constraint(self, at: Location, body: Any) -> None:
        self._error(at, "a rule of Ticker has a head", "the language of lars2asp has rules without one")

    def head(self, at: Location, sign: Token | None, pinned: Any) -> Any:
        if sign is not None:
            self._error(sign, "a head is not negated", "leave `not` out, or write a rule for the opposite")
        if isinstance(pinned, Comparison):
            self._error(
                at, f"{self._text(at)} is a relation, so no rule can derive it", "choose another name"
            )
        return pinned

    def _text(self, place: Location) -> str:
        return shown(place.source.text[place.begin : place.end])

    def body(self, at: Location, *literals: Literal) -> tuple[Literal, ...]:
        return literals

    # literals

    def plain(self, at: Location, sign: Token | None, atom: Any) -> Literal:
        return Literal(atom, Sign.POSITIVE if sign is None else Sign.NOT, location=at)

    def _seen(self, at: Location, seen: nodes.StreamingAtom, *signs: Token | None) -> Literal:
        """The literal of an atom under a window, with `not` before it, behind it, or at both places."""
        if isinstance(seen.atom, Comparison):
            self._error(
                seen.atom.location, "a relation does not change with time", "write it without a window"
            )
        return Literal(seen, Sign(sum(sign is not None for sign in signs)), location=at)

    def diamond(self, at: Location, sign: Any, atom: Any, behind: Any, window: Any) -> Literal:
        return self._seen(at, Diamond(atom, window, location=at), sign, behind)

    def box(self, at: Location, sign: Any, atom: Any, behind: Any, window: Any) -> Literal:
        return self._seen(at, Box(atom, window, location=at), sign, behind)

    def at_tick(self, at: Location, sign: Any, atom: Any, time: Term, behind: Any, window: Any) -> Literal:
        return self._seen(at, AtTick(atom, time, window, location=at), sign, behind)

    def tick_before(
        self, at: Location, sign: Any, time: Term, atom: Any, behind: Any, window: Any
    ) -> Literal:
        return self.at_tick(at, sign, atom, time, behind, window)

    def at(self, at: Location, atom: Any, time: Term) -> AtTick:
        if isinstance(atom, Comparison):
            self._error(atom.location, "a relation does not change with time", "write it without `at`")
        return AtTick(atom, time, location=at)

    def before(self, at: Location, time: Term, atom: Any) -> AtTick:
        return self.at(at, atom, time)

    def comparison(self, at: Location, left: Term, sign: Token, right: Term) -> Literal:
        guard = nodes.Guard(str(sign), right, location=self._located(sign.begin, sign.end))
        return Literal(Comparison(left, (guard,), location=at), location=at)

    def operation(self, at: Location, left: Term, sign: Token, right: Term) -> Term:
        return nodes.BinaryOperation(_OPERATORS.get(sign, str(sign)), left, right, location=at)

    def later(self, at: Location, name: Token, sign: Token, number: Token) -> Term:
        """`T+3`, which its rules have where they are built in Scala."""
        if sign not in "+-":
            self._error(sign, f"{sign} does not give a tick", "a tick is T, 3, T+3 or T-3")
        tick = self.variable(self._located(name.begin, name.end), name)
        offset = self.number(self._located(number.begin, number.end), number)
        return nodes.BinaryOperation(str(sign), tick, offset, location=at)

    # atoms and terms

    def atom(self, at: Location, name: Token, terms: Any) -> Atom | Comparison:
        relation = RELATIONS.get(name)
        if relation is None:
            return Atom(predicate_name(str(name)), terms or (), location=at)
        if len(terms or ()) != relation.arity:
            self._error(
                at, f"the relation {name} has {relation.arity} arguments", f"it says that {relation.meaning}"
            )
            return Atom("error", location=at)
        return relation.of(terms, at)

    def terms(self, at: Location, *terms: Term) -> tuple[Term, ...]:
        return terms

    def variable(self, at: Location, token: Token) -> nodes.Variable:
        return nodes.Variable(variable_name(str(token)), location=at)

    def constant(self, at: Location, token: Token) -> Term:
        return value(str(token), at)

    def number(self, at: Location, token: Token) -> nodes.Number:
        whole, _, fraction = token.partition(".")
        if len(whole) > nodes.MOST_DIGITS:
            self._error(token, f"the number {token[:20]}... is too long", _LONG)
            whole = "0"
        if fraction.strip("0"):
            self._error(token, "numbers of Ticker are whole", "choose a smaller unit, or multiply by 10")
        return nodes.Number(int(whole), location=at)

    # windows

    def seconds(self, at: Location, number: Token) -> nodes.SlidingWindow:
        return self._time_window(at, number, "sec")

    def sized(self, at: Location, number: Token, unit: Token) -> nodes.Window:
        if unit == "#":
            return self._tuple_window(at, number)
        if unit not in _UNITS:
            self._error(unit, f"{unit} is not a unit of Ticker", f"units are {', '.join(_UNITS)}, and #")
        return self._time_window(at, number, _UNITS.get(unit, "sec"))

    def named(self, at: Location, name: Token, number: Token) -> nodes.Window:
        found = self._imported.get(name)
        kind = _OLD.get(name, "") if found is None else found.path.rpartition(".")[2]
        if kind == _TUPLE_WINDOW:
            return self._tuple_window(at, number)
        if kind != _TIME_WINDOW:
            self._error(
                name,
                f"{name} is no window"
                if found is None
                else f"{name} is the window of {found.path}, a class of Scala that is not here",
                "windows are [5 sec], [5 #], [t 5] and [# 5]",
            )
        return self._time_window(at, number, "sec")

    def _time_window(self, at: Location, number: Token, unit: str) -> nodes.SlidingWindow:
        size = self.number(self._located(number.begin, number.end), number)
        return nodes.SlidingWindow(nodes.Duration(size, unit, location=size.location), location=at)

    def _tuple_window(self, at: Location, number: Token) -> nodes.TupleWindow:
        size = self.number(self._located(number.begin, number.end), number)
        if not size.value:
            self._error(number, "a window of 0 tuples is always empty", "write 1 or more")
        return nodes.TupleWindow(size, location=at)
