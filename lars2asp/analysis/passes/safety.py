"""The pass that checks safety: every variable of a rule must be bound by what the stream holds.

A variable is bound by a positive atom or streaming atom (also inside its functions and tuples, and in
linear arithmetic such as `2*X+1`), by an equation with a bound other side, by comparisons that bound it from
both sides (`1 <= X, X < 9`), by `at T`, or by an assignment from an aggregate; the same variables that clingo
accepts, and `_` under `not` in atoms `-p(_)` as well (`lars2asp.analysis.passes.rewriting.projection`).
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, assert_never

from lars2asp.analysis.arithmetic.linear_bounds import Linear, bounded, inequalities, key_of, linear_variable
from lars2asp.analysis.passes.rewriting.local_variables import with_own_variables
from lars2asp.analysis.passes.rewriting.pools import write_out
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import Node, Rule, Sign, Statement, StreamingAtom, Term, Variable
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.traversal import body_of, children, every, rewrite, walk


def check_safety(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Reports each unsafe variable of each statement once."""
    constants = analysis.constants
    for statement in analysis.program.but_plain_facts:
        if isinstance(statement, nodes.Constant | nodes.Held | nodes.Calendar):  # these have their own checks
            continue
        reported: set[str] = set()
        in_ticks = {
            key_of(variable)
            for node in every(nodes.AtTick, statement)
            if not isinstance(node.tick, Variable)
            for variable in _variables(node.tick)
        }
        unsafe = [
            dataclasses.replace(v, name=v.name.rstrip(_OWN))
            for variant in _variants(statement)
            for v in _SafetyCheck(constants).unsafe(variant)
        ]
        for variable in sorted(unsafe, key=lambda variable: variable.location.begin):
            if key_of(variable) in reported:
                continue
            reported.add(key_of(variable))
            diagnostics.error(
                variable.location,
                f"unsafe variable {variable.name}: nothing gives it a value",
                _hint(statement, variable, in_ticks),
                code=codes.UNSAFE_VARIABLE,
            )


def _hint(statement: Statement, variable: Variable, in_ticks: Collection[str]) -> str:
    """What to write for an unsafe variable."""
    name = variable.name
    if variable.is_anonymous:
        return "write a variable instead, and give it a value in an atom of the body"
    if key_of(variable) in in_ticks:
        return f"write `at S`, and compute {name} from S, as in {name} = S-1"
    if isinstance(statement, Rule) and statement.is_of_formula:
        return f"use {name} in an atom inside the brackets: atoms outside do not count there"
    if isinstance(statement, nodes.ShowTerm) and not statement.body:
        if isinstance(statement.term, nodes.Function) and not statement.term.is_external:
            return f"write #show {statement.term.name}/{len(statement.term.arguments)}."
        return f"give {name} a value after a colon: #show {to_text(statement.term)} : ..."
    if inside := _inside(statement, variable):
        return f"atoms in {{...}} or after `:` do not count: add {inside} to the body itself"
    return f"use {name} in an atom of the body without `not`, or add {name} = ..."


def _inside(statement: Statement, variable: Variable) -> str:
    """An atom within an aggregate or a condition of the body that has the variable; empty if none has."""
    key = key_of(variable)
    for part in body_of(statement):
        scope = part if isinstance(part, nodes.ConditionalLiteral) else part.atom
        if isinstance(scope, nodes.ConditionalLiteral | nodes.Aggregate | nodes.SetAggregate):
            for atom in every(nodes.Atom, scope):
                if key in _keys(atom):
                    return to_text(rewrite(atom, lambda node: _without_others(node, key)))
    return ""


def _without_others(node: Node, key: str) -> Node:
    """`_` in place of the variables but for one."""
    return Variable("_") if isinstance(node, Variable) and key_of(node) != key else node


