"""What claims are about, as values: atoms, and parts of the program with the values of their variables.

They become text here, and nowhere else. In a program with decimals, times or durations each of them knows
what its integers stand for (lars2asp.analysis.decimals, lars2asp.analysis.argument_types).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from lars2asp.analysis.argument_types.kinds import WRITTEN_AS
from lars2asp.analysis.argument_types.kinds_in_rules import ScopeKinds
from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.decimals import (
    ALIKE,
    PlaceDecimals,
    aggregate_decimals,
    body_variables,
    rule_variables,
    term_decimals,
)
from lars2asp.analysis.number_forms import NumberForm, number_text
from lars2asp.externals.terms.terms import Row, Term, Value
from lars2asp.externals.terms.text import argument_text, text_of
from lars2asp.runtime.explanations.past.terms import term_of, with_values
from lars2asp.runtime.explanations.words.program_times import ProgramTimes
from lars2asp.runtime.explanations.words.tick_places import TickPlaces, tick_variables
from lars2asp.syntax import nodes
from lars2asp.syntax.node import FIELDS
from lars2asp.syntax.nodes import Literal, Node, Signature
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import every
from lars2asp.syntax.values import dataclass

# --- numbers --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Numbers:
    """What integers stand for in a part of a program.

    Attributes:
        places: the decimals of places; None in a program without decimals, times and durations.
        variables: the forms of the variables.
        times: the times and durations of the program, if it has some.
        scope: what is known of the variables there, then.
        formulas: the atoms that stand for formulas in brackets, by their predicates.
        ticks: the places of arguments that are ticks, by predicates.
    """

    places: PlaceDecimals | None = None
    variables: Mapping[str, NumberForm] = field(default_factory=dict)
    times: ProgramTimes | None = None
    scope: ScopeKinds | None = None
    formulas: Mapping[Signature, nodes.FormulaAtom] = field(default_factory=dict)
    ticks: TickPlaces = field(default_factory=dict)

    @property
    def in_ticks(self) -> "Numbers":
        """The same where times and durations are integers, as the checker of explanations has them."""
        return Numbers(self.places, self._digits, formulas=self.formulas)

    @property
    def _digits(self) -> dict[str, int]:
        """The decimals of the variables."""
        return {name: form for name, form in self.variables.items() if isinstance(form, int)}

    def of_rule(
        self, statement: nodes.Statement, head: Signature | None = None, element: int | None = None
    ) -> "Numbers":
        """Those of an instance of a statement: of its body, and of the conditions of its head.

        Args:
            statement: the statement.
            head: the predicate of the atom of the head; None for the body alone.
            element: the element of the head that is meant, where a literal of its condition is told.
        """
        if self.places is None:
            return self
        variables: Mapping[str, NumberForm] = rule_variables(statement, self.places, head, element)
        if self.times is None:
            return replace(self, variables=variables)
        scope = self.times.scope(statement, head, element)
        return replace(self, variables={**variables, **self.times.variables(scope)}, scope=scope)

    def within(self, condition: nodes.Body) -> "Numbers":
        """Those of a condition, the variables of which may have decimals of their own."""
        if self.places is None:
            return self
        variables: Mapping[str, NumberForm] = body_variables(condition, self.places, self._digits)
        if self.times is None or self.scope is None:
            return replace(self, variables=variables)
        scope = self.scope.within([one for one in condition if isinstance(one, Literal)])
        return replace(self, variables={**variables, **self.times.variables(scope)}, scope=scope)

    def of_term(self, term: nodes.Term) -> NumberForm | None:
        """The form of the value of a term."""
        form = None
        if self.times is not None and self.scope is not None:
            form = self.times.form(self.scope.of(term))
        return term_decimals(term, self._digits) if form is None else form

    def of_places(self, signature: Signature) -> tuple[NumberForm | None, ...]:
        """The forms of the arguments of a predicate."""
        if self.places is None:
            return ()
        decimals = self.places.of_predicate(signature)
        return decimals if self.times is None else self.times.of_places(signature, decimals)

    def text(self, node: Node, binding: Mapping[str, Value], *, as_written: bool = False) -> str:
        """The text of a node with the values of its variables.

        Args:
            node: the node.
            binding: the values.
            as_written: whether windows have the units that they were written with.
        """
        if self.places is None:
            return to_text(with_values(node, binding, as_written=as_written))
        if as_written:
            node = with_values(node, {}, as_written=True)
        return to_text(self._valued(node, binding))

    def _valued(self, node: Any, binding: Mapping[str, Value]) -> Any:
        """A node with the values of its variables, and what integers stand for.

        Variables of conditions have forms of their own; within functions integers are as they are.
        """
        match node:
            case nodes.Variable(name) if name in binding:
                return _pointed(_signed(binding[name]), self.variables.get(name))
            case nodes.Number(stands_for=what) | nodes.UnaryOperation("-", nodes.Number(stands_for=what)) if (
                what and self.times is not None
            ):
                return _pointed(node, self.times.forms.get(WRITTEN_AS[what]))
            case nodes.Number():
                return _pointed(node, node.decimals)
            case Signature():
                return node
            case tuple():
                return tuple(self._valued(one, binding) for one in node)
            case Node():
                numbers = self
                condition = getattr(node, "condition", None)
                if condition:
                    numbers = self.within(condition)
                elif isinstance(node, nodes.Function | nodes.Tuple):
                    numbers = replace(self, variables={})
                changes: dict[str, Any] = {
                    name: numbers._valued(getattr(node, name), binding) for name in FIELDS[type(node)].inner
                }
                found = replace(node, **changes) if changes else node
                if isinstance(found, nodes.Atom):
                    arguments = map(_as_argument, found.arguments, self.of_places(found.signature))
                    return replace(found, arguments=tuple(arguments))
                return found
            case _:
                return node

    def of_total(self, aggregate: nodes.LiteralAtom | None) -> NumberForm | None:
        """The form of the value of an aggregate."""
        if self.places is None or not isinstance(aggregate, nodes.Aggregate):
            return None
        if self.times is not None and self.scope is not None:
            form = self.times.form(self.scope.of_aggregate(aggregate))
            if form is not None:
                return form
        return aggregate_decimals(aggregate, self.places, self._digits)

    def of_tuples(self, aggregate: nodes.LiteralAtom) -> tuple[NumberForm | None, ...]:
        """The forms of the terms of the tuples of an aggregate, where all elements have the same there."""
        if self.places is None or not isinstance(aggregate, nodes.Aggregate):
            return ()
        found: list[set[NumberForm | None]] = []
        for element in aggregate.elements:
            inner = self.within(element.condition)
            found += [set() for _ in element.terms[len(found) :]]
            for one, term in zip(found, element.terms, strict=False):
                one.add(inner.of_term(term))
        same = [next(iter(one)) if len(one) == 1 else None for one in found]
        first = same[:1] if aggregate.function == "#count" else [self.of_total(aggregate)]
        return *first, *same[1:]

    def of_costs(self, constraints: Iterable[nodes.WeakConstraint], level: int) -> NumberForm | None:
        """The form of the costs of a priority, where all weights have the same."""
        if self.places is None:
            return None
        found = {
            self.of_rule(one).of_term(one.weight)
            for one in constraints
            if not isinstance(one.priority, nodes.Number) or one.priority.value == level
        }
        return next(iter(found)) if len(found) == 1 else None

    def atom(self, signature: Signature, arguments: Iterable[Value | nodes.Term]) -> "ClaimedAtom":
        """An atom."""
        formula = self.formulas.get(signature)
        ticks = self.ticks.get(signature, ())
        return ClaimedAtom(signature, tuple(arguments), self.of_places(signature), formula, ticks)


INTEGERS = Numbers()
"""Those of a program without decimals, times and durations."""


def value_text(value: Value, form: NumberForm | None) -> str:
    """The text of a value, which is written in a form if it is an integer."""
    return number_text(value, form) if form and type(value) is int else text_of(value)


def _as_argument(term: Any, form: NumberForm | None) -> Any:
    """A term that is an argument: times and durations stand in quotes."""
    if not form or isinstance(form, int):
        return _pointed(term, form)
    found = _pointed(term, form)
    return nodes.String(found.text) if isinstance(found, nodes.Decimal) else found


def _pointed(term: Any, decimals: NumberForm | None) -> Any:
    """A term, with a point in its integers, if it is one or adds them up; or the time that it is."""
    match term:
        case nodes.Number(value) if decimals:
            return nodes.Decimal(number_text(value, decimals))
        case nodes.UnaryOperation("-", nodes.Number(value)) if decimals and not isinstance(decimals, int):
            return nodes.Decimal(number_text(-value, decimals))
        case _ if decimals and not isinstance(decimals, int):
            return term
        case nodes.UnaryOperation("-", argument) | nodes.Absolute(argument):
            return replace(term, argument=_pointed(argument, decimals))
        case nodes.BinaryOperation(operator, left, right) if operator in ALIKE:
            left, right = (_pointed(side, decimals) for side in (left, right))
            return replace(term, left=left, right=right)
        case _:
            return term


def _signed(value: Value) -> nodes.Term:
    """The term for a value, with a minus in front of a negative number: points and brackets fit it."""
    if type(value) is int and value < 0:
        return nodes.UnaryOperation("-", nodes.Number(-value))
    return term_of(value)


# --- atoms ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClaimedAtom:
    """An atom that a claim is about.

    Attributes:
        signature: its predicate.
        arguments: their values; terms where they have variables, with values where these are known.
        decimals: what integers at its places stand for.
        formula: the formula in brackets that it stands for, if it does.
        ticks: the places of arguments that are ticks.
    """

    signature: Signature
    arguments: tuple[Value | nodes.Term, ...]
    decimals: tuple[NumberForm | None, ...] = field(default=(), compare=False)
    formula: nodes.FormulaAtom | None = field(default=None, compare=False)
    ticks: Collection[int] = field(default=(), compare=False)

    @property
    def words(self) -> str:
        """Its text for people: that of the formula with the values of its variables, if it stands for one."""
        if self.formula is None:
            return str(self)
        arguments = tuple(nodes.Function(one) for one in self.texts)
        return to_text(replace(self.formula, arguments=arguments))

    def timed(self, shown_tick: Callable[[int], str]) -> str:
        """Its text for people, with the time behind each argument that is a tick: `seen(69 (00:01:09))`."""
        if self.formula is not None or not self.ticks:
            return self.words
        return self._of(
            [
                _with_time(text, value, shown_tick) if place in self.ticks and type(value) is int else text
                for place, (text, value) in enumerate(zip(self.texts, self.arguments, strict=True))
            ]
        )

    def __str__(self) -> str:
        return self._of(self.texts)

    def _of(self, arguments: Sequence[str]) -> str:
        name = self.signature.name if self.signature.is_positive else f"-{self.signature.name}"
        return f"{name}({','.join(arguments)})" if arguments else name

    @property
    def texts(self) -> list[str]:
        """The texts of its arguments."""
        decimals = self.decimals or (None,) * len(self.arguments)
        return [
            to_text(_as_argument(one, places))
            if isinstance(one, nodes.Node)
            else argument_text(one, places or 0)
            for one, places in zip(self.arguments, decimals, strict=True)
        ]

    @property
    def has_variables(self) -> bool:
        """Whether it has variables."""
        return any(isinstance(one, nodes.Node) and any(every(nodes.Variable, one)) for one in self.arguments)

    @property
    def row(self) -> Row | None:
        """The values of its arguments; None where it has variables."""
        values = tuple(one for one in self.arguments if not isinstance(one, nodes.Node))
        return values if len(values) == len(self.arguments) else None

    @property
    def node(self) -> nodes.Atom:
        """The atom of the program that it is."""
        terms = tuple(one if isinstance(one, nodes.Node) else term_of(one) for one in self.arguments)
        return nodes.Atom(self.signature.name, terms, self.signature.is_positive)


@dataclass(frozen=True, slots=True)
class ClaimedTuple:
    """A tuple that counts in an aggregate.

    Attributes:
        row: its values.
        decimals: what integers at its places stand for.
    """

    row: Row
    decimals: tuple[NumberForm | None, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return ",".join(map(value_text, self.row, (*self.decimals, *[None] * len(self.row))))

    def shows(self, atom: ClaimedAtom) -> bool:
        """Whether an atom stands in it, as a term."""
        return atom.row is not None and _is_within(atom.signature, atom.row, self.row)

    def says(self, atom: ClaimedAtom) -> bool:
        """Whether it is an atom, as a term, and no more."""
        return len(self.row) == 1 and atom.row is not None and _is_term(self.row[0], atom.signature, atom.row)


def _with_time(text: str, tick: int, shown_tick: Callable[[int], str]) -> str:
    """The text of a tick, with its time behind it if ticks are shown as times."""
    time = shown_tick(tick)
    return text if time == str(tick) else f"{text} ({time})"


def _is_within(signature: Signature, row: Row, values: Row) -> bool:
    return any(
        _is_term(one, signature, row) or (isinstance(one, Term) and _is_within(signature, row, one.arguments))
        for one in values
    )


def _is_term(value: Value, signature: Signature, row: Row) -> bool:
    """Whether a value is the term that is written as an atom."""
    return (
        isinstance(value, Term)
        and (value.name, value.is_positive) == (signature.name, signature.is_positive)
        and value.arguments == row
    )


# --- parts of rules -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bound:
    """The values of the variables of a rule.

    Attributes:
        values: the values, by name.
        numbers: what integers stand for in it.
    """

    values: Mapping[str, Value]
    numbers: Numbers = field(default=INTEGERS, compare=False)

    @property
    def texts(self) -> dict[str, str]:
        """The values as text."""
        decimals = self.numbers.variables
        return {name: value_text(value, decimals.get(name)) for name, value in self.values.items()}


NOTHING_BOUND = Bound({})
"""That no variable has a value."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A part of the program with the values of its variables; those that have none stay.

    Attributes:
        node: the part, a literal or a term.
        binding: the values.
        numbers: what integers stand for in it.
        condition: the other literals that say what its variables are.
    """

    node: Node
    binding: Mapping[str, Value] = field(default_factory=dict)
    numbers: Numbers = field(default=INTEGERS, compare=False)
    condition: tuple[Literal, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return self.numbers.within(self.condition).text(self.node, self.binding)

    @property
    def atom(self) -> nodes.LiteralAtom | None:
        """The (streaming) atom, comparison or aggregate in a literal; None in a conditional one."""
        return self.node.atom if isinstance(self.node, nodes.Literal) else None

    @property
    def is_negated(self) -> bool:
        """Whether it is a literal with `not`."""
        return isinstance(self.node, nodes.Literal) and self.node.sign is not nodes.Sign.POSITIVE

    @property
    def written(self) -> str:
        """Its text, with windows as they are written."""
        return self.numbers.text(self.node, self.binding, as_written=True)

    def timed(self, body: Iterable["Instance"], shown_tick: Callable[[int], str]) -> str:
        """The text as people read it, with the time behind each tick that a variable has: `at 69 (00:01:09)`.

        Args:
            body: the literals that say which variables are ticks; comparisons may have these as a side.
            shown_tick: a tick as text.
        """
        ticks = tick_variables((one.atom for one in body), self.numbers.ticks)

        def with_time(term: nodes.Term) -> nodes.Term:
            names = {one.name for one in every(nodes.Variable, term)}
            known: Any = with_values(term, self.binding)
            value = integer_value(known, {}) if names else None
            if value is None or not all(isinstance(self.numbers.variables.get(one, 0), int) for one in names):
                return term
            text = str(self.part(term))
            return nodes.Decimal(_with_time(text, value, shown_tick))

        def of_side(term: nodes.Term) -> nodes.Term:
            return with_time(term) if isinstance(term, nodes.Variable) and term.name in ticks else term

        def with_arguments(atom: nodes.Atom) -> nodes.Atom:
            places = self.numbers.ticks.get(atom.signature, ())
            if not places:
                return atom
            arguments = enumerate(atom.arguments)
            return replace(
                atom, arguments=tuple(with_time(one) if at in places else one for at, one in arguments)
            )

        node, atom = self.node, self.atom
        match atom:
            case nodes.AtTick(of, tick):
                atom = replace(atom, atom=with_arguments(of), tick=with_time(tick))
            case nodes.FormulaAtom():
                pass
            case nodes.Atom():
                atom = with_arguments(atom)
            case nodes.Diamond(of) | nodes.Box(of) | nodes.AtLeast(of) | nodes.AtMost(of) | nodes.Count(of):
                atom = replace(atom, atom=with_arguments(of))
            case nodes.Comparison(term, guards):
                guards = tuple(replace(guard, term=of_side(guard.term)) for guard in guards)
                atom = replace(atom, term=of_side(term), guards=guards)
        if isinstance(node, Literal) and atom is not None:
            node = replace(node, atom=atom)
        return self.part(node).written

    def within(self, node: Node, binding: Mapping[str, Value], condition: tuple[Literal, ...]) -> "Instance":
        """An instance of an element of it, with a condition of its own."""
        return Instance(node, binding, self.numbers, condition)

    def part(self, node: Node) -> "Instance":
        """A part of it, with the same values."""
        return Instance(node, self.binding, self.numbers)

    def shows(self, atom: ClaimedAtom) -> bool:
        """Whether an atom stands in it; no alternative of a pool does, which is not written out."""
        if any(every(nodes.Pool, self.node)):
            return False
        atoms = (one for one in every(nodes.Atom, self.node) if one.signature == atom.signature)
        text = str(atom)
        return any(str(self.part(one)) == text for one in atoms)

    def says(self, atom: ClaimedAtom) -> bool:
        """Whether it is an atom, and no more."""
        return isinstance(self.atom, nodes.Atom) and not self.is_negated and self.shows(atom)
