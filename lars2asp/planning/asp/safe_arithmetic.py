r"""Arithmetic that clingo evaluates whatever the numbers are.

clingo divides as C does: the least integer divided by -1, or its remainder, ends the process. `|Y|` is never
-1 (that of the least integer is itself); so where Y may be -1 and X the least integer

    X/Y    becomes    X/|Y|*(Y/|Y|)
    X\Y    becomes    X\|Y|

with the same value, and none where there was none. Where clingo matches `n-X` with a number it divides by -1,
too. What is bound by a match is a variable W in place of `-X`, which clingo turns round without a division:

    a(X) :- p(5-X).    becomes    a(X) :- p(W+5), W = -X.

and where X is bound elsewhere, a division by 1 keeps clingo from matching: `not p(5-X)` becomes
`not p((5-X)/1)`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from lars2asp.analysis.arithmetic.constants import integer_term, integer_value
from lars2asp.analysis.arithmetic.linear_bounds import linear, linear_variable
from lars2asp.analysis.arithmetic.linear_forms import in_messages
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import SMALLEST_INTEGER, Node, Sign, Statement, Term, Variable, is_plain_fact, node
from lars2asp.syntax.traversal import NodeT, body_of, every, outer_variables, rewrite, variable_names, walk
from lars2asp.syntax.values import dataclass

_ARITHMETIC = nodes.BinaryOperation | nodes.UnaryOperation
_ONE = nodes.Number(1)


@node
class TurnedLiteral(nodes.Literal):
    """`W = -X`, where a generated variable W stands for the contrary of a variable of the user's."""

    atom: nodes.Comparison
    turned: Variable = field(kw_only=True)
    generated: Variable = field(kw_only=True)


@dataclass(frozen=True)
class SafeStatement:
    """A statement in which clingo evaluates all arithmetic.

    Attributes:
        statement: the statement.
        meant: for what clingo may say about it, what it would say of what the user wrote.
    """

    statement: Statement
    meant: Mapping[str, str]


def made_safe(statement: Statement, constants: Mapping[str, int], names: Names) -> SafeStatement:
    """The statement with other arithmetic in place of what could end the process."""
    if is_plain_fact(statement) or not any(isinstance(part, _ARITHMETIC) for part in walk(statement)):
        return SafeStatement(statement, {})
    said = _Said(constants, names.now)
    divided = _Divisions(constants, said).rewritten(statement)
    return SafeStatement(_Differences(constants, names, said, divided).statement(divided), said.meant)


class _Said:
    """What clingo says of terms of which it cannot compute the value.

    Attributes:
        meant: for such messages about terms that are generated, those about what the user wrote.
    """

    def __init__(self, constants: Mapping[str, int], now: str) -> None:
        self._constants = constants
        self._now = now
        self.meant: dict[str, str] = {}

    def translate(self, generated: Iterable[Term], written: Term) -> None:
        """Has what is said of generated terms said of the term that was written."""
        message = self._message(written)
        self.meant.update({self._message(term): message for term in generated})

    def _message(self, term: Term) -> str:
        def valued(part: Node) -> Node:
            match part:
                case nodes.Function(name, (), False) if name == self._now:
                    return nodes.NOW
                case nodes.Function(name, (), False) if name in self._constants:
                    return integer_term(self._constants[name])
                case _:
                    return part

        return f"operation undefined:\n  {in_messages(rewrite(term, valued))}"


class _Divisions:
    def __init__(self, constants: Mapping[str, int], said: _Said) -> None:
        self._constants = constants
        self._said = said
        self._written: dict[Node, nodes.BinaryOperation] = {}
        """The divisions that others stand for."""

    def rewritten(self, node: NodeT) -> NodeT:
        """The node with other divisions in place of some."""
        return rewrite(node, self._changed)

    def _changed(self, part: Node) -> Node:
        if not isinstance(part, nodes.BinaryOperation) or part.operator not in ("/", "\\"):
            return part
        dividend, divisor = (integer_value(term, self._constants) for term in (part.left, part.right))
        if divisor not in (None, -1) or dividend not in (None, SMALLEST_INTEGER):
            return part
        size = nodes.Absolute(part.right, location=part.right.location)
        made = replace(part, right=size)
        generated: tuple[Term, ...] = (size, made)
        if part.operator == "/":
            sign = replace(part, left=part.right, right=size)
            generated = (*generated, sign)
            made = replace(part, operator="*", left=made, right=sign)
        written = replace(part, left=self._original(part.left), right=self._original(part.right))
        self._written[made] = written
        self._said.translate(generated, written)
        return made

    def _original(self, term: Term) -> Term:
        """The term as it was before divisions in it were changed."""
        if term in self._written:
            return self._written[term]
        match term:
            case nodes.BinaryOperation(_, left, right):
                return replace(term, left=self._original(left), right=self._original(right))
            case nodes.UnaryOperation(_, argument) | nodes.Absolute(argument):
                return replace(term, argument=self._original(argument))
            case nodes.Function(arguments=arguments) | nodes.Tuple(arguments):
                return replace(term, arguments=tuple(map(self._original, arguments)))
            case _:
                return term


