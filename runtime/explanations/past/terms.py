"""Terms of the program over values: what they stand for, and how they match."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from lars2asp.analysis.arithmetic.linear_bounds import linear_variable
from lars2asp.externals.terms.arithmetic import negated, operation
from lars2asp.externals.terms.order import same
from lars2asp.externals.terms.terms import (
    INFIMUM,
    SUPREMUM,
    Row,
    Term,
    Value,
    function,
    tuple_term,
)
from lars2asp.externals.terms.text import text_of
from lars2asp.syntax import nodes
from lars2asp.syntax.node import FIELDS, node
from lars2asp.syntax.nodes import NOW
from lars2asp.syntax.printer import as_written as duration_as_written
from lars2asp.syntax.traversal import children, every, rewrite

Binding = dict[str, Value]
"""The values of variables, by name."""


@node
class Known(nodes.Function):
    """A value in place of a term; its name is what is written."""

    value: Value = 0


def term_of(value: Value) -> nodes.Term:
    """The term that is written for a value."""
    return nodes.Number(value) if type(value) is int else Known(text_of(value), value=value)


def _value_of(term: nodes.Term) -> Value | nodes.Term:
    """The value for which a term was written."""
    return term.value if isinstance(term, Known | nodes.Number) else term


class Terms:
    """What terms stand for at a tick.

    Args:
        constants: the terms of `#const` names.
        numbers: the integers among them.
        functions: the user's `@`-functions, over values.
    """

    def __init__(
        self,
        constants: Mapping[str, nodes.Term],
        numbers: Mapping[str, int],
        functions: Mapping[str, Callable[..., Row]],
    ) -> None:
        self._constants = constants
        self.numbers = numbers
        self._functions = functions

    def value(self, term: nodes.Term, binding: Mapping[str, Value], now: int) -> Value | None:
        """The value of a term that has one; None where a variable has none, or arithmetic is undefined."""
        return next(self.values(term, binding, now), None)

    def values(self, term: nodes.Term, binding: Mapping[str, Value], now: int) -> Iterator[Value]:
        """The values of a term: intervals and `@`-calls may have several, or none."""
        match term:
            case nodes.Variable(name):
                if name in binding:
                    yield binding[name]
            case nodes.Number(value) | nodes.String(value):
                yield value
            case nodes.Extremum(name):
                yield INFIMUM if name == "#inf" else SUPREMUM
            case Known():
                yield term.value
            case nodes.Function(name, (), False):
                constant = self._constants.get(name)
                if constant is None:
                    yield function(name, ())
                else:
                    yield from self.values(constant, binding, now)
            case nodes.Function(name, arguments, is_external):
                if term == NOW:
                    yield now
                    return
                for row in self.rows(arguments, binding, now):
                    if is_external:
                        yield from self._functions[name](*row)
                    else:
                        yield function(name, row)
            case nodes.Tuple(arguments):
                yield from map(tuple_term, self.rows(arguments, binding, now))
            case nodes.UnaryOperation(operator, argument):
                for one in self.values(argument, binding, now):
                    found = negated(one) if operator == "-" else (~one if type(one) is int else None)
                    if found is not None:
                        yield found
            case nodes.Absolute(argument):
                yield from (abs(o) for o in self.values(argument, binding, now) if type(o) is int)
            case nodes.BinaryOperation(operator, left, right):
                for one in self.values(left, binding, now):
                    for other in self.values(right, binding, now):
                        if operator == "..":
                            if type(one) is int and type(other) is int:
                                yield from range(one, other + 1)
                            continue
                        found = operation(operator, one, other)
                        if found is not None:
                            yield found

    def rows(self, terms: Sequence[nodes.Term], binding: Mapping[str, Value], now: int) -> Iterator[Row]:
        """The rows of values of terms."""
        if not terms:
            yield ()
            return
        for first in self.values(terms[0], binding, now):
            for rest in self.rows(terms[1:], binding, now):
                yield (first, *rest)

    def row(self, terms: Sequence[nodes.Term], binding: Mapping[str, Value], now: int) -> Row | None:
        """The values of terms that have one each; None where one has none."""
        return next(self.rows(terms, binding, now), None)

    def match(self, term: nodes.Term, value: Value, binding: Binding, now: int) -> Binding | None:
        """The binding, extended so that the term has the value; None if there is no way.

        `_` takes any value. Arithmetic binds a variable where the rest of it is known (`X+1`), and for a `_`
        in it there must be an integer.
        """
        match term:
            case nodes.Variable("_"):
                return binding
            case nodes.Variable(name):
                known = binding.get(name)
                if known is None:
                    return binding | {name: value}
                return binding if known == value and type(known) is type(value) else None
            case nodes.Function(name, arguments, False) if arguments:
                return self._match_inside(name, arguments, value, binding, now)
            case nodes.Tuple(arguments) if arguments:
                return self._match_inside("", arguments, value, binding, now)
            case nodes.UnaryOperation("-", argument) if not self.is_bound(argument, binding):
                contrary = negated(value)
                return None if contrary is None else self.match(argument, contrary, binding, now)
            case nodes.BinaryOperation() if (variable := self.unknown(term, binding)) is not None:
                return self._solved(term, variable, value, binding, now)
        return binding if any(same(one, value) for one in self.values(term, binding, now)) else None

    def match_all(self, terms: Sequence[nodes.Term], row: Row, binding: Binding, now: int) -> Binding | None:
        """The same for terms and a row of values; terms that bind variables go before arithmetic."""
        if len(terms) != len(row):
            return None
        found: Binding | None = binding
        later = []
        for term, value in zip(terms, row, strict=True):
            if _is_arithmetic(term):
                later.append((term, value))
                continue
            assert found is not None
            found = self.match(term, value, found, now)
            if found is None:
                return None
        for term, value in later:
            assert found is not None
            found = self.match(term, value, found, now)
            if found is None:
                return None
        return found

    def is_bound(self, term: nodes.Node, binding: Mapping[str, object]) -> bool:
        """Whether all variables of a term have values."""
        return all(one.name in binding for one in every(nodes.Variable, term))

    def pattern(
        self, terms: Sequence[nodes.Term], binding: Binding, now: int
    ) -> tuple[Value | nodes.Term, ...]:
        """The values of terms; where not all variables have one, terms with the values of what has one."""

        def known(term: nodes.Node) -> nodes.Node:
            if isinstance(term, nodes.Term) and self.is_bound(term, binding):
                values = [*islice(self.values(term, binding, now), 2)]
                if len(values) == 1:
                    return term_of(values[0])
            changes: dict[str, Any] = {
                name: known_within(getattr(term, name)) for name in FIELDS[type(term)].inner
            }
            return replace(term, **changes) if changes else term

        def known_within(value: Any) -> Any:
            if isinstance(value, tuple):
                return tuple(map(known_within, value))
            return known(value) if isinstance(value, nodes.Node) else value

        return tuple(_value_of(known_within(term)) for term in terms)

    def _match_inside(
        self, name: str, arguments: Sequence[nodes.Term], value: Value, binding: Binding, now: int
    ) -> Binding | None:
        if not isinstance(value, Term) or value.name != name or not value.is_positive:
            return None
        return self.match_all(arguments, value.arguments, binding, now)

    def unknown(self, term: nodes.Term, binding: Mapping[str, object]) -> nodes.Variable | None:
        """The variable without value of a term `a*X+b`, the value of which says that of the variable."""
        variable = linear_variable(term, self.numbers)
        return None if variable is None or variable.name in binding else variable

    def _solved(
        self, term: nodes.Term, variable: nodes.Variable, value: Value, binding: Binding, now: int
    ) -> Binding | None:
        """The binding with the number for which a linear term has a value; `_` keeps none."""
        offset, slope = (self.value(term, binding | {variable.name: number}, now) for number in (0, 1))
        if type(value) is not int or type(offset) is not int or type(slope) is not int:
            return None
        found, rest = divmod(value - offset, slope - offset)
        if rest:
            return None
        return binding if variable.is_anonymous else binding | {variable.name: found}

    def is_found_by_matching(self, term: nodes.Term, binding: Mapping[str, object]) -> bool:
        """Whether matching finds the values of the variables of a term that have none."""
        match term:
            case nodes.Variable() | nodes.Number() | nodes.String() | nodes.Extremum():
                return True
            case nodes.Function(_, arguments, False) | nodes.Tuple(arguments):
                return all(self.is_found_by_matching(argument, binding) for argument in arguments)
            case nodes.UnaryOperation("-", argument):
                return self.is_found_by_matching(argument, binding)
            case _:
                return self.is_bound(term, binding) or self.unknown(term, binding) is not None


def _is_arithmetic(term: nodes.Term) -> bool:
    return isinstance(term, nodes.UnaryOperation | nodes.BinaryOperation | nodes.Absolute)


def is_multiple(node: nodes.Node) -> bool:
    """Whether a term may have several values: an interval, or a call."""
    if isinstance(node, nodes.Function):
        return node.is_external and node != NOW
    return isinstance(node, nodes.BinaryOperation) and node.operator == ".."


def terms_of(node: nodes.Node) -> Iterator[nodes.Term]:
    """The terms in an atom of any kind that are within no other term, nor in elements."""
    for child in children(node):
        if isinstance(child, nodes.Term):
            yield child
        elif not isinstance(child, nodes.AggregateElement | nodes.ConditionalLiteral):
            yield from terms_of(child)


def is_number(term: nodes.Term) -> bool:
    """Whether a term stands for numbers alone."""
    return isinstance(term, nodes.BinaryOperation | nodes.Absolute) or (
        isinstance(term, nodes.UnaryOperation) and term.operator == "~"
    )


def with_values(node: nodes.Node, binding: Mapping[str, Value], *, as_written: bool = False) -> nodes.Node:
    """The node with the values of variables in place of them, for its text.

    Args:
        node: the node.
        binding: the values.
        as_written: whether windows have the units that they were written with.
    """

    def changed(part: nodes.Node) -> nodes.Node:
        if isinstance(part, nodes.Variable) and part.name in binding:
            return term_of(binding[part.name])
        if as_written and isinstance(part, nodes.Duration):
            return duration_as_written(part)
        return part

    return rewrite(node, changed)
