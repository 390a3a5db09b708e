"""The terms of rules over rows: how they are made of a rule's terms, and what they bind."""

import dataclasses
from collections.abc import Collection, Iterable, Mapping, Sequence

from lars2asp.analysis.arithmetic.constants import integer_term, integer_value
from lars2asp.analysis.arithmetic.linear_bounds import linear_variable
from lars2asp.planning.names import Names
from lars2asp.planning.rows.row_rules import AggregatePart, BodyPart, ConditionPart, ElementPart, LookupPart
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Sign, Term
from lars2asp.syntax.traversal import rewrite, variable_names

ANY = nodes.Variable("_")


class RowTerms:
    """Makes the terms of one rule; what has several values becomes a variable with a condition on it.

    Args:
        names: gives names to variables.
        constants: the values of integer constants.
        values: the terms for all constants.
    """

    def __init__(self, names: Names, constants: Mapping[str, int], values: Mapping[str, Term]) -> None:
        self._names = names
        self._constants = constants
        self._values = values
        self._count = 0

    def fresh(self) -> nodes.Variable:
        """A variable that the rule does not have."""
        self._count += 1
        return nodes.Variable(self._names.variable(self._count))

    def value(self, term: Term, parts: list[BodyPart], *, keeps_any: bool = False) -> Term:
        """The term, with the conditions on its new variables added to `parts`.

        `_` becomes a new variable too, unless it is to be kept.
        """
        number = integer_value(term, self._constants)
        if number is not None:
            return integer_term(number, term.location)
        match term:
            case nodes.Variable("_") if not keeps_any:
                return self.fresh()
            case nodes.Function(name, (), False) if name in self._values:
                return self._values[name]
            case nodes.Function(arguments=arguments) | nodes.Tuple(arguments):
                inner = tuple(self.value(argument, parts, keeps_any=keeps_any) for argument in arguments)
                changed: Term = dataclasses.replace(term, arguments=inner)
            case nodes.UnaryOperation(_, argument) | nodes.Absolute(argument):
                changed = dataclasses.replace(term, argument=self.value(argument, parts))
            case nodes.BinaryOperation(_, left, right):
                one, other = self.value(left, parts), self.value(right, parts)
                changed = dataclasses.replace(term, left=one, right=other)
            case _:
                return term
        return self._apart(changed, parts) if has_several_values(changed) else changed

    def matchable(self, term: Term, parts: list[BodyPart], *, keeps_linear: bool = True) -> Term:
        """The pattern for a value's term: what cannot be matched becomes a variable with a condition as well.

        Without linear arithmetic in it if that is not kept.
        """
        match term:
            case nodes.Function(arguments=arguments) | nodes.Tuple(arguments):
                inner = tuple(self.matchable(one, parts, keeps_linear=keeps_linear) for one in arguments)
                return dataclasses.replace(term, arguments=inner)
            case nodes.UnaryOperation("-", argument) if keeps_linear and _is_negated(argument):
                return dataclasses.replace(term, argument=self.matchable(argument, parts))
            case _ if is_computed(term) and not (keeps_linear and _is_linear(term)):
                return self._apart(term, parts)
            case _:
                return term

    def side(self, term: Term, parts: list[BodyPart]) -> Term:
        """A value's term as one side of an equation: a pattern, or arithmetic over bound variables."""
        is_arithmetic = isinstance(term, nodes.UnaryOperation | nodes.Absolute | nodes.BinaryOperation)
        return term if is_arithmetic and not is_pattern(term) else self.matchable(term, parts)

    def named(self, term: Term) -> Term:
        """The term with new variables for `_`."""
        return rewrite(term, lambda node: self.fresh() if node == ANY else node)

    def _apart(self, term: Term, parts: list[BodyPart]) -> nodes.Variable:
        variable = self.fresh()
        parts.append(ConditionPart(variable, "=", term, term.location))
        return variable


def has_several_values(term: Term) -> bool:
    """Whether a term is an interval or a call, which may have several values or none."""
    match term:
        case nodes.BinaryOperation(operator):
            return operator == ".."
        case nodes.Function(is_external=is_external):
            return is_external
        case _:
            return False


