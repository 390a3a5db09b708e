"""Intervals of wide text that are enumerated only for instances of which the rest of the body is true.

clingo may look at an interval before it looks at other literals. An interval with too many numbers would end
the tick without an answer, also if another literal is false. So lars2asp puts an atom of the other literals
first:

    a(X) :- p(N), q, X = 1..N.

becomes

    lars_gate_0(0,N) :- p(N), q.
    a(X) :- lars_gate_0(LARS_1,N), X = 1..N.

The call for the interval then has LARS_1 as an argument. Elements of aggregates, choices and disjunctions
have such atoms for their own conditions, and so have conditional literals.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from lars2asp.analysis.arithmetic.intervals import are_few, intervals, size_of
from lars2asp.analysis.passes.safety import unsafe_variables
from lars2asp.planning.names import Names
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import (
    BinaryOperation,
    Comparison,
    Literal,
    Node,
    Sign,
    Signature,
    Statement,
    Variable,
    node,
)
from lars2asp.syntax.traversal import body_of, every, outer_variables, rewrite, variable_names, with_body
from lars2asp.syntax.values import dataclass

_ELEMENTS = (nodes.ConditionalLiteral, nodes.AggregateElement, nodes.HeadAggregateElement)


@node
class GatedInterval(BinaryOperation):
    """`L..U`, the numbers of which are asked for once a variable has a value.

    Attributes:
        gate: the variable.
    """

    gate: Variable = field(kw_only=True)


@dataclass
class Gates:
    """Gives intervals such atoms.

    Args:
        names: the generated names.
        constants: the integers that constants stand for.
        uncertain: the predicates of which it is not known what holds before the search for answer streams.
        most: the number of values that an interval may have; intervals that never have more need no atom.
    """

    names: Names
    constants: Mapping[str, int]
    uncertain: Collection[Signature]
    most: int
    _number: int = 0

    def gated(self, statement: Statement) -> list[Statement]:
        """The statements that one becomes, the last of which is what it was."""
        if not hasattr(statement, "body") or are_few(
            (size_of(one, self.constants) for one in intervals(statement)), self.most
        ):
            return [statement]
        return _Gating(self, statement).statements()

    def next_name(self) -> str:
        """The name of another predicate."""
        self._number += 1
        return self.names.gate(self._number - 1)


class _Gating:
    """Gives the intervals of one statement such atoms."""

    def __init__(self, gates: Gates, statement: Statement) -> None:
        self._gates = gates
        self._statement = statement
        self._everywhere = outer_variables(statement)
        self._used = variable_names(statement)
        self._count = 0
        self._helpers: list[Statement] = []
        self._plain: list[Literal] = []
        """Literals that can be part of what is true for an element."""

    def statements(self) -> list[Statement]:
        statement, body = self._statement, body_of(self._statement)
        own, names = self._true_before([one for one in body if not _enumerates(one)], self._everywhere, body)
        ids = set(map(id, own))
        rest = tuple(one for one in body if id(one) not in ids)
        gate = None
        if own:
            found = with_body(statement, rest)
            gate, atom = self._atom(own, names & variable_names(found))
            rest = (atom, *rest)
        self._plain = [
            one
            for one in own
            if isinstance(one, Literal)
            and isinstance(one.atom, nodes.Atom | Comparison)
            and all(atom.signature not in self._gates.uncertain for atom in every(nodes.Atom, one))
        ]
        found = rewrite(with_body(statement, rest), lambda one: self._element(one, gate))
        return [*self._helpers, _gated(found, gate)]

    def _element(self, element: Any, gate: Variable | None) -> Node:
        """An element with an atom for its own condition."""
        if not isinstance(element, _ELEMENTS) or not any(intervals(element)):
            return element  # type: ignore[no-any-return]
        condition = element.condition
        names = variable_names(element)
        first = [*self._plain, *(one for one in condition if not _enumerates(one))]
        own, found = self._true_before(first, self._everywhere | names, condition)
        plain = set(map(id, self._plain))
        if any(id(one) not in plain for one in own):
            gate, atom = self._atom(own, found & names)
            element = replace(element, condition=(*condition, atom))
        return _gated(element, gate)  # type: ignore[no-any-return]

    def _true_before(
        self, literals: Sequence[Any], everywhere: Collection[str], body: Iterable[Any]
    ) -> tuple[list[Any], set[str]]:
        """The literals that can be looked at before intervals are enumerated, and their variables.

        `X = L..U` is one of them if others bind X.
        """
        own = [*literals]
        while True:
            used = variable_names(*own).intersection(everywhere)
            head = nodes.Atom("", tuple(map(Variable, sorted(used))))
            lost = {one.name for one in unsafe_variables(nodes.Rule(head, tuple(own)), self._gates.constants)}
            if not lost:
                break
            kept = [one for one in own if lost.isdisjoint(variable_names(one))]
            if len(kept) == len(own):
                return [], set()
            own = kept
        tests = [one for one in body if _is_test(one) and variable_names(one) <= used]
        return [*own, *(tests if own else ())], used

    def _atom(self, own: Iterable[Any], names: Collection[str]) -> tuple[Variable, Literal]:
        """A variable, and an atom that gives it a value if literals are true."""
        name, variables = self._gates.next_name(), tuple(map(Variable, sorted(names)))
        head = nodes.Atom(name, (nodes.Number(0), *variables))
        self._helpers.append(nodes.Rule(head, tuple(own), location=self._statement.location))
        gate = self._fresh()
        return gate, Literal(nodes.Atom(name, (gate, *variables)), location=self._statement.location)

    def _fresh(self) -> Variable:
        while True:
            self._count += 1
            name = self._gates.names.variable(self._count)
            if name not in self._used:
                self._used.add(name)
                return Variable(name)


def _gated(within: Any, gate: Variable | None) -> Any:
    """A node whose intervals are asked for once a variable has a value; those with a gate keep it."""
    if gate is None:
        return within

    def changed(one: Node) -> Node:
        if type(one) is not BinaryOperation or one.operator != "..":
            return one
        return GatedInterval(one.operator, one.left, one.right, gate=gate, location=one.location)

    return rewrite(within, changed)


def is_interval(term: Node) -> bool:
    """Whether a term is an interval, and its ends have none."""
    match term:
        case BinaryOperation("..", left, right):
            return not any(intervals(left, right))
    return False


def _enumerates(part: Any) -> bool:
    """Whether numbers of intervals are enumerated in it; arguments of positive atoms are tested."""
    match part:
        case Literal(nodes.Atom(_, arguments), Sign.POSITIVE):
            return any(intervals(*(one for one in arguments if not is_interval(one))))
    return any(intervals(part))


def _is_test(part: Any) -> bool:
    """Whether it is `X = L..U`."""
    match part:
        case Literal(Comparison(left, (nodes.Guard("=", right),)), Sign.POSITIVE):
            return is_interval(right) and not any(intervals(left))
    return False
