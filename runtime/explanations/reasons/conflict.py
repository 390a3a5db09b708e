"""Why a tick has no answer stream: instances of statements that cannot hold together.

Each instance of a statement that demands something is let off by an atom of its own: a constraint, the
bounds of a choice, a rule (its head may be derived, but need not), and that an atom and its classical
negation exclude each other. Where more is let off, no answer stream is lost. That nothing is let off is
assumed, and of these assumptions the solver names some that contradict each other; those that do so without
one of them are tried until each one counts (a minimal unsatisfiable subset).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from lars2asp.externals.terms.symbols import value_of_symbol
from lars2asp.externals.terms.terms import Row, Value
from lars2asp.planning.asp.asp_program import AspProgram, LookupLiteral, PlanLine
from lars2asp.planning.asp.safe_arithmetic import TurnedLiteral
from lars2asp.planning.asp.streaming import plain_atom, variables_of
from lars2asp.runtime.evaluators.protocol import Task
from lars2asp.runtime.explanations.reasons.one_tick import Grounded
from lars2asp.syntax import nodes
from lars2asp.syntax.nodes import Body, Node, Sign, Signature, Statement
from lars2asp.syntax.source import Location
from lars2asp.syntax.traversal import body_of, every, rewrite, variable_names, with_body
from lars2asp.syntax.values import dataclass


@dataclass(frozen=True)
class Instance:
    """An instance of a statement that cannot hold with others.

    Attributes:
        location: where the statement stands.
        values: those of its variables.
        number: which one it is of the statements that stand there, as pools are written out.
    """

    location: Location
    values: Mapping[str, Value]
    number: int = 0


@dataclass(frozen=True)
class Contraries:
    """An atom that cannot hold together with its classical negation.

    Attributes:
        signature: its predicate, which is positive.
        row: its arguments.
    """

    signature: Signature
    row: Row


@dataclass(frozen=True)
class Conflict:
    """What cannot hold together; without any one of it the rest can.

    Attributes:
        instances: instances of statements.
        contraries: atoms that the rest of the program makes true together with their classical negations.
    """

    instances: tuple[Instance, ...] = ()
    contraries: tuple[Contraries, ...] = ()


NO_CONFLICT = Conflict()


@dataclass(frozen=True)
class _Guarded:
    """Instances that can be let off.

    Attributes:
        body: what an instance needs to demand something.
        terms: what instances are told apart by.
        demanding: what holds of those that are not let off.
        left: what stays of those that are.
        found: makes a member of a conflict, of the values of the terms.
    """

    body: Body
    terms: tuple[nodes.Term, ...]
    demanding: Statement
    left: Statement | None
    found: Callable[[Row], Instance | Contraries]

    def lines(self, off: nodes.Atom) -> Iterator[Statement]:
        """The statements, with an atom by which an instance is let off."""
        choice = nodes.SetAggregate((nodes.ConditionalLiteral(nodes.Literal(off)),))
        yield nodes.Rule(choice, self.body)
        yield _also(self.demanding, nodes.Literal(off, Sign.NOT))
        if self.left is not None:
            yield _also(self.left, nodes.Literal(off))


def conflict(task: Task, tick: int, statements: Collection[Location]) -> Conflict:
    """What cannot hold together at a tick; nothing where that was not found.

    Constraints are tried first, then the bounds of choices as well, then contraries, then all rules.

    Args:
        task: the component that has no answer stream; the database is at the tick.
        tick: the tick.
        statements: where the statements of the user stand.

    Raises EvaluationError, and TickTimeoutError where it takes longer than the limit of the task.
    """
    program = task.program
    lines = _numbered(program, statements)
    constraints = {id(line): _statement(line, number) for line, number in lines if _is_constraint(line)}
    bounds = {id(line): _statement(line, number) for line, number in lines if _has_bounds(line)}
    rules = {id(line): _statement(line, number) for line, number in lines if _derives(line)}
    contraries = _contraries(program)
    by_line: dict[int, _Guarded] = {}
    for more, with_contraries in ((constraints, False), (bounds, False), ({}, True), (rules, True)):
        by_line |= more
        if more or (with_contraries and contraries):
            apart = contraries if with_contraries else ()
            members = _Solver(task, tick, by_line, apart).conflict()
            if members:
                return Conflict(
                    tuple(one for one in members if isinstance(one, Instance)),
                    tuple(one for one in members if isinstance(one, Contraries)),
                )
    return NO_CONFLICT


class _Solver:
    """Solves a program of which some instances can be let off.

    Args:
        task: the component.
        tick: the tick.
        by_line: what can be let off, by the identities of the lines of the program.
        contraries: the predicates of atoms that may hold together with their classical negations.
    """

    def __init__(
        self, task: Task, tick: int, by_line: Mapping[int, _Guarded], contraries: Collection[Signature]
    ) -> None:
        program = task.program
        self._off, numbers = program.names.rule(0), count(1)
        negations = {one: program.names.rule(next(numbers)) for one in contraries}
        self._guarded: list[_Guarded] = []
        lines: list[tuple[Statement, Location]] = []

        def add(statement: Statement, origin: Location) -> None:
            lines.append((_renamed(statement, negations), origin))

        def guard(guarded: _Guarded, origin: Location) -> None:
            off = nodes.Atom(self._off, (nodes.Number(len(self._guarded)), nodes.Tuple(guarded.terms)))
            self._guarded.append(guarded)
            for one in guarded.lines(off):
                add(one, origin)

        for line in program.lines:
            if id(line) in by_line:
                guard(by_line[id(line)], line.origin)
            else:
                add(line.written, line.origin)
        origin = lines[0][1]
        for signature in contraries:
            guard(_excluding(signature), origin)
        lines.append((nodes.Show(Signature(self._off, 2)), origin))
        self._grounded = Grounded(replace(task, program=replace(program, optimizes=False)), tick, lines)
        control = self._grounded.control
        solve: Any = control.configuration.solve
        solve.opt_mode = "ignore"  # it is said what contradicts, whatever that costs
        self._atoms = {
            atom.literal: atom.symbol for atom in control.symbolic_atoms.by_signature(self._off, 2)
        }

    def conflict(self) -> list[Instance | Contraries]:
        """What cannot hold together, none of which could be left out."""
        core = self._core(list(self._atoms))
        if core is None:
            return []
        for literal in list(core):
            if literal not in core:
                continue
            smaller = self._core([one for one in core if one != literal])
            if smaller is not None:
                core = smaller
        return [*map(self._member, core)]

    def _core(self, literals: Sequence[int]) -> list[int] | None:
        """Those of some atoms that cannot all be false, or more; None where they can.

        The solver may name another atom in place of one that it found to be the same.
        """
        named = self._grounded.core([-literal for literal in literals])
        if named is None:
            return None
        core = [literal for literal in literals if -literal in named]
        is_core = len(core) == len(literals) or self._grounded.core([-one for one in core]) is not None
        return core if is_core else [*literals]

    def _member(self, literal: int) -> Instance | Contraries:
        number, values = self._atoms[literal].arguments
        return self._guarded[number.number].found(tuple(map(value_of_symbol, values.arguments)))


# --- what can be let off -------------------------------------------------------------------------------


def _numbered(program: AspProgram, statements: Collection[Location]) -> list[tuple[PlanLine, int]]:
    """The lines that are statements of the user, and which they are of those that stand at one place.

    Lines behind a head that chooses tell what was chosen, where that is distinguished: they demand nothing.
    """
    lines = [line for line in program.lines if line.statement is not None and line.origin in statements]
    choosing = {line.origin for line in lines if not _is_plain(line.statement)}
    seen: Counter[Location] = Counter()
    found = []
    for line in lines:
        if line.origin in choosing and _is_plain(line.statement):
            continue
        found.append((line, seen[line.origin]))
        seen[line.origin] += 1
    return found


def _is_plain(statement: Statement | None) -> bool:
    return isinstance(statement, nodes.Rule) and isinstance(statement.head, nodes.Atom)


def _is_constraint(line: PlanLine) -> bool:
    """Whether a statement derives nothing, but demands something."""
    match line.statement:
        case nodes.Rule(None | nodes.Comparison() | nodes.Boolean(False)) | nodes.Edge():
            return True
        case nodes.Rule(nodes.Disjunction() as head):
            return not _derivable(head)
        case _:
            return False


def _has_bounds(line: PlanLine) -> bool:
    match line.statement:
        case nodes.Rule(nodes.SetAggregate() | nodes.HeadAggregate() as head):
            return bool(head.left or head.right)
        case _:
            return False


def _derives(line: PlanLine) -> bool:
    """Whether a rule must derive something; what holds without a body can be let off by nothing."""
    match line.statement:
        case nodes.Rule(nodes.Atom(), body):
            return bool(body)
        case nodes.Rule(nodes.Disjunction() as head):
            return bool(_derivable(head))
        case _:
            return False


def _derivable(head: nodes.Disjunction) -> tuple[nodes.ConditionalLiteral, ...]:
    """The elements of a head that it may derive."""
    return tuple(
        one
        for one in head.elements
        if one.literal.sign is Sign.POSITIVE and isinstance(one.literal.atom, nodes.Atom)
    )


def _statement(line: PlanLine, number: int) -> _Guarded:
    """A statement of the program."""
    statement = line.statement
    assert statement is not None
    body = body_of(statement)
    names = _names(body)

    def found(row: Row) -> Instance:
        return Instance(line.origin, dict(zip(names, row, strict=True)), number)

    return _Guarded(body, tuple(map(nodes.Variable, names)), statement, _left(statement), found)


def _left(statement: Statement) -> Statement | None:
    """What stays of a statement that is let off: its head may be derived, but need not."""
    match statement:
        case nodes.Rule(nodes.Atom() as head, body):
            return nodes.Rule(nodes.SetAggregate((nodes.ConditionalLiteral(nodes.Literal(head)),)), body)
        case nodes.Rule(nodes.Disjunction() as head, body) if _derivable(head):
            return nodes.Rule(nodes.SetAggregate(_derivable(head)), body)
        case nodes.Rule(nodes.SetAggregate() | nodes.HeadAggregate() as head, body):
            return nodes.Rule(replace(head, left=None, right=None), body)
        case _:
            return None


def _also(statement: Statement, literal: nodes.Literal) -> Statement:
    return with_body(statement, (*body_of(statement), literal))


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


# --- contraries ----------------------------------------------------------------------------------------


def _contraries(program: AspProgram) -> list[Signature]:
    """The predicates that a program has together with their classical negations."""
    known = {line.background for line in program.lines if line.background is not None}
    statements = [line.statement for line in program.lines if line.statement is not None]
    known |= {atom.signature for atom in every(nodes.Atom, *statements)}
    return sorted(one for one in known if one.is_positive and one._replace(is_positive=False) in known)


def _excluding(signature: Signature) -> _Guarded:
    """That atoms of a predicate exclude their classical negations."""
    variables = variables_of(signature)
    both = (plain_atom(one, variables) for one in (signature, signature._replace(is_positive=False)))
    body = tuple(map(nodes.Literal, both))
    return _Guarded(body, variables, nodes.Rule(None, body), None, lambda row: Contraries(signature, row))


def _renamed(statement: Statement, negations: Mapping[Signature, str]) -> Statement:
    """A statement in which classical negations are predicates like others, so that they exclude nothing."""
    if not negations:
        return statement

    def changed(node: Node) -> Node:
        if isinstance(node, nodes.Atom) and not node.is_positive:
            name = negations.get(node.signature._replace(is_positive=True))
            return node if name is None else nodes.Atom(name, node.arguments)
        return node

    return rewrite(statement, changed)


def _renamed_fact(line: PlanLine, negations: Mapping[Signature, str]) -> str:
    signature = line.background
    if signature is None or signature.is_positive:
        return line.text
    name = negations.get(signature._replace(is_positive=True))
    return line.text if name is None else f"{name}{line.text.removeprefix('-' + signature.name)}"
