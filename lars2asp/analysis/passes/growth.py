"""The pass that warns of rules that build new terms without end, at one tick.

`a(X+1) :- a(X).` makes a tick last for ever once a holds. The pass follows values from an argument of an atom
in a body to an argument of the head that depends on it at the same tick. Where they come back larger, and no
rule on the path bounds them by a comparison, by `not`, or by another atom, there is no end. Rules that may
end are not reported, for instance those that take terms apart in another argument.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from lars2asp.analysis.arithmetic.constants import integer_value
from lars2asp.analysis.arithmetic.linear_bounds import linear
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import head_atoms, offset_from_now, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals
from lars2asp.syntax import codes, nodes
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import MOST_DIGITS, Program, Rule, Sign, Signature, Term, Variable
from lars2asp.syntax.traversal import variable_names
from lars2asp.syntax.values import dataclass

Argument = tuple[Signature, int]
"""A predicate and the position of an argument, counted from 0."""


class _ValueFlow(NamedTuple):
    """A value that passes from an argument of an atom in a body to an argument of the head.

    Attributes:
        source: the argument in the body.
        target: the argument in the head.
        more: how much larger a number is then; None for a term around it, or a sum with what is not known.
        term: the term in the head.
        variable: the value, as it is named in the body.
        is_multiplied: whether a number is multiplied.
    """

    source: Argument
    target: Argument
    more: int | None
    term: Term
    variable: str
    is_multiplied: bool


@dataclass(frozen=True)
class _Derivation:
    """An atom that a rule derives for the current tick, and what must be true for it."""

    head: nodes.Atom
    body: tuple[nodes.Literal | nodes.ConditionalLiteral, ...]


def check_growth(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of terms that grow without end."""
    flows = _flows_of(analysis)
    for flow in (*_growing(flows), *_multiplied(flows)):
        _warn(flow, diagnostics)


def growing_predicates(analysis: ProgramAnalysis) -> frozenset[Signature]:
    """The predicates with arguments that grow without end."""
    return frozenset(flow.target[0] for flow in _growing(_flows_of(analysis)))


def _flows_of(analysis: ProgramAnalysis) -> list[_ValueFlow]:
    """The flows through the rules of a program that depend on each other at a tick."""
    constants = analysis.constants
    derivations = list(_derivations(analysis.program, constants))
    graph: dict[Signature, dict[Signature, None]] = {}
    for one in derivations:
        below = (atom.signature for _, atom in _atoms_now(one.body, constants))
        graph.setdefault(one.head.signature, {}).update(dict.fromkeys(below))
    if not any(needed.keys() & graph.keys() for needed in graph.values()):
        return []
    component_of = {signature: members for members in strongly_connected(graph) for signature in members}
    return [flow for one in derivations for flow in _flows(one, component_of, constants)]


def _warn(flow: _ValueFlow, diagnostics: Diagnostics) -> None:
    name, predicate = flow.variable, flow.target[0]
    if flow.is_multiplied:
        diagnostics.warning(
            flow.term.location,
            f"{predicate} multiplies its own numbers without limit, up to {MOST_DIGITS} digits",
            f"limit {name} with a comparison such as {name} < 1000",
            code=codes.ENDLESS_GROWTH,
        )
        return
    is_number = isinstance(flow.term, nodes.BinaryOperation)
    is_falling = isinstance(flow.term, nodes.BinaryOperation) and flow.term.operator == "-"
    comparison = f"with a comparison such as {name} {'> 0' if is_falling else '< 100'}, or "
    diagnostics.warning(
        flow.term.location,
        f"{predicate} {'counts on' if is_number else 'builds larger terms'} without limit: "
        f"the first tick with {predicate} never finishes",
        f"limit {name} {comparison if is_number else ''}with an atom that does not depend on {predicate}",
        code=codes.ENDLESS_GROWTH,
    )