def check_pools(statement: Statement, alternatives: Iterable[Statement], diagnostics: Diagnostics) -> None:
    """Reports variables that are the whole statement's, but local in an alternative that a pool makes of it.

    They would mean another thing there; clingo calls them unsafe.
    """
    everywhere = _global_keys(statement)
    for alternative in alternatives:
        own = _global_keys(alternative)
        lost = [v for v in _variables(alternative) if key_of(v) in everywhere - own]
        for variable in lost[:1]:
            diagnostics.error(
                variable.location,
                f"unsafe variable {variable.name}: nothing gives it a value",
                f"give {variable.name} a value in every alternative of the pool",
                code=codes.UNSAFE_VARIABLE,
            )


def unsafe_variables(statement: Statement, constants: Mapping[str, int]) -> Iterator[Variable]:
    """The unsafe variables of a statement as it is written, without pools and other variants."""
    return _SafetyCheck(constants).unsafe(statement)


def _global_keys(statement: Statement) -> frozenset[str]:
    return _keys(*(part for part in _parts(statement) if not isinstance(part, _Scope)))


_OWN = " "
"""Ends the names of variables that are renamed: none that is written has it."""

MOST_CHAINS = 6
"""The number of negated chains of comparisons in a statement up to which they bind variables."""


class _Scope(NamedTuple):
    """The nodes before a colon, and the condition behind it: variables may be local to both.

    In a body the literal before the colon binds variables, too; `compared` are comparisons that only bound
    them.
    """

    before: tuple[Node, ...]
    condition: tuple[nodes.Literal, ...]
    binding: tuple[nodes.Literal, ...] = ()
    compared: tuple[nodes.Literal, ...] = ()


def _variants(statement: Statement) -> tuple[Statement, ...]:
    """The statements, each of which must be safe, that clingo looks at in place of one.

    A comparison as head is a constraint on its contrary, a negated chain of comparisons is true where one of
    its parts is not, and the condition of a choice with one element and no bound is a part of the body.
    """
    statement = with_own_variables(statement, _OWN)
    if isinstance(statement, Rule):
        head = statement.head
        if isinstance(head, nodes.Comparison):
            contrary = nodes.Literal(head, Sign.NOT, location=head.location)
            statement = Rule(None, (*statement.body, contrary), location=statement.location)
        elif (
            isinstance(head, nodes.SetAggregate | nodes.HeadAggregate)
            and not (head.left or head.right)
            and len(head.elements) == 1
        ):
            (element,) = head.elements
            bare: Any = (dataclasses.replace(element, condition=()),)
            free = dataclasses.replace(head, elements=bare)
            statement = dataclasses.replace(statement, head=free, body=(*statement.body, *element.condition))
    split = rewrite(statement, _split)
    chains = len(list(every(nodes.Pool, split))) - len(list(every(nodes.Pool, statement)))
    if chains > MOST_CHAINS:
        return (statement,)
    return write_out(split)


def _split(node: Node) -> Node:
    match node:
        case nodes.Literal(nodes.Comparison(term, guards), Sign.NOT) if len(guards) > 1:
            terms = [term, *(guard.term for guard in guards)]
            parts = (
                nodes.Literal(nodes.Comparison(left, (guard,)), Sign.NOT, location=node.location)
                for left, guard in zip(terms, guards, strict=False)
            )
            return nodes.Pool(tuple(parts), location=node.location)
        case _:
            return node


def _parts(statement: Statement) -> Iterator[Node | _Scope]:
    """The parts of a statement outside any scope, and the scopes."""
    body = body_of(statement)
    for part in body:
        if isinstance(part, nodes.ConditionalLiteral):
            yield _Scope((), part.condition)
            for literal in part.alternatives:
                yield _Scope((literal,), part.condition, (literal,))
        elif isinstance(part.atom, nodes.Aggregate | nodes.SetAggregate):
            if part.atom.left or part.atom.right:  # without a guard it is true, whatever it holds
                yield from _parts_of_aggregate(part.atom, is_in_body=True)
        else:
            yield part
    in_body = set(map(id, body))
    for node in children(statement):
        if id(node) in in_body:
            continue
        if isinstance(node, nodes.Disjunction):
            for element in node.elements:
                for literal in element.alternatives:
                    contrary = Sign.POSITIVE if literal.sign is Sign.NOT else Sign.NOT
                    compared = dataclasses.replace(literal, sign=contrary)
                    yield _Scope((literal,), element.condition, compared=(compared,))
        elif isinstance(node, nodes.SetAggregate | nodes.HeadAggregate):
            yield from _parts_of_aggregate(node)
        else:
            yield node


