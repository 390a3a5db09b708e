"""The pass that warns of rules that build new terms without end, at one tick.

`a(X+1) :- a(X).` makes a tick last for ever once a holds. Looked at is where values go: from an argument of
an atom in a body to an argument of the head that depends on it at the same tick. Where they come back larger,
and no rule on the way bounds them by a comparison, by `not`, or by another atom, there is no end. Whatever
may have one is left in peace, for instance what takes terms apart in another argument.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lars2asp.analysis.constants import integer_value
from lars2asp.analysis.graphs import strongly_connected
from lars2asp.analysis.predicates import head_atoms, offset_from_now, window_of
from lars2asp.analysis.program_analysis import ProgramAnalysis
from lars2asp.analysis.windows import LastArrivals
from lars2asp.syntax.diagnostics import Diagnostics
from lars2asp.syntax.nodes import (
    Atom,
    AtTick,
    BinaryOperation,
    Comparison,
    ConditionalLiteral,
    Diamond,
    Function,
    Guard,
    Literal,
    Node,
    Program,
    Rule,
    Sign,
    Signature,
    Term,
    Tuple,
    Variable,
)
from lars2asp.syntax.traversal import walk

Argument = tuple[Signature, int]
"""A predicate and the position of an argument, counted from 0."""


class _Way(NamedTuple):
    """How the value of an argument comes to be in an argument of a head.

    Attributes:
        source: the argument in the body.
        target: the argument in the head.
        more: how much larger a number is then; None for a term around it, or a sum with what is not known.
        term: the term in the head.
        variable: the value, as it is named in the body.
    """

    source: Argument
    target: Argument
    more: int | None
    term: Term
    variable: str


@dataclass(frozen=True)
class _Derivation:
    """An atom that a rule derives for the current tick, and what must be true for it."""

    head: Atom
    body: tuple[Literal | ConditionalLiteral, ...]


def check_growth(analysis: ProgramAnalysis, diagnostics: Diagnostics) -> None:
    """Warns of terms that grow without end."""
    constants = analysis.constants
    derivations = list(_derivations(analysis.program, constants))
    graph: dict[Signature, dict[Signature, None]] = {}
    for one in derivations:
        below = (atom.signature for _, atom in _atoms_now(one.body, constants))
        graph.setdefault(one.head.signature, {}).update(dict.fromkeys(below))
    if not any(needed.keys() & graph.keys() for needed in graph.values()):
        return
    for needed in list(graph.values()):
        for signature in needed:
            graph.setdefault(signature, {})
    circle_of = {signature: members for members in strongly_connected(graph) for signature in members}
    ways = [way for one in derivations for way in _ways(one, circle_of, constants)]
    for way in _growing(ways):
        _warn(way, diagnostics)


def _warn(way: _Way, diagnostics: Diagnostics) -> None:
    name, predicate = way.variable, way.target[0]
    is_number = isinstance(way.term, BinaryOperation)
    is_falling = isinstance(way.term, BinaryOperation) and way.term.operator == "-"
    comparison = f"by a comparison such as {name} {'> 0' if is_falling else '< 100'}, or "
    diagnostics.warning(
        way.term.location,
        f"{predicate} depends on itself with ever {'other numbers' if is_number else 'larger terms'}: "
        "a tick at which it holds has no end",
        f"bound {name} {comparison if is_number else ''}by an atom that does not depend on {predicate}",
    )


def _derivations(program: Program, constants: Mapping[str, int]) -> Iterator[_Derivation]:
    for rule in program.but_plain_facts:
        if isinstance(rule, Rule):
            for head in head_atoms(rule):
                is_now = head.tick is None or offset_from_now(head.tick, constants) == 0
                if is_now and head.atom.arguments:  # values go through arguments
                    yield _Derivation(head.atom, (*rule.body, *head.condition))


def _atoms_now(
    body: Iterable[Literal | ConditionalLiteral], constants: Mapping[str, int]
) -> Iterator[tuple[Literal, Atom]]:
    """The literals that hold where an atom holds at the current tick alone, and these atoms."""
    for literal in body:
        if isinstance(literal, ConditionalLiteral) or literal.sign is not Sign.POSITIVE:
            continue
        match literal.atom:
            case Atom() as atom:
                yield literal, atom
            case AtTick(atom, tick) if not isinstance(tick, Variable):
                if offset_from_now(tick, constants) == 0:
                    yield literal, atom
            case Diamond(atom) | AtTick(atom) as streaming:
                window = window_of(streaming, constants)
                if window.includes_now and not isinstance(window, LastArrivals):
                    yield literal, atom


# --- the ways of values through a rule ------------------------------------------------------------


def _ways(
    one: _Derivation, circle_of: Mapping[Signature, frozenset[Signature]], constants: Mapping[str, int]
) -> Iterator[_Way]:
    """The ways through a rule on which nothing bounds values."""
    circle = circle_of[one.head.signature]
    assigned = dict(_assigned(one.body))
    for literal, atom in _atoms_now(one.body, constants):
        if atom.signature not in circle or not _is_open(atom, one.head):
            continue
        passed = {
            argument.name
            for argument, other in zip(atom.arguments, one.head.arguments, strict=False)
            if atom.signature == one.head.signature and isinstance(argument, Variable) and argument == other
        }
        moving = _names(literal) - passed
        while more := {
            name for name, (_, term) in assigned.items() if name not in moving and _names(term) & moving
        }:
            moving |= more
        equations = {id(equation) for name, (equation, _) in assigned.items() if name in moving}
        others = (part for part in one.body if part is not literal and id(part) not in equations)
        if any(_names(other) & moving for other in others):
            continue
        values = {name: term for name, (_, term) in assigned.items()}
        for position, term in enumerate(one.head.arguments):
            for name, larger in _measured(_resolved(term, values), constants):
                for source, argument in enumerate(atom.arguments):
                    if isinstance(argument, Variable) and argument.name == name:
                        target = one.head.signature, position
                        yield _Way((atom.signature, source), target, larger, _resolved(term, values), name)


def _is_open(atom: Atom, head: Atom) -> bool:
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


def _assigned(body: Iterable[Literal | ConditionalLiteral]) -> Iterator[tuple[str, tuple[Literal, Term]]]:
    """Variables that equations give a value, with equation and value."""
    literals = [literal for literal in body if isinstance(literal, Literal)]
    bound = {
        name
        for literal in literals
        if literal.sign is Sign.POSITIVE and not isinstance(literal.atom, Comparison)
        for name in _names(literal)
    }
    for literal in literals:
        match literal:
            case Literal(Comparison(left, (Guard("=", right),)), Sign.POSITIVE):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, Variable) and one.name not in bound and one.name not in _names(other):
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
    """The variables whose values a term makes larger, or hands on, and by how much it does (`_Way.more`)."""
    match term:
        case Variable(name):
            yield name, 0
        case Function(_, arguments, False) | Tuple(arguments):
            for argument in arguments:
                yield from ((name, None) for name, _ in _measured(argument, constants))
        case BinaryOperation("+" | "-" as operator, left, right):
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


def _added(term: Term, value: int, constants: Mapping[str, int]) -> Iterator[tuple[str, int | None]]:
    for name, more in _measured(term, constants):
        yield name, None if more is None else more + value


def _names(node: Node) -> set[str]:
    """The names of a node's variables."""
    return {part.name for part in walk(node) if isinstance(part, Variable) and not part.is_anonymous}