def _derivations(program: Program, constants: Mapping[str, int]) -> Iterator[_Derivation]:
    for rule in program.but_plain_facts:
        if isinstance(rule, Rule):
            for head in head_atoms(rule):
                is_now = head.tick is None or offset_from_now(head.tick, constants) == 0
                if is_now and head.atom.arguments:  # values go through arguments
                    yield _Derivation(head.atom, (*rule.body, *head.condition))


def _atoms_now(
    body: Iterable[nodes.Literal | nodes.ConditionalLiteral], constants: Mapping[str, int]
) -> Iterator[tuple[nodes.Literal, nodes.Atom]]:
    """The literals that hold where an atom holds at the current tick alone, and these atoms."""
    for literal in body:
        if isinstance(literal, nodes.ConditionalLiteral) or literal.sign is not Sign.POSITIVE:
            continue
        match literal.atom:
            case nodes.Atom() as atom:
                yield literal, atom
            case nodes.AtTick(atom, tick) if not isinstance(tick, Variable):
                if offset_from_now(tick, constants) == 0:
                    yield literal, atom
            case nodes.Diamond(atom) | nodes.AtTick(atom) as streaming:
                window = window_of(streaming, constants)
                if window.includes_now and not isinstance(window, LastArrivals):
                    yield literal, atom


# --- the flow of values through a rule ------------------------------------------------------------


def _flows(
    one: _Derivation, component_of: Mapping[Signature, frozenset[Signature]], constants: Mapping[str, int]
) -> Iterator[_ValueFlow]:
    """The flows through a rule that nothing bounds."""
    cycle = component_of[one.head.signature]
    assigned = dict(_assigned(one.body))
    values = {name: term for name, (_, term) in assigned.items()}
    for literal, atom in _atoms_now(one.body, constants):
        if atom.signature not in cycle or not _is_open(atom, one.head):
            continue
        passed = {
            argument.name
            for argument, other in zip(atom.arguments, one.head.arguments, strict=False)
            if atom.signature == one.head.signature and isinstance(argument, Variable) and argument == other
        }
        moving = variable_names(literal) - passed
        while more := {
            n for n, value in values.items() if n not in moving and variable_names(value) & moving
        }:
            moving |= more
        equations = {id(equation) for name, (equation, _) in assigned.items() if name in moving}
        others = (part for part in one.body if part is not literal and id(part) not in equations)
        if any(variable_names(other) & moving for other in others):
            continue
        for position, argument in enumerate(one.head.arguments):
            term, target = _resolved(argument, values), (one.head.signature, position)
            measured = list(_measured(term, constants))
            multiplied = variable_names(term) - {name for name, _ in measured}
            factors = {name for name in multiplied if _is_factor(term, name, constants)}
            for name, larger in [*measured, *((name, None) for name in factors)]:
                for source, passing in enumerate(atom.arguments):
                    if isinstance(passing, Variable) and passing.name == name:
                        origin = (atom.signature, source)
                        yield _ValueFlow(origin, target, larger, term, name, name in factors)


def _is_open(atom: nodes.Atom, head: nodes.Atom) -> bool:
    """Whether an atom takes any values, but for arguments that the head hands on as they are."""
    seen: set[str] = set()
    for position, argument in enumerate(atom.arguments):
        if isinstance(argument, Variable):
            if argument.name in seen and not argument.is_anonymous:
                return False
            seen.add(argument.name)
        elif atom.signature != head.signature or head.arguments[position] != argument:
            return False
    return True


def _assigned(
    body: Iterable[nodes.Literal | nodes.ConditionalLiteral],
) -> Iterator[tuple[str, tuple[nodes.Literal, Term]]]:
    """Variables that equations give a value, with equation and value."""
    literals = [literal for literal in body if isinstance(literal, nodes.Literal)]
    bound = {
        name
        for literal in literals
        if literal.sign is Sign.POSITIVE and not isinstance(literal.atom, nodes.Comparison)
        for name in variable_names(literal)
    }
    for literal in literals:
        match literal:
            case nodes.Literal(nodes.Comparison(left, (nodes.Guard("=", right),)), Sign.POSITIVE):
                for one, other in ((left, right), (right, left)):
                    if (
                        isinstance(one, Variable)
                        and one.name not in bound
                        and one.name not in variable_names(other)
                    ):
                        bound.add(one.name)
                        yield one.name, (literal, other)
                        break