class _Differences:
    """Changes `n-X` where clingo would match it with numbers.

    That is in arguments of atoms and on the sides of equations: elsewhere it is computed only.
    """

    def __init__(self, constants: Mapping[str, int], names: Names, said: _Said, statement: Statement) -> None:
        self._constants = constants
        self._names = names
        self._said = said
        self._used = variable_names(statement)
        self._count = 0
        self._outside = outer_variables(statement)

    def statement(self, statement: Statement) -> Statement:
        if not any(map(self._difference, walk(statement))):
            return statement
        changes: dict[str, Any] = {}
        if body_of(statement):
            changes["body"] = self._body(body_of(statement))
        for name in ("head", "atom"):
            head = getattr(statement, name, None)
            if isinstance(head, nodes.Atom):
                changes[name] = self._computed(head)
            elif isinstance(head, nodes.Disjunction | nodes.SetAggregate | nodes.HeadAggregate):
                elements: Any = tuple(map(self._head_element, head.elements))
                changes[name] = replace(head, elements=elements)
        return replace(statement, **changes)

    # --- parts of statements --------------------------------------------------------------------------

    def _body(self, body: nodes.Body) -> nodes.Body:
        found: list[nodes.Literal | nodes.ConditionalLiteral] = []
        for part in body:
            if isinstance(part, nodes.ConditionalLiteral):
                found.append(self._conditional(part))
            else:
                found += self._literal(part)
        return tuple(found)

    def _condition(self, condition: Iterable[nodes.Literal]) -> tuple[nodes.Literal, ...]:
        return tuple(literal for one in condition for literal in self._literal(one))

    def _head_element(self, element: Any) -> Any:
        literal = replace(element.literal, atom=self._computed(element.literal.atom))
        return replace(element, literal=literal, condition=self._condition(element.condition))

    def _literal(self, literal: nodes.Literal) -> list[nodes.Literal]:
        """The literal, with those behind it that its new variables need."""
        turned: dict[Variable, Variable] = {}
        bounds: list[nodes.Literal] = []
        atom: Any = literal.atom
        match atom:
            case nodes.Atom() if literal.sign is Sign.POSITIVE:
                atom = self._matched(atom, turned)
            case nodes.Atom():
                atom = self._computed(atom)
            case nodes.Comparison() if _has_equation(literal.sign, atom):
                atom = self._matched(atom, turned)
                if any([*every(Variable, literal)].count(one) > 1 for one in turned):
                    bounds = [*_as_bounds(literal)]
            case nodes.Aggregate() | nodes.SetAggregate():
                sides: Any = {
                    name: guard and self._matched(guard, turned)
                    for name, guard in (("left", atom.left), ("right", atom.right))
                }
                elements: Any = tuple(map(self._element, atom.elements))
                atom = replace(atom, elements=elements, **sides)
        return [replace(literal, atom=atom), *_equations(turned, literal), *bounds]

    def _element(self, element: Any) -> Any:
        condition = self._condition(element.condition)
        if isinstance(element, nodes.AggregateElement):
            return replace(element, condition=condition)
        first, *equations = self._literal(element.literal)
        return replace(element, literal=first, condition=(*condition, *equations))

    def _conditional(self, part: nodes.ConditionalLiteral) -> nodes.ConditionalLiteral:
        """`a : b` in a body: a variable that only `a` has is bound by it, where no literal can be added."""
        literal = part.literal
        known = self._outside | variable_names(*part.condition)
        atom: Any = self._before_colon(literal.atom, known) if literal.sign is Sign.POSITIVE else literal.atom
        literal = replace(literal, atom=self._computed(atom))
        return replace(part, literal=literal, condition=self._condition(part.condition))

    def _before_colon(self, atom: Any, known: Collection[str]) -> Any:
        turned: dict[Variable, Variable] = {}
        matched = self._matched(atom, turned, known)
        return rewrite(matched, lambda part: _turned(part, turned)) if turned else matched

    # --- terms ----------------------------------------------------------------------------------------

    def _difference(self, term: Node) -> Variable | None:
        """The X of a term `n-X`."""
        if not isinstance(term, _ARITHMETIC) or (
            isinstance(term, nodes.UnaryOperation) and not isinstance(term.argument, nodes.BinaryOperation)
        ):
            return None
        variable = linear_variable(term, self._constants)
        found = linear(term, self._constants)
        if variable is None or found is None:
            return None
        return variable if [*found.factors.values()] == [-1] else None

    def _matched(self, node: Any, turned: dict[Variable, Variable], known: Collection[str] = ()) -> Any:
        """The same with `W+n` in place of `n-X` but for X that are known; W for each X goes into `turned`."""

        def summed(term: Term) -> Term:
            variable = self._difference(term)
            if variable is None or variable.name in known:
                return term
            if not variable.is_anonymous and variable not in turned:
                turned[variable] = self._fresh()
            return self._sum(term, turned.get(variable, variable))

        return self._mapped(node, summed)

    def _sum(self, term: Term, variable: Variable) -> Term:
        found = linear(term, self._constants)
        number = integer_term(found.constant if found is not None else 0, term.location)
        made = nodes.BinaryOperation("+", variable, number, location=term.location)
        self._said.translate((made,), term)
        return made

    def _computed(self, node: Any) -> Any:
        """An atom, comparison or guard with terms that clingo does not match in place of `n-X`."""

        def divided(term: Term) -> Term:
            if self._difference(term) is None:
                return term
            return nodes.BinaryOperation("/", term, _ONE, location=term.location)

        return self._mapped(node, divided)

    def _mapped(self, node: Any, change: Any) -> Any:
        """An atom, comparison or guard with other terms where clingo matches them."""
        match node:
            case nodes.Atom(_, arguments) | nodes.Tuple(arguments):
                return replace(node, arguments=tuple(self._mapped(one, change) for one in arguments))
            case nodes.Function(_, arguments, False):
                return replace(node, arguments=tuple(self._mapped(one, change) for one in arguments))
            case nodes.Pool(alternatives):
                return replace(node, alternatives=tuple(self._mapped(one, change) for one in alternatives))
            case nodes.Comparison(term, guards):
                guards = tuple(self._mapped(guard, change) for guard in guards)
                return replace(node, term=self._mapped(term, change), guards=guards)
            case nodes.Guard(_, term):
                return replace(node, term=self._mapped(term, change))
            case nodes.UnaryOperation("-", nodes.Function() | nodes.Tuple() as argument):
                return replace(node, argument=self._mapped(argument, change))
            case _:
                return change(node)

    def _fresh(self) -> Variable:
        while True:
            self._count += 1
            name = self._names.variable(self._count)
            if name not in self._used:
                return Variable(name)


