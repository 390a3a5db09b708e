"""Makes our syntax of what I-DLV-sr writes in another way; the rest is what it is here.

b(X) at most X in [2 min]      b(X) in [2 min], b(X) at most X in [2 min]   (where nothing else binds X)
&sum(X,Y;Z), &even(Z;)         Z = @sum(X,Y), @even(Z) = 1
a :- @now.hour >= 6.           a :- Hour >= 6, hour(Hour).   #calendar hour(Hour).
#trigger_frequency(5 min) a :- b.   a :- b, @now \\ 5 min = 0.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Set
from datetime import UTC, datetime, timedelta
from typing import Any

from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Sign
from lars2asp.syntax.parsing.formulas import Formulas
from lars2asp.syntax.parsing.parse_tables import Token
from lars2asp.syntax.parsing.tree import SyntaxBuilder
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import every

UNITS = {"msec": "msec", "sec": "sec", "min": "min", "hrs": "hour"}
"""The units of settings, and our names of them."""

MILLISECONDS = {"msec": 1, "sec": 1000, "min": 60_000, "hrs": 3_600_000}

CALENDAR = {"date": ("year", "month", "day"), "hour": ("hour",), "minute_of_day": ("minute",)}
"""The atoms of the calendar, and what stands behind `@now.` for each of their arguments."""

PARTS = ("year", "month", "day", "hour", "minute", "second")
"""All that stands there; plurals are the same."""


def declared(atom: nodes.Atom) -> nodes.Calendar:
    """The declaration of an atom of the calendar."""
    variables = [nodes.Variable(one.capitalize(), location=atom.location) for one in CALENDAR[atom.name]]
    return nodes.Calendar(atom.signature, tuple(variables), location=atom.location)


def duration_of(number: int, unit: str, place: Location) -> nodes.Duration:
    """A number of a setting's unit."""
    return nodes.Duration(nodes.Number(number, location=place), UNITS[unit], location=place)