def is_pattern(term: Term) -> bool:
    """Whether a match with a value binds all variables of a term."""
    match term:
        case nodes.Function(_, arguments, is_external):
            return not is_external and all(map(is_pattern, arguments))
        case nodes.Tuple(arguments):
            return all(map(is_pattern, arguments))
        case nodes.UnaryOperation("-", argument) if _is_negated(argument):
            return is_pattern(argument)
        case _:
            return not is_computed(term) or _is_linear(term)


def is_computed(term: Term) -> bool:
    """Whether there is something to compute in a term, so that it may be undefined."""
    match term:
        case nodes.Function(_, arguments, is_external):
            return is_external or any(map(is_computed, arguments))
        case nodes.Tuple(arguments):
            return any(map(is_computed, arguments))
        case nodes.UnaryOperation("-", nodes.Number()):
            return False
        case nodes.UnaryOperation() | nodes.Absolute() | nodes.BinaryOperation():
            return True
        case _:
            return False


def _is_negated(term: Term) -> bool:
    """Whether a value with a minus can be matched with a minus in front of the term."""
    match term:
        case nodes.Variable() | nodes.Function(is_external=False) | nodes.Tuple():
            return True
        case nodes.UnaryOperation("-", argument):
            return _is_negated(argument)
        case _:
            return False


def _is_linear(term: Term) -> bool:
    """Whether a term is linear over one variable, which stands in it once."""
    return linear_variable(term, {}) is not None


# --- what parts bind ------------------------------------------------------------------------------------


def variables_outside(rule: nodes.Rule) -> frozenset[str]:
    """The names of the variables of a rule that stand outside of elements and conditional literals."""
    outside: list[nodes.Node] = [rule.head] if rule.head is not None else []
    for part in rule.body:
        match part:
            case nodes.Literal(nodes.Aggregate() | nodes.SetAggregate() as aggregate):
                outside += filter(None, (aggregate.left, aggregate.right))
            case nodes.Literal():
                outside.append(part)
    return frozenset(variable_names(*outside))


def variables_of_terms(terms: Iterable[Term]) -> set[str]:
    """The names of the variables in terms but for `_`."""
    return variable_names(*terms)


def terms_of(part: BodyPart) -> Sequence[Term]:
    """The terms of a part but for those within elements."""
    match part:
        case LookupPart():
            return part.terms
        case ConditionPart():
            return part.left, part.right
        case AggregatePart():
            return tuple(term for _, term in part.guards)


def variables_of_parts(parts: Iterable[BodyPart]) -> set[str]:
    """The names of the variables in parts but for those within elements."""
    return variables_of_terms(term for part in parts for term in terms_of(part))


def variables_of_element(element: ElementPart) -> set[str]:
    """The names of the variables in an element."""
    return variables_of_terms(element.terms) | variables_of_parts(element.body)


def bound_variables(parts: Sequence[BodyPart], known: Collection[str], shared: Collection[str]) -> set[str]:
    """The names of the variables that are bound in the end.

    Args:
        parts: the parts of a body.
        known: the variables that are bound before.
        shared: the variables that aggregates do not bind within their elements.
    """
    bound = set(known)
    waiting = [binding for part in parts for binding in bindings(part, shared)]
    while True:
        left = []
        for provided, needed in waiting:
            if needed <= bound:
                bound |= provided
            else:
                left.append((provided, needed))
        if len(left) == len(waiting):
            return bound
        waiting = left


def bindings(part: BodyPart, shared: Collection[str]) -> list[tuple[set[str], set[str]]]:
    """The variables that a part binds, once others are bound: there may be several ways.

    Args:
        part: the part.
        shared: the variables that aggregates do not bind within their elements.
    """
    match part:
        case LookupPart(_, terms, Sign.POSITIVE):
            return [(variables_of_terms(terms), set())]
        case ConditionPart(left, "=", right):
            return [
                (variables_of_terms([one]), variables_of_terms([other]))
                for one, other in ((left, right), (right, left))
                if is_pattern(one)
            ]
        case AggregatePart(_, elements, guards, Sign.POSITIVE):
            inside = {name for element in elements for name in variables_of_element(element)}
            given = variables_of_terms(term for comparison, term in guards if comparison == "=")
            return [(given, inside.intersection(shared))]
        case _:
            return []