def _parts_of_aggregate(
    aggregate: nodes.Aggregate | nodes.SetAggregate | nodes.HeadAggregate, *, is_in_body: bool = False
) -> Iterator[Node | _Scope]:
    yield from (guard for guard in (aggregate.left, aggregate.right) if guard)
    for element in aggregate.elements:
        in_condition = set(map(id, element.condition))
        inner = tuple(node for node in children(element) if id(node) not in in_condition)
        if isinstance(element, nodes.ConditionalLiteral) and is_in_body:
            yield _Scope(inner, element.condition, (element.literal,))
        else:
            literals = tuple(node for node in inner if isinstance(node, nodes.Literal))
            yield _Scope(inner, element.condition, compared=literals)


def _bound_by(streaming: StreamingAtom) -> Term | None:
    """The term besides the arguments that a streaming atom binds."""
    match streaming:
        case nodes.AtTick(tick=term) | nodes.Count(number=term):
            return term
        case nodes.Diamond() | nodes.Box() | nodes.AtLeast() | nodes.AtMost():
            return None
        case _:
            assert_never(streaming)


class _Arc(NamedTuple):
    """Once the needed variables are bound, the provided ones are."""

    provided: frozenset[str]
    needed: frozenset[str]


def _variables(node: Node) -> Iterator[Variable]:
    """The variables of a node but for those of tuple windows and `[since b]`, which are arguments as well."""
    below = list(walk(node))
    within = [part for part in below if isinstance(part, nodes.TupleWindow | nodes.SinceWindow)]
    shared = {id(variable) for variable in every(Variable, *within)}
    return (part for part in below if isinstance(part, Variable) and id(part) not in shared)


def _keys(*parts: Node) -> frozenset[str]:
    return frozenset(key_of(variable) for part in parts for variable in _variables(part))