def _resolved(term: Term, values: Mapping[str, Term]) -> Term:
    """A term, with its value in place of a variable that an equation gives one."""
    seen: set[str] = set()
    while isinstance(term, Variable) and term.name in values and term.name not in seen:
        seen.add(term.name)
        term = values[term.name]
    return term


def _measured(term: Term, constants: Mapping[str, int]) -> Iterator[tuple[str, int | None]]:
    """The variables whose values a term hands on or makes larger, and by how much (`_ValueFlow.more`)."""
    match term:
        case Variable(name):
            yield name, 0
        case nodes.Function(_, arguments, False) | nodes.Tuple(arguments):
            for argument in arguments:
                yield from ((name, None) for name, _ in _measured(argument, constants))
        case nodes.BinaryOperation("+" | "-" as operator, left, right):
            value = integer_value(right, constants)
            if value is not None:
                yield from _added(left, value if operator == "+" else -value, constants)
                return
            value = integer_value(left, constants)
            if value is not None:
                if operator == "+":
                    yield from _added(right, value, constants)
                return
            for side in (left, right) if operator == "+" else (left,):
                yield from ((name, None) for name, _ in _measured(side, constants))


def _is_factor(term: Term, name: str, constants: Mapping[str, int]) -> bool:
    """Whether a term is `c*X`, or that and a number, of a variable and a c that is not -1, 0 or 1."""
    expression = linear(term, constants)
    return expression is not None and {*expression.factors} == {name} and abs(expression.factors[name]) > 1


def _added(term: Term, value: int, constants: Mapping[str, int]) -> Iterator[tuple[str, int | None]]:
    for name, more in _measured(term, constants):
        yield name, None if more is None else more + value


# --- cycles ---------------------------------------------------------------------------------------


def _growing(flows: list[_ValueFlow]) -> Iterator[_ValueFlow]:
    """For each cycle on which values grow, a flow that makes them larger; none is multiplied."""
    for cycle in _cycles(flow for flow in flows if not flow.is_multiplied):
        larger = next((flow for flow in cycle if flow.more is None), None)
        if larger is None and not _come_back_alike(cycle):
            larger = next((flow for flow in cycle if flow.more), None)
        if larger is not None:
            yield larger


def _multiplied(flows: list[_ValueFlow]) -> Iterator[_ValueFlow]:
    """For each cycle on which numbers are multiplied and grow by nothing else, a flow that does so."""
    growing = {flow.target for flow in _growing(flows)}
    for cycle in _cycles(flows):
        if not any(flow.target in growing for flow in cycle):
            yield from islice((flow for flow in cycle if flow.is_multiplied), 1)


def _cycles(flows: Iterable[_ValueFlow]) -> list[list[_ValueFlow]]:
    """The flows that lead back to where they begin, by cycle."""
    known = list(flows)
    graph: dict[Argument, dict[Argument, None]] = {}
    for flow in known:
        graph.setdefault(flow.source, {})[flow.target] = None
    component_of = {argument: members for members in strongly_connected(graph) for argument in members}
    inner: dict[frozenset[Argument], list[_ValueFlow]] = {}
    for flow in known:
        if component_of[flow.source] is component_of[flow.target]:
            inner.setdefault(component_of[flow.source], []).append(flow)
    return list(inner.values())


def _come_back_alike(flows: list[_ValueFlow]) -> bool:
    """Whether numbers are the same again on every cycle: what is added is taken away."""
    onward: dict[Argument, list[_ValueFlow]] = {}
    for flow in flows:
        onward.setdefault(flow.source, []).append(flow)
    sums = {flows[0].source: 0}
    pending = [flows[0].source]
    while pending:
        source = pending.pop()
        for flow in onward.get(source, ()):
            total = sums[source] + (flow.more or 0)
            if flow.target not in sums:
                sums[flow.target] = total
                pending.append(flow.target)
            elif sums[flow.target] != total:
                return False
    return True
