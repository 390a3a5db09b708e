r"""Text in which numbers may have more than the 32 bits that clingo's have.

Such a number is a constant whose name is its digits, which no program can write: it equals itself alone, and
clingo neither compares it with numbers nor computes with it. So `@`-calls do both,

    a(X+1) :- p(X), X < Y, q(Y).

becomes

    a(@lars_computed(0,X,1)) :- p(X), q(Y), @lars_holds(X,"<",Y) = 1.

where 0 is the number of the operation, by which it is said where it is undefined. What a match binds is
solved for: `p(X+1)` becomes `p(W), X = @lars_solved(1,1,W)`. Of aggregates

    #count      has bounds that are #inf and #sup where numbers are too large for it
    #min, #max  have terms in place of numbers, the order of which is that of the numbers
    #sum        is a sum for each digit where all is known that it is over: S = @lars_total(S0,...); else its
                weights must not leave 32 bits together, which ends the tick without answer

and weights of optimisation must have 32 bits.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import count, pairwise
from typing import Any

from lars2asp.analysis.arithmetic.constants import integer_term, integer_value
from lars2asp.analysis.arithmetic.intervals import intervals
from lars2asp.analysis.arithmetic.limits import Ends, Limit, limits
from lars2asp.analysis.arithmetic.linear_bounds import (
    CONTRARY,
    Linear,
    bounded,
    inequalities,
    linear,
    linear_variable,
)
from lars2asp.analysis.arithmetic.linear_forms import in_messages
from lars2asp.planning.asp.gated_intervals import GatedInterval, Gates, is_interval
from lars2asp.planning.asp.tame_instances import divided, up_to
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import (
    LARGEST_INTEGER,
    MIRRORED,
    SMALLEST_INTEGER,
    Function,
    Literal,
    Node,
    Number,
    Sign,
    Signature,
    Statement,
    String,
    Term,
    Variable,
)
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import body_of, every, rewrite, variable_names
from lars2asp.syntax.values import dataclass

_ONE = Number(1)

DIGITS = 6
"""The number of digits, of DIGIT_BITS each, that sums are divided into at first."""

DIGIT_BITS = 12

SMALL_BITS = 30
"""clingo finds the digits of weights up to so many bits by itself."""


@dataclass(frozen=True)
class Operation:
    """What an `@`-call of wide text stands for.

    Attributes:
        operator: the operator; `|` for an absolute value.
        origin: the place in the user's text.
        text: the operation as clingo writes it in messages.
        statement: the number of the statement that it is in.
        limits: for an interval, the limits of the variable that takes its numbers.
        variables: the variables in them; their values follow the ends of the interval in the call.
    """

    operator: str
    origin: Location
    text: str
    statement: int
    limits: tuple[Limit, ...] = ()
    variables: tuple[str, ...] = ()


@dataclass
class WideStatements:
    """Writes statements so that numbers may have any size.

    Args:
        names: the generated names.
        constants: the integers that constants stand for.
        values: the terms that other constants stand for.
        uncertain: the predicates of which it is not known what holds before the search for answer streams.
        gates: has intervals enumerated when the rest of a body is true.
        digits: the number of digits that sums are divided into.

    Attributes:
        operations: what the `@`-calls compute, by their numbers.
        numbers: gives numbers to statements.
    """

    names: Names
    constants: Mapping[str, int]
    values: Mapping[str, Term]
    uncertain: Collection[Signature]
    gates: Gates
    digits: int = DIGITS
    operations: list[Operation] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def written(self, statement: Statement, origin: Location) -> Iterator[tuple[Statement, bool]]:
        """The statements that it becomes, and whether clingo may say of them what is not so.

        None for a constant, which clingo has not.
        """
        if not isinstance(statement, nodes.Constant):
            for one in self.gates.gated(statement):
                yield from self._written(one, origin)

    def _written(self, statement: Statement, origin: Location) -> Iterator[tuple[Statement, bool]]:
        parts = divided(statement, self.constants, self.values, self.names)
        if parts is None:
            writer = _Writer(self, statement, origin)
            yield writer.statement(), writer.is_quiet
            return
        yield parts.tame, True
        for more in parts.others:
            writer = _Writer(self, statement, origin)
            other: Any = writer.statement()
            yield replace(other, body=(*other.body, *more)), writer.is_quiet


class _Writer:
    """Writes one statement."""

    def __init__(self, whole: WideStatements, statement: Statement, origin: Location) -> None:
        self.whole = whole
        self._names = whole.names
        self.constants = whole.constants
        self._statement = statement
        self._origin = origin
        self._number = next(whole.numbers)
        self._used = variable_names(statement)
        self._count = 0
        self.is_quiet = False
        """Whether clingo may say that something is undefined of which it is not to compute the value."""
        self._is_trying = False
        """Whether what is computed has a value also if it is undefined."""

    def statement(self) -> Statement:
        statement: Any = self._statement
        if not isinstance(
            statement,
            nodes.Rule
            | nodes.WeakConstraint
            | nodes.ShowTerm
            | nodes.External
            | nodes.ProjectAtom
            | nodes.Heuristic
            | nodes.Edge,
        ):
            return self._statement
        body = _Body(self, statement.body, frozenset())
        changes: dict[str, Any] = {"body": body.written()}
        match statement:
            case nodes.Rule(head):
                changes["head"] = None if head is None else self._head(head, body.bound)
            case nodes.WeakConstraint(_, weight, priority, terms):
                changes["weight"] = self._narrow(self.computed(weight), "the weight", to_text(weight))
                changes["priority"] = self._narrow(self.computed(priority), "the priority", to_text(priority))
                changes["terms"] = self.all_computed(terms)
            case nodes.ShowTerm(term):
                changes["term"] = self.computed(term)
            case nodes.External(atom) | nodes.ProjectAtom(atom):
                changes["atom"] = self.atom(atom)
            case nodes.Heuristic(atom, _, weight, priority, modifier):
                changes["atom"] = self.atom(atom)
                changes["weight"] = self._narrow(self.computed(weight), "the weight", to_text(weight))
                changes["priority"] = self._narrow(self.computed(priority), "the priority", to_text(priority))
                changes["modifier"] = self.computed(modifier)
            case nodes.Edge(source, target):
                changes["source"], changes["target"] = self.computed(source), self.computed(target)
        return replace(statement, **changes)  # type: ignore[no-any-return]

    # --- heads ----------------------------------------------------------------------------------------

    def _head(self, head: nodes.Head, bound: frozenset[str]) -> nodes.Head:
        match head:
            case nodes.Atom():
                return self.atom(head)
            case nodes.Comparison():
                return self.test(Literal(head)).atom  # type: ignore[return-value]
            case nodes.Disjunction(elements):
                disjuncts = (one for element in elements for one in self._disjuncts(element, bound))
                return replace(head, elements=tuple(disjuncts))
            case nodes.SetAggregate(elements, left, right):
                return replace(
                    head,
                    elements=tuple(self._head_element(one, bound) for one in elements),
                    left=self._bound(left),
                    right=self._bound(right),
                )
            case nodes.HeadAggregate(function, elements, left, right):
                guard = self._ordered_guard if function in ("#min", "#max") else self._bound
                group = variable_names(*elements) & bound
                return replace(
                    head,
                    elements=tuple(self._head_tuple(function, one, bound, group) for one in elements),
                    left=guard(left),
                    right=guard(right),
                )
        return head

    def _head_element(
        self, element: nodes.ConditionalLiteral, bound: frozenset[str]
    ) -> nodes.ConditionalLiteral:
        condition = _Body(self, element.condition, bound).written()
        return replace(element, literal=self.test(element.literal), condition=condition)

    def _disjuncts(
        self, element: nodes.ConditionalLiteral, bound: frozenset[str]
    ) -> Iterable[nodes.ConditionalLiteral]:
        """A disjunct; and `#true` for instances of which an argument is undefined, which clingo has there.

        What an argument is stands in the condition: of several calls in the atom clingo takes one.
        """
        operations: list[tuple[Variable, Term]] = []
        literal = rewrite(element.literal, lambda node: self._apart(node, operations))
        written = self._head_element(replace(element, literal=literal), bound)
        if not operations:
            yield written
            return
        equations = (
            nodes.Comparison(one, (nodes.Guard("=", self.computed(term)),)) for one, term in operations
        )
        yield replace(written, condition=(*written.condition, *map(Literal, equations)))
        self._is_trying = True
        call = self.call("undefined", *self.all_computed(term for _, term in operations))
        self._is_trying = False
        test = Literal(nodes.Comparison(call, (nodes.Guard("=", _ONE),)), location=element.location)
        yield replace(written, literal=Literal(nodes.Boolean(True)), condition=(*written.condition, test))

    def _apart(self, node: Any, operations: list[tuple[Variable, Term]]) -> Node:
        """An atom with variables in place of operations, but for intervals."""

        def taken(term: Any) -> Term:
            match term:
                case Function(_, arguments, False) | nodes.Tuple(arguments):
                    return replace(term, arguments=tuple(map(taken, arguments)))
                case nodes.BinaryOperation("..") | nodes.UnaryOperation("-", Function() | nodes.Tuple()):
                    return term
                case nodes.BinaryOperation() | nodes.UnaryOperation() | nodes.Absolute() if any(
                    every(Variable, term)
                ):
                    operations.append((self.fresh(), term))
                    return operations[-1][0]
            return term  # type: ignore[no-any-return]

        return (
            replace(node, arguments=tuple(map(taken, node.arguments)))
            if isinstance(node, nodes.Atom)
            else node
        )

    def _head_tuple(
        self,
        function: str,
        element: nodes.HeadAggregateElement,
        bound: frozenset[str],
        group: Collection[str],
    ) -> nodes.HeadAggregateElement:
        condition = _Body(self, element.condition, bound).written()
        terms = self.weighed(function, element.terms, group)
        return replace(element, terms=terms, literal=self.test(element.literal), condition=condition)

    # --- atoms and tests ------------------------------------------------------------------------------

    def atom(self, atom: nodes.Atom) -> nodes.Atom:
        """An atom whose arguments are computed."""
        return replace(atom, arguments=self.all_computed(atom.arguments))

    def test(self, literal: nodes.Literal) -> nodes.Literal:
        """A literal that binds no variable."""
        atom: Any = literal.atom
        match atom:
            case nodes.Atom():
                return replace(literal, atom=self.atom(atom))
            case nodes.Pool(alternatives):
                pool: Any = replace(atom, alternatives=tuple(map(self._alternative, alternatives)))
                return replace(literal, atom=pool)
            case nodes.Comparison(term, guards):
                pairs = [*pairwise((term, *(guard.term for guard in guards)))]
                signs = [guard.comparison for guard in guards]
                if len(pairs) == 1 and literal.sign is Sign.NOT:
                    return self.compared(*pairs[0], CONTRARY[signs[0]], literal)
                if len(pairs) == 1:
                    return self.compared(*pairs[0], signs[0], literal)
                return self.holds(
                    [term, *(guard.term for guard in guards)],
                    signs,
                    literal,
                    is_true=literal.sign is not Sign.NOT,
                )
        return literal

    def _alternative(self, atom: Any) -> Any:
        """One of the atoms of a pool."""
        if not isinstance(atom, nodes.Comparison):
            return self.atom(atom)
        terms = [atom.term, *(guard.term for guard in atom.guards)]
        return self.holds(terms, [guard.comparison for guard in atom.guards], atom, is_true=True).atom

    def compared(self, left: Term, right: Term, sign: str, origin: Node) -> nodes.Literal:
        """The comparison of two terms that are computed."""
        if sign in ("=", "!="):
            comparison = nodes.Comparison(self.computed(left), (nodes.Guard(sign, self.computed(right)),))
            return Literal(comparison, location=origin.location)
        return self.holds([left, right], [sign], origin, is_true=True)

    def holds(
        self, terms: Sequence[Term], signs: Sequence[str], origin: Node, *, is_true: bool
    ) -> nodes.Literal:
        """Whether all comparisons of terms, each with the next one, are true, or not all."""
        computed = self.all_computed(terms)
        arguments: list[Term] = [computed[0]]
        for sign, term in zip(signs, computed[1:], strict=True):
            arguments += [String(sign), term]
        comparison = nodes.Comparison(
            self.call("holds", *arguments), (nodes.Guard("=", Number(int(is_true))),)
        )
        return Literal(comparison, location=origin.location)

    # --- aggregates -----------------------------------------------------------------------------------

    def _bound(self, guard: nodes.Guard | None) -> nodes.Guard | None:
        """A guard of what clingo counts: numbers that are too large for it are #inf and #sup."""
        if guard is None:
            return None
        value = integer_value(guard.term, self.constants)
        if value is not None and SMALLEST_INTEGER < value <= LARGEST_INTEGER:
            return replace(guard, term=integer_term(value))
        return replace(guard, term=self.call("bound", self.computed(guard.term)))

    def _ordered_guard(self, guard: nodes.Guard | None) -> nodes.Guard | None:
        return guard and replace(guard, term=self.call("ordered", self.computed(guard.term)))

    def guard(self, function: str, guard: nodes.Guard | None) -> nodes.Guard | None:
        """A guard of an aggregate that clingo evaluates."""
        return self._ordered_guard(guard) if function in ("#min", "#max") else self._bound(guard)

    def weighed(self, function: str, terms: Sequence[Term], group: Collection[str]) -> tuple[Term, ...]:
        """The tuple of an element of an aggregate that clingo evaluates, by the variables of its groups."""
        computed = self.all_computed(terms)
        if not computed or function == "#count":
            return computed
        if function in ("#min", "#max"):
            return (self.call("ordered", computed[0]), *computed)
        number = self.operation(function, f"the weights of this {function}")
        weight = self.call("weight", number, nodes.Tuple(tuple(map(Variable, sorted(group)))), *computed)
        return (weight, *computed[1:])

    def is_certain(self, aggregate: nodes.Aggregate) -> bool:
        """Whether it is known before the search what an aggregate is over."""
        atoms = every(nodes.Atom, *(part for one in aggregate.elements for part in one.condition))
        return all(atom.signature not in self.whole.uncertain for atom in atoms)

    def digit_sums(
        self,
        function: str,
        elements: Sequence[tuple[tuple[Term, ...], tuple[Any, ...]]],
        value: Variable,
        origin: Node,
    ) -> list[nodes.Literal]:
        """Literals that give a variable the value of a sum, digit by digit."""
        found: list[nodes.Literal] = []
        parts: list[Term] = []
        for digit in (-1, *range(self.whole.digits)):
            part = self.fresh()
            parts.append(part)
            made = []
            for terms, condition in elements:
                last = String("+" if function == "#sum+" else "")
                weight = self.call("digit", Number(self.whole.digits), integer_term(digit), last, terms[0])
                others = condition
                if isinstance(terms[0], Variable):
                    self.is_quiet = True
                    is_small = up_to(1 << SMALL_BITS, terms[0])
                    if digit * DIGIT_BITS < SMALL_BITS:
                        above = Literal(nodes.Comparison(terms[0], (nodes.Guard(">", Number(0)),)))
                        small = (*condition, is_small, *([above] if function == "#sum+" else []))
                        made.append(nodes.AggregateElement((_digit_of(terms[0], digit), *terms), small))
                    others = (*condition, replace(is_small, sign=Sign.NOT))
                made.append(nodes.AggregateElement((weight, *terms), others))
            aggregate = nodes.Aggregate("#sum", tuple(made), nodes.Guard("=", part), None)
            found.append(Literal(aggregate, location=origin.location))
        number = self.operation(function, f"this {function}")
        total = self.call("total", number, *parts)
        comparison = nodes.Comparison(value, (nodes.Guard("=", total),))
        return [*found, Literal(comparison, location=origin.location)]

    # --- terms ----------------------------------------------------------------------------------------

    def all_computed(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        return tuple(map(self.computed, terms))

    def computed(self, term: Term) -> Term:
        """A term all variables of which are bound, with calls for arithmetic."""
        value = integer_value(term, self.constants)
        if value is not None:
            return self.number(value)
        match term:
            case Function(name, (), False) if name in self.whole.values and name not in self.constants:
                return self.computed(self.whole.values[name])
            case Function(_, arguments) | nodes.Tuple(arguments):
                return replace(term, arguments=self.all_computed(arguments)) if arguments else term
            case nodes.UnaryOperation("-", Function(_, _, False) | nodes.Tuple() as argument):
                return replace(term, argument=self.computed(argument))
            case nodes.UnaryOperation(operator, argument):
                return self._operation(term, operator, argument)
            case nodes.Absolute(argument):
                return self._operation(term, "|", argument)
            case nodes.BinaryOperation(".."):
                return self.enumerated(term, ())
            case nodes.BinaryOperation(operator, left, right):
                return self._operation(term, operator, left, right)
        if isinstance(term, nodes.Pool):
            pool: Any = term
            return replace(pool, alternatives=self.all_computed(pool.alternatives))  # type: ignore[no-any-return]
        return term

    def enumerated(self, interval: nodes.BinaryOperation, found: Sequence[Limit]) -> Function:
        """The numbers of an interval that keep limits."""
        variables = tuple(dict.fromkeys(name for limit in found for name in limit.rest.factors))
        number = self.operation("..", in_messages(self._said(interval)), tuple(found), variables)
        more = [*map(Variable, variables)]
        if isinstance(interval, GatedInterval):
            more.append(interval.gate)
        return self.call("range", number, *self.all_computed((interval.left, interval.right)), *more)

    def within(self, interval: nodes.BinaryOperation, term: Term, origin: Node) -> nodes.Literal:
        """Whether a term has a number of an interval as its value."""
        number = self.operation("..", in_messages(self._said(interval)))
        terms = self.all_computed((interval.left, term, interval.right))
        comparison = nodes.Comparison(self.call("within", number, *terms), (nodes.Guard("=", _ONE),))
        return Literal(comparison, location=origin.location)

    def number(self, value: int) -> Term:
        """The term for a number."""
        if SMALLEST_INTEGER < value <= LARGEST_INTEGER:
            return integer_term(value)
        return self.call("number", String(str(value)))

    def _operation(self, term: Term, operator: str, *operands: Term) -> Term:
        number = self.operation(operator, in_messages(self._said(term)))
        kind = "tried" if self._is_trying else "computed"
        return self.call(kind, number, *map(self.computed, operands))

    def operation(self, operator: str, text: str, *more: Any) -> Term:
        """The number of an operation, which calls bear."""
        self.whole.operations.append(Operation(operator, self._origin, text, self._number, *more))
        return Number(len(self.whole.operations) - 1)

    def _said(self, term: Term) -> Term:
        """A term as the user wrote it, constants as their values."""

        def valued(part: Node) -> Node:
            match part:
                case Function(name, (), False) if name == self._names.now:
                    return nodes.NOW
                case Function(name, (), False) if name in self.constants:
                    return integer_term(self.constants[name])
                case _:
                    return part

        return rewrite(term, valued)

    def _narrow(self, term: Term, what: str, text: str) -> Term:
        """A term that clingo must have as a number, if it is one."""
        if isinstance(term, Number) or (
            isinstance(term, nodes.UnaryOperation) and isinstance(term.argument, Number)
        ):
            return term
        return self.call("narrow", self.operation(what, text), term)

    def call(self, kind: str, *arguments: Term) -> Function:
        """A call of one of the functions of wide text."""
        return Function(self._names.function(kind), arguments, True)

    def fresh(self) -> Variable:
        """A variable that the statement does not have."""
        while True:
            self._count += 1
            name = self._names.variable(self._count)
            if name not in self._used:
                self._used.add(name)
                return Variable(name)

    # --- matching -------------------------------------------------------------------------------------

    def matched(self, term: Term, found: list[tuple[Variable, Term]]) -> Term:
        """A pattern for what is known: variables in place of arithmetic, the equations of which are added."""
        if not any(every(Variable, term)):
            return self.computed(term)
        match term:
            case Function(_, arguments, False) | nodes.Tuple(arguments):
                return replace(term, arguments=tuple(self.matched(one, found) for one in arguments))
            case nodes.UnaryOperation("-", Function(_, _, False) | nodes.Tuple() as argument):
                return replace(term, argument=self.matched(argument, found))
            case nodes.UnaryOperation("-", Variable() as argument):
                place = self.fresh()
                found.append((argument, self.call("computed", self.operation("-", ""), place)))
                return place
        variable = linear_variable(term, self.constants)
        if variable is None:
            return self.computed(term)
        if isinstance(term, Variable):
            return term
        expression = linear(term, self.constants)
        assert expression is not None
        [factor] = expression.factors.values()
        place = self.fresh()
        numbers = self.number(factor), self.number(expression.constant)
        solved = self.call("solved", *numbers, place)
        found.append((Variable("_") if variable.is_anonymous else variable, solved))
        return place

    def is_matchable(self, term: Term) -> bool:
        """Whether a match binds all variables of a term."""
        match term:
            case Function(_, arguments, False) | nodes.Tuple(arguments):
                return all(map(self.is_matchable, arguments))
            case nodes.UnaryOperation("-", argument) if not isinstance(argument, nodes.BinaryOperation):
                return self.is_matchable(argument)
        if isinstance(term, Variable) or not any(every(Variable, term)):
            return True
        return linear_variable(term, self.constants) is not None


def _digit_of(weight: Variable, digit: int) -> Term:
    """A digit of a small weight, with its sign; 1 in place of the digit -1."""
    if digit < 0:
        return _ONE
    rest = nodes.BinaryOperation("/", weight, Number(1 << digit * DIGIT_BITS))
    return nodes.BinaryOperation("\\", rest, Number(1 << DIGIT_BITS))


class _Body:
    """Writes a body or a condition.

    Attributes:
        bound: the names of the variables that it, or what is around it, binds.
    """

    def __init__(self, writer: _Writer, body: Iterable[Any], outer: frozenset[str]) -> None:
        self._writer = writer
        self._found: list[Any] = []
        self._bound = set(outer)
        self._equations: list[tuple[Term, Term, Node]] = []
        self._tests: list[nodes.Literal] = []
        self._of_aggregates: set[str] = set()
        later: list[Any] = []
        self._literals = literals = [*body]
        for part in literals:
            if isinstance(part, nodes.ConditionalLiteral):
                later.append(part)
            else:
                self._take(part, later)
        self._bind_alternatives()
        self._settle(literals)
        self.bound = frozenset(self._bound)
        for part in later:
            self._take_later(part)
        self._settle(())
        for test in self._tests:
            self._found.append(writer.test(test))

    def written(self) -> tuple[Any, ...]:
        """What is written for it."""
        return tuple(self._found)

    def _take(self, literal: nodes.Literal, later: list[Any]) -> None:
        atom: Any = literal.atom
        match atom:
            case nodes.Atom() if literal.sign is Sign.POSITIVE:
                equations: list[tuple[Variable, Term]] = []
                tests: list[nodes.Literal] = []
                arguments = tuple(self._argument(one, equations, tests) for one in atom.arguments)
                self._found += (replace(literal, atom=replace(atom, arguments=arguments)), *tests)
                self._bound |= {one.name for argument in atom.arguments for one in self._matched_in(argument)}
                self._add_equations(equations, literal)
            case nodes.Atom() | nodes.Boolean():
                self._found.append(self._writer.test(literal))
            case nodes.Comparison(term, guards):
                signs = [guard.comparison for guard in guards]
                pairs = [*pairwise((term, *(guard.term for guard in guards)))]
                if literal.sign is Sign.POSITIVE:
                    for (left, right), sign in zip(pairs, signs, strict=True):
                        if sign == "=":
                            self._equations.append((left, right, literal))
                        else:
                            comparison = nodes.Comparison(left, (nodes.Guard(sign, right),))
                            self._tests.append(Literal(comparison, location=literal.location))
                elif literal.sign is Sign.NOT and signs == ["!="]:
                    self._equations.append((*pairs[0], literal))
                else:
                    self._tests.append(literal)
            case nodes.Aggregate() | nodes.SetAggregate():
                later.append(literal)
                if literal.sign is Sign.POSITIVE:
                    for guard in filter(None, (atom.left, atom.right)):
                        if guard.comparison == "=":
                            self._of_aggregates |= {one.name for one in self._matched_in(guard.term)}
                    self._bound |= self._of_aggregates
            case _:
                self._found.append(literal)

    def _argument(
        self, term: Any, equations: list[tuple[Variable, Term]], tests: list[nodes.Literal]
    ) -> Term:
        """A pattern for an argument of a positive atom: whether it is within an interval is tested."""
        if not is_interval(term):
            return self._writer.matched(term, equations)
        place = self._writer.fresh()
        tests.append(self._writer.within(term, place, term))
        return place

    def _matched_in(self, term: Term) -> list[Variable]:
        """The variables that a match of a term binds."""
        match term:
            case Function(_, arguments, False) | nodes.Tuple(arguments):
                return [one for argument in arguments for one in self._matched_in(argument)]
        variables = [*every(Variable, term)]
        return variables if self._writer.is_matchable(term) else []

    def _add_equations(self, equations: Iterable[tuple[Any, Term]], origin: Node) -> None:
        for variable, term in equations:
            comparison = nodes.Comparison(variable, (nodes.Guard("=", term),))
            self._found.append(Literal(comparison, location=origin.location))

    def _settle(self, literals: Iterable[Any]) -> None:
        """Writes the equations, each from the side that is known; what only comparisons bound is bounded."""
        while self._equations:
            place = self._next_equation()
            if place is not None:
                left, right, origin = self._equations.pop(place)
                one, other = (self._is_known(side) for side in (left, right))
                self._equate(*((left, right) if not one else (right, left)), origin, is_test=one and other)
            elif not self._bound_by_numbers(literals):
                for left, right, origin in self._equations:  # clingo says what is wrong
                    self._found.append(self._writer.compared(left, right, "=", origin))
                self._equations = []
        while self._bound_by_numbers(literals):
            pass

    def _next_equation(self) -> int | None:
        """The place of an equation of which a side is known; those that enumerate numbers are the last."""
        enumerating = None
        for place, (left, right, _) in enumerate(self._equations):
            known = [side for side in (left, right) if self._is_known(side)]
            if len(known) == 2 or (known and not is_interval(known[0])):
                return place
            enumerating = place if known and enumerating is None else enumerating
        return enumerating

    def _limits(self, variable: str, origin: Node) -> list[Limit]:
        """The limits that comparisons set to a variable; all they rest on has a value before it."""
        constants = self._writer.constants
        equal: dict[str, Linear] = {}
        ends: dict[str, Ends] = {}
        for left, right, _ in self._equations:
            for one, other in ((left, right), (right, left)):
                if not isinstance(one, Variable) or one.name in (variable, *self._bound):
                    continue
                if isinstance(other, nodes.BinaryOperation) and is_interval(other):
                    ends.setdefault(one.name, (linear(other.left, constants), linear(other.right, constants)))
                elif (found := linear(other, constants)) is not None and one.name not in found.factors:
                    equal.setdefault(one.name, found)
        comparisons = (one for one in self._literals if isinstance(one, Literal) and one is not origin)
        expressions = (found for one in comparisons for found in inequalities(one, constants))
        known = self._bound - self._of_aggregates
        return [*limits(variable, known, expressions, equal, ends)]

    def _bind_alternatives(self) -> None:
        """`not t != X != u` gives X the values of t and u."""
        for test in self._tests:
            atom: Any = test.atom
            signs = [guard.comparison for guard in atom.guards]
            if test.sign is Sign.NOT and signs == ["!=", "!="]:
                between, last = (guard.term for guard in atom.guards)
                if isinstance(between, Variable) and not self._is_known(between):
                    call = self._writer.call("either", *self._writer.all_computed((atom.term, last)))
                    self._add_equations([(between, call)], test)
                    self._bound.add(between.name)

    def _is_known(self, term: Term) -> bool:
        return all(not one.is_anonymous and one.name in self._bound for one in every(Variable, term))

    def _equate(self, pattern: Term, known: Term, origin: Node, *, is_test: bool) -> None:
        writer = self._writer
        one, other = (known, pattern) if is_interval(known) else (pattern, known)
        if (
            is_test
            and isinstance(one, nodes.BinaryOperation)
            and is_interval(one)
            and not any(intervals(other))
        ):
            self._found.append(writer.within(one, other, origin))
            return
        if is_test:
            self._found.append(writer.compared(pattern, known, "=", origin))
            return
        equations: list[tuple[Variable, Term]] = []
        if isinstance(known, nodes.BinaryOperation) and isinstance(pattern, Variable) and is_interval(known):
            value: Term = writer.enumerated(known, self._limits(pattern.name, origin))
        else:
            value = writer.computed(known)
        matched = writer.matched(pattern, equations)
        comparison = nodes.Comparison(matched, (nodes.Guard("=", value),))
        self._found.append(Literal(comparison, location=origin.location))
        self._add_equations(equations, origin)
        self._bound |= {one.name for one in self._matched_in(pattern)}

    def _bound_by_numbers(self, literals: Iterable[Any]) -> bool:
        """Gives a variable that only comparisons bound the numbers that it may be."""
        constants = self._writer.constants
        known = [
            one for part in literals if isinstance(part, Literal) for one in inequalities(part, constants)
        ]
        _, ranges = bounded(known)
        for name in sorted({name for one in known for name in one.factors} - self._bound):
            low, high = ranges.get(name, (None, None))
            if low is None or high is None or (name[:1] == "_" and name[1:].isdigit()):
                continue
            writer = self._writer
            numbers = (writer.operation("..", ""), writer.number(low), writer.number(high))
            interval = writer.call("range", *numbers)
            comparison = nodes.Comparison(Variable(name), (nodes.Guard("=", interval),))
            self._found.append(Literal(comparison))
            self._bound.add(name)
            return True
        return False

    def _take_later(self, part: Any) -> None:
        """Writes aggregates and conditional literals, when it is known what is bound around them."""
        if isinstance(part, nodes.ConditionalLiteral):
            self._found.append(self._conditional(part))
            return
        atom = part.atom
        if isinstance(atom, nodes.SetAggregate):
            elements: Any = tuple(map(self._counted, atom.elements))
            self._guarded(part, "#count", replace(atom, elements=elements))
            return
        writer, function = self._writer, atom.function
        is_sum = function in ("#sum", "#sum+")
        if is_sum and writer.is_certain(atom):
            made = []
            for one in atom.elements:
                if one.terms:
                    terms = writer.all_computed(one.terms)
                    made += [(terms, condition) for condition in self._conditions(one.condition)]
            value = writer.fresh()
            self._found += writer.digit_sums(function, made, value, part)
            self._compare(part, value, [(atom.left, True), (atom.right, False)])
            return
        group = variable_names(*atom.elements) & self.bound
        elements = tuple(
            replace(one, terms=writer.weighed(function, one.terms, group), condition=condition)
            for one in atom.elements
            for condition in self._conditions(one.condition)
        )
        self._guarded(part, function, replace(atom, elements=elements))

    def _conditions(self, condition: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """The conditions that one of an element of an aggregate becomes, each for other instances."""
        whole = self._writer.whole
        parts = divided(nodes.Rule(None, condition), whole.constants, whole.values, whole.names)
        written = [_Body(self._writer, condition, self.bound).written()]
        if parts is None or not variable_names(parts.tame) <= variable_names(*condition):
            return written
        self._writer.is_quiet = True
        return [body_of(parts.tame), *((*one, *more) for one in written for more in parts.others)]

    def _guarded(self, literal: nodes.Literal, function: str, atom: Any) -> None:
        """Writes an aggregate that clingo evaluates, with its guards."""
        writer = self._writer
        assigning = [
            guard
            for guard in (atom.left, atom.right)
            if guard is not None
            and guard.comparison == "="
            and literal.sign is Sign.POSITIVE
            and any(every(Variable, guard.term))
        ]
        if not assigning:
            sides = {
                "left": writer.guard(function, atom.left),
                "right": writer.guard(function, atom.right),
            }
            self._found.append(replace(literal, atom=replace(atom, **sides)))
            return
        value = raw = writer.fresh()
        aggregate = replace(atom, left=nodes.Guard("=", raw), right=None)
        self._found.append(replace(literal, atom=aggregate))
        if function in ("#min", "#max"):
            value = writer.fresh()
            decoded = nodes.Comparison(value, (nodes.Guard("=", writer.call("decoded", raw)),))
            self._found.append(Literal(decoded, location=literal.location))
        self._compare(literal, value, [(atom.left, True), (atom.right, False)])

    def _compare(
        self, literal: nodes.Literal, value: Variable, guards: Iterable[tuple[nodes.Guard | None, bool]]
    ) -> None:
        """Compares the value of an aggregate as its guards say."""
        self._bound.add(value.name)
        given = [(one, is_left) for one, is_left in guards if one is not None]
        signs = [MIRRORED[one.comparison] if is_left else one.comparison for one, is_left in given]
        if literal.sign is Sign.NOT:
            lefts, rights = ([one for one, at_left in given if at_left is side] for side in (True, False))
            terms = [*(one.term for one in lefts), value, *(one.term for one in rights)]
            chain = [one.comparison for one, _ in given]
            self._found.append(self._writer.holds(terms, chain, literal, is_true=False))
            return
        for (guard, _), sign in zip(given, signs, strict=True):
            unbound = {one.name for one in every(Variable, guard.term)} - self._known_apart(literal)
            if sign == "=" and literal.sign is Sign.POSITIVE and unbound:
                self._equate(guard.term, value, literal, is_test=False)
            else:
                self._found.append(self._writer.compared(value, guard.term, sign, literal))

    def _known_apart(self, literal: nodes.Literal) -> set[str]:
        """The variables that other parts bind than guards of aggregates: those are matched again."""
        return set()

    def _counted(self, element: nodes.ConditionalLiteral) -> nodes.ConditionalLiteral:
        if element.literal.sign is not Sign.POSITIVE:
            condition = _Body(self._writer, element.condition, self.bound).written()
            return replace(element, literal=self._writer.test(element.literal), condition=condition)
        first, *equations = _Body(self._writer, (element.literal,), self.bound).written()
        inner = _Body(self._writer, element.condition, self.bound | variable_names(element.literal))
        return replace(element, literal=first, condition=(*inner.written(), *equations))

    def _conditional(self, part: nodes.ConditionalLiteral) -> nodes.ConditionalLiteral:
        body = _Body(self._writer, part.condition, self.bound)
        literal = part.literal
        if literal.sign is Sign.POSITIVE and isinstance(literal.atom, nodes.Atom):
            return replace(part, literal=self._before_colon(literal, body.bound), condition=body.written())
        return replace(part, literal=self._writer.test(literal), condition=body.written())

    def _before_colon(self, literal: nodes.Literal, known: frozenset[str]) -> nodes.Literal:
        """`a` of `a : b` in a body: a variable that only `a` has is bound by it, without another literal."""
        atom: Any = literal.atom
        open_ones = variable_names(atom) - known
        if not open_ones or not any(
            self._writer.matched(one, []) is not one
            for one in atom.arguments
            if variable_names(one) & open_ones
        ):
            return self._writer.test(literal)
        arguments, solved = [], dict[str, Term]()
        for one in atom.arguments:
            if variable_names(one) & open_ones:
                equations: list[tuple[Variable, Term]] = []
                arguments.append(self._writer.matched(one, equations))
                solved |= {variable.name: term for variable, term in equations}
            else:
                arguments.append(self._writer.computed(one))

        def changed(node: Node) -> Node:
            return solved.get(node.name, node) if isinstance(node, Variable) else node

        return replace(literal, atom=rewrite(replace(atom, arguments=tuple(arguments)), changed))