class _SafetyCheck:
    def __init__(self, constants: Mapping[str, int]) -> None:
        self._constants = constants

    def unsafe(self, statement: Statement) -> Iterator[Variable]:
        """The unsafe variables of a statement, but for those that would be safe if the others were."""
        parts = list(_parts(statement))
        outside = [part for part in parts if not isinstance(part, _Scope)]
        scopes = [part for part in parts if isinstance(part, _Scope)]
        everywhere = _keys(*outside)
        body = body_of(statement)
        if isinstance(statement, nodes.Heuristic | nodes.ProjectAtom):
            body = (*body, nodes.Literal(statement.atom))  # is about atoms that there are
        literals = [part for part in body if isinstance(part, nodes.Literal)]
        numbers, ranges = bounded(self._inequalities(literals))
        bound = _close(self._arcs(literals, everywhere), self._projected(literals) | numbers)
        unbound = everywhere - bound
        if unbound:
            arcs = list(self._arcs(literals, everywhere))
            roots = {key for key in unbound if key not in _close(arcs, bound | unbound - {key})}
            unbound -= _close(arcs, bound | roots) - roots
        yield from (v for node in outside for v in _variables(node) if key_of(v) in unbound)
        for scope in scopes:
            binding = (*scope.condition, *scope.binding)
            numbers, _ = bounded(self._inequalities((*binding, *scope.compared)), ranges)
            inner = _close(
                self._arcs(binding, everywhere),
                bound | everywhere | self._projected(binding) | numbers,  # others are reported outside
            )
            yield from (
                v
                for node in (*scope.before, *scope.condition)
                for v in _variables(node)
                if key_of(v) not in inner
            )

    def _arcs(self, literals: Iterable[nodes.Literal], everywhere: frozenset[str]) -> Iterator[_Arc]:
        return (arc for literal in literals for arc in self._literal(literal, everywhere))

    def _inequalities(self, literals: Iterable[nodes.Literal]) -> Iterator[Linear]:
        return (found for literal in literals for found in inequalities(literal, self._constants))

    def _projected(self, literals: Iterable[nodes.Literal]) -> frozenset[str]:
        """The `_` of negated atoms: some value or other, as in clingo."""
        terms: list[Term] = []
        for literal in literals:
            match literal.sign, literal.atom:
                case _, nodes.AtMost(atom):
                    terms += atom.arguments
                case Sign.POSITIVE, _:
                    continue
                case _, nodes.Atom(_, arguments):
                    terms += arguments
                case _, nodes.Diamond(atom) | nodes.Box(atom) | nodes.AtLeast(atom):
                    terms += atom.arguments
                case _, nodes.AtTick(atom, tick) | nodes.Count(atom, tick):
                    terms += (*atom.arguments, tick)
        return frozenset(key for term in terms for key in self._projected_in(term))

    def _projected_in(self, term: Term) -> Iterator[str]:
        match term:
            case Variable("_"):
                yield key_of(term)
            case nodes.Function(_, arguments, False) | nodes.Tuple(arguments):
                for argument in arguments:
                    yield from self._projected_in(argument)

    def _literal(self, literal: nodes.Literal, everywhere: frozenset[str]) -> Iterator[_Arc]:
        """The variables that a literal binds, and those that it needs; `everywhere` are the global ones."""
        atom = literal.atom
        if isinstance(atom, nodes.Comparison):
            yield from self._comparison(atom, literal.sign)
        elif literal.sign is not Sign.POSITIVE or isinstance(atom, nodes.Boolean | nodes.AtMost):
            return
        elif isinstance(atom, nodes.Aggregate | nodes.SetAggregate):
            inside = _keys(*atom.elements) & everywhere
            for guard in (atom.left, atom.right):
                if guard and guard.comparison == "=":
                    provided, needed = self._binding(guard.term)
                    yield _Arc(provided, needed | inside)
        elif isinstance(atom, StreamingAtom):
            yield self._matched(atom.atom)
            bound = _bound_by(atom)
            if isinstance(bound, Variable):
                yield _Arc(_keys(bound), frozenset())
        else:
            yield self._matched(atom)

    def _comparison(self, comparison: nodes.Comparison, sign: Sign) -> Iterator[_Arc]:
        equates = "!=" if sign is Sign.NOT else "="
        left = comparison.term
        for guard in comparison.guards:
            if guard.comparison == equates:
                yield from self._equation(left, guard.term)
            left = guard.term

    def _equation(self, left: Term, right: Term) -> Iterator[_Arc]:
        for one, other in ((left, right), (right, left)):
            provided, needed = self._binding(one)
            yield _Arc(provided, needed | _keys(other))

    def _matched(self, atom: nodes.Atom) -> _Arc:
        """The variables that an atom binds: all that it can, whatever else in it must be bound elsewhere."""
        return _Arc(self._arguments(atom.arguments).provided, frozenset())

    def _arguments(self, terms: Iterable[Term]) -> _Arc:
        arcs = [self._binding(term) for term in terms]
        provided = frozenset(key for arc in arcs for key in arc.provided)
        return _Arc(provided, frozenset(key for arc in arcs for key in arc.needed) - provided)

    def _binding(self, term: Term) -> _Arc:
        """The variables that a match of the term binds, and those that it needs bound."""
        match term:
            case Variable():
                return _Arc(frozenset({key_of(term)}), frozenset())
            case nodes.Function(_, arguments, False) | nodes.Tuple(arguments):
                return self._arguments(arguments)
            case nodes.UnaryOperation(
                "-", nodes.Function() | nodes.Tuple() | nodes.UnaryOperation("-") as argument
            ):
                return self._binding(argument)
            case _:
                variable = linear_variable(term, self._constants)
                if variable is not None:
                    return _Arc(frozenset({key_of(variable)}), frozenset())
                return _Arc(frozenset(), _keys(term))


def _close(arcs: Iterable[_Arc], bound: frozenset[str]) -> frozenset[str]:
    """All variables that are bound in the end."""
    waiting = list(arcs)
    while True:
        ready = [arc for arc in waiting if arc.needed <= bound]
        if not ready:
            return bound
        waiting = [arc for arc in waiting if not arc.needed <= bound]
        bound = bound.union(*(arc.provided for arc in ready))