class IdlvsrBuilder(SyntaxBuilder):
    """Makes the nodes of one statement.

    Attributes:
        of_times: the places of atoms that have the time, as it is written in dates.
    """

    def __init__(
        self,
        located: Callable[[int, int], Location],
        diagnostics: Diagnostics,
        formulas: Formulas,
        settings: Mapping[str, str],
        text: str,
    ) -> None:
        super().__init__(located, diagnostics, formulas)
        self._settings = settings
        self._text = text
        self._parts: dict[str, nodes.Variable] = {}
        self.of_times: dict[nodes.Signature, set[int]] = {}

    # --- time ---------------------------------------------------------------------------------------

    def external(self, at: Location, token: Token, pool: Any = ((),)) -> Any:
        if token == "now" and pool == ((),):
            return self._now(at)
        return super().external(at, token, pool)

    def _now(self, at: Location) -> nodes.Term:
        """The tick, or its time in the unit of the setting."""
        now = nodes.Function("now", (), True, location=at)
        wanted, unit = self._settings["now-format"], self._settings["t-unit"]
        if wanted in ("datetime", unit):
            return now
        more, less = MILLISECONDS[unit], MILLISECONDS[wanted]
        operator, factor = ("*", more // less) if more > less else ("/", less // more)
        return nodes.BinaryOperation(operator, now, nodes.Number(factor, location=at), location=at)

    def now_part(self, at: Location, token: Token) -> nodes.Term:
        """`@now.hour`, a variable of an atom of the calendar."""
        part = token.partition("\x1e")[2].removesuffix("s")
        if part not in PARTS:
            self._error(
                at,
                f"@now.{part} is not known",
                f"parts of @now are {', '.join(PARTS)}",
                code=codes.DIALECT_RULE,
            )
            return nodes.Number(0, location=at)
        if part == "second":
            return _seconds(at)
        if part not in self._parts:
            self._parts[part] = nodes.Variable(self._fresh(f"_{part.capitalize()}"), location=at)
        found = self._parts[part]
        if part != "minute":
            return found
        hour = nodes.Number(60, location=at)
        return nodes.BinaryOperation("\\", found, hour, location=at)

    @property
    def of_calendar(self) -> tuple[nodes.Atom, ...]:
        """The atoms of the calendar that have the parts of the time that are asked for."""
        found = []
        for name, variables in CALENDAR.items():
            asked = [self._parts[one] for one in variables if one in self._parts]
            if asked:
                other = nodes.Variable("_", location=asked[0].location)
                arguments = tuple(self._parts.get(one, other) for one in variables)
                found.append(nodes.Atom(name, arguments, location=asked[0].location))
        return tuple(found)

    def _fresh(self, name: str) -> str:
        """A variable that the statement does not have."""
        while name in self._text:
            name += "'"
        return name

    # --- windows ------------------------------------------------------------------------------------

    def duration(self, at: Location, size: Any, unit: Token | None) -> nodes.Duration:
        name = None if unit is None else _ours(unit)
        found = super().duration(at, size, name)
        if not found.unit and self._settings["windows-unit"] != self._settings["t-unit"]:
            return dataclasses.replace(found, unit=UNITS[self._settings["windows-unit"]])
        return found

    def duration_term(self, at: Location, token: Token, unit: Token) -> nodes.DurationTerm:
        return super().duration_term(at, token, _ours(unit))

    def offset_window(self, at: Location, offsets: Any) -> nodes.OffsetWindow:
        """`{1,3 min}`: the unit of the last one is that of all."""
        last = offsets[-1].right if isinstance(offsets[-1], nodes.BinaryOperation) else offsets[-1]
        unit = last.unit if isinstance(last, nodes.DurationTerm) else ""
        if not unit and self._settings["windows-unit"] != self._settings["t-unit"]:
            unit = UNITS[self._settings["windows-unit"]]
        if unit:
            offsets = tuple(_with_unit(one, unit) for one in offsets)
        return super().offset_window(at, offsets)

    # --- statements ---------------------------------------------------------------------------------

    inputs = outputs = lambda self, at, terms: terms

    def external_atom(self, at: Location, name: Token, given: Any, found: Any) -> nodes.Comparison:
        """`&f(in;out)` as `out = @f(in)`; without outputs it says whether it is true."""
        call: nodes.Term = nodes.Function(str(name), given or (), True, location=at)
        if not found:
            found, call = (call,), nodes.Number(1, location=at)
        result = found[0] if len(found) == 1 else nodes.Tuple(found, location=at)
        return nodes.Comparison(result, (nodes.Guard("=", call, location=at),), location=at)

    def literal(self, at: Location, sign: Sign | None, atom: Any) -> nodes.Literal:
        """A literal; `not &f(in;)` asks for the contrary."""
        match atom:
            case nodes.Comparison(nodes.Function(_, _, True), (nodes.Guard("=", nodes.Number(1)),)) if (
                sign and _is_external(atom)
            ):
                truth = nodes.Number(0 if sign is Sign.NOT else 1, location=at)
                guard = dataclasses.replace(atom.guards[0], term=truth)
                return nodes.Literal(dataclasses.replace(atom, guards=(guard,)), location=at)
        return super().literal(at, sign, atom)

    head_literal = literal

    def triggered(
        self, at: Location, frequency: nodes.Duration, temp: Token | None, head: Any, body: Any
    ) -> nodes.Rule:
        """A rule that is evaluated at the ticks that its frequency divides."""
        rule = self.rule(at, temp, head, body)
        number: Any = frequency.size
        every_tick: nodes.Term = number
        if frequency.unit:
            every_tick = nodes.DurationTerm(number, frequency.unit, location=frequency.location)
        now = nodes.Function("now", (), True, location=at)
        left = nodes.BinaryOperation("\\", now, every_tick, location=frequency.location)
        guard = nodes.Guard("=", nodes.Number(0, location=frequency.location), location=frequency.location)
        due = nodes.Literal(
            nodes.Comparison(left, (guard,), location=frequency.location), location=frequency.location
        )
        return dataclasses.replace(rule, body=(*rule.body, due))

    def completed(self, statement: Any) -> Any:
        """The statement with the literals that its parts ask for, which bind variables."""
        more = tuple(nodes.Literal(one, location=one.location) for one in self.of_calendar)
        if isinstance(statement, nodes.Rule):
            statement = dataclasses.replace(statement, body=(*_bound(statement.body), *more))
            if self._settings["now-format"] == "datetime":
                equal = _equal_to_now(statement.body)
                self._note_times(statement, equal)
                dated = (_dated(one, equal) for one in statement.body)
                statement = dataclasses.replace(statement, body=tuple(dated))
        elif more:
            if hasattr(statement, "body"):
                statement = dataclasses.replace(statement, body=(*statement.body, *more))
            else:
                self._error(
                    statement.location,
                    "use parts of @now in rules only",
                    "compute it in a rule",
                    code=codes.DIALECT_RULE,
                )
        return statement

    def _note_times(self, rule: nodes.Rule, equal: Set[nodes.Node]) -> None:
        """Notes the arguments of the head that are `@now`, or a variable that is equal to it."""
        if isinstance(rule.head, nodes.Atom):
            for place, argument in enumerate(rule.head.arguments):
                if argument in equal:
                    self.of_times.setdefault(rule.head.signature, set()).add(place)


def _equal_to_now(body: nodes.Body) -> set[nodes.Node]:
    """`@now`, and the variables that are equal to it."""
    equal: set[nodes.Node] = {nodes.NOW}
    for literal in body:
        match literal:
            case nodes.Literal(nodes.Comparison(left, (nodes.Guard("=", right),)), Sign.POSITIVE):
                if left == nodes.NOW and isinstance(right, nodes.Variable):
                    equal.add(right)
                elif right == nodes.NOW and isinstance(left, nodes.Variable):
                    equal.add(left)
    return equal


def _dated(literal: Any, equal: Set[nodes.Node]) -> Any:
    """A literal that compares the tick with a date as text: the date as the time since 1970."""
    match literal:
        case nodes.Literal(nodes.Comparison(left, (nodes.Guard(_, right) as guard,)) as comparison):
            if left in equal and (moment := _moment(right)) is not None:
                guards = (dataclasses.replace(guard, term=moment),)
                return dataclasses.replace(literal, atom=dataclasses.replace(comparison, guards=guards))
            if right in equal and (moment := _moment(left)) is not None:
                return dataclasses.replace(literal, atom=dataclasses.replace(comparison, term=moment))
    return literal


def _moment(term: nodes.Term) -> nodes.DurationTerm | None:
    """The time since 1970 of a date and time in UTC, as they stand in logs; None for what is none."""
    if not isinstance(term, nodes.String):
        return None
    try:
        moment = datetime.fromisoformat(term.value)
    except ValueError:
        return None
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime(1970, 1, 1, tzinfo=UTC)
    milliseconds = since // timedelta(milliseconds=1)
    if milliseconds < 0:
        return None
    number, unit = (milliseconds // 1000, "sec") if milliseconds % 1000 == 0 else (milliseconds, "msec")
    return nodes.DurationTerm(nodes.Number(number, location=term.location), unit, location=term.location)


def _ours(unit: Token) -> Token:
    if unit != "hrs":
        return unit
    ours = Token("hour")
    ours.begin, ours.end, ours.terminal = unit.begin, unit.end, unit.terminal
    return ours


def _with_unit(offset: Any, unit: str) -> Any:
    match offset:
        case nodes.Number():
            return nodes.DurationTerm(offset, unit, location=offset.location)
        case nodes.BinaryOperation("..", left, right):
            return dataclasses.replace(offset, left=_with_unit(left, unit), right=_with_unit(right, unit))
        case _:
            return offset


def _seconds(at: Location) -> nodes.Term:
    """The seconds of the minute of a tick."""

    def of(number: int, unit: str) -> nodes.DurationTerm:
        return nodes.DurationTerm(nodes.Number(number, location=at), unit, location=at)

    now = nodes.Function("now", (), True, location=at)
    rest = nodes.BinaryOperation("\\", now, of(1, "min"), location=at)
    return nodes.BinaryOperation("/", rest, of(1, "sec"), location=at)


def _is_external(comparison: nodes.Comparison) -> bool:
    """Whether a comparison stands for an external atom: the text begins with its sign."""
    place = comparison.location
    return place.source.text.startswith("&", place.begin)


# --- what binds -----------------------------------------------------------------------------------


def _bound(body: nodes.Body) -> Iterator[Any]:
    """The literals of a body; `b(X) in W` stands before `b(X) at most X in W` where nothing else binds X."""
    bound = _bound_names(body)
    for literal in body:
        match literal:
            case nodes.Literal(nodes.AtMost(atom, number, window), Sign.POSITIVE):
                if _names(atom, number) - bound and _names(atom, number) - bound <= _names(atom):
                    seen = nodes.Diamond(atom, window, location=atom.location)
                    yield nodes.Literal(seen, location=literal.location)
        yield literal


def _bound_names(body: nodes.Body) -> set[str]:
    """The variables that literals bind other than `at most`."""
    found: set[str] = set()
    comparisons: list[nodes.Comparison] = []
    for literal in body:
        if not isinstance(literal, nodes.Literal) or literal.sign is not Sign.POSITIVE:
            continue
        match literal.atom:
            case nodes.Atom() as atom:
                found |= _names(atom)
            case nodes.Diamond(atom) | nodes.Box(atom) | nodes.AtLeast(atom):
                found |= _names(atom)
            case nodes.Count(atom, number) | nodes.AtTick(atom, number):
                found |= _names(atom, number)
            case nodes.Aggregate(left=left, right=right) | nodes.SetAggregate(left=left, right=right):
                found |= _names(*(one for one in (left, right) if one is not None and one.comparison == "="))
            case nodes.Comparison() as comparison:
                comparisons.append(comparison)
    for _ in comparisons:
        for one in comparisons:
            found |= _equal_names(one, found)
    return found


def _equal_names(comparison: nodes.Comparison, bound: set[str]) -> set[str]:
    """The variables that an equation gives a value, if those of its other side have one."""
    match comparison:
        case nodes.Comparison(left, (nodes.Guard("=", right),)):
            if _names(right) <= bound:
                return _names(left)
            if _names(left) <= bound:
                return _names(right)
    return set()


def _names(*parts: nodes.Node) -> set[str]:
    return {one.name for one in every(nodes.Variable, *parts)}