# --- circles --------------------------------------------------------------------------------------


def _growing(ways: list[_Way]) -> Iterator[_Way]:
    """Of each circle on which values grow, a way that makes them larger."""
    graph: dict[Argument, dict[Argument, None]] = {}
    for way in ways:
        graph.setdefault(way.source, {})[way.target] = None
        graph.setdefault(way.target, {})
    circle_of = {argument: members for members in strongly_connected(graph) for argument in members}
    inner: dict[frozenset[Argument], list[_Way]] = {}
    for way in ways:
        if circle_of[way.source] is circle_of[way.target]:
            inner.setdefault(circle_of[way.source], []).append(way)
    for circle in inner.values():
        larger = next((way for way in circle if way.more is None), None)
        if larger is None and not _come_back_alike(circle):
            larger = next((way for way in circle if way.more), None)
        if larger is not None:
            yield larger


def _come_back_alike(ways: list[_Way]) -> bool:
    """Whether numbers are the same again on every circle: what is added is taken away."""
    onward: dict[Argument, list[_Way]] = {}
    for way in ways:
        onward.setdefault(way.source, []).append(way)
    sums = {ways[0].source: 0}
    pending = [ways[0].source]
    while pending:
        source = pending.pop()
        for way in onward.get(source, ()):
            total = sums[source] + (way.more or 0)
            if way.target not in sums:
                sums[way.target] = total
                pending.append(way.target)
            elif sums[way.target] != total:
                return False
    return True
