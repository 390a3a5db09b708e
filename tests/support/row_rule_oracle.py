"""What rules over rows derive, by the meaning of each part: all instances, one after the other."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from lars2asp.analysis.arithmetic.linear_bounds import linear
from lars2asp.definition.terms import value as value_of
from lars2asp.externals.terms.order import value_key
from lars2asp.externals.terms.terms import INFIMUM, SUPREMUM, Row, Value, function
from lars2asp.externals.terms.terms import Term as GroundTerm
from lars2asp.planning.lookups import Lookup
from lars2asp.planning.rows.row_rules import (
    AggregatePart,
    BodyPart,
    ConditionPart,
    ElementPart,
    LookupPart,
    RowRule,
)
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Sign, Signature, Term
from lars2asp.syntax.traversal import rewrite, walk

Answers = Mapping[Lookup, Collection[Row]]
Functions = Mapping[str, Callable[..., Value | Sequence[Value]]]
Binding = dict[str, Value]


def derived(
    rules: Iterable[RowRule], answers: Answers, functions: Functions | None = None
) -> dict[Signature, set[Row]]:
    """The rows that rules derive, by predicate; `answers` has the rows of each lookup (none by default).

    User functions take values and return one, or a list of them.
    """
    found: dict[Signature, set[Row]] = {}
    for rule in rules:
        rows = found.setdefault(rule.derives, set())
        rows.update(row for row, _ in instances(rule, answers, functions))
    return found


def instances(
    rule: RowRule, answers: Answers, functions: Functions | None = None
) -> Iterator[tuple[Row, Binding]]:
    """The instances of a rule: what each derives, and the values of the variables outside of elements."""
    evaluation = _Evaluation(answers, functions or {}, _global_variables(rule))
    for binding in evaluation.solutions(rule.body, {}):
        row = evaluate_all(rule.terms, binding)
        if row is not None:
            yield row, binding


def _global_variables(rule: RowRule) -> frozenset[str]:
    """The variables that stand outside of elements."""
    terms = [*rule.terms]
    for part in rule.body:
        match part:
            case LookupPart():
                terms += part.terms
            case ConditionPart():
                terms += (part.left, part.right)
            case AggregatePart():
                terms += (term for _, term in part.guards)
    return variables(terms)


def variables(terms: Iterable[Term]) -> frozenset[str]:
    """The names of the variables in terms, `_` left out."""
    return frozenset(
        part.name
        for term in terms
        for part in walk(term)
        if isinstance(part, nodes.Variable) and not part.is_anonymous
    )


class UnsafeError(Exception):
    """No part can be worked out next: variables are bound nowhere."""


class _Evaluation:
    def __init__(self, answers: Answers, functions: Functions, global_variables: frozenset[str]) -> None:
        self._answers = answers
        self._functions = functions
        self._global = global_variables

    def solutions(self, parts: Sequence[BodyPart], binding: Binding) -> Iterator[Binding]:
        """The ways to bind variables that make all parts true."""
        if not parts:
            yield binding
            return
        ready = [place for place, part in enumerate(parts) if self._is_ready(part, binding)]
        if not ready:
            raise UnsafeError(f"{[*map(str, parts)]} with {binding}")
        place = min(ready, key=lambda place: isinstance(parts[place], LookupPart))
        rest = [*parts[:place], *parts[place + 1 :]]
        for extended in self._extended(parts[place], binding):
            yield from self.solutions(rest, extended)

    # --- readiness ------------------------------------------------------------------------------------

    def _is_ready(self, part: BodyPart, binding: Binding) -> bool:
        match part:
            case LookupPart(_, terms, Sign.POSITIVE):
                return all(_is_matchable(term, binding) for term in terms)
            case LookupPart(_, terms):
                return variables(terms) <= binding.keys()
            case ConditionPart(left, "=", right):
                sides = ((left, right), (right, left))
                return any(
                    variables([one]) <= binding.keys() and _is_matchable(other, binding)
                    for one, other in sides
                )
            case ConditionPart(left, _, right):
                return variables([left, right]) <= binding.keys()
            case AggregatePart(_, elements, guards, sign):
                inside = [term for element in elements for term in _terms_of(element)]
                return variables(inside) & self._global <= binding.keys() and all(
                    _is_matchable(term, binding)
                    if comparison == "=" and sign is Sign.POSITIVE
                    else variables([term]) <= binding.keys()
                    for comparison, term in guards
                )

    # --- parts ----------------------------------------------------------------------------------------

    def _extended(self, part: BodyPart, binding: Binding) -> Iterator[Binding]:
        match part:
            case LookupPart(lookup, terms, Sign.POSITIVE):
                for row in self._answers.get(lookup, ()):
                    extended = match_all(terms, row, binding)
                    if extended is not None:
                        yield extended
            case LookupPart(lookup, terms, sign):
                if evaluate_all([_without_anonymous(term) for term in terms], binding) is None:
                    return
                rows = self._answers.get(lookup, ())
                holds = any(match_all(terms, row, binding) is not None for row in rows)
                if holds == (sign is Sign.NOT_NOT):
                    yield binding
            case ConditionPart():
                yield from self._condition(part, binding)
            case AggregatePart():
                yield from self._aggregate(part, binding)

    def _condition(self, part: ConditionPart, binding: Binding) -> Iterator[Binding]:
        if part.comparison != "=":
            left, right = evaluate(part.left, binding), evaluate(part.right, binding)
            if left is not None and right is not None and compare(part.comparison, left, right):
                yield binding
            return
        pattern, other = part.left, part.right
        if not variables([other]) <= binding.keys():
            pattern, other = other, pattern
        for value in self._values(other, binding):
            extended = match(pattern, value, binding)
            if extended is not None:
                yield extended

    def _values(self, term: Term, binding: Binding) -> Iterator[Value]:
        """The values of a term, of which intervals and calls may have several."""
        match term:
            case nodes.BinaryOperation("..", low, high):
                first, last = evaluate(low, binding), evaluate(high, binding)
                if isinstance(first, int) and isinstance(last, int):
                    yield from range(first, last + 1)
            case nodes.Function(name, arguments, True):
                values = evaluate_all(arguments, binding)
                if values is not None:
                    found = self._functions[name](*values)
                    yield from found if isinstance(found, list) else [found]  # type: ignore[misc]
            case _:
                value = evaluate(term, binding)
                if value is not None:
                    yield value

    def _aggregate(self, part: AggregatePart, binding: Binding) -> Iterator[Binding]:
        shared = {name: value for name, value in binding.items() if name in self._global}
        tuples = {
            row
            for element in part.elements
            for solution in self.solutions(element.body, shared)
            if (row := evaluate_all(element.terms, solution)) is not None
        }
        value = total(part.function, tuples)
        if part.sign is Sign.POSITIVE:
            extended: Binding | None = binding
            for comparison, term in sorted(part.guards, key=lambda guard: guard[0] != "="):
                if extended is None:
                    return
                if comparison == "=":
                    extended = match(term, value, extended)
                    continue
                bound = evaluate(term, extended)
                extended = extended if bound is not None and compare(comparison, value, bound) else None
            if extended is not None:
                yield extended
            return
        bounds = [(comparison, evaluate(term, binding)) for comparison, term in part.guards]
        if any(bound is None for _, bound in bounds):
            return
        holds = all(bound is not None and compare(comparison, value, bound) for comparison, bound in bounds)
        if holds == (part.sign is Sign.NOT_NOT):
            yield binding


def _terms_of(element: ElementPart) -> Iterator[Term]:
    yield from element.terms
    for part in element.body:
        match part:
            case LookupPart():
                yield from part.terms
            case ConditionPart():
                yield from (part.left, part.right)
            case AggregatePart(_, elements, guards):
                yield from (term for _, term in guards)
                for inner in elements:
                    yield from _terms_of(inner)


# --- terms --------------------------------------------------------------------------------------------


def evaluate(term: Term, binding: Mapping[str, Value]) -> Value | None:
    """The value of a term whose variables are bound; None where it is undefined."""
    match term:
        case nodes.Number(value):
            return value
        case nodes.String(text):
            return text
        case nodes.Extremum(name):
            return INFIMUM if name == "#inf" else SUPREMUM
        case nodes.Variable(name):
            return binding[name]
        case nodes.Function(_, arguments, False) | nodes.Tuple(arguments):
            row = evaluate_all(arguments, binding)
            name = term.name if isinstance(term, nodes.Function) else ""
            return None if row is None else function(name, row)
        case nodes.UnaryOperation("-", argument):
            operand = evaluate(argument, binding)
            return _negated(operand)
        case nodes.UnaryOperation("~", argument):
            operand = evaluate(argument, binding)
            return ~operand if isinstance(operand, int) else None
        case nodes.Absolute(argument):
            operand = evaluate(argument, binding)
            return abs(operand) if isinstance(operand, int) else None
        case nodes.BinaryOperation(operator, left, right) if operator != "..":
            one, other = evaluate(left, binding), evaluate(right, binding)
            if not isinstance(one, int) or not isinstance(other, int):
                return None
            return _computed(operator, one, other)
        case _:
            raise TypeError(f"{term} has no one value")


def evaluate_all(terms: Iterable[Term], binding: Mapping[str, Value]) -> Row | None:
    """The values of terms; None where one has none."""
    values = [evaluate(term, binding) for term in terms]
    return None if None in values else tuple(value for value in values if value is not None)


def _negated(value: Value | None) -> Value | None:
    if isinstance(value, int):
        return -value
    if isinstance(value, GroundTerm) and value not in (INFIMUM, SUPREMUM) and (value.name or value.arguments):
        return function(value.name, value.arguments, is_positive=not value.is_positive)
    return None


def _computed(operator: str, one: int, other: int) -> int | None:
    """What the definition makes of arithmetic over integers."""
    known = {"one": one, "other": other}
    found = value_of(nodes.BinaryOperation(operator, nodes.Variable("one"), nodes.Variable("other")), known)
    assert found is None or isinstance(found, int)
    return found


def _is_matchable(term: Term, binding: Binding) -> bool:
    """Whether a value of the term binds all variables that are not bound."""
    if variables([term]) <= binding.keys():
        return not any(
            isinstance(part, nodes.BinaryOperation) and part.operator == ".." for part in walk(term)
        )
    match term:
        case nodes.Variable():
            return True
        case nodes.Function(_, arguments, False) | nodes.Tuple(arguments):
            return all(_is_matchable(argument, binding) for argument in arguments)
        case nodes.UnaryOperation(
            "-", nodes.Variable() | nodes.Function() | nodes.Tuple() | nodes.UnaryOperation() as argument
        ):
            return _is_matchable(argument, binding)
        case _:
            expression = linear(term, {})
            return expression is not None and len(expression.factors) == 1


def match_all(terms: Sequence[Term], row: Row, binding: Binding) -> Binding | None:
    """The binding extended so that the terms have the values; None if there is no way."""
    assert len(terms) == len(row)
    extended: Binding | None = binding
    for term, value in zip(terms, row, strict=True):
        if extended is not None:
            extended = match(term, value, extended)
    return extended


def match(term: Term, value: Value, binding: Binding) -> Binding | None:
    """The same for one term; `_` has any value."""
    match term:
        case nodes.Variable("_"):
            return binding
        case nodes.Variable(name) if name not in binding:
            return binding | {name: value}
        case nodes.Function(name, arguments, False) if arguments:
            return _match_arguments(name, arguments, value, binding)
        case nodes.Tuple(arguments):
            return _match_arguments("", arguments, value, binding)
    if variables([term]) <= binding.keys():
        return binding if _same(evaluate(term, binding), value) else None
    match term:
        case nodes.UnaryOperation(
            "-", nodes.Variable() | nodes.Function() | nodes.Tuple() | nodes.UnaryOperation() as argument
        ):
            opposite = _negated(value)
            return None if opposite is None else match(argument, opposite, binding)
    expression = linear(term, {})
    assert expression is not None
    [(name, factor)] = expression.factors.items()
    if not isinstance(value, int) or (value - expression.constant) % factor:
        return None
    solution = (value - expression.constant) // factor
    return binding | {name: solution}


def _match_arguments(name: str, arguments: Sequence[Term], value: Value, binding: Binding) -> Binding | None:
    if not isinstance(value, GroundTerm) or not value.is_positive or value.name != name:
        return None
    return match_all(arguments, value.arguments, binding) if len(value.arguments) == len(arguments) else None


def _without_anonymous(term: Term) -> Term:
    return rewrite(term, lambda node: nodes.Number(0) if node == nodes.Variable("_") else node)


def _same(one: Value | None, other: Value | None) -> bool:
    return one is other if isinstance(one, GroundTerm) else type(one) is type(other) and one == other


def compare(comparison: str, left: Value, right: Value) -> bool:
    """Whether a comparison in clingo's order is true."""
    one, other = value_key(left), value_key(right)
    return {
        "=": one == other,
        "!=": one != other,
        "<": one < other,
        "<=": one <= other,
        ">": one > other,
        ">=": one >= other,
    }[comparison]


def total(aggregate: str, tuples: set[Row]) -> Value:
    """The value of an aggregate over a set of tuples."""
    if aggregate == "#count":
        return len(tuples)
    firsts = [row[0] for row in tuples if row]
    if aggregate in ("#sum", "#sum+"):
        weights = [weight for weight in firsts if isinstance(weight, int)]
        return sum(weight for weight in weights if weight > 0 or aggregate == "#sum")
    if aggregate == "#min":
        return min(firsts, key=value_key, default=SUPREMUM)
    return max(firsts, key=value_key, default=INFIMUM)