def _has_equation(sign: Sign, comparison: nodes.Comparison) -> bool:
    """Whether clingo may match a side of a comparison with the value of the other one."""
    equal = "!=" if sign is Sign.NOT else "="
    return any(guard.comparison == equal for guard in comparison.guards)


def _as_bounds(literal: nodes.Literal) -> Iterator[nodes.Literal]:
    """An equation as inequalities, by which clingo bounds a variable of both sides: X is 0 in `-X = X`."""
    comparison: Any = literal.atom
    if len(comparison.guards) == 1:
        for sign in ("<=", ">="):
            guard = nodes.Guard(sign, comparison.guards[0].term)
            yield nodes.Literal(nodes.Comparison(comparison.term, (guard,)), location=literal.location)


def _equations(turned: Mapping[Variable, Variable], origin: Node) -> Iterator[TurnedLiteral]:
    for variable, generated in turned.items():
        contrary = nodes.UnaryOperation("-", variable)
        equation = nodes.Comparison(generated, (nodes.Guard("=", contrary),))
        yield TurnedLiteral(equation, turned=variable, generated=generated, location=origin.location)


def _turned(part: Node, turned: Mapping[Variable, Variable]) -> Node:
    if isinstance(part, Variable) and part in turned:
        return nodes.UnaryOperation("-", turned[part], location=part.location)
    return part
