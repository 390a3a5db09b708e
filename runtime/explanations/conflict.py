"""Why a tick has no answer stream: instances of statements that cannot hold together.

Each instance of a constraint is let off by an atom of its own. That none is let off is assumed, and of these
assumptions the solver names some that contradict each other; those that do so without one of them are tried
until each one counts (a minimal unsatisfiable subset).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lars2asp.externals.terms.symbols import value_of_symbol
from lars2asp.externals.terms.text import text_of
from lars2asp.planning.asp_program import LookupLiteral, PlanLine
from lars2asp.planning.safe_arithmetic import TurnedLiteral
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.runtime.explanations.one_tick import grounded
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Body, Sign
from lars2asp.syntax.printer import to_text
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import variable_names


@dataclass(frozen=True)
class Instance:
    """An instance of a statement that cannot hold with others.

    Attributes:
        location: where the statement stands.
        bindings: the values of its variables, as text.
    """

    location: Location
    bindings: Mapping[str, str]


@dataclass(frozen=True)
class _Guarded:
    """A statement whose instances can be let off.

    Attributes:
        line: the line of the program.
        body: what makes an instance fail.
        names: the variables by which instances are told apart.
        kept: what stays of the statement where its instances are let off.
    """

    line: PlanLine
    body: Body
    names: Sequence[str]
    kept: nodes.Rule | None = None


def conflict(task: Task, tick: int) -> tuple[Instance, ...]:
    """Instances of statements that cannot hold together at a tick; none where no such were found.

    Constraints are tried first, then the bounds of choices as well.

    Args:
        task: the component that has no answer stream; the database is at the tick.
        tick: the tick.

    Raises EvaluationError.
    """
    constraints = [found for line in task.program.lines if (found := _constraint(line))]
    bounds = [found for line in task.program.lines if (found := _bounds(line))]
    for guarded in (constraints, [*constraints, *bounds]):
        instances = _Solver(task, tick, guarded).conflict()
        if instances:
            return instances
    return ()


class _Solver:
    """Solves a program of which some statements can be let off."""

    def __init__(self, task: Task, tick: int, guarded: Sequence[_Guarded]) -> None:
        program = task.program
        self._guarded = guarded
        self._off = program.names.rule(0)
        by_line = {id(one.line): (number, one) for number, one in enumerate(guarded)}
        lines: list[tuple[str, Location]] = []
        for line in program.lines:
            if id(line) in by_line:
                number, one = by_line[id(line)]
                lines += [(to_text(rule), line.origin) for rule in self._rules(number, one)]
            else:
                lines.append((line.text, line.origin))
        lines.append((f"#show {self._off}/2.", lines[0][1]))
        self._control = grounded(replace(task, program=replace(program, optimizes=False)), tick, lines)
        solve: Any = self._control.configuration.solve
        solve.opt_mode = "ignore"  # it is said what contradicts, whatever that costs
        self._atoms = {
            atom.literal: atom.symbol for atom in self._control.symbolic_atoms.by_signature(self._off, 2)
        }

    def _rules(self, number: int, guarded: _Guarded) -> Iterator[nodes.Rule]:
        """The statement with instances that can be let off."""
        names = tuple(nodes.Variable(name) for name in guarded.names)
        off = nodes.Atom(self._off, (nodes.Number(number), nodes.Tuple(names)))
        if guarded.kept is not None:
            yield guarded.kept
        choice = nodes.SetAggregate((nodes.ConditionalLiteral(nodes.Literal(off)),))
        yield nodes.Rule(choice, guarded.body)
        yield nodes.Rule(None, (*guarded.body, nodes.Literal(off, Sign.NOT)))

    def conflict(self) -> tuple[Instance, ...]:
        """Instances that cannot hold together, none of which could be left out."""
        core = self._core(list(self._atoms))
        if core is None:
            return ()
        for literal in list(core):
            smaller = self._core([one for one in core if one != literal])
            if smaller is not None:
                core = smaller
        return tuple(self._instance(literal) for literal in core)

    def _core(self, literals: Sequence[int]) -> list[int] | None:
        """Those of some atoms that cannot all be false; None where they can."""
        found: list[Sequence[int]] = []
        assumptions: Any = [-literal for literal in literals]
        result = self._control.solve(assumptions=assumptions, on_core=found.append)
        if not result.unsatisfiable:
            return None
        named = {-literal for core in found for literal in core}
        return [literal for literal in literals if literal in named]

    def _instance(self, literal: int) -> Instance:
        number, values = self._atoms[literal].arguments
        guarded = self._guarded[number.number]
        texts = (text_of(value_of_symbol(value)) for value in values.arguments)
        return Instance(guarded.line.origin, dict(zip(guarded.names, texts, strict=True)))


def _constraint(line: PlanLine) -> _Guarded | None:
    """A constraint of the program."""
    match line.statement:
        case nodes.Rule(None, body):
            return _Guarded(line, body, _names(body))
        case _:
            return None


def _bounds(line: PlanLine) -> _Guarded | None:
    """A choice with bounds: what fails is that the bounds are not met."""
    match line.statement:
        case nodes.Rule(nodes.SetAggregate() as head, body) if head.left or head.right:
            met = nodes.Literal(head, Sign.NOT)
            kept = nodes.Rule(nodes.SetAggregate(head.elements), body)
            return _Guarded(line, (*body, met), _names(body), kept)
        case _:
            return None


def _names(body: Body) -> list[str]:
    """The variables that a body binds, in order, but for those that no rule of the user's has."""
    found = set()
    for literal in body:
        if isinstance(literal, nodes.Literal) and literal.sign is Sign.POSITIVE:
            if isinstance(literal, LookupLiteral) or not isinstance(literal.atom, nodes.Atom):
                continue
            found |= variable_names(literal)
    for literal in body:
        if isinstance(literal, TurnedLiteral):
            found = (found - {literal.generated.name}) | {literal.turned.name}
    return sorted(found)
